/* SPDX-License-Identifier: MIT
 *
 * Commands for the terms of a game: size, komi, handicap, rules. Errors use the texts of the GTP draft and of GNU Go,
 * because clients compare them.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/games.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/frame.h"
#include "protocol/gtp/gtp.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/session.h"
#include "protocol/gtp/size.h"

/* --- size and komi --- */

static enum outcome refuse_size(struct session *s)
{
	const struct game *g = s->record.game;
	char sizes[SIZE_LIST_MAX], reason[SIZE_LIST_MAX + 64];
	size_list(g, sizes);
	snprintf(reason, sizeof reason, "%s has %s %s", g->title,
		 size_varies(g) ? "the sizes" : "only size", sizes);
	return refuse_noted(s, "unacceptable size", reason);
}

/* The draft knows square boards only, and leaves the position undefined until clear_board. */
static enum outcome run_boardsize(struct session *s)
{
	int rows, cols;
	/* KataGo also takes COLUMNS:ROWS. */
	char *colon = s->arg_count == 1 ? strchr(s->args[0], ':') : NULL;
	const bool is_one = s->arg_count == 1 && !colon;
	if (colon)
		*colon = '\0';
	if (!gtp_int(s->args[0], &cols) ||
	    !gtp_int(colon ? colon + 1 : s->args[s->arg_count - 1], &rows))
		return syntax_error(s, "type the size as a whole number");
	const struct game *g = s->record.game;
	/* The side of Havannah's board if no base has that number, or for clients with boards of Go. */
	const bool has_squares = has_go_names(s);
	bool is_side = is_one && cols == game_size(g) &&
		       (!g->size || has_squares || !game_of_size(g, cols));
	bool is_own = is_one ? is_side || (g->size && cols == g->size)
			     : cols == g->cols && rows == g->rows;
	if (frame_set_size(s, cols, rows) || is_own)
		return DONE;
	const struct game *other = is_one && !(has_squares && g->size) ? game_of_size(g, cols)
								       : game_sized(g, rows, cols);
	if (!other)
		return refuse_size(s);
	start_game(s, other);
	return DONE;
}

static enum outcome run_komi(struct session *s)
{
	double komi;
	if (!gtp_real(s->args[0], &komi))
		return syntax_error(s, "type komi as a number");
	if (!s->record.game->set_komi)
		return DONE;
	/* The bound keeps the conversion defined; games have smaller ones. */
	if (fabs(komi) > GAME_SCORE_MAX || !record_set_komi(&s->record, (int)lround(2 * komi)))
		return refuse(s, "unacceptable komi");
	s->has_komi = true;
	s->komi = (int)lround(2 * komi);
	return DONE;
}

static enum outcome run_get_komi(struct session *s)
{
	const struct game *g = s->record.game;
	fprintf(s->reply, "%g", g->komi ? g->komi(&s->record.now) / 2.0 : 0);
	return DONE;
}

/* --- handicap --- */

/* Returns true if no stone has been placed. */
static bool is_empty(const struct session *s)
{
	const struct record *r = &s->record;
	return r->count == 0 && game_free(r->game, &r->now) == r->game->rows * r->game->cols;
}

/* Puts Black's stones on the board and gives the turn to White. */
static void set_stones(struct session *s, const int *squares, int count)
{
	const struct game *g = s->record.game;
	char board[GAME_SQUARES_MAX + 1];
	struct state state;
	int komi = g->komi ? g->komi(&s->record.start) : 0;
	memset(board, '.', sizeof board);
	board[g->rows * g->cols] = '\0';
	for (int i = 0; i < count; i++)
		board[squares[i]] = 'X';
	if (g->setup(g, &state, board, WHITE))
		return;
	if (g->set_komi)
		g->set_komi(&state, komi);
	record_setup(&s->record, &state);
	s->has_handicap = true;
	frame_forget(s);
}

/* Returns how far a square is from the nearest of some squares, and from the border, where it is worth little. */
static int distance(const struct game *g, int square, const int *squares, int count)
{
	int row = square / g->cols, col = square % g->cols;
	int border = row < col ? row : col, least;
	border = g->rows - 1 - row < border ? g->rows - 1 - row : border;
	border = g->cols - 1 - col < border ? g->cols - 1 - col : border;
	least = 2 * border + 1;
	for (int i = 0; i < count; i++) {
		int away = abs(row - squares[i] / g->cols) + abs(col - squares[i] % g->cols);
		least = away < least ? away : least;
	}
	return least;
}

/* Adds handicap stones where they are farthest from the others. */
static int add_stones(const struct game *g, int count, int wanted, int *squares)
{
	for (; count < wanted; count++) {
		int best = 0, most = -1;
		for (int i = 0; i < g->rows * g->cols; i++) {
			int away = distance(g, i, squares, count);
			best = away > most ? i : best;
			most = away > most ? away : most;
		}
		squares[count] = best;
	}
	return count;
}

/* Places a handicap of the size given, on the usual points (`fixed`) as far as there are any. */
static enum outcome place_handicap(struct session *s, bool fixed)
{
	const struct game *g = s->record.game;
	int count, squares[GAME_SQUARES_MAX], most = g->rows * g->cols - 1;
	if (!gtp_int(s->args[0], &count))
		return syntax_error(s, "type the number of stones as a whole number");
	if (!is_empty(s))
		return refuse(s, "board not empty");
	if (!g->handicap || count < 2 || count > most)
		return refuse(s, "invalid number of stones");
	int placed = g->handicap(g, count, squares);
	if (fixed && placed < count)
		return refuse(s, "invalid number of stones");
	placed = add_stones(g, placed, count, squares);
	set_stones(s, squares, placed);
	print_squares(s, squares, placed);
	return DONE;
}

static enum outcome run_fixed_handicap(struct session *s)
{
	return place_handicap(s, true);
}

static enum outcome run_place_free_handicap(struct session *s)
{
	return place_handicap(s, false);
}

static enum outcome run_set_free_handicap(struct session *s)
{
	const struct game *g = s->record.game;
	bool is_taken[GAME_SQUARES_MAX] = { false };
	int squares[GAME_SQUARES_MAX], count = s->arg_count;
	if (!is_empty(s))
		return refuse(s, "board not empty");
	/* The draft demands two stones. LizGoban asks with one whether the command exists, and KataGo takes it. */
	if (!g->handicap || count < 1 || count >= g->rows * g->cols)
		return refuse(s, "bad vertex list");
	for (int i = 0; i < count; i++) {
		if (!notation_of(s)->square(s, s->args[i], &squares[i]) || is_taken[squares[i]])
			return refuse(s, "bad vertex list");
		is_taken[squares[i]] = true;
	}
	set_stones(s, squares, count);
	return DONE;
}

/* --- rules --- */

static enum outcome run_kata_get_rules(struct session *s)
{
	const struct game *g = s->record.game;
	if (!g->kata_rules)
		return refuse(s, "this game has only the rules that --rules selects");
	fputs(g->kata_rules, s->reply);
	return DONE;
}

/* Returns true if every member of `wanted` is a rule that has this value. */
static bool are_own(const json_t *wanted, const json_t *own)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)wanted, key, value)
	{
		const json_t *is = json_object_get(own, key);
		if (!is || !json_equal(value, is))
			return false;
	}
	return true;
}

/* Accepts rules that are the game's own: by one of its names, or as an object of some of its rules. */
static enum outcome set_rules(struct session *s, const char *text)
{
	const struct game *g = s->record.game;
	json_t *wanted = json_loads(text, 0, NULL), *own = NULL;
	bool good = game_has_word(g->rules_names, text);
	if (json_is_object(wanted) && g->kata_rules) {
		own = json_loads(g->kata_rules, 0, NULL);
		good = are_own(wanted, own);
	}
	json_decref(wanted);
	json_decref(own);
	return good ? DONE : refuse(s, "unsupported rules");
}

static enum outcome run_set_rules(struct session *s)
{
	char *text = join_args(s, 0);
	enum outcome outcome = set_rules(s, text);
	free(text);
	return outcome;
}

static enum outcome run_kata_set_rule(struct session *s)
{
	char *value = join_args(s, 1), *text;
	json_t *parsed = json_loads(value, JSON_DECODE_ANY, NULL);
	json_t *rule = json_pack("{s:o}", s->args[0], parsed ? parsed : json_string(value));
	text = json_dumps(rule, 0);
	enum outcome outcome = text ? set_rules(s, text) : refuse(s, "unsupported rules");
	json_decref(rule);
	free(value);
	free(text);
	return outcome;
}

const struct command terms_commands[] = {
	{ .name = "boardsize",
	  .args = "COLUMNS [ROWS]",
	  .args_min = 1,
	  .args_max = 2,
	  .help = "set the size of the board, if the game has it (one number: the longer side; in "
		  "Havannah the base); "
		  "another size starts a new game; clear_board must follow",
	  .run = run_boardsize },
	{ .name = "rectangular_boardsize",
	  .args = "COLUMNS ROWS",
	  .args_min = 2,
	  .args_max = 2,
	  .help = "same as boardsize, with two numbers",
	  .run = run_boardsize },
	{ .name = "komi",
	  .args = "POINTS",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "set the points that White gets, rounded to halves; ignored in games "
		  "without komi",
	  .run = run_komi },
	{ .name = "get_komi", .args = "", .help = "return the komi", .run = run_get_komi },
	{ .name = "fixed_handicap",
	  .args = "STONES",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "place Black's handicap stones on their usual points, and return these",
	  .run = run_fixed_handicap },
	{ .name = "place_free_handicap",
	  .args = "STONES",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "place up to so many handicap stones, and return their points",
	  .run = run_place_free_handicap },
	{ .name = "set_free_handicap",
	  .args = "POINT...",
	  .args_min = 0,
	  .args_max = ANY,
	  .help = "place Black's handicap stones on these points",
	  .run = run_set_free_handicap },
	{ .name = "kata-get-rules",
	  .args = "",
	  .help = "return the rules as a JSON object",
	  .run = run_kata_get_rules },
	{ .name = "kata-set-rules",
	  .args = "RULES",
	  .args_min = 1,
	  .args_max = ANY,
	  .help = "accept the game's own rules, as a name or a JSON object; refuse others",
	  .run = run_set_rules },
	{ .name = "kata-set-rule",
	  .args = "RULE VALUE",
	  .args_min = 2,
	  .args_max = ANY,
	  .help = "accept a rule if it has this value already; refuse it otherwise",
	  .run = run_kata_set_rule },
	{ .name = "kgs-rules",
	  .args = "RULES",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "same as kata-set-rules",
	  .run = run_set_rules },
	{ 0 },
};
