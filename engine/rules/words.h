/* SPDX-License-Identifier: MIT
 *
 * What people read about a game and see on its board.
 */
#ifndef ENGINE_RULES_WORDS_H
#define ENGINE_RULES_WORDS_H

#include "engine/rules/game.h"

struct facts;

#define WORDS_GUIDE_LINE 79 /* most characters of a line of the guide */

struct words {
	/* How to play: rules, end, notation. Plain ASCII lines of at most WORDS_GUIDE_LINE characters, each with its line
	 * feed. Required. */
	const char *guide;
	/* Adds facts about a legal move, or for move_none() about the position (engine/rules/fact.h). The state must be
	 * neither over nor pending. Every fact must be true by the rules. NULL: only threats and results have words. */
	void (*facts)(const struct game *, const struct state *, struct move, struct facts *);
	/* Says why the rules forbid a side a stone on an empty square, as "Black may not make two fours". Returns NULL if
	 * they do not. The state is neither over nor pending; the step is row*cols+col. NULL: there is no such rule. */
	const char *(*ban)(const struct game *, const struct state *, move_t step);
	/* The names of openings (engine/rules/opening_name.h). The game needs `stones`, and text moves of two characters.
	 * NULL: no opening has a name. */
	const char *openings;
};

/* Says why the rules forbid the side to move a stone on the empty square that the text names (`ban`), or
 * returns NULL. */
const char *words_ban(const struct game *, const struct state *, const char *text);

/* The same for a square, row*cols+col, which may have a stone: then nothing but that forbids it. */
const char *words_ban_square(const struct game *, const struct state *, int square);

#endif
