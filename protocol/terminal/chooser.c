/* SPDX-License-Identifier: MIT */
#include "protocol/terminal/chooser.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/suggestion.h"
#include "engine/base/system.h"
#include "engine/search/level.h"
#include "games/games.h"
#include "protocol/session/line.h"
#include "protocol/session/settings.h"
#include "protocol/session/size.h"
#include "protocol/session/start.h"
#include "protocol/terminal/kept.h"
#include "protocol/terminal/people.h"
#include "protocol/terminal/player.h"
#include "protocol/terminal/typed.h"

#define KEPT_SHOWN 10 /* most kept games in a list */

/* --- games --- */

/* Writes the size of a board that is not the usual one of the game. */
static void chooser_print_size(struct text *out, const struct game *g)
{
	char size[SIZE_TEXT_MAX];
	size_format(g, size);
	if (g != game_find(g->name, g->rules))
		text_printf(out, ", size %s", size);
}

static enum outcome chooser_begin(struct session *s, const struct game *g)
{
	bool has_other_rules = !game_has_usual_rules(g);
	bool waits = kept_waits(s->setup.kept, &s->record);
	start_game(s, g);
	people_player(s)->begun++;
	text_printf(s->reply, "a new game of %s%s%s%s", g->title, has_other_rules ? " (rules " : "",
		    has_other_rules ? g->rules : "", has_other_rules ? ")" : "");
	chooser_print_size(s->reply, g);
	text_puts(s->reply, waits ? "\nThe last one is kept; continue goes back to it.\n" : "\n");
	return DONE;
}

/* Lists the games, and their rules where there is a choice. */
static void chooser_print_games(struct session *s)
{
	for (int i = 0; games[i]; i++) {
		bool is_first = game_find(games[i]->name, NULL) == games[i];
		bool is_only = is_first &&
			       (!games[i + 1] || strcmp(games[i + 1]->name, games[i]->name) != 0);
		text_printf(s->reply, is_only ? "game %s\n" : "game %s %s\n", games[i]->name,
			    games[i]->rules);
	}
	text_printf(s->reply, "You are playing %s.\n", s->record.game->title);
}

static void chooser_refuse_game(struct session *s, const char *name)
{
	struct suggestion suggestion;
	suggestion_begin(&suggestion, name);
	for (int i = 0; games[i]; i++)
		suggestion_consider(&suggestion, games[i]->name);
	text_printf(s->reply, "there is no game %s; ", name);
	if (suggestion.best)
		text_printf(s->reply, "did you mean %s?", suggestion.best);
	else
		text_puts(s->reply, "type game for a list");
}

/* Finds the game that words name. *rules: what they say about its rules, or NULL. Returns NULL if there is none; *error then has the reason
 * if the rules in a file are wrong. */
static const struct game *chooser_look(const struct session *s, char *const *words, int count,
				       const char **rules, struct text *error)
{
	const struct game *g = NULL;
	*rules = NULL;
	for (int name = count; name > 0 && !g && name >= count - 1; name--) {
		char *text = typed_join(words, name);
		*rules = name < count ? words[name] : NULL;
		g = s->setup.no_files ? game_find(text, *rules) : game_open(text, *rules, error);
		free(text);
		if (error->length)
			break;
	}
	return g;
}

/* Returns true if words name a game, perhaps with rules that it has. */
static bool chooser_knows(const struct session *s, char *const *words, int count)
{
	const char *rules;
	struct text error = { 0 };
	bool knows = chooser_look(s, words, count, &rules, &error) != NULL;
	text_free(&error);
	return knows;
}

bool chooser_names(const struct session *s, char *const *words, int count)
{
	return chooser_knows(s, words, count) || game_find(words[0], NULL);
}

const struct game *chooser_find(struct session *s, char *const *words, int count)
{
	const char *rules;
	struct text error = { 0 };
	const struct game *g = chooser_look(s, words, count, &rules, &error);
	if (!g && error.length)
		text_puts(s->reply, error.bytes);
	else if (!g && rules && game_find(words[0], NULL))
		text_printf(s->reply,
			    "%s has no rules %s; type game for a list, size N for another size",
			    game_find(words[0], NULL)->title, rules);
	else if (!g)
		chooser_refuse_game(s, words[0]);
	text_free(&error);
	return g;
}

/* Begins a game with the rules of `g` on a board of this size. */
static enum outcome chooser_begin_sized(struct session *s, const struct game *g, const char *size)
{
	const struct game *sized = g;
	char sizes[SIZE_LIST_MAX];
	if (size_find(&sized, size) && sized)
		return chooser_begin(s, sized);
	size_list(g, sizes);
	text_printf(s->reply, "%s has %s %s", g->title, size_varies(g) ? "the sizes" : "only size",
		    sizes);
	return REFUSED;
}

enum outcome chooser_game(struct session *s)
{
	int count = s->arg_count;
	if (!count) {
		chooser_print_games(s);
		return DONE;
	}
	const char *last = s->args[count - 1];
	/* The 4 of Connect 4 is no size. */
	bool has_size = count > 1 && isdigit((unsigned char)*last) &&
			!chooser_knows(s, s->args, count);
	const struct game *g = chooser_find(s, s->args, count - has_size);
	if (!g)
		return REFUSED;
	return has_size ? chooser_begin_sized(s, g, last) : chooser_begin(s, g);
}

enum outcome chooser_size(struct session *s)
{
	return chooser_begin_sized(s, s->record.game, s->args[0]);
}

/* `new game` is `new`, `new hex` is `game hex`. */
enum outcome chooser_new(struct session *s)
{
	if (s->arg_count && strcmp(s->args[0], "game") == 0) {
		s->args++;
		s->arg_count--;
	}
	return s->arg_count ? chooser_game(s) : chooser_begin(s, s->record.game);
}

/* --- kept games --- */

void chooser_print_kept(struct text *out, const struct game *g, int moves)
{
	text_puts(out, g->title);
	chooser_print_size(out, g);
	text_printf(out, ", %d move%s", moves, moves == 1 ? "" : "s");
}

enum outcome chooser_kept(struct session *s)
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
		text_printf(s->reply, "continue %-3d %s  ", list[i].number, date);
		chooser_print_kept(s->reply, list[i].game, list[i].moves);
		text_puts(s->reply, list[i].is_over ? ", finished\n" : "\n");
	}
	return DONE;
}

/* Sets *number to that of the last game that is not finished. Returns false after an error. */
static bool chooser_last_kept(struct session *s, int *number)
{
	const struct kept_games *k = s->setup.kept;
	struct kept_game game;
	if (kept_last(k, &game)) {
		*number = game.number;
		return true;
	}
	text_puts(s->reply, kept_list(k, &game, 1) ? "all kept games are finished; kept lists them"
						   : "no other game is kept");
	return false;
}

/* --- settings --- */

/* Sets an option if there is an argument. Writes its value to the reply. */
static enum outcome chooser_set_or_show(struct session *s, const char *name,
					char text[OPTION_TEXT_MAX])
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
static void chooser_print_level(struct text *out, const struct game *g, double level)
{
	int whole = (int)fmax(1, round(level)), elo = level_elo(g, level);
	if (level <= 0) {
		text_printf(out, "level 0: full strength. Levels 1 (%s) to %d (%s) are weaker.\n",
			    level_name(1), LEVEL_MAX, level_name(LEVEL_MAX));
		return;
	}
	text_printf(out, "level %.3g of %d: %s.", level, LEVEL_MAX, level_name(whole));
	if (elo) {
		bool is_highest = level >= LEVEL_MAX;
		double other = is_highest ? level - 1 : fmin(level + 1, LEVEL_MAX);
		double share = level_share(elo, level_elo(g, other));
		text_printf(out, " Level %.3g wins about %.0f of 100 games against level %.3g.",
			    is_highest ? level : other, 100 * (is_highest ? share : 1 - share),
			    is_highest ? other : level);
		text_printf(out, " Elo %d, where random moves in %s have 0.", elo, g->title);
	}
	text_putc(out, '\n');
}

enum outcome chooser_level(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	enum outcome outcome = chooser_set_or_show(s, "level", text);
	if (outcome == DONE)
		chooser_print_level(s->reply, s->record.game,
				    level_wanted(engine_options(s->engine), s->record.game));
	return outcome;
}

enum outcome chooser_time(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	enum outcome outcome = chooser_set_or_show(s, "time", text);
	if (outcome == DONE)
		text_printf(s->reply, "%s seconds a move%s\n", text,
			    level_wanted(engine_options(s->engine), s->record.game) > 0
				    ? ", but a level sets its own limit"
				    : "");
	return outcome;
}

/* --- going on with a kept game --- */

/* Sets the level and the time with which a kept game was played, and tells them. */
static void chooser_take_terms(struct session *s, const struct kept_terms *terms)
{
	char why[REASON_MAX], text[OPTION_TEXT_MAX];
	const struct setting_values values = session_values(s);
	if (*terms->time && session_set_option(s, setting_find("time"), terms->time, why)) {
		setting_get(&values, setting_find("time"), text);
		text_printf(s->reply, "%s seconds a move\n", text);
	}
	if (*terms->level)
		session_set_option(s, setting_find("level"), terms->level, why);
	double level = level_wanted(values.options, s->record.game);
	if (level > 0)
		chooser_print_level(s->reply, s->record.game, level);
}

enum outcome chooser_continue(struct session *s)
{
	struct player *player = people_player(s);
	struct kept_terms terms;
	char why[REASON_MAX];
	int number, resigned;
	if (s->arg_count && !line_int(s->args[0], &number))
		return syntax_error(s, "type continue, or continue and a number; kept lists them");
	if (!s->arg_count && !chooser_last_kept(s, &number))
		return REFUSED;
	if (!kept_take(s->setup.kept, number, &s->record, &terms, &resigned, why))
		return refuse(s, why);
	chooser_print_kept(s->reply, s->record.game, s->record.count);
	text_putc(s->reply, '\n');
	player->answers = terms.yomi != KEPT_NOBODY;
	if (player->answers) {
		player->side = terms.yomi ^ 1;
		text_printf(s->reply, "You play %s, yomi plays %s.\n",
			    game_side(s->record.game, player->side),
			    game_side(s->record.game, terms.yomi));
	}
	chooser_take_terms(s, &terms);
	enum outcome outcome = start_loaded(s, "");
	player_note_resigned(s, resigned);
	if (resigned != KEPT_NOBODY)
		player_score(s);
	s->has_other_game = false; /* it has its file */
	return outcome;
}

/* --- files --- */

/* Returns the name of a file that the arguments are, as a shell reads it: it may be quoted, or have a backslash before a character,
 * as Tab writes it, and begin with `~/`. The caller frees it. */
static char *chooser_file_name(const struct session *s)
{
	char quote = '\0';
	const char *home = system_home();
	bool is_at_home = home && strncmp(s->args[0], "~/", 2) == 0;
	struct text name = { 0 };
	text_puts(&name, is_at_home ? home : "");
	for (int i = 0; i < s->arg_count; i++) {
		text_puts(&name, i ? " " : "");
		for (const char *word = s->args[i] + (!i && is_at_home); *word; word++) {
			if (*word == quote)
				quote = '\0';
			else if (!quote && (*word == '"' || *word == '\''))
				quote = *word;
			else if (*word != '\\' || quote == '\'')
				text_putc(&name, *word);
			else if (word[1])
				text_putc(&name, *++word);
		}
	}
	return text_take(&name);
}

/* Runs a command of GTP with the name of a file. */
static enum outcome chooser_run_with_file(struct session *s, const char *name, const char *done)
{
	char *file = chooser_file_name(s), **own = s->args;
	int count = s->arg_count;
	s->args = &file;
	s->arg_count = 1;
	enum outcome outcome = people_run_gtp(s, name);
	s->args = own;
	s->arg_count = count;
	if (outcome == DONE && done)
		text_printf(s->reply, "%s%s\n", done, file);
	free(file);
	return outcome;
}

enum outcome chooser_save(struct session *s)
{
	enum outcome outcome = chooser_run_with_file(s, "printsgf", "saved to ");
	if (outcome == DONE)
		kept_release(s->setup.kept, &s->record);
	return outcome;
}

enum outcome chooser_load(struct session *s)
{
	return chooser_run_with_file(s, "loadsgf", NULL);
}
