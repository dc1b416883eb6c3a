/* SPDX-License-Identifier: MIT
 *
 * The page is readable without scripts, except for the games, which it holds as data: an index of each match, and
 * the packed moves at its end, behind all that is seen at first. Its content security policy forbids all requests and
 * all scripts but the page's own.
 */
#include "tools/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/embed.h"
#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "protocol/records/file.h"
#include "protocol/records/layout.h"
#include "protocol/web/assets.h"
#include "tools/lib/markup.h"
#include "tools/lib/message.h"
#include "tools/match/collection.h"
#include "tools/report/csv.h"
#include "tools/report/game_list.h"
#include "tools/report/plots.h"
#include "tools/report/tables.h"

EMBED(report_css, "tools/report/report.css");
EMBED(report_js, "tools/report/report.js");

static void begin_match(const struct page *p)
{
	const struct game *g = p->match->game;
	const struct summary *sum = &p->summary;
	char position[POSITION_TEXT_MAX];
	struct state start;
	struct text *out = p->out;
	g->start(g, &start);
	game_position(g, &start, position);
	text_printf(out,
		    "<section class=\"match\" id=\"m%d\" data-start=\"%.*s\">\n<script "
		    "type=\"application/json\" class=\"layout\">",
		    p->number + 1, g->board.rows * g->board.cols, position);
	markup_json(out, layout_json(g));
	text_printf(out, "</script>\n<h2>%s <span>%s</span></h2><p class=\"terms\">", g->title,
		    g->rules);
	markup_text(out, p->match->terms);
	text_printf(out, " \xc2\xb7 %d games", sum->standings.games);
	if (sum->first) {
		text_puts(out, " \xc2\xb7 ");
		page_put_date(p, sum->first);
		if (sum->last / 86400 != sum->first / 86400) {
			text_puts(out, " to ");
			page_put_date(p, sum->last);
		}
	}
	text_puts(out, "</p>\n");
}

static bool write_match(struct page *p, char why[DATABASE_REASON_MAX])
{
	struct summary *sum = &p->summary;
	bool good = summary_read(sum, p->database, p->number, why);
	p->shown = good && sum->standings.games;
	if (p->shown) {
		bool two = sum->standings.player_count == 2 && sum->standings.pairing_count == 1;
		begin_match(p);
		page_begin_card(p, "sum");
		if (two)
			tables_duel(p);
		tables_players(p);
		page_end_card(p);
		text_puts(p->out, "<div class=\"cards\">\n");
		if (!two) {
			plots_ratings(p);
			tables_crosstable(p);
			tables_pairings(p);
		}
		if (two && sum->standings.test)
			plots_test(p);
		if (two)
			plots_course(p);
		if (two && sum->standings.paired)
			plots_pairs(p);
		tables_colors(p);
		tables_drops(p);
		tables_times(p);
		tables_openings(p);
		tables_ends(p);
		text_puts(p->out, "</div>\n");
		good = game_list_write(p, why);
		text_puts(p->out, "</section>\n");
	}
	summary_free(sum);
	return good;
}

static void put_asset(struct text *out, const char *name)
{
	const struct asset *a = asset_find(name);
	text_write(out, a->data, asset_size(a));
}

static void begin_page(struct text *out, const char *name, const char *nonce)
{
	text_printf(
		out,
		"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src 'nonce-%s'; style-src 'nonce-%s'; base-uri 'none'; form-action "
		"'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
		nonce, nonce);
	markup_text(out, name);
	text_printf(out, " \xc2\xb7 yomi report</title>\n<style nonce=\"%s\">\n", nonce);
	put_asset(out, "board.css");
	/* cppcheck-suppress comparePointers */
	text_write(out, report_css, (size_t)(report_css_end - report_css));
	text_puts(out, "</style></head>\n<body><header><h1>yomi "
		       "<span>\xe8\xaa\xad\xe3\x81\xbf</span></h1><p>");
	markup_text(out, name);
	text_puts(out, "</p><button type=\"button\" id=\"theme\" hidden>Dark</button></header>\n");
}

static void write_contents(struct text *out, const struct database *db)
{
	if (!database_match(db, 1))
		return;
	text_puts(out, "<nav><ul>");
	for (int i = 0; database_match(db, i); i++) {
		const struct match *match = database_match(db, i);
		text_printf(out, "<li><a href=\"#m%d\">%s</a> <small>", i + 1, match->game->title);
		markup_text(out, match->terms);
		text_puts(out, "</small></li>");
	}
	text_puts(out, "</ul></nav>\n");
}

/* The script stands before the blocks, so that it runs while they are read. */
static void end_page(struct text *out, const char *nonce, const struct text *blocks)
{
	text_printf(out, "</main>\n<script nonce=\"%s\">\n", nonce);
	put_asset(out, "ground.js");
	put_asset(out, "board.js");
	/* cppcheck-suppress comparePointers */
	text_write(out, report_js, (size_t)(report_js_end - report_js));
	text_puts(out, "</script>\n");
	text_write(out, blocks->bytes, blocks->length);
	text_puts(out, "</body></html>\n");
}

/* Makes a random nonce, so that text in the page cannot pose as the page's own script. */
static void make_nonce(char nonce[33])
{
	unsigned char bytes[16];
	system_entropy(bytes, sizeof bytes);
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
}

static bool write_page(struct text *out, struct database *db, const char *name,
		       char why[DATABASE_REASON_MAX])
{
	char nonce[33];
	struct text blocks = { 0 };
	bool good = true, shown = false;
	make_nonce(nonce);
	begin_page(out, name, nonce);
	write_contents(out, db);
	text_puts(out, "<main>\n");
	for (int i = 0; good && database_match(db, i); i++) {
		struct page p = {
			.out = out,
			.blocks = &blocks,
			.database = db,
			.number = i,
			.match = database_match(db, i),
		};
		good = write_match(&p, why);
		shown |= p.shown;
	}
	if (!shown)
		text_puts(out, "<p class=\"note\">There are no games in this file yet.</p>\n");
	end_page(out, nonce, &blocks);
	text_free(&blocks);
	return good;
}

int report_run(const char *path, const struct game *game, enum report_form form, const char *output)
{
	char why[DATABASE_REASON_MAX] = "", reason[REASON_MAX];
	const char *slash = strrchr(path, '/');
	/* Without memory the program ends: JSON is never incomplete. */
	json_set_alloc_funcs(xmalloc, free);
	struct database *db = collection_open(path, game, why);
	bool good = db;
	struct text text = { 0 };
	if (good) {
		good = form == REPORT_GAMES ? csv_write_games(&text, db, why)
		       : form == REPORT_PAIRS
			       ? csv_write_pairs(&text, db, why)
			       : write_page(&text, db, slash ? slash + 1 : path, why);
		database_close(db);
	}
	if (good && output && !file_save(output, text.bytes, text.length, reason)) {
		snprintf(why, sizeof why, "%s", reason);
		good = false;
	}
	if (good && !output)
		text_send(&text, stdout);
	if (!good)
		message("%s", why);
	text_free(&text);
	return good ? 0 : EXIT_FAILURE;
}
