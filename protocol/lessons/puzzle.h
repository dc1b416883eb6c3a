/* SPDX-License-Identifier: MIT
 *
 * Puzzles: positions in which exactly one move keeps a proven win or draw. The result, and that all other moves lose it, is
 * proven by the search that proves positions of the game best (algorithm_prover()).
 */
#ifndef PROTOCOL_LESSONS_PUZZLE_H
#define PROTOCOL_LESSONS_PUZZLE_H

#include "engine/rules/fact.h"
#include "engine/search/algorithms.h"
#include "engine/search/engine.h"
#include "protocol/lessons/mate.h"

#define PUZZLE_LINE_MAX (2 * MATE_MAX)

struct puzzle {
	const struct game *game;
	struct state state;
	bool is_win; /* the only move keeps a win; else a draw */
	int moves; /* own moves until the win, against the longest defence; 0: unknown, or a draw */
	int line_count; /* at least 1: the solution, and what may follow */
	struct move line[PUZZLE_LINE_MAX];
	struct facts facts; /* of the first move */
};

/* Writes the task: "Black to play and win in 3". */
#define PUZZLE_TASK_MAX 40
void puzzle_task(const struct puzzle *, char text[PUZZLE_TASK_MAX]);

enum puzzle_answer {
	PUZZLE_FOUND,
	PUZZLE_NONE, /* proven not to be one, or too easy: a win at once, a threat to stop, two moves */
	PUZZLE_UNKNOWN, /* not proven with this work */
	PUZZLE_FAILED   /* the search failed; the reason is in `why` */
};

/* Finds out with about `nodes` nodes whether a position is a puzzle. Positions before it do not count: where positions must
 * not repeat, a game that begins with the puzzle allows more moves than the one that led to it. */
enum puzzle_answer puzzle_find(struct puzzle *, struct engine *, const struct game *,
			       const struct state *, int64_t nodes, char why[REASON_MAX]);

/* Searches a record for puzzles, from its end on, until positions become too hard. Calls `take` for each puzzle, with the
 * index of the move that the record makes there; it returns false to stop. Returns false with the reason in `why` if a search
 * failed. */
bool puzzle_search(struct engine *, const struct record *, int64_t nodes,
		   bool (*take)(void *arg, const struct puzzle *, int index), void *arg,
		   char why[REASON_MAX]);

/* Plays a game of weak searches against themselves after some random moves, for puzzles. Equal seeds give equal games. */
bool puzzle_play(struct engine *, struct record *, struct rng *, char why[REASON_MAX]);

#endif
