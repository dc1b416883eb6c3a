/* SPDX-License-Identifier: MIT
 *
 * The command line and the config file. The command line has a mode, its arguments, and options anywhere
 * between them. The lines of the config file are options too, and are applied first. Two const tables of
 * the program list modes and flags; protocol/gtp/settings.h lists the other options. --help, the man page and
 * shell completion use the same rows.
 */
#ifndef PROTOCOL_PROGRAM_ARGUMENTS_H
#define PROTOCOL_PROGRAM_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/gtp/settings.h"

struct arguments;
struct game;

/* A mode of the program. The first one, `gtp`, is the default. */
struct mode {
	const char *name; /* NULL ends a table */
	int args_min, args_max;
	const char *args, *help;
	/* Accepted options, separated by blanks. NULL: all except named_only ones, and the config file is
	 * read. */
	const char *options;
	int (*run)(const struct arguments *); /* returns the exit status */
};

/* An option of the program, not of the engine. Its values are texts. `value` tells the type:
 * GAME and RULES are known names, FILE is a path, LINE is a GTP line. */
struct flag {
	const char *name;         /* NULL ends a table */
	const char *value, *help; /* value NULL: the flag takes none */
	size_t offset; /* of a const char * that is set to the value or "". If `repeated`: of a char * */
	const char *const *choices; /* allowed values, NULL-terminated; NULL: any */
	bool in_config;             /* allowed in the config file; only for flags with a value */
	bool repeated;   /* may occur several times; each value becomes a line of the text */
	bool named_only; /* accepted only by modes that name it */
};

struct program {
	const struct mode *modes; /* the first is the default */
	const struct flag *flags;
};

/* The parsed arguments. Flags that were not given are NULL. */
struct arguments {
	const struct program *program;
	const struct mode *mode;
	bool mode_given; /* named on the command line */
	const char *game, *rules, *log, *gogui, *config, *no_config, *help, *version;
	const char *listen, *listen_anywhere, *listen_files, *clients, *line_max, *idle;
	const char *color, *no_board;
	const char *protocol, *output;
	const char *file, *all, *json, *verify, *kernel, *signature;
	char *commands;           /* GTP lines */
	struct options options;   /* of the engine */
	struct settings settings; /* of sessions */
	int count;
	const char **words; /* arguments after the mode */
	int given_count;
	const char **given; /* names of the options on the command line */

	char *config_text; /* values point into it */
};

#define COMPLAINT_MAX 4608 /* bytes of an error message, with a path */

/* Reads the words after the program's name, and the config file if the mode uses it. Returns false with
 * the error in `why`. The caller frees the arguments in both cases; the words must outlive them. */
bool arguments_read(struct arguments *, const struct program *, int count, char **words,
		    char why[COMPLAINT_MAX]);
void arguments_free(struct arguments *);

/* Returns the game with this name (NULL: the default game) and these rules (NULL: its default rules).
 * Returns NULL with the error in `why` if there is none. */
const struct game *arguments_game(const char *name, const char *rules, char why[COMPLAINT_MAX]);

/* Returns true if the command line has this option. */
bool arguments_have(const struct arguments *, const char *name);

const struct flag *flag_find(const struct program *, const char *name); /* NULL if unknown */

/* Returns true if the mode accepts the option. */
bool mode_takes(const struct program *, const struct mode *, const char *name);

/* Return the i-th distinct name of a game, and the i-th distinct name of rules of one game (NULL: of all
 * games). NULL after the last. */
const char *game_name_at(int i);
const char *rules_name_at(const char *game, int i);

#endif
