/* SPDX-License-Identifier: MIT
 *
 * The mode `puzzles`: prints positions in which exactly one move keeps a proven result.
 */
#ifndef PROTOCOL_PROGRAM_PUZZLES_H
#define PROTOCOL_PROGRAM_PUZZLES_H

struct arguments;

#define PUZZLES_COUNT 5 /* the default of --count */
#define PUZZLES_MAX   1000

/* Returns the exit status: 0; 1 if there were none, a search failed or the output could not be written; 2 if the record
 * cannot be read. */
int puzzles_run(const struct arguments *);

#endif
