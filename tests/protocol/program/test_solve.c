/* SPDX-License-Identifier: MIT
 *
 * The solve mode of the real program: positions of every game and rule set compared with minimax, its
 * output, too little work, SIGINT and mistakes. Each test has its own folder, $D in the shell's commands.
 */
#include <jansson.h>

#include "engine/base/memory.h"
#include "tests/engine/naive.h"
#include "tests/folder.h"
#include "tests/protocol/process.h"
#include "tests/tested.h"

#define POSITIONS 4

/* Checks the output of a command without time and memory, and its exit status. */
static void expect(const char *command, int status, const char *expected)
{
	char whole[1024];
	int ended;
	snprintf(whole, sizeof whole,
		 "{ %s; } >$D/out 2>&1; echo $? >$D/status; "
		 "sed -E '/^(time|memory|nodes|yomi: with)/d; s/, [0-9].*//' $D/out; exit $(cat "
		 "$D/status)",
		 command);
	char *text = process_shell(whole, &ended);
	ck_assert_msg(strcmp(text, expected) == 0, "%s: '%s' instead of '%s'", command, text,
		      expected);
	ck_assert_msg(ended == status, "%s: status %d", command, ended);
	free(text);
}

/* --- values --- */

static const char *const value_names[] = { "loss", "draw", "win" };

static const char *string_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* Checks the bounds of an object against Black's true result. Returns true if they are equal. */
static bool check_bounds(const json_t *object, int side, int black)
{
	int truth = side == BLACK ? black : -black, least = -2, most = -2;
	const char *value = string_of(object, "value");
	for (int i = -1; i <= 1; i++) {
		if (strcmp(string_of(object, "at_least"), value_names[i + 1]) == 0)
			least = i;
		if (strcmp(string_of(object, "at_most"), value_names[i + 1]) == 0)
			most = i;
	}
	ck_assert_int_ge(least, -1);
	ck_assert_int_le(least, truth);
	ck_assert_int_ge(most, truth);
	ck_assert(json_object_get(object, "value"));
	if (least == most)
		ck_assert_str_eq(value, value_names[truth + 1]);
	else
		ck_assert_ptr_null(value);
	return least == most;
}

/* Checks that a score is reported in games with points, and in games of speed by the solver, from the view of the side to
 * move. */
static void check_score(const json_t *object, const struct game *g, int side, int black)
{
	const json_t *score = json_object_get(object, "score");
	ck_assert_int_eq(score != NULL, game_counts(g));
	ck_assert(!g->score.unit || json_is_integer(score));
	if (json_is_integer(score))
		ck_assert_int_eq((int)json_integer_value(score), side == BLACK ? black : -black);
}

/* Checks that each move of a line keeps the result, or the score in games with points. Returns true if the
 * line reaches the end of the game. */
static bool check_line(const struct game *g, const struct state *start, const json_t *line,
		       int truth)
{
	struct state s = *start;
	for (size_t i = 0; i < json_array_size(line); i++) {
		const char *text = json_string_value(json_array_get(line, i));
		struct move m;
		ck_assert_int_eq(game_parse(g, &s, text, &m), MOVE_OK);
		game_play(g, &s, m);
		ck_assert_int_eq(g->score.unit ? naive_score(g, &s) : naive_result(g, &s), truth);
	}
	return s.over;
}

static const json_t *find_move(const json_t *moves, const char *text)
{
	for (size_t i = 0; i < json_array_size(moves); i++)
		if (strcmp(string_of(json_array_get(moves, i), "move"), text) == 0)
			return json_array_get(moves, i);
	return NULL;
}

static void check_moves(const struct game *g, const struct state *s, const json_t *moves)
{
	struct move all[GAME_MOVES_MAX];
	int count = game_moves(g, s, all);
	ck_assert_int_eq((int)json_array_size(moves), count);
	for (int i = 0; i < count; i++) {
		char text[MOVE_TEXT_MAX];
		struct state next = *s;
		game_format(g, s, all[i], text);
		game_play(g, &next, all[i]);
		const json_t *move = find_move(moves, text);
		ck_assert_ptr_nonnull(move);
		ck_assert(check_bounds(move, s->side, naive_result(g, &next)));
		check_score(move, g, s->side, naive_score(g, &next));
	}
}

/* By the game's own solver if it has one, or by searches only. */
static const char *const methods[] = { "--time=1000", "--nodes=100000000 --seed=1",
				       "--search=alphabeta --nodes=100000000 --threads=3" };

START_TEST(values)
{
	const struct game *g = naive_game(_i / 3);
	struct state states[POSITIONS];
	struct rng rng;
	char command[512], position[POSITION_TEXT_MAX];
	int status, empty = g == &game_tictactoe ? 8 : g == &game_othello ? 7 : 4;
	rng_seed(&rng, 71);
	snprintf(command, sizeof command, "%s/positions", folder);
	FILE *f = fopen(command, "we");
	ck_assert_ptr_nonnull(f);
	fputs("# squares and side\n\n", f);
	for (int i = 0; i < POSITIONS; i++) {
		naive_find_position(g, empty, &rng, &states[i]);
		game_position(g, &states[i], position);
		fprintf(f, " %s # %d\n", position, i);
	}
	ck_assert_int_eq(fclose(f), 0);
	snprintf(command, sizeof command,
		 "$YOMI solve %s --rules %s --size %dx%d %s --file $D/positions --all --json "
		 "--verify --memory=64",
		 g->name, g->rules, g->board.cols, g->board.rows, methods[_i % 3]);
	char *text = process_shell(command, &status), *at = text;
	ck_assert_int_eq(status, 0);
	for (int i = 0; i < POSITIONS; i++) {
		json_t *object = json_loads(at, JSON_DISABLE_EOF_CHECK, NULL);
		ck_assert_ptr_nonnull(object);
		at = strchr(at, '\n') + 1;
		int truth = naive_result(g, &states[i]);
		game_position(g, &states[i], position);
		ck_assert_str_eq(string_of(object, "game"), g->name);
		ck_assert_str_eq(string_of(object, "rules"), g->rules);
		ck_assert_str_eq(string_of(object, "position"), position);
		ck_assert(check_bounds(object, states[i].side, truth));
		if (g->score.unit) {
			truth = naive_score(g, &states[i]);
			ck_assert_str_eq(string_of(object, "unit"), g->score.unit);
		}
		check_score(object, g, states[i].side, naive_score(g, &states[i]));
		/* A tiny build has no memory for the solver. */
		if (g->score.speed && _i % 3 == 0 && MEMORY_UNIT == (size_t)1 << 20)
			ck_assert(json_is_integer(json_object_get(object, "score")));
		/* The time may be too short for a line on any machine. */
		const json_t *line = json_object_get(object, "line");
		ck_assert(check_line(g, &states[i], line, truth) || _i % 3 == 0);
		check_moves(g, &states[i], json_object_get(object, "moves"));
		ck_assert_int_gt(json_integer_value(json_object_get(object, "nodes")), 0);
		ck_assert_int_gt(json_integer_value(json_object_get(object, "memory")), 1 << 20);
		ck_assert(json_is_real(json_object_get(object, "seconds")));
		ck_assert_str_eq(string_of(json_object_get(object, "proof"), "verdict"),
				 "verified");
		json_decref(object);
	}
	ck_assert_str_eq(at, "");
	free(text);
}
END_TEST

/* --- what it prints --- */

START_TEST(words)
{
	expect("$YOMI solve tictactoe XX.OO.... X XX.OO.X.. O --all --verify", 0,
	       "position  XX.OO.... X\nvalue     win (black wins)\nline      C1\nwins      C1\n"
	       "draws     C2\nlosses    A3 B3 C3\nproof     verified\n\n"
	       "position  XX.OO.X.. O\nvalue     win (white wins)\nline      C2\nwins      C2\n"
	       "draws     C1\nlosses    B3 C3\nproof     verified\n\n");
	/* A finished game. */
	expect("$YOMI solve tictactoe XXXOO.... O --verify", 0,
	       "position  XXXOO.... O\nvalue     loss (black wins)\nline     \n"
	       "proof     verified\n\n");
	expect("echo XOXXOOOX. x | $YOMI solve tictactoe --search=alphabeta", 0,
	       "position  XOXXOOOX. X\nvalue     draw\nline      C3\n\n");
}
END_TEST

/* Scores have their unit and the side they belong to. */
START_TEST(scores)
{
#define ENDING "XXXXXXXOXXXXXXOOXXXXXOOOXXXXOOOOXXXOOOOOXXOOOOOO.XOOOOOO..OOOO.. "
	expect("$YOMI solve othello --all --verify " ENDING "X | grep -v line", 0,
	       "position  " ENDING "X\nvalue     win (black wins)\nscore     +14 discs for black\n"
	       "wins      G8 +14, H8 +14\nproof     verified\n\n");
	expect("$YOMI solve othello --verify " ENDING "O | grep -v line", 0,
	       "position  " ENDING "O\nvalue     loss (black wins)\nscore     -14 discs for white\n"
	       "proof     verified\n\n");
}
END_TEST

/* Small boards of Go, with lines to the end of the game. */
START_TEST(small_go)
{
	char units[32];
	snprintf(units, sizeof units, "%zu", ((size_t)64 << 20) / MEMORY_UNIT);
	setenv("UNITS", units, 1);
	expect("$YOMI solve go --size 2 --memory=$UNITS --threads 1 '.... X'", 0,
	       "position  .... X\nvalue     win (black wins)\nscore     +1 points for black\n"
	       "line      A2 B1 B2 PASS PASS\n\n");
	expect("$YOMI solve go --size 3 --memory=$UNITS --threads 1 '......... X' | sed -E "
	       "'s/(line +B2 ).*PASS "
	       "PASS/\\1.. PASS PASS/'",
	       0,
	       "position  ......... X\nvalue     win (black wins)\nscore     +9 points for black\n"
	       "line      B2 .. PASS PASS\n\n");
	expect("$YOMI solve go --size 3 --memory=$UNITS --threads 1 --all '......... O' | grep -v "
	       "line",
	       0,
	       "position  ......... O\nvalue     win (white wins)\nscore     +9 points for white\n"
	       "wins      B2 +9, B3 +3, A2 +3, C2 +3, B1 +3\nlosses    A3 -9, C3 -9, A1 -9, C1 -9, "
	       "PASS -9\n\n");
}
END_TEST

/* Komi is taken from the score, and decides who wins. */
START_TEST(small_go_with_komi)
{
	expect("$YOMI solve go --size 2 --komi=-0.5 --threads 1 '.... X' | grep -v line", 0,
	       "position  .... X\nvalue     win (black wins)\nscore     +1.5 points for black\n\n");
	expect("$YOMI solve go --size 2 --komi=1 --threads 1 '.... X' | grep value", 0,
	       "value     draw\n");
	expect("$YOMI solve go --size 2 --komi=2 --threads 1 '.... X' | grep -v line", 0,
	       "position  .... X\nvalue     loss (white wins)\nscore     -1 points for black\n\n");
	expect("$YOMI solve go --size 2 --komi=3000 '.... X'", 2,
	       "yomi: ....: the komi is too large for this board\n");
	expect("$YOMI solve hex --komi=1 '.... X'", 2,
	       "yomi: --komi: hex has no komi; see yomi --help\n");
}
END_TEST

#define SPARSE "........................................X........................................ O"
#define BULKY  "..OXXXX..OXXXX.OOXXXXOOXXXXXXXXXXXXXXXXXXXXXXX.X. "

/* The expected text has neither nodes nor times. */
START_TEST(captures)
{
	expect("$YOMI solve go --size=7 --capture=C7 " BULKY "X " BULKY "O | grep -v line", 0,
	       "position  " BULKY "X\ncapture   C7: captured\n\n"
	       "position  " BULKY "O\ncapture   C7: safe\n\n");
	expect("$YOMI solve go --size=7 --capture=C7 --area=A5,B6 --json " BULKY
	       "X | sed 's/\"line.*//'",
	       0,
	       "{\"game\":\"go\",\"rules\":\"capture\",\"position\":\"" BULKY
	       "X\",\"capture\":\"C7\",\"result\":\"safe\",\"value\":\"loss\","
	       "\"at_least\":\"loss\",\"at_most\":\"loss\",\n");
	expect("$YOMI solve go --size=9 --capture=E5 --nodes=1000 " SPARSE " | grep capture", 0,
	       "capture   E5: unknown\n");
}
END_TEST

/* Common ways to write positions: all of these are one position, with either side to move. */
START_TEST(notations)
{
	static const char *const lines[] = {
		"XX.OO.... X",          "xx-oo----\tx",
		"**_WW____ *",          "bb.ww.... black",
		"BB-OO----B",           "XX.OO.... Black; C1:+1",
		"XX.OO....X % easy",    "7\tXX.OO....\tX\t5\tC1",
		"  XX.OO....   X # C1", "\\0357\\0273\\0277XX.OO.... X",
	};
	char command[256];
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		snprintf(command, sizeof command, "printf '%s\\n' '%s' | $YOMI solve tictactoe",
			 "%b", lines[i]);
		expect(command, 0,
		       "position  XX.OO.... X\nvalue     win (black wins)\nline      C1\n\n");
	}
	/* Words of the command line, some of which begin like options. */
	expect("$YOMI solve tictactoe 'XX.OO.... X' XX.OO....X | grep -c win", 0, "2\n");
	expect("$YOMI solve tictactoe --OOXX.X. O '--OOXX.X. O' --ww**_*_w '--ww**_*_ w;'| "
	       "grep -c ^value",
	       0, "4\n");
}
END_TEST

/* Too little work for the value or its proof: bounds only, and the exit status says so. */
START_TEST(too_little)
{
	expect("$YOMI solve pentago .................................... X --nodes=100", 1,
	       "position  .................................... X\nvalue     unknown\nline     "
	       "\n\n");
	/* A result without a claim is not verified. */
	expect("$YOMI solve tictactoe ......... X --nodes=100 --verify", 1,
	       "position  ......... X\nvalue     unknown\nline     \n\n");
	expect("$YOMI solve tictactoe ......... X --nodes=100 --verify --json | grep -c proof", 1,
	       "0\n");
	expect("$YOMI solve tictactoe ......... X --search=random --nodes=100", 1,
	       "position  ......... X\nvalue     unknown\nline     \n\n");
	expect("$YOMI solve tictactoe ......... X --nodes=100 --all | sed -n '/^unknown/s/ "
	       "[ABC][123]/ M/gp'",
	       0, "unknown   M M M M M M M M M\n");
}
END_TEST

/* Other programs write positions as moves, and their values behind them. */
START_TEST(moves_and_columns)
{
#define BOTH                                                                                       \
	"position  XX.OO.... X\nvalue     win (black wins)\nline      C1\n\n"                      \
	"position  XO.XO.... X\nvalue     win (black wins)\nline      A3\n\n"
	expect("printf 'XX.OO.... X 1\\n1. a1 b1 2. a2 b2\\n' | $YOMI solve tictactoe", 0, BOTH);
	expect("printf 'x\\tXX.OO....\\tX\\t1\\na1b1a2b2 +1\\n' | $YOMI solve tictactoe", 0, BOTH);
	expect("printf 'XX.OO....X\\nA1b1,a2,b2\\r\\n' | $YOMI solve tictactoe", 0, BOTH);
	expect("$YOMI solve tictactoe XX.OO.... X a1b1a2b2", 0, BOTH);
	expect("$YOMI solve tictactoe a1b1a2c3zz", 2,
	       "yomi: a1b1a2c3zz: 'zz' is not legal as move 5\n");
	expect("printf '4444441 -1\\n' | $YOMI solve connectfour --nodes=1 --search=random "
	       "2>/dev/null | head -n 1",
	       0, "position  ...O......X......O......X......O...X..X... O\n");
	/* Black wins with its fourth stone: 22 - 4. */
	expect("printf '112233 18\\n' | $YOMI solve connectfour >/dev/null", 0,
	       "yomi: 1 of 1 scores of the file agree\n");
	expect("printf '112233 17\\n112233 18\\n112233 x\\n' | $YOMI solve connectfour "
	       ">/dev/null",
	       2,
	       "yomi: line 1: the score is not the +17 of the file\n"
	       "yomi: line 3: 'x' is not legal as move 7\n"
	       "yomi: 1 of 2 scores of the file agree\n");
	expect("printf '4444441 -1\\n112233 18\\n' | $YOMI solve connectfour --nodes=1 "
	       "--search=random >/dev/null",
	       1, "yomi: 0 of 2 scores of the file agree (2 not solved)\n");
	expect("$YOMI solve connectfour 44444488 2>&1", 2,
	       "yomi: 44444488: '88' is not legal as move 7\n");
}
END_TEST

START_TEST(mistakes)
{
	expect("printf 'XX.OO.... X\\n........ X\\n# that is all\\n.........\\na1zz\\n' | "
	       "$YOMI solve tictactoe",
	       2,
	       "position  XX.OO.... X\nvalue     win (black wins)\nline      C1\n\n"
	       "yomi: line 2: the board has the wrong number of squares\n"
	       "yomi: line 4: type a position as BOARD SIDE, or as moves\n"
	       "yomi: line 5: 'zz' is not legal as move 2\n");
	expect("$YOMI solve tictactoe .........", 2,
	       "yomi: .........: type a position as BOARD SIDE, or as moves\n");
	expect("$YOMI solve tictactoe ......... Z", 2, "yomi: .........: the side is X or O\n");
	expect("$YOMI solve tictactoe ......... X --file x", 2,
	       "yomi: give positions on the command line or in --file, not both; see yomi "
	       "--help\n");
	expect("$YOMI solve tictactoe --file $D/none 2>&1 | sed s,/.*/,,", 0,
	       "yomi: cannot read none: No such file or directory\n");
	expect("$YOMI solve tictactoe --file $D/none 2>/dev/null", 2, "");
	expect("$YOMI solve tictactoe --file $D 2>&1 | sed s,/[^:]*,X,", 0,
	       "yomi: cannot read X: Is a directory\n");
	expect("$YOMI solve", 2, "yomi: usage: yomi solve GAME [BOARD SIDE]...; see yomi --help\n");
	expect("$YOMI solve go --verify", 2,
	       "yomi: --verify cannot check go, where earlier positions matter; see yomi "
	       "--help\n");
	expect("$YOMI solve go --size=2 --capture=A1,B1 XO.. X", 2,
	       "yomi: XO..: --capture needs a square, and --area squares, as D4,D5\n");
	expect("$YOMI solve go --size=2 --capture=A1 --area=C1 .... X", 2,
	       "yomi: ....: --capture needs a square, and --area squares, as D4,D5\n");
	expect("$YOMI solve go --size=2 --capture=A1 X... X", 2,
	       "yomi: X...: there is no stone on that square\n");
	expect("$YOMI solve tictactoe --capture=A1", 2,
	       "yomi: --capture: tictactoe has no stones to capture; see yomi --help\n");
	expect("$YOMI solve go --capture=A1 --all", 2,
	       "yomi: give --capture or --all, not both; see yomi --help\n");
	expect("$YOMI solve go --area=A1", 2, "yomi: --area needs --capture; see yomi --help\n");
	expect("$YOMI solve shogi", 2, "yomi: there is no game shogi; see yomi --help\n");
	/* The game's solver lacks memory. */
	expect("$YOMI solve pentago .................................... X --nodes=1 --memory=1", 1,
	       "position  .................................... X\nvalue     unknown\nline     "
	       "\n\n");
}
END_TEST

/* SIGINT ends the running search. Its partial result is printed, and no other search starts. */
START_TEST(interruption)
{
	static const char options[] =
		"solve pentago OO.X...X.O.X.OO.XXOOXXO.XO..XX.OX..O X "
		".................................... X .................................... X";
	int fds[2];
	char line[256];
	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	pid_t child = process_start(options, STDIN_FILENO, fds[1], NULL);
	close(fds[1]);
	FILE *f = fdopen(fds[0], "r");
	int positions = 0, unknown = 0;
	while (fgets(line, sizeof line, f)) {
		/* The first position is solved fast, so the signal comes before or in the second search. */
		if (strncmp(line, "memory", 6) == 0 && positions == 1)
			ck_assert_int_eq(kill(child, SIGINT), 0);
		positions += strncmp(line, "position", 8) == 0;
		unknown += strncmp(line, "value     unknown", 17) == 0;
	}
	fclose(f);
	ck_assert_int_eq(process_wait(child), 1);
	ck_assert_int_eq(positions, 2);
	ck_assert_int_eq(unknown, 1);
}
END_TEST

/* On a terminal, here standard error, a line shows the progress and is erased at the end. */
START_TEST(progress)
{
	char text[1 << 16];
	size_t length = 0;
	ssize_t n;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), usual = dup(STDERR_FILENO);
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert(null >= 0 && usual >= 0 && terminal >= 0);
	ck_assert(grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	int other = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert_int_eq(dup2(other, STDERR_FILENO), STDERR_FILENO);
	pid_t child = process_start("solve pentago .................................... X "
				    "--nodes=1000000 --threads=1 --seed=1",
				    null, null, NULL);
	ck_assert_int_eq(dup2(usual, STDERR_FILENO), STDERR_FILENO);
	close(other);
	while (length < sizeof text - 1 &&
	       (n = read(terminal, text + length, sizeof text - 1 - length)) > 0)
		length += (size_t)n;
	text[length] = '\0';
	ck_assert_int_eq(process_wait(child), 1);
	ck_assert_ptr_nonnull(strstr(text, " million nodes, proof "));
	ck_assert_ptr_nonnull(strstr(text, ", disproof "));
	ck_assert_ptr_nonnull(strstr(text, ", table "));
	ck_assert_str_eq(text + length - 4, "\r\033[K");
	close(terminal);
	close(null);
	close(usual);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("solve");
	TCase *cases = tcase_create("solve");
	int count = 0;
	while (naive_game(count))
		count++;
	tcase_add_checked_fixture(cases, folder_create, folder_remove);
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, values, 0, 3 * count);
	tcase_add_test(cases, words);
	tcase_add_test(cases, scores);
	tcase_add_test(cases, small_go);
	tcase_add_test(cases, small_go_with_komi);
	tcase_add_test(cases, captures);
	tcase_add_test(cases, notations);
	tcase_add_test(cases, too_little);
	tcase_add_test(cases, moves_and_columns);
	tcase_add_test(cases, mistakes);
	tcase_add_test(cases, interruption);
	if (process_has_terminals("solve on a terminal"))
		tcase_add_test(cases, progress);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
