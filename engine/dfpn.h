/* SPDX-License-Identifier: MIT
 *
 * What df-pn has proven, and what else it can, for searches that are built on it. The search itself is
 * algorithm_dfpn; what is said here of `self` holds between its prepare() and the next one.
 */
#ifndef ENGINE_DFPN_H
#define ENGINE_DFPN_H

#include "engine/control.h"
#include "engine/game.h"

struct report;

/* Proven bounds of Black's result, -1 .. 1, in the position searched last. Any thread, at any time. */
void dfpn_bounds(const void *self, int *lower, int *upper);

/* Sets nodes and fill of a report, and, if there were nodes, the proof numbers that suit its bounds too. The lead worker. */
void dfpn_numbers(void *self, struct report *);

/* Works on whether `side` wins in a position that is not over, for about so many nodes or until control is over;
 * returns how many it were. The table keeps what was found. Any thread, inside another search's work(). */
uint64_t dfpn_prove(void *self, const struct state *, int side, uint64_t nodes, struct control *);

/* Proven bounds of Black's result in any position, as far as the table knows; false: it knows nothing. Any thread. */
bool dfpn_find(const void *self, const struct state *, int *lower, int *upper);

/* Has the table know a result that was proven elsewhere by so many nodes. Any thread. */
void dfpn_tell(void *self, const struct state *, int result, uint64_t nodes);

#endif
