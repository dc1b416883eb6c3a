/* SPDX-License-Identifier: MIT
 *
 * The board of a game as JSON: all that a page must know to draw positions and to take moves. protocol/README.md
 * explains the members.
 */
#ifndef PROTOCOL_RECORDS_LAYOUT_H
#define PROTOCOL_RECORDS_LAYOUT_H

#include <jansson.h>

#include "engine/rules/game.h"

/* Describes the board. The caller frees the value. */
json_t *layout_json(const struct game *);

/* What a player clicks for a move, from its text as the game writes it: a list of the names of squares in order,
 * and then the letter of a turn. A move that names neither, such as a pass, has an empty list. The caller frees the
 * value. */
json_t *layout_clicks(const struct game *, const char *text);

#endif
