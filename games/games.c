/* SPDX-License-Identifier: MIT */
#include "games/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/rules/formats.h"
#include "engine/search/game_check.h"
#include "games/rbg/rbg_game.h"
#include "games/rbg/rbg_library.h"

#define GAME_ADDRESS(NAME) &game_##NAME,
const struct game *const games[] = { GAME_LIST(GAME_ADDRESS) NULL };

/* A table that breaks a rule is a bug of the game: this ends the program. */
static void check_game(const struct game *g)
{
	const char *why = game_check(g);
	if (!why)
		return;
	fprintf(stderr, "%s, rules %s: %s\n", g->name, g->rules, why);
	abort();
}

void games_init(void)
{
	void (*last)(const struct game *) = NULL;
	for (int i = 0; games[i]; i++) {
		const struct game *const alone[] = { games[i], NULL };
		for (const struct game *const *g = games[i]->sizes ? games[i]->sizes : alone; *g;
		     g++) {
			check_game(*g);
			if ((*g)->init && (*g)->init != last) {
				last = (*g)->init;
				last(*g);
			}
		}
	}
}

bool game_has_word(const char *words, const char *name)
{
	size_t length = strlen(name);
	for (; words && *words; words += strcspn(words, " "), words += *words == ' ')
		if (strcspn(words, " ") == length && strncasecmp(words, name, length) == 0)
			return true;
	return false;
}

/* Copies a name without blanks, hyphens and underscores, so that `lines of action` and `tic-tac-toe` are names. A name that
 * is too long for the buffer is none. */
static void squeeze(char text[GAME_NAME_MAX + 1], const char *name)
{
	size_t n = 0;
	for (; *name && n < GAME_NAME_MAX; name++)
		if (!strchr(" -_", *name))
			text[n++] = *name;
	text[*name ? 0 : n] = '\0';
}

static bool is_name(const struct game *g, const char *name)
{
	return *name && (game_has_word(g->name, name) || game_has_word(g->title, name) ||
			 game_has_word(g->alias, name));
}

/* Finds a game of the program. */
static const struct game *game_find_own(const char *name, const char *rules)
{
	char plain[GAME_NAME_MAX + 1];
	squeeze(plain, name);
	for (int i = 0; games[i]; i++) {
		const struct game *g = games[i];
		if (!is_name(g, plain))
			continue;
		if (!rules || strcmp(rules, g->rules) == 0)
			return g;
	}
	return NULL;
}

const struct game *game_find(const char *name, const char *rules)
{
	const struct game *g = game_find_own(name, rules);
	bool may_be_text = rules ? strncmp(rules, RBG_RULES, strlen(RBG_RULES)) == 0
				 : !game_find_own(name, NULL);
	return g || !may_be_text ? g : rbg_library_find(name, rules, NULL);
}

bool game_is_file(const char *name)
{
	size_t length = strlen(name), end = strlen(RBG_FILE_END);
	return length > end && strcasecmp(name + length - end, RBG_FILE_END) == 0;
}

const struct game *game_open(const char *name, const char *rules, struct text *error)
{
	if (game_is_file(name)) {
		const struct game *g = rbg_library_read(name, error);
		return g && rules && strcmp(g->rules, rules) != 0 ? NULL : g;
	}
	if (game_find_own(name, NULL))
		return game_find_own(name, rules);
	return rbg_library_find(name, rules, error);
}

bool game_is_variant(const struct game *a, const struct game *b)
{
	return strcmp(a->name, b->name) == 0 && rbg_is_game(a) == rbg_is_game(b);
}

const struct game *game_of_rules(const struct game *g, const char *rules)
{
	for (int i = 0; games[i]; i++)
		if (game_is_variant(games[i], g) &&
		    (strcasecmp(games[i]->rules, rules) == 0 ||
		     game_has_word(formats_of(games[i])->rules_names, rules)))
			return games[i];
	return NULL;
}

bool game_has_usual_rules(const struct game *g)
{
	return strcmp(g->rules, game_find(g->name, NULL)->rules) == 0;
}
