/* SPDX-License-Identifier: MIT
 *
 * yomi-match: the command line of tools/match/tournament.h, tools/check/checklist.h and tools/match/stored.h.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/text.h"
#include "engine/rules/komi.h"
#include "games/games.h"
#include "protocol/program/program.h"
#include "protocol/records/import.h"
#include "protocol/session/line.h"
#include "tools/check/checklist.h"
#include "tools/lib/interrupt.h"
#include "tools/match/elo.h"
#include "tools/match/sprt.h"
#include "tools/match/stored.h"
#include "tools/match/tournament.h"
#include "tools/ranks/ranks.h"

#define MATCH_TIMEOUT 60 /* default of --timeout in seconds */
#define CHECK_TIMEOUT 10
#define SECONDS_MIN   0.001
#define SECONDS_MAX   1e6

/* The command line. */
struct yomi_match_command_line {
	const char *game_name, *rules, *size;
	double komi; /* points, NAN: the game's own */
	const char *import, *score, *sgf, *check, *merge;
	const char *part; /* I/N */
	const char *test; /* ELO0,ELO1[,ALPHA,BETA] */
	struct tournament_settings settings;
};

static const struct program program;

/* Prints an error of the command line. Returns false. */
#define complain(...) (program_complain(&program, __VA_ARGS__), false)

/* Checks an engine against what clients demand. Returns the exit status. */
static int check_engine(const struct yomi_match_command_line *a)
{
	static const int statuses[] = {
		[CHECKLIST_MET] = 0,
		[CHECKLIST_FAILED] = 1,
		[CHECKLIST_NOT_STARTED] = EXIT_USAGE,
	};
	const struct terms *t = &a->settings.terms;
	const char *path = a->settings.stderr_file;
	FILE *err = path ? disk_open(path, "a") : NULL;
	if (path && !err)
		return program_complain(&program, "%s: %s", path, strerror(errno));
	if (!interrupt_init())
		return EXIT_USAGE;
	struct checklist c = {
		.command = a->check,
		.game_name = a->game_name,
		.game = t->game,
		.patience = t->timeout > 0 ? t->timeout : CHECK_TIMEOUT,
		.err = err,
		.cancel = interrupt_descriptor(),
	};
	enum checklist_result result = checklist_run(&c, stdout);
	if (err)
		fclose(err);
	if (result == CHECKLIST_CANCELLED)
		return 128 + interrupt_signal();
	return statuses[result];
}

/* --- settings --- */

/* Reads MAIN[+PERIOD/STONES]. */
static bool yomi_match_read_clock(struct tournament_settings *o)
{
	const char *text = o->clock;
	struct terms *t = &o->terms;
	char copy[64], *rest = copy;
	snprintf(copy, sizeof copy, "%s", text);
	const char *main_time = text_cut(&rest, "+"), *period = text_cut(&rest, "/");
	t->has_clock = true;
	bool good = strlen(text) < sizeof copy && line_int(main_time, &t->main_time);
	if (period)
		good = good && rest && line_int(period, &t->period) && t->period > 0 &&
		       line_int(rest, &t->stones) && t->stones > 0;
	return (good && (t->main_time > 0 || t->period > 0)) ||
	       complain("clock is MAIN or MAIN+PERIOD/STONES in whole seconds");
}

/* Reads ELO0,ELO1[,ALPHA,BETA]. */
static bool read_test(struct tournament_settings *o, const char *text)
{
	struct sprt *t = &o->sprt;
	double *const numbers[] = { &t->elo0, &t->elo1, &t->alpha, &t->beta };
	char copy[128], *rest = copy;
	int count = 0;
	snprintf(copy, sizeof copy, "%s", text);
	*t = (struct sprt) { .alpha = 0.05, .beta = 0.05 };
	bool good = strlen(text) < sizeof copy;
	for (; good && rest && count < 4; count++)
		good = line_real(text_cut(&rest, ","), numbers[count]);
	o->tested = true;
	return (good && !rest && (count == 2 || count == 4) && sprt_is_sound(t)) ||
	       complain("sprt is ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA: ELO0 below ELO1, both from %d "
			"to %d; ALPHA and BETA above 0 and below 0.5",
			-SPRT_ELO_MAX, SPRT_ELO_MAX);
}

/* Reads I/N. */
static bool read_part(struct tournament_settings *o, const char *text)
{
	char copy[32], *rest = copy;
	snprintf(copy, sizeof copy, "%s", text);
	const char *part = text_cut(&rest, "/");
	bool good = strlen(text) < sizeof copy && rest && line_int(part, &o->part) &&
		    line_int(rest, &o->parts) && o->part >= 1 && o->part <= o->parts;
	return good || complain("part is I/N, with I from 1 to N");
}

/* Sets the komi of a match. */
static bool yomi_match_set_komi(struct yomi_match_command_line *a)
{
	struct terms *t = &a->settings.terms;
	const struct game *g = t->game;
	struct state s;
	t->komi = match_usual_komi(g);
	if (isnan(a->komi))
		return true;
	if (!g->komi)
		return complain("%s has no komi", g->name);
	g->start(g, &s);
	t->komi = (int)(2 * a->komi);
	return (t->komi == 2 * a->komi && g->komi->set(g, &s, t->komi)) ||
	       complain("%s cannot have komi %g", g->name, a->komi);
}

/* Finds the game of the engine under test. The rules and sizes of a game that is unknown here are unknown,
 * too. */
static bool complete_check(struct yomi_match_command_line *a)
{
	const struct game **game = &a->settings.terms.game;
	if (!a->game_name && a->rules)
		return complain("--rules goes with --game");
	if (!a->game_name)
		return !a->size || complain("--size goes with --game");
	if (!game_find(a->game_name, NULL))
		return true;
	*game = program_game(&program, a->game_name, a->rules, a->size);
	return *game;
}

/* Checks the combination of options for a match of `count` engines and fills in defaults. Returns false
 * after a message. */
static bool complete_settings(struct yomi_match_command_line *a, int count)
{
	struct tournament_settings *o = &a->settings;
	struct terms *t = &o->terms;
	if (count < 2)
		return complain("a match needs two engines or more");
	if (count > RATING_PLAYERS_MAX)
		return complain("a match has at most %d engines", RATING_PLAYERS_MAX);
	if ((o->clock && !yomi_match_read_clock(o)) || (a->test && !read_test(o, a->test)) ||
	    (a->part && !read_part(o, a->part)) || !yomi_match_set_komi(a))
		return false;
	if (t->timeout == 0)
		t->timeout = MATCH_TIMEOUT;
	if (t->move_time > 0 && t->has_clock)
		return complain("--time and --clock exclude each other");
	bool is_none = o->openings_file && strcmp(o->openings_file, "none") == 0;
	if (is_none && o->opening_moves >= 0)
		return complain("--openings=none and --opening-moves exclude each other");
	if (o->openings_file && o->opening_moves < 0)
		o->opening_moves = 0;
	if (is_none)
		o->openings_file = NULL;
	if (o->scales_time && t->move_time == 0 && !t->has_clock)
		return complain("--scale-time needs --time or --clock");
	if (o->tested && o->parts)
		return complain("--sprt and --part exclude each other");
	if (o->tested && count != 2)
		return complain("--sprt is for two engines");
	o->usual = !o->openings_file && o->opening_moves < 0 && !o->fixed;
	if (o->opening_moves < 0)
		o->opening_moves = o->fixed ? 0 : 6;
	if (o->games == 0)
		o->games = o->tested ? TOURNAMENT_GAMES_MAX : 100;
	if (!o->fixed)
		o->games += o->games % 2;
	t->seeded = o->seed != 0;
	return true;
}

/* --- the program --- */

/* Uses games that were played before. */
static int use_stored(const struct yomi_match_command_line *a, const struct game *game,
		      const struct arguments *arguments)
{
	int count = arguments->count;
	/* Games that do not name themselves are read as this one. */
	const struct game *given = a->game_name || a->rules || a->size ? game : NULL;
	if ((a->score || a->sgf) && (count || a->settings.output))
		return program_complain(&program, "--%s takes one file and no --output",
					a->score ? "score" : "sgf");
	if (a->score)
		return stored_print_scores(a->score, given);
	if (a->sgf)
		return stored_print_sgf(a->sgf, given);
	if (a->merge && (!count || a->settings.output))
		return program_complain(
			&program,
			"--merge=DATABASE takes the files to add to DATABASE, and no --output");
	if (a->merge)
		return stored_merge(a->merge, arguments->words, count, given);
	if (count || !a->settings.output)
		return program_complain(&program, "--import needs --output and takes no engines");
	return stored_import(a->import, a->settings.output, given);
}

/* Runs what the options ask for: a check, games played before, or a match. Only a match needs several ranks. */
static int yomi_match_run(const struct arguments *arguments)
{
	struct yomi_match_command_line *a = arguments->values;
	int count = arguments->count;
	bool stored = a->score || a->sgf || a->merge || a->import;
	if (!!a->check + !!a->score + !!a->sgf + !!a->merge + !!a->import > 1)
		return program_complain(
			&program,
			"use one of --check, --score, --sgf, --import and --merge at a time");
	if (a->check && (count || a->settings.output))
		return program_complain(
			&program, "--check takes one engine, --check=COMMAND, and no --output");
	if (ranks_own() > 0 && (a->check || stored))
		return 0;
	if (a->check)
		return complete_check(a) ? check_engine(a) : EXIT_USAGE;
	const struct game *game = program_game(&program, a->game_name, a->rules, a->size);
	if (!game)
		return EXIT_USAGE;
	if (stored)
		return use_stored(a, game, arguments);
	a->settings.terms.game = game;
	if (!complete_settings(a, count))
		return EXIT_USAGE;
	return tournament_play(&a->settings, count, arguments->words);
}

static void yomi_match_print_versions(FILE *out)
{
	fprintf(out, "libraries: sqlite %s\n", sqlite3_libversion());
}

static const char *const usages[] = {
	"--check COMMAND [--game=GAME] [--timeout=SECONDS]",
	"--score=FILE",
	"--sgf=FILE",
	"--import=FILE --output=DATABASE",
	"--merge=DATABASE FILE...",
	NULL,
};

static const struct mode modes[] = {
	{ .name = "", .args_max = INT_MAX, .args = "COMMAND COMMAND...", .run = yomi_match_run },
	{ 0 },
};

static const char *const schedules[] = { "roundrobin", "gauntlet", NULL };
static const char *const colors[] = { "both", "fixed", NULL };
static const char *const answers[] = { "no", "yes", NULL };

#define AT(field) offsetof(struct yomi_match_command_line, field)

static const struct flag flags[] = {
	{ "game", FLAG_TEXT, AT(game_name), "GAME", "the game (default: othello)",
	  .group = "Match options" },
	{ "rules", FLAG_RULES, AT(rules), "RULES", "rule set of the game" },
	{ "size", FLAG_SIZE, AT(size), "SIZE",
	  "size of the board, in games with several: N or COLUMNSxROWS" },
	{ "komi", FLAG_REAL, AT(komi), "POINTS",
	  "points that White gets, in games with komi; a multiple of 0.5 (default: the game's own)",
	  -GAME_SCORE_MAX, GAME_SCORE_MAX },
	{ "games", FLAG_INT, AT(settings.games), "COUNT",
	  "games for each pair of engines, rounded up to an even number (default 100; with --sprt "
	  "the maximum)",
	  1, TOURNAMENT_GAMES_MAX },
	{ "schedule", FLAG_BOOL, AT(settings.gauntlet), NULL,
	  "more than two engines: each against each (roundrobin, default), or the first against "
	  "all others (gauntlet)",
	  .choices = schedules },
	{ "sprt", FLAG_TEXT, AT(test), "ELO0,ELO1[,ALPHA,BETA]",
	  "stop a match of two engines when a sequential test has decided whether the first is "
	  "stronger by ELO1 or only by ELO0. ALPHA and BETA are the error rates (default 0.05)" },
	{ "concurrency", FLAG_INT, AT(settings.concurrency), "COUNT",
	  "games played at a time (default 1); with mpirun, by each rank but the first", 1,
	  RANKS_WORKERS_MAX },
	{ "colours", FLAG_BOOL, AT(settings.fixed), NULL,
	  "play each opening twice with colours exchanged (both, default), or let the first engine "
	  "always move first (fixed)",
	  .choices = colors },
	{ "opening-moves", FLAG_INT, AT(settings.opening_moves), "COUNT",
	  "random moves at the start of a game; with --openings=FILE, the number of moves to take "
	  "of each of its games, equal positions once (default: level openings of the game, in an "
	  "order that --seed decides; 6 random moves if it has none; with fixed colours 0)",
	  0, 200, .group = "Openings" },
	{ "openings", FLAG_TEXT, AT(settings.openings_file), "FILE",
	  "read the openings from a file: lines of moves, the form of Gomocup, or games in SGF, "
	  "GGF, WTHOR or PSQ, of which --opening-moves takes the first moves. none: no openings" },
	{ "columns", FLAG_CHOICE, AT(settings.columns), NULL,
	  "letters of the columns of Gomoku in lines of moves: without I, as in GTP (no-i), with "
	  "it (with-i), or as the file tells (auto, default)",
	  .choices = import_columns },
	{ "seed", FLAG_INT, AT(settings.seed), "NUMBER",
	  "chooses the openings; above 0 it also seeds engines that know set_random_seed (default "
	  "0)",
	  0, LINE_INT_MAX },
	{ "time", FLAG_REAL, AT(settings.terms.move_time), "SECONDS",
	  "time for each move (default: the engines' own limits)", SECONDS_MIN, SECONDS_MAX,
	  .group = "Time" },
	{ "clock", FLAG_TEXT, AT(settings.clock), "MAIN[+PERIOD/STONES]",
	  "game clock in seconds; an engine that exceeds it loses" },
	{ "scale-time", FLAG_SET, AT(settings.scales_time), NULL,
	  "multiply the times on a machine by the speed of the match's first machine divided by "
	  "its own; speed is measured by random games" },
	{ "timeout", FLAG_REAL, AT(settings.terms.timeout), "SECONDS",
	  "seconds by which an engine may exceed its time before it loses the game (default 60; "
	  "with --check 10)",
	  SECONDS_MIN, SECONDS_MAX },
	{ "output", FLAG_TEXT, AT(settings.output), "DATABASE",
	  "store each game as it ends; the same command continues an interrupted match",
	  .group = "Storage" },
	{ "part", FLAG_TEXT, AT(part), "I/N",
	  "play only part I of N: every N-th opening. For jobs that share no files; --merge joins "
	  "their databases" },
	{ "name", FLAG_TEXT, AT(settings.name), "TEXT",
	  "name of the match; keeps matches on the same terms apart in one database" },
	{ "notes", FLAG_BOOL, AT(settings.terms.notes), NULL,
	  "store what the engines say about their moves, not only the values (default yes)",
	  .choices = answers },
	{ "stderr", FLAG_TEXT, AT(settings.stderr_file), "FILE",
	  "append the engines' standard error to FILE (default: discard it)" },
	{ "check", FLAG_TEXT, AT(check), "COMMAND",
	  "check one engine against what GTP clients expect: prints each failure and the clients "
	  "that it affects. --game: ask the engine for this game; rules are checked if yomi knows "
	  "the game",
	  .group = "Other tasks" },
	{ "score", FLAG_TEXT, AT(score), "FILE",
	  "print a line for each pair of engines: games, won, drawn and lost games, score, its 95 "
	  "% interval, forfeits of both, then their names after tabs" },
	{ "sgf", FLAG_TEXT, AT(sgf), "FILE", "print all games in SGF" },
	{ "import", FLAG_TEXT, AT(import), "FILE",
	  "add games in SGF, GGF, WTHOR, PGN, PSQ, or lines with results, to the database of "
	  "--output" },
	{ "merge", FLAG_TEXT, AT(merge), "DATABASE",
	  "add the matches of other databases to this one. A game that it has already is not added "
	  "again" },
	{ 0 },
};

static const struct note notes[] = {
	{ "Exit status", "0", "All games are played, or --sprt has decided. --check: no failure." },
	{ NULL, "1",
	  "Results could not be stored or printed. --check: a failure. --import: no usable game." },
	{ NULL, "2",
	  "The command line is wrong, an engine does not start, or a file cannot be read." },
	{ NULL, "128 + signal", "The match was interrupted. The same command continues it." },
	{ "Examples", NULL, "Twenty games with one second a move:" },
	{ NULL, NULL, "    yomi match --games=20 --time=1 'yomi --threads=1' gtp-rhino" },
	{ NULL, NULL, "Is the new version stronger?" },
	{ NULL, NULL,
	  "    yomi match --game=pentago --sprt=0,20 --games=2000 --concurrency=2 \\\n"
	  "        --seed=1 --output=pentago.db \\\n"
	  "        'new: ./yomi --threads=1 --playouts=20000' \\\n"
	  "        'old: ../old/yomi --threads=1 --playouts=20000'" },
	{ NULL, NULL, "Does an engine meet the demands of GTP clients?" },
	{ NULL, NULL, "    yomi match --check 'gnugo --mode gtp'" },
	{ "See also", NULL, "yomi(1), yomi-report(1)" },
	{ 0 },
};

static const struct program program = {
	.name = "yomi-match",
	.summary = "play matches of GTP engines",
	.description =
		"Plays matches of GTP engines and prints the results. The shell starts each "
		"COMMAND. A name may stand before it: 'new: ./yomi'. yomi checks every move by its "
		"rules. FILE is a database of --output, or games in SGF or another format, which "
		"may be compressed with zstd.\n\n"
		"An engine that dies, hangs, gives a malformed answer, refuses a legal move or "
		"plays an illegal one loses the game. It is started again for the next game.\n\n"
		"Games in SGF that do not name their game, such as GoGui's, are read as --game and "
		"--rules say, or as the first game that fits.",
	.usages = usages,
	.modes = modes,
	.flags = flags,
	.notes = notes,
	.size = sizeof(struct yomi_match_command_line),
	.print_versions = yomi_match_print_versions,
};

int main(int argc, char **argv)
{
	struct yomi_match_command_line a = {
		.komi = NAN,
		.settings = { .concurrency = 1, .opening_moves = -1, .terms.notes = true },
	};
	ranks_start(argv);
	return ranks_end(program_run(&program, &a, argc, argv));
}
