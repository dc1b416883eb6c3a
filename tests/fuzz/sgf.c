/* SPDX-License-Identifier: MIT
 * Games in SGF.
 */
#include "protocol/records/sgf.h"

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	fuzz_check_game(text, INT_MAX, sgf_parse, sgf_print);
	fuzz_check_game(text, 3, sgf_parse, sgf_print);
	fuzz_check_game(text, INT_MAX, sgf_parse, sgf_print_gogui);
	free(text);
	return 0;
}
