/* SPDX-License-Identifier: MIT
 *
 * What a match has come to, as text. Of two players the first is A, whose view all figures are; more are
 * rated on one scale. Names: what stands for each player.
 */
#ifndef TOOLS_LIB_SUMMARY_H
#define TOOLS_LIB_SUMMARY_H

#include <stdio.h>

#include "protocol/standings.h"

/* For people: scores, intervals, Elo, the test, forfeits, times. */
void summary_print(const struct standings *, FILE *);

/* For programs, a line for each pairing: games, won, drawn, lost, score, low and high end of its interval,
 * forfeits of A, of B, separated by blanks; then, behind tabs, the names of A and B. */
void summary_lines(const struct standings *, const struct matches *, FILE *);

/* What is known while a match runs, without the end of the line: points and Elo, the test. */
void summary_progress(const struct standings *, FILE *);

#endif
