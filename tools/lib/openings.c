/* SPDX-License-Identifier: MIT */
#include "tools/lib/openings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "engine/record.h"

#define OPENING_TRIES 1000 /* most draws for one opening: a draw that ends the game is repeated */
#define OPENING_SPARE 1000 /* duplicates rejected in total; later ones are kept */

/* Lists the moves of an opening: the legal ones, but a pass only if there is no other move. */
static int list_moves(const struct record *r, struct move out[GAME_MOVES_MAX])
{
	int all = record_moves(r, out), count = 0;
	for (int i = 0; i < all; i++)
		if (out[i].step[0] != r->game->pass)
			out[count++] = out[i];
	return count ? count : all;
}

/* Plays random moves from the start. Returns false if the game ends. */
static bool draw_moves(struct record *r, int count, struct rng *rng, struct opening *o)
{
	struct move moves[GAME_MOVES_MAX];
	record_restart(r, r->game);
	record_set_swap(r, false);
	for (o->count = 0; o->count < count && !r->now.over; o->count++) {
		int n = list_moves(r, moves);
		o->moves[o->count] = moves[rng_below(rng, (uint32_t)n)];
		record_play(r, o->moves[o->count]);
	}
	return !r->now.over;
}

/* Draws an opening. The record then has its moves. Returns false if every draw ended the game. */
static bool draw_opening(struct record *r, int count, struct rng *rng, struct opening *o)
{
	o->moves = xcalloc((size_t)count + 1, sizeof *o->moves);
	for (int tries = 0; tries < OPENING_TRIES; tries++)
		if (draw_moves(r, count, rng, o))
			return true;
	return false;
}

/* Adds a hash to a table. Its size must be a power of two and at least twice the number of entries. Returns
 * false if the hash is there already. 0 marks an empty slot. */
static bool add_hash(uint64_t *table, size_t places, uint64_t hash)
{
	size_t at = hash & (places - 1);
	for (; table[at]; at = (at + 1) & (places - 1))
		if (table[at] == hash)
			return false;
	table[at] = hash;
	return true;
}

bool openings_draw(struct openings *all, const struct game *g, int length, int count, int seed,
		   char why[OPENINGS_REASON_MAX])
{
	size_t places = 2;
	struct rng rng;
	struct record record;
	int spare = OPENING_SPARE;
	bool found = true;
	while (places < 2 * (size_t)count)
		places *= 2;
	uint64_t *hashes = xcalloc(places, sizeof *hashes);
	rng_seed(&rng, (uint64_t)seed);
	record_init(&record, g);
	*all = (struct openings) { .list = xcalloc((size_t)count, sizeof *all->list) };
	while (found && all->count < count) {
		struct opening *o = &all->list[all->count];
		found = draw_opening(&record, length, &rng, o);
		if (!add_hash(hashes, places, record.now.hash) && spare-- > 0)
			free(o->moves);
		else
			all->count++;
	}
	record_free(&record);
	free(hashes);
	if (!found)
		snprintf(why, OPENINGS_REASON_MAX, "games end within openings of %d moves", length);
	return found;
}

/* Parses one move from a text in which blanks between moves are optional. Returns the rest of the text,
 * NULL if no move is found. */
static const char *take_move(const struct record *r, const char *text, struct move *move)
{
	char word[MOVE_TEXT_MAX];
	size_t length = strcspn(text, " \t");
	if (length >= sizeof word)
		length = sizeof word - 1;
	for (; length; length--) {
		snprintf(word, sizeof word, "%.*s", (int)length, text);
		if (record_parse(r, word, move) == MOVE_OK)
			return text + length;
	}
	return NULL;
}

static bool parse_opening(const struct game *g, const char *text, struct opening *o)
{
	struct record record;
	size_t room = strlen(text) + 1;
	bool good = true;
	*o = (struct opening) { .moves = xcalloc(room, sizeof *o->moves) };
	record_init(&record, g);
	for (text += strspn(text, " \t"); good && *text; text += strspn(text, " \t")) {
		const char *rest = record.now.over ? NULL
						   : take_move(&record, text, &o->moves[o->count]);
		good = rest;
		if (good)
			record_play(&record, o->moves[o->count++]);
		text = good ? rest : text;
	}
	good = good && !record.now.over;
	record_free(&record);
	return good;
}

bool openings_read(struct openings *all, const struct game *g, const char *path,
		   char why[OPENINGS_REASON_MAX])
{
	char *line = NULL;
	size_t room = 0;
	bool good = true;
	FILE *f = fopen(path, "re");
	*all = (struct openings) { 0 };
	if (!f) {
		snprintf(why, OPENINGS_REASON_MAX, "%s: %s", path, strerror(errno));
		return false;
	}
	for (int number = 1; good && getline(&line, &room, f) > 0; number++) {
		line[strcspn(line, "\r\n")] = '\0';
		if (*line == '#' || line[strspn(line, " \t")] == '\0')
			continue;
		all->list = xrealloc(all->list, (size_t)(all->count + 1) * sizeof *all->list);
		good = parse_opening(g, line, &all->list[all->count++]);
		if (!good)
			snprintf(why, OPENINGS_REASON_MAX, "%s: line %d: no opening of legal moves",
				 path, number);
	}
	free(line);
	fclose(f);
	if (good && all->count == 0) {
		snprintf(why, OPENINGS_REASON_MAX, "%s: no openings", path);
		good = false;
	}
	return good;
}

void openings_free(struct openings *all)
{
	for (int i = 0; i < all->count; i++)
		free(all->list[i].moves);
	free(all->list);
}
