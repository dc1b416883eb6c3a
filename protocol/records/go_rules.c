/* SPDX-License-Identifier: MIT */
#include "protocol/records/go_rules.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "engine/rules/formats.h"
#include "games/games.h"

static const char *const ko_names[] = { "SIMPLE", "POSITIONAL", "SITUATIONAL", NULL };
static const char *const tax_names[] = { "NONE", "SEKI", "ALL", NULL };
static const char *const bonus_names[] = { "0", "N", "N-1", NULL };
static const char *const scoring_names[] = { "AREA", "TERRITORY", NULL };

static const struct go_rules tromp_taylor = { .ko = KO_POSITIONAL, .suicide = true };

static const struct {
	const char *name; /* letters and digits only */
	struct go_rules rules;
} named[] = {
	{ "tromptaylor", { .ko = KO_POSITIONAL, .suicide = true } },
	{ "goe", { .ko = KO_POSITIONAL, .suicide = true, .friendly = true } },
	{ "ing", { .ko = KO_POSITIONAL, .suicide = true, .friendly = true } },
	{ "chinese", { .bonus = BONUS_N, .friendly = true } },
	{ "chineseogs", { .ko = KO_POSITIONAL, .bonus = BONUS_N, .friendly = true } },
	{ "chinesekgs", { .ko = KO_POSITIONAL, .bonus = BONUS_N, .friendly = true } },
	{ "japanese", { .territory = true, .tax = TAX_SEKI } },
	{ "korean", { .territory = true, .tax = TAX_SEKI } },
	{ "stonescoring", { .tax = TAX_ALL, .friendly = true } },
	{ "ancientarea", { .tax = TAX_ALL, .friendly = true } },
	{ "ancientterritory", { .territory = true, .tax = TAX_ALL } },
	{ "aga", { .ko = KO_SITUATIONAL, .bonus = BONUS_N_1, .friendly = true } },
	{ "bga", { .ko = KO_SITUATIONAL, .bonus = BONUS_N_1, .friendly = true } },
	{ "french", { .ko = KO_SITUATIONAL, .bonus = BONUS_N_1, .friendly = true } },
	{ "newzealand", { .ko = KO_SITUATIONAL, .suicide = true, .friendly = true } },
	{ "nz", { .ko = KO_SITUATIONAL, .suicide = true, .friendly = true } },
	{ "agabutton",
	  { .ko = KO_SITUATIONAL, .button = true, .bonus = BONUS_N_1, .friendly = true } },
};

/* Compares a name with one of the table. Case, blanks, dashes and underscores do not count. */
static bool is_named(const char *text, const char *name)
{
	for (; *text; text++) {
		if (strchr(" -_", *text))
			continue;
		if (tolower((unsigned char)*text) != *name++)
			return false;
	}
	return !*name;
}

static bool read_name(const char *text, struct go_rules *rules)
{
	for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
		if (is_named(text, named[i].name)) {
			*rules = named[i].rules;
			return true;
		}
	}
	return false;
}

/* Reads one of several words. Returns its index, or -1. */
static int word_index(const json_t *value, const char *const *words)
{
	const char *text = json_string_value(value);
	for (int i = 0; text && words[i]; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return -1;
}

bool rules_read_bonus(const json_t *value, enum bonus *bonus)
{
	int index = word_index(value, bonus_names);
	*bonus = index < 0 ? *bonus : (enum bonus)index;
	return index >= 0;
}

bool rules_set(struct go_rules *rules, const char *part, const json_t *value)
{
	int index;
	if (strcmp(part, "scoring") == 0 || strcmp(part, "score") == 0) {
		index = word_index(value, scoring_names);
		rules->territory = index > 0;
		return index >= 0;
	}
	if (strcmp(part, "tax") == 0) {
		index = word_index(value, tax_names);
		rules->tax = index < 0 ? rules->tax : (enum tax)index;
		return index >= 0;
	}
	if (strcmp(part, "ko") == 0) {
		index = word_index(value, ko_names);
		rules->ko = index < 0 ? rules->ko : (enum ko)index;
		return index >= 0;
	}
	if (strcmp(part, "whiteHandicapBonus") == 0)
		return rules_read_bonus(value, &rules->bonus);
	if (strcmp(part, "suicide") == 0)
		rules->suicide = json_is_true(value);
	else if (strcmp(part, "hasButton") == 0)
		rules->button = json_is_true(value);
	else if (strcmp(part, "friendlyPassOk") == 0)
		rules->friendly = json_is_true(value);
	else
		return false;
	return json_is_boolean(value);
}

/* Reads rules as KataGo's own records have them, such as koPOSITIONALscoreAREAtaxNONEsui1. */
static bool go_rules_read_short(const char *text, struct go_rules *rules)
{
	static const struct {
		const char *mark, *part;
		bool is_flag;
	} parts[] = { { "ko", "ko", false },
		      { "score", "score", false },
		      { "tax", "tax", false },
		      { "sui", "suicide", true },
		      { "button", "hasButton", true },
		      { "whb", "whiteHandicapBonus", false },
		      { "fpok", "friendlyPassOk", true } };
	bool good = strncmp(text, "ko", 2) == 0;
	*rules = tromp_taylor;
	for (size_t i = 0; good && i < sizeof parts / sizeof parts[0]; i++) {
		size_t mark = strlen(parts[i].mark);
		if (strncmp(text, parts[i].mark, mark) != 0)
			continue;
		text += mark;
		size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ01-");
		json_t *part = parts[i].is_flag ? json_boolean(*text == '1')
						: json_stringn(text, length);
		good = length && rules_set(rules, parts[i].part, part);
		json_decref(part);
		text += length;
	}
	return good && !*text;
}

bool rules_read_text(const char *text, struct go_rules *rules)
{
	json_t *object = *text == '{' ? json_loads(text, 0, NULL) : NULL;
	bool good = object ? rules_read(object, rules)
			   : read_name(text, rules) || go_rules_read_short(text, rules);
	json_decref(object);
	return good;
}

bool rules_read(const json_t *value, struct go_rules *rules)
{
	const char *part;
	json_t *item;
	*rules = tromp_taylor;
	if (json_is_string(value))
		return rules_read_text(json_string_value(value), rules);
	if (!json_is_object(value))
		return false;
	json_object_foreach((json_t *)value, part, item)
	{
		if (!rules_set(rules, part, item))
			return false;
	}
	return true;
}

struct go_rules rules_of(const struct game *g)
{
	struct go_rules rules;
	assert(g && g->formats && g->formats->kata_rules);
	rules_read_text(g->formats->kata_rules, &rules);
	return rules;
}

const struct game *rules_game(const struct go_rules *rules, const struct game *g,
			      const char **lacking)
{
	const struct game *near = NULL;
	*lacking = rules->territory ? "territory scoring"
		   : rules->tax     ? "a tax on groups"
		   : rules->button  ? "a button"
				    : NULL;
	for (int i = 0; games[i]; i++) {
		struct go_rules own;
		if (!game_is_variant(games[i], g))
			continue;
		own = rules_of(games[i]);
		if (own.ko == rules->ko && (!near || own.suicide == rules->suicide))
			near = games[i];
	}
	if (!*lacking && rules->suicide != rules_of(near).suicide)
		*lacking = "suicide with simple ko";
	return game_sized(near, g->board.rows, g->board.cols);
}

json_t *rules_json(const struct go_rules *rules)
{
	return json_pack("{s:b,s:b,s:s,s:s,s:b,s:s,s:s}", "friendlyPassOk", (int)rules->friendly,
			 "hasButton", (int)rules->button, "ko", ko_names[rules->ko], "scoring",
			 scoring_names[rules->territory], "suicide", (int)rules->suicide, "tax",
			 tax_names[rules->tax], "whiteHandicapBonus", bonus_names[rules->bonus]);
}

int rules_bonus_points(enum bonus bonus, int stones)
{
	if (stones < 2 || bonus == BONUS_NONE)
		return 0;
	return bonus == BONUS_N ? stones : stones - 1;
}
