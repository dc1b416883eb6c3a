/* SPDX-License-Identifier: MIT
 *
 * match: plays a series of games between GTP engines, refereed by our own rules, and stores them in a
 * database of matches.
 *
 *     main thread     arguments, openings, signals; starts the slots and waits for them
 *     slot threads    each plays whole games with its own two engines: takes the next game, sets it
 *                     up, asks the side to move, tells the other engine, adds the result
 *
 * The slots share struct contest, protected by its lock. A byte in the cancel pipe ends every wait for an
 * engine.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "engine/memory.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "tools/check/checklist.h"
#include "tools/match/collection.h"
#include "tools/match/round.h"
#include "tools/match/schedule.h"
#include "tools/match/standings.h"
#include "tools/match/summary.h"

#define EXIT_USAGE       2
#define GAMES_MAX        100000 /* per pairing */
#define CONCURRENCY_MAX  256
#define PROGRESS_SECONDS 30 /* between progress lines if stderr is not a terminal */
#define PAINT_SECONDS    0.1
#define MATCH_TIMEOUT    60 /* default of --timeout in seconds */
#define CHECK_TIMEOUT    10

struct settings {
	const char *name, *game_name, *rules, *openings_file, *output, *stderr_file, *clock;
	const char *import, *score, *sgf, *check;
	int games, concurrency, opening_moves, seed;
	bool fixed; /* the engine given first always plays Black */
	bool gauntlet, tested;
	struct sprt sprt;
};

/* A participant. Its index is also its player number in the standings. */
struct contestant {
	char *name;
	const char *command;
	int engine; /* number in the database */
};

struct contest {
	struct settings settings;
	struct terms terms;
	struct contestant *contestants;
	struct schedule schedule;
	struct openings openings;
	int number; /* of the match in the database */
	int64_t start;
	bool terminal; /* stderr is one */

	pthread_mutex_t lock; /* protects the fields below */
	struct matches *matches;
	struct standings standings;
	int next;           /* next game to consider */
	int played, before; /* finished games of the schedule: all, and those of earlier runs */
	bool failed;        /* a result could not be written */
	int64_t spoken;
};

struct slot {
	pthread_t thread;
	struct contest *match;
	struct player players[2];
};

static int cancel_pipe[2];
static atomic_int caught;

/* Ends every wait for an engine. Async-signal-safe. */
static void cancel(void)
{
	/* If the pipe is full, it is readable already. */
	(void)!write(cancel_pipe[1], "", 1);
}

static void on_signal(int number)
{
	int error = errno;
	atomic_store(&caught, number);
	cancel();
	errno = error;
}

/* --- the match --- */

/* Overwrites the last line of the terminal. Truncates to the terminal's width. */
static void paint(const char *line)
{
	struct winsize size;
	int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
	fprintf(stderr, "\r\033[K%.*s", width - 1, line);
}

/* Estimates the number of remaining games: all that are left, or those that an SPRT needs if it continues
 * as it has so far. */
static double games_left(const struct contest *m)
{
	const struct pairing *p = standings_find(&m->standings, 0, 1);
	double all = schedule_count(&m->schedule) - m->played;
	if (!m->settings.tested || !p || p->llr == 0)
		return all;
	const struct sprt *t = &m->settings.sprt;
	double bound = p->llr > 0 ? sprt_upper(t) : sprt_lower(t);
	return fmax(0, fmin(all, m->standings.games * (bound / p->llr - 1)));
}

static void show_progress(struct contest *m)
{
	int64_t now = clock_now();
	double since = (double)(now - m->spoken) / 1e9;
	int all = schedule_count(&m->schedule);
	char *line;
	size_t size;
	if (since < (m->terminal ? PAINT_SECONDS : PROGRESS_SECONDS) && m->played < all)
		return;
	m->spoken = now;
	FILE *out = text_open(&line, &size);
	fprintf(out, "%d/%d games, ", m->played, all);
	summary_progress(&m->standings, out);
	double each = (double)(now - m->start) / 1e9 / (m->played - m->before);
	long left = lround(each * games_left(m));
	fprintf(out, ", %s%ld:%02ld:%02ld left", m->settings.tested ? "about " : "", left / 3600,
		left / 60 % 60, left % 60);
	fclose(out);
	if (m->terminal)
		paint(line);
	else
		fprintf(stderr, "%s\n", line);
	free(line);
}

/* Returns true if the SPRT has ended the match. The test of an earlier run has no effect on a run without
 * --sprt. */
static bool is_decided(const struct contest *m)
{
	const struct pairing *p = standings_find(&m->standings, 0, 1);
	return m->settings.tested && p && p->verdict != VERDICT_OPEN;
}

static bool is_played(const struct contest *m, int number)
{
	struct fixture f = schedule_at(&m->schedule, number);
	const struct pairing *p = standings_find(&m->standings, f.a, f.b);
	return p && pairing_has(p, f.opening, f.color);
}

/* Returns the next game that is not played yet, 0 if there is none. */
static int next_game(struct contest *m)
{
	int game = 0;
	pthread_mutex_lock(&m->lock);
	while (!m->failed && !is_decided(m) && game == 0 &&
	       m->next <= schedule_count(&m->schedule)) {
		if (!is_played(m, m->next))
			game = m->next;
		m->next++;
	}
	pthread_mutex_unlock(&m->lock);
	return atomic_load(&caught) ? 0 : game;
}

static void add_result(struct contest *m, const struct match_game *g)
{
	char why[MATCHES_REASON_MAX];
	pthread_mutex_lock(&m->lock);
	if (!m->failed && !matches_add(m->matches, m->number, g, why)) {
		fprintf(stderr, "match: %s\n", why);
		m->failed = true;
		cancel();
	}
	if (!m->failed) {
		standings_add(&m->standings, g);
		m->played++;
		show_progress(m);
	}
	pthread_mutex_unlock(&m->lock);
}

/* Assigns a contestant to a player of a slot. Ends the player's engine if it runs another command. */
static void set_player(struct slot *slot, int player, int contestant)
{
	struct player *p = &slot->players[player];
	const char *command = slot->match->contestants[contestant].command;
	if (p->command != command)
		client_quit(&p->client);
	p->command = command;
}

/* Prepares a game of the match. */
static void begin_round(struct round *r, struct slot *slot, int number)
{
	const struct contest *m = slot->match;
	struct fixture f = schedule_at(&m->schedule, number);
	uint64_t stream = (uint64_t)m->settings.seed << 32 ^ (uint64_t)number;
	uint32_t seeds[2];
	for (int i = 0; i < 2; i++)
		seeds[i] = (uint32_t)(1 + rng_split(&stream) % (GTP_INT_MAX - 1));
	set_player(slot, 0, f.a);
	set_player(slot, 1, f.b);
	round_init(r, &m->terms, slot->players, f.color, seeds);
}

/* Plays a game and adds its result, unless it was cancelled. */
static void play_game(struct slot *slot, int number)
{
	struct contest *m = slot->match;
	struct fixture f = schedule_at(&m->schedule, number);
	const struct opening *opening = &m->openings.list[(f.opening - 1) % m->openings.count];
	struct round r;
	begin_round(&r, slot, number);
	round_play(&r, opening);
	struct match_game g = round_result(&r);
	g.opening = f.opening;
	g.opening_moves = opening->count < g.count ? opening->count : g.count;
	g.engines[f.color] = m->contestants[f.a].engine;
	g.engines[!f.color] = m->contestants[f.b].engine;
	g.ended = time(NULL);
	if (!r.cancelled)
		add_result(m, &g);
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

/* Stores the version that an engine reports. Returns false after a message. */
static bool keep_version(struct contest *m, int contestant, const char *version)
{
	char why[MATCHES_REASON_MAX];
	struct contestant *c = &m->contestants[contestant];
	struct match_engine e = { c->name, c->command, version };
	if (matches_engine(m->matches, &e, why) < 0) {
		fprintf(stderr, "match: %s\n", why);
		return false;
	}
	const char *known = matches_engine_at(m->matches, c->engine)->version;
	char label[LABEL_MAX];
	if (*version && strcmp(known, version) != 0)
		fprintf(stderr, "match: engine %s is now %s; earlier games are by %s\n",
			player_label(contestant, label), version, known);
	return true;
}

/* Prints the last line that engines wrote to a file. It usually tells why an engine did not start. */
static void tell_last_line(int fd)
{
	char bytes[1024];
	off_t size = lseek(fd, 0, SEEK_END), from = size - (off_t)sizeof bytes + 1;
	ssize_t n = pread(fd, bytes, sizeof bytes - 1, from > 0 ? from : 0);
	while (n > 0 && isspace((unsigned char)bytes[n - 1]))
		n--;
	if (n <= 0)
		return;
	bytes[n] = '\0';
	const char *end = strrchr(bytes, '\n');
	char *line = bytes + (end ? end + 1 - bytes : 0);
	for (char *c = line; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	fprintf(stderr, "match: it wrote: %s\n", line);
}

/* Starts and sets up all engines once. What fails here would fail in every game. Returns false on
 * failure. */
static bool try_contestants(struct slot *slot)
{
	struct contest *m = slot->match;
	char label[LABEL_MAX];
	bool good = true;
	/* Keep the engines' stderr until all have started: it explains a failure. Their stderr in the match
	 * is not kept. */
	FILE *said = m->settings.stderr_file ? NULL : tmpfile();
	int usual = m->terms.stderr_fd;
	if (said) {
		m->terms.stderr_fd = fileno(said);
		fcntl(m->terms.stderr_fd, F_SETFD, FD_CLOEXEC);
	}
	for (int i = 1; good && i < m->schedule.players; i++) {
		struct round r;
		set_player(slot, 0, 0);
		set_player(slot, 1, i);
		round_init(&r, &m->terms, slot->players, BLACK, (uint32_t[]) { 1, 1 });
		good = round_set_up(&r);
		if (!good && !r.cancelled) {
			fprintf(stderr, "match: engine %s: %s\n",
				player_label(r.loser ? i : 0, label), r.detail);
			if (said)
				tell_last_line(fileno(said));
		}
		round_free(&r);
		good = good && (i > 1 || keep_version(m, 0, slot->players[0].version)) &&
		       keep_version(m, i, slot->players[1].version);
	}
	m->terms.stderr_fd = usual;
	if (said) {
		client_quit(&slot->players[0].client);
		client_quit(&slot->players[1].client);
		fclose(said);
	}
	return good;
}

/* Starts one thread per slot, with all signals blocked. Returns the number of threads started. */
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

/* Plays all games that have not been played. Returns the exit status. */
static int play_games(struct contest *m)
{
	int count = m->settings.concurrency, started = 0;
	struct slot *slots = xcalloc((size_t)count, sizeof *slots);
	for (int i = 0; i < count; i++)
		slots[i].match = m;
	m->start = m->spoken = clock_now();
	if (try_contestants(&slots[0]))
		started = start_slots(slots, count);
	for (int i = 0; i < started; i++)
		pthread_join(slots[i].thread, NULL);
	client_quit(&slots[0].players[0].client);
	client_quit(&slots[0].players[1].client);
	free(slots);
	if (atomic_load(&caught))
		return 128 + atomic_load(&caught);
	return started == 0 ? EXIT_USAGE : m->failed ? EXIT_FAILURE : 0;
}

/* Returns the terms as text. Games belong to one match only if their terms and rules are equal. */
static char *describe_terms(const struct contest *m)
{
	const struct settings *o = &m->settings;
	const struct terms *t = &m->terms;
	char *text;
	size_t size;
	FILE *out = text_open(&text, &size);
	if (o->name)
		fprintf(out, "%s, ", o->name);
	fprintf(out, "colours %s, ", o->fixed ? "fixed" : "both");
	if (o->openings_file)
		fprintf(out, "openings %s, ", o->openings_file);
	else
		fprintf(out, "openings %d random moves, ", o->opening_moves);
	fprintf(out, "seed %d, ", o->seed);
	if (t->has_clock)
		fprintf(out, "time %s", o->clock);
	else if (t->move_time > 0)
		fprintf(out, "time %g s a move", t->move_time);
	else
		fputs("time the engines' own", out);
	fclose(out);
	return text;
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

static void print_summary(const struct contest *m)
{
	const struct game *g = m->terms.game;
	char label[LABEL_MAX];
	printf("match of %s (%s)\n%s\n", g->name, g->rules,
	       matches_at(m->matches, m->number)->terms);
	for (int i = 0; i < m->standings.player_count; i++) {
		int engine = m->standings.players[i].engine;
		const struct match_engine *e = matches_engine_at(m->matches, engine);
		bool named = *e->command && strcmp(e->command, e->name) != 0;
		printf("%s %s%s%s\n", player_label(i, label), e->name, named ? ": " : "",
		       named ? e->command : "");
	}
	summary_print(&m->standings, stdout);
}

/* Finds or adds the match and its engines in the database, and reads the games played so far. */
static bool open_match(struct contest *m, char why[MATCHES_REASON_MAX])
{
	const struct settings *o = &m->settings;
	char *terms = describe_terms(m);
	m->number = matches_match(
		m->matches, &(struct match) { m->terms.game, terms, !o->fixed, o->tested, o->sprt },
		why);
	free(terms);
	if (m->number < 0)
		return false;
	standings_init(&m->standings, matches_at(m->matches, m->number));
	for (int i = 0; i < m->schedule.players; i++) {
		struct contestant *c = &m->contestants[i];
		struct match_engine e = { c->name, c->command, "" };
		if ((c->engine = matches_engine(m->matches, &e, why)) < 0)
			return false;
		standings_player(&m->standings, c->engine);
	}
	return standings_read(&m->standings, m->matches, m->number, PARTS_TIMES, why);
}

/* Opens the file that receives the engines' stderr. Returns false after a message. */
static bool open_stderr(struct contest *m)
{
	const char *path = m->settings.stderr_file ? m->settings.stderr_file : "/dev/null";
	m->terms.stderr_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (m->terms.stderr_fd < 0)
		fprintf(stderr, "match: %s: %s\n", path, strerror(errno));
	return m->terms.stderr_fd >= 0;
}

/* Opens all files that the match writes to. Returns false after a message. */
static bool open_files(struct contest *m)
{
	const struct settings *o = &m->settings;
	char why[MATCHES_REASON_MAX];
	if (!open_stderr(m))
		return false;
	m->matches = matches_open(o->output, why);
	if (m->matches && open_match(m, why))
		return true;
	fprintf(stderr, "match: %s\n", why);
	return false;
}

/* Flushes stdout. Returns `status`, or 1 after a message if stdout could not be written. */
static int flush_output(int status)
{
	bool flushed = fflush(stdout) == 0;
	if (flushed && !ferror(stdout))
		return status;
	fprintf(stderr, "match: the output could not be written%s%s\n", flushed ? "" : ": ",
		flushed ? "" : strerror(errno));
	return EXIT_FAILURE;
}

static int run_match(struct contest *m)
{
	int status = EXIT_USAGE, all = schedule_count(&m->schedule);
	if (open_files(m)) {
		watch_signals();
		m->terms.cancel_fd = cancel_pipe[0];
		m->terminal = isatty(STDERR_FILENO);
		m->next = 1;
		for (int number = 1; number <= all; number++)
			m->before += is_played(m, number);
		m->played = m->before;
		status = m->played < all && !is_decided(m) ? play_games(m) : 0;
		if (m->terminal && m->played > m->before)
			fputs("\n", stderr);
		if (m->standings.games)
			print_summary(m);
		status = flush_output(status);
	}
	standings_free(&m->standings);
	if (m->matches)
		matches_close(m->matches);
	if (m->terms.stderr_fd >= 0)
		close(m->terms.stderr_fd);
	return status;
}

/* --- the check of an engine --- */

/* Checks an engine against what clients demand. Returns the exit status. */
static int check_engine(struct contest *m)
{
	static const int statuses[] = {
		[CHECKLIST_MET] = 0,
		[CHECKLIST_FAILED] = 1,
		[CHECKLIST_NOT_STARTED] = EXIT_USAGE,
	};
	const struct settings *o = &m->settings;
	const struct terms *t = &m->terms;
	if (!open_stderr(m))
		return EXIT_USAGE;
	watch_signals();
	struct checklist c = {
		.command = o->check,
		.game_name = o->game_name,
		.game = t->game,
		.patience = t->timeout > 0 ? t->timeout : CHECK_TIMEOUT,
		.stderr_fd = t->stderr_fd,
		.cancel_fd = cancel_pipe[0],
	};
	enum checklist_result result = checklist_run(&c, stdout);
	close(t->stderr_fd);
	if (result == CHECKLIST_CANCELLED)
		return 128 + atomic_load(&caught);
	return flush_output(statuses[result]);
}

/* --- games played before --- */

/* Returns the game of --game and --rules, NULL if there is none. */
static const struct game *chosen_game(const struct settings *o)
{
	return game_find(o->game_name ? o->game_name : "othello", o->rules);
}

/* Same, but NULL if neither option was given. Games that do not name themselves are read as this one. */
static const struct game *given_game(const struct settings *o)
{
	return o->game_name || o->rules ? chosen_game(o) : NULL;
}

/* Calls `use` for every match of a file, which is a database or games in SGF. Returns the exit status. */
static int read_matches(const struct settings *o, const char *path,
			bool (*use)(struct matches *, int match, char why[MATCHES_REASON_MAX]))
{
	char why[MATCHES_REASON_MAX];
	struct matches *m = collection_open(path, given_game(o), why);
	bool good = m;
	for (int i = 0; good && matches_at(m, i); i++)
		good = use(m, i, why);
	if (!good)
		fprintf(stderr, "match: %s\n", why);
	if (m)
		matches_close(m);
	return flush_output(good ? 0 : EXIT_USAGE);
}

static bool print_score(struct matches *m, int match, char why[MATCHES_REASON_MAX])
{
	struct standings s;
	standings_init(&s, matches_at(m, match));
	bool good = standings_read(&s, m, match, PARTS_RESULT, why);
	if (good)
		summary_lines(&s, m, stdout);
	standings_free(&s);
	return good;
}

static bool print_sgf(struct matches *m, int match, char why[MATCHES_REASON_MAX])
{
	return collection_write(stdout, m, match, why);
}

static int import_games(const struct settings *o)
{
	char why[MATCHES_REASON_MAX];
	struct collection_count count;
	struct matches *m = matches_open(o->output, why);
	bool good = m && collection_import(m, o->import, given_game(o), &count, why);
	if (good) {
		collection_tell_unnamed(&count);
		printf("%d games added, %d were there, %d left out%s%s\n", count.added, count.known,
		       count.left_out, count.left_out ? ": " : "", count.why);
	} else {
		fprintf(stderr, "match: %s\n", why);
	}
	if (m)
		matches_close(m);
	int status = flush_output(good ? 0 : EXIT_USAGE);
	if (status || count.added || count.known)
		return status;
	fprintf(stderr, "match: no game of %s was taken\n", o->import);
	return EXIT_FAILURE;
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
	"FILE is a database or games in SGF, which may be compressed with zstd. SGF games that do "
	"not\n"
	"name their game, as GoGui's, are read as --game and --rules say, or as the first game "
	"that "
	"fits.\n";

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
static bool read_clock(struct contest *m, const char *text)
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

static bool read_option(struct contest *m, enum flag flag, const char *text)
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
		return read_int(name, text, 1, GAMES_MAX, &o->games);
	case FLAG_CONCURRENCY:
		return read_int(name, text, 1, CONCURRENCY_MAX, &o->concurrency);
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
	case FLAG_SCHEDULE:
		return read_choice(name, text, "roundrobin", "gauntlet", &o->gauntlet);
	case FLAG_SPRT:
		return read_test(o, text);
	case FLAG_NAME:
		o->name = text;
		return true;
	case FLAG_NOTES:
		return read_choice(name, text, "no", "yes", &m->terms.notes);
	case FLAG_IMPORT:
		o->import = text;
		return true;
	case FLAG_CHECK:
		o->check = text;
		return true;
	case FLAG_SCORE:
		o->score = text;
		return true;
	case FLAG_SGF:
		o->sgf = text;
		return true;
	case FLAG_HELP:
		break;
	}
	return false;
}

/* Returns the length of the name before a command, 0 if there is none. Ordinary commands do not look like a
 * name and a colon. */
static size_t name_length(const char *text)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || text[n] & 0x80 ||
	       (text[n] && strchr(" ._+-()#,%", text[n])))
		n++;
	return text[n] == ':' && text[n + 1] == ' ' ? n : 0;
}

/* Reads a command with an optional name before it. Returns false after a message. */
static bool read_contestant(struct contest *m, char *text)
{
	int number = m->schedule.players++;
	struct contestant *c = &m->contestants[number];
	size_t named = name_length(text);
	c->command = named ? text + named + 1 + strspn(text + named + 1, " ") : text;
	c->name = named ? xstrndup(text, named) : xstrdup(text);
	for (const char *at = text; *at; at++)
		if (iscntrl((unsigned char)*at))
			return complain("a command is one line");
	/* Make names unique: a command may play itself. */
	for (int i = 0, same = 1; i < number; i++) {
		if (strcmp(m->contestants[i].name, c->name) != 0)
			continue;
		if (named)
			return complain("two engines are called %s", c->name);
		free(c->name);
		c->name = xasprintf("%s (%d)", text, ++same);
		i = -1;
	}
	return true;
}

/* Checks that the chosen game exists. Returns false after a message. */
static bool check_game(const struct settings *o)
{
	if (chosen_game(o))
		return true;
	return o->game_name && !game_find(o->game_name, NULL)
		       ? complain("there is no game %s", o->game_name)
		       : complain("%s has no rules %s", o->game_name ? o->game_name : "othello",
				  o->rules);
}

/* Finds the game of the engine under test. A game that is unknown here has no rules. */
static bool complete_check(struct contest *m)
{
	const struct settings *o = &m->settings;
	if (!o->game_name)
		return !o->rules || complain("--rules goes with --game");
	m->terms.game = game_find(o->game_name, o->rules);
	return m->terms.game || !game_find(o->game_name, NULL) || check_game(o);
}

/* Checks the combination of arguments and fills in defaults. Returns false after a message. */
static bool complete_settings(struct contest *m)
{
	struct settings *o = &m->settings;
	struct terms *t = &m->terms;
	t->game = chosen_game(o);
	if (t->timeout == 0)
		t->timeout = MATCH_TIMEOUT;
	if (t->move_time > 0 && t->has_clock)
		return complain("--time and --clock exclude each other");
	if (o->openings_file && o->opening_moves >= 0)
		return complain("--openings and --opening-moves exclude each other");
	if (o->tested && m->schedule.players != 2)
		return complain("--sprt is for two engines");
	if (o->opening_moves < 0)
		o->opening_moves = o->fixed ? 0 : 6;
	if (o->games == 0)
		o->games = o->tested ? GAMES_MAX : 100;
	if (!o->fixed)
		o->games += o->games % 2;
	t->seeded = o->seed != 0;
	m->schedule.gauntlet = o->gauntlet;
	m->schedule.paired = !o->fixed;
	m->schedule.games = o->games;
	return true;
}

static bool make_openings(struct contest *m)
{
	const struct settings *o = &m->settings;
	const struct game *g = m->terms.game;
	char why[OPENINGS_REASON_MAX];
	/* Without random moves, all openings are equal. */
	int count = !o->opening_moves ? 1 : o->fixed ? o->games : o->games / 2;
	bool made = o->openings_file
			    ? openings_read(&m->openings, g, o->openings_file, why)
			    : openings_draw(&m->openings, g, o->opening_moves, count, o->seed, why);
	if (!made)
		fprintf(stderr, "match: %s\n", why);
	return made;
}

/* Plays the match between the commands in `words`. Returns the exit status. */
static int start_match(struct contest *m, int count, char **words)
{
	int status = EXIT_USAGE;
	bool good = true;
	m->contestants = xcalloc((size_t)count, sizeof *m->contestants);
	for (int i = 0; good && i < count; i++)
		good = read_contestant(m, words[i]);
	if (good && complete_settings(m)) {
		if (make_openings(m))
			status = run_match(m);
		openings_free(&m->openings);
	}
	for (int i = 0; i < m->schedule.players; i++)
		free(m->contestants[i].name);
	free(m->contestants);
	return status;
}

int main(int argc, char **argv)
{
	struct contest m = {
		.settings = { .concurrency = 1, .opening_moves = -1 },
		.terms = { .notes = true, .stderr_fd = -1 },
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	int flag;
	games_init();
	while ((flag = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (flag == FLAG_HELP) {
			fputs(help, stdout);
			return flush_output(0);
		}
		if (flag == '?' || !read_option(&m, (enum flag)flag, optarg))
			return EXIT_USAGE;
	}
	int count = argc - optind;
	const struct settings *o = &m.settings;
	if (o->check && count) {
		complain("--check takes one engine");
		return EXIT_USAGE;
	}
	if (o->check)
		return complete_check(&m) ? check_engine(&m) : EXIT_USAGE;
	if (!check_game(o))
		return EXIT_USAGE;
	if (o->score)
		return read_matches(o, o->score, print_score);
	if (o->sgf)
		return read_matches(o, o->sgf, print_sgf);
	if (o->import && (count || !o->output))
		complain("--import goes with --output alone");
	else if (o->import)
		return import_games(o);
	else if (count < 2)
		complain("two engines are wanted, or more");
	else if (count > RATING_PLAYERS_MAX)
		complain("%d engines at most can play", RATING_PLAYERS_MAX);
	else
		return start_match(&m, count, argv + optind);
	return EXIT_USAGE;
}
