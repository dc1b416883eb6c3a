/* SPDX-License-Identifier: MIT */
#include "tools/book/confirm.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/rules/book.h"
#include "engine/rules/images.h"
#include "engine/search/engine.h"
#include "tools/book/results.h"
#include "tools/lib/message.h"

#define SEEDS          2
#define CANDIDATES_MAX (BOOK_MOVES_MAX + SEEDS)

/* The result of a search; one line of the journal. */
struct confirm_result {
	char position[POSITION_TEXT_MAX];
	int seed, work;
	char move[MOVE_TEXT_MAX];
	double value; /* from Black's view; in points if the game counts them */
};

struct confirm {
	const struct book_settings *settings;
	struct book_entry *entries; /* copy of the book's entries */
	uint32_t count;
	bool *kept;
	struct confirm_result *results;
	size_t result_count;
	FILE *journal;
	pthread_mutex_t lock; /* protects results and journal */
	_Atomic uint32_t next;
	_Atomic bool stopped; /* time was up before all searches were done */
	int64_t end;
};

/* --- the journal --- */

static void confirm_add_result(struct confirm *c, const struct confirm_result *f)
{
	c->results = xgrow(c->results, c->result_count, sizeof *c->results);
	c->results[c->result_count++] = *f;
}

/* Adds a result of an earlier run. Returns false if the line has none. */
static bool confirm_take_result(void *arg, const char *line)
{
	struct confirm_result f;
	char squares[POSITION_TEXT_MAX], side;
	int end = 0;
	if (sscanf(line, "%120s %c %d %d %7s %lf%n", squares, &side, &f.seed, &f.work, f.move,
		   &f.value, &end) != 6 ||
	    line[end])
		return false;
	snprintf(f.position, sizeof f.position, "%.120s %c", squares, side);
	confirm_add_result(arg, &f);
	return true;
}

/* Looks up a result. Returns false if there is none. */
static bool find_result(struct confirm *c, struct confirm_result *f)
{
	bool found = false;
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->result_count && !found; i++) {
		const struct confirm_result *k = &c->results[i];
		found = k->seed == f->seed && k->work == f->work &&
			strcmp(k->position, f->position) == 0;
		if (found)
			*f = *k;
	}
	pthread_mutex_unlock(&c->lock);
	return found;
}

static void confirm_add_to_journal(struct confirm *c, const struct confirm_result *f)
{
	pthread_mutex_lock(&c->lock);
	confirm_add_result(c, f);
	fprintf(c->journal, "%s %d %d %s %.6f\n", f->position, f->seed, f->work, f->move, f->value);
	if (fflush(c->journal) != 0 || ferror(c->journal))
		message_exit_errno("write", c->settings->journal);
	pthread_mutex_unlock(&c->lock);
}

/* --- searches --- */

/* A thread that searches. */
struct confirm_searcher {
	struct confirm *confirm;
	struct engine *engine;
	struct record record;
	struct report report;
};

static void set_state(const struct game *g, const uint64_t stones[2], int side, struct state *s)
{
	char squares[POSITION_TEXT_MAX];
	int n = g->board.rows * g->board.cols;
	for (int i = 0; i < n; i++)
		squares[i] = stones[BLACK] >> i & 1 ? 'X' : stones[WHITE] >> i & 1 ? 'O' : '.';
	squares[n] = '\0';
	if (g->setup(g, s, squares, side))
		abort(); /* positions of the book are valid */
}

/* Returns the symmetry in which a seed sees the board. The error of an evaluation differs between
 * symmetries. */
static int view_of(const struct game *g, int seed)
{
	return images_symmetries(g) >> 3 & 1 && seed > 1 ? 3 : 0;
}

/* Maps a position by a symmetry. */
static void mirror_state(const struct game *g, const struct state *s, int symmetry,
			 struct state *out)
{
	uint64_t stones[2];
	*out = *s;
	if (!symmetry)
		return;
	g->images->stones(g, s, stones);
	for (int side = 0; side < 2; side++)
		stones[side] = book_mirror_set(g, stones[side], symmetry);
	set_state(g, stones, s->side, out);
}

static struct move mirror_move(const struct game *g, struct move m, int symmetry)
{
	for (int i = 0; symmetry && i < 2; i++)
		if (m.step[i] != MOVE_NONE)
			m.step[i] = g->images->mirror(g, m.step[i], symmetry);
	return m;
}

/* Searches a position as it stands, or takes the result from the journal. Returns false if time is up. */
static bool confirm_search(struct confirm_searcher *s, const struct state *state, int seed,
			   struct confirm_result *f)
{
	struct confirm *c = s->confirm;
	const struct game *g = c->settings->game;
	struct limits limits = { .deadline = TIME_NEVER, .work_max = (uint64_t)c->settings->work };
	char why[REASON_MAX] = "the search reports no value";
	*f = (struct confirm_result) { .seed = seed, .work = c->settings->work };
	game_position(g, state, f->position);
	if (find_result(c, f))
		return true;
	if (clock_now() >= c->end)
		return false;
	engine_options(s->engine)->seed = seed;
	engine_reseed(s->engine);
	record_setup(&s->record, state);
	bool found = engine_search(s->engine, &s->record, &limits, &s->report, why);
	f->value = !found ? NAN : g->score.unit ? s->report.score : s->report.value;
	if (isnan(f->value))
		message_exit("%s", why);
	game_format(g, state, s->report.line[0], f->move);
	confirm_add_to_journal(c, f);
	return true;
}

/* Computes the value of the position after a move, for one seed. Returns false if time is up. */
static bool value_behind(struct confirm_searcher *s, const struct state *state, struct move move,
			 int seed, double *value)
{
	const struct game *g = s->confirm->settings->game;
	struct state next = *state, shown;
	struct confirm_result f;
	builder_play(g, &next, move);
	if (next.over) {
		*value = g->score.unit ? next.score : score_sign(next.score);
		return true;
	}
	mirror_state(g, &next, view_of(g, seed), &shown);
	if (!confirm_search(s, &shown, seed, &f))
		return false;
	*value = f.value;
	return true;
}

/* Finds the best move of a position, for one seed. Returns false if time is up. */
static bool confirm_choose(struct confirm_searcher *s, const struct state *state, int seed,
			   struct move *move)
{
	const struct game *g = s->confirm->settings->game;
	struct state shown;
	struct confirm_result f;
	int view = view_of(g, seed);
	mirror_state(g, state, view, &shown);
	if (!confirm_search(s, &shown, seed, &f) || game_parse(g, &shown, f.move, move) != MOVE_OK)
		return false;
	*move = mirror_move(g, *move, book_inverse(view));
	return true;
}

/* Returns the move of an entry in the entry's own orientation. */
static struct move move_of(const struct book_entry *e)
{
	struct move m = move_single(e->step[0]);
	if (e->step[1] != UINT8_MAX)
		m.step[1] = e->step[1];
	return m;
}

/* Checks the entries first .. first + count - 1, which are all of one position. Returns false if time is
 * up. */
static bool confirm_check_position(struct confirm_searcher *s, uint32_t first, uint32_t count)
{
	struct confirm *c = s->confirm;
	const struct game *g = c->settings->game;
	struct move candidates[CANDIDATES_MAX];
	double lost[CANDIDATES_MAX] = { 0 };
	struct state state;
	uint32_t n = count;
	set_state(g, c->entries[first].stones, c->entries[first].side, &state);
	for (uint32_t i = 0; i < count; i++)
		candidates[i] = move_of(&c->entries[first + i]);
	for (int seed = 1; seed <= SEEDS; seed++)
		if (!confirm_choose(s, &state, seed, &candidates[n++]))
			return false;
	for (int seed = 1; seed <= SEEDS; seed++) {
		double values[CANDIDATES_MAX], best = -INFINITY;
		for (uint32_t i = 0; i < n; i++) {
			if (!value_behind(s, &state, candidates[i], seed, &values[i]))
				return false;
			values[i] *= side_sign(state.side);
			best = fmax(best, values[i]);
		}
		for (uint32_t i = 0; i < n; i++)
			lost[i] = fmax(lost[i], best - values[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		c->kept[first + i] = lost[i] <= c->settings->equal;
	return true;
}

static void check_positions(void *arg, int number)
{
	struct confirm *c = arg;
	struct confirm_searcher *s = xcalloc(1, sizeof *s);
	s->confirm = c;
	s->engine = engine_create();
	struct options *o = engine_options(s->engine);
	o->threads = 1;
	o->memory = c->settings->memory;
	o->early_stop = false;
	record_init(&s->record, c->settings->game);
	while (!atomic_load(&c->stopped)) {
		uint32_t first = atomic_fetch_add(&c->next, 1), count = 1;
		if (first >= c->count)
			break;
		/* The thread that takes the first entry of a position checks all of its entries. */
		if (first && book_compare(&c->entries[first], &c->entries[first - 1]) == 0)
			continue;
		while (first + count < c->count &&
		       book_compare(&c->entries[first], &c->entries[first + count]) == 0)
			count++;
		if (!confirm_check_position(s, first, count))
			atomic_store(&c->stopped, true);
	}
	record_free(&s->record);
	report_free(&s->report);
	engine_destroy(s->engine);
	free(s);
}

void confirm_run(const struct book_settings *settings)
{
	const struct book_header *header = settings->game->book;
	struct confirm c = { .settings = settings,
			     .lock = PTHREAD_MUTEX_INITIALIZER,
			     .count = header->count };
	c.entries = xcalloc(c.count + 1, sizeof *c.entries);
	memcpy(c.entries, header + 1, c.count * sizeof *c.entries);
	c.kept = xcalloc(c.count + 1, sizeof *c.kept);
	c.end = clock_now() + (int64_t)(settings->seconds * 1e9);
	c.journal = results_open(c.settings->journal, "confirmations", c.settings->game,
				 confirm_take_result, &c);
	threads_run(settings->threads, check_positions, &c);
	if (c.stopped) {
		printf("time is up; run the same command to go on\n");
	} else {
		uint32_t kept = 0;
		for (uint32_t i = 0; i < c.count; i++)
			if (c.kept[i])
				c.entries[kept++] = c.entries[i];
		builder_write(settings, c.entries, kept);
		printf("%u of %u moves confirmed\n", kept, c.count);
	}
	fclose(c.journal);
	free(c.results);
	free(c.kept);
	free(c.entries);
}
