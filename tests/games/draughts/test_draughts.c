/* SPDX-License-Identifier: MIT
 *
 * English draughts: known counts; every rule against a plain, slow referee that shares no code with the game; both draws;
 * players' notation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/rules/perft.h"
#include "engine/rules/record.h"
#include "tests/games/move_texts.h"
#include "tests/suite.h"

#define SIDE      8
#define SQUARES   32
#define MOVES     128
#define QUIET_MAX 80

static const struct game *const g = &game_draughts;

/* Sets up a position of the 32 squares of play, row by row from the top left. Returns NULL or the reason of a refusal. */
static const char *set_up(struct state *s, const char *squares, int side)
{
	char board[SIDE * SIDE + 1];
	memset(board, ':', SIDE * SIDE);
	board[SIDE * SIDE] = '\0';
	for (int i = 0; i < SQUARES; i++)
		board[2 * i + (i / 4 % 2 == 0)] = squares[i];
	return game_setup(g, s, board, side == BLACK ? "X" : "O");
}

/* --- the referee --- */

struct referee {
	char at[SIDE][SIDE]; /* row 0 at the top */
	int side, score, quiet;
	bool over;
};

struct text_list {
	char text[MOVES][MOVE_TEXT_MAX];
	int count;
};

static bool is_inside(int row, int col)
{
	return row >= 0 && row < SIDE && col >= 0 && col < SIDE;
}

static bool belongs_to(char piece, int side)
{
	return piece != '.' && strchr(side == BLACK ? "xX" : "oO", piece);
}

/* Appends the jumps that continue a move whose text so far is `text`, or the text if there are none. Returns true if there
 * was one. */
static bool add_jumps(struct referee r, int row, int col, const char *text, struct text_list *list)
{
	char piece = r.at[row][col];
	bool found = false;
	for (int i = 0; i < 4; i++) {
		int down = i / 2 ? 1 : -1, right = i % 2 ? 1 : -1;
		int to_row = row + 2 * down, to_col = col + 2 * right;
		if ((piece == 'x' && down < 0) || (piece == 'o' && down > 0) ||
		    !is_inside(to_row, to_col) || r.at[to_row][to_col] != '.' ||
		    !belongs_to(r.at[row + down][col + right], r.side ^ 1))
			continue;
		struct referee next = r;
		char longer[MOVE_TEXT_MAX + 8];
		snprintf(longer, sizeof longer, "%s%c%d", text, 'A' + to_col, SIDE - to_row);
		next.at[row][col] = next.at[row + down][col + right] = '.';
		next.at[to_row][to_col] = piece;
		bool crowned = (piece == 'x' && to_row == SIDE - 1) ||
			       (piece == 'o' && to_row == 0);
		if (crowned || !add_jumps(next, to_row, to_col, longer, list))
			snprintf(list->text[list->count++], MOVE_TEXT_MAX, "%.60s", longer);
		found = true;
	}
	return found;
}

static void add_slides(const struct referee *r, int row, int col, struct text_list *list)
{
	char piece = r->at[row][col];
	for (int i = 0; i < 4; i++) {
		int to_row = row + (i / 2 ? 1 : -1), to_col = col + (i % 2 ? 1 : -1);
		if ((piece == 'x' && to_row < row) || (piece == 'o' && to_row > row) ||
		    !is_inside(to_row, to_col) || r->at[to_row][to_col] != '.')
			continue;
		snprintf(list->text[list->count++], MOVE_TEXT_MAX, "%c%d%c%d", 'A' + col,
			 SIDE - row, 'A' + to_col, (SIDE - to_row) % 10);
	}
}

static void referee_moves(const struct referee *r, struct text_list *list)
{
	char text[MOVE_TEXT_MAX];
	list->count = 0;
	for (int pass = 0; pass < 2 && !list->count; pass++)
		for (int i = 0; i < SIDE * SIDE; i++) {
			if (!belongs_to(r->at[i / SIDE][i % SIDE], r->side))
				continue;
			snprintf(text, sizeof text, "%c%d", 'A' + i % SIDE, SIDE - i / SIDE);
			if (pass)
				add_slides(r, i / SIDE, i % SIDE, list);
			else
				add_jumps(*r, i / SIDE, i % SIDE, text, list);
		}
}

static void referee_judge(struct referee *r)
{
	struct text_list list;
	referee_moves(r, &list);
	r->score = list.count ? 0 : -side_sign(r->side);
	r->over = !list.count || r->quiet == QUIET_MAX;
}

static void referee_read(struct referee *r, const struct state *s)
{
	memset(r, 0, sizeof *r);
	for (int i = 0; i < SIDE * SIDE; i++) {
		char at = g->at(g, s, i / SIDE, i % SIDE);
		r->at[i / SIDE][i % SIDE] = at == ':' ? '.' : at;
	}
	r->side = s->side;
	referee_judge(r);
}

static void referee_play(struct referee *r, const char *text)
{
	int row = SIDE - (text[1] - '0'), col = text[0] - 'A';
	char piece = r->at[row][col];
	r->quiet = piece == 'x' || piece == 'o' ? 0 : r->quiet + 1;
	for (text += 2; *text; text += 2) {
		int to_row = SIDE - (text[1] - '0'), to_col = text[0] - 'A';
		r->at[row][col] = '.';
		if (abs(to_row - row) == 2) {
			r->at[(row + to_row) / 2][(col + to_col) / 2] = '.';
			r->quiet = 0;
		}
		row = to_row;
		col = to_col;
		r->at[row][col] = piece;
	}
	if (piece == 'x' && row == SIDE - 1)
		r->at[row][col] = 'X';
	if (piece == 'o' && row == 0)
		r->at[row][col] = 'O';
	r->side ^= 1;
	referee_judge(r);
}

static bool agrees(const struct referee *r, const struct state *s)
{
	bool same = s->side == r->side && s->over == r->over && s->score == r->score &&
		    g->valid(g, s) && !s->pending;
	for (int i = 0; i < SIDE * SIDE; i++)
		same &= g->at(g, s, i / SIDE, i % SIDE) ==
			((i / SIDE + i % SIDE) % 2 ? r->at[i / SIDE][i % SIDE] : ':');
	return same;
}

/* Compares the moves, their texts and the positions after them. */
static bool has_same_moves(const struct referee *r, const struct state *s)
{
	static struct text_list expected, found;
	struct move moves[GAME_MOVES_MAX];
	int n = game_moves(g, s, moves);
	referee_moves(r, &expected);
	bool same = n == expected.count;
	for (int i = 0; i < n && same; i++) {
		struct referee then = *r;
		struct state next = *s;
		game_format(g, s, moves[i], found.text[i]);
		referee_play(&then, found.text[i]);
		game_play(g, &next, moves[i]);
		same = agrees(&then, &next);
	}
	return same && move_texts_agree(expected.text, expected.count, found.text, n);
}

/* --- rules --- */

START_TEST(counts)
{
	static const uint64_t known[] = { 7, 49, 302, 1469, 7361, 36768, 179740, 845931 };
	struct state s;
	g->start(g, &s);
	for (int depth = 1; depth <= 8; depth++)
		ck_assert_uint_eq(perft_leaves(g, &s, depth), known[depth - 1]);
}
END_TEST

START_TEST(random_games)
{
	int ends[3] = { 0 };
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < suite_times(800); i++) {
		struct referee r;
		struct state s;
		struct move moves[GAME_MOVES_MAX];
		char text[MOVE_TEXT_MAX];
		g->start(g, &s);
		referee_read(&r, &s);
		bool same = agrees(&r, &s);
		while (!s.over && same) {
			same = has_same_moves(&r, &s);
			struct move m = moves[rng_below(&rng, (uint32_t)game_moves(g, &s, moves))];
			game_format(g, &s, m, text);
			game_play(g, &s, m);
			referee_play(&r, text);
			same &= agrees(&r, &s);
		}
		ck_assert(same);
		ends[s.score + 1]++;
	}
	for (int i = 0; i < 3; i++)
		ck_assert_int_gt(ends[i], 3);
}
END_TEST

/* Random pieces, so that kings have many and long captures. */
START_TEST(random_positions)
{
	int longest = 0, most = 0;
	struct rng rng;
	rng_seed(&rng, 2);
	for (int i = 0; i < suite_times(20000); i++) {
		char squares[SQUARES + 1];
		struct referee r;
		struct state s;
		struct move moves[GAME_MOVES_MAX];
		memset(squares, '.', SQUARES);
		for (int k = 2 + (int)rng_below(&rng, 14); k; k--)
			squares[rng_below(&rng, SQUARES)] =
				"xXooOO"[rng_below(&rng, i % 3 ? 6 : 4)];
		if (set_up(&s, squares, BLACK) || s.over)
			continue;
		referee_read(&r, &s);
		ck_assert(has_same_moves(&r, &s));
		int n = game_moves(g, &s, moves);
		most = n > most ? n : most;
		for (int k = 0; k < n; k++)
			longest = move_steps(moves[k]) > longest ? move_steps(moves[k]) : longest;
	}
	ck_assert_int_ge(longest, 5);
	ck_assert_int_ge(most, 20);
}
END_TEST

/* The most moves of a position. A king's jumps lead from node to node of a grid of 4x4, over the cells between them. Two such
 * grids fill the board. */

/* The captures of a king on a node: how often it can stop if it must go on while it can. */
static int count_captures(unsigned taken, unsigned cells, int node)
{
	int count = 0;
	for (int i = 0; i < 4; i++) {
		int row = node / 4 + (i / 2 ? 1 : -1), col = node % 4 + (i % 2 ? 1 : -1);
		int cell = 3 * ((row + node / 4) / 2) + (col + node % 4) / 2;
		if (row < 0 || row > 3 || col < 0 || col > 3 || !(cells >> cell & 1) ||
		    taken >> (4 * row + col) & 1)
			continue;
		int further = count_captures(taken, cells & ~(1u << cell), 4 * row + col);
		count += further ? further : 1;
	}
	return count;
}

START_TEST(most_moves)
{
	int most[13] = { 0 }, all = 12 * 4;
	for (unsigned i = 0; i < 512u << 16; i++) {
		unsigned kings = i & 0xffff, cells = i >> 16;
		int count = __builtin_popcount(kings), captures = 0;
		for (int node = 0; node < 16 && count <= 12; node++)
			if (kings >> node & 1)
				captures += count_captures(kings & ~(1u << node), cells, node);
		if (count <= 12 && captures > most[count])
			most[count] = captures;
	}
	for (int i = 0; i < 13 * 13; i++)
		if (i / 13 + i % 13 <= 12 && most[i / 13] + most[i % 13] > all)
			all = most[i / 13] + most[i % 13];
	ck_assert_int_eq(all, g->steps.moves);
}
END_TEST

static const struct {
	const char *squares, *why;
} refused[] = {
	{ "xxxxxxxxxxxx....x...oooooooooooo", "a side has more pieces than at the start" },
	{ "............................x...", "a man on the far row is a king" },
	{ "...o.......................X....", "a man on the far row is a king" },
	{ "...X............................", "the side to move has won already" },
	{ "................................", "the side to move has won already" },
	{ "...X...q.....................O..", "a square is the letter of a piece, or '.'" },
};

START_TEST(bad_positions_are_refused)
{
	struct state s;
	ck_assert_pstr_eq(set_up(&s, refused[_i].squares, BLACK), refused[_i].why);
}
END_TEST

/* A side without pieces to move has lost. A man stops where it becomes a king, also in front of a capture. */
START_TEST(ends_and_crowns)
{
	struct state s;
	struct move m;
	ck_assert_ptr_null(set_up(&s, "............................O...", BLACK));
	ck_assert(s.over && s.score == -1);
	ck_assert_ptr_null(set_up(&s, ".....................x...oo.....", BLACK));
	ck_assert_int_eq(game_moves(g, &s, NULL), 1);
	ck_assert_int_eq(game_parse(g, &s, "c3e1", &m), MOVE_OK);
	game_play(g, &s, m);
	ck_assert(g->at(g, &s, 7, 4) == 'X' && s.side == WHITE && !s.over);
}
END_TEST

/* --- notation --- */

static enum move_check reread(const struct state *s, const char *text, char written[MOVE_TEXT_MAX])
{
	struct move m;
	enum move_check check = game_parse(g, s, text, &m);
	if (check == MOVE_OK)
		game_format(g, s, m, written);
	return check;
}

static const struct {
	const char *squares, *text, *written; /* NULL: illegal; "": malformed */
} notations[] = {
	{ "xxxxxxxxxxxx........oooooooooooo", "11-15", "F6E5" },
	{ "xxxxxxxxxxxx........oooooooooooo", "f6-e5", "F6E5" },
	{ "xxxxxxxxxxxx........oooooooooooo", "11-18", NULL },
	{ "xxxxxxxxxxxx........oooooooooooo", "1115", "" },
	{ "xxxxxxxxxxxx........oooooooooooo", "11", "" },
	{ "xxxxxxxxxxxx........oooooooooooo", "33-29", "" },
	{ "xxxxxxxxxxxx........oooooooooooo", "11-0", "" },
	{ "xxxxxxxxxxxx........oooooooooooo", "f6f5", "" },
	{ "xxxxxxxxxxxx........oooooooooooo", "11-15-", "" },
	/* Two ways round: the short form does not tell which. */
	{ ".x...oo......oo.................", "2x9x18", "D8B6D4" },
	{ ".x...oo......oo.................", "d8f6d4", "D8F6D4" },
	{ ".x...oo......oo.................", "2x18", NULL },
	{ ".x...oo......o..................", "2x18", "D8B6D4" },
	{ ".x...oo......o..................", "D8D4", "D8B6D4" },
	{ ".x...oo......o..................", "2x9", NULL },
	{ ".x...oo......o..................", "2x11", "D8F6" },
};

START_TEST(notation)
{
	struct state s;
	char written[MOVE_TEXT_MAX] = "";
	const char *wanted = notations[_i].written;
	ck_assert_ptr_null(set_up(&s, notations[_i].squares, BLACK));
	enum move_check check = reread(&s, notations[_i].text, written);
	ck_assert_int_eq(check, !wanted ? MOVE_ILLEGAL : *wanted ? MOVE_OK : MOVE_MALFORMED);
	ck_assert_str_eq(written, wanted ? wanted : "");
}
END_TEST

/* Two captures begin and end on the same squares, and a king comes back to where it began. */
START_TEST(captures_with_the_same_ends)
{
	struct state s;
	char written[MOVE_TEXT_MAX];
	ck_assert_ptr_null(set_up(&s, ".X...oo......oo.................", BLACK));
	ck_assert_int_eq(game_moves(g, &s, NULL), 2);
	ck_assert_int_eq(reread(&s, "d8b6d4f6d8", written), MOVE_OK);
	ck_assert_str_eq(written, "D8B6D4F6D8");
}
END_TEST

/* --- draws --- */

/* Kings walk about; the state does not know that positions repeat. A man that moves begins the count anew. */
static const char walkers[] = "...X.....x..................O...";
static const char *const walk[] = { "h8g7", "a1b2", "g7h8", "b2a1" };

START_TEST(forty_moves)
{
	struct state s;
	ck_assert_ptr_null(set_up(&s, walkers, BLACK));
	for (int i = 0; i < QUIET_MAX; i++) {
		struct move m;
		ck_assert(!s.over);
		ck_assert_int_eq(game_parse(g, &s, _i && i == 78 ? "d6e5" : walk[i % 4], &m),
				 MOVE_OK);
		game_play(g, &s, m);
	}
	ck_assert(s.over == !_i && s.score == 0 && g->valid(g, &s));
}
END_TEST

/* The record compares positions without the counter. */
START_TEST(third_time)
{
	struct record r;
	struct state s;
	record_init(&r, g);
	ck_assert_ptr_null(set_up(&s, walkers, BLACK));
	record_setup(&r, &s);
	int count = 0;
	for (; !r.now.over; count++)
		ck_assert_int_eq(record_play_text(&r, r.now.side, walk[count % 4]), MOVE_OK);
	ck_assert_int_eq(count, 8);
	ck_assert_int_eq(r.now.score, 0);
	ck_assert(record_undo(&r) && !r.now.over);
	record_free(&r);
}
END_TEST

/* The evaluation of a position turned round, with the sides exchanged, is the opposite one. */
START_TEST(evaluation_is_fair)
{
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 300; i++) {
		struct state s, turned;
		g->start(g, &s);
		while (!s.over) {
			struct move moves[GAME_MOVES_MAX];
			char squares[SQUARES + 1] = "";
			for (int k = 0; k < SQUARES; k++) {
				int at = 2 * k + (k / 4 % 2 == 0);
				char piece = g->at(g, &s, at / SIDE, at % SIDE);
				squares[SQUARES - 1 - k] =
					piece == '.' ? '.' : "oxOX"[strchr("xoXO", piece) - "xoXO"];
			}
			ck_assert_ptr_null(set_up(&turned, squares, s.side ^ 1));
			ck_assert_int_eq(g->eval->value(g, &s), -g->eval->value(g, &turned));
			ck_assert_int_lt(abs(g->eval->value(g, &s)), 100);
			int n = game_moves(g, &s, moves);
			game_play(g, &s, moves[rng_below(&rng, (uint32_t)n)]);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("draughts");
	TCase *cases = tcase_create("draughts");
	TCase *native = suite_native_case(suite);
	tcase_add_test(native, counts);
	tcase_add_test(native, random_games);
	tcase_add_test(native, random_positions);
	tcase_add_test(native, most_moves);
	tcase_add_loop_test(cases, bad_positions_are_refused, 0,
			    (int)(sizeof refused / sizeof *refused));
	tcase_add_test(cases, ends_and_crowns);
	tcase_add_loop_test(cases, notation, 0, (int)(sizeof notations / sizeof *notations));
	tcase_add_test(cases, captures_with_the_same_ends);
	tcase_add_loop_test(cases, forty_moves, 0, 2);
	tcase_add_test(cases, third_time);
	tcase_add_test(cases, evaluation_is_fair);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
