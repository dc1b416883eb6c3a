/* SPDX-License-Identifier: MIT */
#include "protocol/program/complete.h"

#include <stdlib.h>
#include <string.h>

#include "engine/algorithm.h"
#include "engine/memory.h"
#include "games/games.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/settings.h"
#include "protocol/program/arguments.h"

/* What is being typed: the words before the last say what the last one is about. */
struct typing {
	FILE *out;
	const struct program *program;
	const struct mode *mode; /* NULL: none is named yet */
	int nth;                 /* argument of the mode that comes next */
	const char *game;        /* that was named, or NULL */
	const struct flag *flag; /* whose value comes next, or NULL */
	const struct option *option;
	const char *before; /* stands in the last word already, with its length: "--search=" */
	int before_length;
	const char *last; /* the beginning of what is offered */
};

/* Offers a word, with something behind it, if it begins as the last one does. */
static void offer(const struct typing *t, const char *dashes, const char *word, const char *behind,
		  const char *help)
{
	size_t d = strlen(dashes), n = strlen(t->last);
	if (strncmp(t->last, dashes, n < d ? n : d) != 0 ||
	    (n > d && strncmp(t->last + d, word, n - d) != 0))
		return;
	fprintf(t->out, "%.*s%s%s%s%s%s\n", t->before_length, t->before, dashes, word, behind,
		*help ? "\t" : "", help);
}

/* Offers what something called MODE, GAME, RULES, LINE, FILE can be. */
static void offer_kind(const struct typing *t, const char *kind)
{
	if (strcmp(kind, "FILE") == 0)
		fputs(COMPLETE_FILES "\n", t->out);
	else if (strcmp(kind, "MODE") == 0)
		for (const struct mode *m = t->program->modes; m->name; m++)
			offer(t, "", m->name, "", m->help);
	else if (strcmp(kind, "GAME") == 0)
		for (int i = 0; game_name_at(i); i++)
			offer(t, "", game_name_at(i), "", "");
	else if (strcmp(kind, "RULES") == 0)
		for (int i = 0; rules_name_at(t->game, i); i++)
			offer(t, "", rules_name_at(t->game, i), "", "");
	else if (strcmp(kind, "LINE") == 0)
		for (int i = 0; command_at(i); i++)
			offer(t, "", command_at(i)->name, "", command_at(i)->help);
}

static void offer_values(const struct typing *t)
{
	const struct flag *f = t->flag;
	const struct option *o = t->option;
	if (f && f->choices)
		for (int i = 0; f->choices[i]; i++)
			offer(t, "", f->choices[i], "", "");
	else if (f)
		offer_kind(t, f->value);
	else if (o->type == OPTION_SEARCH)
		for (int i = 0; option_choice(o, i); i++)
			offer(t, "", option_choice(o, i), "",
			      i == SEARCH_AUTO ? SEARCH_AUTO_HELP : algorithms[i - 1]->help);
	else if (o->type == OPTION_CHOICE)
		for (int i = 0; option_choice(o, i); i++)
			offer(t, "", option_choice(o, i), "", "");
	else if (o->type == OPTION_BOOL)
		for (int i = 0; i < 2; i++)
			offer(t, "", i ? "1" : "0", "", "");
}

static void offer_options(const struct typing *t)
{
	const struct mode *mode = t->mode ? t->mode : t->program->modes;
	for (const struct flag *f = t->program->flags; f->name; f++)
		if (mode_takes(t->program, mode, f->name))
			offer(t, "--", f->name, f->value ? "=" : "", f->help);
	const struct option *o;
	for (int i = 0; (o = setting_at(i)); i++)
		if (mode_takes(t->program, mode, o->name))
			offer(t, "--", o->name, o->type == OPTION_BOOL ? "" : "=", o->help);
}

/* Offers the argument of the mode that comes next. */
static void offer_argument(const struct typing *t)
{
	char *args = xstrdup(t->mode->args), *save, *word = strtok_r(args, " ", &save);
	for (int i = 0; word && i < t->nth; i++)
		word = strtok_r(NULL, " ", &save);
	if (word)
		offer_kind(t, word);
	free(args);
}

/* Takes a word that is complete and no option's value. */
static void take_argument(struct typing *t, const char *word)
{
	if (t->mode) {
		t->nth++;
		return;
	}
	for (const struct mode *m = t->program->modes; m->name && !t->mode; m++)
		if (strcmp(m->name, word) == 0)
			t->mode = m;
}

/* Takes the name of an option: --name or --name=value. Of one without a value nothing comes next, unless a
 * word "=" does. */
static void take_option(struct typing *t, const char *word, const char *next)
{
	size_t length = strcspn(word + 2, "=");
	char *name = xstrndup(word + 2, length);
	const struct flag *flag = flag_find(t->program, name);
	const struct option *option = setting_find(name);
	free(name);
	if (flag && !flag->value)
		flag = NULL;
	if (option && option->type == OPTION_BOOL && !word[2 + length] && strcmp(next, "=") != 0)
		option = NULL;
	t->flag = flag;
	t->option = flag ? NULL : option;
}

static void take_value(struct typing *t, const char *value)
{
	if (t->flag && strcmp(t->flag->value, "GAME") == 0)
		t->game = value;
	t->flag = NULL;
	t->option = NULL;
}

void complete_print(FILE *out, const struct program *program, int count, const char *const *words)
{
	struct typing t = { .out = out, .program = program, .before = "" };
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
		offer_kind(&t, "MODE");
}
