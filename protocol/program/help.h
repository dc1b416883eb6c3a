/* SPDX-License-Identifier: MIT
 *
 * --help and the man page. They print the tables of modes, tools, flags, engine options, searches, games and
 * commands.
 */
#ifndef PROTOCOL_PROGRAM_HELP_H
#define PROTOCOL_PROGRAM_HELP_H

#include <stdio.h>

#define HELP_ALL "all" /* topic of help_print_all() */

struct mode;
struct program;

/* Prints what most users need: modes, tools, games and the usual options. */
void help_print(FILE *, const struct program *);

/* Prints the help of one mode. */
void help_print_mode(FILE *, const struct program *, const struct mode *);

/* Prints everything: all options, all searches. */
void help_print_all(FILE *, const struct program *);

/* Prints the man page in man(7) format. */
void help_manual(FILE *, const struct program *);

#endif
