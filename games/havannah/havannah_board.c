/* SPDX-License-Identifier: MIT
 *
 * Chains are joined by size (Tarjan, 1975), without compression of paths, which are short then.
 */
#include "games/havannah/havannah_board.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/playouts.h"

#define NEAR_SET HAVANNAH_NEAR_SET
#define BASES    (HAVANNAH_BASE_MAX + 1)

/* What a set of neighbours means. */
static struct around {
	/* Steps to one neighbour in each group, to the point itself after the last group. */
	int16_t first[3];
	uint8_t pairs; /* the pairs of groups, as bits: 0 and 1, 0 and 2, 1 and 2 */
	uint8_t inner; /* neighbours between two others */
} around[NEAR_SET + 1];

static bool is_won[(HAVANNAH_CORNERS | HAVANNAH_SIDES) + 1];
static struct havannah_board empty_boards[BASES];
static uint16_t borders[BASES][HAVANNAH_POINTS], squares[BASES][HAVANNAH_POINTS];
static uint8_t lines[BASES][HAVANNAH_POINTS];

static unsigned rotate(unsigned set, int by)
{
	return (set << by | set >> (HAVANNAH_NEAR - by)) & NEAR_SET;
}

unsigned havannah_groups(unsigned near)
{
	return near == NEAR_SET ? 1 : near & ~rotate(near, 1);
}

unsigned havannah_inner(unsigned near)
{
	return near & rotate(near, 1) & rotate(near, HAVANNAH_NEAR - 1);
}

bool havannah_is_won(unsigned bits)
{
	return is_won[bits];
}

static void init_around(unsigned set)
{
	static const uint8_t pairs[4] = { 0, 0, 1, 7 };
	struct around *a = &around[set];
	int count = 0;
	a->inner = (uint8_t)havannah_inner(set);
	for (unsigned groups = havannah_groups(set); groups; groups &= groups - 1)
		a->first[count++] = (int16_t)havannah_near_step[__builtin_ctz(groups)];
	a->pairs = pairs[count];
}

/* The corners and sides of a cell. A corner belongs to no side. Each corner lies between two sides in the list. */
static unsigned border_of(int base, int row, int col)
{
	const int far = 2 * (base - 1), low = base - 1, high = 3 * (base - 1);
	const bool on[6] = { row == 0,   row + col == low,  col == 0,
			     row == far, row + col == high, col == far };
	unsigned bits = 0;
	for (int i = 0; i < 6; i++) {
		if (on[i] && on[(i + 1) % 6])
			return 1u << i;
		bits |= (unsigned)on[i] << (6 + i);
	}
	return bits;
}

/* The number of lines between a cell and the border. */
static int havannah_board_line_of(int base, int row, int col)
{
	const int far = base - 1;
	int x = abs(col - far), z = abs(row - far), y = abs(row + col - 2 * far);
	int most = x > z ? x : z;
	return far - (y > most ? y : most);
}

static void havannah_board_init_base(int base)
{
	struct havannah_board *b = &empty_boards[base];
	const int side = HAVANNAH_SIDE(base);
	memset(b, 0, sizeof *b);
	memset(b->content, HAVANNAH_BORDER, sizeof b->content);
	b->base = base;
	for (int point = 0; point < HAVANNAH_POINTS; point++)
		b->parent[point] = (uint16_t)point;
	for (int row = 0; row < side; row++)
		for (int col = 0; col < side; col++) {
			int point = havannah_point(row, col);
			if (!havannah_is_cell(base, row, col))
				continue;
			b->content[point] = HAVANNAH_EMPTY;
			b->place[point] = (uint16_t)b->empties;
			b->empty[b->empties++] = (uint16_t)point;
			borders[base][point] = (uint16_t)border_of(base, row, col);
			squares[base][point] = (uint16_t)(row * side + col);
			lines[base][point] = (uint8_t)havannah_board_line_of(base, row, col);
		}
}

void havannah_board_init(void)
{
	for (unsigned set = 0; set <= NEAR_SET; set++) {
		around[set] = (struct around) { 0 };
		init_around(set);
	}
	for (unsigned bits = 0; bits < sizeof is_won / sizeof is_won[0]; bits++)
		is_won[bits] = __builtin_popcount(bits & HAVANNAH_CORNERS) >= 2 ||
			       __builtin_popcount(bits & HAVANNAH_SIDES) >= 3;
	for (int base = HAVANNAH_BASE_MIN; base <= HAVANNAH_BASE_MAX; base++)
		havannah_board_init_base(base);
}

int havannah_square(int base, int point)
{
	return squares[base][point];
}

unsigned havannah_border(int base, int point)
{
	return borders[base][point];
}

int havannah_row(int base, int point)
{
	return lines[base][point];
}

int havannah_list_stones(const struct havannah_board *b, int side, uint16_t *points)
{
	const struct havannah_board *all = &empty_boards[b->base];
	int count = 0;
	for (int i = 0; i < all->empties; i++) {
		points[count] = all->empty[i];
		count += b->content[all->empty[i]] == side;
	}
	return count;
}

void havannah_board_clear(struct havannah_board *b, int base)
{
	const struct havannah_board *from = &empty_boards[base];
	size_t points = (size_t)(HAVANNAH_STRIDE * (HAVANNAH_SIDE(base) + 2));
	b->base = base;
	b->empties = from->empties;
	memcpy(b->content, from->content, points);
	memset(b->near, 0, points * sizeof *b->near);
	memset(b->stones, 0, points * sizeof *b->stones);
	memset(b->touched, 0, points * sizeof *b->touched);
	memcpy(b->parent, from->parent, points * sizeof *b->parent);
	memcpy(b->empty, from->empty, (size_t)from->empties * sizeof *b->empty);
	memcpy(b->place, from->place, points * sizeof *b->place);
}

/* Returns true if one of the neighbours in `inner`, stones of a side, has that side's stones all around it once there is
 * one on `point`. */
static inline bool is_sixth(const struct havannah_board *b, int point, int side, unsigned inner)
{
	for (; inner; inner &= inner - 1) {
		int i = __builtin_ctz(inner);
		unsigned set = b->near[point + havannah_near_step[i]][side];
		if ((set | havannah_back(i)) == NEAR_SET)
			return true;
	}
	return false;
}

/* The pairs of equal chains, as in struct around. */
static inline unsigned equal_pairs(const int chains[3])
{
	return (unsigned)(chains[0] == chains[1]) | (unsigned)(chains[0] == chains[2]) << 1 |
	       (unsigned)(chains[1] == chains[2]) << 2;
}

/* The chains that a stone on an empty point would join; the point itself stands for those that are missing. No branch
 * depends on their number, which cannot be predicted in a random game. */
struct joined {
	int chains[3];
	unsigned touched;
	bool ring, wins;
};

static inline struct joined havannah_board_join(const struct havannah_board *b, int point, int side)
{
	const struct around *a = &around[b->near[point][side]];
	struct joined j = { { havannah_chain(b, point + a->first[0]),
			      havannah_chain(b, point + a->first[1]),
			      havannah_chain(b, point + a->first[2]) },
			    .touched = borders[b->base][point] };
	j.touched |= b->touched[j.chains[0]] | b->touched[j.chains[1]] | b->touched[j.chains[2]];
	j.ring = (equal_pairs(j.chains) & a->pairs) ||
		 (a->inner && is_sixth(b, point, side, a->inner));
	j.wins = is_won[j.touched] || j.ring;
	return j;
}

bool havannah_wins(const struct havannah_board *b, int point, int side)
{
	return b->near[point][side] && havannah_board_join(b, point, side).wins;
}

/* Marks a stone in the sets of neighbours around it, or takes the mark back. */
static inline void mark_near(struct havannah_board *b, int point, int side)
{
	for (int i = 0; i < HAVANNAH_NEAR; i++)
		b->near[point + havannah_near_step[i]][side] ^= (uint8_t)havannah_back(i);
}

/* Adds a stone to its chains. */
static inline void havannah_board_put(struct havannah_board *b, int point, int side,
				      const struct joined *j)
{
	int one = j->chains[0], other = j->chains[1], third = j->chains[2], chain = one;
	b->content[point] = (uint8_t)side;
	chain = b->stones[other] > b->stones[chain] ? other : chain;
	chain = b->stones[third] > b->stones[chain] ? third : chain;
	int stones = 1 + b->stones[one] + b->stones[other] + b->stones[third];
	b->parent[point] = (uint16_t)chain;
	b->parent[one] = (uint16_t)chain;
	b->parent[other] = (uint16_t)chain;
	b->parent[third] = (uint16_t)chain;
	b->stones[chain] = (uint16_t)stones;
	b->touched[chain] = (uint16_t)j->touched;
	mark_near(b, point, side);
}

static inline void take_empty(struct havannah_board *b, int point)
{
	int place = b->place[point], last = b->empty[--b->empties];
	b->empty[place] = (uint16_t)last;
	b->place[last] = (uint16_t)place;
}

void havannah_place(struct havannah_board *b, int point, int side)
{
	struct joined j = havannah_board_join(b, point, side);
	take_empty(b, point);
	havannah_board_put(b, point, side, &j);
}

int havannah_find_wins(const struct havannah_board *b, int side, int most, uint16_t *points)
{
	int count = 0;
	for (int i = 0; i < b->empties && count < most; i++)
		if (havannah_wins(b, b->empty[i], side))
			points[count++] = b->empty[i];
	return count;
}

/* Returns true if a stone on an empty point would win after one on `first`, which is marked and joins `j`. */
static inline bool wins_after(const struct havannah_board *b, int first, const struct joined *j,
			      int point, int side)
{
	const struct around *a = &around[b->near[point][side]];
	unsigned touched = borders[b->base][point];
	int chains[3];
	for (int i = 0; i < 3; i++) {
		int chain = havannah_chain(b, point + a->first[i]);
		bool is_joined = chain == j->chains[0] || chain == j->chains[1] ||
				 chain == j->chains[2] || chain == first;
		touched |= is_joined ? j->touched : b->touched[chain];
		chains[i] = is_joined ? first : chain;
	}
	return is_won[touched] || (equal_pairs(chains) & a->pairs) ||
	       (a->inner && is_sixth(b, point, side, a->inner));
}

int havannah_find_threats(struct havannah_board *b, int point, int side, int most, uint16_t *points)
{
	const struct joined j = havannah_board_join(b, point, side);
	int count = 0,
	    stones = 1 + b->stones[j.chains[0]] + b->stones[j.chains[1]] + b->stones[j.chains[2]];
	bool grows = false;
	/* Nothing to win with: no side or corner, and too few stones for a ring. */
	if (!j.touched && stones < HAVANNAH_RING_MIN - 1)
		return 0;
	for (int i = 0; i < 3; i++)
		grows |= j.chains[i] != point &&
			 (b->touched[j.chains[i]] != j.touched || j.chains[i] != j.chains[0]);
	mark_near(b, point, side);
	if (grows) {
		for (int i = 0; i < b->empties && count < most; i++) {
			int other = b->empty[i];
			if (b->near[other][side] && other != point &&
			    wins_after(b, point, &j, other, side))
				points[count++] = (uint16_t)other;
		}
	} else {
		/* A stone that only makes a chain longer threatens nothing beyond its neighbours. */
		for (int i = 0; i < HAVANNAH_NEAR && count < most; i++) {
			int near = point + havannah_near_step[i];
			if (b->content[near] == HAVANNAH_EMPTY &&
			    wins_after(b, point, &j, near, side))
				points[count++] = (uint16_t)near;
		}
	}
	mark_near(b, point, side);
	return count;
}

bool havannah_broken_bridge(const struct havannah_board *b, int point, int side, struct rng *rng,
			    int *answer)
{
	int found[HAVANNAH_NEAR];
	uint32_t count = 0;
	unsigned own = b->near[point][side], ends = own;
	if (!own)
		return false;
	for (int i = 0; i < HAVANNAH_NEAR; i++)
		ends |= (unsigned)(b->content[point + havannah_near_step[i]] == HAVANNAH_BORDER)
			<< i;
	/* Points between two ends, of which one at least is a stone. */
	unsigned middles = rotate(ends, 1) & rotate(ends, HAVANNAH_NEAR - 1) &
			   (rotate(own, 1) | rotate(own, HAVANNAH_NEAR - 1)) & ~ends;
	for (; middles; middles &= middles - 1) {
		int i = __builtin_ctz(middles), middle = point + havannah_near_step[i];
		int one = point + havannah_near_step[(i + 1) % HAVANNAH_NEAR];
		int other = point + havannah_near_step[(i + 5) % HAVANNAH_NEAR];
		if (b->content[middle] != HAVANNAH_EMPTY)
			continue;
		if (b->content[one] == side && b->content[other] == side &&
		    havannah_chain(b, one) == havannah_chain(b, other))
			continue;
		found[count++] = middle;
	}
	if (count == 0)
		return false;
	*answer = found[count > 1 ? rng_below(rng, count) : 0];
	return true;
}

/* --- random games --- */

static inline void trace_add(struct trace *t, int base, int point, int side)
{
	int square = squares[base][point];
	bits_add(t->made[side], square);
	t->owner[square] = (int8_t)side_sign(side);
}

/* Begins a trace with the stones that are there. */
static void trace_begin(const struct havannah_board *b, struct trace *t)
{
	const struct havannah_board *all = &empty_boards[b->base];
	memset(t, 0, sizeof *t);
	for (int i = 0; i < all->empties; i++) {
		int content = b->content[all->empty[i]];
		if (content != HAVANNAH_EMPTY)
			t->owner[squares[b->base][all->empty[i]]] = (int8_t)side_sign(content);
	}
}

/* Choices from one random number: 271^4 is below 2^33. */
#define DRAWS 4

static inline __attribute__((always_inline)) int
havannah_board_play_out(struct havannah_board *b, int side, struct rng *rng, struct trace *t)
{
	uint64_t random = 0;
	for (int turn = 0; b->empties; turn++, side ^= 1) {
		if (turn % DRAWS == 0)
			random = rng_next(rng);
		/* The high word of the product is the choice, the low word is the next random number. */
		__extension__ unsigned __int128 product = (unsigned __int128)random *
							  (unsigned)b->empties;
		uint16_t *chosen = &b->empty[(uint64_t)(product >> 64)];
		int point = *chosen;
		random = (uint64_t)product;
		if (t)
			trace_add(t, b->base, point, side);
		struct joined j = havannah_board_join(b, point, side);
		if (j.wins)
			return side_sign(side);
		*chosen = b->empty[--b->empties];
		havannah_board_put(b, point, side, &j);
	}
	return 0;
}

int havannah_playout(struct havannah_board *b, int side, struct rng *rng, struct trace *t)
{
	if (!t)
		return havannah_board_play_out(b, side, rng, NULL);
	trace_begin(b, t);
	return havannah_board_play_out(b, side, rng, t);
}

/* Rings count in the first steps only: later they close by chance, and say little of the position. Such a ring joins a chain
 * to itself, which only makes its number of stones too large. */
#define GUIDED_RINGS(CELLS) ((CELLS)*5 / 9)

/* What a chain touches that may win with one more stone: two sides, or a corner. */
static bool is_near_win(unsigned touched)
{
	return __builtin_popcount(touched & HAVANNAH_SIDES) >= 2 || (touched & HAVANNAH_CORNERS);
}

/* Finds points where a side wins next with the stone on `last`, which has just joined `j`; at most 2, 0 for none. Looks
 * beside the stone. If its chain has gained something that may win elsewhere, looks everywhere. */
static void find_next(const struct havannah_board *b, int last, int side, const struct joined *j,
		      bool gained, bool rings, uint16_t next[2])
{
	int count = 0, stones = b->stones[havannah_chain(b, last)];
	bool joins = j->chains[1] != last && j->chains[1] != j->chains[0];
	bool everywhere = (joins && rings && stones >= HAVANNAH_RING_MIN - 1) ||
			  ((joins || gained) && is_near_win(j->touched));
	next[0] = next[1] = 0;
	if (!j->touched && stones < HAVANNAH_RING_MIN - 1)
		return;
	for (int i = 0; i < (everywhere ? b->empties : HAVANNAH_NEAR) && count < 2; i++) {
		int point = everywhere ? b->empty[i] : last + havannah_near_step[i];
		if (b->content[point] != HAVANNAH_EMPTY || !b->near[point][side])
			continue;
		struct joined found = havannah_board_join(b, point, side);
		if (rings ? found.wins : is_won[found.touched])
			next[count++] = (uint16_t)point;
	}
}

int havannah_heavy(struct havannah_board *b, int side, int last, struct rng *rng, struct trace *t)
{
	const int rings_until = GUIDED_RINGS(HAVANNAH_CELLS(b->base));
	uint16_t wins[2][2] = { { 0 } }; /* points where each side wins next */
	trace_begin(b, t);
	for (int turn = 0; b->empties; side ^= 1, turn++) {
		const int other = side ^ 1;
		const bool rings = turn < rings_until;
		int point;
		if (wins[side][0])
			point = wins[side][0];
		else if (wins[other][0])
			point = wins[other][0];
		else if (!last || !havannah_broken_bridge(b, last, side, rng, &point))
			point = b->empty[rng_below(rng, (uint32_t)b->empties)];
		trace_add(t, b->base, point, side);
		struct joined j = havannah_board_join(b, point, side);
		if (wins[side][0] || (rings ? j.wins : is_won[j.touched]))
			return side_sign(side);
		bool gained = true;
		for (int i = 0; i < 3; i++)
			gained &= j.chains[i] == point || b->touched[j.chains[i]] != j.touched;
		take_empty(b, point);
		havannah_board_put(b, point, side, &j);
		find_next(b, point, side, &j, gained, rings, wins[side]);
		/* If the other side had a win there, this stone has blocked it. */
		wins[other][0] = wins[other][1];
		wins[other][1] = 0;
		last = point;
	}
	return 0;
}
