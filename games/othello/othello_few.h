/* SPDX-License-Identifier: MIT
 *
 * The search of the last few empty squares. Almost all nodes of an endgame search are here. othello_kernel.c
 * includes this file once for each kernel, with
 *
 *     TARGET, INLINED    the attributes of the kernel's functions, and of functions inlined into them
 *     KERNEL(name)       the kernel's function of that name
 *     FLIPS(mine, theirs, square), MOBILITY(mine, theirs), STABLE(mine, theirs)
 *     TURNED(mine, square)    twice the number of discs that the last empty square turns: for the mover in
 *                             the low byte, for the other side in the next byte
 *
 * Every function searches the mover's score with the null window alpha .. alpha+1. A result above alpha is a
 * lower bound, otherwise an upper bound. With at least six empty squares positions are stored in a small
 * table, and moves are rated. The rating needs the other side's legal moves, which are passed on to its
 * search. The last four squares are tried one by one without a list of moves. The last two are searched
 * together without branches, because almost always both must be searched.
 */

/* The score with one empty square. */
INLINED int KERNEL(last1)(uint64_t mine, int square)
{
	int score = 2 * __builtin_popcountll(mine) - 62, turned = TURNED(mine, square);
	if (!turned)
		return score > 0 ? score : score - 2;
	int gain = turned & 255, none = -(gain == 0);
	return score + gain - (none & (2 + (turned >> 8)));
}

/* Tries a square. CHILD is the score of the position after it, for the other side. */
#define TRY(SQUARE, CHILD)                                                                         \
	if (near[SQUARE] & theirs) {                                                               \
		uint64_t flips = FLIPS(mine, theirs, SQUARE);                                      \
		if (flips) {                                                                       \
			uint64_t them = theirs ^ flips,                                            \
				 me = mine ^ flips ^ UINT64_C(1) << (SQUARE);                      \
			int score = -(CHILD);                                                      \
			REFETCH(mine, theirs);                                                     \
			if (score > alpha)                                                         \
				return score;                                                      \
			if (score > best)                                                          \
				best = score;                                                      \
		}                                                                                  \
	}

#define NO_MOVE (-128)

/* The score with two empty squares, NO_MOVE if the mover must pass. */
INLINED int KERNEL(last2_on)(uint64_t mine, uint64_t theirs, int a, int b)
{
	uint64_t flips_a = FLIPS(mine, theirs, a), flips_b = FLIPS(mine, theirs, b);
	int score_a = -KERNEL(last1)(theirs ^ flips_a, b);
	int score_b = -KERNEL(last1)(theirs ^ flips_b, a);
	score_a = flips_a ? score_a : NO_MOVE;
	score_b = flips_b ? score_b : NO_MOVE;
	return score_a > score_b ? score_a : score_b;
}

/* Not inlined: this rare case would take registers from the common one. */
TARGET __attribute__((noinline)) static int KERNEL(last2_passed)(uint64_t mine, uint64_t theirs,
								 int a, int b)
{
	int best = KERNEL(last2_on)(mine, theirs, a, b);
	return best != NO_MOVE ? best : othello_score(mine, theirs);
}

TARGET static int KERNEL(last2)(uint64_t mine, uint64_t theirs, int a, int b, uint64_t *nodes)
{
	++*nodes;
	int best = KERNEL(last2_on)(mine, theirs, a, b);
	if (best != NO_MOVE)
		return best;
	++*nodes;
	return -KERNEL(last2_passed)(theirs, mine, a, b);
}

/* The score with three empty squares. A square in an even quadrant is tried first. */
TARGET static int KERNEL(last3)(uint64_t mine, uint64_t theirs, int alpha, uint64_t odd,
				bool passed, uint64_t *nodes)
{
	uint64_t empty = ~(mine | theirs), rest = empty & (empty & ~odd ? ~odd : ALL);
	int best = NO_MOVE, a = __builtin_ctzll(rest);
	rest = empty & ~(rest & -rest);
	int b = __builtin_ctzll(rest), c = __builtin_ctzll(rest & (rest - 1));
	++*nodes;
	TRY(a, KERNEL(last2)(them, me, b, c, nodes))
	TRY(b, KERNEL(last2)(them, me, a, c, nodes))
	TRY(c, KERNEL(last2)(them, me, a, b, nodes))
	if (best != NO_MOVE)
		return best;
	return passed ? -othello_score(theirs, mine)
		      : -KERNEL(last3)(theirs, mine, ~alpha, odd, true, nodes);
}

TARGET static int KERNEL(last4)(uint64_t mine, uint64_t theirs, int alpha, uint64_t odd,
				bool passed, uint64_t *nodes)
{
	int best = NO_MOVE;
	++*nodes;
	for (uint64_t empty = ~(mine | theirs); empty; empty &= empty - 1) {
		int square = __builtin_ctzll(empty);
		uint64_t odd_behind = odd ^ quadrant[square];
		TRY(square, KERNEL(last3)(them, me, ~alpha, odd_behind, false, nodes))
	}
	if (best != NO_MOVE)
		return best;
	return passed ? -othello_score(theirs, mine)
		      : -KERNEL(last4)(theirs, mine, ~alpha, odd, true, nodes);
}

/* The quadrants with an odd number of empty squares. */
TARGET static inline uint64_t KERNEL(odd_quadrants)(uint64_t empty)
{
	uint64_t odd = empty ^ empty >> 1; /* the parity of each quadrant, in its lowest bit */
	odd ^= odd >> 2;
	odd ^= odd >> 8;
	odd ^= odd >> 16;
	return (odd & UINT64_C(0x0000001100000011)) * 0x0f0f0f0f;
}

/* The empty squares where `mine` may get a move: those next to discs of `theirs` that might be turned from
 * there. */
TARGET static inline uint64_t KERNEL(frontier)(uint64_t mine, uint64_t theirs)
{
	uint64_t across = theirs & INNER, down = theirs & NOT_1 & NOT_8, both = across & down;
	return (across << 1 | across >> 1 | down << 8 | down >> 8 | both << 7 | both >> 7 |
		both << 9 | both >> 9) &
	       ~(mine | theirs);
}

/* Computes the child after the first move of a set, and its rating. */
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

/* The score with five empty squares; `moves` are the legal moves. Squares of odd quadrants come first,
 * because the mover usually gets the last square there. */
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
		int square = __builtin_ctzll(set);
		uint64_t flips = FLIPS(mine, theirs, square);
		uint64_t me = mine ^ flips ^ (set & -set), them = theirs ^ flips;
		int score = -KERNEL(last4)(them, me, ~alpha, odd ^ quadrant[square], false,
					   &few->nodes);
		if (score > alpha)
			return score;
		if (score > best)
			best = score;
	}
}

/* The score with n >= 6 empty squares; `moves` are the legal moves. `again` searches n squares, `behind` n
 * - 1. */
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
		if (n > 7)
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

/* Compiled once for each number of squares, so the processor predicts the branches of each separately. */
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
	if (n == 0)
		return -othello_score(theirs, mine);
	uint64_t odd = KERNEL(odd_quadrants)(empty);
	int a = __builtin_ctzll(empty);
	if (n == 1)
		return KERNEL(last1)(mine, a);
	if (n == 2)
		return KERNEL(last2)(mine, theirs, a, __builtin_ctzll(empty & (empty - 1)),
				     &few->nodes);
	return n == 3 ? KERNEL(last3)(mine, theirs, alpha, odd, false, &few->nodes)
		      : KERNEL(last4)(mine, theirs, alpha, odd, false, &few->nodes);
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
