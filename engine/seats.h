/* SPDX-License-Identifier: MIT
 *
 * Thinking seats: what the engines of one process share when there are more searches than processors. A
 * worker needs a seat to work and keeps it for a slice of time; then whoever has waited longest sits down in its
 * place, and it waits at the end of the queue. Without seats, or while nobody waits, all of this costs nothing.
 *
 * control_claim() is where workers sit down, change places and wait, so searches need not know. The
 * queue stands behind a mutex that only those who wait, change places or leave ever take. A waiting worker
 * sleeps on a word of its own search's control (a futex), because stopping a search must wake its workers
 * and be safe in a signal handler, where mutexes and condition variables are not.
 */
#ifndef ENGINE_SEATS_H
#define ENGINE_SEATS_H

#include "engine/control.h"

struct seats;

/* So many seats, 1 or more. To be destroyed when no search uses them any more. */
struct seats *seats_create(int count);
void seats_destroy(struct seats *);

/* Has the calling worker of a search sit, or stay seated, or wait for its turn. False: the search is over, it
 * waited in vain. A thread works for one search at a time. */
bool seats_keep(struct seats *, struct control *);

/* Gives the calling worker's seat back, if it has one. */
void seats_leave(struct seats *);

/* How many workers wait now. Any thread. */
int seats_waiting(const struct seats *);

#endif
