/* SPDX-License-Identifier: MIT */
#include "protocol/records/as_json.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/search/common/algorithm.h"

json_t *as_json_number(double x)
{
	/* The sum turns -0 into 0. */
	return isnan(x) ? json_null() : json_real(x + 0.0);
}

json_t *as_json_proof(uint64_t number)
{
	return number == PROOF_NEVER ? json_null() : json_integer((json_int_t)number);
}

json_t *as_json_move(const struct game *g, const struct state *s, struct move m)
{
	char text[MOVE_TEXT_MAX];
	game_format(g, s, m, text);
	return json_string(text);
}

json_t *as_json_line(const struct game *g, const struct state *start, const struct move *moves,
		     int count)
{
	struct state s = *start;
	json_t *line = json_array();
	for (int i = 0; i < count; i++) {
		json_array_append_new(line, as_json_move(g, &s, moves[i]));
		game_play(g, &s, moves[i]);
	}
	return line;
}

void as_json_print(struct text *out, json_t *value, size_t digits)
{
	/* The value has only numbers and valid UTF-8, so that only memory can be missing. */
	char *text = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(digits)) : NULL;
	if (!text)
		out_of_memory();
	text_puts(out, text);
	text_putc(out, '\n');
	free(text);
	json_decref(value);
}
