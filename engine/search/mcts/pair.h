/* SPDX-License-Identifier: MIT
 *
 * The two searches that union and dfpn+mcts consist of. A search object begins with its pair.
 */
#ifndef ENGINE_SEARCH_MCTS_PAIR_H
#define ENGINE_SEARCH_MCTS_PAIR_H

#include "engine/search/common/algorithm.h"

struct pair {
	void *dfpn, *mcts;
};

static inline void pair_create(struct pair *p)
{
	p->dfpn = algorithm_dfpn.create();
	p->mcts = algorithm_mcts.create();
}

static inline void pair_destroy(struct pair *p)
{
	algorithm_dfpn.destroy(p->dfpn);
	algorithm_mcts.destroy(p->mcts);
}

/* algorithm.forget of both. */
static inline void pair_forget(void *self)
{
	struct pair *p = self;
	algorithm_dfpn.forget(p->dfpn);
	algorithm_mcts.forget(p->mcts);
}

#endif
