/* SPDX-License-Identifier: MIT */
#include "tools/lib/markup.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"

#define PRECISION 10 /* digits of numbers */

/* Writes a text. Bytes in `escaped` are written by `form`. */
static void put_escaped(struct text *out, const char *text, const char *escaped, const char *form)
{
	for (; *text; text++)
		if (strchr(escaped, *text))
			text_printf(out, form, *text);
		else
			text_putc(out, *text);
}

/* Returns true for control characters and characters that change the direction of text. */
static bool is_unwanted(uint32_t c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c <= 0x9f) || c == 0x200e ||
	       c == 0x200f || c == 0x61c || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

void markup_text(struct text *out, const char *text)
{
	char *clean = utf8_clean(text, strlen(text), is_unwanted);
	put_escaped(out, clean, "&<>\"'", "&#%d;");
	free(clean);
}

json_t *markup_string(const char *text)
{
	char *clean = utf8_clean(text, strlen(text), is_unwanted);
	json_t *string = json_string(clean);
	free(clean);
	return string;
}

void markup_json(struct text *out, json_t *value)
{
	char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY |
						       JSON_REAL_PRECISION(PRECISION))
			   : NULL;
	if (!text)
		out_of_memory();
	/* These characters occur only in strings. Escaped, they cannot begin or end a tag in the page. */
	put_escaped(out, text, "<>&'", "\\u%04x");
	free(text);
	json_decref(value);
}
