/* SPDX-License-Identifier: MIT */
#include "protocol/program/arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/suggestion.h"
#include "games/games.h"
#include "protocol/program/config.h"
#include "protocol/program/program.h"
#include "protocol/program/tools.h"
#include "protocol/session/line.h"
#include "protocol/session/size.h"

#define AT(field) offsetof(struct arguments, field)

/* Flags of all programs. Their values are in struct arguments. */
static const struct flag shared_flags[] = {
	{ "help", FLAG_SET, AT(help), NULL, "print this help (also -h)", .group = "General options",
	  .shared = true },
	{ "version", FLAG_SET, AT(version), NULL, "print version and commit (also -v)",
	  .shared = true },
	{ 0 },
};

/* Flags of programs that read the config file. */
static const struct flag config_flags[] = {
	{ "config", FLAG_TEXT, AT(config), "FILE", "read this config file instead of the user's",
	  .group = "Options for the config file", .shared = true },
	{ "no-config", FLAG_SET, AT(no_config), NULL, "read no config file", .shared = true },
	{ 0 },
};

/* State of the parser. */
struct arguments_reader {
	struct arguments *a;
	const char *game, *rules, *size; /* as read so far, or NULL */
	int line, rules_line, size_line; /* of the config file */
	char *why;
};

/* Writes an error to `why`. Returns false. */
__attribute__((format(PRINTF, 2, 3))) static bool complain(char *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(why, COMPLAINT_MAX, format, args);
	va_end(args);
	return false;
}

/* Adds text to an error. */
__attribute__((format(PRINTF, 2, 3))) static void complain_more(char *why, const char *format, ...)
{
	size_t n = strlen(why);
	va_list args;
	va_start(args, format);
	vsnprintf(why + n, COMPLAINT_MAX - n, format, args);
	va_end(args);
}

/* Adds a suggestion to `why` if there is one. Returns false. */
static bool complain_suggestion(char *why, const struct suggestion *suggestion, const char *dashes)
{
	if (suggestion->best)
		complain_more(why, "; did you mean %s%s?", dashes, suggestion->best);
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

/* Finds a game of the default size. Returns NULL with the error in `why` if there is none. */
static const struct game *arguments_find_game(const char *name, const char *rules, char *why)
{
	struct suggestion suggestion;
	struct text error = { 0 };
	const struct game *g = game_open(name ? name : games[0]->name, rules, &error);
	const struct game *usual = name ? game_find(name, NULL) : games[0];
	const char *other;
	if (error.length)
		complain(why, "%s", error.bytes);
	bool failed = error.length > 0;
	text_free(&error);
	if (g || failed)
		return g;
	suggestion_begin(&suggestion, usual ? rules : name);
	for (int i = 0; !usual && game_name_at(i); i++)
		suggestion_consider(&suggestion, game_name_at(i));
	for (int i = 0; usual && (other = rules_name_at(usual->name, i)); i++)
		suggestion_consider(&suggestion, other);
	if (usual)
		complain(why, "%s has no rules %s", usual->name, rules);
	else
		complain(why, "there is no game %s", name);
	complain_suggestion(why, &suggestion, "");
	for (int i = 0; usual && !suggestion.best && (other = rules_name_at(usual->name, i)); i++)
		complain_more(why, "%s%s", i ? ", " : "; its rules: ", other);
	return NULL;
}

const struct game *arguments_game(const char *name, const char *rules, const char *size,
				  char why[COMPLAINT_MAX])
{
	const struct game *usual = arguments_find_game(name, rules, why), *g = usual;
	char sizes[SIZE_LIST_MAX];
	if (!usual || !size)
		return usual;
	if (!size_find(&g, size)) {
		complain(why, "size is N or COLUMNSxROWS, not %s", size);
		return NULL;
	}
	if (g)
		return g;
	size_list(usual, sizes);
	complain(why, "%s has no size %s; its sizes: %s", usual->name, size, sizes);
	return NULL;
}

/* --- rows of the tables --- */

bool list_has(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

const struct mode *mode_at(const struct program *p, int i)
{
	const struct mode *m = p->modes;
	for (; m->name && i > 0; i--)
		m++;
	if (!m->name)
		m = program_modes + i;
	return m->name ? m : NULL;
}

const struct flag *flag_at(const struct program *p, int i)
{
	const struct flag *const tables[] = { p->flags, p->is_engine ? config_flags : NULL,
					      shared_flags };
	for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
		for (const struct flag *f = tables[t]; f && f->name; f++)
			if (i-- == 0)
				return f;
	return NULL;
}

const struct option *option_at(const struct program *p, int i)
{
	return p->is_engine ? setting_at(i) : NULL;
}

const struct mode *mode_find(const struct program *p, const char *name)
{
	const struct mode *m;
	for (int i = 0; (m = mode_at(p, i)); i++)
		if (*name && strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

const struct flag *flag_find(const struct program *p, const char *name)
{
	const struct flag *f;
	for (int i = 0; (f = flag_at(p, i)); i++)
		if (strcmp(f->name, name) == 0 || (f->alias && strcmp(f->alias, name) == 0))
			return f;
	return NULL;
}

const struct option *option_named(const struct program *p, const char *name)
{
	return p->is_engine ? setting_find(name) : NULL;
}

bool mode_takes(const struct program *p, const struct mode *mode, const char *name)
{
	const struct flag *flag = flag_find(p, name);
	if (!mode->options)
		return (!flag || !flag->named_only) &&
		       !(mode->refuses && list_has(mode->refuses, name));
	return strcmp(name, "help") == 0 || strcmp(name, "version") == 0 ||
	       list_has(mode->options, name);
}

/* --- values --- */

static bool arguments_set_choice(int *field, const struct flag *flag, const char *value, char *why)
{
	struct suggestion suggestion;
	suggestion_begin(&suggestion, value);
	for (int i = 0; flag->choices[i]; i++) {
		suggestion_consider(&suggestion, flag->choices[i]);
		if (strcmp(value, flag->choices[i]) != 0)
			continue;
		*field = i;
		return true;
	}
	complain(why, "%s is one of", flag->name);
	for (int i = 0; flag->choices[i]; i++) {
		size_t n = strlen(why);
		snprintf(why + n, COMPLAINT_MAX - n, " %s", flag->choices[i]);
	}
	return complain_suggestion(why, &suggestion, "");
}

static bool set_int(int *field, const struct flag *flag, const char *value, char *why)
{
	int x;
	if (!line_int(value, &x) || x < flag->min || x > flag->max)
		return complain(why, "%s is a whole number from %.16g to %.16g", flag->name,
				flag->min, flag->max);
	*field = x;
	return true;
}

static bool set_real(double *field, const struct flag *flag, const char *value, char *why)
{
	double x;
	if (!line_real(value, &x) || x < flag->min || x > flag->max)
		return complain(why, "%s is a number from %.16g to %.16g", flag->name, flag->min,
				flag->max);
	*field = x;
	return true;
}

static void arguments_add_line(char **field, const char *value)
{
	char *longer = xasprintf("%s%s\n", *field ? *field : "", value);
	free(*field);
	*field = longer;
}

/* Returns the field that a flag sets. */
static void *field_of(struct arguments *a, const struct flag *flag)
{
	return (char *)(flag->shared ? (void *)a : a->values) + flag->offset;
}

static bool set_flag(struct arguments_reader *r, const struct flag *flag, const char *value)
{
	void *field = field_of(r->a, flag);
	int choice = 0;
	switch (flag->type) {
	case FLAG_SET:
		*(bool *)field = true;
		return true;
	case FLAG_LINES:
		arguments_add_line(field, value);
		return true;
	case FLAG_INT:
		return set_int(field, flag, value, r->why);
	case FLAG_REAL:
		return set_real(field, flag, value, r->why);
	case FLAG_CHOICE:
		return arguments_set_choice(field, flag, value, r->why);
	case FLAG_BOOL:
		if (!arguments_set_choice(&choice, flag, value, r->why))
			return false;
		*(bool *)field = choice;
		return true;
	case FLAG_GAME:
		if (!arguments_game(value, NULL, NULL, r->why))
			return false;
		r->game = value;
		break;
	case FLAG_RULES:
		r->rules = value;
		break;
	case FLAG_SIZE:
		r->size = value;
		break;
	case FLAG_TEXT:
		break;
	}
	*(const char **)field = value;
	return true;
}

static bool arguments_set_option(struct arguments *a, const struct option *option,
				 const char *value, char *why)
{
	char reason[REASON_MAX];
	struct suggestion suggestion;
	const struct setting_values values = { &a->options, &a->settings };
	if (setting_set(&values, option, value, reason))
		return true;
	complain(why, "%s", reason);
	suggestion_begin(&suggestion, value);
	if (option->type == OPTION_CHOICE || option->type == OPTION_SEARCH)
		for (int i = 0; option_choice(option, i); i++)
			suggestion_consider(&suggestion, option_choice(option, i));
	return complain_suggestion(why, &suggestion, "");
}

/* --- the command line --- */

/* Writes the error for an unknown name on the command line or in the config file, with a suggestion. */
static bool complain_unknown(const struct program *p, const char *name, const char *dashes,
			     bool in_config, char *why)
{
	struct suggestion suggestion;
	const struct flag *f;
	const struct option *o;
	if (!p->is_engine && setting_find(name))
		return complain(why, "%s takes no %s%s; yomi does", p->name, dashes, name);
	suggestion_begin(&suggestion, name);
	for (int i = 0; (f = flag_at(p, i)); i++)
		if (!in_config || f->in_config)
			suggestion_consider(&suggestion, f->name);
	for (int i = 0; (o = option_at(p, i)); i++)
		suggestion_consider(&suggestion, o->name);
	complain(why, "there is no option %s%s", dashes, name);
	return complain_suggestion(why, &suggestion, in_config ? "" : "--");
}

bool arguments_have(const struct arguments *a, const char *name)
{
	for (int i = 0; i < a->given_count; i++)
		if (strcmp(a->given[i], name) == 0)
			return true;
	return false;
}

/* Returns true if a word is an option. Longer words of a board's characters are boards (with or without a
 * side), even if they begin with dashes. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && (!word[2] || word[strspn(word, "XO*BWxobw._- ;")]);
}

/* Reads the option at words[*i], which begins with "--", and its value. */
static bool read_option(struct arguments_reader *r, int count, char **words, int *i)
{
	struct arguments *a = r->a;
	char name[COMPLAINT_MAX], reason[REASON_MAX];
	const struct setting_values values = { &a->options, &a->settings };
	const char *word = words[*i] + 2, *value = strchr(word, '=');
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);

	const struct flag *flag = flag_find(a->program, name);
	const struct option *option = option_named(a->program, name);
	if (!flag && !option)
		return complain_unknown(a->program, name, "--", false, r->why);
	if (flag && flag->type == FLAG_SET) {
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
		return complain(r->why, "--%s needs a value", name);
	}
	a->given[a->given_count++] = flag ? flag->name : option->name;
	return flag ? set_flag(r, flag, value) : arguments_set_option(a, option, value, r->why);
}

/* Reads a word that begins with one dash. */
static bool arguments_read_short(struct arguments_reader *r, const char *word)
{
	char name[COMPLAINT_MAX];
	if (strcmp(word, "-h") == 0)
		r->a->help = true;
	else if (strcmp(word, "-v") == 0)
		r->a->version = true;
	else {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 1, "="), word + 1);
		return complain_unknown(r->a->program, name, "-", false, r->why);
	}
	return true;
}

/* Separates options from other words. After "--" no word is an option. */
static bool read_words(struct arguments_reader *r, int count, char **words)
{
	r->a->given_count = r->a->count = 0;
	bool options = true;
	for (int i = 0; i < count; i++) {
		if (options && strcmp(words[i], "--") == 0)
			options = false;
		else if (!options || !is_option(words[i]))
			r->a->words[r->a->count++] = words[i];
		else if (!(words[i][1] == '-' ? read_option(r, count, words, &i)
					      : arguments_read_short(r, words[i])))
			return false;
	}
	return true;
}

/* Writes the error for a word that names no mode. */
static bool complain_mode(const struct program *p, const char *word, char *why)
{
	struct suggestion suggestion;
	const struct mode *m;
	if (tool_find(p->tools, word))
		return complain(why, "%s must be the first word: %s %s ...", word, p->name, word);
	if (game_find(word, NULL))
		return complain(why, "%s is a game, not a mode: %s --game %s", word, p->name, word);
	suggestion_begin(&suggestion, word);
	for (int i = 0; (m = mode_at(p, i)); i++)
		suggestion_consider(&suggestion, m->name);
	for (const struct tool *t = p->tools; t && t->name; t++)
		suggestion_consider(&suggestion, t->name);
	complain(why, "there is no mode %s", word);
	return complain_suggestion(why, &suggestion, "");
}

/* Finds the mode that the first word names, and removes that word from the arguments. --help is the mode
 * `help`, which has the first word as its topic. */
static bool choose_mode(struct arguments_reader *r)
{
	struct arguments *a = r->a;
	const struct program *p = a->program;
	bool unnamed = !*p->modes->name;
	a->mode = p->modes;
	if (a->help) {
		a->mode = program_modes;
		a->count = unnamed ? 0 : a->count;
		return true;
	}
	const struct mode *named = a->count ? mode_find(p, a->words[0]) : NULL;
	if (!named)
		return !a->count || unnamed || complain_mode(p, a->words[0], r->why);
	a->mode = named;
	a->count--;
	memmove(a->words, a->words + 1, (size_t)a->count * sizeof *a->words);
	return true;
}

/* Returns true if options and number of arguments fit the mode. */
static bool check_mode(const struct arguments_reader *r)
{
	const struct arguments *a = r->a;
	const struct mode *mode = a->mode;
	const char *name = a->program->name;
	/* Modes that read no config file do what --no-config wants. */
	for (int i = 0; i < a->given_count; i++)
		if (!mode_takes(a->program, mode, a->given[i]) &&
		    strcmp(a->given[i], "no-config") != 0)
			return complain(r->why, "%s takes no --%s", *mode->name ? mode->name : name,
					a->given[i]);
	if (a->count < mode->args_min || a->count > mode->args_max)
		return complain(r->why, "usage: %s%s%s%s%s", name, *mode->name ? " " : "",
				mode->name, *mode->args ? " " : "", mode->args);
	if (a->config && a->no_config)
		return complain(r->why, "--config and --no-config exclude each other");
	return true;
}

/* --- the config file --- */

/* Applies a line of the config file. */
static bool arguments_set_line(void *arg, const char *name, const char *value)
{
	struct arguments_reader *r = arg;
	struct arguments *a = r->a;
	const struct flag *flag = flag_find(a->program, name);
	const struct option *option = option_named(a->program, name);
	if (option)
		return arguments_set_option(a, option, value, r->why);
	if (!flag)
		return complain_unknown(a->program, name, "", true, r->why);
	if (!flag->in_config)
		return complain(r->why, "%s is allowed on the command line only", name);
	if (flag->type == FLAG_RULES)
		r->rules_line = r->line;
	if (flag->type == FLAG_SIZE)
		r->size_line = r->line;
	return set_flag(r, flag, value);
}

static bool arguments_read_settings(struct arguments_reader *r, const char *path, size_t length)
{
	char reason[COMPLAINT_MAX];
	const char *problem;
	char *why = r->why;
	*reason = '\0';
	r->why = reason;
	bool good = config_parse(r->a->config_text, length, &r->line, &problem, arguments_set_line,
				 r);
	if (problem)
		complain(reason, "%s", problem);
	if (good && !arguments_game(r->game, r->rules, NULL, reason)) {
		good = false;
		r->line = r->rules_line;
	} else if (good && !arguments_game(r->game, r->rules, r->size, reason)) {
		good = false;
		r->line = r->size_line;
	}
	r->why = why;
	return good || complain(why, "%s:%d: %s", path, r->line, reason);
}

/* Reads the config file. Only the default one may be missing. */
static bool read_config(struct arguments_reader *r, const char *named)
{
	size_t length;
	char *path = named ? xstrdup(named) : config_path();
	struct disk_file found;
	bool good = true;
	if (!path || (!named && !disk_look(path, &found))) {
		free(path);
		return true;
	}
	r->a->config_text = config_read(path, &length);
	if (r->a->config_text)
		good = arguments_read_settings(r, path, length);
	else
		good = complain(r->why, "cannot read %s: %s", path, strerror(errno));
	free(path);
	return good;
}

/* Rules and size of the config file belong to its game: forgets them if the command line names another
 * game. */
static void forget_variant(struct arguments_reader *r, const char *game)
{
	const struct flag *f;
	if (!game || game_find(game, NULL) == (r->game ? game_find(r->game, NULL) : games[0]))
		return;
	for (int i = 0; (f = flag_at(r->a->program, i)); i++)
		if (f->type == FLAG_RULES || f->type == FLAG_SIZE)
			*(const char **)field_of(r->a, f) = NULL;
}

/* Frees the texts of FLAG_LINES. */
static void free_lines(struct arguments *a)
{
	const struct flag *f;
	for (int i = 0; (f = flag_at(a->program, i)); i++) {
		if (f->type != FLAG_LINES)
			continue;
		char **lines = field_of(a, f);
		free(*lines);
		*lines = NULL;
	}
}

/* Reads the config file, then the command line again, which overrides it. `initial` are the values at
 * first. */
static bool read_over_config(struct arguments_reader *r, const void *initial, int count,
			     char **words)
{
	struct arguments *a = r->a;
	const char *game = r->game;
	free_lines(a);
	if (a->program->size)
		memcpy(a->values, initial, a->program->size);
	options_init(&a->options);
	settings_init(&a->settings);
	r->game = r->rules = r->size = NULL;
	if (!read_config(r, a->config))
		return false;
	forget_variant(r, game);
	return read_words(r, count, words) && choose_mode(r);
}

/* --- all of it --- */

bool arguments_read(struct arguments *a, const struct program *program, void *values, int count,
		    char **words, char why[COMPLAINT_MAX])
{
	size_t room = (size_t)count + 1, size = program->size;
	struct arguments_reader r = { .a = a, .why = why };
	void *initial = xmalloc(size + 1);
	*a = (struct arguments) { .program = program, .values = values };
	a->words = xcalloc(room, sizeof *a->words);
	a->given = xcalloc(room, sizeof *a->given);
	options_init(&a->options);
	settings_init(&a->settings);
	if (size)
		memcpy(initial, values, size);
	bool good = read_words(&r, count, words) && choose_mode(&r);
	if (good && !a->help && !a->version) {
		good = check_mode(&r);
		if (good && program->is_engine && !a->mode->options && !a->no_config)
			good = read_over_config(&r, initial, count, words);
	}
	free(initial);
	return good;
}

void arguments_free(struct arguments *a)
{
	free_lines(a);
	free(a->words);
	free(a->given);
	free(a->config_text);
}
