/* SPDX-License-Identifier: MIT
 *
 * Removes from a game's opening book (engine/rules/book.h) the moves that longer searches do not confirm.
 *
 * For each position of the book, two seeds search the position itself and the positions after its candidate
 * moves. Each seed sees the board in another symmetry. Candidates are the book's moves and the choices of
 * these searches. A move stays if, by both seeds, it gives away no more than `equal` against the best
 * candidate.
 *
 * Equal settings give equal books with any number of threads. Results are appended to the journal. A search
 * whose result is in the journal is not repeated, so an interrupted run can continue.
 */
#ifndef TOOLS_BOOK_CONFIRM_H
#define TOOLS_BOOK_CONFIRM_H

#include "tools/book/builder.h"

/* Checks the book that is linked into the program with searches of settings->work playouts or nodes, and
 * writes the confirmed moves. Reports on standard output. Exits with a message on failure. */
void confirm_run(const struct book_settings *);

#endif
