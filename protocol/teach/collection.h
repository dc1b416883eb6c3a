/* SPDX-License-Identifier: MIT
 *
 * The puzzles that are linked into the program: lines of `yomi puzzles GAME --json` in protocol/teach/puzzles.jsonl, in groups
 * of one game, rule set and size of the board.
 */
#ifndef PROTOCOL_TEACH_COLLECTION_H
#define PROTOCOL_TEACH_COLLECTION_H

#include <jansson.h>

struct game;

/* The number of puzzles for a game with these rules and this size. */
int collection_count(const struct game *);

/* A puzzle, 1 .. collection_count(), as the object that `yomi puzzles --json` prints. The caller drops the reference. */
json_t *collection_puzzle(const struct game *, int number);

#endif
