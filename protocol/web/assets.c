/* SPDX-License-Identifier: MIT */
#include "protocol/web/assets.h"

#include <string.h>

#include "engine/embed.h"

/* clang-format off */
#define SCRIPTS(X) \
	X(board) X(charts) X(clock) X(dialogs) X(dom) X(engine) X(ground) X(guides) X(link) \
	X(moves) X(page) X(panel) X(play) X(players) X(reasons) X(records) X(scores) X(sgf) X(sound) \
	X(stage) X(state) X(store) X(text) X(tree)
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
