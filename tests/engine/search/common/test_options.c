/* SPDX-License-Identifier: MIT
 *
 * The engine's option table: every row reads what it writes, refuses bad values, and has help.
 */
#include <stdio.h>
#include <string.h>

#include "engine/rules/tuning.h"
#include "engine/search/algorithms.h"
#include "engine/search/common/options.h"
#include "games/games.h"
#include "tests/suite.h"

START_TEST(every_row_round_trips)
{
	const struct option *row = &option_table[_i];
	struct options a, b;
	char text[OPTION_TEXT_MAX], again[OPTION_TEXT_MAX], why[REASON_MAX];
	options_init(&a);
	options_init(&b);
	ck_assert_ptr_eq(option_find(row->name), row);
	ck_assert_uint_gt(strlen(row->help), 0);
	option_get(&a, row, text);
	ck_assert_msg(option_set(&b, row, text, why), "%s", why);
	option_get(&b, row, again);
	ck_assert_str_eq(text, again);
	if (row->type == OPTION_CHOICE || row->type == OPTION_SEARCH) {
		for (int i = 0; option_choice(row, i); i++) {
			ck_assert(option_set(&b, row, option_choice(row, i), why));
			option_get(&b, row, again);
			ck_assert_str_eq(again, option_choice(row, i));
		}
	}
}
END_TEST

START_TEST(bad_values_change_nothing)
{
	static const char *const bad[] = { "",      "x",   "1x",   "-1000000",
					   "1e999", "nan", "inf",  "99999999999999999999",
					   "0x",    " ",   "0x10", " 1",
					   "1 ",    "\t1", "+-1",  "0x1p3" };
	const struct option *row = &option_table[_i];
	struct options a, before;
	options_init(&a);
	before = a;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char why[REASON_MAX] = "";
		ck_assert_msg(!option_set(&a, row, bad[i], why), "%s=%s", row->name, bad[i]);
		/* The reason names the option. */
		ck_assert_ptr_nonnull(strstr(why, row->name));
		ck_assert_mem_eq(&a, &before, sizeof a);
	}
}
END_TEST

START_TEST(limits_of_numbers_are_inclusive)
{
	struct options o;
	char why[REASON_MAX];
	options_init(&o);
	const struct option *threads = option_find("threads");
	ck_assert(option_set(&o, threads, "1", why) && option_set(&o, threads, "256", why));
	ck_assert(!option_set(&o, threads, "0", why) && !option_set(&o, threads, "257", why));
	ck_assert_int_eq(o.threads, 256);
	const struct option *time = option_find("time");
	ck_assert(option_set(&o, time, "0.25", why));
	ck_assert_double_eq(o.time, 0.25);
	const struct option *seed = option_find("seed");
	ck_assert(option_set(&o, seed, "9000000000000000", why));
	ck_assert_int_eq(o.seed, 9000000000000000);
	ck_assert_ptr_null(option_find("Threads"));
}
END_TEST

/* `auto` is the default and stands for the search that each game names. */
START_TEST(search_of_a_game)
{
	const struct option *row = option_find("search");
	struct options o;
	char why[REASON_MAX];
	options_init(&o);
	for (int g = 0; games[g]; g++) {
		ck_assert(option_set(&o, row, "auto", why));
		const struct algorithm *usual = algorithm_chosen(&o, games[g]);
		ck_assert_str_eq(usual->name, tuning_of(games[g])->search);
		for (int i = 0; algorithms[i]; i++) {
			ck_assert(option_set(&o, row, algorithms[i]->name, why));
			ck_assert_ptr_eq(algorithm_chosen(&o, games[g]), algorithms[i]);
		}
	}
	options_init(&o);
	ck_assert_ptr_eq(algorithm_chosen(&o, &game_othello), algorithm_find("alphabeta"));
	ck_assert_ptr_eq(algorithm_chosen(&o, &game_tictactoe), algorithm_find("mcts"));
	ck_assert_ptr_eq(algorithm_chosen(&o, &game_pentago), algorithm_find("union"));
	ck_assert_int_eq(o.search, SEARCH_AUTO);
	ck_assert_ptr_null(algorithm_find("auto"));
}
END_TEST

START_TEST(searches_are_named_once)
{
	for (int i = 0; algorithms[i]; i++) {
		ck_assert_uint_gt(strlen(algorithms[i]->help), 0);
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(algorithms[i]->name, algorithms[j]->name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("options");
	TCase *cases = tcase_create("options");
	tcase_add_loop_test(cases, every_row_round_trips, 0, option_count);
	tcase_add_loop_test(cases, bad_values_change_nothing, 0, option_count);
	tcase_add_test(cases, limits_of_numbers_are_inclusive);
	tcase_add_test(cases, search_of_a_game);
	tcase_add_test(cases, searches_are_named_once);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
