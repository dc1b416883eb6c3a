/* SPDX-License-Identifier: MIT */
#include "protocol/program/complete.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/search/common/algorithm.h"
#include "games/games.h"
#include "protocol/program/help.h"
#include "protocol/program/program.h"
#include "protocol/program/tools.h"
#include "protocol/session/command.h"
#include "protocol/session/size.h"

/* State after reading all words but the last. It determines what the last word may be. */
struct typing {
	FILE *out;
	const struct program *program;
	const struct mode *mode; /* NULL: not named yet */
	int nth;                 /* index of the mode's next argument */
	const char *game;        /* named so far, or NULL */
	const struct flag *flag; /* the next word is its value; or NULL */
	const struct option *option;
	const char *
		before; /* part of the last word that stays as it is, "--search=", and its length */
	int before_length;
	const char *last; /* the rest of the last word: completions begin with it */
};

/* Offers a word, followed by `after`, if it begins with the last word. */
static void offer(const struct typing *t, const char *dashes, const char *word, const char *after,
		  const char *help)
{
	size_t d = strlen(dashes), n = strlen(t->last);
	if (strncmp(t->last, dashes, n < d ? n : d) != 0 ||
	    (n > d && strncmp(t->last + d, word, n - d) != 0))
		return;
	fprintf(t->out, "%.*s%s%s%s%s%s\n", t->before_length, t->before, dashes, word, after,
		*help ? "\t" : "", help);
}

static void offer_names(const struct typing *t, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		offer(t, "", names[i], "", "");
}

/* Offers the modes and the tools. */
static void offer_modes(const struct typing *t)
{
	const struct mode *m;
	for (int i = 0; (m = mode_at(t->program, i)); i++)
		offer(t, "", m->name, "", m->help);
	for (const struct tool *tool = t->program->tools; tool && tool->name; tool++)
		offer(t, "", tool->name, "", tool->help);
}

static void offer_topics(const struct typing *t)
{
	offer_modes(t);
	offer(t, "", HELP_ALL, "", "everything");
}

/* Offers the sizes of the game named so far, or of the default game. */
static void offer_sizes(const struct typing *t)
{
	const struct game *g = game_find(t->game ? t->game : games[0]->name, NULL);
	for (int i = 0; g && size_at(g, i); i++) {
		char text[SIZE_TEXT_MAX];
		size_format(size_at(g, i), text);
		offer(t, "", text, "", "");
	}
}

/* Offers the possible values of a placeholder, without its brackets. */
static void offer_kind(const struct typing *t, const char *kind)
{
	static const char files[] = "FILE DATABASE FOLDER OUTPUT";
	if (list_has(files, kind))
		fputs(COMPLETE_FILES "\n", t->out);
	else if (strcmp(kind, "TOPIC") == 0)
		offer_topics(t);
	else if (strcmp(kind, "GAME") == 0)
		for (int i = 0; game_name_at(i); i++)
			offer(t, "", game_name_at(i), "", "");
	else if (strcmp(kind, "RULES") == 0)
		for (int i = 0; rules_name_at(t->game, i); i++)
			offer(t, "", rules_name_at(t->game, i), "", "");
	else if (strcmp(kind, "SIZE") == 0)
		offer_sizes(t);
	else if (strcmp(kind, "LINE") == 0 && t->program->command_at)
		for (int i = 0; t->program->command_at(i); i++)
			offer(t, "", t->program->command_at(i)->name, "",
			      t->program->command_at(i)->help);
}

static void offer_values(const struct typing *t)
{
	const struct flag *f = t->flag;
	const struct option *o = t->option;
	if (f && f->choices)
		offer_names(t, f->choices);
	else if (f)
		offer_kind(t, f->value);
	else if (o->type == OPTION_SEARCH)
		for (int i = 0; option_choice(o, i); i++)
			offer(t, "", option_choice(o, i), "",
			      i == SEARCH_AUTO ? SEARCH_AUTO_HELP : algorithms[i - 1]->help);
	else if (o->type == OPTION_CHOICE)
		offer_names(t, o->choices);
	else if (o->type == OPTION_BOOL)
		offer_names(t, (const char *const[]) { "0", "1", NULL });
}

static void offer_options(const struct typing *t)
{
	const struct mode *mode = t->mode ? t->mode : t->program->modes;
	const struct flag *f;
	const struct option *o;
	for (int i = 0; (f = flag_at(t->program, i)); i++)
		if (mode_takes(t->program, mode, f->name))
			offer(t, "--", f->name, f->type == FLAG_SET ? "" : "=", f->help);
	for (int i = 0; (o = option_at(t->program, i)); i++)
		if (mode_takes(t->program, mode, o->name))
			offer(t, "--", o->name, o->type == OPTION_BOOL ? "" : "=", o->help);
}

/* Offers the mode's next argument. */
static void offer_argument(const struct typing *t)
{
	char *args = xstrdup(t->mode->args), *save, *word = strtok_r(args, " []", &save);
	for (const struct mode *m = t->program->modes + 1; !*t->mode->name && !t->nth && m->name;
	     m++)
		offer(t, "", m->name, "", m->help);
	/* FILE... stands for any number of files. */
	for (int i = 0; word && i < t->nth && !strstr(word, "..."); i++)
		word = strtok_r(NULL, " []", &save);
	char *dots = word ? strstr(word, "...") : NULL;
	if (dots)
		*dots = '\0';
	if (word)
		offer_kind(t, word);
	free(args);
}

/* Takes a complete word that is not an option and not the value of one. */
static void take_argument(struct typing *t, const char *word)
{
	const struct mode *named = mode_find(t->program, word);
	if (t->mode && (*t->mode->name || t->nth || !named))
		t->nth++;
	else
		t->mode = named;
}

/* Takes the name of an option: --name or --name=value. If the option needs no value, it has one
 * only if the next word is "=". */
static void take_option(struct typing *t, const char *word, const char *next)
{
	size_t length = strcspn(word + 2, "=");
	char *name = xstrndup(word + 2, length);
	const struct flag *flag = flag_find(t->program, name);
	const struct option *option = option_named(t->program, name);
	free(name);
	if (flag && flag->type == FLAG_SET)
		flag = NULL;
	if (option && option->type == OPTION_BOOL && !word[2 + length] && strcmp(next, "=") != 0)
		option = NULL;
	t->flag = flag;
	t->option = flag ? NULL : option;
}

static void take_value(struct typing *t, const char *value)
{
	if (t->flag && t->flag->value && strcmp(t->flag->value, "GAME") == 0)
		t->game = value;
	t->flag = NULL;
	t->option = NULL;
}

void complete_print(FILE *out, const struct program *program, int count, const char *const *words)
{
	struct typing t = { .out = out, .program = program, .before = "" };
	if (!*program->modes->name)
		t.mode = program->modes;
	t.last = count ? words[count - 1] : "";
	for (int i = 0; i < count - 1; i++) {
		bool wanted = t.flag || t.option;
		if (wanted && strcmp(words[i], "=") != 0) {
			take_value(&t, words[i]);
		} else if (!wanted && strncmp(words[i], "--", 2) == 0) {
			take_option(&t, words[i], words[i + 1]);
			if (strchr(words[i], '='))
				take_value(&t, strchr(words[i], '=') + 1);
		} else if (!wanted) {
			take_argument(&t, words[i]);
			if (t.mode && t.nth == 1 && strncmp(t.mode->args, "GAME", 4) == 0)
				t.game = words[i];
		}
	}
	bool wanted = t.flag || t.option;
	if (wanted && strcmp(t.last, "=") == 0) {
		t.last = "";
	} else if (!wanted && strncmp(t.last, "--", 2) == 0 && strchr(t.last, '=')) {
		take_option(&t, t.last, "");
		t.before = t.last;
		t.last = strchr(t.last, '=') + 1;
		t.before_length = (int)(t.last - t.before);
		if (!t.flag && !t.option)
			return;
	}
	if (t.flag || t.option)
		offer_values(&t);
	else if (*t.last == '-')
		offer_options(&t);
	else if (t.mode)
		offer_argument(&t);
	else
		offer_modes(&t);
}
