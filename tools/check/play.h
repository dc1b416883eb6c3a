/* SPDX-License-Identifier: MIT
 *
 * Games that the checks play with the engine: random moves by our rules, and moves sent to and asked of the
 * engine. Functions that fail store the failure in the target.
 */
#ifndef TOOLS_CHECK_PLAY_H
#define TOOLS_CHECK_PLAY_H

#include "tools/check/target.h"

extern const char *const play_colors[]; /* as GTP commands name them */

bool play_must_pass(const struct record *);
bool play_is_over(const struct record *);

/* Searches random games for the shortest sequence of moves to a wanted position. Returns false if none is
 * found. Always initialises the record. */
bool play_find_record(struct record *best, const struct game *g,
		      bool (*is_wanted)(const struct record *));

/* Sends move `index` of a record. A forced pass may be refused: that has a check of its own. */
bool play_tell_move(struct target *, const struct record *, int index);

/* Sends clear_board and all moves of a record. */
bool play_tell_moves(struct target *, const struct record *);

/* Asks for a move. With a record, the move must be legal and is played there. Sets *resigned if the engine
 * resigns. */
bool play_ask_move(struct target *, struct record *, const char *command, bool *resigned);
bool play_ask_any_move(struct target *, struct record *, const char *command);

/* Initialises and returns a record if the rules are known, else returns NULL. play_end() frees it. */
struct record *play_begin(const struct target *, struct record *);
void play_end(struct record *);

#endif
