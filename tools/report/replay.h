/* SPDX-License-Identifier: MIT
 *
 * A game as a JSON object, for a page that replays it. Each move is a list: its text, the changed squares
 * (number from the top left and new contents: "19X27X"), the square of the new stone or null, seconds or
 * null, Black's value or null, and the engine's comment if there is one. `clicks` tells what a player clicks for a move
 * (protocol/records/layout.h):
 *
 *     {"id":7,"black":0,"white":1,"points":2,"end":"over","detail":"B+12","opening":4,"skip":6,
 *      "moves":[["D3","19X27X","D3",null,null],...],"clicks":{"D3":["D3"],...}}
 */
#ifndef TOOLS_REPORT_REPLAY_H
#define TOOLS_REPORT_REPLAY_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/match/database.h"

/* `players` are the indices of Black's and White's player. Returns false if a move is illegal. */
bool replay_print(FILE *, const struct game *, const struct match_game *, const int players[2]);

#endif
