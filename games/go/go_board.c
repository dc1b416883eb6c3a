/* SPDX-License-Identifier: MIT
 *
 * The inner loop avoids branches that depend on the board: a processor cannot predict a random game. The
 * liberties of a chain are counted once for each neighbouring stone ("pseudo-liberties"), so that a move only
 * adds and subtracts.
 */
#include "games/go/go_board.h"

#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/playouts.h"
#include "games/go/go_pattern.h"

#define NEAR_BITS 4
#define NEAR_ALL  4 /* number of orthogonal neighbours */
#define NEAR_MASK 0xfu
#define OCCUPIED  2 /* the field of `near` that counts all but the empty neighbours */

/* What a stone of a side, and the border, add to `near` of a neighbour. */
static const uint16_t near_stone[2] = { 0x101, 0x110 };
#define NEAR_BORDER 0x111

static struct go_board empty_boards[GO_SIZE_MAX + 1];

static inline unsigned near_count(const struct go_board *b, int point, int field)
{
	return b->points[point].near >> (NEAR_BITS * field) & NEAR_MASK;
}

static void go_board_make_empty(struct go_board *b, int size)
{
	int stride = size + 1, points = (size + 2) * stride + 1;
	b->size = size;
	for (int i = 0; i < points; i++)
		b->points[i].content = GO_BORDER;
	for (int row = 0; row < size; row++)
		for (int col = 0; col < size; col++) {
			int point = go_point(size, row, col);
			b->points[point].content = GO_EMPTY;
			b->empty[b->empties++] = (uint16_t)point;
		}
	for (int i = 0; i < b->empties; i++) {
		const int step[NEAR_ALL] = { -stride, -1, 1, stride };
		for (int k = 0; k < NEAR_ALL; k++)
			if (b->points[b->empty[i] + step[k]].content == GO_BORDER)
				b->points[b->empty[i]].near += NEAR_BORDER;
	}
}

void go_board_init(void)
{
	for (int size = GO_SIZE_MIN; size <= GO_SIZE_MAX; size++) {
		memset(&empty_boards[size], 0, sizeof empty_boards[size]);
		go_board_make_empty(&empty_boards[size], size);
	}
	go_pattern_init();
}

static void go_board_clear(struct go_board *b, int size)
{
	const struct go_board *from = &empty_boards[size];
	size_t points = (size_t)((size + 2) * (size + 1) + 1);
	memcpy(b->points, from->points, points * sizeof *b->points);
	memcpy(b->empty, from->empty, (size_t)from->empties * sizeof *b->empty);
	b->empties = from->empties;
	b->margin = 0;
	b->size = size;
	b->ko = 0;
}

/* Unites two chains under the name of the larger one and returns it. */
static inline int chains_merge(struct go_board *b, int one, int other)
{
	if (b->chains[one].stones < b->chains[other].stones) {
		int c = one;
		one = other;
		other = c;
	}
	b->chains[one].liberties = (uint16_t)(b->chains[one].liberties +
					      b->chains[other].liberties);
	b->chains[one].stones = (uint16_t)(b->chains[one].stones + b->chains[other].stones);
	int point = other;
	do {
		b->points[point].chain = (uint16_t)one;
		point = b->points[point].next;
	} while (point != other);
	uint16_t next = b->points[one].next;
	b->points[one].next = b->points[other].next;
	b->points[other].next = next;
	return one;
}

/* Removes a chain. Returns the number of its stones. */
static inline int chain_capture(struct go_board *b, int chain, int side, int stride)
{
	const int step[NEAR_ALL] = { -stride, -1, 1, stride };
	int point = chain, count = b->empties;
	do {
		struct go_point *p = &b->points[point];
		p->content = GO_EMPTY;
		p->chain = 0;
		b->empty[b->empties++] = (uint16_t)point;
		for (int k = 0; k < NEAR_ALL; k++) {
			struct go_point *n = p + step[k];
			n->near = (uint16_t)(n->near - near_stone[side]);
			b->chains[n->chain].liberties++;
		}
		point = p->next;
	} while (point != chain);
	return b->empties - count;
}

/* Takes the empty point from the liberties of its neighbours, or gives it back. */
static inline void liberties_add(struct go_board *b, int point, int stride, int add)
{
	const int step[NEAR_ALL] = { -stride, -1, 1, stride };
	for (int k = 0; k < NEAR_ALL; k++) {
		struct go_chain *c = &b->chains[b->points[point + step[k]].chain];
		c->liberties = (uint16_t)(c->liberties + add);
	}
}

/* Puts a stone on a point that is no longer a liberty of its neighbours. Captures chains without liberties if
 * `captures` is set. */
static inline void stone_put(struct go_board *b, int point, int side, int stride, bool captures)
{
	const int step[NEAR_ALL] = { -stride, -1, 1, stride };
	struct go_point *p = &b->points[point];
	int chain = point;
	unsigned captured = 0, joined = 0;
	b->chains[point] = (struct go_chain) { 0, 0 };
	p->next = (uint16_t)point;
	p->content = (uint8_t)side;
	for (int k = 0; k < NEAR_ALL; k++) {
		struct go_point *n = p + step[k];
		n->near = (uint16_t)(n->near + near_stone[side]);
		captured |= (unsigned)((n->content == (side ^ 1)) &
				       (b->chains[n->chain].liberties == 0))
			    << k;
		chain = n->content == side ? n->chain : chain;
	}
	/* The stone joins the chain of one neighbour, or is a chain by itself. */
	struct go_point *head = &b->points[chain];
	p->chain = (uint16_t)chain;
	uint16_t next = head->next;
	head->next = (uint16_t)point;
	p->next = chain == point ? (uint16_t)point : next;
	b->chains[chain].stones++;
	b->chains[chain].liberties = (uint16_t)(b->chains[chain].liberties + NEAR_ALL -
						near_count(b, point, OCCUPIED));
	for (int k = 0; k < NEAR_ALL; k++)
		joined |= (unsigned)((p[step[k]].content == side) & (p[step[k]].chain != chain));
	if (joined)
		for (int k = 0; k < NEAR_ALL; k++)
			if (p[step[k]].content == side && p[step[k]].chain != chain)
				chain = chains_merge(b, chain, p[step[k]].chain);
	b->margin += side_sign(side);
	b->ko = 0;
	if (captures && captured) {
		int stones = 0, last = 0;
		for (int k = 0; k < NEAR_ALL; k++)
			/* Another neighbour of the same chain may have been removed with it. */
			if (captured >> k & 1 && p[step[k]].content == (side ^ 1)) {
				last = point + step[k];
				stones += chain_capture(b, p[step[k]].chain, side ^ 1, stride);
			}
		b->margin += side_sign(side) * stones;
		if (stones == 1 && b->chains[chain].stones == 1 && b->chains[chain].liberties == 1)
			b->ko = last;
	}
}

void go_board_set(struct go_board *b, int size, const uint64_t black[GO_SET_WORDS],
		  const uint64_t white[GO_SET_WORDS])
{
	const uint16_t *points = empty_boards[size].empty; /* in the order of the squares */
	go_board_clear(b, size);
	b->empties = 0;
	for (int i = 0; 64 * i < size * size; i++) {
		uint64_t all = go_board_word(size, i);
		for (uint64_t set = all & ~(black[i] | white[i]); set; set &= set - 1)
			b->empty[b->empties++] = points[64 * i + __builtin_ctzll(set)];
		for (uint64_t set = all & (black[i] | white[i]); set; set &= set - 1) {
			int point = points[64 * i + __builtin_ctzll(set)];
			liberties_add(b, point, size + 1, -1);
			stone_put(b, point, (white[i] & set & -set) != 0, size + 1, false);
		}
	}
}

/* Returns true if a side may not play on a point without empty neighbours: it would be suicide. */
static inline bool is_suicide(const struct go_board *b, int point, int side, int stride)
{
	const int step[NEAR_ALL] = { -stride, -1, 1, stride };
	int content[NEAR_ALL], chain[NEAR_ALL], lives = 0;
	for (int k = 0; k < NEAR_ALL; k++) {
		content[k] = b->points[point + step[k]].content;
		chain[k] = b->points[point + step[k]].chain;
	}
	for (int k = 0; k < NEAR_ALL; k++) {
		int left = b->chains[chain[k]].liberties;
		for (int i = 0; i < NEAR_ALL; i++)
			left -= chain[i] == chain[k];
		lives |= (content[k] == side) & (left != 0);
		lives |= (content[k] == (side ^ 1)) & (left == 0);
	}
	return !lives;
}

/* Returns true if a point, whose orthogonal neighbours all belong to a side or the border, is an eye. */
static inline bool is_eye(const struct go_board *b, int point, int side, int stride)
{
	const int step[NEAR_ALL] = { -stride - 1, -stride + 1, stride - 1, stride + 1 };
	int enemies = 0, border = 0;
	for (int k = 0; k < NEAR_ALL; k++) {
		int content = b->points[point + step[k]].content;
		enemies += content == (side ^ 1);
		border |= content == GO_BORDER;
	}
	return enemies + border < 2;
}

/* Returns true if a side may play on an empty point, and does not fill its own eye by it. */
static inline bool is_playable(const struct go_board *b, int point, int side, int stride)
{
	return near_count(b, point, OCCUPIED) < NEAR_ALL ||
	       (point != b->ko &&
		!(near_count(b, point, side) == NEAR_ALL && is_eye(b, point, side, stride)) &&
		!is_suicide(b, point, side, stride));
}

/* Chooses a point for a random move and takes it from the list of empty points and from the liberties of its
 * neighbours. Returns 0 if the side must pass. */
static inline int go_board_choose(struct go_board *b, int side, struct rng *rng, int stride)
{
	/* Points that may not be played are moved behind the first `left` points of the list. */
	for (uint32_t left = (uint32_t)b->empties; left; left--) {
		uint32_t i = rng_below(rng, left);
		int point = b->empty[i];
		if (is_playable(b, point, side, stride)) {
			b->empty[i] = b->empty[--b->empties];
			return point;
		}
		b->empty[i] = b->empty[left - 1];
		b->empty[left - 1] = (uint16_t)point;
	}
	return 0;
}

/* The colours that an empty region touches, as bits of 1 << colour. Marks its points as seen and lists them. */
static unsigned region_colors(const struct go_board *b, int point, bool seen[GO_POINTS_MAX],
			      uint16_t list[GO_SQUARES_MAX], int *count)
{
	const int step[NEAR_ALL] = { -b->size - 1, -1, 1, b->size + 1 };
	unsigned colors = 0;
	*count = 0;
	seen[point] = true;
	list[(*count)++] = (uint16_t)point;
	for (int i = 0; i < *count; i++)
		for (int k = 0; k < NEAR_ALL; k++) {
			int n = list[i] + step[k], content = b->points[n].content;
			colors |= 1u << content;
			if (content != GO_EMPTY || seen[n])
				continue;
			seen[n] = true;
			list[(*count)++] = (uint16_t)n;
		}
	return colors & (1u << BLACK | 1u << WHITE);
}

int go_board_area(const struct go_board *b, int8_t owner[GO_SQUARES_MAX])
{
	bool seen[GO_POINTS_MAX] = { false };
	int8_t owners[GO_POINTS_MAX] = { 0 };
	int margin = 0;
	for (int i = 0; i < b->empties; i++) {
		uint16_t list[GO_SQUARES_MAX];
		int count;
		if (seen[b->empty[i]])
			continue;
		unsigned colors = region_colors(b, b->empty[i], seen, list, &count);
		for (int k = 0; k < count; k++)
			owners[list[k]] = (int8_t)((colors == 1u << BLACK) -
						   (colors == 1u << WHITE));
	}
	for (int square = 0, row = 0; row < b->size; row++)
		for (int col = 0; col < b->size; col++, square++) {
			int point = go_point(b->size, row, col), content = b->points[point].content;
			int own = content == GO_EMPTY ? owners[point] : side_sign(content);
			margin += own;
			if (owner)
				owner[square] = (int8_t)own;
		}
	return margin;
}

/* Counts the empty neighbours of a chain until there are `most`. */
static int chain_liberties(const struct go_board *b, int chain, int most)
{
	const int stride = b->size + 1, step[NEAR_ALL] = { -stride, -1, 1, stride };
	uint16_t found[GO_SQUARES_MAX];
	int count = 0, point = chain;
	do {
		for (int k = 0; k < NEAR_ALL && count < most; k++) {
			int near = point + step[k], i = 0;
			if (b->points[near].content != GO_EMPTY)
				continue;
			while (i < count && found[i] != near)
				i++;
			if (i == count)
				found[count++] = (uint16_t)near;
		}
		point = b->points[point].next;
	} while (point != chain && count < most);
	return count;
}

void go_board_liberties(const struct go_board *b, int most, uint8_t liberties[GO_SQUARES_MAX])
{
	uint8_t of_chain[GO_POINTS_MAX] = { 0 };
	for (int square = 0, row = 0; row < b->size; row++)
		for (int col = 0; col < b->size; col++, square++) {
			int chain = b->points[go_point(b->size, row, col)].chain;
			if (chain && !of_chain[chain])
				of_chain[chain] = (uint8_t)chain_liberties(b, chain, most);
			liberties[square] = of_chain[chain];
		}
}

/* Black's area minus White's. Random games usually end when each empty point is surrounded by stones. */
static inline int go_board_score(const struct go_board *b)
{
	int margin = b->margin;
	for (int i = 0; i < b->empties; i++) {
		int point = b->empty[i];
		if (near_count(b, point, OCCUPIED) < NEAR_ALL)
			return go_board_area(b, NULL);
		margin += (near_count(b, point, BLACK) == NEAR_ALL) -
			  (near_count(b, point, WHITE) == NEAR_ALL);
	}
	return margin;
}

/* --- heavy playouts --- */

/* Returns the only liberty of a chain, or 0 if it has several. */
static inline int only_liberty(const struct go_board *b, int chain, int stride)
{
	const int step[NEAR_ALL] = { -stride, -1, 1, stride };
	int point = chain, liberty = 0, pairs = b->chains[chain].liberties;
	/* A point has no more neighbours. */
	if (pairs > NEAR_ALL)
		return 0;
	do {
		for (int k = 0; k < NEAR_ALL && !liberty; k++)
			if (b->points[point + step[k]].content == GO_EMPTY)
				liberty = point + step[k];
		point = b->points[point].next;
	} while (!liberty);
	for (int k = 0; k < NEAR_ALL; k++)
		pairs -= b->points[liberty + step[k]].chain == chain;
	return pairs ? 0 : liberty;
}

/* Returns true if a move on an empty point leaves its chain one liberty, and captures nothing. */
static bool is_self_atari(const struct go_board *b, int point, int side, int stride)
{
	const int step[NEAR_ALL] = { -stride, -1, 1, stride };
	int liberty = 0;
	for (int k = 0; k < NEAR_ALL; k++) {
		int n = point + step[k], content = b->points[n].content;
		if (content == GO_EMPTY) {
			if (liberty)
				return false;
			liberty = n;
		} else if (content == (side ^ 1) &&
			   only_liberty(b, b->points[n].chain, stride) == point) {
			return false;
		}
	}
	for (int k = 0; k < NEAR_ALL; k++) {
		int n = point + step[k];
		if (b->points[n].content != side)
			continue;
		int chain = b->points[n].chain, stone = chain;
		/* The point and one other have eight neighbours at most. */
		if (b->chains[chain].liberties > 2 * NEAR_ALL)
			return false;
		do {
			for (int i = 0; i < NEAR_ALL; i++) {
				int to = stone + step[i];
				if (b->points[to].content != GO_EMPTY || to == point ||
				    to == liberty)
					continue;
				if (liberty)
					return false;
				liberty = to;
			}
			stone = b->points[stone].next;
		} while (stone != chain);
	}
	return true;
}

/* The points around an empty one, for go_pattern_has(). */
static inline uint32_t pattern_code(const struct go_board *b, int point, int stride)
{
	const struct go_point *p = &b->points[point];
	const int step[GO_PATTERN_POINTS] = { -stride - 1, -stride,    -stride + 1, -1,
					      1,           stride - 1, stride,      stride + 1 };
	uint32_t code = 0;
	for (int k = 0; k < GO_PATTERN_POINTS; k++)
		code |= (uint32_t)p[step[k]].content << 2 * k;
	return code;
}

#define CAPTURES_MAX 32 /* captures are looked for until there are so many answers */

/* A few points to choose from: the captures, and one for the last stone and for each of its neighbours. */
struct go_board_answers {
	int count;
	int points[CAPTURES_MAX + 1 + NEAR_ALL];
};

static inline void answers_add(struct go_board_answers *a, int point)
{
	a->points[a->count++] = point;
}

/* Adds the moves that capture one of the other side's chains next to a chain. */
static void add_captures_around(const struct go_board *b, int chain, int side, int stride,
				struct go_board_answers *a)
{
	const int step[NEAR_ALL] = { -stride, -1, 1, stride };
	int stone = chain;
	do {
		for (int k = 0; k < NEAR_ALL; k++) {
			const struct go_point *n = &b->points[stone + step[k]];
			int liberty;
			if (n->content == (side ^ 1) && a->count < CAPTURES_MAX &&
			    (liberty = only_liberty(b, n->chain, stride)) &&
			    is_playable(b, liberty, side, stride))
				answers_add(a, liberty);
		}
		stone = b->points[stone].next;
	} while (stone != chain);
}

/* Adds what answers a move of the other side that has put chains into atari, or itself. */
static void add_atari_answers(const struct go_board *b, int last, int side, int stride,
			      struct go_board_answers *a)
{
	const int step[NEAR_ALL] = { -stride, -1, 1, stride };
	int liberty = only_liberty(b, b->points[last].chain, stride);
	if (liberty && is_playable(b, liberty, side, stride))
		answers_add(a, liberty);
	for (int k = 0; k < NEAR_ALL; k++) {
		const struct go_point *n = &b->points[last + step[k]];
		if (n->content != side || !(liberty = only_liberty(b, n->chain, stride)))
			continue;
		add_captures_around(b, n->chain, side, stride, a);
		if (is_playable(b, liberty, side, stride) &&
		    !is_self_atari(b, liberty, side, stride))
			answers_add(a, liberty);
	}
}

/* Chooses a point next to the last move where a shape fits; 0: there is none. */
static int choose_shape(const struct go_board *b, int last, int side, struct rng *rng, int stride)
{
	const int step[GO_PATTERN_POINTS] = { -stride - 1, -stride,    -stride + 1, -1,
					      1,           stride - 1, stride,      stride + 1 };
	int points[GO_PATTERN_POINTS];
	uint32_t count = 0;
	for (int k = 0; k < GO_PATTERN_POINTS; k++) {
		int point = last + step[k];
		points[count] = point;
		count += b->points[point].content == GO_EMPTY &&
			 go_pattern_has(side, pattern_code(b, point, stride));
	}
	while (count) {
		uint32_t i = rng_below(rng, count);
		int point = points[i];
		if (is_playable(b, point, side, stride) && !is_self_atari(b, point, side, stride))
			return point;
		points[i] = points[--count];
	}
	return 0;
}

unsigned go_board_look(const struct go_board *b, int point, int side)
{
	const int stride = b->size + 1, step[NEAR_ALL] = { -stride, -1, 1, stride };
	unsigned found = go_pattern_has(side, pattern_code(b, point, stride)) ? GO_MOVE_SHAPE : 0;
	for (int k = 0; k < NEAR_ALL; k++) {
		const struct go_point *n = &b->points[point + step[k]];
		if (n->chain && only_liberty(b, n->chain, stride) == point)
			found |= n->content == side ? GO_MOVE_SAVES : GO_MOVE_CAPTURES;
	}
	if (is_self_atari(b, point, side, stride))
		found = (found & ~(unsigned)GO_MOVE_SAVES) | GO_MOVE_SELF_ATARI;
	if (near_count(b, point, side) == NEAR_ALL && is_eye(b, point, side, stride))
		found |= GO_MOVE_EYE;
	return found;
}

/* Chooses a point that answers the other side's last move, and takes it like choose(). Returns 0 if there is none. */
static inline int choose_answer(struct go_board *b, int last, int side, struct rng *rng, int stride)
{
	struct go_board_answers a;
	int point, i = 0;
	a.count = 0;
	add_atari_answers(b, last, side, stride, &a);
	if (a.count)
		point = a.points[rng_below(rng, (uint32_t)a.count)];
	else
		point = choose_shape(b, last, side, rng, stride);
	if (!point)
		return 0;
	while (b->empty[i] != point)
		i++;
	b->empty[i] = b->empty[--b->empties];
	return point;
}

/* --- random games --- */

/* `last`: in heavy playouts the point of the last move; 0: unknown. `first`, if it is not NULL, gets 1 + the side that
 * was the first to play on the point, for each point. */
static inline int go_board_play_out(struct go_board *b, int side, int passes, struct rng *rng,
				    int size, int last, uint8_t *first, const bool heavy)
{
	for (int moves = 3 * size * size; moves && passes < 2; moves--) {
		int point = heavy && last ? choose_answer(b, last, side, rng, size + 1) : 0;
		if (!point)
			point = go_board_choose(b, side, rng, size + 1);
		last = point;
		if (point) {
			liberties_add(b, point, size + 1, -1);
			stone_put(b, point, side, size + 1, true);
			if (first)
				first[point] = first[point] ? first[point] : (uint8_t)(side + 1);
			passes = 0;
		} else {
			b->ko = 0;
			passes++;
		}
		side ^= 1;
	}
	return first ? 0 : go_board_score(b);
}

int go_board_playout(struct go_board *b, int side, int passes, struct rng *rng)
{
	switch (b->size) {
	case 9:
		return go_board_play_out(b, side, passes, rng, 9, 0, NULL, false);
	case 13:
		return go_board_play_out(b, side, passes, rng, 13, 0, NULL, false);
	case 19:
		return go_board_play_out(b, side, passes, rng, 19, 0, NULL, false);
	default:
		return go_board_play_out(b, side, passes, rng, b->size, 0, NULL, false);
	}
}

/* Describes a finished game. */
static int trace_game(const struct go_board *b, const uint8_t *first, struct trace *trace)
{
	memset(trace->made, 0, sizeof trace->made);
	for (int square = 0, row = 0; row < b->size; row++)
		for (int col = 0; col < b->size; col++, square++) {
			int maker = first[go_point(b->size, row, col)];
			if (maker)
				bits_add(trace->made[maker - 1], square);
		}
	return go_board_area(b, trace->owner);
}

int go_board_trace(struct go_board *b, int side, int passes, struct rng *rng, struct trace *trace)
{
	uint8_t first[GO_POINTS_MAX] = { 0 };
	if (b->size == 9)
		go_board_play_out(b, side, passes, rng, 9, 0, first, false);
	else
		go_board_play_out(b, side, passes, rng, b->size, 0, first, false);
	return trace_game(b, first, trace);
}

int go_board_heavy(struct go_board *b, int side, int passes, int last, struct rng *rng,
		   struct trace *trace)
{
	uint8_t first[GO_POINTS_MAX] = { 0 };
	if (b->size == 9)
		go_board_play_out(b, side, passes, rng, 9, last, first, true);
	else
		go_board_play_out(b, side, passes, rng, b->size, last, first, true);
	return trace_game(b, first, trace);
}
