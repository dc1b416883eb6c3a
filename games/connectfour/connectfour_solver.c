/* SPDX-License-Identifier: MIT
 *
 * The exact solver of Connect Four. Scores are those of game_worth(): 1 for a win with the winner's last disc,
 * one more for each disc that is left, 0 for a draw. Each search asks one question: does the side to move score
 * at least so much? So it asks who wins, and how soon. A table keeps the proven bounds, also of mirror images.
 * Moves are tried in the order of the threats that they make and of a history of cutoffs (fhourstones: Tromp,
 * 1996 to 2008). Before a move is searched, the table is asked for the positions after all moves (enhanced
 * transposition cutoffs: Schaeffer and Plaat, 1996).
 *
 * Most questions are answered without a search, by rules about zugzwang (Allis, 1988); see known_answer().
 *
 * Threads: games/common/root.h. Workers also defer each other's moves far from the end, and share one table.
 */
#include <math.h>
#include <stdlib.h>

#include "games/common/bounds_table.h"
#include "games/common/root.h"
#include "games/connectfour/connectfour.h"

/* Numbers of empty squares: */
#define SPLIT_MIN  20 /* least number where workers defer each other's moves */
#define MIRROR_MIN 25 /* least number where mirror images are one position of the table */
#define SHARED_MIN                                                                                 \
	16 /* least number of a position in the shared table; others are in the worker's own */
#define TABLE_MIN 6 /* least number of a position in a table */
#define PROBE_MIN 9 /* least number where the positions after all moves are looked up first */

/* --- positions --- */

static inline uint64_t c4_hash_of(uint64_t key)
{
	uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
	return (h ^ h >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* A position in the search, with its place in the table. */
struct c4_position {
	uint64_t own, all; /* the discs of the side to move, and of both sides */
	uint64_t moves; /* the landing squares that do not lose at once; never empty in a search */
	int empties;
	bool mirrored; /* the table has the mirror image */
	uint64_t key;
	struct bounds_bucket *bucket;
};

static inline uint64_t c4_mirror(uint64_t set)
{
	uint64_t out = 0;
	for (int i = 0; i < C4_COLS; i++, set >>= C4_PITCH)
		out = out << C4_PITCH | (set & ((1u << C4_PITCH) - 1));
	return out;
}

/* What the table knows. */
static inline struct bounds_entry c4_find(const struct c4_position *p)
{
	return bounds_find(p->bucket, 1, &p->key, 0);
}

/* --- answers without a search --- */

#define ODD     (C4_BOTTOM * 0x15) /* the first, third and fifth square of each column */
#define EVEN    (C4_BOTTOM * 0x2a)
#define SEVENTH (C4_BOTTOM << 6)

enum answer { NO, YES, UNKNOWN };

/* The squares above one or more squares of a column, and the lowest of these itself; perhaps not all of
 * them. */
static inline uint64_t above(uint64_t squares)
{
	return (SEVENTH - squares) & C4_BOARD;
}

/* Answers for White, who is not to move. The number of empty squares is even, so an even number of columns
 * have an odd number of them. White answers a disc on the first square of such a column on the first square
 * of another one, and any other disc on the square above it. So White gets all even squares but perhaps these
 * first ones, and is never the first to run out of good moves: Black gets no other squares than odd and first
 * ones. `threats` are White's. Where White threatens an even square, Black gets nothing above it. NO: Black does not score
 * `want`, 0 or more. */
static inline enum answer follow_up(uint64_t own, uint64_t all, uint64_t threats, int want)
{
	uint64_t empty = C4_BOARD ^ all, first = (all + C4_BOTTOM) & EVEN;
	uint64_t black = own | (empty & ODD) | first, even = empty & EVEN & ~first;
	uint64_t threatened = threats & even;
	if (threatened && !c4_has_four(own | (empty & ODD & ~above(threatened)) | first))
		return NO;
	if (!c4_has_four(black) && (want > 0 || c4_has_four((own ^ all) | even)))
		return NO;
	return UNKNOWN;
}

/* Answers for the side to move, White. An odd number of columns have an odd number of empty squares. Black,
 * who threatens an odd square of one of them, leaves this column to White and otherwise answers as in
 * follow_up(). In the end White must play below the threat, unless White gets four first. `threats` are
 * Black's. */
static inline enum answer zugzwang(uint64_t own, uint64_t all, uint64_t moves, uint64_t threats,
				   int want)
{
	uint64_t empty = C4_BOARD ^ all, first = (all + C4_BOTTOM) & EVEN;
	for (uint64_t left = want < 0 ? 0 : first; left; left &= left - 1) {
		uint64_t column = C4_COLUMN << __builtin_ctzll(left) / C4_PITCH * C4_PITCH;
		uint64_t threat = threats & ODD & column;
		if (!threat)
			continue;
		uint64_t others = ~column & ~above(threats & EVEN & ~first & ~column);
		uint64_t below = ((threat & -threat) - 1) & column;
		if (!c4_has_four(own | (empty & ODD & others) | (first & ~column) |
				 (empty & EVEN & below)))
			return NO;
	}
	/* White plays on one of these columns and answers as in follow_up() from then on. */
	for (uint64_t left = want > 1 ? 0 : first & moves; left; left &= left - 1) {
		uint64_t square = left & -left, rest = first ^ square;
		if (!c4_has_four((own ^ all) | (empty & ODD) | rest) &&
		    (want <= 0 || c4_has_four(own | square | (empty & EVEN & ~first))))
			return YES;
	}
	return UNKNOWN;
}

/* Tells if the side to move scores at least `want`, as far as that is known without a search. `threats`: the
 * squares that complete four for the other side. The side to move must not have an immediate win. Sets
 * p->moves. */
static inline enum answer known_answer(struct c4_position *p, uint64_t threats, int want)
{
	const uint64_t own = p->own, other = own ^ p->all;
	p->moves = c4_safe(p->all, threats);
	if (!p->moves) /* the other side wins in two moves */
		return -(p->empties / 2) >= want ? YES : NO;
	if (p->empties <= 2)
		return want <= 0 ? YES : NO;
	/* The earliest win takes three moves, the earliest loss four. */
	if (want > (p->empties - 1) / 2)
		return NO;
	if (want <= 1 - p->empties / 2)
		return YES;
	/* Black is to move if the number of empty squares is even. White cannot win without a possible four;
	 * for Black's fours the other rules are as good. */
	bool black = p->empties % 2 == 0;
	uint64_t white = black ? other : own;
	if (black ? want <= 0 : want > 0) {
		if (!c4_has_four(white | (C4_BOARD ^ p->all)))
			return black ? YES : NO;
	}
	if (black)
		return want < 0 ? UNKNOWN : follow_up(own, p->all, threats, want);
	return zugzwang(own, p->all, p->moves, threats, want);
}

/* --- workers --- */

#define SPLIT_PATH (C4_SQUARES - SPLIT_MIN + 1)
#define BITS       (C4_PITCH * C4_COLS)

struct c4_worker {
	struct root root;
	struct c4_position after[C4_COLS]; /* the moves of the root */
	struct bounds_table table;         /* shared by all workers */
	struct bounds_table own;           /* fits into a cache */
	int history[2][BITS];
	uint64_t nodes;
	bool shares; /* the question needs the shared table */
	/* The positions on the path that other workers may search too. */
	struct {
		const struct c4_position *p;
		int want;
	} path[SPLIT_PATH];
};

static bool c4_is_answered(const struct root *r, int index)
{
	const struct c4_worker *w = (const struct c4_worker *)r;
	return bounds_answer(c4_find(w->path[index].p), w->path[index].want);
}

/* Sets the place of a position in the table, and fetches it into the cache. */
static inline void c4_place(const struct c4_worker *w, struct c4_position *p)
{
	/* The discs of the side to move, plus a disc on every landing square, differ for all positions. */
	uint64_t key = p->own + p->all + C4_BOTTOM;
	p->mirrored = false;
	if (p->empties >= MIRROR_MIN) {
		uint64_t other = c4_mirror(p->own) + c4_mirror(p->all) + C4_BOTTOM;
		p->mirrored = other < key;
		key = other < key ? other : key;
	}
	bool shared = w->shares && p->empties >= SHARED_MIN;
	p->key = key;
	p->bucket = bounds_bucket(shared ? &w->table : &w->own, c4_hash_of(key));
	__builtin_prefetch(p->bucket);
}

/* --- the order of moves --- */

#define THREAT_RATING 16   /* of a threat */
#define PARITY_RATING 24   /* added if zugzwang can enforce it: odd for Black, even for White */
#define KNOWN_RATING  4096 /* of the table's move */
#define HISTORY_MAX   2000

struct c4_child {
	struct c4_position p;
	uint64_t square;
	int rating;
};

/* Records that a move answered with yes after `i` others did not. */
static void learn_order(struct c4_worker *w, struct c4_child *const *list, int i, int side)
{
	int *history = w->history[side];
	if (i == 0)
		return;
	history[__builtin_ctzll(list[i]->square)] += i;
	for (int j = 0; j < i; j++)
		history[__builtin_ctzll(list[j]->square)]--;
	if (history[__builtin_ctzll(list[i]->square)] > HISTORY_MAX)
		for (int k = 0; k < 2 * BITS; k++)
			w->history[k / BITS][k % BITS] /= 2;
}

/* Makes the children of a position and lists them, best rating first; leaves out those that fail. Returns their
 * number, or -1 if one of them succeeds without a search. `column`: of the table's move. */
static inline int c4_expand(const struct c4_worker *w, const struct c4_position *p, int want,
			    int column, struct c4_child children[C4_COLS], struct c4_child **list)
{
	static const uint8_t order[C4_COLS] = { 3, 2, 4, 1, 5, 0, 6 };
	int side = p->empties & 1, n = 0;
	uint64_t enforced = side == BLACK ? ODD : EVEN;
	for (int i = 0; i < C4_COLS; i++) {
		uint64_t square = p->moves & C4_COLUMN << C4_PITCH * order[i];
		if (!square)
			continue;
		struct c4_child *c = &children[n];
		c->square = square;
		c->p.own = p->own ^ p->all;
		c->p.all = p->all | square;
		c->p.empties = p->empties - 1;
		c->p.mirrored = false;
		uint64_t threats = c4_threats(p->own | square, c->p.all);
		enum answer known = known_answer(&c->p, threats, 1 - want);
		if (known == NO)
			return -1;
		if (known == YES)
			continue;
		if (c->p.empties >= TABLE_MIN)
			c4_place(w, &c->p);
		c->rating = THREAT_RATING * __builtin_popcountll(threats) +
			    PARITY_RATING * __builtin_popcountll(threats & enforced) +
			    KNOWN_RATING * (order[i] == column) +
			    w->history[side][__builtin_ctzll(square)];
		int j = n++;
		for (; j > 0 && list[j - 1]->rating < c->rating; j--)
			list[j] = list[j - 1];
		list[j] = c;
	}
	return n;
}

/* Removes the children that the table knows to fail. Returns their number, or -1 if it knows that one
 * succeeds. */
static inline int c4_probe(struct c4_child **list, int n, int want)
{
	int kept = 0;
	for (int i = 0; i < n; i++) {
		struct bounds_entry e = c4_find(&list[i]->p);
		if (e.most < 1 - want)
			return -1;
		if (e.least < 1 - want)
			list[kept++] = list[i];
	}
	return kept;
}

/* --- the search --- */

static int column_of(const struct c4_position *p, uint64_t square)
{
	int column = __builtin_ctzll(square) / C4_PITCH;
	return p->mirrored ? C4_COLS - 1 - column : column;
}

/* Returns true if the side to move scores at least `want`, 0 or 1. known_answer() must not know. If w->unwind
 * is set, the result means nothing. */
static bool c4_search(struct c4_worker *w, const struct c4_position *p, int want)
{
	uint64_t before = w->nodes++;
	if (before >= w->root.pause)
		root_pause(&w->root);
	if (w->root.unwind != NO_UNWIND)
		return false;
	bool stores = p->empties >= TABLE_MIN;
	struct bounds_entry known = stores ? c4_find(p) : BOUNDS_NOTHING;
	if (bounds_answer(known, want))
		return known.least >= want;
	struct c4_child children[C4_COLS], *list[2 * C4_COLS];
	int column = p->mirrored ? C4_COLS - 1 - known.move : known.move;
	int n = c4_expand(w, p, want, column, children, list), depth = w->root.depth;
	if (n > 0 && p->empties >= PROBE_MIN)
		n = c4_probe(list, n, want);
	if (n < 0)
		return true;
	uint64_t best = 0;
	bool splits = p->empties >= SPLIT_MIN && w->root.threads > 1;
	if (splits) {
		w->path[depth].p = p;
		w->path[depth].want = want;
	}
	for (int i = 0, end = n; i < end && !best; i++) {
		struct c4_child *c = list[i];
		uint64_t hash = 0;
		if (splits && i > 0) {
			hash = c4_hash_of(c->p.key);
			if (!busy_begin(&w->root.shared->busy, &hash, i < n)) {
				list[end++] = c;
				continue;
			}
		}
		w->root.depth = depth + splits;
		bool answer = !c4_search(w, &c->p, 1 - want);
		w->root.depth = depth;
		if (hash)
			busy_end(&w->root.shared->busy, hash);
		if (w->root.unwind != NO_UNWIND) {
			if (!splits || w->root.unwind < depth)
				return false;
			w->root.unwind = NO_UNWIND;
			known = c4_find(p);
			if (bounds_answer(known, want))
				return known.least >= want;
			i--; /* the answer is no longer in the table: search the move again */
			continue;
		}
		if (answer) {
			best = c->square;
			learn_order(w, list, i, p->empties & 1);
		}
	}
	if (stores)
		bounds_store(p->bucket, 1, &p->key, best ? want : want - 1, want,
			     best ? column_of(p, best) : BOUNDS_NO_MOVE,
			     63 - __builtin_clzll(w->nodes - before), 0);
	return best;
}

/* --- the root --- */

static void c4_learn_score(struct c4_worker *w, int move, int score)
{
	root_learn(&w->root, move, score, score);
}

/* Lists the moves. Those that end the game or lose at once get their scores. */
static void c4_list_moves(struct c4_worker *w, const struct state *s)
{
	uint64_t own = s->board[s->side], all = own | s->board[s->side ^ 1];
	int empties = C4_SQUARES - __builtin_popcountll(all) - 1;
	for (uint64_t left = c4_landing(all); left; left &= left - 1) {
		uint64_t square = left & -left;
		int move = w->root.count;
		struct c4_position *p = &w->after[move];
		w->nodes++;
		*p = (struct c4_position) { .own = own ^ all,
					    .all = all | square,
					    .empties = empties };
		uint64_t threats = c4_threats(own | square, p->all);
		/* Columns near the middle first. */
		int rating = 8 * __builtin_popcountll(threats) -
			     abs(__builtin_ctzll(square) / C4_PITCH - C4_COLS / 2);
		root_add(&w->root, rating, c4_hash_of(p->all + p->own));
		if (c4_has_four(own | square))
			c4_learn_score(w, move, c4_score(empties));
		else if (empties == 0)
			c4_learn_score(w, move, 0);
		else if (c4_landing(p->all) & c4_threats(p->own, p->all))
			c4_learn_score(w, move, -c4_score(empties - 1));
	}
}

static bool c4_ask(struct root *r, int move)
{
	struct c4_worker *w = (struct c4_worker *)r;
	struct c4_position p = w->after[move];
	enum answer known = known_answer(&p, c4_threats(p.own ^ p.all, p.all), 1 - r->want);
	bool yes = known == NO;
	if (known == UNKNOWN) {
		c4_place(w, &p);
		yes = !c4_search(w, &p, 1 - r->want);
	}
	return root_answer(r, move, yes ? r->want : r->want - 1);
}

#define FIRST_NODES  1024
#define NODES_GROWTH 2
#define SHORT_NODES  65536 /* above, the next shorter or longer win gets 1/n of the nodes */
#define SHORT_PART   4
#define UNSHARED_MAX 16384 /* nodes of a question that fits into a worker's own table */

/* The questions about a score. */
enum question {
	SOON_WON,  /* does the side to move win as soon as it still may? */
	SOON_LOST, /* does it avoid a loss that soon? */
	IS_WON,
	IS_DRAWN,  /* or won */
	IS_SOONER, /* once it is known who wins: in the sooner half of the time that is left? */
	QUESTIONS
};

#define NO_SCORE (C4_SCORE_MAX + 1)

/* The score that a question asks for, or NO_SCORE. */
static int c4_wanted(enum question q, struct root_bounds b)
{
	bool open = b.least <= 0 && b.most >= 0; /* who wins, if anybody */
	switch (q) {
	case SOON_WON:
		return b.most > 0 ? b.most : NO_SCORE;
	case SOON_LOST:
		return b.least < 0 ? b.least + 1 : NO_SCORE;
	case IS_WON:
		return open && b.most > 0 ? 1 : NO_SCORE;
	case IS_DRAWN:
		return open && b.least < 0 ? 0 : NO_SCORE;
	default:
		return open ? NO_SCORE : (b.least + b.most + 1) >> 1;
	}
}

/* The questions are asked in turn, with more and more nodes: whichever is easy ends the search, or narrows the others. */
static void c4_solve(struct root *r, int set)
{
	struct c4_worker *w = (struct c4_worker *)r;
	for (uint64_t nodes = FIRST_NODES;; nodes *= NODES_GROWTH)
		for (enum question q = 0; q < QUESTIONS; q++) {
			bool is_short = q == SOON_WON || q == SOON_LOST;
			uint64_t part = is_short && nodes > SHORT_NODES ? SHORT_PART : 1;
			r->give_up = w->nodes + nodes / part;
			w->shares = nodes > UNSHARED_MAX;
			for (;;) {
				int want = c4_wanted(q, root_known(r, set));
				if (r->stopped || root_is_known(r, set, r->aim == SOLVE_RESULT))
					return;
				if (want == NO_SCORE || w->nodes >= r->give_up)
					break;
				root_ask(r, set, want);
			}
		}
}

static const struct root_game c4_root = {
	.win = 1,
	.scale = 1,
	.claim = SOLVER_CLAIM,
	.solve = c4_solve,
	.ask = c4_ask,
	.is_answered = c4_is_answered,
};

#define QUICK       28 /* empty squares; takes some milliseconds */
#define OWN_BYTES   ((size_t)1 << 19)

#define TABLE_LEAST ((size_t)1 << 16)

static size_t c4_table_bytes(int empties)
{
	int log = empties < 20 ? 0 : empties < 36 ? (empties - 20) * 11 / 16 : 11;
	return TABLE_LEAST << log;
}

static void c4_work(const struct game *g, const struct state *s, enum solve_aim aim, void *block,
		    size_t bytes, int number, int threads, struct control *control)
{
	char *own = (char *)block + SOLVER_CLEAR + (size_t)number * OWN_BYTES;
	size_t first = SOLVER_CLEAR + (size_t)threads * OWN_BYTES;
	struct c4_worker w = {
		.root = root_of(&c4_root, s, C4_SCORE_MAX, block),
		.table = { (struct bounds_bucket *)((char *)block + first),
			   (bytes - first) / sizeof(struct bounds_bucket) },
		.own = { (struct bounds_bucket *)own, OWN_BYTES / sizeof(struct bounds_bucket) },
		.nodes = 1, /* the position itself */
	};
	c4_list_moves(&w, s);
	root_work(&w.root, aim, number, threads, control, &w.nodes);
}

/* For results: fitted to the time that nine of ten positions took at most, with 12 to 38 empty squares, after random moves
 * that do not lose at once; and to that of the empty board. */
static bool c4_estimate(const struct game *g, const struct state *s, enum solve_aim aim,
			int threads, double *seconds, size_t *bytes)
{
	const double overhead = 1e-4;
	const double score = 3, all = 9; /* factors for how soon, and for the scores of all moves */
	const int slower = 38;           /* where more empty squares cost less */
	int empties = C4_SQUARES - __builtin_popcountll(s->board[BLACK] | s->board[WHITE]);
	if (aim == SOLVE_ESTIMATE)
		return false;
	/* Without a large table, some work is done twice. That takes less time than any other search. */
	size_t rest = SOLVER_CLEAR + (size_t)threads * OWN_BYTES, table = c4_table_bytes(empties);
	while (rest + table > *bytes && table > TABLE_LEAST)
		table /= 2;
	*bytes = rest + table;
	double model = 0.4 * pow(2.2, (empties < slower ? empties : slower) - 34);
	if (empties > slower)
		model *= pow(1.5, empties - slower);
	if (aim != SOLVE_RESULT)
		model *= aim == SOLVE_ALL ? all : score;
	*seconds = overhead + root_seconds(model, *bytes, threads);
	return true;
}

static bool c4_result(const struct game *g, const struct state *s, const void *block,
		      struct solution *out)
{
	struct move moves[GAME_MOVES_MAX];
	struct root r = root_of(&c4_root, s, C4_SCORE_MAX, block);
	r.count = game_moves(g, s, moves);
	return root_result(&r, moves, out);
}

const struct solver connectfour_solver = { c4_estimate, c4_work, c4_result,
					   .clear = offsetof(struct root_shared, busy),
					   .quick = QUICK };
