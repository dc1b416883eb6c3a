/* SPDX-License-Identifier: MIT
 *
 * The plots of the page (tools/lib/plot.h). The first four are cards of their own, the others parts of a card.
 */
#ifndef TOOLS_REPORT_PLOTS_H
#define TOOLS_REPORT_PLOTS_H

#include "tools/report/page.h"

/* Elo ratings of all players with their intervals. */
void plots_ratings(const struct page *);

/* Match of two players: A's Elo during the match; the SPRT's log-likelihood ratio; points of A in the two games
 * of an opening. */
void plots_course(const struct page *);
void plots_test(const struct page *);
void plots_pairs(const struct page *);

/* Seconds of each move of the game. */
void plots_times(const struct page *);

/* Number of games by the move with the loser's largest drop. */
void plots_drops(const struct page *);

#endif
