/* SPDX-License-Identifier: MIT
 *
 * Repetition: what the rules say of a position that was there before. Without this table positions may repeat, or never
 * do. A state cannot know; the record does (engine/rules/record.h).
 */
#ifndef ENGINE_RULES_REPETITION_H
#define ENGINE_RULES_REPETITION_H

#include "engine/rules/game.h"

/* A game has `key`, `limit` or both. Only positions between whole moves count. */
struct repetition {
	/* Without `limit`: the key of the position after a step, or of the state itself for MOVE_NONE. A step that leads
	 * to an earlier key of the same game is illegal (Go's superko). 0: the step may always be played, as a pass;
	 * one such step must be legal in every state. moves() does not know it; record_moves() does.
	 * With `limit`: a hash of what is compared, for MOVE_NONE only, never 0. It has the side to move and leaves out counters
	 * of the state, such as that of a rule of 40 moves. A higher counter must not help a side to win. NULL: the whole
	 * state is compared. */
	uint64_t (*key)(const struct game *, const struct state *, move_t);
	/* How often a position, with its side to move, must occur to end the game as a draw (Lines of Action: 3). 0:
	 * positions may occur any number of times. */
	int limit;
	/* A step to an earlier position is not illegal for searches that prove results: it ends the game as a draw. */
	bool draws;
};

/* How often a position must occur to end the game as a draw; 0: any number of times. */
static inline int repetition_limit(const struct game *g)
{
	return g->repetition ? g->repetition->limit : 0;
}

/* Returns true if the rules forbid a step to an earlier position. */
static inline bool repetition_forbids(const struct game *g)
{
	return g->repetition && !g->repetition->limit;
}

/* The key by which the record compares the position with others. 0 where positions may repeat, and between the steps of a
 * move. The hash alone adds the side to a word, so it is not enough. */
static inline uint64_t repetition_key(const struct game *g, const struct state *s)
{
	if (!g->repetition || s->pending)
		return 0;
	if (g->repetition->key)
		return g->repetition->key(g, s, MOVE_NONE);
	uint64_t key = s->side == BLACK ? s->hash : ~s->hash * 0x9e3779b97f4a7c15u;
	return key | !key;
}

#endif
