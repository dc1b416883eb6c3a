/* SPDX-License-Identifier: MIT
 *
 * Othello on 4x4 and 6x6 and the rules `anti`, against a second program that walks over an array of squares.
 */
#include <string.h>

#include "engine/rules/perft.h"
#include "engine/rules/playouts.h"
#include "engine/rules/record.h"
#include "tests/engine/fixture.h"

#define SIDE_MAX 8

/* --- the second program --- */

struct variant_board {
	int size;
	bool anti;
	char at[SIDE_MAX][SIDE_MAX]; /* 'X', 'O' or '.' */
	char side;
};

static char other(char side)
{
	return side == 'X' ? 'O' : 'X';
}

static bool has(const struct variant_board *b, int row, int col, char content)
{
	return row >= 0 && row < b->size && col >= 0 && col < b->size && b->at[row][col] == content;
}

/* Turns the discs that a disc on a square encloses. Returns their number. */
static int turn(struct variant_board *b, int row, int col)
{
	int turned = 0;
	for (int down = -1; down <= 1; down++)
		for (int right = -1; right <= 1; right++) {
			int n = 1;
			while (has(b, row + n * down, col + n * right, other(b->side)))
				n++;
			if ((!down && !right) || !has(b, row + n * down, col + n * right, b->side))
				continue;
			turned += n - 1;
			while (--n)
				b->at[row + n * down][col + n * right] = b->side;
		}
	return turned;
}

/* Makes a move. Returns false if it is illegal; the board is then unchanged. */
static bool make(struct variant_board *b, int square)
{
	int row = square / b->size, col = square % b->size;
	if (b->at[row][col] != '.' || !turn(b, row, col))
		return false;
	b->at[row][col] = b->side;
	b->side = other(b->side);
	return true;
}

static bool can_move(const struct variant_board *b)
{
	for (int i = 0; i < b->size * b->size; i++) {
		struct variant_board next = *b;
		if (make(&next, i))
			return true;
	}
	return false;
}

/* Black's final score. */
static int score(const struct variant_board *b)
{
	int black = 0, white = 0;
	for (int i = 0; i < b->size * b->size; i++) {
		black += b->at[i / b->size][i % b->size] == 'X';
		white += b->at[i / b->size][i % b->size] == 'O';
	}
	int empty = b->size * b->size - black - white;
	int margin = black - white + (black > white ? empty : black < white ? -empty : 0);
	return b->anti ? -margin : margin;
}

/* Black's score by perfect play: minimax without any cutoff. */
static int minimax(const struct variant_board *b)
{
	int best = 0;
	bool found = false;
	for (int i = 0; i < b->size * b->size; i++) {
		struct variant_board next = *b;
		if (!make(&next, i))
			continue;
		int value = minimax(&next);
		if (!found || (b->side == 'X' ? value > best : value < best))
			best = value;
		found = true;
	}
	if (found)
		return best;
	struct variant_board passed = *b;
	passed.side = other(b->side);
	return can_move(&passed) ? minimax(&passed) : score(b);
}

/* --- games --- */

static const struct {
	const char *rules;
	int size;
} variants[] = {
	{ "standard", 4 }, { "standard", 6 }, { "anti", 4 }, { "anti", 6 }, { "anti", 8 }
};
#define VARIANTS ((int)(sizeof variants / sizeof *variants))

static const struct game *variant(int i)
{
	int size = variants[i].size;
	return game_sized(game_find("othello", variants[i].rules), size, size);
}

static void copy_board(const struct game *g, const struct state *s, struct variant_board *b)
{
	*b = (struct variant_board) { .size = g->board.rows,
				      .anti = strcmp(g->rules, "anti") == 0,
				      .side = s->side == BLACK ? 'X' : 'O' };
	for (int row = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++)
			b->at[row][col] = g->at(g, s, row, col);
}

/* Checks the legal moves, or the end and its score, and that both programs turn the same discs. */
static void check_position(const struct game *g, const struct state *s)
{
	struct variant_board b;
	move_t steps[GAME_STEPS_MAX];
	int count = s->over ? 0 : g->moves(g, s, steps), found = 0;
	copy_board(g, s, &b);
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		struct variant_board next = b, after;
		if (!make(&next, i))
			continue;
		ck_assert_int_lt(found, count);
		ck_assert_int_eq(steps[found++], i);
		struct state t = *s;
		g->play(g, &t, (move_t)i);
		copy_board(g, &t, &after);
		ck_assert_int_eq(next.side, after.side);
		ck_assert_mem_eq(next.at, after.at, sizeof next.at);
	}
	if (found)
		return;
	b.side = other(b.side);
	ck_assert_int_eq(s->over, !can_move(&b));
	if (s->over)
		ck_assert_int_eq(s->score, score(&b));
	else
		ck_assert(game_must_pass(g, s));
}

START_TEST(random_games)
{
	const struct game *g = variant(_i);
	struct rng rng;
	move_t steps[GAME_STEPS_MAX];
	rng_seed(&rng, 1);
	for (int i = 0; i < suite_times(100); i++) {
		struct state s;
		for (g->start(g, &s); !s.over;) {
			check_position(g, &s);
			int n = g->moves(g, &s, steps);
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)n)]);
		}
		check_position(g, &s);
	}
}
END_TEST

/* The rules choose the winner only: both sets of rules have the same moves on 8x8. */
START_TEST(anti_counts)
{
	struct state s;
	const struct game *g = game_find("othello", "anti");
	g->start(g, &s);
	ck_assert_uint_eq(perft_leaves(g, &s, 8), 390216);
	ck_assert_uint_eq(perft_leaves(g, &s, 9), 3005288);
}
END_TEST

/* Playouts have the mean of the generic ones. */
START_TEST(playouts)
{
	const struct game *g = variant(_i);
	const int count = 20000;
	struct rng rng;
	struct state s;
	double sum = 0, generic = 0;
	rng_seed(&rng, 1);
	g->start(g, &s);
	for (int i = 0; i < count; i++) {
		sum += g->playouts->uniform(g, &s, &rng);
		generic += playout_generic(g, &s, &rng);
	}
	/* The standard deviation of a score is below a third of the squares. */
	ck_assert_double_le(fabs(sum - generic) / count,
			    4 * g->score.most / 3.0 * sqrt(2.0 / count));
}
END_TEST

/* --- values --- */

/* Returns Black's score by perfect play, as alphabeta proves it. */
static int solve(const struct game *g, const struct state *s)
{
	static struct report report;
	record_restart(&record, g);
	record_setup(&record, s);
	search_within((struct limits) { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT },
		      &report);
	ck_assert(report.exact);
	return (int)report.score;
}

static void setup(void)
{
	fixture_create("alphabeta");
}

/* White wins 4x4 by 10: 11 discs to 3, and two empty squares. */
START_TEST(small_boards)
{
	struct state s;
	struct variant_board b;
	const struct game *g = game_sized(game_find("othello", _i ? "anti" : NULL), 4, 4);
	g->start(g, &s);
	copy_board(g, &s, &b);
	ck_assert_int_eq(minimax(&b), _i ? 4 : -10);
	ck_assert_int_eq(solve(g, &s), _i ? 4 : -10);
}
END_TEST

/* Late positions of random games. */
START_TEST(endings)
{
	const struct game *g = variant(_i);
	struct rng rng;
	move_t steps[GAME_STEPS_MAX];
	rng_seed(&rng, 1);
	for (int found = 0; found < 40;) {
		struct state s;
		struct variant_board b;
		g->start(g, &s);
		while (!s.over && (game_free(g, &s) > 6 || game_must_pass(g, &s))) {
			int n = g->moves(g, &s, steps);
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)n)]);
		}
		if (s.over)
			continue;
		copy_board(g, &s, &b);
		ck_assert_int_eq(solve(g, &s), minimax(&b));
		found++;
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("othello_variant");
	TCase *rules = tcase_create("rules"), *values = tcase_create("values");
	tcase_add_loop_test(rules, random_games, 0, VARIANTS);
	tcase_add_test(rules, anti_counts);
	tcase_add_loop_test(rules, playouts, 0, VARIANTS);
	suite_add_tcase(suite, rules);
	tcase_add_checked_fixture(values, setup, fixture_destroy);
	tcase_add_loop_test(values, small_boards, 0, 2);
	tcase_add_loop_test(values, endings, 0, VARIANTS);
	suite_add_tcase(suite, values);
	return suite_run(suite);
}
