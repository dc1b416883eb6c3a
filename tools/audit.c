/* SPDX-License-Identifier: MIT
 *
 * audit: plays games in which every claim of every search is compared with the truth.
 *
 * A session is a game, or parts of several games, played with one engine. Its number determines its
 * options, its positions and the questions about them. Later searches find the tree and tables of earlier
 * ones: moves are made, taken back and replaced, options and rules change, moves are excluded. Sessions
 * with one thread and work limits repeat exactly. The others end searches by the clock; claims must be true
 * there, too.
 */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/stream.h"
#include "engine/base/text.h"
#include "engine/base/thread.h"
#include "engine/rules/eval.h"
#include "engine/rules/threats.h"
#include "engine/search/algorithms.h"
#include "engine/search/engine.h"
#include "games/games.h"
#include "protocol/program/program.h"
#include "tools/check/claims.h"

#define TRUTH_BYTES  ((size_t)64 << 20)
#define TOLD_MAX     10      /* maximum number of wrong sessions that are printed in full */
#define SEED_MAX     1000000 /* largest seed of an engine */
#define LIVE_MAX     20      /* maximum number of checked reports of a running search */
#define TIME_SOLVER  20      /* time limit of a solver in seconds; it needs milliseconds */
#define CLOCKED_PART 8       /* one session in this many uses the clock */
#define THREADS_PART 3       /* one session in this many has two threads */

/* The searches and their relative frequencies. */
static const struct {
	const char *name;
	int weight;
} searches[] = {
	{ "random", 1 },          { "montecarlo", 1 }, { "mcts", 4 }, { "negamax", 1 },
	{ "alphabeta-plain", 1 }, { "alphabeta", 3 },  { "dfpn", 3 }, { "pns", 2 },
	{ "dfpn+mcts", 3 },       { "union", 5 },      { "auto", 2 },
};
#define SEARCHES   (int)(sizeof searches / sizeof searches[0])

/* Values of options to draw from. A value that is listed twice is drawn twice as often. */
#define VALUES_MAX 8
static const struct {
	const char *name, *values[VALUES_MAX];
} draws[] = {
	{ "memory", { "1", "1", "2", "4", "16" } },
	{ "depth", { "0", "0", "1", "2", "3", "4", "6" } },
	{ "level", { "0", "0", "0", "0", "0", "1", "5", "9" } },
	{ "exact", { "1", "0" } },
	{ "share", { "total", "move" } },
	{ "exploration", { "0.1", "0.5", "1.4" } },
	{ "decisive", { "1", "0" } },
	{ "rave", { "0", "30", "1000" } },
	{ "batch", { "1", "0" } },
	{ "evaluator", { "1", "0" } },
	{ "puct", { "0.3", "1.2", "4" } },
	{ "puct_growth", { "-1", "0", "2" } },
	{ "minimax", { "0", "0.5", "1" } },
	{ "noise", { "0", "0", "0.25" } },
	{ "gumbel", { "0", "0", "4" } },
	{ "expansion", { "0", "1", "2", "10" } },
	{ "first_play", { "100", "1", "0.5" } },
	{ "choice", { "visits", "winrate", "lcb" } },
	{ "solver", { "1", "1", "1", "0" } },
	{ "lookahead", { "1", "1", "0" } },
	{ "forced", { "-1", "-1", "0", "3", "500" } },
	{ "pn", { "0", "0", "0.25", "0.5", "2" } },
	{ "pn_term", { "rank", "sum", "max" } },
	{ "reuse", { "1", "1", "0" } },
	{ "virtual_loss", { "1", "0" } },
	{ "early_stop", { "1", "0" } },
	{ "extend", { "1", "0" } },
	{ "probcut", { "0.8", "0.8", "0", "0.2" } },
	{ "proving", { "0", "0.1", "0.3", "1", "10", "100" } },
	{ "split", { "1", "2", "5" } },
	{ "ponder", { "1", "0" } },
};
#define DRAWS (uint32_t)(sizeof draws / sizeof draws[0])

/* The kinds of question about a position. */
enum question {
	ASK_MOVE,    /* a move */
	ASK_SOME,    /* a move, chosen from some of the moves */
	ASK_VALUES,  /* the values of all moves */
	ASK_SOLVE,   /* the exact value of the position, with a work limit */
	ASK_SOLVER,  /* the same without a work limit */
	ASK_ENDLESS, /* an analysis that runs until it is stopped */
};

struct audit_tally {
	int sessions, wrong;
	uint64_t positions, live, refused;
	struct claims claims;
};

struct audit {
	const char *game_name, *rules_name, *search_name;
	int positions; /* number to search per game */
	int seed;      /* number of the first session */
	bool falsifies;
	struct truth *truth;
	struct channel wakes; /* by the search */
	atomic_int woken;     /* bits of enum wake: what the search has to tell */
	struct audit_tally tallies[SEARCHES];
	int told;
};

struct audit_session {
	struct audit *audit;
	struct audit_tally *tally;
	const struct game *game;
	const char *search;
	int number;
	int left; /* positions to search */
	bool clocked;
	bool good;
	struct rng rng;
	struct engine *engine;
	struct record record;
	struct text log; /* the session as lines of GTP */
};

static bool chance(struct audit_session *v, uint32_t n)
{
	return rng_below(&v->rng, n) == 0;
}

/* --- the session as lines of GTP --- */

static const char *color(const struct audit_session *v)
{
	return v->record.now.side == BLACK ? "b" : "w";
}

static void log_move(struct audit_session *v, struct move m)
{
	char text[MOVE_TEXT_MAX];
	game_format(v->game, &v->record.now, m, text);
	text_puts(&v->log, text);
}

static void audit_play(struct audit_session *v, struct move m)
{
	text_printf(&v->log, "play %s ", color(v));
	log_move(v, m);
	text_putc(&v->log, '\n');
	record_play(&v->record, m);
}

static void begin_at(struct audit_session *v, const struct state *s)
{
	char text[POSITION_TEXT_MAX];
	record_setup(&v->record, s);
	game_position(v->game, s, text);
	text_printf(&v->log, "position %s\n", text);
}

static void audit_set_option(struct audit_session *v, const char *name, const char *value)
{
	char old[OPTION_TEXT_MAX];
	option_get(engine_options(v->engine), option_find(name), old);
	if (strcmp(old, value) == 0)
		return;
	options_set(engine_options(v->engine), name, value);
	text_printf(&v->log, "param %s %s\n", name, value);
}

static void audit_set_number(struct audit_session *v, const char *name, uint32_t value)
{
	char text[OPTION_TEXT_MAX];
	snprintf(text, sizeof text, "%u", value);
	audit_set_option(v, name, text);
}

/* Sets an option to a random value of its list. */
static void draw_option(struct audit_session *v, uint32_t which)
{
	uint32_t n = 1; /* every list has a value */
	while (n < VALUES_MAX && draws[which].values[n])
		n++;
	audit_set_option(v, draws[which].name, draws[which].values[rng_below(&v->rng, n)]);
}

/* --- reporting errors --- */

static void audit_tell(struct audit_session *v, const char *what)
{
	char text[POSITION_TEXT_MAX];
	bool first = v->good;
	v->good = false;
	if (!first || v->audit->told++ >= TOLD_MAX)
		return;
	game_position(v->game, &v->record.now, text);
	printf("\nwrong: %s %s, %s, at %s: %s\n", v->game->name, v->game->rules, v->search, text,
	       what);
	printf("tools/audit --game=%s --seed=%d --positions=1 repeats it%s; as lines for "
	       "yomi:\n%s\n",
	       v->game->name, v->number,
	       v->clocked || engine_options(v->engine)->threads > 1 ? " or not: time decides" : "",
	       v->log.bytes);
	fflush(stdout);
}

/* Negates the bounds and values of a report. The check must notice it. */
static void falsify(struct report *r)
{
	int lower = r->lower;
	r->lower = -r->upper;
	r->upper = -lower;
	r->value = -r->value;
	r->score = -r->score;
}

static void audit_check(struct audit_session *v, const struct choice *choice,
			const struct report *report, bool live)
{
	char text[CLAIM_TEXT_MAX], what[CLAIM_TEXT_MAX + 32];
	struct report own = *report; /* with the same lists */
	struct choice from = *choice;
	from.is_live = live;
	if (v->audit->falsifies)
		falsify(&own);
	if (!claims_check(&v->tally->claims, v->audit->truth, v->game, &v->record.now, &from, &own,
			  text)) {
		snprintf(what, sizeof what, "%s%s", text, live ? ", while it searches" : "");
		audit_tell(v, what);
	}
}

/* --- searches --- */

/* The callback of engine_think, on a thread of the search. */
static void audit_wake(void *arg, enum wake what)
{
	struct audit *a = arg;
	atomic_fetch_or(&a->woken, 1 << what);
	channel_ring(&a->wakes);
}

/* Searches on another thread and checks its reports as they come. If nothing else ends the search (`ends`
 * is false), stops it after some reports. */
static bool audit_think(struct audit_session *v, struct limits limits, const struct choice *choice,
			bool ends, struct report *out)
{
	struct audit *a = v->audit;
	char why[REASON_MAX];
	bool is_over = false;
	int live = 0, most = ends ? LIVE_MAX : 1 + (int)rng_below(&v->rng, LIVE_MAX);
	limits.interval = 1;
	if (!engine_think(v->engine, &v->record, &limits, audit_wake, a, why))
		return false;
	while (!is_over) {
		bool silent = !stream_wait(&a->wakes.in, 1, ends ? -1 : 20);
		if (!ends && (silent || live == most))
			engine_stop(v->engine);
		channel_hush(&a->wakes);
		int woken = atomic_exchange(&a->woken, 0);
		is_over = woken & 1 << WAKE_DONE;
		if (is_over || !(woken & 1 << WAKE_REPORT) || live == most)
			continue;
		engine_live(v->engine, out);
		audit_check(v, choice, out, true);
		v->tally->live++;
		live++;
	}
	return engine_collect(v->engine, out, why);
}

/* Draws some of the legal moves, not all. */
static int audit_draw_moves(struct audit_session *v, struct move out[GAME_MOVES_MAX])
{
	struct move moves[GAME_MOVES_MAX];
	int n = record_moves(&v->record, moves), count = 0;
	uint32_t part = 1 + rng_below(&v->rng, 4);
	for (int i = 0; i < n; i++)
		if (rng_below(&v->rng, 5) < part && count < n - 1)
			out[count++] = moves[i];
	if (count == 0)
		out[count++] = moves[rng_below(&v->rng, (uint32_t)n)];
	return count;
}

static void log_question(struct audit_session *v, enum question question,
			 const struct choice *choice, bool values)
{
	if (question == ASK_MOVE)
		text_printf(&v->log, "reg_genmove %s\n", color(v));
	if (question == ASK_VALUES)
		text_puts(&v->log, "yomi-think\n");
	if (question == ASK_ENDLESS)
		text_puts(&v->log, "analyze 1\n");
	if (question == ASK_SOLVE || question == ASK_SOLVER)
		text_printf(&v->log, "solve%s\n", values ? " all" : "");
	if (question == ASK_SOME) {
		text_printf(&v->log, "kata-search_analyze %s 100 allow %s ", color(v), color(v));
		for (int i = 0; i < choice->only_count; i++) {
			text_puts(&v->log, i ? "," : "");
			log_move(v, choice->only[i]);
		}
		text_puts(&v->log, " 1\n");
	}
}

/* Draws a work limit: small limits more often than large ones. Depth-first searches need more work to claim
 * anything. */
static void draw_work(struct audit_session *v, enum question question)
{
	const struct algorithm *a = algorithm_chosen(engine_options(v->engine), v->game);
	bool deep = a->uses_depth || question == ASK_SOLVE;
	uint32_t most = 1u << (1 + rng_below(&v->rng, deep ? 15 : 11));
	uint32_t work = 1 + rng_below(&v->rng, most);
	audit_set_option(v, "time", "1");
	audit_set_number(v, "playouts", work > 2000 && !deep ? 2000 : work);
}

/* Asks a question about the position, which is not over, and checks the answer. Returns false if the search
 * was refused, which is allowed if memory is too small. */
static bool audit_ask(struct audit_session *v, enum question question, struct report *out)
{
	struct move only[GAME_MOVES_MAX], all[GAME_MOVES_MAX];
	char why[REASON_MAX];
	struct choice choice = { 0 };
	bool ends = question != ASK_ENDLESS,
	     solves = question == ASK_SOLVE || question == ASK_SOLVER;
	if (question == ASK_SOLVER) {
		audit_set_number(v, "playouts", 0);
		audit_set_number(v, "time", TIME_SOLVER);
	} else if (question == ASK_ENDLESS || (v->clocked && chance(v, 2))) {
		audit_set_number(v, "playouts", 0);
		audit_set_option(v, "time", chance(v, 2) ? "0.05" : "0.02");
	} else {
		draw_work(v, question);
	}
	int count = record_moves(&v->record, all);
	if (question == ASK_SOME && count > 1) {
		choice.only = only;
		choice.only_count = audit_draw_moves(v, only);
	} else if (question == ASK_SOME) {
		question = ASK_MOVE;
	}
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	if (ends)
		limits = engine_limits(v->engine, v->game, TIME_NEVER);
	/* A search limited only by level or depth gets a time limit here. */
	bool limited = limits.deadline != TIME_NEVER || limits.work_max != WORK_NO_LIMIT;
	if (ends && !limited) {
		double time = engine_options(v->engine)->time;
		limits.deadline = engine_limits(v->engine, v->game, (int64_t)(time * 1e9)).deadline;
	}
	limits.only = choice.only;
	limits.only_count = choice.only_count;
	limits.book = question == ASK_MOVE;
	if (question != ASK_MOVE && question != ASK_SOME)
		limits.level = 0;
	choice.is_hidden = limits.level != 0;
	limits.values = question == ASK_VALUES || question == ASK_ENDLESS ||
			(solves && (!v->game->score.unit || chance(v, 2)));
	limits.prover = solves ? algorithm_prover(v->game) : NULL;
	if (v->clocked && limits.deadline != TIME_NEVER && chance(v, 4))
		limits.extension = 0.5;
	log_question(v, question, &choice, limits.values && v->game->score.unit);
	v->tally->positions++;
	v->left--;
	bool found = !ends || v->clocked || chance(v, 3)
			     ? audit_think(v, limits, &choice, ends, out)
			     : engine_search(v->engine, &v->record, &limits, out, why);
	if (found)
		audit_check(v, &choice, out, false);
	else
		v->tally->refused++;
	return found;
}

static enum question draw_question(struct audit_session *v)
{
	static const enum question usual[] = { ASK_MOVE,   ASK_MOVE,  ASK_MOVE,  ASK_MOVE,
					       ASK_MOVE,   ASK_SOME,  ASK_SOME,  ASK_VALUES,
					       ASK_VALUES, ASK_SOLVE, ASK_SOLVER };
	if (v->clocked && chance(v, 3))
		return ASK_ENDLESS;
	return usual[rng_below(&v->rng, sizeof usual / sizeof usual[0])];
}

/* --- positions --- */

/* Draws a move as in a game between sensible players: it avoids moves that end the game or let the opponent
 * win at once, and often prefers moves with a good evaluation. */
static struct move audit_draw_move(struct audit_session *v, const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	int n = game_moves(v->game, s, moves), best = 0, most = -INT16_MAX;
	int sign = side_sign(s->side);
	bool looks = v->game->eval && chance(v, 2);
	for (int tries = 0; tries < 20; tries++) {
		int i = (int)rng_below(&v->rng, (uint32_t)n);
		struct state next = *s;
		game_play(v->game, &next, moves[i]);
		int value = looks && !next.over ? sign * v->game->eval->value(v->game, &next) : 0;
		if (next.over || (v->game->threats && v->game->threats->wins(v->game, &next)))
			value = -INT16_MAX + 1; /* the game should continue */
		if (value > most) {
			most = value;
			best = i;
		}
		if (!looks && value >= 0)
			break;
	}
	return moves[best];
}

/* Draws the number of empty squares at the start of a session. */
static int draw_free(struct audit_session *v)
{
	uint32_t r = rng_below(&v->rng, 40);
	if (v->game->score.unit)
		return r < 38 ? 8 + (int)(r % 5) : 13 + (int)(r % 2);
	if (!v->game->solver)
		return v->game->board.rows * v->game->board.cols - (int)(r % 6);
	return r < 32   ? 4 + (int)(r % 7)
	       : r < 39 ? 10 + (int)(r % 4)
			: 14 + (int)rng_below(&v->rng, 3);
}

/* Draws a starting position, preferably one that is narrowly decided. */
static void audit_draw_position(struct audit_session *v, struct state *s)
{
	int narrow = v->game->score.unit ? 6 : 0;
	for (;;) {
		int wanted = draw_free(v);
		v->game->start(v->game, s);
		while (!s->over && game_free(v->game, s) > wanted)
			game_play(v->game, s, audit_draw_move(v, s));
		if (s->over)
			continue;
		if (abs(truth_score(v->audit->truth, v->game, s)) <= narrow || chance(v, 4))
			return;
	}
}

/* --- sessions --- */

static void check_solvers(struct audit_session *v)
{
	struct claims *c = &v->tally->claims;
	if (game_free(v->game, &v->record.now) > truth_free_max(v->game) ||
	    truth_check_solvers(v->audit->truth, v->game, &v->record.now,
				&c->checked[CLAIM_SOLVER]))
		return;
	c->wrong[CLAIM_SOLVER]++;
	audit_tell(v, "a solver of the game is wrong");
}

/* Draws a rule set of the session's game. */
static const struct game *draw_rules(struct audit_session *v, const char *name)
{
	int n = 0;
	const struct game *of_name[8] = { games[0] };
	for (int i = 0; games[i] && n < 8; i++)
		if (strcmp(games[i]->name, name) == 0 &&
		    game_find(name, games[i]->rules) == games[i])
			of_name[n++] = games[i];
	return of_name[rng_below(&v->rng, (uint32_t)n)];
}

/* Starts from a position: a new one, or the same one under other rules. A search must not use results from
 * the old rules there. */
static void audit_begin(struct audit_session *v)
{
	char text[POSITION_TEXT_MAX];
	const struct game *before = v->game;
	struct state s;
	game_position(v->game, &v->record.now, text);
	v->game = draw_rules(v, v->game->name);
	if (v->game != before) {
		record_restart(&v->record, v->game);
		text_printf(&v->log, "param rules %s\n", v->game->rules);
	}
	char *side = strchr(text, ' ');
	*side++ = '\0';
	if (chance(v, 2) || game_setup(v->game, &s, text, side) || s.over)
		audit_draw_position(v, &s);
	begin_at(v, &s);
	check_solvers(v);
}

/* Moves on to the next position to ask about. */
static void go_on(struct audit_session *v, const struct report *report)
{
	struct move moves[GAME_MOVES_MAX];
	uint32_t r = rng_below(&v->rng, 20), n = 0;
	if (r < 10) {
		audit_play(v, report->line[0]);
		/* In play it ponders only the reply that it expects. */
		if (v->clocked && engine_ponder(v->engine, &v->record)) {
			thread_sleep(1000000);
			engine_end_pondering(v->engine);
		}
	} else if (r < 13) {
		n = (uint32_t)record_moves(&v->record, moves);
		audit_play(v, moves[rng_below(&v->rng, n)]);
	} else if (r < 15) {
		audit_play(v, report->moves[rng_below(&v->rng, (uint32_t)report->move_count)].move);
	} else if (r < 18) {
		for (n = 1 + rng_below(&v->rng, 3); n && record_undo(&v->record); n--)
			text_puts(&v->log, "undo\n");
	}
	/* Sometimes ask about a position with a forced pass. */
	while (!v->record.now.over && game_must_pass(v->game, &v->record.now) && !chance(v, 4))
		audit_play(v, move_single(v->game->steps.pass));
}

static void draw_options(struct audit_session *v)
{
	if (chance(v, THREADS_PART))
		audit_set_option(v, "threads", "2");
	for (uint32_t i = 0; i < DRAWS; i++)
		if (chance(v, 2))
			draw_option(v, i);
	audit_set_number(v, "seed", 1 + rng_below(&v->rng, SEED_MAX));
	engine_reseed(v->engine);
}

/* Plays a session whose game and search are set. */
static void audit_run(struct audit_session *v)
{
	struct report report = { 0 };
	v->engine = engine_create();
	text_printf(&v->log, "set_game %s\nparam rules %s\nparam search %s\nparam threads 1\n",
		    v->game->name, v->game->rules, v->search);
	options_set(engine_options(v->engine), "search", v->search);
	options_set(engine_options(v->engine), "threads", "1");
	record_init(&v->record, v->game);
	draw_options(v);
	audit_draw_position(v, &v->record.start);
	begin_at(v, &v->record.start);
	check_solvers(v);
	v->left = 6 + (int)rng_below(&v->rng, 10);
	while (v->left > 0) {
		bool passes = !v->record.now.over && game_must_pass(v->game, &v->record.now);
		if (v->record.now.over || chance(v, 20))
			audit_begin(v);
		else if (audit_ask(v, passes ? ASK_SOLVE : draw_question(v), &report))
			go_on(v, &report);
		if (chance(v, 6))
			draw_option(v, rng_below(&v->rng, DRAWS));
	}
	v->tally->sessions++;
	v->tally->wrong += !v->good;
	text_free(&v->log);
	report_free(&report);
	record_free(&v->record);
	engine_destroy(v->engine);
}

/* Draws the session with this number. Plays it unless --rules or --search excludes it. Returns the number
 * of positions searched. */
static int run_session(struct audit *a, int number)
{
	struct audit_session v = { .audit = a, .number = number, .good = true };
	int weights = 0, which = 0;
	rng_seed(&v.rng, (uint64_t)number);
	for (int i = 0; i < SEARCHES; i++)
		weights += searches[i].weight;
	v.game = draw_rules(&v, a->game_name);
	for (int r = (int)rng_below(&v.rng, (uint32_t)weights); r >= searches[which].weight;)
		r -= searches[which++].weight;
	v.search = searches[which].name;
	v.tally = &a->tallies[which];
	v.clocked = chance(&v, CLOCKED_PART);
	uint64_t before = v.tally->positions;
	if ((a->search_name && strcmp(a->search_name, v.search) != 0) ||
	    (a->rules_name && strcmp(a->rules_name, v.game->rules) != 0))
		return 0;
	audit_run(&v);
	return (int)(v.tally->positions - before);
}

/* --- main program --- */

static void audit_add(struct audit_tally *to, const struct audit_tally *from)
{
	to->sessions += from->sessions;
	to->wrong += from->wrong;
	to->positions += from->positions;
	to->live += from->live;
	to->refused += from->refused;
	for (int i = 0; i < CLAIMS; i++) {
		to->claims.checked[i] += from->claims.checked[i];
		to->claims.wrong[i] += from->claims.wrong[i];
	}
}

static void audit_print_row(const char *name, const struct audit_tally *t)
{
	printf("%-15s %8d %9llu %9llu", name, t->sessions, (unsigned long long)t->positions,
	       (unsigned long long)t->live);
	for (int i = 0; i < CLAIMS; i++)
		printf(" %13llu", (unsigned long long)t->claims.checked[i]);
	printf(" %6d\n", t->wrong);
}

/* Audits one game. Returns true if nothing was wrong. */
static bool run_game(struct audit *a, const char *name)
{
	struct audit_tally all = { 0 };
	int64_t start = clock_now();
	memset(a->tallies, 0, sizeof a->tallies);
	a->game_name = name;
	for (int number = a->seed, done = 0; done < a->positions; number++)
		done += run_session(a, number);
	printf("%-15s %8s %9s %9s", name, "sessions", "positions", "live");
	for (int i = 0; i < CLAIMS; i++)
		printf(" %13s", claim_names[i]);
	printf(" %6s\n", "wrong");
	for (int i = 0; i < SEARCHES; i++) {
		audit_add(&all, &a->tallies[i]);
		if (a->tallies[i].sessions)
			audit_print_row(searches[i].name, &a->tallies[i]);
	}
	audit_print_row("all", &all);
	for (int i = 0; i < CLAIMS; i++)
		if (all.claims.wrong[i])
			printf("%llu %s are wrong\n", (unsigned long long)all.claims.wrong[i],
			       claim_names[i]);
	if (all.refused)
		printf("%llu searches were refused for want of memory\n",
		       (unsigned long long)all.refused);
	printf("%s: %llu positions, %d sessions wrong, %.0f s\n\n", name,
	       (unsigned long long)all.positions, all.wrong, clock_since(start));
	fflush(stdout);
	return all.wrong == 0;
}

static const struct program program;

/* Minimax without the history of a game has no end where positions repeat. It takes too long on large boards, where only a
 * solver finds the truth. */
static bool has_truth(const struct game *g)
{
	return !game_repeats(g) &&
	       (g->solver || g->board.rows * g->board.cols <= truth_free_max(g));
}

/* Checks the names of rules and search. Returns false after a message. */
static bool audit_check_names(const struct audit *a)
{
	const struct game *g;
	if (a->rules_name && !a->game_name)
		program_complain(&program, "--rules goes with --game");
	else if (!(g = program_game(&program, a->game_name, a->rules_name, NULL)))
		return false;
	else if (a->game_name && !has_truth(game_find(a->game_name, NULL)))
		program_complain(&program,
				 "there is no truth about %s: its positions can repeat, or its "
				 "board is too large for minimax",
				 g->name);
	else if (a->search_name && strcmp(a->search_name, "auto") != 0 &&
		 !algorithm_find(a->search_name))
		program_complain(&program, "there is no search %s", a->search_name);
	else
		return true;
	return false;
}

static int run_audit(const struct arguments *arguments)
{
	struct audit *a = arguments->values;
	if (!audit_check_names(a))
		return EXIT_USAGE;
	if (!channel_open(&a->wakes)) {
		fprintf(stderr, "audit: %s\n", strerror(errno));
		return EXIT_USAGE;
	}
	a->truth = truth_create(TRUTH_BYTES);
	bool good = true;
	const struct game *only = a->game_name ? game_find(a->game_name, NULL) : NULL;
	for (int i = 0; games[i]; i++) {
		const struct game *g = games[i];
		bool first = game_find(g->name, NULL) == g;
		if (first && has_truth(g) && (!only || only == g))
			good = run_game(a, g->name) && good;
	}
	truth_destroy(a->truth);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const struct mode modes[] = { { .name = "", .args = "", .run = run_audit }, { 0 } };

#define AT(field) offsetof(struct audit, field)

static const struct flag flags[] = {
	{ "game", FLAG_GAME, AT(game_name), "GAME", "only this game", .group = "Options" },
	{ "rules", FLAG_RULES, AT(rules_name), "RULES",
	  "only sessions that begin with these rules" },
	{ "search", FLAG_TEXT, AT(search_name), "NAME", "only sessions of this search" },
	{ "positions", FLAG_INT, AT(positions), "COUNT",
	  "minimum number of positions to search in each game (default 10000)", 1, 1e9 },
	{ "seed", FLAG_INT, AT(seed), "NUMBER",
	  "number of the first session; the others follow (default 1)", 0, INT_MAX },
	{ "falsify", FLAG_SET, AT(falsifies), NULL,
	  "exchange the bounds of all reports, to see that the audit notices" },
	{ 0 },
};

static const struct program program = {
	.name = "audit",
	.summary = "compare the claims of all searches with the truth",
	.description = "Plays with all searches and compares everything that they claim to have "
		       "proven with the truth. Exit status 1: a claim is wrong.",
	.modes = modes,
	.flags = flags,
	.size = sizeof(struct audit),
};

int main(int argc, char **argv)
{
	static struct audit a = { .positions = 10000, .seed = 1 };
	return program_run(&program, &a, argc, argv);
}
