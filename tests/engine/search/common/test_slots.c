/* SPDX-License-Identifier: MIT
 *
 * Thread slots (struct slots): never more workers than slots, turns in order and after time slices, no
 * needless waiting.
 */
#include <sched.h>

#include "engine/base/thread.h"
#include "engine/search/common/slots.h"
#include "tests/engine/fixture.h"

#define THREADS 6

static struct slots *slots;

/* Workers that hold a slot, and their maximum so far. */
static atomic_int inside, most;

struct guest {
	pthread_t thread;
	struct control control;
	uint64_t worked;
	int place;         /* position in the order of turns */
	atomic_bool ended; /* has stopped working */
};
static struct guest guests[THREADS];
static atomic_int places;

static void setup(void)
{
	atomic_store(&inside, 0);
	atomic_store(&most, 0);
	atomic_store(&places, 0);
}

static void guest_init(struct guest *g, int64_t deadline, uint64_t work_max)
{
	control_init(&g->control, deadline, work_max);
	g->control.slots = slots;
	g->worked = 0;
	g->place = -1;
	atomic_store(&g->ended, false);
}

/* A worker that counts the active workers between its claims. */
static void *work(void *arg)
{
	struct guest *g = arg;
	uint64_t got;
	while ((got = control_claim(&g->control, 16)) > 0) {
		int now = atomic_fetch_add(&inside, 1) + 1, seen = atomic_load(&most);
		while (now > seen && !atomic_compare_exchange_weak(&most, &seen, now))
			;
		if (g->worked == 0)
			g->place = atomic_fetch_add(&places, 1);
		g->worked += got;
		atomic_fetch_sub(&inside, 1);
	}
	slots_leave(slots);
	atomic_store(&g->ended, true);
	return NULL;
}

static void start(struct guest *g)
{
	ck_assert_int_eq(thread_start(&g->thread, work, g), 0);
}

static void await_waiting(int count)
{
	while (slots_waiting(slots) != count)
		sched_yield();
}

START_TEST(never_more_than_slots)
{
	int count = 1 + _i;
	slots = slots_create(count);
	/* All run long enough for turns to change: slices are at most 100 ms. */
	for (int i = 0; i < THREADS; i++) {
		guest_init(&guests[i], TIME_NEVER, 30000000);
		start(&guests[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(guests[i].thread, NULL);
		ck_assert_uint_eq(guests[i].worked, 30000000);
	}
	ck_assert_int_ge(atomic_load(&most), 1);
	ck_assert_int_le(atomic_load(&most), count);
	ck_assert_int_eq(slots_waiting(slots), 0);
	slots_destroy(slots);
}
END_TEST

START_TEST(turns_come_in_order)
{
	slots = slots_create(1);
	guest_init(&guests[0], TIME_NEVER, WORK_NO_LIMIT);
	ck_assert_uint_eq(control_claim(&guests[0].control, 16), 16);
	for (int i = 1; i < THREADS; i++) {
		guest_init(&guests[i], TIME_NEVER, 16);
		start(&guests[i]);
		await_waiting(i);
	}
	slots_leave(slots);
	for (int i = 1; i < THREADS; i++) {
		pthread_join(guests[i].thread, NULL);
		ck_assert_int_eq(guests[i].place, i - 1);
	}
	slots_destroy(slots);
}
END_TEST

/* A worker that never ends gives up its slot repeatedly and gets it back. */
START_TEST(slices_end)
{
	slots = slots_create(1);
	guest_init(&guests[0], TIME_NEVER, WORK_NO_LIMIT);
	ck_assert_uint_eq(control_claim(&guests[0].control, 16), 16);
	for (int round = 0; round < 3; round++) {
		guest_init(&guests[1], TIME_NEVER, 16);
		start(&guests[1]);
		while (!atomic_load(&guests[1].ended))
			ck_assert_uint_eq(control_claim(&guests[0].control, 16), 16);
		pthread_join(guests[1].thread, NULL);
		ck_assert_uint_eq(guests[1].worked, 16);
	}
	slots_leave(slots);
	slots_destroy(slots);
}
END_TEST

/* Everything that ends a search also ends its wait for a slot: a stop, a stopped phase, a deadline, work
 * done by others. */
START_TEST(waiting_ends)
{
	struct control outer;
	struct guest *g = &guests[1];
	slots = slots_create(1);
	guest_init(&guests[0], TIME_NEVER, WORK_NO_LIMIT);
	ck_assert_uint_eq(control_claim(&guests[0].control, 16), 16);
	guest_init(g, _i == 2 ? clock_now() + 20000000 : TIME_NEVER, _i == 3 ? 100 : WORK_NO_LIMIT);
	if (_i == 1) {
		control_init(&outer, TIME_NEVER, WORK_NO_LIMIT);
		outer.slots = slots;
		control_init_phase(&g->control, &outer, 2);
	}
	start(g);
	if (_i < 2) {
		await_waiting(1);
		control_stop(&g->control);
	} else if (_i == 3) {
		/* Here the test is the worker that holds the slot. */
		await_waiting(1);
		slots_leave(slots);
		pthread_join(g->thread, NULL);
		ck_assert_uint_eq(g->worked, 100);
		guest_init(g, TIME_NEVER, 100);
		ck_assert_uint_eq(control_claim(&g->control, 100), 100);
		start(g);
		ck_assert_uint_eq(control_claim(&g->control, 100), 0);
	}
	pthread_join(g->thread, NULL);
	ck_assert_uint_eq(g->worked, 0);
	ck_assert_int_eq(slots_waiting(slots), 0);
	if (_i == 1)
		ck_assert(!control_stopped(&outer));
	slots_leave(slots);
	slots_destroy(slots);
}
END_TEST

#define ENGINES 5

struct table {
	struct engine *engine;
	struct record record;
	struct report report;
};
static struct table tables[ENGINES];

static void table_open(struct table *t, const char *search, const char *threads,
		       const struct game *game)
{
	fixture_create(search);
	set("threads", threads);
	t->engine = engine;
	t->record = record;
	record_restart(&t->record, game);
}

static void table_close(struct table *t)
{
	engine_destroy(t->engine);
	record_free(&t->record);
}

static void table_think(struct table *t, uint64_t work)
{
	char why[REASON_MAX];
	struct limits limits = { .deadline = TIME_NEVER, .work_max = work };
	ck_assert_msg(engine_think(t->engine, &t->record, &limits, NULL, NULL, why), "%s", why);
}

static void table_collect(struct table *t)
{
	char why[REASON_MAX];
	ck_assert_msg(engine_collect(t->engine, &t->report, why), "%s", why);
	ck_assert(game_is_legal(t->record.game, &t->record.now, t->report.line[0]));
}

/* Searches that share slots find the same moves as alone. */
START_TEST(engines_share)
{
	static const char *const searches[ENGINES] = { "mcts", "dfpn+mcts", "alphabeta", "union",
						       "dfpn" };
	struct move alone[ENGINES];
	for (int shared = 0; shared < 2; shared++) {
		slots = shared ? slots_create(2) : NULL;
		for (int i = 0; i < ENGINES; i++) {
			table_open(&tables[i], searches[i], "1", &game_othello);
			engine_set_slots(tables[i].engine, slots);
			table_think(&tables[i], 20000);
		}
		for (int i = 0; i < ENGINES; i++) {
			struct table *t = &tables[i];
			table_collect(t);
			if (!shared)
				alone[i] = t->report.line[0];
			ck_assert(move_equal(alone[i], t->report.line[0]));
			table_close(t);
		}
		slots_destroy(slots);
	}
}
END_TEST

/* With more workers than slots, and any leader, all finish their work. */
START_TEST(engines_with_threads_share)
{
	const uint64_t work = (uint64_t)suite_times(50000);
	slots = slots_create(1 + _i);
	for (int i = 0; i < ENGINES; i++) {
		table_open(&tables[i], "mcts", "3", &game_pentago);
		tables[i].report.playouts = 0;
		engine_set_slots(tables[i].engine, slots);
		engine_options(tables[i].engine)->early_stop = false;
		table_think(&tables[i], work);
	}
	for (int i = 0; i < ENGINES; i++) {
		table_collect(&tables[i]);
		ck_assert_uint_eq(tables[i].report.playouts, work);
		table_close(&tables[i]);
	}
	ck_assert_int_eq(slots_waiting(slots), 0);
	slots_destroy(slots);
}
END_TEST

/* A game's solver, whose workers wait for each other, with fewer slots than workers. The position is so
 * near the end that the solver's time limit does not matter. */
START_TEST(solvers_share)
{
	slots = slots_create(1 + _i);
	for (int i = 0; i < ENGINES; i++) {
		struct table *t = &tables[i];
		struct state s;
		table_open(t, "mcts", "3", &game_pentago);
		ck_assert_ptr_null(game_setup(t->record.game, &s,
					      "X..XOOX.OO.XOOXOXO..O.XXXXOXX...OXOO", "X"));
		record_setup(&t->record, &s);
		engine_options(t->engine)->exact = true;
		engine_set_slots(t->engine, slots);
		table_think(t, WORK_NO_LIMIT);
	}
	for (int i = 0; i < ENGINES; i++) {
		table_collect(&tables[i]);
		ck_assert_int_eq(tables[i].report.move_count, 10 * 8);
		ck_assert_int_eq(tables[i].report.lower, 1);
		table_close(&tables[i]);
	}
	ck_assert_int_eq(slots_waiting(slots), 0);
	slots_destroy(slots);
}
END_TEST

/* A waiting search can be stopped even if the only slot is never released. */
START_TEST(waiting_engine_stops)
{
	slots = slots_create(1);
	guest_init(&guests[0], TIME_NEVER, WORK_NO_LIMIT);
	ck_assert_uint_eq(control_claim(&guests[0].control, 16), 16);
	for (int i = 0; algorithms[i]; i++) {
		if (algorithms[i] == &algorithm_random)
			continue;
		table_open(&tables[0], algorithms[i]->name, "2", &game_othello);
		engine_set_slots(tables[0].engine, slots);
		table_think(&tables[0], WORK_NO_LIMIT);
		await_waiting(1);
		engine_stop(tables[0].engine);
		table_collect(&tables[0]);
		table_close(&tables[0]);
	}
	slots_leave(slots);
	slots_destroy(slots);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("slots");
	TCase *cases = tcase_create("slots");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 60);
	tcase_set_timeout(native, 60);
	tcase_add_checked_fixture(cases, setup, NULL);
	tcase_add_checked_fixture(native, setup, NULL);
	tcase_add_loop_test(native, never_more_than_slots, 0, 3);
	tcase_add_test(cases, turns_come_in_order);
	tcase_add_test(cases, slices_end);
	tcase_add_loop_test(cases, waiting_ends, 0, 4);
	tcase_add_test(cases, engines_share);
	tcase_add_loop_test(cases, engines_with_threads_share, 0, 3);
	tcase_add_loop_test(native, solvers_share, 0, 3);
	tcase_add_test(cases, waiting_engine_stops);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
