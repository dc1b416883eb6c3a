/* SPDX-License-Identifier: MIT
 *
 * What clients of all kinds demand of any engine, in each game: the syntax of GTP to the byte, the draft's
 * commands and errors, the life of the process, and the extensions that the engine lists. The program
 * is talked to from outside, as they do.
 *
 * Searches are limited by work. Where time is what is tested, the engine's own budget is weeks, so that
 * only what is tested ends the search; the test of it is that it ends.
 */
#include <ctype.h>
#include <math.h>
#include <pty.h>

#include "tests/protocol/talk.h"

#define QUICK   " --threads 1 --seed 1 --memory 8 --playouts 60"
#define ENDLESS " --threads 1 --seed 1 --memory 8 --search montecarlo --book 0 --time 1000000"

/* In scripts and commands `$` and a letter stand for what depends on the game. */
static const struct setting {
	const char *name, *title, *size;
	const char *moves[4]; /* legal ones from the start, Black's first */
	const char *occupied; /* illegal for White behind the first of them */
	const char *illegal;  /* for Black at the start; NULL: nothing well-formed is */
	const char *malformed[16];
} settings[] = {
	{
		"othello",
		"Othello",
		"8",
		{ "D3", "C3", "F5", "D2" },
		"D3",
		"A1",
		{ "z99", "a0", "3d", "d", "d3x", "a-1", "d99999999999999999999", "a1.5", "@1", "i1",
		  "a9", "d3d4", "\xc3\xa9", "" },
	},
	{
		"tictactoe",
		"Tictactoe",
		"3",
		{ "B2", "A1", "C3", "A3" },
		"B2",
		NULL,
		{ "z99", "a0", "3d", "d", "d3x", "a-1", "a99999999999999999999", "a1.5", "@1", "i1",
		  "d1", "a4", "b2x", "\xc3\xa9", "" },
	},
	{
		"pentago",
		"Pentago",
		"6",
		{ "C3T", "D4W", "B2S", "E5Z" },
		"A3S", /* the turn has moved it there */
		NULL,
		{ "z99", "a0", "3d", "d", "d3a", "d3xx", "a-1", "d99999999999999999999s", "a1.5",
		  "@1", "i1s", "a7s", "g1s", "\xc3\xa9", "" },
	},
};
#define SETTINGS ((int)(sizeof settings / sizeof settings[0]))

static const struct setting *setting;
static struct talk talk, *const t = &talk;

/* Replaces `$1` .. `$4` by the moves, `$a` by the first in lower case, and `$o` (occupied), `$s` (size), `$g`
 * (the game's title). Bytes may be 0. The caller frees. */
static char *expand(const char *bytes, size_t n, size_t *length)
{
	char *text;
	FILE *f = open_memstream(&text, length);
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '$') {
			fputc(bytes[i], f);
			continue;
		}
		char c = bytes[++i];
		if (c == 'a')
			for (const char *p = setting->moves[0]; *p; p++)
				fputc(tolower(*p), f);
		else
			fputs(c == 'o'   ? setting->occupied
			      : c == 's' ? setting->size
			      : c == 'g' ? setting->title
					 : setting->moves[c - '1'],
			      f);
	}
	fclose(f);
	return text;
}

/* Starts the program with the game and more options. */
static void start(const char *options)
{
	char all[256];
	snprintf(all, sizeof all, "--game %s%s", setting->name, options);
	talk_start(t, all);
}

static void begin(int game)
{
	setting = &settings[game];
	start(QUICK);
}

static void end(void)
{
	talk_end(t);
}

/* Sends bytes and ends the input; all that the program writes must be this. */
static void expect_bytes(const char *what, const char *input, size_t n, const char *output)
{
	size_t length;
	char *bytes = expand(input, n, &length);
	char *expected = expand(output, strlen(output), &n);
	start(QUICK);
	tell_bytes(t, bytes, length);
	talk_hang_up(t);
	const char *heard = hear_all(t);
	ck_assert_msg(strcmp(heard, expected) == 0, "%s, %s: '%s' instead of '%s'", setting->name,
		      what, heard, expected);
	ck_assert_int_eq(process_wait(t->child), 0);
	talk_free(t);
	free(bytes);
	free(expected);
}

/* --- syntax, and what can be told to the byte --- */

static const struct script {
	const char *what, *input;
	size_t length;
	const char *output;
} scripts[] = {
#define SCRIPT(what, input, output)                                                                \
	{                                                                                          \
		what, input, sizeof(input) - 1, output                                             \
	}
	SCRIPT("protocol_version", "protocol_version\n", "= 2\n\n"),
	SCRIPT("an id is echoed", "17 protocol_version\n", "=17 2\n\n"),
	SCRIPT("the smallest and the largest id", "0 name\n2147483647 name\n",
	       "=0 yomi\n\n=2147483647 yomi\n\n"),
	SCRIPT("an id is echoed on failure", "9 no_such_command\n", "?9 unknown command\n\n"),
	SCRIPT("no id after one", "5 name\nname\n", "=5 yomi\n\n= yomi\n\n"),
	SCRIPT("a number too large for an id", "99999999999999999999 name\nname\n",
	       "? unknown command\n\n= yomi\n\n"),
	SCRIPT("only an id", "12\n13 name\n", "?12 unknown command\n\n=13 yomi\n\n"),
	SCRIPT("a comment", "# hello\nname\n", "= yomi\n\n"),
	SCRIPT("comments behind commands", "17 name # comment\n18 name#comment\n",
	       "=17 yomi\n\n=18 yomi\n\n"),
	SCRIPT("a comment behind blanks", "   # x\n\t# y\nname\n", "= yomi\n\n"),
	SCRIPT("a comment behind an id", "12 # x\n  13# y\n14 name\n", "=14 yomi\n\n"),
	SCRIPT("blank lines", "\n   \n\t\t\n1 name\n\n \n2 name\n", "=1 yomi\n\n=2 yomi\n\n"),
	SCRIPT("surplus blanks", "   3   name   \n", "=3 yomi\n\n"),
	SCRIPT("tabs", "3\tname\t\nknown_command\tname\n", "=3 yomi\n\n= true\n\n"),
	SCRIPT("line ends of Windows", "name\r\n\r\n5 name\r\n", "= yomi\n\n=5 yomi\n\n"),
	SCRIPT("control characters", "na\x01me\x7f\n\x1b\x02 4 name\n", "= yomi\n\n=4 yomi\n\n"),
	SCRIPT("NUL", "na\0me\n\0\0\n7 name\n", "= yomi\n\n=7 yomi\n\n"),
	SCRIPT("bytes from 128", "known_command caf\xc3\xa9\n", "= false\n\n"),
	SCRIPT("an unknown command", "frobnicate 1 2\n", "? unknown command\n\n"),
	SCRIPT("commands are case-sensitive", "NAME\n", "? unknown command\n\n"),
	SCRIPT("commands in one write", "1 name\n2 protocol_version\n", "=1 yomi\n\n=2 2\n\n"),
	SCRIPT("printf's formats", "known_command %s%n%x\n%s\n",
	       "= false\n\n? unknown command\n\n"),
	SCRIPT("known_command", "known_command genmove\nknown_command no_such\nknown_command\n",
	       "= true\n\n= false\n\n? syntax error\n\n"),
	SCRIPT("a last line without its end", "1 name\n2 name", "=1 yomi\n\n=2 yomi\n\n"),
	SCRIPT("a script without quit", "1 name\n2 echo x\n3 protocol_version\n",
	       "=1 yomi\n\n=2 x\n\n=3 2\n\n"),
	SCRIPT("nothing behind quit", "3 quit\n4 name\n", "=3\n\n"),
	SCRIPT("quit", "quit\n", "=\n\n"),

	SCRIPT("boardsize", "boardsize $s\n", "=\n\n"),
	SCRIPT("an unacceptable size", "play b $1\nboardsize 1000000\nplay w $2\n",
	       "=\n\n? unacceptable size\n\n=\n\n"),
	SCRIPT("malformed sizes",
	       "play b $1\nboardsize\nboardsize x\nboardsize -8\nboardsize 99999999999999999999\n"
	       "boardsize 8.5\nplay w $2\n",
	       "=\n\n? syntax error\n\n? syntax error\n\n? syntax error\n\n? syntax error\n\n"
	       "? syntax error\n\n=\n\n"),
	SCRIPT("clear_board", "play b $1\nclear_board\nplay b $1\n", "=\n\n=\n\n=\n\n"),
	SCRIPT("any komi", "komi 6.5\nkomi -3\nkomi 0\n", "=\n\n=\n\n=\n\n"),
	SCRIPT("malformed komi", "komi\nkomi abc\nkomi 1e999\nkomi nan\nname\n",
	       "? syntax error\n\n? syntax error\n\n? syntax error\n\n? syntax error\n\n"
	       "= yomi\n\n"),
	SCRIPT("colours in all spellings",
	       "play b $1\nplay White $2\nplay BLACK $3\nplay W $4\nclear_board\n"
	       "play B $1\nplay w $2\nplay black $3\nplay WHITE $4\n",
	       "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n"),
	SCRIPT("vertices in both cases", "play b $a\nundo\nplay b $1\n", "=\n\n=\n\n=\n\n"),
	SCRIPT("an illegal move", "play b $1\nplay w $o\nplay w $2\n",
	       "=\n\n? illegal move\n\n=\n\n"),
	SCRIPT("malformed plays",
	       "play\nplay b\nplay $1\nplay x $1\nplay blue $1\nplay b $1 $2\nplay b $1\n",
	       "? syntax error\n\n? syntax error\n\n? syntax error\n\n? syntax error\n\n"
	       "? syntax error\n\n? syntax error\n\n=\n\n"),
	SCRIPT("resign is no move", "play b resign\nplay b $1\n", "? syntax error\n\n=\n\n"),
	SCRIPT("a colour twice", "play b $1\nplay b $3\nplay w $2\n",
	       "=\n\n? illegal move\n\n=\n\n"),
	SCRIPT("a pass while there are moves", "play b pass\nplay w PASS\nplay b $1\n",
	       "? illegal move\n\n? illegal move\n\n=\n\n"),
	SCRIPT("malformed genmoves", "genmove\ngenmove x\nreg_genmove\nplay b $1\n",
	       "? syntax error\n\n? syntax error\n\n? syntax error\n\n=\n\n"),
	SCRIPT("genmove of the other colour", "genmove w\nreg_genmove w\nplay b $1\n",
	       "? black is to move\n\n? black is to move\n\n=\n\n"),
	SCRIPT("undo", "play b $1\nundo\nplay b $1\nplay w $2\nundo\nundo\nplay b $1\n",
	       "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n"),
	SCRIPT("undo at the start", "undo\nclear_board\nundo\nname\n",
	       "? cannot undo\n\n=\n\n? cannot undo\n\n= yomi\n\n"),
	SCRIPT("undo after clear_board", "play b $1\nplay w $2\nclear_board\nundo\n",
	       "=\n\n=\n\n=\n\n? cannot undo\n\n"),
	SCRIPT("a refusal is no move", "play b $1\nplay w $o\nundo\nplay b $1\n",
	       "=\n\n? illegal move\n\n=\n\n=\n\n"),
	SCRIPT("no score before the end", "final_score\n", "? cannot score\n\n"),
	SCRIPT("time_settings",
	       "time_settings 0 1 0\ntime_settings 300 0 0\ntime_settings 0 5 1\n"
	       "time_settings 600 30 25\ntime_settings 0 0 0\n",
	       "=\n\n=\n\n=\n\n=\n\n=\n\n"),
	SCRIPT("malformed time_settings",
	       "time_settings\ntime_settings a b c\ntime_settings -1 -1 -1\ntime_settings 1 2\n"
	       "time_settings 99999999999999999999 0 0\nname\n",
	       "? syntax error\n\n? syntax error\n\n? syntax error\n\n? syntax error\n\n"
	       "? syntax error\n\n= yomi\n\n"),
	SCRIPT("time_left", "time_left b 10 0\ntime_left WHITE 5 3\n", "=\n\n=\n\n"),
	SCRIPT("odd time_left",
	       "time_left b -3 0\ntime_left b 99999999999 0\ntime_left b 1.5 0\ntime_left\n"
	       "time_left x 1 1\ntime_left b x 1\nname\n",
	       "=\n\n=\n\n=\n\n? syntax error\n\n? syntax error\n\n? syntax error\n\n"
	       "= yomi\n\n"),
	SCRIPT("a file that is not there",
	       "play b $1\nloadsgf /no/such/file.sgf\nloadsgf\nplay w $2\n",
	       "=\n\n? cannot load file\n\n? syntax error\n\n=\n\n"),
	SCRIPT("set_game", "set_game $g\nplay b $1\nset_game Nosuchgame\nplay w $2\n",
	       "=\n\n=\n\n? unknown game Nosuchgame\n\n=\n\n"),

	SCRIPT("gogui-rules_game_id", "gogui-rules_game_id\n", "= $g\n\n"),
	SCRIPT("gogui-rules_board_size", "gogui-rules_board_size\n", "= $s\n\n"),
	SCRIPT("gogui-rules_side_to_move",
	       "gogui-rules_side_to_move\nplay b $1\ngogui-rules_side_to_move\n",
	       "= black\n\n=\n\n= white\n\n"),
	SCRIPT("gogui-play_sequence",
	       "gogui-play_sequence b $1 w $2\nplay b $3\nclear_board\n"
	       "gogui-play_sequence b $1 w $o\nplay w $2\nplay b $1\ngogui-play_sequence\n",
	       "=\n\n=\n\n=\n\n? illegal move\n\n? illegal move\n\n=\n\n=\n\n"),
	SCRIPT("gogui-interrupt", "gogui-interrupt\n# interrupt\nname\n", "=\n\n= yomi\n\n"),
};
#define SCRIPTS ((int)(sizeof scripts / sizeof scripts[0]))

START_TEST(answers_to_the_byte)
{
	const struct script *script = &scripts[_i / SETTINGS];
	setting = &settings[_i % SETTINGS];
	expect_bytes(script->what, script->input, script->length, script->output);
}
END_TEST

START_TEST(nothing_is_said_before_the_first_command)
{
	begin(_i);
	ck_assert(!talk_is_heard(t, 100));
	tell(t, "name\n");
	hear_exactly(t, "= yomi\n\n");
	end();
}
END_TEST

START_TEST(a_command_in_pieces)
{
	begin(_i);
	tell(t, "4 na");
	ck_assert(!talk_is_heard(t, 30));
	tell(t, "me");
	ck_assert(!talk_is_heard(t, 30));
	tell(t, "\n");
	hear_exactly(t, "=4 yomi\n\n");
	end();
}
END_TEST

START_TEST(thousands_of_commands_before_an_answer_is_read)
{
	enum { COMMANDS = 3000 };
	char *text, expected[32];
	size_t length;
	FILE *f = open_memstream(&text, &length);
	begin(_i);
	for (int i = 0; i < COMMANDS; i++)
		fprintf(f, "%d protocol_version\n", i);
	fclose(f);
	tell_bytes(t, text, length);
	free(text);
	for (int i = 0; i < COMMANDS; i++) {
		snprintf(expected, sizeof expected, "=%d 2\n\n", i);
		hear_exactly(t, expected);
	}
	end();
}
END_TEST

/* A million bytes of one kind between a beginning and a line feed. */
static void tell_long(const char *beginning, const char *filling)
{
	size_t head = strlen(beginning), n = strlen(filling);
	char *line = malloc(head + 1000001);
	strcpy(line, beginning);
	for (size_t i = 0; i < 1000000; i++)
		line[head + i] = filling[i % n];
	line[head + 1000000] = '\n';
	tell_bytes(t, line, head + 1000001);
	free(line);
}

START_TEST(lines_of_a_million_bytes)
{
	begin(_i);
	tell_long("7 known_command ", "a");
	hear_exactly(t, "=7 false\n\n");
	tell_long("", "a");
	hear_exactly(t, "? unknown command\n\n");
	tell_long("# ", "a");
	tell_long("", " ");
	tell_long("8 known_command ", "a ");
	hear_exactly(t, "?8 syntax error\n\n");
	tell_long("play b ", setting->moves[0]);
	hear_exactly(t, "? syntax error\n\n");
	ask_for("", t, "play b %s", setting->moves[0]);
	end();
}
END_TEST

/* --- who it is and what it can --- */

/* GTP 2 as far as it is not about Go, and the extensions that clients look for. */
static const char required[] =
	"protocol_version name version known_command list_commands quit boardsize clear_board komi "
	"play genmove undo time_settings time_left final_score loadsgf reg_genmove showboard "
	"set_game list_games gg-undo rectangular_boardsize printsgf param stop clear_cache cputime "
	"gogui-interrupt gogui-sigint gogui-title gogui-version gogui-analyze_commands "
	"gogui-play_sequence gogui-setup gogui-setup_player gogui-rules_game_id "
	"gogui-rules_board_size gogui-rules_board gogui-rules_board_gfx gogui-rules_legal_moves "
	"gogui-rules_captured_count gogui-rules_side_to_move gogui-rules_final_result "
	"gomill-cpu_time gomill-describe_engine gomill-explain_last_move gomill-genmove_ex "
	"gomill-savesgf analyze lz-analyze kata-analyze genmove_analyze lz-genmove_analyze "
	"kata-genmove_analyze kata-search kata-search_cancellable kata-search_analyze "
	"kata-search_analyze_cancellable kata-list-params kata-get-param kata-set-param "
	"kata-get-params kata-set-params kgs-genmove_cleanup kgs-time_settings kgs-game_over "
	"kata-time_settings kata-list_time_settings";

START_TEST(commands_are_listed)
{
	begin(_i);
	char *list = strdup(ask(t, "list_commands")), *save;
	ck_assert(!strpbrk(list, " \t\r"));
	int listed = 0;
	for (char *c = strtok_r(list, "\n", &save); c; c = strtok_r(NULL, "\n", &save)) {
		ask_for("true", t, "known_command %s", c);
		listed++;
	}
	free(list);
	char *words = strdup(required);
	int wanted = 0;
	for (char *c = strtok_r(words, " ", &save); c; c = strtok_r(NULL, " ", &save), wanted++)
		ck_assert_msg(knows(t, c), "%s is not known", c);
	ck_assert_int_ge(listed, wanted);
	free(words);
	ask_for("false", t, "known_command no_such");
	end();
}
END_TEST

START_TEST(name_and_version_are_lines)
{
	begin(_i);
	ask_for("yomi", t, "name");
	const char *version = ask(t, "version");
	/* gogui-twogtp shows longer ones cut off. */
	ck_assert(*version && *version != '?' && !strchr(version, '\n') && strlen(version) <= 40);
	end();
}
END_TEST

static double number(const char *text)
{
	char *rest;
	double x = strtod(text, &rest);
	ck_assert_msg(rest != text && !*rest && isfinite(x), "'%s' is no number", text);
	return x;
}

/* A ruler's board is cleared some hundred times a game: the memory of searches must not be. */
START_TEST(clear_board_is_cheap)
{
	setting = &settings[_i];
	start(" --threads 1 --memory 256 --playouts 100");
	ask(t, "genmove b");
	double before = number(ask(t, "cputime"));
	for (int i = 0; i < 200; i++)
		ask_for("", t, "clear_board");
	ck_assert(number(ask(t, "cputime")) < before + 1);
	end();
}
END_TEST

/* --- moves --- */

START_TEST(malformed_vertices)
{
	begin(_i);
	for (const char *const *v = setting->malformed; *v; v++) {
		const char *answer = ask(t, "play b %s", *v);
		ck_assert_msg(strcmp(answer, "? syntax error") == 0, "%s: %s", *v, answer);
		ask_for("true", t, "known_command name");
	}
	if (setting->illegal)
		ask_for("? illegal move", t, "play b %s", setting->illegal);
	ask_for("", t, "play b %s", setting->moves[0]);
	end();
}
END_TEST

/* Othello: Black must pass behind this. */
static const char *const pass_moves[] = { "D3", "C3", "F5", "D2", "D1", "E1", "B2", "C1" };
#define PASS_MOVES ((int)(sizeof pass_moves / sizeof pass_moves[0]))

static void tell_pass(void)
{
	ask_for("", t, "clear_board");
	for (int i = 0; i < PASS_MOVES; i++)
		ask_for("", t, "play %c %s", "bw"[i % 2], pass_moves[i]);
}

START_TEST(a_forced_pass_is_told_or_left_out)
{
	struct record r;
	char move[MOVE_TEXT_MAX];
	struct rng rng;
	begin(0);
	record_init(&r, &game_othello);
	rng_seed(&rng, 1);
	for (int i = 0; i < PASS_MOVES; i++)
		record_take(&r, pass_moves[i]);
	ck_assert(game_must_pass(r.game, &r.now));
	record_take(&r, "PASS");

	/* Left out: the pass belongs to the move that showed it. */
	tell_pass();
	ck_assert(random_move(&r, &rng, move));
	ask_for("", t, "play w %s", move);
	ask_for("", t, "undo");
	ask_for("", t, "play w %s", move);
	/* The other colour is asked. */
	tell_pass();
	ask(t, "undo");
	ask_for("", t, "play w %s", pass_moves[PASS_MOVES - 1]);
	struct record after;
	record_init(&after, r.game);
	record_copy(&after, &r);
	record_take(&after, ask(t, "genmove w"));
	/* Told, in any case. */
	tell_pass();
	ask_for("", t, "play b pass");
	ask_for("", t, "play w %s", move);
	tell_pass();
	ask_for("", t, "play b PASS");
	ask_for("", t, "undo");
	ask_for("", t, "play B PASS");
	ask_for("? illegal move", t, "play w pass");
	ask_for("", t, "play w %s", move);
	/* Asked for. */
	tell_pass();
	ask_for("PASS", t, "reg_genmove b");
	ask_for("PASS", t, "genmove b");
	record_copy(&after, &r);
	record_take(&after, ask(t, "genmove w"));
	/* A placing move is none. */
	tell_pass();
	ask_for("? illegal move", t, "play b A1");
	/* A ruler's view. */
	ask_for("pass", t, "gogui-rules_legal_moves");
	ask_for("black", t, "gogui-rules_side_to_move");
	record_free(&r);
	record_free(&after);
	end();
}
END_TEST

START_TEST(genmove_answers_a_move_and_makes_it)
{
	struct record r;
	char first[MOVE_TEXT_MAX];
	begin(_i);
	record_init(&r, game_find(setting->name, NULL));
	snprintf(first, sizeof first, "%s", ask(t, "genmove b"));
	record_take(&r, first);
	for (const char *c = first; *c; c++)
		ck_assert(isupper(*c) || isdigit(*c));
	ask_for("? illegal move", t, "play b %s", first);
	ask_for("? illegal move", t, "play w %s", first);
	ask_for("", t, "undo");
	ask_for("", t, "play b %s", first);
	ask_for("", t, "clear_board");
	record_restart(&r, r.game);
	record_take(&r, ask(t, "genmove b b b"));
	record_take(&r, ask(t, "genmove WHITE"));
	record_free(&r);
	end();
}
END_TEST

START_TEST(reg_genmove_makes_no_move)
{
	struct record r;
	char move[MOVE_TEXT_MAX];
	begin(_i);
	record_init(&r, game_find(setting->name, NULL));
	snprintf(move, sizeof move, "%s", ask(t, "reg_genmove b"));
	const char *again = ask(t, "reg_genmove b");
	record_take(&r, again);
	record_restart(&r, r.game);
	record_take(&r, move);
	ask_for("", t, "play b %s", move);
	ask_for("", t, "undo");
	ask_for("? cannot undo", t, "undo");
	record_free(&r);
	end();
}
END_TEST

/* Plays a game, looks at everything that can be asked behind its end, and plays another. */
START_TEST(games_to_the_end_and_beyond)
{
	struct record r;
	begin(_i);
	record_init(&r, game_find(setting->name, NULL));
	for (int game = 0; game < 2; game++) {
		ask_for("", t, "clear_board");
		record_restart(&r, r.game);
		play_alone(t, &r);
		ask_for(score_of(&r), t, "final_score");
		ask_for("", t, "gogui-rules_legal_moves");
		const char *result = ask(t, "gogui-rules_final_result");
		ck_assert(*result && *result != '?' && !strchr(result, '\n'));

		ask_for("PASS", t, "genmove w");
		ask_for("PASS", t, "genmove b");
		ask_for("PASS", t, "genmove b");
		ask_for("PASS", t, "reg_genmove w");
		ask_for("", t, "play w pass");
		ask_for("", t, "play b PASS");
		for (int i = 0; i < 4; i++) {
			const char *answer = ask(t, "play b %s", setting->moves[i]);
			ck_assert_str_eq(answer, "? illegal move");
		}
		ck_assert_int_ne(ask(t, "showboard")[0], '?');
		ask_for(score_of(&r), t, "final_score");
		/* Three passes asked for and two told, then the last move. */
		for (int i = 0; i < 5; i++)
			ask_for("", t, "undo");
		ask_for(score_of(&r), t, "final_score");
		ask_for("", t, "undo");
		ask_for("? cannot score", t, "final_score");
		record_undo(&r);
		ask_for(colors[r.now.side], t, "gogui-rules_side_to_move");
		record_take(&r, ask(t, "genmove %s", colors[r.now.side]));
	}
	record_free(&r);
	end();
}
END_TEST

START_TEST(othello_ends_with_empty_squares)
{
	static const char *const moves[] = { "E6", "F4", "E3", "F6", "G5", "D6", "E7", "F5", "C5" };
	begin(0);
	for (int i = 0; i < 9; i++)
		ask_for("", t, "play %c %s", "bw"[i % 2], moves[i]);
	ask_for("", t, "gogui-rules_legal_moves");
	ask_for("PASS", t, "genmove w");
	ask_for("PASS", t, "genmove b");
	ask_for("B+64", t, "final_score");
	end();
}
END_TEST

START_TEST(showboard_has_no_blank_line)
{
	begin(_i);
	for (int i = 0; i < 4; i++) {
		/* The whole answer is one: hear() ends at the first blank line. */
		const char *board = ask(t, "showboard");
		ck_assert(*board != '?' && strchr(board, '\n'));
		ask_for("yomi", t, "name");
		ask_for("", t, "play %c %s", "bw"[i % 2], setting -> moves[i]);
	}
	end();
}
END_TEST

/* --- time --- */

/* The engine's own time is weeks: only the clock ends the search. */
START_TEST(clocks_end_searches)
{
	struct record r;
	setting = &settings[_i];
	start(ENDLESS);
	record_init(&r, game_find(setting->name, NULL));
	ask_for("", t, "time_settings 60 0 0");
	ask_for("", t, "time_left b 0 0");
	record_take(&r, ask(t, "genmove b"));
	ask_for("", t, "time_left w -5 0");
	record_take(&r, ask(t, "genmove w"));
	ask_for("", t, "time_settings 0 1 10");
	ask_for("", t, "time_left b 1 10");
	record_take(&r, ask(t, "genmove b"));
	ask_for("", t, "time_settings 0 0 0");
	record_take(&r, ask(t, "genmove w"));
	record_free(&r);
	end();
}
END_TEST

/* --- the life of the process --- */

START_TEST(quit_leaves)
{
	begin(_i);
	tell(t, "quit\n");
	hear_exactly(t, "=\n\n");
	/* Its input has not ended. */
	ck_assert_str_eq(hear_all(t), "");
	ck_assert_int_eq(process_wait(t->child), 0);
	talk_free(t);
}
END_TEST

START_TEST(end_of_input_leaves)
{
	begin(_i);
	end();
	begin(_i);
	tell(t, "name\n");
	hear_exactly(t, "= yomi\n\n");
	end();
}
END_TEST

/* Runs the program from one regular file into another; returns what it wrote. The caller frees. */
static char *run_files(const char *input, const char *options)
{
	FILE *in = tmpfile(), *out = tmpfile();
	char *text = NULL;
	size_t room = 0;
	ck_assert(in && out);
	fputs(input, in);
	rewind(in);
	fcntl(fileno(in), F_SETFD, FD_CLOEXEC);
	fcntl(fileno(out), F_SETFD, FD_CLOEXEC);
	ck_assert_int_eq(process_wait(process_start(options, fileno(in), fileno(out), NULL)), 0);
	rewind(out);
	if (getdelim(&text, &room, '\0', out) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(in);
	fclose(out);
	return text;
}

START_TEST(input_and_output_are_files)
{
	static const char input[] =
		"1 name\n2 play b $1\n3 play w $o\n4 genmove w\n# end\n5 quit\n";
	char options[256];
	size_t length;
	setting = &settings[_i];
	snprintf(options, sizeof options, "--game %s" QUICK, setting->name);
	char *script = expand(input, sizeof input - 1, &length);
	char *by_files = run_files(script, options);
	start(QUICK);
	tell(t, "%s", script);
	ck_assert_str_eq(by_files, hear_all(t));
	ck_assert_int_eq(process_wait(t->child), 0);
	static const char beginning[] = "=1 yomi\n\n=2\n\n?3 illegal move\n\n=4 ";
	ck_assert_int_eq(strncmp(by_files, beginning, sizeof beginning - 1), 0);
	talk_free(t);
	free(by_files);
	free(script);
	char *by_null = run_files("", options);
	ck_assert_str_eq(by_null, "");
	free(by_null);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(process_wait(process_start(options, null, null, NULL)), 0);
	close(null);
}
END_TEST

/* Reads a terminal until it shows the text, or is hung up if that is NULL. */
static void read_terminal(int fd, const char *text)
{
	char seen[65536] = "";
	size_t n = 0;
	while (!text || !strstr(seen, text)) {
		struct pollfd p = { fd, POLLIN, 0 };
		ck_assert_uint_lt(n, sizeof seen - 1);
		ck_assert_msg(poll(&p, 1, PATIENCE) == 1, "the terminal shows '%s'", seen);
		ssize_t got = read(fd, seen + n, sizeof seen - 1 - n);
		ck_assert_msg(got > 0 || !text, "the terminal shows '%s' only", seen);
		if (got <= 0)
			break;
		n += (size_t)got;
		seen[n] = '\0';
	}
}

START_TEST(a_terminal)
{
	int terminal, side;
	char options[256];
	setting = &settings[_i];
	snprintf(options, sizeof options, "--game %s" QUICK, setting->name);
	ck_assert_int_eq(openpty(&terminal, &side, NULL, NULL, NULL), 0);
	fcntl(terminal, F_SETFD, FD_CLOEXEC);
	fcntl(side, F_SETFD, FD_CLOEXEC);
	pid_t child = process_start(options, side, side, NULL);
	close(side);
	ck_assert_int_eq(write(terminal, "name\n", 5), 5);
	read_terminal(terminal, "= yomi");
	ck_assert_int_eq(write(terminal, "\x04", 1), 1);
	read_terminal(terminal, NULL);
	ck_assert_int_eq(process_wait(child), 0);
	close(terminal);
}
END_TEST

START_TEST(descriptors_stay_blocking)
{
	int in[2], out[2];
	char options[256], answer[64];
	setting = &settings[_i];
	snprintf(options, sizeof options, "--game %s" QUICK, setting->name);
	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	pid_t child = process_start(options, in[0], out[1], NULL);
	ck_assert_int_eq(write(in[1], "name\n", 5), 5);
	ck_assert_int_eq(read(out[0], answer, sizeof answer), 8);
	/* While it runs, and when it has left. */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(fcntl(in[0], F_GETFL) & O_NONBLOCK, 0);
		ck_assert_int_eq(fcntl(out[1], F_GETFL) & O_NONBLOCK, 0);
		if (i == 0) {
			close(in[1]);
			ck_assert_int_eq(process_wait(child), 0);
		}
	}
	close(in[0]);
	close(out[0]);
	close(out[1]);
}
END_TEST

START_TEST(a_slow_reader_loses_nothing)
{
	enum { COMMANDS = 1500 };
	begin(_i);
	fcntl(t->from, F_SETPIPE_SZ, 4096);
	char *list = strdup(ask(t, "list_commands"));
	char input[COMMANDS * 14 + 1], *p = input;
	for (int i = 0; i < COMMANDS; i++)
		p = stpcpy(p, "list_commands\n");
	fcntl(t->to, F_SETPIPE_SZ, 1 << 15);
	/* All of it goes into the pipe: nothing is read here. */
	ck_assert_int_eq(write(t->to, input, sizeof input - 1), (ssize_t)sizeof input - 1);
	usleep(100000);
	for (int i = 0; i < COMMANDS; i++)
		ck_assert_str_eq(text_of(hear(t)), list);
	free(list);
	end();
}
END_TEST

/* Nobody reads what it says there, and it would say much. */
START_TEST(stderr_that_nobody_reads)
{
	int err[2];
	char options[256];
	struct record r;
	setting = &settings[_i];
	snprintf(options, sizeof options, "--game %s --verbose --live_gfx" QUICK, setting->name);
	ck_assert_int_eq(pipe2(err, O_CLOEXEC), 0);
	fcntl(err[1], F_SETPIPE_SZ, 4096);
	talk_start_with(t, options, err[1]);
	record_init(&r, game_find(setting->name, NULL));
	for (int game = 0; game < 3; game++) {
		ask_for("", t, "clear_board");
		record_restart(&r, r.game);
		for (int i = 0; i < 100; i++)
			ask_for("? illegal move", t, "play b pass");
		for (int i = 0; i < 12 && !r.now.over; i++)
			record_take(&r, ask(t, "genmove %s", colors[r.now.side]));
	}
	record_free(&r);
	end();
	close(err[0]);
	close(err[1]);
}
END_TEST

START_TEST(a_client_that_is_gone)
{
	/* While nothing is thought about: the end of the input comes behind failed writes. */
	begin(_i);
	close(t->from);
	t->from = open("/dev/null", O_RDONLY | O_CLOEXEC);
	(void)!write(t->to, "name\nversion\nlist_commands\n", 27);
	close(t->to);
	t->to = -1;
	process_wait(t->child);
	talk_free(t);

	/* During a search, both ends at once. */
	start(ENDLESS);
	tell(t, "echo x\ngenmove b\n");
	hear_exactly(t, "= x\n\n");
	usleep(20000);
	close(t->from);
	t->from = open("/dev/null", O_RDONLY | O_CLOEXEC);
	talk_hang_up(t);
	process_wait(t->child);
	talk_free(t);
}
END_TEST

/* `echo genmove b | engine` wants its answer. */
START_TEST(end_of_input_during_a_search)
{
	struct record r;
	setting = &settings[_i];
	start(" --threads 1 --search montecarlo --time 0.1");
	record_init(&r, game_find(setting->name, NULL));
	tell(t, "genmove b\n");
	talk_hang_up(t);
	record_take(&r, text_of(hear(t)));
	record_free(&r);
	end();
}
END_TEST

START_TEST(commands_behind_a_search_wait)
{
	struct record r;
	char move[16];
	setting = &settings[_i];
	start(" --threads 1 --search montecarlo --playouts 3000");
	record_init(&r, game_find(setting->name, NULL));
	tell(t, "1 genmove b\n2 name\n3 protocol_version\n4 genmove w\n5 quit\n");
	for (int i = 1; i <= 5; i++) {
		const char *answer = hear(t);
		ck_assert_int_eq(answer[0], '=');
		ck_assert_int_eq(answer[1], '0' + i);
		if (i == 2)
			ck_assert_str_eq(answer, "=2 yomi\n\n");
		if (i == 3)
			ck_assert_str_eq(answer, "=3 2\n\n");
		if (i == 5)
			ck_assert_str_eq(answer, "=5\n\n");
		if (i == 1 || i == 4) {
			ck_assert_int_eq(sscanf(answer, "=%*d %15s", move), 1);
			record_take(&r, move);
		}
	}
	record_free(&r);
	end();
}
END_TEST

START_TEST(sigterm_ends_it)
{
	begin(_i);
	ask(t, "name");
	kill(t->child, SIGTERM);
	ck_assert_str_eq(hear_all(t), "");
	process_wait(t->child);
	talk_free(t);

	start(ENDLESS);
	tell(t, "echo x\ngenmove b\n");
	hear_exactly(t, "= x\n\n");
	kill(t->child, SIGTERM);
	hear_all(t);
	process_wait(t->child);
	talk_free(t);
}
END_TEST

/* --- extensions --- */

START_TEST(processor_time_is_told)
{
	begin(_i);
	double before = number(ask(t, "cputime"));
	ck_assert(before >= 0);
	ask(t, "genmove b");
	ck_assert(number(ask(t, "cputime")) >= before);
	ck_assert(number(ask(t, "gomill-cpu_time")) >= before);
	end();
}
END_TEST

START_TEST(searches_are_interrupted)
{
	struct record r;
	setting = &settings[_i];
	start(ENDLESS);
	record_init(&r, game_find(setting->name, NULL));
	ask_for("", t, "param book 0");
	ask_for("", t, "gogui-interrupt");
	tell(t, "genmove b\n");
	ck_assert(!talk_is_heard(t, 30));
	tell(t, "# interrupt\n");
	record_take(&r, text_of(hear(t)));
	ask_for("yomi", t, "name");

	pid_t pid = (pid_t)number(ask(t, "gogui-sigint"));
	ck_assert_int_eq(pid, t->child);
	tell(t, "genmove w\n");
	ck_assert(!talk_is_heard(t, 30));
	kill(pid, SIGINT);
	record_take(&r, text_of(hear(t)));
	ask_for("yomi", t, "name");
	record_free(&r);
	end();
}
END_TEST

/* The row of the highest number comes first: GoGui has row 1 at the bottom. */
START_TEST(a_ruler_shows_the_board)
{
	struct record r;
	begin(_i);
	record_init(&r, game_find(setting->name, NULL));
	int size = atoi(setting->size);
	for (int moves = 0; moves <= 4; moves++) {
		char *rows = strdup(ask(t, "gogui-rules_board")), *c = rows;
		for (int row = size - 1; row >= 0; row--) {
			for (int col = 0; col < size; col++) {
				ck_assert_int_eq(*c++, r.game->at(&r.now, row, col));
				if (col < size - 1)
					ck_assert_int_eq(*c++, ' ');
			}
			if (row)
				ck_assert_int_eq(*c++, '\n');
		}
		ck_assert_int_eq(*c, '\0');
		free(rows);

		/* Exactly the legal moves, in upper case. */
		struct move list[GAME_MOVES_MAX], move;
		int n = game_moves(r.game, &r.now, list), told = 0;
		char *legal = strdup(ask(t, "gogui-rules_legal_moves")), *save;
		for (char *m = strtok_r(legal, " ", &save); m; m = strtok_r(NULL, " ", &save)) {
			char text[MOVE_TEXT_MAX];
			ck_assert_int_eq(game_parse(r.game, &r.now, m, &move), MOVE_OK);
			game_format(r.game, &r.now, move, text);
			ck_assert_str_eq(m, text);
			for (int i = 0; i < n; i++)
				if (move_equal(list[i], move))
					list[i--] = list[--n], told++;
		}
		ck_assert_msg(n == 0 && told > 0, "%d legal moves are not told", n);
		free(legal);
		ask_for(colors[r.now.side], t, "gogui-rules_side_to_move");
		if (moves < 4) {
			record_take(&r, setting->moves[moves]);
			ask_for("", t, "play %c %s", "bw"[moves % 2], setting -> moves[moves]);
		}
	}
	record_free(&r);
	end();
}
END_TEST

START_TEST(analyze_commands_are_known)
{
	static const char *const types[] = { "bwboard", "cboard",   "dboard", "eplist", "gfx",
					     "hstring", "hpstring", "none",   "param",  "plist",
					     "pspairs", "pstring",  "sboard", "string", "var",
					     "varb",    "varc",     "varp",   "varpo",  "varw" };
	begin(_i);
	char *list = strdup(ask(t, "gogui-analyze_commands")), *save;
	int lines = 0;
	for (char *line = strtok_r(list, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char type[32], label[64], command[64];
		ck_assert_msg(sscanf(line, "%31[^/]/%63[^/]/%63s", type, label, command) == 3,
			      "'%s'", line);
		bool is_type = false;
		for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
			is_type |= strcmp(type, types[i]) == 0;
		ck_assert_msg(is_type, "'%s'", line);
		ck_assert_msg(knows(t, command), "%s is not known", command);
		/* Those without wildcards can be asked at once. */
		if (!strchr(line, '%'))
			ck_assert_msg(*ask(t, "%s", command) != '?', "%s fails", command);
		lines++;
	}
	ck_assert_int_gt(lines, 5);
	free(list);
	end();
}
END_TEST

/* A position is set up stone by stone: the one that the moves lead to. */
START_TEST(positions_are_set_up)
{
	struct record r;
	char stones[512] = "", squares[POSITION_TEXT_MAX];
	begin(_i);
	record_init(&r, game_find(setting->name, NULL));
	for (int i = 0; i < 3; i++)
		record_take(&r, setting->moves[i]);
	for (int row = 0; row < r.game->rows; row++) {
		for (int col = 0; col < r.game->cols; col++) {
			char c = r.game->at(&r.now, row, col);
			size_t n = strlen(stones);
			if (c != '.')
				snprintf(stones + n, sizeof stones - n, " %c %c%d",
					 c == 'X' ? 'b' : 'w', 'A' + col, row + 1);
		}
	}
	game_position(r.game, &r.now, squares);
	ask_for("", t, "gogui-setup%s", stones);
	ask_for("", t, "gogui-setup_player w");
	ask_for(squares, t, "position");
	ask_for("white", t, "gogui-rules_side_to_move");
	record_take(&r, ask(t, "genmove w"));
	refuses(t, "gogui-setup%s", stones);
	ask_for("", t, "clear_board");
	ask_for("? cannot undo", t, "undo");
	record_free(&r);
	end();
}
END_TEST

START_TEST(games_are_listed)
{
	char titles[1024] = "";
	for (int i = 0; games[i]; i++) {
		if (game_find(games[i]->name, NULL) != games[i])
			continue;
		strcat(strcat(titles, *titles ? "\n" : ""), games[i]->title);
	}
	begin(_i);
	ask_for(titles, t, "list_games");
	for (int i = 0; i < SETTINGS; i++) {
		ask_for("", t, "set_game %s", settings[i].title);
		ask_for("", t, "boardsize %s", settings[i].size);
		ask_for("", t, "play b %s", settings[i].moves[0]);
	}
	refuses(t, "set_game Nosuchgame");
	end();
}
END_TEST

/* A line of info: the number of moves in it, which must be legal, with legal variations; winrates are as
 * kata- or lz- have them. */
static int count_infos(const struct record *r, const char *line, bool is_kata)
{
	char *copy = strdup(line), *save, *word, *value;
	int infos = 0;
	ck_assert(line[strlen(line) - 1] == '\n');
	copy[strlen(copy) - 1] = '\0';
	ck_assert_msg(strncmp(copy, "info move ", 10) == 0, "'%s'", line);
	word = strtok_r(copy, " ", &save);
	while (word && strcmp(word, "info") == 0) {
		char first[MOVE_TEXT_MAX] = "";
		bool has_visits = false, has_winrate = false, has_pv = false;
		while (!has_pv && (word = strtok_r(NULL, " ", &save))) {
			if (strcmp(word, "pv") == 0) {
				has_pv = true;
				break;
			}
			value = strtok_r(NULL, " ", &save);
			ck_assert_msg(value, "%s has no value in '%s'", word, line);
			if (strcmp(word, "move") == 0) {
				snprintf(first, sizeof first, "%s", value);
			} else if (strcmp(word, "visits") == 0) {
				ck_assert(number(value) >= 0);
				has_visits = true;
			} else if (strcmp(word, "order") == 0) {
				ck_assert(number(value) == infos);
			} else if (strcmp(word, "winrate") == 0) {
				double x = number(value);
				ck_assert(x >= 0 && x <= (is_kata ? 1 : 10000));
				/* How Sabaki's library tells them apart. */
				ck_assert_int_eq(!!strchr(value, '.'), is_kata);
				has_winrate = true;
			}
		}
		ck_assert_msg(has_visits && has_winrate && has_pv, "'%s'", line);
		struct record line_of_play;
		record_init(&line_of_play, r->game);
		record_copy(&line_of_play, r);
		int length = 0;
		while ((word = strtok_r(NULL, " ", &save)) && strcmp(word, "info") != 0) {
			if (!length++)
				ck_assert_str_eq(word, first);
			record_take_any(&line_of_play, word);
		}
		record_free(&line_of_play);
		ck_assert_int_gt(length, 0);
		infos++;
	}
	ck_assert_ptr_null(word);
	free(copy);
	return infos;
}

static const char *const analyses[] = { "kata-analyze", "lz-analyze", "analyze" };

static bool is_kata(const char *command)
{
	return strncmp(command, "lz-", 3) != 0;
}

/* Reads lines of info until there have been some. */
static void hear_infos(const struct record *r, const char *command)
{
	for (int i = 0; i < 2; i++)
		ck_assert_int_gt(count_infos(r, hear_line(t), is_kata(command)), 0);
}

/* Reads what is left of an analysis: lines of info, then its blank line. */
static void hear_last_infos(const struct record *r, const char *command)
{
	const char *line;
	while (strcmp(line = hear_line(t), "\n") != 0)
		count_infos(r, line, is_kata(command));
}

START_TEST(analysis_streams_until_a_line_comes)
{
	struct record r;
	setting = &settings[_i];
	start(ENDLESS);
	record_init(&r, game_find(setting->name, NULL));
	for (int i = 0; i < 3; i++) {
		const char *command = analyses[i];
		/* An empty line, which has no answer of its own. */
		tell(t, "%s b 10\n", command);
		ck_assert_str_eq(hear_line(t), "=\n");
		hear_infos(&r, command);
		tell(t, "\n");
		hear_last_infos(&r, command);
		ask_for("yomi", t, "name");
		/* The next command. */
		tell(t, "5 %s b 2\n", command);
		ck_assert_str_eq(hear_line(t), "=5\n");
		hear_infos(&r, command);
		tell(t, "6 protocol_version\n");
		hear_last_infos(&r, command);
		hear_exactly(t, "=6 2\n\n");
	}
	/* quit, and the end of the input. */
	tell(t, "kata-analyze b 2\n");
	ck_assert_str_eq(hear_line(t), "=\n");
	hear_infos(&r, "kata-analyze");
	tell(t, "quit\n");
	hear_last_infos(&r, "kata-analyze");
	hear_exactly(t, "=\n\n");
	end();
	start(ENDLESS);
	tell(t, "kata-analyze b 2\n");
	ck_assert_str_eq(hear_line(t), "=\n");
	hear_infos(&r, "kata-analyze");
	talk_hang_up(t);
	hear_last_infos(&r, "kata-analyze");
	end();
	record_free(&r);
}
END_TEST

/* Once a game with each: what it plays is legal, and played. */
START_TEST(genmove_analyze_ends_with_its_move)
{
	static const char *const commands[] = { "kata-genmove_analyze", "lz-genmove_analyze",
						"genmove_analyze" };
	struct record r;
	setting = &settings[_i];
	start(" --threads 1 --seed 1 --memory 8 --search montecarlo --time 0.05");
	record_init(&r, game_find(setting->name, NULL));
	for (int i = 0; i < 6 && !r.now.over; i++) {
		const char *command = commands[i % 3], *line;
		tell(t, "%s %c 1\n", command, "bw"[r.now.side]);
		ck_assert_str_eq(hear_line(t), "=\n");
		while (strncmp(line = hear_line(t), "play ", 5) != 0)
			count_infos(&r, line, is_kata(command));
		char move[MOVE_TEXT_MAX + 1];
		ck_assert_int_eq(sscanf(line, "play %8s\n", move), 1);
		record_take_any(&r, move);
		ck_assert_str_eq(hear_line(t), "\n");
	}
	char position[POSITION_TEXT_MAX];
	game_position(r.game, &r.now, position);
	ask_for(position, t, "position");
	record_free(&r);
	end();
}
END_TEST

START_TEST(parameters_by_kata)
{
	begin(_i);
	char *list = strdup(ask(t, "kata-list-params")), *save;
	ck_assert_int_ne(*list, '?');
	int params = 0;
	for (char *p = strtok_r(list, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
		char *value = strdup(ask(t, "kata-get-param %s", p));
		ck_assert_msg(*value && *value != '?', "%s: %s", p, value);
		ask_for("", t, "kata-set-param %s %s", p, value);
		ask_for(value, t, "kata-get-param %s", p);
		free(value);
		params++;
	}
	ck_assert_int_gt(params, 3);
	free(list);
	refuses(t, "kata-get-param no_such_parameter");
	refuses(t, "kata-set-param no_such_parameter 1");
	end();
}
END_TEST

START_TEST(games_are_written_and_read)
{
	char path[] = "/tmp/yomi-checklist-XXXXXX", position[POSITION_TEXT_MAX];
	begin(_i);
	for (int i = 0; i < 4; i++)
		ask_for("", t, "play %c %s", "bw"[i % 2], setting -> moves[i]);
	snprintf(position, sizeof position, "%s", ask(t, "position"));
	ck_assert_int_eq(strncmp(ask(t, "printsgf"), "(;", 2), 0);
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ask_for("", t, "printsgf %s", path);
	ask_for("", t, "clear_board");
	ask_for("", t, "loadsgf %s", path);
	ask_for(position, t, "position");
	ask_for("", t, "undo");
	snprintf(position, sizeof position, "%s", ask(t, "position"));
	ask_for("", t, "loadsgf %s 4", path);
	ask_for(position, t, "position");
	unlink(path);
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("checklist");
	TCase *cases = tcase_create("checklist");
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, answers_to_the_byte, 0, SCRIPTS * SETTINGS);
#define EACH_GAME(test) tcase_add_loop_test(cases, test, 0, SETTINGS)
	EACH_GAME(nothing_is_said_before_the_first_command);
	EACH_GAME(a_command_in_pieces);
	EACH_GAME(thousands_of_commands_before_an_answer_is_read);
	EACH_GAME(lines_of_a_million_bytes);
	EACH_GAME(commands_are_listed);
	EACH_GAME(name_and_version_are_lines);
	EACH_GAME(clear_board_is_cheap);
	EACH_GAME(malformed_vertices);
	tcase_add_test(cases, a_forced_pass_is_told_or_left_out);
	EACH_GAME(genmove_answers_a_move_and_makes_it);
	EACH_GAME(reg_genmove_makes_no_move);
	EACH_GAME(games_to_the_end_and_beyond);
	tcase_add_test(cases, othello_ends_with_empty_squares);
	EACH_GAME(showboard_has_no_blank_line);
	EACH_GAME(clocks_end_searches);
	EACH_GAME(quit_leaves);
	EACH_GAME(end_of_input_leaves);
	EACH_GAME(input_and_output_are_files);
	if (process_has_terminals("the checklist on a terminal"))
		EACH_GAME(a_terminal);
	EACH_GAME(descriptors_stay_blocking);
	EACH_GAME(a_slow_reader_loses_nothing);
	EACH_GAME(stderr_that_nobody_reads);
	EACH_GAME(a_client_that_is_gone);
	EACH_GAME(end_of_input_during_a_search);
	EACH_GAME(commands_behind_a_search_wait);
	EACH_GAME(sigterm_ends_it);
	EACH_GAME(processor_time_is_told);
	EACH_GAME(searches_are_interrupted);
	EACH_GAME(a_ruler_shows_the_board);
	EACH_GAME(analyze_commands_are_known);
	EACH_GAME(positions_are_set_up);
	EACH_GAME(games_are_listed);
	EACH_GAME(analysis_streams_until_a_line_comes);
	EACH_GAME(genmove_analyze_ends_with_its_move);
	EACH_GAME(parameters_by_kata);
	EACH_GAME(games_are_written_and_read);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
