/* SPDX-License-Identifier: MIT
 *
 * What a file of weights says about its making (engine/evaluation/weights.h): the command, how far it has come, and the
 * version of the program. `yomi train show` prints it.
 */
#ifndef TOOLS_TRAIN_RECIPE_H
#define TOOLS_TRAIN_RECIPE_H

#include "tools/ranks/ranks.h"
#include "tools/train/folder.h"

/* Adds the recipe to a file of weights that have learned from `rounds` rounds. */
void recipe_add(struct packet *file, const char *command, int rounds);

/* Prints the recipe of a file. Exits with a message if it has none. */
void recipe_show(const char *path);

#endif
