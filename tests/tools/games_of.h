/* SPDX-License-Identifier: MIT
 *
 * Matches for tests: their files, and games of Tic-tac-toe from short texts.
 */
#ifndef TESTS_TOOLS_GAMES_OF_H
#define TESTS_TOOLS_GAMES_OF_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/folder.h"
#include "tools/match/database.h"

static char why[DATABASE_REASON_MAX];

/* Returns the content of a file. The caller frees it. */
static inline char *text_of_file(const char *path)
{
	FILE *f = fopen(path, "re");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
	size_t size = (size_t)ftell(f);
	char *text = calloc(size + 1, 1);
	rewind(f);
	ck_assert_uint_eq(fread(text, 1, size, f), size);
	fclose(f);
	return text;
}

static inline void write_file(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static inline int engine(struct database *db, const char *name)
{
	struct match_engine e = { name, "", "" };
	int number = database_add_engine(db, &e, why);
	ck_assert_msg(number >= 0, "%s", why);
	return number;
}

static inline int match_of(struct database *db, const char *game, const char *terms, bool paired)
{
	struct match match = { .game = game_find(game, NULL), .terms = terms, .paired = paired };
	int number = database_add_match(db, &match, why);
	ck_assert_msg(number >= 0, "%s", why);
	return number;
}

#define TEXT_MOVES_MAX 64

/* Adds a game whose moves are separated by blanks. A move may have its expected value and its seconds after
 * slashes: `B2/0.5/1.25`. The other members come from `g`. */
static inline void add_text_game(struct database *db, int match, struct match_game g,
				 const char *text)
{
	static struct match_move moves[TEXT_MOVES_MAX];
	char copy[1024], *rest = copy, *word;
	snprintf(copy, sizeof copy, "%s", text);
	for (g.count = 0; (word = strsep(&rest, " "));) {
		ck_assert_int_lt(g.count, TEXT_MOVES_MAX);
		struct match_move *move = &moves[g.count++];
		const char *name = strsep(&word, "/"), *value = strsep(&word, "/");
		*move = (struct match_move) {
			.value = value && *value ? atof(value) : NAN,
			.seconds = word ? atof(word) : NAN,
		};
		snprintf(move->text, sizeof move->text, "%s", name);
	}
	g.moves = moves;
	if (!g.detail)
		g.detail = "";
	ck_assert_msg(database_add_game(db, match, &g, why), "%s", why);
}

#endif
