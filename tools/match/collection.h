/* SPDX-License-Identifier: MIT
 *
 * Games of matches as SGF, one after the other. A database can be exported and read back, and games of
 * other programs can be imported. PB and PW name the engines, EV is the terms of the match, RO the opening.
 * RE and DT have their usual meaning; V, YT and C are described in protocol/records/sgf.h. The property
 * YOMI holds the rest. Each of its values is a key and its text:
 *
 *     YOMI[opening 12][opening-moves 6][paired 1][first white][end died][detail exit status 1][ended 1732190000]
 *         [seed-black 7][seed-white 8][command-black ./yomi][version-black yomi 1.0][sprt 0 5 0.05 0.05]
 *
 * A command is written only if it differs from the engine's name. `first white`: White's engine comes
 * before Black's in the database.
 */
#ifndef TOOLS_MATCH_COLLECTION_H
#define TOOLS_MATCH_COLLECTION_H

#include <stdio.h>

#include "tools/match/database.h"

/* Writes all games of a match. Returns false with the reason in `why` if it could not write them all. */
bool collection_write(FILE *, struct database *, int match, char why[DATABASE_REASON_MAX]);

/* Counts of the games of a text. */
struct collection_count {
	int added;
	int known;                     /* already in the database */
	int left_out;                  /* unusable */
	char why[DATABASE_REASON_MAX]; /* the reason for the last unusable one */
	int unclear;                   /* read with a guess, such as which game they are */
	char how[DATABASE_REASON_MAX]; /* how the last one of these was read */
};

/* Adds the games of a text in any format (protocol/records/import.h) to a database. A record that does not name its game is
 * read as `game`; if that is NULL, as the first game that fits. Returns false with the reason in `why` if the text is no
 * record or writing failed; else `why` is empty or tells what was guessed. The bytes must end in a NUL that does not count. */
bool collection_read(struct database *, const char *bytes, size_t length, const struct game *game,
		     struct collection_count *, char why[DATABASE_REASON_MAX]);

/* The same for the games of a file, which may be packed with zstd. Writes what was guessed on stderr. */
bool collection_import(struct database *, const char *path, const struct game *game,
		       struct collection_count *, char why[DATABASE_REASON_MAX]);

/* Opens a file for reading: a database, or games in any format (also packed), all of which must be usable. Notes on
 * stderr how unclear games were read. Returns NULL with the reason in `why` on failure. */
struct database *collection_open(const char *path, const struct game *game,
				 char why[DATABASE_REASON_MAX]);

/* Notes on stderr how unclear games were read, if there are any. */
void collection_tell_unclear(const struct collection_count *);

#endif
