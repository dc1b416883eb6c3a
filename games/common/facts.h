/* SPDX-License-Identifier: MIT
 *
 * What people see on the boards of single games: functions for `facts` of struct game. They read the board by
 * characters, so they know no game's own representation.
 */
#ifndef GAMES_COMMON_FACTS_H
#define GAMES_COMMON_FACTS_H

#include "engine/rules/fact.h"

/* Corners, discs that can never be turned, and the number of moves. */
void othello_facts(const struct game *, const struct state *, struct move, struct facts *);

/* Captures, atari, groups that are joined. */
void go_facts(const struct game *, const struct state *, struct move, struct facts *);

/* Stones that are missing for a connection, bridges, groups that are joined. */
void hex_facts(const struct game *, const struct state *, struct move, struct facts *);
/* Edges and corners that a chain reaches, bridges, groups that are joined. */
void havannah_facts(const struct game *, const struct state *, struct move, struct facts *);

/* Captures and the way to the goal. */
void breakthrough_facts(const struct game *, const struct state *, struct move, struct facts *);
/* Captures, of one side and then of the other. */
void draughts_facts(const struct game *, const struct state *, struct move, struct facts *);
/* Captures and the groups of pieces. */
void loa_facts(const struct game *, const struct state *, struct move, struct facts *);

#endif
