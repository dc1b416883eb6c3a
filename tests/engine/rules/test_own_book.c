/* SPDX-License-Identifier: MIT
 *
 * The user's own book: results and lines are read, damaged files are refused, positions are found in every symmetry and
 * order of moves, and the engine plays from the book before the game's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/rules/own_book.h"
#include "tests/engine/fixture.h"
#include "tests/folder.h"

static struct own_book *own;

static void begin(void)
{
	folder_create();
	own = own_book_create(folder);
}

static void end(void)
{
	own_book_destroy(own);
	folder_remove();
}

static void write_book(const struct game *g, const char *text)
{
	char *path = own_book_path(folder, g);
	FILE *f = fopen(path, "we");
	ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
	free(path);
}

/* Plays moves with blanks between them. */
static void play(struct record *r, const char *moves)
{
	char *copy = strdup(moves), *save;
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		ck_assert_int_eq(record_play_text(r, r->now.side, word), MOVE_OK);
	free(copy);
}

/* Finds the games that reached the position after some moves. */
static struct own_games find(const struct game *g, const char *moves)
{
	char why[REASON_MAX];
	struct own_games found;
	struct record r;
	record_init(&r, g);
	play(&r, moves);
	ck_assert_msg(own_book_load(own, g, why), "%s", why);
	ck_assert(own_book_find(own, g, &r.now, &found) == (found.count > 0));
	record_free(&r);
	return found;
}

START_TEST(results_are_read)
{
	static const struct {
		const char *text;
		int sign;
		double score;
	} good[] = { { "B+4", 1, 4 },     { "W+2.5", -1, -2.5 }, { "B+R", 1, NAN },
		     { "w+", -1, NAN },   { "0", 0, 0 },         { "Draw", 0, 0 },
		     { "+4.00", 1, 4 },   { "-6", -1, -6 },      { "B+Time", 1, NAN },
		     { "B+nan", 1, NAN }, { "W+inf", -1, NAN },  { "B+1e308", 1, NAN } };
	static const char *const bad[] = { "",  "?",    "Black",  "B",    "+",    "+x",
					   "1", "+nan", "+1e308", "Void", "B+-3", "W+0" };
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct own_result r = own_result_read(good[i].text);
		ck_assert_msg(r.known && r.sign == good[i].sign, "%s", good[i].text);
		ck_assert_msg(isnan(good[i].score) ? isnan(r.score) : r.score == good[i].score,
			      "%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct own_result r = own_result_read(bad[i]);
		ck_assert_msg(!r.known && isnan(r.score), "%s", bad[i]);
	}
}
END_TEST

START_TEST(games_are_counted)
{
	write_book(&game_othello, "# a comment\n\nF5 D6 C3\tB+4\nF5 D6 C5\tW+2\nF5 D6\t?\nF5 "
				  "F6\t0\nF5 D6 C3 D3\tB+\n");
	struct own_games g = find(&game_othello, "f5");
	ck_assert_int_eq(g.count, 5);
	ck_assert_int_eq(g.black, 2);
	ck_assert_int_eq(g.white, 1);
	ck_assert_int_eq(g.draws, 1);
	ck_assert_int_eq(g.scored, 3);
	ck_assert(g.score == 2);
	ck_assert(own_games_mean(&g) == 0.2);
	ck_assert_int_eq(find(&game_othello, "f5 d6").count, 4);
	ck_assert_int_eq(find(&game_othello, "f5 d6 c3").count, 2);
	ck_assert_int_eq(find(&game_othello, "f5 f4").count, 0);
	ck_assert_int_eq(find(&game_tictactoe, "a1").count, 0); /* there is no file */
	ck_assert_int_eq(find(&game_othello, "").count, 5);
}
END_TEST

/* In games with and without symmetries. */
START_TEST(symmetries_and_transpositions_count_together)
{
	write_book(&game_othello, "F5 D6 C3 D3 C4\tB+4\nC4 E3 F6 E6 F5\tW+4\nF5 F6 E6 F4 E3\t0\n");
	ck_assert_int_eq(find(&game_othello, "d3 c5 f6 f5 e6").count, 2);
	ck_assert_int_eq(find(&game_othello, "e6 f6 f5 f4 e3").count, 1);
	write_book(&game_hex, "A1 B2 C3 D4\tB+\n");
	ck_assert_int_eq(find(&game_hex, "c3 b2 a1").count, 1);
	ck_assert_int_eq(find(&game_hex, "c3 b2 a2").count, 0);
	write_book(&game_pentago, "B2S C3T\tW+\n");
	ck_assert_int_eq(find(&game_pentago, "b2s").count, 1);
}
END_TEST

/* Games of others may have moves that only superko forbids. */
START_TEST(a_game_by_another_rule_of_ko_counts)
{
	const struct game *go = game_of_size(game_find("go", NULL), 9);
	write_book(go, "B1 A2 C2 B2 D1 pass A1 C1 B1 E5\tB+\n");
	ck_assert_int_eq(find(go, "b1 a2 c2 b2 d1 pass a1 c1").count, 1);
}
END_TEST

/* Komi and the right to swap are no part of a position. */
START_TEST(komi_and_swap_do_not_count)
{
	const struct game *go = game_of_size(game_find("go", NULL), 9);
	struct own_games found;
	struct record r;
	char why[REASON_MAX];
	write_book(go, "E5 C3\tB+\n");
	record_init(&r, go);
	ck_assert(record_set_komi(&r, 13));
	play(&r, "e5");
	ck_assert(own_book_load(own, go, why));
	ck_assert(own_book_find(own, go, &r.now, &found));
	record_free(&r);
	write_book(&game_hex, "A1 B2\tB+\n");
	for (int allowed = 0; allowed < 2; allowed++) {
		record_init(&r, &game_hex);
		record_set_swap(&r, allowed);
		ck_assert(own_book_load(own, &game_hex, why));
		ck_assert(own_book_find(own, &game_hex, &r.now, &found));
		play(&r, "a1");
		ck_assert(own_book_find(own, &game_hex, &r.now, &found));
		ck_assert_int_eq(found.count, 1);
		record_free(&r);
	}
}
END_TEST

/* Many games with the same opening need memory for their positions, not for their number. */
START_TEST(games_share_positions)
{
	enum { GAMES_MANY = 20000 };
	char *path = own_book_path(folder, &game_othello);
	FILE *f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	for (int i = 0; i < GAMES_MANY; i++)
		ck_assert(fputs(i % 2 ? "F5 D6 C3\tB+4\n" : "F5 D6 C5\tW+2\n", f) >= 0);
	ck_assert_int_eq(fclose(f), 0);
	free(path);
	ck_assert_int_eq(find(&game_othello, "f5 d6").count, GAMES_MANY);
	ck_assert_int_eq(find(&game_othello, "f5 d6 c3").count, GAMES_MANY / 2);
}
END_TEST

/* Positions far from the opening are left out, and a position that a game repeats counts once. */
START_TEST(games_count_once_in_the_opening)
{
	struct record r;
	struct own_games found;
	struct rng rng;
	char text[8 * 64] = "", why[REASON_MAX];
	int far = 0;
	record_init(&r, &game_othello);
	rng_seed(&rng, 1);
	for (; !r.now.over; far++) {
		char word[MOVE_TEXT_MAX + 1];
		struct move m = record_draw(&r, &rng);
		game_format(r.game, &r.now, m, word);
		strcat(strcat(text, far ? " " : ""), word);
		record_play(&r, m);
	}
	ck_assert_int_gt(far, OWN_BOOK_DEPTH);
	strcat(text, "\tB+2\n");
	write_book(&game_othello, text);
	ck_assert(own_book_load(own, &game_othello, why));
	for (int i = 0; i <= far; i++) {
		struct state s;
		record_state(&r, i, &s);
		ck_assert(own_book_find(own, &game_othello, &s, &found) == (i <= OWN_BOOK_DEPTH));
	}
	record_free(&r);
	/* White and Black move a piece to and fro. */
	write_book(&game_loa, "B1B3 A2C2 B3B1 C2A2\t?\n");
	ck_assert_int_eq(find(&game_loa, "").count, 1);
}
END_TEST

START_TEST(damaged_files_are_refused)
{
	static const struct {
		const char *text, *why;
	} bad[] = { { "F5 D6\tB+4\nF5 F5\t0\n", "line 2: move 2, F5, is not legal" },
		    { "F5 D6\n", "line 1: a tab and the result are missing" },
		    { "\n#\nF5 D6\tBlack\n", "line 3: the result is not " },
		    { "F5 D6\t\n", "line 1: the result is not " },
		    { "F5 D6\tB+4O\n", "line 1: the result is not " },
		    { "F5 D6\tW+-3\n", "line 1: the result is not " },
		    { "F5 D6\tB+1e308\n", "line 1: the result is not " },
		    { "F5 D6\tB+64\nF5 D6\tW+65\n", "line 2: nobody can win by so much" },
		    { "\tB+4\n", "line 1: there is no move" },
		    { "F5 ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ\t0\n",
		      "line 1: move 2, " },
		    { "F5 D6\tB+4\nF5 D", "line 2: " } };
	char why[REASON_MAX];
	struct own_games found;
	struct state s;
	game_othello.start(&game_othello, &s);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		write_book(&game_othello, "F5\t0\n");
		ck_assert(own_book_load(own, &game_othello, why));
		ck_assert(own_book_find(own, &game_othello, &s, &found));
		write_book(&game_othello, bad[i].text);
		for (int again = 0; again < 2; again++) {
			ck_assert(!own_book_load(own, &game_othello, why));
			ck_assert_msg(strstr(why, bad[i].why), "%s", why);
			ck_assert(strstr(why, "othello-standard-8x8.lines: "));
			ck_assert(!own_book_find(own, &game_othello, &s, &found));
		}
	}
	char *path = own_book_path(folder, &game_othello);
	FILE *f = fopen(path, "we");
	ck_assert(f && fwrite("F5\t0\n\0F5\t0\n", 11, 1, f) == 1 && fclose(f) == 0);
	ck_assert(!own_book_load(own, &game_othello, why));
	ck_assert_msg(strstr(why, "line 2: it has a NUL byte"), "%s", why);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert(!own_book_load(own, &game_othello, why));
	ck_assert(strstr(why, "it is not a regular file"));
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert(own_book_load(own, &game_othello, why)); /* a missing file is empty */
	ck_assert(own_book_load(NULL, &game_othello, why));
	ck_assert(!own_book_find(NULL, &game_othello, &s, &found));
	free(path);
}
END_TEST

START_TEST(no_folder)
{
	setenv("XDG_DATA_HOME", "", 1);
	unsetenv("HOME");
	struct own_book *none = own_book_create(NULL);
	char why[REASON_MAX];
	ck_assert(own_book_load(none, &game_othello, why));
	own_book_destroy(none);
}
END_TEST

/* Begins an engine that plays Othello from a book of these lines, after some moves. */
static void begin_from(const char *lines, const char *moves)
{
	char why[REASON_MAX];
	write_book(&game_othello, lines);
	fixture_create("auto");
	set("book", "1");
	record_restart(&record, &game_othello);
	play(&record, moves);
	engine_set_own_book(engine, own);
	ck_assert(own_book_load(own, &game_othello, why));
}

/* The engine plays only moves after which games went at least even for its side, and more often those with more games. */
START_TEST(engine_plays_from_it)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT, .book = true };
	char why[REASON_MAX];
	int f6 = 0, f4 = 0;
	begin_from("F5 D6\tB+20\nF5 F6\tW+4\nF5 F6\tW+2\nF5 F6\tB+8\nF5 F4\t0\n", "f5");
	for (int seed = 1; seed <= 64; seed++) {
		char text[MOVE_TEXT_MAX];
		static struct report report;
		set_number("seed", (size_t)seed);
		engine_reseed(engine);
		search_within(limits, &report);
		ck_assert(report.book);
		ck_assert_int_eq(report.move_count, 2);
		game_format(record.game, &record.now, report.line[0], text);
		f6 += strcmp(text, "F6") == 0;
		f4 += strcmp(text, "F4") == 0;
		ck_assert(move_equal(report.moves[0].move, report.line[0]) ||
			  strcmp(text, "F4") == 0);
		ck_assert(report.score == (strcmp(text, "F6") == 0 ? 2. / 3 : 0));
	}
	ck_assert_int_eq(f6 + f4, 64);
	ck_assert_int_gt(f6, f4);
	ck_assert_int_gt(f4, 0);
	/* Where all its moves went badly, and where it has none, the game's book answers; with `book` off none does. */
	write_book(&game_othello, "F5 F6\tB+4\n");
	ck_assert(own_book_load(own, &game_othello, why));
	static struct report report;
	search_within(limits, &report);
	ck_assert(report.book);
	ck_assert_int_eq(report.move_count, 1);
	char text[MOVE_TEXT_MAX];
	game_format(record.game, &record.now, report.line[0], text);
	ck_assert_str_eq(text, "D6");
	write_book(&game_othello, "F5 F6\tW+4\n");
	ck_assert(own_book_load(own, &game_othello, why));
	set("book", "0");
	limits.work_max = 100;
	search_within(limits, &report);
	ck_assert(!report.book);
	fixture_destroy();
}
END_TEST

/* The report has the answer first, then the moves that did best for White. Only games with a score count for the mean
 * score. */
START_TEST(engine_reports_what_games_brought)
{
	static const struct {
		const char *move;
		double value, score;
	} rows[] = { { "F6", -1, -4 }, { "D6", -2. / 3, -2. / 3 }, { "F4", 0, 0 } };
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT, .book = true };
	static struct report report;
	char text[MOVE_TEXT_MAX];
	begin_from("F5 F4\tB+2\nF5 F4\tW+2\nF5 F6\tW+4\nF5 F6\tW+\nF5 D6\tW+1\nF5 "
		   "D6\tW+1\nF5 D6\t0\n",
		   "f5");
	for (int seed = 1; seed <= 16; seed++) {
		set_number("seed", (size_t)seed);
		engine_reseed(engine);
		search_within(limits, &report);
		ck_assert(report.book);
		ck_assert_int_eq(report.move_count, 3);
		for (int i = 0; i < 3; i++) {
			game_format(record.game, &record.now, report.moves[i].move, text);
			int row = 0;
			while (strcmp(text, rows[row].move) != 0)
				ck_assert_int_lt(++row, 3);
			ck_assert(report.moves[i].value == rows[row].value);
			ck_assert(report.moves[i].score == rows[row].score);
		}
		ck_assert(move_equal(report.moves[0].move, report.line[0]));
		ck_assert(report.moves[1].value < report.moves[2].value);
	}
	fixture_destroy();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("own book");
	TCase *cases = tcase_create("own book");
	tcase_add_checked_fixture(cases, begin, end);
	tcase_add_test(cases, results_are_read);
	tcase_add_test(cases, games_are_counted);
	tcase_add_test(cases, symmetries_and_transpositions_count_together);
	tcase_add_test(cases, games_count_once_in_the_opening);
	tcase_add_test(cases, a_game_by_another_rule_of_ko_counts);
	tcase_add_test(cases, komi_and_swap_do_not_count);
	tcase_add_test(cases, games_share_positions);
	tcase_add_test(cases, damaged_files_are_refused);
	tcase_add_test(cases, no_folder);
	tcase_add_test(cases, engine_plays_from_it);
	tcase_add_test(cases, engine_reports_what_games_brought);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
