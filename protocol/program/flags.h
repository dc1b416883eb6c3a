/* SPDX-License-Identifier: MIT
 *
 * The flags of yomi, for its modes. main.c has their table.
 */
#ifndef PROTOCOL_PROGRAM_FLAGS_H
#define PROTOCOL_PROGRAM_FLAGS_H

#include "protocol/carriers/server.h"
#include "protocol/katago/katago.h"
#include "protocol/program/program.h"

/* Their values. */
struct yomi_flags {
	const char *game, *rules, *size, *log, *own_book;
	char *commands; /* GTP lines */
	struct serving serving;
	int protocol;        /* index of protocols[] */
	int color;           /* enum color_choice */
	int kernel;          /* enum kernel */
	const char *network; /* NULL: the program's own */
	bool gogui, no_board;
	const char *file;
	int number;
	bool all, json, verify;
	const char *capture, *area;
	double komi; /* points */
	const char *output;
	bool worst;
	int count; /* of puzzles */
	bool signature;
	struct katago_setting katago;
};

#endif
