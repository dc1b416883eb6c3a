/* SPDX-License-Identifier: MIT
 *
 * Lists of the texts of moves, which tests of rules compare with those of a referee.
 */
#ifndef TESTS_GAMES_MOVE_TEXTS_H
#define TESTS_GAMES_MOVE_TEXTS_H

#include <stdlib.h>
#include <string.h>

#include "engine/rules/game.h"

static inline int move_texts_compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Returns true if two lists have the same texts. Sorts both. */
static inline bool move_texts_agree(char (*a)[MOVE_TEXT_MAX], int a_count, char (*b)[MOVE_TEXT_MAX],
				    int b_count)
{
	bool same = a_count == b_count;
	qsort(a, (size_t)a_count, sizeof *a, move_texts_compare);
	qsort(b, (size_t)b_count, sizeof *b, move_texts_compare);
	for (int i = 0; i < a_count && same; i++)
		same = strcmp(a[i], b[i]) == 0;
	return same;
}

#endif
