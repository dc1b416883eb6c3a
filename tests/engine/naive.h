/* SPDX-License-Identifier: MIT
 *
 * The reference for searches: exhaustive minimax over whole moves, without bounds, move ordering or table.
 * Only for positions near the end of the game.
 */
#ifndef TESTS_ENGINE_NAIVE_H
#define TESTS_ENGINE_NAIVE_H

#include "engine/rules/game.h"
#include "tests/tested.h"

/* Returns the i-th game for exhaustive minimax, NULL after the last: those whose random games come near a full board. Games
 * of moving pieces and Havannah have such tests of their own in tests/games/. */
static inline const struct game *naive_game(int i)
{
	const struct game *g;
	for (int k = 0; (g = tested_game(k)); k++)
		if (!tested_pieces_move(g) && !g->board.on_board && i-- == 0)
			return g;
	return NULL;
}

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

/* Returns Black's true score of a state that is not pending, as exact solvers count it. */
static inline int naive_score(const struct game *game, const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	if (s->over)
		return game_worth(game, s);
	int n = game_moves(game, s, moves), sign = s->side == BLACK ? 1 : -1,
	    best = -game_worth_max(game);
	for (int i = 0; i < n && best < game_worth_max(game); i++) {
		struct state next = *s;
		game_play(game, &next, moves[i]);
		int score = sign * naive_score(game, &next);
		best = score > best ? score : best;
	}
	return sign * best;
}

/* Plays random steps from the start until at most `empty` squares are empty; where pieces move, plays `empty` steps. Returns
 * false if the game ends first. */
static inline bool naive_position(const struct game *game, int empty, struct rng *rng,
				  struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	const bool pieces_move = tested_pieces_move(game);
	game->start(game, s);
	for (int played = 0; !s->over; played++) {
		bool is_late = pieces_move ? played >= empty : game_free(game, s) <= empty;
		if (is_late && !s->pending)
			return true;
		int n = game->moves(game, s, steps);
		game->play(game, s, steps[rng_below(rng, (uint32_t)n)]);
	}
	return false;
}

/* Finds such a position in as many games as it takes. Where games end earlier, more squares may be empty, or fewer steps are
 * played. */
static inline void naive_find_position(const struct game *game, int empty, struct rng *rng,
				       struct state *s)
{
	for (int tries = 1; !naive_position(game, empty, rng, s); tries++)
		if (tries % 100 == 0)
			empty += tested_pieces_move(game) ? -1 : 1;
}

#endif
