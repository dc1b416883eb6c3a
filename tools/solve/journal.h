/* SPDX-License-Identifier: MIT
 *
 * The journal of yomi-solve: a text file to which each result is appended when it arrives. A run that finds a journal
 * continues it. The first line tells the game and the position. A line without its newline, left by a run that was
 * killed, is cut off.
 *
 *     yomi-solve 1 GAME RULES SIZE SQUARES SIDE
 *     r SQUARES SIDE WINNER LOWER UPPER NODES EFFORTS [MOVE:WINNER:EFFORTS]...    the result of a search
 *     e CLAIM POINTS SQUARES SIDE MOVE                                            a move of a certificate
 *     c CLAIM POINTS SQUARES SIDE                                                 the moves of this position are complete
 *
 * WINNER and CLAIM are sides, EFFORTS two numbers, Black's and White's, with a comma between them.
 */
#ifndef TOOLS_SOLVE_JOURNAL_H
#define TOOLS_SOLVE_JOURNAL_H

#include "protocol/program/certificate.h"
#include "tools/solve/worker.h"

struct journal;

/* Receives the results of earlier runs. Each function returns false if it cannot be a result of this solution. */
struct journal_reader {
	bool (*result)(void *arg, const struct state *, int winner, const struct solve_result *);
	/* The entries of a position, complete. */
	bool (*certified)(void *arg, const struct state *, const struct certificate_claim *);
	void *arg;
};

/* Opens or creates a file and reads it. Returns NULL after a message if it is in use, belongs to another position or
 * version, is damaged, or the system refuses it. */
struct journal *journal_open(const char *path, const struct game *, const struct state *root,
			     const struct journal_reader *);
void journal_close(struct journal *);

/* Append a result. Return false after a message if it could not be written; the file is then as before. */
bool journal_add_result(struct journal *, const struct state *, int winner,
			const struct solve_result *);
bool journal_add_certified(struct journal *, const struct state *,
			   const struct certificate_claim *);

#endif
