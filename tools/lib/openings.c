/* SPDX-License-Identifier: MIT */
#include "tools/lib/openings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/images.h"
#include "engine/rules/record.h"
#include "protocol/records/file.h"
#include "protocol/records/import.h"
#include "protocol/records/sgf.h"
#include "tools/lib/keys.h"
#include "tools/lib/message.h"

#define OPENINGS_BYTES ((size_t)1 << 30)
#define OPENING_TRIES  1000 /* most draws for one opening: a draw that ends the game is repeated */
#define OPENING_SPARE  1000 /* duplicates rejected in total; later ones are kept */

/* Lists the moves of an opening: the legal ones, but a pass only if there is no other move. */
static int openings_list_moves(const struct record *r, struct move out[GAME_MOVES_MAX])
{
	int all = record_moves(r, out), count = 0;
	for (int i = 0; i < all; i++)
		if (out[i].step[0] != r->game->steps.pass)
			out[count++] = out[i];
	return count ? count : all;
}

/* Plays random moves from the start. Returns false if the game ends. */
static bool openings_draw_moves(struct record *r, int count, struct rng *rng, struct opening *o)
{
	struct move moves[GAME_MOVES_MAX];
	record_restart(r, r->game);
	record_set_swap(r, false);
	for (o->count = 0; o->count < count && !r->now.over; o->count++) {
		int n = openings_list_moves(r, moves);
		o->moves[o->count] = moves[rng_below(rng, (uint32_t)n)];
		record_play(r, o->moves[o->count]);
	}
	return !r->now.over;
}

bool opening_draw(struct record *r, int count, struct rng *rng, struct opening *o)
{
	o->moves = xcalloc((size_t)count + 1, sizeof *o->moves);
	for (int tries = 0; tries < OPENING_TRIES; tries++)
		if (openings_draw_moves(r, count, rng, o))
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
	int squares = g->board.rows * g->board.cols;
	game_position(g, s, text);
	strcpy(least, text);
	strcpy(view, text);
	for (int y = 1; y < 8; y++) {
		if (!(images_symmetries(g) >> y & 1))
			continue;
		for (int i = 0; i < squares; i++)
			view[images_mirror_square(g, i, y)] = text[i];
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

/* Copies the first `count` moves of a record. Records may also set up stones, let a side move twice, or repeat a position, which
 * matches do not. A swap of sides leaves the board as it is, and each engine plays both colours anyway. Returns the number of
 * moves that were read: below `count`, the next one is not legal. */
static int copy_moves(struct opening *o, const struct record *r, int count)
{
	struct record played;
	int i;
	record_init(&played, r->game);
	for (i = 0; i < count; i++) {
		struct move m = r->moves[i].move;
		if (m.step[0] == MOVE_SIDES)
			continue;
		if (!record_is_legal(&played, m))
			break;
		record_play(&played, m);
		o->moves[o->count++] = m;
	}
	record_free(&played);
	return i;
}

/* Takes the moves of a record, at most the first `most`; they must then lead to a new position. Returns false with the reason
 * in `why` if it is no opening. */
static bool take_opening(struct openings *all, const struct game *g, const struct record *r,
			 int most, struct keys *met, char why[REASON_MAX])
{
	struct state after;
	int count = most && most < r->count ? most : r->count;
	record_state(r, count, &after);
	*why = '\0';
	if (r->game != g)
		snprintf(why, REASON_MAX, "it is a game of %s %s on %dx%d", r->game->name,
			 r->game->rules, r->game->board.cols, r->game->board.rows);
	else if (!record_begins_normally(r))
		strcpy(why, "it does not start from the initial position");
	else if (after.over)
		strcpy(why, "it has ended; --opening-moves takes its first moves");
	if (*why || (most && !keys_add(met, after.hash)))
		return !*why;
	struct opening o = { .moves = xcalloc((size_t)count + 1, sizeof *o.moves) };
	int read = copy_moves(&o, r, count);
	if (read < count) {
		snprintf(why, REASON_MAX, "move %d is not legal in a match", read + 1);
		free(o.moves);
		return false;
	}
	all->list = xgrow(all->list, (size_t)all->count, sizeof *all->list);
	all->list[all->count++] = o;
	return true;
}

/* Reads the openings of a text; `name` is for the reasons. */
static bool read_openings(struct openings *all, const struct game *g, const char *name,
			  const char *bytes, size_t length, int columns, int most,
			  char why[OPENINGS_REASON_MAX])
{
	const struct import_wish wish = { .game = g, .columns = columns };
	const struct imported *game;
	char reason[REASON_MAX];
	struct import *text = import_open(bytes, length, &wish, reason);
	bool good = text;
	struct record record;
	struct keys met = { 0 };
	record_init(&record, g);
	if (!good)
		snprintf(why, OPENINGS_REASON_MAX, "%s: %s", name, reason);
	else if (*reason)
		message("%s: %s", name, reason);
	while (good && (game = import_next(text))) {
		snprintf(reason, sizeof reason, "%s", game->why);
		good = game->sgf && sgf_parse(&record, game->sgf, INT_MAX, reason) &&
		       take_opening(all, g, &record, most, &met, reason);
		if (!good)
			snprintf(why, OPENINGS_REASON_MAX, "%s: %s: %s", name, game->where, reason);
	}
	record_free(&record);
	keys_free(&met);
	if (text)
		import_close(text);
	return good;
}

bool openings_read(struct openings *all, const struct game *g, const char *path, int columns,
		   int most, char why[OPENINGS_REASON_MAX])
{
	size_t length;
	char reason[REASON_MAX], *bytes = file_read_bytes(path, OPENINGS_BYTES, &length, reason);
	*all = (struct openings) { 0 };
	if (!bytes)
		snprintf(why, OPENINGS_REASON_MAX, "%s", reason);
	bool good = bytes && read_openings(all, g, path, bytes, length, columns, most, why);
	free(bytes);
	return good;
}

bool openings_read_text(struct openings *all, const struct game *g, const char *text, size_t length,
			char why[OPENINGS_REASON_MAX])
{
	char *copy = xstrndup(text, length);
	*all = (struct openings) { 0 };
	bool good = read_openings(all, g, "openings", copy, length, COLUMNS_NO_I, 0, why);
	free(copy);
	return good;
}

void openings_free(struct openings *all)
{
	for (int i = 0; i < all->count; i++)
		free(all->list[i].moves);
	free(all->list);
}
