/* SPDX-License-Identifier: MIT */
#include "engine/algorithm.h"

const struct algorithm *const algorithms[] = {
	&algorithm_random,  &algorithm_montecarlo,      &algorithm_mcts,
	&algorithm_negamax, &algorithm_alphabeta_plain, &algorithm_alphabeta,
	&algorithm_dfpn,    &algorithm_dfpn_mcts,       NULL,
};
