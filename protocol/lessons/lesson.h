/* SPDX-License-Identifier: MIT
 *
 * The explanation of a position or of a move in it, for one session. It takes a search of the position, and if the move is
 * not the best one, a search of the position after it. Both get the time of a move.
 *
 *     run     lesson_begin      starts the first search
 *     finish  lesson_take       takes its report; THINKING: the second search runs
 */
#ifndef PROTOCOL_LESSONS_LESSON_H
#define PROTOCOL_LESSONS_LESSON_H

#include <jansson.h>

#include "engine/base/text.h"
#include "engine/rules/fact.h"
#include "protocol/lessons/loss.h"
#include "protocol/session/command.h"

#define LESSON_LINE_MAX  8
#define LESSON_MOVES_MAX 3 /* candidates that are kept */

struct lesson {
	const struct game *game;
	struct state state; /* the position that is explained; not over */
	bool has_move; /* the lesson is about `move`, else about the position and its best move */
	struct move move;
	struct worth best, played; /* of the position, and after the move */
	struct loss loss;
	int line_count, answer_count;
	struct move line[LESSON_LINE_MAX];   /* the best move and what may follow */
	struct move answer[LESSON_LINE_MAX]; /* what may follow the move */
	int candidate_count;
	struct move candidates[LESSON_MOVES_MAX]; /* the best ones, the best first */
	struct facts position, reasons, faults; /* faults: of the move, if there is a better one */
	bool searches_answer;                   /* the second search runs */
	int told;                               /* steps of the hint that the user has seen */
};

/* Begins a lesson about a position of the session's game: the one before move `index` of the record, 0 .. count. `side`
 * must be able to move there. `move` is legal; NULL: the best one is explained. Returns THINKING, or REFUSED with the
 * reason in the reply. */
enum outcome lesson_begin(struct session *, int index, int side, const struct move *);

/* The same with the text of a move, "" for the best one. */
enum outcome lesson_begin_text(struct session *, int index, int side, const char *move);

/* Takes the report of a search (NULL: it failed). Returns DONE if s->lesson is complete, THINKING, or REFUSED. */
enum outcome lesson_take(struct session *, const struct report *);

/* Returns true if the last lesson is complete and explains the best move of the current position. */
bool lesson_is_current(const struct session *);

/* Writes the lesson in English, in lines that end with a line feed. */
void lesson_print(struct text *, const struct lesson *);

/* The lesson as JSON. The caller frees it. */
json_t *lesson_json(const struct lesson *);

#endif
