/* SPDX-License-Identifier: MIT
 *
 * KataGo's analysis protocol on standard input and output, for programs that analyse many positions at once: a JSON
 * object a line. Queries wait in a queue by priority, several are searched at once, and answers come in any order.
 * The page protocol/README.md has what yomi supports of it.
 */
#ifndef PROTOCOL_KATAGO_KATAGO_H
#define PROTOCOL_KATAGO_KATAGO_H

#include <stdbool.h>

struct start;

struct katago_setting {
	int workers;          /* positions to search at once, 0: as many as threads */
	const char *settings; /* NAME=VALUE,...: settings of all queries; or NULL */
	bool leaves;          /* at the end of input, do not finish the queries */
};

#define KATAGO_MODE        "analysis" /* the mode's name, as in KataGo */
#define KATAGO_WORKERS_MAX 256

/* Runs the protocol until the input ends or a signal comes. Returns the exit status. */
int katago_run(const struct start *, const struct katago_setting *);

/* Replaces KataGo's form of options, one dash, by yomi's and removes those that yomi does not need, with a note on
 * stderr. `words` are the program's arguments, NULL-terminated, `count` without the NULL. Returns the new number. */
int katago_words(int count, char **words);

#endif
