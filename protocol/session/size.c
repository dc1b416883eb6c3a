/* SPDX-License-Identifier: MIT */
#include "protocol/session/size.h"
#include "protocol/session/line.h"

#include <stdio.h>
#include <string.h>

/* Of more sizes the list has the default, the first and the last of the others. */
#define SIZES_LISTED 4

void size_format(const struct game *g, char text[SIZE_TEXT_MAX])
{
	int n = snprintf(text, SIZE_TEXT_MAX, "%d", g->board.size ? g->board.size : g->board.cols);
	if (!g->board.size && g->board.rows != g->board.cols)
		snprintf(text + n, (size_t)(SIZE_TEXT_MAX - n), "x%d", g->board.rows);
}

bool size_find(const struct game **g, const char *text)
{
	char first[SIZE_TEXT_MAX];
	size_t length = strcspn(text, "xX");
	int cols, rows;
	snprintf(first, sizeof first, "%.*s", (int)length, text);
	if (length >= sizeof first || !line_int(first, &cols) ||
	    (text[length] && !line_int(text + length + 1, &rows)))
		return false;
	*g = text[length] ? game_sized(*g, rows, cols) : game_of_size(*g, cols);
	return true;
}

const struct game *size_at(const struct game *g, int i)
{
	for (int k = 0; g->sizes && g->sizes[k]; k++)
		if (k == i)
			return g->sizes[k];
	return !g->sizes && i == 0 ? g : NULL;
}

bool size_varies(const struct game *g)
{
	return size_at(g, 1);
}

void size_list(const struct game *g, char text[SIZE_LIST_MAX])
{
	const char *before = "";
	int count = 0, n = 0;
	while (size_at(g, count))
		count++;
	for (int i = 0; i < count; i++, before = ", ") {
		char size[SIZE_TEXT_MAX];
		if (count > SIZES_LISTED && i == 2) {
			i = count - 1;
			before = " to ";
		}
		size_format(size_at(g, i), size);
		n += snprintf(text + n, (size_t)(SIZE_LIST_MAX - n), "%s%s", before, size);
	}
}
