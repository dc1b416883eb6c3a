/* SPDX-License-Identifier: MIT
 *
 * Commands for the terms of a game: size, komi, handicap, rules. Errors use the texts of the GTP draft and of GNU Go,
 * because clients compare them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/rules/formats.h"
#include "engine/rules/komi.h"
#include "games/games.h"
#include "protocol/gtp/commands.h"
#include "protocol/records/as_json.h"
#include "protocol/session/command.h"
#include "protocol/session/frame.h"
#include "protocol/session/line.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"
#include "protocol/session/size.h"
#include "protocol/session/start.h"

/* --- size and komi --- */

static enum outcome terms_refuse_size(struct session *s)
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
	if (!line_int(s->args[0], &cols) ||
	    !line_int(colon ? colon + 1 : s->args[s->arg_count - 1], &rows))
		return syntax_error(s, "type the size as a whole number");
	const struct game *g = s->record.game;
	/* The side of Havannah's board if no base has that number, or for clients with boards of Go. */
	const bool has_squares = has_go_names(s);
	bool is_side = is_one && cols == game_size(g) &&
		       (!g->board.size || has_squares || !game_of_size(g, cols));
	bool is_own = is_one ? is_side || (g->board.size && cols == g->board.size)
			     : cols == g->board.cols && rows == g->board.rows;
	if (frame_set_size(s, cols, rows) || is_own)
		return DONE;
	const struct game *other = is_one && !(has_squares && g->board.size)
					   ? game_of_size(g, cols)
					   : game_sized(g, rows, cols);
	if (!other)
		return terms_refuse_size(s);
	start_game(s, other);
	return DONE;
}

static enum outcome run_komi(struct session *s)
{
	double komi;
	if (!line_real(s->args[0], &komi))
		return syntax_error(s, "type komi as a number");
	if (!s->record.game->komi)
		return DONE;
	/* The bound keeps the conversion defined; games have smaller ones. */
	if (fabs(komi) > GAME_SCORE_MAX ||
	    !record_set_komi(&s->record, (int)lround(2 * komi) + start_bonus(s)))
		return refuse(s, "unacceptable komi");
	s->has_komi = true;
	s->komi = (int)lround(2 * komi);
	return DONE;
}

static enum outcome run_get_komi(struct session *s)
{
	const struct game *g = s->record.game;
	text_printf(s->reply, "%g",
		    g->komi ? (g->komi->get(g, &s->record.now) - start_bonus(s)) / 2.0 : 0);
	return DONE;
}

/* --- handicap --- */

/* Returns true if no stone has been placed. */
static bool terms_is_empty(const struct session *s)
{
	const struct record *r = &s->record;
	return r->count == 0 &&
	       game_free(r->game, &r->now) == r->game->board.rows * r->game->board.cols;
}

/* Puts Black's stones on the board and gives the turn to White. */
static void set_stones(struct session *s, const int *squares, int count)
{
	const struct game *g = s->record.game;
	char board[GAME_SQUARES_MAX + 1];
	struct state state;
	int komi = g->komi ? g->komi->get(g, &s->record.start) : 0;
	memset(board, '.', sizeof board);
	board[g->board.rows * g->board.cols] = '\0';
	for (int i = 0; i < count; i++)
		board[squares[i]] = 'X';
	if (g->setup(g, &state, board, WHITE))
		return;
	s->handicap = count;
	if (g->komi)
		g->komi->set(g, &state, komi + start_bonus(s));
	record_setup(&s->record, &state);
	frame_forget(s);
}

/* Returns how far a square is from the nearest of some squares, and from the border, where it is worth little. */
static int terms_distance(const struct game *g, int square, const int *squares, int count)
{
	int row = square / g->board.cols, col = square % g->board.cols;
	int border = row < col ? row : col, least;
	border = g->board.rows - 1 - row < border ? g->board.rows - 1 - row : border;
	border = g->board.cols - 1 - col < border ? g->board.cols - 1 - col : border;
	least = 2 * border + 1;
	for (int i = 0; i < count; i++) {
		int away = abs(row - squares[i] / g->board.cols) +
			   abs(col - squares[i] % g->board.cols);
		least = away < least ? away : least;
	}
	return least;
}

/* Adds handicap stones where they are farthest from the others. */
static int add_stones(const struct game *g, int count, int wanted, int *squares)
{
	for (; count < wanted; count++) {
		int best = 0, most = -1;
		for (int i = 0; i < g->board.rows * g->board.cols; i++) {
			int away = terms_distance(g, i, squares, count);
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
	int count, squares[GAME_SQUARES_MAX], most = g->board.rows * g->board.cols - 1;
	if (!line_int(s->args[0], &count))
		return syntax_error(s, "type the number of stones as a whole number");
	if (!terms_is_empty(s))
		return refuse(s, "board not empty");
	if (!g->komi || count < 2 || count > most)
		return refuse(s, "invalid number of stones");
	int placed = g->komi->handicap(g, count, squares);
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
	if (!terms_is_empty(s))
		return refuse(s, "board not empty");
	/* The draft demands two stones. LizGoban asks with one whether the command exists, and KataGo takes it. */
	if (!g->komi || count < 1 || count >= g->board.rows * g->board.cols)
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

/* The rules of the game, with those of the session that no table has. */
static struct go_rules rules_now(const struct session *s)
{
	struct go_rules rules = rules_of(s->record.game);
	rules.bonus = s->bonus;
	rules.friendly = s->friendly;
	return rules;
}

static enum outcome run_kata_get_rules(struct session *s)
{
	if (!formats_of(s->record.game)->kata_rules)
		return refuse(s, "this game has only the rules that --rules selects");
	struct go_rules now = rules_now(s);
	as_json_print(s->reply, rules_json(&now), AS_JSON_DIGITS);
	return DONE;
}

static enum outcome refuse_rules(struct session *s)
{
	return refuse(s, "unsupported rules");
}

/* Goes on with the game by other rules. */
static enum outcome take_rules(struct session *s, const struct go_rules *rules)
{
	struct record *r = &s->record;
	const char *lacking;
	const struct game *g = rules_game(rules, r->game, &lacking);
	if (lacking) {
		text_printf(s->reply, "unsupported rules: yomi does not play %s", lacking);
		return REFUSED;
	}
	if (g != r->game && !record_change_rules(r, g))
		return refuse(s, "unsupported rules: they forbid a move of the game");
	if (s->handicap) {
		int komi = g->komi->get(g, &r->now) - start_bonus(s);
		record_set_komi(r, komi + 2 * rules_bonus_points(rules->bonus, s->handicap));
	}
	s->bonus = rules->bonus;
	s->friendly = rules->friendly;
	session_get_ready(s, g);
	return DONE;
}

static enum outcome run_set_rules(struct session *s)
{
	struct go_rules rules;
	if (!formats_of(s->record.game)->kata_rules)
		return refuse_rules(s);
	char *text = join_args(s, 0);
	/* KGS plays Chinese rules with superko. */
	bool is_kgs = strcmp(s->command->name, "kgs-rules") == 0 &&
		      strcasecmp(text, "chinese") == 0;
	bool known = rules_read_text(is_kgs ? "chinese-kgs" : text, &rules);
	free(text);
	return known ? take_rules(s, &rules) : refuse_rules(s);
}

static enum outcome run_kata_set_rule(struct session *s)
{
	if (!formats_of(s->record.game)->kata_rules)
		return refuse_rules(s);
	char *text = join_args(s, 1);
	json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
	struct go_rules rules = rules_now(s);
	/* A word is a string without quotes, and so is the bonus "0". */
	if (!value || json_is_integer(value)) {
		json_decref(value);
		value = json_string(text);
	}
	bool known = rules_set(&rules, s->args[0], value);
	json_decref(value);
	free(text);
	return known ? take_rules(s, &rules) : refuse_rules(s);
}

const struct command terms_commands[] = {
	{ "boardsize", "COLUMNS [ROWS]",
	  "set the size of the board, if the game has it (one number: the longer side; in Havannah "
	  "the base); another size starts a new game; clear_board must follow",
	  run_boardsize, .leaves = true },
	{ "rectangular_boardsize", "COLUMNS ROWS", "same as boardsize, with two numbers",
	  run_boardsize, .leaves = true },
	{ "komi", "POINTS",
	  "set the points that White gets, rounded to halves; ignored in games without komi",
	  run_komi },
	{ "get_komi", "", "return the komi", run_get_komi },
	{ "fixed_handicap", "STONES",
	  "place Black's handicap stones on their usual points, and return these",
	  run_fixed_handicap },
	{ "place_free_handicap", "STONES",
	  "place up to so many handicap stones, and return their points", run_place_free_handicap },
	{ "set_free_handicap", "POINT...", "place Black's handicap stones on these points",
	  run_set_free_handicap, .optional = true },
	{ "kata-get-rules", "", "return the rules as a JSON object", run_kata_get_rules },
	{ "kata-set-rules", "RULES",
	  "go on by other rules of Go: a name of KataGo's, such as chinese, aga or tromp-taylor, "
	  "or a JSON object; those that yomi cannot play are refused",
	  run_set_rules, .more = true },
	{ "kata-set-rule", "RULE VALUE", "change one of the rules that kata-get-rules shows",
	  run_kata_set_rule, .more = true },
	{ "kgs-rules", "RULES", "same as kata-set-rules; chinese is chinese-kgs", run_set_rules },
	{ 0 },
};
