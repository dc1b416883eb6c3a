/* SPDX-License-Identifier: MIT
 *
 * The sequential probability ratio test (SPRT): ends a match of two players as soon as one of two hypotheses
 * about their difference in Elo is accepted. Pure functions.
 *
 * A. Wald, "Sequential tests of statistical hypotheses", 1945, on the generalised likelihood ratio: among all
 * distributions of outcomes with the expected score of a hypothesis, it takes the one that maximises the
 * likelihood of the data (M. Van den Bergh, "A practical introduction to the GSPRT"). The outcomes are those of
 * pairs of games with exchanged colours (pentanomial) or of single games (trinomial). Outcomes that did not
 * occur count as a thousandth of one, so that these distributions exist.
 */
#ifndef TOOLS_MATCH_SPRT_H
#define TOOLS_MATCH_SPRT_H

#include <stdbool.h>

/* The hypotheses: one player is stronger by `elo0`, or by `elo1` (logistic Elo). `alpha` is the probability
 * of accepting elo1 if elo0 is true, `beta` that of accepting elo0 if elo1 is true. */
struct sprt {
	double elo0, elo1, alpha, beta;
};

#define SPRT_ELO_MAX 1000

/* Returns true if the test is valid: elo0 < elo1, both from -SPRT_ELO_MAX to SPRT_ELO_MAX, alpha and beta between 0 and
 * 0.5. */
bool sprt_is_sound(const struct sprt *);

/* Returns the same test, seen from the other player. */
struct sprt sprt_of_other(const struct sprt *);

/* Bounds of the log-likelihood ratio: the test accepts elo0 below the lower, elo1 above the upper one. */
double sprt_lower(const struct sprt *);
double sprt_upper(const struct sprt *);

#define SPRT_OUTCOMES 5 /* of a pair of games: 0, 1/2 .. 2 points */

/* Returns the log-likelihood ratio of elo1 to elo0, 0 without games. counts[i] is the number of groups that
 * scored i / (outcomes - 1) of their points. `outcomes` is 5 for pairs of games, 3 for single games. */
double sprt_llr(const struct sprt *, const int counts[], int outcomes);

#endif
