/* SPDX-License-Identifier: MIT
 *
 * Builds a book of perfect play with a game's exact solver: one proven best move for each position that a
 * player of either side can meet who follows the book, against any moves of the opponent.
 */
#ifndef TOOLS_BOOK_PROVER_H
#define TOOLS_BOOK_PROVER_H

#include "tools/book/builder.h"

/* Solves the positions after less than settings->proven moves and writes the book. In a lost position the move is
 * the choice of the default search, with settings->work playouts or nodes. Uses one thread and settings->memory,
 * so equal settings give equal books. The game needs a solver that supports these positions. Reports on
 * standard output. Exits with a message on failure. */
void prover_run(const struct book_settings *);

#endif
