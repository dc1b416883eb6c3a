/* SPDX-License-Identifier: MIT
 *
 * The puzzles that are linked into the program: legal and different, and the first ones of each board are found to be puzzles
 * with the same first move again.
 */
#include "protocol/lessons/collection.h"

#include "games/games.h"
#include "protocol/lessons/puzzle.h"
#include "tests/suite.h"

#define PUZZLES 219   /* all */
#define PROVEN  2     /* puzzles of each board that are proven again */
#define NODES   20000 /* at most this work */

/* The game, rule set and board of a puzzle. */
static const struct game *game_of(const json_t *puzzle)
{
	const char *name, *rules;
	int rows, cols;
	ck_assert_int_eq(json_unpack((json_t *)puzzle, "{s:s,s:s,s:i,s:i}", "game", &name, "rules",
				     &rules, "rows", &rows, "cols", &cols),
			 0);
	const struct game *g = game_find(name, rules);
	ck_assert_ptr_nonnull(g);
	return g->board.rows == rows && g->board.cols == cols ? g : game_sized(g, rows, cols);
}

static void set_up(struct record *r, const json_t *puzzle)
{
	struct state start;
	const char *reason = collection_state(r->game, puzzle, &start);
	ck_assert_msg(!reason, "%s", reason);
	record_setup(r, &start);
}

/* Finds the puzzle again. */
static void prove(struct engine *e, const struct record *r, const json_t *puzzle)
{
	static char why[REASON_MAX];
	struct puzzle found;
	char task[PUZZLE_TASK_MAX], move[MOVE_TEXT_MAX];
	ck_assert_int_eq(puzzle_find(&found, e, r->game, &r->now, NODES, why), PUZZLE_FOUND);
	puzzle_task(&found, task);
	game_format(r->game, &r->now, found.line[0], move);
	ck_assert_str_eq(task, json_string_value(json_object_get(puzzle, "task")));
	ck_assert_str_eq(move,
			 json_string_value(json_array_get(json_object_get(puzzle, "solution"), 0)));
}

/* The solution can be played, and a win in so many moves ends the game so. */
static void play_out(struct record *r, const json_t *puzzle)
{
	int side = r->now.side;
	const json_t *solution = json_object_get(puzzle, "solution"), *text;
	size_t i;
	json_array_foreach(solution, i, text)
	{
		struct move m;
		ck_assert_msg(record_parse(r, json_string_value(text), &m) == MOVE_OK, "%s",
			      json_string_value(text));
		record_play(r, m);
	}
	if (json_is_integer(json_object_get(puzzle, "moves")))
		ck_assert(r->now.over && side_sign(side) * r->now.score > 0);
}

START_TEST(puzzles_are_right)
{
	FILE *f = fopen("protocol/lessons/puzzles.jsonl", "re");
	struct engine *e = engine_create_fixed("auto", 0);
	const struct game *last = NULL;
	int all = 0, number = 0;
	json_t *line, *before = NULL;
	ck_assert_ptr_nonnull(f);
	while ((line = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) {
		struct record r;
		const struct game *g = game_of(line);
		number = g == last ? number + 1 : 1;
		last = g;
		record_init(&r, g);
		set_up(&r, line);
		if (number <= PROVEN)
			prove(e, &r, line);
		play_out(&r, line);
		record_free(&r);
		json_t *same = collection_puzzle(g, number);
		ck_assert(number <= collection_count(g) && json_equal(same, line));
		ck_assert(!before || !json_equal(before, line));
		json_decref(same);
		json_decref(before);
		before = line;
		all++;
	}
	ck_assert_int_eq(all, PUZZLES);
	json_decref(before);
	engine_destroy(e);
	fclose(f);
}
END_TEST

START_TEST(other_boards_have_none)
{
	ck_assert_int_eq(collection_count(game_find("hex", NULL)), 0);
	ck_assert_int_eq(collection_count(game_of_size(game_find("hex", NULL), 4)), 0);
	ck_assert_int_eq(collection_count(game_of_size(game_find("go", NULL), 9)), 0);
	json_t *boards = collection_boards(game_find("knightthrough", NULL));
	ck_assert(json_array_size(boards) > 0);
	json_decref(boards);
	boards = collection_boards(game_find("pentago", "openspiel"));
	ck_assert_uint_eq(json_array_size(boards), 0);
	json_decref(boards);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("collection");
	tcase_add_test(suite_native_case(suite), puzzles_are_right);
	TCase *all = tcase_create("collection");
	tcase_add_test(all, other_boards_have_none);
	suite_add_tcase(suite, all);
	return suite_run(suite);
}
