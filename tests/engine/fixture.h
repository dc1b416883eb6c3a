/* SPDX-License-Identifier: MIT
 *
 * What the suites of the searches stand on: an engine with one thread and a seed, and a record of
 * Tic-tac-toe, made anew for every test.
 */
#ifndef TESTS_ENGINE_FIXTURE_H
#define TESTS_ENGINE_FIXTURE_H

#include <stdio.h>

#include "engine/engine.h"
#include "engine/memory.h"
#include "tests/suite.h"

static struct engine *engine;
static struct record record;

static inline void set(const char *name, const char *value)
{
	char why[REASON_MAX];
	ck_assert_msg(option_set(engine_options(engine), option_find(name), value, why), "%s", why);
}

static inline void set_number(const char *name, size_t value)
{
	char text[OPTION_TEXT_MAX];
	snprintf(text, sizeof text, "%zu", value);
	set(name, text);
}

/* Bytes, whatever a build's unit is. */
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

/* Searches the record's position; what is reported must be legal to the end of its line. */
static inline void search_within(struct limits limits, struct report *report)
{
	char why[REASON_MAX];
	ck_assert_msg(engine_search(engine, &record, &limits, report, why), "%s", why);
	ck_assert_int_ge(report->line_count, 1);
	ck_assert_int_le(report->lower, report->upper);
	struct state s = record.now;
	for (int i = 0; i < report->line_count; i++) {
		ck_assert(game_is_legal(record.game, &s, report->line[i]));
		game_play(record.game, &s, report->line[i]);
	}
}

#endif
