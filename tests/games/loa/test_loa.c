/* SPDX-License-Identifier: MIT
 *
 * Lines of Action: known counts; every rule, with the draw by repetition, against a plain, slow referee that shares no
 * code with the game; records with repetitions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/rules/network.h"
#include "engine/rules/perft.h"
#include "engine/rules/record.h"
#include "engine/rules/threats.h"
#include "tests/games/move_texts.h"
#include "tests/suite.h"

#define SIDE  8
#define MOVES 128

static const struct game *const g = &game_loa;

/* --- the referee --- */

struct referee {
	char at[SIDE][SIDE]; /* 'X', 'O' or '.'; row 0 at the top */
	int side, score;
	bool over;
};

static void referee_start(struct referee *r)
{
	memset(r, 0, sizeof *r);
	memset(r->at, '.', sizeof r->at);
	for (int i = 1; i < SIDE - 1; i++) {
		r->at[0][i] = r->at[SIDE - 1][i] = 'X';
		r->at[i][0] = r->at[i][SIDE - 1] = 'O';
	}
}

static bool is_inside(int row, int col)
{
	return row >= 0 && row < SIDE && col >= 0 && col < SIDE;
}

/* Counts the pieces from a square to the edge, without the square itself. */
static int count_ray(const struct referee *r, int row, int col, int down, int right)
{
	int count = 0;
	for (row += down, col += right; is_inside(row, col); row += down, col += right)
		count += r->at[row][col] != '.';
	return count;
}

/* Follows a piece in a direction. Returns false if it cannot move. */
static bool follow(const struct referee *r, int row, int col, int down, int right, int *to_row,
		   int *to_col)
{
	char own = r->side == BLACK ? 'X' : 'O';
	int steps = 1 + count_ray(r, row, col, down, right) + count_ray(r, row, col, -down, -right);
	for (int i = 1; i <= steps; i++) {
		int next_row = row + i * down, next_col = col + i * right;
		if (!is_inside(next_row, next_col))
			return false;
		char at = r->at[next_row][next_col];
		if (i < steps ? at != '.' && at != own : at == own)
			return false;
	}
	*to_row = row + steps * down;
	*to_col = col + steps * right;
	return true;
}

static int referee_moves(const struct referee *r, char moves[MOVES][MOVE_TEXT_MAX])
{
	int count = 0, to_row, to_col;
	for (int i = 0; i < SIDE * SIDE * 9 && !r->over; i++) {
		int row = i / 9 / SIDE, col = i / 9 % SIDE, down = i % 9 / 3 - 1, right = i % 3 - 1;
		if (r->at[row][col] != (r->side == BLACK ? 'X' : 'O') || (!down && !right) ||
		    !follow(r, row, col, down, right, &to_row, &to_col))
			continue;
		snprintf(moves[count++], MOVE_TEXT_MAX, "%c%d%c%d", 'A' + col, (SIDE - row) % 10,
			 'A' + to_col, (SIDE - to_row) % 10);
	}
	if (!count && !r->over)
		strcpy(moves[count++], "PASS");
	return count;
}

/* Takes a piece and all that are connected with it from the board. */
static void lift(struct referee *r, int row, int col, char own)
{
	if (!is_inside(row, col) || r->at[row][col] != own)
		return;
	r->at[row][col] = '.';
	for (int i = 0; i < 9; i++)
		lift(r, row + i / 3 - 1, col + i % 3 - 1, own);
}

static bool is_connected(const struct referee *r, char own)
{
	struct referee left = *r;
	bool lifted = false;
	for (int i = 0; i < SIDE * SIDE; i++)
		if (left.at[i / SIDE][i % SIDE] == own) {
			if (lifted)
				return false;
			lift(&left, i / SIDE, i % SIDE, own);
			lifted = true;
		}
	return true;
}

static void referee_play(struct referee *r, const char *text)
{
	char own = r->side == BLACK ? 'X' : 'O';
	if (strcmp(text, "PASS") != 0) {
		r->at[SIDE - (text[1] - '0')][text[0] - 'A'] = '.';
		r->at[SIDE - (text[3] - '0')][text[2] - 'A'] = own;
		if (is_connected(r, own))
			r->score = side_sign(r->side);
		else if (is_connected(r, own ^ 'X' ^ 'O'))
			r->score = -side_sign(r->side);
		r->over = r->score != 0;
	}
	r->side ^= 1;
}

static bool agrees(const struct referee *r, const struct state *s)
{
	bool same = s->side == r->side && s->over == r->over && s->score == r->score &&
		    g->valid(g, s);
	for (int i = 0; i < SIDE * SIDE; i++)
		same &= g->at(g, s, i / SIDE, i % SIDE) == r->at[i / SIDE][i % SIDE];
	return same;
}

static bool lists_moves(const struct referee *r, const struct state *s)
{
	char expected[MOVES][MOVE_TEXT_MAX], found[MOVES][MOVE_TEXT_MAX];
	struct move moves[GAME_MOVES_MAX];
	int count = referee_moves(r, expected), n = game_moves(g, s, moves);
	for (int i = 0; i < n && n == count; i++)
		game_format(g, s, moves[i], found[i]);
	return n == count && move_texts_agree(expected, count, found, n);
}

/* Takes the group of a square from the board and returns the number of its pieces. */
static int lift_group(struct referee *r, int square, char own)
{
	int before = 0, after = 0;
	for (int i = 0; i < SIDE * SIDE; i++)
		before += r->at[i / SIDE][i % SIDE] != '.';
	lift(r, square / SIDE, square % SIDE, own);
	for (int i = 0; i < SIDE * SIDE; i++)
		after += r->at[i / SIDE][i % SIDE] != '.';
	return before - after;
}

/* The signs of a side: bit 0 of `signs` where it can move, bit 2 on all pieces of a largest group. */
static bool has_signs(const struct referee *r, int side, const uint8_t *signs, int shift)
{
	char moves[MOVES][MOVE_TEXT_MAX], own = side == BLACK ? 'X' : 'O';
	bool is_target[SIDE * SIDE] = { false }, same = true;
	struct referee mine = *r, marked;
	int most = 0, group = 0;
	mine.side = side;
	for (int i = referee_moves(&mine, moves); i-- > 0;)
		if (strcmp(moves[i], "PASS") != 0)
			is_target[(SIDE - (moves[i][3] - '0')) * SIDE + moves[i][2] - 'A'] = true;
	marked = mine;
	for (int i = 0; i < SIDE * SIDE; i++) {
		bool in_group = signs[i] >> shift & 4;
		same &= is_target[i] == (signs[i] >> shift & 1);
		same &= !in_group || mine.at[i / SIDE][i % SIDE] == own;
		if (in_group && !group)
			group = lift_group(&marked, i, own);
	}
	for (int i = 0; i < SIDE * SIDE; i++) {
		bool was_lifted = mine.at[i / SIDE][i % SIDE] != marked.at[i / SIDE][i % SIDE];
		same &= was_lifted == (signs[i] >> shift & 4) >> 2;
	}
	for (int i = 0; i < SIDE * SIDE; i++) {
		int count = lift_group(&mine, i, own);
		most = count > most ? count : most;
	}
	return same && group == most;
}

static bool shows_signs(const struct referee *r, const struct state *s)
{
	uint8_t signs[GAME_SQUARES_MAX];
	g->network->planes(g, s, signs);
	return has_signs(r, s->side, signs, 0) && has_signs(r, s->side ^ 1, signs, 1);
}

/* --- rules --- */

START_TEST(counts)
{
	static const uint64_t known[] = { 36, 1244, 44952, 1563208 };
	struct state s;
	g->start(g, &s);
	for (int depth = 1; depth <= 4; depth++)
		ck_assert_uint_eq(perft_leaves(g, &s, depth), known[depth - 1]);
}
END_TEST

START_TEST(random_games)
{
	int won[2] = { 0 };
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < suite_times(60); i++) {
		struct referee r;
		struct state s;
		referee_start(&r);
		g->start(g, &s);
		bool same = agrees(&r, &s);
		while (!s.over && same) {
			move_t steps[GAME_STEPS_MAX];
			char text[MOVE_TEXT_MAX];
			same = lists_moves(&r, &s) && shows_signs(&r, &s);
			move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
			game_format(g, &s, move_single(step), text);
			g->play(g, &s, step);
			referee_play(&r, text);
			same &= agrees(&r, &s);
		}
		ck_assert(same);
		won[s.score < 0]++;
	}
	ck_assert_int_gt(won[BLACK], 1);
	ck_assert_int_gt(won[WHITE], 1);
}
END_TEST

/* In small random positions: captures that connect the enemy, which are never safe; wins of both sides at once. */
START_TEST(random_positions)
{
	int both = 0, given = 0;
	struct rng rng;
	rng_seed(&rng, 2);
	for (int i = 0; i < suite_times(30000); i++) {
		char board[SIDE * SIDE + 1];
		struct referee r = { .side = (int)rng_below(&rng, 2) };
		struct state s;
		memset(board, '.', SIDE * SIDE);
		board[SIDE * SIDE] = '\0';
		/* Two enemies of each piece, on the whole board or close together. */
		for (int k = 2 + (int)rng_below(&rng, 14); k; k--) {
			uint32_t row = i % 2 ? rng_below(&rng, 8) : 0;
			board[SIDE * row + rng_below(&rng, i % 2 ? 8 : 24)] = k % 3 ? 'O' : 'X';
		}
		if (g->setup(g, &s, board, r.side) || s.over)
			continue;
		memcpy(r.at, board, sizeof r.at);
		ck_assert(lists_moves(&r, &s));
		move_t steps[GAME_STEPS_MAX], safe[GAME_STEPS_MAX];
		int n = g->moves(g, &s, steps),
		    safe_count = g->threats->wins(g, &s) ? 0 : g->threats->safe(g, &s, safe);
		for (int k = 0, at = 0; k < n; k++) {
			struct state next = s;
			struct referee then = r;
			bool listed = at < safe_count && safe[at] == steps[k];
			char text[MOVE_TEXT_MAX];
			game_format(g, &s, move_single(steps[k]), text);
			g->play(g, &next, steps[k]);
			referee_play(&then, text);
			ck_assert(agrees(&then, &next));
			both += next.over && is_connected(&then, 'X') && is_connected(&then, 'O');
			bool gives = next.over && next.score == side_sign(next.side);
			ck_assert(!gives || !listed);
			at += listed;
			given += gives;
		}
	}
	ck_assert_int_gt(both, 10);
	ck_assert_int_gt(given, 10);
}
END_TEST

/* Black cannot move. The pass changes only the side to move. */
START_TEST(forced_pass)
{
	static const char board[] =
		"XO.O...OO.O................O..........O......O.O.........O.O.O.X";
	struct referee r = { .side = BLACK };
	struct state s;
	move_t steps[GAME_STEPS_MAX];
	ck_assert_ptr_null(game_setup(g, &s, board, "X"));
	memcpy(r.at, board, sizeof r.at);
	ck_assert(lists_moves(&r, &s));
	ck_assert(game_must_pass(g, &s) && g->moves(g, &s, steps) == 1 &&
		  steps[0] == g->steps.pass);
	g->play(g, &s, g->steps.pass);
	referee_play(&r, "PASS");
	ck_assert(agrees(&r, &s) && lists_moves(&r, &s) && !game_can_pass(g, &s));
}
END_TEST

/* The evaluation of a position with the sides exchanged is the opposite one. */
START_TEST(evaluation_is_fair)
{
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 100; i++) {
		struct state s;
		g->start(g, &s);
		for (int k = 0; k < 60 && !s.over; k++) {
			struct state t = s;
			move_t steps[GAME_STEPS_MAX];
			t.board[BLACK] = s.board[WHITE];
			t.board[WHITE] = s.board[BLACK];
			t.side ^= 1;
			ck_assert_int_eq(g->eval->value(g, &s), -g->eval->value(g, &t));
			ck_assert_int_lt(abs(g->eval->value(g, &s)), 100);
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		}
	}
}
END_TEST

/* --- repetition --- */

static const char *const cycle[] = { "b1h1", "a2a8", "h1b1", "a8a2" };

/* Plays the moves of the cycle until the game is over. Returns their number. */
static int play_cycle(struct record *r)
{
	int count = 0;
	for (; !r->now.over; count++)
		ck_assert_int_eq(record_play_text(r, r->now.side, cycle[count % 4]), MOVE_OK);
	return count;
}

START_TEST(third_time)
{
	struct record r;
	record_init(&r, g);
	ck_assert_int_eq(play_cycle(&r), 8);
	ck_assert_int_eq(r.now.score, 0);
	/* Another side to move is another position: from here the start occurs once more for White. */
	ck_assert(record_undo(&r) && !r.now.over);
	ck_assert_int_eq(record_play_text(&r, WHITE, "a8a2"), MOVE_OK);
	ck_assert(r.now.over);
	/* A capture between the occurrences does not matter; a game from another start counts anew. */
	struct state start;
	record_state(&r, 1, &start);
	record_setup(&r, &start);
	int count = 0;
	for (; !r.now.over; count++)
		ck_assert_int_eq(record_play_text(&r, r.now.side, cycle[(count + 1) % 4]), MOVE_OK);
	ck_assert_int_eq(count, 8);
	record_free(&r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("loa");
	TCase *cases = tcase_create("loa");
	TCase *native = suite_native_case(suite);
	tcase_add_test(native, counts);
	tcase_add_test(native, random_games);
	tcase_add_test(native, random_positions);
	tcase_add_test(cases, forced_pass);
	tcase_add_test(cases, evaluation_is_fair);
	tcase_add_test(cases, third_time);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
