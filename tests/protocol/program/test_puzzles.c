/* SPDX-License-Identifier: MIT
 *
 * The mode `puzzles` of the real program. Each test has its own folder, $D in the shell's commands.
 */
#include <jansson.h>

#include "tests/protocol/program/mode.h"

/* The same seed gives the same puzzles, as text, JSON and SGF. */
START_TEST(forms)
{
	char *text = run("$YOMI puzzles connectfour --seed=2 --count=2 --output=$D/a.sgf", 0);
	char *again = run("$YOMI puzzles connectfour --seed=2 --count=2", 0);
	char *lines = run("$YOMI puzzles connectfour --seed=2 --count=2 --json", 0), *position;
	ck_assert_str_eq(text, again);
	check_has(text, "puzzle    1: ");
	check_has(text, "\nsolution  ");
	json_t *first = json_loads(lines, JSON_DISABLE_EOF_CHECK, NULL);
	ck_assert_ptr_nonnull(first);
	check_has(text, json_string_value(json_object_get(first, "task")));
	/* The game of the first puzzle has a win in 2, too. That in most moves is taken. */
	ck_assert_int_eq(json_integer_value(json_object_get(first, "moves")), 7);
	ck_assert(asprintf(&position, "\nposition  %s\n",
			   json_string_value(json_object_get(first, "position"))) > 0);
	check_has(text, position);
	free(position);
	/* The file is a game that begins with the puzzle. */
	ck_assert(asprintf(&position, "= %s\n",
			   json_string_value(json_object_get(first, "position"))) > 0);
	char *loaded = run("printf 'loadsgf %s/a.sgf 1\\nposition\\n' $D | $YOMI --no-config", 0);
	check_has(loaded, position);
	free(position);
	free(loaded);
	json_decref(first);
	free(text);
	free(again);
	free(lines);
}
END_TEST

/* No position comes twice. */
START_TEST(all_differ)
{
	char *repeated = run(
		"$YOMI puzzles tictactoe --seed=1 --count=12 --json >$D/a; "
		"grep -c position $D/a; grep -o '\"position\":[^,]*' $D/a | sort | uniq -d",
		0);
	ck_assert_str_eq(repeated, "12\n");
	free(repeated);
}
END_TEST

/* A missed draw in a recorded game becomes a puzzle; a game without one has none. */
START_TEST(mistakes)
{
	char *text = run(
		"echo '(;GN[yomi tictactoe standard];B[a1];W[c1];B[b2];W[a3];B[c3])' >$D/a.sgf;"
		"$YOMI puzzles --file=$D/a.sgf",
		0);
	check_has(text, "puzzle    1: O to play and draw\n");
	check_has(text, "position  X........ O\nsolution  B2 ");
	ck_assert_ptr_null(strstr(text, "puzzle    2"));
	free(text);
	text = run("echo '(;GN[yomi tictactoe standard];B[a1];W[b2])' >$D/a.sgf; "
		   "$YOMI puzzles --file=$D/a.sgf 2>&1",
		   1);
	check_has(text, "nobody missed the only move");
	free(text);
}
END_TEST

static const struct {
	const char *command, *message;
} wrong[] = {
	{ "$YOMI puzzles mahjong 2>&1", "mahjong" },
	{ "$YOMI puzzles --file=$D/none 2>&1", "yomi: cannot read " },
	{ "$YOMI puzzles othello --count=0 2>&1", "count" },
	{ "$YOMI puzzles othello --search=mcts 2>&1", "search" },
};

START_TEST(errors)
{
	char *text = run(wrong[_i].command, 2);
	check_has(text, wrong[_i].message);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("puzzles mode");
	TCase *all = tcase_create("puzzles mode");
	tcase_add_checked_fixture(all, folder_create, folder_remove);
	tcase_add_test(all, forms);
	tcase_add_test(all, all_differ);
	tcase_add_test(all, mistakes);
	tcase_add_loop_test(all, errors, 0, (int)(sizeof wrong / sizeof wrong[0]));
	suite_add_tcase(suite, all);
	return suite_run(suite);
}
