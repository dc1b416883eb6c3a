/* SPDX-License-Identifier: MIT */
#include "protocol/session/settings.h"

#include "protocol/records/import.h"

#define AT(field) offsetof(struct session_settings, field)

static const char *const swap_names[] = { "never", "play", "always", NULL };

static const struct option table[] = {
	{ "verbose", OPTION_BOOL, AT(verbose), 0, 1, "0", NULL,
	  "report every search and the reason of every error on stderr" },
	{ "resign", OPTION_REAL, AT(resign), 0, 1, "0", NULL,
	  "resign if the expected share of the points is below this. 0: never. negamax and "
	  "alphabeta count a lead of 8 discs as odds of 2.7 to 1. dfpn resigns only if the loss is "
	  "proven, random never" },
	{ "live_gfx", OPTION_BOOL, AT(live_gfx), 0, 1, "0", NULL,
	  "draw on GoGui's board while thinking, with lines on stderr" },
	{ "frame", OPTION_BOOL, AT(frame), 0, 1, "0", NULL,
	  "show Pentago in GoGui on an 8x8 board. A move is then two plays of one colour: the "
	  "placement, and a point beside the quadrant to turn. boardsize 8 turns this on, "
	  "boardsize 6 off" },
	{ "swap", OPTION_CHOICE, AT(swap), 0, SWAP_ALWAYS, "play", swap_names,
	  "in Hex, Rex and Havannah White may take over Black's first move. never: no swap. play: "
	  "in games, but not in solve and perft. always: in solve and perft, too. A change takes "
	  "effect with the next game" },
	{ "columns", OPTION_CHOICE, AT(columns), 0, COLUMNS_WITH_I, "auto", import_columns,
	  "letters of the columns of Gomoku in files of moves. no-i: I is left out, as in GTP. "
	  "with-i: it is not, as other programs write. auto: the file tells" },
};
static const int table_count = sizeof table / sizeof table[0];

void settings_init(struct session_settings *s)
{
	*s = (struct session_settings) { 0 };
	option_init_all(s, table, table_count);
}

const struct option *setting_at(int i)
{
	/* The list begins with the options of all searches and ends with those of single searches. */
	int before = option_general_count;
	if (i < before)
		return &option_table[i];
	if (i < before + table_count)
		return &table[i - before];
	return i < option_count + table_count ? &option_table[i - table_count] : NULL;
}

const struct option *setting_find(const char *name)
{
	for (int i = 0; setting_at(i); i++)
		if (option_is_named(setting_at(i), name))
			return setting_at(i);
	return NULL;
}

/* Returns the struct that has the value of a row. */
static void *owner(const struct setting_values *v, const struct option *row)
{
	for (int i = 0; i < table_count; i++)
		if (row == &table[i])
			return v->settings;
	return v->options;
}

bool setting_set(const struct setting_values *v, const struct option *row, const char *text,
		 char why[REASON_MAX])
{
	if (!option_set(owner(v, row), row, text, why))
		return false;
	/* A level that is set later than an Elo counts, also one of the command line after one of the config file. */
	if (row == setting_find("level"))
		v->options->elo = 0;
	return true;
}

void setting_get(const struct setting_values *v, const struct option *row,
		 char text[OPTION_TEXT_MAX])
{
	option_get(owner(v, row), row, text);
}
