/* SPDX-License-Identifier: MIT
 *
 * With a seed and a work limit, moves repeat: after a new game, in a new process, with games in another
 * order, and next to commands that use the clock.
 */
#include "engine/search/common/algorithm.h"
#include "tests/protocol/talk.h"
#include "tests/tested.h"

#define LIMITS    (IS_SANITIZED ? 3 : 8)
#define GAMES_MAX 32
#define MOVES     4

static struct talk talk, *const t = &talk;

/* The first moves by game and work limit. */
static char played[GAMES_MAX][20][MOVES][16];

/* Returns work limits from 1 to about 2000 that are not round. */
static int limit_at(int i)
{
	int limit = 1;
	for (; i > 0; i--)
		limit += 1 + limit / 2;
	return limit;
}

static void start(void)
{
	talk_start(t, "--threads 1 --memory 8");
}

static void choose_game(const struct game *g, const char *search)
{
	ask_for("", t, "set_game %s", g->name);
	ask_for("", t, "param rules %s", g->rules);
	ask_for("", t, "param search %s", search);
}

/* Plays the first moves of a new game with a work limit. */
static void play(int limit, char moves[MOVES][16])
{
	ask_for("", t, "clear_board");
	ask_for("", t, "param playouts %d", limit);
	ask_for("", t, "set_random_seed %d", 1 + limit);
	for (int i = 0; i < MOVES; i++) {
		const char *move = ask(t, "genmove %s", colors[i % 2]);
		ck_assert_int_lt((int)strlen(move), 16);
		strcpy(moves[i], move);
	}
}

/* Plays a game with each work limit and compares it with the earlier one. */
static void play_again(int game, bool first)
{
	for (int i = 0; i < LIMITS; i++) {
		char moves[MOVES][16];
		play(limit_at(i % 16) + i / 16, moves);
		for (int k = 0; k < MOVES; k++) {
			if (first)
				strcpy(played[game][i][k], moves[k]);
			ck_assert_msg(strcmp(moves[k], played[game][i][k]) == 0,
				      "%s %s, limit %d, move %d: %s and %s",
				      tested_game(game)->name, tested_game(game)->rules, i, k,
				      played[game][i][k], moves[k]);
		}
	}
}

START_TEST(seed_and_work_repeat_the_moves)
{
	const char *search = _i ? algorithms[_i - 1]->name : "auto";
	int count = 0;
	start();
	for (; tested_game(count); count++) {
		ck_assert_int_lt(count, GAMES_MAX);
		choose_game(tested_game(count), search);
		play_again(count, true);
		play_again(count, false);
	}
	talk_end(t);
	start();
	for (int g = count - 1; g >= 0; g--) {
		choose_game(tested_game(g), search);
		play_again(g, false);
	}
	talk_end(t);
}
END_TEST

/* Plays a game with other searches between the moves that end by the clock. They take longer with more
 * `patience`. */
static void play_beside_clocks(int patience, char moves[MOVES][16])
{
	ask_for("", t, "clear_board");
	ask_for("", t, "param playouts %d", IS_SANITIZED ? 100 : 500);
	ask_for("", t, "set_random_seed 7");
	for (int i = 0; i < MOVES; i++) {
		tell(t, "kata-analyze 1\n");
		for (int k = 0; k < 1 + patience; k++)
			hear_line(t);
		tell(t, "\n");
		hear_rest(t);
		ask(t, "yomi-report");
		ask(t, "yomi-values");
		strcpy(moves[i], ask(t, "genmove %s", colors[i % 2]));
	}
}

/* Trees and tables of searches that end by the clock do not change the moves of a seed and a work limit. */
START_TEST(clocks_do_not_change_the_moves)
{
	static const char *const searches[] = { "auto", "mcts", "union", "dfpn+mcts", "alphabeta" };
	char moves[2][MOVES][16];
	start();
	for (int g = 0; tested_game(g); g++) {
		choose_game(tested_game(g), searches[_i]);
		for (int k = 0; k < 2; k++)
			play_beside_clocks(4 * k, moves[k]);
		for (int i = 0; i < MOVES; i++)
			ck_assert_str_eq(moves[0][i], moves[1][i]);
	}
	talk_end(t);
}
END_TEST

int main(void)
{
	int searches = 0;
	while (algorithms[searches])
		searches++;
	Suite *suite = suite_create("repeat");
	TCase *cases = tcase_create("repeat");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 300);
	tcase_set_timeout(native, 300);
	tcase_add_loop_test(native, seed_and_work_repeat_the_moves, 0, searches + 1);
	tcase_add_loop_test(cases, clocks_do_not_change_the_moves, 0, IS_SANITIZED ? 1 : 5);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
