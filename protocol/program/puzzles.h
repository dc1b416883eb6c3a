/* SPDX-License-Identifier: MIT
 *
 * The mode `puzzles`: prints positions in which exactly one move keeps a proven result.
 */
#ifndef PROTOCOL_PROGRAM_PUZZLES_H
#define PROTOCOL_PROGRAM_PUZZLES_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/search/common/options.h"

struct game;

#define PUZZLES_COUNT 5 /* the default of --count */
#define PUZZLES_MAX   1000
#define PUZZLES_NODES 5000 /* the default of --nodes */

struct puzzles_setting {
	const struct game *game;
	const struct options *options;
	int count;
	int64_t nodes; /* for each position */
	const char *
		path; /* a record whose mistakes become puzzles; NULL: games of yomi against itself */
	const char *output;  /* the file of the puzzles in SGF, or NULL */
	int number, columns; /* of the game in that file; enum import_columns */
	bool json;
};

/* Prints puzzles on stdout. Returns the exit status: 0; 1 if there were none, a search failed or the output could not be
 * written; 2 if the record cannot be read. */
int puzzles_run(const struct puzzles_setting *);

#endif
