/* SPDX-License-Identifier: MIT
 *
 * Records as SGF files (FF[4]). Othello is GM[2] with points of two letters from the top left and an
 * empty value for a pass; the other games have no number there, so GN names game and rules, and
 * moves are in our notation: `GN[yomi pentago standard]`, `B[c3t]`. A position that is not the normal
 * start is set up by AB, AW, AE and PL in the root.
 */
#ifndef PROTOCOL_SGF_H
#define PROTOCOL_SGF_H

#include <stdio.h>

#include "engine/options.h"
#include "engine/record.h"

/* Writes the record, without blank lines. */
void sgf_print(FILE *, const struct record *);

/* Reads the main line of the first game into the record, which changes its game if need be; stops
 * before move `before`, counted from 1 (INT_MAX: at the end). Refused: false, nothing has changed. */
bool sgf_parse(struct record *, const char *text, int before, char why[REASON_MAX]);

/* The same with a plain file; anything else is refused, symbolic links are followed. A file is written
 * whole or not at all. */
bool sgf_save(const char *path, const struct record *, char why[REASON_MAX]);
bool sgf_load(struct record *, const char *path, int before, char why[REASON_MAX]);

#endif
