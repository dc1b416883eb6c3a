/* SPDX-License-Identifier: MIT
 *
 * Remembers the evaluations of a game, because the searches of consecutive moves see many positions again. A search finds the
 * same with it as without. Used by one thread.
 */
#ifndef TOOLS_TRAIN_MEMO_H
#define TOOLS_TRAIN_MEMO_H

#include "engine/evaluation/evaluator.h"

struct memo;

struct memo *memo_create(const struct game *);
void memo_destroy(struct memo *);

/* Forgets everything: for a new game or other weights. */
void memo_clear(struct memo *);

/* The key of a state and its legal steps. */
uint64_t memo_key(const struct state *, const move_t *steps, int count);

/* Copies what evaluator.steps() has set for this key; all its values are equal. Returns false if it is not known. */
bool memo_recall(const struct memo *, uint64_t key, int count, struct evaluation *);

/* Keeps it. An earlier evaluation may be forgotten. */
void memo_keep(struct memo *, uint64_t key, int count, const struct evaluation *);

#endif
