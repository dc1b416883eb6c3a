/* SPDX-License-Identifier: MIT */
#include "engine/base/utf8.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

size_t utf8_read(const char *text, uint32_t *character)
{
	const unsigned char *at = (const unsigned char *)text;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = *at < 0x80       ? 1
			: *at >> 5 == 6  ? 2
			: *at >> 4 == 14 ? 3
			: *at >> 3 == 30 ? 4
					 : 0;
	uint32_t c = length == 1 ? *at : *at & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if (at[i] >> 6 != 2)
			return 0;
		c = c << 6 | (at[i] & 0x3f);
	}
	*character = c;
	return c >= least[length] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) ? length : 0;
}

char *utf8_clean(const char *bytes, size_t length, bool (*is_unwanted)(uint32_t character))
{
	const size_t replaced = strlen(REPLACEMENT);
	char *copy = xmalloc(length + 1), *text = xmalloc(replaced * length + 1), *to = text;
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	for (const char *at = copy; *at;) {
		uint32_t c = 0;
		size_t n = utf8_read(at, &c);
		bool good = n && !(is_unwanted && is_unwanted(c));
		memcpy(to, good ? at : REPLACEMENT, good ? n : replaced);
		to += good ? n : replaced;
		at += n ? n : 1;
	}
	*to = '\0';
	free(copy);
	return text;
}

static bool is_well_formed(const char *text)
{
	uint32_t c;
	size_t n;
	for (; *text && (n = utf8_read(text, &c)); text += n) {
	}
	return !*text;
}

size_t utf8_mark(const char *bytes, size_t length)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t size = sizeof mark - 1;
	return length >= size && memcmp(bytes, mark, size) == 0 ? size : 0;
}

char *utf8_convert(const char *text)
{
	if (is_well_formed(text))
		return xstrdup(text);
	char *converted = xmalloc(2 * strlen(text) + 1), *to = converted;
	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		if (*at >= 0x80)
			*to++ = (char)(0xc0 | *at >> 6);
		*to++ = (char)(*at < 0x80 ? *at : 0x80 | (*at & 0x3f));
	}
	*to = '\0';
	return converted;
}
