/* SPDX-License-Identifier: MIT
 *
 * Functions of df-pn for searches that are built on it. The search itself is algorithm_dfpn. `self` is an
 * instance of it. These functions may be called between its prepare() and the next prepare().
 */
#ifndef ENGINE_SEARCH_PROOF_DFPN_H
#define ENGINE_SEARCH_PROOF_DFPN_H

#include "engine/rules/game.h"
#include "engine/search/common/control.h"

struct report;

/* The effort of a side that can no longer settle a question in its favor. */
#define DFPN_NEVER ((1u << 27) - 1)

/* Proven bounds of Black's result, -1 .. 1, in the position to search. Any thread. */
void dfpn_bounds(const void *self, int *lower, int *upper);

/* Sets the nodes and the fill of a report, and, if there were nodes, the proof numbers. The report's bounds
 * must be set; the proof numbers are made consistent with them. Lead worker only. */
void dfpn_numbers(void *self, struct report *);

/* Tries to prove or disprove that `side` wins in a position that is not over. Stops after about `nodes` nodes
 * or when control is over. Returns the number of nodes. The table keeps the results. Any thread, inside the
 * work() of another search. */
uint64_t dfpn_prove(void *self, const struct state *, int side, uint64_t nodes, struct control *);

/* Finds the bounds of Black's result, -1 .. 1, that the table has proven for any position; where positions may
 * not repeat, for the position to search and those after one move. Returns false if the table has nothing about
 * it. Any thread. */
bool dfpn_find(const void *self, const struct state *, int *lower, int *upper);

/* Stores bounds of Black's result of a position, proven elsewhere, in the table. `nodes` is the effort of that
 * proof. Any thread. */
void dfpn_store_bounds(void *self, const struct state *, int lower, int upper, uint64_t nodes);

/* Estimates what each side needs to settle the question whether `side` wins in its favor: the least number of
 * positions. 0: it has settled it, the other side then has DFPN_NEVER. Any
 * thread. */
void dfpn_estimate(const struct game *, const struct state *, int side, uint32_t efforts[2]);

/* Finds the same numbers in the table. Returns false if the table has none. Any thread. */
bool dfpn_efforts(const void *self, const struct state *, int side, uint32_t efforts[2]);

#endif
