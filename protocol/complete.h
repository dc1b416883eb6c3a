/* SPDX-License-Identifier: MIT
 *
 * What shells offer while somebody types a command line. The scripts of tools/completion ask the program
 * itself, so what it offers is what it takes.
 */
#ifndef PROTOCOL_COMPLETE_H
#define PROTOCOL_COMPLETE_H

#include <stdio.h>

struct program;

#define COMPLETE_FILES ":files"

/* Prints what the last word may become, each on a line of its own, with a tab and an explanation if there
 * is one; what ends in "=" wants a value. The one line COMPLETE_FILES: names of files. The words
 * are those behind the program's name, in which bash makes "=" a word of its own. */
void complete_print(FILE *, const struct program *, int count, const char *const *words);

#endif
