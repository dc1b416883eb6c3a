/* SPDX-License-Identifier: MIT
 *
 * The jobs that wait, and the workers that search their positions: each has an engine of its own. The worker that
 * is free takes the job of the highest priority, the earliest among equals.
 *
 * The functions are for one thread, which reads the queries. Answers go to the outbox.
 */
#ifndef PROTOCOL_KATAGO_POOL_H
#define PROTOCOL_KATAGO_POOL_H

#include <jansson.h>
#include <stdbool.h>

#include "protocol/katago/outbox.h"
#include "protocol/katago/query.h"

struct pool;

/* Starts `workers` workers, which share the threads and the memory of these options. Returns NULL, with errno, if
 * the system refuses all of them. The outbox must outlive the pool. */
struct pool *pool_create(int workers, const struct options *, struct outbox *);

/* Stops all jobs without answers. */
void pool_destroy(struct pool *);

/* Takes a list of jobs. */
void pool_add(struct pool *, struct katago_job *);

/* Ends jobs early: those of the query `id` (NULL: of all queries), of the turns in an array of numbers (NULL: all
 * turns). Running searches answer what they have found. */
void pool_stop(struct pool *, const char *id, const json_t *turns);

/* Returns true if no job waits or runs. All answers are then in the outbox. */
bool pool_is_idle(struct pool *);

#endif
