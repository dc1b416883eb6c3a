/* SPDX-License-Identifier: MIT
 *
 * Nine men's morris: known counts; every rule against a plain, slow referee that shares no code with the game; both draws; the
 * most moves of a position.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/perft.h"
#include "engine/rules/record.h"
#include "engine/rules/square.h"
#include "tests/games/move_texts.h"
#include "tests/suite.h"

#define SIDE      7 /* of the grid that has the points */
#define MOVES     512
#define QUIET_MAX 100

static const struct game *const g = &game_morris;

/* The rows of the board between the hands. */
#define THREE_EACH   ":X::.::.:::X:.:.:::::X..::::...:...::::O..:::::O:.:.:::O::.::.:"
#define TWO_OF_WHITE ":X::.::.:::X:.:.:::::X..::::...:...::::O..:::::O:.:.:::.::.::.:"

/* --- the referee: points are those of a grid of 7x7 around its centre --- */

struct referee {
	char at[SIDE][SIDE]; /* [column][row], row 0 at the bottom; ' ' off the board */
	int hand[2], side, score, quiet;
	bool over;
};

struct text_list {
	char text[MOVES][MOVE_TEXT_MAX];
	int count;
};

/* The ring of a point, 1 to 3; 0: there is no point. */
static int ring_of(int col, int row)
{
	int right = abs(col - 3), up = abs(row - 3), ring = right > up ? right : up;
	return (right == 0 || right == ring) && (up == 0 || up == ring) ? ring : 0;
}

/* Two points are linked if they follow each other on a ring, or on one of the four lines across the rings. */
static bool are_linked(int col, int row, int to_col, int to_row)
{
	int from = ring_of(col, row), to = ring_of(to_col, to_row);
	int right = abs(col - to_col), up = abs(row - to_row);
	if (!from || !to)
		return false;
	if (from == to)
		return right + up == from;
	return right + up == 1 && (col == 3 || row == 3);
}

/* Returns true if a man on the point is in a mill in the direction of columns or rows. */
static bool is_mill_along(const struct referee *r, int col, int row, bool across)
{
	char man = r->at[col][row];
	int count = 0, begin = 0, end = SIDE, fixed = across ? row : col, at = across ? col : row;
	/* The middle lines have a gap. */
	if (fixed == 3)
		begin = at < 3 ? 0 : 4, end = at < 3 ? 3 : 7;
	for (int i = begin; i < end; i++)
		count += (across ? r->at[i][row] : r->at[col][i]) == man;
	return count == 3;
}

static bool is_mill(const struct referee *r, int col, int row)
{
	return is_mill_along(r, col, row, true) || is_mill_along(r, col, row, false);
}

static int men_of(const struct referee *r, int side)
{
	int count = r->hand[side];
	for (int i = 0; i < SIDE * SIDE; i++)
		count += r->at[i / SIDE][i % SIDE] == "XO"[side];
	return count;
}

static void add_text(struct text_list *list, const char *text, int col, int row)
{
	if (col < 0)
		snprintf(list->text[list->count++], MOVE_TEXT_MAX, "%.8s", text);
	else
		snprintf(list->text[list->count++], MOVE_TEXT_MAX, "%.8s%c%d", text, 'A' + col,
			 (row + 1) % 10);
}

/* Appends a move whose man stands on its new point, with each removal that it may choose. */
static void add_removals(const struct referee *r, int col, int row, const char *text,
			 struct text_list *list)
{
	char enemy = "OX"[r->side];
	bool has_free = false, has_any = false;
	for (int i = 0; i < SIDE * SIDE; i++)
		if (r->at[i / SIDE][i % SIDE] == enemy) {
			has_any = true;
			has_free |= !is_mill(r, i / SIDE, i % SIDE);
		}
	if (!is_mill(r, col, row) || !has_any) {
		add_text(list, text, -1, -1);
		return;
	}
	for (int i = 0; i < SIDE * SIDE; i++)
		if (r->at[i / SIDE][i % SIDE] == enemy &&
		    !(has_free && is_mill(r, i / SIDE, i % SIDE)))
			add_text(list, text, i / SIDE, i % SIDE);
}

/* Puts a man of the side on a point and appends the moves that this makes. */
static void add_arrivals(struct referee r, int col, int row, const char *begun,
			 struct text_list *list)
{
	char text[MOVE_TEXT_MAX];
	snprintf(text, sizeof text, "%.4s%c%d", begun, 'A' + col, (row + 1) % 10);
	r.at[col][row] = "XO"[r.side];
	add_removals(&r, col, row, text, list);
}

static void referee_moves(const struct referee *r, struct text_list *list)
{
	bool places = r->hand[r->side] > 0, flies = men_of(r, r->side) == 3;
	list->count = 0;
	for (int from = 0; from < SIDE * SIDE; from++) {
		struct referee lifted = *r;
		char text[MOVE_TEXT_MAX] = "";
		int col = from / SIDE, row = from % SIDE;
		if (places ? from > 0 : r->at[col][row] != "XO"[r->side])
			continue;
		if (!places) {
			lifted.at[col][row] = '.';
			snprintf(text, sizeof text, "%c%d", 'A' + col, (row + 1) % 10);
		}
		for (int to = 0; to < SIDE * SIDE; to++)
			if (r->at[to / SIDE][to % SIDE] == '.' &&
			    (places || flies || are_linked(col, row, to / SIDE, to % SIDE)))
				add_arrivals(lifted, to / SIDE, to % SIDE, text, list);
	}
}

static void referee_judge(struct referee *r)
{
	static struct text_list list;
	referee_moves(r, &list);
	bool lost = men_of(r, r->side) < 3 || !list.count;
	r->over = lost || r->quiet == QUIET_MAX;
	r->score = lost ? -side_sign(r->side) : 0;
}

static void referee_begin(struct referee *r)
{
	*r = (struct referee) { .hand = { 9, 9 } };
	for (int i = 0; i < SIDE * SIDE; i++)
		r->at[i / SIDE][i % SIDE] = ring_of(i / SIDE, i % SIDE) ? '.' : ' ';
}

static void referee_play(struct referee *r, const char *text)
{
	int points = (int)strlen(text) / 2, used = r->hand[r->side] ? 1 : 2;
	const char *to = text + 2 * (used - 1);
	r->quiet = used == 2 && points == 2 ? r->quiet + 1 : 0;
	if (used == 2)
		r->at[text[0] - 'A'][text[1] - '1'] = '.';
	else
		r->hand[r->side]--;
	r->at[to[0] - 'A'][to[1] - '1'] = "XO"[r->side];
	if (points > used)
		r->at[to[2] - 'A'][to[3] - '1'] = '.';
	r->side ^= 1;
	referee_judge(r);
}

static int hand_of(const struct state *s, int row)
{
	int count = 0;
	for (int col = 0; col < g->board.cols; col++)
		count += g->at(g, s, row, col) != '.';
	return count;
}

static bool agrees(const struct referee *r, const struct state *s)
{
	bool same = s->side == r->side && s->over == r->over && s->score == r->score &&
		    g->valid(g, s) && !s->pending;
	for (int i = 0; i < SIDE * SIDE; i++) {
		char name[] = { (char)('A' + i / SIDE), (char)('1' + i % SIDE), '\0' };
		int row, col;
		bool is_point = square_parse(g, name, &row, &col);
		same &= is_point == (r->at[i / SIDE][i % SIDE] != ' ');
		if (is_point)
			same &= g->at(g, s, row, col) == r->at[i / SIDE][i % SIDE];
	}
	return same && hand_of(s, 0) == r->hand[WHITE] &&
	       hand_of(s, g->board.rows - 1) == r->hand[BLACK];
}

/* Compares the moves, their texts and the positions after them. */
static bool has_same_moves(const struct referee *r, const struct state *s)
{
	static struct text_list expected, found;
	struct move moves[GAME_MOVES_MAX];
	int n = game_moves(g, s, moves);
	referee_moves(r, &expected);
	bool same = n == expected.count && n <= g->steps.moves;
	for (int i = 0; i < n && same; i++) {
		struct referee then = *r;
		struct state next = *s;
		game_format(g, s, moves[i], found.text[i]);
		referee_play(&then, found.text[i]);
		game_play(g, &next, moves[i]);
		same = agrees(&then, &next);
	}
	return same && move_texts_agree(expected.text, expected.count, found.text, n);
}

/* --- rules --- */

/* No mill can be closed before the fifth move: then each of the 24*23*22*21 positions with two men of each side has 20 more. */
START_TEST(counts)
{
	static const uint64_t known[] = { 24, 24 * 23, 24 * 23 * 22, 24 * 23 * 22 * 21 };
	struct state s;
	g->start(g, &s);
	for (int depth = 1; depth <= 4; depth++)
		ck_assert_uint_eq(perft_leaves(g, &s, depth), known[depth - 1]);
	/* Three of Black's men are a mill in 16 * 3! orders; two men of White can then be removed. */
	uint64_t all = known[3] * 20, mills = (uint64_t)16 * 6 * 21 * 20;
	ck_assert_uint_eq(perft_leaves(g, &s, 5), all + mills);
}
END_TEST

START_TEST(random_games)
{
	int ends[3] = { 0 };
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < suite_times(60); i++) {
		struct referee r;
		struct state s;
		struct move moves[GAME_MOVES_MAX];
		char text[MOVE_TEXT_MAX];
		g->start(g, &s);
		referee_begin(&r);
		bool same = agrees(&r, &s);
		while (!s.over && same) {
			same = has_same_moves(&r, &s);
			struct move m = moves[rng_below(&rng, (uint32_t)game_moves(g, &s, moves))];
			game_format(g, &s, m, text);
			game_play(g, &s, m);
			referee_play(&r, text);
			same &= agrees(&r, &s);
		}
		ck_assert(same);
		ends[s.score + 1]++;
	}
	ck_assert_int_gt(ends[0], 3);
	ck_assert_int_gt(ends[2], 3);
}
END_TEST

/* Plays moves that keep the men of both sides, until the game ends. */
START_TEST(quiet_moves_end_the_game)
{
	static const char *const placed[] = {
		"A7", "D7", "G7", "B6", "D6", "F6", "C5", "A4", "E5",
		"C4", "D3", "E4", "B2", "C3", "F2", "D2", "A1", "G1"
	};
	struct rng rng;
	rng_seed(&rng, 3);
	int draws = 0;
	for (int i = 0; i < 40; i++) {
		struct state s;
		struct move moves[GAME_MOVES_MAX], m;
		int quiet = 0;
		g->start(g, &s);
		for (int k = 0; k < 18; k++) {
			ck_assert_int_eq(game_parse(g, &s, placed[k], &m), MOVE_OK);
			game_play(g, &s, m);
		}
		while (!s.over) {
			int n = game_moves(g, &s, moves), kept = 0;
			for (int k = 0; k < n; k++)
				if (moves[k].step[1] == MOVE_NONE)
					moves[kept++] = moves[k];
			if (!kept)
				break;
			game_play(g, &s, moves[rng_below(&rng, (uint32_t)kept)]);
			quiet++;
			ck_assert_int_le(quiet, QUIET_MAX);
		}
		draws += s.over && s.score == 0 && quiet == QUIET_MAX;
	}
	ck_assert_int_gt(draws, 5);
}
END_TEST

/* A position that occurs for the third time is a draw. */
START_TEST(repetition_is_a_draw)
{
	static const char *const moves[] = { "A7D7", "A1A4", "D7A7", "A4A1" };
	struct record r;
	record_init(&r, g);
	struct state s;
	ck_assert_ptr_null(game_setup(g, &s, "........." THREE_EACH ".........", "X"));
	record_setup(&r, &s);
	for (int i = 0; i < 8; i++) {
		ck_assert(!r.now.over);
		struct move m;
		ck_assert_int_eq(record_parse(&r, moves[i % 4], &m), MOVE_OK);
		record_play(&r, m);
	}
	ck_assert(r.now.over && r.now.score == 0);
	record_free(&r);
}
END_TEST

static const struct {
	const char *squares, *why;
} refused[] = {
	{ "........." THREE_EACH ".........", NULL },
	{ "X........" THREE_EACH ".........",
	  "White's men in hand are above the board, Black's below it" },
	{ "O.O......" THREE_EACH ".........", "men in hand stand together at the left" },
	{ "OOOOOO..." THREE_EACH "XXXXXX...", NULL },
	{ "OOOOOOO.." THREE_EACH "XXXXXX...", "a side has more pieces than at the start" },
	{ "........." TWO_OF_WHITE ".........", "the side to move has won already" },
};

START_TEST(bad_positions_are_refused)
{
	struct state s;
	ck_assert_pstr_eq(game_setup(g, &s, refused[_i].squares, "X"), refused[_i].why);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("morris");
	TCase *cases = tcase_create("morris");
	tcase_set_timeout(cases, 120);
	tcase_add_test(cases, counts);
	tcase_add_test(cases, random_games);
	tcase_add_test(cases, quiet_moves_end_the_game);
	tcase_add_test(cases, repetition_is_a_draw);
	tcase_add_loop_test(cases, bad_positions_are_refused, 0,
			    (int)(sizeof refused / sizeof *refused));
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
