/* SPDX-License-Identifier: MIT */
#include "protocol/lessons/loss.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* From here on a loss is an inaccuracy, a mistake, a blunder. In Othello one more disc turned is 2 points. */
static const double points_limits[] = { 2, 5, 10 }, share_limits[] = { 0.05, 0.1, 0.2 };

#define BLUNDER (LOSS_BLUNDER - LOSS_INACCURACY) /* its index in the limits */

static enum loss_size loss_size_of(double amount, const double limits[])
{
	int size = LOSS_GOOD;
	while (size < LOSS_BLUNDER && amount >= limits[size])
		size++;
	return (enum loss_size)size;
}

struct loss loss_find(const struct game *g, int side, const struct worth *best,
		      const struct worth *played)
{
	struct loss loss = { 0 };
	int sign = side_sign(side);
	int before = result_least(side, best->lower, best->upper);
	int after = result_most(side, played->lower, played->upper);
	double points = sign * (best->score - played->score);
	double shares[2] = { worth_share(best), worth_share(played) };
	double limit = points_limits[BLUNDER];
	loss.exact = g->score.unit && best->exact && played->exact;
	if (before > after) {
		loss.unit = LOSS_RESULT;
		loss.size = LOSS_BLUNDER;
		loss.amount = loss.exact ? points : 0;
		loss.before = before;
		loss.after = after;
		loss.is_at_most = played->lower != played->upper;
		loss.severity = 1;
		return loss;
	}
	bool is_settled = best->lower == best->upper && best->lower == played->lower &&
			  best->upper == played->upper;
	if (loss.exact || (g->score.unit && !isnan(points) && !is_settled)) {
		loss.unit = LOSS_POINTS;
		loss.amount = points;
		loss.size = loss_size_of(points, points_limits);
	} else if (!is_settled && !isnan(shares[0]) && !isnan(shares[1])) {
		loss.unit = LOSS_SHARE;
		loss.before = side == BLACK ? shares[0] : 1 - shares[0];
		loss.after = side == BLACK ? shares[1] : 1 - shares[1];
		loss.amount = loss.before - loss.after;
		loss.size = loss_size_of(loss.amount, share_limits);
		limit = share_limits[BLUNDER];
	}
	loss.severity = fmax(0, fmin(1, loss.amount / limit));
	if (loss.amount <= 0)
		return (struct loss) { 0 };
	return loss;
}

bool worth_is_better(const struct game *g, int side, const struct worth *a, const struct worth *b)
{
	return loss_find(g, side, a, b).unit != LOSS_NONE;
}

const char *loss_size_name(enum loss_size size)
{
	static const char *const names[] = { "good", "inaccuracy", "mistake", "blunder" };
	return names[size];
}

const char *loss_unit_name(enum loss_unit unit)
{
	static const char *const names[] = { "none", "result", "points", "win rate" };
	return names[unit];
}

static const char *result_name(double result)
{
	return result > 0 ? "a win" : result < 0 ? "a loss" : "a draw";
}

void loss_text(const struct loss *loss, const struct game *g, char text[LOSS_TEXT_MAX])
{
	char amount[AMOUNT_TEXT_MAX];
	switch (loss->unit) {
	case LOSS_NONE:
		strcpy(text, "nothing");
		break;
	case LOSS_RESULT:
		snprintf(text, LOSS_TEXT_MAX, "%s became %s%s (proven)", result_name(loss->before),
			 loss->is_at_most ? "at most " : "", result_name(loss->after));
		break;
	case LOSS_POINTS:
		game_amount(g, loss->exact ? loss->amount : round(loss->amount), amount);
		snprintf(text, LOSS_TEXT_MAX, "%s%s", loss->exact ? "" : "about ", amount);
		break;
	case LOSS_SHARE:
		snprintf(text, LOSS_TEXT_MAX, "win rate %.0f %% to %.0f %%", 100 * loss->before,
			 100 * loss->after);
	}
}
