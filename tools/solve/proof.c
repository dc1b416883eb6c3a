/* SPDX-License-Identifier: MIT
 *
 * There are two jobs of the ranks: the search, and the certificate. The workers keep their tables from one to the other.
 */
#include "tools/solve/proof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/search/clock.h"
#include "protocol/session/worth.h"
#include "tools/lib/interrupt.h"
#include "tools/lib/message.h"
#include "tools/lib/progress.h"
#include "tools/ranks/ranks.h"
#include "tools/solve/journal.h"

/* The question whether the side to move wins gets n times the nodes of the other. */
#define WIN_TIMES   4
#define TABLE_PART  2    /* of the memory of a rank is for the table of df-pn */
#define BUDGET_MIN  1024 /* nodes */
#define BUDGET_PART 512
#define CANDIDATES  32 /* leaves among which a rank's own are preferred */
#define LINE_MOVES  64 /* most of the line that is printed */

/* A worker, as rank 0 sees it. */
struct proof_place {
	struct question question; /* if it waits */
	bool waits, works;
	int winner; /* of its search */
	struct graph_path path;
	size_t task; /* of its certificate */
};

/* A leaf of a proof. */
struct leaf {
	int claim;
	struct book_entry key;
};

struct proof_solving {
	const struct proof_settings *settings;
	struct solve_table *table; /* of this rank */
	struct solve_worker **workers;

	/* Rank 0 only: */
	struct graph *graph;
	struct journal *journal;
	struct proof_place *places;
	uint64_t nodes, spent[2]; /* of all runs; by question */
	uint64_t old_nodes;       /* of earlier runs */
	uint64_t jobs;
	int64_t start, deadline;
	struct progress progress;
	bool failed;
	struct solve_result result; /* buffer */

	struct certificate certificate;
	struct certificate_claim
		done[2]; /* by side: the positions that are certified, as entries without moves */
	uint8_t *walked; /* by node */
	struct leaf *tasks;
	size_t task_count, next_task, tasks_left;
};

/* --- the workers --- */

static void proof_work(void *arg, int number)
{
	struct proof_solving *v = arg;
	struct solve_job *job = xmalloc(sizeof *job);
	struct parcel answer = { 0 };
	struct packet packet;
	while (ranks_ask(number, parcel_close(&answer), &packet)) {
		job_unpack(packet, job);
		free(packet.bytes);
		solve_worker_work(v->workers[number], job, &answer);
	}
	free(job);
}

static void proof_stop(void *arg)
{
	struct proof_solving *v = arg;
	for (int i = 0; i < v->settings->threads; i++)
		solve_worker_stop(v->workers[i]);
}

/* --- the search --- */

static bool proof_is_solved(const struct proof_solving *v)
{
	int lower, upper;
	graph_bounds(v->graph, 0, &lower, &upper);
	return lower == upper;
}

/* Enters a result of a worker or of the journal into the graph. */
static void enter(struct proof_solving *v, uint32_t leaf, int winner, const struct solve_result *r)
{
	v->nodes += r->nodes;
	v->spent[winner] += r->nodes;
	v->jobs++;
	graph_update(v->graph, leaf, r->lower, r->upper, winner, r->efforts);
	if (r->child_count)
		graph_expand(v->graph, leaf, r->children);
}

static bool take_stored(void *arg, const struct state *s, int winner, const struct solve_result *r)
{
	struct proof_solving *v = arg;
	uint32_t leaf = graph_find(v->graph, s);
	if (leaf == GRAPH_NONE || !graph_is_leaf(v->graph, leaf))
		return false;
	enter(v, leaf, winner, r);
	return true;
}

/* The position was certified by an earlier run. */
static bool proof_take_certified(void *arg, const struct state *s,
				 const struct certificate_claim *found)
{
	struct proof_solving *v = arg;
	struct certificate_entry e = certificate_entry(v->settings->game, s, move_none());
	struct certificate *c = &v->certificate;
	int i = 0;
	while (i < c->count && c->claims[i].side != found->side)
		i++;
	if (i == 2 || (i < c->count && c->claims[i].points != found->points))
		return false;
	if (i == c->count)
		certificate_add(c, found->side, found->points);
	for (size_t k = 0; k < found->count; k++)
		certificate_append(&c->claims[i], &found->entries[k]);
	certificate_append(&v->done[found->side], &e);
	return true;
}

/* The side whose win is the next question. */
static int proof_next_question(const struct proof_solving *v)
{
	int mine = v->settings->root.side;
	return v->spent[mine] <= WIN_TIMES * v->spent[mine ^ 1] ? mine : mine ^ 1;
}

static uint64_t budget(const struct proof_solving *v)
{
	uint64_t part = v->nodes / (uint64_t)(BUDGET_PART * ranks_workers());
	if (v->settings->nodes)
		return (uint64_t)v->settings->nodes;
	return part > BUDGET_MIN ? part : BUDGET_MIN;
}

static void proof_answer(struct proof_place *p, const struct solve_job *job)
{
	p->waits = false;
	p->works = true;
	ranks_answer(&p->question, job_pack(job));
}

/* Leases a leaf for a question: the first of the most promising ones that is near what the rank has searched before.
 * Its table knows positions there. If none is near, the most promising one. Returns false if there is no leaf. */
static bool lease(struct proof_solving *v, struct proof_place *p, int winner)
{
	struct graph_path paths[CANDIDATES];
	int count = 0, best = 0;
	while (count < CANDIDATES && graph_lease(v->graph, winner, &paths[count])) {
		int owner = graph_owner(v->graph, paths[count].nodes[paths[count].count - 1]);
		count++;
		if (owner == 0 || owner == p->question.rank) {
			best = count - 1;
			break;
		}
	}
	for (int i = count; i-- > 0;)
		if (i != best)
			graph_release(v->graph, &paths[i]);
	if (count)
		p->path = paths[best];
	p->winner = winner;
	return count;
}

/* Gives a worker a leaf. Returns false if there is none. */
static bool give_leaf(struct proof_solving *v, struct proof_place *p)
{
	struct solve_job job = { .kind = JOB_SEARCH };
	int winner = proof_next_question(v);
	if (!lease(v, p, winner) && !lease(v, p, winner ^ 1))
		return false;
	job.key = graph_key(v->graph, p->path.nodes[p->path.count - 1]);
	job.side = p->winner;
	job.nodes = budget(v);
	proof_answer(p, &job);
	return true;
}

static void proof_take_result(struct proof_solving *v, struct proof_place *p, struct parcel *parcel)
{
	struct state s;
	uint32_t leaf = p->path.nodes[p->path.count - 1];
	job_take_result(parcel, &v->result);
	graph_release(v->graph, &p->path);
	if (v->result.stopped || !parcel->good)
		return;
	graph_state(v->graph, leaf, &s);
	graph_set_owner(v->graph, leaf, p->question.rank);
	if (journal_add_result(v->journal, &s, p->winner, &v->result))
		enter(v, leaf, p->winner, &v->result);
	else
		v->failed = true;
}

/* --- progress --- */

static void proof_tell(struct proof_solving *v, const char *what, size_t done, size_t all)
{
	double seconds = clock_since(v->start);
	int mine = v->settings->root.side;
	char line[256];
	int n;
	if (v->settings->quiet || clock_now() < v->progress.due)
		return;
	n = snprintf(line, sizeof line, "%.0f s, %d rank%s, %d thread%s, %.0f %% idle, ", seconds,
		     ranks_count(), ranks_count() > 1 ? "s" : "", ranks_workers(),
		     ranks_workers() > 1 ? "s" : "", 100 * ranks_idle());
	if (all)
		snprintf(line + n, sizeof line - (size_t)n, "%s %zu of %zu", what, done, all);
	else
		snprintf(line + n, sizeof line - (size_t)n,
			 "%.1f million nodes, %.2f a second, %zu positions, proof %u, disproof %u",
			 (double)v->nodes / 1e6, (double)(v->nodes - v->old_nodes) / 1e6 / seconds,
			 graph_nodes(v->graph), graph_effort(v->graph, 0, mine, mine),
			 graph_effort(v->graph, 0, mine, mine ^ 1));
	progress_show(&v->progress, line);
}

/* --- rank 0 --- */

static bool may_go_on(const struct proof_solving *v)
{
	return !v->failed && !interrupt_signal() && clock_now() < v->deadline;
}

/* Waits for the next question. Returns false if none has come. */
static bool proof_receive(struct proof_solving *v, struct question *q)
{
	int64_t tick = v->settings->quiet ? TIME_NEVER : v->progress.due;
	return ranks_receive(tick < v->deadline ? tick : v->deadline, interrupt_descriptor(), q);
}

/* Serves workers with `give` and `take` until `is_done` or the run must end. */
static void
serve_workers(struct proof_solving *v, bool (*give)(struct proof_solving *, struct proof_place *),
	      void (*take)(struct proof_solving *, struct proof_place *, struct parcel *),
	      bool (*is_done)(const struct proof_solving *), void (*report)(struct proof_solving *))
{
	struct question q;
	v->places = xcalloc((size_t)ranks_workers(), sizeof *v->places);
	/* Time is looked at for every question: workers can ask so fast that one always waits. */
	while (!is_done(v) && may_go_on(v)) {
		bool came = proof_receive(v, &q);
		report(v);
		if (!came)
			continue;
		struct proof_place *p = &v->places[q.index];
		if (p->works) {
			struct parcel parcel = parcel_open(q.packet);
			p->works = false;
			take(v, p, &parcel);
		}
		free(q.packet.bytes);
		p->question = q;
		p->waits = true;
		for (int i = 0; i < ranks_workers() && !is_done(v); i++)
			if (v->places[i].waits && !give(v, &v->places[i]))
				break;
	}
	if (!v->settings->quiet)
		progress_clear(&v->progress);
	ranks_stop();
	free(v->places);
}

static void tell_search(struct proof_solving *v)
{
	proof_tell(v, "", 0, 0);
}

static void serve_search(void *arg)
{
	struct proof_solving *v = arg;
	const struct proof_settings *o = v->settings;
	const struct journal_reader reader = { take_stored, proof_take_certified, v };
	v->graph = graph_create(o->game, &o->root);
	certificate_init(&v->certificate, o->game, &o->root);
	v->journal = journal_open(o->journal, o->game, &o->root, &reader);
	v->failed = !v->journal;
	v->old_nodes = v->nodes;
	serve_workers(v, give_leaf, proof_take_result, proof_is_solved, tell_search);
}

/* --- the certificate --- */

/* Returns true if a result is what a claim says, or better. */
static bool proof_keeps(const struct certificate_claim *c, int lower, int upper)
{
	return result_least(c->side, lower, upper) >= c->points;
}

/* Returns true if a position after a move keeps the claim by what the graph knows. */
static bool proof_is_kept(const struct proof_solving *v, const struct certificate_claim *c,
			  const struct state *next)
{
	int lower, upper;
	uint32_t node;
	if (next->over)
		return proof_keeps(c, score_sign(next->score), score_sign(next->score));
	node = graph_find(v->graph, next);
	if (node == GRAPH_NONE)
		return false;
	graph_bounds(v->graph, node, &lower, &upper);
	return proof_keeps(c, lower, upper);
}

/* Makes a position a task unless an earlier run has certified it. */
static void add_task(struct proof_solving *v, int claim, const struct state *s)
{
	struct move nothing;
	const struct game *g = v->settings->game;
	int symmetry;
	if (certificate_find(g, &v->done[v->certificate.claims[claim].side], s, &nothing))
		return;
	v->tasks = xgrow(v->tasks, v->task_count, sizeof *v->tasks);
	v->tasks[v->task_count++] = (struct leaf) { claim, book_key(g, s, &symmetry) };
}

/* Collects the moves of a claim in the graph, and the positions that workers must certify: those that were proven by a
 * worker. */
static void proof_walk(struct proof_solving *v, int claim, const struct state *s)
{
	struct certificate_claim *c = &v->certificate.claims[claim];
	const struct game *g = v->settings->game;
	if (s->over || game_free(g, s) <= certificate_tried(g))
		return;
	uint32_t node = graph_find(v->graph, s);
	if (v->walked[node] >> claim & 1)
		return;
	v->walked[node] |= (uint8_t)(1 << claim);
	int count = game_moves(g, s, NULL), good = 0, first = -1;
	struct move moves[count]; /* of this size: a walk may be deep */
	bool kept[count];
	game_moves(g, s, moves);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		game_play(g, &next, moves[i]);
		kept[i] = proof_is_kept(v, c, &next);
		good += kept[i];
		first = kept[i] && first < 0 ? i : first;
	}
	bool mine = s->side == c->side;
	if (graph_is_leaf(v->graph, node) || good < (mine ? 1 : count)) {
		add_task(v, claim, s);
		return;
	}
	for (int i = mine ? first : 0; i < (mine ? first + 1 : count); i++) {
		struct state next = *s;
		game_play(g, &next, moves[i]);
		proof_walk(v, claim, &next);
	}
	if (mine) {
		struct certificate_entry e = certificate_entry(g, s, moves[first]);
		certificate_append(c, &e);
	}
}

/* Makes the claims of the value, and the tasks of each. */
static void plan_certificate(struct proof_solving *v)
{
	struct certificate *c = &v->certificate;
	int lower, upper;
	graph_bounds(v->graph, 0, &lower, &upper);
	v->walked = xcalloc(graph_nodes(v->graph), 1);
	for (int side = BLACK; side <= WHITE; side++) {
		int least = result_least(side, lower, upper), i = 0;
		certificate_sort(&v->done[side]);
		while (i < c->count && c->claims[i].side != side)
			i++;
		if (least < 0)
			continue;
		if (i == c->count)
			certificate_add(c, side, least);
		proof_walk(v, i, &v->settings->root);
	}
	free(v->walked);
	v->tasks_left = v->task_count;
}

static bool proof_give_task(struct proof_solving *v, struct proof_place *p)
{
	struct solve_job job = { .kind = JOB_CERTIFY };
	if (v->next_task == v->task_count)
		return false;
	p->task = v->next_task++;
	const struct leaf *t = &v->tasks[p->task];
	job.key = t->key;
	job.side = v->certificate.claims[t->claim].side;
	job.points = v->certificate.claims[t->claim].points;
	proof_answer(p, &job);
	return true;
}

static void take_entries(struct proof_solving *v, struct proof_place *p, struct parcel *parcel)
{
	const struct leaf *t = &v->tasks[p->task];
	struct certificate_claim *c = &v->certificate.claims[t->claim];
	struct certificate_claim found = { .side = c->side, .points = c->points };
	struct state s;
	if (job_take_entries(parcel, &found)) {
		certificate_state(v->settings->game, &t->key, &s);
		v->failed |= !journal_add_certified(v->journal, &s, &found);
		for (size_t i = 0; i < found.count; i++)
			certificate_append(c, &found.entries[i]);
		v->tasks_left--;
	}
	free(found.entries);
}

static bool is_certified(const struct proof_solving *v)
{
	return v->tasks_left == 0;
}

static void tell_certificate(struct proof_solving *v)
{
	proof_tell(v, "certifying, proofs", v->task_count - v->tasks_left, v->task_count);
}

static void serve_certificate(void *arg)
{
	struct proof_solving *v = arg;
	plan_certificate(v);
	serve_workers(v, proof_give_task, take_entries, is_certified, tell_certificate);
}

/* Writes the certificate. Returns false after a message. */
static bool write_certificate(struct proof_solving *v)
{
	char why[REASON_MAX];
	if (v->failed || !is_certified(v))
		return false;
	for (int i = 0; i < v->certificate.count; i++)
		certificate_sort(&v->certificate.claims[i]);
	return certificate_write(v->settings->certificate, &v->certificate, why) ||
	       message("%s", why);
}

/* --- the result --- */

/* Prints moves that keep the value, as far as the graph knows them. A graph of one position knows none. */
static void proof_print_line(const struct proof_solving *v)
{
	const struct game *g = v->settings->game;
	struct state s = v->settings->root;
	int lower, upper;
	graph_bounds(v->graph, 0, &lower, &upper);
	for (int n = 0; lower == upper && n < LINE_MOVES && !s.over; n++) {
		struct move moves[GAME_MOVES_MAX];
		char text[MOVE_TEXT_MAX];
		int count = game_moves(g, &s, moves), i = 0;
		struct state next;
		for (; i < count; i++) {
			struct certificate_claim same = { .side = BLACK, .points = lower };
			struct certificate_claim also = { .side = WHITE, .points = -upper };
			next = s;
			game_play(g, &next, moves[i]);
			if (proof_is_kept(v, &same, &next) && proof_is_kept(v, &also, &next))
				break;
		}
		if (i == count)
			break;
		game_format(g, &s, moves[i], text);
		printf("%s%s", s.hash == v->settings->root.hash ? "line      " : " ", text);
		s = next;
	}
	if (s.hash != v->settings->root.hash)
		putchar('\n');
}

static void proof_print_result(const struct proof_solving *v, bool certified)
{
	const struct state *root = &v->settings->root;
	char text[POSITION_TEXT_MAX];
	int lower, upper;
	size_t moves = 0;
	graph_bounds(v->graph, 0, &lower, &upper);
	game_position(v->settings->game, root, text);
	const char *result = lower && lower == upper ? worth_result(NULL, lower, upper) : "";
	printf("position  %s\nvalue     %s%s%s%s\n", text, worth_value(root->side, lower, upper),
	       *result ? " (" : "", result, *result ? ")" : "");
	proof_print_line(v);
	printf("nodes     %llu\njobs      %llu\ntree      %zu positions\ntime      %.3f s\n"
	       "ranks     %d\n",
	       (unsigned long long)v->nodes, (unsigned long long)v->jobs, graph_nodes(v->graph),
	       clock_since(v->start), ranks_count());
	for (int i = 0; i < v->certificate.count; i++)
		moves += v->certificate.claims[i].count;
	if (certified)
		printf("proof     %zu moves in %s\n", moves, v->settings->certificate);
}

/* Tells all ranks whether there is a certificate to make. */
static bool goes_on(const struct proof_solving *v)
{
	struct packet packet = { 0 };
	if (ranks_own() == 0) {
		packet = (struct packet) { xcalloc(1, 1), 1 };
		*(bool *)packet.bytes = v->settings->certificate && !v->failed &&
					proof_is_solved(v);
	}
	ranks_share(&packet);
	bool does = packet.size == 1 && *(bool *)packet.bytes;
	free(packet.bytes);
	return does;
}

/* --- all ranks --- */

static void create_workers(struct proof_solving *v)
{
	const struct proof_settings *o = v->settings;
	size_t bytes = (size_t)o->memory * MEMORY_UNIT, table = bytes / TABLE_PART;
	if (!ranks_works())
		return;
	v->table = solve_table_create(o->game, &o->root, table);
	v->workers = xcalloc((size_t)o->threads, sizeof(struct solve_worker *));
	for (int i = 0; i < o->threads; i++)
		v->workers[i] = solve_worker_create(v->table, (bytes - table) / (size_t)o->threads,
						    !o->searches);
}

static void destroy_workers(struct proof_solving *v)
{
	if (!ranks_works())
		return;
	for (int i = 0; i < v->settings->threads; i++)
		solve_worker_destroy(v->workers[i]);
	free(v->workers);
	solve_table_destroy(v->table);
}

/* Frees what rank 0 has. */
static void free_rank_0(struct proof_solving *v)
{
	certificate_free(&v->certificate);
	for (int side = BLACK; side <= WHITE; side++)
		free(v->done[side].entries);
	free(v->tasks);
	graph_destroy(v->graph);
	if (v->journal)
		journal_close(v->journal);
}

int proof_run(const struct proof_settings *o)
{
	static const struct ranks_job search = { proof_work, serve_search, proof_stop },
				      certify = { proof_work, serve_certificate, proof_stop };
	struct proof_solving *v = xcalloc(1, sizeof *v);
	int status = EXIT_SUCCESS;
	v->settings = o;
	v->start = clock_now();
	v->progress = progress_start();
	v->deadline = isinf(o->time) ? TIME_NEVER : v->start + (int64_t)(o->time * 1e9);
	if (!interrupt_init())
		message_exit_errno("make", "a pipe");
	create_workers(v);
	ranks_run(&search, o->threads, v);
	bool certifies = goes_on(v), certified = false;
	for (int i = 0; i < o->threads && certifies && ranks_works(); i++)
		solve_worker_begin(v->workers[i]);
	if (certifies)
		ranks_run(&certify, o->threads, v);
	if (ranks_own() == 0) {
		certified = certifies && write_certificate(v);
		bool good = !v->failed && proof_is_solved(v) &&
			    certified == (o->certificate != NULL);
		status = good ? EXIT_SUCCESS : EXIT_FAILURE;
		if (v->journal)
			proof_print_result(v, certified);
		free_rank_0(v);
	}
	destroy_workers(v);
	free(v);
	return status;
}
