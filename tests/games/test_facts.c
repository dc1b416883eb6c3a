/* SPDX-License-Identifier: MIT
 *
 * Facts: their sentences in known positions, and in random games that they are true.
 */
#include "engine/rules/fact.h"

#include <stdio.h>
#include <string.h>

#include "engine/rules/record.h"
#include "games/games.h"
#include "tests/suite.h"

#define GAMES       12
#define CHECKED     8  /* moves of a position that are checked */
#define CONTINUED   12 /* random games behind a position */
#define SQUARES_MAX GAME_SQUARES_MAX

/* Joins the sentences of facts by "; ". */
static void join(const struct facts *all, char *text, size_t room)
{
	char sentence[FACT_TEXT_MAX];
	*text = '\0';
	for (int i = 0; i < all->count; i++) {
		size_t length = strlen(text);
		fact_text(all->game, &all->list[i], sentence);
		snprintf(text + length, room - length, "%s%s", i ? "; " : "", sentence);
	}
}

/* Games with boards of other sizes are named "go 5". */
static const struct game *find(const char *name)
{
	char word[GAME_NAME_MAX + 1];
	int size = 0;
	sscanf(name, "%24s %d", word, &size);
	const struct game *g = game_find(word, NULL);
	ck_assert_ptr_nonnull(g);
	return size ? game_of_size(g, size) : g;
}

static const struct {
	const char *game, *board, *side, *move, *text;
} known[] = {
	{ "tictactoe", "XX.OO....", "X", "c1", "X wins; X has 3 in a row at A1 B1 C1" },
	{ "tictactoe", "XX.OO....", "X", "a3",
	  "X could have won at once with C1; O can then win at once with C2" },
	{ "tictactoe", "XX..O....", "O", "c1",
	  "it stops X's win with C1; O threatens to win with A3" },
	{ "othello", "..................XXX......XOO.....OXX..........................", "O", NULL,
	  "White has 9 legal moves, Black would have 6" },
	{ "othello", ".OX......XO.......OX......XOO......OXX..........................", "X", "a1",
	  "Black takes the corner A1; Black has 3 discs that can never be turned, White has 0; "
	  "White has 10 legal moves, Black would have 7" },
	{ "othello", "..........XO......X.......XXO......OX...........................", "O", "b2",
	  "Black can then take the corner A1; Black has 8 legal moves, White would have 7" },
	{ "othello", "XOOOOOO.OOOOOOX.OOOOOX..OOOOX...OOOX....OOX.....OX..............", "X", "h1",
	  "Black takes the corner H1; Black has 8 discs that can never be turned, White has 0; "
	  "White has 12 legal moves, Black would have 4" },
	{ "go 5", "......XO..XO....XO.......", "X", "c3", "Black captures 1 stone: B3" },
	{ "go 5", ".......X...XO....X.......", "X", "d3", "Black captures 1 stone: C3" },
	{ "go 5", "..O...OXO..OXO...........", "X", "c2", "it saves 2 stones from capture: C4 C3" },
	{ "go 5", ".OO..OX...OO.............", "X", NULL,
	  "White can capture 1 stone of Black: B4" },
	{ "go 5", "O.....O..................", "X", "a4",
	  "Black can capture 1 stone next: A5; White can then capture 1 stone: A4" },
	{ "go 5", ".XO..XO.O..XO............", "X", "c4",
	  "Black captures 1 stone: B4; it saves 1 stone from capture: B5; Black can capture 1 "
	  "stone next: C5" },
	{ "hex 5", ".......X.........O.......", "X", "b4",
	  "Black makes a bridge to C2; Black needs 3 more stones to connect, White needs 4" },
	{ "hex 5", "..X....O.........O...X...", "X", "c3",
	  "Black needs 3 more stones to connect, White needs 4" },
	{ "hex 5", "..X....X....X....X.......", "O", NULL,
	  "Black threatens to win with B5 C5; White needs 5 more stones to connect, Black needs "
	  "1" },
	{ "havannah 4", ":::XX..::.....:.........OO........:.....::....:::", "X", "c2",
	  "Black's chain reaches 2 edges and 1 corner" },
	{ "breakthrough 5", "OOOOO.OO.O..X..XX.XXXXXX.", "X", "c3b4*",
	  "Black threatens to win with B4A5 B4C5; Black captures the piece on B4; White can then "
	  "capture the piece on B4; Black's foremost piece needs at least 1 move to the goal, "
	  "White's 3" },
	{ "breakthrough 5", "O.OO........X.OX..X.XX.X.", "X", NULL,
	  "Black's foremost piece needs at least 2 moves to the goal, White's 2" },
	{ "loa", ".XXXXXX.O......OO......OO......OO......OO......OO......O.XXXXXX.", "X", "b1b3",
	  "Black has 3 groups of pieces, White has 2" },
	{ "loa", "..X.....O..X.............O..............................X.......", "X", "d7b5",
	  "Black loses at once; Black captures the piece on B5" },
	{ "draughts", ":x:x:x:.x:x:x:x::x:.:.:x.:.:x:.::.:o:.:.o:.:o:o::o:o:o:oo:o:o:o:", "O",
	  "d4f6h8", "White captures the piece on G7; White captures the piece on E5" },
	{ "draughts", ":.:.:.:..:.:.:.::.:.:.:..:.:x:.::.:.:.:o.:.:.:.::.:.:.:..:.:o:.:", "X",
	  "e5f4", "" },
	{ "draughts", ":.:.:.:..:.:.:.::.:.:.:..:.:x:.::.:.:.:..:.:.:o::.:.:.:..:.:o:.:", "X",
	  "e5f4", "White can then capture the piece on F4" },
	{ "gomoku 9",
	  "....................................OOOXXXX......................................", "O",
	  NULL, "Black threatens to win with H5" },
	{ "gomoku 9",
	  "....................................OOOXXXX......................................", "O",
	  "h5", "it stops Black's win with H5" },
	{ "connectfour", "..............................O....O.XXX..", "O", NULL,
	  "Black threatens to win with B1 F1" },
	{ "connectfour", "..............................O....O.XXX..", "O", "f1",
	  "Black can then win at once with B1" },
	{ "pentago", "XXXX..............OOO...............", "O", "d4u",
	  "Black can then win at once with D2V; White has 4 in a row at A4 B4 C4 D4" },
};

START_TEST(sentences)
{
	char text[4096];
	struct facts all;
	struct state s;
	struct move m;
	const struct game *g = find(known[_i].game);
	const char *why = game_setup(g, &s, known[_i].board, known[_i].side);
	ck_assert_msg(!why, "%d: %s", _i, why);
	if (known[_i].move) {
		ck_assert_int_eq(game_parse(g, &s, known[_i].move, &m), MOVE_OK);
		facts_of_move(&all, g, &s, m);
	} else {
		facts_of_position(&all, g, &s);
	}
	join(&all, text, sizeof text);
	ck_assert_str_eq(text, known[_i].text);
}
END_TEST

/* A stone that the rules protect in a ko cannot be captured. */
START_TEST(in_a_ko)
{
	char text[4096];
	struct facts all;
	struct state s;
	struct move m;
	const struct game *g = find("go 5");
	ck_assert_ptr_null(game_setup(g, &s, ".......XO..XO.O..XO......", "X"));
	ck_assert_int_eq(game_parse(g, &s, "d3", &m), MOVE_OK);
	game_play(g, &s, m);
	facts_of_position(&all, g, &s);
	join(&all, text, sizeof text);
	ck_assert_str_eq(text, "");
	/* Elsewhere it can. */
	ck_assert_int_eq(game_parse(g, &s, "a1", &m), MOVE_OK);
	game_play(g, &s, m);
	g->set_turn(g, &s, WHITE);
	facts_of_position(&all, g, &s);
	join(&all, text, sizeof text);
	ck_assert_str_eq(text, "White can capture 1 stone of Black: D3");
}
END_TEST

/* A text that is cut where the room ends, and names that are only counted. */
START_TEST(many_names)
{
	struct facts all = { .game = &game_go };
	char text[FACT_TEXT_MAX];
	struct fact *f = fact_add(&all, FACT_CAPTURES, WHITE);
	f->numbers[0] = FACT_NAMES_MAX + 2;
	for (int i = 0; i < FACT_NAMES_MAX + 2; i++)
		fact_square(&all, f, i);
	fact_text(all.game, f, text);
	ck_assert_str_eq(text, "White captures 14 stones: A9 B9 C9 D9 E9 and 9 more");
	for (int i = 0; i < 2 * FACTS_MAX; i++)
		fact_square(&all, fact_add(&all, FACT_CORNER, BLACK), 0);
	ck_assert_int_eq(all.count, FACTS_MAX);
	for (int i = 0; i < FACT_KINDS; i++) {
		ck_assert_uint_gt(strlen(fact_key((enum fact_kind)i)), 2);
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(fact_key((enum fact_kind)i), fact_key((enum fact_kind)j));
	}
}
END_TEST

/* --- random games --- */

static bool is_won(const struct state *s, int side)
{
	return s->over && side_sign(side) * s->score > 0;
}

/* Checks that all names of a fact are moves with which a side, which is to move, wins at once; and that these are all. */
static void check_wins(const struct game *g, const struct state *s, const struct fact *f)
{
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	int n = game_moves(g, s, moves), wins = 0;
	for (int i = 0; i < n; i++) {
		struct state after = *s;
		bool is_named = false;
		game_play(g, &after, moves[i]);
		game_format(g, s, moves[i], text);
		for (int j = 0; j < f->count && j < FACT_NAMES_MAX; j++)
			is_named |= strcmp(f->names[j], text) == 0;
		wins += is_won(&after, s->side);
		ck_assert(!is_named || is_won(&after, s->side));
	}
	ck_assert_int_eq(wins, f->count);
}

/* Checks facts whose truth plain rules tell. */
static void check_fact(const struct game *g, const struct state *before, const struct state *after,
		       const struct fact *f)
{
	char text[FACT_TEXT_MAX];
	fact_text(g, f, text);
	ck_assert_msg(!strpbrk(text, "{}") && strlen(text) > 5, "%s", text);
	if (f->kind == FACT_MISSES)
		check_wins(g, before, f);
	else if (f->kind == FACT_ALLOWS)
		check_wins(g, after, f);
	else if (f->kind == FACT_WIN)
		ck_assert(is_won(after, f->side));
	else if (f->kind == FACT_PASS)
		ck_assert(game_must_pass(g, after));
}

/* Facts are those of the whole position: a move after which the other side can win at once always says so. */
static void check_complete(const struct game *g, const struct state *after, const struct facts *all)
{
	struct move moves[GAME_MOVES_MAX];
	bool wins = false;
	if (after->over || (!g->threats && !g->score.in_a_row))
		return;
	int n = game_moves(g, after, moves);
	for (int i = 0; i < n; i++) {
		struct state next = *after;
		game_play(g, &next, moves[i]);
		wins |= is_won(&next, after->side);
	}
	ck_assert_int_eq(wins, facts_have(all, FACT_ALLOWS));
}

static void check_position(const struct game *g, const struct state *s, struct rng *rng)
{
	struct move moves[GAME_MOVES_MAX];
	struct facts all;
	int n = game_moves(g, s, moves);
	for (int i = 0; i < n && i < CHECKED; i++) {
		struct move m = moves[rng_below(rng, (uint32_t)n)];
		struct state after = *s;
		game_play(g, &after, m);
		if (!after.over && after.side == s->side)
			continue;
		facts_of_move(&all, g, s, m);
		for (int j = 0; j < all.count; j++)
			check_fact(g, s, &after, &all.list[j]);
		check_complete(g, &after, &all);
	}
	facts_of_position(&all, g, s);
	for (int j = 0; j < all.count; j++)
		if (all.list[j].kind == FACT_CAN_WIN)
			check_wins(g, s, &all.list[j]);
}

START_TEST(truth)
{
	const struct game *g = games[_i];
	struct rng rng;
	struct move moves[GAME_MOVES_MAX];
	rng_seed(&rng, 7);
	for (int i = 0; i < (g->board.rows > 9 ? 1 : suite_times(GAMES)); i++) {
		struct record r;
		record_init(&r, g);
		while (!r.now.over && r.count < 200) {
			if (rng_below(&rng, 4) == 0)
				check_position(g, &r.now, &rng);
			int n = record_moves(&r, moves);
			record_play(&r, moves[rng_below(&rng, (uint32_t)n)]);
		}
		record_free(&r);
	}
}
END_TEST

/* Discs of Othello that are called stable keep their colour in all games behind the position. Here the count is checked: no
 * game ends with fewer discs of that colour. */
START_TEST(stable_discs)
{
	const struct game *g = &game_othello;
	struct rng rng;
	struct facts all;
	int found = 0;
	rng_seed(&rng, 3);
	for (int i = 0; i < suite_times(60); i++) {
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		g->start(g, &s);
		for (int j = 0; j < 48 && !s.over; j++)
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		if (s.over)
			continue;
		facts_of_position(&all, g, &s);
		for (int j = 0; j < all.count; j++) {
			const struct fact *f = &all.list[j];
			if (f->kind != FACT_STABLE)
				continue;
			found++;
			for (int k = 0; k < CONTINUED; k++) {
				struct state end = s;
				int own = 0, other = 0;
				while (!end.over)
					g->play(g, &end,
						steps[rng_below(
							&rng, (uint32_t)g->moves(g, &end, steps))]);
				for (int square = 0; square < 64; square++) {
					char c = g->at(g, &end, square / 8, square % 8);
					own += c == grid_stone(f->side);
					other += c == grid_stone(f->side ^ 1);
				}
				ck_assert_int_ge(own, f->numbers[0]);
				ck_assert_int_ge(other, f->numbers[1]);
			}
		}
	}
	ck_assert_int_gt(found, 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("facts");
	TCase *cases = tcase_create("facts");
	int count = 0;
	while (games[count])
		count++;
	tcase_add_loop_test(cases, sentences, 0, (int)(sizeof known / sizeof known[0]));
	tcase_add_test(cases, in_a_ko);
	tcase_add_test(cases, many_names);
	tcase_add_loop_test(cases, truth, 0, count);
	tcase_add_test(cases, stable_discs);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
