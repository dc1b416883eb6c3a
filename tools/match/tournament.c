/* SPDX-License-Identifier: MIT
 *
 * Rank 0 of a tournament: schedule, database, results. Everything here runs on its main thread.
 */
#include "tools/match/tournament.h"
#include "engine/base/disk.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "protocol/session/line.h"
#include "tools/lib/interrupt.h"
#include "tools/lib/message.h"
#include "tools/lib/progress.h"
#include "tools/lib/usual.h"
#include "tools/match/results.h"
#include "tools/match/schedule.h"
#include "tools/match/standings.h"
#include "tools/match/task.h"
#include "tools/match/worker.h"
#include "tools/ranks/ranks.h"

/* Nanoseconds that games may take to end when the tournament is stopped. */
#define LAST_WAIT          INT64_C(3000000000)
#define WORKERS_REASON_MAX 4352

/* What rank 0 knows of a rank that works. */
struct tournament_rank {
	bool usable;  /* its trial went well */
	double scale; /* of times */
};

struct tournament {
	struct tournament_settings settings;
	struct match_player *players; /* by player number, which is also that of the standings */
	int player_count;
	struct schedule schedule;
	struct openings openings;
	bool has_usual;    /* they are the usual ones of the game */
	uint32_t checksum; /* of these */
	int match;         /* index in the database */
	struct database *database;
	struct standings standings;

	struct match_workers workers;  /* of this rank */
	struct tournament_rank *ranks; /* by rank */
	char **versions; /* by player, as the first rank that tried the engines reports them */
	struct question *waiting; /* of workers without a task */
	int waiting_count;
	int next;           /* next game to consider */
	int total;          /* games of this run's part of the schedule */
	int playing;        /* games that workers play now */
	int played, before; /* finished games of the schedule: all, and those of earlier runs */
	int status;         /* exit status; EXIT_FAILURE: a result could not be written */

	struct sprt reversed; /* the test in the database, of the other engine */

	int64_t start;
	struct progress progress;
};

/* --- progress --- */

/* Estimates the number of remaining games: all that are left, or those that an SPRT needs if it continues
 * as it has so far. */
static double games_left(const struct tournament *t)
{
	const struct pairing *p = standings_find(&t->standings, 0, 1);
	double all = t->total - t->played;
	if (!t->settings.tested || !p || p->llr == 0)
		return all;
	const struct sprt *test = &t->settings.sprt;
	double bound = p->llr > 0 ? sprt_upper(test) : sprt_lower(test);
	return fmax(0, fmin(all, t->standings.games * (bound / p->llr - 1)));
}

static void tournament_show_progress(struct tournament *t)
{
	int64_t now = clock_now();
	int all = t->total;
	if (now < t->progress.due && t->played < all)
		return;
	struct text line = { 0 };
	text_printf(&line, "%d/%d games, ", t->played, all);
	results_print_progress(&t->standings, &line);
	double each = (double)(now - t->start) / 1e9 / (t->played - t->before);
	long left = lround(each * games_left(t));
	if (ranks_count() > 1)
		text_printf(&line, ", %d ranks, %.3g games/s, %.0f %% idle", ranks_count(),
			    1 / each, 100 * ranks_idle());
	text_printf(&line, ", %s%ld:%02ld:%02ld left", t->settings.tested ? "about " : "",
		    left / 3600, left / 60 % 60, left % 60);
	progress_show(&t->progress, line.bytes);
	text_free(&line);
}

/* --- tasks --- */

/* Returns true if the SPRT has ended the match. The test of an earlier run has no effect on a run without
 * one. */
static bool tournament_is_decided(const struct tournament *t)
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

/* Returns true if this run plays the game, unlike other runs with other parts. */
static bool is_ours(const struct tournament *t, int number)
{
	const struct tournament_settings *o = &t->settings;
	return o->parts == 0 ||
	       (schedule_at(&t->schedule, number).opening - 1) % o->parts == o->part - 1;
}

/* Returns the next game that is not played yet, 0 if there is none. */
static int next_game(struct tournament *t)
{
	int all = schedule_count(&t->schedule);
	while (t->next <= all && (!is_ours(t, t->next) || is_played(t, t->next)))
		t->next++;
	return t->next <= all && !tournament_is_decided(t) && !t->status ? t->next++ : 0;
}

/* Returns the opening of an opening number. */
static const struct opening *tournament_opening_of(const struct tournament *t, int number)
{
	return &t->openings.list[(number - 1) % t->openings.count];
}

static struct match_task task_of(const struct tournament *t, int number, double scale)
{
	struct fixture f = schedule_at(&t->schedule, number);
	uint64_t stream = (uint64_t)t->settings.seed << 32 ^ (uint64_t)number;
	struct match_task task = {
		.number = number,
		.a = f.a,
		.b = f.b,
		.color = f.color,
		.scale = scale,
		.opening = *tournament_opening_of(t, f.opening),
	};
	for (int i = 0; i < 2; i++)
		task.seeds[i] = (uint32_t)(1 + rng_split(&stream) % (LINE_INT_MAX - 1));
	return task;
}

/* Gives a worker what it should do next. The first worker of a rank tries the engines. Returns false if there is
 * nothing now: the worker waits. */
static bool tournament_give_task(struct tournament *t, const struct question *q)
{
	const struct tournament_rank *rank_state = &t->ranks[q->rank];
	int number = rank_state->usable ? next_game(t) : 0;
	struct match_task task = { .trial = true };
	if (number == 0 && (rank_state->usable || q->worker > 0 || t->status))
		return false;
	if (number) {
		task = task_of(t, number, rank_state->scale);
		t->playing++;
	}
	ranks_answer(q, task_pack(&task));
	return true;
}

/* Gives tasks to all waiting workers for which there are some. */
static void give_tasks(struct tournament *t)
{
	int kept = 0;
	for (int i = 0; i < t->waiting_count; i++)
		if (!tournament_give_task(t, &t->waiting[i]))
			t->waiting[kept++] = t->waiting[i];
	t->waiting_count = kept;
}

/* Ends all games because the tournament cannot go on. */
static void tournament_fail(struct tournament *t, int status)
{
	t->status = status;
	ranks_stop();
}

/* --- outcomes --- */

/* Prints the lines of a rank's message. */
static void tell_error(const struct match_outcome *o)
{
	char *copy = xstrdup(o->error), *rest = copy;
	for (const char *line; (line = text_cut(&rest, "\n"));)
		if (ranks_count() > 1)
			message("%s: %s", o->host, line);
		else
			message("%s", line);
	free(copy);
}

/* The speeds of a machine and of the one that was first in the match. */
struct speeds {
	const char *host;
	double first, own;
};

static bool take_speed(void *arg, const struct match_node *n)
{
	struct speeds *s = arg;
	s->first = s->first > 0 ? s->first : n->speed;
	s->own = strcmp(n->name, s->host) == 0 ? n->speed : s->own;
	return true;
}

/* Stores a machine's speed, unless it is known, and finds by what its times are multiplied. */
static bool take_node(struct tournament *t, const struct match_outcome *o, double *scale)
{
	char why[DATABASE_REASON_MAX];
	struct speeds s = { .host = o->host };
	const struct match_node node = { o->host, o->speed };
	if (!database_add_node(t->database, t->match, &node, why) ||
	    !database_nodes(t->database, t->match, take_speed, &s, why))
		return message("%s", why);
	if (t->settings.scales_time)
		*scale = s.first / s.own;
	return true;
}

/* Checks that the engines of a machine have the versions that they have on the first one. */
static bool has_same_versions(struct tournament *t, const struct match_outcome *o)
{
	char label[LABEL_MAX];
	bool is_first = !t->versions[0];
	for (int i = 0; i < t->player_count; i++) {
		if (is_first)
			t->versions[i] = xstrdup(o->versions[i]);
		else if (strcmp(t->versions[i], o->versions[i]) != 0)
			return message("engine %s is %s on %s, but %s elsewhere; install one "
				       "version on all machines",
				       player_label(i, label), o->versions[i], o->host,
				       t->versions[i]);
	}
	return !is_first || players_keep_versions(t->players, t->player_count,
						  (const char *const *)t->versions, t->database);
}

/* Takes the result of a rank's trial. Returns false after a message if the rank cannot play. */
static bool take_trial(struct tournament *t, int rank, const struct match_outcome *o)
{
	struct tournament_rank *rank_state = &t->ranks[rank];
	if (o->error) {
		if (*o->error)
			tell_error(o);
		return false;
	}
	rank_state->scale = 1;
	rank_state->usable = has_same_versions(t, o) &&
			     (o->speed == 0 || take_node(t, o, &rank_state->scale));
	return rank_state->usable;
}

/* Stores a game and counts it. */
static void tournament_take_game(struct tournament *t, struct match_outcome *o)
{
	char why[DATABASE_REASON_MAX];
	struct fixture f = schedule_at(&t->schedule, o->number);
	struct match_game *g = &o->game;
	g->opening = f.opening;
	g->opening_moves = tournament_opening_of(t, f.opening)->count;
	g->engines[f.color] = t->players[f.a].engine;
	g->engines[!f.color] = t->players[f.b].engine;
	g->ended = time(NULL);
	if (t->status == EXIT_FAILURE)
		return;
	if (!database_add_game(t->database, t->match, g, why)) {
		message("%s", why);
		tournament_fail(t, EXIT_FAILURE);
		return;
	}
	standings_add(&t->standings, g);
	t->played++;
	tournament_show_progress(t);
}

/* Takes what a worker reports; it then waits for a task. */
static void take_outcome(struct tournament *t, const struct question *q)
{
	struct match_outcome o;
	bool good = outcome_unpack(q->packet, &o);
	assert(good);
	t->playing -= o.kind == OUTCOME_PLAYED || o.kind == OUTCOME_CANCELLED;
	if (o.kind == OUTCOME_TRIED && !take_trial(t, q->rank, &o) && !t->status)
		tournament_fail(t, TOURNAMENT_UNUSABLE);
	if (o.kind == OUTCOME_PLAYED)
		tournament_take_game(t, &o);
	outcome_free(&o);
	free(q->packet.bytes);
	t->waiting[t->waiting_count++] = *q;
}

/* Stores games that end while a stopped tournament waits for its workers. */
static void take_last(struct tournament *t)
{
	struct question q;
	int64_t deadline = clock_now() + LAST_WAIT;
	while (t->playing > 0 && ranks_receive(deadline, -1, &q))
		take_outcome(t, &q);
}

/* Plays all games that have not been played. */
static void tournament_play_games(struct tournament *t)
{
	struct question q;
	bool more = true;
	t->ranks = xcalloc((size_t)ranks_count(), sizeof *t->ranks);
	t->versions = xcalloc((size_t)t->player_count, sizeof *t->versions);
	t->waiting = xcalloc((size_t)ranks_workers(), sizeof *t->waiting);
	t->start = clock_now();
	while (more && !t->status && ranks_receive(TIME_NEVER, interrupt_descriptor(), &q)) {
		take_outcome(t, &q);
		give_tasks(t);
		more = t->playing > 0 || t->waiting_count < ranks_workers();
	}
	if (interrupt_signal()) {
		t->status = 128 + interrupt_signal();
		ranks_stop();
	}
	if (t->status)
		take_last(t);
	for (int i = 0; i < t->player_count; i++)
		free(t->versions[i]);
	free(t->versions);
	free(t->ranks);
	free(t->waiting);
}

/* --- start and end --- */

/* Returns the terms as text. Games belong to one match only if their terms and rules are equal. */
static char *describe_terms(const struct tournament *tournament)
{
	const struct tournament_settings *o = &tournament->settings;
	const struct terms *t = &o->terms;
	struct text text = { 0 };
	if (o->name)
		text_printf(&text, "%s, ", o->name);
	text_printf(&text, "colours %s, ", o->fixed ? "fixed" : "both");
	if (o->openings_file)
		text_printf(&text, "openings %s, ", o->openings_file);
	else if (tournament->has_usual)
		text_printf(&text, "openings the %d usual ones (%08x), ",
			    tournament->openings.count, tournament->checksum);
	else
		text_printf(&text, "openings %d random moves, ", o->opening_moves);
	text_printf(&text, "seed %d, ", o->seed);
	if (t->has_clock)
		text_printf(&text, "time %s", o->clock);
	else if (t->move_time > 0)
		text_printf(&text, "time %g s a move", t->move_time);
	else
		text_puts(&text, "time the engines' own");
	return text_take(&text);
}

static void print_results(const struct tournament *t)
{
	const struct game *g = t->settings.terms.game;
	char label[LABEL_MAX];
	struct text text = { 0 };
	printf("match of %s (%s)\n%s\n", g->name, g->rules,
	       database_match(t->database, t->match)->terms);
	if (t->settings.parts)
		printf("part %d of %d\n", t->settings.part, t->settings.parts);
	for (int i = 0; i < t->standings.player_count; i++) {
		int engine = t->standings.players[i].engine;
		const struct match_engine *e = database_engine(t->database, engine);
		bool named = *e->command && strcmp(e->command, e->name) != 0;
		printf("%s %s%s%s\n", player_label(i, label), e->name, named ? ": " : "",
		       named ? e->command : "");
	}
	results_print(&t->standings, &text);
	text_send(&text, stdout);
}

/* Checks that the games of earlier runs began with the openings of this one, and were begun by the same engine if
 * colours are fixed. Returns false with the reason in `why`. */
static bool continues(const struct tournament *t, char why[DATABASE_REASON_MAX])
{
	const struct standings *s = &t->standings;
	int last = schedule_at(&t->schedule, schedule_count(&t->schedule)).opening;
	for (int i = 1; i < s->numbers && i <= last; i++) {
		if (!s->of[i])
			continue;
		const char *before = s->of[i]->text;
		char *now = opening_text(t->settings.terms.game, tournament_opening_of(t, i));
		/* A game may have less of its opening: an engine of an earlier version failed before it had seen all. */
		bool is_same = strncmp(before, now, strlen(before)) == 0;
		if (!is_same)
			snprintf(why, DATABASE_REASON_MAX,
				 "games of opening %d began %.100s, but it is %.100s now: give the "
				 "earlier openings, or --name for a new match",
				 i, before, now);
		free(now);
		if (!is_same)
			return false;
	}
	for (int i = 0; t->settings.fixed && i < s->pairing_count; i++) {
		const struct pairing *p = &s->pairings[i];
		if (p->players[1] >= t->player_count || !tally_games(&p->tally[WHITE]))
			continue;
		snprintf(why, DATABASE_REASON_MAX,
			 "engine %d moved first in earlier games: give the engines in that order, "
			 "or --name for a new match",
			 p->players[1] + 1);
		return false;
	}
	return true;
}

/* Finds or adds the match and its engines in the database, and reads the games played so far. */
static bool open_match(struct tournament *t, char why[DATABASE_REASON_MAX])
{
	const struct tournament_settings *o = &t->settings;
	if (!players_register(t->players, t->player_count, t->database, why))
		return false;
	/* The database has the test of the engine that comes first there. */
	bool is_reversed = t->players[0].engine > t->players[1].engine;
	char *terms = describe_terms(t);
	t->match = database_add_match(
		t->database,
		&(struct match) {
			.game = o->terms.game,
			.terms = terms,
			.paired = !o->fixed,
			.tested = o->tested,
			.sprt = is_reversed ? sprt_of_other(&o->sprt) : o->sprt,
			.komi = o->terms.komi,
		},
		why);
	free(terms);
	if (t->match < 0)
		return false;
	const struct match *match = database_match(t->database, t->match);
	standings_init(&t->standings, match);
	if (match->tested && is_reversed) {
		t->reversed = sprt_of_other(&match->sprt);
		t->standings.test = &t->reversed;
	}
	for (int i = 0; i < t->player_count; i++)
		standings_player(&t->standings, t->players[i].engine);
	return standings_read(&t->standings, t->database, t->match, PARTS_TIMES, why) &&
	       continues(t, why);
}

static bool open_database(struct tournament *t)
{
	char why[DATABASE_REASON_MAX];
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
	t->has_usual = o->usual && usual_openings(&t->openings, g, o->seed, &t->checksum);
	if (t->has_usual)
		return true;
	bool made = o->openings_file
			    ? openings_read(&t->openings, g, o->openings_file, o->columns,
					    o->opening_moves, why)
			    : openings_draw(&t->openings, g, o->opening_moves, count, o->seed, why);
	return made || message("%s", why);
}

/* Rank 0: plays what is left of the tournament and prints the results. */
static void tournament_serve(void *arg)
{
	struct tournament *t = arg;
	int all = schedule_count(&t->schedule);
	t->status = TOURNAMENT_UNUSABLE;
	if (!make_openings(t) || !open_database(t))
		return;
	t->status = 0;
	t->progress = progress_start();
	t->next = 1;
	for (int number = 1; number <= all; number++) {
		t->total += is_ours(t, number);
		t->before += is_ours(t, number) && is_played(t, number);
	}
	t->played = t->before;
	if (t->total == 0)
		message("part %d of %d has no games", t->settings.part, t->settings.parts);
	if (t->played < t->total && !tournament_is_decided(t))
		tournament_play_games(t);
	if (t->progress.is_terminal && t->played > t->before)
		fputs("\n", stderr);
	if (t->standings.games)
		print_results(t);
}

static void tournament_work(void *arg, int worker)
{
	const struct tournament *t = arg;
	match_worker_run(&t->workers, worker);
}

static void tournament_stop(void *arg)
{
	interrupt_raise();
}

/* Prepares the workers of this rank. */
static void prepare_workers(struct tournament *t, char why[WORKERS_REASON_MAX])
{
	const struct tournament_settings *o = &t->settings;
	t->workers = (struct match_workers) {
		.players = t->players,
		.player_count = t->player_count,
		.terms = o->terms,
		.stderr_file = o->stderr_file,
		.measures = ranks_count() > 1 || o->scales_time,
	};
	t->workers.terms.err = o->stderr_file ? disk_open(o->stderr_file, "a") : NULL;
	t->workers.terms.cancel = interrupt_descriptor();
	if (t->workers.terms.err || !o->stderr_file)
		return;
	snprintf(why, WORKERS_REASON_MAX, "%s: %s", o->stderr_file, strerror(errno));
	t->workers.error = why;
}

int tournament_play(const struct tournament_settings *o, int count, const char *const *commands)
{
	static const struct ranks_job job = { tournament_work, tournament_serve, tournament_stop };
	struct tournament t = {
		.settings = *o,
		.players = xcalloc((size_t)count, sizeof *t.players),
		.player_count = count,
		.schedule = { count, o->gauntlet, !o->fixed, o->games },
		.status = TOURNAMENT_UNUSABLE,
	};
	char why[WORKERS_REASON_MAX];
	if (!interrupt_init())
		message_exit_errno("make", "a pipe");
	prepare_workers(&t, why);
	if (players_read(t.players, count, commands))
		ranks_run(&job, o->concurrency, &t);
	openings_free(&t.openings);
	standings_free(&t.standings);
	if (t.database)
		database_close(t.database);
	if (t.workers.terms.err)
		fclose(t.workers.terms.err);
	players_free(t.players, count);
	free(t.players);
	return ranks_own() == 0 ? t.status : 0;
}
