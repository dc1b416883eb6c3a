/* SPDX-License-Identifier: MIT
 *
 * Completion of command lines. The scripts of tools/completion ask the program itself, so that it offers
 * what it accepts.
 */
#ifndef PROTOCOL_PROGRAM_COMPLETE_H
#define PROTOCOL_PROGRAM_COMPLETE_H

#include <stdio.h>

struct program;

#define COMPLETE_FILES ":files"

/* Prints the completions of the last word, one a line, with a tab and an explanation if there is one. A
 * completion that ends in "=" needs a value. A single line COMPLETE_FILES stands for file names. `words` are
 * the words after the program's name; as bash splits them, "=" may be a word of its own. */
void complete_print(FILE *, const struct program *, int count, const char *const *words);

#endif
