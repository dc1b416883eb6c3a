/* SPDX-License-Identifier: MIT
 *
 * Step codes: a number for each modifier and each square on which a player might make it.
 */
#ifndef GAMES_RBG_RBG_CODES_H
#define GAMES_RBG_RBG_CODES_H

#include "games/rbg/rbg_machine.h"

struct rbg_codes {
	int count; /* 0: there are too many; a step is then its place among those of its position */
	int choices; /* a bound of the modifiers that can come next at any point of a move */
	struct rbg_act *acts; /* by code */
	uint16_t *codes;      /* [modifier * squares + square] */
};

/* Numbers the modifiers of all players' moves. Tests are left out, so some codes may never be used. Free with rbg_codes_free(). */
void rbg_codes_init(struct rbg_codes *, const struct rbg_automaton *);
void rbg_codes_free(struct rbg_codes *);

/* Returns true if a modifier is a part of players' moves, as far as there are codes. */
bool rbg_codes_has(const struct rbg_codes *, const struct rbg_automaton *, int modifier);

static inline uint16_t rbg_code(const struct rbg_codes *c, const struct rbg_automaton *a,
				struct rbg_act act)
{
	return c->codes[act.modifier * a->squares + act.square];
}

#endif
