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
 * Threads: games/common/root.h. Workers also defer each other's moves far from the end, and share one table.
 */
#include "games/othello/othello_endgame.h"

#include <math.h>

#include "engine/rules/eval.h"
#include "games/common/bounds_table.h"
#include "games/common/list.h"
#include "games/common/root.h"
#include "games/othello/othello_kernel.h"

#define SCORE_MAX    64
#define PASS         64
#define RATING_MAX   100000 /* more than any rating */

/* Numbers of empty squares: */
#define SPLIT_MIN    12 /* least number where workers defer each other's moves */
#define PHASES_MIN   16 /* least number where the root is searched in phases */
#define CUT_MIN      14 /* least number where all phases but the last prune */
#define ESTIMATE_MAX 26 /* largest number where an estimate is better than a search */
#define EVAL_MIN     13 /* least number where the evaluation rates moves */

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

/* --- workers --- */

#define SPLIT_PATH 64

struct endgame_worker {
	struct root root;
	struct bounds_table table; /* shared by all workers */
	struct othello_few own;    /* for the kernel's positions; the table fits into a cache */
	/* The positions on the path that other workers may search too. */
	struct {
		const struct bounds_bucket *bucket;
		uint64_t position[2];
		int alpha;
	} path[SPLIT_PATH];
	/* Used by the solver only: */
	int empties;
	struct othello_child child[OTHELLO_MOVES_MAX]; /* after the moves of the root */
	struct state after[OTHELLO_MOVES_MAX];
};
_Static_assert(OTHELLO_MOVES_MAX <= ROOT_MOVES_MAX && PHASES <= ROOT_PHASES, "");

static inline uint64_t endgame_hash_of(uint64_t mine, uint64_t theirs)
{
	uint64_t h = mine * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 32 ^ theirs) * UINT64_C(0xbf58476d1ce4e5b9);
	return (h ^ h >> 32) * UINT64_C(0x94d049bb133111eb);
}

static inline struct bounds_bucket *endgame_bucket(const struct endgame_worker *w, uint64_t mine,
						   uint64_t theirs)
{
	return bounds_bucket(&w->table, endgame_hash_of(mine, theirs));
}

static bool endgame_is_answered(const struct root *r, int index)
{
	const struct endgame_worker *w = (const struct endgame_worker *)r;
	struct bounds_entry e = bounds_find(w->path[index].bucket, 2, w->path[index].position,
					    r->phase);
	return bounds_answer(e, w->path[index].alpha + 1);
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
	if (w->own.nodes >= w->root.pause)
		root_pause(&w->root);
	if (alpha >= 2 * n) {
		int most = SCORE_MAX - 2 * endgame_count(kernel->stable(theirs, mine));
		if (most <= alpha)
			return most;
	}
	const int phase = s ? w->root.phase : PROVEN;
	const uint64_t position[] = { mine, theirs };
	struct bounds_bucket *b = endgame_bucket(w, mine, theirs);
	struct bounds_entry known = bounds_find(b, 2, position, phase);
	if (bounds_answer(known, alpha + 1))
		return known.least > alpha ? known.least : known.most;
	if (phase < PROVEN && n >= CUT_MIN) {
		int predicted = predicted_answer(s, n, alpha, phase);
		if (predicted != UNSURE)
			return predicted;
	}
	struct othello_child list[2 * OTHELLO_MOVES_MAX];
	int total = kernel->expand(mine, theirs, moves, list), end = total;
	int best = -SCORE_MAX - 1, square = BOUNDS_NO_MOVE, depth = w->root.depth;
	struct bounds_bucket *buckets[OTHELLO_MOVES_MAX];
	if (n > OTHELLO_FEW + 1) {
		for (int i = 0; i < total; i++) {
			buckets[i] = endgame_bucket(w, list[i].mine, list[i].theirs);
			__builtin_prefetch(buckets[i]);
		}
		total = 0;
		for (int i = 0; i < end; i++) {
			const uint64_t after[] = { list[i].mine, list[i].theirs };
			struct bounds_entry e = bounds_find(buckets[i], 2, after, phase);
			if (-e.most > alpha) {
				bounds_store(b, 2, position, -e.most, alpha + 1, list[i].square, 1,
					     phase);
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
		if (list[i].square == known.move)
			list[i].rating += 2 * RATING_MAX;
		else if (list[i].square == known.second)
			list[i].rating += RATING_MAX;
	bool split = n >= SPLIT_MIN && w->root.threads > 1;
	if (split) {
		w->path[depth].bucket = b;
		w->path[depth].position[0] = mine;
		w->path[depth].position[1] = theirs;
		w->path[depth].alpha = alpha;
	}
	for (int i = 0; i < end; i++) {
		if (i < total)
			othello_bring_best(list + i, total - i);
		struct othello_child *c = &list[i];
		uint64_t hash = 0;
		if (split && i > 0) {
			hash = endgame_hash_of(c->mine, c->theirs);
			if (!busy_begin(&w->root.shared->busy, &hash, i < total)) {
				list[end++] = *c;
				continue;
			}
		}
		w->root.depth = depth + split;
		int score = -endgame_search(w, state_after(s, c->square, n - 1, &next), c->mine,
					    c->theirs, c->moves, n - 1, ~alpha);
		w->root.depth = depth;
		if (hash)
			busy_end(&w->root.shared->busy, hash);
		if (w->root.unwind != NO_UNWIND) {
			if (!split || w->root.unwind < depth)
				return 0;
			w->root.unwind = NO_UNWIND;
			known = bounds_find(b, 2, position, phase);
			if (bounds_answer(known, alpha + 1))
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
	bounds_store(b, 2, position, best, alpha + 1, square,
		     64 - __builtin_clzll(w->own.nodes - before), phase);
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
		.root = { .threads = 1, .phase = PROVEN, .unwind = NO_UNWIND, .pause = UINT64_MAX },
		.table = { memory, bytes / 2 / sizeof(struct bounds_bucket) },
		.own = { (struct othello_cell *)((char *)memory + bytes / 128 * 64),
			 bytes / 2 / sizeof(struct othello_cell), 0 },
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

/* The even score nearest to a rating in hundredths of a disc. */
static int even_score(int rating)
{
	int score = (rating + 100 * (SCORE_MAX + 1)) / 200 * 2 - SCORE_MAX;
	return score < -SCORE_MAX ? -SCORE_MAX : score > SCORE_MAX ? SCORE_MAX : score;
}

static void endgame_list_moves(struct endgame_worker *w, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int empties = w->empties = empties_of(s),
	    count = game_othello.moves(&game_othello, s, steps);
	for (int i = 0; i < count; i++) {
		struct state *next = &w->after[i];
		*next = *s;
		game_othello.play(&game_othello, next, steps[i]);
		struct othello_child *c = &w->child[i];
		c->mine = next->board[s->side ^ 1];
		c->theirs = next->board[s->side];
		int score = shallow_score(next, empties < 10 ? 1 : shallow_depth(empties) + 1,
					  -RATING_MAX, RATING_MAX);
		root_add(&w->root, -score, endgame_hash_of(c->mine, c->theirs));
	}
}

static bool endgame_ask(struct root *r, int move)
{
	struct endgame_worker *w = (struct endgame_worker *)r;
	const struct othello_child *c = &w->child[move];
	const struct state *s = &w->after[move];
	int n = endgame_count(~(c->mine | c->theirs));
	w->own.nodes++;
	int score = s->over ? othello_score(c->mine, c->theirs)
			    : endgame_search(w, n >= EVAL_MIN ? s : NULL, c->mine, c->theirs,
					     kernel->mobility(c->mine, c->theirs), n, -r->want);
	return root_answer(r, move, -score);
}

/* Asks whether the score is above next_alpha() until the phase knows it, or until its estimated bounds have crossed. */
static void endgame_solve_phase(struct root *r, int set, int estimated)
{
	bool result = r->phase == PROVEN && r->aim == SOLVE_RESULT;
	while (!r->stopped && !root_is_known(r, set, result)) {
		struct root_bounds b = root_known(r, set);
		int alpha = next_alpha(b.least, b.most, estimated);
		if (result)
			alpha = b.most <= 0 ? -1 : b.least >= 0 ? 0 : estimated > 0 ? 0 : -1;
		root_ask(r, set, alpha + 1);
	}
}

static void endgame_solve(struct root *r, int set)
{
	const struct endgame_worker *w = (const struct endgame_worker *)r;
	int estimated = even_score(r->rating[set == ROOT_ALL ? r->order[0] : set]);
	bool phases = set == ROOT_ALL && w->empties >= PHASES_MIN;
	for (r->phase = phases ? ESTIMATE_1 : PROVEN; r->phase < PROVEN && !r->stopped;) {
		endgame_solve_phase(r, set, estimated);
		estimated = root_known(r, set).least;
		r->phase = r->aim == SOLVE_ESTIMATE ? r->phase + 1 : PROVEN;
	}
	endgame_solve_phase(r, set, estimated);
}

static const struct root_game endgame_root = {
	.win = 2,
	.scale = 1,
	.claim = SOLVER_CLAIM,
	.solve = endgame_solve,
	.ask = endgame_ask,
	.is_answered = endgame_is_answered,
};

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
	char *own = (char *)block + SOLVER_CLEAR + (size_t)number * OWN_BYTES;
	size_t first = SOLVER_CLEAR + (size_t)threads * OWN_BYTES;
	struct endgame_worker w = {
		.root = root_of(&endgame_root, s, SCORE_MAX, block),
		.table = { (struct bounds_bucket *)((char *)block + first),
			   (bytes - first) / sizeof(struct bounds_bucket) },
		.own = { (struct othello_cell *)own, OWN_BYTES / sizeof(struct othello_cell), 0 },
	};
	endgame_list_moves(&w, s);
	root_work(&w.root, aim, number, threads, control, &w.own.nodes);
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
	const double overhead = 1e-3;
	int empties = empties_of(s);
	if (aim == SOLVE_ESTIMATE && (empties < PHASES_MIN || empties > ESTIMATE_MAX))
		return false;
	*bytes = SOLVER_CLEAR + (size_t)threads * OWN_BYTES + endgame_table_bytes(empties);
	*seconds = model[aim].seconds * pow(model[aim].growth, empties - 14);
	*seconds = overhead + root_seconds(*seconds, *bytes, threads);
	return true;
}

/* Returns the index of the estimated best move and sets its score for the mover. Uses the last phase that
 * has found a score, corrected by the bounds of later phases. Returns -1 if no phase has. */
static int estimated_move(const struct root *r, int *score)
{
	int last = PROVEN - 1, best = -1;
	struct root_bounds b = root_known_in(r, last, ROOT_ALL);
	while (b.least < b.most) {
		if (last == ESTIMATE_1)
			return -1;
		b = root_known_in(r, --last, ROOT_ALL);
	}
	for (int i = 0; i < r->count; i++) {
		int estimated = root_known_in(r, last, i).least;
		for (int phase = last + 1; phase < PHASES; phase++) {
			b = root_known_in(r, phase, i);
			estimated = estimated > b.most ? b.most : estimated;
			estimated = estimated < b.least ? b.least : estimated;
		}
		if (best < 0 || estimated > *score) {
			best = i;
			*score = estimated;
		}
	}
	return best;
}

static bool endgame_result(const struct game *g, const struct state *s, const void *block,
			   struct solution *out)
{
	struct move moves[GAME_MOVES_MAX];
	struct root r = root_of(&endgame_root, s, SCORE_MAX, block);
	r.count = game_moves(g, s, moves);
	r.phase = PROVEN;
	bool solved = root_result(&r, moves, out);
	int score = 0;
	out->estimated = estimated_move(&r, &score);
	out->estimated_score = (int8_t)(side_sign(s->side) *
					(score + (score & 1))); /* a lower bound */
	return solved;
}

const struct solver othello_solver = { endgame_estimate, endgame_work, endgame_result };
