/* SPDX-License-Identifier: MIT
 *
 * Making a game's book of openings (engine/book.h) from nothing but searches.
 *
 * The positions of the first moves, one of each symmetry, are a graph that ends in a frontier. Frontier
 * positions are searched, all of them briefly, then again and again those that matter with four times
 * the work: those that are among the best answers to a position before them, of fewer and fewer. What
 * they are worth is brought back through the graph by minimax; the book has the best moves of all
 * positions before the frontier. Each search's result is kept in a file as it comes, so that a run that was
 * ended goes on.
 */
#ifndef TOOLS_LIB_BOOKER_H
#define TOOLS_LIB_BOOKER_H

#include "engine/game.h"

struct booking {
	const struct game *game;
	const char *output;  /* takes the book */
	const char *journal; /* the file of results, read at first */
	double seconds;      /* for this run */
	int depth;           /* moves from the start to the frontier */
	int work;            /* simulations of the first search of a position */
	int rounds;          /* after the first one */
	int threads;         /* searches at a time */
};

/* Makes the book and reports on standard output; a failure ends the process with a message. */
void booker_run(const struct booking *);

#endif
