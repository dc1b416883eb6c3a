/* SPDX-License-Identifier: MIT
 *
 * The mode solves one position after the other. The search runs on a thread of the engine. The main thread
 * waits for it and shows progress on a terminal. SIGINT or SIGTERM ends the
 * search: the results so far are printed and no more positions are read. After the search come the line and
 * the check of the proof. They search further positions, for which the engine can often reuse what it has
 * found.
 */
#include "protocol/program/solve.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"
#include "engine/evaluation/evaluator.h"
#include "engine/rules/goals.h"
#include "engine/rules/komi.h"
#include "engine/rules/solver.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "engine/search/algorithms.h"
#include "engine/search/engine.h"
#include "engine/search/verify.h"
#include "protocol/program/flags.h"
#include "protocol/records/as_json.h"
#include "protocol/records/import.h"
#include "protocol/session/command.h"
#include "protocol/session/goal.h"
#include "protocol/session/think.h"

#define EXIT_UNSOLVED     1

#define BRIEF_TIME        10000000  /* nanoseconds for a quick solver before a thread is started */
#define PROGRESS_INTERVAL 200000000 /* nanoseconds */
#define LINE_TIME         1.0 /* seconds for the line, or as many as the solution took if more */
#define TRIED_FREE        7   /* empty squares at which the check stops searching; 7 is fastest */
#define SECONDS_DIGITS    6   /* of numbers in JSON */
#define VERIFY_PART       4   /* the check gets 1/n of the memory */

struct solve_solving {
	const struct arguments *arguments;
	const struct yomi_flags *flags;
	const struct game *game;
	const struct algorithm *prover; /* used in addition to the game's own solver */
	bool has_limit;                 /* the option `time` is the limit of each position */
	bool has_komi, swap;
	int komi; /* half points that White gets; not those of the rules if has_komi */
	struct engine *engine;
	size_t check_memory;
	struct channel wakes; /* by the search, and by what ends the program */
	atomic_int woken;     /* bits of enum wake: what the search has to tell */
	bool interrupted;
	bool shows_progress;
	int64_t shown;           /* clock_now() when progress was shown, 0: none is visible */
	int status;              /* exit status so far */
	int taken;               /* positions, also bad ones */
	char header[REASON_MAX]; /* why the first line of a table is no position */
	/* Scores that the file tells, those of solved positions that are right, and those of positions that were not solved. */
	int compared, agreed, unsolved;

	/* State of the current position. */
	struct record record; /* starts with this position, or is the goal in it */
	int defender;         /* of the goal */
	struct report report;
	double seconds;
	struct move line[PV_MAX];
	int line_count;
	struct limits advice; /* limits of a search for the verifier */
	struct record asked;  /* buffer for its position */
	bool claims;          /* the report claims something to check */
	enum verdict verdict;
	struct state hole;
	uint64_t checked; /* positions */
	int64_t check_start;
	double check_seconds;
};

/* --- words --- */

/* Results for the side to move, from -1. */
static const char *value_name(int value)
{
	return worth_value(BLACK, value, value);
}

/* Converts Black's points to those of a side. */
static double points_for(int side, double points)
{
	/* The sum turns -0 to 0. */
	return side_sign(side) * points + 0.0;
}

/* --- asking the engine --- */

static void solve_show_progress(struct solve_solving *v, const struct report *r, int64_t start)
{
	const int side = v->record.now.side;
	fprintf(stderr, "\r\033[K%.1f s, %.1f million nodes", clock_since(start),
		(double)r->nodes / 1e6);
	if (r->lower != r->upper && r->proof != r->disproof && r->proof != PROOF_NEVER &&
	    r->disproof != PROOF_NEVER)
		fprintf(stderr, ", proof %llu, disproof %llu", (unsigned long long)r->proof,
			(unsigned long long)r->disproof);
	if (!isnan(r->fill))
		fprintf(stderr, ", table %.0f %%", 100 * r->fill);
	if (r->lower > -1 || r->upper < 1)
		fprintf(stderr, ", %s", worth_value(side, r->lower, r->upper));
	fflush(stderr);
	v->shown = clock_now();
}

static void solve_erase_progress(struct solve_solving *v)
{
	if (v->shown)
		fputs("\r\033[K", stderr);
	v->shown = 0;
}

/* Returns true if the program should end. */
static bool is_interrupted(struct solve_solving *v)
{
	v->interrupted |= stops_take() != 0;
	return v->interrupted;
}

/* Returns true if a report answers the whole question of the limits. */
static bool solve_is_answered(const struct record *r, const struct limits *limits,
			      const struct report *out)
{
	bool counts = game_counts(r->game), known = out->lower == out->upper;
	known &= out->exact || !counts;
	for (int i = 0; i < out->move_count && limits->values; i++)
		known &= out->moves[i].lower == out->moves[i].upper &&
			 (out->moves[i].exact || !counts);
	return known;
}

/* Solves a position at once if the game's solver is quick: a thread would take longer than most positions of a file.
 * Returns false if the answer needs a search. */
static bool solve_at_once(struct solve_solving *v, const struct record *record,
			  const struct limits *limits, struct report *out)
{
	struct options *o = engine_options(v->engine);
	struct limits brief = *limits;
	int64_t deadline = clock_now() + BRIEF_TIME;
	int threads = o->threads;
	char why[REASON_MAX];
	if (!record->game->solver || !o->exact || limits->work_max != WORK_NO_LIMIT ||
	    limits->deadline < deadline)
		return false;
	brief.deadline = deadline;
	brief.interval = 0;
	o->threads = 1;
	bool found = engine_search(v->engine, record, &brief, out, why);
	o->threads = threads;
	return found && solve_is_answered(record, limits, out);
}

/* The callback of engine_think, on a thread of the search. */
static void solve_wake(void *arg, enum wake what)
{
	struct solve_solving *v = arg;
	atomic_fetch_or(&v->woken, 1 << what);
	channel_ring(&v->wakes);
}

/* Searches a position. Returns false after an error message if the engine refused or the search failed. */
static bool solve_ask(struct solve_solving *v, const struct record *record,
		      const struct limits *limits, struct report *out)
{
	char why[REASON_MAX];
	int64_t start = clock_now();
	if (solve_at_once(v, record, limits, out))
		return true;
	bool found = engine_think(v->engine, record, limits, solve_wake, v, why), ends = !found;
	while (!ends) {
		stream_wait(&v->wakes.in, 1, -1);
		channel_hush(&v->wakes);
		int woken = atomic_exchange(&v->woken, 0);
		ends = woken & 1 << WAKE_DONE;
		if (is_interrupted(v))
			engine_stop(v->engine);
		if (ends || !(woken & 1 << WAKE_REPORT))
			continue;
		engine_live(v->engine, out);
		solve_show_progress(v, out, start);
	}
	found = found && engine_collect(v->engine, out, why);
	if (!found)
		fprintf(stderr, "yomi: %s\n", why);
	return found;
}

/* Returns the limits of a search for values that starts now. */
static struct limits solve_limits_of(const struct solve_solving *v)
{
	const struct options *o = engine_options(v->engine);
	struct limits limits = engine_limits(v->engine, v->record.game, (int64_t)(o->time * 1e9));
	if (!v->has_limit)
		limits.deadline = TIME_NEVER;
	limits.prover = v->prover;
	return limits;
}

/* --- one position --- */

/* Tells how much memory the game's own solver needs if only memory is missing. */
static void advise_memory(const struct solve_solving *v)
{
	const struct solver *solver = v->record.game->solver;
	const struct options *o = engine_options(v->engine);
	double seconds;
	size_t bytes = (size_t)engine_options(v->engine)->memory * MEMORY_UNIT;
	if (!solver || !o->exact || o->playouts || o->nodes ||
	    !solver->estimate(v->record.game, &v->record.now,
			      v->flags->all ? SOLVE_ALL : SOLVE_SCORE, o->threads, &seconds,
			      &bytes) ||
	    bytes <= (size_t)engine_options(v->engine)->memory * MEMORY_UNIT ||
	    (v->has_limit && seconds >= o->time))
		return;
	fprintf(stderr,
		"yomi: with %zu MiB of memory this position would be solved in about %.0f s\n",
		bytes / MEMORY_UNIT + 1, ceil(seconds));
}

/* Finds the values, and a move that keeps the value of the position. */
static void find_values(struct solve_solving *v)
{
	struct limits limits = solve_limits_of(v);
	int64_t start = clock_now();
	report_clear(&v->report);
	v->line_count = 0;
	if (v->record.now.over) {
		v->report.lower = v->report.upper = score_sign(v->record.now.score);
		v->report.score = game_points(v->record.game,
					      game_worth(v->record.game, &v->record.now));
		v->report.exact = true;
	} else {
		advise_memory(v);
		limits.values = v->flags->all;
		limits.interval = v->shows_progress ? PROGRESS_INTERVAL : 0;
		if (!solve_ask(v, &v->record, &limits, &v->report))
			report_clear(&v->report);
	}
	v->seconds = clock_since(start);
	solve_erase_progress(v);
}

/* Returns true if a report has the same proven value as the solved position. */
static bool is_same_value(const struct solve_solving *v, const struct report *r)
{
	const struct report *as = &v->report;
	bool same_score = r->exact == as->exact && (!r->exact || r->score == as->score);
	return r->lower == as->lower && r->upper == as->upper &&
	       (same_score || !game_counts(v->record.game));
}

/* Finds the continuation as far as the time allows. Each move keeps the value. */
static void find_line(struct solve_solving *v)
{
	struct limits limits = solve_limits_of(v);
	struct report found = { 0 };
	struct record r;
	report_copy(&found, &v->report);
	bool goes_on = !v->record.now.over && found.lower == found.upper && !v->interrupted;
	if (limits.work_max == WORK_NO_LIMIT)
		limits.deadline = clock_now() +
				  (int64_t)(1e9 *
					    (v->seconds > LINE_TIME ? v->seconds : LINE_TIME));
	record_init(&r, v->record.game);
	record_setup(&r, &v->record.now);
	while (goes_on) {
		v->line[v->line_count++] = found.line[0];
		record_play(&r, found.line[0]);
		goes_on = !r.now.over && v->line_count < PV_MAX &&
			  solve_ask(v, &r, &limits, &found) && is_same_value(v, &found);
	}
	record_free(&r);
	report_free(&found);
}

/* Callback of the verifier: finds a move by a search. */
static bool solve_advise(void *arg, const struct state *s, struct move *move)
{
	struct solve_solving *v = arg;
	struct report found = { 0 };
	if (v->shows_progress && clock_now() - v->shown > PROGRESS_INTERVAL) {
		v->shown = clock_now();
		fprintf(stderr, "\r\033[Kchecking the proof: %.1f s", clock_since(v->check_start));
	}
	record_setup(&v->asked, s);
	bool asks_score = game_counts(v->record.game) && v->report.exact, knows = false;
	if (!is_interrupted(v) && solve_ask(v, &v->asked, &v->advice, &found)) {
		*move = found.line[0];
		knows = asks_score ? found.exact : found.lower == found.upper;
	}
	report_free(&found);
	return knows;
}

/* Returns the score that the report claims for a side after its move i, or for the position itself (i = -1).
 * -game_worth_max(): it claims none. Its unit is that of game_worth(): points or half points. */
static int claim_of(const struct solve_solving *v, int i, int side)
{
	const struct report *r = &v->report;
	int lower = i < 0 ? r->lower : r->moves[i].lower;
	int upper = i < 0 ? r->upper : r->moves[i].upper;
	int sure = result_least(side, lower, upper);
	double one = game_points(v->record.game, 1);
	if (r->exact && (i < 0 || r->moves[i].exact))
		return (int)(points_for(side, i < 0 ? r->score : r->moves[i].score) / one);
	return sure < 0 ? -game_worth_max(v->record.game) : sure;
}

/* Checks a claimed score wherever the report makes it: for the position and after its moves. */
static void check_claim(struct solve_solving *v, int side, int score, struct control *control)
{
	const struct report *r = &v->report;
	const struct game *g = v->record.game;
	int count = v->flags->all ? r->move_count : 0, first = -1;
	while (first < count && claim_of(v, first, side) != score)
		first++;
	if (first == count)
		return;
	v->claims = true;
	struct verifier *verifier = verifier_create(g, side, score, TRIED_FREE, v->check_memory,
						    solve_advise, v);
	if (!verifier) {
		fprintf(stderr, "yomi: not enough memory to check the proof\n");
		v->verdict = UNFINISHED;
		return;
	}
	for (int i = first; i < count && v->verdict == VERIFIED; i++) {
		struct state s = v->record.now;
		if (claim_of(v, i, side) != score)
			continue;
		if (i >= 0)
			game_play(g, &s, r->moves[i].move);
		v->verdict = verifier_check(verifier, &s, control);
	}
	v->checked += verifier_positions(verifier);
	v->hole = *verifier_hole(verifier);
	verifier_destroy(verifier);
}

/* Checks all claims of the report. */
static void solve_check(struct solve_solving *v)
{
	struct control control;
	int most = game_worth_max(v->record.game);
	v->check_start = clock_now();
	v->advice = solve_limits_of(v);
	v->verdict = VERIFIED;
	v->claims = false;
	v->checked = 0;
	control_init(&control, v->advice.deadline, WORK_NO_LIMIT);
	for (int score = most; score > -most && v->verdict == VERIFIED; score--)
		for (int side = BLACK; side <= WHITE && v->verdict == VERIFIED; side++)
			check_claim(v, side, score, &control);
	v->check_seconds = clock_since(v->check_start);
	solve_erase_progress(v);
}

/* --- printing --- */

/* Prints the moves that have these bounds for the side to move, with proven scores. */
static void print_moves(const struct solve_solving *v, const char *title, int least, int most)
{
	const struct state *s = &v->record.now;
	bool first = true;
	for (int i = 0; i < v->report.move_count; i++) {
		const struct report_move *m = &v->report.moves[i];
		char text[MOVE_TEXT_MAX];
		if (result_least(s->side, m->lower, m->upper) != least ||
		    result_most(s->side, m->lower, m->upper) != most)
			continue;
		game_format(v->record.game, s, m->move, text);
		printf("%s%s", first ? title : game_counts(v->record.game) ? ", " : " ", text);
		if (m->exact)
			printf(" %+g", points_for(s->side, m->score));
		first = false;
	}
	if (!first)
		putchar('\n');
}

/* Prints the score of a game of speed, and what it means. */
static void solve_print_speed(const struct solve_solving *v)
{
	const struct report *r = &v->report;
	const struct state *now = &v->record.now;
	char margin[AMOUNT_TEXT_MAX];
	printf("score     %+g", points_for(now->side, r->score));
	if (r->score != 0 && !now->over) {
		game_margin(v->record.game, now, r->score, margin);
		printf(" (%s wins %s)", color_name(r->score > 0 ? BLACK : WHITE), margin);
	}
	putchar('\n');
}

static const char *const verdict_names[] = { "verified", "hole", "unfinished" };

static void solve_print_text(const struct solve_solving *v)
{
	const struct report *r = &v->report;
	const struct state *now = &v->record.now;
	char text[POSITION_TEXT_MAX];
	struct text line = { 0 };
	game_position(v->record.game, now, text);
	const char *result = r->lower && r->upper ? worth_result(NULL, r->lower, r->upper) : "";
	printf("position  %s\n", text);
	if (v->flags->capture)
		printf("capture   %s: %s\n", v->flags->capture,
		       goal_result(v->defender, r->lower, r->upper));
	else
		printf("value     %s%s%s%s\n", worth_value(now->side, r->lower, r->upper),
		       *result ? " (" : "", result, *result ? ")" : "");
	if (r->exact && v->record.game->score.unit)
		printf("score     %+g %s for %s\n", points_for(now->side, r->score),
		       v->record.game->score.unit, color_name(now->side));
	else if (r->exact && v->record.game->score.speed)
		solve_print_speed(v);
	printf("line     ");
	think_line(&line, v->record.game, now, v->line, v->line_count);
	text_send(&line, stdout);
	putchar('\n');
	if (v->flags->all) {
		print_moves(v, "wins      ", 1, 1);
		print_moves(v, "draws     ", 0, 0);
		print_moves(v, "losses    ", -1, -1);
		print_moves(v, "no losses ", 0, 1);
		print_moves(v, "no wins   ", -1, 0);
		print_moves(v, "unknown   ", -1, 1);
	}
	printf("nodes     %llu\ntime      %.3f s\nmemory    %.0f MiB\n",
	       (unsigned long long)r->nodes, v->seconds,
	       ceil((double)system_peak_memory() / (1 << 20)));
	if (v->flags->verify && v->claims) {
		printf("proof     %s, %llu positions, %.3f s", verdict_names[v->verdict],
		       (unsigned long long)v->checked, v->check_seconds);
		if (v->verdict == HOLE) {
			game_position(v->record.game, &v->hole, text);
			printf(", at %s", text);
		}
		putchar('\n');
	}
	putchar('\n');
}

/* Adds a value and its bounds to a JSON object. */
static void solve_set_bounds(json_t *object, int side, int lower, int upper)
{
	int least = result_least(side, lower, upper), most = result_most(side, lower, upper);
	json_object_set_new(object, "value",
			    least == most ? json_string(value_name(least)) : json_null());
	json_object_set_new(object, "at_least", json_string(value_name(least)));
	json_object_set_new(object, "at_most", json_string(value_name(most)));
}

/* Adds the score for the side to move, if the game has scores. It is a whole number where scores are. */
static void set_score(json_t *object, const struct game *g, int side, double score, bool exact)
{
	double points = points_for(side, score);
	if (game_counts(g))
		json_object_set_new(object, "score",
				    !exact                 ? json_null()
				    : g->score.half_points ? json_real(points)
							   : json_integer((json_int_t)points));
}

static json_t *json_moves(const struct solve_solving *v)
{
	json_t *moves = json_array();
	const struct state *s = &v->record.now;
	for (int i = 0; i < v->report.move_count; i++) {
		const struct report_move *m = &v->report.moves[i];
		json_t *move = json_pack("{s:o}", "move", as_json_move(v->record.game, s, m->move));
		solve_set_bounds(move, s->side, m->lower, m->upper);
		set_score(move, v->record.game, s->side, m->score, m->exact);
		json_array_append_new(moves, move);
	}
	return moves;
}

static json_t *solve_json_proof(const struct solve_solving *v)
{
	char text[POSITION_TEXT_MAX];
	json_t *proof = json_pack("{s:s, s:I, s:f}", "verdict", verdict_names[v->verdict],
				  "positions", (json_int_t)v->checked, "seconds", v->check_seconds);
	if (v->verdict == HOLE) {
		game_position(v->record.game, &v->hole, text);
		json_object_set_new(proof, "hole", json_string(text));
	}
	return proof;
}

static void solve_print_json(const struct solve_solving *v)
{
	const struct game *g = v->record.game;
	const struct report *r = &v->report;
	char text[POSITION_TEXT_MAX];
	struct text line = { 0 };
	game_position(g, &v->record.now, text);
	json_t *object = json_pack("{s:s, s:s, s:s}", "game", g->name, "rules", g->rules,
				   "position", text);
	if (v->flags->capture)
		json_object_update_new(
			object, json_pack("{s:s, s:s}", "capture", v->flags->capture, "result",
					  goal_result(v->defender, r->lower, r->upper)));
	if (g->komi)
		json_object_set_new(object, "komi",
				    json_real(g->komi->get(g, &v->record.now) / 2.0));
	solve_set_bounds(object, v->record.now.side, r->lower, r->upper);
	set_score(object, g, v->record.now.side, r->score, r->exact);
	if (g->score.unit)
		json_object_set_new(object, "unit", json_string(g->score.unit));
	json_object_set_new(object, "line",
			    as_json_line(g, &v->record.now, v->line, v->line_count));
	if (v->flags->all)
		json_object_set_new(object, "moves", json_moves(v));
	json_object_set_new(object, "nodes", json_integer((json_int_t)r->nodes));
	json_object_set_new(object, "seconds", json_real(v->seconds));
	json_object_set_new(object, "memory", json_integer((json_int_t)system_peak_memory()));
	if (v->flags->verify && v->claims)
		json_object_set_new(object, "proof", solve_json_proof(v));
	as_json_print(&line, object, SECONDS_DIGITS);
	text_send(&line, stdout);
}

/* --- all positions --- */

/* Reads squares that commas separate. Returns their number, or -1 if one is malformed. */
static int read_squares(const struct game *g, const char *text, int squares[GAME_SQUARES_MAX])
{
	int count = 0, row, col;
	while (text && *text) {
		text = square_parse(g, text, &row, &col);
		if (!text || (*text && *text++ != ',') || count == GAME_SQUARES_MAX)
			return -1;
		squares[count++] = row * g->board.cols + col;
	}
	return count;
}

/* Takes a position, or the goal in it. Returns NULL, or the reason why there is no such goal. */
static const char *take_state(struct solve_solving *v, const struct state *s)
{
	const struct yomi_flags *flags = v->flags;
	const struct game *g = v->game;
	int target[GAME_SQUARES_MAX], area[GAME_SQUARES_MAX];
	int count = read_squares(g, flags->area, area);
	v->record.game = g;
	record_setup(&v->record, s);
	if (!flags->capture)
		return NULL;
	if (read_squares(g, flags->capture, target) != 1 || count < 0)
		return "--capture needs a square, and --area squares, as D4,D5";
	record_setup(&v->asked, s);
	const char *why = goal_begin(&v->record, &v->asked, target[0], area, count);
	v->defender = why ? BLACK : goal_defender(g, s, target[0]);
	return why;
}

static void solve_position(struct solve_solving *v)
{
	find_values(v);
	find_line(v);
	if (v->flags->verify)
		solve_check(v);
	(v->flags->json ? solve_print_json : solve_print_text)(v);
	fflush(stdout);
	bool proven = !v->flags->verify || v->verdict == VERIFIED;
	/* Other searches than the default prover may not compute scores. */
	bool counts = v->record.game->score.unit && v->prover == algorithm_prover(v->record.game);
	if (v->report.lower != v->report.upper || (counts && !v->report.exact) || !proven)
		v->status = v->status ? v->status : EXIT_UNSOLVED;
}

/* Solves a position, unless there is a reason why it is none, which is written; `said` is its text. `number` is its line, 0
 * without a file. */
static void solve_take_position(struct solve_solving *v, struct state *s, const char *reason,
				const char *said, int number)
{
	v->taken++;
	if (!reason && v->has_komi && !v->game->komi->set(v->game, s, v->komi))
		reason = "the komi is too large for this board";
	reason = reason ? reason : take_state(v, s);
	if (!reason) {
		solve_position(v);
		return;
	}
	if (number)
		fprintf(stderr, "yomi: line %d: %s\n", number, reason);
	else
		fprintf(stderr, "yomi: %s: %s\n", said, reason);
	v->status = EXIT_USAGE;
}

/* Compares the score with that of a test set of Connect Four, whose lines are columns and the score: `4455 -2`. */
static void solve_compare(struct solve_solving *v, const char *line, int number)
{
	const struct report *r = &v->report;
	int said, end = 0;
	if (!v->game->score.speed || sscanf(line, "%*[1-7]%d %n", &said, &end) != 1 || line[end])
		return;
	v->compared++;
	if (!r->exact) {
		v->unsolved++;
		return;
	}
	if (points_for(v->record.now.side, r->score) == said) {
		v->agreed++;
		return;
	}
	fprintf(stderr, "yomi: line %d: the score is not the %+d of the file\n", number, said);
	v->status = v->status ? v->status : EXIT_UNSOLVED;
}

/* Solves the position after the moves of a line. In a table, a line with tabs, these are in the first column; a first line
 * without a move there names the columns. */
static void solve_take_moves(struct solve_solving *v, const char *line, int number)
{
	struct record r;
	char why[REASON_MAX], *moves = xstrndup(line, strcspn(line, "\t"));
	const bool is_first = number == 1 && strchr(line, '\t');
	record_init(&r, v->game);
	record_set_swap(&r, v->swap);
	bool done = import_moves(&r, moves, why);
	bool is_header = is_first && !done && !r.count;
	struct state s = r.now;
	record_free(&r);
	free(moves);
	if (is_header) {
		strcpy(v->header, why);
		return;
	}
	solve_take_position(v, &s, done ? NULL : why, line, number);
	if (done && number)
		solve_compare(v, line, number);
}

#define BLANKS " \t\r\n"
#define STONES "XOxo*BWbw"

/* Returns true for a character of position text. */
static bool solve_is_mark(const struct game *g, char c)
{
	for (const struct piece *p = board_pieces(&g->board); p->letter; p++)
		if (p->letter == c)
			return true;
	return strchr(STONES ".-_:", c);
}

/* Returns true if a word is a board: it has the characters of one, which no moves have, or the length of one and mostly its
 * characters. */
static bool solve_is_board(const struct game *g, const char *word)
{
	size_t length = strcspn(word, BLANKS), squares = (size_t)(g->board.rows * g->board.cols),
	       marks = 0;
	for (size_t i = 0; i < length; i++) {
		if (strchr("123456789", word[i]))
			return false;
		marks += solve_is_mark(g, word[i]);
	}
	bool is_long = length == squares || length == squares + 1;
	return length > 2 && (marks == length || (is_long && 2 * marks > length));
}

/* Returns true if a word is a side. */
static bool solve_is_side(const char *word)
{
	size_t length = strcspn(word, BLANKS);
	return (length == 1 && strchr(STONES, *word)) ||
	       (length == 5 &&
		(strncasecmp(word, "black", 5) == 0 || strncasecmp(word, "white", 5) == 0));
}

/* Solves the position of a line: a board and a side, of which the blank between them is optional, or moves from the start of
 * the game. What is behind the position, such as its known value, is ignored, and in a table (a line with tabs) what is
 * before the board; so is text after '#', ';' or '%', which other programs add. */
static void solve_take_line(struct solve_solving *v, char *line, int number)
{
	const struct game *g = v->game;
	size_t squares = (size_t)(g->board.rows * g->board.cols);
	char side[6] = "";
	struct state s;
	line[strcspn(line, "#;%")] = '\0';
	bool table = strchr(line, '\t');
	char *begin = line + strspn(line, BLANKS), *word = begin;
	while (table && *word && (!solve_is_board(g, word) || strcspn(word, BLANKS) < squares)) {
		word += strcspn(word, BLANKS);
		word += strspn(word, BLANKS);
	}
	if (!*begin)
		return;
	if (!solve_is_board(g, word)) {
		begin[strcspn(begin, "\r\n")] = '\0';
		solve_take_moves(v, begin, number);
		return;
	}
	size_t length = strcspn(word, BLANKS);
	if (length == squares + 1 && solve_is_side(word + squares))
		length = squares;
	const char *turn = word + length;
	turn += strspn(turn, BLANKS);
	snprintf(side, sizeof side, "%.*s", (int)strcspn(turn, BLANKS), turn);
	word[length] = '\0';
	const char *reason = *side ? game_setup(g, &s, word, side)
				   : "type a position as BOARD SIDE, or as moves";
	if (!reason && v->swap && g->swap)
		g->swap->allow(g, &s, true);
	solve_take_position(v, &s, reason, word, number);
}

/* Solves the positions of a file, one a line. */
static void solve_take_lines(struct solve_solving *v, FILE *f)
{
	struct text line = { 0 };
	for (int number = 1; !is_interrupted(v); number++) {
		/* SIGINT may end the program while it waits for a line: nothing is lost. */
		stops_watch(NULL);
		bool is_line = text_read_line(&line, f);
		stops_watch(&v->wakes);
		if (!is_line)
			break;
		size_t mark = number == 1 ? utf8_mark(line.bytes, line.length) : 0;
		solve_take_line(v, line.bytes + mark, number);
	}
	if (*v->header && !v->taken) {
		fprintf(stderr, "yomi: line 1: %s\n", v->header);
		v->status = EXIT_USAGE;
	}
	char unsolved[40] = "";
	if (v->unsolved)
		snprintf(unsolved, sizeof unsolved, " (%d not solved)", v->unsolved);
	if (v->compared)
		fprintf(stderr, "yomi: %d of %d scores of the file agree%s\n", v->agreed,
			v->compared, unsolved);
	text_free(&line);
}

/* Solves the positions of the given file, or of standard input. */
static void take_file(struct solve_solving *v)
{
	const char *path = v->flags->file;
	FILE *f = path ? disk_open(path, "r") : stdin;
	if (f == stdin && stream_is_terminal(f))
		fputs("Type positions, one a line: squares from the top left (X, O, '.'), then X "
		      "or O to move\n",
		      stderr);
	if (f)
		solve_take_lines(v, f);
	if (!f || ferror(f)) {
		fprintf(stderr, "yomi: cannot read %s: %s\n", path ? path : "standard input",
			strerror(errno));
		v->status = EXIT_USAGE;
	}
	if (f && f != stdin)
		fclose(f);
}

/* Solves the positions of the command line: a board and its side in one word or two, or moves in one. */
static void take_words(struct solve_solving *v)
{
	const struct arguments *a = v->arguments;
	const struct game *g = v->game;
	size_t squares = (size_t)(g->board.rows * g->board.cols);
	for (int i = 1; i < a->count && !v->interrupted; i++) {
		const char *word = a->words[i];
		bool has_side = false;
		if (i + 1 < a->count && solve_is_board(g, word)) {
			const char *next = a->words[i + 1];
			has_side = solve_is_side(next) ||
				   (strlen(word) <= squares && !solve_is_board(g, next));
		}
		char *line = has_side ? xasprintf("%s %s", word, a->words[++i]) : xstrdup(word);
		solve_take_line(v, line, 0);
		free(line);
	}
}

static void take_all(struct solve_solving *v)
{
	(v->arguments->count > 1 ? take_words : take_file)(v);
	if (v->interrupted && !v->status)
		v->status = EXIT_UNSOLVED;
}

/* Takes the memory of the check from that of the engine. */
static void divide_memory(struct solve_solving *v)
{
	struct options *o = engine_options(v->engine);
	v->check_memory = (size_t)o->memory * MEMORY_UNIT / VERIFY_PART;
	o->memory -= (o->memory + VERIFY_PART - 1) / VERIFY_PART;
	o->memory = o->memory ? o->memory : 1;
}

/* Takes the game and what is wanted from the command line. Returns false after a message. */
static bool solve_prepare(struct solve_solving *v)
{
	const struct arguments *a = v->arguments;
	const struct yomi_flags *f = v->flags;
	const struct program *p = a->program;
	const struct game *g = v->game = program_game(p, a->words[0], f->rules, f->size);
	v->has_limit = arguments_have(a, "time");
	v->has_komi = arguments_have(a, "komi");
	v->komi = (int)lround(2 * f->komi);
	v->swap = a->settings.swap == SWAP_ALWAYS;
	if (!g)
		return false;
	if (f->capture && !goals_exist(g))
		program_complain(p, "--capture: %s has no stones to capture", g->name);
	else if (v->has_komi && !g->komi)
		program_complain(p, "--komi: %s has no komi", g->name);
	else if (v->komi != 2 * f->komi)
		program_complain(p, "--komi: %g is no multiple of 0.5", f->komi);
	else if (f->capture && f->all)
		program_complain(p, "give --capture or --all, not both");
	else if (f->area && !f->capture)
		program_complain(p, "--area needs --capture");
	else if (a->count > 1 && f->file)
		program_complain(p, "give positions on the command line or in --file, not both");
	/* A proof holds for the past of its position, which the check does not know. */
	else if (f->verify && game_repeats(g))
		program_complain(p, "--verify cannot check %s, where earlier positions matter",
				 g->name);
	else
		return true;
	return false;
}

int solve_run(const struct arguments *a)
{
	struct solve_solving v = { .arguments = a, .flags = a->values };
	if (!solve_prepare(&v))
		return EXIT_USAGE;
	if (!channel_open(&v.wakes)) {
		fprintf(stderr, "yomi: %s\n", strerror(errno));
		return EXIT_UNSOLVED;
	}
	stops_watch(&v.wakes);
	evaluator_get_ready(v.game);
	record_init(&v.record, v.game);
	record_init(&v.asked, v.game);
	v.engine = engine_create();
	*engine_options(v.engine) = a->options;
	engine_reseed(v.engine);
	v.prover = algorithm_prover(v.game);
	if (a->options.search != SEARCH_AUTO) {
		/* Only the search that the user chose may prove the value. */
		v.prover = algorithm_chosen(&a->options, v.game);
		engine_options(v.engine)->exact = false;
	}
	if (v.flags->verify)
		divide_memory(&v);
	v.shows_progress = stream_is_terminal(stderr);
	take_all(&v);
	report_free(&v.report);
	record_free(&v.record);
	record_free(&v.asked);
	engine_destroy(v.engine);
	stops_watch(NULL);
	channel_close(&v.wakes);
	return v.status;
}
