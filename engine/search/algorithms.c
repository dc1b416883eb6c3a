/* SPDX-License-Identifier: MIT */
#include "engine/search/algorithms.h"

#include <string.h>

#include "engine/rules/tuning.h"

const struct algorithm *const algorithms[] = {
	&algorithm_random,
	&algorithm_montecarlo,
	&algorithm_mcts,
	&algorithm_negamax,
	&algorithm_alphabeta_plain,
	&algorithm_alphabeta,
	&algorithm_pns,
	&algorithm_dfpn,
	&algorithm_dfpn_mcts,
	&algorithm_union,
	NULL,
};

const struct algorithm *algorithm_find(const char *name)
{
	int i = 0;
	while (algorithms[i] && strcmp(algorithms[i]->name, name) != 0)
		i++;
	return algorithms[i];
}

const struct algorithm *algorithm_chosen(const struct options *o, const struct game *g)
{
	return o->search == SEARCH_AUTO ? algorithm_find(tuning_of(g)->search)
					: algorithms[o->search - 1];
}

const struct algorithm *algorithm_prover(const struct game *g)
{
	return g->score.unit && !game_repeats(g) ? &algorithm_alphabeta : &algorithm_dfpn;
}
