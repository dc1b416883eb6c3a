/* SPDX-License-Identifier: MIT
 *
 * Othello's exact endgame against a plain negamax, and the kernels against one another.
 */
#include <string.h>

#include "engine/game.h"
#include "games/othello_endgame.h"
#include "games/othello_kernel.h"
#include "tests/suite.h"

static const struct game *const g = &game_othello;
static _Alignas(64) char memory[1 << 18];

/* --- positions --- */

static int empties(const struct state *s)
{
	return __builtin_popcountll(~(s->board[BLACK] | s->board[WHITE]));
}

/* A position of a random game that is not over, with so many empty squares. */
static void random_position(struct rng *rng, int count, struct state *s)
{
	do {
		g->start(s);
		while (!s->over && empties(s) > count) {
			move_t steps[GAME_STEPS_MAX];
			int n = g->moves(s, steps);
			g->play(s, steps[rng_below(rng, (uint32_t)n)]);
		}
	} while (s->over);
}

/* --- the plain search --- */

/* The score for the side to move, with no more than cut-offs. */
static int negamax(uint64_t mine, uint64_t theirs, int alpha, int beta, bool passed)
{
	const struct othello_kernel *list[OTHELLO_KERNELS_MAX],
		*k = list[othello_kernels(list) - 1];
	uint64_t moves = k->mobility(mine, theirs);
	int best = -65;
	if (!moves)
		return passed ? othello_score(mine, theirs)
			      : -negamax(theirs, mine, -beta, -alpha, true);
	for (; moves && best < beta; moves &= moves - 1) {
		uint64_t placed = moves & -moves, flips = k->flips(mine, theirs, placed);
		int score = -negamax(theirs ^ flips, mine ^ flips ^ placed, -beta,
				     best > alpha ? -best : -alpha, false);
		best = score > best ? score : best;
	}
	return best;
}

START_TEST(agrees_with_negamax)
{
	struct rng rng;
	uint64_t nodes = 0;
	rng_seed(&rng, 1);
	for (int i = 0; i < 10000; i++) {
		struct state s;
		random_position(&rng, 1 + i % 10, &s);
		uint64_t mine = s.board[s.side], theirs = s.board[s.side ^ 1];
		int exact = negamax(mine, theirs, -64, 64, false);
		ck_assert_int_eq(
			othello_solve(mine, theirs, -64, 64, memory, sizeof memory, &nodes), exact);
		int alpha = (int)rng_below(&rng, 128) - 64;
		int beta = alpha + 1 + (int)rng_below(&rng, (uint32_t)(64 - alpha));
		int score = othello_solve(mine, theirs, alpha, beta, memory, sizeof memory, &nodes);
		if (exact > alpha && exact < beta)
			ck_assert_int_eq(score, exact);
		else if (exact <= alpha)
			ck_assert(score >= exact && score <= alpha);
		else
			ck_assert(score <= exact && score >= beta);
	}
	ck_assert_uint_gt(nodes, 0);
}
END_TEST

START_TEST(kernels_agree)
{
	const struct othello_kernel *list[OTHELLO_KERNELS_MAX];
	int n = othello_kernels(list);
	struct rng rng;
	rng_seed(&rng, 2);
	for (int i = 0; i < 10000; i++) {
		struct state s;
		random_position(&rng, 1 + i % 8, &s);
		uint64_t mine = s.board[s.side], theirs = s.board[s.side ^ 1];
		int alpha = (int)rng_below(&rng, 128) - 64,
		    exact = negamax(mine, theirs, -64, 64, false);
		uint64_t nodes = 0;
		int score = list[0]->few(mine, theirs, alpha, &nodes);
		ck_assert_int_eq(score > alpha, exact > alpha);
		ck_assert(score > alpha ? score <= exact : score >= exact);
		for (int j = 1; j < n; j++) {
			uint64_t other = 0;
			ck_assert_int_eq(list[j]->few(mine, theirs, alpha, &other), score);
			ck_assert_uint_eq(other, nodes);
			ck_assert_uint_eq(list[j]->stable(mine, theirs),
					  list[0]->stable(mine, theirs));
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("othello_endgame");
	TCase *tc = tcase_create("endgame");
	tcase_add_test(tc, agrees_with_negamax);
	tcase_add_test(tc, kernels_agree);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
