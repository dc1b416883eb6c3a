/* SPDX-License-Identifier: MIT
 *
 * Standard input and output carry one session: pipes and files, of programs.
 */
#ifndef PROTOCOL_STDIO_H
#define PROTOCOL_STDIO_H

struct start;

/* Speaks GTP until the input ends, `quit`, or a signal. Returns the exit status. */
int stdio_run(const struct start *);

#endif
