/* SPDX-License-Identifier: MIT
 *
 * A page while it is written: the match that it shows, and numbers, names and cards in HTML. A card is a framed
 * part of the page.
 */
#ifndef TOOLS_REPORT_PAGE_H
#define TOOLS_REPORT_PAGE_H

#include "engine/base/text.h"
#include "tools/report/summary.h"

#define PAGE_COLORS 8 /* number of colours of players; class s0 is the first */
#define PAGE_MINUS  "\xe2\x88\x92"

struct page {
	struct text *out;
	struct text *blocks; /* packed games, the end of the page */
	struct database *database;
	int number; /* index of the match */
	const struct match *match;
	struct summary summary;
	bool shown; /* it has games */
};

const struct match_engine *page_engine(const struct page *, int player);

/* A player's letter in its colour; its name. */
void page_put_chip(const struct page *, int player);
void page_put_name(const struct page *, int player);

/* A number with its sign; with a sign only if it is negative. Minus is the typographic sign. */
void page_put_signed(const struct page *, double, int digits);
void page_put_number(const struct page *, double, int digits);

/* Elo, its interval, the interval of a score in percent. */
void page_put_elo(const struct page *, const struct interval *);
void page_put_elo_interval(const struct page *, const struct interval *);
void page_put_percents(const struct page *, const struct interval *score);

/* Points, half a point as the character for 1/2; seconds in a suitable unit, NAN: unknown; a date from
 * seconds since 1970. */
void page_put_points(const struct page *, double points);
void page_put_seconds(const struct page *, double seconds);
void page_put_date(const struct page *, int64_t seconds);

/* Won, drawn and lost games as a bar. */
void page_put_bar(const struct page *, const struct tally *);

void page_begin_card(const struct page *, const char *classes);
void page_end_card(const struct page *);

#endif
