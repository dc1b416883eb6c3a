/* SPDX-License-Identifier: MIT
 * Games in GGF, with the moves and clocks of NBoard's dialect.
 */
#include "protocol/records/ggf.h"

#include <math.h>

#include "tests/fuzz/fuzz.h"

static void print_ggf(struct text *out, const struct record *r)
{
	ggf_print(out, r, NULL, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), vertex[MOVE_TEXT_MAX];
	double seconds;
	(void)ggf_is(text);
	fuzz_check_game(text, INT_MAX, ggf_parse, print_ggf);
	fuzz_check_game(text, 3, ggf_parse, print_ggf);
	for (int side = BLACK; side <= WHITE; side++)
		assert(!isnan(ggf_time_left(text, side)));
	if (ggf_read_move(text, vertex, &seconds))
		assert(strlen(vertex) < MOVE_TEXT_MAX && seconds >= 0 && isfinite(seconds));
	free(text);
	return 0;
}
