/* SPDX-License-Identifier: MIT
 *
 * What a move costs, compared with the best one. The most certain measure counts: a proven result, then the score, then
 * the win rate. Pure functions, any thread.
 */
#ifndef PROTOCOL_LESSONS_LOSS_H
#define PROTOCOL_LESSONS_LOSS_H

#include "protocol/session/worth.h"

/* Returns true if `a` is better for a side than `b`, by the same measures. */
bool worth_is_better(const struct game *, int side, const struct worth *a, const struct worth *b);

enum loss_unit {
	LOSS_NONE,   /* nothing is known to be lost */
	LOSS_RESULT, /* a proven result became a worse one */
	LOSS_POINTS, /* points of the score */
	LOSS_SHARE   /* expected share of the points, 0 .. 1: win rate */
};

enum loss_size { LOSS_GOOD, LOSS_INACCURACY, LOSS_MISTAKE, LOSS_BLUNDER, LOSS_SIZES };

struct loss {
	enum loss_unit unit;
	enum loss_size size;
	/* Points or share. LOSS_RESULT: points if they are proven, too, else 0. */
	double amount;
	/* LOSS_RESULT: the proven results for the side, -1 .. 1: at least `before`, then at most `after`. LOSS_SHARE: win
	 * rates of the side. */
	double before, after;
	bool exact;      /* the points are proven */
	bool is_at_most; /* LOSS_RESULT: `after` is not proven to be reached */
	double severity; /* 0 .. 1: 0 nothing, 1 a blunder; the accuracy of a move is 1 minus this */
};

/* Compares the position that a side could reach with the one that it has reached. */
struct loss loss_find(const struct game *, int side, const struct worth *best,
		      const struct worth *played);

/* The name of a size: "good", "inaccuracy", "mistake", "blunder". Of a unit: "none", "result", "points", "win rate". */
const char *loss_size_name(enum loss_size);
const char *loss_unit_name(enum loss_unit);

#define LOSS_TEXT_MAX 80

/* Writes the cost: "a win became a draw (proven)", "6 discs", "about 6 discs", "win rate 62 % to 35 %". */
void loss_text(const struct loss *, const struct game *, char text[LOSS_TEXT_MAX]);

#endif
