/* SPDX-License-Identifier: MIT
 *
 * Records: play, undo, copies, intermediate states.
 */
#include "engine/rules/komi.h"
#include "engine/rules/record.h"
#include "engine/rules/repetition.h"
#include "games/games.h"
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

/* Where a side may pass, passes after the end give the turn away, too. */
START_TEST(turns_after_the_end)
{
	struct record r;
	struct state s;
	record_init(&r, &game_go);
	for (int i = 0; i < 7; i++) {
		ck_assert_int_eq(r.now.side, i & 1);
		ck_assert_int_eq(record_play_text(&r, i & 1, "pass"), MOVE_OK);
		ck_assert_int_eq(r.now.over, i > 0);
		ck_assert(r.game->valid(r.game, &r.now));
	}
	for (int i = 0; i <= 7; i++) {
		record_state(&r, i, &s);
		ck_assert_int_eq(s.side, i & 1);
	}
	ck_assert(record_undo(&r));
	ck_assert_int_eq(r.now.side, BLACK);
	/* The same side once more. */
	ck_assert_int_eq(record_play_text(&r, WHITE, "pass"), MOVE_OK);
	ck_assert_int_eq(r.now.side, BLACK);
	ck_assert_int_eq(record_play_text(&r, BLACK, "d4"), MOVE_OK);
	ck_assert_int_eq(r.now.side, WHITE);
	ck_assert(!r.now.over);
	record_free(&r);
}
END_TEST

/* White captures two stones, and Black one in return: only superko forbids that. */
START_TEST(moves_that_repeat)
{
	struct record r;
	struct state start, then;
	struct move m;
	record_init(&r, game_sized(&game_go, 5, 5));
	ck_assert_ptr_null(game_setup(r.game, &start, "...............OOX...X.X.", "X"));
	record_setup(&r, &start);
	ck_assert_int_eq(record_follow_text(&r, BLACK, "a1"), MOVE_OK);
	ck_assert_int_eq(record_follow_text(&r, WHITE, "c1"), MOVE_OK);
	ck_assert_int_eq(record_parse(&r, "b1", &m), MOVE_REPEATS);
	ck_assert(!record_is_legal(&r, m));
	ck_assert_int_eq(record_play_text(&r, BLACK, "b1"), MOVE_REPEATS);
	ck_assert_int_eq(r.count, 2);
	/* Out of turn: the implied turn is taken back. */
	ck_assert_int_eq(record_play_text(&r, WHITE, "b1"), MOVE_OK);
	ck_assert(record_undo(&r));
	ck_assert_int_eq(record_follow_text(&r, BLACK, "c1"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_follow_text(&r, BLACK, "b1"), MOVE_REPEATS);
	ck_assert_int_eq(r.count, 3);
	ck_assert_uint_eq(r.game->repetition->key(r.game, &r.now, MOVE_NONE),
			  r.game->repetition->key(r.game, &start, MOVE_NONE));
	ck_assert_int_eq(record_follow_text(&r, WHITE, "e5"), MOVE_OK);
	record_state(&r, 4, &then);
	ck_assert_uint_eq(then.hash, r.now.hash);
	ck_assert(record_undo_moves(&r, 2));
	ck_assert_int_eq(record_parse(&r, "b1", &m), MOVE_REPEATS);
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

/* A position that is set up is a move that no side makes. Positions before it may occur again. */
START_TEST(set_ups)
{
	struct record r, copy;
	struct state s;
	record_init(&r, game_sized(&game_go, 3, 3));
	record_init(&copy, &game_tictactoe);
	ck_assert(record_set_komi(&r, 5));
	ck_assert_int_eq(record_play_text(&r, BLACK, "a1"), MOVE_OK);
	uint64_t first = r.now.hash, past = record_past(&r, 1);
	for (int i = 0; i < 2; i++) {
		ck_assert_ptr_null(game_setup(r.game, &s, ".........", "x"));
		ck_assert(record_play_setup(&r, &s));
		ck_assert_int_eq(r.game->komi->get(r.game, &r.now), 5);
		ck_assert_int_eq(record_last_setup(&r), r.count);
		ck_assert_int_eq(record_play_text(&r, BLACK, "a1"), MOVE_OK);
		ck_assert_uint_eq(r.now.hash, first);
		ck_assert_uint_eq(record_past(&r, r.count), past);
		ck_assert(!record_is_play(&r.moves[r.count - 2]));
	}
	ck_assert_int_eq(r.setup_count, 2);
	record_copy(&copy, &r);
	for (int i = 0; i <= r.count; i++) {
		record_state(&copy, i, &s);
		ck_assert_int_eq(s.side == BLACK, i % 2 == 0);
	}
	ck_assert(record_undo_moves(&r, 2));
	ck_assert_int_eq(r.setup_count, 1);
	ck_assert_uint_eq(r.now.hash, first);
	record_start_at(&copy, 2);
	ck_assert_int_eq(copy.count, 3);
	ck_assert_int_eq(record_last_setup(&copy), 2);
	ck_assert_uint_eq(copy.now.hash, first);
	record_start_at(&copy, 2);
	ck_assert(copy.count == 1 && copy.setup_count == 0);
	ck_assert(!record_undo_moves(&copy, 2) && record_undo(&copy));
	record_restart(&copy, &game_tictactoe);
	ck_assert_int_eq(record_last_setup(&copy), 0);
	record_free(&r);
	record_free(&copy);
}
END_TEST

/* Records of one game, whatever their komi and rules. */
START_TEST(beginnings)
{
	struct record r, other;
	record_init(&r, &game_go);
	record_init(&other, &game_go);
	ck_assert(record_begins_with(&r, &other));
	record_play_text(&r, BLACK, "c3");
	record_play_text(&r, WHITE, "d3");
	record_play_text(&other, BLACK, "c3");
	ck_assert(record_begins_with(&r, &other) && !record_begins_with(&other, &r));
	ck_assert(record_set_komi(&other, 3) && record_begins_with(&r, &other));
	record_play_text(&other, WHITE, "d3");
	ck_assert(record_begins_with(&r, &other) && record_begins_with(&other, &r));
	/* The same moves by the other sides. */
	other.moves[1].side = BLACK;
	ck_assert(!record_begins_with(&r, &other));
	record_restart(&other, game_of_size(&game_go, 19));
	ck_assert(!record_begins_with(&r, &other));
	record_restart(&other, &game_gomoku);
	record_restart(&r, &game_gomoku_standard);
	ck_assert(record_begins_with(&r, &other));
	record_free(&r);
	record_free(&other);
}
END_TEST

/* A draw by repetition does not depend on komi, which may change before it and behind it. */
START_TEST(komi_of_a_draw)
{
	static const char *const moves[] = { "c8", "b2", "pass", "b8", "c2", "pass" };
	struct record r;
	struct state s;
	record_init(&r, game_sized(game_find("go", "simple"), 9, 9));
	ck_assert_ptr_null(game_setup(r.game, &s,
				      ".XO......XO.O......XO........................"
				      "..........XO......X.XO......XO......",
				      "X"));
	record_setup(&r, &s);
	for (int i = 0; i < 13; i++) {
		ck_assert(!r.now.over);
		ck_assert(record_set_komi(&r, 10 + i));
		ck_assert_int_eq(record_play_text(&r, i & 1, moves[i % 6]), MOVE_OK);
	}
	ck_assert(r.now.over && r.now.score == 0);
	ck_assert(record_set_komi(&r, 3));
	ck_assert(r.now.over && r.now.score == 0);
	ck_assert_int_eq(r.game->komi->get(r.game, &r.now), 3);
	ck_assert(record_undo(&r) && !r.now.over);
	record_free(&r);
}
END_TEST

/* After a swap of sides the stone stays, White moves, and there is no swap any more. */
START_TEST(swap_of_sides)
{
	struct record r;
	record_init(&r, game_find("hex", NULL));
	ck_assert_int_eq(record_play_text(&r, BLACK, "a1"), MOVE_OK);
	uint64_t before = r.now.hash;
	record_play_sides(&r);
	ck_assert(r.count == 2 && r.now.side == WHITE && r.game->at(r.game, &r.now, 0, 0) == 'X');
	ck_assert(!game_can_swap(r.game, &r.now));
	ck_assert_int_eq(record_play_text(&r, WHITE, "b1"), MOVE_OK);
	ck_assert(record_undo(&r) && record_undo(&r));
	ck_assert_uint_eq(r.now.hash, before);
	ck_assert(game_can_swap(r.game, &r.now));
	record_free(&r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record");
	TCase *cases = tcase_create("record");
	tcase_add_test(cases, play_and_undo);
	tcase_add_test(cases, passes_after_the_end);
	tcase_add_test(cases, turns_after_the_end);
	tcase_add_test(cases, moves_that_repeat);
	tcase_add_test(cases, copies_and_states);
	tcase_add_test(cases, set_ups);
	tcase_add_test(cases, komi_of_a_draw);
	tcase_add_test(cases, swap_of_sides);
	tcase_add_test(cases, beginnings);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
