/* SPDX-License-Identifier: MIT
 *
 * The GTP commands: one const table. list_commands, known_command, help and the check of arities come
 * from its rows.
 */
#ifndef PROTOCOL_COMMAND_H
#define PROTOCOL_COMMAND_H

#include "engine/algorithm.h"

struct session;

enum outcome {
	DONE,    /* session.reply is the answer */
	REFUSED, /* session.reply is the error; nothing has changed */
	THINKING /* a search runs; `finish` answers */
};

struct command {
	const char *name;
	int args_min, args_max;
	const char *args, *help;
	enum outcome (*run)(struct session *);
	/* Of commands that search: takes the report when the search has ended. */
	enum outcome (*finish)(struct session *, const struct report *);
};

extern const struct command command_table[];
extern const int command_count;

/* NULL: there is no such command. */
const struct command *command_find(const char *name);

#endif
