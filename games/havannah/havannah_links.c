/* SPDX-License-Identifier: MIT
 *
 * One pass over the stones makes the groups, so that each point costs only a look at its six neighbours and the six points
 * beyond them.
 */
#include "games/havannah/havannah_links.h"

#include <stdlib.h>
#include <string.h>

/* --- groups --- */

static int havannah_links_root_of(const uint16_t *parent, int point)
{
	while (parent[point] != point)
		point = parent[point];
	return point;
}

/* The sides that a stone reaches by a bridge: beyond two empty neighbours on one side of the board. `one` and `other` are
 * these neighbours. */
static unsigned side_beyond(const struct havannah_board *b, int one, int other)
{
	return havannah_border(b->base, one) & havannah_border(b->base, other);
}

/* Joins the chain of a stone with those to which it has a bridge. `parent` makes trees of the roots of chains. Returns
 * the sides that it reaches by a bridge. */
static unsigned link_stone(const struct havannah_board *b, int point, int side, uint16_t *parent)
{
	unsigned touched = 0;
	int root = havannah_links_root_of(parent, havannah_chain(b, point));
	for (int i = 0; i < HAVANNAH_NEAR; i++) {
		int one = point + havannah_near_step[i];
		int other = point + havannah_near_step[(i + 1) % HAVANNAH_NEAR];
		int beyond = one + havannah_near_step[(i + 1) % HAVANNAH_NEAR];
		if (b->content[one] != HAVANNAH_EMPTY || b->content[other] != HAVANNAH_EMPTY)
			continue;
		if (b->content[beyond] == HAVANNAH_BORDER)
			touched |= side_beyond(b, one, other);
		if (b->content[beyond] != side)
			continue;
		int far = havannah_links_root_of(parent, havannah_chain(b, beyond));
		parent[far] = (uint16_t)root;
	}
	return touched;
}

void havannah_find_links(const struct havannah_board *b, int side, struct havannah_links *l)
{
	uint16_t stones[HAVANNAH_CELLS(HAVANNAH_BASE_MAX)], beyond[HAVANNAH_POINTS];
	uint16_t parent[HAVANNAH_POINTS];
	int count = havannah_list_stones(b, side, stones);
	memset(l->group, 0, sizeof l->group);
	l->groups = 0;
	for (int i = 0; i < count; i++)
		parent[stones[i]] = stones[i];
	for (int i = 0; i < count; i++)
		beyond[i] = (uint16_t)link_stone(b, stones[i], side, parent);
	for (int i = 0; i < count; i++) {
		int chain = havannah_chain(b, stones[i]),
		    root = havannah_links_root_of(parent, chain);
		if (!l->group[root]) {
			l->groups += l->groups < UINT8_MAX;
			l->group[root] = (uint8_t)l->groups;
			l->touched[l->groups] = 0;
		}
		int group = l->group[stones[i]] = l->group[root];
		l->touched[group] |= (uint16_t)(b->touched[chain] | beyond[i]);
	}
}

/* --- traits --- */

static uint64_t havannah_links_bit(int trait)
{
	return UINT64_C(1) << trait;
}

/* The trait for a count: `least` has the first one of `traits`, and the last one stands for all larger counts. */
static uint64_t bit_of_count(int trait, int traits, int least, int count)
{
	if (count < least)
		return 0;
	count -= least;
	return havannah_links_bit(trait + (count < traits ? count : traits - 1));
}

/* The groups that a stone would join, next to it or by a bridge. */
struct reached {
	int groups;
	uint8_t group[2 * HAVANNAH_NEAR];
	/* For each group the directions in which it lies, clockwise: even ones are neighbours, odd ones bridges. */
	uint16_t directions[2 * HAVANNAH_NEAR];
};

static void havannah_links_reach(struct reached *r, int group, int direction)
{
	int i = 0;
	r->group[r->groups] = (uint8_t)group;
	r->directions[r->groups] = 0;
	while (r->group[i] != group)
		i++;
	r->groups += i == r->groups;
	r->directions[i] |= (uint16_t)(1u << direction);
}

/* Returns true if two of the directions have a gap of more than three between them on both ways round. */
static bool surrounds(unsigned directions)
{
	const unsigned all = (1u << 2 * HAVANNAH_NEAR) - 1;
	unsigned twice = directions | directions << 2 * HAVANNAH_NEAR, far = 0;
	for (int i = 4; i <= 2 * HAVANNAH_NEAR - 4; i++)
		far |= twice >> i;
	return directions & far & all;
}

static uint64_t traits_of_side(const struct havannah_board *b, const struct havannah_links *l,
			       int point, int side)
{
	struct reached r = { 0 };
	unsigned own = havannah_border(b->base, point), touched, near = b->near[point][side];
	int most = 0;
	uint64_t traits = 0;
	for (int i = 0; i < HAVANNAH_NEAR; i++) {
		int one = point + havannah_near_step[i];
		int other = point + havannah_near_step[(i + 1) % HAVANNAH_NEAR];
		int beyond = one + havannah_near_step[(i + 1) % HAVANNAH_NEAR];
		if (l->group[one])
			havannah_links_reach(&r, l->group[one], 2 * i);
		if (b->content[one] != HAVANNAH_EMPTY || b->content[other] != HAVANNAH_EMPTY)
			continue;
		if (b->content[beyond] == HAVANNAH_BORDER)
			own |= side_beyond(b, one, other);
		if (l->group[beyond])
			havannah_links_reach(&r, l->group[beyond], 2 * i + 1);
	}
	if (r.groups == 0)
		return 0;
	touched = own;
	for (int i = 0; i < r.groups; i++) {
		int touches = __builtin_popcount(l->touched[r.group[i]]);
		touched |= l->touched[r.group[i]];
		most = touches > most ? touches : most;
		traits |= surrounds(r.directions[i]) ? havannah_links_bit(TRAIT_RINGS) : 0;
	}
	int touches = __builtin_popcount(touched);
	traits |= bit_of_count(TRAIT_TOUCHES, 4, 0, touches);
	traits |= bit_of_count(TRAIT_GAINS, 2, 1, touches - most);
	traits |= bit_of_count(TRAIT_JOINS, 3, 1, r.groups);
	traits |= bit_of_count(TRAIT_NEAR, 4, 1, __builtin_popcount(near));
	traits |= touches > most && havannah_is_won(touched) ? havannah_links_bit(TRAIT_WINS) : 0;
	for (int i = 0; i < HAVANNAH_NEAR; i++) {
		unsigned ends = 1u << (i + 1) % HAVANNAH_NEAR | 1u << (i + 5) % HAVANNAH_NEAR;
		if ((near & ends) == ends &&
		    b->content[point + havannah_near_step[i]] == HAVANNAH_EMPTY)
			traits |= havannah_links_bit(TRAIT_KEEPS);
	}
	return traits;
}

uint64_t havannah_traits(const struct havannah_board *b, const struct havannah_links links[2],
			 int point, int side, int last, int answer)
{
	uint64_t traits = traits_of_side(b, &links[side], point, side) |
			  traits_of_side(b, &links[side ^ 1], point, side ^ 1) << TRAITS_OF_SIDE;
	int row = havannah_row(b->base, point);
	traits |= havannah_links_bit(TRAIT_ROW + (row < 3 ? row : 3));
	if (havannah_border(b->base, point) & HAVANNAH_CORNERS)
		traits |= havannah_links_bit(TRAIT_CORNER);
	if (point == answer)
		traits |= havannah_links_bit(TRAIT_ANSWER);
	if (!last)
		return traits;
	int rows = point / HAVANNAH_STRIDE - last / HAVANNAH_STRIDE;
	int cols = point % HAVANNAH_STRIDE - last % HAVANNAH_STRIDE;
	int steps = (abs(rows) + abs(cols) + abs(rows + cols)) / 2;
	/* At a distance of two the bridges are those off the three lines. */
	bool bridge = steps == 2 && rows && cols && rows + cols;
	if (steps <= 3)
		traits |= havannah_links_bit(TRAIT_LAST + (steps == 1 ? 0 : bridge ? 1 : steps));
	return traits;
}
