/* SPDX-License-Identifier: MIT
 *
 * One session at a terminal: line editing and history, coloured boards, and a status line with the progress
 * of a search. The protocol is one of protocols_people (protocol/terminal/people.h).
 */
#ifndef PROTOCOL_TERMINAL_TERMINAL_H
#define PROTOCOL_TERMINAL_TERMINAL_H

#include <stdbool.h>

struct start;

/* Returns true if standard input and output are a terminal that can edit lines. */
bool terminal_is_there(void);

/* Runs until `quit`, ^D, ^C without a running search, or another signal. `boards`: draws the board after each
 * move, and at the start. Returns the exit status. */
int terminal_run(const struct start *, bool boards);

#endif
