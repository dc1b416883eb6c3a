/* SPDX-License-Identifier: MIT
 *
 * JSON for web pages: all that a board in a browser needs, so that the page needs no rules. These are
 * ordinary commands that any program can use. Their arguments are plain words.
 *
 * Moves are in the notation of `play`. Colours are "black" and "white". All values, scores and bounds are
 * Black's; bounds are -1 (lost), 0 (draw), 1 (won). Unknown values are null. Squares count row by row from
 * the top left.
 */
#include "protocol/web/browser.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/komi.h"
#include "engine/rules/square.h"
#include "engine/rules/words.h"
#include "engine/search/level.h"
#include "games/games.h"
#include "games/rbg/rbg_game.h"
#include "protocol/records/as_json.h"
#include "protocol/records/import.h"
#include "protocol/records/layout.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"
#include "protocol/session/session.h"
#include "protocol/session/start.h"
#include "protocol/session/think.h"

#define CENTISECOND    10000000 /* nanoseconds */
#define INTERVAL_USUAL 25       /* centiseconds */
#define INTERVAL_MAX   100000
#define LINE_MAX_SHOWN 8 /* maximum moves of the line of each move */

/* --- writing --- */

static json_t *json_color(int side)
{
	return json_string(color_name(side));
}

static json_t *json_square(const struct game *g, int row, int col)
{
	char text[SQUARE_TEXT_MAX];
	square_format(g, row, col, text);
	return json_string(text);
}

/* Appends the text of a move to a list, and tells in `clicks` what to click for it. */
static void append_move(json_t *list, json_t *clicks, const struct game *g,
			const struct state *state, struct move m)
{
	json_t *text = as_json_move(g, state, m);
	const char *key = json_string_value(text);
	json_object_set_new(clicks, key, layout_clicks(g, key));
	json_array_append_new(list, text);
}

/* A line of moves from the current position. */
static json_t *browser_json_line(const struct session *s, const struct move *moves, int count,
				 json_t *clicks)
{
	const struct game *g = s->record.game;
	struct state state = s->record.now;
	json_t *line = json_array();
	for (int i = 0; i < count; i++) {
		append_move(line, clicks, g, &state, moves[i]);
		game_play(g, &state, moves[i]);
	}
	return line;
}

/* --- positions --- */

static json_t *json_moves_made(const struct record *r)
{
	struct state state = r->start;
	json_t *moves = json_array();
	for (int i = 0; i < r->count; i++) {
		const struct record_move *m = &r->moves[i];
		if (record_is_play(m))
			json_array_append_new(
				moves, json_pack("{s:o,s:o}", "color", json_color(m->side), "move",
						 as_json_move(r->game, &state, m->move)));
		record_replay(r, i, &state);
	}
	return moves;
}

static json_t *json_legal(const struct record *r, json_t *clicks)
{
	struct move moves[GAME_MOVES_MAX];
	json_t *legal = json_array();
	int count = r->now.over ? 0 : record_moves(r, moves);
	for (int i = 0; i < count; i++)
		append_move(legal, clicks, r->game, &r->now, moves[i]);
	return legal;
}

/* The square of the last move's stone, after its turn in Pentago; null without a stone. */
static json_t *json_last(const struct record *r)
{
	struct state before;
	int row, col, last = r->count - 1;
	if (last < 0 || r->moves[last].move.step[0] == MOVE_PASS ||
	    !record_is_play(&r->moves[last]))
		return json_null();
	record_state(r, last, &before);
	if (!game_stone(r->game, &before, r->moves[last].move, &row, &col))
		return json_null();
	return json_square(r->game, row, col);
}

/* The squares of a row of stones that begins at this square in this direction. NULL if the row is too
 * short, or does not begin here. */
static json_t *json_run(const struct game *g, const struct state *state, int row, int col,
			const int step[2])
{
	char stone = g->at(g, state, row, col);
	int length = 0, r = row - step[0], c = col - step[1];
	bool begins = r < 0 || r >= g->board.rows || c < 0 || c >= g->board.cols ||
		      g->at(g, state, r, c) != stone;
	json_t *run = json_array();
	for (r = row, c = col; begins && r >= 0 && r < g->board.rows && c >= 0 &&
			       c < g->board.cols && g->at(g, state, r, c) == stone;
	     r += step[0], c += step[1], length++)
		json_array_append_new(run, json_square(g, r, c));
	if (stone != '.' && length >= g->score.in_a_row)
		return run;
	json_decref(run);
	return NULL;
}

/* Appends what has ended a game of connection: a path of Hex, a ring, bridge or fork of Havannah. The side that moved last
 * has it. The rules find it: a stone that can be taken away while the result stays is no part of it. A stone of the other side
 * goes with it, since setups check the numbers of stones. Each pair of neighbours is a row of two. */
static void append_connection(json_t *runs, const struct game *g, const struct state *state)
{
	static const int steps[][2] = { { 0, 1 }, { 1, 0 }, { 1, -1 } };
	const char own = state->side == BLACK ? 'O' : 'X', other = own == 'X' ? 'O' : 'X';
	char squares[POSITION_TEXT_MAX];
	struct state rest;
	game_position(g, state, squares);
	char *side = strchr(squares, ' ');
	*side++ = '\0';
	char *with = strchr(squares, other);
	for (char *at = squares; (at = strchr(at, own)); at++) {
		*at = '.';
		if (with)
			*with = '.';
		if (!game_setup(g, &rest, squares, side) && rest.over &&
		    rest.score == state->score) {
			with = with ? strchr(with, other) : NULL;
			continue;
		}
		*at = own;
		if (with)
			*with = other;
	}
	for (int i = 0; i < 3 * g->board.rows * g->board.cols; i++) {
		int row = i / 3 / g->board.cols, col = i / 3 % g->board.cols;
		int next_row = row + steps[i % 3][0], next_col = col + steps[i % 3][1];
		if (next_row == g->board.rows || next_col < 0 || next_col == g->board.cols)
			continue;
		if (squares[row * g->board.cols + col] == own &&
		    squares[next_row * g->board.cols + next_col] == own)
			json_array_append_new(runs, json_pack("[o,o]", json_square(g, row, col),
							      json_square(g, next_row, next_col)));
	}
}

/* What ended the game: rows of stones, or a connection. */
static json_t *json_runs(const struct game *g, const struct state *state)
{
	static const int steps[][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };
	json_t *runs = json_array();
	if (state->over && state->score && g->board.kind == BOARD_HEXAGONS)
		append_connection(runs, g, state);
	for (int i = 0; state->over && g->score.in_a_row && i < 4 * g->board.rows * g->board.cols;
	     i++) {
		json_t *run = json_run(g, state, i / 4 / g->board.cols, i / 4 % g->board.cols,
				       steps[i % 4]);
		if (run)
			json_array_append_new(runs, run);
	}
	return runs;
}

static json_t *json_points(const struct game *g, int score)
{
	return g->score.half_points ? json_real(game_points(g, score)) : json_integer(score);
}

/* Takes back all but the first `count` moves that sides made. Returns false if there are fewer
 * moves. */
static bool go_back(struct record *r, int count)
{
	int end = 0;
	for (; end < r->count && count; end++)
		count -= record_is_play(&r->moves[end]);
	record_shorten(r, end);
	return count == 0;
}

/* Describes the position of a record that may be shorter than the game, without the members that concern the game. */
static json_t *json_position(const struct record *r)
{
	static const char *const winners[] = { "white", "draw", "black" };
	const struct game *g = r->game;
	const struct state *now = &r->now;
	char position[POSITION_TEXT_MAX];
	game_position(g, now, position);
	json_t *clicks = json_object(), *legal = json_legal(r, clicks);
	json_t *squares = json_stringn(position, (size_t)(g->board.rows * g->board.cols));
	json_t *winner = now->over ? json_string(winners[1 + score_sign(now->score)]) : json_null();
	json_t *score = now->over ? json_points(g, now->score) : json_null();
	json_t *komi = g->komi ? json_points(g, g->komi->get(g, now)) : json_null();
	return json_pack("{s:s,s:s,s:s,s:s?,s:i,s:i,s:o,s:o,s:s,s:o,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:"
			 "b,s:s,s:o}",
			 "game", g->name, "title", g->title, "rules", g->rules, "unit",
			 g->score.unit, "rows", g->board.rows, "cols", g->board.cols, "komi", komi,
			 "squares", squares, "side", now->side == BLACK ? "X" : "O", "to_move",
			 json_color(now->side), "over", (int)now->over, "winner", winner, "score",
			 score, "legal", legal, "clicks", clicks, "last", json_last(r), "runs",
			 json_runs(g, now), "pass", (int)(!now->over && game_must_pass(g, now)),
			 "position", position, "board", layout_json(g));
}

/* The Elo of the levels from 1 on, null if the game has no ratings. */
static json_t *json_ratings(const struct game *g)
{
	json_t *ratings = level_elo(g, LEVEL_MAX) ? json_array() : json_null();
	for (int level = 1; json_is_array(ratings) && level <= LEVEL_MAX; level++)
		json_array_append_new(ratings, json_integer(level_elo(g, level)));
	return ratings;
}

static enum outcome browser_run_position(struct session *s)
{
	struct record past;
	json_t *moves = json_moves_made(&s->record);
	int at = (int)json_array_size(moves);
	bool good = !s->arg_count || line_int(s->args[0], &at);
	record_init(&past, s->record.game);
	record_copy(&past, &s->record);
	if (!good || (s->arg_count && !go_back(&past, at))) {
		record_free(&past);
		json_decref(moves);
		return syntax_error(s, "type a number of moves from 0 to the length of the game");
	}
	json_t *position = json_position(&past);
	json_object_set_new(position, "moves", moves);
	json_object_set_new(position, "at", json_integer(at));
	json_object_set_new(position, "ratings", json_ratings(s->record.game));
	json_object_set_new(position, "can_undo", json_boolean(s->record.count > 0));
	record_free(&past);
	as_json_print(s->reply, position, AS_JSON_DIGITS);
	return DONE;
}

/* Appends a value unless the list has it already. Returns false if it has. */
static bool append_once(json_t *list, json_t *value)
{
	bool has = false;
	for (size_t i = 0; i < json_array_size(list); i++)
		has |= json_equal(json_array_get(list, i), value);
	if (!has)
		json_array_append(list, value);
	json_decref(value);
	return !has;
}

/* Rows, columns and what players call the size if it is neither. */
static json_t *json_size(const struct game *g)
{
	return g->board.size ? json_pack("[i,i,i]", g->board.rows, g->board.cols, g->board.size)
			     : json_pack("[i,i]", g->board.rows, g->board.cols);
}

/* Appends the size of a board unless the list has it already, and its komi to another list. */
static void append_size(json_t *sizes, json_t *komis, const struct game *g)
{
	struct state start;
	g->start(g, &start);
	if (append_once(sizes, json_size(g)))
		json_array_append_new(komis, g->komi ? json_points(g, g->komi->get(g, &start))
						     : json_null());
}

/* The rows of yomi-games: games, each with its rules and sizes. */
struct browser_games {
	json_t *all;
	const struct game *last;       /* the game of the last row */
	json_t *rules, *sizes, *komis; /* of it */
};

/* Adds a table, which may have other rules than the last game. */
static void browser_add_game(struct browser_games *b, const struct game *g)
{
	if (!b->last || !game_is_variant(g, b->last)) {
		b->rules = json_array();
		b->sizes = json_array();
		b->komis = json_array();
		json_array_append_new(b->all,
				      json_pack("{s:s,s:s,s:o,s:i,s:i,s:o,s:o}", "game", g->name,
						"title", g->title, "rules", b->rules, "rows",
						g->board.rows, "cols", g->board.cols, "sizes",
						b->sizes, "komis", b->komis));
	}
	b->last = g;
	append_once(b->rules, json_string(g->rules));
	append_size(b->sizes, b->komis, g);
	for (const struct game *const *size = g->sizes; size && *size; size++)
		append_size(b->sizes, b->komis, *size);
}

/* The games of the program, and the running one if its rules are a text. */
static enum outcome run_games(struct session *s)
{
	struct browser_games b = { .all = json_array() };
	for (int i = 0; games[i]; i++)
		browser_add_game(&b, games[i]);
	if (rbg_is_game(s->record.game))
		browser_add_game(&b, s->record.game);
	as_json_print(s->reply, b.all, AS_JSON_DIGITS);
	return DONE;
}

/* The page shows paragraphs; a GTP answer cannot hold the blank lines between them, a JSON string can. */
static enum outcome browser_run_rules(struct session *s)
{
	as_json_print(s->reply, json_pack("{s:s}", "guide", s->record.game->words->guide),
		      AS_JSON_DIGITS);
	return DONE;
}

/* --- results --- */

static json_t *json_report_move(const struct session *s, const struct report *r,
				const struct report_move *m, json_t *clicks)
{
	struct move line[REPORT_LINE_MAX];
	uint64_t visits[REPORT_LINE_MAX];
	json_t *line_visits = json_array();
	int count = report_line(r, m, line, visits);
	count = count < LINE_MAX_SHOWN ? count : LINE_MAX_SHOWN;
	for (int i = 0; i < count && visits[i]; i++)
		json_array_append_new(line_visits, json_integer((json_int_t)visits[i]));
	return json_pack("{s:o,s:I,s:o,s:o,s:i,s:i,s:b,s:o,s:o}", "move",
			 as_json_move(s->record.game, &s->record.now, m->move), "visits",
			 (json_int_t)m->visits, "value", as_json_number(m->value), "score",
			 as_json_number(m->score), "lower", m->lower, "upper", m->upper, "exact",
			 (int)m->exact, "line", browser_json_line(s, line, count, clicks),
			 "line_visits", line_visits);
}

/* A report with at most `moves_max` moves; the best come first. */
static json_t *json_report(const struct session *s, const struct report *r, int moves_max)
{
	double seconds = clock_since(s->taken);
	bool has_proof = r->proof || r->disproof;
	json_t *moves = json_array(), *clicks = json_object();
	for (int i = 0; i < r->move_count && i < moves_max; i++)
		json_array_append_new(moves, json_report_move(s, r, &r->moves[i], clicks));
	json_t *line = browser_json_line(s, r->line, r->line_count, clicks);
	json_t *report = json_pack(
		"{s:o,s:f,s:I,s:I,s:f,s:o,s:o,s:i,s:i,s:b,s:b,s:i,s:o,s:i,s:o,s:o,s:o,s:o,s:o}",
		"side", json_color(s->side), "seconds", seconds, "playouts",
		(json_int_t)r->playouts, "nodes", (json_int_t)r->nodes, "rate",
		(double)(r->playouts + r->nodes) / fmax(seconds, 1e-6), "value",
		as_json_number(r->value), "score", as_json_number(r->score), "lower", r->lower,
		"upper", r->upper, "exact", (int)r->exact, "book", (int)r->book, "depth", r->depth,
		"fill", as_json_number(r->fill), "memory", engine_options(s->engine)->memory,
		"proof", has_proof ? as_json_proof(r->proof) : json_null(), "disproof",
		has_proof ? as_json_proof(r->disproof) : json_null(), "moves", moves, "line", line,
		"clicks", clicks);
	if (!report)
		out_of_memory();
	return report;
}

static void print_report(struct session *s, const struct report *r)
{
	as_json_print(s->reply, json_report(s, r, s->moves_max), AS_JSON_DIGITS);
}

/* Reads the optional interval and the optional maximum number of moves, from argument `at` on. Answers a
 * syntax error and returns false if one of them is malformed. */
static bool read_stream(struct session *s, int at)
{
	int interval = INTERVAL_USUAL, moves_max = GAME_MOVES_MAX;
	if (at < s->arg_count && !line_int(s->args[at], &interval)) {
		syntax_error(s, "type the interval as a whole number of hundredths of a second");
		return false;
	}
	if (at + 1 < s->arg_count && (!line_int(s->args[at + 1], &moves_max) || moves_max < 1)) {
		syntax_error(s, "type the maximum number of moves as a whole number above 0");
		return false;
	}
	interval = interval < 1 ? 1 : interval < INTERVAL_MAX ? interval : INTERVAL_MAX;
	s->interval = (int64_t)interval * CENTISECOND;
	s->moves_max = moves_max;
	return true;
}

static enum outcome browser_run_analyze(struct session *s)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	s->side = s->record.now.side;
	if (!read_stream(s, 0))
		return REFUSED;
	if (s->record.now.over)
		return HOLDING;
	limits.interval = s->interval;
	limits.values = true;
	return think_begin(s, &limits, STREAMING);
}

static enum outcome browser_finish_analyze(struct session *s, const struct report *report)
{
	return report || s->record.now.over ? DONE : REFUSED;
}

/* The report of a search with the limits of a move. Every move gets a value. */
static enum outcome run_search(struct session *s)
{
	s->side = s->record.now.side;
	if (s->record.now.over)
		return refuse(s, "the game is over");
	struct limits limits = think_limits(s);
	limits.values = true;
	return think_begin(s, &limits, THINKING);
}

static enum outcome finish_search(struct session *s, const struct report *report)
{
	if (!report)
		return REFUSED;
	as_json_print(s->reply, json_report(s, report, GAME_MOVES_MAX), AS_JSON_DIGITS);
	return DONE;
}

static void print_played(struct session *s, json_t *report, const char *text)
{
	if (json_object_set_new(report, "played", json_string(text)) < 0)
		out_of_memory();
	as_json_print(s->reply, report, AS_JSON_DIGITS);
}

static enum outcome browser_run_genmove(struct session *s)
{
	char text[MOVE_TEXT_MAX];
	struct report nothing = { 0 };
	if (!line_color(s->args[0], &s->side))
		return syntax_error(s, "type black or white as the color");
	if (!read_stream(s, 1))
		return REFUSED;
	if (!think_take_turn(s))
		return REFUSED;
	if (think_known(s, text)) {
		report_clear(&nothing);
		print_played(s, json_report(s, &nothing, GAME_MOVES_MAX), text);
		return DONE;
	}
	struct limits limits = think_limits(s);
	limits.interval = s->interval;
	limits.book = true;
	return think_begin(s, &limits, STREAMING);
}

static enum outcome browser_finish_genmove(struct session *s, const struct report *report)
{
	char text[MOVE_TEXT_MAX];
	json_t *found = report ? json_report(s, report, GAME_MOVES_MAX) : NULL;
	if (!think_found(s, report, text))
		return REFUSED;
	print_played(s, found, text);
	return DONE;
}

/* --- games as text --- */

/* Resolves the escapes of a word in place: %0A is a line feed. Sets *length. Returns false if one is malformed. */
static bool unescape(char *word, size_t *length)
{
	char *to = word, *text = word;
	for (; *text; text++) {
		char digits[3] = "";
		if (*text != '%') {
			*to++ = *text;
			continue;
		}
		for (int i = 0; i < 2; i++)
			if (isxdigit((unsigned char)text[1 + i]))
				digits[i] = text[1 + i];
			else
				return false;
		*to++ = (char)strtol(digits, NULL, 16);
		text += 2;
	}
	*to = '\0';
	*length = (size_t)(to - word);
	return true;
}

static enum outcome browser_run_loadsgf(struct session *s)
{
	const struct import_wish wish = { .columns = s->settings.columns };
	char why[REASON_MAX];
	size_t length;
	if (!unescape(s->args[0], &length))
		return syntax_error(s, "type each escape as % and two hexadecimal digits");
	if (!import_game(&s->record, s->args[0], length, &wish, 1, &s->about, why))
		return refuse(s, why);
	text_puts(s->reply, why);
	/* A page replays moves from the start. */
	int setup = record_last_setup(&s->record);
	if (setup) {
		text_printf(s->reply,
			    "%sthe game begins with the stones that are set up after move %d",
			    *why ? "; " : "", setup - 1);
		record_start_at(&s->record, setup);
		s->about.moves -= setup;
	}
	return start_loaded(s, "");
}

const struct command browser_commands[] = {
	{ "yomi-position", "[MOVES]",
	  "print the position, or the position after MOVES moves of the game, as JSON. Fields: "
	  "game, title, rules, rows, cols, komi; unit of the score; board and clicks, how to draw "
	  "and play; squares (top row first) and side (X or O); position, both as the command "
	  "`position` reads them; to_move, over, winner, score (Black's); moves, all moves of the "
	  "game; at, the number of moves before this position; legal; last, the square of the last "
	  "stone; runs, the rows of stones that ended the game; pass, true if the side must pass; "
	  "ratings, the Elo of the levels; can_undo",
	  browser_run_position },
	{ "yomi-games", "", "list all games and their rule sets as JSON", run_games },
	{ "yomi-rules", "", "explain the rules of the current game to people, as JSON",
	  browser_run_rules },
	{ "yomi-analyze", "[INTERVAL [MOVES]]",
	  "search until the next line and write a JSON object every INTERVAL hundredths of a "
	  "second (default 25), with at most the best MOVES moves (default: all). value (-1 to 1), "
	  "score (points), lower and upper (proven bounds) are Black's; rate is playouts and nodes "
	  "per second; book is true if the move is from the opening book; fill is the used "
	  "fraction of memory (MiB); proof and disproof are the proof numbers for the side to "
	  "move, null if infinite or unknown",
	  browser_run_analyze, browser_finish_analyze, .live = print_report, .until_line = true },
	{ "yomi-search", "",
	  "search for the time of a move and write one report, as yomi-analyze does", run_search,
	  finish_search },
	{ "yomi-genmove", "COLOR [INTERVAL [MOVES]]",
	  "same as genmove, but writes JSON objects as yomi-analyze does; the last one has all "
	  "moves, and the one that was played as `played`",
	  browser_run_genmove, browser_finish_genmove, .live = print_report, .plays = true },
	{ "yomi-loadsgf", "TEXT",
	  "read a game from one word: the text of a file, with %XX for the byte XX (hexadecimal), "
	  "as encodeURIComponent writes it; answer what was guessed",
	  browser_run_loadsgf, .leaves = true },
	{ 0 },
};
