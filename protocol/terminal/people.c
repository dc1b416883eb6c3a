/* SPDX-License-Identifier: MIT */
#include "protocol/terminal/people.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/version.h"
#include "engine/rules/drawing.h"
#include "engine/rules/words.h"
#include "engine/search/level.h"
#include "games/games.h"
#include "protocol/gtp/commands.h"
#include "protocol/gtp/drawing.h"
#include "protocol/gtp/gtp.h"
#include "protocol/nboard/nboard.h"
#include "protocol/session/notation.h"
#include "protocol/session/settings.h"
#include "protocol/terminal/chooser.h"
#include "protocol/terminal/kept.h"
#include "protocol/terminal/player.h"
#include "protocol/terminal/tutor.h"
#include "protocol/terminal/typed.h"
#include "protocol/terminal/wrap.h"

#define HELP_INDENT 23 /* column of the explanations of commands */
#define WIDE        60 /* columns of a terminal that shows explanations beside commands */

/* The protocol's state of a session. */
struct people {
	struct player player;
	bool is_plain; /* the running command is one for people */
	bool is_asked; /* the greeting has offered a kept game, and nothing was typed since */
	char *name;    /* of the command that another word meant, or NULL */
};

static struct people *people_of(const struct session *s)
{
	return s->protocol_state;
}

void people_terms(struct session *s, struct kept_terms *terms)
{
	struct options usual;
	const struct setting_values values = session_values(s);
	const struct setting_values usual_values = { &usual, values.settings };
	const struct option *time = setting_find("time");
	char usual_time[OPTION_TEXT_MAX];
	double level = level_wanted(values.options, s->record.game);
	*terms = (struct kept_terms) { .yomi = KEPT_NOBODY };
	options_init(&usual);
	if (is_for_people(s) && people_player(s)->answers)
		terms->yomi = people_player(s)->side ^ 1;
	if (level > 0)
		snprintf(terms->level, sizeof terms->level, "%.6g", level);
	setting_get(&values, time, terms->time);
	setting_get(&usual_values, time, usual_time);
	if (strcmp(terms->time, usual_time) == 0)
		*terms->time = '\0';
}

struct player *people_player(const struct session *s)
{
	return &people_of(s)->player;
}

enum outcome people_run_gtp(struct session *s, const char *name)
{
	s->command = commands_find(name);
	return commands_run(s);
}

static enum outcome people_run_analyze(struct session *s)
{
	if (player_is_over(s))
		return player_refuse_over(s);
	return people_run_gtp(s, "analyze");
}

static enum outcome people_run_board(struct session *s)
{
	char text[BOARD_TEXT_MAX];
	s->command = commands_find("showboard");
	notation_of(s)->draw(s, text);
	text_printf(s->reply, "%s\n\n", text);
	return DONE;
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

static void people_print_row(struct text *out, const char *name, const char *args, const char *help)
{
	size_t begin = out->length;
	text_printf(out, "  %s%s%s", name, *name && *args ? " " : "", args);
	int n = (int)(out->length - begin);
	int gap = n < HELP_INDENT ? HELP_INDENT - n : 2;
	bool is_wide = stream_columns() >= WIDE;
	if (is_wide)
		text_printf(out, "%*s", gap, "");
	else
		text_printf(out, "\n    ");
	wrap_words(out, help, is_wide ? n + gap : 4, is_wide ? HELP_INDENT : 4);
}

static void people_print_command(struct text *out, const struct command *c)
{
	people_print_row(out, c->name, c->args, c->help);
}

/* The words that help takes. */
static const struct {
	const char *args, *help;
} help_words[] = {
	{ "rules", "how the game is played" },
	{ "all", "every command; help COMMAND tells what one does" },
};

static enum outcome people_run_help(struct session *s);

/* The first page: at most 22 lines on a terminal of 80 columns. */
static void print_page(struct session *s)
{
	char example[MOVE_TEXT_MAX];
	size_t group = 0;
	player_example(s, example);
	for (const struct command *c = people_commands; c->name; c++) {
		if (strcmp(c->name, groups[group].first) == 0) {
			if (!groups[group].title)
				break;
			text_printf(s->reply, "%s\n", groups[group++].title);
		}
		if (c->run == player_move)
			people_print_row(s->reply, example, "", c->help);
		else if (c->run == people_run_help)
			for (size_t i = 0; i < sizeof help_words / sizeof *help_words; i++)
				people_print_row(s->reply, c->name, help_words[i].args,
						 help_words[i].help);
		else
			people_print_command(s->reply, c);
	}
}

static void people_print_all(struct session *s)
{
	text_puts(s->reply, "Commands for people\n");
	for (const struct command *c = people_commands; c->name; c++)
		people_print_command(s->reply, c);
	text_puts(s->reply, "\nCommands of GTP, the protocol for programs\n");
	for (int i = 0; commands_at(i); i++)
		people_print_command(s->reply, commands_at(i));
}

/* Writes a guide. Where its lines are too long for the terminal, the lines of each paragraph are joined first. */
static void people_print_guide(struct text *out, const char *guide)
{
	bool is_wide = stream_columns() > WORDS_GUIDE_LINE;
	for (const char *next; *guide; guide = next) {
		size_t bytes = strcspn(guide, "\n");
		next = guide + bytes + (guide[bytes] == '\n');
		bool ends = is_wide || !bytes || *guide == ' ' || !*next || *next == ' ' ||
			    *next == '\n';
		text_printf(out, "%.*s%s", (int)bytes, guide, ends ? "\n" : " ");
	}
}

/* The rules of the session's game or of another one. */
static enum outcome people_run_rules(struct session *s)
{
	const struct game *g = s->arg_count ? chooser_find(s, s->args, s->arg_count)
					    : s->record.game;
	if (!g)
		return REFUSED;
	bool has_choice = !game_has_usual_rules(g);
	text_printf(s->reply, "%s%s%s\n\n", g->title, has_choice ? ", rules " : "",
		    has_choice ? g->rules : "");
	people_print_guide(s->reply, g->words->guide);
	return DONE;
}

/* Returns the command for people of this name, NULL if there is none. */
static const struct command *people_find(const char *name)
{
	for (const struct command *c = people_commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* Returns true if lines of a number of arguments that the command for people does not take are GTP's. */
static bool people_leaves(const struct command *people, const struct command *gtp)
{
	int least, most, gtp_least, gtp_most;
	command_count(people, &least, &most);
	command_count(gtp, &gtp_least, &gtp_most);
	return gtp_least < least || gtp_most > most;
}

static enum outcome people_run_help(struct session *s)
{
	const char *word = s->arg_count ? s->args[0] : "";
	bool is_known = false;
	if (!*word) {
		print_page(s);
		return DONE;
	}
	if (strcmp(word, "all") == 0) {
		people_print_all(s);
		return DONE;
	}
	if (strcmp(word, "rules") == 0) {
		s->args++;
		s->arg_count--;
		return people_run_rules(s);
	}
	for (const struct command *c = people_commands; c->name; c++) {
		if (strcmp(word, c->name) == 0) {
			people_print_command(s->reply, c);
			is_known = true;
		}
	}
	const struct command *gtp = commands_find(word);
	if (gtp && (!is_known || people_leaves(people_find(word), gtp)))
		people_print_command(s->reply, gtp);
	if (is_known || gtp)
		return DONE;
	return chooser_names(s, s->args, s->arg_count) ? people_run_rules(s)
						    : player_refuse_unknown(s, word);
}

/* --- the protocol --- */

void people_greet(const struct session *s, FILE *f)
{
	struct kept_game last;
	char example[MOVE_TEXT_MAX], *wrapped;
	player_example(s, example);
	struct text text = { 0 };
	text_printf(
		&text,
		"yomi %s plays %s. Type a move such as %s, or go to let yomi move; auto on, and it "
		"answers each move. Type help for more, exit to leave.\n",
		version_number(), s->record.game->title, example);
	if (kept_last(s->setup.kept, &last)) {
		text_puts(&text, "\nYour last game is kept: ");
		chooser_print_kept(&text, last.game, last.moves);
		text_puts(&text, ". Type continue to go on with it.\n");
	}
	wrapped = wrap_text(text.bytes);
	fputs(wrapped, f);
	free(wrapped);
	text_free(&text);
}

const struct command people_commands[] = {
	{ "", "MOVE", "play this move, or pass, for the side to move", player_move, player_finish,
	  .more = true, .optional = true, .plays = true },
	{ "go", "", "let yomi move for the side to move", player_go, player_finish, .plays = true },
	{ "auto", "[on|off]", "let yomi answer each of your moves, or stop that", player_auto },
	{ "undo", "[COUNT]", "take back the last move, with auto on two; redo: again",
	  player_undo },
	{ "hint", "[STEP]", "help with the next move; each time it tells more", tutor_hint,
	  tutor_finish_hint },
	{ "why", "[MOVE]", "explain the last move, or MOVE, and show what may follow", tutor_why,
	  tutor_finish_why },
	{ "puzzle", "[NUMBER]", "set up a position in which only one move wins or draws",
	  tutor_puzzle, .leaves = true },
	{ "moves", "", "list the legal moves", player_moves },
	{ "analyze", "", "compare the moves in a table until you press a key", people_run_analyze },

	{ "new", "[GAME [RULES]]", "begin a new game", chooser_new, .more = true, .leaves = true },
	{ "game", "[GAME [RULES]]", "list the games, or begin one; size N: its size", chooser_game,
	  .more = true, .leaves = true },
	{ "continue", "[NUMBER]", "go on with a kept game; kept lists them", chooser_continue,
	  .leaves = true },
	{ "level", "[LEVEL]", "how well yomi plays: 1 (first game) to 9; 0: its best",
	  chooser_level },
	{ "time", "[SECONDS]", "thinking time for each of yomi's moves", chooser_time },
	{ "save", "FILE", "write the game to a file in SGF", chooser_save, .more = true },
	{ "load", "FILE", "read a game from a file", chooser_load, .more = true, .leaves = true },

	{ "help", "[all|rules|COMMAND]", "how to use yomi, the rules, or what commands do",
	  people_run_help, .more = true },
	{ "exit", "", "leave. ^C ends a search; Tab completes what you type", command_quit,
	  .leaves = true },

	{ "genmove", "", "the same as go", player_go, player_finish, .plays = true },
	{ "play", "MOVE", "the same as MOVE alone", player_move, player_finish, .optional = true,
	  .plays = true },
	{ "book", "", "name the opening; list the moves that books know", tutor_book },
	{ "board", "", "draw the board", people_run_board },
	{ "black", "", "play Black; yomi plays White", player_black, player_finish, .plays = true },
	{ "white", "", "play White; yomi plays Black", player_white, player_finish, .plays = true },
	{ "size", "SIZE", "begin a new game on a board of this size", chooser_size,
	  .leaves = true },
	{ "redo", "[COUNT]", "make the move again that undo took back", player_redo },
	{ "score", "", "tell the result, or the stones of each side", player_score },
	{ "resign", "", "give up the game", player_resign },
	{ "kept", "", "list the games that are kept", chooser_kept },
	{ "quit", "", "the same as exit", command_quit, .leaves = true },
	{ "rules", "[GAME [RULES]]", "how the game, or another one, is played", people_run_rules,
	  .more = true },
	{ "?", "[all|rules|COMMAND]", "the same as help", people_run_help, .more = true },
	{ 0 },
};

bool people_has_command(const char *name)
{
	return people_find(name) || commands_find(name);
}

/* Returns a copy of a word in lower case and without signs around it. The caller frees it. */
static char *people_plain_word(const char *word)
{
	char *plain = xstrdup(word);
	typed_trim(plain);
	typed_lower(plain);
	return plain;
}

/* Returns the name of the command that a word means, NULL if there is none. */
static const char *people_name_of(const char *word)
{
	const struct command *c = people_find(word);
	c = c ? c : commands_find(word);
	return c ? c->name : typed_command(word);
}

/* Replaces the first word of a line by the name of a command if it means one in other letters, with signs behind it, or in
 * another word. A word that could be a move stays. */
static void people_take_name(struct session *s, struct gtp_command *line)
{
	char *word = line->words[0];
	bool is_asked = people_of(s)->is_asked && line->count == 1;
	people_of(s)->is_asked = false;
	if (people_has_command(word) || player_is_move(s, word))
		return;
	char *name = people_plain_word(word);
	const char *found = is_asked ? typed_answer(name) : NULL;
	bool is_double = false;
	if (line->count > 1) {
		/* Two words: "take back", "show board". */
		char *next = people_plain_word(line->words[1]),
		     *both = xasprintf("%s%s", name, next);
		found = people_name_of(both);
		is_double = found;
		free(next);
		free(both);
	}
	if (is_double)
		memmove(line->words + 1, line->words + 2,
			(size_t)(--line->count - 1) * sizeof *line->words);
	else if (!found)
		found = people_name_of(name);
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
	const struct command *gtp = line->count ? commands_find(line->words[0]) : NULL;
	const struct command *c = line->count ? people_find(line->words[0]) : NULL;
	if (!line->count || (gtp && line->id != GTP_ID_NONE))
		return NULL;
	if (c && (!gtp || command_takes(c, line->count - 1)))
		return c;
	return gtp ? NULL : people_commands;
}

/* Cleans the arguments of a command for people. */
static void people_clean_args(struct session *s)
{
	if (strstr(s->command->args, "FILE"))
		return;
	for (int i = 0; i < s->arg_count; i++) {
		char *arg = s->args[i], *comma;
		bool is_move = s->command->run == player_move;
		if (!is_move)
			typed_trim_argument(arg);
		else if (s->arg_count == 1)
			typed_trim(arg);
		if (!is_move)
			typed_lower(arg);
		comma = strchr(arg, ',');
		if (comma && strspn(arg, "0123456789,") == strlen(arg))
			*comma = '.';
	}
}

/* After a command that leaves the game, which may begin the same position again, no side has resigned. */
static enum outcome people_leave(struct session *s, const struct command *c, enum outcome outcome)
{
	if (c && c->leaves && outcome == DONE && c->run != chooser_continue)
		people_player(s)->resigned = KEPT_NOBODY;
	return outcome;
}

/* Takes the colour of the side to move away before a move: "black f6". Returns false after an error if it is the other
 * side's turn. */
static bool people_take_color(struct session *s, struct gtp_command *line)
{
	int side;
	if (line->count != 2 || line->id != GTP_ID_NONE || player_is_move(s, line->words[0]) ||
	    !line_color(line->words[0], &side) || !player_is_move(s, line->words[1]))
		return true;
	if (side != s->record.now.side && !player_is_over(s)) {
		text_printf(s->reply, "it is the turn of %s",
			    game_side(s->record.game, s->record.now.side));
		return false;
	}
	line->words[0] = line->words[1];
	line->count = 1;
	return true;
}

static enum outcome people_run_line(struct session *s, struct gtp_command *line)
{
	char why[REASON_MAX];
	if (!people_take_color(s, line))
		return REFUSED;
	if (line->count)
		people_take_name(s, line);
	const struct command *c = find_command(line);
	const struct command *named = c ? c : line->count ? commands_find(line->words[0]) : NULL;
	people_of(s)->is_plain = c;
	if (named && named->leaves && !kept_may_leave(s->setup.kept, &s->record, why))
		return refuse(s, why);
	if (!c)
		return people_leave(s, named, commands_run_words(s, line));
	int names = *c->name || !*line->words[0] ? 1 : 0;
	s->command = c;
	s->args = line->words + names;
	s->arg_count = line->count - names;
	people_clean_args(s);
	if (command_takes(c, s->arg_count))
		return people_leave(s, c, c->run(s));
	text_printf(s->reply, "type %s%s%s", c->name, *c->args ? " " : "", c->args);
	return REFUSED;
}

/* A line of numbers is columns in Connect Four, so the first one is not the number of a command. A number alone is a move,
 * too. */
static void people_take_number(const struct session *s, struct gtp_command *line, char *text)
{
	bool is_move = true;
	for (int i = 0; i < line->count; i++)
		is_move &= typed_is_columns(s->record.game, line->words[i]);
	if (line->id == GTP_ID_NONE || !is_move)
		return;
	line->words = xgrow(line->words, (size_t)line->count, sizeof *line->words);
	memmove(line->words + 1, line->words, (size_t)line->count * sizeof *line->words);
	line->words[0] = text + strspn(text, " ");
	line->count++;
	line->id = GTP_ID_NONE;
}

static enum outcome people_run(struct session *s, char *text, bool is_cut)
{
	struct gtp_command line;
	typed_fold(text);
	gtp_parse(&line, text);
	people_take_number(s, &line, text);
	s->id = line.id;
	people_of(s)->is_plain = false;
	enum outcome outcome = is_cut ? refuse(s, "line too long") : people_run_line(s, &line);
	gtp_command_free(&line);
	return outcome;
}

static char *people_answer(struct session *s, bool success, const char *text)
{
	if (success && session_is_streaming(s))
		return gtp_answer_end(text);
	bool is_plain = success && people_of(s)->is_plain;
	bool is_board = s->command && strcmp(s->command->name, "showboard") == 0;
	char *framed = is_plain ? xstrdup(text)
				: (s->is_painted ? gtp_answer_painted : gtp_answer)(success, s->id,
										    text);
	/* Answers of GTP are for programs: do not break their lines. */
	if ((success && !is_plain) || is_board)
		return framed;
	char *wrapped = wrap_text(framed);
	free(framed);
	return wrapped;
}

static void people_begin(struct session *s)
{
	struct kept_game last;
	struct people *people = s->protocol_state = xcalloc(1, sizeof *people);
	people->player.resigned = KEPT_NOBODY;
	people->is_asked = kept_last(s->setup.kept, &last);
}

static void people_end(struct session *s)
{
	struct people *people = people_of(s);
	player_free(&people->player);
	free(people->name);
	free(people);
}

static const struct protocol protocol_people = {
	.begin = people_begin,
	.end = people_end,
	.clean = gtp_clean,
	.run = people_run,
	.answer = people_answer,
	.live = &drawing_live,
	.is_for_people = true,
};

/* Not Gomocup's: BOARD and RESTART are what a person may type. */
const struct protocol *const protocols_people[] = { &protocol_nboard, &protocol_people, NULL };
