/* SPDX-License-Identifier: MIT */
#include "engine/base/suggestion.h"

#include <stddef.h>
#include <string.h>

#define LENGTH_MAX 31 /* longer names get no suggestion */

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Returns the edit distance between two names of at most LENGTH_MAX letters. */
static int edits(const char *a, const char *b)
{
	int d[LENGTH_MAX + 1][LENGTH_MAX + 1];
	int rows = (int)strlen(a), columns = (int)strlen(b);
	for (int i = 0; i <= rows; i++) {
		for (int j = 0; j <= columns; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
					d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[rows][columns];
}

void suggestion_begin(struct suggestion *g, const char *word)
{
	/* Most words are similar to a short word, so fewer edits are allowed. */
	size_t length = strlen(word);
	*g = (struct suggestion) { word, NULL, length < 3 ? 1 : length < 6 ? 2 : 3 };
}

void suggestion_consider(struct suggestion *g, const char *name)
{
	size_t length = strlen(g->word);
	if (length > LENGTH_MAX || strlen(name) > LENGTH_MAX)
		return;
	int distance = length > 1 && strncmp(name, g->word, length) == 0 ? 0 : edits(g->word, name);
	if (distance < g->distance) {
		g->best = name;
		g->distance = distance;
	}
}
