/* SPDX-License-Identifier: MIT
 *
 * The fixture of the search suites: an engine with one thread and a fixed seed, without book and solver,
 * and a record of Tic-tac-toe. Both are created anew for every test.
 */
#ifndef TESTS_ENGINE_FIXTURE_H
#define TESTS_ENGINE_FIXTURE_H

#include <math.h>
#include <stdio.h>
#ifndef _WIN32
#include <sys/resource.h>
#endif

#include "engine/base/memory.h"
#include "engine/search/engine.h"
#include "tests/suite.h"

static struct engine *engine;
static struct record record;

static inline void set(const char *name, const char *value)
{
	options_set(engine_options(engine), name, value);
}

static inline void set_number(const char *name, size_t value)
{
	char text[OPTION_TEXT_MAX];
	snprintf(text, sizeof text, "%zu", value);
	set(name, text);
}

/* Sets the memory in bytes; a build's unit may be larger. */
static inline void set_memory(size_t bytes)
{
	set_number("memory", bytes < MEMORY_UNIT ? 1 : bytes / MEMORY_UNIT);
}

static inline void fixture_create(const char *search)
{
	engine = engine_create();
	record_init(&record, &game_tictactoe);
	set("search", search);
	set("threads", "1");
	set("exact", "0");
	set("book", "0");
	set_memory((size_t)8 << 20);
	set("seed", "5");
	engine_reseed(engine);
}

static inline void fixture_destroy(void)
{
	engine_destroy(engine);
	record_free(&record);
}

static inline void set_position(const char *squares, const char *side)
{
	struct state s;
	ck_assert_ptr_null(game_setup(record.game, &s, squares, side));
	record_setup(&record, &s);
}

/* Checks a report. Every line must be legal to its end, and every move must occur once. The answer comes
 * first and keeps what is proven of the position; then come proven wins, unknown moves, proven losses. */
static inline void check_line(const struct move *line, int count)
{
	struct state s = record.now;
	for (int i = 0; i < count; i++) {
		ck_assert(game_is_legal(record.game, &s, line[i]));
		game_play(record.game, &s, line[i]);
	}
}

static inline void check_report(const struct report *r)
{
	int side = record.now.side, last = 1, first = -1;
	ck_assert_int_le(r->lower, r->upper);
	if (r->value == r->value) {
		ck_assert(r->value >= r->lower - 1e-9);
		ck_assert(r->value <= r->upper + 1e-9);
	}
	ck_assert_int_eq(r->line_count > 0, r->move_count > 0);
	check_line(r->line, r->line_count);
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		int least = side == BLACK ? m->lower : -m->upper;
		int most = side == BLACK ? m->upper : -m->lower;
		int rank = least > 0 ? 1 : most < 0 ? -1 : 0;
		ck_assert_int_le(m->lower, m->upper);
		ck_assert_int_ge(m->line_count, 1);
		ck_assert_int_le(m->line_count, REPORT_LINE_MAX);
		struct move line[REPORT_LINE_MAX];
		ck_assert_int_eq(report_line(r, m, line, NULL), m->line_count);
		ck_assert(move_equal(m->move, line[0]));
		check_line(line, m->line_count);
		/* A single assertion, because each costs a system call. */
		bool told_before = false;
		for (int j = 0; j < i; j++)
			told_before |= move_equal(m->move, r->moves[j].move);
		ck_assert(!told_before);
		if (i == 0) {
			/* The answer keeps what is proven of the position. */
			ck_assert(move_equal(m->move, r->line[0]));
			ck_assert_int_ge(least, side == BLACK ? r->lower : -r->upper);
		} else {
			ck_assert_int_le(rank, last);
		}
		/* A known win is played. In a game with points, another move may promise more. */
		first = i == 0 ? rank : first;
		ck_assert(rank < 1 || first == 1 || record.game->score.unit);
		last = i == 0 ? 1 : rank;
		if (m->value == m->value) {
			ck_assert(m->value >= m->lower - 1e-9);
			ck_assert(m->value <= m->upper + 1e-9);
		}
	}
}

/* Searches the record's position and checks the report. */
static inline void search_within(struct limits limits, struct report *report)
{
	char why[REASON_MAX];
	ck_assert_msg(engine_search(engine, &record, &limits, report, why), "%s", why);
	ck_assert_int_ge(report->line_count, 1);
	check_report(report);
}

/* Checks that a new fixture repeats a search of `units` units of work from the start of a game. */
static inline void check_repeats(void (*setup)(void), const struct game *g, uint64_t units)
{
	static struct report reports[2];
	for (int i = 0; i < 2; i++) {
		if (i) {
			fixture_destroy();
			setup();
		}
		record_restart(&record, g);
		search_within((struct limits) { .deadline = TIME_NEVER, .work_max = units },
			      &reports[i]);
	}
	const struct report *a = &reports[0], *b = &reports[1];
	ck_assert_uint_eq(a->nodes, b->nodes);
	ck_assert_int_eq(a->line_count, b->line_count);
	for (int i = 0; i < a->line_count; i++)
		ck_assert(move_equal(a->line[i], b->line[i]));
	ck_assert(a->value == b->value || (isnan(a->value) && isnan(b->value)));
}

/* Checks that a search allocates its table again after a refusal. A system without support for the
 * memory limit cannot refuse, so the test then proves nothing. */
static inline void check_refused_table_is_tried_again(const struct algorithm *algorithm)
{
	struct rlimit usual, none;
	struct control control;
	char why[REASON_MAX];
	struct task task = { .record = &record,
			     .options = engine_options(engine),
			     .memory = (size_t)4 << 20,
			     .threads = 1,
			     .control = &control };
	void *self = algorithm->create();
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &usual), 0);
	none = (struct rlimit) { 0, usual.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
	void *block = block_create(task.memory);
	bool refused = !algorithm->prepare(self, &task, why);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &usual), 0);
	ck_assert(refused == !block);
	block_destroy(block, task.memory);
	ck_assert(algorithm->prepare(self, &task, why));
	algorithm->destroy(self);
}

#endif
