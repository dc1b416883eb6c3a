/* SPDX-License-Identifier: MIT
 *
 * Completion of command lines. The scripts of tools/completion ask the program itself, so that completion
 * offers what the program accepts.
 */
#ifndef PROTOCOL_PROGRAM_COMPLETE_H
#define PROTOCOL_PROGRAM_COMPLETE_H

#include <stdio.h>

struct program;

#define COMPLETE_FILES ":files"

/* Prints the completions of the last word, one per line, each with a tab and an explanation if there is one.
 * A completion that ends in "=" needs a value. The single line COMPLETE_FILES means file names. `words` are the
 * words after the program's name. bash makes "=" a word of its own. */
void complete_print(FILE *, const struct program *, int count, const char *const *words);

#endif
