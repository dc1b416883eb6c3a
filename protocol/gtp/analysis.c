/* SPDX-License-Identifier: MIT
 *
 * Streamed analysis in the form of Leela Zero, KataGo and Sabaki:
 *
 *     kata-analyze black 50 maxmoves 2
 *     =
 *     info move D3 visits 812 utility 0.06 winrate 0.53 ... order 0 pv D3 C5 D6 info move C4 ... pv C4 E3
 *     info move D3 visits 1630 ...
 *                                       (any line ends it, even an empty one)
 *
 * All values are those of the side to move. `lz-` commands write winrates from 0 to 10000. The other
 * commands write them from 0 to 1, always with a decimal point, by which Sabaki tells the forms apart; they
 * also write the score in its unit (Othello: discs, Go: points) if the search knows it or random games tell
 * it, and in games with traces of playouts its deviation and the owners of the squares. Keys of our own
 * stand before `pv`, where clients skip unknown pairs of key and value: `depth` is the search depth; `proof`
 * is the proven result of the move: win, draw, loss; `exact true`: its score is proven, too.
 */
#include "protocol/gtp/analysis.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/evaluation/evaluator.h"
#include "engine/evaluation/outlook.h"
#include "engine/rules/playouts.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"
#include "protocol/session/think.h"
#include "protocol/session/worth.h"

#define CENTISECOND    10000000 /* nanoseconds */
#define INTERVAL_USUAL 100.0    /* centiseconds */
#define INTERVAL_MAX   1e9
/* Maximum bytes of a request. Longer lists of moves would block the loop for other clients. */
#define REQUEST_MAX    16384

/* What the client wants. */
struct request {
	int moves_min; /* number of moves to report; the session's moves_max takes precedence */
	bool shows_root, shows_visits; /* report the root position; visits along each line */
	/* Report the owners of the squares at the end: from the position; from the positions after the moves. */
	bool shows_owners, shows_moves_owners;
	struct move moves[GAME_MOVES_MAX]; /* allowed moves */
	double priors[GAME_MOVES_MAX]; /* how likely the evaluator thinks their next plays are */
	int move_count;                /* 0: the game is over */
};

/* Valid while the command streams. The outlook is kept for the next request about the same position. */
struct analysis {
	struct request request;
	struct outlook outlook;
};

/* --- the request --- */

enum mark { ALLOWED = 1, AVOIDED = 2 };

/* Marks the moves of a list of vertices, separated by commas. In Pentago a square stands for all moves that
 * begin there. Returns false if a text is not a vertex. */
static bool mark_moves(const struct session *s, const char *list, unsigned marks[], enum mark mark)
{
	const struct request *a = &s->analysis->request;
	const struct state *now = &s->record.now;
	struct move unused;
	char vertex[2 * MOVE_TEXT_MAX], text[MOVE_TEXT_MAX];
	size_t n;
	for (;; list += n + 1) {
		n = strcspn(list, ",");
		if (n == 0 || n >= sizeof vertex)
			return false;
		memcpy(vertex, list, n);
		vertex[n] = '\0';
		const char *own = own_text(s, vertex, text);
		bool is_vertex = game_parse(s->record.game, now, own, &unused) != MOVE_MALFORMED;
		int square;
		is_vertex |= notation_of(s)->square(s, vertex, &square);
		for (int i = 0; i < a->move_count; i++) {
			format_play(s, a->moves[i], text);
			bool is_meant = strcasecmp(vertex, text) == 0;
			cut_to_point(text);
			is_meant |= strcasecmp(vertex, text) == 0;
			if (is_meant)
				marks[i] |= mark;
			is_vertex |= is_meant;
		}
		if (!is_vertex)
			return false;
		if (!list[n])
			return true;
	}
}

/* Keeps the moves that have the mark `wanted` (0: any) and are not AVOIDED. */
static void leave_moves_out(struct request *a, const unsigned marks[], unsigned wanted)
{
	int kept = 0;
	for (int i = 0; i < a->move_count; i++)
		if ((marks[i] & (AVOIDED | wanted)) == wanted)
			a->moves[kept++] = a->moves[i];
	a->move_count = kept;
}

static bool read_bool(const char *text, bool *value)
{
	*value = strcasecmp(text, "true") == 0;
	return *value || strcasecmp(text, "false") == 0;
}

/* Reads a key with its values. Returns the number of words read, 0 if they are malformed. */
static int read_key(struct session *s, char **words, int count, unsigned marks[], unsigned *wanted)
{
	struct request *a = &s->analysis->request;
	bool unanswered;
	const struct {
		const char *name;
		int *number;
		bool *flag;
	} keys[] = {
		{ "minmoves", &a->moves_min, NULL },
		{ "maxmoves", &s->moves_max, NULL },
		{ "rootInfo", NULL, &a->shows_root },
		{ "pvVisits", NULL, &a->shows_visits },
		{ "ownership", NULL, &a->shows_owners },
		{ "ownershipStdev", NULL, &unanswered },
		{ "movesOwnership", NULL, &a->shows_moves_owners },
		{ "movesOwnershipStdev", NULL, &unanswered },
		{ "pvEdgeVisits", NULL, &unanswered },
		{ "noResultValue", NULL, &unanswered },
	};
	const char *key = words[0];
	double interval;
	int side, depth;
	if (strcmp(key, "avoid") == 0 || strcmp(key, "allow") == 0) {
		enum mark mark = strcmp(key, "allow") == 0 ? ALLOWED : AVOIDED;
		unsigned other[GAME_MOVES_MAX] = { 0 };
		if (count < 4 || !line_color(words[1], &side) || !line_int(words[3], &depth))
			return 0;
		bool counts = side == s->side && depth > 0;
		if (counts && mark == ALLOWED)
			*wanted = ALLOWED;
		return mark_moves(s, words[2], counts ? marks : other, mark) ? 4 : 0;
	}
	if (count < 2)
		return 0;
	if (strcmp(key, "interval") == 0) {
		if (!line_real(words[1], &interval) || interval < 0)
			return 0;
		s->interval = (int64_t)(fmin(interval, INTERVAL_MAX) * CENTISECOND);
		return 2;
	}
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		if (strcmp(key, keys[i].name) != 0)
			continue;
		bool is_good = keys[i].flag ? read_bool(words[1], keys[i].flag)
					    : line_int(words[1], keys[i].number);
		return is_good ? 2 : 0;
	}
	return 0;
}

/* In GoGui's frame several moves may begin with the same play: gives each the sum of their priors. */
static void analysis_add_priors(struct session *s)
{
	struct request *a = &s->analysis->request;
	size_t count = (size_t)a->move_count;
	char(*texts)[MOVE_TEXT_MAX] = xcalloc(count, sizeof *texts);
	double *single = xcalloc(count, sizeof *single);
	memcpy(single, a->priors, count * sizeof *single);
	for (int i = 0; i < a->move_count; i++) {
		format_play(s, a->moves[i], texts[i]);
		for (int j = 0; j < i; j++) {
			if (strcmp(texts[i], texts[j]) != 0)
				continue;
			a->priors[i] += single[j];
			a->priors[j] += single[i];
		}
	}
	free(single);
	free(texts);
}

/* Sets the priors of the moves. */
static void analysis_find_priors(struct session *s)
{
	struct request *a = &s->analysis->request;
	if (!a->move_count)
		return;
	evaluator_priors(s->record.game, engine_options(s->engine)->evaluator, &s->record.now,
			 a->moves, a->move_count, a->priors);
	if (frame_is_used(s))
		analysis_add_priors(s);
}

/* Reads `[COLOR] [INTERVAL] [KEY VALUE]...` and gives the turn to that side. If it does not return DONE, the
 * error is written and the record is unchanged. */
static enum outcome read_request(struct session *s)
{
	if (!s->analysis)
		s->analysis = xcalloc(1, sizeof *s->analysis);
	struct request *a = &s->analysis->request;
	unsigned marks[GAME_MOVES_MAX] = { 0 }, wanted = 0;
	double interval = INTERVAL_USUAL;
	size_t length = 0;
	int at = 0, n;
	for (int i = 0; i < s->arg_count; i++)
		length += strlen(s->args[i]) + 1;
	if (length > REQUEST_MAX)
		return syntax_error(s, "the request is too long");
	s->side = s->record.now.side;
	if (at < s->arg_count && line_color(s->args[at], &s->side))
		at++;
	if (at < s->arg_count && line_real(s->args[at], &interval) && interval >= 0)
		at++;
	if (!think_take_turn(s))
		return REFUSED;
	*a = (struct request) { 0 };
	s->moves_max = GAME_MOVES_MAX;
	if (!s->record.now.over)
		a->move_count = notation_of(s)->moves(s, a->moves);
	s->interval = (int64_t)(fmin(interval, INTERVAL_MAX) * CENTISECOND);
	for (; at < s->arg_count; at += n) {
		n = read_key(s, s->args + at, s->arg_count - at, marks, &wanted);
		if (n == 0) {
			record_undo_implied(&s->record);
			return syntax_error(s, s->args[at]);
		}
	}
	s->interval = s->interval > CENTISECOND ? s->interval : CENTISECOND;
	leave_moves_out(a, marks, wanted);
	analysis_find_priors(s);
	if (a->move_count || s->record.now.over)
		return DONE;
	record_undo_implied(&s->record);
	return refuse(s, "no move is left to search");
}

/* Applies the request to the limits of a search. */
static void set_limits(const struct session *s, struct limits *limits)
{
	const struct request *a = &s->analysis->request;
	struct move all[GAME_MOVES_MAX];
	int64_t interval = session_interval(s);
	limits->interval = interval && interval < s->interval ? interval : s->interval;
	if (!s->record.now.over && a->move_count < notation_of(s)->moves(s, all)) {
		limits->only = a->moves;
		limits->only_count = a->move_count;
	}
}

/* --- results --- */

static bool is_lz(const struct session *s)
{
	return strncmp(s->command->name, "lz-", 3) == 0;
}

/* Returns the estimates for the position, made once. NULL if the command or the game has none. */
static struct outlook *outlook_now(struct session *s)
{
	const struct record *r = &s->record;
	if (is_lz(s) || !(r->game->playouts && r->game->playouts->trace))
		return NULL;
	struct outlook *outlook = &s->analysis->outlook;
	if (outlook->game != r->game || !state_equal(&outlook->now, &r->now))
		outlook_init(outlook, r->game, &r->now, UINT64_MAX, r->now.hash);
	return outlook;
}

/* Writes a key and a number with so many decimals, 0 to 6. A report has thousands of numbers, and printf() takes five times
 * as long. */
static void print_number(struct text *out, const char *key, double value, int decimals)
{
	static const double units[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };
	char text[32], *at = text + sizeof text - 1;
	long long rounded = llround(value * units[decimals]), left = llabs(rounded);
	*at = '\0';
	for (int i = 0; i <= decimals || left; i++, left /= 10) {
		if (i == decimals && decimals)
			*--at = '.';
		*--at = (char)('0' + left % 10);
	}
	if (rounded < 0)
		*--at = '-';
	text_putc(out, ' ');
	text_puts(out, key);
	text_putc(out, ' ');
	text_puts(out, at);
}

static void print_values(const struct session *s, const struct rating *f, struct outlook *outlook)
{
	struct text *out = s->reply;
	/* Clients read it as points. */
	bool has_points = s->record.game->score.unit;
	double score = side_sign(s->side) *
		       (has_points ? outlook_score(outlook, f->worth.score, f->winrate) : NAN);
	text_printf(out, " visits %llu", (unsigned long long)f->visits);
	if (is_lz(s)) {
		print_number(out, "winrate", 1e4 * f->winrate, 0);
		return;
	}
	print_number(out, "utility", 2 * f->winrate - 1, 6);
	print_number(out, "winrate", f->winrate, 6);
	if (!isnan(score))
		print_number(out, "scoreMean", score, 3);
	if (outlook && has_points)
		print_number(out, "scoreStdev", outlook_position(outlook)->deviation, 3);
	if (!isnan(score))
		print_number(out, "scoreLead", score, 3);
}

/* Writes the mean owners of the squares, row by row from the top left: 1 the side to move, -1 the other side. */
static void print_owners(const struct session *s, const char *key, const struct estimate *estimate)
{
	const struct game *g = s->record.game;
	text_printf(s->reply, " %s", key);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		text_printf(s->reply, " %.3f", side_sign(s->side) * estimate->owner[i] + 0.0);
}

/* Clients expect `pass` in lower case. */
static void print_vertex(struct text *out, const char *text)
{
	text_putc(out, ' ');
	text_puts(out, strcmp(text, "PASS") == 0 ? "pass" : text);
}

/* Writes the plays of the line, and the visits of each play as far as the search has counted them, if they are wanted. */
static void analysis_print_line(const struct session *s, const struct report *r,
				const struct report_move *m)
{
	const struct notation *n = notation_of(s);
	struct state state = s->record.now;
	struct move line[REPORT_LINE_MAX];
	uint64_t visits[REPORT_LINE_MAX];
	char texts[PLAYS_MAX][MOVE_TEXT_MAX];
	int moves = report_line(r, m, line, visits), plays[REPORT_LINE_MAX], play = n->made(s);
	text_puts(s->reply, " pv");
	for (int i = 0; i < moves; i++) {
		int count = n->plays(s, &state, line[i], texts);
		plays[i] = count - play;
		for (; play < count; play++)
			print_vertex(s->reply, texts[play]);
		play = 0;
		if (i + 1 < moves)
			game_play(s->record.game, &state, line[i]);
	}
	if (!s->analysis->request.shows_visits)
		return;
	/* The visits of the first play include those of other moves that begin with it. */
	text_printf(s->reply, " pvVisits %llu", (unsigned long long)m->visits);
	for (int i = 0; i < moves && visits[i]; i++)
		for (play = i == 0; play < plays[i]; play++)
			text_printf(s->reply, " %llu", (unsigned long long)visits[i]);
}

/* Adds moves that the search does not report, up to moves_min moves in all. */
static void add_unknown(const struct session *s, struct report *r)
{
	const struct request *a = &s->analysis->request;
	int known = r->move_count;
	for (int i = 0; i < a->move_count && r->move_count < a->moves_min; i++) {
		int j = 0;
		while (j < known && !move_equal(r->moves[j].move, a->moves[i]))
			j++;
		if (j == known)
			report_add(r, a->moves[i]);
	}
}

/* In GoGui's frame: merges moves that begin with the same play. Keeps the first, which is the best, with the sum of their
 * visits. */
static void merge_plays(const struct session *s, struct report *r)
{
	char(*next)[MOVE_TEXT_MAX] = xcalloc((size_t)r->move_count + 1, sizeof *next);
	int kept = 0;
	for (int i = 0; i < r->move_count; i++) {
		int j = 0;
		format_play(s, r->moves[i].move, next[kept]);
		while (strcmp(next[j], next[kept]) != 0)
			j++;
		if (j < kept)
			r->moves[j].visits += r->moves[i].visits;
		else
			r->moves[kept++] = r->moves[i];
	}
	r->move_count = kept;
	free(next);
}

static double analysis_prior_of(const struct request *a, struct move m)
{
	for (int i = 0; i < a->move_count; i++)
		if (move_equal(a->moves[i], m))
			return a->priors[i];
	return 0;
}

static void analysis_print_root(const struct session *s, const struct report *r,
				struct outlook *outlook, double unknown)
{
	const struct worth worth = worth_of_report(r);
	uint64_t visits = 0;
	for (int i = 0; i < r->move_count; i++)
		visits += r->moves[i].visits;
	const struct rating f = worth_rate(&worth, visits, s->side, unknown);
	text_puts(s->reply, " rootInfo");
	print_values(s, &f, outlook);
}

/* Writes the `order`-th move. */
static void analysis_print_move(const struct session *s, const struct report *r,
				const struct report_move *m, struct outlook *outlook,
				double unknown, int order)
{
	const struct worth worth = worth_of_move(m);
	const struct rating f = worth_rate(&worth, m->visits, s->side, unknown);
	char next[MOVE_TEXT_MAX];
	format_play(s, m->move, next);
	text_printf(s->reply, "%sinfo move", order ? " " : "");
	print_vertex(s->reply, next);
	print_values(s, &f, outlook);
	double prior = analysis_prior_of(&s->analysis->request, m->move);
	print_number(s->reply, "prior", is_lz(s) ? 1e4 * prior : prior, is_lz(s) ? 0 : 6);
	print_number(s->reply, "lcb", is_lz(s) ? 1e4 * f.lcb : f.lcb, is_lz(s) ? 0 : 6);
	text_printf(s->reply, " order %d", order);
	if (r->depth)
		text_printf(s->reply, " depth %d", r->depth);
	if (f.proof)
		text_printf(s->reply, " proof %s", f.proof);
	if (m->exact && game_counts(s->record.game))
		text_puts(s->reply, " exact true");
	analysis_print_line(s, r, m);
	if (outlook && s->analysis->request.shows_moves_owners && order < OUTLOOK_MOVES)
		print_owners(s, "movesOwnership", outlook_after(outlook, m->move));
}

/* Writes one line of `info`, or nothing without a move to report or for a person. */
static void print_info(struct session *s, const struct report *report)
{
	if (is_for_people(s))
		return;
	const struct request *a = &s->analysis->request;
	struct report r = { 0 };
	report_copy(&r, report);
	/* Moves without a value get the value of the position. */
	double unknown = worth_guess(r.value, r.score, (r.lower + r.upper) / 2.0);
	add_unknown(s, &r);
	if (frame_is_used(s))
		merge_plays(s, &r);
	struct outlook *outlook = r.move_count ? outlook_now(s) : NULL;
	for (int i = 0; i < r.move_count && (i == 0 || i < s->moves_max); i++)
		analysis_print_move(s, &r, &r.moves[i], outlook, unknown, i);
	if (r.move_count && a->shows_root)
		analysis_print_root(s, report, outlook, unknown);
	if (outlook && a->shows_owners)
		print_owners(s, "ownership", outlook_position(outlook));
	if (r.move_count)
		text_putc(s->reply, '\n');
	report_free(&r);
}

bool analysis_is_running(const struct session *s)
{
	return s->command && s->command->live == print_info;
}

/* --- the commands --- */

static enum outcome analysis_run_analyze(struct session *s)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	enum outcome outcome = read_request(s);
	if (outcome != DONE)
		return outcome;
	if (s->record.now.over && is_for_people(s))
		return refuse(s, "the game is over");
	if (s->record.now.over)
		return HOLDING;
	set_limits(s, &limits);
	limits.values = true;
	return think_begin(s, &limits, STREAMING);
}

static enum outcome analysis_finish_analyze(struct session *s, const struct report *report)
{
	record_undo_implied(&s->record);
	return report || s->record.now.over ? DONE : REFUSED;
}

static enum outcome analysis_run_genmove(struct session *s)
{
	enum outcome outcome = read_request(s);
	if (outcome != DONE)
		return outcome;
	struct limits limits = think_limits(s);
	set_limits(s, &limits);
	return think_move(s, &limits, STREAMING);
}

static enum outcome analysis_finish_genmove(struct session *s, const struct report *report)
{
	if (report)
		print_info(s, report);
	return think_answer(s, report);
}

#define REQUEST "[COLOR] [INTERVAL] [KEY VALUE]..."

const struct command analysis_commands[] = {
	{ "analyze", REQUEST,
	  "search until the next line, even an empty one, and write the results every INTERVAL "
	  "hundredths of a second (default 100). All values are those of the side to move: winrate "
	  "is the expected share of the points from 0 to 1, scoreLead the score in Othello in "
	  "discs, depth the search depth in moves, proof the proven result of a move; `exact true` "
	  "means that its score is proven, too. Keys: interval, minmoves, maxmoves, rootInfo, "
	  "pvVisits; avoid or allow COLOR VERTEX,VERTEX... DEPTH, for the next move only; "
	  "ownership and movesOwnership in Go. Other keys for ownership are ignored",
	  analysis_run_analyze, analysis_finish_analyze, .live = print_info, .until_line = true },
	{ "lz-analyze", REQUEST, "same as analyze, with winrates from 0 to 10000",
	  analysis_run_analyze, analysis_finish_analyze, .live = print_info, .until_line = true },
	{ "kata-analyze", REQUEST, "same as analyze", analysis_run_analyze, analysis_finish_analyze,
	  .live = print_info, .until_line = true },

	{ "genmove_analyze", REQUEST,
	  "same as genmove, but write results as analyze does, then `play MOVE`; later lines wait",
	  analysis_run_genmove, analysis_finish_genmove, .live = print_info, .plays = true },
	{ "lz-genmove_analyze", REQUEST, "same as genmove_analyze, with winrates from 0 to 10000",
	  analysis_run_genmove, analysis_finish_genmove, .live = print_info, .plays = true },
	{ "kata-genmove_analyze", REQUEST, "same as genmove_analyze", analysis_run_genmove,
	  analysis_finish_genmove, .live = print_info, .plays = true },

	{ "kata-search_analyze", REQUEST, "same as genmove_analyze, without playing the move",
	  analysis_run_genmove, analysis_finish_genmove, .live = print_info },
	{ "kata-search_analyze_cancellable", REQUEST,
	  "same as kata-search_analyze, but any line ends the search, and the answer is then `play "
	  "cancelled`",
	  analysis_run_genmove, analysis_finish_genmove, .live = print_info, .cancellable = true },
	{ 0 },
};
