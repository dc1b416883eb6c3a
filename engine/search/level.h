/* SPDX-License-Identifier: MIT
 *
 * Playing strengths. A level is a number above 0 (near 0: random moves) up to LEVEL_MAX. In the option `level`, 0 is full
 * strength. mcts searches for as much work as the level allows. Then the level errs as people do: it may play any move,
 * but a move that looks good is more likely. How good a move looks is how often the search has tried it, and before that
 * how likely the game's evaluator thinks it is. The higher the level, the more this counts.
 *
 * Ratings tell how strong the levels of a game are, on a scale of Elo where random moves have 0 (game.ratings).
 */
#ifndef ENGINE_SEARCH_LEVEL_H
#define ENGINE_SEARCH_LEVEL_H

#include "engine/search/common/algorithm.h"
#include "engine/search/common/options.h"

/* Units of work of a search of this game at a level, 0 .. LEVEL_MAX; at least 1. */
uint64_t level_work(const struct options *, const struct game *, double level);

/* Turns the report of a search at this level into that of the move that such a player makes, as if it were the only candidate. The
 * move is drawn with task->seed. */
void level_err(double level, const struct task *, struct report *);

/* The level that the options ask for; 0: full strength. `elo` counts before `level`. */
double level_wanted(const struct options *, const struct game *);

/* Returns true if the levels of the game reach this Elo, or if it is 0. Else false, with a reason. */
bool level_reaches(const struct game *, int elo, char why[REASON_MAX]);

/* The Elo of a level, 0 .. LEVEL_MAX: on a line between those of the whole levels beside it, 0 at level 0. 0 if the game has no
 * ratings. */
int level_elo(const struct game *, double level);

/* The name of a whole level, 0 .. LEVEL_MAX: "full strength", "first game", ..., "master". */
const char *level_name(int level);

/* The share of the points, 0 .. 1, that a player with this Elo gets against one with the other Elo. */
double level_share(int elo, int other);

#endif
