/* SPDX-License-Identifier: MIT
 *
 * The rules of Go as KataGo names them, and whether they are those of a game. Pure functions, any thread.
 */
#ifndef PROTOCOL_KATAGO_RULES_H
#define PROTOCOL_KATAGO_RULES_H

#include <jansson.h>

#include "engine/game.h"

/* Points that White gets for handicap stones: none, one for each, one for each but the first. */
enum bonus { BONUS_NONE, BONUS_N, BONUS_N_1 };

struct go_rules {
	bool territory; /* scores territory instead of area */
	bool suicide;   /* several stones may be played so that they capture themselves */
	bool tax;       /* points inside living groups are taxed */
	bool button;    /* the first pass is worth half a point */
	enum bonus bonus;
};

/* Reads rules: a name or an object. Returns false if they are malformed or unknown. */
bool rules_read(const json_t *, struct go_rules *);

bool rules_read_bonus(const json_t *, enum bonus *);

/* Returns true if games by these rules have the moves and scores of the game, which must have kata_rules. The kinds of
 * ko and superko count as equal: they differ in rare cycles only. */
bool rules_are_of(const struct go_rules *, const struct game *);

#endif
