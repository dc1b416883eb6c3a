/* SPDX-License-Identifier: MIT
 *
 * A whole session of Gomocup's protocol with searches. All output lines must belong to the protocol, and the position
 * must be one of Gomoku.
 */
#include "protocol/gomocup/gomocup.h"

#include "tests/fuzz/talk.h"

static bool is_move(const char *line)
{
	return *line >= '0' && *line <= '9' && strspn(line, "0123456789, ") == strlen(line);
}

static void check_answers(char *heard)
{
	static const char *const starts[] = { "ERROR ", "UNKNOWN ", "MESSAGE ", "name=" };
	char *line;
	talk_check(heard);
	size_t length = strlen(heard);
	assert(length == 0 || heard[length - 1] == '\n');
	while ((line = strsep(&heard, "\n")) && heard) {
		bool is_known = is_move(line) || strcmp(line, "OK") == 0 ||
				strcmp(line, "SWAP") == 0;
		for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
			is_known |= strncmp(line, starts[i], strlen(starts[i])) == 0;
		assert(is_known);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct talk t;
	char *text = fuzz_text(data, size);
	(void)protocol_gomocup.recognizes(text);
	talk_open(&t, protocols_gomocup);
	check_answers(talk_through(&t, text, size));
	const struct record *r = &t.session->record;
	assert(game_is_variant(r->game, &game_gomoku) && r->game->valid(r->game, &r->now));
	talk_close(&t);
	free(text);
	return 0;
}
