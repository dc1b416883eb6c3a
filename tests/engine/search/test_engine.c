/* SPDX-License-Identifier: MIT
 *
 * The life of a search: every search finds a legal move in every game, on its own thread or the caller's;
 * a stop ends it; options set its limits.
 */
#include <stdatomic.h>

#include "engine/search/common/slots.h"
#include "tests/engine/fixture.h"
#include "tests/tested.h"

static struct report report;
static char why[REASON_MAX];

static void setup(void)
{
	fixture_create("mcts");
	record_restart(&record, tested_game(0));
	set("memory", "16");
}

/* Plays a seeded random game and searches at times. The line must be playable to its end. */
START_TEST(every_search_plays_every_game)
{
	struct rng rng;
	rng_seed(&rng, 11);
	set("search", algorithms[_i]->name);
	set("threads", "2");
	for (int g = 0; tested_game(g); g++) {
		set_number("nodes", tested_work(tested_game(g), suite_times(300)));
		record_restart(&record, tested_game(g));
		while (!record.now.over) {
			search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
			record_play(&record, report.line[0]);
			for (int i = 0; i < 3 && !record.now.over; i++)
				record_play(&record, record_draw(&record, &rng));
		}
	}
}
END_TEST

/* Searches on another thread, within the limits of the options. */
static void search_on_thread(void)
{
	struct limits limits = engine_limits(engine, record.game, TIME_NEVER);
	ck_assert(engine_think(engine, &record, &limits, NULL, NULL, why));
	ck_assert(engine_collect(engine, &report, why));
}

static atomic_int ends; /* calls with WAKE_DONE */

static void count_end(void *arg, enum wake what)
{
	ck_assert_int_eq(what, WAKE_DONE);
	ck_assert_ptr_eq(arg, engine);
	ends++;
}

START_TEST(thinking_wakes_and_stops)
{
	ends = 0;
	set("search", algorithms[_i]->name);
	/* Without a limit only a stop or a proof ends the search. */
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	ck_assert(engine_think(engine, &record, &limits, count_end, engine, why));
	engine_stop(engine);
	ck_assert(engine_collect(engine, &report, why));
	ck_assert_int_eq(ends, 1);
	ck_assert(game_is_legal(record.game, &record.now, report.line[0]));
}
END_TEST

/* An engine that shares processors with others does not ponder. */
START_TEST(ponders_alone)
{
	struct slots *slots = slots_create(2);
	set("ponder", "1");
	set("playouts", "100");
	ck_assert(!engine_ponder(engine, &record)); /* after no move */
	search_on_thread();
	record_play(&record, report.line[0]);
	engine_set_slots(engine, slots);
	ck_assert(!engine_ponder(engine, &record));
	engine_set_slots(engine, NULL);
	ck_assert(engine_ponder(engine, &record));
	engine_end_pondering(engine);
	set("ponder", "0");
	ck_assert(!engine_ponder(engine, &record));
	slots_destroy(slots);
}
END_TEST

START_TEST(limits_from_options)
{
	struct limits limits = engine_limits(engine, record.game, TIME_NEVER);
	ck_assert(limits.deadline != TIME_NEVER);
	ck_assert_uint_eq(limits.work_max, WORK_NO_LIMIT);
	set("playouts", "500");
	limits = engine_limits(engine, record.game, TIME_NEVER);
	ck_assert(limits.deadline == TIME_NEVER);
	ck_assert_uint_eq(limits.work_max, 500);
	set("nodes", "300");
	limits = engine_limits(engine, record.game, 1000000000);
	ck_assert(limits.deadline != TIME_NEVER);
	ck_assert_uint_eq(limits.work_max, 300);
	/* A time of 0 means a millisecond. */
	int64_t now = clock_now();
	limits = engine_limits(engine, record.game, 0);
	ck_assert(limits.deadline >= now + 1000000);
	ck_assert(limits.deadline <= clock_now() + 1000000);
	/* The margin is at most half of the budget. */
	set("margin", "1000");
	int64_t before = clock_now();
	limits = engine_limits(engine, record.game, 100000000);
	ck_assert(limits.deadline >= before + 50000000);
	ck_assert(limits.deadline < clock_now() + 50000001);
	/* A depth limits only searches that use it. */
	set("playouts", "0");
	set("nodes", "0");
	set("depth", "3");
	set("search", "mcts");
	ck_assert(engine_limits(engine, record.game, TIME_NEVER).deadline != TIME_NEVER);
	set("search", "negamax");
	ck_assert(engine_limits(engine, record.game, TIME_NEVER).deadline == TIME_NEVER);
}
END_TEST

int main(void)
{
	int count = 0;
	while (algorithms[count])
		count++;
	Suite *suite = suite_create("engine");
	TCase *cases = tcase_create("engine");
	tcase_set_timeout(cases, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_loop_test(cases, every_search_plays_every_game, 0, count);
	tcase_add_loop_test(cases, thinking_wakes_and_stops, 0, count);
	tcase_add_test(cases, ponders_alone);
	tcase_add_test(cases, limits_from_options);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
