/* SPDX-License-Identifier: MIT */
#include "protocol/web/assets.h"

#include <string.h>

#include "engine/embed.h"

EMBED(web_index, "protocol/web/index.html");
EMBED(web_board_css, "protocol/web/board.css");
EMBED(web_page_css, "protocol/web/page.css");
EMBED(web_board, "protocol/web/board.js");
EMBED(web_charts, "protocol/web/charts.js");
EMBED(web_link, "protocol/web/link.js");
EMBED(web_page, "protocol/web/page.js");
EMBED(web_text, "protocol/web/text.js");

#define HTML "text/html; charset=utf-8"
#define CSS  "text/css; charset=utf-8"
#define JS   "text/javascript; charset=utf-8"

const struct asset assets[] = {
	{ "index.html", HTML, web_index, web_index_end },
	{ "board.css", CSS, web_board_css, web_board_css_end },
	{ "page.css", CSS, web_page_css, web_page_css_end },
	{ "board.js", JS, web_board, web_board_end },
	{ "charts.js", JS, web_charts, web_charts_end },
	{ "link.js", JS, web_link, web_link_end },
	{ "page.js", JS, web_page, web_page_end },
	{ "text.js", JS, web_text, web_text_end },
	{ NULL },
};

const struct asset *asset_find(const char *name)
{
	for (const struct asset *a = assets; a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}
