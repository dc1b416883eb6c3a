/* SPDX-License-Identifier: MIT
 *
 * The transcript of a conversation, which the flag --log names.
 */
#ifndef PROTOCOL_SESSION_LOG_H
#define PROTOCOL_SESSION_LOG_H

#include <stdbool.h>
#include <stdio.h>

/* Appends a line of `length` bytes with the time, the number of the session unless that is 0, and the direction:
 * '>' to yomi, '<' from it. Does nothing if `log` is NULL or has failed before. Returns false, with errno, if it
 * fails now; the stream keeps its error. */
bool log_line(FILE *log, int number, char direction, const char *line, size_t length);

#endif
