/* SPDX-License-Identifier: MIT */
#include "protocol/session/worth.h"

#include <math.h>

/* Standard deviations between `lcb` and the winrate. */
#define LCB_WIDTH   1.96

/* Points of lead that stand for odds of e : 1. Used if a search has a score but no value. */
#define POINTS_OF_E 8.0

struct worth worth_of_report(const struct report *r)
{
	return (struct worth) { r->value, r->score, r->lower, r->upper, r->exact };
}

struct worth worth_of_move(const struct report_move *m)
{
	return (struct worth) { m->value, m->score, m->lower, m->upper, m->exact };
}

struct worth worth_of_end(const struct game *g, const struct state *s)
{
	int result = score_sign(s->score);
	bool counts = game_counts(g);
	return (struct worth) { result, counts ? game_points(g, game_worth(g, s)) : NAN, result,
				result, counts };
}

bool worth_is_known(const struct worth *w)
{
	return w->lower == w->upper || !isnan(w->score) || !isnan(w->value);
}

/* --- numbers --- */

double worth_guess(double value, double score, double unknown)
{
	return !isnan(value) ? value : !isnan(score) ? tanh(score / (2 * POINTS_OF_E)) : unknown;
}

double worth_side_share(int side, double value)
{
	return (1 + side_sign(side) * value) / 2;
}

double worth_share(const struct worth *w)
{
	double value = worth_guess(w->value, w->score, NAN);
	return isnan(value) ? NAN : (1 + fmax(w->lower, fmin(w->upper, value))) / 2;
}

/* Lower bound of the Wilson score interval for a share of the points in n games. It also holds for few
 * games. */
static double confident_share(double share, uint64_t n)
{
	double z = LCB_WIDTH * LCB_WIDTH / (double)n;
	return (share + z / 2 - sqrt(z * (share * (1 - share) + z / 4))) / (1 + z);
}

struct rating worth_rate(const struct worth *w, uint64_t visits, int side, double unknown)
{
	double value = worth_guess(w->value, w->score, unknown);
	struct rating r = { .visits = visits, .worth = *w };
	r.proof = w->lower == w->upper ? worth_value(side, w->lower, w->upper) : NULL;
	r.winrate = worth_side_share(side, fmax(w->lower, fmin(w->upper, value)));
	r.lcb = r.winrate;
	/* An lcb needs playouts. */
	if (!r.proof && !isnan(w->value) && visits)
		r.lcb = fmax(confident_share(r.winrate, visits),
			     worth_side_share(side, side == BLACK ? w->lower : w->upper));
	return r;
}

void worth_at_least(struct worth *w, int side, const struct worth *other)
{
	if (side == BLACK && other->lower > w->lower)
		w->lower = other->lower;
	else if (side == WHITE && other->upper < w->upper)
		w->upper = other->upper;
}

/* --- words --- */

const char *worth_result(const struct game *g, int lower, int upper)
{
	static const char *const results[3][3][3] = {
		/* rows: Black's lower bound, columns: his upper bound, from lost to won */
		{
			{ "white wins", "black does not win", "" },
			{ "", "draw", "black does not lose" },
			{ "", "", "black wins" },
		},
		{
			{ "White wins", "Black does not win", "" },
			{ "", "draw", "Black does not lose" },
			{ "", "", "Black wins" },
		},
		{
			{ "O wins", "X does not win", "" },
			{ "", "draw", "X does not lose" },
			{ "", "", "X wins" },
		},
	};
	return results[!g ? 0 : g->board.pen ? 2 : 1][lower + 1][upper + 1];
}

const char *worth_value(int side, int lower, int upper)
{
	static const char *const values[3][3] = {
		/* rows: the worst result of the side, columns: its best, from loss to win */
		{ "loss", "draw or loss", "unknown" },
		{ "", "draw", "draw or win" },
		{ "", "", "win" },
	};
	return values[result_least(side, lower, upper) + 1][result_most(side, lower, upper) + 1];
}

void worth_print(const struct worth *w, const struct game *g, const struct state *s, int side,
		 struct text *out)
{
	char amount[AMOUNT_TEXT_MAX];
	const char *result = worth_result(g, w->lower, w->upper);
	double share = worth_share(w), lead = side_sign(side) * w->score;
	if (w->lower == w->upper) {
		text_puts(out, result);
		if (w->exact && game_counts(g) && w->score != 0) {
			game_margin(g, s, w->score, amount);
			text_printf(out, " %s", amount);
		}
		text_puts(out, " with best play");
		return;
	}
	if (isnan(share))
		text_puts(out, "no estimate");
	else
		text_printf(out, "win rate %.0f %%", 100 * (side == BLACK ? share : 1 - share));
	if (g->score.unit && fabs(lead) >= 0.5) {
		game_amount(g, round(fabs(lead)), amount);
		text_printf(out, ", about %s %s", amount, lead > 0 ? "ahead" : "behind");
	}
	if (*result)
		text_printf(out, ", %s", result);
}
