/* SPDX-License-Identifier: MIT
 *
 * Commands of single clients: the choice of a game for Quarry; engine description and SGF records for gomill.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/version.h"
#include "games/games.h"
#include "protocol/gtp/commands.h"
#include "protocol/records/file.h"
#include "protocol/records/sgf.h"
#include "protocol/session/command.h"
#include "protocol/session/start.h"

/* The title of a game, as list_games writes it, may have several words. A client that may use files can name one with rules. */
static enum outcome clients_run_set_game(struct session *s)
{
	char *name = join_args(s, 0);
	struct text error = { 0 };
	const struct game *now = s->record.game;
	const struct game *g = s->setup.no_files ? game_find(name, NULL)
						 : game_open(name, NULL, &error);
	const struct game *same = game_find(name, now->rules);
	/* The same game keeps its rules and size, unless the name is that of other rules, as Hex is for Rex. */
	if (same && game_is_variant(same, now) &&
	    (strcasecmp(g->rules, name) != 0 || strcmp(g->rules, now->rules) == 0))
		g = now;
	if (g)
		start_game(s, g);
	else if (error.length)
		text_puts(s->reply, error.bytes);
	else
		text_printf(s->reply, "unknown game %s", name);
	text_free(&error);
	free(name);
	return g ? DONE : REFUSED;
}

static enum outcome run_list_games(struct session *s)
{
	for (int i = 0; games[i]; i++)
		if (game_find(games[i]->name, NULL) == games[i])
			text_printf(s->reply, "%s\n", games[i]->title);
	return DONE;
}

/* Everything that affects play, for tournament records. */
static enum outcome run_describe_engine(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	const struct game *g = s->record.game;
	text_printf(s->reply, "%s %s\n%s, rules %s\n", VERSION_NAME, version_text(), g->title,
		    g->rules);
	const struct setting_values values = session_values(s);
	for (int i = 0; setting_at(i); i++) {
		setting_get(&values, setting_at(i), text);
		text_printf(s->reply, "%s%s %s", i ? ", " : "", setting_at(i)->name, text);
	}
	return DONE;
}

/* Reads `NAME=VALUE` in place. In the value `\_` is a blank, `\\` a backslash. Returns false if it is
 * malformed. */
static bool clients_read_property(char *word, struct sgf_property *p)
{
	char *to = strchr(word, '=');
	p->name = word;
	if (!to || to == word)
		return false;
	for (const char *c = word; c < to; c++)
		if (!isupper((unsigned char)*c))
			return false;
	*to++ = '\0';
	p->value = to;
	for (const char *from = to; *from; from++) {
		bool escapes = *from == '\\' && from[1];
		from += escapes;
		*to++ = *from == '_' && escapes ? ' ' : *from;
	}
	*to = '\0';
	return true;
}

static enum outcome clients_run_savesgf(struct session *s)
{
	struct sgf_property properties[SGF_PROPERTIES_MAX];
	int count = s->arg_count - 1;
	char why[REASON_MAX];
	if (s->setup.no_files)
		return refuse(s, FILE_NONE);
	if (count > SGF_PROPERTIES_MAX)
		return syntax_error(s, "there are too many properties");
	for (int i = 0; i < count; i++)
		if (!clients_read_property(s->args[1 + i], &properties[i]))
			return syntax_error(
				s, "type each property as NAME=VALUE, the name in capital letters");
	struct text text = { 0 };
	sgf_print_with(&text, &s->record, properties, count, NULL);
	bool done = file_save_text(s->args[0], text.bytes, why);
	text_free(&text);
	return done ? DONE : refuse(s, why);
}

const struct command client_commands[] = {
	{ "set_game", "GAME", "start a new game of this kind", clients_run_set_game, .more = true,
	  .leaves = true },
	{ "list_games", "", "list the games for set_game", run_list_games },
	{ "gomill-describe_engine", "", "describe the program, its game and its options",
	  run_describe_engine },
	{ "gomill-savesgf", "FILE [NAME=VALUE]...",
	  "write the game in SGF to a file, with these properties in its root; write \\_ for a "
	  "blank in a value",
	  clients_run_savesgf },
	{ "kgs-game_over", "", "accepted and ignored", command_ignore },
	{ 0 },
};
