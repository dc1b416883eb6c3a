/* SPDX-License-Identifier: MIT */
#include "protocol/assets.h"

#include <string.h>

#define EMBED(symbol, file)                                                                        \
	__asm__(".section .rodata\n" #symbol ": .incbin \"protocol/web/" file "\"\n" #symbol       \
		"_end: .byte 0\n"                                                                  \
		".previous\n");                                                                    \
	extern const char symbol[], symbol##_end[] /* NOLINT(bugprone-macro-parentheses) */

EMBED(web_index, "index.html");
EMBED(web_board_css, "board.css");
EMBED(web_page_css, "page.css");
EMBED(web_board, "board.js");
EMBED(web_charts, "charts.js");
EMBED(web_link, "link.js");
EMBED(web_page, "page.js");
EMBED(web_text, "text.js");
EMBED(web_report_css, "report.css");
EMBED(web_report, "report.js");

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
	{ "report.css", CSS, web_report_css, web_report_css_end },
	{ "report.js", JS, web_report, web_report_end },
	{ NULL },
};

const struct asset *asset_find(const char *name)
{
	for (const struct asset *a = assets; a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}
