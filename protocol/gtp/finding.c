/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/finding.h"

#include <math.h>

#include "engine/rules/game.h"
#include "protocol/gtp/think.h"

/* Standard deviations between `lcb` and the winrate. */
#define LCB_WIDTH 1.96

/* Lower bound of the Wilson score interval for a share of the points in n games. It also holds for few
 * games. */
static double confident_share(double share, uint64_t n)
{
	double z = LCB_WIDTH * LCB_WIDTH / (double)n;
	return (share + z / 2 - sqrt(z * (share * (1 - share) + z / 4))) / (1 + z);
}

void finding_rate(struct finding *f, int side, double unknown)
{
	double value = think_guess(f->value, f->score, unknown);
	f->proof = f->lower == f->upper ? think_value(side, f->lower, f->upper) : NULL;
	f->winrate = think_share(side, fmax(f->lower, fmin(f->upper, value)));
	f->lcb = f->winrate;
	/* An lcb needs playouts. */
	if (!f->proof && !isnan(f->value) && f->visits)
		f->lcb = fmax(confident_share(f->winrate, f->visits),
			      think_share(side, side == BLACK ? f->lower : f->upper));
}
