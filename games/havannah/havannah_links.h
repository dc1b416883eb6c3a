/* SPDX-License-Identifier: MIT
 *
 * What is seen of a position of Havannah at a glance: the groups of chains that bridges join, and the traits of an empty
 * point. Prior knowledge rates the points by them.
 *
 * A bridge is two common empty neighbours of two stones, or of a stone and a side of the board: the other side can take
 * only one of the two. A group that touches two corners or three sides is nearly won.
 */
#ifndef GAMES_HAVANNAH_HAVANNAH_LINKS_H
#define GAMES_HAVANNAH_HAVANNAH_LINKS_H

#include "games/havannah/havannah_board.h"

/* The groups of one side. */
struct havannah_links {
	/* The number of a stone's group, from 1; 0: no stone of the side. */
	uint8_t group[HAVANNAH_POINTS];
	/* Corners and sides that each group touches, also by bridges. */
	uint16_t touched[UINT8_MAX + 1];
	int groups;
};

void havannah_find_links(const struct havannah_board *, int side, struct havannah_links *);

/* The traits of a point that rate it. Those of a stone of one side come twice: for the side to choose, and for the other
 * one. */
enum havannah_trait {
	/* The group that the stone would join or make: what it touches, from 0 to 3 and more. Only if it joins one. */
	TRAIT_TOUCHES,
	/* How many of these no group touches that it joins: 1, 2 and more. */
	TRAIT_GAINS = TRAIT_TOUCHES + 4,
	/* The groups that it joins: 1, 2, 3 and more. */
	TRAIT_JOINS = TRAIT_GAINS + 2,
	/* Its neighbours of that side: 1, 2, 3, 4 and more. */
	TRAIT_NEAR = TRAIT_JOINS + 3,
	TRAIT_WINS = TRAIT_NEAR + 4, /* the group touches two corners or three sides */
	TRAIT_RINGS,                 /* the stone reaches one group in two directions */
	TRAIT_KEEPS,                 /* the point belongs to a bridge */
	TRAITS_OF_SIDE,

	/* Steps to the other side's last stone: 1, 2 by a bridge, 2, 3. */
	TRAIT_LAST = 2 * TRAITS_OF_SIDE,
	TRAIT_ANSWER = TRAIT_LAST + 4, /* keeps a bridge that the last stone would break */
	TRAIT_ROW,                     /* the distance from the border: 0 to 3 */
	TRAIT_CORNER = TRAIT_ROW + 4,
	TRAITS
};
_Static_assert(TRAITS <= 64, "a set of traits fits a word");

/* The traits of an empty point as bits. `links` are those of Black and White. `last` is the point of the last stone and
 * `answer` that of havannah_broken_bridge, 0: there is none. */
uint64_t havannah_traits(const struct havannah_board *, const struct havannah_links links[2],
			 int point, int side, int last, int answer);

#endif
