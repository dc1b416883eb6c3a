/* SPDX-License-Identifier: MIT */
#include "protocol/lessons/collection.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/embed.h"
#include "protocol/gtp/gtp.h"

EMBED(lessons_puzzles, "protocol/lessons/puzzles.jsonl");

#define HEAD_MAX 128

/* Finds the line of a puzzle, and counts the game's puzzles up to it. Lines begin with the members that tell the game. */
static const char *collection_find(const struct game *g, int number, int *count)
{
	char head[HEAD_MAX];
	int n = snprintf(head, sizeof head,
			 "{\"game\":\"%s\",\"rules\":\"%s\",\"rows\":%d,\"cols\":%d,", g->name,
			 g->rules, g->board.rows, g->board.cols);
	*count = 0;
	for (const char *line = lessons_puzzles; *line; line = strchr(line, '\n') + 1)
		if (strncmp(line, head, (size_t)n) == 0 && ++*count == number)
			return line;
	return NULL;
}

int collection_count(const struct game *g)
{
	int count;
	collection_find(g, 0, &count);
	return count;
}

/* Adds a board if it has puzzles. */
static void add_board(json_t *boards, const struct game *g)
{
	int count = collection_count(g);
	if (count)
		json_array_append_new(boards, json_pack("{s:i,s:i,s:i}", "rows", g->board.rows,
							"cols", g->board.cols, "count", count));
}

json_t *collection_boards(const struct game *g)
{
	json_t *boards = json_array();
	if (!g->sizes)
		add_board(boards, g);
	for (const struct game *const *size = g->sizes; size && *size; size++)
		add_board(boards, *size);
	return boards;
}

json_t *collection_puzzle(const struct game *g, int number)
{
	int count;
	const char *line = collection_find(g, number, &count);
	return json_loadb(line, strcspn(line, "\n"), 0, NULL);
}

/* Refuses, and names the sizes of the game that have puzzles, as boardsize reads them. */
static enum outcome refuse_board(struct session *s)
{
	const struct game *const *sizes = s->record.game->sizes;
	const char *between = "there are no puzzles for this board; boardsize chooses another:";
	for (; sizes && *sizes; sizes++)
		if (collection_count(*sizes)) {
			char size[GTP_SIZE_MAX];
			gtp_size(*sizes, size);
			text_printf(s->reply, "%s %s", between, size);
			between = ",";
		}
	return *between == ',' ? REFUSED
			       : refuse(s, "there are no puzzles for this game and its rules");
}

enum outcome collection_take(struct session *s, int number, json_t **puzzle)
{
	int count = collection_count(s->record.game);
	if (!count)
		return refuse_board(s);
	if (number < 1 || number > count) {
		text_printf(s->reply, "there are puzzles 1 to %d", count);
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
