/* SPDX-License-Identifier: MIT
 *
 * What a worker of self-play (selfplay.h) plays with: an engine that searches on one thread, and the game's exact solver. Used by
 * one thread.
 */
#ifndef TOOLS_TRAIN_ACTOR_H
#define TOOLS_TRAIN_ACTOR_H

#include "engine/search/engine.h"
#include "tools/lib/exact.h"

#define ACTOR_PLAY_ON 4 /* after each position of known result, one game in this many goes on */

struct actor {
	struct engine *engine;
	struct record record;
	struct exact exact;
};

/* `memory`: MiB of the search's tree or table. actor_free() frees what is in the actor. */
void actor_init(struct actor *, const struct game *, const char *search, int memory);
void actor_free(struct actor *);

/* Begins a game. Empties the memory of engine and solver, so that the game does not depend on earlier ones. The game's
 * evaluator may have changed. */
void actor_begin(struct actor *, const struct game *, struct rng *);

/* Plays random moves, at most up to the end of the game. */
void actor_play_random(struct actor *, int count, struct rng *);

/* Calls the game's solver if it is quick. The report then lists all moves; those that keep the value have a visit. */
bool actor_solve(struct actor *, struct report *);

/* Searches with this many simulations and share of noise. Exits with a message if that fails. */
void actor_search(struct actor *, int simulations, double noise, struct report *);

/* The move to play: the best one. With `freely`, one drawn by the visits unless the result is known. */
struct move actor_choose(const struct report *, bool freely, struct rng *);

/* Plays on in a position that the solver knows: mostly a move that keeps the value, any of them. The other moves lead to
 * late positions of every value. */
void actor_wander(struct actor *, const struct report *, struct rng *);

#endif
