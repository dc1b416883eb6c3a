/* SPDX-License-Identifier: MIT */
#include "protocol/teach/collection.h"

#include <stdio.h>
#include <string.h>

#include "engine/embed.h"
#include "protocol/gtp/gtp.h"

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
	for (const char *line = teach_puzzles; *line; line = strchr(line, '\n') + 1)
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

enum outcome collection_take(struct session *s, int number, json_t **puzzle)
{
	int count = collection_count(s->record.game);
	if (!count)
		return refuse(s,
			      "there are no puzzles for this board; another game or size has some");
	if (number < 1 || number > count) {
		fprintf(s->reply, "there are puzzles 1 to %d", count);
		return REFUSED;
	}
	*puzzle = collection_puzzle(s->record.game, number);
	return DONE;
}

const char *collection_state(const struct game *g, const json_t *puzzle, struct state *state)
{
	char squares[POSITION_TEXT_MAX];
	snprintf(squares, sizeof squares, "%s",
		 json_string_value(json_object_get(puzzle, "position")));
	char *side = strchr(squares, ' ');
	*side++ = '\0';
	return game_setup(g, state, squares, side);
}
