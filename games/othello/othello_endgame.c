/* SPDX-License-Identifier: MIT
 *
 * The exact endgame solver of Othello. A score is found by a series of null-window searches, each of which
 * asks if it is above alpha (MTD(f): Plaat and others, 1996). A table keeps the proven bounds. Heuristics
 * only order the moves: far from the end shallow searches with the game's evaluation, near the end the
 * number of replies and parity. The kernel searches the last OTHELLO_FEW squares, with a small table for
 * each worker.
 *
 * Positions with many empty squares are searched in two phases. The first phase prunes positions far from
 * the end if a shallow search predicts their answer (Multi-ProbCut: Buro, 1997). Its result is an estimate.
 * It only tells the second phase, which proves, what to ask and which moves to try first. If there is no
 * time for a proof, the estimate is the answer. Further phases between the two then prune less and are more
 * reliable.
 *
 * Threads: all workers ask the same question and share one table. The first answer counts for all. A worker
 * defers a move that another worker is searching, so workers take different moves (Kerrigan's simplified
 * ABDADA). If the table has the answer for a position on a worker's path, the worker unwinds to it.
 */
#include "games/othello/othello_endgame.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/rules/solver.h"
#include "engine/search/common/cell.h"
#include "engine/search/common/control.h"
#include "games/common/busy.h"
#include "games/common/list.h"
#include "games/othello/othello_kernel.h"

#define SCORE_MAX    64
#define PASS         64
#define NONE         65     /* no move */
#define RATING_MAX   100000 /* more than any rating */

/* Numbers of empty squares: */
#define SPLIT_MIN    12 /* least number where workers defer each other's moves */
#define PHASES_MIN   16 /* least number where the root is searched in phases */
#define CUT_MIN      14 /* least number where all phases but the last prune */
#define ESTIMATE_MAX 26 /* largest number where an estimate is better than a search */
#define EVAL_MIN     13 /* least number where the evaluation rates moves */

#define CLAIM        SOLVER_CLAIM /* positions to claim at once: about 100 microseconds */

/* The phases. Each estimate prunes less than the one before; PROVEN does not prune. */
enum { ESTIMATE_1, ESTIMATE_2, ESTIMATE_3, PROVEN, PHASES };

static const struct othello_kernel *kernel;

void othello_endgame_init(void)
{
	kernel = othello_kernel(kernel_used());
}

static inline int endgame_count(uint64_t set)
{
	return __builtin_popcountll(set);
}

/* --- the table ---
 *
 * Cells hold the exact position (engine/search/common/cell.h), so the memory may have any content at first. */

/* Bounds of the score for the side to move, its two best moves, and the work in log2 of positions. */
struct endgame_entry {
	int8_t least, most;
	uint8_t square, second;
	uint8_t work;
	uint8_t phase; /* of the bounds */
	uint8_t unused[2];
};
_Static_assert(sizeof(struct endgame_entry) == sizeof(uint64_t), "an entry is one atomic word");

static const struct endgame_entry nothing = { -SCORE_MAX, SCORE_MAX,  NONE, NONE,
					      0,          ESTIMATE_1, { 0 } };

/* Removes bounds from an earlier, less reliable phase. */
static inline void forget_bounds(struct endgame_entry *e, int phase)
{
	if (e->phase >= phase)
		return;
	e->least = -SCORE_MAX;
	e->most = SCORE_MAX;
	e->phase = (uint8_t)phase;
}

#define BUCKET_CELLS 2
#define CELL_WORDS   (CELL_KEYS + 1)

struct endgame_bucket {
	_Atomic uint64_t words[8]; /* of two cells; the last two are not used */
};
_Static_assert(sizeof(struct endgame_bucket) == 64, "a bucket is a line of the cache");
_Static_assert(BUCKET_CELLS *CELL_WORDS <= 8, "");

struct endgame_table {
	struct endgame_bucket *buckets;
	size_t count;
};

static inline uint64_t endgame_hash_of(uint64_t mine, uint64_t theirs)
{
	uint64_t h = mine * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 32 ^ theirs) * UINT64_C(0xbf58476d1ce4e5b9);
	return (h ^ h >> 32) * UINT64_C(0x94d049bb133111eb);
}

static inline struct endgame_bucket *endgame_table_bucket(const struct endgame_table *t,
							  uint64_t mine, uint64_t theirs)
{
	return &t->buckets[(unsigned __int128)endgame_hash_of(mine, theirs) * t->count >> 64];
}

/* Reads a cell of a bucket. Returns true if it holds this position. */
static inline bool endgame_entry_read(const struct endgame_bucket *b, int cell,
				      const uint64_t position[2], struct endgame_entry *e)
{
	uint64_t data;
	bool same = cell_read(&b->words[cell * CELL_WORDS], 1, position, &data);
	memcpy(e, &data, sizeof data);
	return same;
}

static inline struct endgame_entry endgame_bucket_find(struct endgame_bucket *b, uint64_t mine,
						       uint64_t theirs, int phase)
{
	const uint64_t position[] = { mine, theirs };
	struct endgame_entry e;
	for (int i = 0; i < BUCKET_CELLS; i++)
		if (endgame_entry_read(b, i, position, &e)) {
			forget_bounds(&e, phase);
			return e;
		}
	return nothing;
}

/* Adds a bound, and the move that caused it, to a position's entry. A new entry replaces the one of the
 * bucket with the least work. Does nothing if the entry is of a later phase. */
static void endgame_bucket_store(struct endgame_bucket *b, uint64_t mine, uint64_t theirs,
				 int score, int alpha, int square, uint64_t nodes, int phase)
{
	const uint64_t position[] = { mine, theirs };
	_Atomic uint64_t *worst = NULL;
	struct endgame_entry e = nothing;
	int least = UINT8_MAX + 1, work = 64 - __builtin_clzll(nodes | 1);
	for (int i = 0; i < BUCKET_CELLS; i++) {
		struct endgame_entry old;
		bool same = endgame_entry_read(b, i, position, &old);
		if (same)
			e = old;
		if (same || old.work < least) {
			least = same ? -1 : old.work;
			worst = &b->words[i * CELL_WORDS];
		}
	}
	if (e.phase > phase)
		return;
	forget_bounds(&e, phase);
	if (score > alpha)
		e.least = (int8_t)(score > e.least ? score : e.least);
	else
		e.most = (int8_t)(score < e.most ? score : e.most);
	if (square != e.square && (score > alpha || e.square == NONE)) {
		e.second = e.square;
		e.square = (uint8_t)square;
	}
	e.work = (uint8_t)(work > e.work ? work : e.work);
	uint64_t data;
	memcpy(&data, &e, sizeof data);
	cell_write(worst, 1, position, &data);
}

/* --- workers --- */

/* Bounds of a score for the side to move. All zero: unknown. */
struct endgame_bounds {
	uint8_t raised, lowered; /* lower bound + 64, and 64 - upper bound */
};

static inline int endgame_least_of(struct endgame_bounds b)
{
	return b.raised - SCORE_MAX;
}

static inline int endgame_most_of(struct endgame_bounds b)
{
	return SCORE_MAX - b.lowered;
}

/* Data of all workers, at the start of the solver's block. Initially zero. */
struct endgame_shared {
	atomic_bool solved;
	atomic_int aim;
	/* Bounds of the root's moves, for its mover, in the order of moves(). */
	_Atomic(struct endgame_bounds) move[PHASES][OTHELLO_MOVES_MAX];
	struct busy busy; /* positions that a worker is searching */
};
_Static_assert(sizeof(struct endgame_shared) <= SOLVER_CLEAR, "");

#define ALL_MOVES (-1)
#define NO_UNWIND 128
#define PATH_MAX  64

struct endgame_worker {
	struct endgame_table table; /* shared by all workers */
	struct othello_few own;     /* for the kernel's positions; the table fits into a cache */
	uint64_t claimed;
	bool stopped;
	int unwind; /* index in `path` to return to, < 0: the root, or NO_UNWIND */
	/* Used by the solver only: */
	struct control *control;
	struct endgame_shared *shared;
	int number, threads, moves;
	/* The question: is the score of this move (ALL_MOVES: of the best move) above alpha? */
	int phase, move, alpha;
	int depth;
	/* The positions on the path that other workers may search too. */
	struct {
		struct endgame_bucket *bucket;
		uint64_t mine, theirs;
		int alpha;
	} path[PATH_MAX];
};

/* The bounds that a phase has found for one of `moves` moves, or for the best one (ALL_MOVES). */
static struct endgame_bounds known_in(const struct endgame_shared *shared, int phase, int moves,
				      int move)
{
	struct endgame_bounds best = { 0, 2 * SCORE_MAX };
	for (int i = 0; i < moves; i++) {
		struct endgame_bounds b = atomic_load(&shared->move[phase][i]);
		if (move == i)
			return b;
		if (b.raised > best.raised)
			best.raised = b.raised;
		if (b.lowered < best.lowered)
			best.lowered = b.lowered;
	}
	return best;
}

static struct endgame_bounds endgame_known_of(const struct endgame_worker *w, int move)
{
	return known_in(w->shared, w->phase, w->moves, move);
}

static bool endgame_answers(int least, int most, int alpha)
{
	return least > alpha || most <= alpha;
}

/* Claims more work. Sets w->unwind if control stops the worker, or if an answer on its path is known by
 * now. */
static void endgame_claim(struct endgame_worker *w)
{
	if (!w->control) {
		w->claimed = UINT64_MAX;
		return;
	}
	if (w->number == 0)
		control_publish(w->control);
	w->claimed += control_claim(w->control, w->own.nodes - w->claimed + CLAIM);
	if (w->claimed <= w->own.nodes) {
		w->unwind = -1;
		w->stopped = true;
		return;
	}
	if (w->threads == 1)
		return;
	struct endgame_bounds b = endgame_known_of(w, w->move);
	if (endgame_answers(endgame_least_of(b), endgame_most_of(b), w->alpha))
		w->unwind = -1;
	for (int i = 0; i < w->depth && i < w->unwind; i++) {
		struct endgame_entry e = endgame_bucket_find(w->path[i].bucket, w->path[i].mine,
							     w->path[i].theirs, w->phase);
		if (endgame_answers(e.least, e.most, w->path[i].alpha))
			w->unwind = i;
	}
}

/* --- the order of moves --- */

/* The mover's evaluation, in hundredths of a disc. */
static int endgame_evaluate(const struct state *s)
{
	return side_sign(s->side) * game_othello.eval->value(&game_othello, s);
}

/* The mover's score by a search `depth` moves deep, in hundredths of a disc. The position after the last
 * move must not be over. */
static int shallow_score(const struct state *s, int depth, int alpha, int beta)
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1];
	uint64_t moves = kernel->mobility(mine, theirs);
	int sign = side_sign(s->side), best = -RATING_MAX;
	if (s->over)
		return sign * 100 * s->score;
	if (depth == 0)
		return endgame_evaluate(s);
	struct state next;
	if (!moves) {
		next = *s;
		game_othello.play(&game_othello, &next, PASS);
		return -shallow_score(&next, depth, -beta, -alpha);
	}
	if (depth == 1) {
		for (; moves && best < beta; moves &= moves - 1) {
			int square = __builtin_ctzll(moves);
			uint64_t flips = kernel->flips(mine, theirs, moves & -moves);
			int score = sign * othello_eval_after(s, square, flips);
			best = score > best ? score : best;
		}
		return best;
	}
	struct othello_child list[OTHELLO_MOVES_MAX];
	int n = kernel->expand(mine, theirs, moves, list);
	for (int i = 0; i < n && best < beta; i++) {
		othello_bring_best(list + i, n - i);
		next = *s;
		game_othello.play(&game_othello, &next, (move_t)list[i].square);
		int score = -shallow_score(&next, depth - 1, -beta, best > alpha ? -best : -alpha);
		best = score > best ? score : best;
	}
	return best;
}

/* Depth of the shallow searches that rate moves. */
static int shallow_depth(int empties)
{
	int depth = (empties - 14) / 2;
	return depth < 0 ? 0 : depth > 4 ? 4 : depth;
}

/* In hundredths of a disc: */
#define REPLY   200 /* the rating drops by this much per reply */
#define DECIDED 600 /* if the evaluation is this far below alpha, the order matters less */
#define MARGIN  800 /* a move this much worse than the best one needs no exact rating */

/* Adds shallow searches with the evaluation to the ratings of moves. They are less deep if the evaluation
 * is far below alpha. */
static void endgame_rate(const struct state *s, uint64_t mine, struct othello_child *list, int n,
			 int empties, int alpha)
{
	int depth = shallow_depth(empties) - (endgame_evaluate(s) < 100 * alpha - DECIDED ? 2 : 0);
	int best = -2 * RATING_MAX;
	for (int i = 0; i < n; i++) {
		struct othello_child *c = &list[i];
		othello_bring_best(c, n - i);
		c->rating *= REPLY / OTHELLO_REPLY;
		if (depth <= 0) {
			uint64_t flips = mine ^ c->theirs ^ UINT64_C(1) << c->square;
			int score = othello_eval_after(s, c->square, flips);
			c->rating += side_sign(s->side) * score;
			continue;
		}
		struct state next = *s;
		game_othello.play(&game_othello, &next, (move_t)c->square);
		c->rating -= shallow_score(&next, depth, -RATING_MAX, c->rating - best + MARGIN);
		if (c->rating > best)
			best = c->rating;
	}
}

/* Standard deviations by which a shallow search must exceed the window, by phase. */
static const double confidence[PROVEN] = {
	[ESTIMATE_1] = 0.8, [ESTIMATE_2] = 1.3, [ESTIMATE_3] = 2
};
#define UNSURE    (SCORE_MAX + 1)
/* Largest depth of the shallow search; it does not check control, so it must be short. */
#define LOOK_MOST 7

/* Returns alpha if a shallow search predicts that the score is at most alpha, alpha + 1 if it predicts that
 * it is above alpha, else UNSURE. */
static int predicted_answer(const struct state *s, int empties, int alpha, int phase)
{
	int depth = (empties - 10) / 2 < LOOK_MOST ? (empties - 10) / 2 : LOOK_MOST;
	int margin = (int)(confidence[phase] *
			   game_othello.eval->deviation(&game_othello, s, depth, empties));
	int low = 100 * alpha - margin, high = 100 * (alpha + 1) + margin;
	if (endgame_evaluate(s) > 100 * alpha)
		return shallow_score(s, depth, high - 1, high) >= high ? alpha + 1 : UNSURE;
	return shallow_score(s, depth, low, low + 1) <= low ? alpha : UNSURE;
}

/* --- search --- */

/* The state after a move. NULL with fewer than EVAL_MIN empty squares, where the search needs no state. */
static const struct state *state_after(const struct state *s, int square, int empties,
				       struct state *out)
{
	if (!s || empties < EVAL_MIN)
		return NULL;
	*out = *s;
	game_othello.play(&game_othello, out, (move_t)square);
	return out;
}

/* Searches a position with n empty squares and the legal moves `moves`. A result above alpha is a lower
 * bound of the mover's score, otherwise an upper bound; before the phase PROVEN both are estimates. `s` is
 * the state, or NULL if n < EVAL_MIN or if all is to be proven. The result is invalid if the worker
 * unwinds. */
static int endgame_search(struct endgame_worker *w, const struct state *s, uint64_t mine,
			  uint64_t theirs, uint64_t moves, int n, int alpha)
{
	if (n <= OTHELLO_FEW)
		return kernel->few(&w->own, mine, theirs, moves, alpha);
	uint64_t before = w->own.nodes++;
	struct state next;
	if (!moves) {
		moves = kernel->mobility(theirs, mine);
		return moves ? -endgame_search(w, state_after(s, PASS, n, &next), theirs, mine,
					       moves, n, ~alpha)
			     : othello_score(mine, theirs);
	}
	if (w->own.nodes >= w->claimed)
		endgame_claim(w);
	if (alpha >= 2 * n) {
		int most = SCORE_MAX - 2 * endgame_count(kernel->stable(theirs, mine));
		if (most <= alpha)
			return most;
	}
	const int phase = s ? w->phase : PROVEN;
	struct endgame_bucket *b = endgame_table_bucket(&w->table, mine, theirs);
	struct endgame_entry known = endgame_bucket_find(b, mine, theirs, phase);
	if (endgame_answers(known.least, known.most, alpha))
		return known.least > alpha ? known.least : known.most;
	if (phase < PROVEN && n >= CUT_MIN) {
		int predicted = predicted_answer(s, n, alpha, phase);
		if (predicted != UNSURE)
			return predicted;
	}
	struct othello_child list[2 * OTHELLO_MOVES_MAX];
	int total = kernel->expand(mine, theirs, moves, list), end = total;
	int best = -SCORE_MAX - 1, square = NONE, depth = w->depth;
	struct endgame_bucket *buckets[OTHELLO_MOVES_MAX];
	if (n > OTHELLO_FEW + 1) {
		for (int i = 0; i < total; i++) {
			buckets[i] = endgame_table_bucket(&w->table, list[i].mine, list[i].theirs);
			__builtin_prefetch(buckets[i]);
		}
		total = 0;
		for (int i = 0; i < end; i++) {
			struct endgame_entry e = endgame_bucket_find(buckets[i], list[i].mine,
								     list[i].theirs, phase);
			if (-e.most > alpha) {
				endgame_bucket_store(b, mine, theirs, -e.most, alpha,
						     list[i].square, 1, phase);
				return -e.most;
			}
			if (-e.least > alpha)
				list[total++] = list[i];
			else if (-e.least > best)
				best = -e.least;
		}
		end = total;
	}
	if (s && total > 1)
		endgame_rate(s, mine, list, total, n, alpha);
	for (int i = 0; i < total; i++)
		if (list[i].square == known.square)
			list[i].rating += 2 * RATING_MAX;
		else if (list[i].square == known.second)
			list[i].rating += RATING_MAX;
	bool split = n >= SPLIT_MIN && w->threads > 1;
	if (split) {
		w->path[depth].bucket = b;
		w->path[depth].mine = mine;
		w->path[depth].theirs = theirs;
		w->path[depth].alpha = alpha;
	}
	for (int i = 0; i < end; i++) {
		if (i < total)
			othello_bring_best(list + i, total - i);
		struct othello_child *c = &list[i];
		uint64_t hash = 0;
		if (split && i > 0) {
			hash = endgame_hash_of(c->mine, c->theirs);
			if (!busy_begin(&w->shared->busy, &hash, i < total)) {
				list[end++] = *c;
				continue;
			}
		}
		w->depth = depth + split;
		int score = -endgame_search(w, state_after(s, c->square, n - 1, &next), c->mine,
					    c->theirs, c->moves, n - 1, ~alpha);
		w->depth = depth;
		if (hash)
			busy_end(&w->shared->busy, hash);
		if (w->unwind != NO_UNWIND) {
			if (!split || w->unwind < depth)
				return 0;
			w->unwind = NO_UNWIND;
			known = endgame_bucket_find(b, mine, theirs, phase);
			if (endgame_answers(known.least, known.most, alpha))
				return known.least > alpha ? known.least : known.most;
			i--; /* the answer is no longer in the table: search the move again */
			continue;
		}
		if (score > best) {
			best = score;
			square = c->square;
			if (score > alpha)
				break;
		}
	}
	endgame_bucket_store(b, mine, theirs, best, alpha, square, w->own.nodes - before, phase);
	return best;
}

/* The next alpha for a score within bounds. */
static int next_alpha(int least, int most, int estimated)
{
	return estimated <= least ? least : estimated >= most ? most - 1 : estimated - 1;
}

int othello_solve(uint64_t mine, uint64_t theirs, int alpha, int beta, void *memory, size_t bytes,
		  uint64_t *nodes)
{
	struct endgame_worker w = {
		.table = { memory, bytes / 2 / sizeof(struct endgame_bucket) },
		.own = { (struct othello_cell *)((char *)memory + bytes / 128 * 64),
			 bytes / 2 / sizeof(struct othello_cell), 0 },
		.unwind = NO_UNWIND,
		.threads = 1,
		.phase = PROVEN,
	};
	int least = -SCORE_MAX, most = SCORE_MAX, n = endgame_count(~(mine | theirs));
	while (least < most && least < beta && most > alpha) {
		int a = next_alpha(least, most, 0);
		a = a < alpha ? alpha : a >= beta ? beta - 1 : a;
		int score = endgame_search(&w, NULL, mine, theirs, kernel->mobility(mine, theirs),
					   n, a);
		if (score > a)
			least = score;
		else
			most = score;
	}
	*nodes += w.own.nodes;
	return least >= beta ? least : most;
}

/* --- the solver --- */

static int empties_of(const struct state *s)
{
	return endgame_count(~(s->board[BLACK] | s->board[WHITE]));
}

/* The position to solve. */
struct endgame_root {
	int empties;
	int count;                                     /* number of moves */
	struct othello_child child[OTHELLO_MOVES_MAX]; /* in the order of moves() */
	struct state after[OTHELLO_MOVES_MAX];
	int order[OTHELLO_MOVES_MAX]; /* indices of the moves, best rating first */
	int estimated;                /* estimated score, for the mover */
};

/* The even score nearest to a rating in hundredths of a disc. */
static int even_score(int rating)
{
	int score = (rating + 100 * (SCORE_MAX + 1)) / 200 * 2 - SCORE_MAX;
	return score < -SCORE_MAX ? -SCORE_MAX : score > SCORE_MAX ? SCORE_MAX : score;
}

static void endgame_root_init(struct endgame_root *r, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int empties = r->empties = empties_of(s);
	r->count = game_othello.moves(&game_othello, s, steps);
	r->estimated = -RATING_MAX;
	for (int i = 0; i < r->count; i++) {
		struct state *next = &r->after[i];
		*next = *s;
		game_othello.play(&game_othello, next, steps[i]);
		struct othello_child *c = &r->child[i];
		c->mine = next->board[s->side ^ 1];
		c->theirs = next->board[s->side];
		c->square = steps[i];
		c->rating = -shallow_score(next, empties < 10 ? 1 : shallow_depth(empties) + 1,
					   -RATING_MAX, RATING_MAX);
		if (c->rating > r->estimated)
			r->estimated = c->rating;
		int j = i;
		for (; j > 0 && r->child[r->order[j - 1]].rating < c->rating; j--)
			r->order[j] = r->order[j - 1];
		r->order[j] = i;
	}
	r->estimated = even_score(r->estimated);
}

/* The merit of a move so far: its lower bound in the last phase; ties are broken by the earlier phases. */
static int merit(const struct endgame_worker *w, int move)
{
	int sum = 0;
	for (int phase = PROVEN; phase >= ESTIMATE_1; phase--) {
		struct endgame_bounds b = atomic_load(&w->shared->move[phase][move]);
		sum = sum * (2 * SCORE_MAX + 1) + b.raised;
	}
	return sum;
}

/* Sets the order of search: the best move so far, then the others by rating. */
static void root_order(const struct endgame_worker *w, const struct endgame_root *r, int *order)
{
	int best = 0;
	memcpy(order, r->order, sizeof r->order);
	for (int i = 1; i < r->count; i++)
		if (merit(w, order[i]) > merit(w, order[best]))
			best = i;
	for (int move = order[best]; best >= 0; best--)
		order[best] = best ? order[best - 1] : move;
}

static void endgame_learn(struct endgame_worker *w, int move, int score, int alpha)
{
	_Atomic(struct endgame_bounds) *known = &w->shared->move[w->phase][move];
	struct endgame_bounds old = atomic_load(known), b;
	do {
		b = old;
		if (score > alpha && score > endgame_least_of(b))
			b.raised = (uint8_t)(score + SCORE_MAX);
		if (score <= alpha && score < endgame_most_of(b))
			b.lowered = (uint8_t)(SCORE_MAX - score);
	} while (!atomic_compare_exchange_weak(known, &old, b));
}

/* Searches one move of the root. Returns true if its score is above alpha. */
static bool search_move(struct endgame_worker *w, const struct endgame_root *r, int move, int alpha)
{
	const struct othello_child *c = &r->child[move];
	const struct state *s = &r->after[move];
	int n = endgame_count(~(c->mine | c->theirs));
	w->own.nodes++;
	int score = s->over ? othello_score(c->mine, c->theirs)
			    : endgame_search(w, n >= EVAL_MIN ? s : NULL, c->mine, c->theirs,
					     kernel->mobility(c->mine, c->theirs), n, ~alpha);
	if (w->unwind == NO_UNWIND)
		endgame_learn(w, move, -score, alpha);
	return -score > alpha;
}

/* Finds out if the score of a move, or of the best move (ALL_MOVES), is above alpha. The answer is in the
 * shared bounds unless the worker unwinds. */
static void endgame_ask(struct endgame_worker *w, struct endgame_root *r, int move, int alpha)
{
	w->move = move;
	w->alpha = alpha;
	if (move != ALL_MOVES) {
		search_move(w, r, move, alpha);
		return;
	}
	int order[2 * OTHELLO_MOVES_MAX], end = r->count;
	root_order(w, r, order);
	for (int i = 0; i < end; i++) {
		move = order[i];
		if (endgame_most_of(endgame_known_of(w, move)) <= alpha)
			continue;
		uint64_t hash = 0;
		if (w->threads > 1 && i > 0) {
			hash = endgame_hash_of(r->child[move].mine, r->child[move].theirs);
			if (!busy_begin(&w->shared->busy, &hash, i < r->count)) {
				order[end++] = move;
				continue;
			}
		}
		bool above = search_move(w, r, move, alpha);
		if (hash)
			busy_end(&w->shared->busy, hash);
		if (above || w->unwind != NO_UNWIND)
			return;
	}
}

/* Sets *alpha to the next question about the best move. Returns false if the phase has the answer, or if
 * its estimated bounds have crossed. */
static bool ask_best(const struct endgame_worker *w, enum solve_aim aim, int estimated, int *alpha)
{
	struct endgame_bounds b = endgame_known_of(w, ALL_MOVES);
	int least = endgame_least_of(b), most = endgame_most_of(b);
	if (aim == SOLVE_RESULT) {
		*alpha = most <= 0 ? -1 : least >= 0 ? 0 : estimated > 0 ? 0 : -1;
		return least < most && score_sign(least) != score_sign(most);
	}
	*alpha = next_alpha(least, most, estimated);
	return least < most;
}

/* Chooses the next question. Returns false if the aim is reached. */
static bool endgame_next_question(struct endgame_worker *w, const struct endgame_root *r,
				  enum solve_aim aim, int *move, int *alpha)
{
	int estimated = r->estimated;
	*move = ALL_MOVES;
	w->phase = r->empties >= PHASES_MIN ? ESTIMATE_1 : PROVEN;
	while (w->phase < PROVEN) {
		if (ask_best(w, SOLVE_SCORE, estimated, alpha))
			return true;
		estimated = endgame_least_of(endgame_known_of(w, ALL_MOVES));
		w->phase = aim == SOLVE_ESTIMATE ? w->phase + 1 : PROVEN;
	}
	if (ask_best(w, aim, estimated, alpha))
		return true;
	for (int i = 0; aim == SOLVE_ALL && i < r->count; i++) {
		*move = r->order[i];
		struct endgame_bounds b = endgame_known_of(w, *move);
		*alpha = next_alpha(endgame_least_of(b), endgame_most_of(b),
				    even_score(r->child[*move].rating));
		if (endgame_least_of(b) < endgame_most_of(b))
			return true;
	}
	return false;
}

#define OWN_BYTES ((size_t)1 << 18)

/* A larger table would help little, because the entries with the most work stay. */
static size_t endgame_table_bytes(int empties)
{
	int log = empties < 15 ? 20 : empties < 20 ? empties + 5 : empties < 28 ? 25 : 27;
	return (size_t)1 << log;
}

static void endgame_work(const struct game *g, const struct state *s, enum solve_aim aim,
			 void *block, size_t bytes, int number, int threads,
			 struct control *control)
{
	int move, alpha;
	struct endgame_root r;
	char *own = (char *)block + SOLVER_CLEAR + (size_t)number * OWN_BYTES;
	size_t first = SOLVER_CLEAR + (size_t)threads * OWN_BYTES;
	struct endgame_worker w = {
		.table = { (struct endgame_bucket *)((char *)block + first),
			   (bytes - first) / sizeof(struct endgame_bucket) },
		.own = { (struct othello_cell *)own, OWN_BYTES / sizeof(struct othello_cell), 0 },
		.unwind = NO_UNWIND,
		.control = control,
		.shared = block,
		.number = number,
		.threads = threads,
	};
	endgame_root_init(&r, s);
	w.moves = r.count;
	atomic_store(&w.shared->aim, aim);
	while (!w.stopped && endgame_next_question(&w, &r, aim, &move, &alpha)) {
		endgame_ask(&w, &r, move, alpha);
		w.unwind = NO_UNWIND;
	}
	if (!w.stopped)
		atomic_store(&w.shared->solved, true);
	if (w.claimed > w.own.nodes)
		control_refund(control, w.claimed - w.own.nodes);
	else
		control_count(control, w.own.nodes - w.claimed);
}

/* Fitted to the time that nine of ten positions of self-play with 12 to 20 empty squares took at most. */
static bool endgame_estimate(const struct game *g, const struct state *s, enum solve_aim aim,
			     int threads, double *seconds, size_t *bytes)
{
	static const struct {
		double seconds, growth; /* with 14 empty squares; factor per further one */
	} model[] = {
		[SOLVE_ESTIMATE] = { 3.5e-3, 1.5 },
		[SOLVE_RESULT] = { 0.5e-3, 2.3 },
		[SOLVE_SCORE] = { 2.8e-3, 2.07 },
		[SOLVE_ALL] = { 12e-3, 2.15 },
	};
	const double overhead = 1e-3, a_byte = 3e-10; /* time per byte of fresh memory */
	const double gain = 0.7;                      /* of each further thread */
	int empties = empties_of(s);
	if (aim == SOLVE_ESTIMATE && (empties < PHASES_MIN || empties > ESTIMATE_MAX))
		return false;
	*bytes = SOLVER_CLEAR + (size_t)threads * OWN_BYTES + endgame_table_bytes(empties);
	*seconds = model[aim].seconds * pow(model[aim].growth, empties - 14);
	*seconds = overhead + a_byte * (double)*bytes + *seconds / (1 + gain * (threads - 1));
	return true;
}

/* Returns the index of the estimated best move and sets its score for the mover. Uses the last phase that
 * has found a score, corrected by the bounds of later phases. Returns -1 if no phase has. */
static int estimated_move(const struct endgame_shared *shared, int count, int *score)
{
	int last = PROVEN - 1, best = -1;
	struct endgame_bounds b = known_in(shared, last, count, ALL_MOVES);
	while (endgame_least_of(b) < endgame_most_of(b)) {
		if (last == ESTIMATE_1)
			return -1;
		b = known_in(shared, --last, count, ALL_MOVES);
	}
	for (int i = 0; i < count; i++) {
		int estimated = endgame_least_of(atomic_load(&shared->move[last][i]));
		for (int phase = last + 1; phase < PHASES; phase++) {
			b = atomic_load(&shared->move[phase][i]);
			estimated = estimated > endgame_most_of(b) ? endgame_most_of(b) : estimated;
			estimated = estimated < endgame_least_of(b) ? endgame_least_of(b)
								    : estimated;
		}
		if (best < 0 || estimated > *score) {
			best = i;
			*score = estimated;
		}
	}
	return best;
}

/* A solved result contains only what the aim asks for. So it does not depend on which worker was first. */
static bool endgame_result(const struct game *g, const struct state *s, const void *block,
			   struct solution *out)
{
	const struct endgame_shared *shared = block;
	bool solved = atomic_load(&shared->solved);
	enum solve_aim aim = (enum solve_aim)atomic_load(&shared->aim);
	int sign = side_sign(s->side), best = 0, low = -SCORE_MAX, high = -SCORE_MAX;
	int least[OTHELLO_MOVES_MAX], most[OTHELLO_MOVES_MAX];
	struct move moves[GAME_MOVES_MAX];
	out->count = game_moves(&game_othello, s, moves);
	for (int i = 0; i < out->count; i++) {
		struct endgame_bounds b = atomic_load(&shared->move[PROVEN][i]);
		least[i] = endgame_least_of(b);
		most[i] = endgame_most_of(b);
		if (least[i] > low) {
			low = least[i];
			best = i;
		}
		high = most[i] > high ? most[i] : high;
	}
	/* The aim does not include the score of a win or a loss. */
	if (aim == SOLVE_RESULT && low > 0) {
		low = 2;
		high = SCORE_MAX;
	} else if (aim == SOLVE_RESULT && high < 0) {
		low = -SCORE_MAX;
		high = -2;
	}
	for (int i = 0; i < out->count; i++) {
		if (solved && aim != SOLVE_ALL) {
			least[i] = i == best ? low : -SCORE_MAX;
			most[i] = high;
		}
		out->moves[i].move = moves[i];
		out->moves[i].least = (int8_t)(sign > 0 ? least[i] : -most[i]);
		out->moves[i].most = (int8_t)(sign > 0 ? most[i] : -least[i]);
	}
	int score = 0;
	out->estimated = estimated_move(shared, out->count, &score);
	out->estimated_score = (int8_t)(sign * (score + (score & 1))); /* a lower bound */
	return solved;
}

const struct solver othello_solver = { endgame_estimate, endgame_work, endgame_result };
