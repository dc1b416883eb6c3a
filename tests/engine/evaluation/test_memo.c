/* SPDX-License-Identifier: MIT
 *
 * What a memo recalls is what was kept, and a search finds the same with a memo as without.
 */
#include <string.h>

#include "engine/evaluation/memo.h"
#include "tests/engine/fixture.h"

static struct memo *memo;
static struct evaluation kept[64];
static move_t steps[GAME_STEPS_MAX];

static void close_memo(void)
{
	memo_close(memo);
	memo = NULL;
}

/* The key of the state of Tic-tac-toe after `number` moves from left to right, which leave 9 - number steps. */
static uint64_t key_of(uint64_t weights, int number)
{
	struct state s;
	game_tictactoe.start(&game_tictactoe, &s);
	for (int i = 0; i < number; i++)
		game_tictactoe.play(&game_tictactoe, &s, (move_t)i);
	return memo_key(weights, &s, steps, game_tictactoe.moves(&game_tictactoe, &s, steps));
}

START_TEST(recalls_what_was_kept)
{
	struct evaluation e;
	ck_assert(memo_open(&memo, 1 << 20, 9));
	for (int i = 0; i < 6; i++) {
		uint64_t key = key_of(1, i);
		int count = 9 - i;
		ck_assert(!memo_recall(memo, key, count, &e));
		kept[i].value = (float)i / 10;
		for (int k = 0; k < count; k++)
			kept[i].priors[k] = (float)(i + k);
		memo_keep(memo, key, count, &kept[i]);
	}
	for (int i = 0; i < 6; i++) {
		int count = 9 - i;
		ck_assert(memo_recall(memo, key_of(1, i), count, &e));
		ck_assert(e.value == kept[i].value && e.values[count - 1] == kept[i].value);
		ck_assert_mem_eq(e.priors, kept[i].priors, (size_t)count * sizeof *e.priors);
		/* Other weights or other legal steps are something else. */
		ck_assert(!memo_recall(memo, key_of(2, i), count, &e));
		struct state s;
		game_tictactoe.start(&game_tictactoe, &s);
		ck_assert_uint_ne(memo_key(1, &s, steps, 3), memo_key(1, &s, steps, 2));
	}
	/* The same memo stays; one of another kind is empty. */
	ck_assert(memo_open(&memo, 1 << 20, 9));
	ck_assert(memo_recall(memo, key_of(1, 0), 9, &e));
	ck_assert(memo_open(&memo, 1 << 19, 9));
	ck_assert(!memo_recall(memo, key_of(1, 0), 9, &e));
}
END_TEST

START_TEST(the_newest_one_stays)
{
	struct evaluation e;
	ck_assert(memo_open(&memo, 64, 9)); /* one entry */
	for (int i = 0; i < 6; i++) {
		memo_keep(memo, key_of(1, i), 9 - i, &kept[i]);
		ck_assert(memo_recall(memo, key_of(1, i), 9 - i, &e));
		ck_assert(!i || !memo_recall(memo, key_of(1, i - 1), 10 - i, &e));
	}
	ck_assert(memo_open(&memo, 10, 9));
	ck_assert_ptr_null(memo);
}
END_TEST

/* Some searches of a game, with a copy of the evaluator that remembers or does not. */
static void play(const struct game *g, bool remembers, struct report *reports, int count)
{
	struct game copy = *g;
	struct evaluator e = *g->evaluator;
	e.remembers = remembers;
	copy.evaluator = &e;
	fixture_create("mcts");
	record_restart(&record, &copy);
	for (int i = 0; i < count; i++) {
		search_within((struct limits) { .deadline = TIME_NEVER, .work_max = 600 },
			      &reports[i]);
		record_play(&record, reports[i].line[0]);
	}
	fixture_destroy();
}

START_TEST(changes_no_search)
{
	enum { MOVES = 4 };
	static struct report with[MOVES], without[MOVES];
	const struct game *g = _i ? game_sized(&game_hex, 7, 7) : &game_connectfour;
	play(g, true, with, MOVES);
	play(g, false, without, MOVES);
	for (int i = 0; i < MOVES; i++) {
		ck_assert_int_eq(with[i].move_count, without[i].move_count);
		ck_assert_double_eq(with[i].value, without[i].value);
		for (int k = 0; k < with[i].move_count; k++)
			ck_assert_uint_eq(with[i].moves[k].visits, without[i].moves[k].visits);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("memo");
	TCase *cases = tcase_create("memo");
	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, NULL, close_memo);
	tcase_add_test(cases, recalls_what_was_kept);
	tcase_add_test(cases, the_newest_one_stays);
	tcase_add_loop_test(cases, changes_no_search, 0, 2);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
