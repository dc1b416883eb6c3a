/* SPDX-License-Identifier: MIT
 *
 * Shared by commands that search: the turn, the search, and the move found.
 */
#ifndef PROTOCOL_SESSION_THINK_H
#define PROTOCOL_SESSION_THINK_H

#include "engine/base/text.h"
#include "engine/search/engine.h"
#include "protocol/session/command.h"
#include "protocol/session/worth.h"

/* Gives the turn to s->side, with an implied pass if the other side must pass. The caller must then play a
 * move or call record_undo_implied. Returns false if it is not the side's turn; the error is in the
 * reply. */
bool think_take_turn(struct session *);

/* Returns true if there is a move to search: the game is not over and the side need not pass. */
bool think_is_needed(const struct session *);

/* Starts the search for s->side. Returns `outcome` (THINKING or STREAMING), or REFUSED. */
enum outcome think_begin(struct session *, const struct limits *, enum outcome);

/* Starts the search of s->goal. Returns THINKING, or REFUSED. */
enum outcome think_goal(struct session *, const struct limits *);

/* Returns the limits for a move of s->side, from options and clock. */
struct limits think_limits(const struct session *);

/* Prints `, 2 nodes` for the unit `node`, nothing if the count is 0. */
void think_count(struct text *, uint64_t count, const char *unit);

/* Writes a line of moves from a state, each after a blank. */
void think_line(struct text *, const struct game *, const struct state *, const struct move *,
		int count);

/* Writes the result of a search so far as one line without a line feed. Values and scores are Black's. */
void think_describe(const struct session *, const struct report *, struct text *);

/* Writes the same line to stderr if `verbose` is on. */
void think_note(struct session *, const struct report *);

/* Writes the move of s->side, whose turn it is, if it needs no search: the side must pass, the game is
 * over, or the last search found the next play, too. The command plays it if
 * it `plays`. Returns false if it needs a search. */
bool think_known(struct session *, char text[MOVE_TEXT_MAX]);

/* Writes the move found by a search for s->side, or `resign`, or `claim` (s->may_claim), or `cancelled`
 * (a cancellable command). A command that `plays` then plays the move and takes its time off the clock. Returns
 * false if the report is NULL: the search failed. */
bool think_found(struct session *, const struct report *, char text[MOVE_TEXT_MAX]);

/* `run` and `finish` of a command that answers a move. think_move uses think_known or think_begin,
 * think_answer uses think_found. A command that streams writes `play` before the answer. */
enum outcome think_move(struct session *, const struct limits *, enum outcome);
enum outcome think_answer(struct session *, const struct report *);

#endif
