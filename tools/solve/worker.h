/* SPDX-License-Identifier: MIT
 *
 * A worker of yomi-solve: it searches the positions that rank 0 sends, by df-pn or by the game's exact solver, and
 * makes certificates of them. Its tables are kept from one job to the next. A worker belongs to one thread; only
 * solve_worker_stop() may be called from another.
 */
#ifndef TOOLS_SOLVE_WORKER_H
#define TOOLS_SOLVE_WORKER_H

#include "engine/rules/book.h"
#include "protocol/program/certificate.h"
#include "tools/ranks/parcel.h"
#include "tools/solve/graph.h"

struct solve_worker;
struct solve_table;

enum solve_job_kind { JOB_SEARCH, JOB_CERTIFY };

struct solve_job {
	enum solve_job_kind kind;
	struct book_entry key;
	int side;       /* JOB_SEARCH: does it win? JOB_CERTIFY: the side of the claim */
	int points;     /* of the claim */
	uint64_t nodes; /* the budget of a search */
};

/* The result of a search. */
struct solve_result {
	bool stopped; /* by solve_worker_stop(): nothing else is valid */
	uint64_t nodes;
	int lower, upper;
	uint32_t efforts[2]; /* of the question */
	int child_count;     /* 0: solved */
	struct graph_child children[GAME_MOVES_MAX];
};

/* The table of df-pn. The workers of a rank share one; they may use it at once. */
struct solve_table *solve_table_create(const struct game *, const struct state *root, size_t bytes);
void solve_table_destroy(struct solve_table *);

/* The worker uses `bytes` besides the table. `solves`: the game's solver may be used. */
struct solve_worker *solve_worker_create(const struct solve_table *, size_t bytes, bool solves);
void solve_worker_destroy(struct solve_worker *);

/* Makes the worker ready after it was stopped. */
void solve_worker_begin(struct solve_worker *);

/* Ends the running job soon. Any thread. */
void solve_worker_stop(struct solve_worker *);

/* Does a job. The answer is for job_take_result() or job_take_entries(). */
void solve_worker_work(struct solve_worker *, const struct solve_job *, struct parcel *answer);

/* A job as a message, and back. */
struct packet job_pack(const struct solve_job *);
void job_unpack(struct packet, struct solve_job *);

/* Reads an answer to JOB_SEARCH. */
void job_take_result(struct parcel *, struct solve_result *);

/* Reads an answer to JOB_CERTIFY and appends its entries to the claim. Returns false, and appends nothing, if the worker
 * was stopped. */
bool job_take_entries(struct parcel *, struct certificate_claim *);

#endif
