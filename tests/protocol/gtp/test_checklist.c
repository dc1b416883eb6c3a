/* SPDX-License-Identifier: MIT
 *
 * The checklist, first part: the syntax of GTP byte by byte, the commands and errors of the draft, moves and
 * clocks.
 */
#include "tests/protocol/gtp/checklist.h"

/* Sends bytes and ends the input. Checks the whole output. */
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
	SCRIPT("gogui-rules_side_to_move",
	       "gogui-rules_side_to_move\nplay b $1\ngogui-rules_side_to_move\n",
	       "= black\n\n=\n\n= white\n\n"),
	SCRIPT("gogui-play_sequence",
	       "gogui-play_sequence b $1 w $2\nplay b $3\nclear_board\n"
	       "gogui-play_sequence b $1 w $o\nplay w $2\nplay b $1\ngogui-play_sequence\n",
	       "=\n\n=\n\n=\n\n? illegal move\n\n? illegal move\n\n=\n\n=\n\n"),
	SCRIPT("gogui-interrupt", "gogui-interrupt\n# interrupt\nname\n", "=\n\n= yomi\n\n"),
};
#define SCRIPTS    ((int)(sizeof scripts / sizeof scripts[0]))

/* Each script in every game; under sanitizers, which make a start slow, the scripts take turns with the games. */
#define GAMES_EACH (IS_SANITIZED ? 1 : settings_count())

START_TEST(answers_to_the_byte)
{
	int number = _i / GAMES_EACH;
	const struct script *script = &scripts[number];
	setting = setting_at((number + _i % GAMES_EACH) % settings_count());
	expect_bytes(script->what, script->input, script->length, script->output);
}
END_TEST

START_TEST(no_output_before_the_first_command)
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

/* Sends a beginning, a million equal bytes and a line feed. */
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

/* The commands of GTP 2 except those about Go, and the extensions that clients look for. */
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
	"kata-time_settings kata-list_time_settings kata-raw-nn kata-get-models kata-benchmark "
	"set_position";

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
	/* gogui-twogtp cuts off longer ones. */
	ck_assert(*version && *version != '?' && !strchr(version, '\n') && strlen(version) <= 40);
	end();
}
END_TEST

/* GoGui clears the board of a ruler some hundred times a game. That must not clear the memory of searches. */
START_TEST(clear_board_is_cheap)
{
	setting = setting_at(_i);
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

/* Othello: Black must pass after these moves. */
static const char *const pass_moves[] = { "D3", "C3", "F5", "D2", "D1", "E1", "B2", "C1" };
#define PASS_MOVES ((int)(sizeof pass_moves / sizeof pass_moves[0]))

static void tell_pass(void)
{
	ask_for("", t, "clear_board");
	for (int i = 0; i < PASS_MOVES; i++)
		ask_for("", t, "play %c %s", "bw"[i % 2], pass_moves[i]);
}

START_TEST(a_forced_pass_may_be_left_out)
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

	/* The pass is left out: undo takes it back together with the next move. */
	tell_pass();
	ck_assert(random_move(&r, &rng, move));
	ask_for("", t, "play w %s", move);
	ask_for("", t, "undo");
	ask_for("", t, "play w %s", move);
	/* genmove asks for the other colour. */
	tell_pass();
	ask(t, "undo");
	ask_for("", t, "play w %s", pass_moves[PASS_MOVES - 1]);
	struct record after;
	record_init(&after, r.game);
	record_copy(&after, &r);
	record_take(&after, ask(t, "genmove w"));
	/* The pass is sent, in upper or lower case. */
	tell_pass();
	ask_for("", t, "play b pass");
	ask_for("", t, "play w %s", move);
	tell_pass();
	ask_for("", t, "play b PASS");
	ask_for("", t, "undo");
	ask_for("", t, "play B PASS");
	ask_for("? illegal move", t, "play w pass");
	ask_for("", t, "play w %s", move);
	/* genmove answers the pass. */
	tell_pass();
	ask_for("PASS", t, "reg_genmove b");
	ask_for("PASS", t, "genmove b");
	record_copy(&after, &r);
	record_take(&after, ask(t, "genmove w"));
	/* A move to a square is illegal then. */
	tell_pass();
	ask_for("? illegal move", t, "play b A1");
	/* What a ruler answers. */
	ask_for("pass", t, "gogui-rules_legal_moves");
	ask_for("black", t, "gogui-rules_side_to_move");
	record_free(&r);
	record_free(&after);
	end();
}
END_TEST

START_TEST(genmove_plays_the_move_it_answers)
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

START_TEST(reg_genmove_plays_no_move)
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

/* Plays a game, tests every command after its end, and plays another game. */
START_TEST(commands_after_the_end_of_a_game)
{
	struct record r;
	begin(_i);
	record_init(&r, game_find(setting->name, NULL));
	for (int game = 0; game < 2; game++) {
		ask_for("", t, "clear_board");
		record_restart(&r, r.game);
		play_alone(t, &r);
		ask_for(score_of(&r), t, "final_score");
		ask_for("", t, "all_legal_moves");
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
		/* Takes back three passes of genmove, two of play, then the last move. */
		for (int i = 0; i < 5; i++)
			ask_for("", t, "undo");
		ask_for(score_of(&r), t, "final_score");
		ask_for("", t, "undo");
		ask_for("? cannot score", t, "final_score");
		record_undo(&r);
		record_take(&r, ask(t, "genmove %s", colors[r.now.side]));
	}
	/* From here on squares may have GoGui's names. */
	play_alone(t, &r);
	ask_for("", t, "gogui-rules_legal_moves");
	const char *result = ask(t, "gogui-rules_final_result");
	ck_assert(*result && *result != '?' && !strchr(result, '\n'));
	ask_for("", t, "undo");
	record_undo(&r);
	ask_for(colors[r.now.side], t, "gogui-rules_side_to_move");
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
		/* hear() ends at the first blank line, so the answer has no other. */
		const char *board = ask(t, "showboard");
		ck_assert(*board != '?' && strchr(board, '\n'));
		ask_for("yomi", t, "name");
		ask_for("", t, "play %c %s", "bw"[i % 2], setting -> moves[i]);
	}
	end();
}
END_TEST

/* --- time --- */

/* The engine's own time limit is weeks, so only the clock ends the search. */
START_TEST(clocks_end_searches)
{
	struct record r;
	setting = setting_at(_i);
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

int main(void)
{
	Suite *suite = suite_create("checklist");
	TCase *cases = tcase_create("checklist");
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, answers_to_the_byte, 0, SCRIPTS * GAMES_EACH);
	EACH_GAME(no_output_before_the_first_command);
	EACH_GAME(a_command_in_pieces);
	EACH_GAME(thousands_of_commands_before_an_answer_is_read);
	EACH_GAME(lines_of_a_million_bytes);
	EACH_GAME(commands_are_listed);
	EACH_GAME(name_and_version_are_lines);
	EACH_GAME(clear_board_is_cheap);
	EACH_GAME(malformed_vertices);
	tcase_add_test(cases, a_forced_pass_may_be_left_out);
	EACH_GAME(genmove_plays_the_move_it_answers);
	EACH_GAME(reg_genmove_plays_no_move);
	EACH_GAME(commands_after_the_end_of_a_game);
	tcase_add_test(cases, othello_ends_with_empty_squares);
	EACH_GAME(showboard_has_no_blank_line);
	EACH_GAME(clocks_end_searches);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
