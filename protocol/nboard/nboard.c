/* SPDX-License-Identifier: MIT
 *
 * `set depth N` sets the strength. Searches with a depth look N moves ahead; the others double their work
 * for each step of depth. The option `time` limits all searches. `go` also keeps to its share of the game's
 * clock. So a client that asks for depth 26 still gets a move.
 *
 * Evaluations are discs for the side to move. Most searches estimate the expected result instead; it is
 * converted to the corresponding lead (see discs()).
 */
#include "protocol/nboard/nboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/base/version.h"
#include "engine/search/algorithms.h"
#include "games/games.h"
#include "protocol/records/ggf.h"
#include "protocol/session/line.h"
#include "protocol/session/start.h"
#include "protocol/session/think.h"

#define REPORT_INTERVAL 250000000 /* nanoseconds */
#define WORK_UNIT       256       /* units of a search without depth at depth 0 */
#define DEPTH_MAX       40        /* from here on only the time limits the work */
#define ANALYZE_SHARE   4         /* a position of `analyze` gets 1/n of the time of a move */
#define DISCS_MAX       64.0
#define LEAD            16.0 /* see discs() */

/* State of a session with this protocol, beside the session's own. */
struct nboard {
	struct record record; /* the position to search: the game up to a move, and a forced pass */
	int ply;              /* number of moves of the game in `record` */
	int count;            /* number of moves to report */
	struct report found;  /* result so far of the searches of one command */
	bool early_stop;      /* the saved value of the option while it is off */
	char *argument;       /* argument of the running line */
};

static struct nboard *nboard_state_of(const struct session *s)
{
	return s->protocol_state;
}

static void print_status(struct session *s, const char *what)
{
	text_printf(s->reply, "status " VERSION_NAME " is %s\n", what);
}

/* --- results of a search --- */

/* Discs for a side. In random games from 6,000 positions the mean margin is 16 discs times the inverse
 * hyperbolic tangent of the mean result, with a correlation of 0.97. Empty squares of a finished game go to
 * the winner, so a win has at least two discs. A win that is proven without its margin gets the lead of the
 * highest value, for clients that sort by this number. */
static double nboard_discs(struct worth v, int side)
{
	double lead = isnan(v.value) ? 0 : LEAD * atanh(fmax(-0.999, fmin(0.999, v.value)));
	double sum = fmax(-DISCS_MAX, fmin(DISCS_MAX, isnan(v.score) ? lead : v.score));
	if (v.lower == v.upper)
		sum = v.lower > 0 ? fmax(sum, 2) : v.lower < 0 ? fmin(sum, -2) : 0;
	sum = side == BLACK ? sum : -sum;
	return fabs(sum) < 0.005 ? 0 : sum;
}

static bool nboard_is_known(const struct report_move *m)
{
	const struct worth worth = worth_of_move(m);
	return worth_is_known(&worth);
}

/* Returns the depth text of a proven value, NULL if it is not proven. */
static const char *proof_text(struct worth v)
{
	return v.lower != v.upper ? NULL : v.exact ? "100%" : "100%W";
}

static uint64_t nodes(const struct report *r)
{
	return r->nodes ? r->nodes : r->playouts;
}

/* Writes the nodes of this search and of earlier searches of the same command. */
static void print_node_stats(struct session *s, const struct report *r)
{
	uint64_t sum = nodes(r) +
		       (r == &nboard_state_of(s)->found ? 0 : nboard_state_of(s)->found.nodes);
	text_printf(s->reply, "nodestats %llu %.2f\n", (unsigned long long)sum,
		    clock_since(s->taken));
}

/* Writes the moves from the session's position as one word. */
static void nboard_print_line(struct session *s, const struct report *r,
			      const struct report_move *m)
{
	struct move line[REPORT_LINE_MAX];
	int count = report_line(r, m, line, NULL);
	struct state state = s->record.now;
	char text[MOVE_TEXT_MAX];
	for (int i = 0; i < count; i++) {
		ggf_format(s->record.game, &state, line[i], text);
		text_puts(s->reply, text);
		game_play(s->record.game, &state, line[i]);
	}
}

/* Writes the best moves that have an evaluation, one a line. NBoard keeps only the lines of the last two
 * depths that it has read, so at most two depths are used: one for the first moves if all of them have the
 * same kind of proof as the best one, the search depth for the others. */
static void print_search(struct session *s, const struct report *r)
{
	const char *proof = r->move_count ? proof_text(worth_of_move(&r->moves[0])) : NULL;
	for (int i = 0; i < r->move_count && i < nboard_state_of(s)->count; i++) {
		const struct report_move *m = &r->moves[i];
		struct worth v = worth_of_move(m);
		if (!worth_is_known(&v) && (i > 0 || s->ended_early))
			continue;
		if (proof != proof_text(v))
			proof = NULL;
		text_puts(s->reply, "search ");
		nboard_print_line(s, r, m);
		text_printf(s->reply, " %.2f 0 ", nboard_discs(v, s->record.now.side));
		if (proof)
			text_puts(s->reply, proof);
		else
			text_printf(s->reply, "%d", r->depth);
		text_printf(s->reply, " %llu visits\n", (unsigned long long)m->visits);
	}
	print_node_stats(s, r);
}

/* --- searching --- */

/* Plays forced moves, so that the search starts after them. */
static void follow_forced(struct record *r)
{
	struct move moves[GAME_MOVES_MAX];
	while (!r->now.over && game_moves(r->game, &r->now, moves) == 1)
		record_play(r, moves[0]);
}

/* Goes to the position after `ply` moves of the game and the forced moves that follow. */
static void nboard_go_to(struct session *s, int ply)
{
	struct nboard *n = nboard_state_of(s);
	record_copy(&n->record, &s->record);
	n->record.count = n->ply = ply;
	record_state(&s->record, ply, &n->record.now);
	follow_forced(&n->record);
}

/* Makes the first move of what was found the best move of a search, with the forced moves before its position at the start
 * of the line. */
static void nboard_put_best(const struct session *s, const struct report *r, struct report *found)
{
	const struct record *record = &nboard_state_of(s)->record;
	struct move line[REPORT_LINE_MAX];
	int count = 0;
	for (int i = nboard_state_of(s)->ply; i < record->count && count < REPORT_LINE_MAX; i++)
		line[count++] = record->moves[i].move;
	for (int i = 0; i < r->line_count && count < REPORT_LINE_MAX; i++)
		line[count++] = r->line[i];
	struct report_move *best = found->move_count ? found->moves : report_add(found, line[0]);
	best->move = line[0];
	report_set_line(found, best, line, NULL, count);
	if (record->count > nboard_state_of(s)->ply || !nboard_is_known(best)) {
		best->score = r->score;
		best->value = r->value;
		best->lower = (int8_t)r->lower;
		best->upper = (int8_t)r->upper;
		best->exact = r->exact;
	}
}

/* The same for a position in which the game is over. */
static void nboard_put_end(const struct session *s, struct report *found)
{
	struct report r = { 0 };
	const struct state *now = &nboard_state_of(s)->record.now;
	report_clear(&r);
	r.score = now->score;
	r.value = r.lower = r.upper = score_sign(now->score);
	r.exact = true;
	nboard_put_best(s, &r, found);
}

/* Returns the limits of a search with 1/share of the time of a move. */
static struct limits nboard_find_limits(struct session *s, int share)
{
	const struct options *o = engine_options(s->engine);
	struct limits limits = engine_limits(s->engine, s->record.game,
					     (int64_t)(o->time * 1e9 / share));
	if (o->depth && o->depth < DEPTH_MAX && !algorithm_chosen(o, s->record.game)->uses_depth) {
		uint64_t work = (uint64_t)WORK_UNIT << o->depth;
		limits.work_max = work < limits.work_max ? work : limits.work_max;
	}
	limits.interval = REPORT_INTERVAL;
	limits.level = 0; /* only `go` uses a level */
	return limits;
}

/* Starts the search of the position of go_to(). */
static enum outcome nboard_begin(struct session *s, const struct limits *limits)
{
	char why[REASON_MAX];
	if (session_search(s, &nboard_state_of(s)->record, limits, why))
		return STREAMING;
	text_printf(s->reply, "status %s\n", why);
	return DONE;
}

/* A search for values must not stop early, even if the best move is clear. */
static void hold_early_stop(struct session *s, bool hold)
{
	struct options *o = engine_options(s->engine);
	if (hold)
		nboard_state_of(s)->early_stop = o->early_stop;
	o->early_stop = hold ? false : nboard_state_of(s)->early_stop;
}

/* --- commands --- */

static enum outcome run_set_depth(struct session *s)
{
	char why[REASON_MAX];
	if (!session_set_option(s, option_find("depth"), s->args[0], why))
		return refuse(s, why);
	text_printf(s->reply, "set myname " VERSION_NAME "%d\n", engine_options(s->engine)->depth);
	return DONE;
}

static enum outcome nboard_run_set_game(struct session *s)
{
	char why[REASON_MAX];
	if (!ggf_parse(&s->record, s->args[0], INT_MAX, why))
		return refuse(s, why);
	session_get_ready(s, s->record.game);
	clock_init(&s->clock);
	for (int side = BLACK; side <= WHITE; side++) {
		double left = ggf_time_left(s->args[0], side);
		if (left >= 0)
			clock_set_left(&s->clock, side, left, 0);
	}
	return DONE;
}

/* The protocol does not name the side: it is the side to move, or the other one if a pass was left out. */
static enum outcome run_move(struct session *s)
{
	struct record *r = &s->record;
	char vertex[MOVE_TEXT_MAX];
	double seconds;
	int side = r->now.side;
	if (!ggf_read_move(s->args[0], vertex, &seconds))
		return refuse(s, "this is not a move of the game");
	if (game_must_pass(r->game, &r->now) && strcasecmp(vertex, "PASS") != 0)
		side ^= 1;
	if (record_play_text(r, side, vertex) != MOVE_OK)
		return refuse(s, "this is not a legal move");
	clock_spend(&s->clock, side, (int64_t)(seconds * 1e9));
	return DONE;
}

/* --- go --- */

static void print_found(struct session *s, struct move m, struct worth v)
{
	char text[MOVE_TEXT_MAX];
	ggf_format(s->record.game, &s->record.now, m, text);
	text_printf(s->reply, "=== %s/", text);
	if (worth_is_known(&v))
		text_printf(s->reply, "%.2f", nboard_discs(v, s->record.now.side));
	text_printf(s->reply, "/%.2f\n", clock_since(s->taken));
}

/* Answers a forced move without a search. */
static enum outcome run_go(struct session *s)
{
	const struct record *r = &s->record;
	struct worth unknown = { NAN, NAN, -1, 1, false };
	s->side = r->now.side;
	nboard_state_of(s)->count = 1;
	report_clear(&nboard_state_of(s)->found);
	nboard_go_to(s, r->count);
	if (r->now.over) {
		text_puts(s->reply, "=== PA\n");
		return DONE;
	}
	if (nboard_state_of(s)->record.count > r->count) {
		print_found(s, nboard_state_of(s)->record.moves[r->count].move, unknown);
		return DONE;
	}
	struct limits limits = nboard_find_limits(s, 1), clocked = think_limits(s);
	if (clocked.deadline < limits.deadline) {
		limits.deadline = clocked.deadline;
		limits.solve_by = clocked.solve_by;
	}
	limits.level = clocked.level;
	limits.book = true;
	print_status(s, "thinking");
	return nboard_begin(s, &limits);
}

static enum outcome finish_go(struct session *s, const struct report *report)
{
	const struct record *r = &s->record;
	if (report) {
		think_note(s, report);
		print_search(s, report);
		print_found(s, report->line[0], worth_of_report(report));
	} else {
		struct worth unknown = { NAN, NAN, -1, 1, false };
		struct move moves[GAME_MOVES_MAX];
		game_moves(r->game, &r->now, moves);
		print_found(s, moves[0], unknown);
	}
	print_status(s, "waiting");
	return DONE;
}

/* --- hint --- */

static enum outcome hint_end(struct session *s)
{
	hold_early_stop(s, false);
	print_search(s, &nboard_state_of(s)->found);
	print_status(s, "waiting");
	return DONE;
}

static enum outcome run_hint(struct session *s)
{
	const struct record *r = &s->record;
	struct nboard *n = nboard_state_of(s);
	int count;
	n->count = s->arg_count && line_int(s->args[0], &count) && count > 0 ? count : 1;
	s->side = r->now.side;
	if (r->now.over) {
		text_printf(s->reply, "search PA %.2f 0 100%%\n",
			    nboard_discs(worth_of_end(s->record.game, &r->now), s->side));
		return DONE;
	}
	report_clear(&n->found);
	print_status(s, "analyzing");
	hold_early_stop(s, true);
	nboard_go_to(s, r->count);
	if (n->record.now.over) {
		nboard_put_end(s, &n->found);
		return hint_end(s);
	}
	struct limits limits = nboard_find_limits(s, 1);
	limits.values = n->count > 1;
	return nboard_begin(s, &limits) == STREAMING ? STREAMING : hint_end(s);
}

/* Stores the results of a search of the position, or of the position after forced moves. */
static void hint_take(struct session *s, const struct report *report)
{
	struct report *found = &nboard_state_of(s)->found;
	bool is_forced = nboard_state_of(s)->record.count > nboard_state_of(s)->ply;
	report_copy(found, report);
	if (is_forced || !nboard_is_known(&found->moves[0]))
		nboard_put_best(s, report, found);
	if (is_forced)
		found->move_count = 1;
}

static enum outcome finish_hint(struct session *s, const struct report *report)
{
	if (report)
		hint_take(s, report);
	return hint_end(s);
}

static void show_hint(struct session *s, const struct report *report)
{
	hint_take(s, report);
	print_search(s, &nboard_state_of(s)->found);
	report_clear(&nboard_state_of(s)->found);
}

/* --- analyze --- */

static void print_analysis(struct session *s, struct worth v)
{
	struct state state;
	record_state(&s->record, nboard_state_of(s)->ply, &state);
	text_printf(s->reply, "analysis %d %.2f\n", nboard_state_of(s)->ply,
		    nboard_discs(v, state.side));
}

/* Analyses the positions from `ply` moves back to the start. */
static enum outcome analyze_from(struct session *s, int ply)
{
	struct limits limits = nboard_find_limits(s, ANALYZE_SHARE);
	for (; ply >= 0; ply--) {
		nboard_go_to(s, ply);
		if (!nboard_state_of(s)->record.now.over)
			return nboard_begin(s, &limits);
		print_analysis(s, worth_of_end(s->record.game, &nboard_state_of(s)->record.now));
	}
	hold_early_stop(s, false);
	print_status(s, "waiting");
	return DONE;
}

/* Goes backwards, because results of the end help with earlier positions. */
static enum outcome nboard_run_analyze(struct session *s)
{
	report_clear(&nboard_state_of(s)->found);
	print_status(s, "analyzing");
	hold_early_stop(s, true);
	return analyze_from(s, s->record.count);
}

static enum outcome nboard_finish_analyze(struct session *s, const struct report *report)
{
	if (report && !s->ended_early) {
		nboard_state_of(s)->found.nodes += nodes(report);
		print_analysis(s, worth_of_report(report));
		return analyze_from(s, nboard_state_of(s)->ply - 1);
	}
	hold_early_stop(s, false);
	print_status(s, "waiting");
	return DONE;
}

static enum outcome run_ping(struct session *s)
{
	text_printf(s->reply, "pong %s\n", s->args[0]);
	return DONE;
}

static enum outcome run_learn(struct session *s)
{
	text_puts(s->reply, "learned\n");
	return DONE;
}

#define MOVE 0 /* index of the command for moves without a name */

/* The argument is the rest of the line after the name. */
const struct command nboard_commands[] = {
	[MOVE] = { "move", "MOVE[/EVAL[/SECONDS]]", "play a move", run_move },
	{ "nboard", "VERSION", "start this protocol", command_ignore },
	{ "set depth", "N", "set the search depth", run_set_depth },
	{ "set contempt", "N", "accepted and ignored", command_ignore },
	{ "set game", "GGF", "use this game from now on", nboard_run_set_game },
	{ "go", "", "search and answer a move without playing it", run_go, finish_go,
	  .live = print_search },
	{ "hint", "[N]", "evaluate the best N moves, with updates", run_hint, finish_hint,
	  .live = show_hint },
	{ "analyze", "", "evaluate every position of the game, the last one first",
	  nboard_run_analyze, nboard_finish_analyze, .live = print_node_stats },
	{ "ping", "N", "end the search, then answer pong", run_ping },
	{ "learn", "", "accepted and ignored", run_learn },
	{ "quit", "", "end the search and the session", command_quit },
	{ 0 },
};

/* --- lines --- */

/* The first line is `nboard N`. */
static bool nboard_recognizes(const char *line)
{
	int version;
	line += strspn(line, " ");
	return strncmp(line, "nboard ", 7) == 0 && line_int(line + 7, &version);
}

/* This protocol has no comments. */
static enum line_kind nboard_clean(char *line, size_t length)
{
	line_clean(line, length);
	const char *text = line + strspn(line, " ");
	memmove(line, text, strlen(text) + 1);
	return *line ? LINE_COMMAND : LINE_BLANK;
}

static bool nboard_ends_search(const char *line)
{
	return strcmp(line, "quit") == 0 || strncmp(line, "ping ", 5) == 0;
}

static enum outcome nboard_run(struct session *s, char *line, bool is_cut)
{
	struct nboard *n = nboard_state_of(s);
	if (is_cut)
		return refuse(s, "line too long");
	const struct command *c = command_in(nboard_commands, line, strncmp, &n->argument);
	/* In version 1 a move was a line by itself. */
	if (!c && strlen(line) == 2) {
		c = &nboard_commands[MOVE];
		n->argument = line;
	}
	if (!c)
		return refuse(s, "unknown command");
	command_begin(s, c, &n->argument);
	return !s->arg_count && !command_takes(c, 0) ? syntax_error(s, "an argument is missing")
						     : c->run(s);
}

/* --- the protocol --- */

static void nboard_print_failure(struct text *reply, const char *why)
{
	text_printf(reply, "status %s\n", why);
}

/* The client is not told of errors. */
static char *nboard_answer(struct session *s, bool success, const char *text)
{
	if (!success)
		session_note(s, "%s", text);
	return line_text(success ? text : "", "");
}

static void nboard_begin_session(struct session *s)
{
	struct nboard *n = xcalloc(1, sizeof *n);
	start_game(s, &game_othello);
	record_init(&n->record, &game_othello);
	s->protocol_state = n;
	/* A search may be of another position; drawings show the board's. */
	s->settings.live_gfx = false;
}

static void nboard_end_session(struct session *s)
{
	report_free(&nboard_state_of(s)->found);
	record_free(&nboard_state_of(s)->record);
	free(s->protocol_state);
}

const struct protocol protocol_nboard = {
	.recognizes = nboard_recognizes,
	.begin = nboard_begin_session,
	.end = nboard_end_session,
	.clean = nboard_clean,
	.ends_search = nboard_ends_search,
	.run = nboard_run,
	.print_failure = nboard_print_failure,
	.answer = nboard_answer,
};

const struct protocol *const protocols_nboard[] = { &protocol_nboard, NULL };
