/* SPDX-License-Identifier: MIT
 *
 * Records of Othello in the Generic Game Format, which NBoard and the game server GGS write:
 *
 *     (;GM[Othello]PC[place]PB[black]PW[white]RE[+4.00]TI[15:00]TY[8]BO[8 64 squares *]
 *     B[F5/eval/seconds]W[F6//1.2]B[PA];)
 *
 * Squares go row by row from the top left: `*` black, `O` white, `-` empty, and the side to move; BO is
 * written even of the normal start. Move, evaluation and time of a move are apart by strokes; the latter
 * two may be empty or missing. RE is Black's margin or `?`. There are no escapes, no variations.
 *
 * Pure functions of text, any thread.
 */
#ifndef PROTOCOL_GGF_H
#define PROTOCOL_GGF_H

#include <stdio.h>

#include "engine/options.h"
#include "engine/record.h"

/* Whether the text begins, behind blanks and the number of games that GGS writes, with a game of Othello
 * in this format. */
bool ggf_is(const char *text);

/* Writes a record of Othello on one line. Passes after the end are left out. */
void ggf_print(FILE *, const struct record *);

/* Reads the first game into the record, which becomes one of Othello; stops before move `before`, counted
 * from 1 (INT_MAX: at the end). Refused: false, nothing has changed. */
bool ggf_parse(struct record *, const char *text, int before, char why[REASON_MAX]);

/* The seconds that a side has left of its time behind all moves of the first game; below 0: the game has
 * no clock. */
double ggf_time_left(const char *text, int side);

/* Splits the text of a move: where and, 0 if it is not there, the time it took in seconds. False: it is
 * longer than any move. */
bool ggf_read_move(const char *text, char vertex[MOVE_TEXT_MAX], double *seconds);

/* The other way: a move as this format spells it. */
void ggf_format(const struct state *, struct move, char text[MOVE_TEXT_MAX]);

#endif
