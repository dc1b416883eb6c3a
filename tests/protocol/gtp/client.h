/* SPDX-License-Identifier: MIT
 *
 * Shared by the tests that replay clients: what each of them sends, in the same bursts, and how it reads the
 * answers. They play whole games, engine against engine or against random moves, and compare the engine with a
 * record of their own. tests/clients/ runs the clients that can be installed.
 */
#ifndef TESTS_PROTOCOL_GTP_CLIENT_H
#define TESTS_PROTOCOL_GTP_CLIENT_H

#include <ctype.h>
#include <math.h>
#include <strings.h>

#include "tests/protocol/talk.h"

#define QUICK " --threads 1 --memory 8 --playouts 30 --seed "

static struct rng rng;

/* Starts an engine with the options of a game and a seed. */
static inline void start(struct talk *t, const char *options, int seed)
{
	char all[256];
	snprintf(all, sizeof all, "%s" QUICK "%d", options, seed);
	talk_start(t, all);
}

/* Expects an empty success. */
static inline void accepted(struct talk *t)
{
	hear_exactly(t, "=\n\n");
}

/* Reads a decimal number. */
static inline double number(const char *text)
{
	char *rest;
	double x = strtod(text, &rest);
	ck_assert_msg(rest != text && !*rest && isfinite(x), "'%s' is no number", text);
	return x;
}

static inline char *in_lower_case(char *text)
{
	for (char *c = text; *c; c++)
		*c = (char)tolower(*c);
	return text;
}

/* Returns true if an answer has this line. */
static inline bool has_line(const char *answer, const char *line)
{
	size_t n = strlen(line);
	for (const char *c = answer; (c = strstr(c, line)); c++)
		if ((c == answer || c[-1] == '\n') && (c[n] == '\n' || !c[n]))
			return true;
	return false;
}

#endif
