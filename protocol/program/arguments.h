/* SPDX-License-Identifier: MIT
 *
 * The command line and the config file of a program (program.h). The command line has a mode, its
 * arguments, and options anywhere between them. The lines of the config file are options too, and are
 * applied first. The program's const tables list modes and flags; protocol/session/settings.h lists the other
 * options. --help, the man page and shell completion use the same rows.
 */
#ifndef PROTOCOL_PROGRAM_ARGUMENTS_H
#define PROTOCOL_PROGRAM_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/session/settings.h"

struct arguments;
struct game;
struct program;

/* A mode of a program. The first row of the table is the default mode. */
struct mode {
	const char *
		name; /* NULL ends a table. "": the first mode of a program, which is never named */
	int args_min, args_max;
	const char *args;    /* placeholders of the arguments, separated by blanks */
	const char *help;    /* one line */
	const char *details; /* more for the help of this mode: paragraphs; or NULL */
	/* Accepted options, separated by blanks. NULL: all except named_only ones, and the config file is
	 * read. */
	const char *options;
	const char *refuses; /* exceptions if `options` is NULL, separated by blanks; or NULL */
	const char *usual;   /* options in the help of this mode; NULL: the program's list */
	int (*run)(const struct arguments *); /* returns the exit status */
};

enum flag_type {
	FLAG_SET,    /* bool, becomes true; takes no value */
	FLAG_TEXT,   /* const char * */
	FLAG_LINES,  /* char *, NULL at first; may occur several times, each adds a line */
	FLAG_INT,    /* int, min .. max */
	FLAG_REAL,   /* double, min .. max */
	FLAG_CHOICE, /* int, an index of `choices` */
	FLAG_BOOL,   /* bool; `choices` are the words for false and true */
	FLAG_GAME,   /* const char *, the name of a game */
	FLAG_RULES,  /* const char *, the name of a rule set; check it with arguments_game() */
	FLAG_SIZE,   /* const char *, the size of a board; check it with arguments_game() */
};

/* An option of a program that is not in the list of protocol/session/settings.h. It is stored in a field of the caller's struct. */
struct flag {
	const char *name; /* NULL ends a table */
	enum flag_type type;
	size_t offset; /* of the field */
	/* Placeholder of the value. GAME, RULES, SIZE, LINE and file names are completed. NULL: the flag has no value,
	 * or it has choices. */
	const char *value;
	const char *help;
	double min, max;
	const char *const *choices; /* NULL-terminated */
	const char *alias;          /* the former name, which is still accepted; or NULL */
	const char *group;          /* title of the group that begins with this flag, or NULL */
	bool in_config;             /* allowed in the config file; only for flags with a value */
	bool named_only;            /* accepted only by modes that name it */
	bool shared;                /* the field is in struct arguments; only for arguments.c */
};

/* The parsed command line. */
struct arguments {
	const struct program *program;
	const struct mode *mode;
	void *values;                     /* the caller's struct with the values of the flags */
	struct options options;           /* of the engine */
	struct session_settings settings; /* of sessions */
	int count;
	const char **words; /* arguments after the mode */
	bool help, version, no_config;
	const char *config;

	/* for arguments.c */
	int given_count;
	const char **given; /* names of the options on the command line */
	char *config_text;  /* values point into it */
};

#define COMPLAINT_MAX 4608 /* bytes of an error message, with a path */

/* Reads the words after the program's name, and the config file if the mode uses it. `values` is the struct
 * of program->size bytes that receives the flags; it has the defaults. Returns false with the error in `why`.
 * The caller frees the arguments in both cases; the words and the struct must outlive them. */
bool arguments_read(struct arguments *, const struct program *, void *values, int count,
		    char **words, char why[COMPLAINT_MAX]);

/* Frees the texts of FLAG_LINES, too. */
void arguments_free(struct arguments *);

/* Returns the game with this name (NULL: the default game), these rules (NULL: its default rules) and this
 * size (NULL: its default size). Returns NULL with the error in `why` if there is none. */
const struct game *arguments_game(const char *name, const char *rules, const char *size,
				  char why[COMPLAINT_MAX]);

/* Returns true if the command line has this option. */
bool arguments_have(const struct arguments *, const char *name);

/* Return the i-th row that the program has of its own and shares with all programs. NULL after the last. */
const struct mode *mode_at(const struct program *, int i);
const struct flag *flag_at(const struct program *, int i);
const struct option *option_at(const struct program *, int i);

/* Find a row by its name, or by its former name. Return NULL if there is none. */
const struct mode *mode_find(const struct program *, const char *name);
const struct flag *flag_find(const struct program *, const char *name);
const struct option *option_named(const struct program *, const char *name);

/* Returns true if the mode accepts the option. */
bool mode_takes(const struct program *, const struct mode *, const char *name);

/* Returns true if a list of words, separated by blanks, has this word. */
bool list_has(const char *list, const char *word);

/* Return the i-th distinct name of a game, and the i-th distinct name of rules of one game (NULL: of all
 * games). NULL after the last. */
const char *game_name_at(int i);
const char *rules_name_at(const char *game, int i);

#endif
