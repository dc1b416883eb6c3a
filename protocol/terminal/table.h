/* SPDX-License-Identifier: MIT
 *
 * A table of the moves that a search has considered, for a person at a terminal.
 */
#ifndef PROTOCOL_TERMINAL_TABLE_H
#define PROTOCOL_TERMINAL_TABLE_H

#include <stdio.h>

struct report;
struct session;

/* Writes a headline and the best moves: win rate and score for the side to move, visits, expected moves. At most
 * `rows` lines, each shorter than `columns`. Returns the number of lines. */
int table_print(const struct session *, const struct report *, int rows, int columns, FILE *);

/* Cuts a line between words so that it is shorter than `columns`, in place. */
void table_cut(char *line, int columns);

#endif
