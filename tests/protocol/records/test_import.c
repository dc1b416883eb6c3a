/* SPDX-License-Identifier: MIT
 *
 * Records of all formats, as other programs write them. Games are compared by their moves, and by their results.
 */
#include "protocol/records/import.h"

#include <stdlib.h>
#include <string.h>

#include "games/games.h"
#include "protocol/records/sgf.h"
#include "tests/suite.h"

static char why[REASON_MAX];

/* Reads a game. The record is that of the game that runs. */
static bool read_game(struct record *r, const char *bytes, size_t length, int number, int columns)
{
	const struct import_wish wish = { .columns = columns };
	return import_game(r, bytes, length, &wish, number, NULL, why);
}

/* The moves of a record in its notation, in one word. */
static char *moves_of(const struct record *r)
{
	char move[MOVE_TEXT_MAX];
	struct state s = r->start;
	struct text text = { 0 };
	for (int i = 0; i < r->count; record_replay(r, i++, &s)) {
		game_format(r->game, &s, r->moves[i].move, move);
		text_puts(&text, move);
	}
	return text_take(&text);
}

/* Reads game `number` of a text while `game` runs, and compares its moves and what was guessed. NULL: there must be no game,
 * and `said` is the reason. */
static void check(const struct game *game, const char *text, int number, const char *moves,
		  const char *said)
{
	struct record r;
	record_init(&r, game);
	bool done = read_game(&r, text, strlen(text), number, COLUMNS_AUTO);
	char *read = moves_of(&r);
	ck_assert_msg(done == (moves != NULL), "%s: %s", text, why);
	ck_assert_str_eq(read, moves ? moves : "");
	ck_assert_msg(said[0] ? strstr(why, said) != NULL : !*why, "%s: '%s', not '%s'", text, why,
		      said);
	free(read);
	record_free(&r);
}

#define FIRST "F5D6C3D3C4"

/* --- Othello --- */

START_TEST(transcripts)
{
	static const char *const texts[] = {
		"f5d6c3d3c4",
		"F5D6C3D3C4\n",
		"f5 d6 c3 d3 c4",
		"  F5, D6, C3, D3, C4 \r\n",
		"1. f5 2. d6 3. c3 4. d3 5. c4",
		"1. f5 d6 2. c3 d3 3. c4",
		"1.f5 d6 2.c3 d3 3.c4",
		"1) f5 2) d6 3) c3 4) d3 5) c4",
		"\357\273\277f5d6c3d3c4\n",
		"# from a tournament\n\nf5d6c3d3c4",
		"f5d6c3d3c4 16",
		"f5d6c3d3c4\tB+4",
		"f5d6c3d3c4 34-30",
		"f5d6c3d3c4 ?",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		check(&game_othello, texts[i], 1, FIRST, "");
	check(&game_othello, "1. f5 d6\n2. c3 d3\n3. c4", 1, FIRST, "all lines are one game");
	check(&game_othello, "f5d6c3\nd3c4", 1, FIRST, "all lines are one game");
	check(&game_othello, "f5 d6 c3\n\n# more\nd3 c4\n", 1, FIRST, "all lines are one game");
	check(&game_othello, "f5d6\nf5f6e6\n", 1, "F5D6", "the first of several lines");
	check(&game_othello, "f5d6\nf5f6e6\n", 2, "F5F6E6", "");
	check(&game_othello, "f5d6\nf5f6e6\n", 3, NULL, "there are 2 games, no game 3");
	check(&game_othello, "f5d6", 2147483647, NULL, "there is 1 game, no game 2147483647");
	check(&game_othello, "f5d6c3d3c4z9", 1, NULL, "line 1: 'z9' is not legal as move 6");
	check(&game_othello, "f5d6\nf5f5\n", 2, NULL, "line 2: 'f5' is not legal as move 2");
	check(&game_othello, "1. f5 d6\n2. c3 a1\n", 1, NULL,
	      "line 1: 'a1' is not legal as move 4");
	check(&game_othello, "", 1, NULL, "there is no game");
	check(&game_othello, "# nothing\n\n", 1, NULL, "there is no game");
	/* The board of another size, if only that has the moves. */
	check(game_of_size(&game_othello, 6), FIRST, 1, FIRST, "read as othello");
}
END_TEST

/* Reads all games of a text. Writes their moves and results, or what is wrong with them. */
static char *read_all(const char *text)
{
	const struct import_wish wish = { .game = &game_othello };
	const struct imported *one;
	struct text all = { 0 };
	struct import *file = import_open(text, strlen(text), &wish, why);
	while ((one = import_next(file))) {
		const char *result = one->sgf ? strstr(one->sgf, "RE[") : NULL;
		text_printf(&all, "%s: ", one->where);
		for (const char *c = one->sgf; c && (c = strchr(c, ';')); c++)
			text_printf(&all, "%.2s", strchr("BW", c[1]) ? c + 3 : "");
		text_printf(&all, " %.*s%s; ", result ? (int)strcspn(result, "]") + 1 : 0,
			    result ? result : "", one->why);
	}
	import_close(file);
	return text_take(&all);
}

/* A result ends its line, so that lines with results are games of their own, also if one of them is wrong. */
START_TEST(results)
{
	static const struct {
		const char *text, *games;
	} rows[] = {
		{ "f5d6c3 B+4\nf5d6 W+2\nf5f6e6 zz\n",
		  "line 1: fedfcc RE[B+4]; line 2: fedf RE[W+2]; "
		  "line 3:  'zz' is not legal as move 4; " },
		{ "f5d6c3\tB+\nf5d6\tW+R\nf5zz\t0\n",
		  "line 1: fedfcc RE[B+]; line 2: fedf RE[W+R]; "
		  "line 3:  'zz' is not legal as move 2; " },
		{ "f5d6c3 34-30\nf5d6 ?\nzz\n",
		  "line 1: fedfcc RE[B+4]; line 2: fedf ; line 3:  'zz' is not legal as move 1; " },
		{ "1. f5 d6\n2. c3 B+4.5\n# end\n\n", "line 1: fedfcc RE[B+4.5]; " },
		{ "f5d6 B+many\n", "" },
		{ "f5d6 B+4 c3\n", "" },
		{ "f5d6 W+\nf5d6 w+time\n", "line 1: fedf RE[W+]; line 2: fedf RE[W+time]; " },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!*rows[i].games) {
			check(&game_othello, rows[i].text, 1, NULL, "is not legal as move 3");
			continue;
		}
		char *all = read_all(rows[i].text);
		ck_assert_str_eq(all, rows[i].games);
		free(all);
	}
}
END_TEST

/* Games to the end, whose forced passes are written as several programs write them, or left out. */
START_TEST(passes_of_others)
{
	struct rng rng;
	struct record r, read;
	static const char *const words[] = { "", "ps", "pa", "--", "pass", " PASS " };
	rng_seed(&rng, 5);
	record_init(&r, &game_othello);
	int passes = 0;
	for (int i = 0; i < 200; i++) {
		record_restart(&r, &game_othello);
		while (!r.now.over)
			record_play(&r, record_draw(&r, &rng));
		char move[MOVE_TEXT_MAX];
		struct text text = { 0 };
		struct state s = r.start;
		for (int k = 0; k < r.count; record_replay(&r, k++, &s)) {
			bool is_pass = r.moves[k].move.step[0] == game_othello.steps.pass;
			passes += is_pass;
			game_format(&game_othello, &s, r.moves[k].move, move);
			text_puts(&text, is_pass ? words[i % 6] : move);
		}
		record_init(&read, &game_othello);
		ck_assert_msg(read_game(&read, text.bytes, text.length, 1, COLUMNS_AUTO), "%s: %s",
			      text.bytes, why);
		ck_assert_int_eq(read.count, r.count);
		ck_assert(state_equal(&read.now, &r.now));
		record_free(&read);
		text_free(&text);
	}
	ck_assert_int_gt(passes, 50);
	record_free(&r);
}
END_TEST

START_TEST(pgn)
{
	static const char text[] =
		"[Event \"Open \"A\" 1977\"]\r\n[Date \"1977\"]\n[Black \"Ann\"]\n"
		"[White \"Bob\"]\n[Result \"34-30\"]\n[Result \"1-63\"]\n1. F5 D6 {a\nb}\n"
		"2. C3 D3\n34-30\n\n[Event \"B\"]\n[White \"?\"]\n1. F5 F6 E6\n";
	const struct import_wish wish = { .game = NULL };
	check(&game_othello, text, 1, "F5D6C3D3", "");
	check(&game_othello, text, 2, "F5F6E6", "");
	check(&game_othello, text, 3, NULL, "there are 2 games, no game 3");
	check(&game_othello, "[Event \"x\"]\n1. e4 e5 2. Nf3", 1, NULL,
	      "'e4' is not legal as move 1");
	struct import *file = import_open(text, strlen(text), &wish, why);
	ck_assert_str_eq(why, "read as othello");
	ck_assert_str_eq(import_format(file), "PGN");
	ck_assert_ptr_nonnull(
		strstr(import_next(file)->sgf, "EV[Open \"A\" 1977]DT[1977]PB[Ann]PW[Bob]RE[B+4]"));
	ck_assert_ptr_null(strstr(import_next(file)->sgf, "PW["));
	import_close(file);
	/* Lines may end in carriage returns alone. */
	static const char returns[] = "[Black \"A\"]\r\r1. F5 D6\r\r[Black \"B\"]\r1. F5 F6\r";
	check(&game_othello, returns, 1, "F5D6", "");
	check(&game_othello, returns, 2, "F5F6", "");
	ck_assert_ptr_null(import_open("[A \"x\"] 1. zz", 13, &wish, why));
	ck_assert_ptr_nonnull(strstr(why, "PGN of no game of yomi: 'zz' is not legal as move 1"));
}
END_TEST

/* A game of GGF ends behind its values. Without an end, it ends where the next one begins. */
START_TEST(names_of_ggf)
{
#define GGF_GAME(NAME, MOVES, END)                                                                 \
	"(;GM[Othello]PB[" NAME                                                                    \
	"]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]" MOVES END
	static const char text[] = GGF_GAME("joe;)", "B[f5]", ";)\n") GGF_GAME("a", "B[f5", "\n")
		GGF_GAME("b", "B[f5]W[f6]", ";)");
	check(&game_othello, text, 1, "F5", "");
	check(&game_othello, text, 2, NULL, "game 2: ");
	check(&game_othello, text, 3, "F5F6", "");
}
END_TEST

/* --- WTHOR --- */

#define WTHOR_HEAD "\x14\x05\x0c\x1f\x02\0\0\0\0\0\xd5\x07"

/* Writes a file of two games: both begin with f5 d6, and the second with a3. Returns its length. */
static size_t write_wthor(char bytes[16 + 2 * 68], int side)
{
	memset(bytes, 0, 16 + 2 * 68);
	static const char head[] = WTHOR_HEAD;
	static const char moves[] = "\x03\0\x0c\x01\x0d\0\x24\x20\x38\x40";
	memcpy(bytes, head, sizeof head - 1);
	bytes[12] = (char)side;
	for (int i = 0; i < 2; i++) {
		char *game = bytes + 16 + 68 * i;
		memcpy(game, moves, sizeof moves - 1);
		game[10] = i ? 13 : 0;
	}
	return 16 + 2 * 68;
}

START_TEST(wthor)
{
	char bytes[16 + 2 * 68 + 1] = "";
	struct record r;
	record_init(&r, &game_go);
	for (int side = 0; side <= 8; side += 8) {
		size_t length = write_wthor(bytes, side);
		ck_assert_msg(read_game(&r, bytes, length, 1, COLUMNS_AUTO), "%s", why);
		ck_assert_ptr_eq(r.game, &game_othello);
		char *moves = moves_of(&r);
		ck_assert_str_eq(moves, "F5D6");
		free(moves);
		ck_assert(!read_game(&r, bytes, length, 2, COLUMNS_AUTO));
		ck_assert_str_eq(why, "game 2: move 3, c1, is not legal");
		ck_assert(!read_game(&r, bytes, length, 3, COLUMNS_AUTO));
		/* The file may be cut off. */
		ck_assert(!read_game(&r, bytes, length - 1, 2, COLUMNS_AUTO));
		ck_assert_str_eq(why, "game 2: the file is cut off");
	}
	/* The head may tell of other games than there are. */
	static const struct {
		const char head[4];
		int cut;
		const char *said;
	} counts[] = {
		{ "\2", 0, "" },
		{ "\5", 0, "the file tells of 5 games and has 2" },
		{ "\0\0\0\x80", 0, "the file tells of 2147483648 games and has 2" },
		{ "\2", 1, "the file tells of 2 games and has 1 and a part of one" },
		{ "\1", 1, "the file tells of 1 games and has more, which are left out" },
	};
	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
		size_t length = write_wthor(bytes, 8) - (size_t)counts[k].cut;
		memcpy(bytes + 4, counts[k].head, 4);
		ck_assert_msg(read_game(&r, bytes, length, 1, COLUMNS_AUTO), "%s", why);
		ck_assert_str_eq(why, counts[k].said);
	}
	const struct import_wish wish = { .game = NULL };
	struct import *file = import_open(bytes, write_wthor(bytes, 8), &wish, why);
	const struct imported *game = import_next(file);
	ck_assert_str_eq(import_format(file), "WTHOR");
	ck_assert_ptr_nonnull(
		strstr(game->sgf, "PB[player 268]PW[player 13]EV[tournament 3]DT[2005]RE[B+8]"));
	import_close(file);
	ck_assert(!read_game(&r, bytes, write_wthor(bytes, 10), 1, COLUMNS_AUTO));
	ck_assert_str_eq(why, "a WTHOR file with boards of 10x10; yomi has 8x8");
	write_wthor(bytes, 0);
	bytes[8] = 2;
	ck_assert(!read_game(&r, bytes, 16 + 2 * 20, 1, COLUMNS_AUTO));
	ck_assert_str_eq(why, "a WTHOR file of names, without games");
	record_free(&r);
}
END_TEST

/* --- Gomoku --- */

#define READ_WITH_I "columns with I"

START_TEST(columns)
{
	static const struct {
		const char *text, *moves, *said;
	} rows[] = {
		{ "h8g7a1", "H8G7A1", "" },
		/* The letter I tells. */
		{ "h8i8j8", "H8J8K8", READ_WITH_I },
		{ "H8 I8 J8", "H8J8K8", READ_WITH_I },
		{ "h8, i8, j8", "H8J8K8", READ_WITH_I },
		/* So does P, the last column without I. */
		{ "h8p8j8", "H8P8J8", "columns without I" },
		/* So does a five that comes too early in one reading. */
		{ "G8 A1 H8 A2 J8 A3 K8 A4 L8 A5", "G8A1H8A2K8A3L8A4M8A5", READ_WITH_I },
		/* Else the form does. */
		{ "g8a1h8a2j8a3k8a4l8", "G8A1H8A2K8A3L8A4M8", READ_WITH_I },
		{ "G8 A1 H8 A2 J8 A3 K8 A4 L8", "G8A1H8A2J8A3K8A4L8", "columns without I" },
		{ "g8 j8", "G8J8", "columns without I" },
		/* A line tells for all. */
		{ "G8 J8\nG8 I8", "G8K8", READ_WITH_I },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check(&game_gomoku, rows[i].text, 1, rows[i].moves, rows[i].said);
	struct record r;
	record_init(&r, &game_gomoku);
	ck_assert(read_game(&r, "h8j8", 4, 1, COLUMNS_NO_I));
	ck_assert_str_eq(why, "");
	char *moves = moves_of(&r);
	ck_assert_str_eq(moves, "H8J8");
	free(moves);
	ck_assert(read_game(&r, "H8 J8", 5, 1, COLUMNS_WITH_I));
	moves = moves_of(&r);
	ck_assert_str_eq(moves, "H8K8");
	free(moves);
	ck_assert(!read_game(&r, "h8i8", 4, 1, COLUMNS_NO_I));
	record_free(&r);
	/* SGF is read alike. */
	check(&game_othello, "(;GM[4]SZ[15];B[h8];W[i9])", 1, "H8J9", READ_WITH_I);
	check(&game_othello, "(;GM[4]SZ[15];B[h8];W[j9])", 1, "H8K9", READ_WITH_I);
	check(&game_othello, "(;GM[4]SZ[15];B[H8];W[J9])", 1, "H8J9", "columns without I");
	check(&game_othello, "(;GM[4]SZ[15];B[h8];W[p9])", 1, "H8P9", "columns without I");
	check(&game_othello, "(;GM[4]SZ[15]AW[i1];B[H8];W[J9])", 1, "H8K9", READ_WITH_I);
	check(&game_othello, "(;GM[4]SZ[15];B[hh];W[ji])", 1, "H8K7", "");
	/* The rules of another game that runs are none of Gomoku's. */
	check(&game_othello, "(;GM[4]SZ[15];B[hh])", 1, "H8", "");
	check(&game_gomoku_standard, "(;GM[4]SZ[15];B[hh])", 1, "H8", "read as gomoku standard");
	record_init(&r, &game_othello);
#define PLAIN_SGF "( ;GM[4]SZ[15];B[h8];W[j9])"
	ck_assert(read_game(&r, PLAIN_SGF, strlen(PLAIN_SGF), 1, COLUMNS_NO_I));
	ck_assert_str_eq(why, "");
	moves = moves_of(&r);
	ck_assert_str_eq(moves, "H8J9");
	free(moves);
	ck_assert(!read_game(&r, "(;GM[4]SZ[15];B[h8];W[p9])", 26, 1, COLUMNS_WITH_I));
	record_free(&r);
	/* A larger board, and other games, keep their letters. */
	check(&game_gomoku, "q3o5o7p8o3", 1, "R3P5P7Q8P3", "read as gomoku freestyle on 20x20");
	check(&game_hex, "c3i4", 1, "C3I4", "");
	check(game_of_size(&game_go, 9), "C3 J4", 1, "C3J4", "");
}
END_TEST

START_TEST(offsets)
{
	check(&game_gomoku, "0,0, 1,0, 0,1\n", 1, "H8J8H7", "");
	check(&game_gomoku, "0,0, 1,0, 0,1\n-1,-1, 2,2", 2, "G9K6", "");
	check(&game_othello, "0,0,-7,7", 1, "H8A1", "read as gomoku");
	check(&game_gomoku, "8,-3, 6,-4, 5,-4", 1, "T13R14Q14", "on 20x20");
	check(game_of_size(&game_gomoku, 20), "0,0", 1, "L10", "");
	check(&game_gomoku, "0,0, 0,0", 1, NULL, "'0,0' is not legal as move 2");
	check(&game_gomoku, "90,0", 1, NULL, "'90,0' is not legal as move 1");
	check(&game_gomoku, "0,0, 6", 1, NULL, "'6' is not legal as move 2");
}
END_TEST

#define PSQ "Piskvorky 15x15, 11:11, %d\r\n8,8,59\r\n9,8,1500\r\nann\r\nbob\r\n-1\r\n"

START_TEST(piskvork)
{
	const struct import_wish wish = { .game = NULL };
	char text[200];
	for (int first = 0; first < 2; first++) {
		snprintf(text, sizeof text, PSQ, first);
		check(&game_othello, text, 1, "H8J8", "");
		struct import *file = import_open(text, strlen(text), &wish, why);
		const struct imported *game = import_next(file);
		ck_assert_str_eq(import_format(file), "PSQ");
		ck_assert_ptr_nonnull(strstr(game->sgf, first ? "PW[ann]" : "PB[ann]"));
		ck_assert_ptr_nonnull(strstr(game->sgf, first ? "PB[bob]" : "PW[bob]"));
		ck_assert_ptr_nonnull(strstr(game->sgf, "YT[1.5]"));
		ck_assert_ptr_null(import_next(file));
		import_close(file);
	}
	check(&game_gomoku, "ann\nbob\n7,7,59\n8,7,78\n-1\n", 1, "H8J8", "on 15x15");
	check(&game_othello, "ann\nbob\n7,7,59\n8,7,78\n-1\n", 1, "H13J13", "on 20x20");
	check(&game_gomoku, "Piskvorky 20x20, 11:11, 0\n20,20,1\n", 1, "U1", "");
	check(&game_gomoku, "Piskvorky 20x20, 11:11, 0\n20,20,1\n21,1,1\n", 1, NULL,
	      "move 2, 21,1, is not legal");
	check(&game_gomoku, "Piskvorky 40x40, 11:11, 0\n20,20,1\n", 1, NULL,
	      "gomoku has no board of 40x40");
	/* Two games, one behind the other. */
	check(&game_gomoku, "Piskvorky 15x15, 1:1, 0\n1,1,1\n-1\nPiskvorky 15x15, 1:1, 0\n2,2,1\n",
	      2, "B14", "");
	/* Six in a row end the game in freestyle only. */
	check(&game_gomoku,
	      "Piskvorky 15x15, 1:1, "
	      "0\n1,1,1\n1,2,1\n2,1,1\n2,2,1\n3,1,1\n3,2,1\n5,1,1\n5,2,1\n6,1,1\n"
	      "6,2,1\n4,1,1\n9,9,1\n",
	      1, "A15A14B15B14C15C14E15E14F15F14D15J7",
	      "read by the rules standard: as freestyle, move 12, 9,9, is not legal");
	check(&game_gomoku, "Piskvorky 15x15, 1:1, 0\r8,8,1\r9,8,1\r-1\r", 1, "H8J8", "");
	check(&game_gomoku, "ann\rbob\r7,7,59\r8,7,78\r-1\r", 1, "H8J8", "on 15x15");
	check(&game_gomoku, "Piskvorky 15x15, 1:1, 0\n-1\n", 1, NULL, "there is no move");
}
END_TEST

/* A stone that Renju forbids ends the game, and no move follows it. */
START_TEST(forbidden_stones)
{
#define THREES     "8,8,1\n1,1,1\n9,8,1\n15,15,1\n10,9,1\n1,15,1\n10,10,1\n15,1,1\n10,8,1\n"
#define THREES_WAS "H8A15J8P1K7A1K6P15"
	const struct game *g = game_find("gomoku", "renju");
	check(g, "Piskvorky 15x15, 1:1, 0\n" THREES "-1\n", 1, THREES_WAS,
	      "up to move 9, K8: Black may not make two threes");
	check(g, "Piskvorky 15x15, 1:1, 0\n" THREES "1,2,1\n", 1, THREES_WAS "K8A14",
	      "read by the rules freestyle: as renju, move 10, 1,2, is not legal");
	check(g, "H8 A15 J8 P1 K7 A1 K6 P15 K8", 1, THREES_WAS,
	      "up to move 9, K8: Black may not make two threes");
	check(g, "h8a15j8p1k7a1k6p15k8 W+", 1, THREES_WAS, "up to move 9, k8: Black may not");
	check(g, "H8 A15 J8 P1 K7 A1 K6 P15 K8 A14", 1, NULL, "'A14' is not legal as move 9");
}
END_TEST

/* --- Connect Four --- */

START_TEST(digits)
{
	static const char *const texts[] = { "4455",    "4455 18", "4455 -2\n",
					     "4 4 5 5", "4455\t3", " 4455 +1 " };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		check(&game_connectfour, texts[i], 1, "D1D2E1E2", "");
	check(&game_othello, "4455", 1, "D1D2E1E2", "read as connectfour");
	static const char *const with_results[][2] = {
		{ "4455 B+", "RE[B+]" },    { "4455 W+4\n", "RE[W+4]" }, { "4455\tdraw", "RE[0]" },
		{ "4 4 5 5 b+", "RE[B+]" }, { "4455 1/2-1/2", "RE[0]" },
	};
	for (size_t i = 0; i < sizeof with_results / sizeof *with_results; i++) {
		const struct import_wish wish = { .game = &game_connectfour };
		struct import *file = import_open(with_results[i][0], strlen(with_results[i][0]),
						  &wish, why);
		ck_assert_ptr_nonnull(file);
		const struct imported *game = import_next(file);
		ck_assert_msg(game->sgf && strstr(game->sgf, with_results[i][1]), "%s: %s",
			      with_results[i][0], game->why);
		import_close(file);
		check(&game_connectfour, with_results[i][0], 1, "D1D2E1E2", "");
	}
	check(&game_connectfour, "4455 B+ 3", 1, NULL, "'B+' is not legal as move 5");
	check(&game_connectfour, "4455 18\n12 0\n", 2, "A1B1", "");
	check(&game_connectfour, "44444447", 1, NULL, "line 1: '47' is not legal as move 7");
	check(&game_connectfour, "44444447\n1", 1, NULL, "line 1: '47' is not legal as move 7");
	check(&game_connectfour, "44444447 3", 1, NULL, "line 1: '47' is not legal as move 7");
	check(&game_connectfour, "d e d", 1, "D1E1D2", "");
	/* A bad line is the wrong one, not the good ones. */
	check(&game_connectfour, "44455 18\n4x45 3\n", 1, "D1D2D3E1E2",
	      "the first of several lines");
	check(&game_connectfour, "44455 18\n4x45 3\n", 2, NULL,
	      "line 2: 'x45' is not legal as move 2");
	check(&game_connectfour, "4x45 3\n44455 18\n12 0\n", 1, NULL,
	      "line 1: 'x45' is not legal as move 2");
	check(&game_connectfour, "4x45 3\n44455 18\n12 0\n", 3, "A1B1", "");
	/* A number above the lines makes them no columns. */
	check(&game_othello, "1\nf5d6\nf5f6e6\n", 2, "F5D6", "");
	/* A disc is where it falls. */
	check(&game_connectfour, "d1d2", 1, "D1D2", "");
	check(&game_connectfour, "f5d6c3d3c4", 1, NULL, "'f5d6c3d3c4' is not legal as move 1");
	check(&game_connectfour, "(;GN[yomi connectfour standard];B[d1];W[d5])", 1, "D1D2",
	      "move 2, d5, is read as D2");
	check(&game_connectfour, "(;SZ[7:6];B[d1];W[e1])", 1, "D1E1", "read as connectfour");
}
END_TEST

/* --- all --- */

/* What other formats write as text may be in UTF-16 or have NULs. */
START_TEST(characters)
{
	static const char text[] = "(;GM[2]C[x];B[fe];W[df])";
	char wide[2 * sizeof text + 2];
	struct record r;
	record_init(&r, &game_othello);
	for (int form = 0; form < 4; form++) {
		const bool big = form & 1;
		size_t n = 0;
		/* Also without a mark. */
		if (form < 2) {
			wide[n++] = big ? '\xfe' : '\xff';
			wide[n++] = big ? '\xff' : '\xfe';
		}
		for (const char *c = text; *c; c++) {
			wide[n + (size_t)big] = *c;
			wide[n + (size_t)!big] = 0;
			n += 2;
		}
		wide[n] = '\0';
		ck_assert_msg(read_game(&r, wide, n, 1, COLUMNS_AUTO), "%s", why);
		ck_assert_int_eq(r.count, 2);
	}
	ck_assert(!read_game(&r, "(\0\0\0;\0\0\0", 8, 1, COLUMNS_AUTO));
	ck_assert_str_eq(why, "the characters are UTF-32; UTF-8 and UTF-16 can be read");
	ck_assert(!read_game(&r, "\0\0\xfe\xff\0\0\0(", 8, 1, COLUMNS_AUTO));
	ck_assert_str_eq(why, "the characters are UTF-32; UTF-8 and UTF-16 can be read");
	char zero[sizeof text];
	memcpy(zero, text, sizeof text);
	*strchr(zero, 'x') = '\0';
	ck_assert_msg(read_game(&r, zero, sizeof text - 1, 1, COLUMNS_AUTO), "%s", why);
	ck_assert_int_eq(r.count, 2);
	record_free(&r);
}
END_TEST

/* A text without the name of its game is of the first that fits, unless somebody asks for one. */
START_TEST(games_of_lines)
{
	static const struct {
		const char *text;
		const struct game *game;
	} rows[] = {
		{ "f5d6c3d3c4", &game_othello },
		{ "a1a2b1", &game_tictactoe },
		{ "4455", &game_connectfour },
		{ "a1ta1ta2t", &game_pentago },
	};
	const struct import_wish wish = { .game = NULL };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct import *file = import_open(rows[i].text, strlen(rows[i].text), &wish, why);
		struct record r;
		ck_assert_msg(file, "%s: %s", rows[i].text, why);
		ck_assert_ptr_nonnull(strstr(why, rows[i].game->name));
		record_init(&r, &game_othello);
		ck_assert(sgf_parse(&r, import_next(file)->sgf, 1000, why));
		ck_assert_str_eq(r.game->name, rows[i].game->name);
		record_free(&r);
		import_close(file);
	}
}
END_TEST

/* A wrong move of Othello does not make lines another game. Go is the last guess. */
START_TEST(wrong_moves_of_lines)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
		{ "f5d6c3d3c4a1", "as moves of othello, line 1: 'a1' is not legal as move 6" },
		{ "f5d6c3d3c4f4c5b3c2a1", "othello, line 1: 'a1' is not legal as move 10" },
		{ "f5f6e6f4e3d6c5c4d3c3h8", "othello, line 1: 'd3c3h8' is not legal as move 9" },
		{ "1. f5 d6\n2. c3 a1\n", "othello, line 1: 'a1' is not legal as move 4" },
		{ "f5f5", "othello, line 1: 'f5' is not legal as move 2" },
		/* One game of two is good. */
		{ "f5d6c3d3c4\nf5d6c3d3c4a1", "read as othello" },
		{ "c3g7g3c7e5", "read as gomoku" },
		{ "d1d2e1e2", "read as connectfour" },
		{ "d1 e5 d3", "read as gomoku" },
	};
	const struct import_wish wish = { .game = NULL };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct import *file = import_open(rows[i].text, strlen(rows[i].text), &wish, why);
		ck_assert_msg(strstr(why, rows[i].said), "%s: %s", rows[i].text, why);
		if (file)
			import_close(file);
	}
}
END_TEST

/* Moves in the notation of each game, as yomi writes them. */
START_TEST(round_trips)
{
	struct rng rng;
	rng_seed(&rng, 3);
	for (int k = 0; games[k]; k++)
		for (int i = 0; i < 20; i++) {
			struct record r, read;
			record_init(&r, games[k]);
			record_set_swap(&r, false);
			for (int n = 0; n < 30 && !r.now.over; n++)
				record_play(&r, record_draw(&r, &rng));
			char move[MOVE_TEXT_MAX];
			struct text text = { 0 };
			struct state s = r.start;
			for (int n = 0; n < r.count; record_replay(&r, n++, &s)) {
				game_format(r.game, &s, r.moves[n].move, move);
				text_printf(&text, "%s ", move);
			}
			record_init(&read, games[k]);
			ck_assert_msg(read_game(&read, text.bytes, text.length, 1, COLUMNS_NO_I),
				      "%s: %s", text.bytes, why);
			ck_assert_ptr_eq(read.game, r.game);
			ck_assert_int_eq(read.count, r.count);
			ck_assert_int_eq(read.now.side, r.now.side);
			record_free(&read);
			record_free(&r);
			text_free(&text);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("import");
	TCase *cases = tcase_create("formats");
	tcase_add_test(cases, transcripts);
	tcase_add_test(cases, results);
	tcase_add_test(cases, passes_of_others);
	tcase_add_test(cases, pgn);
	tcase_add_test(cases, wthor);
	tcase_add_test(cases, columns);
	tcase_add_test(cases, offsets);
	tcase_add_test(cases, piskvork);
	tcase_add_test(cases, forbidden_stones);
	tcase_add_test(cases, names_of_ggf);
	tcase_add_test(cases, digits);
	tcase_add_test(cases, characters);
	tcase_add_test(cases, games_of_lines);
	tcase_add_test(cases, wrong_moves_of_lines);
	tcase_add_test(cases, round_trips);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
