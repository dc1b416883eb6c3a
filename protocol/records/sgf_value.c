/* SPDX-License-Identifier: MIT
 *
 * Values of SGF as bytes. In Shift_JIS, Big5 and GBK the second byte of a character may be that of a backslash or bracket.
 * Many files do not say which set of characters they have.
 */
#include <ctype.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/base/utf8.h"
#include "protocol/records/sgf_private.h"

/* Returns the number of bytes of a character. Without a known set it is one of UTF-8; else a high byte takes the next one,
 * but not a bracket, because a letter of Latin-1 often ends a value. */
static size_t measure_character(enum sgf_set set, const char *text)
{
	unsigned char lead = (unsigned char)text[0], next = (unsigned char)text[1];
	uint32_t character;
	size_t length = set == SGF_SET_UNKNOWN ? utf8_read(text, &character) : 0;
	bool is_single = lead <= 0x80 || lead == 0xff || set == SGF_SET_OF_BYTES ||
			 (set == SGF_SET_SHIFT_JIS && lead >= 0xa0 && lead <= 0xdf);
	if (length)
		return length;
	return is_single || next < 0x40 || (set == SGF_SET_UNKNOWN && next == ']') ? 1 : 2;
}

size_t sgf_value_next(enum sgf_set set, const char **at)
{
	*at += **at == '\\' && (*at)[1];
	return measure_character(set, *at);
}

const char *sgf_value_skip(enum sgf_set set, const char *bracket)
{
	const char *at = bracket + 1;
	while (*at && *at != ']')
		at += sgf_value_next(set, &at);
	return at + (*at == ']');
}

static enum sgf_set find_set(const char *name)
{
	static const struct {
		const char *part;
		enum sgf_set set;
	} rows[] = {
		{ "8859", SGF_SET_OF_BYTES },   { "latin", SGF_SET_OF_BYTES },
		{ "ascii", SGF_SET_OF_BYTES },  { "125", SGF_SET_OF_BYTES },
		{ "koi8", SGF_SET_OF_BYTES },   { "shift", SGF_SET_SHIFT_JIS },
		{ "sjis", SGF_SET_SHIFT_JIS },  { "932", SGF_SET_SHIFT_JIS },
		{ "31j", SGF_SET_SHIFT_JIS },   { "big5", SGF_SET_DOUBLE_BYTE },
		{ "950", SGF_SET_DOUBLE_BYTE }, { "gb", SGF_SET_DOUBLE_BYTE },
		{ "936", SGF_SET_DOUBLE_BYTE },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (text_has_part(name, rows[i].part))
			return rows[i].set;
	return SGF_SET_UNKNOWN;
}

/* Returns true if a text has characters of UTF-8 beyond ASCII, and no other bytes. */
static bool is_utf8(const char *text, const char *end)
{
	size_t length = 1, longest = 1;
	uint32_t character;
	for (; text < end && length; text += length) {
		length = utf8_read(text, &character);
		longest = length > longest ? length : longest;
	}
	return length && longest > 1;
}

enum sgf_set sgf_find_set(const char *root)
{
	enum sgf_set set = SGF_SET_UNKNOWN;
	char name[3] = "", value[32];
	const char *at = root;
	while (*at && !strchr(";()", *at)) {
		if (*at != '[') {
			/* Only capitals count. */
			if (isupper((unsigned char)*at)) {
				name[0] = name[1];
				name[1] = *at;
			}
			at++;
			continue;
		}
		if (strcmp(name, "CA") == 0) {
			snprintf(value, sizeof value, "%.*s", (int)strcspn(at + 1, "]"), at + 1);
			set = find_set(value);
		}
		name[0] = name[1] = '\0';
		at = sgf_value_skip(SGF_SET_UNKNOWN, at);
	}
	/* Programs that change the bytes of a file may leave CA as it was. */
	return is_utf8(root, at) ? SGF_SET_UNKNOWN : set;
}
