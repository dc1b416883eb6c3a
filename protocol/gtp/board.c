/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/board.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "protocol/gtp/session.h"

#define BARE   6
/* Steps as in games/pentago.c: a placement is 6*row+col, turns are the steps from TURN_0. */
#define TURN_0 (BARE * BARE)

/* The points of the turns S .. Z. Clockwise around the board, the `-` of each quadrant comes before its
 * `+`, so that the layout is the same in every rotation of the board. */
static const struct {
	int row, col; /* from the top left */
} turn_points[BOARD_TURNS] = { { 2, 0 }, { 0, 2 }, { 0, 5 }, { 2, 7 },
			       { 5, 7 }, { 7, 5 }, { 7, 2 }, { 5, 0 } };

bool board_is_framed(const struct session *s)
{
	return s->settings.frame && strcmp(s->record.game->name, "pentago") == 0;
}

bool board_is_placed(const struct session *s)
{
	const struct record *r = &s->record;
	return s->board.placed != MOVE_NONE && s->board.count == r->count &&
	       s->board.hash == r->now.hash && board_is_framed(s);
}

void board_forget(struct session *s)
{
	s->board.placed = MOVE_NONE;
}

static void place(struct session *s, move_t placed, move_t turn)
{
	s->board = (struct board) { placed, turn, s->record.count, s->record.now.hash };
}

bool board_set_size(struct session *s, int cols, int rows)
{
	const struct game *g = s->record.game;
	bool is_bare = cols == g->cols && rows == g->rows;
	if (strcmp(g->name, "pentago") != 0)
		return is_bare;
	if (!is_bare && (cols != BOARD_FRAME || rows != BOARD_FRAME))
		return false;
	s->settings.frame = !is_bare;
	return true;
}

int board_size(const struct session *s)
{
	return board_is_framed(s) ? BOARD_FRAME : s->record.game->rows;
}

struct state board_state(const struct session *s)
{
	struct state state = s->record.now;
	if (board_is_placed(s))
		s->record.game->play(&state, s->board.placed);
	return state;
}

/* Returns the step of a point of the framed board, MOVE_NONE for a removed point. */
static move_t step_at(int row, int col)
{
	if (row >= 1 && row <= BARE && col >= 1 && col <= BARE)
		return (move_t)(BARE * (row - 1) + col - 1);
	for (int i = 0; i < BOARD_TURNS; i++)
		if (turn_points[i].row == row && turn_points[i].col == col)
			return (move_t)(TURN_0 + i);
	return MOVE_NONE;
}

static void write_point(int row, int col, char text[MOVE_TEXT_MAX])
{
	text[0] = (char)('A' + col);
	text[1] = (char)('0' + BOARD_FRAME - row);
	text[2] = '\0';
}

static void write_step(move_t step, char text[MOVE_TEXT_MAX])
{
	if (step < TURN_0)
		write_point(step / BARE + 1, step % BARE + 1, text);
	else
		board_turn_point(step - TURN_0, text);
}

/* Reads a point of the framed board. */
static bool read_point(const char *text, int *row, int *col)
{
	if (!text[0])
		return false;
	*col = toupper((unsigned char)text[0]) - 'A';
	*row = '0' + BOARD_FRAME - text[1];
	return *col >= 0 && *col < BOARD_FRAME && *row >= 0 && *row < BOARD_FRAME && !text[2];
}

bool board_square(const struct session *s, const char *text, int *square)
{
	const struct game *g = s->record.game;
	int row, col;
	if (board_is_framed(s)) {
		*square = read_point(text, &row, &col) ? step_at(row, col) : MOVE_NONE;
		return *square < TURN_0;
	}
	const char *end = game_parse_square(g, text, &row, &col);
	if (!end || *end)
		return false;
	*square = g->cols * row + col;
	return true;
}

char board_turn_point(int turn, char text[MOVE_TEXT_MAX])
{
	write_point(turn_points[turn].row, turn_points[turn].col, text);
	return turn % 2 ? '+' : '-';
}

char board_at(const struct session *s, int row, int col)
{
	const struct game *g = s->record.game;
	if (!board_is_framed(s))
		return g->at(&s->record.now, g->rows - 1 - row, col);
	move_t step = step_at(row, col);
	struct state state = board_state(s);
	return step == MOVE_NONE ? '?' : step >= TURN_0 ? '.' : g->at(&state, row - 1, col - 1);
}

/* The character of a point of the framed board in a diagram. */
static char sign_at(const struct session *s, int row, int col)
{
	char text[MOVE_TEXT_MAX], c = board_at(s, row, col);
	move_t step = step_at(row, col);
	return c == '?' ? ' ' : step >= TURN_0 ? board_turn_point(step - TURN_0, text) : c;
}

/* The look set by the carrier, with the last move marked if it asks for marks. */
static struct look last_look(const struct session *s)
{
	const struct record *r = &s->record;
	struct look look = { .colors = s->setup.colors };
	struct state before;
	if (s->setup.marks && r->count) {
		record_state(r, r->count - 1, &before);
		look.marked = game_stone(r->game, &before, r->moves[r->count - 1].move, &look.row,
					 &look.col);
	}
	return look;
}

void board_draw(const struct session *s, char text[BOARD_TEXT_MAX])
{
	if (!board_is_framed(s)) {
		struct look look = last_look(s);
		game_draw(s->record.game, &s->record.now, &look, text);
		return;
	}
	/* The line below the board comes from the game's diagram. */
	char own[BOARD_TEXT_MAX], *to = text;
	const char *letters = "   A B C D E F G H";
	game_draw(s->record.game, &s->record.now, NULL, own);
	to += sprintf(to, "%s\n", letters);
	for (int row = 0; row < BOARD_FRAME; row++) {
		to += sprintf(to, "%2d", BOARD_FRAME - row);
		for (int col = 0; col < BOARD_FRAME; col++)
			to += sprintf(to, " %c", sign_at(s, row, col));
		to += sprintf(to, " %d\n", BOARD_FRAME - row);
	}
	to += sprintf(to, "%s%s", letters, strrchr(own, '\n'));
	if (board_is_placed(s))
		strcpy(to, ": the turn");
}

/* Plays a step of the framed board. Returns false if it is illegal. */
static bool play_step(struct session *s, int side, move_t step)
{
	struct record *r = &s->record;
	struct move moves[GAME_MOVES_MAX];
	bool is_turn = board_is_placed(s);
	if (r->now.over || r->now.side != side || step == MOVE_NONE)
		return false;
	int n = board_moves(s, moves);
	for (int i = 0; i < n; i++) {
		if (moves[i].step[is_turn] == step) {
			if (is_turn || moves[i].step[1] == MOVE_NONE) {
				record_play(r, moves[i]);
				board_forget(s);
			} else {
				place(s, step, MOVE_NONE);
			}
			return true;
		}
	}
	return false;
}

enum move_check board_play_text(struct session *s, int side, const char *text)
{
	struct record *r = &s->record;
	struct move m;
	int row, col;
	if (board_is_framed(s) && read_point(text, &row, &col))
		return play_step(s, side, step_at(row, col)) ? MOVE_OK : MOVE_ILLEGAL;
	if (!board_is_placed(s))
		return record_play_text(r, side, text);
	/* With a pending placement only a point of the frame is legal. */
	return game_parse(r->game, &r->now, text, &m) == MOVE_MALFORMED ? MOVE_MALFORMED
									: MOVE_ILLEGAL;
}

bool board_undo(struct session *s)
{
	struct record *r = &s->record;
	if (board_is_placed(s)) {
		board_forget(s);
		return true;
	}
	struct move last = r->count ? r->moves[r->count - 1].move : move_single(MOVE_NONE);
	if (!record_undo(r))
		return false;
	if (board_is_framed(s) && last.step[1] != MOVE_NONE)
		place(s, last.step[0], MOVE_NONE);
	return true;
}

int board_moves(const struct session *s, struct move out[GAME_MOVES_MAX])
{
	int n = game_moves(s->record.game, &s->record.now, out), kept = 0;
	if (!board_is_placed(s))
		return n;
	for (int i = 0; i < n; i++)
		if (out[i].step[0] == s->board.placed)
			out[kept++] = out[i];
	return kept;
}

void board_print_moves(const struct session *s)
{
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX], last[MOVE_TEXT_MAX] = "";
	int n = board_moves(s, moves);
	for (int i = 0; i < n; i++) {
		board_format(s, moves[i], text);
		/* In the frame all moves of one placement are one play; they are adjacent in the list. */
		if (strcmp(text, last) != 0)
			fprintf(s->reply, "%s%s", i ? " " : "", text);
		strcpy(last, text);
	}
}

bool board_known_move(const struct session *s, struct move *m)
{
	*m = (struct move) { { s->board.placed, s->board.turn } };
	return board_is_placed(s) && s->board.turn != MOVE_NONE;
}

void board_play_found(struct session *s, struct move m)
{
	if (board_is_framed(s) && !board_is_placed(s) && m.step[1] != MOVE_NONE) {
		place(s, m.step[0], m.step[1]);
		return;
	}
	record_play(&s->record, m);
	board_forget(s);
}

void board_format(const struct session *s, struct move m, char text[MOVE_TEXT_MAX])
{
	if (board_is_framed(s))
		write_step(m.step[board_is_placed(s)], text);
	else
		game_format(s->record.game, &s->record.now, m, text);
}

void board_point(const struct session *s, const struct state *state, struct move m, int n,
		 char text[MOVE_TEXT_MAX])
{
	if (board_is_framed(s)) {
		write_step(m.step[n], text);
		return;
	}
	game_format(s->record.game, state, m, text);
	if (m.step[0] != s->record.game->pass)
		text[2] = '\0'; /* a letter and a digit, without the letter of Pentago's turn */
}
