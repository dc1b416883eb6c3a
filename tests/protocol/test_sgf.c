/* SPDX-License-Identifier: MIT
 * SGF: files of others, our own read back, and what is refused.
 */
#include "protocol/sgf.h"

#include <limits.h>
#include <string.h>

#include "tests/protocol/mutation.h"
#include "tests/suite.h"

static mutation_parse *const parse_text = sgf_parse;
static mutation_print *const print_text = sgf_print;

static void check_position(const char *expected)
{
	char text[POSITION_TEXT_MAX];
	game_position(record.game, &record.now, text);
	ck_assert_str_eq(text, expected);
}

/* More properties are written, escaped, but none by which the game would be another. */
START_TEST(more_properties)
{
	static const struct sgf_property more[] = {
		{ "PB", "a [b] \\" }, { "GM", "1" }, { "SZ", "19" },  { "GN", "x" }, { "B", "aa" },
		{ "AB", "aa" },       { "PL", "W" }, { "RE", "W+T" }, { "C", "" },
	};
	char *text;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	ck_assert_int_eq(record_play_text(&record, BLACK, "b2"), MOVE_OK);
	sgf_print_with(f, &record, more, sizeof more / sizeof more[0], NULL);
	fclose(f);
	ck_assert(strstr(text, "PB[a [b\\] \\\\]RE[W+T]C[]\n;B[b2])"));
	ck_assert(parse(text, INT_MAX));
	ck_assert_str_eq(record.game->name, "tictactoe");
	check_position("....X.... O");
	free(text);
}
END_TEST

START_TEST(files_of_others)
{
	/* Escapes, blanks, unknown properties, variations, small letters, a second game. */
	ck_assert(parse("junk ( ;GaMe[2] FF[3]\n SZ [8]C[a \\] b (;W[aa\\]) \\\\]PB[x]\n"
			";B[ef];W[fd](;B[ec]C[main](;W[ff])(;W[aa]))(;B[cc]))(;GM[1])",
			INT_MAX));
	ck_assert_str_eq(record.game->name, "othello");
	ck_assert_int_eq(record.count, 4);
	ck_assert(parse("\xef\xbb\xbf(;GM[2])", INT_MAX));
	ck_assert_int_eq(record.count, 0);
	ck_assert(parse("A game (of Othello), annotated: ( ;GM[2];B[ef])", INT_MAX));
	ck_assert_int_eq(record.count, 1);
	/* Points as GTP spells them. */
	ck_assert(parse("(;GM[2];B[E6];W[ f4 ])", INT_MAX));
	ck_assert_int_eq(record.count, 2);
	/* A side may be all that is set up. */
	ck_assert(parse("(;GM[2]PL[white])", INT_MAX));
	ck_assert_int_eq(record.now.side, WHITE);
}
END_TEST

START_TEST(up_to_a_move)
{
	for (int before = 1; before < 6; before++) {
		ck_assert(parse("(;GM[2];B[ef];W[fd];B[ec])", before));
		ck_assert_int_eq(record.count, before < 4 ? before - 1 : 3);
	}
	/* What comes behind it does not matter. */
	ck_assert(parse("(;GM[2];B[ef];W[aa])", 2));
	ck_assert(!parse("(;GM[2];B[ef];W[aa])", 3));
}
END_TEST

/* After C8 White must pass; some write the pass, some do not. */
#define FORCED_PASS "(;GM[2]AE[dd:ee]AB[aa][ah]AW[ba]AW[bh]PL[B]"

START_TEST(othello_passes)
{
	static const char *const files[] = { FORCED_PASS ";B[ch];W[];B[ca])",
					     FORCED_PASS ";B[ch];B[ca])" };
	for (int i = 0; i < 2; i++) {
		ck_assert(parse(files[i], INT_MAX));
		ck_assert_int_eq(record.count, 3);
		ck_assert_int_eq(record.moves[1].implied, i);
		ck_assert(record.now.over);
		char *text = print();
		ck_assert_ptr_nonnull(strstr(text, ";B[ch];W[];B[ca])"));
		ck_assert_ptr_nonnull(strstr(text, "RE[B+64]"));
		ck_assert(parse(text, INT_MAX));
		ck_assert_int_eq(record.count, 3);
		free(text);
	}
	ck_assert(!parse("(;GM[2];B[])", INT_MAX));
}
END_TEST

START_TEST(positions)
{
	ck_assert(parse("(;GN[yomi tictactoe standard]AB[a1]AB[b2]AW[b1];W[c3])", INT_MAX));
	check_position("XO..X...O X");
	/* Without PL or a move the side follows from the board. */
	ck_assert(parse("(;GN[yomi tictactoe standard]AB[a1][b2]AW[b1])", INT_MAX));
	check_position("XO..X.... O");
	ck_assert(parse("(;GN[yomi tictactoe standard]AB[a1:c1]AW[a2:b2]AE[b1]AB[c3])", INT_MAX));
	check_position("X.XOO...X O");
	/* A rectangle has its corners in any order. */
	ck_assert(parse("(;GN[yomi tictactoe standard]AB[c2:b1]AW[a3:a2][b3])", INT_MAX));
	check_position(".XXOXXOO. O");
}
END_TEST

/* Random games of every game are the same after writing and reading. */
START_TEST(round_trips)
{
	struct rng rng;
	struct move moves[GAME_MOVES_MAX];
	rng_seed(&rng, 1);
	for (int i = 0; games[i]; i++) {
		struct record copy;
		record_restart(&record, games[i]);
		while (!record.now.over) {
			int n = game_moves(games[i], &record.now, moves);
			record_play(&record, moves[rng_below(&rng, (uint32_t)n)]);
		}
		record_play_end_pass(&record, WHITE);
		record_init(&copy, games[i]);
		record_copy(&copy, &record);
		char *text = print();
		ck_assert_ptr_null(strstr(text, "\n\n"));
		record_restart(&record, &game_tictactoe);
		ck_assert(parse(text, INT_MAX));
		free(text);
		ck_assert_ptr_eq(record.game, games[i]);
		ck_assert_int_eq(record.count, copy.count);
		ck_assert_uint_eq(record.now.hash, copy.now.hash);
		for (int j = 0; j < copy.count; j++)
			ck_assert(move_equal(record.moves[j].move, copy.moves[j].move));
		/* From the middle on. */
		struct state middle;
		record_state(&copy, copy.count / 2, &middle);
		record_setup(&record, &middle);
		text = print();
		record_restart(&record, games[i]);
		ck_assert(parse(text, INT_MAX));
		free(text);
		ck_assert_uint_eq(record.start.hash, middle.hash);
		record_free(&copy);
	}
}
END_TEST

START_TEST(game_information)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{ "(;GM[2])", "(;FF[4]CA[UTF-8]AP[yomi:0.1]GM[2]SZ[8])" },
		{ "(;GN[yomi pentago tajima])",
		  "(;FF[4]CA[UTF-8]AP[yomi:0.1]GN[yomi pentago tajima]SZ[6]RU[tajima])" },
		{ "(;GN[yomi tictactoe standard];B[a1];W[a2];B[b1];W[b2];B[c1])",
		  "SZ[3]RU[standard]RE[B+1]" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert(parse(rows[i].text, INT_MAX));
		char *text = print();
		ck_assert_ptr_nonnull(strstr(text, rows[i].expected));
		ck_assert_str_eq(text + strlen(text) - 2, ")\n");
		free(text);
	}
}
END_TEST

START_TEST(mutations)
{
	static const char *const texts[] = {
		FORCED_PASS ";B[ch];W[];B[ca])",
		"(;FF[4]GM[2]SZ[8]C[a\\]b](;B[ef];W[fd](;B[ec])(;B[cc]))(;B[fe]))(;GM[1])",
		"(;GN[yomi pentago tajima]RU[tajima];B[a1s];W[a2u];B[b3z])",
		"(;GN[yomi tictactoe standard]AB[a1:c1]AW[a2:b2]AE[b1]AB[c3]PL[W])",
	};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		mutation_test(texts[i], 20000, i);
}
END_TEST

START_TEST(refused_files_change_nothing)
{
	static const char *const texts[] = {
		"",
		"(",
		"()",
		"(;",
		"(;)",
		"hello",
		"(;GM[1]SZ[8])",
		"(;GM[2]SZ[10])",
		"(;GM[2]",
		"(;GM[2];B[ef]",
		"(;GM[2];B[ef",
		"(;GM[2];B)",
		"(;GM[2];B[aa])",
		"(;GM[2];B[zz])",
		"(;GM[2];B[e])",
		"(;GM[2];W[ef])",
		"(;GM[2];B[ef]!)",
		"(;GM[2];B[ef];AB[aa])",
		"(;GM[2]AB[a])",
		"(;GM[2]AB[aa:zz])",
		"(;GM[2]AE[aa:hh])",
		"(;GN[a friendly game];B[a1])",
		"(;GN[yomi chess standard])",
		"(;GN[yomi tictactoe nosuch])",
		"(;GN[yomi tictactoe standard]AB[a1][b1])",
		"(;GN[yomi tictactoe standard];B[a1];B[a2])",
		"(;GN[yomi pentago standard];B[a1])",
		"(;GN[yomi pentago standard];B[a1s];W[a3u])",
	};
	ck_assert(parse("(;GN[yomi tictactoe standard];B[b2];W[a1])", INT_MAX));
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		ck_assert_msg(!parse(texts[i], INT_MAX), "%s", texts[i]);
		ck_assert_int_eq(record.count, 2);
		check_position("O...X.... X");
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sgf");
	TCase *cases = tcase_create("sgf");
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, more_properties);
	tcase_add_test(cases, files_of_others);
	tcase_add_test(cases, up_to_a_move);
	tcase_add_test(cases, othello_passes);
	tcase_add_test(cases, positions);
	tcase_add_test(cases, round_trips);
	tcase_add_test(cases, game_information);
	tcase_add_test(cases, mutations);
	tcase_add_test(cases, refused_files_change_nothing);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
