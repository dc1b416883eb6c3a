/* SPDX-License-Identifier: MIT
 *
 * Amazons: the rules against a plain referee that walks over the board's letters, published counts, the end, set-ups, texts,
 * playouts, and an evaluation that sees both sides alike.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/rules/images.h"
#include "engine/rules/perft.h"
#include "engine/rules/playouts.h"
#include "tests/games/move_texts.h"
#include "tests/suite.h"

static const int sizes[] = { 6, 8, 10 };
#define SIZES ((int)(sizeof sizes / sizeof *sizes))

static const struct game *amazons_of(int n)
{
	return game_of_size(&game_amazons, n);
}

/* --- the referee --- */

/* Lists the squares to which a queen can go; `free` counts as empty. Returns their number. */
static int referee_queen(const char *board, int n, int from, int free, int out[GAME_SQUARES_MAX])
{
	int count = 0;
	for (int way = 0; way < 9; way++) {
		int row = from / n, col = from % n;
		while (way != 4) {
			row += way / 3 - 1;
			col += way % 3 - 1;
			if (row < 0 || row >= n || col < 0 || col >= n ||
			    (board[n * row + col] != '.' && n * row + col != free))
				break;
			out[count++] = n * row + col;
		}
	}
	return count;
}

static void referee_text(int n, const int squares[3], char text[MOVE_TEXT_MAX])
{
	char *at = text;
	for (int i = 0; i < 3; i++)
		at += sprintf(at, "%c%d", 'A' + squares[i] % n, n - squares[i] / n);
}

/* Lists the texts of all moves of a side. */
static int referee_moves(const char *board, int n, char side, char (*texts)[MOVE_TEXT_MAX])
{
	int to[GAME_SQUARES_MAX], arrow[GAME_SQUARES_MAX], count = 0;
	for (int from = 0; from < n * n; from++) {
		int ways = board[from] == side ? referee_queen(board, n, from, -1, to) : 0;
		for (int i = 0; i < ways; i++) {
			int shots = referee_queen(board, n, to[i], from, arrow);
			for (int k = 0; k < shots; k++)
				referee_text(n, (int[]) { from, to[i], arrow[k] }, texts[count++]);
		}
	}
	return count;
}

/* Compares the moves of a position, and the board after one of them, with the referee's. Plays that one. */
static void check_position(const struct game *g, struct state *s, struct rng *rng)
{
	static char expected[GAME_MOVES_MAX][MOVE_TEXT_MAX], found[GAME_MOVES_MAX][MOVE_TEXT_MAX];
	static struct move moves[GAME_MOVES_MAX];
	char board[POSITION_TEXT_MAX], after[POSITION_TEXT_MAX];
	const int n = g->board.rows;
	game_position(g, s, board);
	int count = referee_moves(board, n, board[n * n + 1], expected);
	ck_assert_int_eq(s->over, count == 0);
	if (s->over) {
		ck_assert_int_eq(s->score, -side_sign(s->side));
		return;
	}
	ck_assert_int_eq(game_moves(g, s, moves), count);
	for (int i = 0; i < count; i++)
		game_format(g, s, moves[i], found[i]);
	int chosen = (int)rng_below(rng, (uint32_t)count);
	struct move played = moves[chosen], read;
	ck_assert_int_eq(game_parse(g, s, found[chosen], &read), MOVE_OK);
	ck_assert(move_equal(played, read));
	ck_assert(move_texts_agree(expected, count, found, count));
	int square[3];
	for (int i = 0; i < 3; i++)
		square[i] = played.step[i] % 110 / 11 * n + played.step[i] % 110 % 11;
	board[square[1]] = board[square[0]];
	board[square[0]] = '.';
	board[square[2]] = 'A';
	board[n * n + 1] ^= 'X' ^ 'O';
	game_play(g, s, played);
	ck_assert(g->valid(g, s));
	game_position(g, s, after);
	ck_assert_str_eq(after, board);
}

START_TEST(moves_are_those_of_the_referee)
{
	struct rng rng;
	rng_seed(&rng, 3);
	for (int round = 0; round < suite_times(20); round++) {
		const struct game *g = amazons_of(sizes[round % SIZES]);
		struct state s;
		g->start(g, &s);
		while (!s.over)
			check_position(g, &s, &rng);
		check_position(g, &s, &rng);
	}
}
END_TEST

/* --- counts --- */

/* The counts of 10x10 are the literature's, those of 6x6 OpenSpiel's. */
static const struct {
	int size;
	uint64_t leaves[2];
} counts[] = { { 6, { 544, 238532 } }, { 8, { 1232, 1331198 } }, { 10, { 2176, 4307152 } } };

START_TEST(known_counts)
{
	const struct game *g = amazons_of(counts[_i].size);
	struct state s;
	g->start(g, &s);
	for (int depth = 1; depth <= 2; depth++)
		ck_assert_uint_eq(perft_leaves(g, &s, depth), counts[_i].leaves[depth - 1]);
}
END_TEST

/* --- set-ups, and the end --- */

static const struct {
	const char *position, *side, *why;
} setups[] = {
	{ "....................................", "X", "each side has one to four amazons" },
	{ "X...................................", "X", "each side has one to four amazons" },
	{ "XXXXX..............................O", "X", "each side has one to four amazons" },
	{ "X.................................xO", "X",
	  "a square is the letter of a piece, or '.'" },
	{ "XA....AA...................AA....A.O", "X", NULL },
};

START_TEST(bad_positions_are_refused)
{
	struct state s;
	ck_assert_pstr_eq(game_setup(amazons_of(6), &s, setups[_i].position, setups[_i].side),
			  setups[_i].why);
}
END_TEST

START_TEST(who_cannot_move_has_lost)
{
	const struct game *g = amazons_of(6);
	struct state s;
	struct move m;
	char text[RESULT_TEXT_MAX];
	ck_assert(!game_setup(g, &s, "XA....AA......................AA...O", "X"));
	ck_assert(s.over);
	ck_assert_int_eq(s.score, -1);
	ck_assert(!game_setup(g, &s, "XA....AA......................AA...O", "O"));
	ck_assert(!s.over);
	/* An arrow blocks the last square to which Black can go. */
	ck_assert(!game_setup(g, &s, "XA....A............................O", "O"));
	ck_assert_int_eq(game_parse(g, &s, "f1e1b5", &m), MOVE_ILLEGAL);
	ck_assert_int_eq(game_parse(g, &s, "f1e2b5", &m), MOVE_OK);
	game_play(g, &s, m);
	ck_assert(s.over);
	ck_assert_int_eq(s.score, -1);
	game_result(g, &s, text);
	ck_assert_str_eq(text, "White wins");
}
END_TEST

/* --- text --- */

static const struct {
	const char *text;
	enum move_check check;
} texts[] = {
	{ "b1b4e4", MOVE_OK },          { "B1-B4/E4", MOVE_OK },
	{ "b1b4(e4)", MOVE_OK },        { "b1-b4xe4", MOVE_OK },
	{ "b1b4b1", MOVE_OK },          { "b1b4", MOVE_MALFORMED },
	{ "b1b4e4e5", MOVE_MALFORMED }, { "b1b4e7", MOVE_MALFORMED },
	{ "b1--b4e4", MOVE_MALFORMED }, { "b6b4e4", MOVE_ILLEGAL },
	{ "b1c3c4", MOVE_ILLEGAL },     { "b1b4b4", MOVE_ILLEGAL },
	{ "b1b6b5", MOVE_ILLEGAL },     { "", MOVE_MALFORMED },
};

START_TEST(texts_of_moves)
{
	const struct game *g = amazons_of(6);
	struct state s;
	struct move m;
	g->start(g, &s);
	ck_assert_msg(game_parse(g, &s, texts[_i].text, &m) == texts[_i].check, "%s",
		      texts[_i].text);
}
END_TEST

/* The stone of a move is the amazon, even where its arrow blocks the square that it left. */
START_TEST(the_stone_of_a_move)
{
	const struct game *g = amazons_of(6);
	struct state s;
	struct move m;
	int row, col;
	g->start(g, &s);
	ck_assert_int_eq(game_parse(g, &s, "b1b4b1", &m), MOVE_OK);
	ck_assert(game_stone(g, &s, m, &row, &col));
	ck_assert_int_eq(row, 2);
	ck_assert_int_eq(col, 1);
}
END_TEST

/* --- properties --- */

/* Plays a random number of steps. */
static void random_state(const struct game *g, struct state *s, struct rng *rng)
{
	g->start(g, s);
	for (uint32_t left = rng_below(rng, 120); left && !s->over; left--) {
		move_t steps[GAME_STEPS_MAX];
		uint32_t n = (uint32_t)g->moves(g, s, steps);
		g->play(g, s, steps[rng_below(rng, n)]);
	}
}

START_TEST(playouts_are_the_generic_ones)
{
	struct rng rng;
	rng_seed(&rng, 4);
	for (int round = 0; round < suite_times(200); round++) {
		const struct game *g = amazons_of(sizes[round % SIZES]);
		struct state s;
		random_state(g, &s, &rng);
		struct rng one = rng, other = rng;
		ck_assert_int_eq(g->playouts->uniform(g, &s, &one), playout_generic(g, &s, &other));
	}
}
END_TEST

/* Sets up the image of a position, with the sides exchanged or not. */
static void set_up_image(const struct game *g, const struct state *s, int symmetry, bool exchanged,
			 struct state *image)
{
	char text[POSITION_TEXT_MAX], mirrored[POSITION_TEXT_MAX] = "";
	const int squares = g->board.rows * g->board.cols;
	game_position(g, s, text);
	for (int i = 0; i < squares; i++) {
		char c = text[i];
		mirrored[images_mirror_square(g, i, symmetry)] =
			(char)(exchanged && (c == 'X' || c == 'O') ? c ^ 'X' ^ 'O' : c);
	}
	ck_assert(!g->setup(g, image, mirrored, s->side ^ exchanged));
}

START_TEST(images_have_the_same_moves_and_value)
{
	struct rng rng;
	rng_seed(&rng, 6);
	for (int round = 0; round < suite_times(100); round++) {
		const struct game *g = amazons_of(sizes[round % SIZES]);
		const int symmetry = 1 + round % 7;
		struct state s, image, exchanged;
		random_state(g, &s, &rng);
		if (s.over || s.pending)
			continue;
		set_up_image(g, &s, symmetry, false, &image);
		set_up_image(g, &s, symmetry, true, &exchanged);
		ck_assert_int_eq(g->eval->value(g, &s), g->eval->value(g, &image));
		ck_assert_int_eq(g->eval->value(g, &s), -g->eval->value(g, &exchanged));
		/* One move, step by step. */
		do {
			move_t steps[GAME_STEPS_MAX], images[GAME_STEPS_MAX];
			int n = g->moves(g, &s, steps);
			bool listed[GAME_CODES_MAX] = { false };
			ck_assert_int_eq(g->moves(g, &image, images), n);
			for (int i = 0; i < n; i++)
				listed[images[i]] = true;
			for (int i = 0; i < n; i++)
				ck_assert(listed[g->images->mirror(g, steps[i], symmetry)]);
			move_t step = steps[rng_below(&rng, (uint32_t)n)];
			g->play(g, &s, step);
			g->play(g, &image, g->images->mirror(g, step, symmetry));
		} while (s.pending);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("amazons");
	TCase *cases = tcase_create("amazons");
	tcase_add_test(cases, moves_are_those_of_the_referee);
	tcase_add_loop_test(cases, known_counts, 0, sizeof counts / sizeof counts[0]);
	tcase_add_loop_test(cases, bad_positions_are_refused, 0, sizeof setups / sizeof setups[0]);
	tcase_add_test(cases, who_cannot_move_has_lost);
	tcase_add_loop_test(cases, texts_of_moves, 0, sizeof texts / sizeof texts[0]);
	tcase_add_test(cases, the_stone_of_a_move);
	tcase_add_test(cases, playouts_are_the_generic_ones);
	tcase_add_test(cases, images_have_the_same_moves_and_value);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
