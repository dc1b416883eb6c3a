/* SPDX-License-Identifier: MIT
 *
 * Remembers evaluations by a network, which take most of a search's time: positions that several orders of moves lead to, and
 * those that the searches of consecutive moves see again. A search with one thread finds the same with it as without.
 */
#ifndef ENGINE_EVALUATION_MEMO_H
#define ENGINE_EVALUATION_MEMO_H

#include "engine/evaluation/evaluator.h"

/* Makes *memo one that takes at most `bytes`, for states with at most `room` steps; NULL if nothing fits. Keeps what is one
 * of this kind already. Returns false if the system refuses the memory; *memo is NULL then. */
bool memo_open(struct memo **memo, size_t bytes, int room);
void memo_close(struct memo *);

/* The key of a state and its legal steps. `weights` is a number of the network and the size of the board. */
uint64_t memo_key(uint64_t weights, const struct state *, const move_t *steps, int count);

/* Sets what the evaluator's steps() has set for this key: the value of the state, which all steps have, too, and the priors.
 * Returns false if it is not known. Any thread. */
bool memo_recall(struct memo *, uint64_t key, int count, struct evaluation *);

/* Keeps it. Another evaluation may be forgotten. Any thread. */
void memo_keep(struct memo *, uint64_t key, int count, const struct evaluation *);

#endif
