/* SPDX-License-Identifier: MIT */
#include "tools/book/prover.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/rules/book.h"
#include "engine/rules/solver.h"
#include "engine/search/engine.h"
#include "tools/lib/exact.h"
#include "tools/lib/message.h"

#define LINE_EVERY 100 /* positions between progress lines */

/* Positions in the order of their discovery. The moves of those where the opponent moves are not set. */
struct positions {
	struct book_entry *entries;
	size_t count;
};

struct prover {
	const struct book_settings *settings;
	struct exact exact;
	struct engine *engine;
	struct record record;
	struct report report;
	int follower;                /* the side that follows the book */
	struct positions own, other; /* with the follower to move, and with the opponent */
};

/* Adds a position. Returns false if it is there already. */
static bool prover_add(struct positions *p, const struct book_entry *key)
{
	for (size_t i = 0; i < p->count; i++)
		if (book_compare(&p->entries[i], key) == 0)
			return false;
	p->entries = xgrow(p->entries, p->count, sizeof *p->entries);
	p->entries[p->count++] = *key;
	return true;
}

/* Chooses a move by the default search. */
static struct move prover_search(struct prover *p, const struct state *s)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = (uint64_t)p->settings->work };
	char why[REASON_MAX] = "the search finds no move";
	record_setup(&p->record, s);
	engine_options(p->engine)->seed = 1;
	engine_reseed(p->engine);
	if (!engine_search(p->engine, &p->record, &limits, &p->report, why) ||
	    p->report.line_count == 0)
		message_exit("%s", why);
	return p->report.line[0];
}

/* Finds a best move and Black's score. */
static struct move prover_solve(struct prover *p, const struct state *s, int *score)
{
	const struct game *g = p->settings->game;
	struct solution found;
	int least, most, best = 0;
	if (!exact_solve(&p->exact, g, s, SOLVE_SCORE, INFINITY, NULL, &found))
		message_exit("the solver does not solve these positions");
	solution_bounds(&found, s->side, &least, &most);
	*score = least;
	while (found.moves[best].least != least || found.moves[best].most != most)
		best++;
	return side_sign(s->side) * least < 0 ? prover_search(p, s) : found.moves[best].move;
}

/* Finds the follower's move and stores it in the position's entry. */
static struct move prover_choose(struct prover *p, const struct state *s, int symmetry)
{
	const struct game *g = p->settings->game;
	size_t at = p->own.count - 1;
	int score;
	struct move move = prover_solve(p, s, &score);
	struct book_entry *e = &p->own.entries[at];
	builder_set_move(g, e, move, symmetry);
	e->value = (float)(g->score.unit ? game_points(g, score) : score_sign(score));
	if (p->own.count % LINE_EVERY == 0) {
		printf("%zu positions\n", p->own.count);
		fflush(stdout);
	}
	return move;
}

/* Adds the positions that follow from a state after `made` moves. */
static void prover_visit(struct prover *p, const struct state *s, int made)
{
	const struct game *g = p->settings->game;
	struct move moves[GAME_MOVES_MAX];
	bool own = s->side == p->follower;
	int symmetry, n = 1;
	if (s->over || made >= p->settings->proven)
		return;
	struct book_entry key = book_key(g, s, &symmetry);
	if (!prover_add(own ? &p->own : &p->other, &key))
		return;
	if (own)
		moves[0] = prover_choose(p, s, symmetry);
	else
		n = game_moves(g, s, moves);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		builder_play(g, &next, moves[i]);
		prover_visit(p, &next, made + 1);
	}
}

static int prover_compare_entries(const void *a, const void *b)
{
	return book_compare(a, b);
}

void prover_run(const struct book_settings *settings)
{
	struct prover *p = xcalloc(1, sizeof *p);
	struct state start;
	p->settings = settings;
	p->exact.size = (size_t)settings->memory << 20;
	p->exact.block = block_create(p->exact.size);
	if (!p->exact.block)
		message_exit("no memory for the solver");
	p->engine = engine_create();
	struct options *o = engine_options(p->engine);
	o->threads = 1;
	o->memory = settings->memory;
	record_init(&p->record, settings->game);
	settings->game->start(settings->game, &start);
	for (p->follower = BLACK; p->follower <= WHITE; p->follower++)
		prover_visit(p, &start, 0);
	qsort(p->own.entries, p->own.count, sizeof *p->own.entries, prover_compare_entries);
	builder_write(settings, p->own.entries, (uint32_t)p->own.count);
	printf("wrote moves for %zu positions to %s\n", p->own.count, settings->output);
	free(p->own.entries);
	free(p->other.entries);
	record_free(&p->record);
	report_free(&p->report);
	engine_destroy(p->engine);
	exact_free(&p->exact);
	free(p);
}
