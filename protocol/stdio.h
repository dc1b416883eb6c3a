/* SPDX-License-Identifier: MIT
 *
 * Standard input and output carry one session: pipes and files, of programs.
 */
#ifndef PROTOCOL_STDIO_H
#define PROTOCOL_STDIO_H

struct start;

/* Speaks GTP until the input ends, `quit`, or a signal. Returns the exit status: 1 after a message on stderr if
 * output or log could not be written. */
int stdio_run(const struct start *);

#endif
