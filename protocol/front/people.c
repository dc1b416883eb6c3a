/* SPDX-License-Identifier: MIT */
#include "protocol/front/people.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "engine/drawing.h"
#include "engine/level.h"
#include "engine/memory.h"
#include "engine/square.h"
#include "engine/version.h"
#include "games/games.h"
#include "protocol/front/kept.h"
#include "protocol/front/terminal.h"
#include "protocol/front/tutor.h"
#include "protocol/front/typed.h"
#include "protocol/gomocup.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/settings.h"
#include "protocol/gtp/size.h"
#include "protocol/gtp/suggestion.h"
#include "protocol/gtp/think.h"
#include "protocol/nboard.h"
#include "protocol/teach/loss.h"

#define KEPT_SHOWN  10 /* most kept games in a list */
#define MOVES_SHOWN 24 /* most legal moves in an error */
#define HELP_INDENT 23 /* column of the explanations of commands */
#define WIDE        60 /* columns of a terminal that shows explanations beside commands */

/* The protocol's state of a session. */
struct people {
	bool answers;         /* yomi answers each move that the person types */
	int side;             /* the side of the last move that the person typed */
	bool is_plain;        /* the running command is one for people */
	struct record undone; /* the game before moves were taken back, if has_undone */
	bool has_undone;
	char *name; /* of the command that another word meant, or NULL */
};

static struct people *people_of(const struct session *s)
{
	return s->protocol_state;
}

bool people_answers(const struct session *s)
{
	return people_of(s)->answers;
}

/* --- writing --- */

/* Returns the number of columns of the first bytes of a text. */
static int width_of(const char *text, size_t bytes)
{
	int columns = 0;
	for (size_t i = 0; i < bytes; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

/* Writes words and breaks lines between them. `column` is where the first word begins, `indent` where later
 * lines begin. Ends with a line feed. */
static void print_words(FILE *f, const char *text, int column, int indent)
{
	int room = terminal_columns() - 1, at = column, gap = 0;
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t bytes = strcspn(text, " ");
		int length = width_of(text, bytes);
		if (at > indent && at + gap + length > room) {
			fprintf(f, "\n%*s", indent, "");
			at = indent;
			gap = 0;
		}
		fprintf(f, "%*s%.*s", gap, "", (int)bytes, text);
		at += gap + length;
		gap = 1;
		text += bytes;
	}
	fputc('\n', f);
}

/* Breaks the lines of a text that are longer than the terminal between words. Indented lines stay indented. */
static char *wrap(const char *text)
{
	char *wrapped;
	size_t length;
	FILE *f = text_open(&wrapped, &length);
	for (const char *next; *text; text = next) {
		size_t bytes = strcspn(text, "\n");
		int indent = (int)strspn(text, " ");
		next = text + bytes + (text[bytes] == '\n');
		if (width_of(text, bytes) < terminal_columns()) {
			fwrite(text, 1, (size_t)(next - text), f);
			continue;
		}
		char *line = xstrndup(text + indent, bytes - (size_t)indent);
		fprintf(f, "%*s", indent, "");
		print_words(f, line, indent, indent);
		free(line);
	}
	fclose(f);
	return wrapped;
}

/* Writes what a search found, for the side that was to move. A move of a low level may be one that its search has not
 * tried. */
static void print_finding(const struct session *s, const struct report *r, FILE *f)
{
	struct worth worth = worth_of_report(r);
	bool is_known = worth.lower == worth.upper || !isnan(worth_share(&worth));
	if (r->book)
		fputs(": from the opening book", f);
	if (r->book || !is_known)
		return;
	fputs(": ", f);
	worth_print(&worth, s->record.game, s->side, f);
}

/* Writes an example of a move: a legal one from the middle of the list, or at the end of the game one of the next game. */
static void format_example(const struct session *s, char text[MOVE_TEXT_MAX])
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

/* --- moves --- */

enum outcome people_refuse_over(struct session *s)
{
	char result[RESULT_TEXT_MAX];
	game_result(s->record.game, &s->record.now, result);
	fprintf(s->reply, "the game is over (%s); type new to begin another, or undo", result);
	return REFUSED;
}

/* Returns the length of the square with which a move begins, if that has a stone; otherwise 0. */
static int taken_length(const struct session *s, const char *text)
{
	int row, col;
	const struct game *g = s->record.game;
	const char *end = frame_is_used(s) ? NULL : square_parse(g, text, &row, &col);
	char stone = end ? g->at(&s->record.now, row, col) : '.';
	return stone == 'X' || stone == 'O' ? (int)(end - text) : 0;
}

/* Writes the distinct legal plays, each after a blank: all, or those that begin with a square, the first `length` characters
 * of `from`. Returns their number. */
static int print_moves(const struct session *s, const char *from, int length, FILE *f)
{
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX], last[MOVE_TEXT_MAX] = "";
	int n = notation_of(s)->moves(s, moves), count = 0;
	for (int i = 0; i < n; i++) {
		format_play(s, moves[i], text);
		bool begins = !length || (taken_length(s, text) == length &&
					  strncasecmp(text, from, (size_t)length) == 0);
		/* Moves that begin with the same play are adjacent in the list. */
		if (!begins || strcmp(text, last) == 0)
			continue;
		fprintf(f, " %s", text);
		strcpy(last, text);
		count++;
	}
	return count;
}

/* The error for a move from a square, which has a stone, in a game that moves its pieces. Returns false in other games. */
static bool refuse_from(struct session *s, const char *text, int length)
{
	struct move moves[GAME_MOVES_MAX];
	char move[MOVE_TEXT_MAX], *list;
	size_t size;
	if (!length || !notation_of(s)->moves(s, moves))
		return false;
	format_play(s, moves[0], move);
	if (!taken_length(s, move))
		return false;
	FILE *f = text_open(&list, &size);
	int count = print_moves(s, text, length, f);
	fclose(f);
	fprintf(s->reply, "%s is not a legal move; ", text);
	if (count)
		fprintf(s->reply, "legal moves from %.*s:%s", length, text, list);
	else
		fprintf(s->reply, "no legal move begins with %.*s", length, text);
	free(list);
	return true;
}

/* The error for a pass, a swap or a square off the board. Returns false for other moves. */
static bool refuse_rare(struct session *s, const char *text)
{
	const struct game *g = s->record.game;
	int row, col;
	const char *end = square_parse(g, text, &row, &col);
	if (strcasecmp(text, "pass") == 0)
		fprintf(s->reply,
			g->pass == MOVE_NONE ? "%s has no pass"
					     : "%s allows a pass only without a legal move",
			g->title);
	else if (strcasecmp(text, "swap") == 0 || strcasecmp(text, MOVE_SWAP) == 0)
		fprintf(s->reply, "%s allows a swap only as the first move of White", g->title);
	else if (end && g->at(&s->record.now, row, col) == ':')
		fprintf(s->reply, "%.*s is not on the board", (int)(end - text), text);
	else
		return false;
	return true;
}

enum outcome people_refuse_illegal(struct session *s, const char *text)
{
	struct move move;
	if (s->record.now.over)
		return people_refuse_over(s);
	if (record_parse(&s->record, text, &move) == MOVE_REPEATS) {
		fprintf(s->reply, "%s brings back an earlier position, which superko forbids",
			text);
		return REFUSED;
	}
	if (game_must_pass(s->record.game, &s->record.now)) {
		fprintf(s->reply, "%s has no legal move; type pass",
			game_side(s->record.game, s->record.now.side));
		return REFUSED;
	}
	if (refuse_rare(s, text))
		return REFUSED;
	int taken = taken_length(s, text);
	if (refuse_from(s, text, taken))
		return REFUSED;
	if (taken)
		fprintf(s->reply, "%.*s is taken; ", taken, text);
	else
		fprintf(s->reply, "%s is not a legal move; ", text);
	char *list;
	size_t length;
	FILE *f = text_open(&list, &length);
	int count = print_moves(s, "", 0, f);
	fclose(f);
	if (count <= MOVES_SHOWN)
		fprintf(s->reply, "legal moves:%s", list);
	else
		fprintf(s->reply, "type moves to see the %d legal moves", count);
	free(list);
	return REFUSED;
}

/* The error for a beginning of moves, such as a square without Pentago's turn. Returns false if no legal move
 * begins with this text. */
static bool refuse_part(struct session *s, const char *text)
{
	struct move moves[GAME_MOVES_MAX];
	char move[MOVE_TEXT_MAX];
	size_t length = strlen(text);
	int n = s->record.now.over ? 0 : notation_of(s)->moves(s, moves), count = 0;
	for (int i = 0; i < n && length > 1; i++) {
		format_play(s, moves[i], move);
		if (strncasecmp(move, text, length) != 0)
			continue;
		if (count++ == 0)
			fprintf(s->reply, "%s is only a part of a move; type one of:", text);
		fprintf(s->reply, " %s", move);
	}
	if (count)
		fputs(" (help rules tells what they mean)", s->reply);
	return count;
}

/* Returns true if the word is a letter and a number. */
static bool is_square_like(const char *word)
{
	return isalpha((unsigned char)word[0]) && word[1] &&
	       !word[1 + strspn(word + 1, "0123456789")];
}

/* The error for a square with which no legal move begins. */
static enum outcome refuse_square(struct session *s, const char *word)
{
	const struct game *g = s->record.game;
	int row, col;
	if (s->record.now.over)
		return people_refuse_over(s);
	if (square_parse(g, word, &row, &col)) {
		fprintf(s->reply, "no legal move begins with %s; type moves to see them", word);
		return REFUSED;
	}
	fprintf(s->reply, "%s is not on the board; its squares are a1 to %c%d", word,
		tolower(square_letter(g, g->cols - 1)), g->rows);
	if (g->skips_i && tolower((unsigned char)*word) == 'i')
		fputs(", without a column i", s->reply);
	return REFUSED;
}

static enum outcome refuse_unknown(struct session *s, const char *word)
{
	struct suggestion suggestion;
	if (is_square_like(word) && !frame_is_used(s))
		return refuse_square(s, word);
	if (game_find(word, NULL)) {
		fprintf(s->reply, "%s is a game; type game %s", word, word);
		return REFUSED;
	}
	if (strcasecmp(word, "swap") == 0) {
		fprintf(s->reply, "%s has no swap", s->record.game->title);
		return REFUSED;
	}
	suggestion_begin(&suggestion, word);
	for (const struct command *c = people_commands; c->name; c++)
		if (*c->name)
			suggestion_consider(&suggestion, c->name);
	for (int i = 0; command_at(i); i++)
		suggestion_consider(&suggestion, command_at(i)->name);
	fprintf(s->reply, "unknown command %s", word);
	if ((unsigned char)*word >= 0x80)
		fputs("; commands and moves have Latin letters; type help", s->reply);
	else if (suggestion.best)
		fprintf(s->reply, "; did you mean %s?", suggestion.best);
	else
		fputs("; type help", s->reply);
	return REFUSED;
}

/* The move that yomi has made or makes changes the sides if it is a move of the person's side. */
static void note_sides(struct session *s)
{
	struct people *people = people_of(s);
	if (!people->answers || s->side != people->side || s->record.now.over)
		return;
	people->side = s->side ^ 1;
	fprintf(s->reply, "You play %s now.\n", game_side(s->record.game, people->side));
}

/* Makes yomi move for the side to move. */
static enum outcome begin_answer(struct session *s)
{
	char text[ANSWER_TEXT_MAX];
	if (s->record.now.over)
		return people_refuse_over(s);
	s->side = s->record.now.side;
	if (think_known(s, text)) {
		if (strcmp(text, "PASS") == 0)
			fputs("yomi has no move and passes\n", s->reply);
		else
			fprintf(s->reply, "yomi plays %s\n", text);
		note_sides(s);
		return DONE;
	}
	struct limits limits = think_limits(s);
	limits.book = true;
	return think_begin(s, &limits, THINKING);
}

static enum outcome finish_answer(struct session *s, const struct report *report)
{
	char text[ANSWER_TEXT_MAX];
	if (!think_found(s, report, text))
		return REFUSED;
	if (strcmp(text, "resign") == 0) {
		fputs("yomi resigns\n", s->reply);
		return DONE;
	}
	fprintf(s->reply, "yomi plays %s", text);
	print_finding(s, report, s->reply);
	fputc('\n', s->reply);
	if (strcmp(text, MOVE_SWAP) == 0)
		fputs("It has taken over the first stone; help rules tells how.\n", s->reply);
	note_sides(s);
	return DONE;
}

/* Plays a move in Pentago's frame, by the command of GTP, which knows the frame. */
static enum outcome play_framed(struct session *s, int side, char *text)
{
	char color[2] = { side == BLACK ? 'b' : 'w', '\0' }, *args[] = { color, text },
	     **own = s->args;
	s->command = command_find("play");
	s->args = args;
	enum outcome outcome = command_run(s);
	s->args = own;
	return outcome;
}

static enum outcome play(struct session *s, int side, char *text)
{
	if (frame_is_used(s))
		return play_framed(s, side, text);
	switch (record_play_text(&s->record, side, text)) {
	case MOVE_OK:
		break;
	case MOVE_REPEATS:
	case MOVE_ILLEGAL:
		return people_refuse_illegal(s, text);
	case MOVE_MALFORMED:
		return refuse_part(s, text) ? REFUSED : refuse_unknown(s, text);
	}
	return DONE;
}

/* Returns true if a text has the form of a move, which may be illegal. */
static bool is_move_like(const struct session *s, const char *text)
{
	struct move move;
	return record_parse(&s->record, text, &move) != MOVE_MALFORMED;
}

/* Plays the moves of a text, one after the other, or none. Omitted forced passes are inserted. */
static enum outcome play_all(struct session *s, const char *text)
{
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
		if (check == MOVE_MALFORMED)
			fprintf(s->reply, "%s is not a move", move);
		else
			people_refuse_illegal(s, move);
		fputs("; no move of the line was played", s->reply);
		record_shorten(r, before);
		return REFUSED;
	}
	fprintf(s->reply, "%d moves played\n", count);
	return DONE;
}

/* Joins words without blanks and hyphens: "connect", "four". The caller frees the text. */
static char *join_name(char *const *words, int count)
{
	char *name;
	size_t length;
	FILE *f = text_open(&name, &length);
	for (int i = 0; i < count; i++)
		for (const char *c = words[i]; *c; c++)
			if (*c != '-')
				fputc(*c, f);
	fclose(f);
	return name;
}

/* The error for words that are no moves: for the first that is none. */
static enum outcome refuse_words(struct session *s)
{
	char *name = join_name(s->args, s->arg_count);
	const struct game *g = game_find(name, NULL);
	free(name);
	if (g)
		return refuse_unknown(s, g->name);
	for (int i = 0; i < s->arg_count; i++)
		if (!is_move_like(s, s->args[i]))
			return refuse_unknown(s, s->args[i]);
	return refuse_unknown(s, s->args[0]);
}

/* Plays what a person has typed: one move, perhaps in other forms than the game's, or several. */
static enum outcome play_words(struct session *s)
{
	bool guessed;
	char *first = s->args[0];
	if ((s->arg_count == 1 && is_move_like(s, first)) || frame_is_used(s))
		return s->arg_count == 1 ? play(s, s->record.now.side, first)
					 : refuse(s, "type one move in a line");
	char *text = typed_moves(&s->record, s->args, s->arg_count, &guessed);
	size_t whole = text ? strlen(text) : 0;
	enum move_check check = MOVE_MALFORMED;
	size_t length = text ? typed_next(&s->record, text, &check) : 0;
	enum outcome outcome;
	if (!length && text && s->arg_count == 1 && refuse_part(s, text))
		outcome = REFUSED;
	else if (!length)
		outcome = refuse_words(s);
	else if (s->record.now.over && strcasecmp(text, "pass") != 0)
		outcome = people_refuse_over(s);
	else
		outcome = length < whole ? play_all(s, text) : play(s, s->record.now.side, text);
	if (outcome == DONE && guessed && length == whole)
		fprintf(s->reply, "%s is read as %s\n", first, text);
	free(text);
	return outcome;
}

/* The person plays one side from now on, yomi the other. */
static enum outcome begin_side(struct session *s, int side)
{
	const struct game *g = s->record.game;
	people_of(s)->answers = true;
	people_of(s)->side = side;
	fprintf(s->reply, "You play %s, yomi plays %s.\n", game_side(g, side),
		game_side(g, side ^ 1));
	return s->record.now.over || s->record.now.side == side ? DONE : begin_answer(s);
}

static enum outcome run_move(struct session *s)
{
	struct people *people = people_of(s);
	const struct command *command = s->command;
	int before = s->record.count;
	int side;
	if (s->arg_count == 1 && strlen(s->args[0]) > 1 && gtp_color(s->args[0], &side))
		return begin_side(s, side);
	if (!s->arg_count) {
		char example[MOVE_TEXT_MAX];
		format_example(s, example);
		fprintf(s->reply, "Type a move such as %s, or go to let yomi move.\n", example);
		return DONE;
	}
	if (s->record.now.over && is_move_like(s, s->args[0]))
		return people_refuse_over(s);
	if (play_words(s) == REFUSED)
		return REFUSED;
	if (s->record.count > before)
		people->side = s->record.moves[s->record.count - 1].side;
	if (!people->answers || s->record.now.over || notation_of(s)->made(s))
		return DONE;
	s->command = command;
	enum outcome outcome = begin_answer(s);
	if (outcome == REFUSED)
		record_shorten(&s->record, before);
	return outcome;
}

static enum outcome run_go(struct session *s)
{
	return begin_answer(s);
}

static enum outcome run_black(struct session *s)
{
	return begin_side(s, BLACK);
}

static enum outcome run_white(struct session *s)
{
	return begin_side(s, WHITE);
}

static enum outcome run_auto(struct session *s)
{
	struct people *people = people_of(s);
	bool is_on = s->arg_count && strcmp(s->args[0], "on") == 0;
	if (s->arg_count && !is_on && strcmp(s->args[0], "off") != 0)
		return syntax_error(s, "type auto on, or auto off");
	if (s->arg_count)
		people->answers = is_on;
	fputs(people->answers ? "yomi answers each of your moves\n"
			      : "yomi moves only when you type go\n",
	      s->reply);
	if (people->answers && s->arg_count && !s->record.now.over)
		fputs("Type your move, or go to let yomi move first.\n", s->reply);
	return DONE;
}

/* Runs a command of GTP with the same arguments. */
static enum outcome run_gtp(struct session *s, const char *name)
{
	s->command = command_find(name);
	return command_run(s);
}

/* Returns true if the game may go on as it did before moves were taken back. */
static bool has_redo(const struct session *s)
{
	const struct people *people = people_of(s);
	const struct record *r = &s->record, *u = &people->undone;
	if (!people->has_undone || u->game != r->game || u->count <= r->count ||
	    !state_equal(&u->start, &r->start))
		return false;
	for (int i = 0; i < r->count; i++)
		if (!move_equal(u->moves[i].move, r->moves[i].move))
			return false;
	return true;
}

/* Keeps the game before moves are taken back. */
static void keep_undone(struct session *s)
{
	struct people *people = people_of(s);
	if (has_redo(s))
		return;
	if (!people->has_undone)
		record_init(&people->undone, s->record.game);
	people->has_undone = true;
	record_copy(&people->undone, &s->record);
}

/* Takes back one move; if yomi answers, its moves too, so that the person is to move again. */
static enum outcome undo_one(struct session *s)
{
	const struct people *people = people_of(s);
	if (!s->record.count && !notation_of(s)->made(s))
		return refuse(s, "there is no move to take back");
	if (!notation_of(s)->made(s))
		keep_undone(s);
	enum outcome outcome = run_gtp(s, "undo");
	while (outcome == DONE && people->answers && s->record.count &&
	       s->record.now.side != people->side)
		outcome = run_gtp(s, "undo");
	return outcome;
}

static enum outcome run_undo(struct session *s)
{
	int count = 1;
	if (s->arg_count && (!gtp_int(s->args[0], &count) || !count))
		return syntax_error(s, "type undo, or undo and the number of moves");
	enum outcome outcome = undo_one(s);
	while (outcome == DONE && --count && s->record.count)
		outcome = undo_one(s);
	return outcome;
}

/* Makes the next move again that was taken back; if yomi answers, its answer too. */
static enum outcome run_redo(struct session *s)
{
	struct people *people = people_of(s);
	struct record *r = &s->record;
	int count = r->count;
	if (!has_redo(s))
		return refuse(s, "no move was taken back");
	do
		record_copy(r, &people->undone), record_shorten(r, ++count);
	while (count < people->undone.count &&
	       (r->moves[count - 1].implied || (people->answers && r->now.side != people->side)));
	clock_restart(&s->clock);
	return DONE;
}

/* Returns the text behind the first square of a move. */
static const char *behind_square(const char *move)
{
	return *move ? move + 1 + strspn(move + 1, "0123456789") : move;
}

/* Compares moves by their first squares, row by row. */
static int compare_moves(const void *a, const void *b)
{
	const char *x = a, *y = b;
	int rows = atoi(x + 1) - atoi(y + 1);
	return rows ? rows : strcmp(x, y);
}

/* Writes moves of several squares or with a turn in groups, one a line: squares that may be followed by the same, and
 * what may follow. Sorts the moves. */
static void print_groups(FILE *f, char (*texts)[MOVE_TEXT_MAX], int count, const char *joint)
{
	char *last = NULL;
	qsort(texts, (size_t)count, sizeof *texts, compare_moves);
	for (int i = 0; i < count;) {
		const char *first = texts[i];
		int square = (int)(behind_square(first) - first);
		char *rest;
		size_t length;
		FILE *r = text_open(&rest, &length);
		for (; i < count && strncmp(texts[i], first, (size_t)square) == 0; i++)
			fprintf(r, " %s", texts[i] + square);
		fclose(r);
		bool is_same = last && strcmp(rest, last) == 0;
		if (last && !is_same)
			fprintf(f, "%s%s\n", joint, last);
		fprintf(f, "%s%.*s", is_same ? " " : "", square, first);
		free(last);
		last = rest;
	}
	fprintf(f, "%s%s\n", joint, last ? last : "");
	free(last);
}

static enum outcome run_moves(struct session *s)
{
	struct move moves[GAME_MOVES_MAX];
	char(*texts)[MOVE_TEXT_MAX];
	bool has_rest = true;
	int count = 0;
	if (s->record.now.over)
		return people_refuse_over(s);
	int n = notation_of(s)->moves(s, moves);
	texts = xcalloc((size_t)n, sizeof *texts);
	for (int i = 0; i < n; i++) {
		format_play(s, moves[i], texts[count]);
		has_rest &= *behind_square(texts[count]) != '\0';
		count += !count || strcmp(texts[count], texts[count - 1]) != 0;
	}
	fprintf(s->reply, "%s has %d legal move%s:\n",
		game_side(s->record.game, s->record.now.side), count, count == 1 ? "" : "s");
	if (has_rest)
		print_groups(s->reply, texts, count, s->record.game->turns ? ", then" : " to");
	for (int i = 0; i < count && !has_rest; i++)
		fprintf(s->reply, "%s%s", texts[i], i < count - 1 ? " " : "\n");
	free(texts);
	return DONE;
}

static enum outcome run_resign(struct session *s)
{
	struct record *r = &s->record;
	int side = people_of(s)->answers ? people_of(s)->side : r->now.side;
	if (r->now.over)
		return people_refuse_over(s);
	kept_resign(s->setup.kept, r, side);
	fprintf(s->reply, "%s resigns: %s wins. Type new to begin another game.\n",
		game_side(r->game, side), game_side(r->game, side ^ 1));
	return DONE;
}

/* Writes how many stones each side has. */
static void print_stones(const struct session *s)
{
	const struct game *g = s->record.game;
	int counts[2] = { 0, 0 };
	for (int i = 0; i < g->rows * g->cols; i++) {
		char stone = g->at(&s->record.now, i / g->cols, i % g->cols);
		counts[BLACK] += stone == 'X';
		counts[WHITE] += stone == 'O';
	}
	fprintf(s->reply, "%s has %d %s, %s has %d. ", game_side(g, BLACK), counts[BLACK],
		g->unit ? g->unit : "pieces", game_side(g, WHITE), counts[WHITE]);
}

/* The result, or what can be counted before the end. */
static enum outcome run_score(struct session *s)
{
	const struct game *g = s->record.game;
	struct state end = s->record.now;
	char result[RESULT_TEXT_MAX];
	if (!end.over && (!g->may_pass || !game_end(g, &end))) {
		/* In games that only add one stone a move their number tells nothing. */
		if (g->unit || g->frees_squares)
			print_stones(s);
		fputs("The game is not over. analyze tells who is ahead.\n", s->reply);
		return DONE;
	}
	game_result(g, &end, result);
	fprintf(s->reply, s->record.now.over ? "%s\n" : "If the game ended now: %s\n", result);
	return DONE;
}

/* --- games and settings --- */

/* Writes the size of a board that is not the usual one of the game. */
static void print_size(FILE *f, const struct game *g)
{
	char size[SIZE_TEXT_MAX];
	size_format(g, size);
	if (g != game_find(g->name, g->rules))
		fprintf(f, ", size %s", size);
}

static enum outcome begin_game(struct session *s, const struct game *g)
{
	bool has_other_rules = !game_has_usual_rules(g);
	bool waits = kept_waits(s->setup.kept, &s->record);
	start_game(s, g);
	fprintf(s->reply, "a new game of %s%s%s%s", g->title, has_other_rules ? " (rules " : "",
		has_other_rules ? g->rules : "", has_other_rules ? ")" : "");
	print_size(s->reply, g);
	fputs(waits ? "\nThe last one is kept; continue goes back to it.\n" : "\n", s->reply);
	return DONE;
}

/* Lists the games, and their rules where there is a choice. */
static void print_games(struct session *s)
{
	for (int i = 0; games[i]; i++) {
		bool is_first = game_find(games[i]->name, NULL) == games[i];
		bool is_only = is_first &&
			       (!games[i + 1] || strcmp(games[i + 1]->name, games[i]->name) != 0);
		fprintf(s->reply, is_only ? "game %s\n" : "game %s %s\n", games[i]->name,
			games[i]->rules);
	}
	fprintf(s->reply, "You are playing %s.\n", s->record.game->title);
}

static void refuse_game(struct session *s, const char *name)
{
	struct suggestion suggestion;
	suggestion_begin(&suggestion, name);
	for (int i = 0; games[i]; i++)
		suggestion_consider(&suggestion, games[i]->name);
	fprintf(s->reply, "there is no game %s; ", name);
	if (suggestion.best)
		fprintf(s->reply, "did you mean %s?", suggestion.best);
	else
		fputs("type game for a list", s->reply);
}

/* Finds the game that words name: its name, which may be several words, then perhaps rules. Returns NULL after an
 * error. */
static const struct game *find_game(struct session *s, char *const *words, int count)
{
	const struct game *g = NULL;
	const char *rules = NULL;
	for (int name = count; name > 0 && !g && name >= count - 1; name--) {
		char *text = join_name(words, name);
		rules = name < count ? words[name] : NULL;
		g = game_find(text, rules);
		free(text);
	}
	if (!g && rules && game_find(words[0], NULL))
		fprintf(s->reply,
			"%s has no rules %s; type game for a list, size N for another size",
			game_find(words[0], NULL)->title, rules);
	else if (!g)
		refuse_game(s, words[0]);
	return g;
}

static enum outcome run_game(struct session *s)
{
	int count = s->arg_count;
	if (!count) {
		print_games(s);
		return DONE;
	}
	const char *last = s->args[count - 1];
	bool has_size = count > 1 && isdigit((unsigned char)*last);
	const struct game *g = find_game(s, s->args, count - has_size), *sized = g;
	if (!g)
		return REFUSED;
	if (!has_size || (size_find(&sized, last) && sized))
		return begin_game(s, sized);
	char sizes[SIZE_LIST_MAX];
	size_list(g, sizes);
	fprintf(s->reply, "%s has %s %s", g->title, size_varies(g) ? "the sizes" : "only size",
		sizes);
	return REFUSED;
}

static enum outcome run_size(struct session *s)
{
	char name[GAME_NAME_MAX + 1], *words[] = { name, s->args[0] };
	snprintf(name, sizeof name, "%s", s->record.game->name);
	s->args = words;
	s->arg_count = 2;
	return run_game(s);
}

/* `new game` is `new`, `new hex` is `game hex`. */
static enum outcome run_new(struct session *s)
{
	if (s->arg_count && strcmp(s->args[0], "game") == 0) {
		s->args++;
		s->arg_count--;
	}
	return s->arg_count ? run_game(s) : begin_game(s, s->record.game);
}

/* --- kept games --- */

/* Writes the game, its size if it is unusual, and the number of moves. */
static void print_kept(FILE *f, const struct game *g, int moves)
{
	fputs(g->title, f);
	print_size(f, g);
	fprintf(f, ", %d move%s", moves, moves == 1 ? "" : "s");
}

static enum outcome run_kept(struct session *s)
{
	struct kept_game list[KEPT_SHOWN];
	int count = kept_list(s->setup.kept, list, KEPT_SHOWN);
	if (!count)
		return refuse(s, "no other game is kept");
	for (int i = 0; i < count; i++) {
		struct tm when;
		char date[32] = "";
		if (localtime_r(&list[i].written, &when))
			strftime(date, sizeof date, "%Y-%m-%d %H:%M", &when);
		fprintf(s->reply, "continue %-3d %s  ", list[i].number, date);
		print_kept(s->reply, list[i].game, list[i].moves);
		fputs(list[i].is_over ? ", finished\n" : "\n", s->reply);
	}
	return DONE;
}

/* Returns the number of the last game that is not finished, or else of the last one; 0: there is none. */
static int last_kept(const struct kept *k)
{
	struct kept_game list[KEPT_SHOWN];
	int count = kept_list(k, list, KEPT_SHOWN);
	for (int i = 0; i < count; i++)
		if (!list[i].is_over)
			return list[i].number;
	return count ? list[0].number : 0;
}

static enum outcome run_continue(struct session *s)
{
	char why[REASON_MAX];
	int number;
	if (!s->arg_count)
		number = last_kept(s->setup.kept);
	else if (!gtp_int(s->args[0], &number))
		return syntax_error(s, "type continue, or continue and a number; kept lists them");
	if (!number)
		return refuse(s, "no other game is kept");
	if (!kept_take(s->setup.kept, number, &s->record, why))
		return refuse(s, why);
	print_kept(s->reply, s->record.game, s->record.count);
	fputc('\n', s->reply);
	return answer_load(s, "");
}

/* --- settings --- */

/* Sets an option if there is an argument. Writes its value to the reply. */
static enum outcome set_or_show(struct session *s, const char *name, char text[OPTION_TEXT_MAX])
{
	const struct option *option = setting_find(name);
	const struct setting_values values = session_values(s);
	char why[REASON_MAX];
	if (s->arg_count && !session_set_option(s, option, s->args[0], why))
		return refuse(s, why);
	setting_get(&values, option, text);
	return DONE;
}

/* Tells how strong a level is: its name, and how it would do against the next one. */
static void print_level(FILE *f, const struct game *g, double level)
{
	int whole = (int)fmax(1, round(level)), elo = level_elo(g, level);
	if (level <= 0) {
		fprintf(f, "level 0: full strength. Levels 1 (%s) to %d (%s) are weaker.\n",
			level_name(1), LEVEL_MAX, level_name(LEVEL_MAX));
		return;
	}
	fprintf(f, "level %.3g of %d: %s.", level, LEVEL_MAX, level_name(whole));
	if (elo) {
		bool is_highest = level >= LEVEL_MAX;
		double other = is_highest ? level - 1 : fmin(level + 1, LEVEL_MAX);
		double share = level_share(elo, level_elo(g, other));
		fprintf(f, " %s %.3g wins about %.0f of 100 games against %s %.3g.", "Level",
			is_highest ? level : other, 100 * (is_highest ? share : 1 - share), "level",
			is_highest ? other : level);
		fprintf(f, " Elo %d, where random moves in %s have 0.", elo, g->title);
	}
	fputc('\n', f);
}

static enum outcome run_level(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	enum outcome outcome = set_or_show(s, "level", text);
	if (outcome == DONE)
		print_level(s->reply, s->record.game,
			    level_wanted(engine_options(s->engine), s->record.game));
	return outcome;
}

static enum outcome run_time(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	enum outcome outcome = set_or_show(s, "time", text);
	if (outcome == DONE)
		fprintf(s->reply, "%s seconds a move%s\n", text,
			level_wanted(engine_options(s->engine), s->record.game) > 0
				? ", but a level sets its own limit"
				: "");
	return outcome;
}

/* Returns the name of a file that the arguments are, as a shell reads it: it may be quoted, or have a backslash before a character,
 * as Tab writes it, and begin with `~/`. The caller frees it. */
static char *file_name(const struct session *s)
{
	char *name, quote = '\0';
	size_t length;
	const char *home = getenv("HOME");
	bool is_at_home = home && strncmp(s->args[0], "~/", 2) == 0;
	FILE *f = text_open(&name, &length);
	fputs(is_at_home ? home : "", f);
	for (int i = 0; i < s->arg_count; i++) {
		fputs(i ? " " : "", f);
		for (const char *word = s->args[i] + (!i && is_at_home); *word; word++) {
			if (*word == quote)
				quote = '\0';
			else if (!quote && (*word == '"' || *word == '\''))
				quote = *word;
			else if (*word != '\\' || quote == '\'')
				fputc(*word, f);
			else if (word[1])
				fputc(*++word, f);
		}
	}
	fclose(f);
	return name;
}

/* Runs a command of GTP with the name of a file. */
static enum outcome run_with_file(struct session *s, const char *name, const char *done)
{
	char *file = file_name(s), **own = s->args;
	int count = s->arg_count;
	s->args = &file;
	s->arg_count = 1;
	enum outcome outcome = run_gtp(s, name);
	s->args = own;
	s->arg_count = count;
	if (outcome == DONE && done)
		fprintf(s->reply, "%s%s\n", done, file);
	free(file);
	return outcome;
}

static enum outcome run_save(struct session *s)
{
	enum outcome outcome = run_with_file(s, "printsgf", "saved to ");
	if (outcome == DONE)
		kept_release(s->setup.kept, &s->record);
	return outcome;
}

static enum outcome run_load(struct session *s)
{
	return run_with_file(s, "loadsgf", NULL);
}

static enum outcome run_analyze(struct session *s)
{
	if (s->record.now.over)
		return people_refuse_over(s);
	return run_gtp(s, "analyze");
}

static enum outcome run_board(struct session *s)
{
	char text[BOARD_TEXT_MAX];
	s->command = command_find("showboard");
	notation_of(s)->draw(s, text);
	fprintf(s->reply, "%s\n\n", text);
	return DONE;
}

static enum outcome run_exit(struct session *s)
{
	return run_gtp(s, "quit");
}

/* --- help --- */

/* The groups on the first page of help. Each begins with the command of this name. The commands after the last
 * group are only in the complete list. */
static const struct {
	const char *title, *first;
} groups[] = {
	{ "Play", "" },
	{ "Games", "new" },
	{ "More", "help" },
	{ NULL, "genmove" },
};

static void print_row(FILE *f, const char *name, const char *args, const char *help)
{
	int n = fprintf(f, "  %s%s%s", name, *name && *args ? " " : "", args);
	int gap = n < HELP_INDENT ? HELP_INDENT - n : 2;
	bool is_wide = terminal_columns() >= WIDE;
	if (is_wide)
		fprintf(f, "%*s", gap, "");
	else
		fprintf(f, "\n    ");
	print_words(f, help, is_wide ? n + gap : 4, is_wide ? HELP_INDENT : 4);
}

static void print_command(FILE *f, const struct command *c)
{
	print_row(f, c->name, c->args, c->help);
}

/* The words that help takes. */
static const struct {
	const char *args, *help;
} help_words[] = {
	{ "rules", "how the game is played" },
	{ "all", "every command; help COMMAND tells what one does" },
};

static enum outcome run_help(struct session *s);

/* The first page: at most 22 lines on a terminal of 80 columns. */
static void print_page(struct session *s)
{
	char example[MOVE_TEXT_MAX];
	size_t group = 0;
	format_example(s, example);
	for (const struct command *c = people_commands; c->name; c++) {
		if (strcmp(c->name, groups[group].first) == 0) {
			if (!groups[group].title)
				break;
			fprintf(s->reply, "%s\n", groups[group++].title);
		}
		if (c->run == run_move)
			print_row(s->reply, example, "", c->help);
		else if (c->run == run_help)
			for (size_t i = 0; i < sizeof help_words / sizeof *help_words; i++)
				print_row(s->reply, c->name, help_words[i].args,
					  help_words[i].help);
		else
			print_command(s->reply, c);
	}
}

static void print_all(struct session *s)
{
	fputs("Commands for people\n", s->reply);
	for (const struct command *c = people_commands; c->name; c++)
		print_command(s->reply, c);
	fputs("\nCommands of GTP, the protocol for programs\n", s->reply);
	for (int i = 0; command_at(i); i++)
		print_command(s->reply, command_at(i));
}

/* Writes a guide. Where its lines are too long for the terminal, the lines of each paragraph are joined first. */
static void print_guide(FILE *f, const char *guide)
{
	bool is_wide = terminal_columns() > GAME_GUIDE_LINE;
	for (const char *next; *guide; guide = next) {
		size_t bytes = strcspn(guide, "\n");
		next = guide + bytes + (guide[bytes] == '\n');
		bool ends = is_wide || !bytes || *guide == ' ' || !*next || *next == ' ' ||
			    *next == '\n';
		fprintf(f, "%.*s%s", (int)bytes, guide, ends ? "\n" : " ");
	}
}

/* The rules of the session's game or of another one. */
static enum outcome run_rules(struct session *s)
{
	const struct game *g = s->arg_count ? find_game(s, s->args, s->arg_count) : s->record.game;
	if (!g)
		return REFUSED;
	bool has_choice = !game_has_usual_rules(g);
	fprintf(s->reply, "%s%s%s\n\n", g->title, has_choice ? ", rules " : "",
		has_choice ? g->rules : "");
	print_guide(s->reply, g->guide);
	return DONE;
}

static enum outcome run_help(struct session *s)
{
	const char *word = s->arg_count ? s->args[0] : "";
	bool is_known = false;
	if (!*word) {
		print_page(s);
		return DONE;
	}
	if (strcmp(word, "all") == 0) {
		print_all(s);
		return DONE;
	}
	bool names_rules = strcmp(word, "rules") == 0;
	if (names_rules) {
		s->args++;
		s->arg_count--;
	}
	if (names_rules)
		return run_rules(s);
	for (const struct command *c = people_commands; c->name; c++) {
		if (strcmp(word, c->name) == 0) {
			print_command(s->reply, c);
			is_known = true;
		}
	}
	const struct command *gtp = command_find(word);
	if (gtp)
		print_command(s->reply, gtp);
	if (is_known || gtp)
		return DONE;
	return game_find(word, NULL) ? run_rules(s) : refuse_unknown(s, word);
}

/* --- the protocol --- */

void people_greet(const struct session *s, FILE *f)
{
	struct kept_game last;
	char example[MOVE_TEXT_MAX], *text, *wrapped;
	size_t length;
	format_example(s, example);
	FILE *line = text_open(&text, &length);
	fprintf(line,
		"yomi %s plays %s. Type a move such as %s, or go to let yomi move; auto on, and it "
		"answers each move. Type help for more, exit to leave.\n",
		version_number(), s->record.game->title, example);
	if (kept_list(s->setup.kept, &last, 1) && !last.is_over) {
		fputs("\nYour last game is kept: ", line);
		print_kept(line, last.game, last.moves);
		fputs(". Type continue to go on with it.\n", line);
	}
	fclose(line);
	wrapped = wrap(text);
	fputs(wrapped, f);
	free(wrapped);
	free(text);
}

const struct command people_commands[] = {
	{ .name = "",
	  .args_max = ANY,
	  .args = "MOVE",
	  .help = "play this move, or pass, for the side to move",
	  .run = run_move,
	  .finish = finish_answer,
	  .plays = true },
	{ .name = "go",
	  .args = "",
	  .help = "let yomi move for the side to move",
	  .run = run_go,
	  .finish = finish_answer,
	  .plays = true },
	{ .name = "auto",
	  .args_max = 1,
	  .args = "[on|off]",
	  .help = "let yomi answer each of your moves, or stop that",
	  .run = run_auto },
	{ .name = "undo",
	  .args_max = 1,
	  .args = "[COUNT]",
	  .help = "take back the last move, with auto on two; redo: again",
	  .run = run_undo },
	{ .name = "hint",
	  .args_max = 1,
	  .args = "[STEP]",
	  .help = "help with the next move; each time it tells more",
	  .run = tutor_hint,
	  .finish = tutor_finish_hint },
	{ .name = "why",
	  .args_max = 1,
	  .args = "[MOVE]",
	  .help = "explain the last move, or MOVE, and show what may follow",
	  .run = tutor_why,
	  .finish = tutor_finish_why },
	{ .name = "puzzle",
	  .args_max = 1,
	  .args = "[NUMBER]",
	  .help = "set up a position in which only one move wins or draws",
	  .run = tutor_puzzle },
	{ .name = "moves", .args = "", .help = "list the legal moves", .run = run_moves },
	{ .name = "analyze",
	  .args = "",
	  .help = "compare the moves in a table until you press a key",
	  .run = run_analyze },

	{ .name = "new",
	  .args_max = ANY,
	  .args = "[GAME [RULES]]",
	  .help = "begin a new game",
	  .run = run_new },
	{ .name = "game",
	  .args_max = ANY,
	  .args = "[GAME [RULES]]",
	  .help = "list the games, or begin one; size N: its size",
	  .run = run_game },
	{ .name = "continue",
	  .args_max = 1,
	  .args = "[NUMBER]",
	  .help = "go on with a kept game; kept lists them",
	  .run = run_continue },
	{ .name = "level",
	  .args_max = 1,
	  .args = "[LEVEL]",
	  .help = "how well yomi plays: 1 (first game) to 9; 0: its best",
	  .run = run_level },
	{ .name = "time",
	  .args_max = 1,
	  .args = "[SECONDS]",
	  .help = "thinking time for each of yomi's moves",
	  .run = run_time },
	{ .name = "save",
	  .args_min = 1,
	  .args_max = ANY,
	  .args = "FILE",
	  .help = "write the game to a file in SGF",
	  .run = run_save },
	{ .name = "load",
	  .args_min = 1,
	  .args_max = ANY,
	  .args = "FILE",
	  .help = "read a game from a file",
	  .run = run_load },

	{ .name = "help",
	  .args_max = ANY,
	  .args = "[all|rules|COMMAND]",
	  .help = "how to use yomi, the rules, or what commands do",
	  .run = run_help },
	{ .name = "exit",
	  .args = "",
	  .help = "leave. ^C ends a search; Tab completes what you type",
	  .run = run_exit },

	{ .name = "genmove",
	  .args = "",
	  .help = "the same as go",
	  .run = run_go,
	  .finish = finish_answer,
	  .plays = true },
	{ .name = "play",
	  .args_max = 1,
	  .args = "MOVE",
	  .help = "the same as MOVE alone",
	  .run = run_move,
	  .finish = finish_answer,
	  .plays = true },
	{ .name = "book",
	  .args = "",
	  .help = "name the opening; list the moves that books know",
	  .run = tutor_book },
	{ .name = "board", .args = "", .help = "draw the board", .run = run_board },
	{ .name = "black",
	  .args = "",
	  .help = "play Black; yomi plays White",
	  .run = run_black,
	  .finish = finish_answer,
	  .plays = true },
	{ .name = "white",
	  .args = "",
	  .help = "play White; yomi plays Black",
	  .run = run_white,
	  .finish = finish_answer,
	  .plays = true },
	{ .name = "size",
	  .args_min = 1,
	  .args_max = 1,
	  .args = "SIZE",
	  .help = "begin a new game on a board of this size",
	  .run = run_size },
	{ .name = "redo",
	  .args = "",
	  .help = "make the move again that undo took back",
	  .run = run_redo },
	{ .name = "score",
	  .args = "",
	  .help = "tell the result, or the stones of each side",
	  .run = run_score },
	{ .name = "resign", .args = "", .help = "give up the game", .run = run_resign },
	{ .name = "kept", .args = "", .help = "list the games that are kept", .run = run_kept },
	{ .name = "quit", .args = "", .help = "the same as exit", .run = run_exit },
	{ .name = "rules",
	  .args_max = ANY,
	  .args = "[GAME [RULES]]",
	  .help = "how the game, or another one, is played",
	  .run = run_rules },
	{ .name = "?",
	  .args_max = ANY,
	  .args = "[all|rules|COMMAND]",
	  .help = "the same as help",
	  .run = run_help },
	{ 0 },
};

static bool takes(const struct command *c, int args)
{
	return args >= c->args_min && args <= c->args_max;
}

/* Returns the command for people of this name, NULL if there is none. */
static const struct command *find_plain(const char *name)
{
	for (const struct command *c = people_commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* Returns a copy of a word in lower case and without signs around it. The caller frees it. */
static char *plain_word(const char *word)
{
	char *plain = xstrdup(word);
	typed_trim(plain);
	typed_lower(plain);
	return plain;
}

/* Returns the name of the command that a word means, NULL if there is none. */
static const char *name_of(const char *word)
{
	const struct command *c = find_plain(word);
	c = c ? c : command_find(word);
	return c ? c->name : typed_command(word);
}

/* Replaces the first word of a line by the name of a command if it means one in other letters, with signs behind it, or in
 * another word. A word that could be a move stays. */
static void take_name(struct session *s, struct gtp_command *line)
{
	char *word = line->words[0];
	if (command_find(word) || find_plain(word) || is_move_like(s, word))
		return;
	char *name = plain_word(word);
	const char *found = NULL;
	if (line->count > 1) {
		/* Two words: "take back", "show board". */
		char *next = plain_word(line->words[1]), *both = xasprintf("%s%s", name, next);
		found = name_of(both);
		free(next);
		free(both);
	}
	if (found)
		memmove(line->words + 1, line->words + 2,
			(size_t)(--line->count - 1) * sizeof *line->words);
	else
		found = name_of(name);
	free(name);
	if (!found)
		return;
	free(people_of(s)->name);
	line->words[0] = people_of(s)->name = xstrdup(found);
}

/* Finds the command for people that runs a line, or NULL if it is a line of GTP. If GTP has a command of the same
 * name, the number of arguments decides. Lines with a number are GTP's. */
static const struct command *find_command(const struct gtp_command *line)
{
	const struct command *gtp = line->count ? command_find(line->words[0]) : NULL;
	const struct command *c = line->count ? find_plain(line->words[0]) : NULL;
	if (!line->count || (gtp && line->id != GTP_ID_NONE))
		return NULL;
	if (c && (!gtp || takes(c, line->count - 1)))
		return c;
	return gtp ? NULL : people_commands;
}

/* Cleans the arguments of a command for people. */
static void clean_args(struct session *s)
{
	if (strstr(s->command->args, "FILE"))
		return;
	for (int i = 0; i < s->arg_count; i++) {
		char *arg = s->args[i], *comma = strchr(arg, ',');
		bool is_move = s->command->run == run_move;
		if (!is_move || s->arg_count == 1)
			typed_trim(arg);
		if (!is_move)
			typed_lower(arg);
		if (comma && strspn(arg, "0123456789,") == strlen(arg))
			*comma = '.';
	}
}

/* Returns true if a command leaves the game. */
static bool leaves_game(const struct command *c)
{
	static const char *const names[] = { "new",       "size",        "game",     "continue",
					     "load",      "puzzle",      "exit",     "quit",
					     "boardsize", "clear_board", "position", "loadsgf",
					     "set_game" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(c->name, names[i]) == 0)
			return true;
	return false;
}

static enum outcome run_line(struct session *s, struct gtp_command *line)
{
	char why[REASON_MAX];
	if (line->count)
		take_name(s, line);
	const struct command *c = find_command(line);
	const struct command *named = c ? c : line->count ? command_find(line->words[0]) : NULL;
	people_of(s)->is_plain = c;
	if (named && leaves_game(named) && !kept_may_leave(s->setup.kept, &s->record, why))
		return refuse(s, why);
	if (!c)
		return run_words(s, line);
	int names = *c->name || !*line->words[0] ? 1 : 0;
	s->command = c;
	s->args = line->words + names;
	s->arg_count = line->count - names;
	clean_args(s);
	if (takes(c, s->arg_count))
		return c->run(s);
	fprintf(s->reply, "type %s%s%s", c->name, *c->args ? " " : "", c->args);
	return REFUSED;
}

/* A line of numbers is columns in Connect Four, so the first one is not the number of a command. Neither is a number
 * alone. */
static void take_number(const struct session *s, struct gtp_command *line, char *text)
{
	bool is_move = true;
	for (int i = 0; i < line->count; i++)
		is_move &= typed_is_columns(s->record.game, line->words[i]);
	if (line->id == GTP_ID_NONE || !is_move)
		return;
	line->words = xrealloc(line->words, ((size_t)line->count + 1) * sizeof *line->words);
	memmove(line->words + 1, line->words, (size_t)line->count * sizeof *line->words);
	line->words[0] = text + strspn(text, " ");
	line->count++;
	line->id = GTP_ID_NONE;
}

static enum outcome run(struct session *s, char *text, bool is_cut)
{
	struct gtp_command line;
	typed_fold(text);
	gtp_parse(&line, text);
	take_number(s, &line, text);
	s->id = line.id;
	people_of(s)->is_plain = false;
	enum outcome outcome = is_cut ? refuse(s, "line too long") : run_line(s, &line);
	gtp_command_free(&line);
	return outcome;
}

static char *answer(struct session *s, bool success, const char *text)
{
	if (success && session_is_streaming(s))
		return gtp_answer_end(text);
	bool is_plain = success && people_of(s)->is_plain;
	bool is_board = s->command && strcmp(s->command->name, "showboard") == 0;
	char *framed = is_plain ? xstrdup(text)
				: (s->is_painted ? gtp_answer_painted : gtp_answer)(success, s->id,
										    text);
	/* What programs write is not for reading. */
	if ((success && !is_plain) || is_board)
		return framed;
	char *wrapped = wrap(framed);
	free(framed);
	return wrapped;
}

static void begin(struct session *s)
{
	s->protocol_state = xcalloc(1, sizeof(struct people));
}

static void end(struct session *s)
{
	struct people *people = people_of(s);
	if (people->has_undone)
		record_free(&people->undone);
	free(people->name);
	free(people);
}

static const struct protocol protocol_people = {
	.begin = begin,
	.end = end,
	.clean = gtp_clean,
	.run = run,
	.answer = answer,
	.is_for_people = true,
};

const struct protocol *const protocols_people[] = { &protocol_nboard, &protocol_gomocup,
						    &protocol_people, NULL };
