/* SPDX-License-Identifier: MIT
 *
 * The verifier trusts no adviser: with honest advice it confirms true claims, it never confirms false ones,
 * and it finds one bad move among many.
 */
#include "engine/base/memory.h"
#include "engine/search/verify.h"
#include "tests/engine/naive.h"
#include "tests/suite.h"
#include "tests/tested.h"

#define MEMORY ((size_t)1 << 16)

static const struct game *game;
static struct control control;

static void set_up(void)
{
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
}

static int empty_in(const struct game *g)
{
	return g == &game_tictactoe ? 9 : g == &game_othello ? 7 : 4;
}

static int result_for(int side, int black)
{
	return side == BLACK ? black : -black;
}

/* --- advisers --- */

struct adviser {
	struct rng *rng; /* NULL: honest; else random moves */
	/* Index of the call, from 0, that is answered with a move that does not keep this result for the
	 * side to move, if there is one. has_lied is then set. */
	int lies_at, result;
	bool has_lied;
	int calls;
};

/* Finds a move that keeps the true result, or (lies) one that does not keep the claimed one. */
static bool find_move(struct adviser *a, const struct state *s, struct move *move, bool lies)
{
	struct move moves[GAME_MOVES_MAX];
	int count = game_moves(game, s, moves), truth = naive_result(game, s);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		game_play(game, &next, moves[i]);
		int result = naive_result(game, &next);
		if (lies ? result_for(s->side, result) >= a->result : result != truth)
			continue;
		a->has_lied |= lies;
		*move = moves[i];
		return true;
	}
	return false;
}

static bool advise(void *arg, const struct state *s, struct move *move)
{
	struct adviser *a = arg;
	struct move moves[GAME_MOVES_MAX];
	if (a->rng) {
		int count = game_moves(game, s, moves);
		*move = moves[rng_below(a->rng, (uint32_t)count)];
		return true;
	}
	if (a->calls++ == a->lies_at && find_move(a, s, move, true))
		return true;
	return find_move(a, s, move, false);
}

static bool advise_nothing(void *arg, const struct state *s, struct move *move)
{
	(void)arg;
	(void)move;
	return false;
}

static bool advise_nonsense(void *arg, const struct state *s, struct move *move)
{
	(void)arg;
	*move = move_single(0); /* a square that is soon occupied */
	return true;
}

static enum verdict check(const struct state *s, int side, int result, int tried, size_t bytes,
			  advise_fn fn, void *arg)
{
	struct verifier *v = verifier_create(game, side, result, tried, bytes, fn, arg);
	ck_assert_ptr_nonnull(v);
	enum verdict verdict = verifier_check(v, s, &control);
	verifier_destroy(v);
	return verdict;
}

/* Returns an illegal square of Othello that would keep the claimed draw. */
static bool advise_against_rules(void *arg, const struct state *s, struct move *move)
{
	int *count = arg;
	for (move_t square = 0; square < 64; square++) {
		struct state next = *s;
		if (game->at(game, s, square / 8, square % 8) != '.' ||
		    game_is_legal(game, s, move_single(square)))
			continue;
		game->play(game, &next, square);
		if (next.over || result_for(s->side, naive_result(game, &next)) < 0)
			continue;
		*move = move_single(square);
		++*count;
		return true;
	}
	return false;
}

/* --- the tests --- */

START_TEST(truth_and_falsehood)
{
	struct rng rng;
	rng_seed(&rng, 61);
	game = naive_game(_i);
	for (int n = 0; n < 6; n++) {
		struct state s;
		naive_find_position(game, empty_in(game), &rng, &s);
		int truth = naive_result(game, &s);
		for (int claim = 0; claim < 4; claim++) {
			struct adviser good = { .lies_at = -1 }, bad = { .rng = &rng };
			int side = claim / 2, result = claim % 2;
			bool is_true = result_for(side, truth) >= result;
			enum verdict verdict = check(&s, side, result, 0, MEMORY, advise, &good);
			ck_assert_int_eq(verdict, is_true ? VERIFIED : HOLE);
			if (!is_true)
				ck_assert_int_eq(check(&s, side, result, 0, MEMORY, advise, &bad),
						 HOLE);
			/* An adviser that is only asked far from the end is trusted no more. */
			verdict = check(&s, side, result, 3, MEMORY, advise, &bad);
			ck_assert(is_true ? verdict != UNFINISHED : verdict == HOLE);
			verdict = check(&s, side, result, 9, MEMORY, advise_nothing, NULL);
			ck_assert_int_eq(verdict, is_true ? VERIFIED : HOLE);
			/* With little memory it only takes longer. */
			verdict = check(&s, side, result, 0, 128, advise, &good);
			ck_assert_int_eq(verdict, is_true ? VERIFIED : HOLE);
		}
	}
}
END_TEST

/* The exact score is confirmed, and not a point more. */
START_TEST(scores)
{
	struct rng rng;
	rng_seed(&rng, 69);
	game = &game_othello;
	for (int n = 0; n < 20; n++) {
		struct state s;
		naive_find_position(game, 6, &rng, &s);
		for (int side = BLACK; side <= WHITE; side++)
			for (int more = 0; more < 2; more++) {
				int score = result_for(side, naive_score(game, &s));
				enum verdict verdict = check(&s, side, score + more, 9, MEMORY,
							     advise_nothing, NULL);
				ck_assert_int_eq(verdict, more ? HOLE : VERIFIED);
			}
	}
}
END_TEST

/* A single false answer is found, whichever it is. */
START_TEST(one_lie)
{
	struct rng rng;
	struct state s;
	int lies = 0, positions = 0;
	rng_seed(&rng, 63);
	game = naive_game(_i);
	while (lies < 10) {
		ck_assert_int_lt(positions++, 1000);
		naive_find_position(game, empty_in(game), &rng, &s);
		int truth = naive_result(game, &s), side = truth < 0 ? WHITE : BLACK, calls = 1;
		for (int i = 0; i < calls; i++) {
			struct adviser a = { .lies_at = i, .result = truth != 0 };
			enum verdict verdict = check(&s, side, a.result, 0, MEMORY, advise, &a);
			ck_assert_int_eq(verdict, a.has_lied ? HOLE : VERIFIED);
			calls = a.has_lied ? calls : a.calls;
			lies += a.has_lied;
		}
	}
}
END_TEST

START_TEST(no_advice)
{
	struct state s;
	struct adviser good = { .lies_at = -1 };
	game = &game_tictactoe;
	game->start(game, &s);
	ck_assert_int_eq(check(&s, BLACK, 0, 0, MEMORY, advise_nothing, NULL), UNFINISHED);
	/* X takes the first square, then again. */
	ck_assert_int_eq(check(&s, BLACK, 0, 0, MEMORY, advise_nonsense, NULL), HOLE);
	control_init(&control, TIME_NEVER, 3);
	ck_assert_int_eq(check(&s, BLACK, 0, 0, MEMORY, advise, &good), UNFINISHED);
}
END_TEST

START_TEST(rules_are_kept)
{
	struct rng rng;
	int count = 0;
	rng_seed(&rng, 67);
	game = &game_othello;
	while (count < 5) {
		struct state s;
		naive_find_position(game, 6, &rng, &s);
		int before = count;
		if (result_for(s.side, naive_result(game, &s)) < 0 &&
		    check(&s, s.side, 0, 0, MEMORY, advise_against_rules, &count) != HOLE)
			ck_assert_int_eq(count, before);
	}
}
END_TEST

START_TEST(where_the_hole_is)
{
	struct state s;
	char text[POSITION_TEXT_MAX];
	struct adviser good = { .lies_at = -1 };
	game = &game_tictactoe;
	/* One square is left, and it brings a draw. */
	ck_assert_ptr_null(game_setup(game, &s, "XOXXOOOX.", "X"));
	struct verifier *v = verifier_create(game, BLACK, 1, 0, MEMORY, advise, &good);
	ck_assert_int_eq(verifier_check(v, &s, &control), HOLE);
	ck_assert_uint_ge(verifier_positions(v), 1);
	game_position(game, verifier_hole(v), text);
	ck_assert_str_eq(text, "XOXXOOOX. X");
	verifier_destroy(v);
	/* A finished game needs no advice. */
	game_play(game, &s, move_single(8));
	ck_assert(s.over);
	ck_assert_int_eq(check(&s, BLACK, 1, 0, MEMORY, advise_nothing, NULL), HOLE);
	ck_assert_int_eq(check(&s, WHITE, 0, 0, MEMORY, advise_nothing, NULL), VERIFIED);
}
END_TEST

/* What is true of a board with one side to move is not taken for true with the other. Each side has one piece, two rows from
 * its goal: who moves first wins. The memory is so small that all boards meet in it. */
START_TEST(sides_are_told_apart)
{
	static const char board[] = "..........X...O..........";
	struct state black, white;
	game = game_sized(game_find("breakthrough", NULL), 5, 5);
	ck_assert_ptr_null(game_setup(game, &black, board, "X"));
	ck_assert_ptr_null(game_setup(game, &white, board, "O"));
	struct verifier *v = verifier_create(game, BLACK, 1, 25, 128, advise_nothing, NULL);
	ck_assert_int_eq(verifier_check(v, &black, &control), VERIFIED);
	ck_assert_int_eq(verifier_check(v, &white, &control), HOLE);
	verifier_destroy(v);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("verify");
	TCase *cases = tcase_create("verify");
	int count = 0;
	while (naive_game(count))
		count++;
	tcase_add_checked_fixture(cases, set_up, NULL);
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, truth_and_falsehood, 0, count);
	tcase_add_loop_test(cases, one_lie, 0, count);
	tcase_add_test(cases, scores);
	tcase_add_test(cases, no_advice);
	tcase_add_test(cases, rules_are_kept);
	tcase_add_test(cases, where_the_hole_is);
	tcase_add_test(cases, sides_are_told_apart);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
