/* SPDX-License-Identifier: MIT
 *
 * The command line of the real program: help, man page, completion, the config file, commands at the start,
 * and messages about mistakes. Each test has its own folder, $D in the shell's commands. The program is
 * $YOMI and finds its config file in $D/yomi.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/kernel.h"
#include "engine/base/memory.h"
#include "engine/search/common/algorithm.h"
#include "games/games.h"
#include "protocol/gtp/commands.h"
#include "protocol/program/program.h"
#include "protocol/program/tables.h"
#include "protocol/session/command.h"
#include "tests/folder.h"
#include "tests/protocol/process.h"

#define HELP_WIDTH 80

static char path[PATH_MAX];

static void set_up(void)
{
	folder_create();
	snprintf(path, sizeof path, "%s/yomi", folder);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/yomi/config", folder);
	setenv("XDG_CONFIG_HOME", folder, 1);
}

static void write_config(const char *text)
{
	FILE *f = fopen(path, "we");
	ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Checks the output of a command, in which `$D` stands for the folder, and its exit status. */
static void expect(const char *command, int status, const char *expected)
{
	char wanted[4096];
	const char *f = strstr(expected, "$D");
	if (f)
		snprintf(wanted, sizeof wanted, "%.*s%s%s", (int)(f - expected), expected, folder,
			 f + 2);
	else
		snprintf(wanted, sizeof wanted, "%s", expected);
	int ended;
	char *text = process_shell(command, &ended);
	ck_assert_msg(strcmp(text, wanted) == 0, "%s: '%s' instead of '%s'", command, text, wanted);
	ck_assert_msg(ended == status, "%s: status %d", command, ended);
	free(text);
}

static void check_mentions(const char *text, const char *format, ...)
{
	char wanted[128];
	va_list args;
	va_start(args, format);
	vsnprintf(wanted, sizeof wanted, format, args);
	va_end(args);
	ck_assert_msg(strstr(text, wanted), "'%s' is missing", wanted);
}

static void check_width(const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		ck_assert_msg(strcspn(line, "\n") <= HELP_WIDTH, "long: %s", line);
}

/* --help fits on two screens, and has what most users need. */
START_TEST(help)
{
	static const char *const commands[] = { "$YOMI --help", "$YOMI -h", "$YOMI help" };
	static const char *const usual[] = { "--game=GAME", "--rules=",   "--size=", "--level=",
					     "--time=",     "--threads=", "--help",  "web [",
					     "solve GAME",  "match",      "report",  "train",
					     "book",        "openings" };
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		int status, lines = 0;
		char *text = process_shell(commands[i], &status);
		ck_assert_int_eq(status, 0);
		check_width(text);
		for (const char *at = text; (at = strchr(at, '\n')); at++)
			lines++;
		ck_assert_int_le(lines, 2 * 40);
		for (size_t j = 0; j < sizeof usual / sizeof usual[0]; j++)
			check_mentions(text, "\n  %s", usual[j]);
		for (int j = 0; games[j]; j++)
			check_mentions(text, "\n  %s ", games[j]->name);
		check_mentions(text, "`yomi help all`");
		free(text);
	}
}
END_TEST

START_TEST(help_on_everything)
{
	int status;
	char *text = process_shell("$YOMI help all", &status);
	ck_assert_int_eq(status, 0);
	check_width(text);
	for (int i = 0; setting_at(i); i++)
		check_mentions(text, "\n  --%s", setting_at(i)->name);
	for (int i = 0; algorithms[i]; i++)
		check_mentions(text, "\n  %s ", algorithms[i]->name);
	for (int i = 0; games[i]; i++) {
		check_mentions(text, "\n  %s ", games[i]->name);
		check_mentions(text, "%s", games[i]->rules);
	}
	check_mentions(text, "\n  perft GAME DEPTH [BOARD SIDE]\n");
	check_mentions(text, "\n  --search=NAME       the search that finds moves: auto, random, ");
	check_mentions(text, "\n  auto ");
	check_mentions(text, "the default search of the game: othello");
	check_mentions(text, " [auto]\n");
	free(text);
}
END_TEST

START_TEST(help_of_a_mode)
{
	static const char *const commands[] = { "$YOMI --help perft", "$YOMI perft --help",
						"$YOMI help perft", "$YOMI -h perft" };
	int status;
	char *text;
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		text = process_shell(commands[i], &status);
		ck_assert_int_eq(status, 0);
		ck_assert_int_eq(strncmp(text, "Usage: yomi perft GAME DEPTH [BOARD SIDE] ", 42),
				 0);
		check_mentions(text, "\n  --rules=");
		ck_assert_ptr_null(strstr(text, "--threads"));
		free(text);
	}
	text = process_shell("$YOMI gtp --help", &status);
	ck_assert_int_eq(status, 0);
	check_mentions(text, "\n  --threads=");
	free(text);
}
END_TEST

/* All ways to ask for the help of a tool print the same. */
START_TEST(help_of_a_tool)
{
	static const char *const tools[] = { "match", "report", "train", "book", "openings" };
	static const char *const commands[] = {
		"$YOMI %s --help", "$YOMI help %s", "$YOMI help yomi-%s",
		"$YOMI --help %s", "$YOMI %s -h",   "$YOMI_BUILD/yomi-%s --help"
	};
	for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
		char *first = NULL, usage[32];
		snprintf(usage, sizeof usage, "Usage: yomi-%s ", tools[i]);
		for (size_t j = 0; j < sizeof commands / sizeof commands[0]; j++) {
			char command[64];
			int status;
			snprintf(command, sizeof command, commands[j], tools[i]);
			char *text = process_shell(command, &status);
			ck_assert_int_eq(status, 0);
			ck_assert_int_eq(strncmp(text, usage, strlen(usage)), 0);
			check_width(text);
			check_mentions(text, "\n  --help ");
			if (first)
				ck_assert_str_eq(text, first);
			free(first);
			first = text;
		}
		free(first);
	}
}
END_TEST

START_TEST(manual)
{
	static const char *const sections[] = {
		"NAME",           "SYNOPSIS", "DESCRIPTION", "MODES",    "TOOLS",    "OPTIONS",
		"COMMANDS (GTP)", "FILES",    "EXIT STATUS", "EXAMPLES", "SEE ALSO",
	};
	static const char requests[] =
		" .TH .SH .SS .PP .TP .B .I .BR .BI .IB .IR .RB .EX .EE .UR .UE .\\\" ";
	int status;
	char *text = process_shell("$YOMI manual", &status);
	ck_assert_int_eq(status, 0);
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
		check_mentions(text, "\n.SH %s\n", sections[i]);
	for (int i = 0; commands_at(i); i++) {
		char escaped[128] = "";
		for (const char *at = commands_at(i)->name; *at; at++)
			snprintf(escaped + strlen(escaped), sizeof escaped - strlen(escaped),
				 *at == '-' ? "\\-" : "%c", *at);
		check_mentions(text, "\n\\fB%s\\fR", escaped);
	}
	for (int i = 0; setting_at(i); i++)
		check_mentions(text, "\n\\fB\\-\\-%s\\fR", setting_at(i)->name);
	/* No text may be read as a troff request. */
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		char request[8];
		ck_assert_int_ne(*line, '\'');
		if (*line != '.')
			continue;
		snprintf(request, sizeof request, " %.*s ", (int)strcspn(line, " \n"), line);
		ck_assert_msg(strstr(requests, request), "no request: %.20s", line);
	}
	free(text);
}
END_TEST

/* The newest entry of the changelog, all programs, their man pages and GTP name the same version. */
START_TEST(version)
{
	static const char *const programs[] = { "yomi",       "yomi-match", "yomi-report",
						"yomi-train", "yomi-book",  "yomi-openings" };
	int status;
	char *number = process_shell(
		"sed -n '1s/^yomi (\\(.*\\)) .*/\\1/p' tools/debian/changelog | tr -d '\\n'",
		&status);
	ck_assert(number[0] >= '0' && number[0] <= '9');
	for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
		char command[64], first[64];
		snprintf(command, sizeof command, "$YOMI_BUILD/%s -v", programs[i]);
		snprintf(first, sizeof first, "%s %s\ncommit: ", programs[i], number);
		char *text = process_shell(command, &status);
		ck_assert_int_eq(status, 0);
		ck_assert_int_eq(strncmp(text, first, strlen(first)), 0);
		free(text);
		snprintf(command, sizeof command, "$YOMI_BUILD/%s manual", programs[i]);
		snprintf(first, sizeof first, "\"yomi %s\"", number);
		text = process_shell(command, &status);
		check_mentions(text, "%s", first);
		free(text);
	}
	char *text = process_shell("$YOMI --command version --no-config </dev/null", &status);
	ck_assert_int_eq(strncmp(text, "= ", 2), 0);
	ck_assert_int_eq(strncmp(text + 2, number, strlen(number)), 0);
	ck_assert_int_eq(text[2 + strlen(number)], '-');
	free(text);
	free(number);
}
END_TEST

/* Each program names the libraries that it uses. */
START_TEST(libraries)
{
	int status;
	char *text = process_shell("$YOMI --version", &status);
	check_mentions(text, "\nkernel: ");
	check_mentions(text, "\nlibraries: libevent_core ");
	ck_assert_ptr_null(strstr(text, "sqlite"));
	free(text);
	text = process_shell("$YOMI match --version && $YOMI report --version", &status);
	ck_assert_int_eq(status, 0);
	check_mentions(text, "\nlibraries: sqlite ");
	free(text);
}
END_TEST

/* The kernel of --kernel is used, or refused if the processor lacks it. */
START_TEST(kernels)
{
	for (enum kernel k = KERNEL_AUTO; k < KERNELS; k++) {
		char line[128], wanted[128];
		bool can = k <= kernel_best();
		const char *used = kernel_names[k == KERNEL_AUTO ? kernel_best() : k];
		snprintf(line, sizeof line, "$YOMI --version --kernel=%s 2>&1 | grep kernel",
			 kernel_names[k]);
		snprintf(wanted, sizeof wanted,
			 can ? "kernel: %s, fastest: %s\n"
			     : "yomi: this processor cannot run the kernel %s, only %s; see yomi "
			       "--help\n",
			 used, kernel_names[kernel_best()]);
		expect(line, 0, wanted);
	}
	/* All kernels find the same. tests/engine/base/test_kernel.c compares whole signatures. */
	for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++) {
		char line[256];
		snprintf(line, sizeof line,
			 "f() { echo yomi-think | $YOMI --game=go --playouts=50 --seed=1 "
			 "--threads=1 "
			 "$1; }; f >$D/auto; f --kernel=%s | diff - $D/auto",
			 kernel_names[k]);
		expect(line, 0, "");
	}
}
END_TEST

static const struct {
	const char *words, *complaint;
} mistakes[] = {
	{ "--thread 4", "there is no option --thread; did you mean --threads?" },
	{ "--early-stop=0", "there is no option --early-stop; did you mean --early_stop?" },
	{ "--xyzzy", "there is no option --xyzzy; see yomi --help" },
	{ "--threads", "--threads needs a value; see yomi --help" },
	{ "--threads=0", "threads is a whole number from 1 to 256; see yomi --help" },
	{ "--help=1", "--help takes no value; see yomi --help" },
	{ "--search mtcs", "search is one of auto random montecarlo mcts negamax alphabeta-plain "
			   "alphabeta pns dfpn dfpn+mcts union; did you mean mcts?" },
	{ "--game otello", "there is no game otello; did you mean othello?" },
	{ "--game pentago --rules tajma", "pentago has no rules tajma; did you mean tajima?" },
	{ "--rules tajima",
	  "othello has no rules tajima; its rules: standard, anti; see yomi --help" },
	{ "--game rex --size 2", "hex has no size 2; its sizes: 11, 3 to 19; see yomi --help" },
	{ "hex", "hex is a game, not a mode: yomi --game hex; see yomi --help" },
	{ "--size 9", "othello has no size 9; its sizes: 8, 6, 4; see yomi --help" },
	{ "--size eight", "size is N or COLUMNSxROWS, not eight; see yomi --help" },
	{ "--size ''", "size is N or COLUMNSxROWS, not ; see yomi --help" },
	{ "--size 8x", "size is N or COLUMNSxROWS, not 8x; see yomi --help" },
	{ "--size 8x8x8", "size is N or COLUMNSxROWS, not 8x8x8; see yomi --help" },
	{ "--size 99999999999999999999",
	  "size is N or COLUMNSxROWS, not 99999999999999999999; see yomi --help" },
	{ "web --game tictactoe --size 0",
	  "tictactoe has no size 0; its sizes: 3; see yomi --help" },
	{ "perft pentago 1 --rules tajima --size 6x7",
	  "pentago has no size 6x7; its sizes: 6; see yomi --help" },
	{ "solve othello --size 8X9",
	  "othello has no size 8X9; its sizes: 8, 6, 4; see yomi --help" },
	{ "bench --size 8", "bench takes no --size; see yomi --help" },
	{ "prft othello 3", "there is no mode prft; did you mean perft?" },
	{ "perft othello", "usage: yomi perft GAME DEPTH [BOARD SIDE]; see yomi --help" },
	{ "perft othelo 1", "there is no game othelo; did you mean othello?" },
	{ "perft pentago 1 --rules x",
	  "pentago has no rules x; its rules: standard, tajima, openspiel; see yomi --help" },
	{ "perft othello 0", "the depth is a number from 1 to 128; see yomi --help" },
	{ "perft othello 1 --threads 1", "perft takes no --threads; see yomi --help" },
	{ "--own_book=README.md", "--own_book: README.md is not a folder; see yomi --help" },
	{ "--network=/nonexistent/net",
	  "cannot read /nonexistent/net: No such file or directory; see yomi --help" },
	{ "--network=README.md --version", "README.md is not a network that yomi train has made, "
					   "or it is damaged; see yomi --help" },
	{ "--kernel sse bench", "kernel is one of auto portable avx2 avx512; see yomi --help" },
	{ "--signature", "gtp takes no --signature; see yomi --help" },
	{ "--game othello bench", "bench takes no --game; see yomi --help" },
	{ "bench --config x", "bench takes no --config; see yomi --help" },
	{ "gtp --verify", "gtp takes no --verify; see yomi --help" },
	{ "solve othello --level 3", "solve takes no --level; see yomi --help" },
	{ "gtp gtp", "usage: yomi gtp; see yomi --help" },
	{ "web 0 1", "usage: yomi web [ADDRESS]; see yomi --help" },
	{ "web --listen 0", "web takes no --listen; see yomi --help" },
	{ "--config x --no-config",
	  "--config and --no-config exclude each other; see yomi --help" },
	{ "--config $D/none", "cannot read $D/none: No such file or directory; see yomi --help" },
	{ "--config $D", "cannot read $D: Is a directory; see yomi --help" },
	{ "--config /dev/zero", "cannot read /dev/zero: File too large; see yomi --help" },
};

START_TEST(mistake)
{
	char command[256], complaint[512];
	snprintf(command, sizeof command, "$YOMI %s 2>&1 </dev/null", mistakes[_i].words);
	snprintf(complaint, sizeof complaint, "yomi: %s\n", mistakes[_i].complaint);
	expect(command, 2, complaint);
	snprintf(command, sizeof command, "$YOMI %s 2>/dev/null </dev/null", mistakes[_i].words);
	expect(command, 2, "");
}
END_TEST

/* Mistakes of tools, after the words "yomi". */
static const struct {
	const char *words, *complaint;
} tool_mistakes[] = {
	{ "report", "yomi-report: usage: yomi-report FILE; see yomi-report --help" },
	{ "report a b", "yomi-report: usage: yomi-report FILE; see yomi-report --help" },
	{ "report a --threads 1",
	  "yomi-report: yomi-report takes no --threads; yomi does; see yomi-report --help" },
	{ "report a --outptu=b",
	  "yomi-report: there is no option --outptu; did you mean --output?" },
	{ "report a --rules tajima", "yomi-report: othello has no rules tajima; its rules: "
				     "standard, anti; see yomi-report --help" },
	{ "report a --size 9",
	  "yomi-report: othello has no size 9; its sizes: 8, 6, 4; see yomi-report --help" },
	{ "match a b --size 9",
	  "yomi-match: othello has no size 9; its sizes: 8, 6, 4; see yomi-match --help" },
	{ "match --check a --size 9",
	  "yomi-match: --size goes with --game; see yomi-match --help" },
	{ "match --check a --game pentago --size 9",
	  "yomi-match: pentago has no size 9; its sizes: 6; see yomi-match --help" },
	{ "train othello x --size 9",
	  "yomi-train: othello has no size 9; its sizes: 8, 6, 4; see yomi-train --help" },
	{ "book othello x --size 9",
	  "yomi-book: othello has no size 9; its sizes: 8, 6, 4; see yomi-book --help" },
	{ "match a", "yomi-match: a match needs two engines or more; see yomi-match --help" },
	{ "match a b --games=1.5",
	  "yomi-match: games is a whole number from 1 to 100000; see yomi-match --help" },
	{ "match a b --time=0",
	  "yomi-match: time is a number from 0.001 to 1000000; see yomi-match --help" },
	{ "match a b --schedule=gantlet",
	  "yomi-match: schedule is one of roundrobin gauntlet; did you mean gauntlet?" },
	{ "match a b -t", "yomi-match: there is no option -t; see yomi-match --help" },
	{ "match --config x", "yomi-match: there is no option --config; see yomi-match --help" },
	{ "train othelo x", "yomi-train: there is no game othelo; did you mean othello?" },
	{ "train othello", "yomi-train: usage: yomi-train GAME OUTPUT; see yomi-train --help" },
	{ "book tictactoe x --confirm",
	  "yomi-book: tictactoe has no book to confirm; see yomi-book --help" },
	{ "book breakthrough x",
	  "yomi-book: breakthrough cannot have a book: its moves leave as many squares empty as "
	  "before; see yomi-book --help" },
	{ "book --rules=anti othello x", "yomi-book: othello cannot have a book: its search finds "
					 "results, not scores; see yomi-book "
					 "--help" },
	{ "book othello x --step=-1",
	  "yomi-book: step is a number from 0 to 1000; see yomi-book --help" },
	{ "--seed 1 match", "yomi: match must be the first word: yomi match ...; see yomi --help" },
	{ "mtach", "yomi: there is no mode mtach; did you mean match?" },
	{ "help mtach", "yomi: there is no help on mtach: type a mode or a tool, or all; for rules "
			"and GTP commands "
			"start yomi and type help; see yomi --help" },
};

START_TEST(tool_mistake)
{
	char command[256], complaint[512];
	snprintf(command, sizeof command, "$YOMI %s 2>&1 </dev/null", tool_mistakes[_i].words);
	snprintf(complaint, sizeof complaint, "%s\n", tool_mistakes[_i].complaint);
	expect(command, 2, complaint);
}
END_TEST

/* Without its tools, the program says how to get them. It finds them in $PATH, too. */
START_TEST(tools_elsewhere)
{
	expect("cp $YOMI $D/yomi/yomi; $D/yomi/yomi match --help 2>&1", 127,
	       "yomi: yomi-match is not installed; `make` builds it beside yomi, `make install` "
	       "and the Debian package install it\n");
	expect("cp $YOMI $D/yomi/yomi; PATH=$(realpath $YOMI_BUILD):$PATH $D/yomi/yomi match "
	       "--help | head -c 17",
	       0, "Usage: yomi-match");
	expect("touch $D/yomi/yomi-match; cp $YOMI $D/yomi/yomi; $D/yomi/yomi match --help 2>&1",
	       127, "yomi: cannot start yomi-match: Permission denied\n");
}
END_TEST

#define ASK "$YOMI --command 'param search' --command 'param rules' </dev/null "

static const struct {
	const char *config, *words, *answer;
} settings[] = {
	{ "", "", "= auto\n\n= standard\n\n" },
	{ "search = dfpn # proofs\n", "", "= dfpn\n\n= standard\n\n" },
	{ "search = dfpn\nsearch = random\n", "", "= random\n\n= standard\n\n" },
	{ "search = dfpn\n", "--search=negamax", "= negamax\n\n= standard\n\n" },
	{ "search = dfpn\n", "--no-config", "= auto\n\n= standard\n\n" },
	{ "search = dfpn\n", "--config /dev/null", "= auto\n\n= standard\n\n" },
	{ "rules = tajima\ngame = pentago\n", "", "= auto\n\n= tajima\n\n" },
	{ "rules = tajima\ngame = pentago\n", "--game Pentago", "= auto\n\n= tajima\n\n" },
	{ "rules = tajima\ngame = pentago\n", "--rules openspiel", "= auto\n\n= openspiel\n\n" },
	{ "rules = tajima\ngame = pentago\n", "--game othello", "= auto\n\n= standard\n\n" },
	{ "size = 6\nrules = tajima\ngame = pentago\n", "--game Pentago",
	  "= auto\n\n= tajima\n\n" },
	{ "size = 6\ngame = pentago\n", "--game othello", "= auto\n\n= standard\n\n" },
	{ "size = 8\n", "--game TicTacToe", "= auto\n\n= standard\n\n" },
	{ "size = 8\n", "--game tictactoe --size 3x3", "= auto\n\n= standard\n\n" },
};

START_TEST(setting)
{
	char command[256];
	write_config(settings[_i].config);
	snprintf(command, sizeof command, ASK "%s 2>&1", settings[_i].words);
	expect(command, 0, settings[_i].answer);
}
END_TEST

static const struct {
	const char *config, *complaint;
} wrong_settings[] = {
	{ "# mine\nthread = 4\n", "2: there is no option thread; did you mean threads?" },
	{ "threads\n", "1: a line must be: name = value; see yomi --help" },
	{ "threads = many", "1: threads is a whole number from 1 to 256; see yomi --help" },
	{ "\n\ngame = otello\n", "3: there is no game otello; did you mean othello?" },
	{ "game = pentago\nrules = tajma\n#\n",
	  "2: pentago has no rules tajma; did you mean tajima?" },
	{ "rules = tajima\n#\n",
	  "1: othello has no rules tajima; its rules: standard, anti; see yomi --help" },
	{ "size = 9\n#\n", "1: othello has no size 9; its sizes: 8, 6, 4; see yomi --help" },
	{ "size = 8\n\ngame = pentago\nrules = tajima\n",
	  "1: pentago has no size 8; its sizes: 6; see yomi --help" },
	{ "command = quit\n", "1: command is allowed on the command line only; see yomi --help" },
	{ "--threads = 1\n", "1: there is no option --threads; did you mean threads?" },
};

START_TEST(wrong_setting)
{
	char complaint[512];
	write_config(wrong_settings[_i].config);
	snprintf(complaint, sizeof complaint, "yomi: $D/yomi/config:%s\n",
		 wrong_settings[_i].complaint);
	expect("$YOMI --log $D/log --command name 2>&1 </dev/null", 2, complaint);
	/* No file was created. */
	expect("ls $D", 0, "yomi\n");
	/* Commands that do not read it are unaffected. */
	expect("$YOMI --no-config --command name 2>&1 </dev/null", 0, "= yomi\n\n");
	expect("$YOMI --help >/dev/null 2>&1", 0, "");
	expect("$YOMI perft tictactoe 1 >/dev/null 2>&1", 0, "");
	expect("$YOMI perft tictactoe 1 --no-config >/dev/null 2>&1", 0, "");
	/* White may swap in games, here only if it is told. */
	expect("$YOMI perft hex 2 --size=3 | grep -c ' 72  '", 0, "1\n");
	expect("$YOMI perft hex 2 --size=3 --swap=always | grep -c ' 81  '", 0, "1\n");
	expect("$YOMI solve hex --size=3 --swap=always ......... X | grep -c loss", 0, "1\n");
}
END_TEST

/* An option is also set by its former name. Answers and lists have the new name only. */
START_TEST(former_names)
{
	static const char ask[] = "--command 'param evaluator' --command 'param batch' </dev/null";
	char command[256];
	write_config("judge = 0\n");
	snprintf(command, sizeof command, "$YOMI --lanes=0 %s", ask);
	expect(command, 0, "= 0\n\n= 0\n\n");
	snprintf(command, sizeof command, "$YOMI --no-config --judge 0 --lanes off %s", ask);
	expect(command, 0, "= 0\n\n= 0\n\n");
	snprintf(command, sizeof command,
		 "$YOMI --no-config --command 'param judge 0' --command 'param lanes 0' %s", ask);
	expect(command, 0, "=\n\n=\n\n= 0\n\n= 0\n\n");
	expect("$YOMI --no-config --command 'kata-set-params {\"judge\": false}' --command "
	       "'kata-get-param judge' </dev/null",
	       0, "=\n\n= 0\n\n");
	expect("$YOMI --no-config --judge=2 --command name 2>&1 </dev/null", 2,
	       "yomi: evaluator is 0 or 1; see yomi --help\n");
	expect("($YOMI --help; $YOMI help all; $YOMI manual; $YOMI complete -- --; $YOMI "
	       "--no-config --command param --command kata-list-params --command kata-get-params "
	       "</dev/null) | grep -cE 'judge|lanes'",
	       1, "0\n");
}
END_TEST

START_TEST(named_config)
{
	write_config("search = dfpn\n");
	expect("echo search=random >$D/mine; " ASK "--config $D/mine", 0,
	       "= random\n\n= standard\n\n");
	/* From a pipe, too. */
	expect("echo search=random | $YOMI --config /dev/stdin --command 'param search'", 0,
	       "= random\n\n");
	expect("XDG_CONFIG_HOME=/dev/null " ASK, 0, "= auto\n\n= standard\n\n");
	expect("mkdir -p $D/.config/yomi; echo search=random >$D/.config/yomi/config; HOME=$D "
	       "XDG_CONFIG_HOME= " ASK,
	       0, "= random\n\n= standard\n\n");
}
END_TEST

START_TEST(config_that_is_no_file)
{
	ck_assert_int_eq(mkdir(path, 0700), 0);
	expect("$YOMI --command name 2>&1 </dev/null", 2,
	       "yomi: cannot read $D/yomi/config: Is a directory; see yomi --help\n");
}
END_TEST

/* Reads an empty command line as a user without rights. The exit status is 0 if there was no message. */
static void read_without_rights(void)
{
	static const struct mode modes[] = { { .name = "gtp" }, { 0 } };
	static const struct flag flags[] = { { 0 } };
	static const struct program program = {
		.name = "yomi", .modes = modes, .flags = flags, .is_engine = true
	};
	struct arguments a;
	char why[COMPLAINT_MAX] = "";
	if (geteuid() == 0 && setuid(65534) != 0)
		_exit(2);
	bool good = arguments_read(&a, &program, NULL, 0, NULL, why);
	arguments_free(&a);
	_exit(good ? 0 : strstr(why, "config: Permission denied") ? 1 : 2);
}

static int status_without_rights(void)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		read_without_rights();
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

/* An existing config file must be readable. One that cannot be searched for counts as missing. */
START_TEST(config_without_rights)
{
	write_config("threads = 1\n");
	ck_assert_int_eq(chmod(folder, 0755), 0);
	ck_assert_int_eq(system("chmod 755 $D/yomi; chmod 644 $D/yomi/config"), 0);
	ck_assert_int_eq(status_without_rights(), 0);
	ck_assert_int_eq(chmod(path, 0), 0);
	ck_assert_int_eq(status_without_rights(), 1);
	ck_assert_int_eq(system("chmod 0 $D/yomi"), 0);
	ck_assert_int_eq(status_without_rights(), 0);
	ck_assert_int_eq(system("chmod 755 $D/yomi; rm $D/yomi/config"), 0);
	ck_assert_int_eq(status_without_rights(), 0);
}
END_TEST

START_TEST(commands)
{
	expect("printf '3 echo c\\n' | $YOMI --command '1 echo a' --command='2 echo b'", 0,
	       "=1 a\n\n=2 b\n\n=3 c\n\n");
	expect("$YOMI --command '# nothing' --command '' </dev/null", 0, "");
	expect("printf '1 name\\n' | $YOMI --command quit", 0, "=\n\n");
	expect("printf 'name\\n' | $YOMI --command 'no such'", 0,
	       "? unknown command\n\n= yomi\n\n");
	/* Commands after a search wait for it. A line of input ends a search without limit. */
	expect("printf 'echo c\\n' | $YOMI --game tictactoe --search random --command 'genmove b' "
	       "--command 'echo b' | sed 's/[ABC][123]/a/'",
	       0, "= a\n\n= b\n\n= c\n\n");
}
END_TEST

#define GAME_NAMES NULL /* the names of all games */

static const struct {
	const char *words, *offered; /* first column, one per line */
} completions[] = {
	{ "", "gtp\nweb\nanalysis\nsolve\nreview\npuzzles\nverify\nperft\ngames\ncheck\nbench\nhelp"
	      "\nmanual\ncomp"
	      "lete\nmat"
	      "ch\nrepo"
	      "rt\ntrai"
	      "n\nbook\nopenings\n" },
	{ "p", "puzzles\nperft\n" },
	{ "ma", "manual\nmatch\n" },
	{ "help b", "bench\nbook\n" },
	{ "help a", "analysis\nall\n" },
	{ "bench --", "--kernel=\n--signature\n--help\n--version\n" },
	{ "bench --kernel ''", "auto\nportable\navx2\navx512\n" },
	{ "perft ''", GAME_NAMES },
	{ "perft pentago --r", "--rules=\n" },
	{ "perft pentago --rules=", "--rules=standard\n--rules=tajima\n--rules=openspiel\n" },
	{ "perft tictactoe --size=", "--size=3\n" },
	{ "--game pentago --size ''", "6\n" },
	{ "--size ''", "8\n6\n4\n" },
	{ "--game nothing --size ''", "" },
	{ "perft othello ''", "" },
	{ "report --o", "--output=\n" },
	{ "report x", ":files\n" },
	{ "report --game=oth", "--game=othello\n" },
	{ "match --o", "--opening-moves=\n--openings=\n--output=\n" },
	{ "match --colours = f", "fixed\n" },
	{ "match --output x", ":files\n" },
	{ "match --game pentago --rules t", "tajima\n" },
	{ "match ./yo", "" },
	{ "train '' | head -n 3", "show\nothello\ntictactoe\n" },
	{ "book pentago x", ":files\n" },
	{ "--ver", "--version\n--verbose\n" },
	{ "solve pentago --ver", "--verify\n--version\n" },
	{ "solve ''", GAME_NAMES },
	{ "solve othello --file x", ":files\n" },
	{ "--thr", "--threads=\n" },
	{ "--threads ''", "" },
	{ "--threads 4 --thr", "--threads=\n" },
	{ "--search m", "montecarlo\nmcts\n" },
	{ "--search=m", "--search=montecarlo\n--search=mcts\n" },
	{ "--search = m", "montecarlo\nmcts\n" },
	{ "--search = mcts be", "bench\n" },
	{ "--search =",
	  "auto\nrandom\nmontecarlo\nmcts\nnegamax\nalphabeta-plain\nalphabeta\npns\ndfpn\n"
	  "dfpn+mcts\nunion\n" },
	{ "--verbose be", "bench\n" },
	{ "--verbose=", "--verbose=0\n--verbose=1\n" },
	{ "--verbose =", "0\n1\n" },
	{ "--game pen", "pentago\n" },
	{ "--game othello --rules ''", "standard\nanti\n" },
	{ "--game = pentago --rules = t", "tajima\n" },
	{ "--game=pentago --rules = t", "tajima\n" },
	{ "--rules t", "tajima\ntromp-taylor\n" },
	{ "--log x", ":files\n" },
	{ "--log=x", ":files\n" },
	{ "--log x --no-c", "--no-config\n" },
	{ "--command protocol_v", "protocol_version\n" },
	{ "--nothing=", "" },
	{ "--choice=w", "--choice=winrate\n" },
	{ "nothing --nothing", "" },
	{ "x", "" },
};

START_TEST(completion)
{
	char command[256], names[1024] = "";
	for (int i = 0; games[i]; i++)
		if (game_find(games[i]->name, NULL) == games[i])
			strcat(strcat(names, games[i]->name), "\n");
	snprintf(command, sizeof command, "$YOMI complete -- %s | cut -f1", completions[_i].words);
	expect(command, 0, completions[_i].offered ? completions[_i].offered : names);
}
END_TEST

/* The script calls the program and gives bash the words without their explanations. */
START_TEST(completion_of_bash)
{
	static const char script[] =
		"compopt() { echo \"$*\"; }; . tools/completion/yomi.bash; complete -p yomi; try() "
		"{ COMP_WORDS=(yomi \"$@\") COMP_CWORD=$#; _yomi \"$YOMI\"; echo "
		"\"${COMPREPLY[*]}\"; }; ";
	static const struct {
		const char *words, *said;
	} cases[] = {
		{ "p", "puzzles perft\n" },
		{ "--search = m", "montecarlo mcts\n" },
		{ "--search =", "auto random montecarlo mcts negamax alphabeta-plain alphabeta "
				"pns dfpn dfpn+mcts union\n" },
		{ "--thr", "-o nospace\n--threads=\n" },
		{ "--threads ''", "\n" },
		{ "--log = tools/completion/y",
		  "-o filenames\ntools/completion/yomi.bash tools/completion/yomi.fish\n" },
		{ "perft pentago --rules = ''", "standard tajima openspiel\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char command[1024], said[256];
		snprintf(command, sizeof command, "bash -c '%s try '\"%s\"", script,
			 cases[i].words);
		snprintf(said, sizeof said, "complete -F _yomi yomi\n%s", cases[i].said);
		expect(command, 0, said);
	}
}
END_TEST

/* A note says how a game was read that does not name itself. */
START_TEST(loaded_game)
{
	static const char command[] = "printf '(;SZ[8];B[df])' >$D/x.sgf; printf 'loadsgf %s\n' "
				      "$D/x.sgf | $YOMI --no-config --verbose 2>&1 >/dev/null";
	expect(command, 0, "read as othello, rows from the bottom\n");
}
END_TEST

/* HTML and roff are not written to a terminal. */
START_TEST(output_for_no_terminal)
{
	int terminal, side;
	char bytes[16];
	ck_assert_int_eq(openpty(&terminal, &side, NULL, NULL, NULL), 0);
	setenv("T", ttyname(side), 1);
	expect("$YOMI manual 2>&1 >$T", 2,
	       "yomi: a terminal cannot show the source of a man page; type: yomi manual | man -l "
	       "-\n");
	expect("$YOMI report $D/none 2>&1 >$T", 2,
	       "yomi-report: a terminal cannot show HTML; type: yomi report FILE --output "
	       "PAGE.html\n");
	expect("printf '(;GM[2]RE[B+R];B[dc])' >$D/g.sgf; $YOMI report $D/g.sgf --output $D/page "
	       "2>&1 >$T",
	       0, "");
	ck_assert_int_eq(fcntl(terminal, F_SETFL, O_NONBLOCK), 0);
	ck_assert_int_lt((int)read(terminal, bytes, sizeof bytes), 1);
	close(side);
	close(terminal);
}
END_TEST

/* What is a position, and what an error is about. */
START_TEST(solved_positions)
{
	static const struct {
		const char *command;
		int status;
		const char *output;
	} rows[] = {
		/* The first line of a table may name its columns. */
		{ "printf 'id\tboard\tside\n1\tXX.OO....\tX\n' | $YOMI solve tictactoe", 0,
		  "position  XX.OO.... X\nvalue     win (black wins)\n" },
		{ "printf 'positions\tside\nXX.OO....\tX\n' | $YOMI solve tictactoe", 0,
		  "position  XX.OO.... X\nvalue     win (black wins)\n" },
		{ "printf 'moves\tvalue\na1b2\tx\n' | $YOMI solve tictactoe", 0,
		  "position  X...O.... X\nvalue     draw\n" },
		{ "printf 'a1b2\tb1c1\n' | $YOMI solve tictactoe", 0, "position  X...O.... X\n" },
		{ "printf 'moves\tvalue\n' | $YOMI solve tictactoe", 2,
		  "yomi: line 1: 'moves' is not legal as move 1\n" },
		{ "printf 'a1b2\tx\nz9\tx\n' | $YOMI solve tictactoe | cat", 0,
		  "yomi: line 2: 'z9' is not legal as move 1\n" },
		{ "printf 'a1z9\tx\n' | $YOMI solve tictactoe", 2,
		  "yomi: line 1: 'z9' is not legal as move 2\n" },
		/* A wrong board is no move, and its side is its own. */
		{ "$YOMI solve tictactoe 'XX?OO....' X", 2,
		  "yomi: XX?OO....: a square is X, O, '.' or '-'\n" },
		{ "$YOMI solve tictactoe 'XX0OO....' white", 2,
		  "yomi: XX0OO....: a square is X, O, '.' or '-'\n" },
		{ "$YOMI solve tictactoe XX.OO..... X", 2,
		  "yomi: XX.OO.....: the board has the wrong number of squares\n" },
		{ "$YOMI solve tictactoe XX.OO...X", 2,
		  "yomi: XX.OO...X: type a position as BOARD SIDE, or as moves\n" },
		{ "$YOMI solve tictactoe XX.OO.... q", 2, "yomi: XX.OO....: the side is X or O\n" },
		{ "$YOMI solve tictactoe XX.OO....X XX.OO....X", 0,
		  "position  XX.OO.... X\nvalue     win (black wins)\n" },
		/* Half points only. */
		{ "$YOMI solve go --komi=0.25 ......... X", 2,
		  "yomi: --komi: 0.25 is no multiple of 0.5; see yomi --help\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char command[256];
		int status;
		snprintf(command, sizeof command, "{ %s; } 2>&1", rows[i].command);
		char *output = process_shell(command, &status);
		ck_assert_msg(status == rows[i].status && strstr(output, rows[i].output) &&
				      (status == 0 || strcmp(output, rows[i].output) == 0),
			      "%s: %d, %s", rows[i].command, status, output);
		free(output);
	}
}
END_TEST

/* A closed pipe causes no message. A full disk does. */
START_TEST(output_that_cannot_be_written)
{
	int fds[2];
	char command[64];
	ck_assert_int_eq(pipe(fds), 0);
	close(fds[0]);
	snprintf(command, sizeof command, "trap '' PIPE; $YOMI manual 2>&1 >&%d", fds[1]);
	expect(command, 1, "");
	close(fds[1]);
	expect("$YOMI manual 2>&1 >/dev/full", 1,
	       "yomi: the output could not be written: No space left on device\n");
	expect("$YOMI solve tictactoe ......... X 2>&1 >/dev/full", 1,
	       "yomi: the output could not be written\n");
	expect("$YOMI report tools/results/games/tictactoe-self.sgf.zst 2>&1 >/dev/full", 1,
	       "yomi-report: the output could not be written\n");
	/* The output is closed. */
	expect("$YOMI perft tictactoe 2 2>&1 >&-", 1,
	       "yomi: the output could not be written: Bad file descriptor\n");
	expect("echo name | $YOMI 2>&1 >&-", 1,
	       "yomi: the output could not be written: Bad file descriptor\n");
}
END_TEST

/* The old file stays if the new page cannot be written. */
START_TEST(page_that_cannot_be_written)
{
	expect("echo old >$D/page; trap '' XFSZ; ulimit -f 1; $YOMI report "
	       "tools/results/games/tictactoe-self.sgf.zst --output=$D/page 2>&1; status=$?; cat "
	       "$D/page; ls $D; exit $status",
	       1, "yomi-report: cannot write $D/page: File too large\nold\npage\nyomi\n");
}
END_TEST

int main(void)
{
	commands_use(tables_commands);
	Suite *suite = suite_create("main");
	TCase *cases = tcase_create("main");
	tcase_add_checked_fixture(cases, set_up, folder_remove);
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, help);
	tcase_add_test(cases, help_on_everything);
	tcase_add_test(cases, help_of_a_mode);
	tcase_add_test(cases, help_of_a_tool);
	tcase_add_test(cases, manual);
	tcase_add_test(cases, version);
	tcase_add_test(cases, libraries);
	tcase_add_test(cases, kernels);
	tcase_add_loop_test(cases, mistake, 0, sizeof mistakes / sizeof mistakes[0]);
	tcase_add_loop_test(cases, tool_mistake, 0, sizeof tool_mistakes / sizeof tool_mistakes[0]);
	tcase_add_test(cases, tools_elsewhere);
	tcase_add_loop_test(cases, setting, 0, sizeof settings / sizeof settings[0]);
	tcase_add_loop_test(cases, wrong_setting, 0,
			    sizeof wrong_settings / sizeof wrong_settings[0]);
	tcase_add_test(cases, former_names);
	tcase_add_test(cases, named_config);
	tcase_add_test(cases, config_that_is_no_file);
	tcase_add_test(cases, config_without_rights);
	tcase_add_test(cases, commands);
	tcase_add_loop_test(cases, completion, 0, sizeof completions / sizeof completions[0]);
	tcase_add_test(cases, completion_of_bash);
	tcase_add_test(cases, loaded_game);
	tcase_add_test(cases, solved_positions);
	tcase_add_test(cases, output_for_no_terminal);
	tcase_add_test(cases, output_that_cannot_be_written);
	tcase_add_test(cases, page_that_cannot_be_written);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
