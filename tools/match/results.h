/* SPDX-License-Identifier: MIT
 *
 * The results of a match as text. In a match of two players the first is A, and all figures are from A's
 * point of view. More players get a crosstable and Elo ratings on one scale.
 */
#ifndef TOOLS_MATCH_RESULTS_H
#define TOOLS_MATCH_RESULTS_H

#include "engine/base/text.h"
#include "tools/match/standings.h"

/* For people: scores, intervals, Elo, the SPRT, forfeits, times. */
void results_print(const struct standings *, struct text *);

/* For programs: a line for each two players with games, won, drawn, lost, score, low and high end of its
 * interval, forfeits of A, forfeits of B, separated by blanks; then, each after a tab, the names of A and
 * B. */
void results_print_lines(const struct standings *, const struct database *, struct text *);

/* Progress of a running match, without a newline: games that A won (+), drew (=) and lost (-), Elo, the
 * SPRT. */
void results_print_progress(const struct standings *, struct text *);

#endif
