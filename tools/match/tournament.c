/* SPDX-License-Identifier: MIT
 *
 * Plays a tournament. Threads: the slots share struct tournament; its lock protects what they write.
 */
#include "tools/match/tournament.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "engine/memory.h"
#include "protocol/gtp/gtp.h"
#include "tools/lib/message.h"
#include "tools/match/interrupt.h"
#include "tools/match/players.h"
#include "tools/match/results.h"
#include "tools/match/schedule.h"
#include "tools/match/standings.h"

#define LINE_SECONDS     30  /* between progress lines if stderr is not a terminal */
#define TERMINAL_SECONDS 0.1 /* between updates of the progress line on a terminal */

struct tournament {
	struct tournament_settings settings;
	struct player *players; /* by player number, which is also that of the standings */
	int player_count;
	struct schedule schedule;
	struct openings openings;
	int match; /* index in the database */
	int64_t start;
	bool is_terminal; /* stderr is one */

	pthread_mutex_t lock; /* protects the fields below */
	struct database *database;
	struct standings standings;
	int next;           /* next game to consider */
	int played, before; /* finished games of the schedule: all, and those of earlier runs */
	bool failed;        /* a result could not be written */
	int64_t reported;   /* time of the last progress line */
};

struct slot {
	pthread_t thread;
	struct tournament *tournament;
	struct engine_process engines[2];
};

/* --- progress --- */

/* Overwrites the last line of the terminal. Truncates to the terminal's width. */
static void overwrite_line(const char *line)
{
	struct winsize size;
	int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
	fprintf(stderr, "\r\033[K%.*s", width - 1, line);
}

/* Estimates the number of remaining games: all that are left, or those that an SPRT needs if it continues
 * as it has so far. */
static double games_left(const struct tournament *t)
{
	const struct pairing *p = standings_find(&t->standings, 0, 1);
	double all = schedule_count(&t->schedule) - t->played;
	if (!t->settings.tested || !p || p->llr == 0)
		return all;
	const struct sprt *test = &t->settings.sprt;
	double bound = p->llr > 0 ? sprt_upper(test) : sprt_lower(test);
	return fmax(0, fmin(all, t->standings.games * (bound / p->llr - 1)));
}

static void show_progress(struct tournament *t)
{
	int64_t now = clock_now();
	double since = (double)(now - t->reported) / 1e9;
	int all = schedule_count(&t->schedule);
	char *line;
	size_t size;
	if (since < (t->is_terminal ? TERMINAL_SECONDS : LINE_SECONDS) && t->played < all)
		return;
	t->reported = now;
	FILE *out = text_open(&line, &size);
	fprintf(out, "%d/%d games, ", t->played, all);
	results_print_progress(&t->standings, out);
	double each = (double)(now - t->start) / 1e9 / (t->played - t->before);
	long left = lround(each * games_left(t));
	fprintf(out, ", %s%ld:%02ld:%02ld left", t->settings.tested ? "about " : "", left / 3600,
		left / 60 % 60, left % 60);
	fclose(out);
	if (t->is_terminal)
		overwrite_line(line);
	else
		fprintf(stderr, "%s\n", line);
	free(line);
}

/* --- the slots --- */

/* Returns true if the SPRT has ended the match. The test of an earlier run has no effect on a run without
 * one. */
static bool is_decided(const struct tournament *t)
{
	const struct pairing *p = standings_find(&t->standings, 0, 1);
	return t->settings.tested && p && p->verdict != VERDICT_OPEN;
}

static bool is_played(const struct tournament *t, int number)
{
	struct fixture f = schedule_at(&t->schedule, number);
	const struct pairing *p = standings_find(&t->standings, f.a, f.b);
	return p && pairing_has(p, f.opening, f.color);
}

/* Returns the next game that is not played yet, 0 if there is none. */
static int next_game(struct tournament *t)
{
	int game = 0;
	pthread_mutex_lock(&t->lock);
	while (!t->failed && !is_decided(t) && game == 0 &&
	       t->next <= schedule_count(&t->schedule)) {
		if (!is_played(t, t->next))
			game = t->next;
		t->next++;
	}
	pthread_mutex_unlock(&t->lock);
	return interrupt_signal() ? 0 : game;
}

static void add_result(struct tournament *t, const struct match_game *g)
{
	char why[DATABASE_REASON_MAX];
	pthread_mutex_lock(&t->lock);
	if (!t->failed && !database_add_game(t->database, t->match, g, why)) {
		message("%s", why);
		t->failed = true;
		interrupt_raise();
	}
	if (!t->failed) {
		standings_add(&t->standings, g);
		t->played++;
		show_progress(t);
	}
	pthread_mutex_unlock(&t->lock);
}

/* Plays a game and adds its result, unless it was cancelled. */
static void play_game(struct slot *slot, int number)
{
	struct tournament *t = slot->tournament;
	struct fixture f = schedule_at(&t->schedule, number);
	const struct opening *opening = &t->openings.list[(f.opening - 1) % t->openings.count];
	uint64_t stream = (uint64_t)t->settings.seed << 32 ^ (uint64_t)number;
	struct referee r;
	uint32_t seeds[2];
	for (int i = 0; i < 2; i++)
		seeds[i] = (uint32_t)(1 + rng_split(&stream) % (GTP_INT_MAX - 1));
	engine_process_assign(&slot->engines[0], t->players[f.a].command);
	engine_process_assign(&slot->engines[1], t->players[f.b].command);
	referee_init(&r, &t->settings.terms, slot->engines, f.color, seeds);
	referee_play(&r, opening);
	struct match_game g = referee_result(&r);
	g.opening = f.opening;
	g.opening_moves = opening->count < g.count ? opening->count : g.count;
	g.engines[f.color] = t->players[f.a].engine;
	g.engines[!f.color] = t->players[f.b].engine;
	g.ended = time(NULL);
	if (!r.cancelled)
		add_result(t, &g);
	referee_free(&r);
}

static void *run_slot(void *arg)
{
	struct slot *slot = arg;
	int game;
	while ((game = next_game(slot->tournament)))
		play_game(slot, game);
	client_quit(&slot->engines[0].client);
	client_quit(&slot->engines[1].client);
	return NULL;
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
static int play_games(struct tournament *t)
{
	const struct tournament_settings *o = &t->settings;
	struct slot *slots = xcalloc((size_t)o->concurrency, sizeof *slots);
	int started = 0;
	for (int i = 0; i < o->concurrency; i++)
		slots[i].tournament = t;
	t->start = t->reported = clock_now();
	if (players_try(t->players, t->player_count, &o->terms, o->stderr_file, t->database))
		started = start_slots(slots, o->concurrency);
	for (int i = 0; i < started; i++)
		pthread_join(slots[i].thread, NULL);
	free(slots);
	if (interrupt_signal())
		return 128 + interrupt_signal();
	return started == 0 ? TOURNAMENT_UNUSABLE : t->failed ? EXIT_FAILURE : 0;
}

/* --- start and end --- */

/* Returns the terms as text. Games belong to one match only if their terms and rules are equal. */
static char *describe_terms(const struct tournament_settings *o)
{
	const struct terms *t = &o->terms;
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

static void print_results(const struct tournament *t)
{
	const struct game *g = t->settings.terms.game;
	char label[LABEL_MAX];
	printf("match of %s (%s)\n%s\n", g->name, g->rules,
	       database_match(t->database, t->match)->terms);
	for (int i = 0; i < t->standings.player_count; i++) {
		int engine = t->standings.players[i].engine;
		const struct match_engine *e = database_engine(t->database, engine);
		bool named = *e->command && strcmp(e->command, e->name) != 0;
		printf("%s %s%s%s\n", player_label(i, label), e->name, named ? ": " : "",
		       named ? e->command : "");
	}
	results_print(&t->standings, stdout);
}

/* Finds or adds the match and its engines in the database, and reads the games played so far. */
static bool open_match(struct tournament *t, char why[DATABASE_REASON_MAX])
{
	const struct tournament_settings *o = &t->settings;
	char *terms = describe_terms(o);
	t->match = database_add_match(t->database,
				      &(struct match) {
					      .game = o->terms.game,
					      .terms = terms,
					      .paired = !o->fixed,
					      .tested = o->tested,
					      .sprt = o->sprt,
					      .komi = o->terms.komi,
				      },
				      why);
	free(terms);
	if (t->match < 0 || !players_register(t->players, t->player_count, t->database, why))
		return false;
	standings_init(&t->standings, database_match(t->database, t->match));
	for (int i = 0; i < t->player_count; i++)
		standings_player(&t->standings, t->players[i].engine);
	return standings_read(&t->standings, t->database, t->match, PARTS_TIMES, why);
}

int tournament_open_stderr(const char *path)
{
	path = path ? path : "/dev/null";
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		message("%s: %s", path, strerror(errno));
	return fd;
}

/* Opens all files that the tournament writes to. Returns false after a message. */
static bool open_files(struct tournament *t)
{
	char why[DATABASE_REASON_MAX];
	t->settings.terms.stderr_fd = tournament_open_stderr(t->settings.stderr_file);
	if (t->settings.terms.stderr_fd < 0)
		return false;
	t->database = database_open(t->settings.output, why);
	return (t->database && open_match(t, why)) || message("%s", why);
}

static bool make_openings(struct tournament *t)
{
	const struct tournament_settings *o = &t->settings;
	const struct game *g = o->terms.game;
	char why[OPENINGS_REASON_MAX];
	/* Without random moves, all openings are equal. */
	int count = !o->opening_moves ? 1 : o->fixed ? o->games : o->games / 2;
	bool made = o->openings_file
			    ? openings_read(&t->openings, g, o->openings_file, why)
			    : openings_draw(&t->openings, g, o->opening_moves, count, o->seed, why);
	return made || message("%s", why);
}

/* Plays what is left of the tournament and prints the results. Returns the exit status. */
static int run(struct tournament *t)
{
	int all = schedule_count(&t->schedule);
	if (!interrupt_init()) {
		message("pipe: %s", strerror(errno));
		return TOURNAMENT_UNUSABLE;
	}
	t->settings.terms.cancel_fd = interrupt_fd();
	t->is_terminal = isatty(STDERR_FILENO);
	t->next = 1;
	for (int number = 1; number <= all; number++)
		t->before += is_played(t, number);
	t->played = t->before;
	int status = t->played < all && !is_decided(t) ? play_games(t) : 0;
	if (t->is_terminal && t->played > t->before)
		fputs("\n", stderr);
	if (t->standings.games)
		print_results(t);
	return status;
}

int tournament_play(const struct tournament_settings *o, int count, const char *const *commands)
{
	struct tournament t = {
		.settings = *o,
		.players = xcalloc((size_t)count, sizeof *t.players),
		.player_count = count,
		.schedule = { count, o->gauntlet, !o->fixed, o->games },
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	int status = TOURNAMENT_UNUSABLE;
	t.settings.terms.stderr_fd = -1;
	if (players_read(t.players, count, commands) && make_openings(&t) && open_files(&t))
		status = run(&t);
	openings_free(&t.openings);
	standings_free(&t.standings);
	if (t.database)
		database_close(t.database);
	if (t.settings.terms.stderr_fd >= 0)
		close(t.settings.terms.stderr_fd);
	players_free(t.players, count);
	free(t.players);
	return status;
}
