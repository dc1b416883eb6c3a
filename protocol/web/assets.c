/* SPDX-License-Identifier: MIT */
#include "protocol/web/assets.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/embed.h"
#include "engine/base/memory.h"

/* clang-format off */
#define SCRIPTS(X) \
	X(aside) X(board) X(carrier) X(charts) X(clock) X(dialogs) X(dom) X(engine) X(ground) X(guides) \
	X(lessons) X(link) X(moves) X(openings) X(page) X(panel) X(play) X(players) X(proofs) X(puzzle) X(puzzles) X(reasons) \
	X(records) X(scores) X(sgf) X(sound) X(stage) X(state) X(store) X(text) X(tree)
#define STYLES(X) X(board) X(page)
/* clang-format on */

#define EMBED_SCRIPT(name) EMBED(web_##name##_js, "protocol/web/" #name ".js");
#define EMBED_STYLE(name)  EMBED(web_##name##_css, "protocol/web/" #name ".css");
EMBED(web_index, "protocol/web/index.html");
SCRIPTS(EMBED_SCRIPT)
STYLES(EMBED_STYLE)

#define HTML         "text/html; charset=utf-8"
#define CSS          "text/css; charset=utf-8"
#define JS           "text/javascript; charset=utf-8"

#define SCRIPT(name) { #name ".js", JS, web_##name##_js, web_##name##_js_end },
#define STYLE(name)  { #name ".css", CSS, web_##name##_css, web_##name##_css_end },

const struct asset assets[] = {
	{ "index.html", HTML, web_index, web_index_end },
	/* clang-format off */
	SCRIPTS(SCRIPT)
	STYLES(STYLE)
	/* clang-format on */
	{ NULL },
};

const struct asset *asset_find(const char *name)
{
	for (const struct asset *a = assets; a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

#define GZIP_WINDOW (MAX_WBITS + 16) /* makes zlib write gzip's head and tail */
#define MEM_LEVEL   8                /* zlib's default */

const unsigned char *asset_gzip(const struct asset *a, size_t *size)
{
	static struct {
		unsigned char *bytes;
		size_t size;
	} packed[sizeof assets / sizeof assets[0]];
	size_t i = (size_t)(a - assets);
	if (!packed[i].bytes) {
		z_stream z = { 0 };
		/* Memory is the only reason to fail. */
		if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEM_LEVEL,
				 Z_DEFAULT_STRATEGY) != Z_OK)
			out_of_memory();
		size_t room = deflateBound(&z, (uLong)asset_size(a));
		packed[i].bytes = xmalloc(room);
		z.next_in = (unsigned char *)(uintptr_t)a->data;
		z.avail_in = (uInt)asset_size(a);
		z.next_out = packed[i].bytes;
		z.avail_out = (uInt)room;
		deflate(&z, Z_FINISH);
		packed[i].size = z.total_out;
		deflateEnd(&z);
	}
	*size = packed[i].size;
	return packed[i].bytes;
}
