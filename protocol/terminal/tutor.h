/* SPDX-License-Identifier: MIT
 *
 * The commands of the terminal that teach: hint, in three steps, why, book, and puzzle.
 */
#ifndef PROTOCOL_TERMINAL_TUTOR_H
#define PROTOCOL_TERMINAL_TUTOR_H

#include "protocol/session/command.h"

/* Helps with the next move. Each call tells more: the kind of move and its part of the board, the squares in question, the
 * move with its reasons. The first call searches. */
enum outcome tutor_hint(struct session *);
enum outcome tutor_finish_hint(struct session *, const struct report *);

/* Explains the last move of the game, or a move that could be made. */
enum outcome tutor_why(struct session *);
enum outcome tutor_finish_why(struct session *, const struct report *);

/* Names the opening and lists the moves that books know. */
enum outcome tutor_book(struct session *);

/* Sets up a puzzle of the game, rule set and board: the numbered one, or any. */
enum outcome tutor_puzzle(struct session *);

#endif
