/* SPDX-License-Identifier: MIT */
#include "tools/report/replay.h"

#include <math.h>
#include <stdlib.h>

#include "engine/memory.h"
#include "engine/square.h"
#include "protocol/records/layout.h"
#include "tools/lib/markup.h"

static json_t *json_number(double x, double precision)
{
	return isnan(x) ? json_null() : json_real(round(x * precision) / precision);
}

static json_t *json_changes(const struct game *g, const struct state *before,
			    const struct state *after)
{
	char *text;
	size_t length;
	FILE *f = text_open(&text, &length);
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++)
			if (g->at(before, row, col) != g->at(after, row, col))
				fprintf(f, "%d%c", row * g->cols + col, g->at(after, row, col));
	fclose(f);
	json_t *changes = json_string(text);
	free(text);
	return changes;
}

/* A move between two states as JSON. */
static json_t *json_move(const struct game *g, const struct match_move *m, struct move move,
			 const struct state *before, const struct state *after)
{
	char square[SQUARE_TEXT_MAX];
	int row, col;
	bool has_stone = game_stone(g, before, move, &row, &col);
	if (has_stone)
		square_format(g, row, col, square);
	json_t *list = json_pack("[o,o,o,o,o]", markup_string(m->text),
				 json_changes(g, before, after),
				 has_stone ? json_string(square) : json_null(),
				 json_number(m->seconds, 1e4), json_number(m->value, 1e3));
	if (m->note)
		json_array_append_new(list, markup_string(m->note));
	return list;
}

bool replay_print(FILE *f, const struct game *g, const struct match_game *played,
		  const int players[2])
{
	struct state before, state;
	struct move move;
	char text[MOVE_TEXT_MAX];
	json_t *moves = json_array(), *clicks = json_object();
	bool good = true;
	g->start(g, &state);
	if (g->set_swap)
		g->set_swap(&state, true);
	for (int i = 0; good && i < played->count; i++) {
		const struct match_move *m = &played->moves[i];
		good = !state.over && game_parse(g, &state, m->text, &move) == MOVE_OK;
		if (good) {
			game_format(g, &state, move, text);
			json_object_set_new(clicks, m->text, layout_clicks(g, text));
			before = state;
			game_play(g, &state, move);
			json_array_append_new(moves, json_move(g, m, move, &before, &state));
		}
	}
	json_t *game = json_pack(
		"{s:I,s:i,s:i,s:i,s:s,s:i,s:i,s:o,s:o,s:o}", "id", (json_int_t)played->id, "black",
		players[BLACK], "white", players[WHITE], "points", played->points, "end",
		end_names[played->end], "opening", played->opening, "skip", played->opening_moves,
		"detail", markup_string(played->detail), "moves", moves, "clicks", clicks);
	if (good)
		markup_json(f, game);
	else
		json_decref(game);
	return good;
}
