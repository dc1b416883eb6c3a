/* SPDX-License-Identifier: MIT */
#include "tools/report/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "tools/lib/markup.h"
#include "tools/report/plots.h"

/* Writes a figure of a match of two players: its value, its name, its interval. */
static void put_elo_figure(const struct page *p, const char *name, const struct interval *elo)
{
	text_puts(p->out, "<p class=\"elo\"><b>");
	page_put_elo(p, elo);
	text_printf(p->out, "</b> <span>%s</span> <small>", name);
	page_put_elo_interval(p, elo);
	text_puts(p->out, "</small></p>");
}

/* Writes the result of a match of two players. */
void tables_duel(const struct page *p)
{
	const struct standings *st = &p->summary.standings;
	const struct pairing *pair = &st->pairings[0];
	const struct view a = { 0, 1, ANY };
	struct interval s = statistics_score(st, a), elo = elo_interval(&s),
			normalised = statistics_normalised(st, pair);
	struct pair_counts pairs = statistics_pairs(st, pair);
	struct tally all = statistics_tally(st, a);
	struct text *out = p->out;
	text_puts(out, "<div class=\"duel\"><p class=\"score\"><span>");
	page_put_chip(p, 0);
	text_printf(out, " scores</span> <b>%.1f %%</b> <small>", 100 * s.mean);
	page_put_percents(p, &s);
	text_puts(out, "</small></p>");
	put_elo_figure(p, "Elo", &elo);
	put_elo_figure(p, "normalised Elo", &normalised);
	text_puts(out, "<div class=\"result\">");
	page_put_bar(p, &all);
	text_printf(
		out,
		"<p><span class=\"won\">%d won</span><span class=\"drawn\">%d drawn</span><span "
		"class=\"lost\">%d lost</span></p></div></div>\n<p class=\"note facts\">",
		all.games[2], all.games[1], all.games[0]);
	page_put_chip(p, 0);
	text_printf(out, " is stronger with a likelihood of superiority (LOS) of %.1f %%.",
		    100 * statistics_superiority(st, a));
	if (pairs.all)
		text_printf(out,
			    " %d of %d pairs (%.1f %%) are decided: one engine has more points.",
			    pairs.decided, pairs.all, 100.0 * pairs.decided / pairs.all);
	text_printf(
		out,
		" %d different openings. Intervals are of 95 %% and treat all games of an opening "
		"as "
		"dependent.</p>\n",
		st->different);
}

void tables_players(const struct page *p)
{
	const struct standings *s = &p->summary.standings;
	struct interval *ratings = xcalloc((size_t)s->player_count, sizeof *ratings);
	bool rated = s->player_count > 2;
	struct text *out = p->out;
	statistics_ratings(s, ratings);
	text_printf(
		out,
		"<div class=\"wide\"><table "
		"class=\"players\"><thead><tr><th>Player</th><th>Engine</th><th>Games</th><th>Won</"
		"th><th>Drawn</th><th>Lost</th><th>Score</th><th>95 "
		"%%</th>%s<th>Forfeits</th></tr></thead><tbody>\n",
		rated ? "<th>Elo</th><th>95 %</th>" : "");
	for (int i = 0; i < s->player_count; i++) {
		const struct match_engine *e = page_engine(p, i);
		struct tally all = tally_sum(s->players[i].tally);
		struct interval score = statistics_score(s, (struct view) { i, ANY, ANY });
		text_puts(out, "<tr><td>");
		page_put_chip(p, i);
		text_puts(out, "</td><th scope=\"row\">");
		page_put_name(p, i);
		if (*e->command && strcmp(e->command, e->name) != 0) {
			text_puts(out, "<code>");
			markup_text(out, e->command);
			text_puts(out, "</code>");
		}
		if (*e->version) {
			text_puts(out, "<small>");
			markup_text(out, e->version);
			text_puts(out, "</small>");
		}
		text_printf(out,
			    "</th><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%.1f %%</td><td>",
			    tally_games(&all), all.games[2], all.games[1], all.games[0],
			    100 * score.mean);
		page_put_percents(p, &score);
		if (rated) {
			text_puts(out, "</td><td>");
			page_put_elo(p, &ratings[i]);
			text_puts(out, "</td><td>");
			page_put_elo_interval(p, &ratings[i]);
		}
		text_printf(out, "</td><td>%d</td></tr>\n", standing_forfeits(&s->players[i]));
	}
	text_puts(out, "</tbody></table></div>\n");
	free(ratings);
}

/* Writes the points of each row's player against each column's. */
void tables_crosstable(const struct page *p)
{
	const struct standings *s = &p->summary.standings;
	struct text *out = p->out;
	page_begin_card(p, "cross");
	text_puts(out,
		  "<h3>Crosstable</h3><p class=\"note\">Points of each row's engine against each "
		  "column's, its score with the 95 % interval.</p><div "
		  "class=\"wide\"><table><thead><tr><th>Player</th>");
	for (int i = 0; i < s->player_count; i++) {
		text_puts(out, "<th>");
		page_put_chip(p, i);
		text_puts(out, "</th>");
	}
	text_puts(out, "</tr></thead><tbody>\n");
	for (int row = 0; row < s->player_count; row++) {
		text_puts(out, "<tr><th scope=\"row\">");
		page_put_chip(p, row);
		text_puts(out, " ");
		page_put_name(p, row);
		text_puts(out, "</th>");
		for (int column = 0; column < s->player_count; column++) {
			const struct view v = { row, column, ANY };
			struct tally all = statistics_tally(s, v);
			struct interval score = statistics_score(s, v);
			if (!tally_games(&all)) {
				text_puts(out, "<td class=\"none\"></td>");
				continue;
			}
			text_printf(out, "<td class=\"heat%d\"><b>", (int)lround(score.mean * 8));
			page_put_points(p, tally_points(&all));
			text_printf(
				out,
				"</b> of %d<small>%.0f %% (%.0f \xe2\x80\xa6 %.0f)</small></td>",
				tally_games(&all), 100 * score.mean, 100 * score.low,
				100 * score.high);
		}
		text_puts(out, "</tr>\n");
	}
	text_puts(out, "</tbody></table></div>\n");
	page_end_card(p);
}

/* Writes the pairs of games of a pairing: how many brought the first player each number of points. */
static void write_outcomes(const struct page *p, const struct pairing *pair)
{
	struct pair_counts n = statistics_pairs(&p->summary.standings, pair);
	for (int i = 0; i < SPRT_OUTCOMES; i++)
		text_printf(p->out, "<td>%d</td>", pair->outcomes[i]);
	if (n.all)
		text_printf(p->out, "<td>%.1f %%</td>", 100.0 * n.decided / n.all);
	else
		text_puts(p->out, "<td>\xe2\x80\x93</td>");
}

/* Writes the figures of each pairing: likelihood of superiority, normalised Elo, pairs of games. */
void tables_pairings(const struct page *p)
{
	const struct standings *s = &p->summary.standings;
	struct text *out = p->out;
	page_begin_card(p, "pairings");
	text_puts(out,
		  "<h3>Pairings</h3><p class=\"note\">LOS: likelihood that the first is stronger.");
	if (s->paired)
		text_puts(out,
			  " 0 to 2: number of pairs of games (an opening with both colours) that "
			  "brought it so many points. Decided: pairs that do not end 1 : 1.");
	text_puts(
		out,
		"</p><div class=\"wide tall\" "
		"tabindex=\"0\"><table class=\"sortable\"><thead><tr><th>Pairing</th><th>Games</th>"
		"<th>Score</th><th>LOS</th><th>Normalised Elo</th>");
	if (s->paired)
		text_puts(out, "<th>0</th><th>\xc2\xbd</th><th>1</th><th>1\xc2\xbd</th><th>2</th>"
			       "<th>Decided</th>");
	text_puts(out, "</tr></thead><tbody>\n");
	for (int i = 0; i < s->pairing_count; i++) {
		const struct pairing *pair = &s->pairings[i];
		const struct view v = { pair->players[0], pair->players[1], ANY };
		struct tally all = statistics_tally(s, v);
		struct interval normalised = statistics_normalised(s, pair);
		text_puts(out, "<tr><th scope=\"row\">");
		page_put_chip(p, v.player);
		text_puts(out, " ");
		page_put_chip(p, v.opponent);
		text_printf(out, "</th><td>%d</td><td>%.1f %%</td><td>%.1f %%</td><td>",
			    tally_games(&all), 100 * tally_score(&all),
			    100 * statistics_superiority(s, v));
		page_put_elo(p, &normalised);
		text_puts(out, "</td>");
		if (s->paired)
			write_outcomes(p, pair);
		text_puts(out, "</tr>\n");
	}
	text_puts(out, "</tbody></table></div>\n");
	page_end_card(p);
}

/* Writes how many games each player lost in which way. */
void tables_ends(const struct page *p)
{
	static const char *const words[END_COUNT] = {
		"by the rules",   "resigned",          "out of time",       "illegal move",
		"invalid answer", "refused a command", "no answer in time", "died",
	};
	const struct standings *s = &p->summary.standings;
	struct text *out = p->out;
	int ends[END_COUNT] = { 0 }, lost = 0;
	for (int i = 0; i < s->player_count; i++)
		for (int end = 0; end < END_COUNT; end++) {
			ends[end] += s->players[i].ends[end];
			lost += s->players[i].ends[end];
		}
	/* Nothing to show if all were lost by the rules. */
	if (lost == ends[END_OVER])
		return;
	page_begin_card(p, "ends");
	text_puts(out, "<h3>How games were lost</h3><div "
		       "class=\"wide\"><table><thead><tr><th>Player</th>");
	for (int end = 0; end < END_COUNT; end++)
		if (ends[end])
			text_printf(out, "<th>%s</th>", words[end]);
	text_puts(out, "</tr></thead><tbody>\n");
	for (int i = 0; i < s->player_count; i++) {
		text_puts(out, "<tr><th scope=\"row\">");
		page_put_chip(p, i);
		text_puts(out, "</th>");
		for (int end = 0; end < END_COUNT; end++)
			if (ends[end])
				text_printf(out, "<td>%d</td>", s->players[i].ends[end]);
		text_puts(out, "</tr>\n");
	}
	text_puts(out, "</tbody></table></div>\n");
	page_end_card(p);
}

static void write_color_row(const struct page *p, const char *name, struct view v)
{
	struct text *out = p->out;
	struct tally t = statistics_tally(&p->summary.standings, v);
	struct interval score = statistics_score(&p->summary.standings, v);
	if (!tally_games(&t))
		return;
	text_puts(out, "<tr><th scope=\"row\">");
	if (v.player != ANY)
		page_put_chip(p, v.player);
	text_printf(out,
		    "%s</th><td>%d</td><td>%d</td><td>%d</td><td>%.1f %%</td><td>%.1f \xe2\x80\xa6 "
		    "%.1f</td><td class=\"bar-cell\">",
		    name, t.games[2], t.games[1], t.games[0], 100 * score.mean, 100 * score.low,
		    100 * score.high);
	page_put_bar(p, &t);
	text_puts(out, "</td></tr>\n");
}

void tables_colors(const struct page *p)
{
	const struct standings *s = &p->summary.standings;
	page_begin_card(p, "colors");
	text_puts(
		p->out,
		"<h3>Colours</h3><div class=\"wide\"><table><thead><tr><th>Who</th><th>Won</th>"
		"<th>Drawn</th><th>Lost</th><th>Score</th><th>95 %</th><th>Games</th></tr></thead>"
		"<tbody>\n");
	write_color_row(p, "Black, of all", (struct view) { ANY, ANY, BLACK });
	for (int i = 0; i < s->player_count; i++) {
		write_color_row(p, " as Black", (struct view) { i, ANY, BLACK });
		write_color_row(p, " as White", (struct view) { i, ANY, WHITE });
	}
	text_puts(p->out, "</tbody></table></div>\n");
	page_end_card(p);
}

/* Writes points of a number of games. */
static void put_share(const struct page *p, double points, int played, bool coloured)
{
	text_printf(p->out, "<td data-value=\"%.4f\"", points / played);
	if (coloured)
		text_printf(p->out, " class=\"heat%d\"", (int)lround(8 * points / played));
	text_puts(p->out, ">");
	page_put_points(p, points);
	text_puts(p->out, "</td>");
}

void tables_openings(const struct page *p)
{
	const struct summary *sum = &p->summary;
	bool two = sum->standings.player_count == 2;
	struct text *out = p->out;
	if (sum->standings.different == 1 && !*sum->standings.sorted[0]->text)
		return;
	page_begin_card(p, "openings");
	text_printf(out,
		    "<h3>Openings</h3><div class=\"wide tall\" tabindex=\"0\"><table "
		    "class=\"sortable\"><thead><tr><th>Opening</th><th>Moves</th><th>Games</th>%s"
		    "<th>Black</th></tr></thead><tbody>\n",
		    two ? "<th>A</th>" : "");
	for (int i = 0; i < sum->opening_count; i++) {
		const struct opening_summary *o = &sum->openings[i];
		if (!o->games)
			continue;
		text_printf(out, "<tr><td>%d</td><td class=\"moves\">", i);
		markup_text(out, sum->standings.of[i]->text);
		text_printf(out, "</td><td>%d</td>", o->games);
		if (two)
			put_share(p, o->a, o->games, true);
		put_share(p, o->black, o->games, false);
		text_puts(out, "</tr>\n");
	}
	text_puts(out, "</tbody></table></div>\n");
	page_end_card(p);
}

void tables_times(const struct page *p)
{
	const struct summary *sum = &p->summary;
	const struct standings *s = &sum->standings;
	struct text *out = p->out;
	int moves = 0;
	for (int i = 0; i < s->player_count; i++)
		moves += s->players[i].seconds.count;
	if (moves == 0)
		return;
	page_begin_card(p, "");
	plots_times(p);
	text_puts(out, "<div "
		       "class=\"wide\"><table><thead><tr><th>Player</th><th>Moves</th><th>Median</"
		       "th><th>Mean</"
		       "th><th>Longest</th><th>All</th></tr></thead><tbody>\n");
	for (int i = 0; i < s->player_count; i++) {
		const struct standing *one = &s->players[i];
		const double seconds[] = { standing_median(one), sum->spent[i] / one->seconds.count,
					   standing_longest(one), sum->spent[i] };
		text_puts(out, "<tr><th scope=\"row\">");
		page_put_chip(p, i);
		text_printf(out, "</th><td>%d</td>", one->seconds.count);
		for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++) {
			text_puts(out, "<td>");
			page_put_seconds(p, one->seconds.count ? seconds[k] : NAN);
			text_puts(out, "</td>");
		}
		text_puts(out, "</tr>\n");
	}
	text_puts(out, "</tbody></table></div>\n");
	page_end_card(p);
}

static void put_value(const struct page *p, double value)
{
	text_puts(p->out, "<td>");
	page_put_signed(p, value, 2);
	text_puts(p->out, "</td>");
}

void tables_drops(const struct page *p)
{
	const struct summary *sum = &p->summary;
	struct text *out = p->out;
	page_begin_card(p, "drops");
	if (sum->drop_count == 0) {
		text_puts(out,
			  "<h3>Where games were lost</h3><p class=\"note\">The losers reported no "
			  "evaluations that fell.</p>\n");
		page_end_card(p);
		return;
	}
	plots_drops(p);
	text_puts(out, "<p class=\"note\">In each lost game, the move after which the loser's own "
		       "evaluation fell most (" PAGE_MINUS
		       "1: lost, +1: won). The largest drops:</p><div "
		       "class=\"wide\"><table><thead><tr><th>Loser</th><th>Game</th><th>Move</"
		       "th><th>Before</th><th>After</th></tr></thead><tbody>\n");
	for (int i = 0; i < sum->drop_count && i < SUMMARY_DROPS; i++) {
		const struct drop *drop = &sum->drops[i];
		text_puts(out, "<tr><td>");
		page_put_chip(p, drop->player);
		text_printf(out,
			    "</td><td><a href=\"#g%" PRId64 ".%d\">%" PRId64 "</a></td><td>%d</td>",
			    drop->game, drop->move, drop->game, drop->move);
		put_value(p, drop->before);
		put_value(p, drop->after);
		text_puts(out, "</tr>\n");
	}
	text_puts(out, "</tbody></table></div>\n");
	page_end_card(p);
}
