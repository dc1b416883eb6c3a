/* SPDX-License-Identifier: MIT
 *
 * The list of searches, and which one to take. Pure functions, any thread.
 */
#ifndef ENGINE_SEARCH_ALGORITHMS_H
#define ENGINE_SEARCH_ALGORITHMS_H

#include "engine/search/common/algorithm.h"

/* Finds a search by its name. Returns NULL if there is none. */
const struct algorithm *algorithm_find(const char *name);

/* Returns the search that the option `search` selects for this game. */
const struct algorithm *algorithm_chosen(const struct options *, const struct game *);

/* Returns the search that proves positions of this game best. It proves scores if the game counts them and no
 * position can repeat, otherwise results. */
const struct algorithm *algorithm_prover(const struct game *);

#endif
