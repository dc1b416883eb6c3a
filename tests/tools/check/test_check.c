/* SPDX-License-Identifier: MIT
 *
 * `match --check`: on yomi, which meets all demands, and on an engine with known faults. That engine is
 * this program, called with GAME and FAULTS.
 */
#include <ctype.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/rules/record.h"
#include "protocol/gtp/gtp.h"
#include "tests/protocol/process.h"

/* --- the engine --- */

static struct record record;
static const char *faults; /* words, each with a blank on both sides */

static bool has(const char *fault)
{
	char word[64];
	snprintf(word, sizeof word, " %s ", fault);
	return strstr(faults, word);
}

static const char *const names[] = {
	"protocol_version",
	"name",
	"version",
	"known_command",
	"list_commands",
	"quit",
	"boardsize",
	"komi",
	"clear_board",
	"genmove",
	"reg_genmove",
	"undo",
	"showboard",
	"time_settings",
	"time_left",
	"final_score",
	"gogui-rules_legal_moves",
	"list_games",
	"cputime",
	"loadsgf",
	"play",
};
#define NAMES ((int)(sizeof names / sizeof *names))

/* Writes an answer with the faults of answers. */
static void answer(bool success, int id, const char *text)
{
	static int last_id = GTP_ID_NONE;
	if (has("no_ids"))
		id = GTP_ID_NONE;
	if (has("old_ids"))
		id = id == GTP_ID_NONE ? last_id : (last_id = id);
	char *framed = gtp_answer(success, id, text);
	char *blank = strchr(framed, ' ');
	if (has("frame") && blank)
		*blank = '\n';
	/* gtp_answer() writes no blank lines. */
	if (has("blank_line") && strchr(framed, '|'))
		*strchr(framed, '|') = '\n';
	fputs(framed, stdout);
	fflush(stdout);
	free(framed);
}

static void list_moves(FILE *out)
{
	struct move list[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	int n = record.now.over ? 0 : game_moves(record.game, &record.now, list);
	for (int i = 0; i < n; i++) {
		game_format(record.game, &record.now, list[i], text);
		fprintf(out, "%s%s", i ? " " : "", strcmp(text, "PASS") == 0 ? "pass" : text);
	}
	if (record.now.over && has("moves_at_end"))
		fputs("pass", out);
}

/* Chooses the first move of `side`. */
static bool generate(int side, bool plays, FILE *out)
{
	struct move list[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	if (record.now.over) {
		fputs(has("game_over") ? "game over" : "PASS", out);
		return !has("game_over");
	}
	bool skips = side != record.now.side;
	if (has("no_skipping") && skips)
		return false;
	if (!record_give_turn(&record, side))
		return false;
	game_moves(record.game, &record.now, list);
	game_format(record.game, &record.now, list[0], text);
	for (char *c = text; *c && has("lower_out"); c++)
		*c = (char)tolower((unsigned char)*c);
	fputs(has("wrong_move") && record.count > 6 && !skips && strcmp(text, "PASS") != 0 ? "A1A1"
											   : text,
	      out);
	if (has("talk") && record.count > 6)
		printf("thinking about %s\n", text);
	if (plays || has("reg_plays"))
		record_play(&record, list[0]);
	else
		record_undo_implied(&record);
	return true;
}

static bool play(const char *color, const char *move, FILE *out)
{
	int side;
	bool is_pass = strcasecmp(move, "pass") == 0;
	if (!line_color(color, &side) ||
	    (has("lower_in") && !is_pass && islower((unsigned char)*move)) ||
	    (has("no_capitals") && isupper((unsigned char)*color) && color[1]) ||
	    (has("no_passes") && is_pass)) {
		fputs("syntax error", out);
		return false;
	}
	if (record.now.over && is_pass) {
		record_play_end_pass(&record, side);
		return true;
	}
	if (has("no_skipping") && !record.now.over && side != record.now.side) {
		fputs("illegal move", out);
		return false;
	}
	switch (record.now.over ? MOVE_ILLEGAL : record_play_text(&record, side, move)) {
	case MOVE_OK:
		return true;
	case MOVE_REPEATS:
	case MOVE_ILLEGAL:
		fputs(has("other_words") ? "cannot play there" : "illegal move", out);
		return false;
	case MOVE_MALFORMED:
		fputs("syntax error", out);
		return false;
	}
	return false;
}

/* Runs a command. Returns true on success. */
static bool obey(int count, char **words, FILE *out)
{
	const char *name = words[0], *first = count > 1 ? words[1] : "";
	double number;
	int side, size;
	if (strcmp(name, "protocol_version") == 0) {
		fputs(has("old_version") ? "1" : "2", out);
	} else if (strcmp(name, "name") == 0) {
		fputs("faulty", out);
	} else if (strcmp(name, "version") == 0) {
		fputs(has("two_lines") ? "1\nof today" : "1", out);
	} else if (strcmp(name, "known_command") == 0) {
		bool known = false;
		for (int i = 0; i < NAMES; i++)
			known |= strcmp(first, names[i]) == 0;
		fputs(!known ? "false" : has("yes") ? "yes" : "true", out);
	} else if (strcmp(name, "list_commands") == 0) {
		for (int i = 0; i < NAMES - has("hidden"); i++)
			fprintf(out, "%s%s%s", i ? "\n" : "", names[i],
				has("list_words") && i == 6 ? " SIZE" : "");
	} else if (strcmp(name, "list_games") == 0) {
		fputs(record.game->title, out);
	} else if (strcmp(name, "boardsize") == 0) {
		if (has("crash") && strcmp(first, "x") == 0)
			raise(SIGKILL);
		if (!line_int(first, &size) || size != record.game->board.cols) {
			fputs("unacceptable size", out);
			return false;
		}
		fputs(has("chatty") ? "set" : "", out);
	} else if (strcmp(name, "komi") == 0) {
		return line_real(first, &number) && !(has("no_komi") && number != 0);
	} else if (strcmp(name, "clear_board") == 0) {
		record_restart(&record, record.game);
	} else if (strcmp(name, "play") == 0) {
		return count == 3 ? play(first, words[2], out) : false;
	} else if (strcmp(name, "genmove") == 0 || strcmp(name, "reg_genmove") == 0) {
		return line_color(first, &side) && generate(side, *name == 'g', out);
	} else if (strcmp(name, "undo") == 0) {
		if (!record_undo(&record) && !has("undo_nothing")) {
			fputs("cannot undo", out);
			return false;
		}
	} else if (strcmp(name, "showboard") == 0) {
		fputs("the board\n| it is\nempty", out);
	} else if (strcmp(name, "time_settings") == 0) {
		return count == 4 && line_real(first, &number) && !has("no_clock");
	} else if (strcmp(name, "time_left") == 0) {
		return count == 4 && line_color(first, &side);
	} else if (strcmp(name, "final_score") == 0) {
		int score = has("wrong_score") ? -record.now.score : record.now.score;
		fprintf(out, score ? "%c+%d" : "0", score > 0 ? 'B' : 'W', abs(score));
	} else if (strcmp(name, "gogui-rules_legal_moves") == 0) {
		list_moves(out);
	} else if (strcmp(name, "cputime") == 0) {
		fprintf(out, "%s%.2f", has("seconds") ? "about " : "",
			(double)clock() / CLOCKS_PER_SEC);
	} else if (strcmp(name, "loadsgf") == 0) {
		fputs("cannot load file", out);
		return false;
	} else {
		fputs(has("which") ? "what do you mean?" : "unknown command", out);
		return false;
	}
	return true;
}

/* Handles one line. Returns false if the engine ends. */
static bool take_line(char *line, size_t length)
{
	struct gtp_command command;
	char *text;
	size_t size;
	size_t start = strspn(line, " \t");
	bool odd = (has("comments") && line[start] == '#') ||
		   (has("empty_lines") && line[start] == '\n') ||
		   (has("no_tabs") && strchr(line, '\t')) ||
		   (has("no_returns") && strchr(line, '\r'));
	if (odd) {
		answer(false, GTP_ID_NONE, has("which") ? "what do you mean?" : "unknown command");
		return true;
	}
	if (gtp_clean(line, length) != LINE_COMMAND)
		return true;
	gtp_parse(&command, line);
	bool quits = command.count && strcmp(command.words[0], "quit") == 0;
	FILE *out = open_memstream(&text, &size);
	bool success = quits || (command.count && obey(command.count, command.words, out));
	fclose(out);
	answer(success, command.id, text);
	free(text);
	gtp_command_free(&command);
	/* What was sent with quit has arrived already. */
	return !quits ||
	       (has("goes_on") && poll(&(struct pollfd) { STDIN_FILENO, POLLIN, 0 }, 1, 0) == 1);
}

static int be_engine(const char *game, const char *words)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	bool goes_on = true;
	faults = words;
	games_init();
	record_init(&record, game_find(game, NULL));
	if (has("banner"))
		printf("welcome\n");
	fflush(stdout);
	if (has("goes_on"))
		setvbuf(stdin, NULL, _IONBF, 0);
	if (has("stubborn"))
		signal(SIGTERM, SIG_IGN);
	while (goes_on && (n = getline(&line, &room, stdin)) >= 0) {
		size_t most = has("short_lines") && n > 1000 ? 1000 : (size_t)n;
		if (most < (size_t)n) {
			char head[1002];
			memcpy(head, line, most);
			head[most] = '\0';
			take_line(head, most);
			memmove(line, line + most, (size_t)n - most + 1);
			n -= (ssize_t)most;
		}
		goes_on = take_line(line, (size_t)n);
		if (!goes_on && has("bad_status"))
			return 3;
	}
	while (goes_on && has("stays"))
		sleep(1000);
	free(line);
	record_free(&record);
	return 0;
}

/* --- the tests --- */

/* Runs `match --check` on a command with options. Returns its output; the caller frees it. */
static char *check(const char *options, const char *command, int *status)
{
	char line[PATH_MAX + 512];
	snprintf(line, sizeof line, "exec $YOMI_BUILD/yomi-match %s --check '%s'", options,
		 command);
	return process_shell(line, status);
}

static const char *const choices[] = {
	"--game othello", "--game tictactoe", "--game othello --rules anti",
	"--game pentago", "--game loa",       "--game havannah",
};
#define GAMES ((int)(sizeof choices / sizeof *choices))

START_TEST(yomi_meets_all_demands)
{
	char command[PATH_MAX];
	int status;
	snprintf(command, sizeof command,
		 "$YOMI --no-config %s --threads 1 --seed 1 --memory 8 --playouts 60", choices[_i]);
	char *text = check("--timeout=60", command, &status);
	ck_assert_msg(strstr(text, " passed, 0 failed\n") && !strstr(text, "failed: "), "%s", text);
	ck_assert_msg(strstr(text, "; 0 optional features not offered\n"), "%s", text);
	ck_assert_ptr_null(strstr(text, "skipped"));
	ck_assert_int_eq(status, 0);
	free(text);
}
END_TEST

/* Each fault must fail these demands and no others. */
static const struct expected {
	const char *fault, *what, *clients;
} expected[][20] = {
	{
		{ "", NULL, NULL },
	},
	/* Output and its form. */
	{
		{ "banner", "nothing is written before the first command", "gomill" },
		{ "banner", "nothing but answers is written to stdout", "gtp2ogs" },
		{ "old_version", "protocol_version is 2", "gomill" },
		{ "frame", "the text of an answer follows `= ` on the same line", "GoGui" },
		{ "no_ids", "an id is repeated in the answer:", "Quarry" },
		{ "no_ids", "an id is repeated in the answer to a wrong command", "GoGui" },
		{ "comments", "a comment has no answer", "GoGui" },
		{ "empty_lines", "an empty line has no answer", "Lizzie" },
		{ "no_tabs", "a tab is a blank", "scripts" },
		{ "no_returns", "lines may end as on Windows", "gtp2ogs" },
		{ "which", "an unknown command gets `unknown command`", "GoGui" },
		{ "short_lines", "a line of 10,000 bytes is one command", "GoGui" },
		{ "short_lines", "a line of a million bytes is one command", "the GTP draft" },
		{ "seconds", "cputime is a number", "gogui-twogtp" },
		{ "two_lines", "name and version are one line each", "Quarry" },
	},
	/* Commands. */
	{
		{ "old_ids", "an answer has no id if its command has none", "Quarry" },
		{ "list_words", "list_commands lists one command on each line", "Quarry" },
		{ "hidden", "list_commands lists the commands that GTP requires", "gtp2ogs" },
		{ "chatty", "boardsize is accepted, with an empty answer", "Quarry" },
		{ "no_komi", "any komi is accepted, with an empty answer", "Sabaki" },
		{ "no_capitals", "colours are accepted in all spellings", "Quarry" },
		{ "lower_in", "moves are accepted in lower case", "OpenSpiel" },
		{ "other_words", "an illegal move is `illegal move`", "gomill" },
		{ "lower_out", "genmove answers in upper case", "scripts" },
		{ "reg_plays", "reg_genmove plays no move", "gogui-regress" },
		{ "blank_line", "showboard contains no blank line", "gtp2ogs" },
		{ "undo_nothing", "undo at the start gets `cannot undo`", "the GTP draft" },
		{ "undo_nothing", "undo after clear_board is refused", "Sabaki" },
		{ "no_clock", "time_settings is accepted, with an empty answer", "Quarry" },
		{ "bad_status", "quit is answered, then the process ends with exit status 0",
		  "GoGui" },
	},
	/* Games. */
	{
		{ "yes", "known_command agrees with list_commands", "gomill" },
		{ "no_passes", "a forced pass may be sent", "gomill" },
		{ "no_passes", "passes are accepted when the game is over", "gogui-twogtp" },
		{ "game_over", "genmove is `pass` when the game is over", "gogui-twogtp" },
		{ "wrong_score", "final_score is the result", "gomill" },
		{ "moves_at_end", "gogui-rules_legal_moves are the legal moves, none at the end",
		  "GoGui" },
		{ "wrong_move", "a whole game is played by legal moves", "all clients" },
		{ "goes_on", "commands after quit are not answered", "Sabaki" },
	},
	{
		{ "no_skipping", "a forced pass may be left out", "Quarry" },
		{ "no_skipping", "genmove skips the other side's forced pass", "Quarry" },
		{ "crash", "a malformed size is refused and changes nothing", "scripts" },
		{ "talk", "nothing but answers is written to stdout", "gomill" },
	},
};
#define ENGINES ((int)(sizeof expected / sizeof *expected))

/* Returns true if a line reports a fault. */
static bool is_told(const struct expected *e, const char *line)
{
	char head[256];
	const char *affects = strstr(line, "; affects: ");
	snprintf(head, sizeof head, "failed: %s", e->what);
	return strncmp(line, head, strlen(head)) == 0 && affects && strstr(affects, e->clients);
}

/* Checks an engine with faults. All of them must be reported, and nothing else. */
static void find_faults(const struct expected *list, int count, const char *game,
			const char *options)
{
	char command[PATH_MAX + 512], words[400] = " ", self[PATH_MAX], *save;
	int status, failed = 0;
	for (int i = 0; i < count; i++)
		if (i == 0 || strcmp(list[i].fault, list[i - 1].fault) != 0)
			strcat(strcat(words, list[i].fault), " ");
	ck_assert_ptr_nonnull(realpath("/proc/self/exe", self));
	snprintf(command, sizeof command, "\"%s\" %s \"%s\"", self, game, words);
	char *text = check(options, command, &status), *copy = strdup(text);
	bool told[20] = { false };
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		bool wanted = strncmp(line, "failed: ", 8) != 0;
		failed += !wanted;
		for (int i = 0; i < count; i++)
			if (list[i].what && is_told(&list[i], line))
				told[i] = wanted = true;
		ck_assert_msg(wanted, "no such fault: %s", line);
	}
	int faulty = 0;
	for (int i = 0; i < count; i++) {
		ck_assert_msg(told[i] || !list[i].what, "%s is not told in: %s", list[i].fault,
			      text);
		faulty += list[i].what != NULL;
	}
	ck_assert_int_eq(failed, faulty);
	ck_assert_int_eq(status, failed > 0);
	free(copy);
	free(text);
}

START_TEST(faults_are_told)
{
	const struct expected *list = expected[_i];
	int count = 0;
	while (count < 20 && list[count].fault)
		count++;
	find_faults(list, count, "othello", "--timeout=60");
}
END_TEST

/* The check waits for what does not end, so the time limit is short. */
START_TEST(what_does_not_end_is_told)
{
	static const struct expected stays[] = {
		{ "stays", "the end of input ends the process", "gomill" },
		{ "stays", "a script without quit is answered to its end", "scripts" },
		{ "stays", "a last line without a newline does no harm", "scripts" },
		{ "stays", "the end of input during a search ends the process", "Quarry" },
		{ "stays", "the process ends when its client is gone", "GoGui" },
		{ "stubborn", "SIGTERM ends the process", "gtp2ogs" },
	};
	find_faults(stays, 6, "tictactoe", "--timeout=4");
}
END_TEST

START_TEST(an_engine_that_does_not_start)
{
	int status;
	char *text = check("", "/no/such/engine 2>/dev/null", &status);
	ck_assert_int_eq(status, 2);
	ck_assert_str_eq(text, "");
	free(text);
	free(check("--game=othello --rules=none", "cat", &status));
	ck_assert_int_eq(status, 2);
}
END_TEST

START_TEST(a_game_that_is_not_known)
{
	char self[PATH_MAX], command[PATH_MAX + 32];
	int status;
	ck_assert_ptr_nonnull(realpath("/proc/self/exe", self));
	snprintf(command, sizeof command, "\"%s\" othello \" wrong_score \"", self);
	char *text = check("--game=shogi --timeout=60", command, &status);
	ck_assert_msg(strstr(text, "game: shogi, whose rules yomi does not know") &&
			      strstr(text, " demands skipped\n"),
		      "%s", text);
	ck_assert_int_eq(status, 0);
	free(text);
}
END_TEST

int main(int argc, char **argv)
{
	if (argc > 1)
		return be_engine(argv[1], argc > 2 ? argv[2] : " ");
	Suite *suite = suite_create("check");
	TCase *cases = tcase_create("check");
	tcase_set_timeout(cases, 300);
	tcase_add_loop_test(cases, yomi_meets_all_demands, 0, GAMES);
	tcase_add_loop_test(cases, faults_are_told, 0, ENGINES);
	tcase_add_test(cases, what_does_not_end_is_told);
	tcase_add_test(cases, an_engine_that_does_not_start);
	tcase_add_test(cases, a_game_that_is_not_known);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
