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
 * Threads: all workers ask the same question and share one table. The first answer counts for all. A worker
 * defers a move that another worker is searching, so workers take different moves (Kerrigan's simplified
 * ABDADA). If the table has the answer for a position on a worker's path, the worker unwinds to it.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/solver.h"
#include "engine/search/common/cell.h"
#include "engine/search/common/control.h"
#include "games/common/busy.h"
#include "games/common/list.h"
#include "games/connectfour/connectfour.h"

/* Numbers of empty squares: */
#define SPLIT_MIN  20 /* least number where workers defer each other's moves */
#define MIRROR_MIN 25 /* least number where mirror images are one position of the table */
#define SHARED_MIN                                                                                 \
	16 /* least number of a position in the shared table; others are in the worker's own */
#define TABLE_MIN 6 /* least number of a position in a table */
#define PROBE_MIN 9 /* least number where the positions after all moves are looked up first */

#define CLAIM     SOLVER_CLAIM /* positions to claim at once: about half a millisecond */

/* --- the table ---
 *
 * A cell holds the exact position. Its first word is stored xored with a mask computed from the second. So
 * neither memory with any content nor a mix of two cells that two threads wrote at once matches a position:
 * positions have 49 bits. */

/* Bounds of the score for the side to move, and its best move. */
struct c4_entry {
	int8_t least, most; /* -C4_SCORE_MAX .. C4_SCORE_MAX */
	int8_t column;      /* of the move that last answered a question with yes; NONE */
	uint8_t work;       /* log2 of the positions searched */
};

#define NONE 7

static const struct c4_entry nothing = { -C4_SCORE_MAX, C4_SCORE_MAX, NONE, 0 };

struct c4_cell {
	_Atomic uint64_t position, data;
};

#define BUCKET_CELLS 4

struct c4_bucket {
	struct c4_cell cells[BUCKET_CELLS];
};
_Static_assert(sizeof(struct c4_bucket) == 64, "a bucket is a line of the cache");

struct c4_table {
	struct c4_bucket *buckets;
	size_t count;
};

static inline uint64_t pack(struct c4_entry e)
{
	return (uint64_t)(e.least + C4_SCORE_MAX) | (uint64_t)(e.most + C4_SCORE_MAX) << 6 |
	       (uint64_t)e.column << 12 | (uint64_t)e.work << 15;
}

static inline struct c4_entry c4_unpack(uint64_t data)
{
	return (struct c4_entry) { (int8_t)((data & 63) - C4_SCORE_MAX),
				   (int8_t)((data >> 6 & 63) - C4_SCORE_MAX),
				   (int8_t)(data >> 12 & 7), (uint8_t)(data >> 15) };
}

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
	struct c4_bucket *bucket;
};

static inline uint64_t c4_mirror(uint64_t set)
{
	uint64_t out = 0;
	for (int i = 0; i < C4_COLS; i++, set >>= C4_PITCH)
		out = out << C4_PITCH | (set & ((1u << C4_PITCH) - 1));
	return out;
}

/* Reads a cell of a bucket. Returns true if it holds this position. */
static inline bool c4_entry_read(const struct c4_cell *c, uint64_t key, struct c4_entry *e)
{
	uint64_t data = atomic_load_explicit(&c->data, memory_order_relaxed);
	uint64_t position = atomic_load_explicit(&c->position, memory_order_relaxed);
	*e = c4_unpack(data);
	return (position ^ cell_mask(&data, 1)) == key;
}

static inline struct c4_entry c4_bucket_find(const struct c4_bucket *b, uint64_t key)
{
	struct c4_entry e;
	for (int i = 0; i < BUCKET_CELLS; i++)
		if (c4_entry_read(&b->cells[i], key, &e))
			return e;
	return nothing;
}

/* Adds a bound, and the move that answered with yes, to a position's entry. A new entry replaces the one of
 * the bucket with the least work. */
static void c4_bucket_store(struct c4_bucket *b, uint64_t key, int want, bool answer, int column,
			    uint64_t nodes)
{
	struct c4_cell *worst = NULL;
	struct c4_entry e = nothing;
	int least = UINT8_MAX + 1, work = 63 - __builtin_clzll(nodes | 1);
	for (int i = 0; i < BUCKET_CELLS; i++) {
		struct c4_entry old;
		bool same = c4_entry_read(&b->cells[i], key, &old);
		if (same)
			e = old;
		if (same || old.work < least) {
			least = same ? -1 : old.work;
			worst = &b->cells[i];
		}
	}
	if (answer && want > e.least)
		e.least = (int8_t)want;
	if (!answer && want - 1 < e.most)
		e.most = (int8_t)(want - 1);
	if (answer)
		e.column = (int8_t)column;
	e.work = (uint8_t)(work > e.work ? work : e.work);
	uint64_t data = pack(e);
	atomic_store_explicit(&worst->data, data, memory_order_relaxed);
	atomic_store_explicit(&worst->position, key ^ cell_mask(&data, 1), memory_order_relaxed);
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

/* Bounds of a score for the side to move at the root. All zero: unknown. */
struct c4_bounds {
	uint8_t raised, lowered; /* lower bound + C4_SCORE_MAX, and C4_SCORE_MAX - upper bound */
};

static inline int c4_least_of(struct c4_bounds b)
{
	return b.raised - C4_SCORE_MAX;
}

static inline int c4_most_of(struct c4_bounds b)
{
	return C4_SCORE_MAX - b.lowered;
}

/* Data of all workers, at the start of the solver's block. Initially zero, but `busy`: what it says only changes the order
 * of the work. */
struct c4_shared {
	atomic_bool solved;
	atomic_int aim;
	_Atomic(struct c4_bounds) move[C4_COLS]; /* of the root's moves, in the order of moves() */
	struct busy busy;                        /* positions that a worker is searching */
};
_Static_assert(sizeof(struct c4_shared) <= SOLVER_CLEAR, "");

#define ALL_MOVES (-1)
#define NO_UNWIND 64
#define PATH_MAX  (C4_SQUARES - SPLIT_MIN + 1)
#define BITS      (C4_PITCH * C4_COLS)

struct c4_worker {
	struct c4_table table; /* shared by all workers */
	struct c4_table own;   /* fits into a cache */
	int history[2][BITS];
	uint64_t nodes;
	uint64_t pause; /* claims, or looks for answers of other workers, at this number of nodes */
	uint64_t claimed; /* number of nodes */
	uint64_t limit;   /* gives up the question at this number of nodes */
	bool shares;      /* the question needs the shared table */
	bool stopped;
	int unwind; /* index in `path` to return to, < 0: the root, or NO_UNWIND */
	struct control *control;
	struct c4_shared *shared;
	int number, threads, moves;
	/* The question: does this move, or the best one (ALL_MOVES), score at least `want`? */
	int move, want;
	int depth;
	/* The positions on the path that other workers may search too. */
	struct {
		const struct c4_bucket *bucket;
		uint64_t key;
		int want;
	} path[PATH_MAX];
};

static bool c4_answers(int least, int most, int want)
{
	return least >= want || most < want;
}

/* The bounds of a move, or of the best one (ALL_MOVES). */
static struct c4_bounds c4_known_of(const struct c4_shared *shared, int moves, int move)
{
	struct c4_bounds best = { 0, 2 * C4_SCORE_MAX };
	for (int i = 0; i < moves; i++) {
		struct c4_bounds b = atomic_load(&shared->move[i]);
		if (move == i)
			return b;
		if (b.raised > best.raised)
			best.raised = b.raised;
		if (b.lowered < best.lowered)
			best.lowered = b.lowered;
	}
	return best;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Claims more work. Sets w->unwind if control stops the worker, if its question has taken too long, or if an
 * answer on its path is known by now. */
static void c4_pause_search(struct c4_worker *w)
{
	if (w->number == 0)
		control_publish(w->control);
	if (w->nodes >= w->claimed)
		w->claimed += control_claim(w->control, w->nodes - w->claimed + CLAIM);
	w->pause = earlier(w->claimed, w->limit);
	w->stopped = w->claimed <= w->nodes;
	if (w->pause <= w->nodes) {
		w->unwind = -1;
		return;
	}
	if (w->threads == 1)
		return;
	struct c4_bounds b = c4_known_of(w->shared, w->moves, w->move);
	if (c4_answers(c4_least_of(b), c4_most_of(b), w->want))
		w->unwind = -1;
	for (int i = 0; i < w->depth && i < w->unwind; i++) {
		struct c4_entry e = c4_bucket_find(w->path[i].bucket, w->path[i].key);
		if (c4_answers(e.least, e.most, w->path[i].want))
			w->unwind = i;
	}
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
	const struct c4_table *t = w->shares && p->empties >= SHARED_MIN ? &w->table : &w->own;
	p->key = key;
	p->bucket = &t->buckets[(unsigned __int128)c4_hash_of(key) * t->count >> 64];
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
		struct c4_entry e = c4_bucket_find(list[i]->p.bucket, list[i]->p.key);
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
	if (before >= w->pause)
		c4_pause_search(w);
	if (w->unwind != NO_UNWIND)
		return false;
	bool stores = p->empties >= TABLE_MIN;
	struct c4_entry known = stores ? c4_bucket_find(p->bucket, p->key) : nothing;
	if (c4_answers(known.least, known.most, want))
		return known.least >= want;
	struct c4_child children[C4_COLS], *list[2 * C4_COLS];
	int column = p->mirrored && known.column != NONE ? C4_COLS - 1 - known.column
							 : known.column;
	int n = c4_expand(w, p, want, column, children, list), depth = w->depth;
	if (n > 0 && p->empties >= PROBE_MIN)
		n = c4_probe(list, n, want);
	if (n < 0)
		return true;
	uint64_t best = 0;
	bool splits = p->empties >= SPLIT_MIN && w->threads > 1;
	if (splits) {
		w->path[depth].bucket = p->bucket;
		w->path[depth].key = p->key;
		w->path[depth].want = want;
	}
	for (int i = 0, end = n; i < end && !best; i++) {
		struct c4_child *c = list[i];
		uint64_t hash = 0;
		if (splits && i > 0) {
			hash = c4_hash_of(c->p.key);
			if (!busy_begin(&w->shared->busy, &hash, i < n)) {
				list[end++] = c;
				continue;
			}
		}
		w->depth = depth + splits;
		bool answer = !c4_search(w, &c->p, 1 - want);
		w->depth = depth;
		if (hash)
			busy_end(&w->shared->busy, hash);
		if (w->unwind != NO_UNWIND) {
			if (!splits || w->unwind < depth)
				return false;
			w->unwind = NO_UNWIND;
			known = c4_bucket_find(p->bucket, p->key);
			if (c4_answers(known.least, known.most, want))
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
		c4_bucket_store(p->bucket, p->key, want, best, best ? column_of(p, best) : NONE,
				w->nodes - before);
	return best;
}

/* --- the root --- */

/* The position to solve. */
struct c4_root {
	int empties;
	int count;                      /* number of moves */
	struct c4_child child[C4_COLS]; /* after each move, in the order of moves() */
	int order[C4_COLS];             /* indices of the moves, best rating first */
};

/* Adds an answer to the bounds of a move of the root. */
static void c4_learn(struct c4_worker *w, int move, int want, bool answer)
{
	_Atomic(struct c4_bounds) *known = &w->shared->move[move];
	struct c4_bounds old = atomic_load(known), b;
	do {
		b = old;
		if (answer && want > c4_least_of(b))
			b.raised = (uint8_t)(want + C4_SCORE_MAX);
		if (!answer && want - 1 < c4_most_of(b))
			b.lowered = (uint8_t)(C4_SCORE_MAX + 1 - want);
	} while (!atomic_compare_exchange_weak(known, &old, b));
}

static void connectfour_learn_score(struct c4_worker *w, int move, int score)
{
	c4_learn(w, move, score, true);
	c4_learn(w, move, score + 1, false);
}

/* Lists the moves. Those that end the game or lose at once get their scores. */
static void c4_root_init(struct c4_root *r, struct c4_worker *w, const struct state *s)
{
	uint64_t own = s->board[s->side], all = own | s->board[s->side ^ 1];
	r->empties = C4_SQUARES - __builtin_popcountll(all);
	r->count = 0;
	for (uint64_t left = c4_landing(all); left; left &= left - 1) {
		int move = r->count++, j = move;
		w->nodes++;
		struct c4_child *c = &r->child[move];
		c->square = left & -left;
		c->p = (struct c4_position) { .own = own ^ all, .all = all | c->square };
		c->p.empties = r->empties - 1;
		uint64_t threats = c4_threats(own | c->square, c->p.all);
		c->rating = __builtin_popcountll(threats);
		if (c4_has_four(own | c->square))
			connectfour_learn_score(w, move, c4_score(c->p.empties));
		else if (c->p.empties == 0)
			connectfour_learn_score(w, move, 0);
		else if (c4_landing(c->p.all) & c4_threats(c->p.own, c->p.all))
			connectfour_learn_score(w, move, -c4_score(c->p.empties - 1));
		/* Columns near the middle first. */
		c->rating = 8 * c->rating -
			    abs(__builtin_ctzll(c->square) / C4_PITCH - C4_COLS / 2);
		for (; j > 0 && r->child[r->order[j - 1]].rating < c->rating; j--)
			r->order[j] = r->order[j - 1];
		r->order[j] = move;
	}
}

/* Finds out if a move of the root scores at least `want`. Returns false also if the worker unwinds. */
static bool ask_move(struct c4_worker *w, const struct c4_root *r, int move, int want)
{
	struct c4_bounds b = c4_known_of(w->shared, w->moves, move);
	if (c4_answers(c4_least_of(b), c4_most_of(b), want))
		return c4_least_of(b) >= want;
	struct c4_position p = r->child[move].p;
	uint64_t own = p.own ^ p.all;
	enum answer known = known_answer(&p, c4_threats(own, p.all), 1 - want);
	bool answer = known == NO;
	if (known == UNKNOWN) {
		c4_place(w, &p);
		answer = !c4_search(w, &p, 1 - want);
	}
	if (w->unwind != NO_UNWIND)
		return false;
	c4_learn(w, move, want, answer);
	return answer;
}

/* Finds out if a move, or the best move (ALL_MOVES), scores at least `want`, within a number of nodes. The
 * answer is then in the shared bounds. */
static void c4_ask(struct c4_worker *w, const struct c4_root *r, int move, int want, uint64_t nodes)
{
	int order[2 * C4_COLS], n = 1;
	w->move = move;
	w->want = want;
	w->limit = nodes < UINT64_MAX - w->nodes ? w->nodes + nodes : UINT64_MAX;
	w->pause = earlier(w->claimed, w->limit);
	w->unwind = NO_UNWIND;
	order[0] = move;
	if (move == ALL_MOVES) {
		n = r->count;
		memcpy(order, r->order, sizeof r->order);
	}
	for (int i = 0, end = n; i < end && w->unwind == NO_UNWIND; i++) {
		uint64_t hash = 0;
		if (w->threads > 1 && i > 0) {
			hash = c4_hash_of(r->child[order[i]].p.all + r->child[order[i]].p.own);
			if (!busy_begin(&w->shared->busy, &hash, i < n)) {
				order[end++] = order[i];
				continue;
			}
		}
		bool answer = ask_move(w, r, order[i], want);
		if (hash)
			busy_end(&w->shared->busy, hash);
		if (answer)
			return;
	}
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
static int connectfour_wanted(enum question q, struct c4_bounds b)
{
	int least = c4_least_of(b), most = c4_most_of(b);
	bool open = least <= 0 && most >= 0; /* who wins, if anybody */
	switch (q) {
	case SOON_WON:
		return most > 0 ? most : NO_SCORE;
	case SOON_LOST:
		return least < 0 ? least + 1 : NO_SCORE;
	case IS_WON:
		return open && most > 0 ? 1 : NO_SCORE;
	case IS_DRAWN:
		return open && least < 0 ? 0 : NO_SCORE;
	default:
		return open ? NO_SCORE : (least + most + 1) >> 1;
	}
}

static bool connectfour_is_known(struct c4_bounds b, enum solve_aim aim)
{
	int least = c4_least_of(b), most = c4_most_of(b);
	return least == most || (aim == SOLVE_RESULT && (least > 0 || most < 0));
}

/* Finds the score of a move, or of the best move (ALL_MOVES); for SOLVE_RESULT, its sign. The questions are asked in
 * turn, with more and more nodes: whichever is easy ends the search, or narrows the others. */
static void c4_solve(struct c4_worker *w, const struct c4_root *r, int move)
{
	enum solve_aim aim = (enum solve_aim)atomic_load(&w->shared->aim);
	for (uint64_t nodes = FIRST_NODES;; nodes *= NODES_GROWTH)
		for (enum question q = 0; q < QUESTIONS; q++) {
			bool is_short = q == SOON_WON || q == SOON_LOST;
			uint64_t part = is_short && nodes > SHORT_NODES ? SHORT_PART : 1;
			uint64_t end = w->nodes + nodes / part;
			w->shares = nodes > UNSHARED_MAX;
			for (;;) {
				struct c4_bounds b = c4_known_of(w->shared, r->count, move);
				int want = connectfour_wanted(q, b);
				if (w->stopped || connectfour_is_known(b, aim))
					return;
				if (want == NO_SCORE || w->nodes >= end)
					break;
				c4_ask(w, r, move, want, end - w->nodes);
			}
		}
}

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
	struct c4_root r;
	char *own = (char *)block + SOLVER_CLEAR + (size_t)number * OWN_BYTES;
	size_t first = SOLVER_CLEAR + (size_t)threads * OWN_BYTES;
	struct c4_worker w = {
		.table = { (struct c4_bucket *)((char *)block + first),
			   (bytes - first) / sizeof(struct c4_bucket) },
		.own = { (struct c4_bucket *)own, OWN_BYTES / sizeof(struct c4_bucket) },
		.control = control,
		.shared = block,
		.number = number,
		.threads = threads,
		.nodes = 1, /* the position itself */
	};
	c4_root_init(&r, &w, s);
	w.moves = r.count;
	atomic_store(&w.shared->aim, aim);
	c4_solve(&w, &r, ALL_MOVES);
	for (int i = 0; aim == SOLVE_ALL && i < r.count; i++)
		c4_solve(&w, &r, r.order[i]);
	if (!w.stopped)
		atomic_store(&w.shared->solved, true);
	if (w.claimed > w.nodes)
		control_refund(control, w.claimed - w.nodes);
	else
		control_count(control, w.nodes - w.claimed);
}

/* For results: fitted to the time that nine of ten positions took at most, with 12 to 38 empty squares, after random moves
 * that do not lose at once; and to that of the empty board. */
static bool c4_estimate(const struct game *g, const struct state *s, enum solve_aim aim,
			int threads, double *seconds, size_t *bytes)
{
	const double overhead = 1e-4, a_byte = 3e-10; /* time per byte of fresh memory */
	const double gain = 0.7;                      /* of each further thread */
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
	*seconds = overhead + a_byte * (double)*bytes + model / (1 + gain * (threads - 1));
	return true;
}

/* A solved result contains only what the aim asks for. So it does not depend on which worker was first. */
static bool c4_result(const struct game *g, const struct state *s, const void *block,
		      struct solution *out)
{
	const struct c4_shared *shared = block;
	bool solved = atomic_load(&shared->solved), all = atomic_load(&shared->aim) == SOLVE_ALL;
	int sign = side_sign(s->side), best = 0, low = -C4_SCORE_MAX, high = -C4_SCORE_MAX;
	int least[C4_COLS], most[C4_COLS];
	struct move moves[GAME_MOVES_MAX];
	out->count = game_moves(&game_connectfour, s, moves);
	out->estimated = -1;
	for (int i = 0; i < out->count; i++) {
		struct c4_bounds b = atomic_load(&shared->move[i]);
		least[i] = c4_least_of(b);
		most[i] = c4_most_of(b);
		if (i == 0 || least[i] > low) {
			low = least[i];
			best = i;
		}
		high = most[i] > high ? most[i] : high;
	}
	if (atomic_load(&shared->aim) == SOLVE_RESULT && solved) {
		low = low > 0 ? 1 : low < 0 ? -C4_SCORE_MAX : 0;
		high = high < 0 ? -1 : high > 0 ? C4_SCORE_MAX : 0;
	}
	for (int i = 0; i < out->count; i++) {
		if (solved && !all) {
			least[i] = i == best ? low : -C4_SCORE_MAX;
			most[i] = high;
		}
		out->moves[i].move = moves[i];
		out->moves[i].least = (int16_t)(sign > 0 ? least[i] : -most[i]);
		out->moves[i].most = (int16_t)(sign > 0 ? most[i] : -least[i]);
	}
	return solved;
}

const struct solver connectfour_solver = { c4_estimate, c4_work, c4_result,
					   .clear = offsetof(struct c4_shared, busy),
					   .quick = QUICK };
