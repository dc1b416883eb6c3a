/* SPDX-License-Identifier: MIT
 *
 * The report of a match as an HTML page. It is readable without scripts, except for the games, which it
 * holds as data. Its content security policy forbids all requests and all scripts but the page's own.
 */
#include "tools/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "engine/embed.h"
#include "engine/memory.h"
#include "protocol/records/file.h"
#include "protocol/web/assets.h"
#include "tools/lib/markup.h"
#include "tools/lib/plot.h"
#include "tools/match/collection.h"
#include "tools/report/replay.h"
#include "tools/report/summary.h"

EMBED(report_css, "tools/report/report.css");
EMBED(report_js, "tools/report/report.js");

#define ELO_SHOWN   800 /* limit of plots */
#define PLOT_HIGH   280
#define COUNT_SHOWN 4 /* least upper end of an axis of counts: its ticks are integers */
#define COLORS      8 /* number of colours of series */
#define MINUS       "\xe2\x88\x92"
#define BETWEEN     " \xe2\x80\xa6 " /* between the ends of an interval */
#define TIMES       "\xc3\x97"

/* The state of writing one match. */
struct page {
	FILE *f;
	struct database *database;
	int number; /* number of the match */
	const struct match *match;
	struct summary summary;
	bool shown;      /* it has games */
	int64_t damaged; /* id of a game with an illegal move */
};

/* --- words and numbers --- */

static const struct match_engine *engine_of(const struct page *p, int player)
{
	return database_engine(p->database, p->summary.standings.players[player].engine);
}

/* A player's letter in its colour. */
static void put_chip(const struct page *p, int player)
{
	char label[LABEL_MAX];
	fprintf(p->f, "<b class=\"chip s%d\">%s</b>", player % COLORS, player_label(player, label));
}

static void put_name(const struct page *p, int player)
{
	fputs("<bdi>", p->f);
	markup_text(p->f, engine_of(p, player)->name);
	fputs("</bdi>", p->f);
}

/* Writes a number with its sign; minus is the typographic sign. */
static void put_signed(FILE *f, double x, int digits)
{
	bool below = x < 0 && (isinf(x) || fabs(x) * pow(10, digits) >= 0.5);
	fputs(below ? MINUS : "+", f);
	if (isinf(x))
		fputs("\xe2\x88\x9e", f);
	else
		fprintf(f, "%.*f", digits, fabs(x));
}

/* Same, with a sign only if the number is negative. */
static void put_number(FILE *f, double x, int digits)
{
	if (x < 0)
		put_signed(f, x, digits);
	else
		fprintf(f, "%.*f", digits, x);
}

static void put_elo(FILE *f, const struct interval *elo)
{
	if (elo_is_known(elo))
		put_signed(f, elo->mean, 0);
	else
		fputs("\xe2\x80\x93", f);
}

static void put_elo_interval(FILE *f, const struct interval *elo)
{
	if (!elo_is_known(elo)) {
		fputs("too few openings", f);
		return;
	}
	put_signed(f, elo->low, 0);
	fputs(BETWEEN, f);
	put_signed(f, elo->high, 0);
}

static void put_percents(FILE *f, const struct interval *s)
{
	fprintf(f, "%.1f" BETWEEN "%.1f %%", 100 * s->low, 100 * s->high);
}

static double points_of(const struct tally *t)
{
	return t->games[2] + t->games[1] / 2.0;
}

static double share_of(const struct tally *t)
{
	int played = tally_games(t);
	return played ? points_of(t) / played : 0;
}

/* Points in halves: 1, 1½. */
static void put_points(FILE *f, double points)
{
	double whole = floor(points);
	bool half = points > whole;
	if (whole > 0 || !half)
		fprintf(f, "%.0f", whole);
	if (half)
		fputs("\xc2\xbd", f);
}

static void put_seconds(FILE *f, double seconds)
{
	if (isnan(seconds))
		fputs("\xe2\x80\x93", f);
	else if (seconds < 1)
		fprintf(f, "%.*f ms", seconds < 0.01 ? 2 : 0, 1000 * seconds);
	else if (seconds < 600)
		fprintf(f, "%.*f s", seconds < 10 ? 2 : 1, seconds);
	else
		fprintf(f, "%.0f:%02.0f:%02.0f h", floor(seconds / 3600),
			floor(fmod(seconds / 60, 60)), floor(fmod(seconds, 60)));
}

static void put_date(FILE *f, int64_t seconds)
{
	char text[32] = "";
	time_t when = (time_t)seconds;
	struct tm day;
	if (gmtime_r(&when, &day))
		strftime(text, sizeof text, "%F", &day);
	fputs(text, f);
}

/* Won, drawn and lost games as a bar. */
static void put_bar(FILE *f, const struct tally *t)
{
	static const char *const names[] = { "lost", "drawn", "won" };
	fputs("<svg class=\"bar-of\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
	      "aria-hidden=\"true\">",
	      f);
	double x = 0;
	int all = tally_games(t);
	for (int points = 2; points >= 0 && all; points--) {
		double width = 100.0 * t->games[points] / all;
		fprintf(f, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"10\"/>",
			names[points], x, width);
		x += width;
	}
	fputs("</svg>", f);
}

/* --- who played, and how it ended --- */

/* Writes the result of a match of two players. */
static void write_duel(struct page *p)
{
	const struct pairing *pair = &p->summary.standings.pairings[0];
	struct interval s = pairing_score(pair), elo = elo_interval(&s);
	struct tally all = tally_sum(pair->tally);
	FILE *f = p->f;
	fputs("<div class=\"duel\"><p class=\"score\"><span>", f);
	put_chip(p, 0);
	fprintf(f, " scores</span> <b>%.1f %%</b> <small>", 100 * s.mean);
	put_percents(f, &s);
	fputs("</small></p><p class=\"elo\"><b>", f);
	put_elo(f, &elo);
	fputs("</b> <span>Elo</span> <small>", f);
	put_elo_interval(f, &elo);
	fputs("</small></p><div class=\"result\">", f);
	put_bar(f, &all);
	fprintf(f,
		"<p><span class=\"won\">%d won</span><span class=\"drawn\">%d drawn</span>"
		"<span class=\"lost\">%d lost</span></p></div></div>\n",
		all.games[2], all.games[1], all.games[0]);
}

static void write_players(struct page *p)
{
	const struct standings *s = &p->summary.standings;
	struct interval *ratings = xcalloc((size_t)s->player_count, sizeof *ratings);
	bool rated = s->player_count > 2;
	FILE *f = p->f;
	standings_ratings(s, ratings);
	fprintf(f,
		"<div class=\"wide\"><table class=\"players\"><thead><tr><th></th><th>Engine</th>"
		"<th>Games</th><th>Won</th><th>Drawn</th><th>Lost</th><th>Score</th>"
		"<th>95 %%</th>%s<th>Forfeits</th></tr></thead><tbody>\n",
		rated ? "<th>Elo</th><th>95 %</th>" : "");
	for (int i = 0; i < s->player_count; i++) {
		const struct match_engine *e = engine_of(p, i);
		struct tally all = tally_sum(s->players[i].tally);
		struct interval score = standing_score(s, i);
		fputs("<tr><td>", f);
		put_chip(p, i);
		fputs("</td><th scope=\"row\">", f);
		put_name(p, i);
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
		put_percents(f, &score);
		if (rated) {
			fputs("</td><td>", f);
			put_elo(f, &ratings[i]);
			fputs("</td><td>", f);
			put_elo_interval(f, &ratings[i]);
		}
		fprintf(f, "</td><td>%d</td></tr>\n", standing_forfeits(&s->players[i]));
	}
	fputs("</tbody></table></div>\n", f);
	free(ratings);
}

static void begin_card(struct page *p, const char *classes)
{
	fprintf(p->f, "<section class=\"card %s\">\n", classes);
}

static void end_card(struct page *p)
{
	fputs("</section>\n", p->f);
}

/* Writes the points of each row's player against each column's. */
static void write_cross_table(struct page *p)
{
	const struct standings *s = &p->summary.standings;
	FILE *f = p->f;
	begin_card(p, "cross");
	fputs("<h3>Each against each</h3><div class=\"wide\"><table><thead><tr><th></th>", f);
	for (int i = 0; i < s->player_count; i++) {
		fputs("<th>", f);
		put_chip(p, i);
		fputs("</th>", f);
	}
	fputs("</tr></thead><tbody>\n", f);
	for (int row = 0; row < s->player_count; row++) {
		fputs("<tr><th scope=\"row\">", f);
		put_chip(p, row);
		fputs(" ", f);
		put_name(p, row);
		fputs("</th>", f);
		for (int column = 0; column < s->player_count; column++) {
			const struct pairing *pair = standings_find(s, row, column);
			if (!pair) {
				fputs("<td class=\"none\"></td>", f);
				continue;
			}
			struct tally all = tally_sum(pair->tally);
			bool mine = pair->players[0] == row;
			double share = mine ? share_of(&all) : 1 - share_of(&all);
			double points = mine ? points_of(&all)
					     : tally_games(&all) - points_of(&all);
			fprintf(f, "<td class=\"heat%d\"><b>", (int)lround(share * 8));
			put_points(f, points);
			fprintf(f, "</b><small>of %d</small></td>", tally_games(&all));
		}
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	end_card(p);
}

/* Writes how many games each player lost in which way. */
static void write_ends(struct page *p)
{
	static const char *const words[END_COUNT] = {
		"by the rules",  "resigned", "out of time",    "illegal move",
		"no GTP answer", "refused",  "gave no answer", "died",
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
	begin_card(p, "ends");
	fputs("<h3>How games were lost</h3><div class=\"wide\"><table><thead><tr><th></th>", f);
	for (int end = 0; end < END_COUNT; end++)
		if (ends[end])
			fprintf(f, "<th>%s</th>", words[end]);
	fputs("</tr></thead><tbody>\n", f);
	for (int i = 0; i < s->player_count; i++) {
		fputs("<tr><th scope=\"row\">", f);
		put_chip(p, i);
		fputs("</th>", f);
		for (int end = 0; end < END_COUNT; end++)
			if (ends[end])
				fprintf(f, "<td>%d</td>", s->players[i].ends[end]);
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	end_card(p);
}

/* --- strength --- */

static void plot_ratings(struct page *p)
{
	const struct standings *s = &p->summary.standings;
	struct interval *r = xcalloc((size_t)s->player_count, sizeof *r);
	struct plot plot;
	char label[LABEL_MAX];
	double least = 0, most = 0, row = 30;
	int known = 0;
	standings_ratings(s, r);
	for (int i = 0; i < s->player_count; i++) {
		if (!elo_is_known(&r[i]))
			continue;
		least = fmin(least, r[i].low);
		most = fmax(most, r[i].high);
		known++;
	}
	if (!known) {
		free(r);
		return;
	}
	double margin = (most - least) / 20 + 10;
	begin_card(p, "");
	plot_begin(&plot, p->f, row * s->player_count + 64, "elo", "Elo, and where it lies by 95 %",
		   "Elo of all engines with their intervals");
	plot_axes(&plot, least - margin, most + margin, "Elo, the mean of all at 0", 0,
		  s->player_count, NULL, "");
	fprintf(p->f, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%.1f\"/>\n",
		plot_x(&plot, 0), plot_x(&plot, 0), plot.top, plot.bottom);
	for (int i = 0; i < s->player_count; i++) {
		double y = plot_y(&plot, s->player_count - i - 0.5);
		plot_words(&plot, plot.left - 16, y + 5, "end", player_label(i, label));
		if (!elo_is_known(&r[i]))
			continue;
		fprintf(p->f,
			"<g class=\"whisker s%d\"><title>%+.0f (%+.0f .. %+.0f)</title>"
			"<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/></g>\n",
			i % COLORS, r[i].mean, r[i].low, r[i].high, plot_x(&plot, r[i].low),
			plot_x(&plot, r[i].high), y, y, plot_x(&plot, r[i].mean), y);
	}
	plot_end(&plot);
	end_card(p);
	free(r);
}

/* Plots A's Elo during the match. */
static void plot_course(struct page *p)
{
	const struct summary *sum = &p->summary;
	int n = sum->sample_count;
	double *x = xcalloc((size_t)n * 4 + 1, sizeof *x), *mean = x + n, *low = mean + n,
	       *high = low + n;
	double least = 0, most = 0;
	for (int i = 0; i < n; i++) {
		const struct sample *s = &sum->samples[i];
		x[i] = s->games;
		mean[i] = fmax(-ELO_SHOWN, fmin(ELO_SHOWN, elo_of_score(s->score.mean)));
		low[i] = fmax(-ELO_SHOWN, elo_of_score(s->score.low));
		high[i] = fmin(ELO_SHOWN, elo_of_score(s->score.high));
		/* The first games have wide intervals that would make the rest small. */
		if (i >= n / 8) {
			least = fmin(least, low[i]);
			most = fmax(most, high[i]);
		}
	}
	struct plot plot;
	begin_card(p, "");
	plot_begin(&plot, p->f, PLOT_HIGH, "elo", "Elo of A as games came in",
		   "Elo of A and its 95 % interval over the games");
	plot_axes(&plot, 0, p->summary.standings.games, "games", least, most, "Elo", "+%g");
	plot_band(&plot, "s0", x, low, high, n);
	plot_line(&plot, "s0", x, mean, n);
	plot_rule(&plot, "zero", 0, "");
	plot_end(&plot);
	end_card(p);
	free(x);
}

static void plot_test(struct page *p)
{
	const struct summary *sum = &p->summary;
	const struct sprt *test = sum->standings.test;
	const struct pairing *pair = &sum->standings.pairings[0];
	int n = sum->sample_count;
	double *x = xcalloc((size_t)n * 2 + 1, sizeof *x), *llr = x + n;
	double lower = sprt_lower(test), upper = sprt_upper(test), least = lower, most = upper;
	char words[64], label[128];
	FILE *f = p->f;
	for (int i = 0; i < n; i++) {
		x[i] = sum->samples[i].games;
		llr[i] = sum->samples[i].llr;
		least = fmin(least, llr[i]);
		most = fmax(most, llr[i]);
	}
	struct plot plot;
	begin_card(p, "test");
	snprintf(label, sizeof label, "Log-likelihood ratio over the games, bounds %.2f and %.2f",
		 lower, upper);
	plot_begin(&plot, f, PLOT_HIGH, "sprt", "Sequential test", label);
	double margin = (most - least) / 12;
	plot_axes(&plot, 0, sum->standings.games, "games", least - margin, most + margin, "LLR",
		  "%g");
	snprintf(words, sizeof words, "Elo %g accepted", test->elo1);
	plot_rule(&plot, "bound good", upper, words);
	snprintf(words, sizeof words, "Elo %g accepted", test->elo0);
	plot_rule(&plot, "bound bad", lower, words);
	plot_line(&plot, "s0", x, llr, n);
	plot_end(&plot);
	fprintf(f, "<p class=\"verdict\">Is A stronger by %g Elo rather than by %g? ", test->elo1,
		test->elo0);
	if (pair->verdict == VERDICT_OPEN)
		fputs("<b>Not decided</b>: LLR ", f);
	else
		fprintf(f, "<b>%s</b>, after %d games: LLR ",
			pair->verdict == VERDICT_ELO1 ? "Yes" : "No", pair->decided);
	put_number(f, pair->llr, 2);
	fputs(", bounds ", f);
	put_number(f, lower, 2);
	fputs(" and ", f);
	put_number(f, upper, 2);
	fprintf(f, ". The chances of a wrong answer are %g and %g.</p>\n", test->alpha, test->beta);
	end_card(p);
	free(x);
}

/* Plots how many pairs of games brought A each number of points. */
static void plot_pairs(struct page *p)
{
	static const char *const names[] = { "0", "\xc2\xbd", "1", "1\xc2\xbd", "2" };
	const struct pairing *pair = &p->summary.standings.pairings[0];
	struct plot plot;
	char says[64];
	int most = 1;
	for (int i = 0; i < SPRT_OUTCOMES; i++)
		most = pair->outcomes[i] > most ? pair->outcomes[i] : most;
	begin_card(p, "");
	plot_begin(&plot, p->f, PLOT_HIGH, "pairs", "Points of A in the two games of an opening",
		   "How many openings brought A 0, 1/2, 1, 1 1/2 and 2 points");
	plot_axes(&plot, -0.5, 4.5, NULL, 0, fmax(most, COUNT_SHOWN), "openings", "%g");
	for (int i = 0; i < SPRT_OUTCOMES; i++) {
		snprintf(says, sizeof says, "%s: %d", names[i], pair->outcomes[i]);
		plot_bar(&plot,
			 i < 2   ? "s1"
			 : i > 2 ? "s0"
				 : "even",
			 i - 0.36, i + 0.36, pair->outcomes[i], says);
		plot_words(&plot, plot_x(&plot, i), plot.bottom + 19, "middle", names[i]);
	}
	plot_end(&plot);
	end_card(p);
}

/* --- colours and openings --- */

static void write_color_row(struct page *p, const char *name, int player, const struct tally *t)
{
	FILE *f = p->f;
	if (!tally_games(t))
		return;
	fputs("<tr><th scope=\"row\">", f);
	if (player >= 0)
		put_chip(p, player);
	fprintf(f,
		"%s</th><td>%d</td><td>%d</td><td>%d</td><td>%.1f %%</td><td class=\"bar-cell\">",
		name, t->games[2], t->games[1], t->games[0], 100 * share_of(t));
	put_bar(f, t);
	fputs("</td></tr>\n", f);
}

static void write_colors(struct page *p)
{
	const struct standings *s = &p->summary.standings;
	begin_card(p, "colors");
	fputs("<h3>Colours</h3><div class=\"wide\"><table><thead><tr><th></th><th>Won</th><th>Drawn"
	      "</th><th>Lost</th><th>Score</th><th></th></tr></thead><tbody>\n",
	      p->f);
	write_color_row(p, "Black, of all", -1, &p->summary.black);
	for (int i = 0; i < s->player_count; i++) {
		write_color_row(p, " as Black", i, &s->players[i].tally[BLACK]);
		write_color_row(p, " as White", i, &s->players[i].tally[WHITE]);
	}
	fputs("</tbody></table></div>\n", p->f);
	end_card(p);
}

static void write_openings(struct page *p)
{
	const struct summary *sum = &p->summary;
	bool two = sum->standings.player_count == 2;
	FILE *f = p->f;
	if (sum->opening_moves == 0)
		return;
	begin_card(p, "openings");
	fprintf(f,
		"<h3>Openings</h3><div class=\"wide tall\" "
		"tabindex=\"0\"><table><thead><tr><th></th>"
		"<th>Moves</th><th>Games</th>%s<th>Black</th></tr></thead><tbody>\n",
		two ? "<th>A</th>" : "");
	for (int i = 0; i < sum->opening_count; i++) {
		const struct opening_summary *o = &sum->openings[i];
		if (!o->moves)
			continue;
		fprintf(f, "<tr><td>%d</td><td class=\"moves\">", i);
		markup_text(f, o->moves);
		fprintf(f, "</td><td>%d</td>", o->games);
		if (two) {
			fprintf(f, "<td class=\"heat%d\">", (int)lround(8 * o->a / o->games));
			put_points(f, o->a);
			fputs("</td>", f);
		}
		fputs("<td>", f);
		put_points(f, o->black);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	end_card(p);
}

/* --- time, and where games were lost --- */

/* Labels the series of the players. */
static void put_keys(struct plot *plot, int players)
{
	char label[LABEL_MAX], classes[8];
	for (int i = 0; i < players; i++) {
		snprintf(classes, sizeof classes, "s%d", i % COLORS);
		plot_key(plot, classes, players - 1 - i, player_label(i, label));
	}
}

static void plot_times(struct page *p)
{
	const struct summary *sum = &p->summary;
	int players = sum->standings.player_count, n = sum->pace_count;
	double *x = xcalloc((size_t)n * 4 + 1, sizeof *x), *low = x + n, *median = low + n,
	       *high = median + n;
	double most = 0;
	char classes[8];
	struct plot plot;
	for (int player = 0; player < players; player++)
		for (int i = 0; i < n; i++)
			most = fmax(most, summary_pace(sum, player, i)->high);
	plot_begin(&plot, p->f, PLOT_HIGH, "time", "Time a move",
		   "Median of the seconds of each move of the game, with the middle 80 %");
	double unit = most < 1 ? 1000 : 1;
	plot_axes(&plot, 0, sum->move_count, "move of the game", 0, most * unit,
		  most < 1 ? "ms" : "s", "%g");
	for (int player = 0; player < players; player++) {
		for (int i = 0; i < n; i++) {
			const struct pace *pace = summary_pace(sum, player, i);
			x[i] = 2 * i + 1.5;
			low[i] = pace->moves ? pace->low * unit : NAN;
			median[i] = pace->moves ? pace->median * unit : NAN;
			high[i] = pace->moves ? pace->high * unit : NAN;
		}
		snprintf(classes, sizeof classes, "s%d", player % COLORS);
		if (players <= 3)
			plot_band(&plot, classes, x, low, high, n);
		plot_line(&plot, classes, x, median, n);
	}
	put_keys(&plot, players <= COLORS ? players : 0);
	plot_end(&plot);
	free(x);
}

static void write_times(struct page *p)
{
	const struct summary *sum = &p->summary;
	const struct standings *s = &sum->standings;
	FILE *f = p->f;
	int moves = 0;
	for (int i = 0; i < s->player_count; i++)
		moves += s->players[i].moves;
	if (moves == 0)
		return;
	begin_card(p, "");
	plot_times(p);
	fputs("<div class=\"wide\"><table><thead><tr><th></th><th>Moves</th><th>Median</th>"
	      "<th>Mean</th><th>Longest</th><th>All</th></tr></thead><tbody>\n",
	      f);
	for (int i = 0; i < s->player_count; i++) {
		const struct standing *one = &s->players[i];
		const double seconds[] = { standing_median(one), sum->spent[i] / one->moves,
					   standing_longest(one), sum->spent[i] };
		fputs("<tr><th scope=\"row\">", f);
		put_chip(p, i);
		fprintf(f, "</th><td>%d</td>", one->moves);
		for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++) {
			fputs("<td>", f);
			put_seconds(f, one->moves ? seconds[k] : NAN);
			fputs("</td>", f);
		}
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	end_card(p);
}

#define FALL_BINS 20

static void plot_falls(struct page *p)
{
	const struct summary *sum = &p->summary;
	int players = sum->standings.player_count <= 2 ? sum->standings.player_count : 1;
	int wide = (sum->move_count + FALL_BINS - 1) / FALL_BINS, most = 1;
	int counts[2][FALL_BINS + 1] = { 0 };
	char says[64], classes[8];
	for (int i = 0; i < sum->fall_count; i++) {
		int *bin = &counts[players == 2 ? sum->falls[i].player : 0]
				  [(sum->falls[i].move - 1) / wide];
		if (++*bin > most)
			most = *bin;
	}
	struct plot plot;
	plot_begin(&plot, p->f, PLOT_HIGH, "lost", "Where games were lost",
		   "Moves after which the losers' expectations fell most, over the game");
	plot_axes(&plot, 0, sum->move_count, "move of the game", 0, fmax(most, COUNT_SHOWN),
		  "games", "%g");
	for (int player = 0; player < players; player++) {
		snprintf(classes, sizeof classes, players == 2 ? "s%d" : "even", player);
		for (int i = 0; i * wide < sum->move_count; i++) {
			double left = i * wide + 0.08 * wide, span = 0.84 * wide / players;
			if (!counts[player][i])
				continue;
			snprintf(says, sizeof says, "moves %d to %d: %d", i * wide + 1,
				 (i + 1) * wide, counts[player][i]);
			plot_bar(&plot, classes, left + player * span, left + (player + 1) * span,
				 counts[player][i], says);
		}
	}
	put_keys(&plot, players == 2 ? 2 : 0);
	plot_end(&plot);
}

static void put_value(FILE *f, double value)
{
	fputs("<td>", f);
	put_signed(f, value, 2);
	fputs("</td>", f);
}

static void write_falls(struct page *p)
{
	const struct summary *sum = &p->summary;
	FILE *f = p->f;
	begin_card(p, "falls");
	if (sum->fall_count == 0) {
		fputs("<h3>Where games were lost</h3><p class=\"note\">Those who lost have told no "
		      "values of their moves.</p>\n",
		      f);
		end_card(p);
		return;
	}
	plot_falls(p);
	fputs("<p class=\"note\">Of each lost game the move after which its loser expected the "
	      "most "
	      "less than before, by its own words (from " MINUS
	      "1, lost, to +1, won). The deepest:</p>"
	      "<div class=\"wide\"><table><thead><tr><th>Loser</th><th>Game</th><th>Move</th>"
	      "<th>Before</th><th>After</th></tr></thead><tbody>\n",
	      f);
	for (int i = 0; i < sum->fall_count && i < SUMMARY_FALLS; i++) {
		const struct fall *fall = &sum->falls[i];
		fputs("<tr><td>", f);
		put_chip(p, fall->player);
		fprintf(f, "</td><td><a href=\"#g%" PRId64 ".%d\">%" PRId64 "</a></td><td>%d</td>",
			fall->game, fall->move, fall->game, fall->move);
		put_value(f, fall->before);
		put_value(f, fall->after);
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	end_card(p);
}

/* --- the games --- */

static bool write_row(void *arg, const struct match_game *g)
{
	struct page *p = arg;
	FILE *f = p->f;
	const char *class = g->points == 2 ? "black" : g->points == 0 ? "white" : "draw";
	int players[2];
	for (int color = 0; color < 2; color++)
		players[color] = standings_player(&p->summary.standings, g->engines[color]);
	fprintf(f,
		"<tr data-game=\"%" PRId64 "\" data-players=\"%d %d\" data-won=\"%s\" "
		"data-end=\"%s\" data-opening=\"%d\"><td><a href=\"#g%" PRId64 "\">%" PRId64
		"</a></td><td>",
		g->id, players[BLACK], players[WHITE], class, end_names[g->end], g->opening, g->id,
		g->id);
	put_chip(p, players[BLACK]);
	fputs("</td><td>", f);
	put_chip(p, players[WHITE]);
	fprintf(f, "</td><td class=\"%s\">", class);
	if (g->points == 1)
		fputs("draw", f);
	else
		put_chip(p, players[g->points == 2 ? BLACK : WHITE]);
	fputs("</td><td class=\"how\">", f);
	if (g->end > END_RESIGN)
		fprintf(f, "%s: ", end_names[g->end]);
	markup_text(f, g->detail);
	fprintf(f, "</td><td>%d</td></tr>\n", g->count);
	return true;
}

static bool write_replay(void *arg, const struct match_game *g)
{
	struct page *p = arg;
	int players[2];
	for (int color = 0; color < 2; color++)
		players[color] = standings_player(&p->summary.standings, g->engines[color]);
	fprintf(p->f, "<script type=\"application/json\" id=\"g%" PRId64 "\">", g->id);
	bool good = replay_print(p->f, p->match->game, g, players);
	fputs("</script>\n", p->f);
	if (!good)
		p->damaged = g->id;
	return good;
}

/* Writes the filters of the list of games. */
static void write_filters(struct page *p)
{
	const struct standings *s = &p->summary.standings;
	char label[LABEL_MAX];
	FILE *f = p->f;
	fputs("<form class=\"filters\"><label>Winner <select name=\"won\"><option value=\"\">any"
	      "</option>",
	      f);
	for (int i = 0; i < s->player_count; i++)
		fprintf(f, "<option value=\"%d\">%s</option>", i, player_label(i, label));
	fputs("<option value=\"draw\">nobody</option></select></label> <label>Black <select "
	      "name=\"black\"><option value=\"\">any</option>",
	      f);
	for (int i = 0; i < s->player_count; i++)
		fprintf(f, "<option value=\"%d\">%s</option>", i, player_label(i, label));
	fputs("</select></label> <label>End <select name=\"end\"><option value=\"\">any</option>",
	      f);
	for (int end = 0; end < END_COUNT; end++)
		fprintf(f, "<option>%s</option>", end_names[end]);
	fputs("</select></label> <label>Opening <input name=\"opening\" inputmode=\"numeric\" "
	      "size=\"4\"></label> <output></output></form>\n",
	      f);
}

static bool write_games(struct page *p, char why[DATABASE_REASON_MAX])
{
	FILE *f = p->f;
	fputs("<section class=\"card games\"><h3>Games</h3><div class=\"list\">\n", f);
	write_filters(p);
	fputs("<div class=\"wide tall\" tabindex=\"0\"><table><thead><tr><th></th><th>Black</th>"
	      "<th>White</th><th>Winner</th><th></th><th>Moves</th></tr></thead><tbody>\n",
	      f);
	if (!database_games(p->database, p->number, PARTS_TIMES, write_row, p, why))
		return false;
	fputs("</tbody></table></div></div><div class=\"viewer\"><noscript>To play games through, "
	      "allow this page its script.</noscript></div>\n",
	      f);
	bool good = database_games(p->database, p->number, PARTS_ALL, write_replay, p, why);
	fputs("</section>\n", f);
	if (good && p->damaged)
		snprintf(why, DATABASE_REASON_MAX, "game %" PRId64 " has a move that is not legal",
			 p->damaged);
	return good && !p->damaged;
}

/* --- the page --- */

static void begin_match(struct page *p)
{
	const struct game *g = p->match->game;
	const struct summary *sum = &p->summary;
	char position[POSITION_TEXT_MAX];
	struct state start;
	FILE *f = p->f;
	g->start(&start);
	game_position(g, &start, position);
	fprintf(f,
		"<section class=\"match\" id=\"m%d\" data-kind=\"%s\" data-rows=\"%d\" "
		"data-cols=\"%d\" data-start=\"%.*s\">\n<h2>%s <span>%s</span></h2><p "
		"class=\"terms\">",
		p->number + 1, g->name, g->rows, g->cols, g->rows * g->cols, position, g->title,
		g->rules);
	markup_text(f, p->match->terms);
	fprintf(f, " \xc2\xb7 %d games", sum->standings.games);
	if (sum->first) {
		fputs(" \xc2\xb7 ", f);
		put_date(f, sum->first);
		if (sum->last / 86400 != sum->first / 86400) {
			fputs(" to ", f);
			put_date(f, sum->last);
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
		begin_card(p, "sum");
		if (two)
			write_duel(p);
		write_players(p);
		end_card(p);
		fputs("<div class=\"cards\">\n", p->f);
		if (!two) {
			plot_ratings(p);
			write_cross_table(p);
		}
		if (two && sum->standings.test)
			plot_test(p);
		if (two)
			plot_course(p);
		if (two && sum->standings.paired)
			plot_pairs(p);
		write_colors(p);
		write_falls(p);
		write_times(p);
		write_openings(p);
		write_ends(p);
		fputs("</div>\n", p->f);
		good = write_games(p, why);
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
		"script-src "
		"'nonce-%s'; style-src 'nonce-%s'; base-uri 'none'; form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
		nonce, nonce);
	markup_text(f, name);
	fprintf(f, " \xc2\xb7 yomi report</title>\n<style nonce=\"%s\">\n", nonce);
	put_asset(f, "board.css");
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
		fprintf(f, "<li><a href=\"#db%d\">%s</a> <small>", i + 1, match->game->title);
		markup_text(f, match->terms);
		fputs("</small></li>", f);
	}
	fputs("</ul></nav>\n", f);
}

static void end_page(FILE *f, const char *nonce)
{
	fprintf(f, "</main>\n<script nonce=\"%s\">\n", nonce);
	put_asset(f, "board.js");
	fwrite(report_js, 1, (size_t)(report_js_end - report_js), f);
	fputs("</script></body></html>\n", f);
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
	char nonce[33];
	bool good = true, shown = false;
	make_nonce(nonce);
	begin_page(f, name, nonce);
	write_contents(f, db);
	fputs("<main>\n", f);
	for (int i = 0; good && database_match(db, i); i++) {
		struct page p = {
			.f = f, .database = db, .number = i, .match = database_match(db, i)
		};
		good = write_match(&p, why);
		shown |= p.shown;
	}
	if (!shown)
		fputs("<p class=\"note\">There are no games in this file yet.</p>\n", f);
	end_page(f, nonce);
	return good;
}

int report_run(const char *path, const struct game *game, const char *output)
{
	char why[DATABASE_REASON_MAX] = "", reason[REASON_MAX];
	const char *slash = strrchr(path, '/');
	struct database *db = collection_open(path, game, why);
	bool good = db;
	char *text = NULL;
	size_t size = 0;
	if (good) {
		FILE *f = text_open(&text, &size);
		good = write_page(f, db, slash ? slash + 1 : path, why);
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
		fprintf(stderr, "%s: %s\n", program_invocation_short_name, why);
	free(text);
	return good ? 0 : EXIT_FAILURE;
}
