/* SPDX-License-Identifier: MIT
 *
 * Othello: known perft counts, passes, ends of games, setups, and the kernels against each other.
 */
#include <limits.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/rules/eval.h"
#include "engine/rules/perft.h"
#include "engine/rules/record.h"
#include "games/othello/othello_kernel.h"
#include "tests/suite.h"

#define SQUARES 64

static const struct game *const g = &game_othello;

START_TEST(counts)
{
	static const uint64_t known[9] = { 1, 4, 12, 56, 244, 1396, 8200, 55092, 390216 };
	struct state s;
	struct perft p;
	g->start(g, &s);
	perft_count(g, &s, 8, &p);
	for (int d = 1; d <= 8; d++) {
		ck_assert_uint_eq(p.length[d].moves, known[d]);
		ck_assert_uint_eq(perft_leaves(g, &s, d), known[d]);
	}
	/* The first passes occur at the ninth move. */
	ck_assert_uint_eq(perft_leaves(g, &s, 9), 3005288);
}
END_TEST

static void play_all(struct record *r, const char *moves)
{
	char text[256], *rest = text;
	ck_assert_uint_lt(strlen(moves), sizeof text);
	strcpy(text, moves);
	for (char *word; (word = text_cut(&rest, " "));)
		ck_assert_msg(record_play_text(r, r->now.side, word) == MOVE_OK, "%s", word);
}

START_TEST(wiped_out)
{
	struct record r;
	record_init(&r, g);
	play_all(&r, "e6 f4 e3 f6 g5 d6 e7 f5");
	ck_assert(!r.now.over);
	play_all(&r, "c5");
	ck_assert(r.now.over);
	ck_assert_uint_eq(r.now.board[WHITE], 0);
	ck_assert_int_eq(r.now.score, 64);
	record_free(&r);
}
END_TEST

START_TEST(passes)
{
	struct record r;
	record_init(&r, g);
	ck_assert_int_eq(record_play_text(&r, BLACK, "pass"), MOVE_ILLEGAL);
	play_all(&r, "d3 c3 f5 d2 d1 e1 b2 c1");
	ck_assert(game_must_pass(g, &r.now));
	ck_assert_int_eq(record_play_text(&r, BLACK, "a3"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&r, WHITE, "h8"), MOVE_ILLEGAL);
	ck_assert_int_eq(r.count, 8);
	/* Omitted: the pass is part of White's move. */
	uint64_t before = r.now.hash;
	ck_assert_int_eq(record_play_text(&r, WHITE, "a3"), MOVE_OK);
	ck_assert_int_eq(r.count, 10);
	ck_assert(r.moves[8].implied);
	ck_assert_int_eq(r.moves[8].move.step[0], g->steps.pass);
	uint64_t after = r.now.hash;
	ck_assert(record_undo(&r));
	ck_assert_int_eq(r.count, 8);
	ck_assert_uint_eq(r.now.hash, before);
	/* Played: the pass is a separate move. */
	ck_assert_int_eq(record_play_text(&r, BLACK, "Pass"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&r, WHITE, "pass"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&r, WHITE, "A3"), MOVE_OK);
	ck_assert_uint_eq(r.now.hash, after);
	ck_assert_int_eq(r.count, 10);
	ck_assert(record_undo(&r));
	ck_assert_int_eq(r.count, 9);
	ck_assert(record_undo(&r));
	ck_assert_uint_eq(r.now.hash, before);
	record_free(&r);
}
END_TEST

/* Sets up a board with these discs. */
static void set_up(struct state *s, const char *black, const char *white, const char *side)
{
	char squares[65];
	memset(squares, '.', 64);
	squares[64] = '\0';
	for (; *black; black += 2)
		squares[8 * (black[1] - '1') + black[0] - 'a'] = 'X';
	for (; *white; white += 2)
		squares[8 * (white[1] - '1') + white[0] - 'a'] = 'O';
	ck_assert_ptr_null(game_setup(g, s, squares, side));
}

START_TEST(set_ups)
{
	struct state s;
	char board[65], text[MOVE_TEXT_MAX];
	/* Only White can move, to a1. */
	set_up(&s, "b1", "c1d1e1f1g1h1", "O");
	ck_assert(!s.over && !game_must_pass(g, &s));
	set_up(&s, "b1", "c1d1e1f1g1h1", "X");
	ck_assert(!s.over && game_must_pass(g, &s));
	game_format(g, &s, move_single(g->steps.pass), text);
	ck_assert_str_eq(text, "PASS");

	memset(board, '.', 64);
	board[64] = '\0';
	ck_assert_ptr_nonnull(game_setup(g, &s, board, "X"));
	board[63] = 'o';
	ck_assert_ptr_null(game_setup(g, &s, board, "x"));
	ck_assert_int_eq(s.score, -64);
	ck_assert_int_eq(s.side, BLACK);
	ck_assert_ptr_nonnull(game_setup(g, &s, board, "blac"));
	ck_assert_ptr_nonnull(game_setup(g, &s, board, "."));
	ck_assert_ptr_nonnull(game_setup(g, &s, board, ""));
	ck_assert_ptr_nonnull(game_setup(g, &s, board + 1, "X"));
	board[0] = '?';
	ck_assert_ptr_nonnull(game_setup(g, &s, board, "X"));
}
END_TEST

START_TEST(scores)
{
	struct state s;
	/* Neither side can move. The 61 or 62 empty squares count for the winner. */
	set_up(&s, "a1b1", "h8", "X");
	ck_assert(s.over);
	ck_assert_int_eq(s.score, 62);
	set_up(&s, "a1", "h8g8", "X");
	ck_assert(s.over);
	ck_assert_int_eq(s.score, -62);
	set_up(&s, "a1", "h8", "O");
	ck_assert(s.over);
	ck_assert_int_eq(s.score, 0);
}
END_TEST

/* The board with colours exchanged, or reflected in the columns or along the main diagonal. */
static void transform(const struct state *s, int how, struct state *out)
{
	char squares[65];
	for (int i = 0; i < 64; i++) {
		int row = i / 8, col = i % 8;
		char c = how == 0   ? g->at(g, s, row, col)
			 : how == 1 ? g->at(g, s, row, 7 - col)
				    : g->at(g, s, col, row);
		squares[i] = how || c == '.' ? c : c == 'X' ? 'O' : 'X';
	}
	squares[64] = '\0';
	int side = how ? s->side : s->side ^ 1;
	ck_assert_ptr_null(game_setup(g, out, squares, side == BLACK ? "X" : "O"));
}

START_TEST(evaluation_is_symmetric)
{
	struct rng rng;
	rng_seed(&rng, 9);
	for (int i = 0; i < 20; i++) {
		struct state s, other;
		move_t steps[GAME_STEPS_MAX];
		for (g->start(g, &s); !s.over;) {
			for (int how = 0; how < 3; how++) {
				transform(&s, how, &other);
				int sign = how == 0 ? -1 : 1;
				ck_assert_int_eq(g->eval->value(g, &other),
						 sign * g->eval->value(g, &s));
			}
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		}
	}
}
END_TEST

/* Returns the move with the best evaluation for the side that makes it. */
static move_t greedy(const struct state *s)
{
	move_t steps[GAME_STEPS_MAX], best = MOVE_NONE;
	int n = g->moves(g, s, steps), best_value = INT_MIN, sign = s->side == BLACK ? 1 : -1;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		int value = sign * (next.over ? 100 * next.score : g->eval->value(g, &next));
		if (value > best_value) {
			best_value = value;
			best = steps[i];
		}
	}
	return best;
}

START_TEST(evaluation_beats_chance)
{
	struct rng rng;
	rng_seed(&rng, 11);
	int won = 0;
	for (int i = 0; i < 100; i++) {
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		for (g->start(g, &s); !s.over;) {
			int n = g->moves(g, &s, steps);
			move_t random = steps[rng_below(&rng, (uint32_t)n)];
			g->play(g, &s, s.side == (i & 1) ? greedy(&s) : random);
		}
		won += (i & 1 ? -s.score : s.score) > 0;
	}
	ck_assert_int_ge(won, 90);
}
END_TEST

/* The best move one move deep agrees with the moves one by one. With a bound, it stops at a value that
 * reaches it. */
START_TEST(best_moves)
{
	enum { MOST = 6000 };
	struct rng rng;
	rng_seed(&rng, 12);
	for (int n = 0; n < 2000; n++) {
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		do {
			g->start(g, &s);
			for (int i = n % 60; i > 0 && !s.over; i--)
				g->play(g, &s,
					steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		} while (s.over);
		int count = g->moves(g, &s, steps), most = INT_MIN, values[SQUARES + 1];
		bool final = true, finals[SQUARES + 1];
		for (int i = 0; i < count; i++) {
			struct state next = s;
			g->play(g, &next, steps[i]);
			int value = next.over ? 100 * next.score : g->eval->value(g, &next);
			if (!next.over)
				value = value > MOST ? MOST : value < -MOST ? -MOST : value;
			value = s.side == BLACK ? value : -value;
			values[steps[i]] = value;
			finals[steps[i]] = next.over;
			final &= next.over;
			most = value > most ? value : most;
		}
		struct best best = { .step = steps[count - 1] };
		if (steps[0] == g->steps.pass) {
			ck_assert_int_eq(g->eval->best(g, &s, INT_MAX, MOST, SQUARES, &best), 0);
			continue;
		}
		ck_assert_int_eq(g->eval->best(g, &s, INT_MAX, MOST, count - 1, &best), 0);
		ck_assert_int_eq(g->eval->best(g, &s, INT_MAX, MOST, count, &best), count);
		ck_assert_int_eq(best.value, most);
		ck_assert_int_eq(values[best.step], most);
		ck_assert(best.final == final);
		int beta = most - 300;
		best.step = steps[count - 1];
		int judged = g->eval->best(g, &s, beta, MOST, count, &best);
		ck_assert_int_ge(best.value, beta);
		ck_assert_int_eq(values[best.step], best.value);
		ck_assert(best.final == finals[best.step]);
		ck_assert_int_le(judged, count);
		if (values[steps[count - 1]] >= beta)
			ck_assert_int_eq(judged, 1);
	}
}
END_TEST

START_TEST(deviations)
{
	struct rng rng;
	struct state s;
	move_t steps[GAME_STEPS_MAX];
	rng_seed(&rng, 12);
	for (g->start(g, &s); !s.over;
	     g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))])) {
		for (int shallow = 0; shallow < 20; shallow++) {
			int less = g->eval->deviation(g, &s, shallow, shallow + 2);
			ck_assert_int_gt(less, 0);
			ck_assert_int_gt(g->eval->deviation(g, &s, shallow, shallow + 4), less);
			ck_assert_int_ge(less, g->eval->deviation(g, &s, shallow + 2, shallow + 4));
		}
		ck_assert_int_gt(g->eval->deviation(g, &s, 124, 255), 0);
	}
}
END_TEST

/* The rules literally: walk from the square in each direction. */
static uint64_t flips_walked(uint64_t mine, uint64_t theirs, int square)
{
	uint64_t flips = 0;
	for (int dr = -1; dr <= 1; dr++)
		for (int dc = -1; dc <= 1; dc++) {
			uint64_t run = 0;
			int r = square / 8 + dr, c = square % 8 + dc;
			for (; r >= 0 && r < 8 && c >= 0 && c < 8; r += dr, c += dc) {
				uint64_t bit = UINT64_C(1) << (8 * r + c);
				if (mine & bit)
					flips |= run;
				if (!(theirs & bit))
					break;
				run |= bit;
			}
		}
	return flips;
}

START_TEST(kernels)
{
	const struct othello_kernel *portable = othello_kernel(KERNEL_PORTABLE);
	struct rng rng;
	rng_seed(&rng, 5);
	for (int i = 0; i < 5000; i++) {
		/* Boards of every density, reachable or not. */
		uint64_t a = rng_next(&rng), b = rng_next(&rng), c = rng_next(&rng);
		uint64_t mine = a & b & (i & 1 ? c : ~UINT64_C(0)),
			 theirs = ~a & (i & 2 ? b : c | b);
		uint64_t mobility = 0;
		for (int square = 0; square < 64; square++) {
			uint64_t placed = UINT64_C(1) << square;
			if ((mine | theirs) & placed)
				continue;
			uint64_t flips = flips_walked(mine, theirs, square);
			mobility |= flips ? placed : 0;
			for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++)
				ck_assert_uint_eq(othello_kernel(k)->flips(mine, theirs, placed),
						  flips);
		}
		struct rng first = rng;
		int score = portable->playout(mine, theirs, &first);
		int8_t eight[2][OTHELLO_PLAYOUTS];
		struct rng seeds = rng;
		portable->playouts(mine, theirs, &seeds, eight[0]);
		for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++) {
			const struct othello_kernel *each = othello_kernel(k);
			struct rng same = rng;
			ck_assert_uint_eq(each->mobility(mine, theirs), mobility);
			ck_assert_int_eq(each->playout(mine, theirs, &same), score);
			same = rng;
			each->playouts(mine, theirs, &same, eight[1]);
			ck_assert_int_eq(memcmp(eight[0], eight[1], sizeof eight[0]), 0);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("othello");
	TCase *cases = tcase_create("othello");
	tcase_add_test(cases, counts);
	tcase_add_test(cases, wiped_out);
	tcase_add_test(cases, passes);
	tcase_add_test(cases, set_ups);
	tcase_add_test(cases, scores);
	tcase_add_test(cases, evaluation_is_symmetric);
	tcase_add_test(cases, evaluation_beats_chance);
	tcase_add_test(cases, best_moves);
	tcase_add_test(cases, deviations);
	tcase_add_test(cases, kernels);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
