/* SPDX-License-Identifier: MIT */
#include "tools/check/truth.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/kernel.h"
#include "engine/base/memory.h"
#include "engine/rules/solver.h"
#include "tools/lib/exact.h"

/* Maximum number of empty squares for minimax alone, which takes some milliseconds. Moves of two steps are
 * more. */
#define FREE_MAX           12
#define FREE_MAX_TWO_STEPS 9

/* A complete position with bounds of Black's score. game NULL: empty. */
struct truth_cell {
	const struct game *game;
	uint64_t board[2];
	uint8_t side;
	int16_t least, most;
};

struct truth {
	struct truth_cell *cells;
	size_t count;
	struct exact exact;
};

struct truth *truth_create(size_t bytes)
{
	struct truth *t = xcalloc(1, sizeof *t);
	t->count = bytes / sizeof *t->cells;
	t->cells = xcalloc(t->count, sizeof *t->cells);
	return t;
}

void truth_destroy(struct truth *t)
{
	exact_free(&t->exact);
	free(t->cells);
	free(t);
}

int truth_free_max(const struct game *g)
{
	return g->steps.per_move > 1 ? FREE_MAX_TWO_STEPS : FREE_MAX;
}

static struct truth_cell *truth_cell_of(const struct truth *t, const struct state *s)
{
	return &t->cells[(size_t)(((unsigned __int128)s->hash * t->count) >> 64)];
}

/* Looks up the bounds of Black's score. If nothing is known, they are those of the game. */
static void look_up(const struct truth *t, const struct game *g, const struct state *s, int *least,
		    int *most)
{
	const struct truth_cell *c = truth_cell_of(t, s);
	*most = game_worth_max(g);
	*least = -*most;
	if (s->over) {
		*least = *most = game_worth(g, s);
	} else if (c->game == g && c->board[0] == s->board[0] && c->board[1] == s->board[1] &&
		   c->side == s->side) {
		*least = c->least;
		*most = c->most;
	}
}

static void truth_note(struct truth *t, const struct game *g, const struct state *s, int least,
		       int most)
{
	*truth_cell_of(t, s) = (struct truth_cell) {
		g, { s->board[0], s->board[1] }, s->side, (int16_t)least, (int16_t)most
	};
}

/* --- minimax --- */

struct truth_child {
	struct state state;
	int replies; /* number of replies; positions with fewer are searched first */
	bool done;
};

/* The state of the search at a node. */
struct truth_window {
	int side, alpha, beta;
	int best; /* Black's score */
};

/* Updates the node with a child's score. Returns true on a cutoff. */
static bool truth_improve(struct truth_window *w, int score)
{
	if (w->side == BLACK) {
		w->best = score > w->best ? score : w->best;
		w->alpha = w->best > w->alpha ? w->best : w->alpha;
	} else {
		w->best = score < w->best ? score : w->best;
		w->beta = w->best < w->beta ? w->best : w->beta;
	}
	return w->alpha >= w->beta;
}

static int minimax(struct truth *, const struct game *, const struct state *, int alpha, int beta);

/* Updates the node with the known bounds of its children. Returns true on a cutoff. */
static bool truth_take_known(struct truth *t, const struct game *g, struct truth_child *children,
			     int n, struct truth_window *w)
{
	move_t unused[GAME_STEPS_MAX];
	for (int i = 0; i < n; i++) {
		struct truth_child *c = &children[i];
		int least, most;
		look_up(t, g, &c->state, &least, &most);
		c->done = least == most;
		/* A bound that causes a cutoff is as good as a score. */
		int sure = w->side == BLACK ? least : most;
		bool cuts = w->side == BLACK ? sure >= w->beta : sure <= w->alpha;
		if ((c->done || cuts) && truth_improve(w, sure))
			return true;
		c->replies = c->done ? 0 : g->moves(g, &c->state, unused);
	}
	return false;
}

/* Returns Black's score if it is between alpha and beta, else a bound on that side. */
static int truth_search(struct truth *t, const struct game *g, const struct state *s, int alpha,
			int beta)
{
	struct move moves[GAME_MOVES_MAX];
	int worst = -side_sign(s->side) * game_worth_max(g);
	struct truth_window w = { s->side, alpha, beta, worst };
	int n = game_moves(g, s, moves);
	struct truth_child *children = xmalloc((size_t)n * sizeof *children);
	for (int i = 0; i < n; i++) {
		children[i].state = *s;
		game_play(g, &children[i].state, moves[i]);
	}
	bool enough = truth_take_known(t, g, children, n, &w);
	while (!enough) {
		struct truth_child *next = NULL;
		for (int i = 0; i < n; i++)
			if (!children[i].done && (!next || children[i].replies < next->replies))
				next = &children[i];
		if (!next)
			break;
		next->done = true;
		enough = truth_improve(&w, minimax(t, g, &next->state, w.alpha, w.beta));
	}
	free(children);
	return w.best;
}

static int minimax(struct truth *t, const struct game *g, const struct state *s, int alpha,
		   int beta)
{
	int least, most;
	look_up(t, g, s, &least, &most);
	if (least == most || least >= beta)
		return least;
	if (most <= alpha)
		return most;
	alpha = least > alpha ? least : alpha;
	beta = most < beta ? most : beta;
	int score = truth_search(t, g, s, alpha, beta);
	truth_note(t, g, s, score > alpha ? score : least, score < beta ? score : most);
	return score;
}

/* --- solvers --- */

/* Lists a game's solvers, each in a copy of the game, the plainest last. Returns their number. */
static int list_solvers(const struct game *g, struct game out[KERNELS])
{
	int n = 0;
	if (g->solver && !g->solver->with_kernel)
		out[n++] = *g;
	for (int k = (int)kernel_best();
	     g->solver && g->solver->with_kernel && k >= KERNEL_PORTABLE; k--) {
		out[n] = *g;
		out[n++].solver = g->solver->with_kernel((enum kernel)k);
	}
	return n;
}

/* Returns Black's score from the plainest solver. Stores the scores of all moves, too. */
static int truth_solve(struct truth *t, const struct game *g, const struct state *s)
{
	struct game solvers[KERNELS];
	struct solution found;
	int least, most, n = list_solvers(g, solvers);
	bool solved = n &&
		      exact_solve(&t->exact, &solvers[n - 1], s, SOLVE_ALL, INFINITY, NULL, &found);
	assert(solved);
	(void)solved;
	solution_bounds(&found, s->side, &least, &most);
	assert(least == most);
	for (int i = 0; i < found.count; i++) {
		struct state next = *s;
		game_play(g, &next, found.moves[i].move);
		if (!next.over)
			truth_note(t, g, &next, found.moves[i].least, found.moves[i].most);
	}
	truth_note(t, g, s, least, most);
	return least;
}

int truth_score(struct truth *t, const struct game *g, const struct state *s)
{
	int least, most;
	look_up(t, g, s, &least, &most);
	if (least == most)
		return least;
	if (!g->solver || game_free(g, s) <= truth_free_max(g))
		return minimax(t, g, s, -game_worth_max(g) - 1, game_worth_max(g) + 1);
	return truth_solve(t, g, s);
}

/* Returns true if a solution is true and as complete as its aim requires. */
static bool check_solution(struct truth *t, const struct game *g, const struct state *s,
			   enum solve_aim aim, const struct solution *found, uint64_t *claims)
{
	struct move moves[GAME_MOVES_MAX];
	int least, most, score = truth_score(t, g, s);
	bool good = found->count == game_moves(g, s, moves);
	for (int i = 0; good && i < found->count; i++) {
		struct state next = *s;
		game_play(g, &next, moves[i]);
		int after = truth_score(t, g, &next);
		good = move_equal(found->moves[i].move, moves[i]) &&
		       found->moves[i].least <= after && after <= found->moves[i].most &&
		       (aim < SOLVE_ALL || found->moves[i].least == found->moves[i].most);
		*claims += 2;
	}
	if (!good)
		return false;
	solution_bounds(found, s->side, &least, &most);
	*claims += 2;
	return least <= score && score <= most &&
	       (aim < SOLVE_RESULT || score_sign(least) == score_sign(most)) &&
	       (aim < SOLVE_SCORE || least == most);
}

bool truth_check_solvers(struct truth *t, const struct game *g, const struct state *s,
			 uint64_t *claims)
{
	struct game solvers[KERNELS];
	struct solution found;
	int n = list_solvers(g, solvers);
	for (int i = 0; i < n; i++)
		for (enum solve_aim aim = SOLVE_ESTIMATE; aim <= SOLVE_ALL; aim++) {
			found.count = 0;
			bool solved = exact_solve(&t->exact, &solvers[i], s, aim, INFINITY, NULL,
						  &found);
			/* A solver may prove nothing for an estimate (SOLVE_ESTIMATE). */
			if (aim == SOLVE_ESTIMATE && found.count == 0)
				continue;
			if ((aim > SOLVE_ESTIMATE && !solved) ||
			    !check_solution(t, g, s, aim, &found, claims))
				return false;
		}
	return true;
}
