/* SPDX-License-Identifier: MIT
 *
 * Commands for the game, its moves, positions and files. Errors use the texts of the GTP draft where it has
 * one, because clients compare them. The reason goes to stderr by session_note.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/drawing.h"
#include "engine/rules/komi.h"
#include "engine/rules/words.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/frame.h"
#include "protocol/gtp/gtp.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/session.h"
#include "protocol/records/file.h"
#include "protocol/records/ggf.h"
#include "protocol/records/sgf.h"

/* --- which game --- */

void start_game(struct session *s, const struct game *g)
{
	session_get_ready(s, g);
	record_restart(&s->record, g);
	s->handicap = 0;
	import_about_clear(&s->about);
	if (s->has_komi)
		record_set_komi(&s->record, s->komi);
	record_set_swap(&s->record, has_swap(s));
	frame_forget(s);
	clock_restart(&s->clock);
}

void start_position(struct session *s, const struct state *start)
{
	struct record *r = &s->record;
	record_setup_in_komi(r, start);
	if (r->game->komi)
		record_set_komi(r, r->game->komi->get(r->game, &r->start) - bonus_of(s));
	s->handicap = 0;
	import_about_clear(&s->about);
	frame_forget(s);
}

static enum outcome run_clear_board(struct session *s)
{
	start_game(s, s->record.game);
	return DONE;
}

/* --- moves and positions --- */

enum outcome answer_play(struct session *s, int side, enum move_check check)
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
	if (!gtp_color(color, &side))
		return syntax_error(s, "type black or white as the color");
	move = own_text(s, move, own);
	enum move_check check = record_play_text(&s->record, side, move);
	const struct state *now = &s->record.now;
	const char *ban = check == MOVE_ILLEGAL && now->side == side
				  ? words_ban(s->record.game, now, move)
				  : NULL;
	return ban ? refuse_noted(s, "illegal move", ban) : answer_play(s, side, check);
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
	if (s->arg_count && !gtp_int(s->args[0], &n))
		return syntax_error(s, "type the number of moves as a whole number");
	return record_undo_moves(&s->record, n) ? DONE : refuse(s, "cannot undo");
}

static enum outcome run_showboard(struct session *s)
{
	char text[BOARD_TEXT_MAX];
	notation_of(s)->draw(s, text);
	s->is_painted = s->setup.colors;
	fprintf(s->reply, "\n%s", text);
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
	fputs(text, s->reply);
	return DONE;
}

static enum outcome gtp_play_run_is_legal(struct session *s)
{
	int side, count = s->record.count;
	char own[MOVE_TEXT_MAX];
	if (!gtp_color(s->args[0], &side))
		return syntax_error(s, "type black or white as the color");
	enum move_check check = record_play_text(&s->record, side, own_text(s, s->args[1], own));
	if (check == MOVE_MALFORMED)
		return syntax_error(s, "this is not a move of the game");
	if (s->record.count > count)
		record_undo(&s->record);
	fputs(check == MOVE_OK ? "1" : "0", s->reply);
	return DONE;
}

static enum outcome run_all_legal(struct session *s)
{
	struct record *r = &s->record;
	int side;
	if (!gtp_color(s->args[0], &side))
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
			fprintf(s->reply, "%s %s\n", color_name(r->moves[i].side), texts[i]);
	free(texts);
	return DONE;
}

static enum outcome gtp_play_run_position(struct session *s)
{
	struct state start;
	char text[POSITION_TEXT_MAX];
	if (s->arg_count == 0) {
		game_position(s->record.game, &s->record.now, text);
		fputs(text, s->reply);
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

enum outcome answer_load(struct session *s, const char *note)
{
	session_get_ready(s, s->record.game);
	s->has_other_game = true;
	s->handicap = 0;
	if (*note && is_for_people(s))
		fprintf(s->reply, "%s\n", note);
	else if (*note)
		session_note(s, "%s", note);
	clock_restart(&s->clock);
	frame_forget(s);
	if (!has_swap(s))
		record_set_swap(&s->record, false);
	return DONE;
}

/* Loads a game of the file that the first argument names. */
static enum outcome load_game(struct session *s, int number, int before)
{
	const struct import_wish wish = { .columns = s->settings.columns, .before = before };
	char why[REASON_MAX];
	if (s->setup.no_files)
		return refuse_noted(s, "cannot load file", FILE_NONE);
	if (!file_load(&s->record, s->args[0], &wish, number, &s->about, why))
		return refuse_noted(s, "cannot load file", why);
	return answer_load(s, why);
}

static enum outcome gtp_play_run_loadsgf(struct session *s)
{
	int before = 0;
	if (s->arg_count == 2 && (!gtp_int(s->args[1], &before) || before == 0))
		return syntax_error(s, "type the number of a move, 1 or more");
	return load_game(s, 1, before);
}

static enum outcome run_load(struct session *s)
{
	int number = 1;
	if (s->arg_count == 2 && (!gtp_int(s->args[1], &number) || number == 0))
		return syntax_error(s, "type the number of a game, 1 or more");
	return load_game(s, number, 0);
}

static enum outcome gtp_play_print_game(struct session *s, bool (*print)(FILE *, void *session))
{
	char why[REASON_MAX];
	if (s->arg_count == 0)
		print(s->reply, s);
	else if (s->setup.no_files)
		return refuse(s, FILE_NONE);
	else if (!file_replace(s->args[0], print, s, why))
		return refuse(s, why);
	return DONE;
}

static bool gtp_play_print_sgf(FILE *f, void *session)
{
	const struct session *s = session;
	sgf_print_with(f, &s->record, s->about.properties, import_about_fits(&s->about, &s->record),
		       NULL);
	return true;
}

static enum outcome run_printsgf(struct session *s)
{
	return gtp_play_print_game(s, gtp_play_print_sgf);
}

static bool print_gogui(FILE *f, void *session)
{
	const struct session *s = session;
	sgf_print_gogui(f, &s->record);
	return true;
}

static enum outcome gtp_play_run_savesgf(struct session *s)
{
	return gtp_play_print_game(s, print_gogui);
}

static bool print_ggf(FILE *f, void *session)
{
	const struct session *s = session;
	ggf_print(f, &s->record, s->about.properties, import_about_fits(&s->about, &s->record));
	return true;
}

static enum outcome run_printggf(struct session *s)
{
	if (!ggf_has(s->record.game))
		return refuse(s, "GGF has only games of Othello");
	return gtp_play_print_game(s, print_ggf);
}

const struct command play_commands[] = {
	{ .name = "clear_board",
	  .args = "",
	  .help = "start a new game",
	  .run = run_clear_board,
	  .leaves = true },
	{ .name = "play",
	  .args = "COLOR MOVE",
	  .args_min = 2,
	  .args_max = 2,
	  .help = "play a move",
	  .run = gtp_play_run_play },
	{ .name = "undo",
	  .args = "[NUMBER]",
	  .args_max = 1,
	  .help = "take back the last move, or the handicap; a number is ignored (see gg-undo)",
	  .run = gtp_play_run_undo },
	{ .name = "gg-undo",
	  .args = "[COUNT]",
	  .args_max = 1,
	  .help = "take back COUNT moves (default 1); if there are fewer, take back none",
	  .run = gtp_play_run_gg_undo },
	{ .name = "showboard", .args = "", .help = "draw the board", .run = run_showboard },
	{ .name = "final_score",
	  .args = "",
	  .help = "return the result of a finished game: B+2, W+1 or 0; where sides may pass, also "
		  "of "
		  "the position as it stands",
	  .run = run_final_score },
	{ .name = "is_legal",
	  .args = "COLOR MOVE",
	  .args_min = 2,
	  .args_max = 2,
	  .help = "return 1 if play would accept the move, else 0",
	  .run = gtp_play_run_is_legal },
	{ .name = "all_legal",
	  .args = "COLOR",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "list all legal moves of a side",
	  .run = run_all_legal },
	{ .name = "all_legal_moves",
	  .args = "[COLOR]",
	  .args_max = 1,
	  .help = "list all legal moves of the side to move or of another one, as MoHex does",
	  .run = run_all_legal_moves },
	{ .name = "move_history",
	  .args = "",
	  .help = "list the moves played, the last one first",
	  .run = run_move_history },
	{ .name = "position",
	  .args = "[BOARD SIDE]",
	  .args_max = 2,
	  .help = "print the position, or start from another one: the squares row by row from the "
		  "top left (X Black, O White, . empty, in Havannah : off the board), then the "
		  "side to move",
	  .run = gtp_play_run_position,
	  .leaves = true },

	{ .name = "loadsgf",
	  .args = "FILE [MOVE]",
	  .args_min = 1,
	  .args_max = 2,
	  .help = "read the first game of a file, in any format of yomi-load; with MOVE, only the "
		  "moves before that number",
	  .run = gtp_play_run_loadsgf,
	  .leaves = true },
	{ .name = "yomi-load",
	  .args = "FILE [GAME]",
	  .args_min = 1,
	  .args_max = 2,
	  .help = "read a game from a file in SGF, GGF, WTHOR, PGN, PSQ, rec, the form of "
		  "Gomocup's "
		  "openings, or with lines of moves; with GAME, the game of that number",
	  .run = run_load,
	  .leaves = true },
	{ .name = "printsgf",
	  .args = "[FILE]",
	  .args_max = 1,
	  .help = "write the game in SGF to a file, or as the answer",
	  .run = run_printsgf },
	{ .name = "yomi-savesgf",
	  .args = "FILE",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "write the game to a file in the form of SGF that GoGui reads",
	  .run = gtp_play_run_savesgf },
	{ .name = "printggf",
	  .args = "[FILE]",
	  .args_max = 1,
	  .help = "write a game of Othello in GGF to a file, or as the answer",
	  .run = run_printggf },
	{ 0 },
};
