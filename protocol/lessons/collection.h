/* SPDX-License-Identifier: MIT
 *
 * The puzzles that are linked into the program: lines of `yomi puzzles GAME --json` in protocol/lessons/puzzles.jsonl, in groups
 * of one game, rule set and size of the board.
 */
#ifndef PROTOCOL_LESSONS_COLLECTION_H
#define PROTOCOL_LESSONS_COLLECTION_H

#include <jansson.h>

#include "protocol/session/command.h"

/* The number of puzzles for a game with these rules and this size. */
int collection_count(const struct game *);

/* The boards of a game that have puzzles with its rules: a list of { rows, cols, count }. The caller drops the reference. */
json_t *collection_boards(const struct game *);

/* A puzzle, 1 .. collection_count(), as the object that `yomi puzzles --json` prints. The caller drops the reference. */
json_t *collection_puzzle(const struct game *, int number);

/* Takes a puzzle of the session's game. Returns DONE with a reference for the caller, or REFUSED with the reason. */
enum outcome collection_take(struct session *, int number, json_t **puzzle);

/* Writes the position of a puzzle. Returns NULL, or the reason why the game refuses it. */
const char *collection_state(const struct game *, const json_t *puzzle, struct state *);

#endif
