/* SPDX-License-Identifier: MIT
 *
 * Removes from a game's book of openings (engine/book.h) the moves that longer searches do not confirm.
 *
 * For each position of the book, the position itself and the positions behind its candidates are searched by two seeds,
 * which see the board in different symmetries. Candidates are the book's moves and the choices of these searches. A move
 * stays if by both seeds it gives away no more than `equal` against the best candidate.
 *
 * Equal settings give equal books with any number of threads. Results are kept in the journal, and a search that is in
 * there is not made again, so that a run that was ended goes on.
 */
#ifndef TOOLS_LIB_CONFIRM_H
#define TOOLS_LIB_CONFIRM_H

#include "tools/lib/booker.h"

/* Checks the book that is bound into the program with searches of settings->work playouts or nodes, and writes what
 * remains. Reports on standard output; a failure ends the process with a message. */
void confirm_run(const struct booking *);

#endif
