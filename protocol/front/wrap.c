/* SPDX-License-Identifier: MIT */
#include "protocol/front/wrap.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "protocol/front/terminal.h"

/* Returns the number of columns of the first bytes of a text. */
static int wrap_width(const char *text, size_t bytes)
{
	int columns = 0;
	for (size_t i = 0; i < bytes; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

void wrap_words(FILE *f, const char *text, int column, int indent)
{
	int room = terminal_columns() - 1, at = column, gap = 0;
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t bytes = strcspn(text, " ");
		int length = wrap_width(text, bytes);
		if (at > indent && at + gap + length > room) {
			fprintf(f, "\n%*s", indent, "");
			at = indent;
			gap = 0;
		}
		fprintf(f, "%*s%.*s", gap, "", (int)bytes, text);
		at += gap + length;
		gap = 1;
		text += bytes;
	}
	fputc('\n', f);
}

char *wrap_text(const char *text)
{
	char *wrapped;
	size_t length;
	FILE *f = text_open(&wrapped, &length);
	for (const char *next; *text; text = next) {
		size_t bytes = strcspn(text, "\n");
		int indent = (int)strspn(text, " ");
		next = text + bytes + (text[bytes] == '\n');
		if (wrap_width(text, bytes) < terminal_columns()) {
			fwrite(text, 1, (size_t)(next - text), f);
			continue;
		}
		char *line = xstrndup(text + indent, bytes - (size_t)indent);
		fprintf(f, "%*s", indent, "");
		wrap_words(f, line, indent, indent);
		free(line);
	}
	fclose(f);
	return wrapped;
}
