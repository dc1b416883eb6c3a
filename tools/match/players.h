/* SPDX-License-Identifier: MIT
 *
 * The players of a tournament: the commands of the engines, their names, and a trial start of each.
 */
#ifndef TOOLS_MATCH_PLAYERS_H
#define TOOLS_MATCH_PLAYERS_H

#include "tools/match/referee.h"

struct match_player {
	char *name;
	const char *command; /* for the shell */
	int engine;          /* index of database_engine */
};

/* Reads `count` commands, each with an optional name before it: "new: ./yomi". A name is the command itself
 * by default. Returns false after a message if a command has several lines or a name occurs twice. */
bool players_read(struct match_player *, int count, const char *const *commands);
void players_free(struct match_player *, int count);

/* Finds the players' engines in the database, or adds them. */
bool players_register(struct match_player *, int count, struct database *,
		      char why[DATABASE_REASON_MAX]);

/* Stores the versions that the engines report. Returns false after a message. */
bool players_keep_versions(const struct match_player *, int count, const char *const *versions,
			   struct database *);

/* Starts each engine once and prepares it for a game, because what fails here would fail in every game. Returns
 * NULL if all goes well. Otherwise returns the reason in one or two lines, "" if the trial was cancelled. If the
 * engines' stderr is not kept in a file (`keeps_stderr`), the reason includes the last line that they wrote.
 * versions[i], NULL before, is what the engine of player i says of itself, if it was asked. The caller frees the
 * texts. */
char *players_try(const struct match_player *, int count, const struct terms *, bool keeps_stderr,
		  char **versions);

#endif
