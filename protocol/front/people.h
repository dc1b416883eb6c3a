/* SPDX-License-Identifier: MIT
 *
 * The protocol of a terminal: GTP, and before it commands for people who have never heard of GTP: a move alone, go,
 * hint, why, undo, new, level. Successful answers of these commands have no frame.
 */
#ifndef PROTOCOL_FRONT_PEOPLE_H
#define PROTOCOL_FRONT_PEOPLE_H

#include <stdio.h>

#include "protocol/gtp/protocol.h"

/* For session_setup.protocols: this protocol, or NBoard's if the first line is NBoard's. */
extern const struct protocol *const protocols_people[];

/* The commands for people. The first has an empty name: it takes lines that begin with no command, such as a
 * move. */
extern const struct command people_commands[];

/* Returns true if yomi answers each move that the person types. */
bool people_answers(const struct session *);

/* The error if the game is over. Returns REFUSED. */
enum outcome people_refuse_over(struct session *);

/* The error for a move that the rules do not allow, with its reason. Returns REFUSED. */
enum outcome people_refuse_illegal(struct session *, const char *text);

/* Greets the user of the terminal and tells how to begin. */
void people_greet(const struct session *, FILE *);

#endif
