/* SPDX-License-Identifier: MIT */
#include "tools/solve/worker.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/rules/solver.h"
#include "engine/search/common/algorithm.h"
#include "engine/search/verify.h"
#include "tools/lib/exact.h"
#include "tools/lib/message.h"

#define NODES_PER_SECOND 1e6  /* budget of df-pn that counts as a second of the solver */
#define TRIAL_PART       4    /* df-pn may try for 1/n of the time that the solver needs */
#define FIRST_TRIAL      1024 /* nodes of the first search for a move of a settled position */

struct solve_table {
	struct record record; /* the root */
	struct options options;
	struct control control; /* for the preparation only */
	struct task task;
	void *dfpn;
};

struct solve_worker {
	const struct game *game;
	const struct solver *solver; /* of the game, or NULL */
	struct control control;
	void *dfpn; /* of the workers of this rank */
	struct exact exact;
	size_t part;    /* bytes: for the solver, and for the table of verified positions */
	uint64_t nodes; /* of this job */

	/* The claim that is being certified. Its verifier keeps what is verified, and the entries for that have been
	 * sent. */
	struct verifier *verifier;
	int side, points;
	struct certificate_claim found; /* entries of this job */
};

/* --- messages --- */

static void put_key(struct parcel *p, const struct book_entry *key)
{
	parcel_put(p, key->stones, sizeof key->stones);
	parcel_put(p, &key->side, sizeof key->side);
}

static void take_key(struct parcel *p, struct book_entry *key)
{
	*key = (struct book_entry) { 0 };
	parcel_take(p, key->stones, sizeof key->stones);
	parcel_take(p, &key->side, sizeof key->side);
}

struct packet job_pack(const struct solve_job *job)
{
	struct parcel p = { 0 };
	parcel_put_int(&p, job->kind);
	put_key(&p, &job->key);
	parcel_put_int(&p, job->side);
	parcel_put_int(&p, job->points);
	parcel_put_int(&p, (int64_t)job->nodes);
	return parcel_close(&p);
}

void job_unpack(struct packet packet, struct solve_job *job)
{
	struct parcel p = parcel_open(packet);
	job->kind = (enum solve_job_kind)parcel_take_within(&p, JOB_SEARCH, JOB_CERTIFY);
	take_key(&p, &job->key);
	job->side = parcel_take_within(&p, BLACK, WHITE);
	job->points = parcel_take_within(&p, 0, 1);
	job->nodes = (uint64_t)parcel_take_int(&p);
}

/* Only the moves that the worker knows something about are sent. */
static void put_result(struct parcel *p, const struct solve_result *r)
{
	parcel_put_int(p, r->stopped);
	parcel_put_int(p, (int64_t)r->nodes);
	parcel_put_int(p, r->lower);
	parcel_put_int(p, r->upper);
	parcel_put(p, r->efforts, sizeof r->efforts);
	parcel_put_int(p, r->child_count);
	for (int i = 0; i < r->child_count; i++)
		for (int w = BLACK; w <= WHITE; w++) {
			const uint32_t *e = r->children[i].efforts[w];
			const uint16_t child = (uint16_t)i;
			const uint8_t winner = (uint8_t)w;
			if (!e[BLACK] && !e[WHITE])
				continue;
			parcel_put(p, &child, sizeof child);
			parcel_put(p, &winner, sizeof winner);
			parcel_put(p, e, 2 * sizeof *e);
		}
}

void job_take_result(struct parcel *p, struct solve_result *r)
{
	uint16_t i;
	uint8_t w;
	r->stopped = parcel_take_within(p, 0, 1);
	r->nodes = (uint64_t)parcel_take_int(p);
	r->lower = parcel_take_within(p, -1, 1);
	r->upper = parcel_take_within(p, -1, 1);
	parcel_take(p, r->efforts, sizeof r->efforts);
	r->child_count = parcel_take_within(p, 0, GAME_MOVES_MAX);
	memset(r->children, 0, (size_t)r->child_count * sizeof *r->children);
	while (p->good && p->at < p->size) {
		uint32_t efforts[2];
		parcel_take(p, &i, sizeof i);
		parcel_take(p, &w, sizeof w);
		parcel_take(p, efforts, sizeof efforts);
		if (p->good && i < r->child_count && w <= WHITE)
			memcpy(r->children[i].efforts[w], efforts, sizeof efforts);
	}
}

static void put_entries(struct parcel *p, const struct certificate_claim *c)
{
	parcel_put_int(p, (int64_t)c->count);
	for (size_t i = 0; i < c->count; i++) {
		put_key(p, &c->entries[i].key);
		parcel_put(p, &c->entries[i].move, sizeof c->entries[i].move);
	}
}

bool job_take_entries(struct parcel *p, struct certificate_claim *c)
{
	bool done = parcel_take_within(p, 0, 1);
	int64_t count = parcel_take_int(p);
	struct certificate_entry e = { 0 };
	while (done && count-- > 0 && p->good) {
		take_key(p, &e.key);
		parcel_take(p, &e.move, sizeof e.move);
		certificate_append(c, &e);
	}
	return done;
}

/* --- proving one position --- */

/* Runs df-pn on the question whether `side` wins. */
static void run_dfpn(struct solve_worker *l, const struct state *s, int side, uint64_t nodes)
{
	l->nodes += dfpn_prove(l->dfpn, s, side, nodes, &l->control);
}

/* Returns true if the table answers the question whether `side` wins. */
static bool worker_is_answered(const struct solve_worker *l, const struct state *s, int side)
{
	int lower, upper;
	dfpn_find(l->dfpn, s, &lower, &upper);
	return side == BLACK ? lower > 0 || upper <= 0 : upper < 0 || lower >= 0;
}

/* Returns the nodes that the game's solver is worth, UINT64_MAX if it cannot run. */
static uint64_t solver_cost(const struct solve_worker *l, const struct state *s)
{
	double seconds;
	size_t bytes = l->part;
	if (!l->solver || !l->solver->estimate(l->game, s, SOLVE_RESULT, 1, &seconds, &bytes) ||
	    bytes > l->part || seconds * NODES_PER_SECOND > 1e15)
		return UINT64_MAX;
	return (uint64_t)(seconds * NODES_PER_SECOND);
}

/* Solves a position by the game's solver. The table gets its result and those of its moves. */
static void worker_run_solver(struct solve_worker *l, const struct state *s, uint64_t cost)
{
	struct solution *found = xmalloc(sizeof *found);
	int least, most;
	l->nodes += cost;
	if (exact_solve(&l->exact, l->game, s, SOLVE_RESULT, INFINITY, &l->control, found)) {
		solution_bounds(found, s->side, &least, &most);
		dfpn_store_bounds(l->dfpn, s, score_sign(least), score_sign(most), cost);
		for (int i = 0; i < found->count; i++) {
			struct state next = *s;
			game_play(l->game, &next, found->moves[i].move);
			if (!next.over)
				dfpn_store_bounds(l->dfpn, &next, score_sign(found->moves[i].least),
						  score_sign(found->moves[i].most), cost);
		}
	}
	free(found);
}

/* Tries to answer the question whether `side` wins, by df-pn for so many nodes or by the solver if it costs less. */
static void worker_prove(struct solve_worker *l, const struct state *s, int side, uint64_t nodes)
{
	uint64_t cost = solver_cost(l, s), trial = cost / TRIAL_PART;
	run_dfpn(l, s, side, cost <= nodes && trial < nodes ? trial : nodes);
	if (cost <= nodes && !worker_is_answered(l, s, side) && !control_stopped(&l->control))
		worker_run_solver(l, s, cost);
}

/* --- searches --- */

static void find_children(const struct solve_worker *l, const struct state *s,
			  struct solve_result *r)
{
	struct move moves[GAME_MOVES_MAX];
	r->child_count = game_moves(l->game, s, moves);
	memset(r->children, 0, (size_t)r->child_count * sizeof *r->children);
	for (int i = 0; i < r->child_count; i++) {
		struct state next = *s;
		game_play(l->game, &next, moves[i]);
		for (int w = BLACK; w <= WHITE && !next.over; w++)
			dfpn_efforts(l->dfpn, &next, w, r->children[i].efforts[w]);
	}
}

static void worker_search(struct solve_worker *l, const struct solve_job *job,
			  const struct state *s, struct solve_result *r)
{
	worker_prove(l, s, job->side, job->nodes);
	dfpn_find(l->dfpn, s, &r->lower, &r->upper);
	dfpn_efforts(l->dfpn, s, job->side, r->efforts);
	r->child_count = 0;
	if (!worker_is_answered(l, s, job->side))
		find_children(l, s, r);
	r->nodes = l->nodes;
	r->stopped = control_stopped(&l->control);
}

/* --- certificates --- */

/* Returns true if a position, perhaps the end of the game, is known to keep the claim. */
static bool worker_keeps(const struct solve_worker *l, const struct state *s)
{
	int lower, upper;
	dfpn_find(l->dfpn, s, &lower, &upper);
	return result_least(l->side, lower, upper) >= l->points;
}

/* Finds a move that the table knows to keep the claim. */
static bool find_move(const struct solve_worker *l, const struct state *s, const struct move *moves,
		      int count, struct move *move)
{
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		game_play(l->game, &next, moves[i]);
		if (!worker_keeps(l, &next))
			continue;
		*move = moves[i];
		return true;
	}
	return false;
}

/* The verifier's adviser. If the table has lost the move, it searches all of them with growing budgets, because
 * one keeps the claim. */
static bool worker_advise(void *arg, const struct state *s, struct move *move)
{
	struct solve_worker *l = arg;
	struct move moves[GAME_MOVES_MAX];
	int count = game_moves(l->game, s, moves);
	/* The question is settled in favor of the claim's side. */
	int question = l->points ? l->side : l->side ^ 1;
	bool found = find_move(l, s, moves, count, move);
	if (!found) {
		worker_prove(l, s, question, UINT64_MAX);
		found = find_move(l, s, moves, count, move);
	}
	for (uint64_t nodes = FIRST_TRIAL; !found && !control_stopped(&l->control) && nodes;
	     nodes *= 2) {
		for (int i = 0; i < count && !found; i++) {
			struct state next = *s;
			game_play(l->game, &next, moves[i]);
			if (!next.over)
				worker_prove(l, &next, question, nodes);
			found = find_move(l, s, &moves[i], 1, move);
		}
	}
	if (found) {
		struct certificate_entry e = certificate_entry(l->game, s, *move);
		certificate_append(&l->found, &e);
	}
	return found;
}

/* Verifies the claim and collects the moves for it. Returns false if the worker was stopped. */
static bool certify(struct solve_worker *l, const struct solve_job *job, const struct state *s)
{
	char text[POSITION_TEXT_MAX];
	if (l->verifier && (l->side != job->side || l->points != job->points)) {
		verifier_destroy(l->verifier);
		l->verifier = NULL;
	}
	l->side = job->side;
	l->points = job->points;
	l->found.count = 0;
	if (!l->verifier)
		l->verifier = verifier_create(l->game, l->side, l->points,
					      certificate_tried(l->game), l->part, worker_advise,
					      l);
	if (!l->verifier)
		message_exit("no memory for the table of verified positions");
	enum verdict verdict = verifier_check(l->verifier, s, &l->control);
	if (verdict == VERIFIED || control_stopped(&l->control))
		return verdict == VERIFIED;
	game_position(l->game, s, text);
	message_exit("a claim that was proven cannot be certified: %s", text);
}

/* --- the worker --- */

void solve_worker_work(struct solve_worker *l, const struct solve_job *job, struct parcel *answer)
{
	struct state s;
	l->nodes = 0;
	certificate_state(l->game, &job->key, &s);
	if (job->kind == JOB_CERTIFY) {
		parcel_put_int(answer, certify(l, job, &s));
		put_entries(answer, &l->found);
		return;
	}
	struct solve_result *r = xcalloc(1, sizeof *r);
	worker_search(l, job, &s, r);
	put_result(answer, r);
	free(r);
}

void solve_worker_begin(struct solve_worker *l)
{
	control_init(&l->control, TIME_NEVER, WORK_NO_LIMIT);
}

void solve_worker_stop(struct solve_worker *l)
{
	control_stop(&l->control);
}

struct solve_table *solve_table_create(const struct game *g, const struct state *root, size_t bytes)
{
	struct solve_table *t = xcalloc(1, sizeof *t);
	char why[REASON_MAX];
	options_init(&t->options);
	record_init(&t->record, g);
	record_setup(&t->record, root);
	control_init(&t->control, TIME_NEVER, WORK_NO_LIMIT);
	t->task = (struct task) {
		.record = &t->record,
		.options = &t->options,
		.memory = bytes,
		.threads = 1,
		.control = &t->control,
	};
	t->dfpn = algorithm_dfpn.create();
	if (!algorithm_dfpn.prepare(t->dfpn, &t->task, why))
		message_exit("%s", why);
	return t;
}

void solve_table_destroy(struct solve_table *t)
{
	algorithm_dfpn.destroy(t->dfpn);
	record_free(&t->record);
	free(t);
}

struct solve_worker *solve_worker_create(const struct solve_table *t, size_t bytes, bool solves)
{
	struct solve_worker *l = xcalloc(1, sizeof *l);
	l->game = t->record.game;
	l->solver = solves ? l->game->solver : NULL;
	l->dfpn = t->dfpn;
	l->part = bytes / 2;
	solve_worker_begin(l);
	return l;
}

void solve_worker_destroy(struct solve_worker *l)
{
	if (l->verifier)
		verifier_destroy(l->verifier);
	exact_free(&l->exact);
	free(l->found.entries);
	free(l);
}
