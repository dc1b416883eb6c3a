/* SPDX-License-Identifier: MIT
 *
 * The usual openings of games: files of tools/data that are bound into the program. They give neither side an
 * advantage. tools/data/README.md says how they were made. Any thread.
 */
#ifndef TOOLS_LIB_USUAL_H
#define TOOLS_LIB_USUAL_H

#include "tools/lib/openings.h"

/* Reads the usual openings of a game, its rules and its size, in an order that the seed decides. *checksum identifies
 * the file. Returns false if there are none. Else the caller frees them with openings_free(). */
bool usual_openings(struct openings *, const struct game *, int seed, uint32_t *checksum);

#endif
