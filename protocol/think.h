/* SPDX-License-Identifier: MIT
 *
 * How commands think: the turn, the search, the move that it has found.
 */
#ifndef PROTOCOL_THINK_H
#define PROTOCOL_THINK_H

#include <stdio.h>

#include "engine/engine.h"
#include "protocol/command.h"

/* Makes it the turn of s->side, with an implied pass if the other side must pass: follow it by a move, or
 * by record_undo_implied. False: the refusal is written. */
bool think_take_turn(struct session *);

/* Whether there is something to search: the game is not over, the move no forced pass. */
bool think_is_needed(const struct session *);

/* Begins the search of the position for s->side. Returns `outcome`, THINKING or STREAMING, or refuses. */
enum outcome think_begin(struct session *, const struct limits *, enum outcome);

/* The limits of a move of s->side by options and clock. */
struct limits think_limits(const struct session *);

/* What bounds of Black's result say: "white wins", "black does not lose"; "" if nothing. */
const char *think_result(int lower, int upper);

/* Black's value, -1 .. 1, as far as it or a score tells it; else `unknown`. */
double think_guess(double value, double score, double unknown);

/* Writes what a search has found so far, on one line without its end; values and scores are Black's. */
void think_describe(const struct session *, const struct report *, FILE *);

/* Writes such a line to stderr, if `verbose` is on. */
void think_note(struct session *, const struct report *);

#define ANSWER_TEXT_MAX 16 /* longest answer, a move or a word that stands for one, with its NUL */

/* The move of s->side, whose turn it is, where no search is needed: it must pass, the game is over, or the last
 * search has found it already. Makes it if `makes`. False: it takes a search. */
bool think_known(struct session *, bool makes, char text[ANSWER_TEXT_MAX]);

/* The move that a search for s->side has found, or `resign`, or what s->may_claim and s->cancellable allow. A move
 * that is made takes its time from the clock. NULL for a search that has failed: false. */
bool think_found(struct session *, const struct report *, bool makes, char text[ANSWER_TEXT_MAX]);

/* What `run` does of a command that answers a move, from think_begin or think_known, and what `finish` does, from
 * think_found. Of a command that streams `play` stands before the answer. */
enum outcome think_move(struct session *, const struct limits *, enum outcome, bool makes);
enum outcome think_answer(struct session *, const struct report *, bool makes);

#endif
