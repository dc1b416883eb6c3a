/* SPDX-License-Identifier: MIT
 *
 * What moves cost: by proofs, by scores, by win rates.
 */
#include "protocol/lessons/loss.h"

#include <math.h>
#include <string.h>

#include "tests/suite.h"

static const struct {
	const struct game *game;
	int side;
	struct worth best, played;
	enum loss_unit unit;
	enum loss_size size;
	const char *text;
} cases[] = {
	/* Proofs come first. */
	{ &game_tictactoe,
	  BLACK,
	  { 1, NAN, 1, 1, false },
	  { 0, NAN, 0, 0, false },
	  LOSS_RESULT,
	  LOSS_BLUNDER,
	  "a win became a draw (proven)" },
	{ &game_tictactoe,
	  WHITE,
	  { 0, NAN, 0, 0, false },
	  { 1, NAN, 1, 1, false },
	  LOSS_RESULT,
	  LOSS_BLUNDER,
	  "a draw became a loss (proven)" },
	{ &game_tictactoe,
	  BLACK,
	  { 1, NAN, 1, 1, false },
	  { -.5, NAN, -1, 0, false },
	  LOSS_RESULT,
	  LOSS_BLUNDER,
	  "a win became at most a draw (proven)" },
	{ &game_tictactoe,
	  BLACK,
	  { 1, NAN, 1, 1, false },
	  { 1, NAN, 1, 1, false },
	  LOSS_NONE,
	  LOSS_GOOD,
	  "nothing" },
	{ &game_othello,
	  BLACK,
	  { 1, 6, 1, 1, true },
	  { -1, -4, -1, -1, true },
	  LOSS_RESULT,
	  LOSS_BLUNDER,
	  "a win became a loss (proven)" },
	/* Then points, if the result is not settled or the points are proven. */
	{ &game_othello,
	  BLACK,
	  { 1, 12, 1, 1, true },
	  { 1, 8, 1, 1, true },
	  LOSS_POINTS,
	  LOSS_INACCURACY,
	  "4 discs" },
	{ &game_othello,
	  WHITE,
	  { NAN, -3.2, -1, 1, false },
	  { NAN, 4, -1, 1, false },
	  LOSS_POINTS,
	  LOSS_MISTAKE,
	  "about 7 discs" },
	{ &game_othello,
	  BLACK,
	  { NAN, 3, -1, 1, false },
	  { NAN, 2, -1, 1, false },
	  LOSS_POINTS,
	  LOSS_GOOD,
	  "about 1 disc" },
	{ &game_othello,
	  BLACK,
	  { 1, 30, 1, 1, false },
	  { 1, 10, 1, 1, false },
	  LOSS_NONE,
	  LOSS_GOOD,
	  "nothing" },
	/* Then win rates. */
	{ &game_tictactoe,
	  WHITE,
	  { 0, NAN, -1, 1, false },
	  { .5, NAN, -1, 1, false },
	  LOSS_SHARE,
	  LOSS_BLUNDER,
	  "win rate 50 % to 25 %" },
	{ &game_tictactoe,
	  BLACK,
	  { .1, NAN, -1, 1, false },
	  { 0, NAN, -1, 1, false },
	  LOSS_SHARE,
	  LOSS_INACCURACY,
	  "win rate 55 % to 50 %" },
	{ &game_tictactoe,
	  BLACK,
	  { 0, NAN, -1, 1, false },
	  { .5, NAN, -1, 1, false },
	  LOSS_NONE,
	  LOSS_GOOD,
	  "nothing" },
	{ &game_tictactoe,
	  BLACK,
	  { NAN, NAN, -1, 1, false },
	  { .5, NAN, -1, 1, false },
	  LOSS_NONE,
	  LOSS_GOOD,
	  "nothing" },
};

START_TEST(losses)
{
	const struct game *g = cases[_i].game;
	char text[LOSS_TEXT_MAX];
	struct loss loss = loss_find(g, cases[_i].side, &cases[_i].best, &cases[_i].played);
	ck_assert_int_eq(loss.unit, cases[_i].unit);
	ck_assert_int_eq(loss.size, cases[_i].size);
	loss_text(&loss, g, text);
	ck_assert_str_eq(text, cases[_i].text);
	ck_assert(loss.severity >= 0 && loss.severity <= 1);
	ck_assert((loss.severity >= 1) == (loss.size == LOSS_BLUNDER));
	/* Nothing is better than itself, and of two one at most is better. */
	ck_assert(!worth_is_better(g, cases[_i].side, &cases[_i].best, &cases[_i].best));
	ck_assert(!worth_is_better(g, cases[_i].side, &cases[_i].best, &cases[_i].played) ||
		  !worth_is_better(g, cases[_i].side, &cases[_i].played, &cases[_i].best));
}
END_TEST

/* The severity grows evenly up to a blunder. */
START_TEST(severity)
{
	struct worth best = { NAN, 0, -1, 1, false }, played = { NAN, -5, -1, 1, false };
	struct loss loss = loss_find(&game_othello, BLACK, &best, &played);
	ck_assert_double_eq(loss.severity, 0.5);
	ck_assert_double_eq(loss.amount, 5);
	best = (struct worth) { 0, NAN, -1, 1, false };
	played = (struct worth) { -0.1, NAN, -1, 1, false };
	loss = loss_find(&game_tictactoe, BLACK, &best, &played);
	ck_assert_double_eq_tol(loss.severity, 0.25, 1e-9);
	ck_assert_double_eq_tol(loss.before, 0.5, 1e-9);
	ck_assert_double_eq_tol(loss.after, 0.45, 1e-9);
}
END_TEST

START_TEST(bounds)
{
	struct worth w = { 0, NAN, -1, 1, false }, other = { 0, NAN, 0, 0, false };
	worth_at_least(&w, BLACK, &other);
	ck_assert(w.lower == 0 && w.upper == 1);
	w.lower = -1;
	worth_at_least(&w, WHITE, &other);
	ck_assert(w.lower == -1 && w.upper == 0);
}
END_TEST

START_TEST(worths_in_words)
{
	static const struct {
		const struct game *game;
		int side;
		struct worth worth;
		const char *text;
	} texts[] = {
		{ &game_othello,
		  BLACK,
		  { NAN, 1, 1, 1, true },
		  "Black wins by 1 disc with best play" },
		{ &game_othello,
		  WHITE,
		  { NAN, 4, 1, 1, true },
		  "Black wins by 4 discs with best play" },
		{ &game_othello, BLACK, { NAN, 0, 0, 0, true }, "draw with best play" },
		{ &game_othello,
		  BLACK,
		  { 0.1, 0.6, -1, 1, false },
		  "win rate 55 %, about 1 disc ahead" },
		{ &game_othello,
		  WHITE,
		  { 0.1, 2, -1, 1, false },
		  "win rate 45 %, about 2 discs behind" },
		{ &game_othello, WHITE, { 0, -0.4, -1, 1, false }, "win rate 50 %" },
		{ &game_connectfour,
		  BLACK,
		  { 1, 1, 1, 1, true },
		  "Black wins in 21 moves with best play" },
		{ &game_pentago,
		  WHITE,
		  { 0.5, NAN, 0, 1, false },
		  "win rate 25 %, Black does not lose" },
		{ &game_pentago, WHITE, { NAN, NAN, -1, 1, false }, "no estimate" },
	};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct text text = { 0 };
		struct state start;
		texts[i].game->start(texts[i].game, &start);
		worth_print(&texts[i].worth, texts[i].game, &start, texts[i].side, &text);
		ck_assert_str_eq(text.bytes, texts[i].text);
		text_free(&text);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("loss");
	TCase *all = tcase_create("loss");
	tcase_add_loop_test(all, losses, 0, (int)(sizeof cases / sizeof cases[0]));
	tcase_add_test(all, severity);
	tcase_add_test(all, bounds);
	tcase_add_test(all, worths_in_words);
	suite_add_tcase(suite, all);
	return suite_run(suite);
}
