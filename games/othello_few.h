/* SPDX-License-Identifier: MIT
 *
 * The search of a few last empty squares, where nearly all nodes of an endgame are. othello_kernel.c
 * includes this once for each kernel, with
 *
 *     TARGET, INLINED    the attributes of functions for that kernel, and of those to be inlined into them
 *     KERNEL(name)       the kernel's own function of that name
 *     FLIPS(mine, theirs, square), MOBILITY(mine, theirs), STABLE(mine, theirs)
 *
 * Every function finds the mover's score against the null window alpha .. alpha+1: what it returns is a
 * lower bound if it is above alpha, else an upper one. With six squares or more positions are kept in a small table,
 * and moves are rated; where the other side can play then, which they are rated by, is handed on. The
 * last four squares are taken one by one, without a list of moves; of an odd region the mover gets the last square, so
 * squares of odd quadrants come first.
 */

INLINED int KERNEL(last1)(uint64_t mine, int alpha, int square)
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
			uint64_t them = theirs ^ flips,                                            \
				 me = mine ^ flips ^ UINT64_C(1) << (SQUARE);                      \
			int score = -(CHILD);                                                      \
			REFETCH(mine, theirs);                                                     \
			(void)me;                                                                  \
			if (score > alpha)                                                         \
				return score;                                                      \
			if (score > best)                                                          \
				best = score;                                                      \
		}                                                                                  \
	}

#define NO_MOVE (-128)

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
	uint64_t odd = empty ^ empty >> 1; /* the parity of each quadrant, in its lowest bit */
	odd ^= odd >> 2;
	odd ^= odd >> 8;
	odd ^= odd >> 16;
	return (odd & UINT64_C(0x0000001100000011)) * 0x0f0f0f0f;
}

/* The empty squares where `mine` may play some day: beside discs of `theirs` that can be turned from there. */
TARGET static inline uint64_t KERNEL(frontier)(uint64_t mine, uint64_t theirs)
{
	uint64_t across = theirs & INNER, down = theirs & NOT_1 & NOT_8, both = across & down;
	return (across << 1 | across >> 1 | down << 8 | down >> 8 | both << 7 | both >> 7 |
		both << 9 | both >> 9) &
	       ~(mine | theirs);
}

/* Finds the first move of a set, what is behind it, and its rating. */
TARGET static inline void KERNEL(child)(struct othello_child *c, uint64_t mine, uint64_t theirs,
					uint64_t moves, uint64_t odd)
{
	uint64_t placed = moves & -moves;
	c->square = __builtin_ctzll(moves);
	uint64_t flips = FLIPS(mine, theirs, c->square);
	c->mine = theirs ^ flips;
	c->theirs = mine ^ flips ^ placed;
	c->moves = MOBILITY(c->mine, c->theirs);
	int count = __builtin_popcountll(c->moves) +
		    __builtin_popcountll(c->moves & OTHELLO_CORNERS);
	c->rating = (int)(odd >> c->square & 1) * OTHELLO_REPLY / 2 +
		    (placed & OTHELLO_CORNERS ? OTHELLO_REPLY : 0) - OTHELLO_REPLY * count -
		    OTHELLO_CHANCE * __builtin_popcountll(KERNEL(frontier)(c->mine, c->theirs));
}

/* Five squares, and where the mover can play. */
TARGET static int KERNEL(last5)(struct othello_few *few, uint64_t mine, uint64_t theirs,
				uint64_t moves, int alpha)
{
	int best = NO_MOVE;
	++few->nodes;
	if (!moves) {
		moves = MOBILITY(theirs, mine);
		return moves ? -KERNEL(last5)(few, theirs, mine, moves, ~alpha)
			     : -othello_score(theirs, mine);
	}
	if (alpha >= STABLE_FROM(5)) {
		int most = 64 - 2 * __builtin_popcountll(STABLE(theirs, mine));
		if (most <= alpha)
			return most;
	}
	uint64_t odd = KERNEL(odd_quadrants)(~(mine | theirs));
	for (uint64_t set = moves & odd, later = moves & ~odd;; set &= set - 1) {
		if (!set) {
			if (!later)
				return best;
			set = later;
			later = 0;
		}
		uint64_t flips = FLIPS(mine, theirs, __builtin_ctzll(set));
		uint64_t me = mine ^ flips ^ (set & -set), them = theirs ^ flips;
		int score = -KERNEL(last4)(them, me, ~alpha, &few->nodes);
		if (score > alpha)
			return score;
		if (score > best)
			best = score;
	}
}

/* Six squares or more, `n` of them, and where the mover can play. `again` searches so many squares, `behind` one
 * less. */
INLINED int KERNEL(few_on)(struct othello_few *few, uint64_t mine, uint64_t theirs, uint64_t moves,
			   int alpha, int n, few_search *again, few_search *behind)
{
	++few->nodes;
	if (!moves) {
		moves = MOBILITY(theirs, mine);
		return moves ? -again(few, theirs, mine, moves, ~alpha)
			     : -othello_score(theirs, mine);
	}
	if (alpha >= STABLE_FROM(n)) {
		int most = 64 - 2 * __builtin_popcountll(STABLE(theirs, mine));
		if (most <= alpha)
			return most;
	}
	struct othello_cell *cell = few_cell(few, mine, theirs);
	struct othello_known known = cell_find(cell, mine, theirs);
	if (known.least > alpha)
		return known.least;
	if (known.most <= alpha)
		return known.most;
	struct othello_child list[OTHELLO_FEW];
	int count = 0, first = 0;
	uint64_t odd = KERNEL(odd_quadrants)(~(mine | theirs));
	do {
		struct othello_child *c = &list[count];
		KERNEL(child)(c, mine, theirs, moves, odd);
		if (n > 6)
			__builtin_prefetch(few_cell(few, c->mine, c->theirs));
		if (c->square == known.square)
			c->rating = INT_MAX;
		if (c->rating > list[first].rating)
			first = count;
		count++;
		moves &= moves - 1;
	} while (moves);
	for (int i = 0; n >= LOOK_MIN && i < count; i++) {
		const struct othello_child *c = &list[i];
		int least = -cell_find(few_cell(few, c->mine, c->theirs), c->mine, c->theirs).most;
		if (least > alpha) {
			cell_store(cell, mine, theirs, known, least, alpha, c->square);
			return least;
		}
	}
	struct othello_child front = list[first];
	list[first] = list[0];
	list[0] = front;
	int best = NO_MOVE, square = NO_SQUARE;
	for (int i = 0; i < count; i++) {
		if (i > 0 && n >= SORT_MIN)
			othello_bring_best(list + i, count - i);
		const struct othello_child *c = &list[i];
		int score = -behind(few, c->mine, c->theirs, c->moves, ~alpha);
		if (score > best) {
			best = score;
			square = c->square;
			if (score > alpha)
				break;
		}
	}
	cell_store(cell, mine, theirs, known, best, alpha, square);
	return best;
}

/* Compiled for each number, the processor learns each one's branches. */
#define FEW(NUMBER, BEHIND)                                                                        \
	TARGET static int KERNEL(few##NUMBER)(struct othello_few * few, uint64_t mine,             \
					      uint64_t theirs, uint64_t moves, int alpha)          \
	{                                                                                          \
		return KERNEL(few_on)(few, mine, theirs, moves, alpha, NUMBER,                     \
				      KERNEL(few##NUMBER), KERNEL(BEHIND));                        \
	}

FEW(6, last5)
FEW(7, few6)
FEW(8, few7)
FEW(9, few8)
FEW(10, few9)
FEW(11, few10)

TARGET static int KERNEL(few)(struct othello_few *few, uint64_t mine, uint64_t theirs,
			      uint64_t moves, int alpha)
{
	uint64_t empty = ~(mine | theirs);
	int n = __builtin_popcountll(empty);
	static few_search *const search[OTHELLO_FEW + 1] = {
		[5] = KERNEL(last5), [6] = KERNEL(few6),   [7] = KERNEL(few7),   [8] = KERNEL(few8),
		[9] = KERNEL(few9),  [10] = KERNEL(few10), [11] = KERNEL(few11),
	};
	if (n >= 5)
		return search[n](few, mine, theirs, moves, alpha);
	if (n == 4)
		return KERNEL(last4)(mine, theirs, alpha, &few->nodes);
	if (n == 0)
		return -othello_score(theirs, mine);
	int a = __builtin_ctzll(empty);
	if (n == 1)
		return KERNEL(last1)(mine, alpha, a);
	empty &= empty - 1;
	int b = __builtin_ctzll(empty);
	if (n == 2)
		return KERNEL(last2)(mine, theirs, alpha, a, b, false, &few->nodes);
	empty &= empty - 1;
	return KERNEL(last3)(mine, theirs, alpha, a, b, __builtin_ctzll(empty), false, &few->nodes);
}

TARGET static int KERNEL(expand)(uint64_t mine, uint64_t theirs, uint64_t moves,
				 struct othello_child list[OTHELLO_MOVES_MAX])
{
	uint64_t odd = KERNEL(odd_quadrants)(~(mine | theirs));
	int n = 0;
	for (; moves; moves &= moves - 1)
		KERNEL(child)(&list[n++], mine, theirs, moves, odd);
	return n;
}

#undef FEW
#undef TRY
#undef NO_MOVE
