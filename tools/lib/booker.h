/* SPDX-License-Identifier: MIT
 *
 * Making a game's book of openings (engine/book.h) from nothing but searches, by drop-out expansion (Lincke, 2000).
 *
 * The book in the making is a graph of positions, one of each symmetry, that a position with no choice but a pass never
 * is part of. Each has been searched by what plays the game best, with only those moves to choose from that lead out of the graph; the best of
 * these is its *rest*. A position is worth the best of its rest and of the positions that its other moves lead to, so
 * values come back through the graph by minimax. It grows by a rest that becomes a position; it is
 * searched, and so is again every position whose rest it was.
 *
 * The next to grow is the rest that is reached most cheaply from the start of the game by two players of whom one
 * follows the book: every move costs a little, and what it gives away against the best one, several times over if the
 * follower gives it. All positions that were wanted at first are as near as the start.
 *
 * Equal settings give equal books, however many threads there are: what grows depends on the graph alone, and every search
 * begins anew. Each search's result is kept in a file as it comes, and a search that is in there is not made again, so
 * that a run that was ended goes on.
 *
 * In the book are the positions of which a move was looked behind, each with its moves that are about as good as the best.
 * Values are as its entries have them.
 */
#ifndef TOOLS_LIB_BOOKER_H
#define TOOLS_LIB_BOOKER_H

#include "engine/book.h"

struct booking {
	const struct game *game;
	const char *output;  /* takes the book */
	const char *journal; /* the file of results, read at first */
	double seconds;      /* for this run */
	int work;            /* playouts or nodes of a search */
	int positions;       /* most in the graph */
	int depth;           /* moves from the start within which it has all positions at first */
	double step;         /* what a move costs */
	double equal;        /* moves are as good as the best that give away no more */
	int memory;          /* of a search, as the option */
	int threads;         /* searches at a time */
};

/* Makes the book and reports on standard output; a failure ends the process with a message. */
void booker_run(const struct booking *);

/* Writes entries, which are in the order of a book, to settings->output; a failure ends the process. */
void booker_write(const struct booking *, const struct book_entry *entries, uint32_t count);

#endif
