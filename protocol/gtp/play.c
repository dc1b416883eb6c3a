/* SPDX-License-Identifier: MIT
 *
 * Commands for the game, its moves, positions and files. Errors use the texts of the GTP draft where it has
 * one, because clients compare them. The reason goes to stderr by session_note.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/drawing.h"
#include "engine/rules/komi.h"
#include "engine/rules/words.h"
#include "protocol/gtp/commands.h"
#include "protocol/records/file.h"
#include "protocol/records/ggf.h"
#include "protocol/records/sgf.h"
#include "protocol/session/command.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"
#include "protocol/session/start.h"

/* --- which game --- */

static enum outcome run_clear_board(struct session *s)
{
	start_game(s, s->record.game);
	return DONE;
}

/* --- moves and positions --- */

enum outcome play_answer(struct session *s, int side, enum move_check check)
{
	switch (check) {
	case MOVE_OK:
		return DONE;
	case MOVE_MALFORMED:
		return syntax_error(s, "this is not a move of the game");
	case MOVE_REPEATS:
		return refuse_noted(s, "illegal move",
				    "superko: the move brings back an earlier position");
	case MOVE_ILLEGAL:
		break;
	}
	return refuse_noted(s, "illegal move",
			    s->record.now.over           ? "the game is over"
			    : s->record.now.side != side ? "it is the other side's turn"
							 : "the rules do not allow this move");
}

enum outcome play_move(struct session *s, const char *color, const char *move)
{
	int side;
	char own[MOVE_TEXT_MAX];
	if (!line_color(color, &side))
		return syntax_error(s, "type black or white as the color");
	move = own_text(s, move, own);
	enum move_check check = record_play_text(&s->record, side, move);
	const struct state *now = &s->record.now;
	const char *ban = check == MOVE_ILLEGAL && now->side == side
				  ? words_ban(s->record.game, now, move)
				  : NULL;
	return ban ? refuse_noted(s, "illegal move", ban) : play_answer(s, side, check);
}

static enum outcome gtp_play_run_play(struct session *s)
{
	return play_move(s, s->args[0], s->args[1]);
}

static enum outcome gtp_play_run_undo(struct session *s)
{
	if (record_undo(&s->record))
		return DONE;
	if (!s->handicap)
		return refuse(s, "cannot undo");
	start_game(s, s->record.game);
	return DONE;
}

/* Plays all moves or none. */
static enum outcome gtp_play_run_gg_undo(struct session *s)
{
	int n = 1;
	if (s->arg_count && !line_int(s->args[0], &n))
		return syntax_error(s, "type the number of moves as a whole number");
	return record_undo_moves(&s->record, n) ? DONE : refuse(s, "cannot undo");
}

static enum outcome run_showboard(struct session *s)
{
	char text[BOARD_TEXT_MAX];
	notation_of(s)->draw(s, text);
	s->is_painted = s->setup.colors;
	text_printf(s->reply, "\n%s", text);
	return DONE;
}

static enum outcome run_final_score(struct session *s)
{
	char text[SGF_RESULT_MAX];
	const struct game *g = s->record.game;
	struct state end = s->record.now;
	/* Where the sides may pass, the score is that of the position as it stands. */
	if (!game_end(g, &end))
		return refuse_noted(s, "cannot score", "the game is not over");
	sgf_result(g, &end, text);
	text_puts(s->reply, text);
	return DONE;
}

static enum outcome gtp_play_run_is_legal(struct session *s)
{
	int side, count = s->record.count;
	char own[MOVE_TEXT_MAX];
	if (!line_color(s->args[0], &side))
		return syntax_error(s, "type black or white as the color");
	enum move_check check = record_play_text(&s->record, side, own_text(s, s->args[1], own));
	if (check == MOVE_MALFORMED)
		return syntax_error(s, "this is not a move of the game");
	if (s->record.count > count)
		record_undo(&s->record);
	text_puts(s->reply, check == MOVE_OK ? "1" : "0");
	return DONE;
}

static enum outcome run_all_legal(struct session *s)
{
	struct record *r = &s->record;
	int side;
	if (!line_color(s->args[0], &side))
		return syntax_error(s, "type black or white as the color");
	if (r->now.over || !record_give_turn(r, side))
		return DONE;
	print_legal_plays(s);
	record_undo_implied(r);
	return DONE;
}

/* MoHex lists the moves of the side to move. */
static enum outcome run_all_legal_moves(struct session *s)
{
	if (s->arg_count)
		return run_all_legal(s);
	if (!s->record.now.over)
		print_legal_plays(s);
	return DONE;
}

static enum outcome run_move_history(struct session *s)
{
	const struct record *r = &s->record;
	char(*texts)[MOVE_TEXT_MAX] = xcalloc((size_t)r->count, sizeof *texts);
	struct state state = r->start;
	for (int i = 0; i < r->count; i++) {
		if (record_is_play(&r->moves[i]))
			format_move(s, &state, r->moves[i].move, texts[i]);
		record_replay(r, i, &state);
	}
	for (int i = r->count - 1; i >= 0; i--)
		if (*texts[i])
			text_printf(s->reply, "%s %s\n", color_name(r->moves[i].side), texts[i]);
	free(texts);
	return DONE;
}

static enum outcome gtp_play_run_position(struct session *s)
{
	struct state start;
	char text[POSITION_TEXT_MAX];
	if (s->arg_count == 0) {
		game_position(s->record.game, &s->record.now, text);
		text_puts(s->reply, text);
		return DONE;
	}
	const char *reason = s->arg_count == 2
				     ? game_setup(s->record.game, &start, s->args[0], s->args[1])
				     : "type a board and the side to move";
	if (reason)
		return refuse(s, reason);
	start_position(s, &start);
	return DONE;
}

/* --- files --- */

/* Loads a game of the file that the first argument names. */
static enum outcome load_game(struct session *s, int number, int before)
{
	const struct import_wish wish = { .columns = s->settings.columns, .before = before };
	char why[REASON_MAX];
	if (s->setup.no_files)
		return refuse_noted(s, "cannot load file", FILE_NONE);
	if (!file_load(&s->record, s->args[0], &wish, number, &s->about, why))
		return refuse_noted(s, "cannot load file", why);
	return start_loaded(s, why);
}

static enum outcome gtp_play_run_loadsgf(struct session *s)
{
	int before = 0;
	if (s->arg_count == 2 && (!line_int(s->args[1], &before) || before == 0))
		return syntax_error(s, "type the number of a move, 1 or more");
	return load_game(s, 1, before);
}

static enum outcome run_load(struct session *s)
{
	int number = 1;
	if (s->arg_count == 2 && (!line_int(s->args[1], &number) || number == 0))
		return syntax_error(s, "type the number of a game, 1 or more");
	return load_game(s, number, 0);
}

/* Answers with the text of a game, or writes it to the file that an argument names. Frees the text. */
static enum outcome play_give_text(struct session *s, struct text *text)
{
	char why[REASON_MAX] = FILE_NONE;
	bool done = s->arg_count == 0 ||
		    (!s->setup.no_files && file_save_text(s->args[0], text->bytes, why));
	if (s->arg_count == 0)
		text_puts(s->reply, text->bytes);
	text_free(text);
	return done ? DONE : refuse(s, why);
}

static enum outcome run_printsgf(struct session *s)
{
	struct text text = { 0 };
	sgf_print_with(&text, &s->record, s->about.properties,
		       import_about_fits(&s->about, &s->record), NULL);
	return play_give_text(s, &text);
}

static enum outcome gtp_play_run_savesgf(struct session *s)
{
	struct text text = { 0 };
	sgf_print_gogui(&text, &s->record);
	return play_give_text(s, &text);
}

static enum outcome run_printggf(struct session *s)
{
	if (!ggf_has(s->record.game))
		return refuse(s, "GGF has only games of Othello");
	struct text text = { 0 };
	ggf_print(&text, &s->record, s->about.properties, import_about_fits(&s->about, &s->record));
	return play_give_text(s, &text);
}

const struct command play_commands[] = {
	{ "clear_board", "", "start a new game", run_clear_board, .leaves = true },
	{ "play", "COLOR MOVE", "play a move", gtp_play_run_play },
	{ "undo", "[NUMBER]",
	  "take back the last move, or the handicap; a number is ignored (see gg-undo)",
	  gtp_play_run_undo },
	{ "gg-undo", "[COUNT]",
	  "take back COUNT moves (default 1); if there are fewer, take back none",
	  gtp_play_run_gg_undo },
	{ "showboard", "", "draw the board", run_showboard },
	{ "final_score", "",
	  "return the result of a finished game: B+2, W+1 or 0; where sides may pass, also of the "
	  "position as it stands",
	  run_final_score },
	{ "is_legal", "COLOR MOVE", "return 1 if play would accept the move, else 0",
	  gtp_play_run_is_legal },
	{ "all_legal", "COLOR", "list all legal moves of a side", run_all_legal },
	{ "all_legal_moves", "[COLOR]",
	  "list all legal moves of the side to move or of another one, as MoHex does",
	  run_all_legal_moves },
	{ "move_history", "", "list the moves played, the last one first", run_move_history },
	{ "position", "[BOARD SIDE]",
	  "print the position, or start from another one: the squares row by row from the top left "
	  "(X Black, O White, . empty, in Havannah : off the board), then the side to move",
	  gtp_play_run_position, .leaves = true },

	{ "loadsgf", "FILE [MOVE]",
	  "read the first game of a file, in any format of yomi-load; with MOVE, only the moves "
	  "before that number",
	  gtp_play_run_loadsgf, .leaves = true },
	{ "yomi-load", "FILE [GAME]",
	  "read a game from a file in SGF, GGF, WTHOR, PGN, PSQ, rec, the form of Gomocup's "
	  "openings, or with lines of moves; with GAME, the game of that number",
	  run_load, .leaves = true },
	{ "printsgf", "[FILE]", "write the game in SGF to a file, or as the answer", run_printsgf },
	{ "yomi-savesgf", "FILE", "write the game to a file in the form of SGF that GoGui reads",
	  gtp_play_run_savesgf },
	{ "printggf", "[FILE]", "write a game of Othello in GGF to a file, or as the answer",
	  run_printggf },
	{ 0 },
};
