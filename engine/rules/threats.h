/* SPDX-License-Identifier: MIT
 *
 * Threats: a search sees a win at once and the steps that do not lose at once, without playing them. All answers are
 * proven. Every search asks; without this table they play the steps.
 */
#ifndef ENGINE_RULES_THREATS_H
#define ENGINE_RULES_THREATS_H

#include "engine/rules/game.h"

/* The root of a search gets n times the work of `search`. */
#define THREATS_ROOT 64

struct threats {
	/* Returns true if the side to choose can win before the other side moves again, with the next step or
	 * the next two. The state must not be over. Searches also ask whether the side that is not to move
	 * threatens to win: they exchange `side` in a copy of a state that is not pending. The copy keeps its
	 * hash, and such a position need not occur in a game. The answer must be right for it too. Required. */
	bool (*wins)(const struct game *, const struct state *);
	/* Lists the steps that are not known to lose at once, in the order of moves(). Returns their
	 * number, >= 0. The side to choose must have no immediate win, and `side` must not be exchanged.
	 * After a step that is missing here the other side wins with its next move, whatever step completes
	 * this move. Required. */
	int (*safe)(const struct game *, const struct state *, move_t *);
	/* Returns the result of perfect play if a rule of the game proves it without a search: 1 Black wins, -1 White
	 * wins; else 0. The state is neither over nor pending. Searches ask it of the positions behind the root. NULL:
	 * there is no such rule. */
	int (*decided)(const struct game *, const struct state *);
	/* Threat-space search: looks for a win by force that takes more moves, with about `work` positions. If the side
	 * to choose has one, sets *won and writes its first step. Otherwise lists the steps that are not known to lose,
	 * in the order of moves(): if the other side threatens such a win, only those that may parry it. Returns the
	 * number of steps. The state must be neither over nor pending; `side` must not be exchanged. NULL: the game has
	 * no such search. */
	int (*search)(const struct game *, const struct state *, int work, move_t *steps,
		      bool *won);
	int work; /* the default of the option `forced` */
	int visits; /* visits at which mcts asks `search` of a node; 0: 16. With a network for any board: the first */
};

/* The work of `search` at a node: `option`, or below 0 the game's own. 0: the game has no such search, or it is off. */
static inline int threats_work(const struct game *g, int option)
{
	return !g->threats || !g->threats->search ? 0 : option < 0 ? g->threats->work : option;
}

#endif
