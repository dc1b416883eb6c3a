/* SPDX-License-Identifier: MIT
 *
 * `set depth N` is the client's notion of strength. Searches that count depth look N moves ahead; the
 * others do twice as much work for each more. Neither thinks longer than the option `time`, nor `go`
 * than its share of what the game's clock has left: a client that asks for depth 26 still gets a move.
 *
 * Evaluations are discs for the side to move. Most searches estimate chances instead; those are shown as
 * the lead that goes with them.
 */
#include "protocol/nboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/games.h"
#include "protocol/ggf.h"
#include "protocol/session.h"
#include "protocol/think.h"
#include "protocol/version.h"

#define REPORT_INTERVAL 250000000 /* nanoseconds */
#define WORK_UNIT       256       /* units of a search without depth at depth 0 */
#define DEPTH_MAX       40        /* beyond it the time is what counts */
#define ANALYZE_SHARE   4         /* a position of `analyze` gets this part of the time of a move */
#define DISCS_MAX       64.0
#define LEAD            16.0 /* see discs() */

static void print_status(struct session *s, const char *what)
{
	fprintf(s->reply, "status " VERSION_NAME " is %s\n", what);
}

/* --- what a search has found --- */

/* What is known of a position or move, all Black's, as in struct report. */
struct value {
	double score, value;
	int lower, upper;
	bool exact;
};

static bool is_proven(struct value v)
{
	return v.lower == v.upper;
}

static bool is_known(struct value v)
{
	return is_proven(v) || !isnan(v.score) || !isnan(v.value);
}

/* Discs for a side. The mean margin of random games from 6,000 positions is 16 discs times the inverse
 * hyperbolic tangent of their mean result, with a correlation of 0.97. The empty squares of a finished
 * game go to the winner, so that two are the least by which one is won; a win that is proven without
 * its margin counts as the surest chance, for clients that sort by this number. */
static double discs(struct value v, int side)
{
	double lead = isnan(v.value) ? 0 : LEAD * atanh(fmax(-0.999, fmin(0.999, v.value)));
	double sum = fmax(-DISCS_MAX, fmin(DISCS_MAX, isnan(v.score) ? lead : v.score));
	if (is_proven(v))
		sum = v.lower > 0 ? fmax(sum, 2) : v.lower < 0 ? fmin(sum, -2) : 0;
	sum = side == BLACK ? sum : -sum;
	return fabs(sum) < 0.005 ? 0 : sum;
}

static struct value value_of_state(const struct state *s)
{
	int sign = score_sign(s->score);
	return (struct value) { s->score, sign, sign, sign, true };
}

static struct value value_of_report(const struct report *r)
{
	return (struct value) { r->score, r->value, r->lower, r->upper, r->exact };
}

static struct value value_of_move(const struct report_move *m)
{
	return (struct value) { m->score, m->value, m->lower, m->upper, m->exact };
}

/* The depth that says what is proven, NULL: nothing is. */
static const char *proof_text(struct value v)
{
	return !is_proven(v) ? NULL : v.exact ? "100%" : "100%W";
}

static uint64_t nodes(const struct report *r)
{
	return r->nodes ? r->nodes : r->playouts;
}

/* Of a search, and of those before it that belong to the same command. */
static void print_node_stats(struct session *s, const struct report *r)
{
	uint64_t sum = nodes(r) + (r == &s->nboard.found ? 0 : s->nboard.found.nodes);
	fprintf(s->reply, "nodestats %llu %.2f\n", (unsigned long long)sum,
		(double)(clock_now() - s->taken) / 1e9);
}

/* One word: the moves from the position of the session on. */
static void print_line(struct session *s, const struct report_move *m)
{
	struct state state = s->record.now;
	char text[MOVE_TEXT_MAX];
	for (int i = 0; i < m->line_count; i++) {
		ggf_format(&state, m->line[i], text);
		fputs(text, s->reply);
		game_play(s->record.game, &state, m->line[i]);
	}
}

/* The best moves, one a line, as far as something is known of them. NBoard drops the lines of all depths but
 * the last two that it has read, so no more than two are told apart: moves for which the same is proven
 * as for the best one, as long as all better ones are such, and the others. */
static void print_search(struct session *s, const struct report *r)
{
	const char *proof = r->move_count ? proof_text(value_of_move(&r->moves[0])) : NULL;
	for (int i = 0; i < r->move_count && i < s->nboard.count; i++) {
		const struct report_move *m = &r->moves[i];
		struct value v = value_of_move(m);
		if (!is_known(v) && (i > 0 || s->ended_early))
			continue;
		if (proof != proof_text(v))
			proof = NULL;
		fputs("search ", s->reply);
		print_line(s, m);
		fprintf(s->reply, " %.2f 0 ", discs(v, s->record.now.side));
		if (proof)
			fputs(proof, s->reply);
		else
			fprintf(s->reply, "%d", r->depth);
		fprintf(s->reply, " %llu visits\n", (unsigned long long)m->visits);
	}
	print_node_stats(s, r);
}

/* --- thinking --- */

/* Makes moves while there is but one: what follows them is what there is to think about. */
static void follow_forced(struct record *r)
{
	struct move moves[GAME_MOVES_MAX];
	while (!r->now.over && game_moves(r->game, &r->now, moves) == 1)
		record_play(r, moves[0]);
}

/* Goes to the position after `ply` moves of the game, and behind what is forced there. */
static void go_to(struct session *s, int ply)
{
	struct nboard *n = &s->nboard;
	record_copy(&n->record, &s->record);
	n->record.count = n->ply = ply;
	record_state(&s->record, ply, &n->record.now);
	follow_forced(&n->record);
}

/* What a search has found best, behind the moves that lead to its position. */
static struct report_move best_move(const struct session *s, const struct report *r)
{
	const struct record *record = &s->nboard.record;
	struct report_move best = r->moves[0];
	best.line_count = 0;
	for (int i = s->nboard.ply; i < record->count && best.line_count < REPORT_LINE_MAX; i++)
		best.line[best.line_count++] = record->moves[i].move;
	for (int i = 0; i < r->line_count && best.line_count < REPORT_LINE_MAX; i++)
		best.line[best.line_count++] = r->line[i];
	best.move = best.line[0];
	if (record->count > s->nboard.ply || !is_known(value_of_move(&best))) {
		best.score = r->score;
		best.value = r->value;
		best.lower = r->lower;
		best.upper = r->upper;
		best.exact = r->exact;
	}
	return best;
}

/* The same of a position in which the game is over. */
static struct report_move forced_end(const struct session *s)
{
	struct report r;
	const struct state *now = &s->nboard.record.now;
	report_init(&r);
	r.score = now->score;
	r.value = r.lower = r.upper = score_sign(now->score);
	r.exact = true;
	return best_move(s, &r);
}

/* The limits of one search that takes a share of the time of a move. */
static struct limits find_limits(struct session *s, int share)
{
	const struct options *o = engine_options(s->engine);
	struct limits limits = engine_limits(s->engine, s->record.game,
					     (int64_t)(o->time * 1e9 / share));
	if (o->depth && o->depth < DEPTH_MAX && !algorithm_chosen(o, s->record.game)->uses_depth) {
		uint64_t work = (uint64_t)WORK_UNIT << o->depth;
		limits.work_max = work < limits.work_max ? work : limits.work_max;
	}
	limits.interval = REPORT_INTERVAL;
	limits.level = 0; /* but of moves to be made */
	return limits;
}

/* Begins to think about the position gone to. */
static enum outcome begin(struct session *s, const struct limits *limits)
{
	char why[REASON_MAX];
	s->is_partial = false;
	if (engine_think(s->engine, &s->nboard.record, limits, s->wake_fd, why))
		return STREAMING;
	fprintf(s->reply, "status %s\n", why);
	return DONE;
}

/* Searches for values must not end when the choice is clear. */
static void hold_early_stop(struct session *s, bool hold)
{
	struct options *o = engine_options(s->engine);
	if (hold)
		s->nboard.early_stop = o->early_stop;
	o->early_stop = hold ? false : s->nboard.early_stop;
}

/* --- commands --- */

static enum outcome run_nboard(struct session *s)
{
	(void)s;
	return DONE;
}

static enum outcome run_set_depth(struct session *s)
{
	char why[REASON_MAX];
	if (!session_set_option(s, option_find("depth"), s->args[0], why))
		return refuse(s, why);
	fprintf(s->reply, "set myname " VERSION_NAME "%d\n", engine_options(s->engine)->depth);
	return DONE;
}

/* There is no book whose draws could be worth something. */
static enum outcome run_set_contempt(struct session *s)
{
	(void)s;
	return DONE;
}

static enum outcome run_set_game(struct session *s)
{
	char why[REASON_MAX];
	if (!ggf_parse(&s->record, s->args[0], INT_MAX, why))
		return refuse(s, why);
	board_forget(s);
	clock_init(&s->clock);
	for (int side = BLACK; side <= WHITE; side++) {
		double left = ggf_time_left(s->args[0], side);
		if (left >= 0)
			clock_set_left(&s->clock, side, left, 0);
	}
	return DONE;
}

/* The side that moves is not told: the one whose turn it is, also if a pass was left out. */
static enum outcome run_move(struct session *s)
{
	struct record *r = &s->record;
	char vertex[MOVE_TEXT_MAX];
	double seconds;
	int side = r->now.side;
	if (!ggf_read_move(s->args[0], vertex, &seconds))
		return refuse(s, "this is no move");
	if (game_must_pass(r->game, &r->now) && strcasecmp(vertex, "PASS") != 0)
		side ^= 1;
	if (record_play_text(r, side, vertex) != MOVE_OK)
		return refuse(s, "this is no legal move");
	clock_spend(&s->clock, side, (int64_t)(seconds * 1e9));
	return DONE;
}

/* --- go --- */

static void print_found(struct session *s, struct move m, struct value v)
{
	char text[MOVE_TEXT_MAX];
	ggf_format(&s->record.now, m, text);
	fprintf(s->reply, "=== %s/", text);
	if (is_known(v))
		fprintf(s->reply, "%.2f", discs(v, s->record.now.side));
	fprintf(s->reply, "/%.2f\n", (double)(clock_now() - s->taken) / 1e9);
}

/* A move that is forced needs no thought. */
static enum outcome run_go(struct session *s)
{
	const struct record *r = &s->record;
	struct value unknown = { NAN, NAN, -1, 1, false };
	s->side = r->now.side;
	s->nboard.count = 1;
	report_init(&s->nboard.found);
	go_to(s, r->count);
	if (r->now.over) {
		fputs("=== PA\n", s->reply);
		return DONE;
	}
	if (s->nboard.record.count > r->count) {
		print_found(s, s->nboard.record.moves[r->count].move, unknown);
		return DONE;
	}
	struct limits limits = find_limits(s, 1), clocked = think_limits(s);
	if (clocked.deadline < limits.deadline) {
		limits.deadline = clocked.deadline;
		limits.solve_by = clocked.solve_by;
	}
	limits.level = clocked.level;
	limits.book = true;
	print_status(s, "thinking");
	return begin(s, &limits);
}

static enum outcome finish_go(struct session *s, const struct report *report)
{
	const struct record *r = &s->record;
	if (report) {
		think_note(s, report);
		print_search(s, report);
		print_found(s, report->line[0], value_of_report(report));
	} else {
		struct value unknown = { NAN, NAN, -1, 1, false };
		struct move moves[GAME_MOVES_MAX];
		game_moves(r->game, &r->now, moves);
		print_found(s, moves[0], unknown);
	}
	return DONE;
}

/* --- hint --- */

static enum outcome hint_end(struct session *s)
{
	hold_early_stop(s, false);
	print_search(s, &s->nboard.found);
	print_status(s, "waiting");
	return DONE;
}

static enum outcome run_hint(struct session *s)
{
	const struct record *r = &s->record;
	struct nboard *n = &s->nboard;
	int count;
	n->count = s->arg_count && gtp_int(s->args[0], &count) && count > 0 ? count : 1;
	s->side = r->now.side;
	if (r->now.over) {
		fprintf(s->reply, "search PA %.2f 0 100%%\n",
			discs(value_of_state(&r->now), s->side));
		return DONE;
	}
	report_init(&n->found);
	print_status(s, "analyzing");
	hold_early_stop(s, true);
	go_to(s, r->count);
	if (n->record.now.over) {
		n->found.moves[n->found.move_count++] = forced_end(s);
		return hint_end(s);
	}
	struct limits limits = find_limits(s, 1);
	limits.values = n->count > 1;
	return begin(s, &limits) == STREAMING ? STREAMING : hint_end(s);
}

/* Takes what the search has found, of what it has searched: the position, or what is behind forced moves. */
static void hint_take(struct session *s, const struct report *report)
{
	struct report *found = &s->nboard.found;
	bool is_forced = s->nboard.record.count > s->nboard.ply;
	*found = *report;
	if (is_forced || !is_known(value_of_move(&found->moves[0])))
		found->moves[0] = best_move(s, report);
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
	print_search(s, &s->nboard.found);
	report_init(&s->nboard.found);
}

/* --- analyze --- */

static void print_analysis(struct session *s, struct value v)
{
	struct state state;
	record_state(&s->record, s->nboard.ply, &state);
	fprintf(s->reply, "analysis %d %.2f\n", s->nboard.ply, discs(v, state.side));
}

/* Goes on with the position after `ply` moves, and back to the start. */
static enum outcome analyze_from(struct session *s, int ply)
{
	struct limits limits = find_limits(s, ANALYZE_SHARE);
	for (; ply >= 0; ply--) {
		go_to(s, ply);
		if (!s->nboard.record.now.over)
			return begin(s, &limits);
		print_analysis(s, value_of_state(&s->nboard.record.now));
	}
	hold_early_stop(s, false);
	print_status(s, "waiting");
	return DONE;
}

/* Backwards: what is found of the end helps with what comes before it. */
static enum outcome run_analyze(struct session *s)
{
	report_init(&s->nboard.found);
	print_status(s, "analyzing");
	hold_early_stop(s, true);
	return analyze_from(s, s->record.count);
}

static enum outcome finish_analyze(struct session *s, const struct report *report)
{
	if (report && !s->ended_early) {
		s->nboard.found.nodes += nodes(report);
		print_analysis(s, value_of_report(report));
		return analyze_from(s, s->nboard.ply - 1);
	}
	hold_early_stop(s, false);
	print_status(s, "waiting");
	return DONE;
}

static enum outcome run_ping(struct session *s)
{
	fprintf(s->reply, "pong %s\n", s->args[0]);
	return DONE;
}

static enum outcome run_learn(struct session *s)
{
	fputs("learned\n", s->reply);
	return DONE;
}

static enum outcome run_quit(struct session *s)
{
	s->quitting = true;
	return DONE;
}

/* An argument is all of the line behind the name. */
const struct command nboard_commands[] = {
	{ "nboard", 1, 1, "VERSION", "begin to speak this protocol", run_nboard },
	{ "set depth", 1, 1, "N", "how deep to search", run_set_depth },
	{ "set contempt", 1, 1, "N", "accepted and ignored", run_set_contempt },
	{ "set game", 1, 1, "GGF", "think about the end of this game from now on", run_set_game },
	{ "move", 1, 1, "MOVE[/EVAL[/SECONDS]]", "make a move", run_move },
	{ "go", 0, 1, "", "search and answer a move without making it", run_go, finish_go,
	  print_search },
	{ "hint", 0, 1, "[N]", "evaluate the best N moves, better and better", run_hint,
	  finish_hint, show_hint },
	{ "analyze", 0, 1, "", "evaluate every position of the game, the last one first",
	  run_analyze, finish_analyze, print_node_stats },
	{ "ping", 1, 1, "N", "end thinking, then answer pong", run_ping },
	{ "learn", 0, 1, "", "accepted and ignored", run_learn },
	{ "quit", 0, 1, "", "end thinking and leave", run_quit },
	{ 0 },
};

/* --- lines --- */

/* The text behind the name that a line begins with; NULL: it does not. */
static char *behind_name(char *line, const char *name)
{
	size_t n = strlen(name);
	if (strncmp(line, name, n) != 0 || (line[n] && line[n] != ' '))
		return NULL;
	return line + n + strspn(line + n, " ");
}

bool nboard_is_greeting(const char *line)
{
	int version;
	line += strspn(line, " ");
	return strncmp(line, "nboard ", 7) == 0 && gtp_int(line + 7, &version);
}

enum gtp_line nboard_clean(char *line, size_t length)
{
	char *to = line;
	for (size_t i = 0; i < length; i++) {
		char c = line[i] == '\t' ? ' ' : line[i];
		bool is_control = (unsigned char)c < 32 || c == 127;
		if (!is_control && (c != ' ' || to > line))
			*to++ = c;
	}
	while (to > line && to[-1] == ' ')
		to--;
	*to = '\0';
	return *line ? GTP_COMMAND : GTP_BLANK;
}

bool nboard_ends_thinking(const char *line)
{
	return strcmp(line, "quit") == 0 || strncmp(line, "ping ", 5) == 0;
}

enum outcome nboard_run(struct session *s, char *line)
{
	char *rest = NULL;
	const struct command *c = nboard_commands;
	while (c->name && !(rest = behind_name(line, c->name)))
		c++;
	s->nboard.argument = rest ? rest : line;
	s->args = &s->nboard.argument;
	s->arg_count = *s->nboard.argument != '\0';
	/* Version 1 had moves alone on their lines. */
	if (!c->name)
		return strlen(line) == 2 ? run_move(s) : refuse(s, "unknown command");
	s->command = c;
	return s->arg_count < c->args_min ? syntax_error(s, "an argument is wanted") : c->run(s);
}

void nboard_init(struct session *s)
{
	start_game(s, &game_othello);
	record_init(&s->nboard.record, &game_othello);
}

void nboard_free(struct session *s)
{
	record_free(&s->nboard.record);
}
