/* SPDX-License-Identifier: MIT
 *
 * How formats of other programs name a game. Each part may be missing.
 */
#ifndef ENGINE_RULES_FORMATS_H
#define ENGINE_RULES_FORMATS_H

#include "engine/rules/game.h"

struct formats {
	int sgf_gm; /* number of the game in SGF (GM); 0: it has none */
	bool sgf_own; /* SGF writes the moves of a game with a number in its own notation, not in two letters */
	const char *ggf_gm; /* name of the game in GGF (GM), which NBoard uses; NULL: it has none */
	/* For clients of Go: the rules as KataGo's JSON object; NULL: none. */
	const char *kata_rules;
	/* Other names of the same rules in the property RU of SGF, separated by blanks. NULL: none. */
	const char *rules_names;
};

/* The formats of a game; all is missing if it has none. */
static inline const struct formats *formats_of(const struct game *g)
{
	static const struct formats none = { 0 };
	return g->formats ? g->formats : &none;
}

#endif
