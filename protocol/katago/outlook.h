/* SPDX-License-Identifier: MIT
 *
 * Estimates by random games for a position and for the positions after its best moves. They give answers the scores
 * that the search does not know, and the owners of the squares. Only for games with traces of playouts.
 */
#ifndef PROTOCOL_KATAGO_OUTLOOK_H
#define PROTOCOL_KATAGO_OUTLOOK_H

#include "engine/estimate.h"

#define OUTLOOK_MOVES 10 /* most moves with an estimate of their own */

struct outlook {
	const struct game *game;
	struct state now;
	uint64_t seed;
	struct estimate position;
	int count;
	struct move moves[OUTLOOK_MOVES];
	struct estimate after[OUTLOOK_MOVES];
};

/* Estimates a position. It takes some dozen milliseconds on the largest board. */
void outlook_init(struct outlook *, const struct game *, const struct state *, uint64_t seed);

/* The estimate of the position after a legal move. Returns NULL if OUTLOOK_MOVES others have one. */
const struct estimate *outlook_after(struct outlook *, struct move);

#endif
