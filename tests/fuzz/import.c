/* SPDX-License-Identifier: MIT
 * Texts in any format of records, also with NULs. What is read as SGF of another format is a legal game.
 */
#include "protocol/records/import.h"

#include "protocol/records/sgf.h"
#include "tests/fuzz/fuzz.h"

#define GAMES_MAX 4

static void read_games(const char *text, size_t size, const struct import_wish *wish)
{
	char why[REASON_MAX];
	const struct imported *game;
	struct import *file = import_open(text, size, wish, why);
	if (!file) {
		assert(*why);
		return;
	}
	for (int i = 0; i < GAMES_MAX && (game = import_next(file)); i++) {
		struct record record;
		assert(!game->sgf == !!*game->why);
		record_init(&record, &game_othello);
		if (game->sgf && strcmp(import_format(file), "SGF") != 0 &&
		    !sgf_parse(&record, game->sgf, INT_MAX, why)) {
			fprintf(stderr, "%s: %s\n", why, game->sgf);
			abort();
		}
		record_free(&record);
	}
	import_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), why[REASON_MAX];
	enum { WISHES = 4 };
	static const struct game *const wishes[WISHES] = { NULL, &game_othello, &game_gomoku,
							   &game_go };
	for (size_t i = 0; i < WISHES; i++)
		read_games(text, size, &(struct import_wish) { .game = wishes[i] });
	read_games(text, size, &(struct import_wish) { .game = &game_gomoku, .before = 3 });
	struct record record;
	record_init(&record, &game_connectfour);
	(void)import_moves(&record, text, why);
	record_free(&record);
	free(text);
	return 0;
}
