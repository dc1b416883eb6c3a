/* SPDX-License-Identifier: MIT
 *
 * Exact values: the mode `solve`, which takes positions, and (in solve.c) the GTP command of that name.
 */
#ifndef PROTOCOL_SOLVE_H
#define PROTOCOL_SOLVE_H

#include <stdbool.h>

#include "engine/algorithm.h"

struct solve_setting {
	const struct game *game;
	const struct options *options;  /* of the engine */
	const struct algorithm *prover; /* the search to use, besides the game's own solver */
	/* The positions: squares and side, one after the other; none: lines of the file, or if that is NULL of
	 * standard input. */
	int count;
	const char *const *words;
	const char *file;
	bool has_limit; /* options->time is the limit of each position */
	bool values;    /* of all moves */
	bool verify, json;
};

/* Solves and prints them on stdout. Returns the exit status: 0, 1 if one was not solved or not verified, 2 if one
 * cannot be read. */
int solve_run(const struct solve_setting *);

#endif
