/* SPDX-License-Identifier: MIT */
#include "protocol/front/people.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/version.h"
#include "engine/rules/drawing.h"
#include "engine/rules/words.h"
#include "engine/search/level.h"
#include "games/games.h"
#include "protocol/front/chooser.h"
#include "protocol/front/kept.h"
#include "protocol/front/player.h"
#include "protocol/front/terminal.h"
#include "protocol/front/tutor.h"
#include "protocol/front/typed.h"
#include "protocol/front/wrap.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/settings.h"
#include "protocol/nboard.h"

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
	s->command = command_find(name);
	return command_run(s);
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
	s->command = command_find("showboard");
	notation_of(s)->draw(s, text);
	fprintf(s->reply, "%s\n\n", text);
	return DONE;
}

static enum outcome run_exit(struct session *s)
{
	return people_run_gtp(s, "quit");
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

static void people_print_row(FILE *f, const char *name, const char *args, const char *help)
{
	int n = fprintf(f, "  %s%s%s", name, *name && *args ? " " : "", args);
	int gap = n < HELP_INDENT ? HELP_INDENT - n : 2;
	bool is_wide = terminal_columns() >= WIDE;
	if (is_wide)
		fprintf(f, "%*s", gap, "");
	else
		fprintf(f, "\n    ");
	wrap_words(f, help, is_wide ? n + gap : 4, is_wide ? HELP_INDENT : 4);
}

static void people_print_command(FILE *f, const struct command *c)
{
	people_print_row(f, c->name, c->args, c->help);
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
			fprintf(s->reply, "%s\n", groups[group++].title);
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
	fputs("Commands for people\n", s->reply);
	for (const struct command *c = people_commands; c->name; c++)
		people_print_command(s->reply, c);
	fputs("\nCommands of GTP, the protocol for programs\n", s->reply);
	for (int i = 0; command_at(i); i++)
		people_print_command(s->reply, command_at(i));
}

/* Writes a guide. Where its lines are too long for the terminal, the lines of each paragraph are joined first. */
static void people_print_guide(FILE *f, const char *guide)
{
	bool is_wide = terminal_columns() > WORDS_GUIDE_LINE;
	for (const char *next; *guide; guide = next) {
		size_t bytes = strcspn(guide, "\n");
		next = guide + bytes + (guide[bytes] == '\n');
		bool ends = is_wide || !bytes || *guide == ' ' || !*next || *next == ' ' ||
			    *next == '\n';
		fprintf(f, "%.*s%s", (int)bytes, guide, ends ? "\n" : " ");
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
	fprintf(s->reply, "%s%s%s\n\n", g->title, has_choice ? ", rules " : "",
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
	return gtp->args_min < people->args_min || gtp->args_max > people->args_max;
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
	const struct command *gtp = command_find(word);
	if (gtp && (!is_known || people_leaves(people_find(word), gtp)))
		people_print_command(s->reply, gtp);
	if (is_known || gtp)
		return DONE;
	return chooser_names(s->args, s->arg_count) ? people_run_rules(s)
						    : player_refuse_unknown(s, word);
}

/* --- the protocol --- */

void people_greet(const struct session *s, FILE *f)
{
	struct kept_game last;
	char example[MOVE_TEXT_MAX], *text, *wrapped;
	size_t length;
	player_example(s, example);
	FILE *line = text_open(&text, &length);
	fprintf(line,
		"yomi %s plays %s. Type a move such as %s, or go to let yomi move; auto on, and it "
		"answers each move. Type help for more, exit to leave.\n",
		version_number(), s->record.game->title, example);
	if (kept_last(s->setup.kept, &last)) {
		fputs("\nYour last game is kept: ", line);
		chooser_print_kept(line, last.game, last.moves);
		fputs(". Type continue to go on with it.\n", line);
	}
	fclose(line);
	wrapped = wrap_text(text);
	fputs(wrapped, f);
	free(wrapped);
	free(text);
}

const struct command people_commands[] = {
	{ .name = "",
	  .args_max = ANY,
	  .args = "MOVE",
	  .help = "play this move, or pass, for the side to move",
	  .run = player_move,
	  .finish = player_finish,
	  .plays = true },
	{ .name = "go",
	  .args = "",
	  .help = "let yomi move for the side to move",
	  .run = player_go,
	  .finish = player_finish,
	  .plays = true },
	{ .name = "auto",
	  .args_max = 1,
	  .args = "[on|off]",
	  .help = "let yomi answer each of your moves, or stop that",
	  .run = player_auto },
	{ .name = "undo",
	  .args_max = 1,
	  .args = "[COUNT]",
	  .help = "take back the last move, with auto on two; redo: again",
	  .run = player_undo },
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
	  .run = tutor_puzzle,
	  .leaves = true },
	{ .name = "moves", .args = "", .help = "list the legal moves", .run = player_moves },
	{ .name = "analyze",
	  .args = "",
	  .help = "compare the moves in a table until you press a key",
	  .run = people_run_analyze },

	{ .name = "new",
	  .args_max = ANY,
	  .args = "[GAME [RULES]]",
	  .help = "begin a new game",
	  .run = chooser_new,
	  .leaves = true },
	{ .name = "game",
	  .args_max = ANY,
	  .args = "[GAME [RULES]]",
	  .help = "list the games, or begin one; size N: its size",
	  .run = chooser_game,
	  .leaves = true },
	{ .name = "continue",
	  .args_max = 1,
	  .args = "[NUMBER]",
	  .help = "go on with a kept game; kept lists them",
	  .run = chooser_continue,
	  .leaves = true },
	{ .name = "level",
	  .args_max = 1,
	  .args = "[LEVEL]",
	  .help = "how well yomi plays: 1 (first game) to 9; 0: its best",
	  .run = chooser_level },
	{ .name = "time",
	  .args_max = 1,
	  .args = "[SECONDS]",
	  .help = "thinking time for each of yomi's moves",
	  .run = chooser_time },
	{ .name = "save",
	  .args_min = 1,
	  .args_max = ANY,
	  .args = "FILE",
	  .help = "write the game to a file in SGF",
	  .run = chooser_save },
	{ .name = "load",
	  .args_min = 1,
	  .args_max = ANY,
	  .args = "FILE",
	  .help = "read a game from a file",
	  .run = chooser_load,
	  .leaves = true },

	{ .name = "help",
	  .args_max = ANY,
	  .args = "[all|rules|COMMAND]",
	  .help = "how to use yomi, the rules, or what commands do",
	  .run = people_run_help },
	{ .name = "exit",
	  .args = "",
	  .help = "leave. ^C ends a search; Tab completes what you type",
	  .run = run_exit,
	  .leaves = true },

	{ .name = "genmove",
	  .args = "",
	  .help = "the same as go",
	  .run = player_go,
	  .finish = player_finish,
	  .plays = true },
	{ .name = "play",
	  .args_max = 1,
	  .args = "MOVE",
	  .help = "the same as MOVE alone",
	  .run = player_move,
	  .finish = player_finish,
	  .plays = true },
	{ .name = "book",
	  .args = "",
	  .help = "name the opening; list the moves that books know",
	  .run = tutor_book },
	{ .name = "board", .args = "", .help = "draw the board", .run = people_run_board },
	{ .name = "black",
	  .args = "",
	  .help = "play Black; yomi plays White",
	  .run = player_black,
	  .finish = player_finish,
	  .plays = true },
	{ .name = "white",
	  .args = "",
	  .help = "play White; yomi plays Black",
	  .run = player_white,
	  .finish = player_finish,
	  .plays = true },
	{ .name = "size",
	  .args_min = 1,
	  .args_max = 1,
	  .args = "SIZE",
	  .help = "begin a new game on a board of this size",
	  .run = chooser_size,
	  .leaves = true },
	{ .name = "redo",
	  .args_max = 1,
	  .args = "[COUNT]",
	  .help = "make the move again that undo took back",
	  .run = player_redo },
	{ .name = "score",
	  .args = "",
	  .help = "tell the result, or the stones of each side",
	  .run = player_score },
	{ .name = "resign", .args = "", .help = "give up the game", .run = player_resign },
	{ .name = "kept", .args = "", .help = "list the games that are kept", .run = chooser_kept },
	{ .name = "quit", .args = "", .help = "the same as exit", .run = run_exit, .leaves = true },
	{ .name = "rules",
	  .args_max = ANY,
	  .args = "[GAME [RULES]]",
	  .help = "how the game, or another one, is played",
	  .run = people_run_rules },
	{ .name = "?",
	  .args_max = ANY,
	  .args = "[all|rules|COMMAND]",
	  .help = "the same as help",
	  .run = people_run_help },
	{ 0 },
};

static bool takes(const struct command *c, int args)
{
	return args >= c->args_min && args <= c->args_max;
}

bool people_has_command(const char *name)
{
	return people_find(name) || command_find(name);
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
	c = c ? c : command_find(word);
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
	const struct command *gtp = line->count ? command_find(line->words[0]) : NULL;
	const struct command *c = line->count ? people_find(line->words[0]) : NULL;
	if (!line->count || (gtp && line->id != GTP_ID_NONE))
		return NULL;
	if (c && (!gtp || takes(c, line->count - 1)))
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
	    !gtp_color(line->words[0], &side) || !player_is_move(s, line->words[1]))
		return true;
	if (side != s->record.now.side && !player_is_over(s)) {
		fprintf(s->reply, "it is the turn of %s",
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
	const struct command *named = c ? c : line->count ? command_find(line->words[0]) : NULL;
	people_of(s)->is_plain = c;
	if (named && named->leaves && !kept_may_leave(s->setup.kept, &s->record, why))
		return refuse(s, why);
	if (!c)
		return people_leave(s, named, run_words(s, line));
	int names = *c->name || !*line->words[0] ? 1 : 0;
	s->command = c;
	s->args = line->words + names;
	s->arg_count = line->count - names;
	people_clean_args(s);
	if (takes(c, s->arg_count))
		return people_leave(s, c, c->run(s));
	fprintf(s->reply, "type %s%s%s", c->name, *c->args ? " " : "", c->args);
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
	line->words = xrealloc(line->words, ((size_t)line->count + 1) * sizeof *line->words);
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
	.is_for_people = true,
};

/* Not Gomocup's: BOARD and RESTART are what a person may type. */
const struct protocol *const protocols_people[] = { &protocol_nboard, &protocol_people, NULL };
