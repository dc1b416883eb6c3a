/* SPDX-License-Identifier: MIT
 *
 * The signature of a game: one line that changes when any search plays, counts or values differently in it. It is the same on
 * every machine and with every kernel.
 */
#ifndef ENGINE_SEARCH_SIGNATURE_H
#define ENGINE_SEARCH_SIGNATURE_H

#include "engine/rules/game.h"
#include "engine/search/common/options.h"

#define SIGNATURE_MAX 96

/* Plays the first moves of a game with every search, with one thread, a fixed seed and a work limit. Writes "signature NAME RULES
 * WORK HASH": the playouts and nodes of all searches, and a hash of positions and values. Returns false, with the reason in
 * `why`, if a search cannot run: out of memory. */
bool signature_find(const struct game *, char line[SIGNATURE_MAX], char why[REASON_MAX]);

#endif
