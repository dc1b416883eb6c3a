/* SPDX-License-Identifier: MIT
 *
 * What books know about the moves of a position: the score of the game's book, and the games of the user's own book that
 * reached the position after the move.
 */
#ifndef PROTOCOL_LESSONS_EXPLORER_H
#define PROTOCOL_LESSONS_EXPLORER_H

#include <jansson.h>

#include "engine/base/text.h"
#include "engine/rules/own_book.h"

/* Lists the moves of record->now that a book knows, as JSON: those with the most games first, then those of the game's
 * book, the best first. The own book may be empty, but must have loaded the game's file. */
json_t *explorer_json(const struct record *, const struct own_book *);

/* The same as a table for people, after a line with the name of the opening. */
void explorer_print(struct text *, const struct record *, const struct own_book *);

#endif
