/* SPDX-License-Identifier: MIT */
#include "tools/match/stored.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/base/disk.h"
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
	struct text text = { 0 };
	standings_init(&s, database_match(db, match));
	bool good = standings_read(&s, db, match, PARTS_TIMES, why);
	if (good)
		results_print_lines(&s, db, &text);
	text_send(&text, stdout);
	standings_free(&s);
	return good;
}

static bool stored_print_sgf_own(struct database *db, int match, char why[DATABASE_REASON_MAX])
{
	return collection_write(stdout, db, match, why);
}

int stored_print_scores(const char *path, const struct game *game)
{
	return use_matches(path, game, print_scores);
}

int stored_print_sgf(const char *path, const struct game *game)
{
	return use_matches(path, game, stored_print_sgf_own);
}

int stored_import(const char *path, const char *database, const struct game *game)
{
	char why[DATABASE_REASON_MAX];
	struct collection_count count;
	struct disk_file file;
	bool is_new = !disk_look(database, &file);
	struct database *db = database_open(database, why);
	bool good = db && collection_import(db, path, game, &count, why);
	if (good) {
		collection_tell_unclear(&count);
		printf("%d game%s added, %d already known, %d left out%s%s\n", count.added,
		       count.added == 1 ? "" : "s", count.known, count.left_out,
		       count.left_out ? ": " : "", count.why);
	} else {
		message("%s", why);
	}
	if (db)
		database_close(db);
	if (good && (count.added || count.known))
		return 0;
	if (db && is_new)
		remove(database);
	if (!good)
		return STORED_UNREADABLE;
	message("%s has no game that can be used", path);
	return EXIT_FAILURE;
}

/* --- merging --- */

/* What is added to a database. */
struct merging {
	struct database *to, *from;
	int match; /* of `to` */
	int added, known, twice;
	bool good;
	char *why;
};

static bool merge_node(void *arg, const struct match_node *n)
{
	struct merging *m = arg;
	m->good = database_add_node(m->to, m->match, n, m->why);
	return m->good;
}

static bool merge_game(void *arg, const struct match_game *found)
{
	struct merging *m = arg;
	struct match_game g = *found;
	for (int color = 0; color < 2; color++) {
		const struct match_engine *e = database_engine(m->from, found->engines[color]);
		g.engines[color] = database_add_engine(m->to, e, m->why);
		if (g.engines[color] < 0)
			return m->good = false;
	}
	switch (database_find_game(m->to, m->match, &g, false, m->why)) {
	case PRESENCE_FAILED:
		return m->good = false;
	case PRESENCE_SAME:
		m->known++;
		return true;
	case PRESENCE_OTHER:
		m->twice++;
		return true;
	case PRESENCE_NONE:
		break;
	}
	m->added++;
	return m->good = database_add_game(m->to, m->match, &g, m->why);
}

static bool merge_match(struct merging *m, int match)
{
	m->match = database_add_match(m->to, database_match(m->from, match), m->why);
	m->good = m->match >= 0;
	return m->good && database_nodes(m->from, match, merge_node, m, m->why) && m->good &&
	       database_games(m->from, match, PARTS_ALL, merge_game, m, m->why) && m->good;
}

/* Adds all matches of a file. */
static bool merge_file(struct merging *m, const char *path, const struct game *game)
{
	m->from = collection_open(path, game, m->why);
	bool good = m->from;
	for (int i = 0; good && database_match(m->from, i); i++)
		good = merge_match(m, i);
	if (m->from)
		database_close(m->from);
	return good;
}

static bool stored_is_readable(const char *path, const struct game *game,
			       char why[DATABASE_REASON_MAX])
{
	struct database *db = collection_open(path, game, why);
	if (db)
		database_close(db);
	return db;
}

int stored_merge(const char *database, const char *const *paths, int count, const struct game *game)
{
	char why[DATABASE_REASON_MAX];
	struct merging m = { .why = why };
	bool readable = true, good = true;
	for (int i = 0; readable && i < count; i++)
		readable = stored_is_readable(paths[i], game, why);
	if (readable)
		m.to = database_open(database, why);
	if (!m.to) {
		message("%s", why);
		return STORED_UNREADABLE;
	}
	for (int i = 0; good && i < count; i++) {
		good = merge_file(&m, paths[i], game);
		if (!good)
			message("cannot add all of %s: %s", paths[i], why);
	}
	printf("%d game%s added, %d already known, %d left out%s\n", m.added,
	       m.added == 1 ? "" : "s", m.known, m.twice,
	       m.twice ? ": another game of this opening is there" : "");
	database_close(m.to);
	return good ? 0 : STORED_UNREADABLE;
}
