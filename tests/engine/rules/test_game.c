/* SPDX-License-Identifier: MIT
 *
 * The rules for a game's table, and boards for people: the square of a move's stone, and its mark.
 */
#include <stdio.h>
#include <string.h>

#include "engine/rules/drawing.h"
#include "engine/rules/eval.h"
#include "engine/rules/goals.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/playouts.h"
#include "engine/rules/repetition.h"
#include "engine/rules/solver.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "engine/search/algorithms.h"
#include "engine/search/game_check.h"
#include "tests/suite.h"

/* In random games the square holds a stone of the mover, and had none of its own unless it was turned. */
START_TEST(stone_of_a_move)
{
	const struct game *g = games[_i];
	struct rng rng;
	struct move moves[GAME_MOVES_MAX];
	int row, col, stones = 0;
	rng_seed(&rng, 1);
	for (int i = 0; i < 50; i++) {
		struct state s, before;
		g->start(g, &s);
		while (!s.over) {
			before = s;
			int side = s.side, n = game_moves(g, &s, moves);
			struct move m = moves[rng_below(&rng, (uint32_t)n)];
			game_play(g, &s, m);
			bool is_suicide = g->goals && g->goals->capture &&
					  g->at(g, &s, m.step[0] / g->board.cols,
						m.step[0] % g->board.cols) == '.';
			if (m.step[0] == g->steps.pass || is_suicide) {
				ck_assert(!game_stone(g, &before, m, &row, &col));
				continue;
			}
			ck_assert(game_stone(g, &before, m, &row, &col));
			char now = g->at(g, &s, row, col), was = g->at(g, &before, row, col);
			if (g->board.pieces)
				ck_assert(now != '.' && now != was);
			else
				ck_assert_int_eq(now, board_stone(&g->board, side));
			if (m.step[1] == MOVE_NONE)
				ck_assert_int_ne(was, board_stone(&g->board, side));
			stones++;
		}
	}
	ck_assert_int_gt(stones, 200);
	ck_assert(!game_stone(g, &(struct state) { 0 }, move_single(MOVE_PASS), &row, &col));
}
END_TEST

/* A turn moves the stone: A1 with its quadrant turned clockwise ends in another corner of the quadrant. */
START_TEST(turned_stone)
{
	struct state start;
	struct move m;
	int row, col;
	game_pentago.start(&game_pentago, &start);
	ck_assert_int_eq(game_parse(&game_pentago, &start, "a1t", &m), MOVE_OK);
	ck_assert(game_stone(&game_pentago, &start, m, &row, &col));
	struct state after = start;
	game_play(&game_pentago, &after, m);
	ck_assert_int_eq(game_pentago.at(&game_pentago, &after, row, col), 'X');
	ck_assert(row + col == 2 && row != 1);
}
END_TEST

START_TEST(looks)
{
	static const struct {
		struct look look;
		const char *text;
	} rows[] = {
		{ { 0 },
		  "   A B C\n 1 . . . 1\n 2 . X O 2\n 3 . . . 3\n   A B C\nX (black) to move" },
		{ { .marked = true, .row = 1, .col = 1 },
		  "   A B C\n 1 . . . 1\n 2 .(X)O 2\n 3 . . . 3\n   A B C\nX (black) to move" },
		{ { .marked = true, .row = 1, .col = 2 },
		  "   A B C\n 1 . . . 1\n 2 . X(O)2\n 3 . . . 3\n   A B C\nX (black) to move" },
		{ { .marked = true, .row = 2, .col = 0 },
		  "   A B C\n 1 . . . 1\n 2 . X O 2\n 3(.). . 3\n   A B C\nX (black) to move" },
		{ { .changed = { 0, 0, 2, 2 } },
		  "   A B C\n 1[. .]. 1\n 2[. X]O 2\n 3 . . . 3\n   A B C\nX (black) to move" },
		{ { .marked = true, .row = 1, .col = 1, .changed = { 1, 1, 2, 2 } },
		  "   A B C\n 1 . . . 1\n 2 .(X)O]2\n 3 .[. .]3\n   A B C\nX (black) to move" },
		{ { .note = "a note", .is_for_people = true },
		  "   A B C\n 1 . . . 1\n 2 . X O 2\n 3 . . . 3\n   A B C\na note\n"
		  "X (black) to move" },
		{ { .colors = true, .marked = true, .row = 1, .col = 2 },
		  "   A B C\n"
		  " 1\033[42;30m . . . \033[0m1\n"
		  " 2\033[42;30m . X(\033[97mO\033[30m)\033[0m2\n"
		  " 3\033[42;30m . . . \033[0m3\n"
		  "   A B C\nX (black) to move" },
	};
	struct state s;
	char text[BOARD_TEXT_MAX];
	ck_assert_ptr_null(game_setup(&game_tictactoe, &s, "....XO...", "X"));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		game_draw(&game_tictactoe, &s, &rows[i].look, text);
		ck_assert_str_eq(text, rows[i].text);
	}
	game_draw(&game_tictactoe, &s, NULL, text);
	ck_assert_str_eq(text, rows[0].text);
}
END_TEST

START_TEST(results_in_words)
{
	static const struct {
		const struct game *game;
		const char *squares, *side, *text;
	} rows[] = {
		{ &game_tictactoe, "XXXOO....", "O", "X wins: three in a row" },
		{ &game_tictactoe, "XX.OOOX..", "X", "O wins: three in a row" },
		{ &game_tictactoe, "XOXXOOOXX", "O", "Draw" },
		{ &game_pentago, "OOOOO.XX....XXX.....................", "X",
		  "White wins: five in a row" },
		{ &game_othello, "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOO",
		  "X", "Black wins 37 to 27" },
		{ &game_othello, "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO..",
		  "X", "White wins 64 to 0; empty squares count for the winner" },
	};
	struct state s;
	char text[RESULT_TEXT_MAX], board[BOARD_TEXT_MAX];
	const struct look look = { .is_for_people = true };
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert_ptr_null(game_setup(rows[i].game, &s, rows[i].squares, rows[i].side));
		ck_assert(s.over);
		game_result(rows[i].game, &s, text);
		ck_assert_str_eq(text, rows[i].text);
		game_draw(rows[i].game, &s, &look, board);
		ck_assert_str_eq(strrchr(board, '\n') + 1, text);
	}
}
END_TEST

/* The largest board with colours everywhere still fits. */
/* Alpha-beta proves scores, but not where earlier positions matter. */
START_TEST(the_prover_of_a_game)
{
	struct game repeats = *game_find("othello", NULL);
	ck_assert_ptr_eq(algorithm_prover(&repeats), &algorithm_alphabeta);
	repeats.repetition = game_loa.repetition;
	ck_assert_ptr_eq(algorithm_prover(&repeats), &algorithm_dfpn);
	for (int i = 0; games[i]; i++)
		ck_assert(algorithm_prover(games[i]) == &algorithm_dfpn ||
			  (games[i]->score.unit && !game_repeats(games[i])));
}
END_TEST

START_TEST(largest_drawing)
{
	struct look look = { .colors = true, .marked = true };
	struct state s;
	char text[BOARD_TEXT_MAX], squares[65];
	memset(squares, 'O', 64);
	squares[64] = '\0';
	ck_assert_ptr_null(game_setup(&game_othello, &s, squares, "X"));
	game_draw(&game_othello, &s, &look, text);
	ck_assert_ptr_nonnull(strstr(text, "O (white) has won by 64"));
}
END_TEST

START_TEST(tables_keep_the_rules)
{
	const char *why = game_check(games[_i]);
	ck_assert_msg(!why, "%s: %s", games[_i]->name, why ? why : "");
}
END_TEST

/* Returns true if all words of a text are names of a game with these rules. */
static bool are_names_of(const char *words, const struct game *g)
{
	char word[GAME_NAME_MAX + 1];
	for (; words && *words; words += strcspn(words, " "), words += *words == ' ') {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
		const struct game *found = game_find(word, g->rules);
		if (!found || game_sized(found, g->board.rows, g->board.cols) != g)
			return false;
	}
	return true;
}

/* Blanks, hyphens and underscores in a name do not count. */
START_TEST(names_are_read_as_people_write_them)
{
	ck_assert_str_eq(game_find("Lines of Action", NULL)->name, "loa");
	ck_assert_str_eq(game_find("connect-four", NULL)->name, "connectfour");
	ck_assert_str_eq(game_find("tic_tac_toe", NULL)->name, "tictactoe");
	ck_assert_ptr_null(game_find("", NULL));
	ck_assert_ptr_null(game_find("- -", NULL));
	ck_assert_ptr_null(game_find("othello-othello-othello-othello", NULL));
}
END_TEST

/* Games with one name stand next to each other. Their rules or sizes differ, and no name leads to two games. */
START_TEST(names_are_unique)
{
	for (int i = 0; games[i]; i++)
		for (int j = 0; j < i; j++) {
			const struct game *a = games[i], *b = games[j];
			if (strcmp(a->name, b->name) == 0) {
				ck_assert(strcmp(a->rules, b->rules) != 0 ||
					  a->board.rows != b->board.rows ||
					  a->board.cols != b->board.cols);
				ck_assert_str_eq(games[i - 1]->name, a->name);
				continue;
			}
			ck_assert(are_names_of(a->name, a));
			ck_assert(are_names_of(a->title, a));
			ck_assert(are_names_of(a->alias, a));
		}
}
END_TEST

/* A game with capabilities that a test may change. */
struct changed {
	struct game game;
	struct words words;
	struct playouts playouts;
	struct threats threats;
	struct repetition repetition;
	struct swap swap;
	struct komi komi;
	struct eval eval;
	struct images images;
	struct tuning tuning;
	struct solver solver;
};

#define CHANGED_COPY(C, PART)                                                                      \
	do {                                                                                       \
		if ((C)->game.PART) {                                                              \
			(C)->PART = *(C)->game.PART;                                               \
			(C)->game.PART = &(C)->PART;                                               \
		}                                                                                  \
	} while (0)

static void changed_copy(struct changed *c, const struct game *g)
{
	c->game = *g;
	CHANGED_COPY(c, words);
	CHANGED_COPY(c, playouts);
	CHANGED_COPY(c, threats);
	CHANGED_COPY(c, repetition);
	CHANGED_COPY(c, swap);
	CHANGED_COPY(c, komi);
	CHANGED_COPY(c, eval);
	CHANGED_COPY(c, images);
	CHANGED_COPY(c, tuning);
	CHANGED_COPY(c, solver);
}

/* Expects that the rules refuse a copy of a game after a change of `c`, with this message. */
#define REFUSES(MESSAGE, GAME, CHANGE)                                                             \
	do {                                                                                       \
		struct changed c = { 0 };                                                          \
		changed_copy(&c, &(GAME));                                                         \
		CHANGE; /* NOLINT(bugprone-macro-parentheses) */                                   \
		ck_assert_pstr_eq(game_check(&c.game), MESSAGE);                                   \
	} while (0)

static bool some_dot(const struct game *g, int row, int col)
{
	return row == g->board.rows / 2 && col == g->board.cols / 2;
}

static const struct piece twins[] = { { 'a', BLACK, "first" },
				      { 'a', WHITE, "second" },
				      { '\0', 0, NULL } };

static const char *turned_middle(const struct game *g, move_t step, struct area *area)
{
	*area = (struct area) { 2, 2, 2, 2 };
	return "turned the middle";
}

static const struct game *const same_sizes[] = { &game_othello, &game_othello, NULL };

START_TEST(bad_sizes_are_refused)
{
	REFUSES("sizes with one longer side need numbers in board.size", game_othello,
		c.game.sizes = same_sizes);
}
END_TEST

START_TEST(bad_layouts_are_refused)
{
	const char *why;
	REFUSES(NULL, game_tictactoe, c.game.board.dot = some_dot);
	why = "the kind and the color of the board must be known";
	REFUSES(why, game_othello, c.game.board.kind = (enum board_kind)(BOARD_GRAPH + 1));
	REFUSES(why, game_othello, c.game.board.color = (enum board_color)(BOARD_BLUE + 1));

	REFUSES("a board of lines between dots needs odd numbers of rows and columns", game_dots,
		c.game.board.rows = 10);
	REFUSES("each piece needs a letter or digit of its own", game_dots,
		c.game.board.pieces = twins);

	why = "a graph needs links, and only a graph has them";
	REFUSES(why, game_morris, c.game.board.links = NULL);
	REFUSES(why, game_othello, c.game.board.links = game_morris.board.links);

	why = "a block must have rows and columns";
	REFUSES(why, game_othello, c.game.board.block_rows = 4);
	REFUSES(why, game_othello, c.game.board.block_cols = 4);
	REFUSES(why, game_othello, (c.game.board.block_rows = -4, c.game.board.block_cols = 4));

	why = "the blocks must fill the board";
	REFUSES(why, game_pentago, c.game.board.block_rows = 4);
	REFUSES(why, game_pentago, c.game.board.block_cols = 5);

	REFUSES("a board of holes has no dots", game_pentago, c.game.board.dot = some_dot);

	why = "each area needs two turns, with capital letters";
	REFUSES(why, game_pentago, c.game.board.turns = "STUVWXY");
	REFUSES(why, game_pentago, c.game.board.turns = "STUVWXY8");
	REFUSES(why, game_pentago, c.game.board.turns = "stuvwxyz");

	why = "turns need describe, and step codes after those of the squares";
	REFUSES(why, game_pentago, c.game.board.describe = NULL);
	REFUSES(why, game_pentago, c.game.board.turns = "STUVWXYZAB");
	REFUSES("a turned area must lie in a corner of the board", game_pentago,
		c.game.board.describe = turned_middle);
}
END_TEST

START_TEST(bad_names_and_guides_are_refused)
{
	const char *why;
	why = "the name must be a word in lower case";
	REFUSES(why, game_othello, c.game.name = NULL);
	REFUSES(why, game_othello, c.game.name = "");
	REFUSES(why, game_othello, c.game.name = "Othello");
	REFUSES(why, game_othello, c.game.name = "the game");
	REFUSES(why, game_othello, c.game.name = "3d");
	REFUSES(why, game_othello, c.game.name = "abcdefghijklmnopqrstuvwxy");

	why = "the title must be a word";
	REFUSES(why, game_othello, c.game.title = NULL);
	REFUSES(why, game_othello, c.game.title = "Oth;ello");

	why = "the alias must be words, separated by blanks";
	REFUSES(why, game_othello, c.game.alias = "");
	REFUSES(why, game_othello, c.game.alias = "one  two");
	REFUSES(why, game_othello, c.game.alias = "one two ");
	REFUSES(why, game_othello, c.game.alias = "one tw;o");

	why = "the name of the rules must be a word in lower case";
	REFUSES(why, game_othello, c.game.rules = NULL);
	REFUSES(why, game_othello, c.game.rules = "Standard");

	why = "the default search must be one of the searches";
	REFUSES(why, game_othello, c.tuning.search = NULL);
	REFUSES(why, game_othello, c.tuning.search = "minmax");

	why = "the guide must not be empty";
	REFUSES(why, game_othello, c.words.guide = NULL);
	REFUSES(why, game_othello, c.words.guide = "");

	why = "the guide must end with a line feed";
	REFUSES(why, game_othello, c.words.guide = "One line.\nno end");

	why = "a line of the guide must have at most 79 characters";
	REFUSES(why, game_othello,
		c.words.guide = "12345678901234567890123456789012345678901"
				"234567890123456789012345678901234567890\n");

	why = "the guide must be plain ASCII";
	REFUSES(why, game_othello, c.words.guide = "A\tB\n");
	REFUSES(why, game_othello, c.words.guide = "caf\xc3\xa9\n");
}
END_TEST

START_TEST(limits_are_checked)
{
	const char *why;
	why = "the board must have 1 to 20 rows and 1 to 20 columns";
	REFUSES(why, game_tictactoe, c.game.board.rows = 0);
	REFUSES(why, game_tictactoe, c.game.board.rows = GAME_SIDE_MAX + 1);
	REFUSES(why, game_tictactoe, c.game.board.cols = 0);
	REFUSES(why, game_tictactoe, c.game.board.cols = GAME_SIDE_MAX + 1);

	why = "there must be 1 to 16384 step codes";
	REFUSES(why, game_othello, c.game.steps.codes = 0);
	REFUSES(why, game_othello, c.game.steps.codes = GAME_CODES_MAX + 1);

	why = "a state must have 1 to 1024 steps, and no more than there are codes";
	REFUSES(why, game_othello, c.game.steps.choices = 0);
	REFUSES(why, game_othello, c.game.steps.choices = GAME_STEPS_MAX + 1);
	REFUSES(why, game_tictactoe, c.game.steps.choices = 10);

	why = "a game must have at most 511 steps, or 0 for any number";
	REFUSES(why, game_othello, c.game.steps.length = -1);
	REFUSES(why, game_othello, c.game.steps.length = GAME_LENGTH_MAX + 1);

	why = "the usual length of a game must not be negative";
	REFUSES(why, game_othello, c.tuning.usual_length = -1);

	why = "a game with moves of several steps must tell how many whole moves a position has at "
	      "most";
	REFUSES(why, game_othello, c.game.steps.per_move = 2);
	REFUSES(why, game_othello, c.game.steps.moves = 64);
	REFUSES(why, game_pentago, c.game.steps.moves = -1);
	REFUSES(why, game_pentago, c.game.steps.moves = GAME_MOVES_MAX + 1);

	why = "a move must have 1 to 24 steps";
	REFUSES(why, game_othello, c.game.steps.per_move = 0);
	REFUSES(why, game_othello, c.game.steps.per_move = MOVE_STEPS_MAX + 1);

	why = "the largest score must be 1 to 5000";
	REFUSES(why, game_tictactoe, c.game.score.most = 0);
	REFUSES(why, game_othello, c.game.solver = NULL; c.playouts.batch = NULL;
		c.game.score.most = GAME_SCORE_MAX + 1);

	why = "the score must have a unit exactly if it can be larger than 1";
	REFUSES(why, game_tictactoe, c.game.score.most = 2);
	REFUSES(why, game_tictactoe, c.game.score.unit = "points");

	why = "half points need a unit";
	REFUSES(why, game_tictactoe, c.game.score.half_points = true);

	why = "a row that ends the game must have at least 2 squares and fit on the board";
	REFUSES(why, game_tictactoe, c.game.score.in_a_row = 1);
	REFUSES(why, game_tictactoe, c.game.score.in_a_row = 4);

	why = "the pass must be a step code or MOVE_NONE";
	REFUSES(why, game_othello, c.game.steps.pass = 65);
	REFUSES(why, game_othello, c.game.steps.pass = MOVE_PASS);

	why = "may_pass needs a pass";
	REFUSES(why, game_tictactoe, c.game.steps.may_pass = true);

	why = "the swap must be a step code, in a game with moves of one step";
	REFUSES(why, game_hex, c.swap.step = 122);
	REFUSES(why, game_hex, c.game.steps.per_move = 2; c.game.steps.moves = 9);
}
END_TEST

/* Only its address is used. */
static void set_turn(const struct game *g, struct state *s, int side)
{
	s->side = (uint8_t)side;
}

START_TEST(parts_need_each_other)
{
	const char *why;
	why = "start, setup, moves and play are required";
	REFUSES(why, game_tictactoe, c.game.start = NULL);
	REFUSES(why, game_tictactoe, c.game.setup = NULL);
	REFUSES(why, game_tictactoe, c.game.moves = NULL);
	REFUSES(why, game_tictactoe, c.game.play = NULL);

	why = "parse, format, at and valid are required";
	REFUSES(why, game_tictactoe, c.game.parse = NULL);
	REFUSES(why, game_tictactoe, c.game.format = NULL);
	REFUSES(why, game_tictactoe, c.game.at = NULL);
	REFUSES(why, game_tictactoe, c.game.valid = NULL);

	why = "a solver needs estimate, work and result";
	REFUSES(why, game_othello, c.solver.estimate = NULL);
	REFUSES(why, game_othello, c.solver.work = NULL);
	REFUSES(why, game_othello, c.solver.result = NULL);

	why = "a solver cannot be quick with more empty squares than there are";
	REFUSES(why, game_othello, c.solver.quick = -1);
	REFUSES(why, game_othello, c.solver.quick = 65);

	why = "batched playouts need scores of at most 127";
	REFUSES(why, game_othello, c.game.score.most = 128);

	why = "threats need wins and safe";
	REFUSES(why, game_pentago, c.threats.wins = NULL);
	REFUSES(why, game_pentago, c.threats.safe = NULL);

	why = "threat-space search needs moves of one step, and positions that may repeat";
	REFUSES(why, game_gomoku, c.game.steps.per_move = 2; c.game.steps.moves = 9);
	REFUSES(why, game_gomoku, c.game.repetition = game_loa.repetition);

	REFUSES("an evaluation needs value", game_othello, c.eval.value = NULL);

	why = "deviation needs moves of one step";
	REFUSES(why, game_othello, c.game.steps.per_move = 2; c.game.steps.moves = 64);

	why = "patterns need stones, and at most 255 step codes";
	REFUSES(why, game_othello, c.images.stones = NULL; c.words.openings = NULL;
		c.game.book = NULL);
	REFUSES(why, game_othello, c.game.steps.codes = 256);

	why = "a book needs stones, and at most 255 step codes";
	REFUSES(why, game_othello, c.images.stones = NULL; c.words.openings = NULL;
		c.eval.patterns = NULL);
	REFUSES(why, game_othello, c.game.steps.codes = 256; c.eval.patterns = NULL);

	REFUSES("names of openings need stones", game_othello, c.images.stones = NULL);

	why = "stones needs a board of at most 64 squares";
	REFUSES(why, game_othello, c.game.board.cols = 9);

	REFUSES("patterns need all symmetries", game_othello, c.images.symmetries = 2);

	why = "symmetries or view, and mirror, must be given together";
	REFUSES(why, game_tictactoe, c.images.mirror = NULL);
	REFUSES(why, game_tictactoe, c.images.symmetries = 0);
	REFUSES(why, game_gomoku, c.images.mirror = NULL; c.images.symmetries = 0;
		c.images.view = 1);

	why = "symmetries are numbered 1 to 7";
	REFUSES(why, game_tictactoe, c.images.symmetries = 3);

	why = "only a square board can exchange rows and columns";
	REFUSES(why, game_tictactoe, c.game.board.cols = 4);

	why = "view must be a symmetry of the board";
	REFUSES(why, game_hex, c.images.view = 8);
	REFUSES(why, game_connectfour, c.images.view = 4);

	why = "set_turn needs may_pass, or a game without passes";
	REFUSES(why, game_othello, c.game.set_turn = set_turn);

	why = "a repetition that is illegal needs moves of one step, and may_pass";
	REFUSES(why, game_go, c.game.steps.per_move = 2; c.game.steps.moves = 1);
	REFUSES(why, game_go, c.game.set_turn = NULL; c.game.steps.may_pass = false);
	why = "repetition needs a key or a limit of at least 2";
	REFUSES(why, game_loa, c.repetition.limit = 1);
	REFUSES(why, game_loa, c.repetition.limit = -1);
	REFUSES(why, game_loa, c.repetition.limit = 0);

	why = "komi needs set, get and handicap";
	REFUSES(why, game_go, c.komi.set = NULL);
	REFUSES(why, game_go, c.komi.get = NULL);
	REFUSES(why, game_go, c.komi.handicap = NULL);

	why = "komi needs half points";
	REFUSES(why, game_go, c.game.score.half_points = false);

	why = "the book must be a file of tools/book";
	REFUSES(why, game_othello, c.game.book = "no book at all");
}
END_TEST

int main(void)
{
	int count = 0;
	while (games[count])
		count++;
	Suite *suite = suite_create("game");
	TCase *cases = tcase_create("game");
	tcase_add_loop_test(cases, tables_keep_the_rules, 0, count);
	tcase_add_test(cases, names_are_unique);
	tcase_add_test(cases, names_are_read_as_people_write_them);
	tcase_add_test(cases, bad_sizes_are_refused);
	tcase_add_test(cases, bad_layouts_are_refused);
	tcase_add_test(cases, bad_names_and_guides_are_refused);
	tcase_add_test(cases, limits_are_checked);
	tcase_add_test(cases, parts_need_each_other);
	tcase_add_loop_test(cases, stone_of_a_move, 0, count);
	tcase_add_test(cases, turned_stone);
	tcase_add_test(cases, looks);
	tcase_add_test(cases, results_in_words);
	tcase_add_test(cases, largest_drawing);
	tcase_add_test(cases, the_prover_of_a_game);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
