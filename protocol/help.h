/* SPDX-License-Identifier: MIT
 *
 * What explains the program: --help and the man page. The facts are those of the tables of modes, flags,
 * engine options, searches, games and commands; written here is what no table says.
 */
#ifndef PROTOCOL_HELP_H
#define PROTOCOL_HELP_H

#include <stdio.h>

struct mode;
struct program;

/* Prints what --help says of the program, or of one mode unless it is NULL. */
void help_print(FILE *, const struct program *, const struct mode *);

/* Prints the man page, as man(7). */
void help_manual(FILE *, const struct program *);

#endif
