/* SPDX-License-Identifier: MIT
 *
 * What a lane of self-play (selfplay.h) plays a network's games with: an engine that searches by mcts on one thread, and
 * the game's exact solver. Used by one thread.
 */
#ifndef TOOLS_TRAIN_SEAT_H
#define TOOLS_TRAIN_SEAT_H

#include "engine/search/engine.h"
#include "tools/lib/exact.h"

#define SEAT_PLAY_ON 4 /* after each position of known result, one game in this many goes on */

struct seat {
	struct engine *engine;
	struct record record;
	struct exact exact;
};

/* `memory`: MiB of the tree. seat_free() frees what is in the seat. */
void seat_init(struct seat *, const struct game *, int memory);
void seat_free(struct seat *);

/* Begins a game. Empties the memory of engine and solver, so that the game does not depend on earlier ones. The game's
 * evaluator may have changed. */
void seat_begin(struct seat *, const struct game *, struct rng *);

/* Plays random moves, at most up to the end of the game. */
void seat_play_random(struct seat *, int count, struct rng *);

/* Calls the game's solver if it is quick. The report then lists all moves; those that keep the value have a visit. */
bool seat_solve(struct seat *, struct report *);

/* Searches with this many simulations and share of noise. Exits with a message if that fails. */
void seat_search(struct seat *, int simulations, double noise, struct report *);

/* The move to play: the best one. With `freely`, one drawn by the visits unless the result is known. */
struct move seat_choose(const struct report *, bool freely, struct rng *);

/* Plays on in a position that the solver knows: mostly a move that keeps the value, any of them. The other moves lead to
 * late positions of every value. */
void seat_wander(struct seat *, const struct report *, struct rng *);

#endif
