/* SPDX-License-Identifier: MIT
 *
 * Commands that list and set options, under the names that different clients use.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "games/games.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/session.h"

/* `rules` belongs to the game, not to the engine, but clients see it as an option. */
static const char rules_name[] = "rules";

static enum outcome set_rules(struct session *s, const char *rules)
{
	const struct game *now = s->record.game, *g = game_find(now->name, rules), *sized;
	if (!g) {
		fprintf(s->reply, "%s has no rules %s", now->name, rules);
		return REFUSED;
	}
	/* The size stays if these rules have it. */
	sized = game_sized(g, now->rows, now->cols);
	g = sized ? sized : g;
	if (g != now)
		start_game(s, g);
	return DONE;
}

static enum outcome set_option(struct session *s, const struct option *option, const char *value)
{
	char why[REASON_MAX];
	return session_set_option(s, option, value, why) ? DONE : refuse(s, why);
}

static void list_options(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	fputs("[list", s->reply);
	/* Other sizes have the same rules. */
	for (int i = 0; games[i]; i++)
		if (game_is_variant(games[i], s->record.game) &&
		    game_find(games[i]->name, games[i]->rules) == games[i])
			fprintf(s->reply, "/%s", games[i]->rules);
	fprintf(s->reply, "] %s %s\n", rules_name, s->record.game->rules);
	const struct setting_values values = session_values(s);
	const struct option *o;
	for (int i = 0; (o = setting_at(i)); i++) {
		setting_get(&values, o, text);
		switch (o->type) {
		case OPTION_BOOL:
			fputs("[bool]", s->reply);
			break;
		case OPTION_CHOICE:
		case OPTION_SEARCH:
			fputs("[list", s->reply);
			for (int j = 0; option_choice(o, j); j++)
				fprintf(s->reply, "/%s", option_choice(o, j));
			fputs("]", s->reply);
			break;
		case OPTION_INT:
		case OPTION_LONG:
		case OPTION_REAL:
			fputs("[string]", s->reply);
			break;
		}
		fprintf(s->reply, " %s %s\n", o->name, text);
	}
}

static enum outcome run_param(struct session *s)
{
	const struct setting_values values = session_values(s);
	char text[OPTION_TEXT_MAX];
	if (s->arg_count == 0) {
		list_options(s);
		return DONE;
	}
	bool is_rules = strcmp(s->args[0], rules_name) == 0;
	const struct option *o = setting_find(s->args[0]);
	if (!is_rules && !o) {
		fprintf(s->reply, "unknown parameter %s", s->args[0]);
		return REFUSED;
	}
	if (s->arg_count == 2)
		return is_rules ? set_rules(s, s->args[1]) : set_option(s, o, s->args[1]);
	if (o)
		setting_get(&values, o, text);
	fputs(is_rules ? s->record.game->rules : text, s->reply);
	return DONE;
}

static enum outcome run_set_random_seed(struct session *s)
{
	return set_option(s, setting_find("seed"), s->args[0]);
}

/* --- KataGo's names --- */

static const struct option *find_option(struct session *s, const char *name)
{
	const struct option *o = setting_find(name);
	if (!o)
		fprintf(s->reply, "unknown parameter %s", name);
	return o;
}

static enum outcome run_kata_list_params(struct session *s)
{
	for (int i = 0; setting_at(i); i++)
		fprintf(s->reply, "%s%s", i ? " " : "", setting_at(i)->name);
	return DONE;
}

static enum outcome run_kata_get_param(struct session *s)
{
	const struct setting_values values = session_values(s);
	char text[OPTION_TEXT_MAX];
	const struct option *o = find_option(s, s->args[0]);
	if (!o)
		return REFUSED;
	setting_get(&values, o, text);
	fputs(text, s->reply);
	return DONE;
}

static enum outcome run_kata_set_param(struct session *s)
{
	const struct option *o = find_option(s, s->args[0]);
	return o ? set_option(s, o, s->args[1]) : REFUSED;
}

static enum outcome run_kata_get_params(struct session *s)
{
	const struct setting_values values = session_values(s);
	const struct option *o;
	char text[OPTION_TEXT_MAX];
	for (int i = 0; (o = setting_at(i)); i++) {
		bool is_name = o->type == OPTION_CHOICE || o->type == OPTION_SEARCH;
		setting_get(&values, o, text);
		fprintf(s->reply, "%s\"%s\":", i ? "," : "{", o->name);
		if (o->type == OPTION_BOOL)
			fputs(*text == '1' ? "true" : "false", s->reply);
		else
			fprintf(s->reply, is_name ? "\"%s\"" : "%s", text);
	}
	fputs("}", s->reply);
	return DONE;
}

/* Sets the option that an item of a JSON object names; a seed only if `seeds`, else it is just checked. */
static enum outcome set_item(struct session *s, const char *name, const json_t *item, bool seeds)
{
	const struct option *o = find_option(s, name);
	struct options scratch = *engine_options(s->engine);
	char why[REASON_MAX];
	if (!o)
		return REFUSED;
	if (!json_is_string(item) && !json_is_number(item) && !json_is_boolean(item))
		return syntax_error(s, "an option is a string, a number, true or false");
	char *value = json_is_string(item) ? xstrdup(json_string_value(item))
					   : json_dumps(item, JSON_ENCODE_ANY);
	bool good = strcmp(name, "seed") == 0 && !seeds ? option_set(&scratch, o, value, why)
							: session_set_option(s, o, value, why);
	free(value);
	return good ? DONE : refuse(s, why);
}

/* Sets all options or none. A new seed cannot be taken back, so it is set last, after all others were
 * accepted. */
static enum outcome run_kata_set_params(struct session *s)
{
	const struct options old_options = *engine_options(s->engine);
	const struct session_settings old_settings = s->settings;
	char *text = join_args(s, 0);
	json_t *object = json_loads(text, 0, NULL), *item;
	const char *name;
	enum outcome outcome = DONE;
	if (!json_is_object(object))
		outcome = syntax_error(s, "type a JSON object of option names and values");
	json_object_foreach(object, name, item)
	{
		if (outcome == DONE)
			outcome = set_item(s, name, item, false);
	}
	if (outcome == DONE && json_object_get(object, "seed"))
		outcome = set_item(s, "seed", json_object_get(object, "seed"), true);
	if (outcome != DONE) {
		*engine_options(s->engine) = old_options;
		s->settings = old_settings;
	}
	json_decref(object);
	free(text);
	return outcome;
}

const struct command param_commands[] = {
	{ .name = "param",
	  .args = "[NAME [VALUE]]",
	  .args_max = 2,
	  .help = "list all options, show one, or set one; setting `rules` starts a new game",
	  .run = run_param },
	{ .name = "set_random_seed",
	  .args = "SEED",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "set the option seed",
	  .run = run_set_random_seed },
	{ .name = "kata-list-params",
	  .args = "",
	  .help = "list the names of all options",
	  .run = run_kata_list_params },
	{ .name = "kata-get-param",
	  .args = "NAME",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "show the value of an option",
	  .run = run_kata_get_param },
	{ .name = "kata-set-param",
	  .args = "NAME VALUE",
	  .args_min = 2,
	  .args_max = 2,
	  .help = "set an option",
	  .run = run_kata_set_param },
	{ .name = "kata-get-params",
	  .args = "",
	  .help = "show all options as a JSON object",
	  .run = run_kata_get_params },
	{ .name = "kata-set-params",
	  .args = "JSON",
	  .args_min = 1,
	  .args_max = ANY,
	  .help = "set the options in a JSON object; if one is refused, set none",
	  .run = run_kata_set_params },
	{ 0 },
};
