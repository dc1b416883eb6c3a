/* SPDX-License-Identifier: MIT
 *
 * Builds a game's opening book (engine/rules/book.h) from searches alone, by drop-out expansion (T. R. Lincke,
 * "Strategies for the automatic construction of opening books", 2000).
 *
 * The book under construction is a graph. A node is a position: one of each symmetry class, and none in
 * which a pass is forced. The default search analyses each node, restricted to the moves that lead out of
 * the graph. The best of these is the node's drop-out move. The value of a node is the best of its drop-out
 * move and of its child nodes: minimax brings the values back through the graph. The graph grows when the
 * position after a drop-out move becomes a node. The new node is searched, and every node whose drop-out
 * move led to it is searched again.
 *
 * The graph grows where the path from the start of the game is cheapest. One of the two players follows the
 * book. Each move costs a little, plus what it gives away against the best move. Mistakes of the follower
 * count several times. All initial positions have cost 0.
 *
 * Equal settings give equal books with any number of threads: growth depends on the graph alone, and every
 * search starts from scratch. Each result is appended to a journal at once. A search whose result is in the
 * journal is not repeated, so an interrupted run can continue.
 *
 * The book contains the positions with at least one move whose resulting position was searched. Each is
 * stored with the moves that are nearly as good as the best one. Values are those of struct book_entry.
 *
 * Threads: builder_run starts settings->threads threads that search, and ends them before it returns.
 */
#ifndef TOOLS_BOOK_BUILDER_H
#define TOOLS_BOOK_BUILDER_H

#include "engine/rules/book.h"

struct book_settings {
	const struct game *game;
	const char *output;  /* the book is written here */
	const char *journal; /* file of results, read at the start */
	double seconds;      /* time limit of this run */
	int work;            /* playouts or nodes of each search */
	int positions;       /* maximum number in the graph */
	int depth;           /* all positions within this many moves of the start are initial */
	double step;         /* cost of a move */
	double equal;        /* a move is nearly as good as the best if it gives away no more */
	int memory;          /* of each search, as in the option `memory` */
	int threads;         /* concurrent searches */
	int proven;          /* solve the positions after fewer moves than this; 0: search */
};

/* Builds the book and reports on standard output. Exits with a message on failure. */
void builder_run(const struct book_settings *);

/* Plays a move and the forced passes after it. */
void builder_play(const struct game *, struct state *, struct move);

/* Sets the move of an entry, mapped by the symmetry of book_key(). */
void builder_set_move(const struct game *, struct book_entry *, struct move, int symmetry);

/* Writes entries to settings->output. They must be in the order of book_compare. Exits with a message on
 * failure. */
void builder_write(const struct book_settings *, const struct book_entry *entries, uint32_t count);

#endif
