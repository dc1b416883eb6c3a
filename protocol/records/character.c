/* SPDX-License-Identifier: MIT */
#include "protocol/records/character.h"

size_t character_read(const char *text, uint32_t *character)
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
