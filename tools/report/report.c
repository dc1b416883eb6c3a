/* SPDX-License-Identifier: MIT
 *
 * The page is readable without scripts, except for the games, which it holds as data: an index of each match, and
 * the packed moves at its end, behind all that is seen at first. Its content security policy forbids all requests and
 * all scripts but the page's own.
 */
#include "tools/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "engine/base/embed.h"
#include "engine/base/memory.h"
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
	FILE *f = p->f;
	g->start(g, &start);
	game_position(g, &start, position);
	fprintf(f,
		"<section class=\"match\" id=\"m%d\" data-start=\"%.*s\">\n<script "
		"type=\"application/json\" class=\"layout\">",
		p->number + 1, g->board.rows * g->board.cols, position);
	markup_json(f, layout_json(g));
	fprintf(f, "</script>\n<h2>%s <span>%s</span></h2><p class=\"terms\">", g->title, g->rules);
	markup_text(f, p->match->terms);
	fprintf(f, " \xc2\xb7 %d games", sum->standings.games);
	if (sum->first) {
		fputs(" \xc2\xb7 ", f);
		page_put_date(p, sum->first);
		if (sum->last / 86400 != sum->first / 86400) {
			fputs(" to ", f);
			page_put_date(p, sum->last);
		}
	}
	fputs("</p>\n", f);
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
		fputs("<div class=\"cards\">\n", p->f);
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
		fputs("</div>\n", p->f);
		good = game_list_write(p, why);
		fputs("</section>\n", p->f);
	}
	summary_free(sum);
	return good;
}

static void put_asset(FILE *f, const char *name)
{
	const struct asset *a = asset_find(name);
	fwrite(a->data, 1, asset_size(a), f);
}

static void begin_page(FILE *f, const char *name, const char *nonce)
{
	fprintf(f,
		"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src 'nonce-%s'; style-src 'nonce-%s'; base-uri 'none'; form-action "
		"'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
		nonce, nonce);
	markup_text(f, name);
	fprintf(f, " \xc2\xb7 yomi report</title>\n<style nonce=\"%s\">\n", nonce);
	put_asset(f, "board.css");
	/* cppcheck-suppress comparePointers */
	fwrite(report_css, 1, (size_t)(report_css_end - report_css), f);
	fputs("</style></head>\n<body><header><h1>yomi "
	      "<span>\xe8\xaa\xad\xe3\x81\xbf</span></h1><p>",
	      f);
	markup_text(f, name);
	fputs("</p><button type=\"button\" id=\"theme\" hidden>Dark</button></header>\n", f);
}

static void write_contents(FILE *f, const struct database *db)
{
	if (!database_match(db, 1))
		return;
	fputs("<nav><ul>", f);
	for (int i = 0; database_match(db, i); i++) {
		const struct match *match = database_match(db, i);
		fprintf(f, "<li><a href=\"#m%d\">%s</a> <small>", i + 1, match->game->title);
		markup_text(f, match->terms);
		fputs("</small></li>", f);
	}
	fputs("</ul></nav>\n", f);
}

/* The script stands before the blocks, so that it runs while they are read. */
static void end_page(FILE *f, const char *nonce, const char *blocks)
{
	fprintf(f, "</main>\n<script nonce=\"%s\">\n", nonce);
	put_asset(f, "ground.js");
	put_asset(f, "board.js");
	/* cppcheck-suppress comparePointers */
	fwrite(report_js, 1, (size_t)(report_js_end - report_js), f);
	fprintf(f, "</script>\n%s</body></html>\n", blocks);
}

/* Makes a random nonce, so that text in the page cannot pose as the page's own script. */
static void make_nonce(char nonce[33])
{
	unsigned char bytes[16];
	if (getentropy(bytes, sizeof bytes) != 0)
		abort(); /* every supported system has it */
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
}

static bool write_page(FILE *f, struct database *db, const char *name,
		       char why[DATABASE_REASON_MAX])
{
	char nonce[33], *text;
	size_t size;
	FILE *blocks = text_open(&text, &size);
	bool good = true, shown = false;
	make_nonce(nonce);
	begin_page(f, name, nonce);
	write_contents(f, db);
	fputs("<main>\n", f);
	for (int i = 0; good && database_match(db, i); i++) {
		struct page p = {
			.f = f,
			.blocks = blocks,
			.database = db,
			.number = i,
			.match = database_match(db, i),
		};
		good = write_match(&p, why);
		shown |= p.shown;
	}
	if (!shown)
		fputs("<p class=\"note\">There are no games in this file yet.</p>\n", f);
	fclose(blocks);
	end_page(f, nonce, text);
	free(text);
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
	char *text = NULL;
	size_t size = 0;
	if (good) {
		FILE *f = text_open(&text, &size);
		good = form == REPORT_GAMES   ? csv_write_games(f, db, why)
		       : form == REPORT_PAIRS ? csv_write_pairs(f, db, why)
					      : write_page(f, db, slash ? slash + 1 : path, why);
		fclose(f);
		database_close(db);
	}
	if (good && output && !file_save_text(output, text, reason)) {
		snprintf(why, sizeof why, "%s", reason);
		good = false;
	}
	if (good && !output)
		fwrite(text, 1, size, stdout);
	if (!good)
		message("%s", why);
	free(text);
	return good ? 0 : EXIT_FAILURE;
}
