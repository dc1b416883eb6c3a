/* SPDX-License-Identifier: MIT
 *
 * What people type: other words for commands, and moves in other forms than the game's notation, such as `3d`,
 * `D3.`, `d3, c5`, `f5d6c3`, and columns of Connect Four as `4`. Pure functions, any thread.
 */
#ifndef PROTOCOL_TERMINAL_TYPED_H
#define PROTOCOL_TERMINAL_TYPED_H

#include "engine/rules/record.h"

/* Replaces full-width characters, which Japanese input methods write, by those of ASCII, in place. */
void typed_fold(char *line);

/* Removes the signs around a word, in place: "quit!" becomes "quit", "(d3)" becomes "d3". A word of signs stays. */
void typed_trim(char *word);

/* The same for an argument of a command: one may begin with - / : \. */
void typed_trim_argument(char *word);

/* Returns the length of the part of a word that a message shows. */
size_t typed_cut(const char *word);

/* Writes a word in lower case, in place. */
void typed_lower(char *word);

/* Joins words without blanks and hyphens: "connect", "four". The caller frees the text. */
char *typed_join(char *const *words, int count);

/* Returns the name of the command that a word in lower case means, or NULL. "": the words after it are a move. */
const char *typed_command(const char *word);

/* Returns the name of the command that answers the offer of a kept game: yes or no. NULL for other words. */
const char *typed_answer(const char *word);

/* Returns true if a word can be a number of a column, or several, of a game whose stones fall. */
bool typed_is_columns(const struct game *, const char *word);

/* Joins words to a text of one move or of several, one after the other. The caller frees it. *guessed tells whether
 * squares were read backwards. Returns NULL if a word cannot be part of moves. */
char *typed_moves(const struct record *, char *const *words, int count, bool *guessed);

/* Finds the move that begins such a text. Returns its length, 0 if there is none. *check tells whether it is legal. */
size_t typed_next(const struct record *, const char *text, enum move_check *);

#endif
