/* SPDX-License-Identifier: MIT
 * Primitive Monte Carlo: equal shares, exact limits, sensible choices, the same again from a seed.
 */
#include <math.h>

#include "engine/engine.h"
#include "tests/suite.h"

static struct engine *engine;
static struct record record;

static void set(const char *name, const char *value)
{
	char why[REASON_MAX];
	ck_assert_msg(option_set(engine_options(engine), option_find(name), value, why), "%s", why);
}

static void setup(void)
{
	engine = engine_create();
	set("search", "montecarlo");
	set("threads", "1");
	set("seed", "1");
	engine_reseed(engine);
	record_init(&record, &game_tictactoe);
}

static void teardown(void)
{
	engine_destroy(engine);
	record_free(&record);
}

static struct report think(const char *playouts)
{
	struct report r;
	char why[REASON_MAX];
	set("playouts", playouts);
	struct limits limits = engine_limits(engine, TIME_NEVER);
	ck_assert(engine_search(engine, &record, &limits, &r, why));
	return r;
}

static void position(const char *squares, const char *side)
{
	struct state s;
	ck_assert_ptr_null(game_setup(record.game, &s, squares, side));
	record_setup(&record, &s);
}

START_TEST(takes_a_win)
{
	position("XX.OO....", "X");
	struct report r = think("500");
	ck_assert_int_eq(r.line[0].step[0], 2);
	ck_assert_double_eq(r.value, 1);
	position("XX.OO...X", "O");
	r = think("500");
	ck_assert_int_eq(r.line[0].step[0], 5);
	ck_assert_double_eq(r.value, -1);
}
END_TEST

START_TEST(share_of_all_or_of_each)
{
	ck_assert_uint_eq(think("1000").playouts, 1000);
	set("share", "move");
	ck_assert_uint_eq(think("1000").playouts, 9000);
	set("threads", "4");
	ck_assert_uint_eq(think("1000").playouts, 9000);
}
END_TEST

/* One move wins at once, behind the other there is one draw: a playout of each is exact. */
START_TEST(one_playout_each)
{
	position("O.OXXOX.X", "O");
	struct report r = think("2");
	ck_assert_uint_eq(r.playouts, 2);
	ck_assert_int_eq(r.line_count, 1);
	ck_assert_int_eq(r.line[0].step[0], 1);
	ck_assert_double_eq(r.value, -1);
}
END_TEST

/* With equal shares the mean of the centre is near its true one, and it is the best. */
START_TEST(finds_the_centre)
{
	set("threads", "3");
	struct report r = think("90000");
	ck_assert_int_eq(r.line[0].step[0], 4);
	ck_assert(fabs(r.value - 0.48) < 0.03);
}
END_TEST

START_TEST(seed_repeats)
{
	double value[2];
	for (int i = 0; i < 2; i++) {
		engine_reseed(engine);
		value[i] = think("900").value;
	}
	ck_assert_double_eq(value[0], value[1]);
	ck_assert_double_ne(think("900").value, value[0]);
}
END_TEST

START_TEST(no_time)
{
	struct report r;
	char why[REASON_MAX];
	struct limits limits = { clock_now() - 1, WORK_NO_LIMIT };
	ck_assert(engine_search(engine, &record, &limits, &r, why));
	ck_assert_uint_eq(r.playouts, 0);
	ck_assert_int_eq(r.line_count, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("montecarlo");
	TCase *cases = tcase_create("montecarlo");
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, takes_a_win);
	tcase_add_test(cases, share_of_all_or_of_each);
	tcase_add_test(cases, one_playout_each);
	tcase_add_test(cases, finds_the_centre);
	tcase_add_test(cases, seed_repeats);
	tcase_add_test(cases, no_time);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
