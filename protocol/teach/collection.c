/* SPDX-License-Identifier: MIT */
#include "protocol/teach/collection.h"

#include <stdio.h>
#include <string.h>

#include "engine/embed.h"
#include "engine/game.h"

EMBED(teach_puzzles, "protocol/teach/puzzles.jsonl");

#define HEAD_MAX 128

/* Finds the line of a puzzle, and counts the game's puzzles up to it. Lines begin with the members that tell the game. */
static const char *find(const struct game *g, int number, int *count)
{
	char head[HEAD_MAX];
	int n = snprintf(head, sizeof head,
			 "{\"game\":\"%s\",\"rules\":\"%s\",\"rows\":%d,\"cols\":%d,", g->name,
			 g->rules, g->rows, g->cols);
	*count = 0;
	for (const char *line = teach_puzzles; line < teach_puzzles_end;
	     line = strchr(line, '\n') + 1)
		if (strncmp(line, head, (size_t)n) == 0 && ++*count == number)
			return line;
	return NULL;
}

int collection_count(const struct game *g)
{
	int count;
	find(g, 0, &count);
	return count;
}

json_t *collection_puzzle(const struct game *g, int number)
{
	int count;
	const char *line = find(g, number, &count);
	return json_loadb(line, strcspn(line, "\n"), 0, NULL);
}
