/* SPDX-License-Identifier: MIT */
#include "protocol/markup.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REPLACEMENT 0xfffd

/* Takes one character off the text, REPLACEMENT for a byte that begins none. */
static uint32_t take(const char **text)
{
	const unsigned char *at = (const unsigned char *)*text;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	int length = *at < 0x80       ? 1
		     : *at >> 5 == 6  ? 2
		     : *at >> 4 == 14 ? 3
		     : *at >> 3 == 30 ? 4
				      : 0;
	uint32_t c = length == 1 ? *at : *at & (0x7fu >> length);
	for (int i = 1; i < length; i++) {
		if (at[i] >> 6 != 2)
			length = 0;
		else
			c = c << 6 | (at[i] & 0x3f);
	}
	bool good = length && c >= least[length] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
	*text += good ? length : 1;
	return good ? c : REPLACEMENT;
}

/* Controls, and what changes the direction of all that follows. */
static bool is_unwanted(uint32_t c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c <= 0x9f) || c == 0x200e ||
	       c == 0x200f || c == 0x61c || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static void put(FILE *f, uint32_t c)
{
	if (c < 0x80) {
		fputc((int)c, f);
		return;
	}
	static const uint32_t leads[] = { 0, 0xc0, 0xe0, 0xf0 };
	int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	fputc((int)(leads[more] | c >> (6 * more)), f);
	while (more--)
		fputc((int)(0x80 | (c >> (6 * more) & 0x3f)), f);
}

void markup_text(FILE *f, const char *text)
{
	while (*text) {
		uint32_t c = take(&text);
		if (is_unwanted(c))
			c = REPLACEMENT;
		if (c < 0x80 && strchr("&<>\"'", (int)c))
			fprintf(f, "&#%d;", (int)c);
		else
			put(f, c);
	}
}

void markup_json(FILE *f, const char *text)
{
	fputc('"', f);
	while (*text) {
		uint32_t c = take(&text);
		if (is_unwanted(c))
			c = REPLACEMENT;
		/* No tag can begin or end in it. */
		if (c < 0x20 || (c < 0x80 && strchr("\"\\<>&'", (int)c)))
			fprintf(f, "\\u%04x", (unsigned)c);
		else
			put(f, c);
	}
	fputc('"', f);
}
