/* SPDX-License-Identifier: MIT */
#include "games/go/go_small.h"

static struct shape shapes[SMALL_SIDE_MAX + 1];

const struct shape *small_shape(int size)
{
	return &shapes[size];
}

/* --- sets --- */

static inline bool set_is_single(set_t set)
{
	return set && !(set & (set - 1));
}

/* A set and its neighbours. */
static inline set_t set_grown(const struct shape *shape, set_t set)
{
	return (set | set << shape->size | set >> shape->size | (set & ~shape->last) << 1 |
		(set & ~shape->first) >> 1) &
	       shape->all;
}

/* The part of `in` that is connected with `seed`, a subset of it. */
static inline set_t set_filled(const struct shape *shape, set_t seed, set_t in)
{
	for (set_t grown;; seed = grown) {
		grown = set_grown(shape, seed) & in;
		if (grown == seed)
			return seed;
	}
}

static void shape_init(struct shape *shape, int size)
{
	*shape = (struct shape) { .size = size, .squares = size * size };
	shape->all = (1u << shape->squares) - 1;
	for (int i = 0; i < size; i++) {
		shape->first |= 1u << i * size;
		shape->last |= 1u << (i * size + size - 1);
	}
	for (int i = 0; i < shape->squares; i++)
		shape->near[i] = set_grown(shape, 1u << i) & ~(1u << i);
	for (int i = 0; i < SYMMETRIES * shape->squares; i++) {
		int symmetry = i % SYMMETRIES, square = i / SYMMETRIES;
		int row = square / size, col = square % size;
		int r = symmetry & 4 ? col : row, c = symmetry & 4 ? row : col;
		r = symmetry & 1 ? size - 1 - r : r;
		c = symmetry & 2 ? size - 1 - c : c;
		for (set_t set = 0; set < 1u << 2 * size; set++)
			if (set >> square % (2 * size) & 1)
				shape->images[row / 2][set].set[symmetry] |= 1u << (r * size + c);
	}
}

void small_init(void)
{
	for (int size = 2; size <= SMALL_SIDE_MAX; size++)
		shape_init(&shapes[size], size);
}

/* --- rules --- */

bool small_play(const struct shape *shape, const struct position *p, int square,
		struct position *after, set_t *dead)
{
	set_t stone = 1u << square, own = p->stones[p->side] | stone,
	      other = p->stones[p->side ^ 1];
	set_t empty = shape->all & ~(own | other);
	*dead = 0;
	for (set_t left = shape->near[square] & other; left;) {
		set_t chain = set_filled(shape, left & -left, other);
		left &= ~chain;
		if (!(set_grown(shape, chain) & empty))
			*dead |= chain;
	}
	empty |= *dead;
	set_t chain = shape->near[square] & empty ? stone : set_filled(shape, stone, own);
	if (!(set_grown(shape, chain) & empty))
		return false;
	after->stones[p->side] = own;
	after->stones[p->side ^ 1] = other & ~*dead;
	after->side = p->side ^ 1;
	after->passes = 0;
	bool makes_ko = set_is_single(*dead) && !(shape->near[square] & own) &&
			(shape->near[square] & empty) == *dead;
	after->ko = makes_ko ? (uint8_t)set_first(*dead) : NONE;
	return true;
}

struct position small_pass(const struct position *p)
{
	struct position after = *p;
	after.side ^= 1;
	after.passes++;
	after.ko = NONE;
	return after;
}

int small_margin(const struct shape *shape, set_t own, set_t other)
{
	set_t empty = shape->all & ~(own | other);
	int margin = set_count(own) - set_count(other);
	for (set_t left = empty; left;) {
		set_t region = set_filled(shape, left & -left, empty);
		set_t around = set_grown(shape, region);
		left &= ~region;
		margin += set_count(region) * (!(around & other) - !(around & own));
	}
	return margin;
}

/* --- points that are safe for a side ---
 *
 * The chains of a side and the regions of all other points (Benson, 1976). A region is vital to a chain if all its
 * points are next to the chain; Benson demands that of empty points only. A set of chains is alive if each of them has
 * two vital regions which only chains of the set surround.
 *
 * The side gets these chains and regions, whatever the other side does. It plays in a region only if there are stones
 * of the other side in it. Each such stone of its own joins the chain, so that the region becomes smaller. It never
 * vanishes, because the last one captures. The other side can never fill it, because that would be suicide.
 */

#define PARTS_MAX 16 /* most chains, and most regions */

/* Divides a set into its connected parts. Returns their number, or -1 if there are more than PARTS_MAX. */
static int set_parts(const struct shape *shape, set_t set, set_t parts[PARTS_MAX])
{
	int count = 0;
	for (set_t left = set; left; left &= ~parts[count++]) {
		if (count == PARTS_MAX)
			return -1;
		parts[count] = set_filled(shape, left & -left, set);
	}
	return count;
}

struct safe small_safe(const struct shape *shape, set_t own)
{
	set_t chains[PARTS_MAX], regions[PARTS_MAX], around[PARTS_MAX];
	struct safe safe = { 0, 0 };
	set_t rest = shape->all & ~own;
	if (rest == 0 || set_filled(shape, rest & -rest, rest) == rest)
		return safe; /* fewer than two regions */
	int region_count = set_parts(shape, rest, regions);
	int chain_count = set_parts(shape, own, chains);
	if (chain_count < 1 || region_count < 2)
		return safe;
	for (int i = 0; i < chain_count; i++)
		around[i] = set_grown(shape, chains[i]);
	set_t alive = own, before = 0; /* stones */
	while (alive != before) {
		before = alive;
		alive = 0;
		for (int i = 0; i < chain_count; i++) {
			int vital = 0;
			for (int k = 0; k < region_count && chains[i] & before; k++)
				vital += !(regions[k] & ~around[i]) &&
					 !(set_grown(shape, regions[k]) & own & ~before);
			if (vital >= 2)
				alive |= chains[i];
		}
	}
	safe.points = alive;
	for (int k = 0; k < region_count; k++) {
		bool vital = false;
		if (set_grown(shape, regions[k]) & own & ~alive)
			continue;
		for (int i = 0; i < chain_count; i++)
			vital |= chains[i] & alive && !(regions[k] & ~around[i]);
		if (!vital)
			continue;
		safe.points |= regions[k];
		if (set_count(regions[k]) > 1)
			safe.contested |= regions[k];
	}
	return safe;
}
