/* SPDX-License-Identifier: MIT
 *
 * yomi-solve: rank 0 grows a graph (tools/solve/graph.h), the workers of all ranks search its leaves
 * (tools/solve/worker.h). Then they certify them, if a certificate is wanted.
 */
#ifndef TOOLS_SOLVE_PROOF_H
#define TOOLS_SOLVE_PROOF_H

#include "engine/rules/game.h"

struct proof_settings {
	const struct game *game; /* has stones, and positions cannot repeat */
	struct state root;       /* not over */
	int threads;             /* workers of a rank */
	int memory;              /* MiB of a rank */
	int64_t nodes;           /* budget of a job; 0: a part of the work so far */
	double time;             /* seconds; INFINITY: no limit */
	const char *journal;
	const char *certificate; /* file, or NULL */
	bool searches;           /* without the game's solver */
	bool quiet;
};

/* Solves the position and prints the result on stdout. Returns the exit status: 0; 1 if it was not solved, or after a
 * message. All ranks must call it. */
int proof_run(const struct proof_settings *);

#endif
