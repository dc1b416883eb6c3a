/* SPDX-License-Identifier: MIT */
#include "protocol/replay.h"

#include <inttypes.h>
#include <math.h>

#include "protocol/markup.h"

static void print_number(FILE *f, double x, double precision)
{
	if (isnan(x))
		fputs(",null", f);
	else
		fprintf(f, ",%.10g", round(x * precision) / precision);
}

static void print_changes(FILE *f, const struct game *g, const struct state *before,
			  const struct state *after)
{
	fputs(",\"", f);
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++)
			if (g->at(before, row, col) != g->at(after, row, col))
				fprintf(f, "%d%c", row * g->cols + col, g->at(after, row, col));
	fputs("\"", f);
}

bool replay_print(FILE *f, const struct game *g, const struct match_game *played,
		  const int players[2])
{
	struct state before, state;
	struct move move;
	int row, col;
	g->start(&state);
	fprintf(f,
		"{\"id\":%" PRId64 ",\"black\":%d,\"white\":%d,\"points\":%d,\"end\":\"%s\","
		"\"opening\":%d,\"skip\":%d,\"detail\":",
		played->id, players[BLACK], players[WHITE], played->points, end_names[played->end],
		played->opening, played->opening_moves);
	markup_json(f, played->detail);
	fputs(",\"moves\":[", f);
	for (int i = 0; i < played->count; i++) {
		const struct match_move *m = &played->moves[i];
		if (state.over || game_parse(g, &state, m->text, &move) != MOVE_OK)
			return false;
		before = state;
		game_play(g, &state, move);
		fputs(i ? ",[" : "[", f);
		markup_json(f, m->text);
		print_changes(f, g, &before, &state);
		if (game_stone(g, &before, move, &row, &col))
			fprintf(f, ",\"%c%d\"", 'A' + col, row + 1);
		else
			fputs(",null", f);
		print_number(f, m->seconds, 1e4);
		print_number(f, m->value, 1e3);
		if (m->note) {
			fputs(",", f);
			markup_json(f, m->note);
		}
		fputs("]", f);
	}
	fputs("]}", f);
	return true;
}
