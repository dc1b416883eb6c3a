/* SPDX-License-Identifier: MIT
 *
 * Answers as server-sent events, which pages read (text/event-stream, in the HTML standard). An answer is
 * one event, and so is each line that a command streams before it:
 *
 *     event: line                                  event: answer
 *     data: {"id":12,"text":"..."}                 data: {"id":12,"ok":true,"text":"..."}
 *
 * `id` is the command's number or null. Pure functions, any thread; the caller frees what they return.
 */
#ifndef PROTOCOL_EVENTS_H
#define PROTOCOL_EVENTS_H

#include <stdbool.h>

/* Frames an answer. Line feeds at both ends of the text are left out; bytes that are not UTF-8 become
 * replacement characters. */
char *events_answer(bool success, int id, const char *text);

/* Frames each line of a text that is not blank. */
char *events_lines(int id, const char *text);

#endif
