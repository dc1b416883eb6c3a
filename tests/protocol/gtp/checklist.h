/* SPDX-License-Identifier: MIT
 *
 * The checklist: what clients of all kinds demand of any engine, in each game. The tests talk to the program from
 * outside, as clients do. A game without a row in `settings` has a plain one, made of its first legal moves.
 *
 * Searches are limited by work. Where time is tested, the engine's own budget is weeks, so that only the tested
 * event ends the search; the test checks that it ends.
 */
#ifndef TESTS_PROTOCOL_GTP_CHECKLIST_H
#define TESTS_PROTOCOL_GTP_CHECKLIST_H

#include <ctype.h>

#include "tests/protocol/talk.h"

#define QUICK        " --threads 1 --seed 1 --memory 8 --playouts 60"
#define ENDLESS      " --threads 1 --seed 1 --memory 8 --search montecarlo --book 0 --time 1000000"

#define SETTINGS_MAX 128

/* What depends on the game. In scripts `$` and a character stand for it; see expand(). */
static struct setting {
	const char *name, *title, *size;
	const char *moves[4]; /* legal ones from the start, Black's first */
	const char *occupied; /* illegal for White behind the first of them */
	const char *illegal;  /* for Black at the start; NULL: nothing well-formed is */
	const char *malformed[16];
} settings[SETTINGS_MAX] = {
	{
		"othello",
		"Othello",
		"8",
		{ "D3", "C3", "F5", "D2" },
		"D3",
		"A1",
		{ "z99", "a0", "3d", "d", "d3x", "a-1", "d99999999999999999999", "a1.5", "@1", "i1",
		  "a9", "d3d4", "\xc3\xa9", "" },
	},
	{
		"tictactoe",
		"Tictactoe",
		"3",
		{ "B2", "A1", "C3", "A3" },
		"B2",
		NULL,
		{ "z99", "a0", "3d", "d", "d3x", "a-1", "a99999999999999999999", "a1.5", "@1", "i1",
		  "d1", "a4", "b2x", "\xc3\xa9", "" },
	},
	{
		"pentago",
		"Pentago",
		"6",
		{ "C3T", "D4W", "B2S", "E5Z" },
		"A3S", /* the turn has moved it there */
		NULL,
		{ "z99", "a0", "3d", "d", "d3a", "d3xx", "a-1", "d99999999999999999999s", "a1.5",
		  "@1", "i1s", "a7s", "g1s", "\xc3\xa9", "" },
	},
	{
		"connectfour",
		"Connectfour",
		"7",
		{ "D1", "D2", "C1", "E1" },
		"D1",
		NULL,
		{ "z99", "a0", "3d", "x", "d3x", "a-1", "d99999999999999999999", "a1.5", "@1", "h1",
		  "a7", "dd", "x7", "\xc3\xa9", "" },
	},
	{
		"gomoku",
		"Gomoku",
		"15",
		{ "H8", "J9", "G7", "P15" },
		"H8",
		NULL,
		{ "z99", "a0", "3d", "d", "d3x", "a-1", "a99999999999999999999", "a1.5", "@1", "i1",
		  "q1", "a16", "h8h9", "\xc3\xa9", "" },
	},
	{
		"breakthrough",
		"Breakthrough",
		"8",
		{ "D2D3", "D7D6", "E2F3", "C7B6" },
		"D3D4",
		"A7A6",
		{ "z99", "a0", "3d", "d2", "d2d3x", "a-1", "d2d99999999999999999999", "a1.5", "@1",
		  "i1i2", "a9a8", "d2--d3", "d2d3d4", "\xc3\xa9", "" },
	},
	{
		"knightthrough",
		"Knightthrough",
		"8",
		{ "B2C4", "B7C5", "D1E3", "D8C6" },
		"C4D6",
		"A7B5",
		{ "z99", "a0", "3d", "b2", "b2c4x", "a-1", "b2c99999999999999999999", "a1.5", "@1",
		  "i1h3", "a9b7", "b2--c4", "b2c4d6", "\xc3\xa9", "" },
	},
	{
		"loa",
		"LOA",
		"8",
		{ "B1B3", "A2C2", "C1E3", "H3F5" },
		"B3B4",
		"A2C2",
		{ "z99", "a0", "3d", "b1", "b1b3x", "a-1", "b1b99999999999999999999", "a1.5", "@1",
		  "i1h3", "a9b7", "b1--b3", "b1b3d5", "\xc3\xa9", "" },
	},
	{
		"dots",
		"Dots",
		"11", /* `boardsize` takes the number of boxes, too */
		{ "B1", "D1", "A4", "K4" },
		"B1",
		NULL,
		{ "z99", "a0", "3d", "d", "b1x", "a-1", "b99999999999999999999", "a1.5", "@1", "a1",
		  "b2", "l1", "b1d1", "\xc3\xa9", "" },
	},
	{
		"draughts",
		"Draughts",
		"8",
		{ "F6E5", "C3D4", "E5C3", "B2D4" },
		"E5D4",
		"A7B6",
		{ "z99", "a0", "3d", "f6", "f6e5+", "a-1", "f6e99999999999999999999", "a1.5", "@1",
		  "i1h3", "a9b7", "f6--e5", "f6f5", "33-29", "" },
	},
	{
		"havannah",
		"Havannah",
		"15", /* the side of GoGui's board; `boardsize` takes the base, too */
		{ "H8", "G8", "H9", "G9" },
		"H8",
		"A1", /* off the hexagon */
		{ "z99", "a0", "3d", "x", "d3x", "a-1", "d99999999999999999999", "a1.5", "@1", "p1",
		  "a16", "d3d4", "\xc3\xa9", "" },
	},
};

static const struct setting *setting;
static struct talk talk, *const t = &talk;

/* Go and Hex take moves out of turn: they have sessions of their own. */
static inline bool setting_is_wanted(const struct game *g)
{
	if (game_find(g->name, NULL) != g || game_has_word("go hex", g->name))
		return false;
	for (int i = 0; settings[i].name; i++)
		if (strcmp(settings[i].name, g->name) == 0)
			return false;
	return true;
}

/* Adds rows with names only for games that have none. Returns the number of rows. */
static inline int settings_count(void)
{
	static int count;
	for (int i = 0; !count && games[i]; i++)
		if (setting_is_wanted(games[i])) {
			int at = 0;
			while (settings[at].name)
				at++;
			ck_assert_int_lt(at, SETTINGS_MAX - 1);
			settings[at].name = games[i]->name;
		}
	while (settings[count].name)
		count++;
	return count;
}

/* Fills a row that has only a name. */
static inline void setting_derive(struct setting *row)
{
	static const char *const malformed[] = {
		"z99", "a0", "3d", "a-1", "a99999999999999999999", "a1.5", "@1", "\xc3\xa9", ""
	};
	static struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	const struct game *g = game_find(row->name, NULL);
	struct record r;
	record_init(&r, g);
	row->title = g->title;
	snprintf(text, sizeof text, "%d", g->board.size ? g->board.size : game_size(g));
	row->size = xstrdup(text);
	for (int i = 0; i < 4; i++) {
		int n = game_moves(g, &r.now, moves);
		ck_assert_msg(n > 0 && r.now.side == (i % 2 ? WHITE : BLACK),
			      "%s needs a row in `settings`: its first moves do not take turns",
			      g->name);
		/* Not all of them in one corner. */
		game_format(g, &r.now, moves[n * (i + 1) / 5], text);
		row->moves[i] = xstrdup(text);
		record_play(&r, moves[n * (i + 1) / 5]);
	}
	record_free(&r);
	row->occupied = row->moves[0];
	memcpy(row->malformed, malformed, sizeof malformed);
}

static inline const struct setting *setting_at(int i)
{
	ck_assert_int_lt(i, settings_count());
	if (!settings[i].title)
		setting_derive(&settings[i]);
	return &settings[i];
}

/* Replaces `$1` .. `$4` by the moves, `$a` by the first in lower case, and `$o` (occupied), `$s` (size), `$g`
 * (the game's title). Bytes may be 0. The caller frees. */
static inline char *expand(const char *bytes, size_t n, size_t *length)
{
	char *text;
	FILE *f = open_memstream(&text, length);
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '$') {
			fputc(bytes[i], f);
			continue;
		}
		char c = bytes[++i];
		if (c == 'a')
			for (const char *p = setting->moves[0]; *p; p++)
				fputc(tolower(*p), f);
		else
			fputs(c == 'o'   ? setting->occupied
			      : c == 's' ? setting->size
			      : c == 'g' ? setting->title
					 : setting->moves[c - '1'],
			      f);
	}
	fclose(f);
	return text;
}

/* Starts the program with the game and more options. */
static inline void start(const char *options)
{
	char all[256];
	snprintf(all, sizeof all, "--game %s%s", setting->name, options);
	talk_start(t, all);
}

static inline void begin(int game)
{
	setting = setting_at(game);
	start(QUICK);
}

static inline void end(void)
{
	talk_end(t);
}

static inline double number(const char *text)
{
	char *rest;
	double x = strtod(text, &rest);
	ck_assert_msg(rest != text && !*rest && isfinite(x), "'%s' is no number", text);
	return x;
}

/* Adds a test that runs once for each game; under sanitizers, which look at the protocol, for the first three: each has another search. */
#define EACH_GAME(test) tcase_add_loop_test(cases, test, 0, IS_SANITIZED ? 3 : settings_count())

#endif
