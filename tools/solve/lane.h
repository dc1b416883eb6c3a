/* SPDX-License-Identifier: MIT
 *
 * A lane of yomi-solve: it searches the positions that rank 0 sends, by df-pn or by the game's exact solver, and
 * makes certificates of them. Its tables are kept from one job to the next. A lane belongs to one thread; only
 * lane_stop() may be called from another.
 */
#ifndef TOOLS_SOLVE_LANE_H
#define TOOLS_SOLVE_LANE_H

#include "engine/rules/book.h"
#include "protocol/program/certificate.h"
#include "tools/lib/parcel.h"
#include "tools/solve/graph.h"

struct lane;
struct lane_table;

enum lane_kind { LANE_SEARCH, LANE_CERTIFY };

struct lane_job {
	enum lane_kind kind;
	struct book_entry key;
	int side;       /* LANE_SEARCH: does it win? LANE_CERTIFY: the side of the claim */
	int points;     /* of the claim */
	uint64_t nodes; /* the budget of a search */
};

/* The result of a search. */
struct lane_result {
	bool stopped; /* by lane_stop(): nothing else is valid */
	uint64_t nodes;
	int lower, upper;
	uint32_t efforts[2]; /* of the question */
	int child_count;     /* 0: solved */
	struct graph_child children[GAME_MOVES_MAX];
};

/* The table of df-pn. The lanes of a rank share one; they may use it at once. */
struct lane_table *lane_table_create(const struct game *, const struct state *root, size_t bytes);
void lane_table_destroy(struct lane_table *);

/* The lane uses `bytes` besides the table. `solves`: the game's solver may be used. */
struct lane *lane_create(const struct lane_table *, size_t bytes, bool solves);
void lane_destroy(struct lane *);

/* Makes the lane ready after it was stopped. */
void lane_begin(struct lane *);

/* Ends the running job soon. Any thread. */
void lane_stop(struct lane *);

/* Does a job. The answer is for lane_take_result() or lane_take_entries(). */
void lane_work(struct lane *, const struct lane_job *, struct parcel *answer);

/* A job as a message, and back. */
struct packet lane_pack_job(const struct lane_job *);
void lane_unpack_job(struct packet, struct lane_job *);

/* Reads an answer to LANE_SEARCH. */
void lane_take_result(struct parcel *, struct lane_result *);

/* Reads an answer to LANE_CERTIFY and appends its entries to the claim. Returns false, and appends nothing, if the lane
 * was stopped. */
bool lane_take_entries(struct parcel *, struct certificate_claim *);

#endif
