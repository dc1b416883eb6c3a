/* SPDX-License-Identifier: MIT
 *
 * The command line: a mode, its arguments, options anywhere between them; and the config file, whose
 * lines are options too and come first. Two const tables, the program's, say what there is; the
 * engine's options are a third (engine/options.h). What --help, the man page and the completions of
 * shells say comes from the same rows.
 */
#ifndef PROTOCOL_ARGUMENTS_H
#define PROTOCOL_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/options.h"

struct arguments;
struct game;

/* What the program can be asked to do; `gtp` if it is not said. */
struct mode {
	const char *name; /* NULL ends a table */
	int args_min, args_max;
	const char *args, *help;
	const char *
		options; /* names of those it takes, blank between; NULL: all that are not named_only, and the config file */
	int (*run)(const struct arguments *); /* returns the exit status */
};

/* An option that is not the engine's. Its values are texts. What a value is called says what it is:
 * GAME and RULES name those there are, FILE is a path, LINE one of GTP. */
struct flag {
	const char *name;         /* NULL ends a table */
	const char *value, *help; /* value NULL: it takes none */
	size_t offset; /* of a const char *, set to the value or ""; where `repeated`, of a char * */
	const char *const *choices; /* what the value is one of, NULL-terminated; or NULL */
	bool in_config;             /* may stand in the config file; of those with a value */
	bool repeated;              /* may be given several times; values are lines of the text */
	bool named_only;            /* only modes take it that name it */
};

struct program {
	const struct mode *modes; /* the first is the default */
	const struct flag *flags;
};

/* What was asked for. Flags that were not given are NULL. */
struct arguments {
	const struct program *program;
	const struct mode *mode;
	bool mode_given; /* by name */
	const char *game, *rules, *log, *gogui, *config, *no_config, *help, *version;
	const char *listen, *listen_anywhere, *listen_files, *clients, *line_max, *idle;
	const char *color, *no_board;
	const char *protocol, *output;
	const char *file, *all, *json, *verify, *kernel, *signature;
	char *commands; /* lines of GTP */
	struct options options;
	int count;
	const char **words; /* behind the mode */
	int given_count;
	const char **given; /* names of the options among the words on the command line */

	char *settings; /* the text of the config file, into which values point */
};

#define COMPLAINT_MAX 4608 /* a path, and what is wrong with it */

/* Reads the words behind the program's name and, where the mode takes it, the config file. False:
 * `why` says what was wrong. Free the arguments in both cases; the words must outlive them. */
bool arguments_read(struct arguments *, const struct program *, int count, char **words,
		    char why[COMPLAINT_MAX]);
void arguments_free(struct arguments *);

/* The game of a name (NULL: the default one) with these rules (NULL: its default ones). NULL: there is
 * none, `why` says why not. */
const struct game *arguments_game(const char *name, const char *rules, char why[COMPLAINT_MAX]);

/* Whether the command line has an option. */
bool arguments_have(const struct arguments *, const char *name);

const struct flag *flag_find(const struct program *, const char *name); /* NULL: there is none */

/* Whether a mode takes an option. */
bool mode_takes(const struct program *, const struct mode *, const char *name);

/* The i-th different name of a game; the i-th different name of rules, of one game or (NULL) of any.
 * NULL behind the last. */
const char *game_name_at(int i);
const char *rules_name_at(const char *game, int i);

#endif
