/* SPDX-License-Identifier: MIT
 *
 * The settings of a session: options that only the front ends read. Users see one list of options: these and
 * the engine's (engine/search/common/options.h). The command line, the config file, `param`, --help, the man page and
 * completion all use the functions below.
 */
#ifndef PROTOCOL_SESSION_SETTINGS_H
#define PROTOCOL_SESSION_SETTINGS_H

#include "engine/search/common/options.h"

/* Where the swap of games that have it (swap.allow) is a move. */
enum swap_use {
	SWAP_NEVER,
	SWAP_PLAY, /* in games, but not for perft and solve, which ask for the values of the board */
	SWAP_ALWAYS
};

struct session_settings {
	bool verbose;
	double resign; /* resign below this expected share of the points, 0: never */
	bool live_gfx; /* draw on GoGui's board while thinking */
	bool frame;    /* show Pentago on an 8x8 board in GoGui */
	int swap;      /* enum swap_use */
	/* Most seconds of a move, with any clock or limit; 0: none. No option: KataGo's clients set it. */
	double max_time;
	int columns; /* enum import_columns */
};

/* Sets every setting to its default. */
void settings_init(struct session_settings *);

/* Where the values of all options are. */
struct setting_values {
	struct options *options;
	struct session_settings *settings;
};

/* Returns the i-th option of the list, i >= 0: a row of either table. NULL after the last one. */
const struct option *setting_at(int i);

/* Finds an option of the list by its name or alias. Returns NULL if there is none. */
const struct option *setting_find(const char *name);

/* Like option_set() and option_get(), for any row of the list. */
bool setting_set(const struct setting_values *, const struct option *, const char *text,
		 char why[REASON_MAX]);
void setting_get(const struct setting_values *, const struct option *, char text[OPTION_TEXT_MAX]);

#endif
