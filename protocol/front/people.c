/* SPDX-License-Identifier: MIT */
#include "protocol/front/people.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/drawing.h"
#include "engine/level.h"
#include "engine/memory.h"
#include "engine/square.h"
#include "engine/version.h"
#include "games/games.h"
#include "protocol/front/terminal.h"
#include "protocol/front/tutor.h"
#include "protocol/gomocup.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/settings.h"
#include "protocol/gtp/suggestion.h"
#include "protocol/gtp/think.h"
#include "protocol/nboard.h"
#include "protocol/teach/loss.h"

#define MOVES_SHOWN   24 /* most legal moves in an error */
#define HELP_INDENT   23 /* column of the explanations of commands */
#define WIDE          60 /* columns of a terminal that shows explanations beside commands */
#define HELP_COLS_MAX 79 /* longest line of help on a wide terminal */

/* The protocol's state of a session. */
struct people {
	bool answers;  /* yomi answers each move that the person types */
	int side;      /* the side of the last move that the person typed */
	bool is_plain; /* the running command is one for people */
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

static void lower(char *text)
{
	for (; *text; text++)
		*text = (char)tolower((unsigned char)*text);
}

/* Writes words and breaks lines between them. `column` is where the first word begins, `indent` where later
 * lines begin. Ends with a line feed. */
static void print_words(FILE *f, const char *text, int column, int indent)
{
	int room = terminal_columns() - 1, at = column, gap = 0;
	room = room < HELP_COLS_MAX ? room : HELP_COLS_MAX;
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		int length = (int)strcspn(text, " ");
		if (at > indent && at + gap + length > room) {
			fprintf(f, "\n%*s", indent, "");
			at = indent;
			gap = 0;
		}
		fprintf(f, "%*s%.*s", gap, "", length, text);
		at += gap + length;
		gap = 1;
		text += length;
	}
	fputc('\n', f);
}

/* Writes what a search found, for the side that was to move. */
static void print_finding(const struct session *s, const struct report *r, FILE *f)
{
	struct worth worth = worth_of_report(r);
	if (r->book)
		fputs("from the opening book", f);
	else
		worth_print(&worth, s->record.game, s->side, f);
}

/* --- moves --- */

enum outcome people_refuse_over(struct session *s)
{
	char result[RESULT_TEXT_MAX];
	game_result(s->record.game, &s->record.now, result);
	fprintf(s->reply, "the game is over (%s); type new to begin another", result);
	return REFUSED;
}

/* Returns the length of the square with which a move begins, if that has a stone; otherwise 0. */
static int taken_length(const struct session *s, const char *text)
{
	int row, col;
	const struct game *g = s->record.game;
	const char *end = frame_is_used(s) ? NULL : square_parse(g, text, &row, &col);
	return end && g->at(&s->record.now, row, col) != '.' ? (int)(end - text) : 0;
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

static enum outcome refuse_unknown(struct session *s, const char *word)
{
	struct suggestion suggestion;
	const struct game *g = s->record.game;
	int row, col;
	if (is_square_like(word) && !frame_is_used(s)) {
		if (square_parse(g, word, &row, &col))
			fprintf(s->reply, "no legal move begins with %s; type moves to see them",
				word);
		else
			fprintf(s->reply, "%s is not on the board; its squares are a1 to %c%d",
				word, tolower(square_letter(g, g->cols - 1)), g->rows);
		return REFUSED;
	}
	if (game_find(word, NULL)) {
		fprintf(s->reply, "%s is a game; type game %s", word, word);
		return REFUSED;
	}
	suggestion_begin(&suggestion, word);
	for (const struct command *c = people_commands; c->name; c++)
		if (*c->name)
			suggestion_consider(&suggestion, c->name);
	for (int i = 0; command_at(i); i++)
		suggestion_consider(&suggestion, command_at(i)->name);
	fprintf(s->reply, "unknown command %s", word);
	if (suggestion.best)
		fprintf(s->reply, "; did you mean %s?", suggestion.best);
	else
		fputs("; type help", s->reply);
	return REFUSED;
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
	fprintf(s->reply, "yomi plays %s: ", text);
	print_finding(s, report, s->reply);
	fputc('\n', s->reply);
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

static enum outcome run_move(struct session *s)
{
	struct people *people = people_of(s);
	const struct command *command = s->command;
	int side = s->record.now.side;
	char joined[MOVE_TEXT_MAX] = "", *text = s->args[0];
	if (s->arg_count > 1) {
		/* People put blanks between the squares of a move. */
		for (int i = 0; i < s->arg_count; i++)
			strncat(joined, s->args[i], sizeof joined - 1 - strlen(joined));
		if (!is_move_like(s, joined))
			return is_move_like(s, text) ? refuse(s, "type one move in a line")
						     : refuse_unknown(s, text);
		text = joined;
	}
	if (s->record.now.over && is_move_like(s, text))
		return people_refuse_over(s);
	if (play(s, side, text) == REFUSED)
		return REFUSED;
	people->side = side;
	if (!people->answers || s->record.now.over || notation_of(s)->made(s))
		return DONE;
	s->command = command;
	enum outcome outcome = begin_answer(s);
	if (outcome == REFUSED)
		record_undo(&s->record);
	return outcome;
}

static enum outcome run_go(struct session *s)
{
	return begin_answer(s);
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

/* If yomi answers, takes back its moves too, so that the person is to move again. */
static enum outcome run_undo(struct session *s)
{
	const struct people *people = people_of(s);
	if (!s->record.count && !notation_of(s)->made(s))
		return refuse(s, "there is no move to take back");
	enum outcome outcome = run_gtp(s, "undo");
	while (outcome == DONE && people->answers && s->record.count &&
	       s->record.now.side != people->side)
		outcome = run_gtp(s, "undo");
	return outcome;
}

static enum outcome run_moves(struct session *s)
{
	char *text;
	size_t length;
	if (s->record.now.over)
		return people_refuse_over(s);
	FILE *f = text_open(&text, &length);
	int count = print_moves(s, "", 0, f);
	fclose(f);
	fprintf(s->reply, "%s has %d legal move%s:\n",
		game_side(s->record.game, s->record.now.side), count, count == 1 ? "" : "s");
	print_words(s->reply, text, 0, 0);
	free(text);
	return DONE;
}

/* --- games and settings --- */

static enum outcome begin_game(struct session *s, const struct game *g)
{
	bool has_other_rules = !game_has_usual_rules(g);
	start_game(s, g);
	fprintf(s->reply, "a new game of %s%s%s%s\n", g->title, has_other_rules ? " (rules " : "",
		has_other_rules ? g->rules : "", has_other_rules ? ")" : "");
	return DONE;
}

static enum outcome run_new(struct session *s)
{
	return begin_game(s, s->record.game);
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

static enum outcome run_game(struct session *s)
{
	if (!s->arg_count) {
		print_games(s);
		return DONE;
	}
	const char *rules = s->arg_count > 1 ? s->args[1] : NULL;
	const struct game *g = game_find(s->args[0], rules);
	if (g)
		return begin_game(s, g);
	g = game_find(s->args[0], NULL);
	if (g)
		fprintf(s->reply,
			"%s has no rules %s; type game for a list, boardsize N for another size",
			g->title, rules);
	else
		refuse_game(s, s->args[0]);
	return REFUSED;
}

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

static enum outcome run_level(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	enum outcome outcome = set_or_show(s, "level", text);
	double level = level_wanted(engine_options(s->engine), s->record.game);
	if (outcome != DONE)
		return outcome;
	fprintf(s->reply, "level %.3g%s", level, level > 0 ? "" : ", full strength");
	if (level_elo(s->record.game, level))
		fprintf(s->reply, ", Elo %d", level_elo(s->record.game, level));
	fputc('\n', s->reply);
	return DONE;
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
	return run_with_file(s, "printsgf", "saved to ");
}

static enum outcome run_load(struct session *s)
{
	return run_with_file(s, "loadsgf", NULL);
}

static enum outcome run_analyze(struct session *s)
{
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

/* Writes an example of a move: a legal one, or at the end of the game one of the next game. */
static void format_example(const struct session *s, char text[MOVE_TEXT_MAX])
{
	struct state start;
	struct move moves[GAME_MOVES_MAX];
	const struct game *g = s->record.game;
	if (think_is_needed(s)) {
		notation_of(s)->moves(s, moves);
		format_play(s, moves[0], text);
	} else {
		g->start(g, &start);
		game_moves(g, &start, moves);
		game_format(g, &start, moves[0], text);
	}
	lower(text);
}

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

static enum outcome run_rules(struct session *s)
{
	const struct game *g = s->record.game;
	bool has_choice = !game_has_usual_rules(g);
	fprintf(s->reply, "%s%s%s\n\n%s", g->title, has_choice ? ", rules " : "",
		has_choice ? g->rules : "", g->guide);
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
	if (strcmp(word, "rules") == 0)
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
	return is_known || gtp ? DONE : refuse_unknown(s, word);
}

/* --- the protocol --- */

void people_greet(const struct session *s, FILE *f)
{
	char example[MOVE_TEXT_MAX], *text;
	size_t length;
	format_example(s, example);
	FILE *line = text_open(&text, &length);
	fprintf(line,
		"yomi %s plays %s. Type a move such as %s, or go to let yomi move. Type help for "
		"more, exit to leave.",
		version_number(), s->record.game->title, example);
	fclose(line);
	print_words(f, text, 0, 0);
	free(text);
}

const struct command people_commands[] = {
	{ .name = "",
	  .args_min = 1,
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
	  .args = "",
	  .help = "take back the last move; with auto on yomi's and yours",
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
	{ .name = "board", .args = "", .help = "draw the board", .run = run_board },

	{ .name = "new", .args = "", .help = "begin a new game", .run = run_new },
	{ .name = "game",
	  .args_max = 2,
	  .args = "[GAME [RULES]]",
	  .help = "list the games, or begin one; boardsize N: its size",
	  .run = run_game },
	{ .name = "level",
	  .args_max = 1,
	  .args = "[LEVEL]",
	  .help = "how well yomi plays: 1 (a beginner) to 9; 0: its best",
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
	  .args_max = 1,
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
	  .args_min = 1,
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
	{ .name = "rules", .args = "", .help = "the same as help rules", .run = run_rules },
	{ .name = "?",
	  .args_max = 1,
	  .args = "[all|rules|COMMAND]",
	  .help = "the same as help",
	  .run = run_help },
	{ 0 },
};

static bool takes(const struct command *c, int args)
{
	return args >= c->args_min && args <= c->args_max;
}

/* Finds the command for people that runs a line, or NULL if it is a line of GTP. If GTP has a command of the same
 * name, the number of arguments decides. */
static const struct command *find_command(const struct gtp_command *line)
{
	const struct command *gtp = line->count ? command_find(line->words[0]) : NULL;
	if (!line->count)
		return NULL;
	for (const struct command *c = people_commands; c->name; c++)
		if (strcmp(c->name, line->words[0]) == 0 && (!gtp || takes(c, line->count - 1)))
			return c;
	return gtp ? NULL : people_commands;
}

static enum outcome run_line(struct session *s, const struct gtp_command *line)
{
	const struct command *c = find_command(line);
	people_of(s)->is_plain = c;
	if (!c)
		return run_words(s, line);
	int names = *c->name ? 1 : 0;
	s->command = c;
	s->args = line->words + names;
	s->arg_count = line->count - names;
	if (takes(c, s->arg_count))
		return c->run(s);
	fprintf(s->reply, "type %s%s%s", c->name, *c->args ? " " : "", c->args);
	return REFUSED;
}

static enum outcome run(struct session *s, char *text, bool is_cut)
{
	struct gtp_command line;
	gtp_parse(&line, text);
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
	if (success && people_of(s)->is_plain)
		return xstrndup(text, strlen(text));
	return (s->is_painted ? gtp_answer_painted : gtp_answer)(success, s->id, text);
}

static void begin(struct session *s)
{
	s->protocol_state = xcalloc(1, sizeof(struct people));
}

static void end(struct session *s)
{
	free(s->protocol_state);
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
