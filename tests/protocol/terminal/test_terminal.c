/* SPDX-License-Identifier: MIT
 *
 * The program as a person meets it: keys typed into a pseudo-terminal, and what appears there. Endless
 * searches end only by what is tested; Check's timeout is the judge of what waits for ever.
 */
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "tests/protocol/terminal/screen.h"

START_TEST(answers_and_end)
{
	struct screen c;
	screen_begin(&c, "", 80);
	type(&c, "name\r");
	see(&c, "\r\n= yomi\r\n\r\nyomi> ");
	type(&c, "\004");
	screen_end(&c);
	screen_begin(&c, "", 80);
	type(&c, "7 quit\r");
	see(&c, "=7\r\n");
	screen_end(&c);
}
END_TEST

START_TEST(editing)
{
	struct screen c;
	screen_begin(&c, "", 80);
	type(&c, "nbme\177\177\177ame\r");
	see(&c, "= yomi\r\n");
	type(&c, "protocol_version\r");
	see(&c, "= 2\r\n");
	type(&c, UP UP "\r");
	see(&c, "= yomi\r\n");
	/* The bytes of a key arrive one by one. */
	for (const char *k = UP UP "\r"; *k; k++)
		ck_assert_int_eq(write(c.keys, k, 1), 1);
	see(&c, "= 2\r\n");
	type(&c, "echo \303\251t\303\251x\177\r");
	see(&c, "= \303\251t\303\251\r\n");
	/* Search backwards, with keys one after the other. */
	type(&c, "\022");
	see(&c, "bck:");
	type(&c, "proto");
	type(&c, "\r");
	see(&c, "= 2\r\n");
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

/* The settings of the terminal stay while a command runs. In packet mode a read tells of flow control turned on or off. */
START_TEST(settings_stay)
{
	struct screen c;
	char packet[4096], text[4096] = "";
	size_t length = 0;
	screen_begin(&c, "", 80);
	ck_assert_int_eq(ioctl(c.keys, TIOCPKT, &(int) { 1 }), 0);
	type(&c, "name\r");
	while (!strstr(text, "= yomi\r\n\r\nyomi> ")) {
		ssize_t n = read(c.keys, packet, sizeof packet);
		ck_assert_int_ge(n, 1);
		ck_assert_int_eq(packet[0], TIOCPKT_DATA);
		ck_assert_uint_lt(length + (size_t)n, sizeof text);
		memcpy(text + length, packet + 1, (size_t)n - 1);
		length += (size_t)n - 1;
		text[length] = '\0';
	}
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

START_TEST(history_is_kept)
{
	struct screen c;
	screen_start(&c, "");
	type(&c, "echo first\recho second\r");
	see(&c, "= second\r\n");
	type(&c, "\004");
	screen_end(&c);
	screen_begin(&c, "", 80);
	type(&c, UP UP "\r");
	see(&c, "= first\r\n");
	type(&c, "\004");
	screen_end(&c);
	/* The history may be unavailable. */
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	screen_begin(&c, "", 80);
	type(&c, UP "name\r");
	see(&c, "= yomi\r\n");
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

/* A terminal that ends keeps the lines that another one has saved since it began. */
START_TEST(history_of_two)
{
	struct screen a, b;
	screen_start(&a, "");
	screen_start(&b, "");
	type(&a, "echo first\r");
	see(&a, "= first\r\n");
	type(&b, "echo second\r");
	see(&b, "= second\r\n");
	type(&a, "\004");
	screen_end(&a);
	type(&b, "\004");
	screen_end(&b);
	screen_begin(&a, "", 80);
	type(&a, UP "\r");
	see(&a, "= second\r\n");
	type(&a, UP UP "\r");
	see(&a, "= first\r\n");
	type(&a, "\004");
	screen_end(&a);
}
END_TEST

/* A full disk loses the new lines, not the old ones. */
START_TEST(history_that_cannot_be_written)
{
	static const struct rlimit none = { 0, RLIM_INFINITY };
	struct screen c;
	screen_start(&c, "");
	type(&c, "echo first\r");
	see(&c, "= first\r\n");
	type(&c, "\004");
	screen_end(&c);
	screen_begin(&c, "", 80);
	ck_assert_int_eq(prlimit(c.child, RLIMIT_FSIZE, &none, NULL), 0);
	type(&c, "echo second\r");
	see(&c, "= second\r\n");
	type(&c, "\004");
	see(&c, "yomi: cannot write ");
	see(&c, "/yomi/history: File too large\r\n");
	screen_end_with(&c, 1);
	screen_begin(&c, "", 80);
	type(&c, UP "\r");
	see(&c, "= first\r\n");
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

/* Plays two moves and waits until the prompt is back. */
static void play_two(struct screen *c)
{
	see(c, PROMPT);
	type(c, "f5\r");
	see(c, PROMPT);
	type(c, "d6\r");
	see(c, PROMPT);
}

/* Checks that a new terminal offers the game of play_two(), and that it can go on there. */
static void check_offer(struct screen *c)
{
	screen_start(c, "--no-board");
	see(c, "Your last game is kept: Othello, 2 moves. Type continue to go on with it.\r\n");
	see(c, PROMPT);
	type(c, "move_history\r");
	see(c, "=\r\n");
	type(c, "continue\r");
	see(c, "Othello, 2 moves\r\n");
	type(c, "move_history\r");
	see(c, "= white D6\r\nblack F5\r\n");
}

/* Checks that a new terminal offers the game of play_two() and no other one, and makes a new folder. */
static void check_kept(void)
{
	struct screen c;
	check_offer(&c);
	/* A game that goes on is still the same game. */
	screen_ask(&c, "kept", "? no other game is kept\r\n");
	screen_leave(&c);
	clean();
	ck_assert_int_eq(mkdir(state, 0700), 0);
}

/* However a terminal ends, the next one offers its game. */
START_TEST(kept_games)
{
	static const char *const keys[] = { "exit\r", "quit\r", "\004", "9 quit\r", "q\r" };
	static const struct {
		int signal;
		bool is_searching;
	} kills[] = {
		{ SIGTERM, false }, { SIGTERM, true }, { SIGHUP, false },  { SIGHUP, true },
		{ SIGQUIT, false }, { SIGQUIT, true }, { SIGKILL, false }, { SIGKILL, true },
	};
	struct screen c;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		screen_start(&c, ENDLESS "--no-board");
		play_two(&c);
		type(&c, keys[i]);
		see(&c, "Your game is kept. Type continue when you start yomi again.\r\n");
		screen_end(&c);
		check_kept();
	}
	for (size_t i = 0; i < sizeof kills / sizeof *kills; i++) {
		screen_start(&c, ENDLESS "--no-board");
		play_two(&c);
		type(&c, kills[i].is_searching ? "go\rabc" : "abc");
		see(&c, kills[i].is_searching ? "playouts" : "abc");
		screen_killed(&c, kills[i].signal);
		check_kept();
	}
}
END_TEST

/* Yes and no answer the offer, and nothing else. */
START_TEST(kept_question)
{
	struct screen c;
	screen_start(&c, "--no-board");
	play_two(&c);
	screen_leave(&c);
	screen_begin(&c, "--no-board", 80);
	screen_ask(&c, "moves", "Black has 4 ");
	screen_ask(&c, "y", "? unknown command y; ");
	screen_leave(&c);
	screen_begin(&c, "--no-board", 80);
	screen_ask(&c, "no", "a new game of Othello\r\n");
	screen_ask(&c, "yes", "? unknown command yes; ");
	screen_leave(&c);
	screen_begin(&c, "--no-board", 80);
	screen_ask(&c, "Yes!", "Othello, 2 moves\r\n");
	screen_leave(&c);
}
END_TEST

/* A file that was cut is not offered. */
START_TEST(damaged_game)
{
	struct screen c;
	char name[64];
	screen_start(&c, "--no-board");
	play_two(&c);
	screen_leave(&c);
	snprintf(name, sizeof name, "%s/yomi/games/1.sgf", state);
	ck_assert_int_eq(truncate(name, 30), 0);
	screen_start(&c, "--no-board");
	ck_assert_ptr_null(strstr(see(&c, PROMPT), "kept"));
	screen_ask(&c, "kept", "? no other game is kept\r\n");
	screen_ask(&c, "continue 1", "? the file of game 1 is damaged\r\n");
	screen_leave(&c);
}
END_TEST

/* Leaving waits for a search, and says so. */
START_TEST(leaving_that_waits)
{
	static const char *const keys[] = { "\004", "exit\r" };
	for (int i = 0; i < 2; i++) {
		struct screen c;
		screen_begin(&c, ENDLESS "--no-board", 80);
		type(&c, "go\r");
		see(&c, "playouts");
		type(&c, keys[i]);
		see(&c, "yomi leaves when its search has ended; ^C ends it now.\r\n");
		type(&c, "\003");
		screen_end(&c);
	}
}
END_TEST

/* Another game, a loaded one, or a set-up position does not remove the last one. */
START_TEST(kept_beside_others)
{
	static const char *const lines[] = {
		"new\r",
		"game hex\r",
		"boardsize 6\r",
		"clear_board\r",
		"puzzle 1\r",
		"gg-undo 2\r",
		"set_position b d3 w c3\r",
		/* A file with the beginning of the game. */
		"undo\rsave ~/x\rredo\rload ~/x\r",
		"undo\rsave ~/x\rredo\rloadsgf %s/x\r",
		"undo\rsave ~/x\rredo\ryomi-load %s/x\r",
		"undo\rsave ~/x\rredo\ryomi-loadsgf (;GM[2];B[fe])\r",
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct screen c;
		char typed[128];
		screen_start(&c, "--no-board");
		play_two(&c);
		const char *name = strchr(lines[i], '%');
		int before = name ? (int)(name - lines[i]) : (int)strlen(lines[i]);
		snprintf(typed, sizeof typed, "%.*s%s%s", before, lines[i], name ? state : "",
			 name ? name + 2 : "");
		type(&c, typed);
		screen_ask(&c, "echo ready", "= ready\r\n");
		screen_ask(&c, "continue", "Othello, 2 moves\r\n");
		screen_ask(&c, "move_history", "= white D6\r\nblack F5\r\n");
		screen_leave(&c);
		clean();
		ck_assert_int_eq(mkdir(state, 0700), 0);
	}
}
END_TEST

/* Another move in place of the last one, or another komi, is still the same game. */
START_TEST(kept_changes)
{
	struct screen c;
	screen_start(&c, "--no-board");
	play_two(&c);
	screen_answer(&c, "undo");
	screen_answer(&c, "f4");
	screen_leave(&c);
	screen_begin(&c, "--no-board", 80);
	screen_ask(&c, "continue", "Othello, 2 moves\r\n");
	screen_ask(&c, "move_history", "= white F4\r\nblack F5\r\n");
	screen_ask(&c, "kept", "? no other game is kept\r\n");
	screen_ask(&c, "game go", "a new game of Go\r\n");
	screen_answer(&c, "c3");
	screen_answer(&c, "komi 5.5");
	screen_answer(&c, "kata-set-rules japanese");
	screen_answer(&c, "komi 3.5");
	screen_leave(&c);
	screen_begin(&c, "--no-board", 80);
	screen_ask(&c, "kept", "continue 2 ");
	see(&c, "Go, 1 move\r\ncontinue 1 ");
	see(&c, "Othello, 2 moves\r\n" PROMPT);
	screen_ask(&c, "continue", "Go, 1 move\r\n");
	screen_ask(&c, "get_komi", "= 3.5\r\n");
	screen_leave(&c);
}
END_TEST

/* A game that another terminal plays is its own until it ends. */
START_TEST(kept_by_two)
{
	struct screen a, b;
	screen_start(&a, "--no-board");
	play_two(&a);
	screen_start(&b, "--no-board --game hex");
	ck_assert_ptr_null(strstr(see(&b, PROMPT), "kept"));
	type(&b, "continue\r");
	see(&b, "? no other game is kept\r\n");
	type(&b, "continue 1\r");
	see(&b, "? game 1 is played now\r\n\r\nyomi> ");
	type(&b, "c3\r");
	see(&b, PROMPT);
	type(&a, "c3\r");
	see(&a, PROMPT);
	screen_leave(&a);
	type(&b, "kept\r");
	see(&b, "continue 1 ");
	see(&b, "Othello, 3 moves\r\n");
	type(&b, "continue\r");
	see(&b, "Othello, 3 moves\r\n");
	screen_leave(&b);
	/* The one that was played last comes first, also without a new move. */
	screen_start(&a, "--no-board");
	see(&a, "kept: Othello, 3 moves.");
	see(&a, PROMPT);
	type(&a, "kept\r");
	see(&a, "Othello, 3 moves\r\ncontinue 2 ");
	see(&a, "Hex, 1 move\r\n");
	screen_leave(&a);
}
END_TEST

/* Who plays is part of a game. */
START_TEST(kept_opponent)
{
	struct screen c;
	screen_start(&c, "--no-board --search random");
	type(&c, "white\r");
	see(&c, "yomi plays ");
	screen_leave(&c);
	screen_start(&c, "--no-board --search random");
	type(&c, "continue\r");
	see(&c, "Othello, 1 move\r\nYou play White, yomi plays Black.\r\n");
	type(&c, "auto off\r");
	see(&c, "yomi moves only when you type go\r\n");
	screen_leave(&c);
	screen_start(&c, "--no-board --search random");
	type(&c, "continue\r");
	see(&c, "Othello, 1 move\r\nyomi> ");
	screen_leave(&c);
}
END_TEST

/* So are level and time. */
START_TEST(kept_level)
{
	struct screen c;
	screen_begin(&c, "--no-board", 80);
	screen_answer(&c, "level 3");
	screen_answer(&c, "time 7");
	screen_answer(&c, "f5");
	screen_leave(&c);
	screen_begin(&c, "--no-board", 80);
	screen_ask(&c, "level", "level 0: ");
	screen_ask(&c, "continue", "Othello, 1 move\r\n7 seconds a move\r\nlevel 3 of 9: ");
	see(&c, PROMPT);
	screen_ask(&c, "param time", "= 7\r\n");
	screen_ask(&c, "param level", "= 3\r\n");
	screen_ask(&c, "level 0", "level 0: ");
	screen_leave(&c);
	/* A game at full strength leaves the level. */
	screen_begin(&c, "--no-board --level 5", 80);
	screen_ask(&c, "continue", "Othello, 1 move\r\n7 seconds a move\r\nlevel 5 of 9: ");
	screen_leave(&c);
}
END_TEST

/* A resigned game that is taken up again is over. */
START_TEST(kept_resignation)
{
	struct screen c;
	screen_begin(&c, "--no-board", 80);
	screen_answer(&c, "f5");
	screen_answer(&c, "resign");
	screen_leave(&c);
	screen_begin(&c, "--no-board", 80);
	screen_ask(&c, "continue 1", "Othello, 1 move\r\nWhite has resigned: Black wins\r\n");
	screen_ask(&c, "d6", "? the game is over ");
	screen_ask(&c, "undo", "The resignation is taken back.\r\n");
	screen_leave(&c);
	screen_begin(&c, "--no-board", 80);
	screen_ask(&c, "continue", "Othello, 1 move\r\n" PROMPT);
	screen_leave(&c);
}
END_TEST

/* Finished games are kept, but not offered. */
START_TEST(finished_games)
{
	static const struct {
		const char *options, *lines, *sign;
	} rows[] = {
		{ "--no-board --game tictactoe", "a1 a2 b1 b2 c1\r", "three in a row" },
		{ "--no-board --game tictactoe", "a1 a2\rresign\r", "resigns" },
		{ "--no-board --game tictactoe --resign 0.9", "a1\rgo\r", "yomi resigns" },
	};
	struct screen c;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		screen_begin(&c, rows[i].options, 80);
		type(&c, rows[i].lines);
		see(&c, rows[i].sign);
		see(&c, PROMPT);
		screen_leave(&c);
		screen_start(&c, "--no-board");
		ck_assert_ptr_null(strstr(see(&c, PROMPT), "kept"));
		screen_ask(&c, "continue", "? all kept games are finished; kept lists them\r\n");
		screen_ask(&c, "kept", "continue ");
		see(&c, ", finished\r\n");
		screen_leave(&c);
	}
}
END_TEST

/* The last game that is not finished is offered, however many finished ones came later. */
START_TEST(unfinished_game)
{
	struct screen c;
	screen_start(&c, "--no-board");
	play_two(&c);
	screen_answer(&c, "game tictactoe");
	for (int i = 0; i < 11; i++) {
		screen_answer(&c, "a1 a2 b1 b2 c1");
		screen_answer(&c, "new");
	}
	screen_leave(&c);
	check_offer(&c);
	screen_ask(&c, "continue 0", "? no game 0 is kept\r\n");
	screen_ask(&c, "continue 2", "Tictactoe, 5 moves\r\n");
	screen_leave(&c);
}
END_TEST

/* Where no game can be kept, the user is told before it is lost. */
START_TEST(games_that_cannot_be_kept)
{
	static const char *const lines[] = {
		"exit\r",
		"new\r",
		"game hex\r",
		"\004",
		"boardsize 6\r",
		"\003",
		"rectangular_boardsize 6 6\r",
		"set_position b d3 w c3\r",
		"yomi-load /nonexistent\r",
		"yomi-loadsgf (;GM[2];B[fe])\r",
		"gogui-setup b d3\r",
	};
	static const char warning[] = "this game is in no file: ";
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct screen c;
		setenv("XDG_STATE_HOME", i % 2 ? "/dev/null" : "/proc/nowhere", 1);
		screen_start(&c, "--no-board");
		play_two(&c);
		type(&c, lines[i]);
		see(&c, warning);
		/* It breaks at the width of the terminal. */
		ck_assert_uint_lt(strcspn(see(&c, PROMPT), "\r"), 80 - strlen(warning));
		if (i == 0) {
			type(&c, "move_history\r");
			see(&c, "= white D6\r\nblack F5\r\n");
			type(&c, "c3\rexit\r");
			see(&c, warning);
			type(&c, "save ~/game.sgf\r");
			see(&c, "saved to ");
		}
		type(&c, i == 1 ? "new\rexit\r" : "exit\r");
		screen_end(&c);
	}
	/* Without moves nothing is said. */
	struct screen c;
	screen_start(&c, "--no-board");
	ck_assert_ptr_null(strstr(see(&c, PROMPT), "file"));
	type(&c, "exit\r");
	screen_end(&c);
}
END_TEST

START_TEST(completion)
{
	struct screen c;
	screen_begin(&c, "--game tictactoe", 80);
	type(&c, "known_\tlist_com\t\r");
	see(&c, "= true\r\n");
	type(&c, "12 param explo\t\r");
	see(&c, "=12 -1\r\n");
	type(&c, "param search rand\t\r");
	see(&c, "=\r\n");
	type(&c, "param search\r");
	see(&c, "= random\r\n");
	type(&c, "param search alpha\t\t");
	see(&c, "alphabeta-plain");
	see(&c, "yomi> param search alphabeta");
	type(&c, "\025nothing_like_it\tx\r");
	see(&c, "? unknown command nothing_like_itx; type help\r\n");
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

START_TEST(interruption)
{
	struct screen c;
	screen_begin(&c, ENDLESS "--no-board", 80);
	type(&c, "genmove b\r");
	/* The progress line is rewritten in place and erased when the answer comes. */
	see(&c, "\r\033[Kblack, ");
	see(&c, "playouts");
	see(&c, "\r\033[Kblack, ");
	type(&c, "\003");
	see(&c, "\r\033[K= ");
	ck_assert_ptr_null(strstr(see(&c, "\r\n\r\nyomi> "), "black"));
	/* Lines typed meanwhile are handled later. ^S stops nothing. */
	type(&c, "genmove w\r");
	see(&c, "playouts");
	type(&c, "\023name\r");
	type(&c, "\003");
	see(&c, "\r\033[K= ");
	see(&c, "= yomi\r\n\r\nyomi> ");
	/* On a line that has begun it clears the line. */
	type(&c, "abc");
	see(&c, "abc");
	type(&c, "\003");
	see(&c, PROMPT);
	type(&c, "name\r");
	see(&c, "= yomi\r\n\r\nyomi> ");
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

/* Waits longer than the time within which a second ^C counts as the same one. */
static void read_hint(struct screen *c)
{
	static const struct timespec while_reading = { 0, 600000000 };
	see(c, "Press ^C again, or type quit, to leave.\r\nyomi> ");
	nanosleep(&while_reading, NULL);
}

/* ^C ends the program only after the user has seen the warning. */
START_TEST(interruption_that_leaves)
{
	struct screen c;
	screen_begin(&c, "--game tictactoe --no-board", 80);
	type(&c, "genmove b\r");
	see(&c, "= ");
	/* The search ends before it can be interrupted. Surplus ^C count as one. */
	type(&c, "\003\003\003");
	read_hint(&c);
	type(&c, "showboard\r");
	see(&c, "X");
	see(&c, PROMPT);
	type(&c, "\003");
	read_hint(&c);
	/* Typing cancels leaving. */
	type(&c, "x");
	see(&c, "x");
	type(&c, "\177");
	see(&c, "\033[K");
	type(&c, "\003");
	read_hint(&c);
	type(&c, "\003");
	screen_end(&c);
}
END_TEST

/* Changes the size of the terminal and waits until the program has redrawn its line. */
static void resize(struct screen *c, unsigned short rows, unsigned short columns)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };
	ck_assert_int_eq(ioctl(c->keys, TIOCSWINSZ, &size), 0);
	see(c, "\r\033[J");
}

START_TEST(resizing)
{
	static const unsigned short sizes[][2] = { { 24, 5 },  { 24, 2 },  { 24, 3 }, { 24, 4 },
						   { 24, 20 }, { 1, 80 },  { 1, 1 },  { 2, 7 },
						   { 1, 2 },   { 60, 300 } };
	static const char text[] = "the cursor stands far behind the end of a line of the new size";
	struct screen c;
	screen_begin(&c, "--no-board", 80);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char wanted[128];
		type(&c, "echo ");
		type(&c, text);
		see(&c, "new size");
		resize(&c, sizes[i][0], sizes[i][1]);
		type(&c, "!\r");
		snprintf(wanted, sizeof wanted, "= %s!\r\n", text);
		see(&c, wanted);
		type(&c, "name\r");
		see(&c, "= yomi\r\n");
		resize(&c, 24, 80);
	}
	/* The cursor keeps its place in the line. */
	type(&c, "echo abef\033[D\033[D");
	see(&c, "\b\b");
	resize(&c, 24, 40);
	type(&c, "cd\r");
	see(&c, "= abcdef\r\n");
	/* At its end libedit checks its buffers. */
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

START_TEST(signals)
{
	static const int numbers[] = { SIGTERM, SIGHUP, SIGQUIT };
	static const char *const keys[] = { "", "abc", "genmove b\r", "\022a" };
	static const char *const signs[] = { PROMPT, "abc", "playouts", "a" };
	for (int i = 0; i < 12; i++) {
		struct screen c;
		screen_start(&c, ENDLESS);
		if (i % 4)
			see(&c, PROMPT);
		type(&c, keys[i % 4]);
		see(&c, signs[i % 4]);
		kill(c.child, numbers[i / 4]);
		screen_end(&c);
	}
}
END_TEST

START_TEST(suspension)
{
	struct screen c;
	int status;
	screen_begin(&c, ENDLESS, 80);
	type(&c, "na");
	see(&c, "na");
	type(&c, "\032");
	ck_assert_int_eq(waitpid(c.child, &status, WUNTRACED), c.child);
	ck_assert(WIFSTOPPED(status));
	check_restored(&c);
	kill(c.child, SIGCONT);
	see(&c, "yomi> na");
	type(&c, "me\r");
	see(&c, "= yomi\r\n");
	type(&c, "genmove b\r");
	see(&c, "playouts");
	type(&c, "\032");
	ck_assert_int_eq(waitpid(c.child, &status, WUNTRACED), c.child);
	ck_assert(WIFSTOPPED(status));
	kill(c.child, SIGCONT);
	see(&c, "playouts");
	type(&c, "\003");
	see(&c, "\r\033[K= ");
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

START_TEST(boards)
{
	static const char plain[] =
		"   A B C\r\n 1 . . . 1\r\n 2 .(X). 2\r\n 3 . . . 3\r\n   A B C\r\n";
	static const char colored[] = "   A B C\r\n 1\033[42;30m . . . \033[0m1\r\n"
				      " 2\033[42;30m .(X). \033[0m2\r\n"
				      " 3\033[42;30m . . . \033[0m3\r\n   A B C\r\n";
	struct screen c;
	screen_start(&c, "--game tictactoe");
	type(&c, "play b b2\r");
	see(&c, colored);
	type(&c, "showboard\r");
	see(&c, "= \r\n");
	see(&c, colored);
	/* It is not drawn again. */
	ck_assert_ptr_null(strstr(see(&c, PROMPT), "A B C"));
	type(&c, "undo\r");
	see(&c, " 2\033[42;30m . . . \033[0m2\r\n");
	/* A new game draws its board, although it is the same. */
	see(&c, PROMPT);
	type(&c, "new\r");
	see(&c, " 2\033[42;30m . . . \033[0m2\r\n");
	type(&c, "\004");
	screen_end(&c);

	screen_start(&c, "--game tictactoe --no-board --color=never");
	type(&c, "play b b2\rshowboard\r");
	ck_assert_ptr_null(strstr(see(&c, "= \r\n"), "A B C"));
	see(&c, plain);
	type(&c, "\004");
	screen_end(&c);

	setenv("NO_COLOR", "1", 1);
	screen_start(&c, "--game tictactoe");
	type(&c, "play b b2\r");
	see(&c, plain);
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

/* A terminal without capabilities gets the same output as a pipe. */
START_TEST(dumb_terminal)
{
	struct screen c;
	setenv("TERM", "dumb", 1);
	screen_start(&c, "--game tictactoe");
	type(&c, "play b b2\nshowboard\n");
	const char *all = see(&c, "O (white) to move\r\n\r\n");
	ck_assert_ptr_null(strchr(all, '\033'));
	ck_assert_ptr_null(strchr(all, '>'));
	ck_assert_ptr_nonnull(strstr(all, " 2 . X . 2\r\n"));
	type(&c, "\004");
	screen_end(&c);
}
END_TEST

START_TEST(colors_in_a_pipe)
{
	static const char *const options[] = { "--game tictactoe",
					       "--game tictactoe --color always" };
	for (int i = 0; i < 2; i++) {
		int in[2], out[2];
		char text[4096];
		size_t length = 0;
		ssize_t n;
		ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
		ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
		pid_t child = process_start(options[i], in[0], out[1], NULL);
		ck_assert_int_eq(write(in[1], "showboard\n", 10), 10);
		close(in[0]);
		close(in[1]);
		close(out[1]);
		while ((n = read(out[0], text + length, sizeof text - length)) > 0)
			length += (size_t)n;
		close(out[0]);
		ck_assert_int_eq(process_wait(child), 0);
		ck_assert((memchr(text, '\033', length) != NULL) == (i == 1));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("terminal");
	TCase *pipe = tcase_create("pipe");
	tcase_add_checked_fixture(pipe, prepare, clean);
	tcase_add_test(pipe, colors_in_a_pipe);
	suite_add_tcase(suite, pipe);
	if (!process_has_terminals("what a terminal shows"))
		return suite_run(suite);
	TCase *cases = tcase_create("terminal");
	tcase_set_timeout(cases, 120);
	tcase_add_checked_fixture(cases, prepare, clean);
	tcase_add_test(cases, answers_and_end);
	tcase_add_test(cases, editing);
	tcase_add_test(cases, settings_stay);
	tcase_add_test(cases, history_is_kept);
	tcase_add_test(cases, history_of_two);
	tcase_add_test(cases, history_that_cannot_be_written);
	tcase_add_test(cases, kept_games);
	tcase_add_test(cases, leaving_that_waits);
	tcase_add_test(cases, kept_question);
	tcase_add_test(cases, damaged_game);
	tcase_add_test(cases, kept_beside_others);
	tcase_add_test(cases, kept_changes);
	tcase_add_test(cases, kept_by_two);
	tcase_add_test(cases, kept_opponent);
	tcase_add_test(cases, kept_level);
	tcase_add_test(cases, kept_resignation);
	tcase_add_test(cases, finished_games);
	tcase_add_test(cases, unfinished_game);
	tcase_add_test(cases, games_that_cannot_be_kept);
	tcase_add_test(cases, completion);
	tcase_add_test(cases, interruption);
	tcase_add_test(cases, interruption_that_leaves);
	tcase_add_test(cases, resizing);
	tcase_add_test(cases, signals);
	tcase_add_test(cases, suspension);
	tcase_add_test(cases, boards);
	tcase_add_test(cases, dumb_terminal);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
