/* SPDX-License-Identifier: MIT
 *
 * Thread slots: the engines of one process share them when there are more searches than processors. A
 * worker needs a slot to work and keeps it for a time slice. Then the worker that has waited longest gets
 * the slot, and the first one waits at the end of the queue. Without slots, or while no worker waits, this
 * costs nothing.
 *
 * control_claim() acquires, hands over and waits for slots, so searches need not know about them. A
 * mutex protects the queue; only workers that wait, hand over or leave lock it, and a search that ends.
 * Each waiting worker sleeps on its own condition variable.
 */
#ifndef ENGINE_SEARCH_COMMON_SLOTS_H
#define ENGINE_SEARCH_COMMON_SLOTS_H

#include "engine/search/common/control.h"

struct slots;

/* Creates `count` thread slots, at least 1. Destroy them when no search uses them any more. */
struct slots *slots_create(int count);
void slots_destroy(struct slots *);

/* Acquires a slot for the calling worker of a search, or keeps the one it has, or waits for its turn.
 * Returns false if the search ended while waiting. A thread works for one search at a time. */
bool slots_keep(struct slots *, struct control *);

/* Releases the calling worker's slot, if it has one. */
void slots_leave(struct slots *);

/* Wakes the waiting workers whose search is over. Any thread. */
void slots_wake(struct slots *);

/* Returns how many workers are waiting. Any thread. Public for tests. */
int slots_waiting(const struct slots *);

#endif
