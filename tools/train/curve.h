/* SPDX-License-Identifier: MIT
 *
 * The errors on held-out samples after each round of a network's training, as a plot.
 */
#ifndef TOOLS_TRAIN_CURVE_H
#define TOOLS_TRAIN_CURVE_H

#include "tools/train/folder.h"

/* Draws error.svg in the folder from its log. A line of the log begins with the number of the round, its games, the
 * samples, and the errors of value and policy. Exits with a message on failure. */
void curve_draw(const struct folder *);

#endif
