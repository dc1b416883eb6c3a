/* SPDX-License-Identifier: MIT
 *
 * The reference for searches: exhaustive minimax over whole moves, without bounds, move ordering or table.
 * Only for positions near the end of the game.
 */
#ifndef TESTS_ENGINE_NAIVE_H
#define TESTS_ENGINE_NAIVE_H

#include "engine/game.h"

/* Returns Black's true result, -1 .. 1, of a state that is not pending. */
static inline int naive_result(const struct game *game, const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	if (s->over)
		return score_sign(s->score);
	int n = game_moves(game, s, moves), win = s->side == BLACK ? 1 : -1, best = -win;
	for (int i = 0; i < n && best != win; i++) {
		struct state next = *s;
		game_play(game, &next, moves[i]);
		int result = naive_result(game, &next);
		if (result * win > best * win)
			best = result;
	}
	return best;
}

/* Returns Black's true score of a state that is not pending. */
static inline int naive_score(const struct game *game, const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	if (s->over)
		return s->score;
	int n = game_moves(game, s, moves), sign = s->side == BLACK ? 1 : -1,
	    best = -game->score_max;
	for (int i = 0; i < n && best < game->score_max; i++) {
		struct state next = *s;
		game_play(game, &next, moves[i]);
		int score = sign * naive_score(game, &next);
		best = score > best ? score : best;
	}
	return sign * best;
}

/* Plays random steps from the start until at most `empty` squares are empty. Returns false if the game ends
 * first. */
static inline bool naive_position(const struct game *game, int empty, struct rng *rng,
				  struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	game->start(game, s);
	while (!s->over) {
		int n = 0;
		for (int row = 0; row < game->rows; row++)
			for (int col = 0; col < game->cols; col++)
				n += game->at(s, row, col) == '.';
		if (n <= empty && !s->pending)
			return true;
		n = game->moves(s, steps);
		game->play(s, steps[rng_below(rng, (uint32_t)n)]);
	}
	return false;
}

#endif
