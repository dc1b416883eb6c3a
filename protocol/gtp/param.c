/* SPDX-License-Identifier: MIT
 *
 * Commands that list and set options, under the names that different clients use.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "games/games.h"
#include "protocol/gtp/commands.h"
#include "protocol/records/as_json.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"
#include "protocol/session/session.h"
#include "protocol/session/start.h"

/* `rules` belongs to the game, not to the engine, but clients see it as an option. */
static const char rules_name[] = "rules";

static enum outcome param_set_rules(struct session *s, const char *rules)
{
	const struct game *now = s->record.game, *g = game_find(now->name, rules), *sized;
	if (!g) {
		text_printf(s->reply, "%s has no rules %s", now->name, rules);
		return REFUSED;
	}
	/* The size stays if these rules have it. */
	sized = game_sized(g, now->board.rows, now->board.cols);
	g = sized ? sized : g;
	if (g != now)
		start_game(s, g);
	return DONE;
}

static enum outcome param_set_option(struct session *s, const struct option *option,
				     const char *value)
{
	char why[REASON_MAX];
	return session_set_option(s, option, value, why) ? DONE : refuse(s, why);
}

static void param_list_options(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	text_puts(s->reply, "[list");
	/* Other sizes have the same rules. */
	for (int i = 0; games[i]; i++)
		if (game_is_variant(games[i], s->record.game) &&
		    game_find(games[i]->name, games[i]->rules) == games[i])
			text_printf(s->reply, "/%s", games[i]->rules);
	text_printf(s->reply, "] %s %s\n", rules_name, s->record.game->rules);
	const struct setting_values values = session_values(s);
	const struct option *o;
	for (int i = 0; (o = setting_at(i)); i++) {
		setting_get(&values, o, text);
		switch (o->type) {
		case OPTION_BOOL:
			text_puts(s->reply, "[bool]");
			break;
		case OPTION_CHOICE:
		case OPTION_SEARCH:
			text_puts(s->reply, "[list");
			for (int j = 0; option_choice(o, j); j++)
				text_printf(s->reply, "/%s", option_choice(o, j));
			text_puts(s->reply, "]");
			break;
		case OPTION_INT:
		case OPTION_LONG:
		case OPTION_REAL:
			text_puts(s->reply, "[string]");
			break;
		}
		text_printf(s->reply, " %s %s\n", o->name, text);
	}
}

/* `list` is the command that lists all. */
static enum outcome unknown_param(struct session *s, const char *name, const char *list)
{
	text_printf(s->reply, "unknown parameter %s; %s lists all", name, list);
	return REFUSED;
}

static enum outcome run_param(struct session *s)
{
	const struct setting_values values = session_values(s);
	char text[OPTION_TEXT_MAX];
	if (s->arg_count == 0) {
		param_list_options(s);
		return DONE;
	}
	bool is_rules = strcmp(s->args[0], rules_name) == 0;
	const struct option *o = setting_find(s->args[0]);
	if (!is_rules && !o)
		return unknown_param(s, s->args[0], "param");
	if (s->arg_count == 2)
		return is_rules ? param_set_rules(s, s->args[1])
				: param_set_option(s, o, s->args[1]);
	if (o)
		setting_get(&values, o, text);
	text_puts(s->reply, is_rules ? s->record.game->rules : text);
	return DONE;
}

static enum outcome run_set_random_seed(struct session *s)
{
	return param_set_option(s, setting_find("seed"), s->args[0]);
}

/* --- parameters of KataGo --- */

/* What KataGo and its clients write for no limit of visits. */
#define KATA_NO_LIMIT "1125899906842624"
#define KATA_MAX_TIME 1e9  /* seconds from which on maxTime is no limit */
#define KATA_RESIGN   0.05 /* option resign if a client allows resignation */

/* How the value of a parameter of KataGo becomes that of an option, and back. */
enum kata_kind {
	KATA_SAME,
	KATA_LIMIT,      /* a count; for yomi 0 means no limit */
	KATA_BOOL,       /* true or false */
	KATA_MILLIS,     /* seconds, for yomi milliseconds */
	KATA_UTILITY,    /* -1 .. 1, for yomi a share 0 .. 1 */
	KATA_RESIGNATION /* true: the share is above 0 */
};

static const struct kata_param {
	const char *name, *option;
	enum kata_kind kind;
} kata_params[] = {
	{ "numSearchThreads", "threads", KATA_SAME },
	{ "maxVisits", "playouts", KATA_LIMIT },
	{ "maxPlayouts", "nodes", KATA_LIMIT },
	{ "ponderingEnabled", "ponder", KATA_BOOL },
	{ "lagBuffer", "margin", KATA_MILLIS },
	{ "resignThreshold", "resign", KATA_UTILITY },
	{ "allowResignation", "resign", KATA_RESIGNATION },
};
#define KATA_PARAMS ((int)(sizeof kata_params / sizeof kata_params[0]))

/* What yomi does not have: each has one value only, which clients may ask for and set again. */
static const struct {
	const char *name;
	double value;
} kata_fixed[] = {
	{ "analysisWideRootNoise", 0 },
	{ "playoutDoublingAdvantage", 0 },
	{ "rootPolicyTemperature", 1 },
};
#define KATA_FIXED ((int)(sizeof kata_fixed / sizeof kata_fixed[0]))

/* maxTime is a limit beside the clock and all options. */
static const char max_time_name[] = "maxTime";

static int find_fixed(const char *name)
{
	int i = 0;
	while (i < KATA_FIXED && strcmp(kata_fixed[i].name, name) != 0)
		i++;
	return i;
}

static const struct kata_param *find_kata(const char *name)
{
	for (int i = 0; i < KATA_PARAMS; i++)
		if (strcmp(kata_params[i].name, name) == 0)
			return &kata_params[i];
	return NULL;
}

/* The i-th name that KataGo's commands know: those of yomi's options, then KataGo's. NULL after the last. */
static const char *param_name(int i)
{
	int own = 0;
	while (setting_at(own))
		own++;
	if (i < own)
		return setting_at(i)->name;
	i -= own;
	if (i < KATA_PARAMS)
		return kata_params[i].name;
	i -= KATA_PARAMS;
	return i < KATA_FIXED ? kata_fixed[i].name : i == KATA_FIXED ? max_time_name : NULL;
}

static enum outcome set_max_time(struct session *s, const char *value)
{
	double seconds;
	if (!line_real(value, &seconds) || seconds <= 0)
		return refuse(s, "maxTime is a number of seconds above 0");
	s->settings.max_time = seconds < KATA_MAX_TIME ? seconds : 0;
	return DONE;
}

/* Writes a value. Returns false if the parameter is unknown. */
static bool get_param(struct session *s, const char *name, char text[OPTION_TEXT_MAX])
{
	const struct setting_values values = session_values(s);
	const struct kata_param *p = find_kata(name);
	const struct option *o = setting_find(p ? p->option : name);
	int fixed = find_fixed(name);
	bool is_max_time = strcmp(name, max_time_name) == 0;
	if (is_max_time)
		snprintf(text, OPTION_TEXT_MAX, "%g",
			 s->settings.max_time > 0 ? s->settings.max_time : 1e20);
	else if (fixed < KATA_FIXED)
		snprintf(text, OPTION_TEXT_MAX, "%g", kata_fixed[fixed].value);
	else if (o)
		setting_get(&values, o, text);
	if (!p)
		return o || is_max_time || fixed < KATA_FIXED;
	double value = strtod(text, NULL);
	if (p->kind == KATA_LIMIT && value == 0)
		strcpy(text, KATA_NO_LIMIT);
	else if (p->kind == KATA_BOOL || p->kind == KATA_RESIGNATION)
		strcpy(text, value > 0 ? "true" : "false");
	else if (p->kind == KATA_MILLIS)
		snprintf(text, OPTION_TEXT_MAX, "%g", value / 1000);
	else if (p->kind == KATA_UTILITY)
		snprintf(text, OPTION_TEXT_MAX, "%g", 2 * value - 1);
	return true;
}

/* Converts the value of a parameter of KataGo to that of its option. Returns false if it is malformed. */
static bool param_convert(const struct session *s, const struct kata_param *p, const char *value,
			  char text[OPTION_TEXT_MAX])
{
	double number = 0;
	bool is_true = strcasecmp(value, "true") == 0,
	     is_bool = is_true || !strcasecmp(value, "false");
	bool is_number = line_real(value, &number);
	snprintf(text, OPTION_TEXT_MAX, "%s", value);
	switch (p->kind) {
	case KATA_SAME:
		return true;
	case KATA_BOOL:
		strcpy(text, is_true ? "1" : "0");
		return is_bool;
	case KATA_RESIGNATION:
		snprintf(text, OPTION_TEXT_MAX, "%g",
			 !is_true                 ? 0
			 : s->settings.resign > 0 ? s->settings.resign
						  : KATA_RESIGN);
		return is_bool;
	case KATA_LIMIT:
		snprintf(text, OPTION_TEXT_MAX, "%.0f",
			 number < strtod(KATA_NO_LIMIT, NULL) ? number : 0);
		return is_number && number >= 1 && number == rint(number);
	case KATA_MILLIS:
		snprintf(text, OPTION_TEXT_MAX, "%.0f", 1000 * number);
		return is_number && number >= 0;
	case KATA_UTILITY:
		snprintf(text, OPTION_TEXT_MAX, "%.15g", (1 + number) / 2);
		return is_number && fabs(number) <= 1;
	}
	return false;
}

/* Sets a parameter; a seed only if `seeds`, else it is just checked. */
static enum outcome set_param(struct session *s, const char *name, const char *value, bool seeds)
{
	const struct kata_param *p = find_kata(name);
	const struct option *o = setting_find(p ? p->option : name);
	struct options scratch = *engine_options(s->engine);
	char text[OPTION_TEXT_MAX], why[REASON_MAX];
	double number;
	int fixed = find_fixed(name);
	if (fixed < KATA_FIXED) {
		if (line_real(value, &number) && number == kata_fixed[fixed].value)
			return DONE;
		text_printf(s->reply, "%s is %g here and cannot be changed", name,
			    kata_fixed[fixed].value);
		return REFUSED;
	}
	if (strcmp(name, max_time_name) == 0)
		return set_max_time(s, value);
	if (!o)
		return unknown_param(s, name, "kata-list-params");
	if (p && !param_convert(s, p, value, text)) {
		text_printf(s->reply, "%s cannot be %s", name, value);
		return REFUSED;
	}
	value = p ? text : value;
	if (o == setting_find("seed") && !seeds)
		return option_set(&scratch, o, value, why) ? DONE : refuse(s, why);
	return param_set_option(s, o, value);
}

static enum outcome run_kata_list_params(struct session *s)
{
	for (int i = 0; param_name(i); i++)
		text_printf(s->reply, "%s%s", i ? " " : "", param_name(i));
	return DONE;
}

static enum outcome run_kata_get_param(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	if (!get_param(s, s->args[0], text))
		return unknown_param(s, s->args[0], "kata-list-params");
	text_puts(s->reply, text);
	return DONE;
}

static enum outcome run_kata_set_param(struct session *s)
{
	return set_param(s, s->args[0], s->args[1], true);
}

static enum outcome run_kata_get_params(struct session *s)
{
	char text[OPTION_TEXT_MAX] = "";
	json_t *object = json_object(), *value;
	for (int i = 0; param_name(i); i++) {
		const struct option *o = setting_find(param_name(i));
		get_param(s, param_name(i), text);
		value = o && o->type == OPTION_BOOL ? json_boolean(*text == '1')
						    : json_loads(text, JSON_DECODE_ANY, NULL);
		json_object_set_new(object, param_name(i), value ? value : json_string(text));
	}
	as_json_print(s->reply, object, 15);
	return DONE;
}

static enum outcome set_item(struct session *s, const char *name, const json_t *item, bool seeds)
{
	if (!json_is_string(item) && !json_is_number(item) && !json_is_boolean(item))
		return syntax_error(s, "an option is a string, a number, true or false");
	char *value = json_is_string(item) ? xstrdup(json_string_value(item))
					   : json_dumps(item, JSON_ENCODE_ANY);
	enum outcome outcome = set_param(s, name, value, seeds);
	free(value);
	return outcome;
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
	{ "param", "[NAME [VALUE]]",
	  "list all options, show one, or set one; setting `rules` starts a new game", run_param },
	{ "set_random_seed", "SEED", "set the option seed", run_set_random_seed },
	{ "kata-list-params", "",
	  "list the names of all options, and of parameters of KataGo that set one",
	  run_kata_list_params },
	{ "kata-get-param", "NAME", "show the value of an option or of a parameter of KataGo",
	  run_kata_get_param },
	{ "kata-set-param", "NAME VALUE", "set an option or a parameter of KataGo",
	  run_kata_set_param },
	{ "kata-get-params", "", "show all options as a JSON object", run_kata_get_params },
	{ "kata-set-params", "JSON",
	  "set the options in a JSON object; if one is refused, set none", run_kata_set_params,
	  .more = true },
	{ 0 },
};
