/* SPDX-License-Identifier: MIT */
#include "tools/report/pack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/memory.h"

#define PRECISION 10 /* digits of numbers */

/* Compresses bytes. Returns the result, whose size goes to *size; the caller frees it. */
static unsigned char *deflate_bytes(const char *bytes, size_t count, size_t *size)
{
	z_stream z = { 0 };
	/* Memory is the only reason to fail. */
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		out_of_memory();
	size_t room = deflateBound(&z, (uLong)count);
	unsigned char *packed = xmalloc(room);
	z.next_in = (unsigned char *)(uintptr_t)bytes;
	z.avail_in = (uInt)count;
	z.next_out = packed;
	z.avail_out = (uInt)room;
	deflate(&z, Z_FINISH);
	*size = z.total_out;
	deflateEnd(&z);
	return packed;
}

static void put_base64(struct text *out, const unsigned char *bytes, size_t count)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < count; i += 3) {
		size_t left = count - i;
		unsigned group = (unsigned)bytes[i] << 16;
		if (left > 1)
			group |= (unsigned)bytes[i + 1] << 8;
		if (left > 2)
			group |= bytes[i + 2];
		text_putc(out, digits[group >> 18]);
		text_putc(out, digits[group >> 12 & 63]);
		text_putc(out, left > 1 ? digits[group >> 6 & 63] : '=');
		text_putc(out, left > 2 ? digits[group & 63] : '=');
	}
}

static void write_block(struct pack *p)
{
	char *text = json_dumps(p->games, JSON_COMPACT | JSON_REAL_PRECISION(PRECISION));
	if (!text)
		out_of_memory();
	size_t size;
	unsigned char *packed = deflate_bytes(text, strlen(text), &size);
	text_printf(p->out,
		    "<script type=\"application/octet-stream\" class=\"block\" data-match=\"%d\">",
		    p->match);
	put_base64(p->out, packed, size);
	text_puts(p->out, "</script>\n");
	free(packed);
	free(text);
	json_decref(p->games);
	p->games = NULL;
}

void pack_add(struct pack *p, json_t *game)
{
	if (!p->games)
		p->games = json_array();
	json_array_append_new(p->games, game);
	if (json_array_size(p->games) == PACK_GAMES)
		write_block(p);
}

void pack_end(struct pack *p)
{
	if (p->games)
		write_block(p);
}
