/* SPDX-License-Identifier: MIT
 *
 * The rules of Go as KataGo names them, and the tables of games that play by them. Pure functions, any thread.
 */
#ifndef PROTOCOL_RECORDS_GO_RULES_H
#define PROTOCOL_RECORDS_GO_RULES_H

#include <jansson.h>

#include "engine/rules/game.h"

enum ko { KO_SIMPLE, KO_POSITIONAL, KO_SITUATIONAL };
enum tax { TAX_NONE, TAX_SEKI, TAX_ALL };

/* Points that White gets for handicap stones: none, one for each, one for each but the first. */
enum bonus { BONUS_NONE, BONUS_N, BONUS_N_1 };

struct go_rules {
	enum ko ko;
	bool territory; /* scores territory instead of area */
	bool suicide;   /* several stones may be played so that they capture themselves */
	enum tax tax;   /* on points inside living groups */
	bool button;    /* the first pass is worth half a point */
	enum bonus bonus;
	bool friendly; /* players need not capture dead stones before they pass */
};

/* Reads rules: a name or an object, whose missing parts are those of Tromp and Taylor. Returns false if they are malformed
 * or unknown. */
bool rules_read(const json_t *, struct go_rules *);

/* The same as text: a name, such as "chinese", what KataGo writes in records, or an object. */
bool rules_read_text(const char *, struct go_rules *);

/* Changes one part, such as "ko". Returns false if the part or its value is unknown. */
bool rules_set(struct go_rules *, const char *part, const json_t *value);

bool rules_read_bonus(const json_t *, enum bonus *);

/* The rules of a game that has kata_rules. */
struct go_rules rules_of(const struct game *);

/* Finds the table of Go that comes nearest to the rules, in the size of `g`, which must have kata_rules. *lacking is NULL, or
 * names what it does not play. The bonus and `friendly` are no part of a table. */
const struct game *rules_game(const struct go_rules *, const struct game *g, const char **lacking);

json_t *rules_json(const struct go_rules *);

/* White's points for a handicap. One stone is none. */
int rules_bonus_points(enum bonus, int stones);

#endif
