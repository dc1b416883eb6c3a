/* SPDX-License-Identifier: MIT
 *
 * A program: const tables that describe its command line, and the main() of all programs. It handles
 * --help, --version, the man page and completion, reports usage errors in one form, and checks that all output is
 * written.
 */
#ifndef PROTOCOL_PROGRAM_PROGRAM_H
#define PROTOCOL_PROGRAM_PROGRAM_H

#include <stdio.h>

#include "engine/base/format.h"
#include "protocol/carriers/loop.h"
#include "protocol/program/arguments.h"

struct command;
struct tool;

/* A part of the man page. */
struct note {
	const char *section; /* begins this section; NULL: continues the last one */
	const char *name;    /* of an entry; NULL: a paragraph */
	const char *text;    /* an example if it begins with blanks; NULL ends a table */
	bool config_flags;   /* the names of the flags that the config file may have follow */
};

struct program {
	const char *name;        /* of the file: "yomi-match" */
	const char *summary;     /* part of a line: "play matches of GTP engines" */
	const char *description; /* paragraphs, separated by empty lines; --help prints the first */
	const char *const *usages; /* more forms of the command line, NULL-terminated; or NULL */
	const struct mode *modes;  /* the first is the default */
	const struct flag *flags;
	const struct tool *tools; /* programs that this one starts; or NULL */
	const char *usual;        /* options that --help lists, in this order; NULL: all */
	const struct note *notes; /* last sections of the man page; or NULL */
	size_t size;              /* bytes of the struct of values */
	bool is_engine;           /* takes the engine's options and reads the config file */
	const struct command *(*command_at)(int i); /* the program's GTP commands; or NULL */

	/* Called before the mode runs and before games_init(). Returns false after a message. Or NULL. */
	bool (*prepare)(const struct arguments *);
	void (*print_versions)(FILE *); /* prints more lines for --version; or NULL */
};

/* The modes that all programs have: help, manual, complete. */
extern const struct mode program_modes[];

/* Reads the command line and runs the program. `values` has the defaults of the flags. Returns the exit
 * status: EXIT_USAGE after a message if the command line is wrong, EXIT_FAILURE after a message if the output
 * could not be written, else that of the mode. */
int program_run(const struct program *, void *values, int argc, char **argv);

/* Prints an error of the command line with a hint at --help. Returns EXIT_USAGE. */
__attribute__((format(PRINTF, 2, 3))) int program_complain(const struct program *,
							   const char *format, ...);

/* Prints why a file is refused, with its name unless the reason has it. */
void program_complain_file(const char *path, const char *why);

/* Same as arguments_game(), but prints the error. */
const struct game *program_game(const struct program *, const char *name, const char *rules,
				const char *size);

/* If standard output is a terminal, which cannot show `what`, prints the command to type instead and returns
 * true. */
bool program_needs_file(const struct program *, const char *what, const char *command);

#endif
