/* SPDX-License-Identifier: MIT */
#include "protocol/terminal/wrap.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"

/* Returns the number of columns of the first bytes of a text. */
static int wrap_width(const char *text, size_t bytes)
{
	int columns = 0;
	for (size_t i = 0; i < bytes; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

void wrap_words(struct text *out, const char *text, int column, int indent)
{
	int room = stream_columns() - 1, at = column, gap = 0;
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t bytes = strcspn(text, " ");
		int length = wrap_width(text, bytes);
		if (at > indent && at + gap + length > room) {
			text_printf(out, "\n%*s", indent, "");
			at = indent;
			gap = 0;
		}
		text_printf(out, "%*s%.*s", gap, "", (int)bytes, text);
		at += gap + length;
		gap = 1;
		text += bytes;
	}
	text_putc(out, '\n');
}

char *wrap_text(const char *text)
{
	struct text wrapped = { 0 };
	for (const char *next; *text; text = next) {
		size_t bytes = strcspn(text, "\n");
		int indent = (int)strspn(text, " ");
		next = text + bytes + (text[bytes] == '\n');
		if (wrap_width(text, bytes) < stream_columns()) {
			text_write(&wrapped, text, (size_t)(next - text));
			continue;
		}
		char *line = xstrndup(text + indent, bytes - (size_t)indent);
		text_printf(&wrapped, "%*s", indent, "");
		wrap_words(&wrapped, line, indent, indent);
		free(line);
	}
	return text_take(&wrapped);
}
