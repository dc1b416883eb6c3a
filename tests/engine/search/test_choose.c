/* SPDX-License-Identifier: MIT
 *
 * The choice of a move: levels weaken it; a search without time still finds a sensible move.
 */
#include "engine/evaluation/evaluator.h"
#include "engine/rules/tuning.h"
#include "engine/search/level.h"
#include "tests/engine/fixture.h"
#include "tests/tested.h"

static struct report report;

static void setup(void)
{
	fixture_create("mcts");
	record_restart(&record, tested_game(0));
	set("memory", "16");
}

/* --- levels --- */

/* Returns the points of A at `level` against `other` in one game. A moves first in even games. A draw
 * counts 1, a win 2. */
static int play_levels(int game, int level, int other)
{
	record_restart(&record, record.game);
	while (!record.now.over) {
		bool is_a = (record.now.side == BLACK) == (game % 2 == 0);
		set_number("level", (size_t)(is_a ? level : other));
		search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
		record_play(&record, report.line[0]);
	}
	int sign = score_sign(record.now.score);
	return 1 + (game % 2 == 0 ? sign : -sign);
}

/* Wald's sequential test of whether a level scores three quarters of the points against another rather than
 * half. The error probability is 1 %. Returns false if 60 games do not decide it. */
static bool is_stronger(int level, int other)
{
	const double sure = log(99);
	double evidence = 0;
	for (int game = 0; game < 60 && fabs(evidence) < sure; game++) {
		double share = play_levels(game, level, other) / 2.0;
		evidence += share * log(0.75 / 0.5) + (1 - share) * log(0.25 / 0.5);
	}
	return evidence >= sure;
}

/* A level beats those below it. The levels compared are farther apart where perfect play is easy. */
START_TEST(levels_are_ordered)
{
	static const struct {
		const char *game;
		int apart, highest;
	} rows[] = { { "tictactoe", 4, 5 }, { "othello", 2, 5 }, { "pentago", 2, 5 } };
	record_restart(&record, game_find(rows[_i].game, NULL));
	set_memory((size_t)1 << 20);
	int apart = rows[_i].apart;
	for (int level = 1 + apart; level <= rows[_i].highest; level += apart) {
		/* With sanitizers, only a few games without a test of strength. */
		for (int i = 0; IS_SANITIZED && i < 4; i++)
			play_levels(i, level, level - apart);
		ck_assert_msg(IS_SANITIZED || is_stronger(level, level - apart), "level %d", level);
	}
}
END_TEST

/* Repeats the first search of each game. */
START_TEST(levels_repeat_with_their_seed)
{
	static struct move first[32][LEVEL_MAX];
	set("search", algorithms[_i]->name);
	for (int round = 0; round < 2; round++) {
		engine_reseed(engine);
		for (int g = 0; tested_game(g); g++) {
			record_restart(&record, tested_game(g));
			for (int level = 1; level <= 5; level++) {
				set_number("level", (size_t)level);
				search_within(engine_limits(engine, record.game, TIME_NEVER),
					      &report);
				ck_assert(round == 0 ||
					  move_equal(report.line[0], first[g][level]));
				first[g][level] = report.line[0];
			}
		}
	}
}
END_TEST

/* A level may play any move. The only one that does not lose is found more often at higher levels; results of a stronger
 * search do not help. */
START_TEST(levels_err)
{
	enum { SEARCHES = 200 };
	int found[LEVEL_MAX + 1] = { 0 };
	uint64_t played = 0;
	record_restart(&record, &game_tictactoe);
	set("memory", "1");
	set_position("XX..O.O..", "X");
	for (int level = 1; level <= LEVEL_MAX; level += 4) {
		for (int i = 0; i < SEARCHES; i++) {
			struct limits all = { .deadline = TIME_NEVER, .work_max = 2000 };
			search_within(all, &report);
			ck_assert_int_eq(report.line[0].step[0], 2);
			set_number("level", (size_t)level);
			search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
			found[level] += report.line[0].step[0] == 2;
			played |= level == 1 ? UINT64_C(1) << report.line[0].step[0] : 0;
			ck_assert_int_eq(report.move_count, 1);
		}
	}
	ck_assert_uint_eq(played, 1u << 2 | 1u << 3 | 1u << 5 | 1u << 7 | 1u << 8);
	ck_assert_int_lt(found[1], SEARCHES / 2);
	ck_assert_int_gt(found[5], found[1] + SEARCHES / 10);
	ck_assert_int_gt(found[9], SEARCHES * 49 / 50);
}
END_TEST

/* A weak level seldom plays a move that the network thinks unlikely, however little it has searched. Most moves of
 * this position are unlikely. */
START_TEST(levels_play_likely_moves)
{
	enum { SEARCHES = 60 };
	struct move moves[GAME_MOVES_MAX];
	double priors[GAME_MOVES_MAX];
	int unlikely = 0, played = 0;
	record_restart(&record, game_find("gomoku", NULL));
	for (int i = 0; i < 4; i++)
		record_play(&record, move_single((move_t)(record.game->board.cols * 7 + 5 + i)));
	int count = record_moves(&record, moves);
	evaluator_priors(record.game, true, &record.now, moves, count, priors);
	for (int i = 0; i < count; i++)
		unlikely += priors[i] < 0.2 / count;
	ck_assert_int_gt(unlikely, count / 2);
	set("level", "3");
	for (int i = 0; i < SEARCHES; i++) {
		search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
		for (int k = 0; k < count; k++)
			played += move_equal(moves[k], report.line[0]) && priors[k] < 0.2 / count;
	}
	ck_assert_int_lt(played, SEARCHES / 5);
}
END_TEST

/* Weak players of Go pass when nothing is left to do, and not before. */
START_TEST(weak_games_end)
{
	set("level", _i ? "1" : "0.5");
	for (int seed = 1; seed <= 4; seed++) {
		record_restart(&record, game_find("go", NULL));
		engine_options(engine)->seed = seed;
		engine_reseed(engine);
		while (!record.now.over && record.count < 400) {
			search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
			ck_assert(record.count > 20 ||
				  report.line[0].step[0] != record.game->steps.pass);
			record_play(&record, report.line[0]);
		}
		ck_assert(record.now.over);
	}
}
END_TEST

/* Elo is on the scale of the game's ratings: between two levels the work is between theirs. */
START_TEST(elo_is_between_levels)
{
	struct game rated = game_tictactoe, unrated = game_tictactoe;
	struct options *o = engine_options(engine);
	char why[REASON_MAX];
	int16_t ratings[LEVEL_MAX];
	for (int level = 1; level <= LEVEL_MAX; level++)
		ratings[level - 1] = (int16_t)(100 * level);
	struct tuning tuning = { .search = "mcts", .ratings = ratings };
	rated.tuning = &tuning;
	unrated.tuning = NULL;
	set("level", "2.5");
	ck_assert_double_eq_tol(level_wanted(o, &rated), 2.5, 1e-9);
	ck_assert_int_eq(level_elo(&rated, 2.5), 250);
	ck_assert_int_eq(level_elo(&rated, 0.5), 50);
	ck_assert_int_eq(level_elo(&rated, LEVEL_MAX), 100 * LEVEL_MAX);
	ck_assert_int_eq(level_elo(&unrated, 2.5), 0);
	set("elo", "350");
	ck_assert_double_eq_tol(level_wanted(o, &rated), 3.5, 1e-9);
	ck_assert_uint_gt(level_work(o, &rated, 3.5), level_work(o, &rated, 3));
	ck_assert_uint_lt(level_work(o, &rated, 3.5), level_work(o, &rated, 4));
	/* An evaluation takes as long as many playouts. */
	uint64_t work = level_work(o, &rated, 7);
	tuning.evaluator_cost = 10;
	ck_assert_uint_eq(level_work(o, &rated, 7), work / 10);
	set("evaluator", "0");
	ck_assert_uint_eq(level_work(o, &rated, 7), work);
	ck_assert(level_reaches(&rated, 900, why));
	ck_assert(!level_reaches(&rated, 901, why));
	ck_assert_str_eq(why, "tictactoe has levels up to Elo 900");
	ck_assert(!level_reaches(&unrated, 350, why));
	ck_assert(level_reaches(&unrated, 0, why));
	/* The engine refuses what the game has no ratings for. */
	struct limits limits = engine_limits(engine, &unrated, TIME_NEVER);
	record_restart(&record, &unrated);
	ck_assert(!engine_search(engine, &record, &limits, &report, why));
	ck_assert_ptr_nonnull(strstr(why, "no ratings"));
}
END_TEST

/* A level limits the work of moves. A smaller limit stays. */
START_TEST(levels_limit_work)
{
	set("level", "1");
	set("early_stop", "0");
	record_restart(&record, game_find("othello", NULL));
	struct limits limits = engine_limits(engine, record.game, TIME_NEVER);
	ck_assert_double_eq(limits.level, 1);
	ck_assert(limits.deadline == TIME_NEVER);
	/* Without a level the time of a move limits it. */
	struct limits full = engine_full_limits(engine, record.game);
	ck_assert_double_eq(full.level, 0);
	ck_assert(full.deadline != TIME_NEVER);
	search_within(limits, &report);
	ck_assert_uint_le(report.playouts, 30);
	ck_assert_uint_ge(report.playouts, 1);
	set("playouts", "7");
	search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
	ck_assert_uint_le(report.playouts, 7);
	limits = (struct limits) { .deadline = TIME_NEVER, .work_max = 1000 };
	search_within(limits, &report);
	ck_assert_uint_eq(report.playouts, 1000);
}
END_TEST

/* --- late moves --- */

static struct limits without_time(void)
{
	return (struct limits) { .deadline = clock_now() - 1, .work_max = WORK_NO_LIMIT };
}

/* Without time, the engine plays the move that the kept tree prefers, or the one that the last search
 * expected. */
START_TEST(late_move_is_the_expected_one)
{
	struct limits limits = { .deadline = TIME_NEVER };
	set_number("reuse", (size_t)_i);
	set_memory((size_t)8 << 20);
	for (int g = 0; games[g]; g++) {
		if (game_repeats(games[g]))
			continue;
		/* On the usual board: the smallest ones are proven too soon for a line. */
		record_restart(&record, games[g]);
		engine_reseed(engine);
		limits.work_max = tested_work(games[g], 3000);
		search_within(limits, &report);
		ck_assert_int_ge(report.line_count, 3);
		struct move expected = report.line[2];
		record_play(&record, report.line[0]);
		record_play(&record, report.line[1]);
		search_within(without_time(), &report);
		ck_assert(move_equal(report.line[0], expected));
		ck_assert_uint_eq(report.playouts, 0);
	}
}
END_TEST

/* The last search expected this position, but not the way to it: its line ends before it repeats a position of the game. */
START_TEST(late_line_does_not_repeat)
{
	const struct game *g = game_of_size(game_find("go", NULL), 2);
	struct rng rng = { 0 };
	struct record game, line;
	int longer = 0;
	rng_seed(&rng, 1);
	record_init(&game, g);
	record_init(&line, g);
	for (int round = 0; round < 200; round++) {
		struct move moves[GAME_MOVES_MAX];
		record_restart(&game, g);
		for (int n = 3 + (int)rng_below(&rng, 30); n > 0 && !game.now.over; n--) {
			/* The pass is the last move. Two of them would end the game. */
			int count = record_moves(&game, moves), most = count > 1 ? count - 1 : 1;
			record_play(&game, moves[rng_below(&rng, (uint32_t)most)]);
		}
		if (game.now.over)
			continue;
		fixture_destroy();
		setup();
		set("evaluator", "0");
		record_restart(&record, g);
		record_setup(&record, &game.now);
		search_within((struct limits) { .deadline = TIME_NEVER, .work_max = 600 }, &report);
		record_copy(&record, &game);
		search_within(without_time(), &report);
		record_copy(&line, &game);
		for (int i = 0; i < report.line_count; i++) {
			ck_assert(!line.now.over && record_is_legal(&line, report.line[i]));
			record_play(&line, report.line[i]);
		}
		longer += report.line_count > 2;
	}
	ck_assert_int_ge(longer, 10);
	record_free(&game);
	record_free(&line);
}
END_TEST

/* Without time and without any result, a few dozen simulations find a near win. */
START_TEST(late_move_is_searched)
{
	record_restart(&record, &game_pentago);
	set_position("..O....XO...XOO...XOX..XO...X....X..", "O");
	search_within(without_time(), &report);
	ck_assert_int_eq(report.upper, -1);
	ck_assert_uint_le(report.playouts, 64);
}
END_TEST

int main(void)
{
	int count = 0;
	while (algorithms[count])
		count++;
	Suite *suite = suite_create("choose");
	TCase *cases = tcase_create("choose");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_checked_fixture(native, setup, fixture_destroy);
	tcase_add_loop_test(native, levels_are_ordered, 0, 3);
	tcase_add_loop_test(native, levels_repeat_with_their_seed, 0, count);
	tcase_add_test(cases, levels_err);
	tcase_add_test(cases, levels_play_likely_moves);
	tcase_add_loop_test(cases, weak_games_end, 0, 2);
	tcase_add_test(cases, elo_is_between_levels);
	tcase_add_test(cases, levels_limit_work);
	tcase_add_loop_test(cases, late_move_is_the_expected_one, 0, 2);
	tcase_add_test(cases, late_line_does_not_repeat);
	tcase_add_test(cases, late_move_is_searched);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
