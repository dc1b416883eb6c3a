/* SPDX-License-Identifier: MIT
 *
 * The lines through squares, compared with a walk from each square.
 */
#include "engine/evaluation/lines.h"

#include <string.h>

#include "engine/evaluation/board_net.h"
#include "tests/suite.h"

#define OFF 3

static const int ways[LINES_DIRECTIONS][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };

/* 0: empty, 1: own, 2: other, OFF. */
static int kind_at(const struct game *g, const uint8_t *seen, int row, int col)
{
	if (row < 0 || row >= g->board.rows || col < 0 || col >= g->board.cols ||
	    !seen[row * g->board.cols + col])
		return OFF;
	int stone = seen[row * g->board.cols + col] & (BOARD_NET_OWN | BOARD_NET_OTHER);
	return stone == BOARD_NET_OTHER ? 2 : stone == BOARD_NET_OWN;
}

/* The way down the tree along one side of a square. */
static unsigned walk(const struct game *g, const uint8_t *seen, int row, int col, int down,
		     int right)
{
	unsigned arm = 0;
	for (int i = 1; i <= LINES_ARM; i++) {
		int kind = kind_at(g, seen, row + i * down, col + i * right);
		if (kind == OFF)
			break;
		arm = 3 * arm + 1 + (unsigned)kind;
	}
	return arm;
}

static void look_at_random(const struct game *g, struct rng *rng, uint8_t *seen)
{
	static const uint8_t kinds[] = { 0, BOARD_NET_SQUARE, BOARD_NET_SQUARE,
					 BOARD_NET_SQUARE | BOARD_NET_OWN,
					 BOARD_NET_SQUARE | BOARD_NET_OTHER | BOARD_NET_SIGN };
	/* Some boards have holes. */
	uint32_t holes = rng_below(rng, 2);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		seen[i] = kinds[holes + rng_below(rng, (uint32_t)(5 - holes))];
}

START_TEST(lines_are_walks)
{
	const struct game *const shown[] = { &game_gomoku, game_of_size(&game_gomoku, 20),
					     &game_connectfour, &game_tictactoe, NULL };
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; shown[i]; i++)
		for (int n = 0; n < 20; n++) {
			const struct game *g = shown[i];
			uint8_t seen[GAME_SQUARES_MAX];
			lines_of_square lines[GAME_SQUARES_MAX];
			look_at_random(g, &rng, seen);
			lines_find(g, seen, lines);
			for (int at = 0; at < g->board.rows * g->board.cols; at++) {
				int row = at / g->board.cols, col = at % g->board.cols,
				    kind = kind_at(g, seen, row, col);
				for (int d = 0; kind != OFF && d < LINES_DIRECTIONS; d++) {
					int down = ways[d][0], right = ways[d][1];
					unsigned a = walk(g, seen, row, col, down, right),
						 b = walk(g, seen, row, col, -down, -right),
						 most = a > b ? a : b, least = a > b ? b : a;
					ck_assert_uint_eq(lines[at][d],
							  (unsigned)kind * LINES_PAIRS +
								  most * (most + 1) / 2 + least);
				}
			}
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lines");
	TCase *cases = tcase_create("lines");
	tcase_add_test(cases, lines_are_walks);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
