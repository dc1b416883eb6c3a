/* SPDX-License-Identifier: MIT
 *
 * The terminal for people who have never heard of GTP: moves and plain words are commands, errors give their
 * reason, analysis is a table.
 */
#include "protocol/terminal/table.h"
#include "tests/protocol/terminal/screen.h"

#define QUICK "--search mcts --book 0 --exact 0 --playouts 50 --threads 1 --seed 1 "
#define QUIET QUICK "--no-board "
#define WIDE  250 /* columns of a terminal that breaks no lines */

/* The text behind the progress of a search, which is drawn over. */
static const char *behind_progress(const char *text)
{
	for (const char *erased; (erased = strstr(text, "\r\033[K"));)
		text = erased + 4;
	return text;
}

/* Checks that the lines of a text, which end with \r\n, are shorter than `columns`. Returns their number. */
static int check_lines(const char *text, size_t columns)
{
	int count = 0;
	for (size_t n; *text; text += n + 2, count++) {
		n = strcspn(text, "\r");
		ck_assert_uint_lt(n, columns);
		ck_assert_int_eq(text[n + 1], '\n');
	}
	return count;
}

START_TEST(greeting)
{
	static const char *const options[] = { "--no-board", "--no-board --game tictactoe",
					       "--no-board --game pentago" };
	static const char *const moves[] = { "f5", "b2", "d4s" };
	for (int i = 0; i < 3; i++) {
		struct screen c;
		char wanted[32];
		snprintf(wanted, sizeof wanted, "Type a move such as %s,", moves[i]);
		screen_start(&c, options[i]);
		see(&c, "yomi ");
		see(&c, wanted);
		const char *rest = see(&c, PROMPT);
		ck_assert_ptr_nonnull(strstr(rest, "go to let yomi move"));
		ck_assert_ptr_nonnull(strstr(rest, "exit"));
		screen_leave(&c);
	}
	/* The board is there before the first move. */
	struct screen c;
	screen_start(&c, "--color never --game tictactoe");
	see(&c, "leave.\r\n\r\n   A B C\r\n 1 . . . 1\r\n");
	see(&c, "X (black) to move\r\n\r\nyomi> ");
	screen_leave(&c);
}
END_TEST

START_TEST(help)
{
	static const char *const words[] = {
		"f5 ",      "go ",    "undo ", "hint ", "new ",  "game ",       "level",    "auto ",
		"analyze ", "moves ", "save ", "load ", "exit ", "help rules ", "help all "
	};
	struct screen c;
	screen_begin(&c, QUIET, 80);
	const char *page = screen_answer(&c, "help");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		ck_assert_msg(strstr(page, words[i]), "help does not name %s", words[i]);
	/* Together with the typed line and the prompt, the page fits 24 lines. */
	ck_assert_int_le(check_lines(page, 80), 22);
	ck_assert_str_eq(screen_answer(&c, "?"), page);
	const char *all = screen_answer(&c, "help all");
	ck_assert_ptr_nonnull(strstr(all, "  hint "));
	ck_assert_ptr_nonnull(strstr(all, "  play COLOR MOVE"));
	ck_assert_ptr_nonnull(strstr(all, "  kata-search_analyze_cancellable "));
	check_lines(all, 80);
	screen_ask(&c, "help hint", "  hint ");
	/* GTP's undo has the same arguments, so it is never meant. */
	const char *undo = screen_answer(&c, "help undo");
	ck_assert_ptr_null(strstr(undo + 3, "  undo"));
	screen_ask(&c, "help play", "  play MOVE ");
	see(&c, "  play COLOR MOVE ");
	screen_ask(&c, "? komi", "  komi POINTS ");
	screen_ask(&c, "help genmov", "? unknown command genmov; did you mean genmove?\r\n");
	screen_leave(&c);
	screen_begin(&c, QUIET, 30);
	check_lines(screen_answer(&c, "help"), 30);
	screen_leave(&c);
}
END_TEST

START_TEST(rules)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "help rules", "Othello\r\n\r\n");
	screen_ask(&c, "game pentago tajima", "a new game of Pentago (rules tajima)\r\n");
	screen_ask(&c, "rules", "Pentago, rules tajima\r\n\r\n");
	see(&c, "C3T places a stone on C3");
	see(&c, PROMPT);
	/* The usual rules have no name on any board. */
	screen_ask(&c, "game othello", "a new game of Othello\r\n");
	screen_answer(&c, "boardsize 6");
	screen_ask(&c, "rules", "Othello\r\n\r\n");
	screen_leave(&c);
}
END_TEST

START_TEST(moves)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "d3", PROMPT);
	screen_ask(&c, "C3", PROMPT);
	screen_ask(&c, "play c4", PROMPT);
	screen_ask(&c, "move_history", "= black C4\r\nwhite C3\r\nblack D3\r\n");
	screen_ask(&c, "d3", "? d3 is taken; legal moves: E3 C5\r\n");
	screen_ask(&c, "a1", "? a1 is not a legal move; legal moves: E3 C5\r\n");
	screen_ask(&c, "i3", "? i3 is not on the board; its squares are a1 to h8\r\n");
	screen_ask(&c, "pass", "? Othello allows a pass only without a legal move\r\n");
	screen_ask(&c, "moves", "White has ");
	screen_ask(&c, "e3 c3", "? c3 is taken; ");
	see(&c, "; no move of the line was played\r\n");
	screen_ask(&c, "move_history", "= black C4\r\nwhite C3\r\nblack D3\r\n");
	screen_ask(&c, "xyz c3", "? unknown command xyz; ");
	screen_leave(&c);
	screen_begin(&c, QUIET "--game pentago", WIDE);
	screen_ask(&c, "c3t", PROMPT);
	screen_ask(&c, "swap", "? Pentago has no swap\r\n");
	screen_ask(&c, "pass", "? Pentago has no pass\r\n");
	screen_ask(&c, "score", "The game is not over. ");
	screen_ask(&c, "a6",
		   "? a6 is only a part of a move; type one of: A6S A6T A6U A6V A6W A6X A6Y A6Z");
	screen_ask(&c, "b2", "? b2 is only a part of a move; ");
	screen_ask(&c, "b2 right", "? b2 is only a part of a move; type one of: B2S ");
	screen_ask(&c, "B2 tl cw", "? B2 is only a part of a move; type one of: B2S ");
	screen_ask(&c, "a1a", "? a1 is only a part of a move; type one of: A1S ");
	screen_ask(&c, "a3t", "? a3 is taken; type moves to see the 280 legal moves\r\n");
	screen_ask(&c, "a1 s", PROMPT);
	screen_ask(&c, "move_history", "= white A1S");
	screen_leave(&c);
	/* Moves from square to square. */
	screen_begin(&c, QUIET "--game breakthrough", WIDE);
	screen_ask(&c, "d5", "? no legal move begins with d5; type moves to see them\r\n");
	screen_ask(&c, "a2a4", "? a2a4 is not a legal move; legal moves from a2: A2A3 A2B3\r\n");
	screen_ask(&c, "a1a2", "? a1a2 is not a legal move; no legal move begins with a1\r\n");
	screen_ask(&c, "a8a7", "? a8a7 is not a legal move; no legal move begins with a8\r\n");
	screen_ask(&c, "a4a5", "? a4a5 is not a legal move; legal moves: B2A3 ");
	screen_ask(&c, "a2 a3", PROMPT);
	screen_ask(&c, "move_history", "= black A2A3\r\n");
	screen_ask(&c, "game go", "");
	screen_ask(&c, "pass", "");
	screen_ask(&c, "pass", "");
	screen_ask(&c, "pass", "? the game is over (");
	screen_leave(&c);
	screen_begin(&c, QUIET "--game havannah", WIDE);
	screen_ask(&c, "d4", "? d4 is not on the board\r\n");
	screen_ask(&c, "z4", "? z4 is not on the board; its squares are a1 to o15\r\n");
	screen_ask(&c, "swap", "? Havannah allows a swap only as the first move of White\r\n");
	screen_ask(&c, "h8 swap", "2 moves played\r\n");
	screen_leave(&c);
	screen_begin(&c, QUIET "--game connectfour", WIDE);
	screen_ask(&c, "44444444", "? 4 is not a legal move; legal moves: ");
	screen_ask(&c, "d7", "? 7 is not a move: type the letter or the number of a column; ");
	screen_leave(&c);
	screen_begin(&c, QUIET "--game go", WIDE);
	screen_ask(&c, "i5",
		   "? i5 is not on the board; its squares are a1 to j9, without a column i\r\n");
	screen_leave(&c);
	screen_begin(&c, QUIET "--game hex --playouts 5000", WIDE);
	screen_ask(&c, "f6", PROMPT);
	type(&c, "go\r");
	see(&c, "yomi plays SWAP-PIECES: ");
	see(&c, "\r\nIt has taken over the first stone; help rules tells how.\r\n");
	screen_leave(&c);
	/* A side without a move must pass. */
	screen_begin(&c, QUICK "--color never", WIDE);
	type(&c, "position XO.............................................................. O\r");
	see(&c, "O (white) has no move and must pass\r\n");
	screen_ask(&c, "a3", "? White has no legal move; type pass\r\n");
	screen_ask(&c, "moves", "White has 1 legal move:\r\nPASS\r\n");
	screen_ask(&c, "hint", "White has no legal move; type pass\r\n");
	type(&c, "pass\r");
	see(&c, "White passed\r\nX (black) to move");
	screen_leave(&c);
}
END_TEST

/* Moves in the forms that people type. */
START_TEST(forms_of_moves)
{
	static const struct {
		const char *options, *line, *moves; /* the moves as move_history lists them */
	} rows[] = {
		{ "", "d3.", "black D3" },
		{ "", "3d", "black D3" },
		{ "", "D 3", "black D3" },
		{ "", "\357\275\204\357\274\223", "black D3" }, /* full-width */
		{ "", "\357\274\264", NULL },
		{ "", "(d3)", "black D3" },
		{ "", "\"D-3\"", "black D3" },
		{ "", "d3 please", NULL },
		{ "", "d3 then c5", "white C5\r\nblack D3" },
		{ "", "place d3", "black D3" },
		{ "", "Play D3", "black D3" },
		{ "", "Black D3", "black D3" },
		{ "", "B d3", "black D3" },
		{ "", "white d3", NULL },
		{ "", "f5d6c3", "black C3\r\nwhite D6\r\nblack F5" },
		{ "", "F5 D6 C3", "black C3\r\nwhite D6\r\nblack F5" },
		{ "", "5f6d3c", "black C3\r\nwhite D6\r\nblack F5" },
		{ "", "D3, c5", "white C5\r\nblack D3" },
		{ "", "d3,c5", "white C5\r\nblack D3" },
		{ "", "1. f5 d6 2. c3", "black C3\r\nwhite D6\r\nblack F5" },
		{ "", "1.f5 2.d6", "white D6\r\nblack F5" },
		{ "", "d3-c5", "white C5\r\nblack D3" },
		{ "", "d3 c5 xyz", NULL },
		{ "", "d3 d3", NULL },
		{ "", "44", NULL },
		{ "--game connectfour", "4", "black D1" },
		{ "--game connectfour", "b", "black B1" },
		{ "--game connectfour", "4455", "white E2\r\nblack E1\r\nwhite D2\r\nblack D1" },
		{ "--game connectfour", "4 4 5", "black E1\r\nwhite D2\r\nblack D1" },
		{ "--game connectfour", "d d e", "black E1\r\nwhite D2\r\nblack D1" },
		{ "--game connectfour", "\357\274\224", "black D1" },
		{ "--game connectfour", "column 4", "black D1" },
		{ "--game connectfour", "col 4", "black D1" },
		{ "--game connectfour", "8", NULL },
		{ "--game connectfour", "bad", NULL },
		{ "--game go --size 19", "c16 q4", "white Q4\r\nblack C16" },
		{ "--game go --size 19", "16c4q", "white Q4\r\nblack C16" },
		{ "--game go", "Pass.", "black PASS" },
		{ "--game go", "skip", "black PASS" },
		{ "--game go", "\343\203\221\343\202\271", "black PASS" }, /* in Japanese */
		{ "--game go", "d4 pass e5", "black E5\r\nwhite PASS\r\nblack D4" },
		{ "--game breakthrough", "a2-a3", "black A2A3" },
		{ "--game breakthrough", "a2 to a3", "black A2A3" },
		{ "--game breakthrough", "2a3a", "black A2A3" },
		{ "--game breakthrough", "a2-a3 a7-a6", "white A7A6\r\nblack A2A3" },
		{ "--game pentago", "3ct", "black C3T" },
		{ "--game pentago", "c3 t a1 s", "white A1S\r\nblack C3T" },
		{ "--game hex", "b4 swap c3", "black C3\r\nwhite SWAP-PIECES\r\nblack B4" },
		{ "--game hex", "b4, swap-pieces, c3",
		  "black C3\r\nwhite SWAP-PIECES\r\nblack B4" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct screen c;
		char options[160], wanted[160];
		snprintf(options, sizeof options, QUIET "%s", rows[i].options);
		snprintf(wanted, sizeof wanted, "= %s\r\n\r\n", rows[i].moves);
		screen_begin(&c, options, WIDE);
		const char *answer = screen_answer(&c, rows[i].line);
		ck_assert_msg((*answer == '?') == !rows[i].moves, "%s: %s", rows[i].line, answer);
		ck_assert_str_eq(screen_answer(&c, "move_history"),
				 rows[i].moves ? wanted : "=\r\n\r\n");
		screen_leave(&c);
	}
}
END_TEST

/* Commands in other letters and in other words. */
START_TEST(forms_of_commands)
{
	static const struct {
		const char *line, *answer;
	} rows[] = {
		{ "Hint", "a move wins at once; " },
		{ "HINT!", "A1: Black wins " },
		{ "Moves.", "Black has 1 legal move:\r\nA1\r\n" },
		{ "ShowBoard", "= " },
		{ "h", "Play\r\n" },
		{ "b", "   A B C D\r\n" },
		{ "Help Level", "  level [LEVEL] " },
		{ "help rules pentago", "Pentago\r\n\r\n" },
		{ "rules connect four", "Connectfour\r\n\r\n" },
		{ "help connect four", "Connectfour\r\n\r\n" },
		{ "help pentago tajima", "Pentago, rules tajima\r\n\r\n" },
		{ "help hex nosuchrules", "? Hex has no rules nosuchrules; " },
		{ "help connect", "? unknown command connect; " },
		{ "help hex", "Hex\r\n\r\n" },
		{ "rules nosuchgame", "? there is no game nosuchgame; " },
		{ "play", "Type a move such as a1, or go to let yomi move.\r\n" },
		{ "auto ON", "yomi answers each of your moves\r\n" },
		{ "Auto off.", "yomi moves only when you type go\r\n" },
		{ "score", "Black has 3 discs, White has 1. The game is not over. " },
		{ "redo", "? no move was taken back\r\n" },
		{ "time 0,5", "0.5 seconds a move" },
		{ "time (0,25)", "0.25 seconds a move" },
		{ "time -5", "? " },
		{ "Time", "0.25 seconds a move" },
		{ "\343\203\222\343\203\263\343\203\210", "A1: " }, /* hint in Japanese */
		{ "resign",
		  "Black resigns: White wins. Type new to begin another game, or undo.\r\n" },
		{ "undo", "The resignation is taken back.\r\n" },
		{ "d3 please", "? unknown command please; " },
		{ "d3 new", "? new must be the first word of a line\r\n" },
		{ "tic tac toe", "? tictactoe is a game; type game tictactoe\r\n" },
		{ "help go", "  go  " },
		{ "help othello", "Othello\r\n\r\n" },
		{ "/help", "Play\r\n" },
		{ "show board", "= " },
		{ "count", "Black has 3 discs, " },
		/* Nothing was asked. */
		{ "y", "? unknown command y; " },
		{ "No", "? unknown command No; " },
		{ "Legal moves!", "Black has 1 legal move:" },
		{ "\343\201\224",
		  "? unknown command \343\201\224; commands and moves have Latin letters" },
		{ "continue 99", "? no game 99 is kept\r\n" },
		{ "size 7", "? Othello has the sizes 8, 6, 4\r\n" },
		{ "size 4x4", "a new game of Othello, size 4\r\n" },
		{ "white", "You play White, yomi plays Black.\r\nyomi plays " },
		{ "play black", "You play Black, yomi plays White.\r\nyomi plays " },
		{ "auto off", "yomi moves only " },
		{ "new game", "a new game of Othello, size 4\r\n" },
		{ "new hex", "a new game of Hex\r\n" },
		{ "game hex 7x7", "a new game of Hex, size 7\r\n" },
		{ "size 5", "a new game of Hex, size 5\r\n" },
		/* The rules stay. */
		{ "game hex rex", "a new game of Hex (rules rex)\r\n" },
		{ "size 5", "a new game of Hex (rules rex), size 5\r\n" },
		{ "game gomoku standard", "a new game of Gomoku (rules standard)\r\n" },
		{ "size 19", "a new game of Gomoku (rules standard), size 19\r\n" },
		{ "size x", "? Gomoku has the sizes " },
		{ "game hex 99", "? Hex has the sizes " },
		{ "game connect 4", "a new game of Connectfour\r\n" },
		{ "game Connect 4 8", "? Connectfour has " },
		{ "Game Tic-Tac-Toe", "a new game of Tictactoe\r\n" },
		{ "game lines of action", "a new game of LOA\r\n" },
		{ "game pentago tajima", "a new game of Pentago (rules tajima)\r\n" },
		{ "swap", "? Pentago has no swap\r\n" },
	};
	struct screen c;
	screen_begin(&c, "--search alphabeta --depth 4 --book 0 --threads 1 --no-board --size 4",
		     WIDE);
	screen_answer(&c, "position .OX..X...X...... X");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *answer = behind_progress(screen_answer(&c, rows[i].line));
		ck_assert_msg(strncmp(answer, rows[i].answer, strlen(rows[i].answer)) == 0,
			      "%s: %s", rows[i].line, answer);
	}
	type(&c, "quit!\r");
	screen_end(&c);
	/* Capitals in the first line are no other protocol. */
	screen_begin(&c, QUIET "--size 4", WIDE);
	screen_ask(&c, "BOARD", "   A B C D\r\n");
	screen_leave(&c);
	screen_begin(&c, QUIET, WIDE);
	type(&c, "q\r");
	screen_end(&c);
}
END_TEST

/* After the end of a game every move is refused for that reason. */
START_TEST(after_the_end)
{
	static const char *const lines[] = { "c2", "d3",    "c2 c3", "2c",      "why c2",
					     "go", "moves", "hint",  "analyze", "resign" };
	struct screen c;
	screen_begin(&c, QUIET "--game tictactoe", WIDE);
	screen_ask(&c, "a1 a2 b1 b2 c1", "5 moves played\r\n");
	see(&c, "X wins: three in a row\r\n");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		screen_ask(&c, lines[i],
			   "? the game is over (X wins: three in a row); type new to begin "
			   "another, or "
			   "undo\r\n");
	screen_ask(&c, "score", "X wins: three in a row\r\n");
	screen_leave(&c);
}
END_TEST

/* A game that was resigned is over, until undo takes that back. */
START_TEST(after_resignation)
{
	static const char *const lines[] = { "d2",      "d2 e3",  "2d",     "why d2",
					     "go",      "moves",  "hint",   "pass",
					     "analyze", "resign", "play d2" };
	static const char over[] = "? the game is over (Black has resigned: White wins); "
				   "type new to begin another, or undo\r\n";
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "auto on", "yomi answers");
	screen_ask(&c, "f5", "yomi plays ");
	screen_ask(&c, "resign", "Black resigns: White wins. Type new to begin another game, ");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		screen_ask(&c, lines[i], over);
	screen_ask(&c, "score", "Black has resigned: White wins\r\n");
	screen_ask(&c, "load /nonexistent", "? cannot load file: ");
	screen_ask(&c, "go", over);
	screen_ask(&c, "undo", "The resignation is taken back.\r\n");
	screen_ask(&c, "score", "Black has ");
	screen_ask(&c, "undo", PROMPT);
	screen_ask(&c, "move_history", "=\r\n");
	/* The same position in the next game. */
	screen_ask(&c, "resign", "Black resigns: ");
	screen_ask(&c, "go", over);
	screen_ask(&c, "new", "a new game of Othello\r\n");
	screen_ask(&c, "f5", "yomi plays ");
	/* GTP knows no resignation; a game that goes on there is not over. */
	screen_ask(&c, "resign", "Black resigns: ");
	screen_ask(&c, "genmove b", "");
	see(&c, "= ");
	screen_ask(&c, "moves", "White has ");
	screen_leave(&c);
	screen_begin(&c, QUIET "--resign 0.9", WIDE);
	screen_ask(&c, "auto on", "yomi answers");
	screen_ask(&c, "f5", "");
	see(&c, "yomi resigns: Black wins. Type new ");
	screen_ask(&c, "d6", "? the game is over (White has resigned: Black wins); ");
	/* Yomi's resignation and the move before it. */
	screen_ask(&c, "undo", "The resignation is taken back.\r\n");
	screen_ask(&c, "move_history", "=\r\n");
	screen_leave(&c);
}
END_TEST

START_TEST(undo_and_redo)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "f5d6c3d3c4", "5 moves played\r\n");
	screen_ask(&c, "undo 2", PROMPT);
	screen_ask(&c, "back", PROMPT);
	screen_ask(&c, "move_history", "= white D6\r\nblack F5\r\n");
	screen_ask(&c, "redo", PROMPT);
	screen_ask(&c, "redo", PROMPT);
	screen_ask(&c, "move_history", "= white D3\r\nblack C3\r\nwhite D6\r\nblack F5\r\n");
	screen_ask(&c, "undo", PROMPT);
	screen_ask(&c, "f4", PROMPT);
	screen_ask(&c, "redo", "? no move was taken back\r\n");
	/* With auto on, both sides' moves. */
	screen_ask(&c, "auto on", "yomi answers");
	screen_ask(&c, "new", "a new game");
	screen_ask(&c, "d3", "yomi plays ");
	screen_ask(&c, "undo", PROMPT);
	screen_ask(&c, "move_history", "=\r\n");
	screen_ask(&c, "redo", PROMPT);
	screen_ask(&c, "move_history", "= white ");
	see(&c, "\r\nblack D3\r\n");
	screen_ask(&c, "undo x", "? syntax error: ");
	screen_ask(&c, "auto off", "yomi moves only ");
	screen_ask(&c, "new", "a new game");
	screen_ask(&c, "f5d6c3d3c4", "5 moves played\r\n");
	screen_ask(&c, "undo all", PROMPT);
	screen_ask(&c, "move_history", "=\r\n");
	screen_ask(&c, "redo 2", PROMPT);
	screen_ask(&c, "move_history", "= white D6\r\nblack F5\r\n");
	screen_ask(&c, "redo 99", PROMPT);
	screen_ask(&c, "move_history", "= black C4\r\n");
	screen_ask(&c, "redo x", "? syntax error: ");
	screen_leave(&c);
}
END_TEST

/* `go` for the person's side changes the sides. */
START_TEST(sides)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "go", "yomi plays ");
	ck_assert_ptr_null(strstr(see(&c, PROMPT), "You play"));
	screen_ask(&c, "new", "a new game");
	screen_ask(&c, "auto on", "yomi answers");
	type(&c, "go\r");
	see(&c, "yomi plays ");
	see(&c, "You play White now.\r\n");
	type(&c, "go\r");
	see(&c, "yomi plays ");
	see(&c, "You play Black now.\r\n");
	screen_leave(&c);
}
END_TEST

START_TEST(groups_of_moves)
{
	struct screen c;
	screen_begin(&c, QUIET "--game pentago", WIDE);
	screen_ask(&c, "moves", "Black has 288 legal moves:\r\nA1 B1 C1 ");
	see(&c, " D6 E6 F6, then S T U V W X Y Z\r\n" PROMPT);
	screen_ask(&c, "game breakthrough", "a new game");
	screen_ask(&c, "moves", "Black has 22 legal moves:\r\n");
	see(&c, "\r\nH2 to G3 H3\r\n" PROMPT);
	screen_leave(&c);
}
END_TEST

/* A weak level plays moves that it has not searched. */
START_TEST(weak_level)
{
	struct screen c;
	screen_begin(&c, "--no-board --seed 1 --threads 1 --game gomoku --level 1", WIDE);
	for (int i = 0; i < 6; i++) {
		type(&c, "go\r");
		see(&c, "yomi plays ");
		ck_assert_ptr_null(strstr(see(&c, PROMPT), "no estimate"));
	}
	screen_leave(&c);
}
END_TEST

/* No word is cut where a line ends. */
START_TEST(narrow_terminals)
{
	static const char *const names[] = { "othello",       "tictactoe", "pentago",
					     "connectfour",   "go",        "breakthrough",
					     "knightthrough", "loa",       "gomoku",
					     "havannah",      "hex" };
	static const char *const lines[] = { "moves",   "help", "help rules",    "level 3",
					     "level 0", "go",   "why",           "hint 3",
					     "zz99",    "game", "no such words", "help analyze",
					     "score" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct screen c;
		char options[160];
		snprintf(options, sizeof options, QUIET "--game %s", names[i]);
		screen_begin(&c, options, 60);
		for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
			check_lines(behind_progress(screen_answer(&c, lines[k])), 60);
		screen_leave(&c);
	}
}
END_TEST

START_TEST(suggestions)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "genmov", "? unknown command genmov; did you mean genmove?\r\n");
	screen_ask(&c, "hnit", "? unknown command hnit; did you mean hint?\r\n");
	screen_ask(&c, "shwoboard", "? unknown command shwoboard; did you mean showboard?\r\n");
	screen_ask(&c, "abracadabra", "? unknown command abracadabra; type help\r\n");
	/* A long word is cut. */
	char word[101], wanted[128];
	memset(word, 'k', sizeof word - 1);
	word[sizeof word - 1] = '\0';
	snprintf(wanted, sizeof wanted, "? unknown command %.60s...; type help\r\n", word);
	screen_ask(&c, word, wanted);
	screen_leave(&c);
}
END_TEST

/* Errors of GTP commands give their reason without the option verbose. */
START_TEST(reasons)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "play purple d3", "? syntax error: type black or white as the color\r\n");
	screen_ask(&c, "play b a1", "? illegal move: the rules ");
	screen_ask(&c, "komi", "? syntax error: type komi POINTS\r\n");
	screen_ask(&c, "final_score", "? cannot score: the game is not over\r\n");
	screen_ask(&c, "loadsgf /nonexistent", "? cannot load file: ");
	screen_ask(&c, "auto perhaps", "? syntax error: type auto on, or auto off\r\n");
	screen_ask(&c, "save", "? type save FILE\r\n");
	screen_ask(&c, "hint 3 4", "? type hint [STEP]\r\n");
	screen_ask(&c, "hint 4", "? syntax error: type hint, or hint 1, hint 2, hint 3\r\n");
	screen_ask(&c, "why", "? no move was made; type why and a move\r\n");
	screen_ask(&c, "why a1", "? a1 is not a legal move; legal moves: D3 C4 F5 E6\r\n");
	screen_ask(&c, "boardsize 5", "? unacceptable size: Othello has the sizes 8, 6, 4\r\n");
	screen_ask(&c, "why z9", "? z9 is not on the board; its squares are a1 to h8\r\n");
	screen_ask(&c, "why not", "? syntax error: type a move\r\n");
	screen_ask(&c, "name x", "? syntax error: type name\r\n");
	screen_leave(&c);
}
END_TEST

/* On a pipe nothing of this exists. */
START_TEST(pipe_is_unchanged)
{
	static const char lines[] = "d3\ngo\nhelp rules\nplay b a1\nkomi\ngenmov\nundo\n?\n";
	static const char answers[] =
		"? unknown command\n\n? unknown command\n\n? unknown command\n\n? illegal move\n\n"
		"? syntax error\n\n? unknown command\n\n? cannot undo\n\n? unknown command\n\n";
	int in[2], out[2];
	char text[4096];
	size_t length = 0;
	ssize_t n;
	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	pid_t child = process_start("", in[0], out[1], NULL);
	ck_assert_int_eq(write(in[1], lines, strlen(lines)), (ssize_t)strlen(lines));
	close(in[0]);
	close(in[1]);
	close(out[1]);
	while ((n = read(out[0], text + length, sizeof text - 1 - length)) > 0)
		length += (size_t)n;
	text[length] = '\0';
	close(out[0]);
	ck_assert_int_eq(process_wait(child), 0);
	ck_assert_str_eq(text, answers);
}
END_TEST

START_TEST(answers_of_the_engine)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	type(&c, "go\r");
	see(&c, "yomi plays ");
	see(&c, ": win rate ");
	see(&c, " %");
	type(&c, "genmove\r");
	see(&c, "yomi plays ");
	/* With a colour it is the command of GTP. */
	type(&c, "genmove b\r");
	see(&c, "= ");
	screen_ask(&c, "gg-undo 3", "=\r\n");
	screen_ask(&c, "undo", "? there is no move to take back\r\n");
	screen_ask(&c, "auto", "yomi moves only when you type go\r\n");
	screen_ask(&c, "auto on", "yomi answers each of your moves\r\n");
	type(&c, "d3\r");
	see(&c, "yomi plays ");
	type(&c, "move_history\r");
	see(&c, "= white ");
	see(&c, "\r\nblack D3\r\n");
	/* Undo takes back both moves. */
	screen_ask(&c, "undo", PROMPT);
	screen_ask(&c, "move_history", "=\r\n");
	screen_ask(&c, "auto off", "yomi moves only when you type go\r\n");
	screen_ask(&c, "d3", PROMPT);
	screen_ask(&c, "move_history", "= black D3\r\n");
	screen_leave(&c);
}
END_TEST

/* The move is played although yomi cannot answer after the end of the game. */
START_TEST(auto_at_the_end)
{
	struct screen c;
	screen_begin(&c, QUIET "--game tictactoe", WIDE);
	screen_ask(&c, "position XX.OO.... X", "=\r\n");
	screen_ask(&c, "auto on", "yomi answers each of your moves\r\n");
	screen_ask(&c, "c1", "X wins: three in a row\r\n");
	screen_ask(
		&c, "go",
		"? the game is over (X wins: three in a row); type new to begin another, or undo");
	screen_ask(&c, "b3", "? the game is over ");
	/* Only the person's move is taken back. */
	screen_ask(&c, "undo", PROMPT);
	screen_ask(&c, "position", "= XX.OO.... X\r\n");
	/* After yomi's last move both are taken back. */
	screen_ask(&c, "position XX.OO.... X", "=\r\n");
	screen_ask(&c, "a3", "yomi plays C2: ");
	see(&c, "O wins: three in a row\r\n");
	screen_ask(&c, "undo", PROMPT);
	screen_ask(&c, "position", "= XX.OO.... X\r\n");
	screen_leave(&c);
}
END_TEST

START_TEST(puzzles)
{
	struct screen c;
	screen_begin(&c, QUIET "--game connectfour", WIDE);
	screen_ask(&c, "puzzle 1",
		   "Puzzle 1 of 12: White to play and win in 3. Only one move does it.\r\n");
	screen_ask(&c, "position", "= ..XO.OXX.OX.OOO.XXOOXX.OOXXXOOXOOXXOXXXOXO O\r\n");
	screen_ask(&c, "puzzle", "Puzzle ");
	screen_ask(&c, "puzzle 13", "? there are puzzles 1 to 12\r\n");
	screen_ask(&c, "puzzle x", "? syntax error: type puzzle, or puzzle and a number\r\n");
	type(&c, "auto on\rpuzzle 1\r");
	see(&c, "Type your move; yomi answers. hint helps");
	screen_ask(&c, "game hex", "a new game of Hex\r\n");
	screen_ask(&c, "puzzle",
		   "? there are no puzzles for this board; boardsize chooses another: 5, 6, 7\r\n");
	screen_ask(&c, "game pentago openspiel", "a new game of Pentago");
	screen_ask(&c, "puzzle", "? there are no puzzles for this game and its rules\r\n");
	screen_leave(&c);
}
END_TEST

/* The names of openings, and what books know. */
START_TEST(books)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "book", "move     book\r\nD3       +0.");
	screen_ask(&c, "f5", "");
	screen_ask(&c, "f4", "");
	screen_ask(&c, "book", "Parallel ");
	screen_ask(&c, "book 1", "? type book\r\n");
	screen_leave(&c);
	screen_begin(&c, QUIET "--game tictactoe", WIDE);
	screen_ask(&c, "book", "No book knows a move here.\r\n");
	screen_leave(&c);
}
END_TEST

START_TEST(hints)
{
	struct screen c;
	screen_begin(&c, QUIET "--game tictactoe", WIDE);
	screen_ask(&c, "position XX.OO.... X", "=\r\n");
	screen_ask(&c, "hint", "");
	see(&c, "a move wins at once; look at the upper right\r\nType hint again for more.\r\n");
	screen_ask(&c, "hint", "the best move is one of ");
	see(&c, "C1");
	see(&c, "Type hint again for the move.\r\n");
	screen_ask(&c, "hint", "C1: X wins with best play; X wins; X has 3 in a row at A1 B1 C1");
	screen_ask(&c, "hint", "C1: ");
	screen_ask(&c, "hint 1", "a move wins at once");
	screen_ask(&c, "move_history", "=\r\n");
	screen_ask(&c, "position XX.OO.... X", "=\r\n");
	screen_ask(&c, "hint", "the best move is one of A3 C1 C2\r\n");
	screen_leave(&c);
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "hint 3", "");
	see(&c, ": win rate ");
	see(&c, "; then perhaps ");
	screen_leave(&c);
	/* An exact score. */
	screen_begin(&c, "--no-board --threads 1", WIDE);
	type(&c, "position "
		 "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO. X\r");
	see(&c, "=\r\n");
	screen_ask(&c, "hint 3", "");
	see(&c, "H8: Black wins by 64 discs with best play");
	screen_leave(&c);
}
END_TEST

/* Moves that were made, and moves that could be made. */
START_TEST(whys)
{
	struct screen c;
	screen_begin(&c, QUIET "--game tictactoe", WIDE);
	screen_ask(&c, "position XX.OO.... X", "=\r\n");
	screen_ask(&c, "why a3", "");
	see(&c, "A3: blunder, a win became a loss (proven); O wins with best play\r\n");
	see(&c, "after A3: X could have won at once with C1; O can then win at once with "
		"C2; O may go on C2\r\n");
	see(&c, "better was C1: X wins with best play; X wins");
	screen_ask(&c, "c1", "X wins: three in a row\r\n");
	screen_ask(&c, "why", "C1: X wins with best play; X wins");
	screen_ask(&c, "why a3", "? the game is over (X wins: three in a row); ");
	screen_leave(&c);
}
END_TEST

START_TEST(games_and_settings)
{
	struct screen c;
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "game", "game othello standard\r\n");
	see(&c, "game tictactoe\r\n");
	see(&c, "game pentago openspiel\r\n");
	see(&c, "You are playing Othello.\r\n");
	screen_ask(&c, "game pentago", "a new game of Pentago\r\n");
	screen_ask(&c, "c3t", PROMPT);
	screen_ask(&c, "new", "a new game of Pentago\r\n");
	screen_ask(&c, "move_history", "=\r\n");
	screen_ask(&c, "game mahjong", "? there is no game mahjong; type game for a list\r\n");
	screen_ask(&c, "game breakthrou",
		   "? there is no game breakthrou; did you mean breakthrough?\r\n");
	screen_ask(&c, "hex", "? hex is a game; type game hex\r\n");
	screen_ask(&c, "game othello tajima",
		   "? Othello has no rules tajima; type game for a list, size N for "
		   "another size\r\n");
	screen_ask(&c, "level",
		   "level 0: full strength. Levels 1 (first game) to 9 (master) are weaker.\r\n");
	/* Elo alone tells people nothing. */
	screen_ask(&c, "level 3", "level 3 of 9: novice. Level 4 wins about ");
	see(&c, " of 100 games against level 3. Elo ");
	see(&c, ", where random moves in Pentago have 0.\r\n");
	screen_ask(&c, "param level", "= 3\r\n");
	screen_ask(&c, "level 2.5", "level 2.5 of 9: novice. Level 3.5 wins ");
	screen_ask(&c, "level 2,5", "level 2.5 of 9: ");
	screen_ask(&c, "level 9", "level 9 of 9: master. Level 9 wins ");
	see(&c, " against level 8. ");
	screen_ask(&c, "level 8.5", "level 8.5 of 9: master. Level 9 wins ");
	screen_ask(&c, "level 10", "? level ");
	/* The later one of level and elo counts. */
	screen_ask(&c, "param elo 300", "=");
	screen_ask(&c, "level", "level 0.");
	screen_ask(&c, "level 3", "level 3 of 9: ");
	screen_ask(&c, "param elo", "= 0\r\n");
	screen_ask(&c, "time 2", "2 seconds a move, but a level sets its own limit\r\n");
	screen_ask(&c, "param time", "= 2\r\n");
	type(&c, "exit\r");
	screen_end(&c);
}
END_TEST

START_TEST(files)
{
	struct screen c;
	char line[128];
	screen_begin(&c, QUIET, WIDE);
	screen_ask(&c, "d3", PROMPT);
	snprintf(line, sizeof line, "save %s/game.sgf", state);
	type(&c, line);
	type(&c, "\r");
	see(&c, "saved to ");
	screen_ask(&c, "new", "a new game of Othello\r\n");
	snprintf(line, sizeof line, "load %s/ga", state);
	type(&c, line);
	type(&c, "\t\r");
	see(&c, "me.sgf");
	screen_ask(&c, "move_history", "= black D3\r\n");
	/* Names with blanks, as Tab writes them or in quotes; $HOME is the test's folder. */
	screen_ask(&c, "save ~/my\\ own\\ \\\"game", "saved to ");
	screen_ask(&c, "new", "a new game of Othello\r\n");
	screen_ask(&c, "load ~/my\\ own\\ \\\"game", PROMPT);
	screen_ask(&c, "move_history", "= black D3\r\n");
	screen_ask(&c, "load '~/my own \"game'", "? cannot load file: ");
	screen_ask(&c, "load ~/'my own'\" \\\"game\"", "");
	screen_leave(&c);
}
END_TEST

/* What was guessed of a file is said, without the option verbose. */
START_TEST(guesses_of_files)
{
	static const struct {
		const char *options, *text, *guess;
	} rows[] = {
		{ "", "(;B[d3];W[c5])", "read as othello, rows from the top\r\n" },
		{ "", "(;GM[1]SZ[9]KM[0x10];B[dd])",
		  "komi '0x10' is not clear, the usual one counts" },
		{ "", "(;GM[1]SZ[9]HA[2];W[cc])",
		  "the 2 stones of the handicap are on the usual points" },
		{ "--game gomoku", "h8i8j9", "columns with I; " },
	};
	struct screen c;
	char name[64], wanted[80];
	snprintf(name, sizeof name, "%s/x", state);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char options[128], line[80];
		FILE *f = fopen(name, "w");
		ck_assert_int_ge(fputs(rows[i].text, f), 0);
		ck_assert_int_eq(fclose(f), 0);
		snprintf(options, sizeof options, QUIET "%s", rows[i].options);
		snprintf(line, sizeof line, "loadsgf %s", name);
		snprintf(wanted, sizeof wanted, "= %s", rows[i].guess);
		screen_begin(&c, options, WIDE);
		screen_ask(&c, "load ~/x", rows[i].guess);
		screen_ask(&c, line, wanted);
		screen_leave(&c);
	}
}
END_TEST

START_TEST(completion)
{
	struct screen c;
	screen_begin(&c, QUIET "--game tictactoe", WIDE);
	/* Commands for people, and legal moves in the typed case. */
	type(&c, "hin\t");
	see(&c, "t ");
	type(&c, "\025b\t");
	see(&c, "book       board      black      boardsize  b1         b2         b3");
	type(&c, "\025B\t");
	see(&c, "B1  B2  B3");
	type(&c, "\025");
	screen_ask(&c, "b2", PROMPT);
	type(&c, "B\t");
	see(&c, "B1  B3");
	/* Without a letter the commands for people only. */
	type(&c, "\025\t");
	const char *list = see(&c, "?");
	ck_assert_ptr_nonnull(strstr(list, "hint"));
	ck_assert_ptr_null(strstr(list, "kata-"));
	/* Arguments. */
	type(&c, "play w\t a3\r");
	see(&c, "hite ");
	see(&c, "=\r\n");
	type(&c, "play b c\t");
	see(&c, "c1  c2  c3");
	type(&c, "\025play \t");
	see(&c, "black");
	see(&c, "white");
	type(&c, "\025genmove b\t");
	see(&c, "lack ");
	type(&c, "\025auto o\t");
	see(&c, "on   off");
	type(&c, "\025help ru\t");
	see(&c, "les ");
	type(&c, "\025help kata-sear\t");
	see(&c, "ch");
	type(&c, "\025game p\ttaj\t\r");
	see(&c, "a new game of Pentago (rules tajima)\r\n");
	type(&c, "param exac\t\t");
	see(&c, "0  1");
	/* No file names where none belong. */
	type(&c, "\025komi /tm\tx\r");
	see(&c, "? syntax error: ");
	screen_leave(&c);
}
END_TEST

START_TEST(tables)
{
	static const char *const commands[] = { "analyze\r", "lz-analyze b 10\r",
						"kata-analyze maxmoves 3\r" };
	static const char *const keys[] = { "x", "\r", " ", "q", "Q" };
	static const char *const lines[] = { "x", "", "", "", "" };
	struct screen c;
	screen_begin(&c, ENDLESS "--no-board --game tictactoe", WIDE);
	for (int i = 0; i < 5; i++) {
		type(&c, commands[i % 3]);
		see(&c, "black to move; any key ends; ");
		see(&c, "\r\nmove     win  visits  what follows\r\n");
		see(&c, "%");
		/* It is redrawn in place. */
		see(&c, i % 3 == 2 ? "\033[5A\r\033[J" : "\033[11A\r\033[J");
		see(&c, "what follows\r\n");
		ck_assert_ptr_null(strstr(see(&c, "\r\033[J"), "info"));
		type(&c, keys[i]);
		char prompt[32];
		snprintf(prompt, sizeof prompt, "\r\n" PROMPT "%s", lines[i]);
		see(&c, prompt);
		type(&c, "\025name\r");
		see(&c, "= yomi\r\n\r\nyomi> ");
	}
	/* ^C ends it, and not the program. */
	type(&c, "analyze\r");
	see(&c, "%");
	type(&c, "\003");
	see(&c, "\r\n" PROMPT);
	/* It needs a move to analyse. */
	screen_ask(&c, "position XXXOO.... O", "=\r\n");
	screen_ask(&c, "analyze",
		   "? the game is over (X wins: three in a row); type new to begin another, or "
		   "undo\r\n");
	screen_leave(&c);
}
END_TEST

/* Proven results and scores, and lines of a narrow terminal. */
START_TEST(table_of_values)
{
	struct screen c;
	screen_begin(&c, QUIET "--game tictactoe", WIDE);
	screen_ask(&c, "position XX.OO.... X", "=\r\n");
	screen_ask(&c, "analyze", "");
	see(&c, "C1       win ");
	type(&c, "\r");
	screen_leave(&c);
	screen_start_sized(&c, "--no-board --book 0 --search alphabeta --threads 1", 12, 30);
	see(&c, PROMPT);
	type(&c, "analyze\r");
	see(&c, "analyze\r\n");
	check_lines(see(&c, "\033["), 30);
	see(&c, "\r\033[J");
	ck_assert_ptr_nonnull(strstr(see(&c, "\033["), "move     win  score  visits"));
	type(&c, "\r");
	screen_leave(&c);
}
END_TEST

/* Half of a move would be another move. */
START_TEST(narrow_rows)
{
	static const struct {
		int columns;
		const char *row;
	} rows[] = {
		{ 80, "J6  30.0%  241  K7 J7 J10" },
		{ 26, "J6  30.0%  241  K7 J7 J10" },
		{ 25, "J6  30.0%  241  K7 J7" },
		{ 22, "J6  30.0%  241  K7 J7" },
		{ 18, "J6  30.0%  241" },
		{ 16, "J6  30.0%  241" },
		{ 2, "J" },
		{ 1, "" },
		{ 0, "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char row[] = "J6  30.0%  241  K7 J7 J10";
		table_cut(row, rows[i].columns);
		ck_assert_str_eq(row, rows[i].row);
	}
}
END_TEST

/* A long move makes its column wider. */
START_TEST(table_of_long_moves)
{
	struct screen c;
	screen_begin(&c, ENDLESS "--no-board --game hex --size 4", WIDE);
	type(&c, "play b b3\r");
	see(&c, PROMPT);
	type(&c, "analyze\r");
	see(&c, "analyze\r\n");
	see(&c, "\r\nmove           win  visits  what follows\r\n");
	see(&c, "\r\nSWAP-PIECES ");
	type(&c, "\r");
	screen_leave(&c);
}
END_TEST

/* A search of GTP that streams and plays shows the table, too. */
START_TEST(table_of_a_move)
{
	struct screen c;
	screen_begin(&c, ENDLESS "--no-board --game tictactoe", WIDE);
	type(&c, "kata-genmove_analyze b 10\r");
	see(&c, "what follows\r\n");
	see(&c, "\r\033[J");
	type(&c, "\003");
	see(&c, "play ");
	see(&c, "\r\n\r\n" PROMPT);
	screen_leave(&c);
}
END_TEST

START_TEST(turned_quadrant)
{
	struct screen c;
	screen_begin(&c, QUICK "--game pentago --color never", WIDE);
	type(&c, "c3t\r");
	see(&c, "   A B C D E F\r\n"
		" 1[. . .]. . . 1\r\n"
		" 2[. . .]. . . 2\r\n"
		" 3(X). .]. . . 3\r\n"
		" 4 . . . . . . 4\r\n"
		" 5 . . . . . . 5\r\n"
		" 6 . . . . . . 6\r\n"
		"   A B C D E F\r\n"
		"Black played C3T: turned the top left quadrant clockwise\r\n"
		"O (white) to move\r\n");
	type(&c, "f6u\r");
	see(&c, " 1 . . .[. . .]1\r\n"
		" 2 . . .[. . .]2\r\n"
		" 3 X . .[. . .]3\r\n"
		" 4 . . . . . . 4\r\n"
		" 5 . . . . . . 5\r\n"
		" 6 . . . . .(O)6\r\n");
	see(&c, "White played F6U: turned the top right quadrant counter-clockwise\r\n");
	type(&c, "a4x\r");
	see(&c, " 4(X). .[. . .]4\r\n"
		" 5 . . .[. . .]5\r\n"
		" 6 . . .[O . .]6\r\n");
	see(&c, "turned the bottom right quadrant clockwise\r\n");
	type(&c, "a5y\r");
	see(&c, " 4[. . .]. . . 4\r\n"
		" 5[. . .]. . . 5\r\n"
		" 6[X(O).]O . . 6\r\n");
	see(&c, "turned the bottom left quadrant counter-clockwise\r\n");
	screen_leave(&c);
	/* With colours, too. */
	screen_begin(&c, QUICK "--game pentago", WIDE);
	type(&c, "c3t\r");
	see(&c, " 1\033[42;30m[. . .]. . . \033[0m1\r\n");
	screen_leave(&c);
}
END_TEST

START_TEST(results)
{
	static const struct {
		const char *game, *position, *result;
	} rows[] = {
		{ "tictactoe", "XXXOO.... O", "X wins: three in a row\r\n" },
		{ "tictactoe", "XX.OOOX.. X", "O wins: three in a row\r\n" },
		{ "tictactoe", "XOXXOOOXX O", "Draw\r\n" },
		{ "pentago", "OOOOO.XX....XXX..................... X",
		  "White wins: five in a row\r\n" },
	};
	struct screen c;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char options[128], line[128];
		snprintf(options, sizeof options, QUICK "--color never --game %s", rows[i].game);
		snprintf(line, sizeof line, "position %s", rows[i].position);
		screen_begin(&c, options, WIDE);
		type(&c, line);
		type(&c, "\r");
		see(&c, rows[i].result);
		screen_leave(&c);
	}
	/* Othello tells the discs, and who gets the empty squares. */
	screen_begin(&c, QUICK "--color never", WIDE);
	type(&c, "position "
		 "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOO X\r");
	see(&c, "Black wins 37 to 27\r\n");
	type(&c, "position "
		 "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO.. X\r");
	see(&c, "White wins 64 to 0; empty squares count for the winner\r\n");
	screen_leave(&c);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("people");
	TCase *pipe = tcase_create("pipe");
	tcase_add_test(pipe, pipe_is_unchanged);
	tcase_add_test(pipe, narrow_rows);
	suite_add_tcase(suite, pipe);
	if (!process_has_terminals("what a terminal shows to people"))
		return suite_run(suite);
	TCase *cases = tcase_create("people");
	tcase_set_timeout(cases, 120);
	tcase_add_checked_fixture(cases, prepare, clean);
	tcase_add_test(cases, greeting);
	tcase_add_test(cases, help);
	tcase_add_test(cases, books);
	tcase_add_test(cases, rules);
	tcase_add_test(cases, moves);
	tcase_add_test(cases, forms_of_moves);
	tcase_add_test(cases, forms_of_commands);
	tcase_add_test(cases, after_the_end);
	tcase_add_test(cases, after_resignation);
	tcase_add_test(cases, undo_and_redo);
	tcase_add_test(cases, sides);
	tcase_add_test(cases, groups_of_moves);
	tcase_add_test(cases, weak_level);
	tcase_add_test(cases, narrow_terminals);
	tcase_add_test(cases, suggestions);
	tcase_add_test(cases, reasons);
	tcase_add_test(cases, answers_of_the_engine);
	tcase_add_test(cases, auto_at_the_end);
	tcase_add_test(cases, puzzles);
	tcase_add_test(cases, hints);
	tcase_add_test(cases, whys);
	tcase_add_test(cases, games_and_settings);
	tcase_add_test(cases, files);
	tcase_add_test(cases, guesses_of_files);
	tcase_add_test(cases, completion);
	tcase_add_test(cases, tables);
	tcase_add_test(cases, table_of_values);
	tcase_add_test(cases, table_of_long_moves);
	tcase_add_test(cases, table_of_a_move);
	tcase_add_test(cases, turned_quadrant);
	tcase_add_test(cases, results);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
