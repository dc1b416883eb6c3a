/* SPDX-License-Identifier: MIT
 *
 * A game as the data of a page on which it is played through: an object of JSON. Each move is a list of its
 * text, the squares that it changes (a number from the top left and what is there now: "19X27X"), the square
 * where its stone has come to lie or null, seconds or null, Black's value or null, and what was said of it:
 *
 *     {"id":7,"black":0,"white":1,"points":2,"end":"over","detail":"B+12","opening":4,"skip":6,
 *      "moves":[["D3","19X27X","D3",null,null],...]}
 */
#ifndef PROTOCOL_REPLAY_H
#define PROTOCOL_REPLAY_H

#include <stdbool.h>
#include <stdio.h>

#include "protocol/matches.h"

/* `players` are the numbers of Black's and White's player. False: one of the moves is not legal. */
bool replay_print(FILE *, const struct game *, const struct match_game *, const int players[2]);

#endif
