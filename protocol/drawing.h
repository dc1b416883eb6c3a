/* SPDX-License-Identifier: MIT
 *
 * What a search has found, drawn on GoGui's board: by the commands of its analyze window, whose answers
 * are lines of GoGui's gfx language, and live, by such lines on stderr while any search runs.
 */
#ifndef PROTOCOL_DRAWING_H
#define PROTOCOL_DRAWING_H

#include "engine/algorithm.h"

struct session;

#define DRAWING_INTERVAL 250000000 /* nanoseconds between two live drawings */

/* Draws a report of the running search live; clears the board of it. */
void drawing_show_live(struct session *, const struct report *);
void drawing_clear_live(struct session *);

#endif
