/* SPDX-License-Identifier: MIT
 *
 * What Go knows of moves without a search: shapes, what a move does at a glance, the answers in heavy playouts, and
 * the hints for a tree.
 */
#include <string.h>

#include "engine/rules/komi.h"
#include "engine/rules/playouts.h"
#include "games/go/go_board.h"
#include "games/go/go_pattern.h"
#include "tests/suite.h"

/* Sets up a board from rows of squares. */
static void board_set(struct go_board *b, int size, const char *squares)
{
	uint64_t sets[2][GO_SET_WORDS] = { 0 };
	for (int i = 0; i < size * size; i++)
		if (squares[i] != '.')
			sets[squares[i] == 'O'][i / 64] |= UINT64_C(1) << i % 64;
	go_board_set(b, size, sets[BLACK], sets[WHITE]);
}

/* The point of a square; row 0 is the top row. */
static int point_of(int size, int square)
{
	return go_point(size, square / size, square % size);
}

static uint32_t code_of(const char *around)
{
	uint32_t code = 0;
	for (int i = 0; i < GO_PATTERN_POINTS; i++) {
		const char *found = strchr("XO.#", around[i]);
		code |= (uint32_t)(found - "XO.#") << 2 * i;
	}
	return code;
}

/* The eight points around the move, row by row. */
START_TEST(shapes)
{
	static const struct {
		const char *around;
		bool black, white;
	} known[] = {
		{ "........", false, false }, { "X.......", false, false },
		{ "XXXXXXXX", false, false }, { "###.....", false, false },
		{ "XOX.....", true, true }, /* hane between two stones */
		{ "XO......", true, true }, /* hane */
		{ ".OX.....", true, true },   { "OX......", true, true },
		{ "..X.O...", true, true }, /* the same, turned */
		{ "XOO.....", true, false },  { "OXX.....", false, true },
		{ "XO.O....", true, true },   /* a cut */
		{ "XO.O...O", true, true },   /* the far corner does not matter */
		{ "XO.OO.O.", false, false }, /* O is joined on both sides */
		{ ".X.OO...", true, true },   /* a cut from the side */
		{ ".X..O###", true, true },   /* at the border */
		{ ".X..O###", true, true },   { "...X.###", false, false },
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		uint32_t code = code_of(known[i].around);
		ck_assert_msg(go_pattern_has(BLACK, code) == known[i].black, "%s for Black",
			      known[i].around);
		ck_assert_msg(go_pattern_has(WHITE, code) == known[i].white, "%s for White",
			      known[i].around);
	}
}
END_TEST

/* Exchanges the colours of a code. */
static uint32_t code_inverse(uint32_t code)
{
	uint32_t inverse = 0;
	for (int i = 0; i < GO_PATTERN_POINTS; i++) {
		uint32_t content = code >> 2 * i & 3;
		inverse |= (content < GO_EMPTY ? content ^ 1 : content) << 2 * i;
	}
	return inverse;
}

/* Turns a code by a quarter. */
static uint32_t code_turned(uint32_t code)
{
	static const int from[GO_PATTERN_POINTS] = { 5, 3, 0, 6, 1, 7, 4, 2 };
	uint32_t turned = 0;
	for (int i = 0; i < GO_PATTERN_POINTS; i++)
		turned |= (code >> 2 * from[i] & 3) << 2 * i;
	return turned;
}

START_TEST(shapes_are_symmetric)
{
	int count = 0;
	bool fair = true, turns = true;
	for (uint32_t code = 0; code < GO_PATTERN_CODES; code++)
		for (int side = BLACK; side <= WHITE; side++) {
			bool has = go_pattern_has(side, code);
			count += has;
			fair &= has == go_pattern_has(side ^ 1, code_inverse(code));
			turns &= has == go_pattern_has(side, code_turned(code));
		}
	ck_assert(fair);
	ck_assert(turns);
	/* Neither rare nor usual. */
	ck_assert_int_gt(count, GO_PATTERN_CODES / 20);
	ck_assert_int_lt(count, GO_PATTERN_CODES);
}
END_TEST

static unsigned look(const char *squares, int square, int side)
{
	static struct go_board b;
	board_set(&b, 5, squares);
	return go_board_look(&b, point_of(5, square), side) & ~(unsigned)GO_MOVE_SHAPE;
}

START_TEST(looks)
{
	const char *atari = "XO..."
			    "XO..."
			    ".X..."
			    "....."
			    "....O";
	const char *closed = "XO.X."
			     "XOX.."
			     ".X..."
			     "....."
			     "....O";
	const char *open = "XO..."
			   "XOX.."
			   ".X..."
			   "....."
			   "....O";
	const char *eyes = ".X.XO"
			   "XXXXO"
			   "OOOOO"
			   "....."
			   ".....";
	/* White's chain has two liberties, at the squares 2 and 7. */
	ck_assert_uint_eq(look(atari, 2, BLACK), 0);
	ck_assert_uint_eq(look(atari, 7, BLACK), 0);
	/* It has one. It can leave atari only if the move brings another. */
	ck_assert_uint_eq(look(closed, 2, BLACK), GO_MOVE_CAPTURES);
	ck_assert_uint_eq(look(open, 2, WHITE), GO_MOVE_SELF_ATARI);
	ck_assert_uint_eq(look("XO....OX..XX............O", 2, WHITE), 0);
	ck_assert_uint_eq(look("XX...XOX...............OO", 11, WHITE), GO_MOVE_SAVES);
	/* A stone in the corner captures, so it is no self-atari. */
	ck_assert_uint_eq(look(".OX..OX...X..............", 0, BLACK), GO_MOVE_CAPTURES);
	ck_assert_uint_eq(look(".X.......................", 0, WHITE), GO_MOVE_SELF_ATARI);
	ck_assert_uint_eq(look(".X.......................", 5, WHITE), 0);
	for (int square = 0; square <= 2; square += 2) {
		ck_assert_uint_eq(look(eyes, square, BLACK) & GO_MOVE_EYE, GO_MOVE_EYE);
		ck_assert_uint_eq(look(eyes, square, WHITE) & GO_MOVE_EYE, 0);
	}
}
END_TEST

/* In how many of 100 heavy playouts, where the other side has just played on `last`, this side is the first to play on
 * a square. */
static int answers(const char *squares, int side, int last, int square)
{
	static struct go_board b;
	struct trace trace;
	struct rng rng;
	int count = 0;
	rng_seed(&rng, 3);
	for (int i = 0; i < 100; i++) {
		board_set(&b, 5, squares);
		go_board_heavy(&b, side, 0, last < 0 ? 0 : point_of(5, last), &rng, &trace);
		count += (int)(trace.made[side][square / 64] >> square % 64 & 1);
	}
	return count;
}

START_TEST(answers_atari)
{
	const char *caught = "....."
			     ".X..."
			     "XO..."
			     ".X..."
			     ".....";
	/* A stone that put itself into atari is captured; one that was put into atari escapes. */
	ck_assert_int_eq(answers(caught, BLACK, 11, 12), 100);
	ck_assert_int_eq(answers(caught, WHITE, 16, 12), 100);
	/* The last move was elsewhere, or is unknown. */
	ck_assert_int_lt(answers(caught, BLACK, 24, 12), 100);
	ck_assert_int_lt(answers(caught, BLACK, -1, 12), 100);
}
END_TEST

/* On every size: a game ends with a score that fits its description, and leaves the stones of before or captures
 * them. */
START_TEST(games_are_sound)
{
	struct rng rng;
	rng_seed(&rng, 8);
	for (int size = GO_SIZE_MIN; size <= GO_SIZE_MAX; size++) {
		const struct game *g = game_sized(&game_go, size, size);
		for (int n = 0; n < 20; n++) {
			struct state s;
			struct trace t;
			move_t steps[GAME_STEPS_MAX], last = MOVE_NONE;
			int margin = 0;
			g->start(g, &s);
			for (int i = 0; i < n * size * size / 20 && !s.over; i++) {
				int count = g->moves(g, &s, steps);
				last = steps[rng_below(&rng, (uint32_t)count)];
				g->play(g, &s, last);
			}
			if (s.over)
				continue;
			int score = g->playouts->heavy(g, &s, last, &rng, &t);
			for (int i = 0; i < size * size; i++)
				margin += t.owner[i];
			ck_assert_int_eq(score, 2 * margin - g->komi->get(g, &s));
			for (int k = 0; k < TRACE_CODES / 64; k++)
				ck_assert(!(t.made[BLACK][k] & t.made[WHITE][k]));
			ck_assert(!(t.made[BLACK][g->steps.pass / 64] >> g->steps.pass % 64 & 1));
		}
	}
}
END_TEST

/* A pass ranks below all moves but the filling of eyes, until the other side has passed. A capture ranks first. */
START_TEST(hints)
{
	const struct game *g = game_sized(&game_go, 5, 5);
	struct prior found[26];
	move_t steps[26];
	struct state s;
	const char *squares = "....."
			      ".X..."
			      "XO..."
			      ".X..."
			      "....O";
	ck_assert_ptr_null(g->setup(g, &s, squares, BLACK));
	int count = g->moves(g, &s, steps);
	g->playouts->prior(g, &s, 24, steps, count, found);
	for (int i = 0; i < count; i++) {
		ck_assert_float_gt(found[i].playouts, 0);
		ck_assert(found[i].mean >= -1 && found[i].mean <= 1);
		if (steps[i] != g->steps.pass)
			ck_assert_float_gt(found[i].mean, found[count - 1].mean);
		if (steps[i] != 12)
			ck_assert_float_lt(found[i].mean, found[12 - 3].mean);
	}
	float before = found[count - 1].mean;
	g->playouts->prior(g, &s, g->steps.pass, steps, count, found);
	ck_assert_float_gt(found[count - 1].mean, before);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("go_heavy");
	TCase *cases = tcase_create("go_heavy");
	tcase_add_test(cases, shapes);
	tcase_add_test(cases, shapes_are_symmetric);
	tcase_add_test(cases, looks);
	tcase_add_test(cases, answers_atari);
	tcase_add_test(cases, games_are_sound);
	tcase_add_test(cases, hints);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
