/* SPDX-License-Identifier: MIT
 *
 * A person at a terminal carries one session: lines are edited and recalled, boards are for the eye, a
 * line shows what a search has found so far. What is typed and answered is GTP still.
 */
#ifndef PROTOCOL_TERMINAL_H
#define PROTOCOL_TERMINAL_H

#include <stdbool.h>

struct start;

/* Whether standard input and output are a terminal on which lines can be edited. */
bool terminal_is_there(void);

/* Talks until quit, ^D, ^C while nothing is thought about, or another signal. Boards: draws one after
 * each move. Returns the exit status. */
int terminal_run(const struct start *, bool boards);

#endif
