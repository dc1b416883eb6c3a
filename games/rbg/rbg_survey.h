/* SPDX-License-Identifier: MIT
 *
 * What random games tell about rules as text.
 */
#ifndef GAMES_RBG_RBG_SURVEY_H
#define GAMES_RBG_RBG_SURVEY_H

#include "engine/base/text.h"
#include "engine/rules/game.h"

/* Plays `count` random games, at most, of a game from a text. Writes lines about players, board, pieces and variables, the moves of a
 * position, the length of the games, their results, whether a game can fail to end, and the places in the rules that no game reached.
 * Returns false if a position needed more work than the interpreter allows; the last line tells. */
bool rbg_survey(const struct game *, int count, uint64_t seed, struct text *);

#endif
