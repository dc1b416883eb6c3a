/* SPDX-License-Identifier: MIT */
#include "games/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/game_check.h"

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
	for (int i = 0; games[i]; i++) {
		check_game(games[i]);
		if (games[i]->init)
			games[i]->init();
	}
}

const struct game *game_find(const char *name, const char *rules)
{
	for (int i = 0; games[i]; i++) {
		const struct game *g = games[i];
		if (strcasecmp(name, g->name) != 0 && strcasecmp(name, g->title) != 0 &&
		    (!g->alias || strcasecmp(name, g->alias) != 0))
			continue;
		if (!rules || strcmp(rules, g->rules) == 0)
			return g;
	}
	return NULL;
}

bool game_is_variant(const struct game *a, const struct game *b)
{
	return strcmp(a->name, b->name) == 0;
}
