/* SPDX-License-Identifier: MIT
 *
 * The search of a few last empty squares, where nearly all nodes of an endgame are. othello_kernel.c
 * includes this once for each kernel, with
 *
 *     TARGET             the attribute of functions for that kernel
 *     KERNEL(name)       the kernel's own function of that name
 *     FLIPS(mine, theirs, square), MOBILITY(mine, theirs), STABLE(mine, theirs)
 *
 * Every function finds the mover's score against the null window alpha .. alpha+1: what it returns is a
 * lower bound if it is above alpha, else an upper one. Nothing is kept of a position. The last four
 * squares are taken one by one, without a list of moves; of an odd region the mover gets the last square,
 * so squares of odd quadrants come first.
 */

TARGET static int KERNEL(last1)(uint64_t mine, int alpha, int square)
{
	uint64_t theirs = ~mine & ~(UINT64_C(1) << square);
	int twice = 2 * __builtin_popcountll(mine), flips = count_last(mine, square);
	if (flips)
		return twice + 2 * flips - 62;
	int ended = twice > 63 ? twice - 62 : twice - 64;
	if (ended <= alpha)
		return ended;
	flips = count_last(theirs, square);
	return flips ? twice - 2 * flips - 64 : ended;
}

/* Tries a square; CHILD is the score of the position behind it for the other side. */
#define TRY(SQUARE, CHILD)                                                                         \
	if (near[SQUARE] & theirs) {                                                               \
		uint64_t flips = FLIPS(mine, theirs, SQUARE);                                      \
		if (flips) {                                                                       \
			uint64_t them = theirs ^ flips, me = mine ^ flips ^ UINT64_C(1) << SQUARE; \
			int score = -(CHILD);                                                      \
			(void)me;                                                                  \
			if (score > alpha)                                                         \
				return score;                                                      \
			if (score > best)                                                          \
				best = score;                                                      \
		}                                                                                  \
	}

#define NO_MOVE -128

TARGET static int KERNEL(last2)(uint64_t mine, uint64_t theirs, int alpha, int a, int b,
				bool passed, uint64_t *nodes)
{
	int best = NO_MOVE;
	++*nodes;
	TRY(a, KERNEL(last1)(them, ~alpha, b))
	TRY(b, KERNEL(last1)(them, ~alpha, a))
	if (best != NO_MOVE)
		return best;
	return passed ? -othello_score(theirs, mine)
		      : -KERNEL(last2)(theirs, mine, ~alpha, a, b, true, nodes);
}

TARGET static int KERNEL(last3)(uint64_t mine, uint64_t theirs, int alpha, int a, int b, int c,
				bool passed, uint64_t *nodes)
{
	int best = NO_MOVE;
	++*nodes;
	TRY(a, KERNEL(last2)(them, me, ~alpha, b, c, false, nodes))
	TRY(b, KERNEL(last2)(them, me, ~alpha, a, c, false, nodes))
	TRY(c, KERNEL(last2)(them, me, ~alpha, a, b, false, nodes))
	if (best != NO_MOVE)
		return best;
	return passed ? -othello_score(theirs, mine)
		      : -KERNEL(last3)(theirs, mine, ~alpha, a, b, c, true, nodes);
}

TARGET static int KERNEL(last4_on)(uint64_t mine, uint64_t theirs, int alpha, int a, int b, int c,
				   int d, bool passed, uint64_t *nodes)
{
	int best = NO_MOVE;
	++*nodes;
	TRY(a, KERNEL(last3)(them, me, ~alpha, b, c, d, false, nodes))
	TRY(b, KERNEL(last3)(them, me, ~alpha, a, c, d, false, nodes))
	TRY(c, KERNEL(last3)(them, me, ~alpha, a, b, d, false, nodes))
	TRY(d, KERNEL(last3)(them, me, ~alpha, a, b, c, false, nodes))
	if (best != NO_MOVE)
		return best;
	return passed ? -othello_score(theirs, mine)
		      : -KERNEL(last4_on)(theirs, mine, ~alpha, a, b, c, d, true, nodes);
}

/* With four squares those that are alone in their quadrant come first. */
TARGET static int KERNEL(last4)(uint64_t mine, uint64_t theirs, int alpha, uint64_t *nodes)
{
	uint64_t empty = ~(mine | theirs), alone = 0;
	for (int i = 0; i < 4; i++) {
		uint64_t set = empty & quadrants[i];
		alone |= set & (set - 1) ? 0 : set;
	}
	int square[4];
	for (int i = 0; i < 4; i++) {
		uint64_t next = alone ? alone : empty;
		square[i] = __builtin_ctzll(next);
		alone &= alone - 1;
		empty ^= next & -next;
	}
	return KERNEL(last4_on)(mine, theirs, alpha, square[0], square[1], square[2], square[3],
				false, nodes);
}

TARGET static inline uint64_t KERNEL(odd_quadrants)(uint64_t empty)
{
	uint64_t odd = 0;
	for (int i = 0; i < 4; i++)
		odd |= __builtin_popcountll(empty & quadrants[i]) & 1 ? quadrants[i] : 0;
	return odd;
}

/* Five squares or more, `n` of them. */
TARGET static int KERNEL(few_on)(uint64_t mine, uint64_t theirs, int alpha, int n, uint64_t *nodes)
{
	uint64_t moves = MOBILITY(mine, theirs), empty = ~(mine | theirs);
	int best = NO_MOVE;
	++*nodes;
	if (!moves)
		return MOBILITY(theirs, mine) ? -KERNEL(few_on)(theirs, mine, ~alpha, n, nodes)
					      : -othello_score(theirs, mine);
	if (alpha >= stable_from[n]) {
		int most = 64 - 2 * __builtin_popcountll(STABLE(theirs, mine));
		if (most <= alpha)
			return most;
	}
	uint64_t odd = KERNEL(odd_quadrants)(empty);
	for (uint64_t set = moves & odd, later = moves & ~odd;; set &= set - 1) {
		if (!set) {
			if (!later)
				return best;
			set = later;
			later = 0;
		}
		int square = __builtin_ctzll(set);
		uint64_t flips = FLIPS(mine, theirs, square);
		uint64_t me = mine ^ flips ^ (set & -set), them = theirs ^ flips;
		int score = n == 5 ? -KERNEL(last4)(them, me, ~alpha, nodes)
				   : -KERNEL(few_on)(them, me, ~alpha, n - 1, nodes);
		if (score > alpha)
			return score;
		if (score > best)
			best = score;
	}
}

TARGET static int KERNEL(few)(uint64_t mine, uint64_t theirs, int alpha, uint64_t *nodes)
{
	uint64_t empty = ~(mine | theirs);
	int n = __builtin_popcountll(empty);
	if (n > 4)
		return KERNEL(few_on)(mine, theirs, alpha, n, nodes);
	if (n == 4)
		return KERNEL(last4)(mine, theirs, alpha, nodes);
	if (n == 0)
		return -othello_score(theirs, mine);
	int a = __builtin_ctzll(empty);
	if (n == 1)
		return KERNEL(last1)(mine, alpha, a);
	empty &= empty - 1;
	int b = __builtin_ctzll(empty);
	if (n == 2)
		return KERNEL(last2)(mine, theirs, alpha, a, b, false, nodes);
	empty &= empty - 1;
	return KERNEL(last3)(mine, theirs, alpha, a, b, __builtin_ctzll(empty), false, nodes);
}

TARGET static int KERNEL(expand)(uint64_t mine, uint64_t theirs, uint64_t moves,
				 struct othello_child list[OTHELLO_MOVES_MAX])
{
	int n = 0;
	for (; moves; moves &= moves - 1) {
		struct othello_child *c = &list[n++];
		c->square = __builtin_ctzll(moves);
		uint64_t flips = FLIPS(mine, theirs, c->square);
		c->mine = theirs ^ flips;
		c->theirs = mine ^ flips ^ (moves & -moves);
	}
	return n;
}

TARGET static void KERNEL(rate)(uint64_t empty, struct othello_child *list, int n)
{
	uint64_t odd = KERNEL(odd_quadrants)(empty);
	for (int i = 0; i < n; i++) {
		struct othello_child *c = &list[i];
		uint64_t placed = UINT64_C(1) << c->square, replies = MOBILITY(c->mine, c->theirs);
		int count = __builtin_popcountll(replies) + __builtin_popcountll(replies & CORNERS);
		c->rating = (placed & odd ? OTHELLO_REPLY / 2 : 0) +
			    (placed & CORNERS ? OTHELLO_REPLY : 0) - OTHELLO_REPLY * count;
	}
}

#undef TRY
#undef NO_MOVE
