/* SPDX-License-Identifier: MIT */
#include "tools/match/stored.h"

#include <stdlib.h>

#include "tools/lib/message.h"
#include "tools/match/collection.h"
#include "tools/match/results.h"
#include "tools/match/standings.h"

/* Calls `use` for every match of a file, which is a database or games in SGF. Returns the exit status. */
static int use_matches(const char *path, const struct game *game,
		       bool (*use)(struct database *, int match, char why[DATABASE_REASON_MAX]))
{
	char why[DATABASE_REASON_MAX];
	struct database *db = collection_open(path, game, why);
	bool good = db;
	for (int i = 0; good && database_match(db, i); i++)
		good = use(db, i, why);
	if (!good)
		message("%s", why);
	if (db)
		database_close(db);
	return good ? 0 : STORED_UNREADABLE;
}

static bool print_scores(struct database *db, int match, char why[DATABASE_REASON_MAX])
{
	struct standings s;
	standings_init(&s, database_match(db, match));
	bool good = standings_read(&s, db, match, PARTS_RESULT, why);
	if (good)
		results_print_lines(&s, db, stdout);
	standings_free(&s);
	return good;
}

static bool print_sgf(struct database *db, int match, char why[DATABASE_REASON_MAX])
{
	return collection_write(stdout, db, match, why);
}

int stored_print_scores(const char *path, const struct game *game)
{
	return use_matches(path, game, print_scores);
}

int stored_print_sgf(const char *path, const struct game *game)
{
	return use_matches(path, game, print_sgf);
}

int stored_import(const char *path, const char *database, const struct game *game)
{
	char why[DATABASE_REASON_MAX];
	struct collection_count count;
	struct database *db = database_open(database, why);
	bool good = db && collection_import(db, path, game, &count, why);
	if (good) {
		collection_tell_unnamed(&count);
		printf("%d games added, %d already known, %d left out%s%s\n", count.added,
		       count.known, count.left_out, count.left_out ? ": " : "", count.why);
	} else {
		message("%s", why);
	}
	if (db)
		database_close(db);
	int status = good ? 0 : STORED_UNREADABLE;
	if (status || count.added || count.known)
		return status;
	message("%s has no game that can be used", path);
	return EXIT_FAILURE;
}
