/* SPDX-License-Identifier: MIT
 *
 * Shared by the fuzz targets. A target is one file of this folder: a function that takes any bytes as input
 * from outside and asserts what must hold for every input. libFuzzer searches for inputs that break an
 * assertion (`make fuzz`); replay.c runs the inputs stored in corpus/ (`make check`).
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/rules/record.h"
#include "engine/search/common/options.h"
#include "games/games.h"

/* The target. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copies the input into a block of exactly its size and a NUL, so that a sanitizer finds reads after its end.
 * The caller frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	static bool ready;
	if (!ready)
		games_init();
	ready = true;
	char *text = xmalloc(size + 1);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* Checks that every move of a record is legal, and that the moves lead to its current position. */
static inline void fuzz_check_record(const struct record *r)
{
	struct state s = r->start;
	assert(r->game->valid(r->game, &s));
	for (int i = 0; i < r->count; i++) {
		struct move m = r->moves[i].move;
		if (record_is_play(&r->moves[i])) {
			assert(s.over ? m.step[0] == MOVE_PASS : game_is_legal(r->game, &s, m));
			assert(s.over || r->moves[i].side == s.side);
		}
		record_replay(r, i, &s);
	}
	assert(r->game->valid(r->game, &r->now));
	assert(s.hash == r->now.hash && s.over == r->now.over && s.score == r->now.score);
}

/* Functions of a game format. */
typedef bool fuzz_parse(struct record *, const char *text, int before, char why[REASON_MAX]);
typedef void fuzz_print(struct text *, const struct record *);

static inline char *fuzz_printed(fuzz_print print, const struct record *r)
{
	struct text text = { 0 };
	print(&text, r);
	return text_take(&text);
}

/* The moves of a record without implied passes. */
static inline int fuzz_moves(const struct record *r)
{
	int n = 0;
	for (int i = 0; i < r->count; i++)
		n += !r->moves[i].implied;
	return n;
}

/* Reads the text. A refusal has a reason and changes nothing. A game that is read is legal; its printed form
 * is read as the same game and printed the same way. */
static inline void fuzz_check_game(const char *text, int before, fuzz_parse parse, fuzz_print print)
{
	struct record r;
	char why[REASON_MAX] = "";
	record_init(&r, &game_tictactoe);
	enum move_check check = record_play_text(&r, BLACK, "b2");
	assert(check == MOVE_OK);
	if (!parse(&r, text, before, why)) {
		assert(*why && strlen(why) < REASON_MAX);
		assert(r.game == &game_tictactoe && r.count == 1);
		fuzz_check_record(&r);
	} else {
		fuzz_check_record(&r);
		assert(fuzz_moves(&r) < before);
		const struct game *g = r.game;
		struct state now = r.now;
		char *printed = fuzz_printed(print, &r);
		bool read = parse(&r, printed, INT_MAX, why);
		assert(read && r.game == g && r.now.hash == now.hash);
		char *again = fuzz_printed(print, &r);
		assert(strcmp(printed, again) == 0);
		free(printed);
		free(again);
	}
	record_free(&r);
}

#endif
