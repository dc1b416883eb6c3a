/* SPDX-License-Identifier: MIT */
#include "tools/report/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "protocol/records/layout.h"
#include "tools/lib/markup.h"

#define DIGITS_SECONDS 3 /* significant */
#define DIGITS_VALUE   3 /* after the point */

/* What is written of a game. */
struct replay {
	struct text moves, changes, stones;
	json_t *seconds, *values, *notes;
	bool timed, valued; /* a number is known */
};

static void add_number(json_t *list, bool *known, double x, int digits)
{
	double scale = pow(10, digits);
	*known |= !isnan(x);
	json_array_append_new(list, isnan(x) ? json_null() : json_real(round(x * scale) / scale));
}

static void add_changes(struct text *out, const struct game *g, const struct state *before,
			const struct state *after)
{
	for (int row = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++)
			if (g->at(g, before, row, col) != g->at(g, after, row, col))
				text_printf(out, "%d%c", row * g->board.cols + col,
					    g->at(g, after, row, col));
}

static void replay_add_stone(struct text *out, const struct game *g, const struct state *before,
			     struct move move, const char *text)
{
	char square[SQUARE_TEXT_MAX] = "-";
	int row, col;
	if (game_stone(g, before, move, &row, &col))
		square_format(g, row, col, square);
	text_puts(out, strcmp(square, text) == 0 ? "=" : square);
}

/* Adds move `number`, from 1. Returns false if it is illegal. */
static bool replay_add_move(struct replay *r, const struct game *g, struct state *state, int number,
			    const struct match_move *m, json_t *clicks)
{
	struct state before = *state;
	struct move move;
	char text[MOVE_TEXT_MAX];
	if (state->over || game_parse(g, state, m->text, &move) != MOVE_OK)
		return false;
	game_format(g, state, move, text);
	if (!json_object_get(clicks, m->text))
		json_object_set_new(clicks, m->text, layout_clicks(g, text));
	game_play(g, state, move);
	const char *separator = number > 1 ? " " : "";
	text_printf(&r->moves, "%s%s", separator, m->text);
	text_puts(&r->changes, separator);
	add_changes(&r->changes, g, &before, state);
	text_puts(&r->stones, separator);
	replay_add_stone(&r->stones, g, &before, move, m->text);
	int magnitude = m->seconds > 0 ? (int)floor(log10(m->seconds)) : 0;
	add_number(r->seconds, &r->timed, m->seconds, DIGITS_SECONDS - 1 - magnitude);
	add_number(r->values, &r->valued, m->value, DIGITS_VALUE);
	if (m->note) {
		char key[16];
		snprintf(key, sizeof key, "%d", number);
		json_object_set_new(r->notes, key, markup_string(m->note));
	}
	return true;
}

/* Adds a text and frees it. */
static void set_text(json_t *game, const char *key, struct text *text)
{
	char *bytes = text_take(text);
	json_object_set_new(game, key, json_string(bytes));
	free(bytes);
}

/* Adds a list if it says something. Steals the reference. */
static void set_list(json_t *game, const char *key, json_t *list, bool known)
{
	if (known)
		json_object_set(game, key, list);
	json_decref(list);
}

json_t *replay_json(const struct game *g, const struct match_game *played, json_t *clicks)
{
	struct replay r = { .seconds = json_array(),
			    .values = json_array(),
			    .notes = json_object() };
	struct state state;
	bool good = true;
	g->start(g, &state);
	if (g->swap)
		g->swap->allow(g, &state, true);
	for (int i = 0; good && i < played->count; i++)
		good = replay_add_move(&r, g, &state, i + 1, &played->moves[i], clicks);
	json_t *game = json_object();
	set_text(game, "moves", &r.moves);
	set_text(game, "changes", &r.changes);
	set_text(game, "stones", &r.stones);
	set_list(game, "seconds", r.seconds, r.timed);
	set_list(game, "values", r.values, r.valued);
	set_list(game, "notes", r.notes, json_object_size(r.notes) > 0);
	if (good)
		return game;
	json_decref(game);
	return NULL;
}
