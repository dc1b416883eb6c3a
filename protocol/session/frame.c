/* SPDX-License-Identifier: MIT */
#include "protocol/session/frame.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/rules/drawing.h"
#include "protocol/records/frame_points.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"

bool frame_is_used(const struct session *s)
{
	return s->settings.frame && frame_fits(s->record.game);
}

bool frame_set_size(struct session *s, int cols, int rows)
{
	const struct game *g = s->record.game;
	bool is_framed = cols == FRAME_SIZE && rows == FRAME_SIZE;
	if (!frame_fits(g) || (!is_framed && (cols != g->board.cols || rows != g->board.rows)))
		return false;
	s->settings.frame = is_framed;
	return true;
}

/* --- the pending placement --- */

bool frame_is_placed(const struct session *s)
{
	const struct record *r = &s->record;
	const struct placement *p = &s->placement;
	return p->placed != MOVE_NONE && p->count == r->count && p->hash == r->now.hash;
}

static void frame_place(struct session *s, move_t placed, move_t turn)
{
	s->placement = (struct placement) { placed, turn, s->record.count, s->record.now.hash };
}

void frame_forget(struct session *s)
{
	s->placement.placed = MOVE_NONE;
}

/* --- points and plays --- */

void frame_write_point(int row, int col, char text[MOVE_TEXT_MAX])
{
	text[0] = (char)('A' + col);
	text[1] = (char)('0' + FRAME_SIZE - row);
	text[2] = '\0';
}

static void write_step(const struct session *s, move_t step, char text[MOVE_TEXT_MAX])
{
	int row, col;
	frame_point(s->record.game, step, &row, &col);
	frame_write_point(row, col, text);
}

char frame_write_turn(const struct session *s, int turn, char text[MOVE_TEXT_MAX])
{
	const struct game *g = s->record.game;
	write_step(s, (move_t)(g->board.rows * g->board.cols + turn), text);
	return turn % 2 ? '+' : '-';
}

/* Reads a point and sets its step. Returns false if the text is not a point. */
static bool frame_read_point(const struct session *s, const char *text, move_t *step)
{
	if (!text[0] || !text[1] || text[2])
		return false;
	int col = toupper((unsigned char)text[0]) - 'A', row = '0' + FRAME_SIZE - text[1];
	*step = frame_step(s->record.game, row, col);
	return col >= 0 && col < FRAME_SIZE && row >= 0 && row < FRAME_SIZE;
}

static bool frame_read_square(const struct session *s, const char *text, int *square)
{
	move_t step;
	if (!frame_read_point(s, text, &step) || step == MOVE_NONE ||
	    frame_is_turn(s->record.game, step))
		return false;
	*square = step;
	return true;
}

static int frame_made(const struct session *s)
{
	return frame_is_placed(s);
}

static int frame_moves(const struct session *s, struct move out[GAME_MOVES_MAX])
{
	int n = game_moves(s->record.game, &s->record.now, out), kept = 0;
	if (!frame_is_placed(s))
		return n;
	for (int i = 0; i < n; i++)
		if (out[i].step[0] == s->placement.placed)
			out[kept++] = out[i];
	return kept;
}

static int frame_plays(const struct session *s, const struct state *state, struct move m,
		       char texts[PLAYS_MAX][MOVE_TEXT_MAX])
{
	int n = 0;
	while (n < PLAYS_MAX && m.step[n] != MOVE_NONE) {
		write_step(s, m.step[n], texts[n]);
		n++;
	}
	return n;
}

static bool frame_known(const struct session *s, struct move *m)
{
	*m = move_pair(s->placement.placed, s->placement.turn);
	return frame_is_placed(s) && s->placement.turn != MOVE_NONE;
}

static void frame_make(struct session *s, struct move m)
{
	if (!frame_is_placed(s) && m.step[1] != MOVE_NONE) {
		frame_place(s, m.step[0], m.step[1]);
		return;
	}
	record_play(&s->record, m);
	frame_forget(s);
}

/* --- the board --- */

char frame_mark(const struct session *s, int row, int col)
{
	const struct game *g = s->record.game;
	move_t step = frame_step(g, row, col);
	struct state now = s->record.now;
	if (frame_is_placed(s))
		g->play(g, &now, s->placement.placed);
	return step == MOVE_NONE        ? '?'
	       : frame_is_turn(g, step) ? '.'
					: g->at(g, &now, row - 1, col - 1);
}

/* The character of a point in the diagram. */
static char sign_at(const struct session *s, int row, int col)
{
	const struct game *g = s->record.game;
	char text[MOVE_TEXT_MAX], mark = frame_mark(s, row, col);
	move_t step = frame_step(g, row, col);
	return mark == '?' ? ' '
	       : frame_is_turn(g, step)
		       ? frame_write_turn(s, step - g->board.rows * g->board.cols, text)
		       : mark;
}

static void frame_draw(const struct session *s, char text[BOARD_TEXT_MAX])
{
	char own[BOARD_TEXT_MAX], *to = text;
	const char *letters = "   A B C D E F G H";
	game_draw(s->record.game, &s->record.now, NULL, own);
	to += sprintf(to, "%s\n", letters);
	for (int row = 0; row < FRAME_SIZE; row++) {
		to += sprintf(to, "%2d", FRAME_SIZE - row);
		for (int col = 0; col < FRAME_SIZE; col++)
			to += sprintf(to, " %c", sign_at(s, row, col));
		to += sprintf(to, " %d\n", FRAME_SIZE - row);
	}
	/* The line below the board comes from the game's diagram. */
	to += sprintf(to, "%s%s", letters, strrchr(own, '\n'));
	if (frame_is_placed(s))
		strcpy(to, ": the turn");
}

/* --- plays --- */

/* Plays a step if it is legal. */
static enum move_check frame_play_step(struct session *s, int side, move_t step)
{
	struct record *r = &s->record;
	struct move legal[GAME_MOVES_MAX];
	bool is_turn = frame_is_placed(s);
	if (r->now.over || r->now.side != side || step == MOVE_NONE)
		return MOVE_ILLEGAL;
	int n = frame_moves(s, legal);
	for (int i = 0; i < n; i++) {
		if (legal[i].step[is_turn] != step)
			continue;
		if (is_turn || legal[i].step[1] == MOVE_NONE) {
			record_play(r, legal[i]);
			frame_forget(s);
		} else {
			frame_place(s, step, MOVE_NONE);
		}
		return MOVE_OK;
	}
	return MOVE_ILLEGAL;
}

enum move_check frame_play(struct session *s, int side, const char *text)
{
	struct record *r = &s->record;
	struct move m;
	move_t step;
	if (frame_read_point(s, text, &step))
		return frame_play_step(s, side, step);
	if (!frame_is_placed(s))
		return record_play_text(r, side, text);
	return game_parse(r->game, &r->now, text, &m) == MOVE_MALFORMED ? MOVE_MALFORMED
									: MOVE_ILLEGAL;
}

bool frame_undo(struct session *s)
{
	struct record *r = &s->record;
	struct move last = r->count ? r->moves[r->count - 1].move : move_none();
	if (frame_is_placed(s)) {
		frame_forget(s);
		return true;
	}
	if (!record_undo(r))
		return false;
	if (last.step[1] != MOVE_NONE)
		frame_place(s, last.step[0], MOVE_NONE);
	return true;
}

const struct notation frame_notation = {
	.made = frame_made,
	.moves = frame_moves,
	.plays = frame_plays,
	.known = frame_known,
	.make = frame_make,
	.square = frame_read_square,
	.draw = frame_draw,
};
