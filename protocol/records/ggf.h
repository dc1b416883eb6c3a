/* SPDX-License-Identifier: MIT
 *
 * Othello records in the Generic Game Format of NBoard and the game server GGS:
 *
 *     (;GM[Othello]PC[place]PB[black]PW[white]RE[+4.00]TI[15:00]TY[8]BO[8 64 squares *]
 *     B[F5/eval/seconds]W[F6//1.2]B[PA];)
 *
 * TY is the number of rows, with an `a` behind it if the player with fewer discs wins. BO has the squares row by
 * row from the top left (`*` black, `O` white, `-` empty), then the side to move. BO is written also for the
 * normal start. A move has its vertex, evaluation and time in seconds, separated by `/`; the latter two may be
 * empty or missing. RE is Black's margin or `?`. The format has no escapes and no variations.
 *
 * Pure functions of text, any thread.
 */
#ifndef PROTOCOL_RECORDS_GGF_H
#define PROTOCOL_RECORDS_GGF_H

#include "engine/base/text.h"
#include "engine/rules/record.h"
#include "engine/search/common/options.h"
#include "protocol/records/sgf.h"

/* Returns true if the text begins with an Othello game in this format. Blanks, and the number of games as
 * GGS writes it, may come first. */
bool ggf_is(const char *text);

/* Returns true if the format has games of this kind: Othello with any rules, on any board. */
bool ggf_has(const struct game *);

/* Writes an Othello record on one line, without passes after the end of the game, with what properties of SGF say: players,
 * ranks, place, date, and the result of a game that is not over. */
void ggf_print(struct text *, const struct record *, const struct sgf_property *, int count);

/* Reads the first game into the record, whose game becomes Othello, with the rules and the board that the text has.
 * Stops before move `before`, counted from 1 (INT_MAX: reads all moves). If it returns false, `why` has the reason and
 * nothing has changed. */
bool ggf_parse(struct record *, const char *text, int before, char why[REASON_MAX]);

/* Writes the record that was read from a text as SGF, with players, ratings, place, date, result and comments, and
 * times and evaluations of moves. */
void ggf_convert(struct text *, const char *text, const struct record *);

/* Returns the seconds that a side has left after all moves of the first game. Negative: no clock. */
double ggf_time_left(const char *text, int side);

/* Splits the text of a move into vertex and time in seconds (0 if missing). Returns false if the text is
 * longer than any move. */
bool ggf_read_move(const char *text, char vertex[MOVE_TEXT_MAX], double *seconds);

/* Writes a move in the notation of this format. */
void ggf_format(const struct game *, const struct state *, struct move, char text[MOVE_TEXT_MAX]);

#endif
