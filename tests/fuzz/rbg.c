/* SPDX-License-Identifier: MIT
 * Rules of games in the language Regular Boardgames.
 */
#include "games/rbg/rbg_rules.h"

#include "tests/fuzz/fuzz.h"
#include "tests/games/rbg/valid_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text error = { 0 };
	char *text = fuzz_text(data, size);
	struct rbg_rules *rules = rbg_read("input", text, size, &error);
	assert(rules ? !error.bytes : error.length > 0);
	assert(!rules || !valid_rules_fault(rules));
	for (int i = 0; rules && i < rules->term_count && i < 100; i++) {
		text_clear(&error);
		rbg_explain(rules, rules->terms[i].place, &error, "term %d", i);
		assert(error.length > 0);
	}
	rbg_rules_free(rules);
	text_free(&error);
	free(text);
	return 0;
}
