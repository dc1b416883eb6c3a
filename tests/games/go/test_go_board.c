/* SPDX-License-Identifier: MIT
 *
 * Random games of Go, compared with random games of a plain, slow referee: who plays where first, who owns each
 * square at the end, and the scores.
 */
#include <math.h>
#include <string.h>

#include "engine/rules/komi.h"
#include "engine/rules/playouts.h"
#include "games/go/go_board.h"
#include "tests/games/go/go_referee.h"
#include "tests/suite.h"

#define DEVIATIONS 5.0 /* the fixed seeds pass; a wrong distribution deviates by tens */

/* Sums over random games from one position. */
struct sums {
	int games;
	double first[2][GO_SQUARES_MAX], owner[GO_SQUARES_MAX], owner_squared[GO_SQUARES_MAX];
	double margin, margin_squared, won;
};

static void sums_add(struct sums *sums, const struct trace *t, int squares, int margin)
{
	sums->games++;
	sums->margin += margin;
	sums->margin_squared += margin * margin;
	sums->won += margin > 0;
	for (int i = 0; i < squares; i++) {
		sums->first[BLACK][i] += (double)(t->made[BLACK][i / 64] >> i % 64 & 1);
		sums->first[WHITE][i] += (double)(t->made[WHITE][i / 64] >> i % 64 & 1);
		sums->owner[i] += t->owner[i];
		sums->owner_squared[i] += t->owner[i] * t->owner[i];
	}
}

/* Returns true if the means of two sums agree. */
static bool agree(double a, double a_squared, int a_count, double b, double b_squared, int b_count)
{
	double count = a_count + b_count, mean = (a + b) / count;
	double variance = (a_squared + b_squared) / count - mean * mean;
	double deviation = sqrt((variance > 0 ? variance : 0) * (1.0 / a_count + 1.0 / b_count));
	return fabs(a / a_count - b / b_count) <= DEVIATIONS * deviation + 2.0 / a_count;
}

static void sums_compare(const struct sums *a, const struct sums *b, int squares)
{
	ck_assert(agree(a->margin, a->margin_squared, a->games, b->margin, b->margin_squared,
			b->games));
	ck_assert(agree(a->won, a->won, a->games, b->won, b->won, b->games));
	for (int i = 0; i < squares; i++) {
		for (int side = BLACK; side <= WHITE; side++)
			ck_assert_msg(agree(a->first[side][i], a->first[side][i], a->games,
					    b->first[side][i], b->first[side][i], b->games),
				      "square %d, side %d: %g of %d, %g of %d", i, side,
				      a->first[side][i], a->games, b->first[side][i], b->games);
		ck_assert(agree(a->owner[i], a->owner_squared[i], a->games, b->owner[i],
				b->owner_squared[i], b->games));
	}
}

/* Chooses uniformly among the legal squares that are no eyes; -1: pass. */
static int referee_choose(const struct referee *f, struct rng *rng)
{
	int squares[GO_SQUARES_MAX], size = f->board.size, n = 0;
	int count = referee_moves(f, squares);
	for (int i = 0; i < count; i++)
		if (!referee_is_eye(&f->board, squares[i] / size, squares[i] % size, f->side))
			squares[n++] = squares[i];
	return n ? squares[rng_below(rng, (uint32_t)n)] : -1;
}

static int referee_playout(const struct referee *start, struct rng *rng, struct trace *t)
{
	struct referee f = *start;
	int size = f.board.size, margin = 0;
	memset(t, 0, sizeof *t);
	for (int left = 3 * size * size; left && f.passes < 2; left--) {
		int square = referee_choose(&f, rng), side = f.side;
		if (square < 0) {
			referee_pass(&f);
			continue;
		}
		referee_play(&f, square / size, square % size);
		if (!(t->made[side ^ 1][square / 64] >> square % 64 & 1))
			t->made[side][square / 64] |= UINT64_C(1) << square % 64;
	}
	for (int i = 0; i < size * size; i++) {
		t->owner[i] = (int8_t)referee_owner(&f.board, i / size, i % size);
		margin += t->owner[i];
	}
	return margin;
}

/* Compares random games from a position with the referee's. */
static void compare(const struct game *g, const struct state *s, const struct referee *f, int count,
		    struct rng *rng)
{
	static struct sums fast, slow;
	int squares = g->board.rows * g->board.cols;
	memset(&fast, 0, sizeof fast);
	memset(&slow, 0, sizeof slow);
	for (int i = 0; i < 8 * count; i++) {
		struct trace t;
		struct rng same = *rng;
		int score = g->playouts->trace(g, s, rng, &t), margin = 0;
		for (int k = 0; k < squares; k++)
			margin += t.owner[k];
		sums_add(&fast, &t, squares, margin);
		/* The same game without and with its description. */
		if (score != 2 * margin - g->komi->get(g, s) ||
		    g->playouts->uniform(g, s, &same) != score || same.s[0] != rng->s[0])
			ck_abort_msg("score %d", score);
		for (int k = 0; k < GAME_STEPS_MAX / 64; k++)
			if (t.made[BLACK][k] & t.made[WHITE][k])
				ck_abort_msg("both sides were first");
	}
	for (int i = 0; i < count; i++) {
		struct trace t;
		int margin = referee_playout(f, rng, &t);
		sums_add(&slow, &t, squares, margin);
	}
	sums_compare(&slow, &fast, squares);
}

static const struct game *table_of(int size)
{
	return game_sized(&game_go, size, size);
}

static const struct {
	int size, games;
} settings[] = {
	{ 2, 3000 }, { 3, 3000 }, { 5, 500 }, { 7, 150 }, { 9, 50 }, { 13, 12 }, { 19, 6 }
};
#define SETTINGS ((int)(sizeof settings / sizeof settings[0]))

/* From positions of random games, some with a ko or after a pass. */
START_TEST(distribution)
{
	const struct game *g = table_of(settings[_i].size);
	int squares = g->board.rows * g->board.cols;
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < 8; i++) {
		struct state s;
		struct referee f = { .board.size = g->board.rows };
		memset(f.board.at, '.', sizeof f.board.at);
		g->start(g, &s);
		for (int left = squares * i / 6; left > 0 && !s.over; left--) {
			int square = rng_below(&rng, 8) ? referee_choose(&f, &rng) : -1;
			if (f.passes == 1 && square < 0)
				break;
			g->play(g, &s, square < 0 ? g->steps.pass : (move_t)square);
			if (square < 0)
				referee_pass(&f);
			else
				referee_play(&f, square / g->board.cols, square % g->board.cols);
		}
		compare(g, &s, &f, settings[_i].games, &rng);
	}
}
END_TEST

/* Sets up a board and plays a random game. Returns twice the margin. */
static int score_of(int size, const char *squares, int side, struct trace *t)
{
	const struct game *g = table_of(size);
	struct state s;
	struct rng rng;
	rng_seed(&rng, 5);
	ck_assert_ptr_null(g->setup(g, &s, squares, side));
	ck_assert(g->komi->set(g, &s, 0));
	return g->playouts->trace(g, &s, &rng, t);
}

static bool is_untouched(const struct trace *t)
{
	uint64_t all = 0;
	for (int i = 0; i < GAME_STEPS_MAX / 64; i++)
		all |= t->made[BLACK][i] | t->made[WHITE][i];
	return !all;
}

/* Nobody can play: Black has two eyes and does not fill them. */
START_TEST(eyes)
{
	struct trace t;
	for (int side = BLACK; side <= WHITE; side++) {
		ck_assert_int_eq(score_of(3, ".XXXXXXX.", side, &t), 18);
		ck_assert(is_untouched(&t));
		ck_assert_int_eq(t.owner[0], 1);
		ck_assert_int_eq(score_of(5, ".X.XXXXXXXXXXOOXXO.OXXOO.", side, &t), 2 * (17 - 8));
		ck_assert(is_untouched(&t));
	}
}
END_TEST

/* After one pass the game ends with the next one, also if the other side could go on. */
START_TEST(one_pass)
{
	const struct game *g = table_of(3);
	struct state s;
	struct trace t;
	struct rng rng;
	rng_seed(&rng, 5);
	ck_assert_ptr_null(g->setup(g, &s, ".XXXXXXX.", BLACK));
	g->play(g, &s, g->steps.pass);
	ck_assert_int_eq(g->playouts->trace(g, &s, &rng, &t), 18);
	/* White has no move; Black still had a neutral point. */
	ck_assert_ptr_null(g->setup(g, &s, "...XXXXX.", BLACK));
	g->play(g, &s, g->steps.pass);
	ck_assert_int_eq(g->playouts->uniform(g, &s, &rng), g->playouts->trace(g, &s, &rng, &t));
}
END_TEST

START_TEST(area)
{
	static struct go_board b;
	int8_t owner[GO_SQUARES_MAX];
	struct rng rng;
	rng_seed(&rng, 9);
	for (int i = 0; i < 400; i++) {
		int size = 2 + (int)rng_below(&rng, 18);
		uint64_t sets[2][GO_SET_WORDS] = { 0 };
		struct referee_board r = { .size = size };
		uint32_t density = 2 + rng_below(&rng, 20);
		for (int k = 0; k < size * size; k++) {
			uint32_t pick = rng_below(&rng, density);
			r.at[k] = pick < 2 ? referee_mark((int)pick) : '.';
			if (pick < 2)
				sets[pick][k / 64] |= UINT64_C(1) << k % 64;
		}
		go_board_set(&b, size, sets[BLACK], sets[WHITE]);
		ck_assert_int_eq(go_board_area(&b, owner), referee_margin(&r));
		bool equal = true;
		for (int k = 0; k < size * size; k++)
			equal &= owner[k] == referee_owner(&r, k / size, k % size);
		ck_assert(equal);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("go_board");
	TCase *cases = tcase_create("go_board");
	TCase *native = suite_native_case(suite);
	tcase_add_loop_test(native, distribution, 0, SETTINGS);
	tcase_add_test(cases, eyes);
	tcase_add_test(cases, one_pass);
	tcase_add_test(cases, area);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
