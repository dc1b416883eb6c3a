/* SPDX-License-Identifier: MIT */
#include "tools/match/stored.h"

#include <stdlib.h>

#include "tools/lib/message.h"
#include "tools/match/collection.h"
#include "tools/match/standings.h"
#include "tools/match/summary.h"

/* Calls `use` for every match of a file, which is a database or games in SGF. Returns the exit status. */
static int use_matches(const char *path, const struct game *game,
		       bool (*use)(struct matches *, int match, char why[MATCHES_REASON_MAX]))
{
	char why[MATCHES_REASON_MAX];
	struct matches *m = collection_open(path, game, why);
	bool good = m;
	for (int i = 0; good && matches_at(m, i); i++)
		good = use(m, i, why);
	if (!good)
		message("%s", why);
	if (m)
		matches_close(m);
	return message_end_output(good ? 0 : STORED_UNREADABLE);
}

static bool print_scores(struct matches *m, int match, char why[MATCHES_REASON_MAX])
{
	struct standings s;
	standings_init(&s, matches_at(m, match));
	bool good = standings_read(&s, m, match, PARTS_RESULT, why);
	if (good)
		summary_lines(&s, m, stdout);
	standings_free(&s);
	return good;
}

static bool print_sgf(struct matches *m, int match, char why[MATCHES_REASON_MAX])
{
	return collection_write(stdout, m, match, why);
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
	char why[MATCHES_REASON_MAX];
	struct collection_count count;
	struct matches *m = matches_open(database, why);
	bool good = m && collection_import(m, path, game, &count, why);
	if (good) {
		collection_tell_unnamed(&count);
		printf("%d games added, %d already known, %d left out%s%s\n", count.added,
		       count.known, count.left_out, count.left_out ? ": " : "", count.why);
	} else {
		message("%s", why);
	}
	if (m)
		matches_close(m);
	int status = message_end_output(good ? 0 : STORED_UNREADABLE);
	if (status || count.added || count.known)
		return status;
	message("%s has no game that can be used", path);
	return EXIT_FAILURE;
}
