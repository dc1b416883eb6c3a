/* SPDX-License-Identifier: MIT
 *
 * Shared by the tests of game formats: a record that is read and written, and texts that are damaged at
 * random. If a damaged text is accepted, every move of the record must be legal, and the record must be
 * readable again from what is written of it.
 */
#ifndef TESTS_PROTOCOL_MUTATION_H
#define TESTS_PROTOCOL_MUTATION_H

#include <limits.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/rules/record.h"
#include "engine/search/common/options.h"
#include "tests/suite.h"

#define MUTATION_TEXT_MAX 8192

typedef bool mutation_parse(struct record *, const char *text, int before, char why[REASON_MAX]);
typedef void mutation_print(struct text *, const struct record *);

/* The format under test; each suite defines these. */
static mutation_parse *const parse_text;
static mutation_print *const print_text;

static struct record record;

static inline void setup(void)
{
	record_init(&record, &game_tictactoe);
}

static inline void teardown(void)
{
	record_free(&record);
}

static inline bool parse(const char *text, int before)
{
	char why[REASON_MAX] = "";
	bool done = parse_text(&record, text, before, why);
	ck_assert(done || *why);
	return done;
}

/* Returns the text of a record. The caller frees it. */
static inline char *print_of(const struct record *r)
{
	struct text text = { 0 };
	print_text(&text, r);
	return text_take(&text);
}

static inline char *print(void)
{
	return print_of(&record);
}

/* Deletes, duplicates or overwrites a piece of the text, or replaces a character by another one of it. */
static inline void mutation_damage(char text[MUTATION_TEXT_MAX], struct rng *rng)
{
	size_t length = strlen(text), at = rng_below(rng, (uint32_t)length + 1);
	size_t n = 1 + rng_below(rng, 8);
	n = n < length - at ? n : length - at;
	switch (rng_below(rng, 4)) {
	case 0:
		memmove(text + at, text + at + n, length - at - n + 1);
		break;
	case 1:
		if (length + n < MUTATION_TEXT_MAX)
			memmove(text + at + n, text + at, length - at + 1);
		break;
	case 2:
		for (size_t i = 0; i < n; i++)
			text[at + i] = (char)(1 + rng_below(rng, 255));
		break;
	default:
		if (n)
			text[at] = text[rng_below(rng, (uint32_t)length)];
	}
}

static inline void mutation_check(const struct record *r)
{
	char why[REASON_MAX];
	struct record again;
	struct state s = r->start;
	for (int i = 0; i < r->count; i++) {
		struct move m = r->moves[i].move;
		if (record_is_play(&r->moves[i]))
			ck_assert(s.over ? m.step[0] == MOVE_PASS : game_is_legal(r->game, &s, m));
		record_replay(r, i, &s);
	}
	ck_assert(r->game->valid(r->game, &r->now));
	ck_assert_uint_eq(s.hash, r->now.hash);
	char *text = print_of(r);
	record_init(&again, r->game);
	ck_assert_msg(parse_text(&again, text, INT_MAX, why), "%s: %s", why, text);
	ck_assert_ptr_eq(again.game, r->game);
	ck_assert_uint_eq(again.now.hash, r->now.hash);
	record_free(&again);
	free(text);
}

static inline void mutation_test(const char *original, int times, uint64_t seed)
{
	struct rng rng;
	struct record r;
	int read = 0;
	rng_seed(&rng, seed);
	record_init(&r, &game_tictactoe);
	for (int i = 0; i < times; i++) {
		char text[MUTATION_TEXT_MAX], why[REASON_MAX] = "";
		ck_assert_uint_lt(strlen(original), sizeof text);
		strcpy(text, original);
		for (uint32_t n = 1 + rng_below(&rng, 4); n; n--)
			mutation_damage(text, &rng);
		int before = rng_below(&rng, 4) ? INT_MAX : (int)(1 + rng_below(&rng, 4));
		if (parse_text(&r, text, before, why)) {
			mutation_check(&r);
			read++;
		} else {
			ck_assert(*why);
		}
	}
	/* Some texts must be accepted and some refused, or the test proves little. */
	ck_assert_int_gt(read, times / 100);
	ck_assert_int_lt(read, times);
	record_free(&r);
}

#endif
