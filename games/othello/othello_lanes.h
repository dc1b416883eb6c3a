/* SPDX-License-Identifier: MIT
 *
 * Batched playouts, one game in each lane of a vector. othello_kernel.c includes this file once for each
 * kernel, with
 *
 *     TARGET, INLINED   the attributes of the kernel's functions, and of functions inlined into them
 *     KERNEL(name)      the kernel's function or type of that name
 *     LANES             64-bit lanes of a vector, 1 .. OTHELLO_PLAYOUTS
 *     NTH_BIT(set, n)   the n-th lowest bit of a set
 *
 * All games take turns together. A pass is a turn in which no disc is placed and nothing flips. The batch
 * ends when no game can place a disc in two consecutive turns. Each game has its own generator, so the
 * number of lanes does not change the games.
 */

typedef uint64_t KERNEL(lanes) __attribute__((vector_size(LANES * 8)));
#define lanes KERNEL(lanes)

/* The runs of the opponent's discs on a line, as in struct runs, for every lane. */
struct KERNEL(run) {
	lanes one, two_up, four_up, two_down, four_down;
};

INLINED struct KERNEL(run) KERNEL(run_of)(lanes over, int by)
{
	struct KERNEL(run) r = { .one = over };
	r.two_up = over & over << by;
	r.four_up = r.two_up & r.two_up << 2 * by;
	r.two_down = over & over >> by;
	r.four_down = r.two_down & r.two_down >> 2 * by;
	return r;
}

INLINED lanes KERNEL(run_up)(lanes set, const struct KERNEL(run) * r, int by)
{
	set |= r->one & set << by;
	set |= r->two_up & set << 2 * by;
	return set | (r->four_up & set << 4 * by);
}

INLINED lanes KERNEL(run_down)(lanes set, const struct KERNEL(run) * r, int by)
{
	set |= r->one & set >> by;
	set |= r->two_down & set >> 2 * by;
	return set | (r->four_down & set >> 4 * by);
}

INLINED bool KERNEL(is_empty)(lanes sets)
{
	uint64_t any = 0;
	for (int i = 0; i < LANES; i++)
		any |= sets[i];
	return !any;
}

/* Chooses one square of each set, all equally likely. Nothing from an empty set. */
INLINED lanes KERNEL(choose)(lanes sets, lanes random)
{
	lanes out = { 0 };
	for (int i = 0; i < LANES; i++) {
		uint64_t n = (uint64_t)__builtin_popcountll(sets[i]);
		out[i] = n ? NTH_BIT(sets[i], (uint32_t)((random[i] >> 32) * n >> 32)) : 0;
	}
	return out;
}

/* Plays LANES games: the games `first` .. first+LANES-1 of the batch. */
TARGET static void KERNEL(playouts_from)(uint64_t mine_set, uint64_t theirs_set,
					 const struct rng rng[OTHELLO_PLAYOUTS], int first,
					 int8_t scores[OTHELLO_PLAYOUTS])
{
	lanes mine = { 0 }, theirs = { 0 }, before = { 0 }, a = { 0 }, b = { 0 };
	for (int i = 0; i < LANES; i++) {
		mine[i] = mine_set;
		theirs[i] = theirs_set;
		before[i] = ALL;
		a[i] = rng[first + i].s[0];
		b[i] = rng[first + i].s[1];
	}
	for (int sign = 1;; sign = -sign) {
		struct KERNEL(run) over[LINES];
		lanes up[LINES], down[LINES], moves = mine & ~mine, flips = moves;
#pragma GCC unroll 4
		for (int i = 0; i < LINES; i++) {
			over[i] = KERNEL(run_of)(steps[i] == 8 ? theirs : theirs & INNER, steps[i]);
			up[i] = KERNEL(run_up)(mine, &over[i], steps[i]);
			down[i] = KERNEL(run_down)(mine, &over[i], steps[i]);
			moves |= (up[i] & over[i].one) << steps[i] |
				 (down[i] & over[i].one) >> steps[i];
		}
		moves &= ~(mine | theirs);
		if (KERNEL(is_empty)(moves | before)) {
			for (int i = 0; i < LANES; i++)
				scores[first + i] = (int8_t)(sign *
							     othello_score(mine[i], theirs[i]));
			return;
		}
		before = moves;
		/* The same as rng_next(). */
		lanes sum = a + b, random = (sum << 17 | sum >> 47) + a;
		b ^= a;
		a = (a << 49 | a >> 15) ^ b ^ b << 21;
		b = b << 28 | b >> 36;
		lanes placed = KERNEL(choose)(moves, random);
#pragma GCC unroll 4
		for (int i = 0; i < LINES; i++)
			flips |= (up[i] & KERNEL(run_down)(placed, &over[i], steps[i])) |
				 (down[i] & KERNEL(run_up)(placed, &over[i], steps[i]));
		lanes next = theirs ^ flips;
		theirs = mine | placed | flips;
		mine = next;
	}
}

TARGET static void KERNEL(playouts)(uint64_t mine, uint64_t theirs, struct rng *rng,
				    int8_t scores[OTHELLO_PLAYOUTS])
{
	struct rng all[OTHELLO_PLAYOUTS];
	for (int i = 0; i < OTHELLO_PLAYOUTS; i++)
		rng_seed(&all[i], rng_next(rng));
	for (int first = 0; first < OTHELLO_PLAYOUTS; first += LANES)
		KERNEL(playouts_from)(mine, theirs, all, first, scores);
}

#undef lanes
