/* SPDX-License-Identifier: MIT
 *
 * Records: play, undo, copies, intermediate states.
 */
#include "engine/record.h"
#include "tests/suite.h"

START_TEST(play_and_undo)
{
	struct record r;
	record_init(&r, &game_tictactoe);
	ck_assert(!record_undo(&r));
	ck_assert_int_eq(record_play_text(&r, BLACK, "b2"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&r, BLACK, "a1"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&r, WHITE, "b2"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&r, WHITE, "pass"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&r, WHITE, "d1"), MOVE_MALFORMED);
	ck_assert_int_eq(record_play_text(&r, WHITE, "A1"), MOVE_OK);
	ck_assert_int_eq(r.count, 2);
	ck_assert(!record_undo_moves(&r, 3));
	ck_assert_int_eq(r.count, 2);
	ck_assert(record_undo(&r));
	ck_assert_int_eq(r.now.side, WHITE);
	ck_assert_uint_eq(r.now.board[WHITE], 0);
	ck_assert(record_undo(&r));
	ck_assert_uint_eq(r.now.hash, r.start.hash);
	record_free(&r);
}
END_TEST

START_TEST(passes_after_the_end)
{
	static const char *const texts[] = { "a1", "a2", "b1", "b2", "c1" };
	struct record r;
	record_init(&r, &game_tictactoe);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(record_play_text(&r, i & 1, texts[i]), MOVE_OK);
	ck_assert(r.now.over);
	ck_assert_int_eq(r.now.score, 1);
	ck_assert_int_eq(record_play_text(&r, WHITE, "c3"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&r, WHITE, "z9"), MOVE_MALFORMED);
	ck_assert_int_eq(record_play_text(&r, WHITE, "PASS"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&r, BLACK, "pass"), MOVE_OK);
	ck_assert_int_eq(r.count, 7);
	ck_assert(record_undo(&r) && record_undo(&r) && r.now.over);
	ck_assert(record_undo(&r) && !r.now.over);
	record_free(&r);
}
END_TEST

START_TEST(copies_and_states)
{
	struct record a, b;
	struct state s;
	record_init(&a, &game_tictactoe);
	record_init(&b, &game_tictactoe);
	record_play_text(&a, BLACK, "a1");
	record_play_text(&a, WHITE, "b2");
	record_copy(&b, &a);
	record_undo(&a);
	ck_assert_int_eq(b.count, 2);
	record_state(&b, 1, &s);
	ck_assert_uint_eq(s.hash, a.now.hash);
	ck_assert(record_undo(&b));
	ck_assert_uint_eq(b.now.hash, a.now.hash);
	ck_assert_ptr_null(game_setup(&game_tictactoe, &s, "xo.......", "x"));
	record_setup(&b, &s);
	ck_assert(!record_undo(&b));
	record_free(&a);
	record_free(&b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record");
	TCase *cases = tcase_create("record");
	tcase_add_test(cases, play_and_undo);
	tcase_add_test(cases, passes_after_the_end);
	tcase_add_test(cases, copies_and_states);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
