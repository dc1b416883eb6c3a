/* SPDX-License-Identifier: MIT
 *
 * The schedule of a match: who plays whom, in which order. All pairings play an opening before any pairing
 * plays the next one. A match that is ended early is therefore fair.
 */
#ifndef TOOLS_MATCH_SCHEDULE_H
#define TOOLS_MATCH_SCHEDULE_H

#include <stdbool.h>

struct schedule {
	int players;   /* at least 2 */
	bool gauntlet; /* the first player meets all others, which do not meet each other */
	bool paired;   /* each pairing plays each opening twice, with colours exchanged */
	int games;     /* of each pairing; even if paired */
};

struct fixture {
	int a, b;    /* players, a < b */
	int color;   /* a's */
	int opening; /* from 1 */
};

/* The number of games. */
int schedule_count(const struct schedule *);

/* Returns game `number` of the schedule, counted from 1. */
struct fixture schedule_at(const struct schedule *, int number);

#endif
