/* SPDX-License-Identifier: MIT */
#include "protocol/katago/rules.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *name; /* letters and digits only */
	struct go_rules rules;
} named[] = {
	{ "tromptaylor", { .suicide = true } },
	{ "chinese", { .bonus = BONUS_N } },
	{ "chineseogs", { .bonus = BONUS_N } },
	{ "chinesekgs", { .bonus = BONUS_N } },
	{ "japanese", { .territory = true, .tax = true } },
	{ "korean", { .territory = true, .tax = true } },
	{ "stonescoring", { .tax = true } },
	{ "aga", { .bonus = BONUS_N_1 } },
	{ "bga", { .bonus = BONUS_N_1 } },
	{ "french", { .bonus = BONUS_N_1 } },
	{ "newzealand", { .suicide = true } },
	{ "agabutton", { .button = true, .bonus = BONUS_N_1 } },
};

bool rules_read_bonus(const json_t *value, enum bonus *bonus)
{
	static const char *const texts[] = { "0", "N", "N-1" };
	const char *text = json_string_value(value);
	for (int i = 0; text && i < 3; i++) {
		if (strcmp(text, texts[i]) == 0) {
			*bonus = (enum bonus)i;
			return true;
		}
	}
	return false;
}

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

/* Reads a part of rules. Returns false if it is unknown. */
static bool read_part(const char *key, const json_t *value, struct go_rules *rules)
{
	static const char *const scorings[] = { "AREA", "TERRITORY", NULL };
	static const char *const taxes[] = { "NONE", "SEKI", "ALL", NULL };
	static const char *const kos[] = { "SIMPLE", "POSITIONAL", "SITUATIONAL", NULL };
	int index;
	if (strcmp(key, "scoring") == 0 || strcmp(key, "score") == 0) {
		index = word_index(value, scorings);
		rules->territory = index > 0;
		return index >= 0;
	}
	if (strcmp(key, "tax") == 0) {
		index = word_index(value, taxes);
		rules->tax = index > 0;
		return index >= 0;
	}
	if (strcmp(key, "ko") == 0)
		return word_index(value, kos) >= 0;
	if (strcmp(key, "whiteHandicapBonus") == 0)
		return rules_read_bonus(value, &rules->bonus);
	if (strcmp(key, "suicide") == 0)
		rules->suicide = json_is_true(value);
	else if (strcmp(key, "hasButton") == 0)
		rules->button = json_is_true(value);
	else if (strcmp(key, "friendlyPassOk") != 0)
		return false;
	return json_is_boolean(value);
}

/* Reads rules as KataGo's own records have them, such as koPOSITIONALscoreAREAtaxNONEsui1. */
static bool read_short(const char *text, struct go_rules *rules)
{
	static const struct {
		const char *mark, *key;
	} parts[] = {
		{ "ko", "ko" },       { "score", "score" },      { "tax", "tax" },
		{ "sui", "suicide" }, { "button", "hasButton" }, { "whb", "whiteHandicapBonus" }
	};
	bool good = strncmp(text, "ko", 2) == 0;
	for (size_t i = 0; good && i < sizeof parts / sizeof parts[0]; i++) {
		size_t mark = strlen(parts[i].mark);
		if (strncmp(text, parts[i].mark, mark) != 0)
			continue;
		text += mark;
		size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ01-");
		bool is_flag = strcmp(parts[i].mark, "sui") == 0 ||
			       strcmp(parts[i].mark, "button") == 0;
		json_t *part = is_flag ? json_boolean(*text == '1') : json_stringn(text, length);
		good = length && read_part(parts[i].key, part, rules);
		json_decref(part);
		text += length;
	}
	return good && !*text;
}

/* Reads a name, or a text in the place of an object. */
static bool read_text(const char *text, struct go_rules *rules)
{
	json_t *object = *text == '{' ? json_loads(text, 0, NULL) : NULL;
	bool good = object ? rules_read(object, rules)
			   : read_name(text, rules) || read_short(text, rules);
	json_decref(object);
	return good;
}

bool rules_read(const json_t *value, struct go_rules *rules)
{
	const char *key;
	json_t *part;
	*rules = (struct go_rules) { 0 };
	if (json_is_string(value))
		return read_text(json_string_value(value), rules);
	if (!json_is_object(value))
		return false;
	json_object_foreach((json_t *)value, key, part)
	{
		if (!read_part(key, part, rules))
			return false;
	}
	return true;
}

bool rules_are_of(const struct go_rules *rules, const struct game *g)
{
	struct go_rules own;
	json_t *value = json_loads(g->kata_rules, 0, NULL);
	bool known = rules_read(value, &own);
	json_decref(value);
	return known && rules->territory == own.territory && rules->suicide == own.suicide &&
	       rules->tax == own.tax && rules->button == own.button;
}
