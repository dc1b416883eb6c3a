/* SPDX-License-Identifier: MIT
 *
 * Boards as JSON: every move of every game can be clicked, and boards of any shape are described.
 */
#include "protocol/records/layout.h"

#include <stdlib.h>
#include <string.h>

#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "tests/rectangle.h"
#include "tests/suite.h"

static int game_count(void)
{
	int n = 0;
	while (games[n])
		n++;
	return n;
}

/* Returns the clicks of a move as one text, such as "C3 T ". The caller frees it. */
static char *clicks_of(const struct game *g, const char *text)
{
	json_t *clicks = layout_clicks(g, text);
	char *all = calloc(64, 1);
	for (size_t i = 0; i < json_array_size(clicks); i++) {
		strcat(all, json_string_value(json_array_get(clicks, i)));
		strcat(all, " ");
	}
	json_decref(clicks);
	return all;
}

/* Checks a move: only a pass has no clicks; all clicks but a last turn are squares, and a move without a turn changes
 * the last of them. */
static void check_clicks(const struct game *g, const struct state *before, struct move m,
			 const char *text)
{
	struct state after = *before;
	int row = 0, col = 0;
	json_t *clicks = layout_clicks(g, text);
	size_t count = json_array_size(clicks);
	bool has_square = m.step[0] != g->steps.pass && !(g->swap && m.step[0] == swap_step(g));
	ck_assert_int_eq(count > 0, has_square);
	bool turns = false;
	for (size_t i = 0; i < count; i++) {
		const char *click = json_string_value(json_array_get(clicks, i));
		ck_assert_msg(!turns, "%s: %s", g->name, text);
		turns = g->board.turns && click[1] == '\0' && strchr(g->board.turns, *click);
		const char *rest = turns ? "" : square_parse(g, click, &row, &col);
		ck_assert_msg(rest && !*rest, "%s: %s", g->name, text);
	}
	game_play(g, &after, m);
	/* A stone that takes its own life leaves its square empty. */
	bool has_suicide = strcmp(g->rules, "tromp-taylor") == 0 ||
			   strcmp(g->rules, "new-zealand") == 0;
	if (count && !turns)
		ck_assert_msg(g->at(g, before, row, col) != g->at(g, &after, row, col) ||
				      has_suicide,
			      "%s: %s", g->name, text);
	json_decref(clicks);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

START_TEST(every_move_can_be_clicked)
{
	const struct game *g = games[_i];
	static struct move moves[GAME_MOVES_MAX];
	static char *clicks[GAME_MOVES_MAX];
	struct rng rng;
	struct state s;
	rng_seed(&rng, 1);
	for (g->start(g, &s); !s.over;) {
		char text[MOVE_TEXT_MAX];
		int n = game_moves(g, &s, moves);
		for (int k = 0; k < n; k++) {
			game_format(g, &s, moves[k], text);
			check_clicks(g, &s, moves[k], text);
			clicks[k] = clicks_of(g, text);
		}
		qsort(clicks, (size_t)n, sizeof *clicks, by_text);
		for (int k = 1; k < n; k++)
			ck_assert_str_ne(clicks[k - 1], clicks[k]);
		for (int k = 0; k < n; k++)
			free(clicks[k]);
		game_play(g, &s, moves[rng_below(&rng, (uint32_t)n)]);
	}
}
END_TEST

START_TEST(texts_name_their_clicks)
{
	static const struct {
		const struct game *game;
		const char *text, *clicks;
	} rows[] = {
		{ &game_othello, "D3", "D3 " },      { &game_othello, "PASS", "" },
		{ &game_othello, "A2B3", "A2 B3 " }, { &game_othello, "D9", "" },
		{ &game_othello, "D3T", "" },        { &game_pentago, "C3T", "C3 T " },
		{ &game_pentago, "C3", "C3 " },      { &rectangle, "D2A1B2", "D2 A1 B2 " },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *clicks = clicks_of(rows[i].game, rows[i].text);
		ck_assert_str_eq(clicks, rows[i].clicks);
		free(clicks);
	}
}
END_TEST

static bool corner(const struct game *g, int row, int col)
{
	return row == g->board.rows - 1 && col == 0;
}

/* Rows are listed from the top, with the labels of the notation. */
START_TEST(boards_of_any_shape)
{
	struct game g = rectangle;
	g.board = (struct board) { .rows = 2,
				   .cols = 9,
				   .goes_up = true,
				   .skips_i = true,
				   .kind = BOARD_INTERSECTIONS,
				   .color = BOARD_WOOD,
				   .falls = true,
				   .block_rows = 1,
				   .block_cols = 3,
				   .dot = corner };
	json_t *board = layout_json(&g);
	char *text = json_dumps(board, JSON_COMPACT);
	ck_assert_str_eq(
		text, "{\"kind\":\"intersections\",\"color\":\"wood\",\"pen\":false,\"falls\":true,"
		      "\"joins\":false,"
		      "\"columns\":[\"A\",\"B\",\"C\",\"D\",\"E\",\"F\",\"G\",\"H\",\"J\"],"
		      "\"numbers\":[2,1],\"dots\":[[1,0]],\"block\":[1,3],\"turns\":[],\"shape\":"
		      "null,\"pieces\":null,\"names\":null,\"links\":[],\"hand\":[]}");
	free(text);
	json_decref(board);
}
END_TEST

/* The shape has the squares of the board, row by row. */
START_TEST(hexagons)
{
	json_t *layout = layout_json(game_sized(&game_havannah, 7, 7));
	ck_assert_str_eq(json_string_value(json_object_get(layout, "kind")), "hexagons");
	ck_assert_str_eq(json_string_value(json_object_get(layout, "shape")),
			 ":::....::.....:...................:.....::....:::");
	json_decref(layout);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("layout");
	TCase *cases = tcase_create("layout");
	tcase_add_loop_test(cases, every_move_can_be_clicked, 0, game_count());
	tcase_add_test(cases, texts_name_their_clicks);
	tcase_add_test(cases, boards_of_any_shape);
	tcase_add_test(cases, hexagons);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
