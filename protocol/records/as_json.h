/* SPDX-License-Identifier: MIT
 *
 * Numbers and moves as JSON. The caller frees the values.
 */
#ifndef PROTOCOL_RECORDS_AS_JSON_H
#define PROTOCOL_RECORDS_AS_JSON_H

#include <jansson.h>

#include "engine/base/text.h"
#include "engine/rules/game.h"

/* A number, null if it is unknown (NAN). */
json_t *as_json_number(double);

/* A proof number, null if it is infinite. */
json_t *as_json_proof(uint64_t);

/* A move, and a line of moves from a state, in the game's notation. */
json_t *as_json_move(const struct game *, const struct state *, struct move);
json_t *as_json_line(const struct game *, const struct state *, const struct move *, int count);

#define AS_JSON_DIGITS 5 /* usual digits of real numbers */

/* Writes a value on one line and frees it. */
void as_json_print(struct text *, json_t *, size_t digits);

#endif
