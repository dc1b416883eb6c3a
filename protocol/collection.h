/* SPDX-License-Identifier: MIT
 *
 * Games of matches as SGF, one after the other: what a database holds can be written and read back, and
 * games of others can be read into one. PB and PW name the engines, EV is the terms of the match, RO the
 * opening, RE and DT are as usual, V, YT and C as in protocol/sgf.h. The rest is in values of one property
 * of our own, a word and what it says:
 *
 *     YOMI[opening 12][opening-moves 6][paired 1][first white][end died][detail exit status 1][ended 1732190000]
 *         [seed-black 7][seed-white 8][command-black ./yomi][version-black yomi 1.0][sprt 0 5 0.05 0.05]
 *
 * Commands are written where they are not the names. `first white` says that White's engine comes before
 * Black's in the database.
 */
#ifndef PROTOCOL_COLLECTION_H
#define PROTOCOL_COLLECTION_H

#include <stdio.h>

#include "protocol/matches.h"

/* Writes all games of a match. False: `why` says why not all. */
bool collection_write(FILE *, struct matches *, int match, char why[MATCHES_REASON_MAX]);

/* What has become of the games of a text. */
struct collection_count {
	int added;
	int known;                    /* they were there already */
	int left_out;                 /* they cannot be used, */
	char why[MATCHES_REASON_MAX]; /* the last one for this reason */
	int unnamed;                  /* they do not name their game, */
	char how[MATCHES_REASON_MAX]; /* and this is how the last one was read */
};

/* Adds the games of a text to a database. Those that do not name their game are read as `game`, or if that
 * is NULL as the first game that fits. False: writing failed, `why` says why. */
bool collection_read(struct matches *, const char *text, const struct game *game,
		     struct collection_count *, char why[MATCHES_REASON_MAX]);

/* The same with a file's. */
bool collection_import(struct matches *, const char *path, const struct game *game,
		       struct collection_count *, char why[MATCHES_REASON_MAX]);

/* Opens what a file holds to read it: a database, or games in SGF, read as above, all of which must be
 * usable. Says on stderr how games were read that do not name theirs. NULL: `why` says why not. */
struct matches *collection_open(const char *path, const struct game *game,
				char why[MATCHES_REASON_MAX]);

/* Says on stderr how games were read that do not name theirs, if there are any. */
void collection_tell_unnamed(const struct collection_count *);

#endif
