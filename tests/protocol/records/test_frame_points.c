/* SPDX-License-Identifier: MIT
 *
 * GoGui's frame for Pentago: every step has one point, and every point of the board one step or none.
 */
#include "protocol/records/frame_points.h"

#include "tests/suite.h"

START_TEST(only_pentago_is_framed)
{
	for (int i = 0; games[i]; i++)
		ck_assert_int_eq(frame_fits(games[i]), game_is_variant(games[i], &game_pentago));
}
END_TEST

START_TEST(steps_and_points)
{
	const struct game *g = &game_pentago;
	int row, col, used = 0;
	for (int i = 0; i < g->steps.codes; i++) {
		frame_point(g, (move_t)i, &row, &col);
		bool is_edge = row == 0 || col == 0 || row == FRAME_SIZE - 1 ||
			       col == FRAME_SIZE - 1;
		ck_assert_int_eq(frame_is_turn(g, (move_t)i), is_edge);
		ck_assert_int_eq(frame_step(g, row, col), i);
	}
	for (row = -1; row <= FRAME_SIZE; row++)
		for (col = -1; col <= FRAME_SIZE; col++)
			used += frame_step(g, row, col) != MOVE_NONE;
	ck_assert_int_eq(used, g->steps.codes);
	ck_assert_int_eq(frame_step(g, 0, 0), MOVE_NONE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("frame_points");
	TCase *cases = tcase_create("frame_points");
	tcase_add_test(cases, only_pentago_is_framed);
	tcase_add_test(cases, steps_and_points);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
