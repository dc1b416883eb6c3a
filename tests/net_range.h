/* SPDX-License-Identifier: MIT
 *
 * Checks that 16 bits suffice for the first sums of games/pentago/quadrant_net.c with a network, in every position.
 */
#ifndef TESTS_NET_RANGE_H
#define TESTS_NET_RANGE_H

#include "games/pentago/quadrant_net.h"
#include "tests/suite.h"

/* Each square may belong to the side to choose, to the other side, or be empty. */
static inline void check_first_sums(const struct net_weights *w)
{
	for (int j = 0; j < NET_BLOCK; j++) {
		int bias[2] = { w->layers.hidden_bias[0][j], w->layers.hidden_bias[1][j] };
		int high = bias[0] > bias[1] ? bias[0] : bias[1];
		int low = bias[0] < bias[1] ? bias[0] : bias[1];
		/* Each part adds each block of the vectors to the same unit. */
		for (int k = j; k < NET_HIDDEN; k += NET_BLOCK) {
			int most = 0, least = 0;
			for (int i = 0; i < NET_PLACES; i++) {
				int a = w->stones[0][i][k], b = w->stones[1][i][k];
				int more = a > b ? a : b, less = a < b ? a : b;
				high += more > 0 ? more : 0;
				low += less < 0 ? less : 0;
			}
			for (int i = 0; i < NET_CONTENTS; i++) {
				most = w->details[i][k] > most ? w->details[i][k] : most;
				least = w->details[i][k] < least ? w->details[i][k] : least;
			}
			high += NET_DETAIL * most;
			low += NET_DETAIL * least;
		}
		ck_assert_int_le(high, INT16_MAX);
		ck_assert_int_ge(low, INT16_MIN);
	}
}

#endif
