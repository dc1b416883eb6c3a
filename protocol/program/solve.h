/* SPDX-License-Identifier: MIT
 *
 * The mode `solve`: exact values.
 */
#ifndef PROTOCOL_PROGRAM_SOLVE_H
#define PROTOCOL_PROGRAM_SOLVE_H

#include <stdbool.h>

#include "engine/search/common/algorithm.h"

struct solve_setting {
	const struct game *game;
	const struct options *options;  /* of the engine */
	const struct algorithm *prover; /* used in addition to the game's own solver */
	/* The positions: squares and side in turn, or moves in one word. If there are none: the lines of the file, or of
	 * standard input if `file` is NULL. */
	int count;
	const char *const *words;
	const char *file;
	bool has_limit; /* options->time is the limit of each position */
	bool values;    /* print the values of all moves */
	bool verify, json;
	bool swap; /* White may take over Black's first move, in games with the swap */
	/* The square of the chain whose capture is the question, and the squares where both sides may play,
	 * separated by commas. NULL: the question is the game; the game finds the squares. */
	const char *capture, *area;
	bool has_komi;
	int komi; /* half points that White gets; not those of the rules if has_komi */
};

/* Solves the positions and prints the results on stdout. Returns the exit status: 0; 1 if a position was not
 * solved or not verified; 2 if one cannot be read. */
int solve_run(const struct solve_setting *);

#endif
