/* SPDX-License-Identifier: MIT
 *
 * SGF: files of other programs, our own files read back, and refusals.
 */
#include "protocol/records/sgf.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "engine/base/version.h"
#include "engine/rules/komi.h"
#include "engine/rules/repetition.h"
#include "engine/rules/swap.h"
#include "tests/protocol/mutation.h"
#include "tests/rectangle.h"
#include "tests/suite.h"

static mutation_parse *const parse_text = sgf_parse;
static mutation_print *const print_text = sgf_print;

static void check_position(const char *expected)
{
	char text[POSITION_TEXT_MAX];
	game_position(record.game, &record.now, text);
	ck_assert_str_eq(text, expected);
}

/* Additional properties are written and escaped, except those that would change the game. */
START_TEST(more_properties)
{
	static const struct sgf_property more[] = {
		{ "PB", "a [b] \\" }, { "GM", "1" }, { "SZ", "19" },  { "GN", "x" }, { "B", "aa" },
		{ "AB", "aa" },       { "PL", "W" }, { "RE", "W+T" }, { "C", "" },
	};
	struct text text = { 0 };
	ck_assert_int_eq(record_play_text(&record, BLACK, "b2"), MOVE_OK);
	sgf_print_with(&text, &record, more, sizeof more / sizeof more[0], NULL);
	ck_assert(strstr(text.bytes, "PB[a [b\\] \\\\]RE[W+T]C[]\n;B[b2])"));
	ck_assert(parse(text.bytes, INT_MAX));
	ck_assert_str_eq(record.game->name, "tictactoe");
	check_position("....X.... O");
	text_free(&text);
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
	/* Points in GTP's notation. */
	ck_assert(parse("(;GM[2];B[E6];W[ f4 ])", INT_MAX));
	ck_assert_int_eq(record.count, 2);
	/* The setup may consist of a side only. */
	ck_assert(parse("(;GM[2]PL[white])", INT_MAX));
	ck_assert_int_eq(record.now.side, WHITE);
}
END_TEST

/* LittleGolem names the game in EV and the base in SZ; its first player is white, and may resign in a node of its own. */
START_TEST(games_of_littlegolem)
{
	static const char moves[] =
		";W[E1];B[swap];W[F2];B[D3];W[G1];B[E4];W[G4];B[F3];W[D7];B[resign])";
	char text[512];
	snprintf(text, sizeof text,
		 "(;FF[4]EV[havannah.in.size4.4]PB[b]PW[a]SZ[4]RU[LG]RE[W]GC[ game #1]"
		 "SO[http://www.littlegolem.com]%s",
		 moves);
	ck_assert(parse(text, INT_MAX));
	ck_assert_str_eq(record.game->name, "havannah");
	ck_assert_int_eq(record.game->board.rows, 7);
	ck_assert_int_eq(record.count, 9);
	check_position(":::.O.X::...X.:..O.O.....O.X......:.....::...X::: O");
	char *own = print();
	ck_assert_ptr_nonnull(strstr(own, "GN[yomi havannah standard]SZ[4]"));
	ck_assert_ptr_nonnull(strstr(own, ";B[e1];W[swap-pieces];B[f2]"));
	ck_assert(parse(own, INT_MAX));
	check_position(":::.O.X::...X.:..O.O.....O.X......:.....::...X::: O");
	free(own);
	/* From elsewhere, Black moves first. */
	snprintf(text, sizeof text, "(;GN[yomi havannah standard]SZ[4]%s", moves);
	ck_assert(!parse(text, INT_MAX));
}
END_TEST

/* In Hex the first player, white in the file, joins the first and last row, as Black does here. */
START_TEST(hex_of_littlegolem)
{
#define GOLEM "SO[http://www.littlegolem.com]"
	char why[REASON_MAX];
	ck_assert(parse("(;FF[4]EV[hex.mc.2011.feb.1.10]PB[a]PW[b]SZ[13]GC[ game #1]" GOLEM
			";W[ll];B[swap];W[gg];B[fi];W[ih];B[resign])",
			INT_MAX));
	ck_assert_str_eq(record.game->name, "hex");
	ck_assert_int_eq(record.game->board.rows, 13);
	ck_assert_int_eq(record.count, 5);
	ck_assert_int_eq(record.moves[0].side, BLACK);
	ck_assert(parse("(;FF[4]EV[hex.x]SZ[3]RE[B]" GOLEM ";W[ba];B[ac];W[bb];B[cc];W[bc])",
			INT_MAX));
	check_position(".X..X.OXO O");
	ck_assert(record.now.over && record.now.score > 0);
	/* The name of the event counts even if another game is wished. */
	ck_assert(sgf_parse_with(&record, &game_go, "(;EV[hex.x]SZ[9]" GOLEM ";W[ba];B[ac])", NULL,
				 NULL, why));
	ck_assert_str_eq(record.game->name, "hex");
	/* An event may have no name. Then the first move and its form tell the game, whatever runs. */
	ck_assert(sgf_parse(&record, "(;FF[4]EV[null]SZ[3]" GOLEM ";W[ba];B[swap];W[bb])", INT_MAX,
			    why));
	ck_assert_str_eq(record.game->name, "hex");
	check_position("...OX.... O");
	ck_assert(sgf_parse(&record, "(;EV[null]SZ[13]SO[https://www.littlegolem.net];W[ma];B[kj])",
			    INT_MAX, why));
	ck_assert_str_eq(record.game->name, "hex");
	ck_assert_int_eq(record.moves[0].side, BLACK);
	ck_assert(sgf_parse(&record, "(;EV[null]SZ[4]" GOLEM ";W[E1];B[F2])", INT_MAX, why));
	ck_assert_str_eq(record.game->name, "havannah");
	/* Black moves first in Go, White after a handicap. */
	ck_assert(sgf_parse(&record, "(;EV[go9.x]SZ[9]" GOLEM ";B[ba];W[tt])", INT_MAX, why));
	ck_assert_str_eq(record.game->name, "go");
	ck_assert_int_eq(record.moves[0].side, BLACK);
	ck_assert(sgf_parse(&record, "(;EV[go9.x]SZ[9]HA[2]AB[ee]AB[cc]" GOLEM ";W[ba])", INT_MAX,
			    why));
	ck_assert_int_eq(record.moves[0].side, WHITE);
	ck_assert(sgf_parse(&record, "(;EV[null]SZ[9]" GOLEM ";B[ba];W[aa])", INT_MAX, why));
	ck_assert_str_eq(record.game->name, "go");
	/* Another program has written the game again. */
	ck_assert(parse("(;GM[11]EV[hex.x]SZ[3]" GOLEM ";B[ba];W[ac])", INT_MAX));
	check_position(".X....O.. X");
#undef GOLEM
}
END_TEST

/* A game that HexGui saved: White swaps, and wins from A9 to K3. */
START_TEST(game_of_hexgui)
{
	ck_assert(parse("(;AP[HexGui:0.10.GIT]FF[4]GM[11]SZ[11];B[f6];W[swap-pieces];B[f5];W[h5];\n"
			"B[f7];W[e7];B[g4];W[c8];B[e8];W[j4];B[g3];W[b8];B[e9];W[g11];B[h2];W[g5]\n"
			";B[d10];W[i4];B[h1];W[d8];B[d11];W[a9];B[g6];W[k3])",
			INT_MAX));
	ck_assert_str_eq(record.game->name, "hex");
	ck_assert_int_eq(record.count, 24);
	ck_assert(record.now.over && record.now.score < 0);
}
END_TEST

/* Set-up without a move changes the normal start of the game that GM names. After a handicap White moves; one stone is none. */
START_TEST(set_up_alone)
{
	static const char *const rows[][2] = {
		{ "(;GM[2]SZ[8]AB[aa])",
		  "X..........................OX......XO........................... X" },
		{ "(;GM[1]SZ[5]HA[1]AB[cc])", "............X............ X" },
		{ "(;GM[1]SZ[5]HA[2]AB[cc][dd])", "............X.....X...... O" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_msg(parse(rows[i][0], INT_MAX), "%s", rows[i][0]);
		check_position(rows[i][1]);
	}
}
END_TEST

/* Words in place of moves. A player who gives up makes no move. Where players swap sides, all stones stay, and White moves
 * next. */
START_TEST(words_for_moves)
{
	static const struct {
		const char *text, *position; /* NULL: refused */
		bool can_swap;
	} rows[] = {
		{ "(;GM[11]SZ[3]AP[HexGui:1.0];B[a3];W[c2];B[resign])", ".....OX.. X", false },
		{ "(;GM[11]SZ[3];B[a3];W[Resign])", "......X.. O", true },
		{ "(;GM[11]SZ[3];B[a3];W[c2];W[forfeit])", ".....OX.. X", false },
		{ "(;GM[2];B[ef];W[resign])",
		  "...........................OX......XX.......X................... O", false },
		{ "(;GM[11]SZ[3];B[a1];W[swap-sides];W[c3];B[b2])", "X...X...O O", false },
		{ "(;GM[11]SZ[3];B[a1];W[swap-sides])", "X........ O", false },
		{ "(;GM[11]SZ[3];B[a1])", "X........ O", true },
		{ "(;GM[11]SZ[3];B[a1];W[c3];B[swap-sides])", NULL, false },
		{ "(;GM[11]SZ[3];B[swap-sides])", NULL, false },
		{ "(;GM[2];B[ef];W[swap-sides])", NULL, false },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_msg(parse(rows[i].text, INT_MAX) == !!rows[i].position, "%s",
			      rows[i].text);
		if (!rows[i].position)
			continue;
		check_position(rows[i].position);
		ck_assert(game_can_swap(record.game, &record.now) == rows[i].can_swap);
	}
	/* The game begins at the normal start, so it counts in books. */
	struct record normal;
	ck_assert(parse(rows[4].text, INT_MAX));
	record_init(&normal, record.game);
	ck_assert_uint_eq(record.start.hash, normal.start.hash);
	record_free(&normal);
}
END_TEST

/* After C8 White must pass. Some programs write the pass, some do not. */
#define FORCED_PASS "(;GM[2]AE[dd:ee]AB[aa][ah]AW[ba]AW[bh]PL[B]"

/* PL may stand in any node, if that side can move. In Go and Hex either side can, and in Othello a pass may be forced. */
START_TEST(turns)
{
	static const struct {
		const char *text, *why; /* NULL: it is read, with `count` moves */
		int count;
	} rows[] = {
		{ "(;AP[x]GM[1]SZ[9];B[aa];W[bb]PL[B];B[cc])", NULL, 3 },
		{ "(;AP[x]GM[1]SZ[9];B[aa];PL[B]W[bb];B[cc])", NULL, 3 },
		{ "(;AP[x]GM[1]SZ[9];B[aa];W[bb];PL[2];W[cc])", NULL, 4 },
		{ "(;GM[11]SZ[5];B[aa];W[bb];PL[W];W[cc])", NULL, 4 }, /* one is a turn */
		/* Behind the last move it is a set-up. */
		{ "(;GM[11]SZ[5];B[aa];W[bb]PL[W])", NULL, 3 },
		{ "(;GM[11]SZ[5];B[aa];W[bb]PL[B])", NULL, 2 },
		{ "(;GM[2];B[ef]PL[W];W[fd];PL[B];B[ec])", NULL, 3 },
		{ "(;GM[2];B[ef]PL[B];W[fd])", "PL after move 1 gives the turn to the wrong side",
		  0 },
		{ FORCED_PASS ";B[ch]PL[B];B[ca])", NULL, 3 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char why[REASON_MAX];
		bool done = sgf_parse(&record, rows[i].text, INT_MAX, why);
		ck_assert_str_eq(why, rows[i].why ? rows[i].why : "");
		if (done)
			ck_assert_msg(record.count == rows[i].count, "%s: %d", rows[i].text,
				      record.count);
	}
	/* What follows the wanted moves is not read. */
	ck_assert(parse("(;GM[2];B[ef]PL[B])", 1));
}
END_TEST

/* Quarters are doubled only where they are of stones. Komi that is not clear or that the game cannot have leaves its own, with
 * a note. */
START_TEST(komi)
{
	static const struct {
		const char *value;
		double points;
		bool is_unclear;
		const char *writer;
	} rows[] = {
		{ "6.5", 6.5, false, "" },
		{ "6.50", 6.5, false, "" },
		{ "+6.5", 6.5, false, "" },
		{ "3.75", 7.5, false, "" },
		{ "375", 7.5, false, "" },
		{ "2.75", 5.5, false, "" },
		{ "-3.75", -7.5, false, "" },
		{ "5.75", 7, true, "" },
		{ "6.75", 7, true, "" },
		{ "7.25", 7, true, "" },
		{ "", 7, false, "" },
		/* A comma, fractions, units. */
		{ "6,5", 6.5, false, "" },
		{ "6\u00bd", 6.5, false, "" },
		{ "6 1/2", 6.5, false, "" },
		{ "3\u53c83/4\u5b50", 7.5, false, "" },
		{ "3.75\u5b50", 7.5, false, "" },
		{ "6\u76ee\u534a", 6.5, false, "" },
		{ "6.5 points", 6.5, false, "" },
		{ "\u516d\u76ee\u534a", 6.5, false, "" },
		{ "\uff16\uff0e\uff15", 6.5, false, "" },
		{ ".5", .5, false, "" },
		{ "-.5", -.5, false, "" },
		{ ".", 7, true, "" },
		{ "0x10", 7, true, "" },
		{ "six", 7, true, "" },
		{ "inf", 7, true, "" },
		{ "6.5.5", 7, true, "" },
		{ "6 1/0", 7, true, "" },
		{ "9999999", 7, true, "" },
		/* Hundredths, of points or of stones. */
		{ "350", 7, false, "" },
		{ "700", 7, false, "" },
		{ "650", 6.5, false, "" },
		{ "50", 50, false, "" },
		{ "50", .5, false, "AP[foxwq]" },
		{ "325", 6.5, false, "AP[GNU Go:3.8]AP[foxwq]" },
		{ "6.5", 6.5, false, "AP[foxwq]" },
		{ "0", 0, false, "AP[foxwq]" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[96], why[REASON_MAX];
		snprintf(text, sizeof text, "(;GM[1]SZ[9]KM[%s]%s)", rows[i].value, rows[i].writer);
		record_restart(&record, &game_go);
		ck_assert(sgf_parse(&record, text, INT_MAX, why));
		ck_assert_msg(record.game->komi->get(record.game, &record.start) ==
				      2 * rows[i].points,
			      "%s", text);
		ck_assert_msg(rows[i].is_unclear == (*why != '\0'), "%s: %s", text, why);
	}
}
END_TEST

/* White takes over Black's stone at the mirrored point, or the players exchange their colours: then the stone stays and White
 * moves. Programs have the same words for both. */
START_TEST(swaps)
{
	static const struct {
		const char *text, *position; /* NULL: refused */
		int count;
		bool is_guess;
	} rows[] = {
		/* HexGui and MoHex: the same side moves again. */
		{ "(;GM[11]SZ[3];B[a3];W[swap-pieces];W[b2];B[c3])", "....O.X.X O", 4, true },
		{ "(;GM[11]SZ[3];B[a3];W[SWAP];W[b2])", "....O.X.. X", 3, true },
		{ "(;GM[11]SZ[3];B[a3];W[swap]WL[9]C[B[b1\\]];C[;B];W[b2])", "....O.X.. X", 3,
		  true },
		{ "(;GM[11]SZ[3];B[a3](;W[swap-pieces](;W[b2])(;B[b1]))(;W[a1]))", "....O.X.. X", 3,
		  true },
		{ "(;GM[11]SZ[3];B[a3];W[swap-sides];W[b2])", "....O.X.. X", 3, false },
		{ "(;GM[11]SZ[3];B[a3];B[swap-pieces];W[b2])", "....O.X.. X", 3, true },
		{ "(;GM[11]SZ[3];B[a3];W[swap-sides];W[resign])", "......X.. O", 2, false },
		/* A mirrored stone. */
		{ "(;GM[11]SZ[3];B[a3];W[swap-pieces];B[b2])", "..O.X.... O", 3, false },
		{ "(;GM[11]SZ[3];B[a3];W[swap pieces];B[b2])", "..O.X.... O", 3, false },
		{ "(;GM[11]SZ[3];B[a3];W[swap-pieces])", "..O...... X", 2, false },
		{ "(;GM[11]SZ[3];B[a3];W[swap-sides];B[b2])", "..O.X.... O", 3, true },
		{ "(;GM[11]SZ[3];B[a3];W[swap-pieces];B[resign])", "..O...... X", 2, false },
		/* Only one of the two makes all moves legal. */
		{ "(;GM[11]SZ[3];B[a3];W[swap-pieces];W[a3];B[b2])", "..O.X.O.. O", 5, true },
		{ "(;GM[11]SZ[3];B[a3];W[swap];W[a3];B[a3])", NULL, 0, false },
		/* In Havannah the stone stays in both. */
		{ "(;GN[yomi havannah standard]SZ[4];B[a4];W[swap-pieces];W[b4];B[c4])",
		  ":::....::.....:......XOX..........:.....::....::: O", 4, true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char why[REASON_MAX];
		bool done = sgf_parse(&record, rows[i].text, INT_MAX, why);
		ck_assert_msg(done == !!rows[i].position, "%s: %s", rows[i].text, why);
		if (!done)
			continue;
		check_position(rows[i].position);
		ck_assert_msg(record.count == rows[i].count, "%s: %d", rows[i].text, record.count);
		ck_assert_msg(rows[i].is_guess == !!*why, "%s: %s", rows[i].text, why);
		char *text = print();
		ck_assert_msg(parse(text, INT_MAX), "%s", text);
		check_position(rows[i].position);
		free(text);
	}
	/* The swap is move 2 of the text. */
	ck_assert(parse(rows[0].text, 3));
	check_position("......X.. O");
	ck_assert(!game_can_swap(record.game, &record.now));
	ck_assert(record_undo(&record));
	ck_assert(game_can_swap(record.game, &record.now));
}
END_TEST

/* Stones that are set up after the first move. */
START_TEST(later_set_ups)
{
	static const struct {
		const char *text, *position;
		int before, count;
	} rows[] = {
		{ "(;GM[1]SZ[3];B[aa];W[bb];AB[cc]AE[aa])", "....O...X X", INT_MAX, 3 },
		{ "(;GM[1]SZ[3];B[aa];W[bb];AB[cc]AE[aa];B[ca])", "..X.O...X O", INT_MAX, 4 },
		{ "(;GM[1]SZ[3];B[aa];W[bb];AB[cc]AE[aa];W[ca])", "..O.O...X X", INT_MAX, 4 },
		{ "(;GM[1]SZ[3];B[aa];W[bb];AB[cc]PL[W])", "X...O...X O", INT_MAX, 3 },
		{ "(;GM[1]SZ[3];B[aa];W[bb];AB[cc]AE[aa];B[ca])", "....O...X X", 3, 3 },
		{ "(;GM[1]SZ[3];B[aa];W[bb];AB[cc]AE[aa];B[ca])", "X........ O", 2, 1 },
		{ "(;GM[1]SZ[3];B[aa];W[bb];AW[cc]AE[bb]B[bb])", "X...X...O O", INT_MAX, 4 },
		/* Nothing changes. */
		{ "(;GM[1]SZ[3];B[aa];W[bb];AB[aa]AE[cc];B[ca])", "X.X.O.... O", INT_MAX, 3 },
		/* Nothing but the turn changes. */
		{ "(;GM[1]SZ[3];B[aa];PL[B])", "X........ X", INT_MAX, 2 },
		{ "(;GM[1]SZ[3];B[aa]PL[B])", "X........ X", INT_MAX, 2 },
		{ "(;GM[1]SZ[3];B[aa];AE[bb]PL[B])", "X........ X", INT_MAX, 2 },
		{ "(;GM[1]SZ[3];B[aa];PL[B];B[bb])", "X........ X", 2, 2 },
		/* After a set-up an earlier position may come back. */
		{ "(;GM[1]SZ[3];B[aa];W[bb];AE[bb]PL[W];W[bb])", "X...O.... X", INT_MAX, 4 },
		/* The move tells the side, also where turns are strict. */
		{ "(;GN[yomi tictactoe standard];B[a1];W[b1];AE[b1];W[c1])", "X.O...... X", INT_MAX,
		  4 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_msg(parse(rows[i].text, rows[i].before), "%s", rows[i].text);
		check_position(rows[i].position);
		ck_assert_msg(record.count == rows[i].count, "%s: %d", rows[i].text, record.count);
		struct state state;
		record_state(&record, record.count, &state);
		ck_assert_uint_eq(state.hash, record.now.hash);
		char *text = print();
		ck_assert_msg(parse(text, INT_MAX), "%s", text);
		check_position(rows[i].position);
		ck_assert_int_eq(record.count, rows[i].count);
		free(text);
		while (record_undo(&record))
			;
		ck_assert_uint_eq(record.now.hash, record.start.hash);
	}
}
END_TEST

/* What other programs write, with the same stones. */
START_TEST(lenient)
{
	static const struct {
		const char *text, *position;
		bool is_guess;
	} rows[] = {
		{ "(;GM[1]SZ[3];B[aa];W[dd];B[bb])", "X...X.... O", true },
		{ "(;GM[1]SZ[3];B[a a];W[\nb\tb ])", "X...O.... X", false },
		{ "(;GM[1]SZ[3];B[aa];W[bb];B[c", "X...O.... X", true },
		{ "(;GM[1]SZ[3];B[aa];W[bb](;B[cc]", "X...O...X O", true },
		{ "(;GM[1]SZ[3]PW[x;]];B[aa])", "X........ O", false },
		{ "(;GM[1]SZ[3]L2[aa];B1[x]B[aa])", "X........ O", false },
		{ "(;GM[1]SZ[9]HA[4];W[ee])",
		  "....................X...X...............O...............X...X..................."
		  "."
		  " X",
		  true },
		/* Moves on them tell that they are not there. */
		{ "(;GM[1]SZ[9]HA[2];W[gc];B[gg];W[cg])",
		  "........................O..............................."
		  "O...X.................... X",
		  true },
		{ "(;GM[1]SZ[3]AB[CC];B[AA];W[B b])", "X...O...X X", false },
		{ "(;GM[1]SZ[3]HA[2];B[aa])", "X........ O", false },
		/* A move on a stone is made all the same. */
		{ "(;GM[1]SZ[3];B[aa];W[aa];B[bb])", "O...X.... O", true },
		{ "(;GM[1]SZ[3];B[aa];W[bb];B[aa];W[cc])", "X...O...O X", true },
		{ "(;GM[1]SZ[3]HA[2];W[aa])", "O........ X", true },
		/* A chain that is set up without a liberty is removed, that of the side to move first. */
		{ "(;GM[1]SZ[5];AB[aa]AW[ab][ba];B[ee])", ".O...O..................X O", true },
		{ "(;GM[1]SZ[3];B[cc];AB[aa]AW[ab][ba];B[ac])", ".O.O..X.X O", true },
		{ "(;GM[1]SZ[3]AB[aa][bb][ca]AW[ab][ba];W[ac])", "X.XOX.O.. X", true },
		/* So are a ko that is retaken at once, and a suicide of one stone or two. */
		{ "(;GM[1]SZ[5]AB[ba][ab][bc]AW[ca][cc][db];B[cb];W[bb];B[cb])",
		  ".XO..X.XO..XO............ O", true },
		{ "(;GM[1]SZ[5]RU[Chinese]AB[ba][ab][bc]AW[ca][cc][db];B[cb];W[bb];B[cb];W[ee])",
		  ".XO..X.XO..XO...........O X", true },
		{ "(;GM[1]SZ[5]AW[ba][ab];B[aa])", ".O...O................... O", true },
		{ "(;GM[1]SZ[5]AW[ba][ab];B[aa];W[cc])", ".O...O......O............ X", true },
		{ "(;GM[1]SZ[5]AW[ca][bb][ac]AB[ab][ba];B[aa];W[ee])",
		  "..O...O...O.............O X", true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char why[REASON_MAX];
		record_restart(&record, &game_go);
		ck_assert_msg(sgf_parse(&record, rows[i].text, INT_MAX, why), "%s: %s",
			      rows[i].text, why);
		check_position(rows[i].position);
		ck_assert_msg(rows[i].is_guess == !!*why, "%s: %s", rows[i].text, why);
	}
}
END_TEST

#define GOGUI_SIGNS "abcdefghijklmnopqrstuvwxyz0123456789"

/* Returns the text written for GoGui: without GM, with points of two letters only. Moves from a square to another keep
 * their text: "e2e3". */
static char *print_gogui(void)
{
	struct text text = { 0 };
	sgf_print_gogui(&text, &record);
	ck_assert_ptr_null(strstr(text.bytes, "GM["));
	for (const char *at = strstr(text.bytes, ";B["); at; at = strstr(at + 1, ";B["))
		ck_assert(at[3] == ']' || strncmp(at + 3, "swap-pieces]", 12) == 0 ||
			  (at[3] >= 'a' && at[3] <= 's' && at[4] >= 'a' && at[4] <= 's' &&
			   at[5] == ']') ||
			  (isdigit((unsigned char)at[4]) && strspn(at + 3, GOGUI_SIGNS) > 3));
	return text_take(&text);
}

/* Whether White may swap is the same after reading. */
START_TEST(right_to_swap)
{
	static const char *const names[] = { "hex", "havannah" };
	for (int i = 0; i < 8; i++) {
		bool has_swap = i & 1, has_move = i & 2;
		record_restart(&record, game_find(names[i / 4], NULL));
		record_set_swap(&record, has_swap);
		struct move moves[GAME_MOVES_MAX];
		record_moves(&record, moves);
		if (has_move)
			record_play(&record, moves[0]);
		uint64_t hash = record.now.hash;
		char *texts[2] = { print(), print_gogui() };
		for (int form = 0; form < 2; form++) {
			char why[REASON_MAX];
			ck_assert_msg(sgf_parse(&record, texts[form], INT_MAX, why), "%s: %s", why,
				      texts[form]);
			ck_assert_msg(record.now.hash == hash, "%s", texts[form]);
			ck_assert(game_can_swap(record.game, &record.now) ==
				  (has_swap && has_move));
			free(texts[form]);
		}
	}
	/* A longer game without a swap begins at the normal start. */
	ck_assert(parse("(;GM[11]SZ[3];B[a1];W[b2])", INT_MAX));
	record_set_swap(&record, false);
	char *text = print();
	ck_assert_ptr_null(strstr(text, "PL["));
	free(text);
}
END_TEST

/* Set-up leaves the squares off the board alone. */
START_TEST(hexagon_set_up)
{
	ck_assert(parse("(;GN[yomi havannah standard]SZ[4]AB[d1][e1]AW[d4]PL[W];W[e4])", INT_MAX));
	check_position(":::XX..::.....:.........OO........:.....::....::: X");
	ck_assert(!parse("(;GN[yomi havannah standard]SZ[4]AB[a1])", INT_MAX));
}
END_TEST

/* In GoGui's form SZ is the side of the square around the hexagon, in others its base. */
START_TEST(hexagon_of_gogui)
{
	static const struct {
		const char *text;
		int side;
	} rows[] = {
		{ "(;FF[4]AP[yomi:0.2.0]GN[yomi havannah standard]SZ[7];B[fb])", 7 },
		{ "(;FF[4]AP[gogui:1.6.0]GN[yomi havannah standard]SZ[9];B[ff])", 9 },
		{ "(;FF[4]AP[gogui:1.6.0]SZ[7];B[fb])", 7 },
		{ "(;FF[4]AP[gogui-twogtp:1.6.0]SZ[7];B[ff])", 7 },
		{ "(;FF[4]AP[gogui:1.6.0]SZ[7];B[al])", 13 },
		{ "(;FF[4]AP[yomi:0.2.0]GN[yomi havannah standard]SZ[7];B[f2])", 13 },
		{ "(;FF[4]AP[other]GN[yomi havannah standard]SZ[7];B[ff])", 13 },
		{ "(;FF[4]AP[yomi:0.2.0]GN[yomi havannah standard]SZ[13];B[ff])", 13 },
		{ "(;FF[4]AP[yomi:0.2.0]GN[yomi havannah standard]SZ[9]AB[eg]PL[W];W[ff])", 9 },
		{ "(;FF[4]AP[yomi:0.2.0]GN[yomi havannah standard]SZ[9]AB[i1]PL[W];W[i2])", 17 },
		{ "(;FF[4]AP[GoGui:1]GN[yomi havannah standard 5]SZ[9];B[f2])", 9 },
		{ "(;FF[4]GN[yomi havannah standard 9]SZ[9];B[i2])", 17 },
	};
	char why[REASON_MAX];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		record_restart(&record, game_sized(&game_havannah, 7, 7));
		ck_assert_msg(sgf_parse(&record, rows[i].text, INT_MAX, why), "%s: %s",
			      rows[i].text, why);
		ck_assert_msg(record.game->board.rows == rows[i].side, "%s", rows[i].text);
		ck_assert_int_eq(record.count, 1);
	}
	record_restart(&record, &game_othello);
}
END_TEST

/* GoGui's window draws hexagons as the game numbers them; its tools write the points of GTP, row 1 at the bottom. */
START_TEST(rows_of_hexagons)
{
	static const struct {
		const char *text, *move;
	} rows[] = {
		{ "(;AP[GoGui:1.6.0]SZ[11];B[jb])", "J2" },
		{ "(;AP[gogui-twogtp:1.6.0]SZ[11];B[jb])", "J10" },
		{ "(;AP[gomill twogtp]SZ[11];B[jb])", "J10" },
		{ "(;AP[yomi]GN[yomi hex]SZ[11];B[jb])", "J2" },
	};
	char why[REASON_MAX], text[MOVE_TEXT_MAX];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		record_restart(&record, game_sized(&game_hex, 11, 11));
		ck_assert_msg(sgf_parse(&record, rows[i].text, INT_MAX, why), "%s: %s",
			      rows[i].text, why);
		game_format(record.game, &record.start, record.moves[0].move, text);
		ck_assert_str_eq(text, rows[i].move);
	}
	struct text written = { 0 };
	sgf_print_gogui(&written, &record);
	ck_assert_ptr_nonnull(strstr(written.bytes, ";B[jb]"));
	text_free(&written);
	record_restart(&record, &game_othello);
}
END_TEST

static void take_line(void *arg, const char *line)
{
	struct text *out = arg;
	text_printf(out, "%s|", line);
}

static void take_comment(void *arg, int moves, const char *name, const char *value)
{
	(void)moves;
	if (strcmp(name, "C") == 0)
		strcpy(arg, value);
}

/* The second byte of a character may be that of a backslash or bracket. Bytes of other sets do not hide them. */
START_TEST(sets_of_characters)
{
	static const struct {
		const char *before, *text, *value; /* of C; all have three moves */
	} rows[] = {
		/* Shift_JIS: 0x955c, 0x835c, and 0x835d, whose second byte is a bracket; 0xb1 is a whole character. */
		{ "CA[Shift_JIS]PB[\x95\x5c]", "\x83\x5c", "\x83\x5c" },
		{ "CA[Shift_JIS]", "\x82\xb1\x83\x5d\xb1", "\x82\xb1\x83\x5d\xb1" },
		{ "PB[\x95\x5c]", "\x82\xb1\x95\x5c", "\x82\xb1\x95\x5c" },
		{ "CA[Shift_JIS]", "\x95\x5c\\]a", "\x95\x5c]a" },
		{ "CA[Shift_JIS]", "\x95\x5c\\\x83\x5d", "\x95\x5c\x83\x5d" },
		{ "CA[Big5]PB[\xa5\x5c]", "\xa6\xa8\xa5\x5c", "\xa6\xa8\xa5\x5c" },
		{ "PB[\xa5\x5c]", "\xa6\xa8\xa5\x5c", "\xa6\xa8\xa5\x5c" },
		{ "CA[GBK]", "\x81\x5c\x81\x5d", "\x81\x5c\x81\x5d" },
		{ "CA[GB18030]", "\x81\x30\x81\x30", "\x81\x30\x81\x30" },
		/* UTF-8, also if CA has stayed from before. */
		{ "CA[UTF-8]", "\xe3\x81\x82\\]", "\xe3\x81\x82]" },
		{ "", "\xe3\x81\x82\\]", "\xe3\x81\x82]" },
		{ "CA[GBK]PB[\xe3\x81\x82]", "\xe3\x81\x82", "\xe3\x81\x82" },
		/* Latin-1 */
		{ "CA[ISO-8859-1]PB[Ren\xe9]", "[Ren\xe9\\]", "[Ren\xe9]" },
		{ "PB[Ren\xe9]", "Ren\xe9", "Ren\xe9" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[256], comment[32] = "", why[REASON_MAX];
		snprintf(text, sizeof text, "(;GM[1]SZ[9]%s;B[gc];W[ee]C[%s];B[cc])",
			 rows[i].before, rows[i].text);
		ck_assert_uint_eq(sgf_length(text), strlen(text));
		ck_assert_msg(sgf_parse_with(&record, &game_go, text, take_comment, comment, why),
			      "%s: %s", text, why);
		ck_assert_msg(record.count == 3, "%s", text);
		ck_assert_str_eq(comment, rows[i].value);
		struct text lines = { 0 };
		sgf_lines(text, take_line, &lines);
		ck_assert_uint_eq(strlen(lines.bytes), strlen(text) + 1);
		text_free(&lines);
	}
}
END_TEST

START_TEST(up_to_a_move)
{
	for (int before = 1; before < 6; before++) {
		ck_assert(parse("(;GM[2];B[ef];W[fd];B[ec])", before));
		ck_assert_int_eq(record.count, before < 4 ? before - 1 : 3);
	}
	/* What follows is ignored. */
	ck_assert(parse("(;GM[2];B[ef];W[aa])", 2));
	ck_assert(!parse("(;GM[2];B[ef];W[aa])", 3));
}
END_TEST

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
	/* Passes of GGF. */
	ck_assert(parse(FORCED_PASS ";B[ch];W[PA];B[ca])", INT_MAX));
	ck_assert(parse(FORCED_PASS ";B[ch];W[pa];B[ca])", INT_MAX));
	ck_assert(!parse("(;GM[1]SZ[9];B[pa])", INT_MAX));
}
END_TEST

START_TEST(positions)
{
	ck_assert(parse("(;GN[yomi tictactoe standard]AB[a1]AB[b2]AW[b1];W[c3])", INT_MAX));
	check_position("XO..X...O X");
	/* Without PL and moves, the board determines the side. */
	ck_assert(parse("(;GN[yomi tictactoe standard]AB[a1][b2]AW[b1])", INT_MAX));
	check_position("XO..X.... O");
	ck_assert(parse("(;GN[yomi tictactoe standard]AB[a1:c1]AW[a2:b2]AE[b1]AB[c3])", INT_MAX));
	check_position("X.XOO...X O");
	/* The corners of a rectangle may come in any order. */
	ck_assert(parse("(;GN[yomi tictactoe standard]AB[c2:b1]AW[a3:a2][b3])", INT_MAX));
	check_position(".XXOXXOO. O");
}
END_TEST

static void check_same_text(const struct game *g, const struct state *a, const struct state *b)
{
	char text[POSITION_TEXT_MAX], other[POSITION_TEXT_MAX];
	game_position(g, a, text);
	game_position(g, b, other);
	ck_assert_str_eq(text, other);
}

/* Compares set-up positions. These have no ko, no passes and no counters from before. */
static void check_same(const struct game *g, const struct state *a, const struct state *b)
{
	if (g->set_turn)
		ck_assert_uint_eq(a->board[0], b->board[0]);
	else if (game_repeats(g))
		ck_assert_uint_eq(repetition_key(g, a), repetition_key(g, b));
	else if (g->steps.counts)
		check_same_text(g, a, b);
	else
		ck_assert_uint_eq(a->hash, b->hash);
}

/* Random games of every game survive writing and reading. */
START_TEST(round_trips)
{
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; games[i]; i++) {
		struct record copy;
		record_restart(&record, games[i]);
		while (!record.now.over)
			record_play(&record, record_draw(&record, &rng));
		record_play_end_pass(&record, WHITE);
		record_init(&copy, games[i]);
		record_copy(&copy, &record);
		char *text = print();
		ck_assert_ptr_null(strstr(text, "\n\n"));
		record_restart(&record, &game_tictactoe);
		ck_assert_msg(parse(text, INT_MAX), "%s", text);
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
		check_same(games[i], &record.start, &middle);
		record_free(&copy);
	}
}
END_TEST

START_TEST(game_information)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{ "(;GM[2])", "]GM[2]SZ[8])" },
		{ "(;GN[yomi pentago tajima])", "]GN[yomi pentago tajima]SZ[6]RU[tajima])" },
		{ "(;GN[yomi tictactoe standard];B[a1];W[a2];B[b1];W[b2];B[c1])",
		  "SZ[3]RU[standard]RE[B+1]" },
	};
	char root[64];
	snprintf(root, sizeof root, "(;FF[4]CA[UTF-8]AP[yomi:%s]", version_number());
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert(parse(rows[i].text, INT_MAX));
		char *text = print();
		ck_assert_int_eq(strncmp(text, root, strlen(root)), 0);
		ck_assert_ptr_nonnull(strstr(text, rows[i].expected));
		ck_assert_str_eq(text + strlen(text) - 2, ")\n");
		free(text);
	}
}
END_TEST

/* SZ is COLUMNS:ROWS. GoGui's board is a square, with row 1 at the bottom. */
START_TEST(rectangular_board)
{
	static const struct {
		const char *text, *position, *why; /* position NULL: refused */
	} rows[] = {
		{ "(;SZ[4:2];B[d1];W[a2])", "...XO... X", "read as rectangle, rows from the top" },
		{ "(;SZ[4:2];B[da];W[ab])", "...XO... X", "read as rectangle, rows from the top" },
		{ "(;SZ[4:2]AP[GoGui:1.6];B[db];W[aa])", "...XO... X",
		  "read as rectangle, rows from the bottom" },
		{ "(;SZ[4]AP[GoGui:1.6];B[dd];W[ac])", "...XO... X",
		  "read as rectangle, rows from the bottom" },
		{ "(;SZ[4:2]AB[aa:db]AE[aa:bb]AW[da][cb];B[aa])", "X.XO..OX O",
		  "read as rectangle, rows from the top" },
		{ "(;SZ[23];B[d1])", NULL, "size 23 is not that of rectangle" },
		{ "(;SZ[2:4];B[d1])", NULL, "size 2:4 is not that of rectangle" },
		{ "(;SZ[4:x];B[d1])", NULL, "SZ is no size" },
	};
	char why[REASON_MAX];
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		record_restart(&record, &rectangle);
		bool done = sgf_parse(&record, rows[i].text, INT_MAX, why);
		ck_assert_str_eq(why, rows[i].why);
		ck_assert_int_eq(done, rows[i].position != NULL);
		if (done)
			check_position(rows[i].position);
	}
	ck_assert(sgf_parse(&record, rows[0].text, INT_MAX, why));
	struct text text = { 0 };
	sgf_print(&text, &record);
	ck_assert_ptr_nonnull(strstr(text.bytes, "SZ[4:2]RU[standard]\n;B[d1];W[a2])"));
	text_clear(&text);
	sgf_print_gogui(&text, &record);
	ck_assert_ptr_nonnull(strstr(text.bytes, "SZ[4]RU[standard]\n;B[dd];W[ac])"));
	text_free(&text);
}
END_TEST

/* As gogui-twogtp 1.6.0 writes it: no GM, rows from the bottom, passes after the end. */
#define GOGUI_OTHELLO                                                                              \
	"(;FF[4]CA[UTF-8]AP[gogui-twogtp:1.6.0]SZ[8]\nKM[6.5]PB[a]PW[b]RE[W+8]\n"                  \
	"C[Result[Black\\]: W+8\nHost: x]\n"                                                       \
	";B[df];W[cf];B[bf];W[bg];B[ce];W[ef];B[cg];W[dc];B[fe];W[cd]\n"                           \
	";B[dg];W[fd];B[eg];W[ff];B[gf];W[eh];B[dh];W[fg];B[fh];W[af]\n"                           \
	";B[ge];W[gd];B[ah];W[bd];B[bh];W[be];B[ac];W[ad];B[ag];W[ch]\n"                           \
	";B[ae];W[hg];B[hf];W[he];B[bc];W[cc];B[fc];W[gg];B[gh];W[hh]\n"                           \
	";B[eb];W[gc];B[ec];W[fb];B[ga];W[fa];B[ea];W[da];B[ca];W[db]\n"                           \
	";B[hb];W[hd];B[cb];W[ab];B[bb];W[aa];B[ba];W[ha];B[gb];W[hc]\n;B[];W[])\n"

#define D3      "...................X.......XX......XO........................... O"
#define A1      "X........ O"
#define A3      "......X.. O"
#define TURNED  "............X....................... O"
#define OTHELLO &game_othello
#define TICTAC  &game_tictactoe
#define PENTAGO &game_pentago_tajima

/* Games of Go programs are read as the running game, in the orientation in which their moves are legal. */
START_TEST(games_that_name_no_game)
{
	static const struct {
		const struct game *running;
		const char *text, *position, *why; /* position NULL: refused */
	} rows[] = {
		{ OTHELLO, "(;SZ[8];B[dc])", D3, "read as othello, rows from the top" },
		{ OTHELLO, "(;SZ[8];B[df])", D3, "read as othello, rows from the bottom" },
		{ OTHELLO, "(;SZ[8]AP[GoGui:1.6];B[df])", D3,
		  "read as othello, rows from the bottom" },
		/* Legality overrides what the writing program suggests. */
		{ OTHELLO, "(;SZ[8]AP[GoGui:1.6];B[dc])", D3,
		  "read as othello, rows from the top" },
		{ OTHELLO, "(;FF[4]CA[UTF-8]GM[1]SZ[8]AP[gomill:0.8];B[df])", D3,
		  "read as othello, rows from the bottom" },
		{ OTHELLO, "(;SZ[8]GM[];B[D3])", D3, "read as othello, rows from the top" },
		/* Stones that are set up are all stones. AE for empty squares changes nothing. */
		{ OTHELLO, "(;AP[GoGui]SZ[8]AE[aa]AB[df][de][dd][ee]AW[ed]PL[W])", D3,
		  "read as othello, rows from the bottom" },
		/* In a symmetric game the writing program decides. */
		{ TICTAC, "(;SZ[3];B[aa])", A1, "read as tictactoe, rows from the top" },
		{ TICTAC, "(;AP[x]SZ[3];B[aa])", A1, "read as tictactoe, rows from the top" },
		{ TICTAC, "(;AP[gogui-twogtp:1]SZ[3];B[ac])", A1,
		  "read as tictactoe, rows from the bottom" },
		{ TICTAC, "(;AP[Gomill:1]GM[1]SZ[3];B[aa])", A3,
		  "read as tictactoe, rows from the bottom" },
		{ TICTAC, "(;SZ[3];B[a1])", A1, "read as tictactoe, rows from the top" },
		/* In GoGui's frame a move is two plays. A placement without its turn is not a move yet. */
		{ PENTAGO, "(;AP[GoGui:1]SZ[8];B[bb];B[ac])", TURNED,
		  "read as pentago tajima, in GoGui's frame" },
		{ PENTAGO, "(;SZ[8];B[bb];B[ac];W[be])", TURNED,
		  "read as pentago tajima, in GoGui's frame" },
		{ PENTAGO, "(;SZ[8];B[be];B[bb])", NULL, "move 1, a4, is not legal" },
		{ PENTAGO, "(;SZ[8];B[be];W[ac])", NULL, "move 1, a4S, is not legal" },
		{ PENTAGO, "(;SZ[8];B[be];B[ac];B[bb])", NULL, "move 2, a1, is not legal" },
		{ PENTAGO, "(;SZ[8];B[ac])", NULL, "move 1, ac, is not legal" },
		{ PENTAGO, "(;SZ[6];B[ac])", NULL, "move 1, a4, is not legal" },
		/* The reason is that of the reading that got furthest. */
		{ OTHELLO, "(;SZ[8];B[df];W[cf];B[aa])", NULL, "move 3, a8, is not legal" },
		{ OTHELLO, "(;SZ[8];B[dc];W[cc];B[aa])", NULL, "move 3, a1, is not legal" },
		{ OTHELLO, "(;SZ[23];B[aa])", NULL, "size 23 is not that of othello" },
		{ OTHELLO, "(;GM[1]SZ[25];B[aa])", NULL, "size 25 is not that of go" },
		{ OTHELLO, "(;GM[1]SZ[4294967305];B[aa])", NULL, "SZ is no size" },
		{ OTHELLO, "(;SZ[8];B[df]", D3,
		  "read as othello, rows from the bottom; the text ends before the game does" },
		{ TICTAC, "(;)", NULL, "the game is unknown: GM[2], GN or SZ must tell it" },
		{ TICTAC, "(;GM[3]SZ[3];B[aa])", NULL, "GM[3] is another game" },
		/* In standard SGF Othello, rows count from the top. */
		{ TICTAC, "(;GM[2]AP[GoGui:1];B[df])", NULL, "move 1, d6, is not legal" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char why[REASON_MAX] = "x";
		record_restart(&record, rows[i].running);
		bool done = sgf_parse(&record, rows[i].text, INT_MAX, why);
		ck_assert_msg(done == !!rows[i].position, "%s: %s", rows[i].text, why);
		ck_assert_str_eq(why, rows[i].why);
		if (done) {
			check_position(rows[i].position);
			ck_assert_ptr_eq(record.game, rows[i].running);
		} else {
			ck_assert_int_eq(record.count, 0);
		}
	}
}
END_TEST

/* GM[1] is Go, unless a program wrote it that is known for other games, or somebody wishes another game. */
/* A letter and a number are no point of Go: without GM and SZ the game is the one that runs. */
START_TEST(notation_without_a_game)
{
	static const struct {
		const char *game, *text, *last;
	} rows[] = {
		{ "othello", "(;FF[4];B[d3];W[c5])", "C5" },
		{ "hex", "(;B[a1];W[b2])", "B2" },
		{ "othello", "(;B[D3]W[C5])", "C5" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char why[REASON_MAX], last[MOVE_TEXT_MAX];
		record_restart(&record, game_find(rows[i].game, NULL));
		ck_assert_msg(sgf_parse(&record, rows[i].text, INT_MAX, why), "%s: %s",
			      rows[i].text, why);
		ck_assert_str_eq(record.game->name, rows[i].game);
		ck_assert_int_eq(record.count, 2);
		struct state before;
		record_state(&record, 1, &before);
		game_format(record.game, &before, record.moves[1].move, last);
		ck_assert_str_eq(last, rows[i].last);
		ck_assert(*why);
	}
}
END_TEST

START_TEST(games_of_go)
{
	static const struct {
		const struct game *running;
		const char *text;
		bool is_wish;
		const char *name, *position; /* the position's first row */
	} rows[] = {
		{ &game_gomoku, "(;GM[1]SZ[9]KM[6.5]RU[Japanese]AP[CGoban:3];B[ea])", false, "go",
		  "....X...." },
		{ &game_hex, "(;GM[1]KM[6.5]AP[CGoban:3];B[ea])", false, "go",
		  "....X.............." },
		{ &game_havannah, "(;AP[yomi:0.2.0]GM[1]SZ[9]KM[7];B[ea])", false, "go",
		  "....X...." },
		{ &game_gomoku, "(;AP[yomi:0.2.0]GM[1]SZ[9]KM[7];B[ea])", true, "go", "....X...." },
		{ &game_gomoku, "(;GM[1]SZ[15]AP[Other];B[ea])", true, "gomoku",
		  "....X.........." },
		{ &game_gomoku, "(;GM[1]SZ[15]AP[Other];B[ea])", false, "go", "....X.........." },
		{ &game_gomoku, "(;GM[1]SZ[15];B[ea])", false, "go", "....X.........." },
		{ &game_gomoku, "(;GM[1]SZ[15];B[ea])", true, "gomoku", "....X.........." },
		{ &game_hex, "(;SZ[9];B[ea])", false, "hex", "....X...." },
		{ &game_tictactoe, "(;SZ[9];B[ea])", false, "go", "....X...." },
		/* Neither GM nor SZ: Go on the usual board. */
		{ &game_hex, "(;FF[4]KM[6.5];B[ea];W[dp])", false, "go", "....X.............." },
		{ &game_go, "(;B[ea];W[dp])", true, "go", "....X.............." },
		{ NULL, "(;B[ea];W[dp])", false, "go", "....X.............." },
		{ &game_hex, "(;AB[ea])", false, "go", "....X.............." },
		{ &game_hex, "(;AddBlack[ea])", false, "go", "....X.............." },
		{ &game_hex, "(;B[ea];W[dc])", true, "hex", "....X......" },
		{ &game_hex, "(;gm[1]sz[9];b[ea])", false, "go", "....X...." },
		{ &game_hex, "(\nKO[6]\n;B[ea];W[dp])", false, "go", "....X.............." },
		{ &game_hex, "see (the note) (B[ea];W[dp])", false, "go", "....X.............." },
		{ &game_gomoku, "(;AP[GoGui:1.5];B[ea])", false, "gomoku", "....X.............." },
		{ &game_gomoku, "(;GM[1]SZ[15]AP[GoGui:1.6];B[ea])", false, "gomoku",
		  "....X.........." },
		{ NULL, "(;GM[1]SZ[9]AP[Other];B[ea])", true, "go", "....X...." },
	};
	char why[REASON_MAX], text[POSITION_TEXT_MAX];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		record_restart(&record, rows[i].running ? rows[i].running : &game_tictactoe);
		bool done = rows[i].is_wish ? sgf_parse_with(&record, rows[i].running, rows[i].text,
							     NULL, NULL, why)
					    : sgf_parse(&record, rows[i].text, INT_MAX, why);
		ck_assert_msg(done, "%s: %s", rows[i].text, why);
		ck_assert_msg(strcmp(record.game->name, rows[i].name) == 0, "%s: %s", rows[i].text,
			      record.game->name);
		game_position(record.game, &record.now, text);
		ck_assert_msg(strncmp(text, rows[i].position, strlen(rows[i].position)) == 0,
			      "%s: %s", rows[i].text, text);
		ck_assert(strcmp(rows[i].name, "go") == 0 || *why);
	}
}
END_TEST

/* RU chooses the rules of Go, unless somebody has asked for other ones. Where they forbid a move by superko, it is read. */
START_TEST(rules_of_go)
{
#define TWO_FOR_ONE "SZ[5]AB[be][cd][de]AW[ad][bd];B[ae];W[ce];B[be];W[ea])"
	static const struct {
		const char *text, *wish, *rules;
		bool repeats;
		const char *lacks;
	} rows[] = {
		{ "(;GM[1]RU[Japanese]" TWO_FOR_ONE, NULL, "simple", false, "territory scoring" },
		{ "(;GM[1]RU[Chinese]" TWO_FOR_ONE, NULL, "simple", false },
		{ "(;GM[1]RU[AGA]" TWO_FOR_ONE, NULL, "situational", false },
		{ "(;GM[1]RU[NZ]" TWO_FOR_ONE, NULL, "new-zealand", false },
		{ "(;GM[1]RU[tromp-taylor]" TWO_FOR_ONE, NULL, "tromp-taylor", true },
		{ "(;GM[1]RU[koSITUATIONALscoreAREAtaxNONEsui0]" TWO_FOR_ONE, NULL, "situational",
		  false },
		{ "(;GM[1]RU[simple]" TWO_FOR_ONE, NULL, "simple", false },
		{ "(;GM[1]RU[my own]" TWO_FOR_ONE, NULL, "standard", true },
		{ "(;GM[1]" TWO_FOR_ONE, NULL, "standard", true },
		{ "(;GM[1]RU[Japanese]" TWO_FOR_ONE, "standard", "standard", true },
		{ "(;GM[1]" TWO_FOR_ONE, "simple", "simple", false },
	};
	char why[REASON_MAX], text[POSITION_TEXT_MAX];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *wish = rows[i].wish;
		record_restart(&record, &game_go);
		bool done = wish ? sgf_parse_with(&record, game_find("go", wish), rows[i].text,
						  NULL, NULL, why)
				 : sgf_parse(&record, rows[i].text, INT_MAX, why);
		ck_assert_msg(done, "%s: %s", rows[i].text, why);
		ck_assert_str_eq(record.game->rules, rows[i].rules);
		ck_assert_int_eq(record.count, 4);
		game_position(record.game, &record.now, text);
		ck_assert_str_eq(text, "....O..........OOX...X.X. X");
		ck_assert_msg(!strstr(why, "move 3") == !rows[i].repeats, "%s: %s", rows[i].text,
			      why);
		const char *lacks = strstr(why, "does not play ");
		ck_assert_msg(rows[i].lacks ? lacks && strstr(lacks, rows[i].lacks) : !lacks,
			      "%s: %s", rows[i].text, why);
	}
	/* The game that runs has its rules. */
	record_restart(&record, game_find("go", "situational"));
	ck_assert(sgf_parse(&record, "(;GM[1]" TWO_FOR_ONE, INT_MAX, why));
	ck_assert_str_eq(record.game->rules, "situational");
}
END_TEST

/* Gomoku and Renju have one number. Where RU names no rules, those of the game that runs count if they allow the moves. */
START_TEST(rules_of_gomoku)
{
#define SIX "B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[lh];W[ga];B[mh];W[ia];B[kh];W[ka])"
	static const struct {
		const char *text, *running, *rules, *why;
	} rows[] = {
		{ "(;GM[4]SZ[15];B[hh];W[aa])", "freestyle", "freestyle", "" },
		{ "(;GM[4]SZ[15];B[hh];W[aa])", "renju", "renju", "read as gomoku renju" },
		{ "(;GM[4]SZ[15]RU[LG];B[hh];W[aa])", "standard", "standard",
		  "read as gomoku standard" },
		{ "(;GM[4]SZ[15]RU[0];B[hh];W[aa])", "renju", "freestyle", "" },
		{ "(;GM[4]SZ[15]RU[renju];B[hh];W[aa])", "freestyle", "renju", "" },
		/* yomi leaves out RU for freestyle. */
		{ "(;AP[yomi]GM[4]SZ[15];B[hh];W[aa])", "renju", "freestyle", "" },
		{ "(;GM[4]SZ[15];" SIX, "standard", "standard", "read as gomoku standard" },
		{ "(;GM[4]SZ[15];B[hh];W[aa];B[ih];W[oo];B[ji];W[ao];B[jj];W[oa];B[jh])", "renju",
		  "renju", "move 9, k8: Black may not make two threes" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int wish = 0; wish < 2; wish++) {
			char why[REASON_MAX];
			const struct game *g = game_find("gomoku", rows[i].running);
			record_restart(&record, g);
			ck_assert_msg(
				wish ? sgf_parse_with(&record, g, rows[i].text, NULL, NULL, why)
				     : sgf_parse(&record, rows[i].text, INT_MAX, why),
				"%s: %s", rows[i].text, why);
			ck_assert_str_eq(record.game->rules, rows[i].rules);
			ck_assert_msg(*rows[i].why ? strstr(why, rows[i].why) != NULL : !*why,
				      "%s: %s", rows[i].text, why);
		}
	/* Where they forbid a move, the usual rules count. */
	char why[REASON_MAX];
	record_restart(&record, &game_othello_anti);
	ck_assert(sgf_parse(&record, "(;GM[2];B[ef];W[fd])", INT_MAX, why));
	ck_assert_str_eq(record.game->rules, game_othello_anti.rules);
}
END_TEST

START_TEST(game_of_twogtp)
{
	char why[REASON_MAX];
	record_restart(&record, &game_othello);
	ck_assert_msg(sgf_parse(&record, GOGUI_OTHELLO, INT_MAX, why), "%s", why);
	ck_assert_int_eq(record.count, 62);
	ck_assert(record.now.over);
	ck_assert_int_eq(record.now.score, -8);
	ck_assert(sgf_parse(&record, GOGUI_OTHELLO, 3, why));
	ck_assert_int_eq(record.count, 2);
}
END_TEST

struct taken {
	int roots, moves;
	char last[8];
};

static void take(void *arg, int moves, const char *name, const char *value)
{
	struct taken *t = arg;
	t->roots += moves == 0;
	t->moves += strcmp(name, "B") == 0 || strcmp(name, "W") == 0;
	snprintf(t->last, sizeof t->last, "%d%s%s", moves, name, value);
}

/* If no game is given, the first that fits is used. Properties are reported once, however many games were
 * tried. */
START_TEST(game_that_fits)
{
	struct taken t = { 0 };
	char why[REASON_MAX];
	ck_assert(sgf_parse_with(&record, NULL, "(;SZ[8]PB[x];B[df];W[cf];B[bf]C[y])", take, &t,
				 why));
	ck_assert_str_eq(why, "read as othello, rows from the bottom");
	ck_assert_int_eq(t.roots, 2);
	ck_assert_int_eq(t.moves, 3);
	ck_assert_str_eq(t.last, "3Cy");
	ck_assert(sgf_parse_with(&record, NULL, "(;SZ[8];B[be];B[ac])", take, &t, why));
	ck_assert_str_eq(why, "read as pentago, in GoGui's frame");
	ck_assert(!sgf_parse_with(&record, &game_othello, "(;SZ[8];B[be];B[ac])", take, &t, why));
	ck_assert(!sgf_parse_with(&record, NULL, "(;SZ[21];B[be])", take, &t, why));
	ck_assert_str_eq(why, "size 21 is that of no game");
	ck_assert_str_eq(record.game->name, "pentago");
}
END_TEST

/* Reads a game for GoGui with the same start and end, also as GoGui writes it, without GN. */
static void check_gogui(char *text, const struct record *expected)
{
	static const char other_name[] = "AP[GoGui:1.6.0]";
	char name[64], why[REASON_MAX], *from;
	snprintf(name, sizeof name, "AP[yomi:%s]GN[", version_number());
	from = strstr(text, name);
	ck_assert_ptr_nonnull(from);
	for (int i = 0; i < 2; i++) {
		if (i) {
			/* Blanks instead of the game's name. */
			memset(from, ' ', strcspn(from + strlen(name), "]") + strlen(name) + 1);
			memcpy(from, other_name, sizeof other_name - 1);
		}
		record_restart(&record, i ? expected->game : &game_tictactoe);
		ck_assert_msg(sgf_parse(&record, text, INT_MAX, why), "%s: %s", why, text);
		ck_assert(i || !*why);
		ck_assert_ptr_eq(record.game, expected->game);
		check_same(record.game, &record.start, &expected->start);
		check_same(record.game, &record.now, &expected->now);
		ck_assert_int_eq(record.count, expected->count);
	}
	free(text);
}

/* Lines of Action has a number and moves of its own. A game that repetition ends is read to the same end. */
START_TEST(lines_of_action)
{
	static const char *const cycle[] = { "b1h1", "a2a8", "h1b1", "a8a2" };
	static const char other[] = "(;GM[9]FF[4];B[B1-B3];W[a2:c2++];B[C1-e3!])";
	char why[REASON_MAX];
	record_restart(&record, &game_loa);
	for (int i = 0; !record.now.over; i++)
		ck_assert_int_eq(record_play_text(&record, record.now.side, cycle[i % 4]), MOVE_OK);
	int count = record.count;
	struct text text = { 0 };
	sgf_print(&text, &record);
	ck_assert_msg(strstr(text.bytes, "GM[9]") && strstr(text.bytes, ";B[b1h1]"), "%s",
		      text.bytes);
	record_restart(&record, &game_tictactoe);
	ck_assert_msg(sgf_parse(&record, text.bytes, INT_MAX, why), "%s", why);
	ck_assert_ptr_eq(record.game, &game_loa);
	ck_assert(record.now.over && record.now.score == 0 && record.count == count);
	text_free(&text);
	ck_assert_msg(sgf_parse(&record, other, INT_MAX, why), "%s", why);
	ck_assert_int_eq(record.count, 3);
}
END_TEST

/* Random games of every game survive writing for GoGui and reading. */
START_TEST(gogui_round_trips)
{
	struct rng rng;
	rng_seed(&rng, 2);
	int count = 0;
	while (games[count])
		count++;
	for (int i = 0; i < 5 * count; i++) {
		const struct game *g = games[i % count];
		struct record copy;
		record_restart(&record, g);
		while (!record.now.over)
			record_play(&record, record_draw(&record, &rng));
		record_init(&copy, g);
		record_copy(&copy, &record);
		check_gogui(print_gogui(), &copy);
		/* From the middle on, set up. */
		struct state middle;
		record_state(&copy, copy.count / 2, &middle);
		record_setup(&copy, &middle);
		record_copy(&record, &copy);
		check_gogui(print_gogui(), &copy);
		record_free(&copy);
	}
}
END_TEST

/* A board without moves comes back in its size, empty or set up. */
START_TEST(gogui_without_moves)
{
	for (int i = 0; games[i]; i++) {
		const struct game *const alone[] = { games[i], NULL };
		for (const struct game *const *g = games[i]->sizes ? games[i]->sizes : alone; *g;
		     g++) {
			record_restart(&record, *g);
			for (int set_up = 0; set_up < 2; set_up++) {
				char *text = print_gogui(), why[REASON_MAX];
				struct state start = record.start;
				record_restart(&record, &game_tictactoe);
				ck_assert_msg(sgf_parse(&record, text, INT_MAX, why), "%s: %s", why,
					      text);
				ck_assert_msg(record.game == *g, "%s", text);
				check_same(*g, &record.start, &start);
				free(text);
				struct move moves[GAME_MOVES_MAX];
				record_moves(&record, moves);
				record_play(&record, moves[0]);
				start = record.now;
				/* A position that is set up has no swap. */
				if ((*g)->swap)
					(*g)->swap->allow((*g), &start, false);
				record_setup(&record, &start);
			}
		}
	}
}
END_TEST

/* A winning placement has no turn, although its text has one. */
START_TEST(gogui_placement_that_wins)
{
	struct record copy;
	struct state s;
	ck_assert_ptr_null(
		game_setup(&game_pentago, &s, "XXXX....................OOOO........", "X"));
	record_restart(&record, &game_pentago);
	record_setup(&record, &s);
	ck_assert_int_eq(record_play_text(&record, BLACK, "e1"), MOVE_OK);
	ck_assert(record.now.over);
	record_init(&copy, &game_pentago);
	record_copy(&copy, &record);
	char *text = print_gogui();
	ck_assert_ptr_nonnull(strstr(text, "\n;B[fb])"));
	check_gogui(text, &copy);
	record_free(&copy);
}
END_TEST

START_TEST(mutations)
{
	static const char *const texts[] = {
		FORCED_PASS ";B[ch];W[];B[ca])", /* NOLINT(bugprone-suspicious-missing-comma) */
		"(;FF[4]GM[2]SZ[8]C[a\\]b](;B[ef];W[fd](;B[ec])(;B[cc]))(;B[fe]))(;GM[1])",
		"(;GN[yomi pentago tajima]RU[tajima];B[a1s];W[a2u];B[b3z])",
		"(;GN[yomi tictactoe standard]AB[a1:c1]AW[a2:b2]AE[b1]AB[c3]PL[W])",
		"(;AP[yomi:0.2.0]GN[yomi pentago tajima]SZ[8];B[be];B[ac];W[ce];W[ca];B[ed])",
		"(;AP[GoGui:1]GN[yomi othello standard]SZ[8]AB[ee:dd]AW[de]PL[W];W[fe];B[df])",
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
		"(;GM[1]SZ[20])",
		"(;GM[2];B[ef];W[ef])",
		"(;GM[2]SZ[10])",
		"(;GM[2]SZ[x])",
		"(;GM[2];B)",
		"(;GM[2];B[aa])",
		"(;GM[2];B[zz])",
		"(;GM[2];B[e])",
		"(;GM[2];W[ef])",
		"(;GM[2];B[ef]!)",
		"(;GM[2]AB[a])",
		"(;GM[2]AB[aa:zz])",
		"(;GM[2]AE[aa:hh])",
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

/* Each line of a tree, the main line first. Brackets in values are no variations. */
START_TEST(lines_of_a_tree)
{
	static const char *const texts[][2] = {
		{ "(;GM[2];B[fe];W[df])", "(;GM[2];B[fe];W[df])|" },
		{ "x( ;a(;b;c(;d)(;e))(;f)) (;g)", "(;a;b;c;d)|(;a;b;c;e)|(;a;f)|" },
		{ "(;C[(;\\](;](;B[a)])(;W[\\\\]))", "(;C[(;\\](;];B[a)])|(;C[(;\\](;];W[\\\\])|" },
		{ "(;a()(;b))", "(;a)|(;a;b)|" },
		{ "(;a(;b)(;c", "(;a;b)|(;a;c|" },
		{ "(;a[", "(;a[|" },
		{ "(;a[b\\", "(;a[b\\|" },
		{ "(;", "(;|" },
		{ "no game", "" },
		{ "", "" },
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct text lines = { 0 };
		sgf_lines(texts[i][0], take_line, &lines);
		char *found = text_take(&lines);
		ck_assert_str_eq(found, texts[i][1]);
		free(found);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sgf");
	TCase *cases = tcase_create("sgf");
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, lines_of_action);
	tcase_add_test(cases, lines_of_a_tree);
	tcase_add_test(cases, more_properties);
	tcase_add_test(cases, files_of_others);
	tcase_add_test(cases, games_of_littlegolem);
	tcase_add_test(cases, hex_of_littlegolem);
	tcase_add_test(cases, game_of_hexgui);
	tcase_add_test(cases, set_up_alone);
	tcase_add_test(cases, words_for_moves);
	tcase_add_test(cases, turns);
	tcase_add_test(cases, komi);
	tcase_add_test(cases, swaps);
	tcase_add_test(cases, later_set_ups);
	tcase_add_test(cases, lenient);
	tcase_add_test(cases, right_to_swap);
	tcase_add_test(cases, hexagon_set_up);
	tcase_add_test(cases, hexagon_of_gogui);
	tcase_add_test(cases, rows_of_hexagons);
	tcase_add_test(cases, sets_of_characters);
	tcase_add_test(cases, up_to_a_move);
	tcase_add_test(cases, othello_passes);
	tcase_add_test(cases, positions);
	tcase_add_test(cases, round_trips);
	tcase_add_test(cases, game_information);
	tcase_add_test(cases, rectangular_board);
	tcase_add_test(cases, games_that_name_no_game);
	tcase_add_test(cases, games_of_go);
	tcase_add_test(cases, notation_without_a_game);
	tcase_add_test(cases, rules_of_go);
	tcase_add_test(cases, rules_of_gomoku);
	tcase_add_test(cases, game_of_twogtp);
	tcase_add_test(cases, game_that_fits);
	tcase_add_test(cases, gogui_round_trips);
	tcase_add_test(cases, gogui_without_moves);
	tcase_add_test(cases, gogui_placement_that_wins);
	tcase_add_test(cases, mutations);
	tcase_add_test(cases, refused_files_change_nothing);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
