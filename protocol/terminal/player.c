/* SPDX-License-Identifier: MIT */
#include "protocol/terminal/player.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/base/suggestion.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "engine/rules/words.h"
#include "games/games.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/line.h"
#include "protocol/session/notation.h"
#include "protocol/session/think.h"
#include "protocol/terminal/kept.h"
#include "protocol/terminal/people.h"
#include "protocol/terminal/typed.h"

#define MOVES_SHOWN 24 /* most legal moves in an error */

void player_free(struct player *player)
{
	if (player->has_undone)
		record_free(&player->undone);
}

/* Writes what a search found, for the side that was to move. A move of a low level may be one that its search has not
 * tried. */
static void player_print_finding(const struct session *s, const struct report *r, struct text *out)
{
	struct worth worth = worth_of_report(r);
	bool is_known = worth.lower == worth.upper || !isnan(worth_share(&worth));
	if (r->book)
		text_puts(out, ": from the opening book");
	if (r->book || !is_known)
		return;
	text_puts(out, ": ");
	worth_print(&worth, s->record.game, &s->record.now, s->side, out);
}

void player_example(const struct session *s, char text[MOVE_TEXT_MAX])
{
	struct state start;
	struct move moves[GAME_MOVES_MAX];
	const struct game *g = s->record.game;
	if (think_is_needed(s)) {
		int count = notation_of(s)->moves(s, moves);
		format_play(s, moves[count / 2], text);
	} else {
		g->start(g, &start);
		int count = game_moves(g, &start, moves);
		game_format(g, &start, moves[count / 2], text);
	}
	typed_lower(text);
}

void player_note_resigned(struct session *s, int side)
{
	struct player *player = people_player(s);
	player->resigned = side;
	player->resigned_game = s->record.game;
	player->resigned_count = s->record.count;
	player->resigned_hash = s->record.now.hash;
}

/* Returns the side that has resigned the game, or KEPT_NOBODY. */
static int player_resigned(const struct session *s)
{
	const struct player *player = people_player(s);
	const struct record *r = &s->record;
	bool holds = player->resigned_game == r->game && player->resigned_count == r->count &&
		     player->resigned_hash == r->now.hash && !r->now.over;
	return holds ? player->resigned : KEPT_NOBODY;
}

bool player_is_over(const struct session *s)
{
	return s->record.now.over || player_resigned(s) != KEPT_NOBODY;
}

/* Writes the result of a game that is over. */
static void player_result(const struct session *s, char text[RESULT_TEXT_MAX])
{
	const struct game *g = s->record.game;
	int side = player_resigned(s);
	if (side == KEPT_NOBODY)
		game_result(g, &s->record.now, text);
	else
		snprintf(text, RESULT_TEXT_MAX, "%s has resigned: %s wins", game_side(g, side),
			 game_side(g, side ^ 1));
}

enum outcome player_refuse_over(struct session *s)
{
	char result[RESULT_TEXT_MAX];
	player_result(s, result);
	text_printf(s->reply, "the game is over (%s); type new to begin another, or undo", result);
	return REFUSED;
}

/* Returns the length of the square with which a move begins, if that has a stone; otherwise 0. */
static int player_taken_length(const struct session *s, const char *text)
{
	int row, col;
	const struct game *g = s->record.game;
	const char *end = frame_is_used(s) ? NULL : square_parse(g, text, &row, &col);
	return end && board_owner(&g->board, g->at(g, &s->record.now, row, col)) ? (int)(end - text)
										 : 0;
}

/* Writes the distinct legal plays, each after a blank: all, or those that begin with a square, the first `length` characters
 * of `from`. Returns their number. */
static int player_list(const struct session *s, const char *from, int length, struct text *out)
{
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX], last[MOVE_TEXT_MAX] = "";
	int n = notation_of(s)->moves(s, moves), count = 0;
	for (int i = 0; i < n; i++) {
		format_play(s, moves[i], text);
		bool begins = !length || (player_taken_length(s, text) == length &&
					  strncasecmp(text, from, (size_t)length) == 0);
		/* Moves that begin with the same play are adjacent in the list. */
		if (!begins || strcmp(text, last) == 0)
			continue;
		text_printf(out, " %s", text);
		strcpy(last, text);
		count++;
	}
	return count;
}

/* The error for a move from a square, which has a stone, in a game that moves its pieces. Returns false in other games. */
static bool player_refuse_from(struct session *s, const char *text, int length)
{
	struct move moves[GAME_MOVES_MAX];
	char move[MOVE_TEXT_MAX];
	if (!length || !notation_of(s)->moves(s, moves))
		return false;
	format_play(s, moves[0], move);
	if (!player_taken_length(s, move))
		return false;
	struct text list = { 0 };
	int count = player_list(s, text, length, &list);
	text_printf(s->reply, "%s is not a legal move; ", text);
	if (count)
		text_printf(s->reply, "legal moves from %.*s:%s", length, text, list.bytes);
	else
		text_printf(s->reply, "no legal move begins with %.*s", length, text);
	text_free(&list);
	return true;
}

/* The error for a pass, a swap, a square off the board or a forbidden one. Returns false for other moves. */
static bool player_refuse_rare(struct session *s, const char *text)
{
	const struct game *g = s->record.game;
	int row, col;
	const char *end = square_parse(g, text, &row, &col);
	const char *ban = words_ban(g, &s->record.now, text);
	if (strcasecmp(text, "pass") == 0)
		text_printf(s->reply,
			    g->steps.pass == MOVE_NONE
				    ? "%s has no pass"
				    : "%s allows a pass only without a legal move",
			    g->title);
	else if (strcasecmp(text, "swap") == 0 || strcasecmp(text, SWAP_TEXT) == 0)
		text_printf(s->reply, "%s allows a swap only as the first move of White", g->title);
	else if (end && g->at(g, &s->record.now, row, col) == ':')
		text_printf(s->reply, "%.*s is not on the board", (int)(end - text), text);
	else if (ban)
		text_printf(s->reply, "%s is forbidden: %s", text, ban);
	else
		return false;
	return true;
}

enum outcome player_refuse_illegal(struct session *s, const char *text)
{
	struct move move;
	if (player_is_over(s))
		return player_refuse_over(s);
	if (record_parse(&s->record, text, &move) == MOVE_REPEATS) {
		text_printf(s->reply, "%s brings back an earlier position, which superko forbids",
			    text);
		return REFUSED;
	}
	if (game_must_pass(s->record.game, &s->record.now)) {
		text_printf(s->reply, "%s has no legal move; type pass",
			    game_side(s->record.game, s->record.now.side));
		return REFUSED;
	}
	if (player_refuse_rare(s, text))
		return REFUSED;
	int taken = player_taken_length(s, text);
	if (player_refuse_from(s, text, taken))
		return REFUSED;
	if (taken)
		text_printf(s->reply, "%.*s is taken; ", taken, text);
	else
		text_printf(s->reply, "%s is not a legal move; ", text);
	struct text list = { 0 };
	int count = player_list(s, "", 0, &list);
	if (count <= MOVES_SHOWN)
		text_printf(s->reply, "legal moves:%s", count ? list.bytes : "");
	else
		text_printf(s->reply, "type moves to see the %d legal moves", count);
	text_free(&list);
	return REFUSED;
}

/* The error for a beginning of moves, such as a square without Pentago's turn. Returns false if no legal move
 * begins with this text. */
static bool player_refuse_part(struct session *s, const char *text)
{
	struct move moves[GAME_MOVES_MAX];
	char move[MOVE_TEXT_MAX];
	size_t length = strlen(text);
	int n = player_is_over(s) ? 0 : notation_of(s)->moves(s, moves), count = 0;
	for (int i = 0; i < n && length > 1; i++) {
		format_play(s, moves[i], move);
		bool is_longer = strncasecmp(move, text, length) == 0 && move[length];
		/* Column 1 is no beginning of column 12. */
		if (!is_longer || (isdigit((unsigned char)text[length - 1]) &&
				   isdigit((unsigned char)move[length])))
			continue;
		if (count++ == 0)
			text_printf(s->reply, "%s is only a part of a move; type one of:", text);
		text_printf(s->reply, " %s", move);
	}
	if (count)
		text_puts(s->reply, " (help rules tells what they mean)");
	return count;
}

bool player_is_square_like(const char *word)
{
	return isalpha((unsigned char)word[0]) && word[1] &&
	       !word[1 + strspn(word + 1, "0123456789")];
}

/* The error for a word whose first square begins a legal move: "a1 right", "a1a" in Pentago. Returns false for other
 * words. */
static bool player_refuse_start(struct session *s, const char *word)
{
	int row, col;
	const char *end = frame_is_used(s) ? NULL : square_parse(s->record.game, word, &row, &col);
	if (!end)
		return false;
	char *square = xstrndup(word, (size_t)(end - word));
	bool is_part = player_refuse_part(s, square);
	free(square);
	return is_part;
}

/* The error for a square with which no legal move begins. */
static enum outcome player_refuse_square(struct session *s, const char *word)
{
	const struct game *g = s->record.game;
	int row, col;
	if (player_is_over(s))
		return player_refuse_over(s);
	if (square_parse(g, word, &row, &col)) {
		text_printf(s->reply, "no legal move begins with %s; type moves to see them", word);
		return REFUSED;
	}
	text_printf(s->reply, "%s is not on the board; its squares are a1 to %c%d", word,
		    tolower(square_letter(g, g->board.cols - 1)), g->board.rows);
	if (g->board.skips_i && tolower((unsigned char)*word) == 'i')
		text_puts(s->reply, ", without a column i");
	return REFUSED;
}

enum outcome player_refuse_unknown(struct session *s, const char *word)
{
	struct suggestion suggestion;
	if (player_refuse_start(s, word))
		return REFUSED;
	if (player_is_square_like(word) && !frame_is_used(s))
		return player_refuse_square(s, word);
	if (game_find(word, NULL)) {
		text_printf(s->reply, "%s is a game; type game %s", word, word);
		return REFUSED;
	}
	if (strcasecmp(word, "swap") == 0) {
		text_printf(s->reply, "%s has no swap", s->record.game->title);
		return REFUSED;
	}
	if (people_has_command(word)) {
		text_printf(s->reply, "%s must be the first word of a line", word);
		return REFUSED;
	}
	suggestion_begin(&suggestion, word);
	for (const struct command *c = people_commands; c->name; c++)
		if (*c->name)
			suggestion_consider(&suggestion, c->name);
	for (int i = 0; commands_at(i); i++)
		suggestion_consider(&suggestion, commands_at(i)->name);
	text_printf(s->reply, "unknown command %.*s%s", (int)typed_cut(word), word,
		    word[typed_cut(word)] ? "..." : "");
	if ((unsigned char)*word >= 0x80)
		text_puts(s->reply, "; commands and moves have Latin letters; type help");
	else if (suggestion.best)
		text_printf(s->reply, "; did you mean %s?", suggestion.best);
	else
		text_puts(s->reply, "; type help");
	return REFUSED;
}

/* If yomi has played the person's side, the sides change. */
static void player_note_sides(struct session *s)
{
	struct player *player = people_player(s);
	if (!player->answers || s->side != player->side || s->record.now.over)
		return;
	player->side = s->side ^ 1;
	text_printf(s->reply, "You play %s now.\n", game_side(s->record.game, player->side));
}

enum outcome player_go(struct session *s)
{
	char text[MOVE_TEXT_MAX];
	if (player_is_over(s))
		return player_refuse_over(s);
	s->side = s->record.now.side;
	if (think_known(s, text)) {
		if (strcmp(text, "PASS") == 0)
			text_puts(s->reply, "yomi has no move and passes\n");
		else
			text_printf(s->reply, "yomi plays %s\n", text);
		player_note_sides(s);
		return DONE;
	}
	struct limits limits = think_limits(s);
	limits.book = true;
	return think_begin(s, &limits, THINKING);
}

enum outcome player_finish(struct session *s, const struct report *report)
{
	char text[MOVE_TEXT_MAX];
	if (!think_found(s, report, text))
		return REFUSED;
	if (strcmp(text, "resign") == 0) {
		kept_resign(s->setup.kept, &s->record, s->side);
		player_note_resigned(s, s->side);
		text_printf(s->reply,
			    "yomi resigns: %s wins. Type new to begin another game, or undo.\n",
			    game_side(s->record.game, s->side ^ 1));
		return DONE;
	}
	text_printf(s->reply, "yomi plays %s", text);
	player_print_finding(s, report, s->reply);
	text_putc(s->reply, '\n');
	if (strcmp(text, SWAP_TEXT) == 0)
		text_puts(s->reply, "It has taken over the first stone; help rules tells how.\n");
	player_note_sides(s);
	return DONE;
}

/* Plays a move in Pentago's frame, by the command of GTP, which knows the frame. */
static enum outcome player_play_framed(struct session *s, int side, char *text)
{
	char color[2] = { side == BLACK ? 'b' : 'w', '\0' }, *args[] = { color, text },
	     **own = s->args;
	s->command = commands_find("play");
	s->args = args;
	enum outcome outcome = commands_run(s);
	s->args = own;
	return outcome;
}

static enum outcome player_play(struct session *s, int side, char *text)
{
	if (frame_is_used(s))
		return player_play_framed(s, side, text);
	switch (record_play_text(&s->record, side, text)) {
	case MOVE_OK:
		break;
	case MOVE_REPEATS:
	case MOVE_ILLEGAL:
		return player_refuse_illegal(s, text);
	case MOVE_MALFORMED:
		return player_refuse_part(s, text) ? REFUSED : player_refuse_unknown(s, text);
	}
	return DONE;
}

bool player_is_move(const struct session *s, const char *text)
{
	struct move move;
	return record_parse(&s->record, text, &move) != MOVE_MALFORMED;
}

/* Plays the moves of a text, one after the other, or none. Omitted forced passes are inserted. */
static enum outcome player_play_all(struct session *s, const char *text)
{
	bool falls = s->record.game->board.falls;
	bool is_numbered = typed_is_columns(s->record.game, s->args[0]);
	struct record *r = &s->record;
	int before = r->count, count = 0;
	enum move_check check;
	for (size_t n; *text; text += n, count++) {
		char move[MOVE_TEXT_MAX];
		n = typed_next(r, text, &check);
		if (n && game_must_pass(r->game, &r->now) && strncasecmp(text, "pass", n) != 0)
			record_play_text(r, r->now.side, "pass");
		n = n ? n : strlen(text);
		snprintf(move, sizeof move, "%.*s", (int)n, text);
		if (check != MOVE_MALFORMED && record_play_text(r, r->now.side, move) == MOVE_OK)
			continue;
		if (is_numbered && n == 1 && isalpha((unsigned char)*move))
			*move = (char)('1' + tolower((unsigned char)*move) - 'a');
		if (check == MOVE_MALFORMED)
			text_printf(s->reply, "%s is not a move%s", move,
				    falls ? ": type the letter or the number of a column" : "");
		else
			player_refuse_illegal(s, move);
		text_puts(s->reply, "; no move of the line was played");
		record_shorten(r, before);
		return REFUSED;
	}
	text_printf(s->reply, "%d moves played\n", count);
	return DONE;
}

/* The error for words that are no moves. It names the first word that is no move. */
static enum outcome player_refuse_words(struct session *s)
{
	char *name = typed_join(s->args, s->arg_count);
	const struct game *g = game_find(name, NULL);
	free(name);
	if (g)
		return player_refuse_unknown(s, g->name);
	for (int i = 0; i < s->arg_count; i++)
		if (!player_is_move(s, s->args[i]))
			return player_refuse_unknown(s, s->args[i]);
	return player_refuse_unknown(s, s->args[0]);
}

/* Plays what a person has typed: one move, perhaps in other forms than the game's, or several. */
static enum outcome player_play_words(struct session *s)
{
	bool guessed;
	char *first = s->args[0];
	if ((s->arg_count == 1 && player_is_move(s, first)) || frame_is_used(s))
		return s->arg_count == 1 ? player_play(s, s->record.now.side, first)
					 : refuse(s, "type one move in a line");
	char *text = typed_moves(&s->record, s->args, s->arg_count, &guessed);
	size_t whole = text ? strlen(text) : 0;
	enum move_check check = MOVE_MALFORMED;
	size_t length = text ? typed_next(&s->record, text, &check) : 0;
	enum outcome outcome;
	if (!length && text && s->arg_count == 1 && player_refuse_part(s, text))
		outcome = REFUSED;
	else if (!length)
		outcome = player_refuse_words(s);
	else if (player_resigned(s) != KEPT_NOBODY ||
		 (s->record.now.over && strcasecmp(text, "pass") != 0))
		outcome = player_refuse_over(s);
	else
		outcome = length < whole ? player_play_all(s, text)
					 : player_play(s, s->record.now.side, text);
	if (outcome == DONE && guessed && length == whole)
		text_printf(s->reply, "%s is read as %s\n", first, text);
	free(text);
	return outcome;
}

/* The person plays one side from now on, yomi the other. */
static enum outcome player_begin_side(struct session *s, int side)
{
	const struct game *g = s->record.game;
	people_player(s)->answers = true;
	people_player(s)->side = side;
	text_printf(s->reply, "You play %s, yomi plays %s.\n", game_side(g, side),
		    game_side(g, side ^ 1));
	return player_is_over(s) || s->record.now.side == side ? DONE : player_go(s);
}

enum outcome player_move(struct session *s)
{
	struct player *player = people_player(s);
	const struct command *command = s->command;
	int before = s->record.count;
	int side;
	if (s->arg_count == 1 && strlen(s->args[0]) > 1 && line_color(s->args[0], &side))
		return player_begin_side(s, side);
	if (!s->arg_count) {
		char example[MOVE_TEXT_MAX];
		player_example(s, example);
		text_printf(s->reply, "Type a move such as %s, or go to let yomi move.\n", example);
		return DONE;
	}
	if (player_is_over(s) && player_is_move(s, s->args[0]))
		return player_refuse_over(s);
	if (player_play_words(s) == REFUSED)
		return REFUSED;
	if (s->record.count > before)
		player->side = s->record.moves[s->record.count - 1].side;
	if (!player->answers || s->record.now.over || notation_of(s)->made(s))
		return DONE;
	s->command = command;
	enum outcome outcome = player_go(s);
	if (outcome == REFUSED)
		record_shorten(&s->record, before);
	return outcome;
}

enum outcome player_black(struct session *s)
{
	return player_begin_side(s, BLACK);
}

enum outcome player_white(struct session *s)
{
	return player_begin_side(s, WHITE);
}

enum outcome player_auto(struct session *s)
{
	struct player *player = people_player(s);
	bool is_on = s->arg_count && strcmp(s->args[0], "on") == 0;
	if (s->arg_count && !is_on && strcmp(s->args[0], "off") != 0)
		return syntax_error(s, "type auto on, or auto off");
	if (s->arg_count)
		player->answers = is_on;
	text_puts(s->reply, player->answers ? "yomi answers each of your moves\n"
					    : "yomi moves only when you type go\n");
	if (player->answers && s->arg_count && !player_is_over(s))
		text_puts(s->reply, "Type your move, or go to let yomi move first.\n");
	return DONE;
}

/* Returns true if the game may go on as it did before moves were taken back. */
static bool player_has_redo(const struct session *s)
{
	const struct player *player = people_player(s);
	const struct record *r = &s->record, *u = &player->undone;
	/* The moves come back with their komi and rules. */
	return player->has_undone && u->count > r->count && u->game == r->game &&
	       state_equal(&u->start, &r->start) && record_begins_with(u, r);
}

/* Keeps the game before moves are taken back. */
static void player_keep_undone(struct session *s)
{
	struct player *player = people_player(s);
	if (player_has_redo(s))
		return;
	if (!player->has_undone)
		record_init(&player->undone, s->record.game);
	player->has_undone = true;
	record_copy(&player->undone, &s->record);
}

/* Takes back one move; if yomi answers, its moves too, so that the person is to move again. */
static enum outcome player_undo_one(struct session *s)
{
	const struct player *player = people_player(s);
	int resigned = player_resigned(s);
	if (resigned != KEPT_NOBODY) {
		player_note_resigned(s, KEPT_NOBODY);
		kept_resign(s->setup.kept, &s->record, KEPT_NOBODY);
		text_puts(s->reply, "The resignation is taken back.\n");
		/* After yomi's own it would be yomi's turn. */
		if (!player->answers || resigned == player->side || !s->record.count)
			return DONE;
	}
	if (!s->record.count && !notation_of(s)->made(s))
		return refuse(s, "there is no move to take back");
	if (!notation_of(s)->made(s))
		player_keep_undone(s);
	enum outcome outcome = people_run_gtp(s, "undo");
	while (outcome == DONE && player->answers && s->record.count &&
	       s->record.now.side != player->side)
		outcome = people_run_gtp(s, "undo");
	return outcome;
}

enum outcome player_undo(struct session *s)
{
	int count = 1;
	if (s->arg_count && strcmp(s->args[0], "all") == 0)
		count = s->record.count ? s->record.count : 1;
	else if (s->arg_count && (!line_int(s->args[0], &count) || !count))
		return syntax_error(s, "type undo, undo all, or undo and the number of moves");
	enum outcome outcome = player_undo_one(s);
	while (outcome == DONE && --count && s->record.count)
		outcome = player_undo_one(s);
	return outcome;
}

/* Makes the next move again that was taken back; if yomi answers, its answer too. */
static void player_redo_one(struct session *s)
{
	struct player *player = people_player(s);
	struct record *r = &s->record;
	int count = r->count;
	do {
		record_copy(r, &player->undone);
		record_shorten(r, ++count);
	} while (count < player->undone.count &&
		 (r->moves[count - 1].implied || (player->answers && r->now.side != player->side)));
	clock_restart(&s->clock);
}

enum outcome player_redo(struct session *s)
{
	int count = 1;
	if (s->arg_count && strcmp(s->args[0], "all") == 0)
		count = INT_MAX;
	else if (s->arg_count && (!line_int(s->args[0], &count) || !count))
		return syntax_error(s, "type redo, redo all, or redo and the number of moves");
	if (!player_has_redo(s))
		return refuse(s, "no move was taken back");
	while (count-- && player_has_redo(s))
		player_redo_one(s);
	return DONE;
}

/* Returns the text behind the first square of a move; NULL if it does not begin with a square, as a pass. */
static const char *player_behind_square(const char *move)
{
	size_t digits = *move ? strspn(move + 1, "0123456789") : 0;
	return digits ? move + 1 + digits : NULL;
}

/* Compares moves by their first squares, row by row. */
static int player_compare(const void *a, const void *b)
{
	const char *x = a, *y = b;
	int rows = atoi(x + 1) - atoi(y + 1);
	return rows ? rows : strcmp(x, y);
}

/* Writes moves of several squares or with a turn in groups, one a line: squares that may be followed by the same, and
 * what may follow. Sorts the moves. */
static void player_print_groups(struct text *out, char (*texts)[MOVE_TEXT_MAX], int count,
				const char *joint)
{
	char *last = NULL;
	qsort(texts, (size_t)count, sizeof *texts, player_compare);
	for (int i = 0; i < count;) {
		const char *first = texts[i];
		int square = (int)(player_behind_square(first) - first);
		struct text rest = { 0 };
		for (; i < count && strncmp(texts[i], first, (size_t)square) == 0; i++)
			text_printf(&rest, " %s", texts[i] + square);
		bool is_same = last && strcmp(rest.bytes, last) == 0;
		if (last && !is_same)
			text_printf(out, "%s%s\n", joint, last);
		text_printf(out, "%s%.*s", is_same ? " " : "", square, first);
		free(last);
		last = rest.bytes;
	}
	text_printf(out, "%s%s\n", joint, last ? last : "");
	free(last);
}

enum outcome player_moves(struct session *s)
{
	struct move moves[GAME_MOVES_MAX];
	char(*texts)[MOVE_TEXT_MAX];
	bool has_rest = true;
	int count = 0;
	if (player_is_over(s))
		return player_refuse_over(s);
	int n = notation_of(s)->moves(s, moves);
	texts = xcalloc((size_t)n, sizeof *texts);
	for (int i = 0; i < n; i++) {
		format_play(s, moves[i], texts[count]);
		const char *rest = player_behind_square(texts[count]);
		has_rest &= rest && *rest;
		count += !count || strcmp(texts[count], texts[count - 1]) != 0;
	}
	text_printf(s->reply, "%s has %d legal move%s:\n",
		    game_side(s->record.game, s->record.now.side), count, count == 1 ? "" : "s");
	if (has_rest)
		player_print_groups(s->reply, texts, count,
				    s->record.game->board.turns ? ", then" : " to");
	for (int i = 0; i < count && !has_rest; i++)
		text_printf(s->reply, "%s%s", texts[i], i < count - 1 ? " " : "\n");
	free(texts);
	return DONE;
}

enum outcome player_resign(struct session *s)
{
	struct record *r = &s->record;
	int side = people_player(s)->answers ? people_player(s)->side : r->now.side;
	if (player_is_over(s))
		return player_refuse_over(s);
	player_note_resigned(s, side);
	kept_resign(s->setup.kept, r, side);
	text_printf(s->reply, "%s resigns: %s wins. Type new to begin another game, or undo.\n",
		    game_side(r->game, side), game_side(r->game, side ^ 1));
	return DONE;
}

/* Writes how many stones each side has. */
static void player_print_stones(const struct session *s)
{
	const struct game *g = s->record.game;
	int counts[2] = { 0, 0 };
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		int owner = board_owner(
			&g->board, g->at(g, &s->record.now, i / g->board.cols, i % g->board.cols));
		counts[BLACK] += owner > 0;
		counts[WHITE] += owner < 0;
	}
	text_printf(s->reply, "%s has %d %s, %s has %d. ", game_side(g, BLACK), counts[BLACK],
		    g->score.unit ? g->score.unit : "pieces", game_side(g, WHITE), counts[WHITE]);
}

/* The result, or what can be counted before the end. */
enum outcome player_score(struct session *s)
{
	const struct game *g = s->record.game;
	struct state end = s->record.now;
	char result[RESULT_TEXT_MAX];
	if (player_is_over(s)) {
		player_result(s, result);
		text_printf(s->reply, "%s\n", result);
		return DONE;
	}
	if (!end.over && (!g->steps.may_pass || !game_end(g, &end))) {
		/* In games that only add one stone a move their number tells nothing. */
		if (g->score.unit || g->steps.frees_squares)
			player_print_stones(s);
		text_puts(s->reply, "The game is not over. analyze tells who is ahead.\n");
		return DONE;
	}
	game_result(g, &end, result);
	text_printf(s->reply, "If the game ended now: %s\n", result);
	return DONE;
}
