/* SPDX-License-Identifier: MIT */
#include "tools/report/plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "tools/lib/plot.h"

#define ELO_SHOWN   800 /* limit of an Elo axis */
#define PLOT_HIGH   280
#define COUNT_SHOWN 4 /* least upper end of an axis of counts: its ticks are integers */
#define DROP_BINS   20

void plots_ratings(const struct page *p)
{
	const struct standings *s = &p->summary.standings;
	struct interval *r = xcalloc((size_t)s->player_count, sizeof *r);
	struct plot plot;
	char label[LABEL_MAX];
	double least = 0, most = 0, row = 30;
	int known = 0;
	statistics_ratings(s, r);
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
	page_begin_card(p, "");
	plot_begin(&plot, p->out, row * s->player_count + 64, "elo", "Elo with 95 % intervals",
		   "Elo of all engines with their intervals");
	plot_axes(&plot, least - margin, most + margin, "Elo (the mean of all is 0)", 0,
		  s->player_count, NULL, "");
	text_printf(p->out,
		    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%.1f\"/>\n",
		    plot_x(&plot, 0), plot_x(&plot, 0), plot.top, plot.bottom);
	for (int i = 0; i < s->player_count; i++) {
		double y = plot_y(&plot, s->player_count - i - 0.5);
		plot_words(&plot, plot.left - 16, y + 5, "end", player_label(i, label));
		if (!elo_is_known(&r[i]))
			continue;
		text_printf(p->out,
			    "<g class=\"whisker s%d\"><title>%+.0f (%+.0f .. %+.0f)</title>"
			    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
			    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/></g>\n",
			    i % PAGE_COLORS, r[i].mean, r[i].low, r[i].high,
			    plot_x(&plot, r[i].low), plot_x(&plot, r[i].high), y, y,
			    plot_x(&plot, r[i].mean), y);
	}
	plot_end(&plot);
	page_end_card(p);
	free(r);
}

/* Plots A's Elo during the match. */
void plots_course(const struct page *p)
{
	const struct summary *sum = &p->summary;
	int n = sum->sample_count;
	double *x = xcalloc((size_t)n * 4 + 1, sizeof *x), *mean = x + n, *low = mean + n,
	       *high = low + n;
	double least = 0, most = 0;
	for (int i = 0; i < n; i++) {
		const struct summary_sample *s = &sum->samples[i];
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
	page_begin_card(p, "");
	plot_begin(&plot, p->out, PLOT_HIGH, "elo", "Elo of A during the match",
		   "Elo of A with its 95 % interval after each number of games");
	plot_axes(&plot, 0, p->summary.standings.games, "games", least, most, "Elo", "+%g");
	plot_band(&plot, "s0", x, low, high, n);
	plot_line(&plot, "s0", x, mean, n);
	plot_rule(&plot, "zero", 0, "");
	plot_end(&plot);
	page_end_card(p);
	free(x);
}

void plots_test(const struct page *p)
{
	const struct summary *sum = &p->summary;
	const struct sprt *test = sum->standings.test;
	const struct pairing *pair = &sum->standings.pairings[0];
	int n = sum->sample_count;
	double *x = xcalloc((size_t)n * 2 + 1, sizeof *x), *llr = x + n;
	double lower = sprt_lower(test), upper = sprt_upper(test), least = lower, most = upper;
	char words[64], label[128];
	struct text *out = p->out;
	for (int i = 0; i < n; i++) {
		x[i] = sum->samples[i].games;
		llr[i] = sum->samples[i].llr;
		least = fmin(least, llr[i]);
		most = fmax(most, llr[i]);
	}
	struct plot plot;
	page_begin_card(p, "test");
	snprintf(label, sizeof label,
		 "Log-likelihood ratio after each number of games, bounds %.2f and %.2f", lower,
		 upper);
	plot_begin(&plot, out, PLOT_HIGH, "sprt", "Sequential test (SPRT)", label);
	double margin = (most - least) / 12;
	plot_axes(&plot, 0, sum->standings.games, "games", least - margin, most + margin, "LLR",
		  "%g");
	snprintf(words, sizeof words, "Elo %g accepted", test->elo1);
	plot_rule(&plot, "bound good", upper, words);
	snprintf(words, sizeof words, "Elo %g accepted", test->elo0);
	plot_rule(&plot, "bound bad", lower, words);
	plot_line(&plot, "s0", x, llr, n);
	plot_end(&plot);
	text_printf(out, "<p class=\"verdict\">Is A stronger by %g Elo rather than by %g? ",
		    test->elo1, test->elo0);
	if (pair->verdict == VERDICT_OPEN)
		text_puts(out, "<b>Not decided</b>: LLR ");
	else
		text_printf(out, "<b>%s</b>, after %d games: LLR ",
			    pair->verdict == VERDICT_ELO1 ? "Yes" : "No", pair->decided);
	page_put_number(p, pair->llr, 2);
	text_puts(out, ", bounds ");
	page_put_number(p, lower, 2);
	text_puts(out, " and ");
	page_put_number(p, upper, 2);
	text_printf(out, ". Error rates: %g for a wrong yes, %g for a wrong no.</p>\n", test->alpha,
		    test->beta);
	page_end_card(p);
	free(x);
}

/* Plots how many pairs of games brought A each number of points. */
void plots_pairs(const struct page *p)
{
	static const char *const names[] = { "0", "\xc2\xbd", "1", "1\xc2\xbd", "2" };
	const struct pairing *pair = &p->summary.standings.pairings[0];
	struct plot plot;
	char says[64];
	int most = 1;
	for (int i = 0; i < SPRT_OUTCOMES; i++)
		most = pair->outcomes[i] > most ? pair->outcomes[i] : most;
	page_begin_card(p, "");
	plot_begin(&plot, p->out, PLOT_HIGH, "pairs", "Points of A in the two games of an opening",
		   "Number of openings in which A scored 0, 1/2, 1, 1 1/2 and 2 points");
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
	page_end_card(p);
}

/* Labels the series of the players. */
static void put_keys(struct plot *plot, int players)
{
	char label[LABEL_MAX], classes[8];
	for (int i = 0; i < players; i++) {
		snprintf(classes, sizeof classes, "s%d", i % PAGE_COLORS);
		plot_key(plot, classes, players - 1 - i, player_label(i, label));
	}
}

void plots_times(const struct page *p)
{
	const struct summary *sum = &p->summary;
	int players = sum->standings.player_count, n = sum->move_times_count;
	double *x = xcalloc((size_t)n * 4 + 1, sizeof *x), *low = x + n, *median = low + n,
	       *high = median + n;
	double most = 0;
	char classes[8];
	struct plot plot;
	for (int player = 0; player < players; player++)
		for (int i = 0; i < n; i++)
			most = fmax(most, summary_move_times(sum, player, i)->high);
	plot_begin(&plot, p->out, PLOT_HIGH, "time", "Time a move",
		   "Median time of each move of the game, with the middle 80 %");
	double unit = most < 1 ? 1000 : 1;
	plot_axes(&plot, 0, sum->move_count, "move of the game", 0, most * unit,
		  most < 1 ? "ms" : "s", "%g");
	for (int player = 0; player < players; player++) {
		for (int i = 0; i < n; i++) {
			const struct move_times *times = summary_move_times(sum, player, i);
			x[i] = 2 * i + 1.5;
			low[i] = times->moves ? times->low * unit : NAN;
			median[i] = times->moves ? times->median * unit : NAN;
			high[i] = times->moves ? times->high * unit : NAN;
		}
		snprintf(classes, sizeof classes, "s%d", player % PAGE_COLORS);
		if (players <= 3)
			plot_band(&plot, classes, x, low, high, n);
		plot_line(&plot, classes, x, median, n);
	}
	put_keys(&plot, players <= PAGE_COLORS ? players : 0);
	plot_end(&plot);
	free(x);
}

void plots_drops(const struct page *p)
{
	const struct summary *sum = &p->summary;
	int players = sum->standings.player_count <= 2 ? sum->standings.player_count : 1;
	int wide = (sum->move_count + DROP_BINS - 1) / DROP_BINS, most = 1;
	int counts[2][DROP_BINS + 1] = { 0 };
	char says[64], classes[8];
	for (int i = 0; i < sum->drop_count; i++) {
		int *bin = &counts[players == 2 ? sum->drops[i].player : 0]
				  [(sum->drops[i].move - 1) / wide];
		if (++*bin > most)
			most = *bin;
	}
	struct plot plot;
	plot_begin(&plot, p->out, PLOT_HIGH, "lost", "Where games were lost",
		   "Number of games by the move after which the loser's evaluation fell most");
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
