/* SPDX-License-Identifier: MIT
 *
 * Whether the 16 bits of engine/net.c's first sums suffice for a network, whatever the position is.
 */
#ifndef TESTS_NET_RANGE_H
#define TESTS_NET_RANGE_H

#include "engine/net.h"
#include "tests/suite.h"

/* Each square may be of who chooses, of the other or empty, and stones come in any order. */
static inline void check_first_sums(const struct net_layers *l, int squares)
{
	for (int j = 0; j < NET_HIDDEN; j++) {
		int low = l->bias_first[j], high = low;
		for (int i = 0; i <= squares; i++) {
			int a = l->first[i < squares ? i : 2 * squares][j];
			int b = i < squares ? l->first[squares + i][j] : 0;
			int more = a > b ? a : b, less = a < b ? a : b;
			high += more > 0 ? more : 0;
			low += less < 0 ? less : 0;
		}
		ck_assert_int_le(high, INT16_MAX);
		ck_assert_int_ge(low, INT16_MIN);
	}
}

#endif
