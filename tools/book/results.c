/* SPDX-License-Identifier: MIT */
#include "tools/book/results.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "tools/lib/message.h"

#define TORN " torn" /* the end of a line that was cut */

static bool is_torn(const char *line)
{
	size_t length = strlen(line), end = sizeof TORN - 1;
	return length >= end && strcmp(line + length - end, TORN) == 0;
}

/* Opens a file to read all of it and then to append. */
static FILE *book_results_open_file(const char *path)
{
	FILE *f = fopen(path, "a+");
	if (!f)
		message_exit_errno("write", path);
	else
		rewind(f);
	return f;
}

FILE *results_open(const char *path, const char *kind, const struct game *g,
		   bool (*take)(void *arg, const char *line), void *arg)
{
	char line[256], *head = xasprintf("# results of yomi book: %s %s %s %dx%d", kind, g->name,
					  g->rules, g->board.cols, g->board.rows);
	bool torn = false;
	int number = 0;
	FILE *f = book_results_open_file(path);
	while (fgets(line, sizeof line, f)) {
		char *end = strchr(line, '\n');
		number++;
		torn = !end && feof(f) && (number > 1 || strncmp(line, head, strlen(line)) == 0);
		if (torn)
			continue;
		if (end)
			*end = '\0';
		bool is_head = number == 1 && strcmp(line, head) == 0;
		if (!is_head && (!end || (!is_torn(line) && !take(arg, line))))
			message_exit("%s, line %d, is no result of this book: %.60s", path, number,
				     line);
	}
	if (!number)
		fprintf(f, "%s\n", head);
	if (torn)
		fputs(TORN "\n", f);
	free(head);
	return f;
}
