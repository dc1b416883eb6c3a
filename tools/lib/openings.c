/* SPDX-License-Identifier: MIT */
#include "tools/lib/openings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "engine/record.h"
#include "protocol/gtp/utf8.h"
#include "tools/lib/keys.h"

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

bool opening_draw(struct record *r, int count, struct rng *rng, struct opening *o)
{
	o->moves = xcalloc((size_t)count + 1, sizeof *o->moves);
	for (int tries = 0; tries < OPENING_TRIES; tries++)
		if (draw_moves(r, count, rng, o))
			return true;
	return false;
}

bool openings_draw(struct openings *all, const struct game *g, int length, int count, int seed,
		   char why[OPENINGS_REASON_MAX])
{
	struct keys drawn = { 0 };
	struct rng rng;
	struct record record;
	int spare = OPENING_SPARE;
	bool found = true;
	rng_seed(&rng, (uint64_t)seed);
	record_init(&record, g);
	*all = (struct openings) { .list = xcalloc((size_t)count, sizeof *all->list) };
	while (found && all->count < count) {
		struct opening *o = &all->list[all->count];
		found = opening_draw(&record, length, &rng, o);
		if (!keys_add(&drawn, record.now.hash) && spare-- > 0)
			free(o->moves);
		else
			all->count++;
	}
	record_free(&record);
	keys_free(&drawn);
	if (!found)
		snprintf(why, OPENINGS_REASON_MAX, "games end within openings of %d moves", length);
	return found;
}

uint64_t opening_key(const struct game *g, const struct state *s)
{
	char text[POSITION_TEXT_MAX], view[POSITION_TEXT_MAX], least[POSITION_TEXT_MAX];
	int squares = g->rows * g->cols;
	game_position(g, s, text);
	strcpy(least, text);
	strcpy(view, text);
	for (int y = 1; y < 8; y++) {
		if (!(g->symmetries >> y & 1))
			continue;
		for (int i = 0; i < squares; i++)
			view[game_mirror_square(g, i, y)] = text[i];
		if (strcmp(view, least) < 0)
			strcpy(least, view);
	}
	return keys_hash(least, strlen(least));
}

char *opening_text(const struct game *g, const struct opening *o)
{
	char *text = xcalloc((size_t)o->count + 1, MOVE_TEXT_MAX + 1), *end = text;
	struct state s;
	g->start(g, &s);
	for (int i = 0; i < o->count; i++) {
		if (i)
			*end++ = ' ';
		game_format(g, &s, o->moves[i], end);
		end += strlen(end);
		game_play(g, &s, o->moves[i]);
	}
	return text;
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
	struct move move;
	bool good = true;
	record_init(&record, g);
	for (text += strspn(text, " \t"); good && *text; text += strspn(text, " \t")) {
		const char *rest = record.now.over ? NULL : take_move(&record, text, &move);
		good = rest;
		if (good)
			record_play(&record, move);
		text = good ? rest : text;
	}
	good = good && !record.now.over;
	/* With the forced passes that the text may leave out. */
	*o = (struct opening) {
		.moves = xcalloc((size_t)record.count + 1, sizeof *o->moves),
		.count = record.count,
	};
	for (int i = 0; i < record.count; i++)
		o->moves[i] = record.moves[i].move;
	record_free(&record);
	return good;
}

/* Cuts the end off a line of `length` bytes. Returns false if a zero byte or a carriage return is within it: what follows would be
 * lost. */
static bool cut_end(char *line, size_t length)
{
	size_t end = strcspn(line, "\r\n");
	bool good = end + strspn(line + end, "\r\n") == length;
	line[end] = '\0';
	return good;
}

/* Reads the openings of a stream; `name` is for the reasons. */
static bool read_openings(struct openings *all, const struct game *g, FILE *f, const char *name,
			  char why[OPENINGS_REASON_MAX])
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	bool good = true;
	for (int number = 1; good && (length = getline(&line, &room, f)) > 0; number++) {
		bool whole = cut_end(line, (size_t)length);
		char *moves = line + (number == 1 ? utf8_mark(line, (size_t)length) : 0);
		if (whole && (*moves == '#' || moves[strspn(moves, " \t")] == '\0'))
			continue;
		all->list = xrealloc(all->list, (size_t)(all->count + 1) * sizeof *all->list);
		good = parse_opening(g, moves, &all->list[all->count++]) && whole;
		if (!good)
			snprintf(why, OPENINGS_REASON_MAX, "%s: line %d: no opening of legal moves",
				 name, number);
	}
	free(line);
	if (good && ferror(f)) {
		snprintf(why, OPENINGS_REASON_MAX, "%s: %s", name, strerror(errno));
		good = false;
	}
	if (good && all->count == 0) {
		snprintf(why, OPENINGS_REASON_MAX, "%s: no openings", name);
		good = false;
	}
	return good;
}

bool openings_read(struct openings *all, const struct game *g, const char *path,
		   char why[OPENINGS_REASON_MAX])
{
	FILE *f = fopen(path, "re");
	*all = (struct openings) { 0 };
	if (!f) {
		snprintf(why, OPENINGS_REASON_MAX, "%s: %s", path, strerror(errno));
		return false;
	}
	bool good = read_openings(all, g, f, path, why);
	fclose(f);
	return good;
}

bool openings_read_text(struct openings *all, const struct game *g, const char *text, size_t length,
			char why[OPENINGS_REASON_MAX])
{
	char *copy = xstrndup(text, length);
	FILE *f = fmemopen(copy, length, "r");
	*all = (struct openings) { 0 };
	if (!f)
		out_of_memory();
	bool good = read_openings(all, g, f, "openings", why);
	fclose(f);
	free(copy);
	return good;
}

void openings_free(struct openings *all)
{
	for (int i = 0; i < all->count; i++)
		free(all->list[i].moves);
	free(all->list);
}
