/* SPDX-License-Identifier: MIT */
#include "protocol/program/size.h"

#include <stdio.h>
#include <string.h>

#include "protocol/gtp/gtp.h"

void size_format(const struct game *g, char text[SIZE_TEXT_MAX])
{
	int n = snprintf(text, SIZE_TEXT_MAX, "%d", g->cols);
	if (g->rows != g->cols)
		snprintf(text + n, (size_t)(SIZE_TEXT_MAX - n), "x%d", g->rows);
}

bool size_parse(const char *text, int *cols, int *rows)
{
	char first[SIZE_TEXT_MAX];
	size_t length = strcspn(text, "xX");
	snprintf(first, sizeof first, "%.*s", (int)length, text);
	return length < sizeof first && gtp_int(first, cols) &&
	       gtp_int(text[length] ? text + length + 1 : first, rows);
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
