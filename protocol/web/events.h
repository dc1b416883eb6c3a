/* SPDX-License-Identifier: MIT
 *
 * Answers as server-sent events for web pages (text/event-stream, HTML standard). An answer is one event,
 * and so is each line that a command streams before its answer:
 *
 *     event: line                                  event: answer
 *     data: {"id":12,"text":"..."}                 data: {"id":12,"ok":true,"text":"..."}
 *
 * `id` is the command's number or null. Pure functions, any thread; the caller frees what they return.
 */
#ifndef PROTOCOL_WEB_EVENTS_H
#define PROTOCOL_WEB_EVENTS_H

#include "protocol/session/protocol.h"

/* Frames an answer. Removes line feeds at both ends of the text. Bytes that are not UTF-8 become replacement
 * characters. */
char *events_answer(bool success, int id, const char *text);

/* Frames each line of a text as an event of its own; skips blank lines. */
char *events_lines(int id, const char *text);

/* All answers in a text of such events, as {"answers":[...]}, the data of each event in order. The caller frees the text. */
char *events_collect(const char *events);

/* For struct session_setup: GTP's commands with such answers. */
extern const struct protocol *const protocols_events[];

#endif
