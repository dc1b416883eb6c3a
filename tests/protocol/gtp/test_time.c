/* SPDX-License-Identifier: MIT
 *
 * The commands that set a player's time, and the commands that use time: their effect on the clock.
 * test_clock tests how much a move may take.
 */
#include <event2/event.h>

#include "engine/evaluation/pattern.h"
#include "engine/rules/eval.h"
#include "engine/rules/tuning.h"
#include "games/games.h"
#include "games/pentago/quadrant_net.h"
#include "protocol/carriers/loop.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/session.h"
#include "protocol/session/think.h"
#include "tests/folder.h"
#include "tests/suite.h"

#define SECOND INT64_C(1000000000)

static void nothing(void *arg)
{
	(void)arg;
}

/* Returns the clock after these lines, and the limits of the next move. */
static struct clock clock_after_limits(const char *lines, struct limits *limits)
{
	struct options options;
	struct event_base *base = event_base_new();
	options_init(&options);
	options.threads = 1;
	options.playouts = 10;
	options.seed = 1;
	struct session *s = session_create(&(struct session_setup) {
		.loop = &loop_of_events,
		.base = base,
		.game = &game_othello,
		.options = &options,
		.protocols = protocols_gtp,
		.line_max = SESSION_LINE_MAX,
		.queue_max = SESSION_QUEUE_MAX,
		.changed = nothing,
	});
	session_input(s, lines, strlen(lines));
	session_input_end(s);
	while (session_is_thinking(s))
		event_base_loop(base, EVLOOP_ONCE);
	struct clock clock = s->clock;
	*limits = think_limits(s);
	session_destroy(s);
	event_base_free(base);
	return clock;
}

static struct clock clock_after(const char *lines)
{
	struct limits limits;
	return clock_after_limits(lines, &limits);
}

START_TEST(systems)
{
	struct clock c = clock_after("kata-time_settings canadian 60.5 30.25 5\n");
	ck_assert_int_eq(c.main, 121 * SECOND / 2);
	ck_assert_int_eq(c.period, 121 * SECOND / 4);
	ck_assert_int_eq(c.period_stones, 5);
	ck_assert_int_eq(c.periods, 0);
	c = clock_after("kgs-time_settings byoyomi 60 30 5\n");
	ck_assert_int_eq(c.main, 60 * SECOND);
	ck_assert_int_eq(c.period, 30 * SECOND);
	ck_assert_int_eq(c.period_stones, 1);
	ck_assert_int_eq(c.periods, 5);
	c = clock_after("kata-time_settings byoyomi 0 30 5\nkgs-time_settings absolute 60\n");
	ck_assert_int_eq(c.main, 60 * SECOND);
	ck_assert_int_eq(c.period_stones, 0);
	c = clock_after("kata-time_settings fischer 60 0.5\n");
	ck_assert_int_eq(c.main, 60 * SECOND);
	ck_assert_int_eq(c.increment, SECOND / 2);
	ck_assert_int_gt(c.main_max, 1000000 * SECOND);
	ck_assert_int_eq(c.move, TIME_NEVER);
	c = clock_after("kata-time_settings fischer-capped 60 0.5 90 5\n");
	ck_assert_int_eq(c.main_max, 90 * SECOND);
	ck_assert_int_eq(c.move, 5 * SECOND);
	c = clock_after("kata-time_settings fischer-capped 60 0.5 -1 -0.5\n");
	ck_assert_int_gt(c.main_max, 1000000 * SECOND);
	ck_assert_int_eq(c.move, TIME_NEVER);
	c = clock_after("kata-time_settings fischer-capped 60 1 90 5\nkata-time_settings none\n");
	ck_assert_int_eq(c.main, TIME_NEVER);
	ck_assert_int_eq(c.side[BLACK].left, TIME_NEVER);
	ck_assert_int_eq(c.move, TIME_NEVER);
	/* The last setting counts, whatever its kind. */
	c = clock_after("set_time 3\nkata-time_settings fischer 60 1\n");
	ck_assert_int_eq(c.move, TIME_NEVER);
	c = clock_after("kata-time_settings fischer 60 1\nset_time 3\n");
	ck_assert_int_eq(c.move, 3 * SECOND);
	ck_assert_int_eq(c.main, TIME_NEVER);
	c = clock_after("kata-time_settings fischer 60 1\ntime_settings 60 30 5\n");
	ck_assert_int_eq(c.increment, 0);
	ck_assert_int_eq(c.period_stones, 5);
}
END_TEST

/* Refused commands leave the clock unchanged. */
START_TEST(refused)
{
	static const char *const lines[] = {
		"kata-time_settings fischer 10 -1",
		"kata-time_settings fischer 10",
		"kata-time_settings fischer-capped 10 1 9 1",
		"kata-time_settings byoyomi 10 1 x",
		"kata-time_settings canadian 10 1",
		"kata-time_settings none 10",
		"kata-time_settings nosuch",
		"kgs-time_settings fischer 10 1",
		"time_settings 10 1",
		"time_left b 10",
		"time_left b x 1",
	};
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		char text[256];
		snprintf(text, sizeof text, "kata-time_settings byoyomi 60 30 5\n%s\n", lines[i]);
		struct clock c = clock_after(text);
		ck_assert_int_eq(c.main, 60 * SECOND);
		ck_assert_int_eq(c.periods, 5);
		ck_assert_int_eq(c.side[BLACK].left, 60 * SECOND);
	}
}
END_TEST

START_TEST(time_left)
{
	struct clock c = clock_after("kata-time_settings byoyomi 60 30 5\ntime_left w 12.5 3\n");
	ck_assert_int_eq(c.side[WHITE].left, 25 * SECOND / 2);
	ck_assert_int_eq(c.side[WHITE].periods, 3);
	ck_assert_int_eq(c.side[BLACK].left, 60 * SECOND);
	c = clock_after("kata-time_settings fischer 60 30\ntime_left b 0.25 0\n");
	ck_assert_int_eq(c.side[BLACK].left, SECOND / 4);
	/* A new game begins with full clocks. */
	c = clock_after("kata-time_settings fischer 60 30\ntime_left b 0.25 0\nclear_board\n");
	ck_assert_int_eq(c.side[BLACK].left, 60 * SECOND);
}
END_TEST

/* So does a game from a file. */
START_TEST(loading_fills_the_clocks)
{
	char lines[512];
	folder_create();
	snprintf(lines, sizeof lines,
		 "kata-time_settings fischer 60 30\nprintsgf %s\ntime_left b 0.25 0\nloadsgf %s\n",
		 folder_path("game"), folder_path("game"));
	struct clock c = clock_after(lines);
	ck_assert_int_eq(c.side[BLACK].left, 60 * SECOND);
	folder_remove();
}
END_TEST

/* Of ten stones, a move that is played uses one, also a pass. A move that is only suggested uses none. */
START_TEST(what_takes_time)
{
	static const struct {
		const char *line;
		int stones;
	} rows[] = {
		{ "genmove b", 9 },
		{ "kgs-genmove_cleanup b", 9 },
		{ "gomill-genmove_ex b claim", 9 },
		{ "lz-genmove_analyze b 10", 9 },
		{ "kata-genmove_analyze 10", 9 },
		{ "genmove_analyze", 9 },
		{ "position XO.............................................................. O\n"
		  "play w pass\nundo\nplay b c1\ngenmove b",
		  9 },
		{ "param resign 1\ngenmove b", 10 },
		{ "reg_genmove b", 10 },
		{ "kata-search b", 10 },
		{ "kata-search_cancellable b", 10 },
		{ "kata-search_analyze b", 10 },
		{ "kata-search_analyze_cancellable b", 10 },
		{ "kata-analyze b", 10 },
		{ "gogui-analyze_commands", 10 },
		{ "play b d3", 10 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char text[512];
		snprintf(text, sizeof text, "time_left b 1000000 10\n%s\n", rows[i].line);
		struct clock c = clock_after(text);
		ck_assert_msg(c.side[BLACK].stones == rows[i].stones, "%s", rows[i].line);
		bool takes = rows[i].stones < 10;
		ck_assert_msg((c.side[BLACK].left < 1000000 * SECOND) == takes, "%s", rows[i].line);
	}
	struct clock c = clock_after("kata-time_settings fischer 60 30\ngenmove b\n");
	ck_assert_int_gt(c.side[BLACK].left, 60 * SECOND);
	ck_assert_int_lt(c.side[BLACK].left, 90 * SECOND);
	ck_assert_int_eq(c.side[WHITE].left, 60 * SECOND);
	c = clock_after("kata-time_settings byoyomi 0 30 5\ngenmove b\n");
	ck_assert_int_eq(c.side[BLACK].left, 30 * SECOND);
	ck_assert_int_eq(c.side[BLACK].periods, 5);
}
END_TEST

/* A doubtful move may take as much as if fewer moves were left: more of main time, no more than usual of
 * other time, and nothing with a work limit. */
START_TEST(doubt_is_worth_main_time)
{
	static const struct {
		const char *clock;
		bool is_longer;
	} rows[] = {
		{ "time_settings 100000 0 0", true },
		{ "time_settings 0 100000 5", false },
		{ "kgs-time_settings byoyomi 0 100000 5", false },
		{ "kata-time_settings fischer-capped 100000 5 100000 10", false },
		{ "set_time 100000", false },
		{ "kgs-time_settings none", false },
		{ "param playouts 100\ntime_settings 100000 0 0", false },
		{ "param level 3\ntime_settings 100000 0 0", false },
		{ "time_settings 0 0 0", false },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char lines[256];
		struct limits limits;
		snprintf(lines, sizeof lines, "param playouts 0\n%s\n", rows[i].clock);
		clock_after_limits(lines, &limits);
		ck_assert_msg((limits.extension > 0.5) == rows[i].is_longer, "%s", rows[i].clock);
		ck_assert_msg(rows[i].is_longer || limits.extension == 0, "%s", rows[i].clock);
		ck_assert_double_le(limits.extension, 1);
	}
}
END_TEST

/* Where games are shorter than the board allows, fewer moves share the clock. A doubtful move takes as much as if half of
 * them were left, and never more than the clock allows for a move. */
START_TEST(few_moves_share_the_clock)
{
	static const struct {
		const char *clock;
		double seconds, longest; /* of 20 moves, of a doubtful one */
	} rows[] = {
		{ "time_settings 100000 0 0", 6250, 11764.7 },
		{ "kata-time_settings fischer-capped 100000 0 100000 8000", 6250, 8000 },
		{ "kata-time_settings fischer-capped 100000 0 100000 2500", 2500, 2500 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char lines[256];
		struct limits limits;
		int64_t before = clock_now();
		snprintf(lines, sizeof lines, "set_game gomoku\nparam playouts 0\n%s\n",
			 rows[i].clock);
		clock_after_limits(lines, &limits);
		ck_assert_int_gt(limits.deadline, before + (int64_t)(rows[i].seconds - 1) * SECOND);
		ck_assert_int_lt(limits.deadline,
				 clock_now() + (int64_t)(rows[i].seconds + 1) * SECOND);
		ck_assert_double_eq_tol((1 + limits.extension) * rows[i].seconds, rows[i].longest,
					0.1);
	}
}
END_TEST

/* Main time is used in games of the usual length, and lasts for long ones, although the client takes some of it. */
START_TEST(main_time_fits_the_game)
{
	static const struct {
		const char *name;
		int size;
	} rows[] = { { "go", 9 },      { "go", 19 },         { "gomoku", 15 },   { "hex", 11 },
		     { "hex", 19 },    { "havannah", 8 },    { "havannah", 10 }, { "loa", 8 },
		     { "othello", 8 }, { "breakthrough", 8 } };
	struct rng rng = { 0 };
	rng_seed(&rng, 3);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct game *g = game_of_size(game_find(rows[i].name, NULL), rows[i].size);
		int usual = tuning_of(g)->usual_length ? tuning_of(g)->usual_length
						       : g->board.rows * g->board.cols - 4;
		struct engine *e = engine_create();
		struct record r;
		struct clock c;
		clock_init(&c);
		clock_set_canadian(&c, 120, 0, 0);
		record_init(&r, g);
		options_set(engine_options(e), "exact", "0");
		for (int n = 0; n < 2 * usual && !r.now.over; n++) {
			if (n == usual - 2) /* Othello has no more moves */
				ck_assert_msg(c.side[BLACK].left < 45 * SECOND,
					      "%s %d: %.1f s left", g->name, rows[i].size,
					      (double)c.side[BLACK].left / 1e9);
			if (n % 2 == 0) {
				int own = (engine_unsolved(e, &r) + 1) / 2;
				int64_t budget = clock_budget(&c, BLACK, own > 1 ? own : 1);
				clock_spend(&c, BLACK, budget + SECOND / 50);
			}
			record_play(&r, record_draw(&r, &rng));
		}
		ck_assert_msg(c.side[BLACK].left > SECOND / 10, "%s %d: %.3f s left after %d moves",
			      g->name, rows[i].size, (double)c.side[BLACK].left / 1e9, r.count);
		record_free(&r);
		engine_destroy(e);
	}
}
END_TEST

/* Searches that do not play are as strong as can be, whatever the level, and end after the time of a move. The solver
 * would need hours here. */
START_TEST(levels_leave_the_time)
{
	char lines[1024] = "";
	struct limits limits;
	for (int i = 0; i < 26; i++)
		strcat(lines, i % 2 ? "genmove w\n" : "genmove b\n");
	strcat(lines, "param playouts 0\nparam time 0.01\nparam level 3\n"
		      "yomi-think\nyomi-explain\n");
	clock_after_limits(lines, &limits);
}
END_TEST

/* Moves that are solved instantly need no time, so fewer moves share the clock. A search with another limit
 * plays every move itself. */
START_TEST(clock_is_for_what_is_not_solved)
{
	static const struct {
		const char *params;
		int64_t seconds; /* whole seconds of 100000 with 18 or 11 moves to come */
	} rows[] = {
		{ "param exact 0", 6896 },
		{ "param exact 1", 10810 },
		{ "param playouts 1000000000", 6896 },
		{ "param nodes 1000000000", 6896 },
		{ "param level 9", 6896 },
		{ "param search alphabeta\nparam depth 14", 6896 },
		{ "param search alphabeta\nparam depth 15", 10810 },
		{ "param depth 14", 10810 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char lines[256];
		struct limits limits;
		int64_t before = clock_now();
		snprintf(lines, sizeof lines,
			 "set_game pentago\nparam playouts 0\n%s\ntime_settings 100000 0 0\n",
			 rows[i].params);
		clock_after_limits(lines, &limits);
		ck_assert_msg(limits.deadline > before + rows[i].seconds * SECOND, "%s",
			      rows[i].params);
		ck_assert_msg(limits.deadline < clock_now() + (rows[i].seconds + 1) * SECOND, "%s",
			      rows[i].params);
	}
}
END_TEST

/* Solving a position may take as much time as a last move: much of main time, no more than usual of other
 * time. */
START_TEST(solving_is_worth_main_time)
{
	static const struct {
		const char *clock;
		bool is_longer;
	} rows[] = {
		{ "time_settings 100000 0 0", true },
		{ "kata-time_settings fischer 100000 5", true },
		{ "time_settings 0 100000 5", false },
		{ "set_time 100000", false },
		{ "kgs-time_settings none", false },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char lines[256];
		struct limits limits;
		snprintf(lines, sizeof lines, "param playouts 0\n%s\n", rows[i].clock);
		clock_after_limits(lines, &limits);
		/* On a loaded machine a second may pass between the two. */
		int64_t more = limits.solve_by - limits.deadline;
		ck_assert_msg((more > 40000 * SECOND) == rows[i].is_longer, "%s", rows[i].clock);
		ck_assert_msg(rows[i].is_longer || more < 60 * SECOND, "%s", rows[i].clock);
		ck_assert_int_lt(limits.solve_by, clock_now() + 100001 * SECOND);
	}
}
END_TEST

/* The first move has all of its time: nothing is unpacked when the game is chosen. */
START_TEST(ready_before_the_first_move)
{
	static const char *const lines[] = { "name", "set_game othello", "param rules standard" };
	struct patterns *p = eval_patterns(&game_othello);
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		ck_assert(pattern_load(p, p->file));
		clock_after(lines[i]);
		ck_assert_msg(atomic_load(&p->weights[4]), "%s", lines[i]);
	}
	struct net *net = net_of(&game_pentago);
	net_close(net);
	ck_assert_ptr_null(atomic_load(&net->table));
	clock_after("set_game pentago");
	ck_assert_ptr_nonnull(atomic_load(&net->table));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("time");
	TCase *cases = tcase_create("time");
	tcase_add_test(cases, systems);
	tcase_add_test(cases, refused);
	tcase_add_test(cases, time_left);
	tcase_add_test(cases, loading_fills_the_clocks);
	tcase_add_test(cases, what_takes_time);
	tcase_add_test(cases, doubt_is_worth_main_time);
	tcase_add_test(cases, few_moves_share_the_clock);
	tcase_add_test(cases, main_time_fits_the_game);
	tcase_add_test(cases, levels_leave_the_time);
	tcase_add_test(cases, clock_is_for_what_is_not_solved);
	tcase_add_test(cases, solving_is_worth_main_time);
	tcase_add_test(cases, ready_before_the_first_move);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
