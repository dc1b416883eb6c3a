/* SPDX-License-Identifier: MIT */
#include "protocol/program/arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "engine/memory.h"
#include "games/games.h"
#include "protocol/gtp/suggestion.h"
#include "protocol/program/config.h"

/* State of the parser. */
struct reader {
	struct arguments *a;
	int line, rules_line; /* of the config file */
	char *why;
};

/* Writes an error to `why`. Returns false. */
__attribute__((format(printf, 2, 3))) static bool complain(char *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(why, COMPLAINT_MAX, format, args);
	va_end(args);
	return false;
}

/* Adds a suggestion to `why` if there is one. Returns false. */
static bool complain_suggestion(char *why, const struct suggestion *suggestion, const char *dashes)
{
	size_t n = strlen(why);
	if (suggestion->best)
		snprintf(why + n, COMPLAINT_MAX - n, "; did you mean %s%s?", dashes,
			 suggestion->best);
	return false;
}

const char *game_name_at(int i)
{
	for (int g = 0; games[g]; g++)
		if ((g == 0 || strcmp(games[g]->name, games[g - 1]->name) != 0) && i-- == 0)
			return games[g]->name;
	return NULL;
}

/* Returns true if an earlier row (of `game`, or of any game if NULL) has the same rules as games[g]. */
static bool is_repeated(const char *game, int g)
{
	for (int i = 0; i < g; i++)
		if (strcmp(games[i]->rules, games[g]->rules) == 0 &&
		    (!game || strcmp(games[i]->name, game) == 0))
			return true;
	return false;
}

const char *rules_name_at(const char *game, int i)
{
	for (int g = 0; games[g]; g++)
		if ((!game || strcmp(games[g]->name, game) == 0) && !is_repeated(game, g) &&
		    i-- == 0)
			return games[g]->rules;
	return NULL;
}

const struct game *arguments_game(const char *name, const char *rules, char why[COMPLAINT_MAX])
{
	struct suggestion suggestion;
	const struct game *g = name ? game_find(name, rules) : game_find(games[0]->name, rules);
	const struct game *usual = name ? game_find(name, NULL) : games[0];
	if (g)
		return g;
	suggestion_begin(&suggestion, usual ? rules : name);
	for (int i = 0; !usual && game_name_at(i); i++)
		suggestion_consider(&suggestion, game_name_at(i));
	for (int i = 0; usual && rules_name_at(usual->name, i); i++)
		suggestion_consider(&suggestion, rules_name_at(usual->name, i));
	if (usual)
		complain(why, "%s has no rules %s", usual->name, rules);
	else
		complain(why, "there is no game %s", name);
	complain_suggestion(why, &suggestion, "");
	return NULL;
}

static bool check_choice(const struct flag *flag, const char *value, char *why)
{
	if (!flag->choices)
		return true;
	for (int i = 0; flag->choices[i]; i++)
		if (strcmp(value, flag->choices[i]) == 0)
			return true;
	complain(why, "%s is one of", flag->name);
	for (int i = 0; flag->choices[i]; i++) {
		size_t n = strlen(why);
		snprintf(why + n, COMPLAINT_MAX - n, " %s", flag->choices[i]);
	}
	return false;
}

static bool set_flag(struct arguments *a, const struct flag *flag, const char *value, char *why)
{
	void *field = (char *)a + flag->offset;
	if (!check_choice(flag, value, why))
		return false;
	if (flag->value && strcmp(flag->value, "GAME") == 0 && !arguments_game(value, NULL, why))
		return false;
	if (!flag->repeated) {
		memcpy(field, &value, sizeof value);
		return true;
	}
	char *lines;
	memcpy(&lines, field, sizeof lines);
	char *longer = xasprintf("%s%s\n", lines ? lines : "", value);
	free(lines);
	memcpy(field, &longer, sizeof longer);
	return true;
}

static bool set_option(struct arguments *a, const struct option *option, const char *value,
		       char *why)
{
	char reason[REASON_MAX];
	struct suggestion suggestion;
	const struct values values = { &a->options, &a->settings };
	if (setting_set(&values, option, value, reason))
		return true;
	complain(why, "%s", reason);
	suggestion_begin(&suggestion, value);
	if (option->type == OPTION_CHOICE || option->type == OPTION_SEARCH)
		for (int i = 0; option_choice(option, i); i++)
			suggestion_consider(&suggestion, option_choice(option, i));
	return complain_suggestion(why, &suggestion, "");
}

const struct flag *flag_find(const struct program *p, const char *name)
{
	for (const struct flag *f = p->flags; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* Writes the error for an unknown name on the command line or in the config file, with a suggestion. */
static bool complain_unknown(const struct program *p, const char *name, bool in_config, char *why)
{
	struct suggestion suggestion;
	const char *dashes = in_config ? "" : "--";
	suggestion_begin(&suggestion, name);
	for (const struct flag *f = p->flags; f->name; f++)
		if (!in_config || f->in_config)
			suggestion_consider(&suggestion, f->name);
	for (int i = 0; setting_at(i); i++)
		suggestion_consider(&suggestion, setting_at(i)->name);
	complain(why, "unknown option %s%s", dashes, name);
	return complain_suggestion(why, &suggestion, dashes);
}

bool arguments_have(const struct arguments *a, const char *name)
{
	for (int i = 0; i < a->given_count; i++)
		if (strcmp(a->given[i], name) == 0)
			return true;
	return false;
}

bool mode_takes(const struct program *p, const struct mode *mode, const char *name)
{
	size_t length = strlen(name);
	const char *at = mode->options;
	const struct flag *flag = at ? NULL : flag_find(p, name);
	if (!at)
		return !flag || !flag->named_only;
	if (strcmp(name, "help") == 0 || strcmp(name, "version") == 0)
		return true;
	for (; (at = strstr(at, name)); at += length)
		if ((at == mode->options || at[-1] == ' ') &&
		    (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

/* Words of these characters only are boards (with or without a side), even if they begin with dashes. No
 * option consists of these characters. */
static bool is_option(const char *word)
{
	return strncmp(word, "--", 2) == 0 && word[strspn(word, "XO*BWxobw._- ;")];
}

/* Reads the option at words[*i], which begins with "--", and its value. */
static bool read_option(struct reader *r, int count, char **words, int *i)
{
	struct arguments *a = r->a;
	char name[COMPLAINT_MAX], reason[REASON_MAX];
	const struct values values = { &a->options, &a->settings };
	const char *word = words[*i] + 2, *value = strchr(word, '=');
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);

	const struct flag *flag = flag_find(a->program, name);
	const struct option *option = setting_find(name);
	if (!flag && !option)
		return complain_unknown(a->program, name, false, r->why);
	if (flag && !flag->value) {
		if (value)
			return complain(r->why, "--%s takes no value", name);
		value = "";
	} else if (value) {
		value++;
	} else if (option && option->type == OPTION_BOOL) {
		/* The next word is its value if it is a valid one, else a mode or an argument. */
		value = "1";
		if (*i + 1 < count && setting_set(&values, option, words[*i + 1], reason))
			value = words[++*i];
	} else if (*i + 1 < count) {
		value = words[++*i];
	} else {
		return complain(r->why, "--%s wants a value", name);
	}
	a->given[a->given_count++] = flag ? flag->name : option->name;
	return flag ? set_flag(a, flag, value, r->why) : set_option(a, option, value, r->why);
}

/* Separates options from other words. After "--" no word is an option. */
static bool read_words(struct reader *r, int count, char **words)
{
	r->a->given_count = r->a->count = 0;
	bool options = true;
	for (int i = 0; i < count; i++) {
		if (options && strcmp(words[i], "--") == 0)
			options = false;
		else if (!options || !is_option(words[i]))
			r->a->words[r->a->count++] = words[i];
		else if (!read_option(r, count, words, &i))
			return false;
	}
	return true;
}

/* Finds the mode that the first word names, and removes that word from the arguments. */
static bool choose_mode(struct reader *r)
{
	struct arguments *a = r->a;
	struct suggestion suggestion;
	const struct mode *mode = a->program->modes;
	a->mode = mode;
	if (a->count == 0)
		return true;
	suggestion_begin(&suggestion, a->words[0]);
	for (; mode->name && strcmp(mode->name, a->words[0]) != 0; mode++)
		suggestion_consider(&suggestion, mode->name);
	if (!mode->name) {
		complain(r->why, "there is no mode %s", a->words[0]);
		return complain_suggestion(r->why, &suggestion, "");
	}
	a->mode = mode;
	a->mode_given = true;
	a->count--;
	memmove(a->words, a->words + 1, (size_t)a->count * sizeof *a->words);
	return true;
}

/* Returns true if options and number of arguments fit the mode. */
static bool check_mode(const struct reader *r)
{
	const struct mode *mode = r->a->mode;
	for (int i = 0; i < r->a->given_count; i++)
		if (!mode_takes(r->a->program, mode, r->a->given[i]))
			return complain(r->why, "%s takes no --%s", mode->name, r->a->given[i]);
	if (r->a->count < mode->args_min || r->a->count > mode->args_max)
		return complain(r->why, "wanted is: yomi %s%s%s", mode->name,
				*mode->args ? " " : "", mode->args);
	if (r->a->config && r->a->no_config)
		return complain(r->why, "--config and --no-config exclude each other");
	return true;
}

/* Applies a line of the config file. */
static bool set_line(void *arg, const char *name, const char *value)
{
	struct reader *r = arg;
	struct arguments *a = r->a;
	const struct flag *flag = flag_find(a->program, name);
	const struct option *option = setting_find(name);
	if (option)
		return set_option(a, option, value, r->why);
	if (!flag)
		return complain_unknown(a->program, name, true, r->why);
	if (!flag->in_config)
		return complain(r->why, "%s is for the command line only", name);
	if (strcmp(name, "rules") == 0)
		r->rules_line = r->line;
	return set_flag(a, flag, value, r->why);
}

static bool read_settings(struct reader *r, const char *path, size_t length)
{
	struct arguments *a = r->a;
	char reason[COMPLAINT_MAX];
	const char *problem;
	char *why = r->why;
	*reason = '\0';
	r->why = reason;
	bool good = config_parse(a->config_text, length, &r->line, &problem, set_line, r);
	if (problem)
		complain(reason, "%s", problem);
	if (good && !arguments_game(a->game, a->rules, reason)) {
		good = false;
		r->line = r->rules_line;
	}
	r->why = why;
	return good || complain(why, "%s:%d: %s", path, r->line, reason);
}

/* Returns true if open() failed because the file does not exist or cannot be found. */
static bool is_missing(const char *path, int error)
{
	return error == ENOENT || error == ENOTDIR || (error == EACCES && access(path, F_OK) != 0);
}

/* Reads the config file. Only the default one may be missing. */
static bool read_config(struct reader *r, const char *named)
{
	size_t length;
	char *path = named ? xstrdup(named) : config_path();
	if (!path)
		return true;
	bool good = true;
	r->a->config_text = config_read(path, &length);
	if (r->a->config_text)
		good = read_settings(r, path, length);
	else if (named || !is_missing(path, errno))
		good = complain(r->why, "cannot read %s: %s", path, strerror(errno));
	free(path);
	return good;
}

/* Reads the config file, then the command line again, which overrides it. */
static bool read_over_config(struct reader *r, int count, char **words)
{
	struct arguments *a = r->a;
	struct arguments said = *a;
	*a = (struct arguments) { .program = said.program,
				  .words = said.words,
				  .given = said.given };
	free(said.commands);
	options_init(&a->options);
	settings_init(&a->settings);
	if (!read_config(r, said.config))
		return false;
	/* Rules of the file belong to its game: drop them if the command line names another game. */
	if (said.game && strcasecmp(said.game, a->game ? a->game : games[0]->name) != 0)
		a->rules = NULL;
	return read_words(r, count, words) && choose_mode(r);
}

bool arguments_read(struct arguments *a, const struct program *program, int count, char **words,
		    char why[COMPLAINT_MAX])
{
	size_t room = (size_t)count + 1;
	struct reader r = { .a = a, .why = why };
	*a = (struct arguments) { .program = program };
	a->words = xcalloc(room, sizeof *a->words);
	a->given = xcalloc(room, sizeof *a->given);
	options_init(&a->options);
	settings_init(&a->settings);
	bool good = read_words(&r, count, words) && choose_mode(&r);
	if (good && !a->help && !a->version) {
		good = check_mode(&r);
		if (good && !a->mode->options && !a->no_config)
			good = read_over_config(&r, count, words);
	}
	return good;
}

void arguments_free(struct arguments *a)
{
	free(a->words);
	free(a->given);
	free(a->commands);
	free(a->config_text);
}
