/* SPDX-License-Identifier: MIT
 *
 * Reviews: the same every time, true where the truth is known, and possible for every game.
 */
#include "protocol/lessons/review.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"

#define WORK  50
#define MOVES 24

static char why[REASON_MAX];

static void review(struct review *out, const struct record *r, const char *search, int work)
{
	struct engine *e = engine_create_fixed(search, work);
	ck_assert_msg(review_make(out, e, r, NULL, why), "%s", why);
	engine_destroy(e);
}

static void check_line(const struct game *g, struct state s, const struct review_line *line)
{
	for (int i = 0; i < line->count; i++) {
		ck_assert(game_is_legal(g, &s, line->moves[i]));
		game_play(g, &s, line->moves[i]);
	}
}

static void check_move(const struct record *r, const struct review_move *m)
{
	struct state s;
	record_state(r, m->index, &s);
	ck_assert(move_equal(r->moves[m->index].move, m->move));
	ck_assert_int_eq(r->moves[m->index].side, m->side);
	check_line(r->game, s, &m->better);
	ck_assert_int_eq(m->better.count > 0, m->loss.size != LOSS_GOOD);
	if (m->better.count)
		ck_assert(!move_equal(m->better.moves[0], m->move));
	ck_assert(m->loss.size == LOSS_GOOD || !m->is_forced);
	ck_assert(m->before.lower <= m->before.upper && m->after.lower <= m->after.upper);
	game_play(r->game, &s, m->move);
	check_line(r->game, s, &m->answer);
}

/* Random games of every game, some of them with passes after the end. */
START_TEST(every_game)
{
	const struct game *g = games[_i];
	struct review first, again;
	struct record r;
	struct rng rng;
	int counted = 0;
	rng_seed(&rng, 2);
	record_init(&r, g);
	while (!r.now.over && r.count < suite_times(MOVES))
		record_play(&r, record_draw(&r, &rng));
	if (r.now.over)
		record_play_end_pass(&r, WHITE);
	review(&first, &r, "auto", WORK);
	review(&again, &r, "auto", WORK);
	ck_assert_int_eq(first.count, again.count);
	ck_assert_int_ge(first.count, r.count - 1 - (r.count > 0 && r.moves[r.count - 1].implied));
	for (int i = 0; i < first.count; i++) {
		const struct review_move *m = &first.moves[i];
		check_move(&r, m);
		ck_assert_int_eq(m->number, i + 1);
		ck_assert_int_eq(m->loss.size, again.moves[i].loss.size);
		ck_assert_double_eq(m->loss.severity, again.moves[i].loss.severity);
		counted += !m->is_forced;
	}
	ck_assert_int_eq(first.sides[BLACK].moves + first.sides[WHITE].moves, counted);
	review_free(&first);
	review_free(&again);
	record_free(&r);
}
END_TEST

static void play(struct record *r, const char *moves)
{
	char word[MOVE_TEXT_MAX];
	for (int n; sscanf(moves, "%11s%n", word, &n) == 1; moves += n)
		ck_assert_int_eq(record_play_text(r, r->now.side, word), MOVE_OK);
}

/* Black could have won with A3, White could have kept a draw. */
START_TEST(tictactoe)
{
	static const enum loss_size sizes[] = { LOSS_GOOD, LOSS_BLUNDER, LOSS_BLUNDER, LOSS_BLUNDER,
						LOSS_GOOD };
	struct review v;
	struct record r;
	record_init(&r, &game_tictactoe);
	play(&r, "a1 c1 b2 a3 c3");
	review(&v, &r, "mcts", 20000);
	ck_assert_int_eq(v.count, 5);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(v.moves[i].loss.size, sizes[i]);
	for (int i = 1; i < 4; i++)
		ck_assert_int_eq(v.moves[i].loss.unit, LOSS_RESULT);
	ck_assert_double_eq(v.moves[2].loss.before, 1);
	ck_assert_double_eq(v.moves[2].loss.after, 0);
	ck_assert(facts_have(&v.moves[3].faults, FACT_ALLOWS));
	ck_assert(facts_have(&v.moves[3].reasons, FACT_STOPS));
	ck_assert_double_eq_tol(v.sides[BLACK].accuracy, 2.0 / 3, 1e-9);
	ck_assert_double_eq(v.sides[WHITE].accuracy, 0);
	review_free(&v);
	record_free(&r);
}
END_TEST

/* Passes after the end have numbers, too; a turn that somebody gave away has none. */
START_TEST(numbers_after_the_end)
{
	static const int numbers[] = { 1, 2, 3, 5, 6 };
	struct review v;
	struct record r;
	record_init(&r, game_sized(&game_go, 2, 2));
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(record_play_text(&r, i & 1, i ? "pass" : "a1"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&r, BLACK, "b2"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&r, BLACK, "pass"), MOVE_OK);
	review(&v, &r, "mcts", 100);
	ck_assert_int_eq(v.count, 5);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(v.moves[i].number, numbers[i]);
	review_free(&v);
	record_free(&r);
}
END_TEST

/* A review is as good as can be: the level at which the engine plays has no part in it. */
START_TEST(levels_do_not_matter)
{
	struct review full, own;
	struct record r;
	record_init(&r, &game_tictactoe);
	play(&r, "a1 c1 b2 a3 c3");
	review(&full, &r, "mcts", 20000);
	struct engine *e = engine_create_fixed("mcts", 20000);
	engine_options(e)->level = 1;
	ck_assert_msg(review_make(&own, e, &r, NULL, why), "%s", why);
	engine_destroy(e);
	ck_assert_int_eq(own.count, full.count);
	for (int i = 0; i < full.count; i++) {
		ck_assert_int_eq(own.moves[i].loss.size, full.moves[i].loss.size);
		ck_assert_double_eq(own.moves[i].loss.severity, full.moves[i].loss.severity);
	}
	review_free(&full);
	review_free(&own);
	record_free(&r);
}
END_TEST

/* A game without moves that count has no accuracy. */
START_TEST(forced)
{
	struct review v;
	struct record r;
	struct state s;
	record_init(&r, &game_tictactoe);
	ck_assert(!game_setup(r.game, &s, "XOXXOO.XO", "X"));
	record_setup(&r, &s);
	play(&r, "a3");
	review(&v, &r, "mcts", WORK);
	ck_assert_int_eq(v.count, 1);
	ck_assert(v.moves[0].is_forced);
	ck_assert(isnan(v.sides[BLACK].accuracy) && isnan(v.sides[WHITE].accuracy));
	review_free(&v);
	record_free(&r);
}
END_TEST

/* Black's score with perfect play. */
static int solve(const struct game *g, const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	if (s->over)
		return s->score;
	int best = 0, count = game_moves(g, s, moves);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		game_play(g, &next, moves[i]);
		int score = solve(g, &next);
		if (!i || side_sign(s->side) * score > side_sign(s->side) * best)
			best = score;
	}
	return best;
}

static void check_worth(const struct worth *w, int score)
{
	ck_assert_int_le(w->lower, score_sign(score));
	ck_assert_int_ge(w->upper, score_sign(score));
	if (w->exact)
		ck_assert_double_eq(w->score, score);
}

/* What a short search and the rest of a random game prove is true, though it is little. */
START_TEST(proofs_are_true)
{
	const struct game *g = _i % 2 ? &game_tictactoe
				      : game_sized(game_find("othello", NULL), 4, 4);
	struct record r;
	struct review v;
	struct rng rng;
	rng_seed(&rng, (uint64_t)_i);
	record_init(&r, g);
	while (!r.now.over)
		record_play(&r, record_draw(&r, &rng));
	review(&v, &r, "mcts", 10);
	for (int i = 0; i < v.count; i++) {
		struct state s;
		record_state(&r, v.moves[i].index, &s);
		if (game_free(g, &s) > (_i % 2 ? 9 : 6))
			continue;
		check_worth(&v.moves[i].before, solve(g, &s));
		game_play(g, &s, v.moves[i].move);
		check_worth(&v.moves[i].after, solve(g, &s));
	}
	review_free(&v);
	record_free(&r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("review");
	TCase *all = tcase_create("review");
	int count = 0;
	while (games[count])
		count++;
	tcase_add_loop_test(all, every_game, 0, count);
	tcase_add_test(all, tictactoe);
	tcase_add_test(all, numbers_after_the_end);
	tcase_add_test(all, levels_do_not_matter);
	tcase_add_test(all, forced);
	tcase_add_loop_test(all, proofs_are_true, 0, 40);
	suite_add_tcase(suite, all);
	return suite_run(suite);
}
