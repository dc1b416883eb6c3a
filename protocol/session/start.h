/* SPDX-License-Identifier: MIT
 *
 * The beginning of a game in a session.
 */
#ifndef PROTOCOL_SESSION_START_H
#define PROTOCOL_SESSION_START_H

#include "protocol/session/command.h"

/* Starts a new game and resets the clocks. */
void start_game(struct session *, const struct game *);

/* Starts a game at a position, with the komi of the game before but without White's points for its handicap. */
void start_position(struct session *, const struct state *);

/* Answers a command that has replaced the record by a game that it has read. `note` tells how the text was read,
 * or is empty. */
enum outcome start_loaded(struct session *, const char *note);

/* White's points for the handicap, in half points. */
int start_bonus(const struct session *);

#endif
