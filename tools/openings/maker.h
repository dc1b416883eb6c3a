/* SPDX-License-Identifier: MIT
 *
 * A maker of openings that give neither side an advantage. Candidates are random positions. Each is different from all
 * before it, also in every symmetry of the board. A candidate stays if it is proven to be a draw, or if two long
 * searches with different seeds value it near a draw. Where the game has symmetries, the second search sees the board
 * in another one.
 *
 * A candidate depends only on its number and the seed, and all searches have work limits. So equal settings make equal
 * files, on every machine and after any interruption. The file itself is the journal: its head says how many candidates
 * were examined. It is replaced whole after each of them. One thread.
 */
#ifndef TOOLS_OPENINGS_MAKER_H
#define TOOLS_OPENINGS_MAKER_H

#include "engine/rules/game.h"

struct maker_settings {
	const struct game *game;
	const char *output;
	const char *known; /* file of positions whose values are known (known.h), or NULL */
	const char *search;
	int count;       /* openings wanted */
	int least, most; /* moves of an opening */
	int work;        /* units of work of each of the two long searches */
	int filter;      /* of the short search before them */
	int proof;       /* of the proof by search, 0: none */
	double solve;    /* seconds that the game's solver may expect to need, 0: it is not used */
	double bound;    /* |value| of a level position is below it in both long searches */
	double coarse;   /* the same in the short search */
	int seed;
	int memory; /* MiB of each search */
};

/* Makes the file, or goes on with it. Returns the exit status: 0 if the file has all openings, 1 after a message if a
 * file fails, was made with other settings, or the game has no more positions. */
int maker_run(const struct maker_settings *);

#endif
