/* SPDX-License-Identifier: MIT
 *
 * yomi-match: the command line of the tournament tool (tools/match/): plays games between GTP engines, checks
 * an engine, prints or imports stored games.
 */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "tools/check/checklist.h"
#include "tools/lib/message.h"
#include "tools/match/interrupt.h"
#include "tools/match/elo.h"
#include "tools/match/sprt.h"
#include "tools/match/stored.h"
#include "tools/match/tournament.h"

#define EXIT_USAGE    2
#define MATCH_TIMEOUT 60 /* default of --timeout in seconds */
#define CHECK_TIMEOUT 10

/* The command line. */
struct arguments {
	const char *game_name, *rules;
	const char *import, *score, *sgf, *check;
	struct settings settings;
};

/* Returns the game of --game and --rules, NULL if there is none. */
static const struct game *chosen_game(const struct arguments *a)
{
	return game_find(a->game_name ? a->game_name : "othello", a->rules);
}

/* Same, but NULL if neither option was given. Games that do not name themselves are read as this one. */
static const struct game *given_game(const struct arguments *a)
{
	return a->game_name || a->rules ? chosen_game(a) : NULL;
}

/* Checks an engine against what clients demand. Returns the exit status. */
static int check_engine(const struct arguments *a)
{
	static const int statuses[] = {
		[CHECKLIST_MET] = 0,
		[CHECKLIST_FAILED] = 1,
		[CHECKLIST_NOT_STARTED] = EXIT_USAGE,
	};
	const struct terms *t = &a->settings.terms;
	int stderr_fd = tournament_open_stderr(a->settings.stderr_file);
	if (stderr_fd < 0 || !interrupt_init())
		return EXIT_USAGE;
	struct checklist c = {
		.command = a->check,
		.game_name = a->game_name,
		.game = t->game,
		.patience = t->timeout > 0 ? t->timeout : CHECK_TIMEOUT,
		.stderr_fd = stderr_fd,
		.cancel_fd = interrupt_fd(),
	};
	enum checklist_result result = checklist_run(&c, stdout);
	close(stderr_fd);
	if (result == CHECKLIST_CANCELLED)
		return 128 + interrupt_signal();
	return message_end_output(statuses[result]);
}

/* --- arguments --- */

static const char help[] =
	"Usage: match [OPTION...] 'COMMAND A' 'COMMAND B'...\n"
	"       match --check COMMAND [--game=NAME] [--timeout=SECONDS]\n"
	"       match --score=FILE | --sgf=FILE | --import=FILE --output=DATABASE\n"
	"Plays a match of GTP engines, each started by the shell, and prints their scores. A "
	"command\n"
	"may have a name before it: 'new: ./yomi'.\n"
	"\n"
	"  --game=NAME            the game (othello)\n"
	"  --rules=NAME           its rule set (the game's usual one)\n"
	"  --games=N              games of each two engines, whole pairs of them (100)\n"
	"  --schedule=roundrobin|gauntlet   of more than two engines: each against each, or A "
	"against\n"
	"                         all others (roundrobin)\n"
	"  --sprt=ELO0,ELO1[,ALPHA,BETA]    end the match of two as soon as it is decided whether "
	"A is\n"
	"                         stronger by ELO1 rather than by ELO0, with chances ALPHA and "
	"BETA of\n"
	"                         being wrong (0.05); --games is then the most\n"
	"  --concurrency=N        games at a time (1)\n"
	"  --colours=both|fixed   each opening twice with colours exchanged, or the engine given "
	"first\n"
	"                         always plays first (both)\n"
	"  --opening-moves=N      random moves before the engines choose (6; 0 with fixed "
	"colours)\n"
	"  --openings=FILE        openings instead: one a line, moves as words or in one word\n"
	"  --seed=N               chooses the openings, and the engines' seeds by "
	"set_random_seed;\n"
	"                         0 (the usual one) leaves the engines unseeded\n"
	"  --time=SECONDS         time a move, by set_time or else time_settings\n"
	"  --clock=MAIN[+PERIOD/STONES]   a game clock in seconds; who oversteps it loses\n"
	"  --timeout=SECONDS      patience beyond these times, and with other commands (60)\n"
	"  --output=DATABASE      write games as they end; go on with those that are missing\n"
	"  --name=TEXT            what tells this match from others on the same terms there\n"
	"  --notes=yes|no         keep what engines say of their moves, besides the values (yes)\n"
	"  --stderr=FILE          append what the engines write to stderr (/dev/null)\n"
	"Without --time and --clock the engines use their own limits.\n"
	"\n"
	"  --check COMMAND        check one engine against what GTP clients demand: prints what "
	"fails\n"
	"                         and which clients it affects. Exit status 0: all is met, 1: "
	"something\n"
	"                         failed, 2: the engine does not start. --game: asked of the "
	"engine;\n"
	"                         without a game that is known here, rules are not checked. "
	"--timeout:\n"
	"                         patience with each answer (10)\n"
	"  --score=FILE           print for each two engines games, won, drawn, lost, score, its "
	"95 %\n"
	"                         interval, forfeits of A and of B, and behind tabs their names\n"
	"  --sgf=FILE             print all games in SGF\n"
	"  --import=FILE          add games in SGF to the database of --output; the exit status "
	"is 1 if\n"
	"                         there is none that can be used\n"
	"FILE is a database or games in SGF. Of these, games that do not name themselves, as "
	"GoGui's,\n"
	"are read as --game and --rules say, or as the first game that fits.\n";

__attribute__((format(printf, 1, 2))) static bool complain(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("match: ", stderr);
	vfprintf(stderr, format, args);
	fputs("; see match --help\n", stderr);
	va_end(args);
	return false;
}

static bool read_int(const char *name, const char *text, int min, int max, int *out)
{
	return (gtp_int(text, out) && *out >= min && *out <= max) ||
	       complain("--%s wants a number from %d to %d, not %s", name, min, max, text);
}

static bool read_seconds(const char *name, const char *text, double *out)
{
	return (gtp_real(text, out) && *out > 0 && *out <= 1e6) ||
	       complain("--%s wants seconds above 0, not %s", name, text);
}

/* Reads MAIN[+PERIOD/STONES]. */
static bool read_clock(struct settings *o, const char *text)
{
	struct terms *t = &o->terms;
	char copy[64], *rest = copy;
	snprintf(copy, sizeof copy, "%s", text);
	const char *main_time = strsep(&rest, "+"), *period = strsep(&rest, "/");
	o->clock = text;
	t->has_clock = true;
	bool good = strlen(text) < sizeof copy && gtp_int(main_time, &t->main_time);
	if (period)
		good = good && rest && gtp_int(period, &t->period) && t->period > 0 &&
		       gtp_int(rest, &t->stones) && t->stones > 0;
	return (good && (t->main_time > 0 || t->period > 0)) ||
	       complain("--clock wants MAIN or MAIN+PERIOD/STONES in whole seconds, not %s", text);
}

/* Reads one of two words. */
static bool read_choice(const char *name, const char *text, const char *no, const char *yes,
			bool *out)
{
	*out = strcmp(text, yes) == 0;
	return *out || strcmp(text, no) == 0 ||
	       complain("--%s is %s or %s, not %s", name, no, yes, text);
}

/* Reads ELO0,ELO1[,ALPHA,BETA]. */
static bool read_test(struct settings *o, const char *text)
{
	struct sprt *t = &o->sprt;
	double *const numbers[] = { &t->elo0, &t->elo1, &t->alpha, &t->beta };
	char copy[128], *rest = copy;
	int count = 0;
	snprintf(copy, sizeof copy, "%s", text);
	*t = (struct sprt) { .alpha = 0.05, .beta = 0.05 };
	bool good = strlen(text) < sizeof copy;
	for (; good && rest && count < 4; count++)
		good = gtp_real(strsep(&rest, ","), numbers[count]);
	o->tested = true;
	return (good && !rest && (count == 2 || count == 4) && sprt_is_sound(t)) ||
	       complain("--sprt wants ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, not %s", text);
}

enum flag {
	FLAG_GAME,
	FLAG_RULES,
	FLAG_GAMES,
	FLAG_CONCURRENCY,
	FLAG_COLOURS,
	FLAG_OPENING_MOVES,
	FLAG_OPENINGS,
	FLAG_SEED,
	FLAG_TIME,
	FLAG_CLOCK,
	FLAG_TIMEOUT,
	FLAG_OUTPUT,
	FLAG_STDERR,
	FLAG_SCHEDULE,
	FLAG_SPRT,
	FLAG_NAME,
	FLAG_NOTES,
	FLAG_SCORE,
	FLAG_SGF,
	FLAG_IMPORT,
	FLAG_CHECK,
	FLAG_HELP
};

static const struct option long_options[] = {
	{ "game", required_argument, NULL, FLAG_GAME },
	{ "rules", required_argument, NULL, FLAG_RULES },
	{ "games", required_argument, NULL, FLAG_GAMES },
	{ "concurrency", required_argument, NULL, FLAG_CONCURRENCY },
	{ "colours", required_argument, NULL, FLAG_COLOURS },
	{ "opening-moves", required_argument, NULL, FLAG_OPENING_MOVES },
	{ "openings", required_argument, NULL, FLAG_OPENINGS },
	{ "seed", required_argument, NULL, FLAG_SEED },
	{ "time", required_argument, NULL, FLAG_TIME },
	{ "clock", required_argument, NULL, FLAG_CLOCK },
	{ "timeout", required_argument, NULL, FLAG_TIMEOUT },
	{ "output", required_argument, NULL, FLAG_OUTPUT },
	{ "stderr", required_argument, NULL, FLAG_STDERR },
	{ "schedule", required_argument, NULL, FLAG_SCHEDULE },
	{ "sprt", required_argument, NULL, FLAG_SPRT },
	{ "name", required_argument, NULL, FLAG_NAME },
	{ "notes", required_argument, NULL, FLAG_NOTES },
	{ "score", required_argument, NULL, FLAG_SCORE },
	{ "sgf", required_argument, NULL, FLAG_SGF },
	{ "import", required_argument, NULL, FLAG_IMPORT },
	{ "check", required_argument, NULL, FLAG_CHECK },
	{ "help", no_argument, NULL, FLAG_HELP },
	{ 0 },
};

static bool read_option(struct arguments *a, enum flag flag, const char *text)
{
	struct settings *o = &a->settings;
	const char *name = long_options[flag].name;
	switch (flag) {
	case FLAG_GAME:
		a->game_name = text;
		return true;
	case FLAG_RULES:
		a->rules = text;
		return true;
	case FLAG_GAMES:
		return read_int(name, text, 1, TOURNAMENT_GAMES_MAX, &o->games);
	case FLAG_CONCURRENCY:
		return read_int(name, text, 1, TOURNAMENT_SLOTS_MAX, &o->concurrency);
	case FLAG_COLOURS:
		return read_choice(name, text, "both", "fixed", &o->fixed);
	case FLAG_OPENING_MOVES:
		return read_int(name, text, 0, 200, &o->opening_moves);
	case FLAG_OPENINGS:
		o->openings_file = text;
		return true;
	case FLAG_SEED:
		return read_int(name, text, 0, GTP_INT_MAX, &o->seed);
	case FLAG_TIME:
		return read_seconds(name, text, &o->terms.move_time);
	case FLAG_CLOCK:
		return read_clock(o, text);
	case FLAG_TIMEOUT:
		return read_seconds(name, text, &o->terms.timeout);
	case FLAG_OUTPUT:
		o->output = text;
		return true;
	case FLAG_STDERR:
		o->stderr_file = text;
		return true;
	case FLAG_SCHEDULE:
		return read_choice(name, text, "roundrobin", "gauntlet", &o->gauntlet);
	case FLAG_SPRT:
		return read_test(o, text);
	case FLAG_NAME:
		o->name = text;
		return true;
	case FLAG_NOTES:
		return read_choice(name, text, "no", "yes", &o->terms.notes);
	case FLAG_IMPORT:
		a->import = text;
		return true;
	case FLAG_CHECK:
		a->check = text;
		return true;
	case FLAG_SCORE:
		a->score = text;
		return true;
	case FLAG_SGF:
		a->sgf = text;
		return true;
	case FLAG_HELP:
		break;
	}
	return false;
}

/* Checks that the chosen game exists. Returns false after a message. */
static bool check_game(const struct arguments *a)
{
	if (chosen_game(a))
		return true;
	return a->game_name && !game_find(a->game_name, NULL)
		       ? complain("there is no game %s", a->game_name)
		       : complain("%s has no rules %s", a->game_name ? a->game_name : "othello",
				  a->rules);
}

/* Finds the game of the engine under test. A game that is unknown here has no rules. */
static bool complete_check(struct arguments *a)
{
	const struct game **game = &a->settings.terms.game;
	if (!a->game_name)
		return !a->rules || complain("--rules goes with --game");
	*game = game_find(a->game_name, a->rules);
	return *game || !game_find(a->game_name, NULL) || check_game(a);
}

/* Checks the combination of arguments for a tournament of `count` engines and fills in defaults. Returns
 * false after a message. */
static bool complete_settings(struct arguments *a, int count)
{
	struct settings *o = &a->settings;
	struct terms *t = &o->terms;
	t->game = chosen_game(a);
	if (count < 2)
		return complain("two engines are wanted, or more");
	if (count > RATING_PLAYERS_MAX)
		return complain("%d engines at most can play", RATING_PLAYERS_MAX);
	if (t->timeout == 0)
		t->timeout = MATCH_TIMEOUT;
	if (t->move_time > 0 && t->has_clock)
		return complain("--time and --clock exclude each other");
	if (o->openings_file && o->opening_moves >= 0)
		return complain("--openings and --opening-moves exclude each other");
	if (o->tested && count != 2)
		return complain("--sprt is for two engines");
	if (o->opening_moves < 0)
		o->opening_moves = o->fixed ? 0 : 6;
	if (o->games == 0)
		o->games = o->tested ? TOURNAMENT_GAMES_MAX : 100;
	if (!o->fixed)
		o->games += o->games % 2;
	t->seeded = o->seed != 0;
	return true;
}

int main(int argc, char **argv)
{
	struct arguments a = {
		.settings = { .concurrency = 1, .opening_moves = -1, .terms.notes = true },
	};
	int flag;
	games_init();
	while ((flag = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (flag == FLAG_HELP) {
			fputs(help, stdout);
			return message_end_output(0);
		}
		if (flag == '?' || !read_option(&a, (enum flag)flag, optarg))
			return EXIT_USAGE;
	}
	int count = argc - optind;
	if (a.check && count) {
		complain("--check takes one engine");
		return EXIT_USAGE;
	}
	if (a.check)
		return complete_check(&a) ? check_engine(&a) : EXIT_USAGE;
	if (!check_game(&a))
		return EXIT_USAGE;
	if (a.score)
		return stored_print_scores(a.score, given_game(&a));
	if (a.sgf)
		return stored_print_sgf(a.sgf, given_game(&a));
	if (a.import && (count || !a.settings.output)) {
		complain("--import goes with --output alone");
		return EXIT_USAGE;
	}
	if (a.import)
		return stored_import(a.import, a.settings.output, given_game(&a));
	if (!complete_settings(&a, count))
		return EXIT_USAGE;
	return tournament_play(&a.settings, count, argv + optind);
}
