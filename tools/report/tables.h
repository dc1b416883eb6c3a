/* SPDX-License-Identifier: MIT
 *
 * The tables of the page. All but the first two are cards; the cards of times and drops begin with their
 * plots.
 */
#ifndef TOOLS_REPORT_TABLES_H
#define TOOLS_REPORT_TABLES_H

#include "tools/report/page.h"

/* The result of a match of two players. */
void tables_duel(const struct page *);

/* Each player's engine, games, score and Elo. */
void tables_players(const struct page *);

/* The points of each row's player against each column's, and its score with the interval. */
void tables_crosstable(const struct page *);

/* Likelihood of superiority, normalised Elo and pairs of games of each pairing. */
void tables_pairings(const struct page *);

/* Results by colour. */
void tables_colors(const struct page *);

/* The largest drops: moves after which a loser's expected result fell most. */
void tables_drops(const struct page *);

/* Time used by each player. Nothing if no times are known. */
void tables_times(const struct page *);

/* Results by opening. Nothing if games begin without opening moves. */
void tables_openings(const struct page *);

/* How many games each player lost in which way. Nothing if all were lost by the rules. */
void tables_ends(const struct page *);

#endif
