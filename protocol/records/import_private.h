/* SPDX-License-Identifier: MIT
 *
 * What the readers of the formats share. A reader fills the game of an import: it names its game, plays moves and adds what
 * the text says about them.
 */
#ifndef PROTOCOL_RECORDS_IMPORT_PRIVATE_H
#define PROTOCOL_RECORDS_IMPORT_PRIVATE_H

#include "engine/base/format.h"
#include "protocol/records/import.h"

/* How moves of lines are written. */
enum line_form {
	LINE_MOVES,   /* in the notation of the game */
	LINE_WITH_I,  /* the same, with a column I */
	LINE_OFFSETS, /* columns and rows from the centre */
	LINE_COLUMNS  /* numbers of columns */
};

/* One way to read a text of lines. */
struct line_reading {
	const struct game *game;
	enum line_form form;
	bool is_joined; /* all lines are one game */
};

struct import {
	const struct import_format *format;
	struct import_wish wish;
	char *copy; /* of the bytes, if they are read in another set of characters; else NULL */
	const char *text; /* ends in a NUL */
	size_t length;
	const char *at; /* what has not been read */
	int number;     /* of the game that is read, from 1 */
	int line;       /* that `at` begins, from 1 */
	struct line_reading reading;
	int rec_size; /* rows of the board of rec */
	/* The game. */
	struct record record;
	struct sgf_property properties[8]; /* values are allocated */
	int property_count;
	double *seconds; /* of each move; NAN: unknown */
	int seconds_room;
	const char *
		ban; /* why the rules forbid the last move, which the record does not have; NULL: they do not */
	bool refuses_bans;
	char *sgf;
	struct imported game;
	char *why; /* where reasons go */
};

/* A format. */
struct import_format {
	const char *name;
	/* Returns true if a text is in this format. */
	bool (*is)(struct import *);
	/* Prepares reading. Returns false with the reason in i->why, which is empty or tells what was guessed otherwise. NULL:
	 * nothing is to be done. */
	bool (*open)(struct import *);
	/* Reads the game at i->at and moves behind it. Returns false if there is none. Sets game.sgf or the record, or else
	 * the reason in game.why. */
	bool (*next)(struct import *);
};

extern const struct import_format import_wthor, import_psq, import_pgn, import_rec, import_lines;

/* The end of a line, and the next line. A line feed, a carriage return, or both end a line. */
const char *import_line_end(const char *line);
const char *import_line_skip(const char *line);

/* Starts the game: it has no moves and no properties. */
void import_begin(struct import *, const struct game *);

/* Adds a property of the root, unless there is one of that name. There is room for all that formats have. */
__attribute__((format(PRINTF, 3, 4))) void import_add(struct import *, const char *name,
						      const char *format, ...);

/* Returns true if no further move is wanted. */
bool import_is_full(const struct import *);

/* Plays a move of the side to move. A forced pass may be missing before it. Returns false if it is not legal. A forbidden stone
 * ends the game: the record does not get it, and no other move may follow. */
bool import_play(struct import *, const char *move);

/* Notes how the game was read. */
__attribute__((format(PRINTF, 2, 3))) void import_note(struct import *, const char *format, ...);

/* Sets the time of the last move of the record. */
void import_seconds(struct import *, double seconds);

/* Writes a reason. Returns false. */
__attribute__((format(PRINTF, 2, 3))) bool import_refuse(struct import *, const char *format, ...);

#endif
