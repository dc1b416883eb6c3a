/* SPDX-License-Identifier: MIT */
#include "protocol/terminal/completion.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "games/games.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/notation.h"
#include "protocol/session/settings.h"
#include "protocol/terminal/people.h"

#define KIND_MAX 32 /* bytes of the longest word of a usage text with NUL */

struct completion_search {
	struct completion *found;
	const struct session *session;
	const char *const *words;
	const char *typed;
};

static void completion_add(const struct completion_search *q, const char *name)
{
	struct completion *c = q->found;
	if (strncmp(name, q->typed, strlen(q->typed)) != 0)
		return;
	for (int i = 0; i < c->count; i++)
		if (strcmp(c->names[i], name) == 0)
			return;
	c->names = xgrow(c->names, (size_t)c->count, sizeof *c->names);
	c->names[c->count++] = xstrndup(name, strlen(name));
}

/* Adds the legal moves, in lower case unless the typed part has capitals. */
static void add_moves(const struct completion_search *q)
{
	const struct session *s = q->session;
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	bool is_lower = true;
	for (const char *c = q->typed; *c; c++)
		is_lower &= !isupper((unsigned char)*c);
	int n = s->record.now.over ? 0 : notation_of(s)->moves(s, moves);
	for (int i = 0; i < n; i++) {
		format_play(s, moves[i], text);
		for (char *c = text; *c && is_lower; c++)
			*c = (char)tolower((unsigned char)*c);
		completion_add(q, text);
	}
}

static void add_commands(const struct completion_search *q, bool with_gtp)
{
	for (const struct command *c = people_commands; c->name; c++)
		if (*c->name)
			completion_add(q, c->name);
	for (int i = 0; with_gtp && commands_at(i); i++)
		completion_add(q, commands_at(i)->name);
}

static void add_values(const struct completion_search *q, const char *name)
{
	const struct option *o = setting_find(name);
	bool has_choices = o && (o->type == OPTION_CHOICE || o->type == OPTION_SEARCH);
	for (int i = 0; has_choices && option_choice(o, i); i++)
		completion_add(q, option_choice(o, i));
	if (o && o->type == OPTION_BOOL) {
		completion_add(q, "0");
		completion_add(q, "1");
	}
}

/* Adds the names of games, or the rule sets of one. */
static void completion_add_games(const struct completion_search *q, const char *game)
{
	for (int i = 0; games[i]; i++)
		if (!game)
			completion_add(q, games[i]->name);
		else if (strcasecmp(games[i]->name, game) == 0)
			completion_add(q, games[i]->rules);
}

/* Adds the completions of a word of a usage text, such as COLOR. */
static void add_kind(const struct completion_search *q, const char *kind)
{
	bool sets_options = strstr(q->words[0], "param");
	if (islower((unsigned char)*kind)) {
		completion_add(q, kind);
	} else if (strcmp(kind, "COLOR") == 0) {
		completion_add(q, "black");
		completion_add(q, "white");
	} else if (strcmp(kind, "MOVE") == 0) {
		add_moves(q);
	} else if (strcmp(kind, "COMMAND") == 0) {
		add_commands(q, true);
	} else if (strcmp(kind, "GAME") == 0) {
		completion_add_games(q, NULL);
	} else if (strcmp(kind, "RULES") == 0) {
		completion_add_games(q, q->words[1]);
	} else if (strcmp(kind, "FILE") == 0) {
		q->found->is_file = true;
	} else if (strcmp(kind, "NAME") == 0 && sets_options) {
		for (int i = 0; setting_at(i); i++)
			completion_add(q, setting_at(i)->name);
	} else if (strcmp(kind, "VALUE") == 0 && sets_options) {
		add_values(q, q->words[1]);
	}
}

/* Adds the completions of argument n of a command, counted from 0. The usage text has a word for each argument, such as
 * "COLOR MOVE" or "[on|off]". */
static void add_argument(const struct completion_search *q, const struct command *c, int n)
{
	static const char blanks[] = " []", ends[] = " []|";
	const char *text = c->args + strspn(c->args, blanks);
	for (; n > 0 && *text; n--) {
		text += strcspn(text, blanks);
		text += strspn(text, blanks);
	}
	for (;;) {
		char kind[KIND_MAX];
		size_t length = strcspn(text, ends);
		if (length == 0 || length >= sizeof kind)
			return;
		memcpy(kind, text, length);
		kind[length] = '\0';
		add_kind(q, kind);
		if (text[length] != '|')
			return;
		text += length + 1;
	}
}

void completion_find(struct completion *found, const struct session *s, int count,
		     const char *const *words, const char *typed)
{
	const struct completion_search q = { found, s, words, typed };
	if (count == 0) {
		/* Without a letter the list would be too long to read. */
		add_commands(&q, *typed);
		if (*typed)
			add_moves(&q);
		return;
	}
	for (const struct command *c = people_commands; c->name; c++)
		if (strcmp(c->name, words[0]) == 0)
			add_argument(&q, c, count - 1);
	const struct command *gtp = commands_find(words[0]);
	if (gtp)
		add_argument(&q, gtp, count - 1);
}

void completion_free(struct completion *c)
{
	for (int i = 0; i < c->count; i++)
		free(c->names[i]);
	free(c->names);
}
