/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/utf8.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "protocol/records/character.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

char *utf8_clean(const char *bytes, size_t length, bool (*is_unwanted)(uint32_t character))
{
	const size_t replaced = strlen(REPLACEMENT);
	char *copy = xmalloc(length + 1), *text = xmalloc(replaced * length + 1), *to = text;
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	for (const char *at = copy; *at;) {
		uint32_t c = 0;
		size_t n = character_read(at, &c);
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
	for (; *text && (n = character_read(text, &c)); text += n) {
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
