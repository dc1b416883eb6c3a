/* SPDX-License-Identifier: MIT */
#include "games/games.h"

#include <string.h>
#include <strings.h>

const struct game *const games[] = { &game_othello,        &game_tictactoe,         &game_pentago,
				     &game_pentago_tajima, &game_pentago_openspiel, NULL };

void games_init(void)
{
	tictactoe_init();
	othello_init();
	pentago_init();
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
