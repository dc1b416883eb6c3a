/* SPDX-License-Identifier: MIT
 *
 * The protocol of a terminal: GTP, and before it commands for people who have never heard of GTP: a move alone, go,
 * hint, why, undo, new, level. Successful answers of these commands have no frame.
 */
#ifndef PROTOCOL_TERMINAL_PEOPLE_H
#define PROTOCOL_TERMINAL_PEOPLE_H

#include <stdio.h>

#include "protocol/session/protocol.h"

struct kept_terms;
struct player;

/* For session_setup.protocols: this protocol, or NBoard's if the first line is NBoard's. */
extern const struct protocol *const protocols_people[];

/* The commands for people. The first has an empty name: it takes lines that begin with no command, such as a
 * move. */
extern const struct command people_commands[];

/* The state of the commands that play, of a session with this protocol. */
struct player *people_player(const struct session *);

/* Tells how the person plays: the side that yomi answers, level and time. */
void people_terms(struct session *, struct kept_terms *);

/* Returns true if there is a command of this name, for people or of GTP. */
bool people_has_command(const char *name);

/* Runs a command of GTP with the arguments of the running one. */
enum outcome people_run_gtp(struct session *, const char *name);

/* Greets the user of the terminal and tells how to begin. */
void people_greet(const struct session *, FILE *);

#endif
