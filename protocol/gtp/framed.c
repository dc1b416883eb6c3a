/* SPDX-License-Identifier: MIT
 *
 * What some commands do in GoGui's frame for Pentago (protocol/session/frame.h).
 */
#include "protocol/gtp/framed.h"

#include <stdio.h>
#include <string.h>

#include "protocol/gtp/commands.h"
#include "protocol/records/frame_points.h"
#include "protocol/session/frame.h"

/* --- commands for moves --- */

static enum outcome framed_play(struct session *s, const char *color, const char *text)
{
	int side;
	if (!line_color(color, &side))
		return syntax_error(s, "type black or white as the color");
	return play_answer(s, side, frame_play(s, side, text));
}

static enum outcome framed_run_play(struct session *s)
{
	return framed_play(s, s->args[0], s->args[1]);
}

/* Plays all points or none. */
static enum outcome framed_run_play_sequence(struct session *s)
{
	struct placement before = s->placement;
	int count = s->record.count;
	enum outcome outcome = DONE;
	if (s->arg_count % 2)
		return syntax_error(s, "type a color and a point for each play");
	for (int i = 0; i < s->arg_count && outcome == DONE; i += 2)
		outcome = framed_play(s, s->args[i], s->args[i + 1]);
	if (outcome == DONE)
		return DONE;
	record_shorten(&s->record, count);
	s->placement = before;
	return outcome;
}

static enum outcome framed_run_is_legal(struct session *s)
{
	struct placement before = s->placement;
	int side, count = s->record.count;
	if (!line_color(s->args[0], &side))
		return syntax_error(s, "type black or white as the color");
	enum move_check check = frame_play(s, side, s->args[1]);
	if (check == MOVE_MALFORMED)
		return syntax_error(s, "this is not a move of the game");
	if (s->record.count > count)
		record_undo(&s->record);
	s->placement = before;
	text_puts(s->reply, check == MOVE_OK ? "1" : "0");
	return DONE;
}

static enum outcome framed_run_undo(struct session *s)
{
	return frame_undo(s) ? DONE : refuse(s, "cannot undo");
}

/* Takes back all plays or none. */
static enum outcome framed_run_gg_undo(struct session *s)
{
	struct record before;
	struct placement placement = s->placement;
	int n = 1;
	bool done = true;
	if (s->arg_count && !line_int(s->args[0], &n))
		return syntax_error(s, "type the number of moves as a whole number");
	record_init(&before, s->record.game);
	record_copy(&before, &s->record);
	for (int i = 0; i < n && done; i++)
		done = frame_undo(s);
	if (!done) {
		record_copy(&s->record, &before);
		s->placement = placement;
	}
	record_free(&before);
	return done ? DONE : refuse(s, "cannot undo");
}

/* --- commands of GoGui; s->command->run is the ordinary command --- */

static enum outcome framed_run_board_size(struct session *s)
{
	text_printf(s->reply, "%d", FRAME_SIZE);
	return DONE;
}

static enum outcome framed_run_board(struct session *s)
{
	for (int row = 0; row < FRAME_SIZE; row++)
		for (int col = 0; col < FRAME_SIZE; col++)
			text_printf(s->reply, "%c%c", frame_mark(s, row, col),
				    col < FRAME_SIZE - 1 ? ' ' : '\n');
	return DONE;
}

/* Colours two quadrants and labels the points that turn them. These are coloured if a turn is due. */
static enum outcome framed_run_board_gfx(struct session *s)
{
	char text[MOVE_TEXT_MAX];
	text_puts(s->reply, "COLOR #c8a870");
	for (int row = 1; row < FRAME_SIZE - 1; row++)
		for (int col = 1; col < FRAME_SIZE - 1; col++)
			if ((row < FRAME_SIZE / 2) == (col < FRAME_SIZE / 2)) {
				frame_write_point(row, col, text);
				text_printf(s->reply, " %s", text);
			}
	if (frame_is_placed(s)) {
		text_puts(s->reply, "\nCOLOR #80c080");
		for (int i = 0; i < FRAME_TURNS; i++) {
			frame_write_turn(s, i, text);
			text_printf(s->reply, " %s", text);
		}
	}
	text_puts(s->reply, "\nLABEL");
	for (int i = 0; i < FRAME_TURNS; i++) {
		char sign = frame_write_turn(s, i, text);
		text_printf(s->reply, " %s %c", text, sign);
	}
	return DONE;
}

static enum outcome framed_run_setup(struct session *s)
{
	return frame_is_placed(s) ? refuse(s, "board not empty") : s->command->run(s);
}

static enum outcome framed_run_setup_player(struct session *s)
{
	return frame_is_placed(s) ? refuse(s, "moves have been made") : s->command->run(s);
}

/* Every play is a point here, so that GoGui can show a list of them. */
static enum outcome framed_run_analyze_commands(struct session *s)
{
	enum outcome outcome = s->command->run(s);
	text_puts(s->reply, "plist/Legal Moves/gogui-rules_legal_moves\n");
	return outcome;
}

static const struct {
	const char *name; /* of a command */
	enum outcome (*run)(struct session *);
} framed_commands[] = {
	{ "play", framed_run_play },
	{ "is_legal", framed_run_is_legal },
	{ "undo", framed_run_undo },
	{ "gg-undo", framed_run_gg_undo },
	{ "gogui-play_sequence", framed_run_play_sequence },
	{ "gogui-rules_board_size", framed_run_board_size },
	{ "gogui-rules_board", framed_run_board },
	{ "gogui-rules_board_gfx", framed_run_board_gfx },
	{ "gogui-setup", framed_run_setup },
	{ "gogui-setup_player", framed_run_setup_player },
	{ "gogui-analyze_commands", framed_run_analyze_commands },
};

enum outcome framed_run(struct session *s)
{
	for (size_t i = 0; i < sizeof framed_commands / sizeof *framed_commands; i++)
		if (strcmp(framed_commands[i].name, s->command->name) == 0)
			return framed_commands[i].run(s);
	return s->command->run(s);
}
