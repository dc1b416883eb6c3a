/* SPDX-License-Identifier: MIT
 *
 * Chains, their fates, and whose the other squares are once the dead stones are off the board.
 */
#include "engine/evaluation/ownership.h"
#include "games/games.h"
#include "tests/suite.h"

static const struct game *go_5;

static void set_up(struct state *s, const char *board)
{
	go_5 = game_sized(game_find("go", NULL), 5, 5);
	ck_assert_ptr_nonnull(go_5);
	ck_assert_ptr_null(game_setup(go_5, s, board, "X"));
}

START_TEST(chains_of_neighbors)
{
	struct state s;
	int chain[GAME_SQUARES_MAX];
	static const int expected[] = { 0,  0,  -1, 1, 1, -1, 0, 2, -1, 1, 3,  -1, -1,
					-1, -1, 3,  4, 4, -1, 5, 3, 3,  4, -1, -1 };
	set_up(&s, "XX.XX"
		   ".XO.X"
		   "X...."
		   "XOO.O"
		   "XXO..");
	ck_assert_int_eq(ownership_chains(go_5, &s, chain), 6);
	for (int i = 0; i < 25; i++)
		ck_assert_int_eq(chain[i], expected[i]);
}
END_TEST

/* A chain's fate is the mean of its squares' owners. */
START_TEST(fates_by_owners)
{
	struct state s;
	int chain[GAME_SQUARES_MAX];
	double owner[GAME_SQUARES_MAX] = { 0 };
	enum fate fates[GAME_SQUARES_MAX];
	set_up(&s, "XX..."
		   "....."
		   "OO.O."
		   "....."
		   "X....");
	int count = ownership_chains(go_5, &s, chain);
	ck_assert_int_eq(count, 4);
	owner[0] = 1;
	owner[1] = -0.5;
	owner[10] = owner[11] = 0.9;
	owner[13] = -0.9;
	owner[20] = 0.1;
	ownership_fates(go_5, &s, owner, chain, count, fates);
	ck_assert_int_eq(fates[0], FATE_ALIVE);
	ck_assert_int_eq(fates[1], FATE_DEAD);
	ck_assert_int_eq(fates[2], FATE_ALIVE);
	ck_assert_int_eq(fates[3], FATE_SEKI);
}
END_TEST

START_TEST(regions_by_sides)
{
	enum { B = 1 << BLACK, W = 1 << WHITE, BOTH = B | W };
	static const unsigned expected[] = { B, 0, BOTH, 0, W, B, 0, BOTH, 0, W,    B, 0, BOTH,
					     0, W, B,    0, 0, 0, W, 0,    0, BOTH, 0, W };
	struct state s;
	int chain[GAME_SQUARES_MAX];
	unsigned sides[GAME_SQUARES_MAX];
	enum fate fates[GAME_SQUARES_MAX] = { FATE_ALIVE };
	/* White's stone in the corner and Black's on the right side are dead. */
	set_up(&s, "OX.O."
		   ".X.O."
		   ".X.OX"
		   ".XXO."
		   "XX.O.");
	int count = ownership_chains(go_5, &s, chain);
	for (int i = 0; i < count; i++)
		fates[i] = FATE_ALIVE;
	fates[chain[0]] = fates[chain[14]] = FATE_DEAD;
	ownership_regions(go_5, &s, chain, fates, sides);
	for (int i = 0; i < 25; i++)
		ck_assert_msg(sides[i] == expected[i], "square %d: %u", i, sides[i]);
	/* No stone stays. */
	set_up(&s, ".........................");
	count = ownership_chains(go_5, &s, chain);
	ck_assert_int_eq(count, 0);
	ownership_regions(go_5, &s, chain, fates, sides);
	for (int i = 0; i < 25; i++)
		ck_assert_uint_eq(sides[i], BOTH);
}
END_TEST

/* Squares of the drawn board that are not on the hexagon have no chains and no sides. */
START_TEST(squares_off_the_board)
{
	const struct game *g = game_of_size(game_find("havannah", NULL), 4);
	struct state s;
	int chain[GAME_SQUARES_MAX];
	unsigned sides[GAME_SQUARES_MAX];
	enum fate fates[GAME_SQUARES_MAX] = { FATE_ALIVE };
	g->start(g, &s);
	ck_assert_int_eq(ownership_chains(g, &s, chain), 0);
	ownership_regions(g, &s, chain, fates, sides);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		ck_assert_uint_eq(sides[i], game_has_square(g, i) ? 1 << BLACK | 1 << WHITE : 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ownership");
	TCase *cases = tcase_create("ownership");
	tcase_add_test(cases, chains_of_neighbors);
	tcase_add_test(cases, fates_by_owners);
	tcase_add_test(cases, regions_by_sides);
	tcase_add_test(cases, squares_off_the_board);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
