/* SPDX-License-Identifier: MIT
 *
 * How ranks reach each other. ranks.c has the link inside one process, ranks_mpi.c that over MPI.
 */
#ifndef TOOLS_RANKS_RANKS_LINK_H
#define TOOLS_RANKS_RANKS_LINK_H

#include "tools/ranks/ranks.h"

/* What a question is answered with. */
enum ranks_verdict { RANKS_END, RANKS_GO_ON };

struct ranks_link {
	int count, own;

	/* A worker asks and sleeps until the answer comes. */
	enum ranks_verdict (*ask)(int worker, struct packet question, struct packet *answer);
	/* Rank 0: as ranks_receive() and ranks_answer(). */
	bool (*receive)(int64_t deadline, intptr_t cancel, struct question *);
	void (*answer)(const struct question *, struct packet, enum ranks_verdict);
	/* Rank 0: makes the other ranks call `stop`; makes obey() return there. */
	void (*stop)(void);
	void (*dismiss)(void);
	/* Other ranks: obeys rank 0 until it dismisses them. */
	void (*obey)(const struct ranks_job *, void *arg);
	/* As ranks_share(). */
	void (*share)(struct packet *);
	/* All ranks: this one begins to work and may speak; it leaves the job. */
	void (*speak)(void);
	void (*leave)(void);
};

/* The version of a program without MPI that became this one, in the environment. */
#define RANKS_STARTER "YOMI_STARTER"

#ifdef YOMI_MPI
/* Joins the other ranks. Returns NULL if there are none. Exits as ranks_start() does. */
const struct ranks_link *ranks_join(char **argv);
#endif

#endif
