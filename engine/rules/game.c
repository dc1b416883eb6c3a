/* SPDX-License-Identifier: MIT
 *
 * Functions derived from a game's table: whole moves from steps, text from squares.
 * All are pure functions over values; any thread may call them.
 */
#include "engine/rules/game.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/rules/square.h"
#include "engine/rules/swap.h"

static bool has_step(const struct game *g, const struct state *s, move_t step)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n; i++)
		if (steps[i] == step)
			return true;
	return false;
}

bool game_can_pass(const struct game *g, const struct state *s)
{
	return g->steps.pass != MOVE_NONE && !s->over && !s->pending &&
	       has_step(g, s, g->steps.pass);
}

bool game_can_swap(const struct game *g, const struct state *s)
{
	return g->swap && !s->over && has_step(g, s, swap_step(g));
}

bool game_must_pass(const struct game *g, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	if (g->steps.pass == MOVE_NONE || s->over)
		return false;
	return g->moves(g, s, steps) == 1 && steps[0] == g->steps.pass;
}

const struct game *game_sized(const struct game *g, int rows, int cols)
{
	if (g->board.rows == rows && g->board.cols == cols)
		return g;
	for (const struct game *const *size = g->sizes; size && *size; size++)
		if ((*size)->board.rows == rows && (*size)->board.cols == cols)
			return *size;
	return NULL;
}

static bool is_of_size(const struct game *g, int size)
{
	return g->board.size ? g->board.size == size
			     : g->board.rows == size && g->board.cols == size;
}

const struct game *game_of_size(const struct game *g, int size)
{
	if (is_of_size(g, size))
		return g;
	for (const struct game *const *sized = g->sizes; sized && *sized; sized++)
		if (is_of_size(*sized, size))
			return *sized;
	return NULL;
}

int game_size(const struct game *g)
{
	return g->board.rows > g->board.cols ? g->board.rows : g->board.cols;
}

bool game_has_square(const struct game *g, int square)
{
	return !g->board.on_board ||
	       g->board.on_board(g, square / g->board.cols, square % g->board.cols);
}

bool game_is_place(const struct game *g, int square)
{
	return game_has_square(g, square) &&
	       !(g->board.in_hand &&
		 g->board.in_hand(g, square / g->board.cols, square % g->board.cols));
}

/* The number of squares with a side's pieces. */
static int game_count(const struct game *g, const struct state *s, int side)
{
	int count = 0;
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		count += board_owner(&g->board, g->at(g, s, i / g->board.cols,
						      i % g->board.cols)) == side_sign(side);
	return count;
}

int game_free(const struct game *g, const struct state *s)
{
	int count = 0;
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		count += game_is_place(g, i) &&
			 g->at(g, s, i / g->board.cols, i % g->board.cols) == '.';
	return count;
}

void game_play(const struct game *g, struct state *s, struct move m)
{
	for (int i = 0; i < MOVE_STEPS_MAX && m.step[i] != MOVE_NONE; i++)
		g->play(g, s, m.step[i]);
}

/* Appends the moves that begin with the first s->pending steps of `begun`, unless `out` is NULL. Returns the new number of
 * moves, at most GAME_MOVES_MAX. */
static int game_list_moves(const struct game *g, const struct state *s, struct move begun,
			   int count, struct move *out)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n && count < GAME_MOVES_MAX; i++) {
		begun.step[s->pending] = steps[i];
		struct state next;
		if (g->steps.per_move > 1) {
			next = *s;
			g->play(g, &next, steps[i]);
		}
		if (g->steps.per_move > 1 && next.pending) {
			count = game_list_moves(g, &next, begun, count, out);
			continue;
		}
		if (out)
			out[count] = begun;
		count++;
	}
	return count;
}

int game_moves(const struct game *g, const struct state *s, struct move *out)
{
	assert(!s->over && !s->pending);
	return game_list_moves(g, s, move_none(), 0, out);
}

bool game_is_legal(const struct game *g, const struct state *s, struct move m)
{
	struct state next = *s;
	for (int i = 0, count = move_steps(m); i < count; i++) {
		if (next.over || next.pending != i || !has_step(g, &next, m.step[i]))
			return false;
		g->play(g, &next, m.step[i]);
	}
	return move_steps(m) > 0 && !next.pending;
}

bool game_end(const struct game *g, struct state *s)
{
	while (g->steps.may_pass && !s->over)
		g->play(g, s, g->steps.pass);
	return s->over;
}

enum move_check game_parse(const struct game *g, const struct state *s, const char *text,
			   struct move *m)
{
	if (strcasecmp(text, "pass") == 0) {
		if (s->over)
			*m = move_single(MOVE_PASS);
		else if (game_can_pass(g, s))
			*m = move_single(g->steps.pass);
		else
			return g->parse(g, s, text, m) == MOVE_OK ? MOVE_OK : MOVE_ILLEGAL;
		return MOVE_OK;
	}
	if (g->swap && (strcasecmp(text, SWAP_TEXT) == 0 || strcasecmp(text, "swap") == 0)) {
		*m = move_single(swap_step(g));
		return game_can_swap(g, s) ? MOVE_OK : MOVE_ILLEGAL;
	}
	if (!s->over)
		return g->parse(g, s, text, m);
	/* The game is over, so a well-formed move is illegal. Parse it on an empty board to see if it is
	 * well-formed. */
	struct state empty;
	g->start(g, &empty);
	return g->parse(g, &empty, text, m) == MOVE_MALFORMED ? MOVE_MALFORMED : MOVE_ILLEGAL;
}

void game_format(const struct game *g, const struct state *s, struct move m,
		 char text[MOVE_TEXT_MAX])
{
	if (m.step[0] == MOVE_PASS || m.step[0] == g->steps.pass)
		strcpy(text, "PASS");
	else if (g->swap && m.step[0] == swap_step(g))
		strcpy(text, SWAP_TEXT);
	else
		g->format(g, s, m, text);
}

const char *game_check_stones(const struct state *s, int side)
{
	int black = __builtin_popcountll(s->board[BLACK]);
	int white = __builtin_popcountll(s->board[WHITE]);
	if (black != white && black != white + 1)
		return "X has as many stones as O, or one more";
	if (side != (black == white ? BLACK : WHITE))
		return "by the number of stones it is the other side's turn";
	return NULL;
}

/* Converts an accepted letter for a square to the form that game.setup reads. 0: not accepted. */
static char game_square_of(char text)
{
	switch (toupper((unsigned char)text)) {
	case 'X':
	case 'B':
	case '*':
		return 'X';
	case 'O':
	case 'W':
		return 'O';
	case '.':
	case '-':
	case '_':
		return '.';
	case ':':
		return ':';
	default:
		return 0;
	}
}

/* The same for a game's own pieces. */
static char game_content_of(const struct game *g, char text)
{
	if (!g->board.pieces || strchr(".-_:", text))
		return game_square_of(text);
	for (const struct piece *p = g->board.pieces; p->letter; p++)
		if (p->letter == text)
			return text;
	return 0;
}

static const char *game_why_no_square(const struct game *g)
{
	return g->board.pieces ? "a square is the letter of a piece, or '.'"
			       : "a square is X, O, '.' or '-'";
}

const char *game_setup(const struct game *g, struct state *s, const char *squares, const char *side)
{
	char board[POSITION_TEXT_MAX];
	size_t n = (size_t)(g->board.rows * g->board.cols);
	bool black = strcasecmp(side, "black") == 0, white = strcasecmp(side, "white") == 0;
	if (strlen(squares) != n)
		return "the board has the wrong number of squares";
	for (size_t i = 0; i < n; i++) {
		board[i] = game_content_of(g, squares[i]);
		if ((board[i] == ':') == game_has_square(g, (int)i))
			return g->board.on_board
				       ? "':' stands for each square off the board, and only "
					 "for these"
				       : game_why_no_square(g);
		if (!board[i])
			return game_why_no_square(g);
	}
	board[n] = '\0';
	if (*side && !side[1]) {
		black = game_square_of(*side) == 'X';
		white = game_square_of(*side) == 'O';
	}
	if (!black && !white)
		return "the side is X or O";
	return g->setup(g, s, board, black ? BLACK : WHITE);
}

void game_position(const struct game *g, const struct state *s, char text[POSITION_TEXT_MAX])
{
	for (int row = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++)
			*text++ = g->at(g, s, row, col);
	*text++ = ' ';
	*text++ = s->side == BLACK ? 'X' : 'O';
	*text = '\0';
}

/* Finds the first square that has `old` in `before` and `new` in `after`. */
static bool find_change(const struct game *g, const struct state *before, const struct state *after,
			char old, char new, int *row, int *col)
{
	for (*row = 0; *row < g->board.rows; ++*row)
		for (*col = 0; *col < g->board.cols; ++*col)
			if (g->at(g, before, *row, *col) == old &&
			    g->at(g, after, *row, *col) == new)
				return true;
	return false;
}

/* Finds the square where a move of `side` has put its stone: an empty one, or else one of the enemy's. */
static bool find_new(const struct game *g, const struct state *before, const struct state *after,
		     int side, int *row, int *col)
{
	char own = side == BLACK ? 'X' : 'O', other = side == BLACK ? 'O' : 'X';
	return find_change(g, before, after, '.', own, row, col) ||
	       find_change(g, before, after, other, own, row, col);
}

/* Finds the first square that the text of a move names where something else stands after it; if there is one, such a square
 * with a piece of the side that moved. */
static bool game_find_named(const struct game *g, const struct state *before, struct move m,
			    int *row, int *col)
{
	char text[MOVE_TEXT_MAX];
	struct state after = *before;
	bool found = false;
	int r, c;
	game_format(g, before, m, text);
	game_play(g, &after, m);
	for (const char *at = text; (at = square_parse(g, at, &r, &c));) {
		char now = g->at(g, &after, r, c);
		bool is_own = board_owner(&g->board, now) == side_sign(before->side);
		if (now == '.' || now == g->at(g, before, r, c) || (found && !is_own))
			continue;
		*row = r;
		*col = c;
		if (is_own)
			return true;
		found = true;
	}
	return found;
}

bool game_stone(const struct game *g, const struct state *before, struct move m, int *row, int *col)
{
	struct state empty, after = *before;
	if (m.step[0] == MOVE_PASS || m.step[0] == g->steps.pass)
		return false;
	if (g->board.pieces)
		return game_find_named(g, before, m, row, col);
	g->start(g, &empty);
	if (m.step[1] == MOVE_NONE || game_count(g, &empty, BLACK) ||
	    game_count(g, &empty, WHITE)) {
		g->play(g, &after, m.step[0]);
		return find_new(g, before, &after, before->side, row, col);
	}
	/* Later steps may move the stone with others. On the empty board the move leaves this stone only. */
	after = empty;
	game_play(g, &after, m);
	return find_new(g, &empty, &after, empty.side, row, col);
}

const char *game_side(const struct game *g, int side)
{
	if (g->board.pen)
		return side == BLACK ? "X" : "O";
	return side == BLACK ? "Black" : "White";
}

void game_amount(const struct game *g, double points, char text[AMOUNT_TEXT_MAX])
{
	int many = (int)strlen(g->score.unit);
	snprintf(text, AMOUNT_TEXT_MAX, "%g %.*s", points, points == 1 ? many - 1 : many,
		 g->score.unit);
}

int game_worth(const struct game *g, const struct state *s)
{
	return g->score.speed ? score_sign(s->score) * (game_free(g, s) / 2 + 1) : s->score;
}

int game_worth_max(const struct game *g)
{
	return g->score.speed ? g->board.rows * g->board.cols / 2 + 1 : g->score.most;
}

int game_moves_to_win(const struct game *g, const struct state *s, double points)
{
	/* The winner's last move leaves 2*(score-1) squares or one more. */
	int own = (points > 0 ? BLACK : WHITE) == s->side;
	return (game_free(g, s) + own) / 2 - ((int)fabs(points) - 1);
}

void game_margin(const struct game *g, const struct state *s, double points,
		 char text[AMOUNT_TEXT_MAX])
{
	char amount[AMOUNT_TEXT_MAX];
	if (g->score.speed) {
		int moves = game_moves_to_win(g, s, points);
		snprintf(text, AMOUNT_TEXT_MAX, "in %d move%s", moves, moves == 1 ? "" : "s");
	} else {
		game_amount(g, fabs(points), amount);
		snprintf(text, AMOUNT_TEXT_MAX, "by %.*s", AMOUNT_TEXT_MAX - 4, amount);
	}
}

void game_result(const struct game *g, const struct state *s, char text[RESULT_TEXT_MAX])
{
	static const char *const numbers[] = { "no", "one", "two", "three", "four", "five", "six" };
	char amount[AMOUNT_TEXT_MAX];
	const char *winner = game_side(g, s->score > 0 ? BLACK : WHITE);
	int most = s->score > 0 ? s->score : -s->score;
	if (s->score == 0) {
		strcpy(text, "Draw");
	} else if (g->score.half_points) {
		game_amount(g, game_points(g, most), amount);
		snprintf(text, RESULT_TEXT_MAX, "%s wins by %s", winner, amount);
	} else if (g->score.unit) {
		int own = game_count(g, s, s->score > 0 ? BLACK : WHITE);
		int other = game_count(g, s, s->score > 0 ? WHITE : BLACK);
		game_amount(g, most, amount);
		if (own - other == most)
			snprintf(text, RESULT_TEXT_MAX, "%s wins %d to %d", winner, own, other);
		else if (2 * other + most == g->board.rows * g->board.cols)
			snprintf(text, RESULT_TEXT_MAX,
				 "%s wins %d to %d; empty squares count for the winner", winner,
				 other + most, other);
		else
			snprintf(text, RESULT_TEXT_MAX, "%s wins by %s", winner, amount);
	} else if (g->score.in_a_row > 0 &&
		   g->score.in_a_row < (int)(sizeof numbers / sizeof *numbers)) {
		snprintf(text, RESULT_TEXT_MAX, "%s wins: %s in a row", winner,
			 numbers[g->score.in_a_row]);
	} else {
		snprintf(text, RESULT_TEXT_MAX, "%s wins", winner);
	}
}
