/* SPDX-License-Identifier: MIT
 *
 * One session over standard input and output, for pipes and files.
 */
#ifndef PROTOCOL_CARRIERS_STDIO_H
#define PROTOCOL_CARRIERS_STDIO_H

struct start;

/* Runs until the input ends, `quit`, or a signal. Returns the exit status: 1 after a message on stderr if the
 * output or the log could not be written. */
int stdio_run(const struct start *);

#endif
