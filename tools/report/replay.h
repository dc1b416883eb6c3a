/* SPDX-License-Identifier: MIT
 *
 * The moves of a game as a JSON object, for a page that replays it. Texts are lists with one item for each move,
 * separated by blanks: the moves; the changed squares (number from the top left and new contents: "19X27X"); the square
 * of the new stone, "-" if there is none, "=" if it is the text of the move. Then seconds and Black's value of each move,
 * null if unknown, and the engines' comments by the number of the move, from 1. Lists that know nothing are left out:
 *
 *     {"moves":"D3 C3","changes":"19X27X 18O27O","stones":"= =","seconds":[null,0.5],"values":[null,0.12],
 *      "notes":{"2":"..."}}
 */
#ifndef TOOLS_REPORT_REPLAY_H
#define TOOLS_REPORT_REPLAY_H

#include <jansson.h>

#include "tools/match/database.h"

/* Adds to `clicks` what a player clicks for the moves that it lacks (protocol/records/layout.h). Returns NULL if a move is
 * illegal. */
json_t *replay_json(const struct game *, const struct match_game *, json_t *clicks);

#endif
