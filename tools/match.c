/* SPDX-License-Identifier: MIT
 *
 * match: two GTP engines play a series of games, judged by our own rules.
 *
 *     main thread     arguments, openings, signals; starts the slots and waits for them
 *     slot threads    each plays whole games with two engines of its own: takes the next game, sets it
 *                     up, asks the side to move, tells the other one, adds the result
 *
 * Everything that slots share stands in struct match behind its lock; a byte in the cancel pipe ends
 * every wait for an engine.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/memory.h"
#include "games/games.h"
#include "protocol/gtp.h"
#include "tools/lib/round.h"

#define EXIT_USAGE       2
#define CONCURRENCY_MAX  256
#define PROGRESS_SECONDS 30 /* between lines that are not overwritten */

struct settings {
	const char *game_name, *rules, *openings_file, *output, *stderr_file, *clock;
	int games, concurrency, opening_moves, seed;
	bool fixed; /* A is always Black */
};

struct match {
	struct settings settings;
	struct terms terms;
	struct openings openings;
	int64_t start;
	bool terminal; /* stderr is one */

	pthread_mutex_t lock; /* of what follows */
	struct results *results;
	int next;    /* game to look at next */
	int before;  /* games that stood in the file */
	bool failed; /* results could not be written */
	int64_t spoken;
};

struct slot {
	pthread_t thread;
	struct match *match;
	struct player players[2];
};

static int cancel_pipe[2];
static atomic_int caught;

/* Ends all waiting for engines; async-signal-safe. */
static void cancel(void)
{
	/* A full pipe says the same. */
	(void)!write(cancel_pipe[1], "", 1);
}

static void on_signal(int number)
{
	int error = errno;
	atomic_store(&caught, number);
	cancel();
	errno = error;
}

static int opening_of(const struct settings *o, int game)
{
	return o->fixed ? game : (game + 1) / 2;
}

/* --- the match --- */

static void show_progress(struct match *m)
{
	const struct settings *o = &m->settings;
	struct interval s = results_interval(m->results);
	int won, drawn, lost, played = results_games(m->results);
	int64_t now = clock_now();
	if (!m->terminal && now - m->spoken < (int64_t)PROGRESS_SECONDS * 1000000000)
		return;
	m->spoken = now;
	results_count(m->results, &won, &drawn, &lost);
	double each = (double)(now - m->start) / 1e9 / (played - m->before);
	long left = lround(each * (o->games - played));
	fprintf(stderr,
		"%s%d/%d games, A %d-%d-%d, Elo %+.0f (%+.0f .. %+.0f), %ld:%02ld:%02ld left%s",
		m->terminal ? "\r\033[K" : "", played, o->games, won, drawn, lost,
		score_elo(s.mean), score_elo(s.low), score_elo(s.high), left / 3600, left / 60 % 60,
		left % 60, m->terminal ? "" : "\n");
}

/* The next game that is not played yet, 0: there is none. */
static int next_game(struct match *m)
{
	int game = 0;
	pthread_mutex_lock(&m->lock);
	while (!m->failed && game == 0 && m->next <= m->settings.games) {
		if (!results_has(m->results, m->next))
			game = m->next;
		m->next++;
	}
	pthread_mutex_unlock(&m->lock);
	return atomic_load(&caught) ? 0 : game;
}

static void add_result(struct match *m, const struct result *x)
{
	pthread_mutex_lock(&m->lock);
	if (!m->failed && !results_add(m->results, x)) {
		fprintf(stderr, "match: %s: %s\n", m->settings.output, strerror(errno));
		m->failed = true;
		cancel();
	}
	show_progress(m);
	pthread_mutex_unlock(&m->lock);
}

/* Makes a game of the match ready to be played. */
static void begin_round(struct round *r, struct slot *slot, int game)
{
	const struct settings *o = &slot->match->settings;
	uint64_t stream = (uint64_t)o->seed << 32 ^ (uint64_t)game;
	uint32_t seeds[2];
	for (int i = 0; i < 2; i++)
		seeds[i] = (uint32_t)(1 + rng_split(&stream) % (GTP_INT_MAX - 1));
	round_init(r, &slot->match->terms, slot->players, o->fixed || game % 2 ? BLACK : WHITE,
		   seeds);
}

/* Plays a game and adds its result, unless it was cancelled. */
static void play_game(struct slot *slot, int game)
{
	struct match *m = slot->match;
	int opening = opening_of(&m->settings, game);
	char seeds[32] = "-";
	struct round r;
	begin_round(&r, slot, game);
	if (m->terms.seeded)
		snprintf(seeds, sizeof seeds, "%" PRIu32 " %" PRIu32, r.seeds[0], r.seeds[1]);
	round_play(&r, &m->openings.list[(opening - 1) % m->openings.count]);
	if (!r.cancelled)
		add_result(m, &(struct result) {
				      .game = game,
				      .opening = opening,
				      .color = r.color,
				      .points = round_points(&r),
				      .end = r.end,
				      .detail = r.detail,
				      .moves = r.moves,
				      .seconds = { r.seconds[0], r.seconds[1] },
				      .seeds = seeds,
			      });
	round_free(&r);
}

static void *run_slot(void *arg)
{
	struct slot *slot = arg;
	int game;
	while ((game = next_game(slot->match)))
		play_game(slot, game);
	client_quit(&slot->players[0].client);
	client_quit(&slot->players[1].client);
	return NULL;
}

/* Whether both engines start and can be set up: what fails here would fail in every game. */
static bool try_players(struct slot *slot)
{
	struct round r;
	begin_round(&r, slot, 1);
	bool good = round_set_up(&r);
	if (!good && !r.cancelled)
		fprintf(stderr, "match: engine %c: %s\n", 'A' + r.loser, r.detail);
	round_free(&r);
	return good;
}

/* Starts a thread for each slot, to which signals do not go; returns how many could be started. */
static int start_slots(struct slot *slots, int count)
{
	int started = 0;
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (started < count &&
	       pthread_create(&slots[started].thread, NULL, run_slot, &slots[started]) == 0)
		started++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return started;
}

/* Plays all games that are not played yet. Returns the exit status. */
static int play_games(struct match *m)
{
	int count = m->settings.concurrency, started = 0;
	struct slot *slots = xcalloc((size_t)count, sizeof *slots);
	for (int i = 0; i < count; i++)
		slots[i].match = m;
	m->start = m->spoken = clock_now();
	if (try_players(&slots[0]))
		started = start_slots(slots, count);
	for (int i = 0; i < started; i++)
		pthread_join(slots[i].thread, NULL);
	client_quit(&slots[0].players[0].client);
	client_quit(&slots[0].players[1].client);
	free(slots);
	if (atomic_load(&caught))
		return 128 + atomic_load(&caught);
	return started == 0 || m->failed ? EXIT_USAGE : 0;
}

/* What must be equal for games to belong to one match. */
static char *describe_match(const struct match *m)
{
	const struct settings *o = &m->settings;
	const struct terms *t = &m->terms;
	char *title;
	size_t size;
	FILE *out = open_memstream(&title, &size);
	fprintf(out, "# match of %s (%s)\tcolours %s\t", t->game->name, t->game->rules,
		o->fixed ? "fixed" : "both");
	if (o->openings_file)
		fprintf(out, "openings %s\t", o->openings_file);
	else
		fprintf(out, "openings %d random moves\t", o->opening_moves);
	fprintf(out, "seed %d\t", o->seed);
	if (t->has_clock)
		fprintf(out, "time %s\t", o->clock);
	else if (t->move_time > 0)
		fprintf(out, "time %g s a move\t", t->move_time);
	else
		fputs("time the engines' own\t", out);
	fprintf(out, "A %s\tB %s", t->command[0], t->command[1]);
	fclose(out);
	return title;
}

static void watch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	if (pipe2(cancel_pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
		perror("match: pipe");
		exit(EXIT_USAGE);
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void print_summary(const struct match *m, const char *title)
{
	for (const char *c = title + strlen("# "); *c; c++)
		putchar(*c == '\t' ? '\n' : *c);
	putchar('\n');
	results_summary(m->results, stdout);
}

/* Opens what the match writes to; false after a message. */
static bool open_files(struct match *m, const char *title)
{
	const struct settings *o = &m->settings;
	const char *stderr_path = o->stderr_file ? o->stderr_file : "/dev/null";
	char why[RESULTS_REASON_MAX];
	m->terms.stderr_fd = open(stderr_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (m->terms.stderr_fd < 0) {
		fprintf(stderr, "match: %s: %s\n", stderr_path, strerror(errno));
		return false;
	}
	m->results = results_open(o->output, title, why);
	if (m->results)
		return true;
	fprintf(stderr, "match: %s\n", why);
	close(m->terms.stderr_fd);
	return false;
}

static int run_match(struct match *m)
{
	char *title = describe_match(m);
	int status = 0;
	if (!open_files(m, title)) {
		free(title);
		return EXIT_USAGE;
	}
	watch_signals();
	m->terms.cancel_fd = cancel_pipe[0];
	m->terminal = isatty(STDERR_FILENO);
	m->next = 1;
	m->before = results_games(m->results);
	if (m->before < m->settings.games)
		status = play_games(m);
	if (m->terminal && results_games(m->results) > m->before)
		fputs("\n", stderr);
	if (results_games(m->results))
		print_summary(m, title);
	if (!results_close(m->results) || fflush(stdout) != 0) {
		fputs("match: the results could not be written to the end\n", stderr);
		status = EXIT_USAGE;
	}
	close(m->terms.stderr_fd);
	free(title);
	return status;
}

static int print_score(const char *path)
{
	char why[RESULTS_REASON_MAX];
	struct results *r = results_read(path, why);
	if (!r) {
		fprintf(stderr, "match: %s\n", why);
		return EXIT_USAGE;
	}
	results_line(r, stdout);
	results_close(r);
	return fflush(stdout) == 0 ? 0 : EXIT_USAGE;
}

/* --- arguments --- */

static const char help[] =
	"Usage: match [OPTION...] 'COMMAND A' 'COMMAND B'\n"
	"       match --score FILE\n"
	"Plays a match of two GTP engines, each started by the shell, and prints A's score.\n"
	"\n"
	"  --game=NAME            the game (othello)\n"
	"  --rules=NAME           its rule set (the game's usual one)\n"
	"  --games=N              games to play, whole pairs of them (100)\n"
	"  --concurrency=N        games at a time (1)\n"
	"  --colours=both|fixed   each opening twice with colours exchanged, or A always first "
	"(both)\n"
	"  --opening-moves=N      random moves before the engines choose (6; 0 with fixed "
	"colours)\n"
	"  --openings=FILE        openings instead: one a line, moves as words or in one word\n"
	"  --seed=N               chooses the openings, and the engines' seeds by "
	"set_random_seed;\n"
	"                         0 (the usual one) leaves the engines unseeded\n"
	"  --time=SECONDS         time a move, by set_time or else time_settings\n"
	"  --clock=MAIN[+PERIOD/STONES]   a game clock in seconds; who oversteps it loses\n"
	"  --timeout=SECONDS      patience beyond these times, and with other commands (60)\n"
	"  --output=FILE          append results as games end; go on with those that are missing\n"
	"  --stderr=FILE          append what the engines write to stderr (/dev/null)\n"
	"  --score=FILE           print games, won, drawn, lost, score, its 95 % interval, "
	"forfeits\n"
	"                         of A and of B of a results file\n"
	"Without --time and --clock the engines use their own limits.\n";

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
static bool read_clock(struct match *m, const char *text)
{
	struct terms *t = &m->terms;
	char copy[64], *rest = copy;
	snprintf(copy, sizeof copy, "%s", text);
	const char *main_time = strsep(&rest, "+"), *period = strsep(&rest, "/");
	m->settings.clock = text;
	t->has_clock = true;
	bool good = strlen(text) < sizeof copy && gtp_int(main_time, &t->main_time);
	if (period)
		good = good && rest && gtp_int(period, &t->period) && t->period > 0 &&
		       gtp_int(rest, &t->stones) && t->stones > 0;
	return (good && (t->main_time > 0 || t->period > 0)) ||
	       complain("--clock wants MAIN or MAIN+PERIOD/STONES in whole seconds, not %s", text);
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
	FLAG_SCORE,
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
	{ "score", required_argument, NULL, FLAG_SCORE },
	{ "help", no_argument, NULL, FLAG_HELP },
	{ 0 },
};

static bool read_option(struct match *m, enum flag flag, const char *text)
{
	struct settings *o = &m->settings;
	const char *name = long_options[flag].name;
	switch (flag) {
	case FLAG_GAME:
		o->game_name = text;
		return true;
	case FLAG_RULES:
		o->rules = text;
		return true;
	case FLAG_GAMES:
		return read_int(name, text, 1, RESULTS_GAMES_MAX - 1, &o->games);
	case FLAG_CONCURRENCY:
		return read_int(name, text, 1, CONCURRENCY_MAX, &o->concurrency);
	case FLAG_COLOURS:
		o->fixed = strcmp(text, "fixed") == 0;
		return o->fixed || strcmp(text, "both") == 0 ||
		       complain("--%s is both or fixed, not %s", name, text);
	case FLAG_OPENING_MOVES:
		return read_int(name, text, 0, 200, &o->opening_moves);
	case FLAG_OPENINGS:
		o->openings_file = text;
		return true;
	case FLAG_SEED:
		return read_int(name, text, 0, GTP_INT_MAX, &o->seed);
	case FLAG_TIME:
		return read_seconds(name, text, &m->terms.move_time);
	case FLAG_CLOCK:
		return read_clock(m, text);
	case FLAG_TIMEOUT:
		return read_seconds(name, text, &m->terms.timeout);
	case FLAG_OUTPUT:
		o->output = text;
		return true;
	case FLAG_STDERR:
		o->stderr_file = text;
		return true;
	case FLAG_SCORE:
	case FLAG_HELP:
		break;
	}
	return false;
}

/* Checks what the arguments say together, and fills in what they leave open. */
static bool complete_settings(struct match *m)
{
	struct settings *o = &m->settings;
	struct terms *t = &m->terms;
	if (!game_find(o->game_name, NULL))
		return complain("there is no game %s", o->game_name);
	t->game = game_find(o->game_name, o->rules);
	if (!t->game)
		return complain("%s has no rules %s", o->game_name, o->rules);
	if (t->move_time > 0 && t->has_clock)
		return complain("--time and --clock exclude each other");
	if (o->openings_file && o->opening_moves >= 0)
		return complain("--openings and --opening-moves exclude each other");
	if (o->opening_moves < 0)
		o->opening_moves = o->fixed ? 0 : 6;
	if (!o->fixed)
		o->games += o->games % 2;
	t->seeded = o->seed != 0;
	for (int i = 0; i < 2; i++)
		for (const char *c = t->command[i]; *c; c++)
			if (iscntrl((unsigned char)*c))
				return complain("a command is one line");
	return true;
}

static bool make_openings(struct match *m)
{
	const struct settings *o = &m->settings;
	const struct game *g = m->terms.game;
	char why[OPENINGS_REASON_MAX];
	/* Without random moves all openings are the same. */
	int count = o->opening_moves ? opening_of(o, o->games) : 1;
	bool made = o->openings_file
			    ? openings_read(&m->openings, g, o->openings_file, why)
			    : openings_draw(&m->openings, g, o->opening_moves, count, o->seed, why);
	if (!made)
		fprintf(stderr, "match: %s\n", why);
	return made;
}

int main(int argc, char **argv)
{
	struct match m = {
		.settings = { .game_name = "othello",
			      .games = 100,
			      .concurrency = 1,
			      .opening_moves = -1 },
		.terms = { .timeout = 60 },
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	int flag;
	games_init();
	while ((flag = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (flag == FLAG_HELP) {
			fputs(help, stdout);
			return fflush(stdout) == 0 ? 0 : EXIT_USAGE;
		}
		if (flag == FLAG_SCORE)
			return print_score(optarg);
		if (flag == '?' || !read_option(&m, (enum flag)flag, optarg))
			return EXIT_USAGE;
	}
	if (argc - optind != 2) {
		complain("two engines are wanted");
		return EXIT_USAGE;
	}
	m.terms.command[0] = argv[optind];
	m.terms.command[1] = argv[optind + 1];
	if (!complete_settings(&m))
		return EXIT_USAGE;
	int status = make_openings(&m) ? run_match(&m) : EXIT_USAGE;
	openings_free(&m.openings);
	return status;
}
