/* SPDX-License-Identifier: MIT
 *
 * Who plays whom, and when: the games of a match in their order. All pairings play an opening before any
 * plays the next, so that a match that is ended early has been fair so far.
 */
#ifndef TOOLS_LIB_SCHEDULE_H
#define TOOLS_LIB_SCHEDULE_H

#include <stdbool.h>

struct schedule {
	int players;   /* at least 2 */
	bool gauntlet; /* the first player plays all others, which do not play each other */
	bool paired;   /* each opening is played twice, with colours exchanged */
	int games;     /* of each pairing; even if paired */
};

struct fixture {
	int a, b;    /* players, a < b */
	int color;   /* a's */
	int opening; /* from 1 */
};

/* The number of games. */
int schedule_count(const struct schedule *);

/* The n-th of them, from 1. */
struct fixture schedule_at(const struct schedule *, int number);

#endif
