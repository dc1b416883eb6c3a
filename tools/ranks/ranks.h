/* SPDX-License-Identifier: MIT
 *
 * The processes of one job, on one machine or on many. They are called ranks, from 0. Rank 0 owns what must not
 * be lost: it hands out work and stores results. The other ranks work, each on one or more threads, its workers. A
 * worker asks rank 0; a question brings what the worker has done, the answer is its next work. Without a launcher
 * (mpirun, srun), or in a program built without MPI, the only rank is 0, and its workers work beside it.
 *
 * Invariants: a worker has at most one open question. A worker or rank that waits sleeps. If a rank dies, the
 * launcher ends all ranks; what rank 0 has stored stays.
 *
 * Threads: the main thread calls all functions but ranks_ask(), which is for workers. Bytes travel as they are, so
 * all machines must have the same processor type; ranks_start() refuses different versions.
 */
#ifndef TOOLS_RANKS_RANKS_H
#define TOOLS_RANKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANKS_WORKERS_MAX 256 /* workers of a rank */

/* Bytes of a message, allocated with malloc. */
struct packet {
	void *bytes;
	size_t size;
};

/* What a worker has asked. */
struct question {
	int rank, worker;
	int index; /* of the worker among those of all ranks, 0 .. ranks_workers() - 1 */
	struct packet packet;
};

/* What the ranks do. `arg` is that of ranks_run(). */
struct ranks_job {
	/* A worker: asks until ranks_ask() returns false. Signals are blocked. */
	void (*work)(void *arg, int worker);
	/* Rank 0: receives questions and answers them. The job ends when it returns. */
	void (*serve)(void *arg);
	/* Makes the workers of this rank end their work soon, because rank 0 has called ranks_stop(). NULL: they
	 * end by themselves. */
	void (*stop)(void *arg);
};

/* Joins the ranks of the job that a launcher has started. Call it first in main(), with its arguments. Ranks after
 * 0 are silent until ranks_run(), so that errors of the command line are told once. Exits with status 2 after a
 * message of rank 0 if the ranks are of different versions or have different arguments. A program without MPI becomes
 * the one with MPI if a launcher has started several processes, and exits with status 2 after a message if there is
 * none. */
void ranks_start(char **argv);

/* Leaves the job. Returns the status that the process should exit with. A process that exits without this call
 * ends all ranks. */
int ranks_end(int status);

int ranks_count(void);
int ranks_own(void);

/* Returns true if this rank has workers. */
bool ranks_works(void);

/* Runs a job with `workers` workers on each rank that works. All ranks must call it. Returns when all workers of this
 * rank, and on rank 0 all workers of all ranks, have ended. Each call begins with no worker idle. */
void ranks_run(const struct ranks_job *, int workers, void *arg);

/* A worker asks rank 0 and sleeps until the answer comes. Frees the question's bytes. Returns false if the job ends;
 * otherwise the caller frees the answer's bytes. */
bool ranks_ask(int worker, struct packet question, struct packet *answer);

/* --- on rank 0, in `serve` --- */

/* Sleeps until a question comes. Returns false if none has come by `deadline` (clock_now), or when `cancel` is
 * readable; -1: none. The caller frees the packet's bytes, and answers now or later. A question that is still
 * open when `serve` returns tells its worker that the job ends; so does any that comes after that. */
bool ranks_receive(int64_t deadline, intptr_t cancel, struct question *);

/* Answers a question. Frees the answer's bytes. */
void ranks_answer(const struct question *, struct packet answer);

/* Calls `stop` on every rank that works. */
void ranks_stop(void);

/* The number of workers of all ranks. */
int ranks_workers(void);

/* The share of the workers' time since ranks_run() began that they have waited for answers, 0 .. 1. */
double ranks_idle(void);

/* --- on all ranks, outside ranks_run() --- */

/* Gives rank 0's bytes to all ranks. The others sleep until they come; each must free what it gets. */
void ranks_share(struct packet *);

#endif
