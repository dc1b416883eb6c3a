/* SPDX-License-Identifier: MIT
 *
 * Commands for a person at a terminal who has never heard of GTP: a move alone, go, hint, undo, new, level.
 * They come before the commands of GTP, which a person can type as well.
 */
#ifndef PROTOCOL_FRONT_PEOPLE_H
#define PROTOCOL_FRONT_PEOPLE_H

#include <stdbool.h>
#include <stdio.h>

#include "protocol/gtp/command.h"

struct session;

/* State of these commands. All zero at the start. */
struct people {
	bool answers; /* yomi answers each move that the person types */
	int side;     /* the side of the last move that the person typed */
};

/* For session_setup.commands, with a struct people in session_setup.people. */
extern const struct command people_commands[];

/* Writes the line that greets a person. */
void people_greet(const struct session *, FILE *);

#endif
