/* SPDX-License-Identifier: MIT
 *
 * A tournament: plays the games of a schedule between two or more engines, several at a time, and stores each
 * in a database when it ends. A tournament of two engines may end early by a sequential test (sprt.h).
 *
 * It runs on one rank or on many (tools/ranks/ranks.h). Rank 0 hands out the games one at a time and stores the
 * results. The workers play them (worker.h).
 */
#ifndef TOOLS_MATCH_TOURNAMENT_H
#define TOOLS_MATCH_TOURNAMENT_H

#include "tools/match/referee.h"

#define TOURNAMENT_GAMES_MAX 100000 /* of each two engines */
#define TOURNAMENT_UNUSABLE  2      /* exit status: the tournament did not start */

struct tournament_settings {
	const char *name;          /* tells matches on equal terms apart in the database, or NULL */
	const char *openings_file; /* NULL: no file */
	bool usual;                /* use the game's usual openings, if it has some (lib/usual.h) */
	int columns;               /* of the file: enum import_columns */
	int opening_moves; /* moves of each game of the file, 0: all; without a file random moves */
	int games;         /* of each two engines; even unless the colours are fixed */
	int seed;          /* of openings and engines */
	bool fixed;        /* the engine given first always plays Black */
	bool gauntlet;     /* the first engine meets all others, instead of each against each */
	bool tested;
	struct sprt sprt;        /* if tested, which is for two engines */
	int concurrency;         /* number of workers of a rank */
	bool scales_time;        /* slower machines get more time, faster ones less */
	int part, parts;         /* play only part 1 .. parts of the openings; parts 0: play all */
	const char *output;      /* the database, NULL: in memory */
	const char *stderr_file; /* receives the engines' stderr; NULL: nothing does */
	const char *clock;       /* text of the clock, as given, if the terms have one */
	struct terms terms;      /* the descriptors are filled in by tournament_play */
};

/* Plays a tournament of the engines that `commands` start (players.h) and prints the results on stdout.
 * Continues the match of equal terms in the database. All ranks must call it. Returns the exit status: 0, TOURNAMENT_UNUSABLE,
 * EXIT_FAILURE if a result could not be written, 128 + the signal that ended it. */
int tournament_play(const struct tournament_settings *, int count, const char *const *commands);

#endif
