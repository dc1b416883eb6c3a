/* SPDX-License-Identifier: MIT
 *
 * The list of all options: the engine's and the session's. Every row reads what it writes, refuses bad values
 * and has its place and its name alone.
 */
#include "protocol/session/settings.h"

#include <stdio.h>
#include <string.h>

#include "tests/suite.h"

static struct options options;
static struct session_settings settings;
static const struct setting_values values = { &options, &settings };

static void setup(void)
{
	options_init(&options);
	settings_init(&settings);
}

static int count_rows(void)
{
	int count = 0;
	while (setting_at(count))
		count++;
	return count;
}

START_TEST(every_row_round_trips)
{
	const struct option *row = setting_at(_i);
	char text[OPTION_TEXT_MAX], again[OPTION_TEXT_MAX], why[REASON_MAX];
	ck_assert_ptr_eq(setting_find(row->name), row);
	ck_assert_uint_gt(strlen(row->help), 0);
	setting_get(&values, row, text);
	if (row->initial)
		ck_assert_str_eq(text, row->initial);
	ck_assert_msg(setting_set(&values, row, text, why), "%s", why);
	setting_get(&values, row, again);
	ck_assert_str_eq(text, again);
}
END_TEST

START_TEST(bad_values_change_nothing)
{
	static const char *const bad[] = { "", "x", "1x", "-1000000", "1e999", "nan", " ", "0x10" };
	const struct option *row = setting_at(_i);
	char before[OPTION_TEXT_MAX], after[OPTION_TEXT_MAX];
	setting_get(&values, row, before);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char why[REASON_MAX] = "";
		ck_assert_msg(!setting_set(&values, row, bad[i], why), "%s=%s", row->name, bad[i]);
		ck_assert_ptr_nonnull(strstr(why, row->name));
		setting_get(&values, row, after);
		ck_assert_str_eq(before, after);
	}
}
END_TEST

/* Writing one option leaves all others as they are: no two rows share a field. */
START_TEST(rows_are_independent)
{
	const struct option *row = setting_at(_i), *other;
	char text[OPTION_TEXT_MAX], why[REASON_MAX], before[64][OPTION_TEXT_MAX];
	ck_assert_int_lt(count_rows(), 64);
	for (int i = 0; (other = setting_at(i)); i++)
		setting_get(&values, other, before[i]);
	if (row->type == OPTION_CHOICE || row->type == OPTION_SEARCH)
		snprintf(text, sizeof text, "%s", option_choice(row, 1));
	else
		snprintf(text, sizeof text, "%.16g", before[_i][0] == '1' ? row->min : row->max);
	ck_assert_msg(setting_set(&values, row, text, why), "%s", why);
	for (int i = 0; (other = setting_at(i)); i++) {
		setting_get(&values, other, text);
		if (i != _i)
			ck_assert_str_eq(text, before[i]);
	}
}
END_TEST

/* Options of all searches, then the session's, then those of single searches. */
START_TEST(order)
{
	int i = 0;
	for (; i < option_general_count; i++)
		ck_assert_ptr_eq(setting_at(i), &option_table[i]);
	static const char *const own[] = { "verbose", "resign", "live_gfx",
					   "frame",   "swap",   "columns" };
	int count = (int)(sizeof own / sizeof own[0]);
	for (int j = 0; j < count; j++) {
		ck_assert_str_eq(setting_at(i + j)->name, own[j]);
		ck_assert_ptr_null(option_find(own[j]));
	}
	for (; i < option_count; i++)
		ck_assert_ptr_eq(setting_at(i + count), &option_table[i]);
	ck_assert_ptr_null(setting_at(option_count + count));
	ck_assert_ptr_null(setting_find("Verbose"));
}
END_TEST

/* A former name finds its option. It is the name of no row. */
START_TEST(former_names)
{
	static const char *const names[][2] = { { "judge", "evaluator" }, { "lanes", "batch" } };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct option *row = setting_find(names[i][0]);
		ck_assert_ptr_nonnull(row);
		ck_assert_str_eq(row->name, names[i][1]);
	}
	for (int i = 0; setting_at(i); i++)
		for (int j = 0; setting_at(j); j++)
			ck_assert(!setting_at(j)->alias ||
				  strcmp(setting_at(i)->name, setting_at(j)->alias) != 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("settings");
	TCase *cases = tcase_create("settings");
	int count = count_rows();
	tcase_add_checked_fixture(cases, setup, NULL);
	tcase_add_loop_test(cases, every_row_round_trips, 0, count);
	tcase_add_loop_test(cases, bad_values_change_nothing, 0, count);
	tcase_add_loop_test(cases, rows_are_independent, 0, count);
	tcase_add_test(cases, order);
	tcase_add_test(cases, former_names);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
