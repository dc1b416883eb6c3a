/* SPDX-License-Identifier: MIT */
#include "engine/rules/opening_name.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "engine/rules/book.h"
#include "engine/rules/words.h"

#define MOVE_CHARACTERS 2

/* Copies a field up to the next tab or line feed and returns what follows it. */
static const char *take_field(const char *text, char field[OPENING_NAME_MAX])
{
	int length = (int)strcspn(text, "\t\n");
	snprintf(field, OPENING_NAME_MAX, "%.*s", length, text);
	return text + length;
}

const char *opening_name_read(const struct game *g, const char *text, struct opening_name *name,
			      struct state *end)
{
	while (*text == '#')
		text += strcspn(text, "\n") + 1;
	if (!*text)
		return NULL;
	*name = (struct opening_name) { .moves = 0 };
	for (g->start(g, end); *text != '\t'; text += MOVE_CHARACTERS, name->moves++) {
		char word[] = { text[0], text[1], '\0' };
		struct move move;
		enum move_check check = game_parse(g, end, word, &move);
		assert(check == MOVE_OK); /* tests read every line */
		if (check == MOVE_OK)
			game_play(g, end, move);
	}
	text = take_field(text + 1, name->english);
	if (*text == '\t')
		text = take_field(text + 1, name->japanese);
	return text + (*text == '\n');
}

bool opening_name_find(const struct record *r, int count, struct opening_name *name)
{
	const struct game *g = r->game;
	struct book_entry keys[OPENING_MOVES_MAX + 1];
	struct state state = r->start, end;
	struct opening_name read;
	int symmetry, length = 0;
	name->moves = -1;
	if (!g->words->openings)
		return false;
	for (int i = 0; i <= count && i <= OPENING_MOVES_MAX; i++) {
		keys[length++] = book_key(g, &state, &symmetry);
		if (i < r->count)
			record_replay(r, i, &state);
	}
	for (const char *text = g->words->openings;
	     (text = opening_name_read(g, text, &read, &end));) {
		struct book_entry key = book_key(g, &end, &symmetry);
		for (int i = length - 1; i > name->moves; i--) {
			if (book_compare(&keys[i], &key) != 0)
				continue;
			*name = read;
			name->moves = i;
		}
	}
	return name->moves >= 0;
}
