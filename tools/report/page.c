/* SPDX-License-Identifier: MIT */
#include "tools/report/page.h"

#include <math.h>
#include <time.h>

#include "tools/lib/markup.h"

#define BETWEEN " \xe2\x80\xa6 " /* between the ends of an interval */

const struct match_engine *page_engine(const struct page *p, int player)
{
	return database_engine(p->database, p->summary.standings.players[player].engine);
}

void page_put_chip(const struct page *p, int player)
{
	char label[LABEL_MAX];
	text_printf(p->out, "<b class=\"chip s%d\">%s</b>", player % PAGE_COLORS,
		    player_label(player, label));
}

void page_put_name(const struct page *p, int player)
{
	text_puts(p->out, "<bdi>");
	markup_text(p->out, page_engine(p, player)->name);
	text_puts(p->out, "</bdi>");
}

void page_put_signed(const struct page *p, double x, int digits)
{
	bool below = x < 0 && (isinf(x) || fabs(x) * pow(10, digits) >= 0.5);
	text_puts(p->out, below ? PAGE_MINUS : "+");
	if (isinf(x))
		text_puts(p->out, "\xe2\x88\x9e");
	else
		text_printf(p->out, "%.*f", digits, fabs(x));
}

void page_put_number(const struct page *p, double x, int digits)
{
	if (x < 0)
		page_put_signed(p, x, digits);
	else
		text_printf(p->out, "%.*f", digits, x);
}

void page_put_elo(const struct page *p, const struct interval *elo)
{
	if (elo_is_known(elo))
		page_put_signed(p, elo->mean, 0);
	else
		text_puts(p->out, "\xe2\x80\x93");
}

void page_put_elo_interval(const struct page *p, const struct interval *elo)
{
	if (!elo_is_known(elo)) {
		text_puts(p->out, elo_unknown(elo));
		return;
	}
	page_put_signed(p, elo->low, 0);
	text_puts(p->out, BETWEEN);
	page_put_signed(p, elo->high, 0);
}

void page_put_percents(const struct page *p, const struct interval *s)
{
	text_printf(p->out, "%.1f" BETWEEN "%.1f %%", 100 * s->low, 100 * s->high);
}

void page_put_points(const struct page *p, double points)
{
	double whole = floor(points);
	bool half = points > whole;
	if (whole > 0 || !half)
		text_printf(p->out, "%.0f", whole);
	if (half)
		text_puts(p->out, "\xc2\xbd");
}

void page_put_seconds(const struct page *p, double seconds)
{
	if (isnan(seconds))
		text_puts(p->out, "\xe2\x80\x93");
	else if (seconds < 1)
		text_printf(p->out, "%.*f ms", seconds < 0.01 ? 2 : 0, 1000 * seconds);
	else if (seconds < 600)
		text_printf(p->out, "%.*f s", seconds < 10 ? 2 : 1, seconds);
	else
		text_printf(p->out, "%.0f:%02.0f:%02.0f h", floor(seconds / 3600),
			    floor(fmod(seconds / 60, 60)), floor(fmod(seconds, 60)));
}

void page_put_date(const struct page *p, int64_t seconds)
{
	char text[32] = "";
	time_t when = (time_t)seconds;
	struct tm day;
	if (gmtime_r(&when, &day))
		strftime(text, sizeof text, "%Y-%m-%d", &day);
	text_puts(p->out, text);
}

void page_put_bar(const struct page *p, const struct tally *t)
{
	static const char *const names[] = { "lost", "drawn", "won" };
	text_puts(p->out,
		  "<svg class=\"bar-of\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
		  "aria-hidden=\"true\">");
	double x = 0;
	int all = tally_games(t);
	for (int points = 2; points >= 0 && all; points--) {
		double width = 100.0 * t->games[points] / all;
		text_printf(p->out, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"10\"/>",
			    names[points], x, width);
		x += width;
	}
	text_puts(p->out, "</svg>");
}

void page_begin_card(const struct page *p, const char *classes)
{
	text_printf(p->out, "<section class=\"card %s\">\n", classes);
}

void page_end_card(const struct page *p)
{
	text_puts(p->out, "</section>\n");
}
