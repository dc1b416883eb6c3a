/* SPDX-License-Identifier: MIT
 *
 * GGF: files of other programs, our own files read back, clocks, and refusals.
 */
#include "protocol/records/ggf.h"

#include <limits.h>
#include <string.h>

#include "engine/base/memory.h"
#include "tests/protocol/mutation.h"
#include "tests/suite.h"

#define NORMAL "---------------------------O*------*O---------------------------"
#define EMPTY  "----------------------------------------------------------------"

static mutation_parse *const parse_text = ggf_parse;
static void print_ggf(struct text *out, const struct record *r)
{
	ggf_print(out, r, NULL, 0);
}

static mutation_print *const print_text = print_ggf;

static void check_print(const char *expected)
{
	char *text = print();
	ck_assert_str_eq(text, expected);
	free(text);
}

/* Files of NBoard and of the archives of GGS. */
START_TEST(files_of_others)
{
	ck_assert(
		parse("(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]"
		      "TI[15:00]TY[8]BO[8 " NORMAL " *]B[F5]W[F6//1.2]B[D3/-1.50/3]W[C5/2];)",
		      INT_MAX));
	ck_assert_str_eq(record.game->name, "othello");
	ck_assert_int_eq(record.count, 4);
	ck_assert(parse(
		" 2 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[a(;b]PW[c]RB[2197.01]"
		"RW[2199.72]TI[05:00//02:00]TY[s8r18]RE[+0.000]BO[8 -------- -------- -------- "
		"---O*--- ---*O--- -------- -------- -------- *]\r\nB[d3//0.01]W[c5//0.01] ;)"
		"(;GM[Othello]BO[8 " NORMAL " *]B[F5];)",
		INT_MAX));
	ck_assert_int_eq(record.count, 2);
	/* A position with White to move; other marks; no board at all. */
	ck_assert(
		parse("(;GM[Othello]BO[8 --O--O--*-*OO---****OO-**O*O*OOO**O***O****O*O*---**O*----"
		      "****-- O];)",
		      INT_MAX));
	ck_assert_int_eq(record.now.side, WHITE);
	ck_assert(parse("(;GM[othello]BO[8 ...........................0x......X0_.................."
			"........x];)",
			INT_MAX));
	ck_assert_int_eq(record.now.side, BLACK);
	ck_assert(parse("(;GM[Othello]B[f5]W[D6];)", INT_MAX));
	ck_assert_int_eq(record.count, 2);
}
END_TEST

START_TEST(recognised)
{
	ck_assert(ggf_is("(;GM[Othello];)"));
	ck_assert(ggf_is("\n 2 (; GM[OTHELLO]"));
	ck_assert(!ggf_is("(;GM[2]C[(;GM[Othello\\]])"));
	ck_assert(!ggf_is("(;GM[Amazons];)"));
	ck_assert(!ggf_is("2"));
	ck_assert(!ggf_is(""));
}
END_TEST

START_TEST(up_to_a_move)
{
	for (int before = 1; before < 6; before++) {
		ck_assert(parse("(;GM[Othello]B[E6]W[F4]B[E3];)", before));
		ck_assert_int_eq(record.count, before < 4 ? before - 1 : 3);
	}
	/* What follows is ignored. */
	ck_assert(parse("(;GM[Othello]B[E6]W[A1];)", 2));
	ck_assert(!parse("(;GM[Othello]B[E6]W[A1];)", 3));
}
END_TEST

/* After C8 White must pass. Some programs write the pass, some do not. */
#define FORCED_PASS                                                                                \
	"(;GM[Othello]BO[8 *O"                                                                     \
	"------------------------------------------------------"                                   \
	"*O------ *]"

START_TEST(passes_and_results)
{
	static const char *const files[] = { FORCED_PASS "B[C8]W[PA]B[C1];)",
					     FORCED_PASS "B[C8]W[pass]B[C1];)",
					     FORCED_PASS "B[C8]B[C1];)" };
	for (int i = 0; i < 3; i++) {
		ck_assert(parse(files[i], INT_MAX));
		ck_assert_int_eq(record.count, 3);
		ck_assert_int_eq(record.moves[1].implied, i == 2);
		ck_assert(record.now.over);
		record_play_end_pass(&record, WHITE);
		check_print(
			"(;GM[Othello]PC[yomi]PB[?]PW[?]RE[+64.00]TI[0]TY[8]BO[8 *O----------------"
			"--------------------------------------*O------ *]B[C8]W[PA]B[C1];)\n");
	}
	ck_assert(!parse("(;GM[Othello]B[PA];)", INT_MAX));
	ck_assert(parse("(;GM[Othello]B[F5];)", INT_MAX));
	check_print("(;GM[Othello]PC[yomi]PB[?]PW[?]RE[?]TI[0]TY[8]BO[8 " NORMAL " *]B[F5];)\n");
	/* A drawn board, and one that White has won. */
	ck_assert(parse(
		"(;GM[Othello]BO[8 ********************************OOOOOOOOOOOOOOOOOOOOOOOOOOOO"
		"OOOO O];)",
		INT_MAX));
	char *text = print();
	ck_assert_ptr_nonnull(strstr(text, "RE[+0.00]"));
	free(text);
	ck_assert(parse(
		"(;GM[Othello]BO[8 *******-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO"
		"OOOO O];)",
		INT_MAX));
	text = print();
	ck_assert_ptr_nonnull(strstr(text, "RE[-50.00]"));
	free(text);
}
END_TEST

START_TEST(other_boards)
{
	static const struct {
		const char *text, *rules;
		int rows, count;
	} rows[] = {
		{ "(;GM[Othello]TY[8]B[F5]W[D6];)", "standard", 8, 2 },
		{ "(;GM[Othello]TY[s8r20]B[F5]W[D6];)", "standard", 8, 2 },
		{ "(;GM[Othello]TY[8a]B[F5]W[D6];)", "anti", 8, 2 },
		{ "(;GM[Othello]B[F5]W[D6]TY[8ak];)", "anti", 8, 2 },
		{ "(;GM[Othello]TY[6]B[E4]W[C5];)", "standard", 6, 2 },
		{ "(;GM[Othello]TY[s6a]B[E4];)", "anti", 6, 1 },
		{ "(;GM[Othello]TY[4];)", "standard", 4, 0 },
		{ "(;GM[Othello]BO[6 --------------O*----*O-------------- *]B[E4];)", "standard", 6,
		  1 },
		{ "(;GM[Othello]TY[6]BO[6 ------ ------ --O*-- --*O-- ------ ------ *]B[E4];)",
		  "standard", 6, 1 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_msg(parse(rows[i].text, INT_MAX), "%s", rows[i].text);
		ck_assert_str_eq(record.game->rules, rows[i].rules);
		ck_assert_int_eq(record.game->board.rows, rows[i].rows);
		ck_assert_int_eq(record.count, rows[i].count);
		uint64_t hash = record.now.hash;
		const struct game *game = record.game;
		char *text = print();
		ck_assert_msg(parse(text, INT_MAX), "%s", text);
		ck_assert_ptr_eq(record.game, game);
		ck_assert_uint_eq(record.now.hash, hash);
		free(text);
	}
	check_print("(;GM[Othello]PC[yomi]PB[?]PW[?]RE[?]TI[0]TY[6]BO[6 "
		    "--------------O*----*O-------------- *]B[E4];)\n");
}
END_TEST

/* Results of SGF, and the values that this format has for them. */
START_TEST(what_is_said)
{
	static const char *const results[][2] = {
		{ "B+4", "+4.00" },    { "W+2", "-2.00" }, { "W+R", "-64.00:r" },
		{ "B+T", "+64.00:t" }, { "B+", "+64.00" }, { "0", "+0.00" },
		{ "Draw", "+0.00" },   { "?", "?" },       { "Void", "?" },
		{ "B+900", "+64.00" },
	};
	for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
		const struct sgf_property properties[] = { { "PB", "ann [1]" },
							   { "PW", "bob" },
							   { "BR", "2100" },
							   { "DT", "2003-12-15" },
							   { "RE", results[i][0] } };
		ck_assert(parse("(;GM[Othello]B[F5];)", INT_MAX));
		char *whole;
		struct text text = { 0 };
		ggf_print(&text, &record, properties, 5);
		whole = xasprintf("(;GM[Othello]PC[yomi]DT[2003.12.15]PB[ann "
				  "(1)]PW[bob]RB[2100]RE[%s]TI[0]TY[8]BO[8 " NORMAL " *]B[F5];)\n",
				  results[i][1]);
		ck_assert_str_eq(text.bytes, whole);
		free(whole);
		text_free(&text);
	}
}
END_TEST

/* Random games, also from the middle on. */
START_TEST(round_trips)
{
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < 300; i++) {
		struct record copy;
		struct state middle;
		record_restart(&record, &game_othello);
		while (!record.now.over)
			record_play(&record, record_draw(&record, &rng));
		record_init(&copy, &game_othello);
		record_copy(&copy, &record);
		if (i % 2) {
			record_state(&copy, copy.count / 2, &middle);
			record_setup(&record, &middle);
			for (int j = copy.count / 2; j < copy.count; j++)
				record_play(&record, copy.moves[j].move);
			record_copy(&copy, &record);
		}
		char *text = print();
		ck_assert(ggf_is(text));
		record_restart(&record, &game_tictactoe);
		ck_assert(parse(text, INT_MAX));
		free(text);
		ck_assert_ptr_eq(record.game, copy.game);
		ck_assert_uint_eq(record.start.hash, copy.start.hash);
		ck_assert_uint_eq(record.now.hash, copy.now.hash);
		ck_assert_int_eq(record.count, copy.count);
		for (int j = 0; j < copy.count; j++)
			ck_assert(move_equal(record.moves[j].move, copy.moves[j].move));
		record_free(&copy);
	}
}
END_TEST

/* SGF of a record has its comments, also long ones, and evaluations, where the moves are. */
START_TEST(notes)
{
	char text[1024], comment[301] = "", why[REASON_MAX];
	memset(comment, 'x', sizeof comment - 1);
	snprintf(text, sizeof text,
		 "(;GM[Othello]PB[a]PW[b]C[of the game]TY[8]BO[8 " NORMAL
		 " *]B[d3/0.50/2.5]C[a \\ move]W[c3//2]B[c4/-1.5]C[%s];)",
		 comment);
	ck_assert_msg(ggf_parse(&record, text, INT_MAX, why), "%s", why);
	struct text sgf = { 0 };
	ggf_convert(&sgf, text, &record);
	ck_assert_ptr_nonnull(strstr(sgf.bytes, "C[of the game]"));
	ck_assert_ptr_nonnull(strstr(sgf.bytes,
				     ";B[dc]YT[2.5]C[evaluation 0.50\na \\\\ move];W[cc]YT[2];B[cd]"
				     "C[evaluation -1.5\nxxx"));
	ck_assert_ptr_nonnull(strstr(sgf.bytes, comment));
	/* White's pass is left out. */
	static const char passed[] = FORCED_PASS "B[C8//1]B[C1//3];)";
	ck_assert_msg(ggf_parse(&record, passed, INT_MAX, why), "%s", why);
	text_clear(&sgf);
	ggf_convert(&sgf, passed, &record);
	ck_assert_ptr_nonnull(strstr(sgf.bytes, ";B[ch]YT[1];W[];B[ca]YT[3])"));
	text_free(&sgf);
}
END_TEST

START_TEST(clocks)
{
	static const struct {
		const char *text;
		double black, white;
	} rows[] = {
		{ "(;GM[Othello];)", -1, -1 },
		{ "(;GM[Othello]TI[0];)", -1, -1 },
		{ "(;GM[Othello]TI[0//2:00];)", -1, -1 },
		{ "(;GM[Othello]TI[90];)", 90, 90 },
		{ "(;GM[Othello]TI[15:00];)", 900, 900 },
		{ "(;GM[Othello]TI[1.01:02:03];)", 90123, 90123 },
		{ "(;GM[Othello]TI[05:00//02:00]B[F5//1.5]W[F6/2.00/10]B[E6/1];)", 298.5, 290 },
		{ "(;GM[Othello]TI[1:00/10/2:00]B[F5//1.5]W[F6/2.00/100];)", 68.5, 0 },
		{ "(;GM[Othello]TB[1:00]TW[2:00]B[F5//-3]W[F6//nan];)", 60, 120 },
		{ "(;GM[Othello]TI[x];)", -1, -1 },
		{ "", -1, -1 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert_double_eq(ggf_time_left(rows[i].text, BLACK), rows[i].black);
		ck_assert_double_eq(ggf_time_left(rows[i].text, WHITE), rows[i].white);
	}
}
END_TEST

START_TEST(moves)
{
	static const struct {
		const char *text, *vertex;
		double seconds;
	} rows[] = {
		{ "F5", "F5", 0 },       { "f5/1.5", "f5", 0 },       { "F5/1.5/2.25", "F5", 2.25 },
		{ "F5//3", "F5", 3 },    { "PA//1", "PASS", 1 },      { "pass", "pass", 0 },
		{ "F5//1e99", "F5", 0 }, { "d6 -1.00 0.0", "d6", 0 }, { "", "", 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char vertex[MOVE_TEXT_MAX];
		double seconds;
		ck_assert(ggf_read_move(rows[i].text, vertex, &seconds));
		ck_assert_str_eq(vertex, rows[i].vertex);
		ck_assert_double_eq(seconds, rows[i].seconds);
	}
	char vertex[MOVE_TEXT_MAX];
	double seconds;
	char text[MOVE_TEXT_MAX + 1];
	memset(text, '5', MOVE_TEXT_MAX);
	text[MOVE_TEXT_MAX] = '\0';
	ck_assert(!ggf_read_move(text, vertex, &seconds));
	ck_assert(ggf_read_move(text + 1, vertex, &seconds));
}
END_TEST

START_TEST(refused_files_change_nothing)
{
	static const char *const texts[] = {
		"",
		"(",
		"(;",
		"(;)",
		"(;;)",
		"hello",
		"(;PC[x]GM[Othello];)",
		"(;GM[Amazons];)",
		"(;GM[Othello]GM[Amazons];)",
		"(;GM[2])",
		"(;GM[Othello]",
		"(;GM[Othello])",
		"(;GM[Othello];",
		"(;GM[Othello]B[F5",
		"(;GM[Othello]B;)",
		"(;GM[Othello]B[];)",
		"(;GM[Othello]B[A1];)",
		"(;GM[Othello]B[F55];)",
		"(;GM[Othello]B[F5F5F5F5F5];)",
		"(;GM[Othello]W[F5];)",
		"(;GM[Othello]B[F5]BO[8 " NORMAL " *];)",
		"(;GM[Othello]TY[8a]B[A1];)",
		"(;GM[Othello]TY[10]B[F5];)",
		"(;GM[Othello]TY[-6]B[F5];)",
		"(;GM[Othello]TY[6]BO[8 " NORMAL " *]B[C2];)",
		"(;GM[Othello]BO[];)",
		"(;GM[Othello]BO[8];)",
		"(;GM[Othello]BO[10 " NORMAL " *];)",
		"(;GM[Othello]BO[8 " NORMAL "];)",
		"(;GM[Othello]BO[8 " NORMAL " -];)",
		"(;GM[Othello]BO[8 " NORMAL " **];)",
		"(;GM[Othello]BO[8 " NORMAL " ?];)",
		"(;GM[Othello]BO[8 -" NORMAL " *];)",
		"(;GM[Othello]BO[8 " EMPTY " *];)",
	};
	ck_assert(parse("(;GM[Othello]B[F5]W[F6];)", INT_MAX));
	uint64_t hash = record.now.hash;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		ck_assert_msg(!parse(texts[i], INT_MAX), "%s", texts[i]);
		ck_assert_int_eq(record.count, 2);
		ck_assert_uint_eq(record.now.hash, hash);
	}
}
END_TEST

START_TEST(mutations)
{
	static const char *const texts[] = {
		FORCED_PASS "B[C8]W[PA]B[C1];)",
		"(;GM[Othello]PC[x]TI[15:00/1/2]TY[8]BO[8 " NORMAL " *]B[F5/1/2]W[F6//1.2]B[E6];)",
	};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		mutation_test(texts[i], 20000, i);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ggf");
	TCase *cases = tcase_create("ggf");
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, files_of_others);
	tcase_add_test(cases, recognised);
	tcase_add_test(cases, up_to_a_move);
	tcase_add_test(cases, passes_and_results);
	tcase_add_test(cases, round_trips);
	tcase_add_test(cases, notes);
	tcase_add_test(cases, clocks);
	tcase_add_test(cases, moves);
	tcase_add_test(cases, refused_files_change_nothing);
	tcase_add_test(cases, other_boards);
	tcase_add_test(cases, what_is_said);
	tcase_add_test(cases, mutations);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
