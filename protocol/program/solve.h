/* SPDX-License-Identifier: MIT
 *
 * The mode `solve`: exact values.
 */
#ifndef PROTOCOL_PROGRAM_SOLVE_H
#define PROTOCOL_PROGRAM_SOLVE_H

struct arguments;

/* Returns the exit status: 0; 1 if a position was not solved or not verified; 2 if one cannot be read. */
int solve_run(const struct arguments *);

#endif
