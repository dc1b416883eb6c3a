/* SPDX-License-Identifier: MIT
 *
 * Results of a search drawn on GoGui's board. Commands of its analyze window answer lines of GoGui's gfx
 * language. Live graphics write such lines to stderr while any search runs.
 */
#ifndef PROTOCOL_GTP_DRAWING_H
#define PROTOCOL_GTP_DRAWING_H

#include "engine/search/common/algorithm.h"

struct session;

#define DRAWING_INTERVAL 250000000 /* nanoseconds between two live drawings */

/* Draws a report of the running search on GoGui's board. */
void drawing_show_live(struct session *, const struct report *);
/* Removes that drawing. */
void drawing_clear_live(struct session *);

#endif
