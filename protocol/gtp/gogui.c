/* SPDX-License-Identifier: MIT
 *
 * Commands of GoGui: game rules (gogui-rules), set-up, and the list of its analyze window. GoGui runs all
 * gogui-rules commands after each move, so they must be cheap.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/system.h"
#include "engine/rules/goals.h"
#include "engine/rules/komi.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"
#include "protocol/session/start.h"

/* --- the rules --- */

static enum outcome run_game_id(struct session *s)
{
	text_puts(s->reply, s->record.game->title);
	return DONE;
}

static enum outcome gogui_run_board_size(struct session *s)
{
	bool is_hex = s->record.game->board.kind == BOARD_HEXAGONS;
	s->draws_hexagons = true;
	text_printf(s->reply, "%d%s", game_size(s->record.game), is_hex ? " hex" : "");
	return DONE;
}

/* GoGui's board is a square. The points beyond a rectangular board stay empty. `?` removes a point. */
static enum outcome gogui_run_board(struct session *s)
{
	const struct game *g = s->record.game, names = names_of(s);
	int size = game_size(g);
	for (int number = size; number >= 1; number--)
		for (int col = 0; col < size; col++) {
			bool is_on = number <= g->board.rows && col < g->board.cols;
			char c = is_on ? g->at(g, &s->record.now, square_row(&names, number), col)
				       : '.';
			text_printf(s->reply, "%c%c", c == ':' ? '?' : c,
				    col < size - 1 ? ' ' : '\n');
		}
	return DONE;
}

/* Colours every other block of a board that has blocks. */
static enum outcome gogui_run_board_gfx(struct session *s)
{
	const struct game *g = s->record.game;
	const struct board *l = &g->board;
	char square[SQUARE_TEXT_MAX];
	if (!l->block_rows)
		return DONE;
	text_puts(s->reply, "COLOR #c8a870");
	for (int row = g->board.rows - 1; row >= 0; row--)
		for (int col = 0; col < g->board.cols; col++) {
			if ((row / l->block_rows + col / l->block_cols) % 2 == 0)
				continue;
			square_format(g, row, col, square);
			text_printf(s->reply, " %s", square);
		}
	return DONE;
}

/* Counts each side's stones of `s` whose squares are empty in `after`; NULL: all stones. */
static void count_removed(const struct game *g, const struct state *s, const struct state *after,
			  int stones[2])
{
	for (int row = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++) {
			char mark = g->at(g, s, row, col);
			int owner = board_owner(&g->board, mark);
			if (owner && (!after || g->at(g, after, row, col) == '.'))
				stones[owner > 0 ? BLACK : WHITE]++;
		}
}

/* The same for a move. A stone that it captures with others of its side has never been on the board. */
static void count_captured(const struct game *g, const struct state *before,
			   const struct record_move *m, const struct state *after, int stones[2])
{
	int row, col, own = stones[m->side];
	count_removed(g, before, after, stones);
	if (stones[m->side] > own && !game_stone(g, before, m->move, &row, &col))
		stones[m->side]++;
}

/* GoGui shows these numbers beside the players. Without captures, if the score counts stones, the numbers are those of
 * the stones. */
static enum outcome run_captured_count(struct session *s)
{
	const struct record *r = &s->record;
	const struct game *g = r->game;
	struct state state = r->start, before;
	int stones[2] = { 0 };
	for (int i = 0; goals_exist(g) && i < r->count; i++) {
		const struct record_move *m = &r->moves[i];
		before = state;
		record_replay(r, i, &state);
		if (record_is_play(m))
			count_captured(g, &before, m, &state, stones);
	}
	if (!goals_exist(g) && g->score.unit)
		count_removed(g, &r->now, NULL, stones);
	text_printf(s->reply, "%d %d", stones[BLACK], stones[WHITE]);
	return DONE;
}

/* For GoGui an empty list is the end of the game. It expects `pass` in lower case. */
static enum outcome run_legal_moves(struct session *s)
{
	const struct record *r = &s->record;
	if (game_must_pass(r->game, &r->now))
		text_puts(s->reply, "pass");
	else if (!r->now.over)
		print_legal_plays(s);
	return DONE;
}

static enum outcome run_side_to_move(struct session *s)
{
	text_puts(s->reply, color_name(s->record.now.side));
	return DONE;
}

static enum outcome run_final_result(struct session *s)
{
	const struct state *now = &s->record.now;
	if (!now->over)
		text_puts(s->reply, "The game is not over");
	else if (now->score == 0)
		text_puts(s->reply, "Draw");
	else
		text_printf(s->reply, "%s wins", now->score > 0 ? "Black" : "White");
	if (now->over && now->score && s->record.game->score.unit)
		text_printf(s->reply, " by %g", game_points(s->record.game, abs(now->score)));
	return DONE;
}

/* --- positions and moves --- */

static enum outcome gogui_run_play_sequence(struct session *s)
{
	int count = s->record.count;
	enum outcome outcome = DONE;
	if (s->arg_count % 2)
		return syntax_error(s, "type a color and a move for each play");
	for (int i = 0; i < s->arg_count && outcome == DONE; i += 2)
		outcome = play_move(s, s->args[i], s->args[i + 1]);
	if (outcome == DONE)
		return DONE;
	record_shorten(&s->record, count);
	return outcome;
}

/* Returns true if the game is at its normal start, as after clear_board. */
static bool is_cleared(const struct session *s)
{
	const struct game *g = s->record.game;
	struct state start, now = s->record.now;
	g->start(g, &start);
	if (g->komi)
		g->komi->set(g, &start, g->komi->get(g, &now));
	if (g->swap)
		g->swap->allow(g, &now, false);
	return s->record.count == 0 && now.hash == start.hash;
}

/* The position has only the stones of the arguments, also in games whose normal start has stones. Black is to move if that is
 * possible. */
static enum outcome set_up_stones(struct session *s)
{
	const struct game *g = s->record.game;
	char squares[POSITION_TEXT_MAX] = "";
	struct state start;
	int side, square;
	if (s->arg_count % 2)
		return syntax_error(s, "type a color and a point for each stone");
	memset(squares, '.', (size_t)(g->board.rows * g->board.cols));
	for (int i = 0; i < s->arg_count; i += 2) {
		if (!line_color(s->args[i], &side))
			return syntax_error(s, "type black or white as the color");
		if (!notation_of(s)->square(s, s->args[i + 1], &square))
			return syntax_error(s, "this is not a square of the board");
		if (squares[square] != '.')
			return refuse(s, "two stones on one square");
		squares[square] = board_stone(&g->board, side);
	}
	const char *why = g->setup(g, &start, squares, BLACK);
	if (why && g->setup(g, &start, squares, WHITE))
		return refuse(s, why);
	start_position(s, &start);
	return DONE;
}

static enum outcome gogui_run_setup(struct session *s)
{
	return is_cleared(s) ? set_up_stones(s) : refuse(s, "board not empty");
}

/* KataGo's command. Without stones it begins a new game. */
static enum outcome run_set_position(struct session *s)
{
	if (s->arg_count)
		return set_up_stones(s);
	start_game(s, s->record.game);
	return DONE;
}

static enum outcome gogui_run_setup_player(struct session *s)
{
	char text[POSITION_TEXT_MAX];
	struct state start;
	int side;
	if (!line_color(s->args[0], &side))
		return syntax_error(s, "type black or white as the color");
	if (s->record.count)
		return refuse(s, "moves have been made");
	game_position(s->record.game, &s->record.now, text);
	*strchr(text, ' ') = '\0';
	const char *why = s->record.game->setup(s->record.game, &start, text, side);
	if (why)
		return refuse(s, why);
	record_setup_in_komi(&s->record, &start);
	return DONE;
}

/* The types are HexGui's: a list of points, a text. */
static enum outcome run_hexgui_commands(struct session *s)
{
	text_puts(s->reply, "plist/Legal moves/all_legal_moves\n"
			    "string/Winner/dfpn-solve-state\n"
			    "string/Value and best moves/solve\n"
			    "string/Result/final_score\n"
			    "string/Values of the last search/yomi-report\n"
			    "string/Position/position");
	return DONE;
}

/* GoGui can show a list of legal moves if a move is a point. With a turn it is not. */
static enum outcome gogui_run_analyze_commands(struct session *s)
{
	static const char *const lines[] = {
		"gfx/Think/yomi-think",
		"gfx/Values of Moves/yomi-values",
		"gfx/Visits of Moves/yomi-visits",
		"gfx/Heat Map of Playouts/yomi-heatmap",
		"gfx/Principal Variation/yomi-variation",
		"gfx/Proven Results/yomi-proofs",
		"hstring/Report of the Search/yomi-report",
		"hstring/Board/showboard",
		"hstring/Move History/move_history",
		"string/Position/position",
		"string/Final Result/gogui-rules_final_result",
		"param/Options/param",
		"none/Save Game/yomi-savesgf %w",
	};
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		text_printf(s->reply, "%s\n", lines[i]);
	if (!s->record.game->board.turns)
		text_puts(s->reply, "plist/Legal Moves/gogui-rules_legal_moves\n");
	return DONE;
}

/* --- the program --- */

static enum outcome run_title(struct session *s)
{
	const struct game *g = s->record.game;
	text_printf(s->reply, "yomi: %s", g->title);
	if (strcmp(g->rules, "standard") != 0)
		text_printf(s->reply, " (%s)", g->rules);
	return DONE;
}

/* A SIGINT after the end of a search must not end the program. */
static enum outcome run_sigint(struct session *s)
{
	s->keeps_sigint = true;
	text_printf(s->reply, "%ld", system_process());
	return DONE;
}

const struct command gogui_commands[] = {
	{ "gogui-rules_game_id", "", "return the game's name", run_game_id },
	{ "gogui-rules_board_size", "",
	  "return the number of rows and columns; a board of hexagons adds `hex`",
	  gogui_run_board_size },
	{ "gogui-rules_board", "", "print the board, the row with the highest number first",
	  gogui_run_board },
	{ "gogui-rules_board_gfx", "", "describe the drawing of the board for GoGui",
	  gogui_run_board_gfx },
	{ "gogui-rules_captured_count", "",
	  "return the numbers of captured stones of Black and White; in Othello, of discs on the "
	  "board; in games without captures 0 0",
	  run_captured_count },
	{ "gogui-rules_legal_moves", "", "list the legal moves; nothing if the game is over",
	  run_legal_moves },
	{ "gogui-rules_side_to_move", "", "return black or white", run_side_to_move },
	{ "gogui-rules_final_result", "", "return the result in words", run_final_result },

	{ "gogui-play_sequence", "COLOR MOVE ...",
	  "play all these moves; if one is refused, play none", gogui_run_play_sequence,
	  .optional = true },
	{ "gogui-setup", "COLOR POINT ...",
	  "set up a position with only these stones; must follow clear_board", gogui_run_setup,
	  .leaves = true },
	{ "set_position", "[COLOR POINT]...",
	  "set up a position with only these stones, Black to move if that is possible; without "
	  "stones start a new game",
	  run_set_position, .leaves = true },
	{ "gogui-setup_player", "COLOR", "set the side to move in the position set up",
	  gogui_run_setup_player },

	{ "gogui-analyze_commands", "", "list the commands of GoGui's analyze window",
	  gogui_run_analyze_commands },

	{ "hexgui-analyze_commands", "", "list the commands of HexGui's analyze window",
	  run_hexgui_commands },
	{ "gogui-title", "", "return a title for GoGui's window", run_title },
	{ "gogui-version", "[VERSION]", "accept GoGui's version", command_ignore, .more = true },
	/* `# interrupt` is not a command. Clients know from this one in the list that it works. */
	{ "gogui-interrupt", "",
	  "do nothing; tells GoGui that the line `# interrupt` ends a search", command_ignore },
	{ "gogui-sigint", "", "return the process ID; SIGINT to that process ends a search",
	  run_sigint },
	{ 0 },
};
