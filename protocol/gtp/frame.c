/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/frame.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/rules/drawing.h"
#include "protocol/gtp/gtp.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/session.h"
#include "protocol/records/frame_points.h"

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

static bool is_placed(const struct session *s)
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

static void frame_write_point(int row, int col, char text[MOVE_TEXT_MAX])
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

/* Writes the point of a turn, 0 .. FRAME_TURNS-1. Returns its sign. */
static char write_turn(const struct session *s, int turn, char text[MOVE_TEXT_MAX])
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

static int made(const struct session *s)
{
	return is_placed(s);
}

static int frame_moves(const struct session *s, struct move out[GAME_MOVES_MAX])
{
	int n = game_moves(s->record.game, &s->record.now, out), kept = 0;
	if (!is_placed(s))
		return n;
	for (int i = 0; i < n; i++)
		if (out[i].step[0] == s->placement.placed)
			out[kept++] = out[i];
	return kept;
}

static int plays(const struct session *s, const struct state *state, struct move m,
		 char texts[PLAYS_MAX][MOVE_TEXT_MAX])
{
	int n = 0;
	(void)state;
	while (n < PLAYS_MAX && m.step[n] != MOVE_NONE) {
		write_step(s, m.step[n], texts[n]);
		n++;
	}
	return n;
}

static bool known(const struct session *s, struct move *m)
{
	*m = move_pair(s->placement.placed, s->placement.turn);
	return is_placed(s) && s->placement.turn != MOVE_NONE;
}

static void make(struct session *s, struct move m)
{
	if (!is_placed(s) && m.step[1] != MOVE_NONE) {
		frame_place(s, m.step[0], m.step[1]);
		return;
	}
	record_play(&s->record, m);
	frame_forget(s);
}

/* --- the board --- */

/* Returns 'X', 'O', '.', or '?' for a point that is not used. */
static char mark_at(const struct session *s, int row, int col)
{
	const struct game *g = s->record.game;
	move_t step = frame_step(g, row, col);
	struct state now = s->record.now;
	if (is_placed(s))
		g->play(g, &now, s->placement.placed);
	return step == MOVE_NONE        ? '?'
	       : frame_is_turn(g, step) ? '.'
					: g->at(g, &now, row - 1, col - 1);
}

/* The character of a point in the diagram. */
static char sign_at(const struct session *s, int row, int col)
{
	const struct game *g = s->record.game;
	char text[MOVE_TEXT_MAX], mark = mark_at(s, row, col);
	move_t step = frame_step(g, row, col);
	return mark == '?'              ? ' '
	       : frame_is_turn(g, step) ? write_turn(s, step - g->board.rows * g->board.cols, text)
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
	if (is_placed(s))
		strcpy(to, ": the turn");
}

/* --- commands for moves --- */

/* Plays a step if it is legal. */
static enum move_check frame_play_step(struct session *s, int side, move_t step)
{
	struct record *r = &s->record;
	struct move legal[GAME_MOVES_MAX];
	bool is_turn = is_placed(s);
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

/* Plays a point; or, unless a placement is pending, a whole move in the game's notation. */
static enum move_check play_text(struct session *s, int side, const char *text)
{
	struct record *r = &s->record;
	struct move m;
	move_t step;
	if (frame_read_point(s, text, &step))
		return frame_play_step(s, side, step);
	if (!is_placed(s))
		return record_play_text(r, side, text);
	return game_parse(r->game, &r->now, text, &m) == MOVE_MALFORMED ? MOVE_MALFORMED
									: MOVE_ILLEGAL;
}

static enum outcome frame_play(struct session *s, const char *color, const char *text)
{
	int side;
	if (!gtp_color(color, &side))
		return syntax_error(s, "type black or white as the color");
	return answer_play(s, side, play_text(s, side, text));
}

static enum outcome frame_run_play(struct session *s)
{
	return frame_play(s, s->args[0], s->args[1]);
}

/* Plays all points or none. */
static enum outcome frame_run_play_sequence(struct session *s)
{
	struct placement before = s->placement;
	int count = s->record.count;
	enum outcome outcome = DONE;
	if (s->arg_count % 2)
		return syntax_error(s, "type a color and a point for each play");
	for (int i = 0; i < s->arg_count && outcome == DONE; i += 2)
		outcome = frame_play(s, s->args[i], s->args[i + 1]);
	if (outcome == DONE)
		return DONE;
	record_shorten(&s->record, count);
	s->placement = before;
	return outcome;
}

static enum outcome frame_run_is_legal(struct session *s)
{
	struct placement before = s->placement;
	int side, count = s->record.count;
	if (!gtp_color(s->args[0], &side))
		return syntax_error(s, "type black or white as the color");
	enum move_check check = play_text(s, side, s->args[1]);
	if (check == MOVE_MALFORMED)
		return syntax_error(s, "this is not a move of the game");
	if (s->record.count > count)
		record_undo(&s->record);
	s->placement = before;
	fputs(check == MOVE_OK ? "1" : "0", s->reply);
	return DONE;
}

/* Takes back the last play. */
static bool undo(struct session *s)
{
	struct record *r = &s->record;
	struct move last = r->count ? r->moves[r->count - 1].move : move_none();
	if (is_placed(s)) {
		frame_forget(s);
		return true;
	}
	if (!record_undo(r))
		return false;
	if (last.step[1] != MOVE_NONE)
		frame_place(s, last.step[0], MOVE_NONE);
	return true;
}

static enum outcome frame_run_undo(struct session *s)
{
	return undo(s) ? DONE : refuse(s, "cannot undo");
}

/* Takes back all plays or none. */
static enum outcome frame_run_gg_undo(struct session *s)
{
	struct record before;
	struct placement placement = s->placement;
	int n = 1;
	bool done = true;
	if (s->arg_count && !gtp_int(s->args[0], &n))
		return syntax_error(s, "type the number of moves as a whole number");
	record_init(&before, s->record.game);
	record_copy(&before, &s->record);
	for (int i = 0; i < n && done; i++)
		done = undo(s);
	if (!done) {
		record_copy(&s->record, &before);
		s->placement = placement;
	}
	record_free(&before);
	return done ? DONE : refuse(s, "cannot undo");
}

/* --- commands of GoGui; s->command->run is the ordinary command --- */

static enum outcome frame_run_board_size(struct session *s)
{
	fprintf(s->reply, "%d", FRAME_SIZE);
	return DONE;
}

static enum outcome frame_run_board(struct session *s)
{
	for (int row = 0; row < FRAME_SIZE; row++)
		for (int col = 0; col < FRAME_SIZE; col++)
			fprintf(s->reply, "%c%c", mark_at(s, row, col),
				col < FRAME_SIZE - 1 ? ' ' : '\n');
	return DONE;
}

/* Colours two quadrants and labels the points that turn them. These are coloured if a turn is due. */
static enum outcome frame_run_board_gfx(struct session *s)
{
	char text[MOVE_TEXT_MAX];
	fputs("COLOR #c8a870", s->reply);
	for (int row = 1; row < FRAME_SIZE - 1; row++)
		for (int col = 1; col < FRAME_SIZE - 1; col++)
			if ((row < FRAME_SIZE / 2) == (col < FRAME_SIZE / 2)) {
				frame_write_point(row, col, text);
				fprintf(s->reply, " %s", text);
			}
	if (is_placed(s)) {
		fputs("\nCOLOR #80c080", s->reply);
		for (int i = 0; i < FRAME_TURNS; i++) {
			write_turn(s, i, text);
			fprintf(s->reply, " %s", text);
		}
	}
	fputs("\nLABEL", s->reply);
	for (int i = 0; i < FRAME_TURNS; i++) {
		char sign = write_turn(s, i, text);
		fprintf(s->reply, " %s %c", text, sign);
	}
	return DONE;
}

static enum outcome frame_run_setup(struct session *s)
{
	return is_placed(s) ? refuse(s, "board not empty") : s->command->run(s);
}

static enum outcome frame_run_setup_player(struct session *s)
{
	return is_placed(s) ? refuse(s, "moves have been made") : s->command->run(s);
}

/* Every play is a point here, so that GoGui can show a list of them. */
static enum outcome frame_run_analyze_commands(struct session *s)
{
	enum outcome outcome = s->command->run(s);
	fputs("plist/Legal Moves/gogui-rules_legal_moves\n", s->reply);
	return outcome;
}

static const struct replacement replacements[] = {
	{ "play", frame_run_play },
	{ "is_legal", frame_run_is_legal },
	{ "undo", frame_run_undo },
	{ "gg-undo", frame_run_gg_undo },
	{ "gogui-play_sequence", frame_run_play_sequence },
	{ "gogui-rules_board_size", frame_run_board_size },
	{ "gogui-rules_board", frame_run_board },
	{ "gogui-rules_board_gfx", frame_run_board_gfx },
	{ "gogui-setup", frame_run_setup },
	{ "gogui-setup_player", frame_run_setup_player },
	{ "gogui-analyze_commands", frame_run_analyze_commands },
	{ 0 },
};

const struct notation frame_notation = {
	.replacements = replacements,
	.made = made,
	.moves = frame_moves,
	.plays = plays,
	.known = known,
	.make = make,
	.square = frame_read_square,
	.draw = frame_draw,
};
