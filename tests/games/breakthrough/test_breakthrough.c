/* SPDX-License-Identifier: MIT
 *
 * Breakthrough and Knightthrough: known counts; every rule on all sizes against a plain, slow referee that shares no
 * code with the games; races against a search of all moves.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/eval.h"
#include "engine/rules/perft.h"
#include "engine/rules/threats.h"
#include "engine/search/engine.h"
#include "tests/games/move_texts.h"
#include "tests/suite.h"

#define SIDE_MAX 8
#define MOVES    64

/* --- the referee --- */

struct referee {
	char at[SIDE_MAX][SIDE_MAX]; /* 'X', 'O' or '.'; row 0 at the top */
	int size, side, winner;      /* winner -1: nobody yet */
	bool knight;
};

static void referee_start(struct referee *r, int size, bool knight)
{
	*r = (struct referee) { .size = size, .side = BLACK, .winner = -1, .knight = knight };
	for (int row = 0; row < size; row++)
		memset(r->at[row], row < 2 ? 'O' : row >= size - 2 ? 'X' : '.', (size_t)size);
}

static bool may_move(const struct referee *r, int row, int col, int to_row, int to_col)
{
	char own = r->side == BLACK ? 'X' : 'O';
	int ahead = r->side == BLACK ? row - to_row : to_row - row, aside = abs(to_col - col);
	if (r->at[row][col] != own || r->at[to_row][to_col] == own)
		return false;
	if (r->knight)
		return (ahead == 1 && aside == 2) || (ahead == 2 && aside == 1);
	return ahead == 1 && (aside == 1 || (aside == 0 && r->at[to_row][to_col] == '.'));
}

static void referee_play(struct referee *r, int row, int col, int to_row, int to_col)
{
	char own = r->at[row][col], other = own == 'X' ? 'O' : 'X';
	bool has_enemy = false;
	r->at[row][col] = '.';
	r->at[to_row][to_col] = own;
	for (int i = 0; i < r->size; i++)
		has_enemy |= memchr(r->at[i], other, (size_t)r->size) != NULL;
	if (!has_enemy || to_row == (r->side == BLACK ? 0 : r->size - 1))
		r->winner = r->side;
	r->side ^= 1;
}

/* Lists the moves as text of a board with row 1 at the bottom. */
static int referee_moves(const struct referee *r, char moves[MOVES][MOVE_TEXT_MAX])
{
	int count = 0, n = r->size;
	for (int i = 0; i < n * n * n * n && r->winner < 0; i++) {
		int row = i / (n * n * n), col = i / (n * n) % n, to_row = i / n % n,
		    to_col = i % n;
		if (may_move(r, row, col, to_row, to_col))
			snprintf(moves[count++], MOVE_TEXT_MAX, "%c%d%c%d", 'A' + col,
				 (n - row) % 10, 'A' + to_col, (n - to_row) % 10);
	}
	return count;
}

static void referee_take(struct referee *r, const char *text)
{
	referee_play(r, r->size - (text[1] - '0'), text[0] - 'A', r->size - (text[3] - '0'),
		     text[2] - 'A');
}

static uint64_t referee_perft(const struct referee *r, int depth)
{
	char moves[MOVES][MOVE_TEXT_MAX];
	uint64_t sum = 0;
	int count = referee_moves(r, moves);
	for (int i = 0; i < count && depth > 1; i++) {
		struct referee next = *r;
		referee_take(&next, moves[i]);
		sum += referee_perft(&next, depth - 1);
	}
	return depth > 1 ? sum : (uint64_t)count;
}

static bool agrees(const struct game *g, const struct referee *r, const struct state *s)
{
	int score = r->winner < 0 ? 0 : side_sign(r->winner);
	bool same = s->side == r->side && s->over == (r->winner >= 0) && s->score == score;
	for (int row = 0; row < r->size; row++)
		for (int col = 0; col < r->size; col++)
			same &= g->at(g, s, row, col) == r->at[row][col];
	return same && g->valid(g, s);
}

/* Returns true if the game lists the same moves. */
static bool lists_moves(const struct game *g, const struct referee *r, const struct state *s)
{
	char expected[MOVES][MOVE_TEXT_MAX], found[MOVES][MOVE_TEXT_MAX];
	struct move moves[GAME_MOVES_MAX];
	int count = referee_moves(r, expected), n = game_moves(g, s, moves);
	for (int i = 0; i < n && n == count; i++)
		game_format(g, s, moves[i], found[i]);
	return n == count && move_texts_agree(expected, count, found, n);
}

/* --- rules --- */

static const struct game *const kinds[] = { &game_breakthrough, &game_knightthrough };

START_TEST(random_games)
{
	const struct game *g = game_sized(kinds[_i / 4], 5 + _i % 4, 5 + _i % 4);
	int won[2] = { 0 }, times = suite_times(100);
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < times; i++) {
		struct referee r;
		struct state s;
		referee_start(&r, g->board.rows, _i / 4);
		g->start(g, &s);
		bool same = agrees(g, &r, &s);
		while (!s.over && same) {
			move_t steps[GAME_STEPS_MAX];
			char text[MOVE_TEXT_MAX];
			same = lists_moves(g, &r, &s);
			move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
			game_format(g, &s, move_single(step), text);
			g->play(g, &s, step);
			referee_take(&r, text);
			same &= agrees(g, &r, &s);
		}
		ck_assert(same);
		won[s.score < 0]++;
	}
	ck_assert_int_gt(won[BLACK], times / 4);
	ck_assert_int_gt(won[WHITE], times / 4);
}
END_TEST

START_TEST(counts)
{
	static const uint64_t large[] = { 22, 484, 11132, 256036 };
	static const uint64_t small[] = { 13, 156, 1924, 23084, 289828, 3538840 };
	static const uint64_t knights[] = { 40, 1600, 63520, 2521306 };
	struct state s;
	for (int size = 5; size <= 8; size++)
		for (int knight = 0; knight < 2; knight++) {
			const struct game *g = game_sized(kinds[knight], size, size);
			struct referee r;
			referee_start(&r, size, knight);
			g->start(g, &s);
			ck_assert_uint_eq(perft_leaves(g, &s, 3), referee_perft(&r, 3));
		}
	game_breakthrough.start(&game_breakthrough, &s);
	for (int depth = 1; depth <= 4; depth++)
		ck_assert_uint_eq(perft_leaves(&game_breakthrough, &s, depth), large[depth - 1]);
	game_knightthrough.start(&game_knightthrough, &s);
	for (int depth = 1; depth <= 4; depth++)
		ck_assert_uint_eq(perft_leaves(&game_knightthrough, &s, depth), knights[depth - 1]);
	const struct game *g = game_sized(&game_breakthrough, 5, 5);
	g->start(g, &s);
	for (int depth = 1; depth <= 6; depth++)
		ck_assert_uint_eq(perft_leaves(g, &s, depth), small[depth - 1]);
}
END_TEST

/* --- set-ups and text --- */

static const char *refusal(int size, const char *board, const char *side)
{
	struct state s;
	return game_setup(game_sized(&game_breakthrough, size, size), &s, board, side);
}

START_TEST(setups)
{
	const struct game *g = game_sized(&game_breakthrough, 5, 5);
	struct state s;
	ck_assert_str_eq(refusal(5, ".........................", "X"), "there are no pieces");
	ck_assert_str_eq(refusal(5, "..X...............O......", "X"),
			 "the side to move has won already");
	ck_assert_str_eq(refusal(5, "......................O..", "O"),
			 "the side to move has won already");
	ck_assert_str_eq(refusal(5, ".................X.......", "X"),
			 "the side to move has won already");
	ck_assert_str_eq(refusal(5, "OOOOOOOOOOO..........X...", "X"),
			 "a side has more pieces than at the start");
	/* The other side may have won by its last move. */
	ck_assert_ptr_null(game_setup(g, &s, "..X...............O......", "O"));
	ck_assert(s.over && s.score == 1);
	ck_assert_ptr_null(game_setup(g, &s, ".................X.......", "O"));
	ck_assert(s.over && s.score == 1);
	ck_assert_ptr_null(game_setup(g, &s, "...........O.....X.......", "O"));
	ck_assert(!s.over && s.score == 0);
}
END_TEST

static enum move_check read_move(const struct game *g, const struct state *s, const char *text)
{
	struct move m;
	return game_parse(g, s, text, &m);
}

START_TEST(text)
{
	static const char *const bad[] = { "a2", "a2b", "a2b9", "a2b3c4", "a2--b3", "a2b3**", "" };
	const struct game *g = &game_breakthrough, *o = &game_breakthrough_openspiel;
	struct state s;
	g->start(g, &s);
	ck_assert_int_eq(read_move(g, &s, "a2b3"), MOVE_OK);
	ck_assert_int_eq(read_move(g, &s, "A2-B3"), MOVE_OK);
	ck_assert_int_eq(read_move(g, &s, "a2:b3"), MOVE_OK);
	ck_assert_int_eq(read_move(g, &s, "a2xb3*"), MOVE_OK);
	ck_assert_int_eq(read_move(g, &s, "a7b6"), MOVE_ILLEGAL);
	ck_assert_int_eq(read_move(g, &s, "a1b2"), MOVE_ILLEGAL);
	ck_assert_int_eq(read_move(g, &s, "a3b4"), MOVE_ILLEGAL);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(read_move(g, &s, bad[i]) == MOVE_MALFORMED, "%s", bad[i]);
	/* OpenSpiel counts rows from the side where its first player starts, and marks captures. */
	char name[MOVE_TEXT_MAX];
	struct move m;
	ck_assert_ptr_null(game_setup(
		o, &s, "OOOOOOOOOOOOOO.O.......O....X...........XXXX.XXXXXXXXXXX........", "O"));
	ck_assert_int_eq(game_parse(o, &s, "h3g4", &m), MOVE_OK);
	game_play(o, &s, m);
	ck_assert_int_eq(game_parse(o, &s, "e4e3", &m), MOVE_OK);
	game_play(o, &s, m);
	ck_assert_int_eq(game_parse(o, &s, "f2e3", &m), MOVE_OK);
	game_format(o, &s, m, name);
	ck_assert_str_eq(name, "F2E3*");
}
END_TEST

/* --- knowledge --- */

/* The result of perfect play by a search of all moves. */
static int brute_force(const struct game *g, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	if (s->over)
		return s->score;
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		if (brute_force(g, &next) == side_sign(s->side))
			return side_sign(s->side);
	}
	return -side_sign(s->side);
}

/* Sets up a few random pieces. */
static bool random_position(const struct game *g, struct rng *rng, int pieces, struct state *s)
{
	char board[SIDE_MAX * SIDE_MAX + 1];
	size_t squares = (size_t)(g->board.rows * g->board.cols);
	memset(board, '.', squares);
	board[squares] = '\0';
	for (int i = 0; i < pieces; i++)
		board[rng_below(rng, (uint32_t)squares)] = i % 2 ? 'O' : 'X';
	return !g->setup(g, s, board, (int)rng_below(rng, 2)) && !s->over;
}

START_TEST(decisions_are_true)
{
	const struct game *g = game_sized(kinds[_i / 4], 5 + _i % 4, 5 + _i % 4);
	int known[3] = { 0 }, tries = suite_times(6000);
	struct rng rng;
	rng_seed(&rng, 7);
	for (int i = 0; i < tries; i++) {
		struct state s;
		if (!random_position(g, &rng, 2 + i % (g->board.rows > 6 ? 3 : 4), &s))
			continue;
		int decided = g->threats->decided(g, &s);
		if (decided)
			ck_assert_int_eq(decided, brute_force(g, &s));
		known[decided * side_sign(s.side) + 1]++;
	}
	ck_assert_int_gt(known[2], tries / 50);
	ck_assert_int_gt(known[1], tries / 50);
	/* Of knights, only wins of the side to move are known. */
	ck_assert(_i / 4 ? known[0] == 0 : known[0] > tries / 200);
}
END_TEST

/* The evaluation of a position with the sides exchanged is the opposite one. */
START_TEST(evaluation_is_fair)
{
	const struct game *g = kinds[_i];
	struct rng rng;
	rng_seed(&rng, 8);
	for (int i = 0; i < 300; i++) {
		char board[POSITION_TEXT_MAX], turned[SIDE_MAX * SIDE_MAX + 1] = "";
		struct state s, t;
		if (!random_position(g, &rng, 30, &s))
			continue;
		game_position(g, &s, board);
		for (int k = 0; k < 64; k++) {
			char c = board[(7 - k / 8) * 8 + k % 8];
			turned[k] = c == 'X' ? 'O' : c == 'O' ? 'X' : '.';
		}
		ck_assert_ptr_null(g->setup(g, &t, turned, s.side ^ 1));
		ck_assert_int_eq(g->eval->value(g, &s), -g->eval->value(g, &t));
		ck_assert_int_lt(abs(g->eval->value(g, &s)), 100);
		ck_assert_int_eq(g->threats->decided(g, &s), -g->threats->decided(g, &t));
	}
}
END_TEST

/* --- the value of 5x5 --- */

/* The second player wins. The search takes about a minute. */
START_TEST(second_player_wins)
{
	static struct report report;
	struct record record;
	char why[REASON_MAX];
	struct engine *e = engine_create_fixed("dfpn", INT64_MAX);
	record_init(&record, game_sized(&game_breakthrough, 5, 5));
	options_set(engine_options(e), "memory", "512");
	struct limits limits = engine_limits(e, record.game, TIME_NEVER);
	ck_assert(engine_search(e, &record, &limits, &report, why));
	ck_assert_int_eq(report.lower, -1);
	ck_assert_int_eq(report.upper, -1);
	record_free(&record);
	engine_destroy(e);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("breakthrough");
	TCase *cases = tcase_create("breakthrough");
	TCase *native = suite_native_case(suite);
	tcase_add_loop_test(native, random_games, 0, 8);
	tcase_add_test(native, counts);
	tcase_add_test(cases, setups);
	tcase_add_test(cases, text);
	tcase_add_loop_test(native, decisions_are_true, 0, 8);
	tcase_add_loop_test(cases, evaluation_is_fair, 0, 2);
	if (suite_is_long())
		tcase_add_test(native, second_player_wins);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
