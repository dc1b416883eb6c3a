/* SPDX-License-Identifier: MIT
 *
 * Every search at the limits of a game: a board of 19x19, 512 moves to choose from, and step codes up to the highest.
 *
 * In the game of this test each side names a number from 0 to 511, White not the same as Black. The number with the
 * higher rank wins. So one first move wins, and every answer to another one that ranks higher.
 */
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "engine/search/game_check.h"
#include "tests/engine/fixture.h"

enum { SIDE = 19, NUMBERS = GAME_STEPS_MAX, LOWEST = GAME_CODES_MAX - NUMBERS };

static const struct game numbers;

/* A permutation, because the factor is odd. */
static int rank_of(int number)
{
	return number * 167 % NUMBERS;
}

/* What a side has named, or -1. */
static int named(const struct state *s, int side)
{
	return (int)s->board[side] - 1;
}

static void start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->hash = state_hash(s);
}

static const char *setup_none(const struct game *g, struct state *s, const char *squares, int side)
{
	start(g, s);
	return side == BLACK && !strpbrk(squares, "XO") ? NULL : "only the empty board";
}

static int moves(const struct game *g, const struct state *s, move_t *out)
{
	int count = 0;
	for (int i = 0; i < NUMBERS; i++)
		if (i != named(s, BLACK))
			out[count++] = (move_t)(LOWEST + i);
	return count;
}

static void play(const struct game *g, struct state *s, move_t step)
{
	s->board[s->side] = (uint64_t)(step - LOWEST) + 1;
	s->over = s->side == WHITE;
	if (s->over)
		s->score = rank_of(named(s, BLACK)) > rank_of(named(s, WHITE)) ? 1 : -1;
	s->side ^= 1;
	s->hash = state_hash(s);
}

static void format(const struct game *g, const struct state *s, struct move m,
		   char text[MOVE_TEXT_MAX])
{
	snprintf(text, MOVE_TEXT_MAX, "%d", m.step[0] - LOWEST);
}

static enum move_check parse(const struct game *g, const struct state *s, const char *text,
			     struct move *m)
{
	int number = atoi(text);
	if (number < 0 || number >= NUMBERS || text[strspn(text, "0123456789")])
		return MOVE_MALFORMED;
	*m = move_single((move_t)(LOWEST + number));
	return number == named(s, BLACK) ? MOVE_ILLEGAL : MOVE_OK;
}

static char at(const struct game *g, const struct state *s, int row, int col)
{
	int square = SIDE * row + col;
	return square == named(s, BLACK) ? 'X' : square == named(s, WHITE) ? 'O' : '.';
}

static bool valid(const struct game *g, const struct state *s)
{
	return s->hash == state_hash(s);
}

static const struct game numbers = {
	.name = "numbers",
	.title = "Numbers",
	.rules = "standard",
	.board = { .rows = SIDE, .cols = SIDE },
	.steps = { .codes = GAME_CODES_MAX,
		   .choices = NUMBERS,
		   .length = 2,
		   .per_move = 1,
		   .pass = MOVE_NONE },
	.score = { .most = 1, .no_draws = true },
	.start = start,
	.setup = setup_none,
	.moves = moves,
	.play = play,
	.parse = parse,
	.format = format,
	.at = at,
	.valid = valid,
	.words = &(const struct words) { .guide = "Name a number.\n" },
	.tuning = &(const struct tuning) { .search = "mcts" },
};

static struct report report;

static const struct {
	const char *search, *rave, *threads;
	bool proves;
} searches[] = {
	{ "montecarlo", "0", "1", false },
	{ "mcts", "0", "1", true },
	{ "mcts", "0", "3", true },
	{ "mcts", "300", "1", true },
	{ "alphabeta-plain", "0", "1", true },
	{ "alphabeta", "0", "1", true },
	{ "dfpn", "0", "1", true },
	{ "dfpn", "0", "3", true },
	{ "dfpn+mcts", "0", "1", true },
	{ "union", "0", "1", true },
};
#define SEARCHES ((int)(sizeof searches / sizeof searches[0]))

static void setup(void)
{
	fixture_create("mcts");
	record_restart(&record, &numbers);
}

/* Searches the position and compares the answer with the truth: the number of the highest rank is the only winning
 * first move; against any other one White wins with each number that ranks higher. */
static void search_and_check(int i)
{
	int side = record.now.side, best = -1;
	set("search", searches[i].search);
	set("rave", searches[i].rave);
	set("threads", searches[i].threads);
	search_within((struct limits) { .deadline = TIME_NEVER, .work_max = 2000000 }, &report);
	best = report.line[0].step[0] - LOWEST;
	if (side == WHITE)
		ck_assert_int_gt(rank_of(best), rank_of(named(&record.now, BLACK)));
	else
		ck_assert_int_eq(rank_of(best), NUMBERS - 1);
	if (searches[i].proves) {
		ck_assert_int_eq(report.lower, side_sign(side));
		ck_assert_int_eq(report.upper, side_sign(side));
	}
}

START_TEST(is_a_game)
{
	ck_assert_ptr_null(game_check(&numbers));
}
END_TEST

/* The first move, and answers to numbers of middle rank and of the last but one. */
START_TEST(finds_the_number)
{
	search_and_check(_i);
	for (int number = 0; number < NUMBERS; number++) {
		if (rank_of(number) != NUMBERS / 2 && rank_of(number) != NUMBERS - 2)
			continue;
		record_restart(&record, &numbers);
		record_play(&record, move_single((move_t)(LOWEST + number)));
		search_and_check(_i);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("limits");
	TCase *cases = tcase_create("limits");
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_test(cases, is_a_game);
	tcase_add_loop_test(cases, finds_the_number, 0, SEARCHES);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
