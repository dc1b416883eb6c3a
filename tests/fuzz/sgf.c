/* SPDX-License-Identifier: MIT
 * Games in SGF. The first line of a tree is its main line.
 */
#include "protocol/records/sgf.h"

#include "games/games.h"
#include "tests/fuzz/fuzz.h"

struct tree {
	const char *text;
	int lines;
};

static void take_line(void *arg, const char *line)
{
	struct tree *t = arg;
	struct record of_tree, of_line;
	char why[REASON_MAX];
	if (t->lines++)
		return;
	record_init(&of_tree, games[0]);
	record_init(&of_line, games[0]);
	bool good = sgf_parse(&of_tree, t->text, INT_MAX, why);
	if (good != sgf_parse(&of_line, line, INT_MAX, why) || of_tree.count != of_line.count ||
	    of_tree.game != of_line.game || !state_equal(&of_tree.now, &of_line.now))
		abort();
	record_free(&of_tree);
	record_free(&of_line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	fuzz_check_game(text, INT_MAX, sgf_parse, sgf_print);
	fuzz_check_game(text, 3, sgf_parse, sgf_print);
	fuzz_check_game(text, INT_MAX, sgf_parse, sgf_print_gogui);
	struct tree tree = { .text = text };
	sgf_lines(text, take_line, &tree);
	free(text);
	return 0;
}
