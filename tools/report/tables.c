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
	fputs("<p class=\"elo\"><b>", p->f);
	page_put_elo(p, elo);
	fprintf(p->f, "</b> <span>%s</span> <small>", name);
	page_put_elo_interval(p, elo);
	fputs("</small></p>", p->f);
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
	FILE *f = p->f;
	fputs("<div class=\"duel\"><p class=\"score\"><span>", f);
	page_put_chip(p, 0);
	fprintf(f, " scores</span> <b>%.1f %%</b> <small>", 100 * s.mean);
	page_put_percents(p, &s);
	fputs("</small></p>", f);
	put_elo_figure(p, "Elo", &elo);
	put_elo_figure(p, "normalised Elo", &normalised);
	fputs("<div class=\"result\">", f);
	page_put_bar(p, &all);
	fprintf(f,
		"<p><span class=\"won\">%d won</span><span class=\"drawn\">%d drawn</span><span "
		"class=\"lost\">%d lost</span></p></div></div>\n<p class=\"note facts\">",
		all.games[2], all.games[1], all.games[0]);
	page_put_chip(p, 0);
	fprintf(f, " is stronger with a likelihood of superiority (LOS) of %.1f %%.",
		100 * statistics_superiority(st, a));
	if (pairs.all)
		fprintf(f, " %d of %d pairs (%.1f %%) are decided: one engine has more points.",
			pairs.decided, pairs.all, 100.0 * pairs.decided / pairs.all);
	fprintf(f,
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
	FILE *f = p->f;
	statistics_ratings(s, ratings);
	fprintf(f,
		"<div class=\"wide\"><table "
		"class=\"players\"><thead><tr><th>Player</th><th>Engine</th><th>Games</th><th>Won</"
		"th><th>Drawn</th><th>Lost</th><th>Score</th><th>95 "
		"%%</th>%s<th>Forfeits</th></tr></thead><tbody>\n",
		rated ? "<th>Elo</th><th>95 %</th>" : "");
	for (int i = 0; i < s->player_count; i++) {
		const struct match_engine *e = page_engine(p, i);
		struct tally all = tally_sum(s->players[i].tally);
		struct interval score = statistics_score(s, (struct view) { i, ANY, ANY });
		fputs("<tr><td>", f);
		page_put_chip(p, i);
		fputs("</td><th scope=\"row\">", f);
		page_put_name(p, i);
		if (*e->command && strcmp(e->command, e->name) != 0) {
			fputs("<code>", f);
			markup_text(f, e->command);
			fputs("</code>", f);
		}
		if (*e->version) {
			fputs("<small>", f);
			markup_text(f, e->version);
			fputs("</small>", f);
		}
		fprintf(f, "</th><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%.1f %%</td><td>",
			tally_games(&all), all.games[2], all.games[1], all.games[0],
			100 * score.mean);
		page_put_percents(p, &score);
		if (rated) {
			fputs("</td><td>", f);
			page_put_elo(p, &ratings[i]);
			fputs("</td><td>", f);
			page_put_elo_interval(p, &ratings[i]);
		}
		fprintf(f, "</td><td>%d</td></tr>\n", standing_forfeits(&s->players[i]));
	}
	fputs("</tbody></table></div>\n", f);
	free(ratings);
}

/* Writes the points of each row's player against each column's. */
void tables_crosstable(const struct page *p)
{
	const struct standings *s = &p->summary.standings;
	FILE *f = p->f;
	page_begin_card(p, "cross");
	fputs("<h3>Crosstable</h3><p class=\"note\">Points of each row's engine against each "
	      "column's, its score with the 95 % interval.</p><div "
	      "class=\"wide\"><table><thead><tr><th>Player</th>",
	      f);
	for (int i = 0; i < s->player_count; i++) {
		fputs("<th>", f);
		page_put_chip(p, i);
		fputs("</th>", f);
	}
	fputs("</tr></thead><tbody>\n", f);
	for (int row = 0; row < s->player_count; row++) {
		fputs("<tr><th scope=\"row\">", f);
		page_put_chip(p, row);
		fputs(" ", f);
		page_put_name(p, row);
		fputs("</th>", f);
		for (int column = 0; column < s->player_count; column++) {
			const struct view v = { row, column, ANY };
			struct tally all = statistics_tally(s, v);
			struct interval score = statistics_score(s, v);
			if (!tally_games(&all)) {
				fputs("<td class=\"none\"></td>", f);
				continue;
			}
			fprintf(f, "<td class=\"heat%d\"><b>", (int)lround(score.mean * 8));
			page_put_points(p, tally_points(&all));
			fprintf(f, "</b> of %d<small>%.0f %% (%.0f \xe2\x80\xa6 %.0f)</small></td>",
				tally_games(&all), 100 * score.mean, 100 * score.low,
				100 * score.high);
		}
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	page_end_card(p);
}

/* Writes the pairs of games of a pairing: how many brought the first player each number of points. */
static void write_outcomes(const struct page *p, const struct pairing *pair)
{
	struct pair_counts n = statistics_pairs(&p->summary.standings, pair);
	for (int i = 0; i < SPRT_OUTCOMES; i++)
		fprintf(p->f, "<td>%d</td>", pair->outcomes[i]);
	if (n.all)
		fprintf(p->f, "<td>%.1f %%</td>", 100.0 * n.decided / n.all);
	else
		fputs("<td>\xe2\x80\x93</td>", p->f);
}

/* Writes the figures of each pairing: likelihood of superiority, normalised Elo, pairs of games. */
void tables_pairings(const struct page *p)
{
	const struct standings *s = &p->summary.standings;
	FILE *f = p->f;
	page_begin_card(p, "pairings");
	fputs("<h3>Pairings</h3><p class=\"note\">LOS: likelihood that the first is stronger.", f);
	if (s->paired)
		fputs(" 0 to 2: number of pairs of games (an opening with both colours) that "
		      "brought it so many points. Decided: pairs that do not end 1 : 1.",
		      f);
	fputs("</p><div class=\"wide tall\" "
	      "tabindex=\"0\"><table class=\"sortable\"><thead><tr><th>Pairing</th><th>Games</th>"
	      "<th>Score</th><th>LOS</th><th>Normalised Elo</th>",
	      f);
	if (s->paired)
		fputs("<th>0</th><th>\xc2\xbd</th><th>1</th><th>1\xc2\xbd</th><th>2</th>"
		      "<th>Decided</th>",
		      f);
	fputs("</tr></thead><tbody>\n", f);
	for (int i = 0; i < s->pairing_count; i++) {
		const struct pairing *pair = &s->pairings[i];
		const struct view v = { pair->players[0], pair->players[1], ANY };
		struct tally all = statistics_tally(s, v);
		struct interval normalised = statistics_normalised(s, pair);
		fputs("<tr><th scope=\"row\">", f);
		page_put_chip(p, v.player);
		fputs(" ", f);
		page_put_chip(p, v.opponent);
		fprintf(f, "</th><td>%d</td><td>%.1f %%</td><td>%.1f %%</td><td>",
			tally_games(&all), 100 * tally_score(&all),
			100 * statistics_superiority(s, v));
		page_put_elo(p, &normalised);
		fputs("</td>", f);
		if (s->paired)
			write_outcomes(p, pair);
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
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
	FILE *f = p->f;
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
	fputs("<h3>How games were lost</h3><div class=\"wide\"><table><thead><tr><th>Player</th>",
	      f);
	for (int end = 0; end < END_COUNT; end++)
		if (ends[end])
			fprintf(f, "<th>%s</th>", words[end]);
	fputs("</tr></thead><tbody>\n", f);
	for (int i = 0; i < s->player_count; i++) {
		fputs("<tr><th scope=\"row\">", f);
		page_put_chip(p, i);
		fputs("</th>", f);
		for (int end = 0; end < END_COUNT; end++)
			if (ends[end])
				fprintf(f, "<td>%d</td>", s->players[i].ends[end]);
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	page_end_card(p);
}

static void write_color_row(const struct page *p, const char *name, struct view v)
{
	FILE *f = p->f;
	struct tally t = statistics_tally(&p->summary.standings, v);
	struct interval score = statistics_score(&p->summary.standings, v);
	if (!tally_games(&t))
		return;
	fputs("<tr><th scope=\"row\">", f);
	if (v.player != ANY)
		page_put_chip(p, v.player);
	fprintf(f,
		"%s</th><td>%d</td><td>%d</td><td>%d</td><td>%.1f %%</td><td>%.1f \xe2\x80\xa6 "
		"%.1f</td><td class=\"bar-cell\">",
		name, t.games[2], t.games[1], t.games[0], 100 * score.mean, 100 * score.low,
		100 * score.high);
	page_put_bar(p, &t);
	fputs("</td></tr>\n", f);
}

void tables_colors(const struct page *p)
{
	const struct standings *s = &p->summary.standings;
	page_begin_card(p, "colors");
	fputs("<h3>Colours</h3><div class=\"wide\"><table><thead><tr><th>Who</th><th>Won</th>"
	      "<th>Drawn</th><th>Lost</th><th>Score</th><th>95 %</th><th>Games</th></tr></thead>"
	      "<tbody>\n",
	      p->f);
	write_color_row(p, "Black, of all", (struct view) { ANY, ANY, BLACK });
	for (int i = 0; i < s->player_count; i++) {
		write_color_row(p, " as Black", (struct view) { i, ANY, BLACK });
		write_color_row(p, " as White", (struct view) { i, ANY, WHITE });
	}
	fputs("</tbody></table></div>\n", p->f);
	page_end_card(p);
}

/* Writes points of a number of games. */
static void put_share(const struct page *p, double points, int played, bool coloured)
{
	fprintf(p->f, "<td data-value=\"%.4f\"", points / played);
	if (coloured)
		fprintf(p->f, " class=\"heat%d\"", (int)lround(8 * points / played));
	fputs(">", p->f);
	page_put_points(p, points);
	fputs("</td>", p->f);
}

void tables_openings(const struct page *p)
{
	const struct summary *sum = &p->summary;
	bool two = sum->standings.player_count == 2;
	FILE *f = p->f;
	if (sum->standings.different == 1 && !*sum->standings.sorted[0]->text)
		return;
	page_begin_card(p, "openings");
	fprintf(f,
		"<h3>Openings</h3><div class=\"wide tall\" tabindex=\"0\"><table "
		"class=\"sortable\"><thead><tr><th>Opening</th><th>Moves</th><th>Games</th>%s"
		"<th>Black</th></tr></thead><tbody>\n",
		two ? "<th>A</th>" : "");
	for (int i = 0; i < sum->opening_count; i++) {
		const struct opening_summary *o = &sum->openings[i];
		if (!o->games)
			continue;
		fprintf(f, "<tr><td>%d</td><td class=\"moves\">", i);
		markup_text(f, sum->standings.of[i]->text);
		fprintf(f, "</td><td>%d</td>", o->games);
		if (two)
			put_share(p, o->a, o->games, true);
		put_share(p, o->black, o->games, false);
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	page_end_card(p);
}

void tables_times(const struct page *p)
{
	const struct summary *sum = &p->summary;
	const struct standings *s = &sum->standings;
	FILE *f = p->f;
	int moves = 0;
	for (int i = 0; i < s->player_count; i++)
		moves += s->players[i].seconds.count;
	if (moves == 0)
		return;
	page_begin_card(p, "");
	plots_times(p);
	fputs("<div "
	      "class=\"wide\"><table><thead><tr><th>Player</th><th>Moves</th><th>Median</"
	      "th><th>Mean</"
	      "th><th>Longest</th><th>All</th></tr></thead><tbody>\n",
	      f);
	for (int i = 0; i < s->player_count; i++) {
		const struct standing *one = &s->players[i];
		const double seconds[] = { standing_median(one), sum->spent[i] / one->seconds.count,
					   standing_longest(one), sum->spent[i] };
		fputs("<tr><th scope=\"row\">", f);
		page_put_chip(p, i);
		fprintf(f, "</th><td>%d</td>", one->seconds.count);
		for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++) {
			fputs("<td>", f);
			page_put_seconds(p, one->seconds.count ? seconds[k] : NAN);
			fputs("</td>", f);
		}
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	page_end_card(p);
}

static void put_value(const struct page *p, double value)
{
	fputs("<td>", p->f);
	page_put_signed(p, value, 2);
	fputs("</td>", p->f);
}

void tables_drops(const struct page *p)
{
	const struct summary *sum = &p->summary;
	FILE *f = p->f;
	page_begin_card(p, "drops");
	if (sum->drop_count == 0) {
		fputs("<h3>Where games were lost</h3><p class=\"note\">The losers reported no "
		      "evaluations that fell.</p>\n",
		      f);
		page_end_card(p);
		return;
	}
	plots_drops(p);
	fputs("<p class=\"note\">In each lost game, the move after which the loser's own "
	      "evaluation fell most (" PAGE_MINUS "1: lost, +1: won). The largest drops:</p><div "
	      "class=\"wide\"><table><thead><tr><th>Loser</th><th>Game</th><th>Move</"
	      "th><th>Before</th><th>After</th></tr></thead><tbody>\n",
	      f);
	for (int i = 0; i < sum->drop_count && i < SUMMARY_DROPS; i++) {
		const struct drop *drop = &sum->drops[i];
		fputs("<tr><td>", f);
		page_put_chip(p, drop->player);
		fprintf(f, "</td><td><a href=\"#g%" PRId64 ".%d\">%" PRId64 "</a></td><td>%d</td>",
			drop->game, drop->move, drop->game, drop->move);
		put_value(p, drop->before);
		put_value(p, drop->after);
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	page_end_card(p);
}
