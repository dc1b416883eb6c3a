/* SPDX-License-Identifier: MIT
 *
 * The mode `review`: prints what the mistakes of a recorded game cost and why.
 */
#ifndef PROTOCOL_PROGRAM_REVIEW_H
#define PROTOCOL_PROGRAM_REVIEW_H

#include <stdbool.h>

#include "engine/search/common/options.h"

struct game;

struct review_setting {
	const struct game *game; /* of a file that names none */
	const struct options *options;
	const char *path;   /* a file of records */
	int number;         /* of the record, from 1 */
	int columns;        /* enum import_columns */
	const char *output; /* the file of the annotated record, or NULL */
	bool json;
	bool worst; /* the worst mistakes come first */
};

/* Reviews a game and prints the result on stdout. Returns the exit status: 0; 1 if a search failed or the output could not be
 * written; 2 if the file cannot be read. */
int review_run(const struct review_setting *);

#endif
