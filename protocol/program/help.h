/* SPDX-License-Identifier: MIT
 *
 * --help and the man page. They print the tables of modes, flags, engine options, searches, games and
 * commands; help.c adds only what no table has.
 */
#ifndef PROTOCOL_PROGRAM_HELP_H
#define PROTOCOL_PROGRAM_HELP_H

#include <stdio.h>

struct mode;
struct program;

/* Prints the help of one mode, or of the program if the mode is NULL. */
void help_print(FILE *, const struct program *, const struct mode *);

/* Prints the man page in man(7) format. */
void help_manual(FILE *, const struct program *);

#endif
