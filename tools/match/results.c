/* SPDX-License-Identifier: MIT */
#include "tools/match/results.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "tools/match/statistics.h"

/* Prints an Elo and its interval between two texts. */
static void print_elo(const struct interval *elo, const char *before, const char *behind,
		      struct text *out)
{
	if (elo_is_known(elo))
		text_printf(out, "%+.0f%s%+.0f .. %+.0f%s", elo->mean, before, elo->low, elo->high,
			    behind);
	else
		text_puts(out, elo_unknown(elo));
}

/* --- two players --- */

static void results_print_row(const struct standings *s, const char *label, struct view v,
			      struct text *out)
{
	struct tally t = statistics_tally(s, v);
	struct interval score = statistics_score(s, v);
	if (!tally_games(&t))
		return;
	text_printf(out, "%-12s %6d %6d %6d %6d  %6.1f %%   %.1f .. %.1f\n", label, tally_games(&t),
		    t.games[2], t.games[1], t.games[0], 100 * score.mean, 100 * score.low,
		    100 * score.high);
}

/* Prints after a text how many pairs brought the first player each number of points, and how many had a winner. */
static void print_pairs(const struct standings *s, const struct pairing *p, const char *before,
			struct text *out)
{
	struct pair_counts n = statistics_pairs(s, p);
	if (!n.all)
		return;
	text_puts(out, before);
	for (int i = 0; i < SPRT_OUTCOMES; i++)
		text_printf(out, "%s %g: %d", i ? "," : "", i / 2.0, p->outcomes[i]);
	text_printf(out, "; decided %d of %d, %.1f %%", n.decided, n.all,
		    100.0 * n.decided / n.all);
}

/* Prints how many openings differ. Without different openings it tells how many games are equal: engines that do not vary
 * their play repeat one game, which the intervals take for evidence. */
static void print_openings(const struct standings *s, struct text *out)
{
	text_printf(out, "openings       %d different\n", s->different);
	if (s->different == 1 && s->equal_games)
		text_printf(out, "games          %d of %d repeat another\n", s->equal_games,
			    s->games);
}

static void print_pairing(const struct standings *s, const struct pairing *p, struct text *out)
{
	const struct view a = { 0, 1, ANY };
	struct interval score = statistics_score(s, a), elo = elo_interval(&score),
			normalised = statistics_normalised(s, p);
	text_printf(out, "%-12s %6s %6s %6s %6s  %8s   %s\n", "", "games", "won", "drawn", "lost",
		    "score", "95 % interval");
	results_print_row(s, "A", a, out);
	results_print_row(s, "A as black", (struct view) { 0, 1, BLACK }, out);
	results_print_row(s, "A as white", (struct view) { 0, 1, WHITE }, out);
	results_print_row(s, "black", (struct view) { ANY, ANY, BLACK }, out);
	text_puts(out, "Elo of A       ");
	print_elo(&elo, ", 95 % interval ", "", out);
	text_puts(out, "\nnormalised Elo ");
	print_elo(&normalised, ", 95 % interval ", "", out);
	text_printf(out, "\nsuperiority    %.1f %% (likelihood that A is stronger)",
		    100 * statistics_superiority(s, a));
	print_pairs(s, p, "\npairs          points of A", out);
	text_puts(out, "\n");
	print_openings(s, out);
}

/* Prints the test of a pairing after a text. */
static void print_test(const struct sprt *t, const struct pairing *p, const char *before,
		       struct text *out)
{
	text_printf(out, "%sElo %g or %g: LLR %.2f, bounds %.2f and %.2f", before, t->elo0, t->elo1,
		    p->llr, sprt_lower(t), sprt_upper(t));
	if (p->verdict == VERDICT_OPEN)
		text_puts(out, "; not decided\n");
	else
		text_printf(out, "; Elo %g accepted after %d games\n",
			    p->verdict == VERDICT_ELO1 ? t->elo1 : t->elo0, p->decided);
}

/* --- more players --- */

/* Prints the score of a tally in percent. */
static void print_share(const struct tally *t, struct text *out)
{
	if (tally_games(t))
		text_printf(out, "%6.1f %%", 100 * tally_score(t));
	else
		text_printf(out, "%8s", "-");
}

static void results_print_table(const struct standings *s, struct text *out)
{
	struct interval *ratings = xcalloc((size_t)s->player_count, sizeof *ratings);
	struct tally black = statistics_tally(s, (struct view) { ANY, ANY, BLACK });
	char label[LABEL_MAX];
	statistics_ratings(s, ratings);
	text_printf(out, "%-6s %6s %6s %6s %6s  %8s  %8s  %8s      %s\n", "", "games", "won",
		    "drawn", "lost", "score", "as black", "as white", "Elo, 95 % interval");
	for (int i = 0; i < s->player_count; i++) {
		struct tally all = tally_sum(s->players[i].tally);
		text_printf(out, "%-6s %6d %6d %6d %6d  ", player_label(i, label),
			    tally_games(&all), all.games[2], all.games[1], all.games[0]);
		print_share(&all, out);
		text_puts(out, "  ");
		print_share(&s->players[i].tally[BLACK], out);
		text_puts(out, "  ");
		print_share(&s->players[i].tally[WHITE], out);
		text_puts(out, "      ");
		print_elo(&ratings[i], ", ", "", out);
		text_puts(out, "\n");
	}
	text_printf(out, "%-6s %6d %6d %6d %6d  %6.1f %%\n", "black", tally_games(&black),
		    black.games[2], black.games[1], black.games[0], 100 * tally_score(&black));
	free(ratings);
}

/* Prints the likelihood of superiority of the first player of each pairing, and its pairs of games. */
static void print_pairings(const struct standings *s, struct text *out)
{
	char first[LABEL_MAX], second[LABEL_MAX];
	for (int i = 0; i < s->pairing_count; i++) {
		const struct pairing *p = &s->pairings[i];
		const struct view v = { p->players[0], p->players[1], ANY };
		text_printf(out, "%s against %s  superiority %5.1f %%",
			    player_label(v.player, first), player_label(v.opponent, second),
			    100 * statistics_superiority(s, v));
		print_pairs(s, p, ", pairs", out);
		text_puts(out, "\n");
		if (s->test)
			print_test(s->test, p, "  SPRT: ", out);
	}
	print_openings(s, out);
}

/* Prints the points of each row's player against each column's, and the interval of its score in percent. */
static void print_cross_table(const struct standings *s, struct text *out)
{
	char label[LABEL_MAX];
	text_printf(out, "\n%-4s", "");
	for (int i = 0; i < s->player_count; i++)
		text_printf(out, " %20s", player_label(i, label));
	for (int row = 0; row < s->player_count; row++) {
		text_printf(out, "\n%-4s", player_label(row, label));
		for (int column = 0; column < s->player_count; column++) {
			const struct view v = { row, column, ANY };
			struct tally t = statistics_tally(s, v);
			struct interval score = statistics_score(s, v);
			char cell[64] = "-";
			if (tally_games(&t))
				snprintf(cell, sizeof cell, "%g/%d (%.0f .. %.0f)",
					 tally_points(&t), tally_games(&t), 100 * score.low,
					 100 * score.high);
			text_printf(out, " %20s", cell);
		}
	}
	text_puts(out, "\n\n");
}

/* --- each player --- */

static void print_forfeits(const struct standing *p, const char *label, struct text *out)
{
	const char *separator = ": ";
	text_printf(out, "forfeits of %-2s %d", label, standing_forfeits(p));
	for (int end = END_RESIGN + 1; end < END_COUNT; end++) {
		if (p->ends[end] == 0)
			continue;
		text_printf(out, "%s%d %s", separator, p->ends[end], end_names[end]);
		separator = ", ";
	}
	text_puts(out, "\n");
}

void results_print(const struct standings *s, struct text *out)
{
	char label[LABEL_MAX];
	if (s->player_count == 2 && s->pairing_count == 1) {
		print_pairing(s, &s->pairings[0], out);
		if (s->test)
			print_test(s->test, &s->pairings[0], "SPRT of A      ", out);
	} else {
		results_print_table(s, out);
		print_cross_table(s, out);
		print_pairings(s, out);
	}
	for (int i = 0; i < s->player_count; i++)
		print_forfeits(&s->players[i], player_label(i, label), out);
	for (int i = 0; i < s->player_count; i++)
		if (s->players[i].seconds.count)
			text_printf(out,
				    "time of %-6s median %.3f s a move, longest %.3f s, %d moves\n",
				    player_label(i, label), standing_median(&s->players[i]),
				    standing_longest(&s->players[i]), s->players[i].seconds.count);
}

/* --- for programs, and progress --- */

void results_print_lines(const struct standings *s, const struct database *db, struct text *out)
{
	for (int i = 0; i < s->pairing_count; i++) {
		const struct pairing *p = &s->pairings[i];
		struct tally all = tally_sum(p->tally);
		struct interval score = statistics_score(
			s, (struct view) { p->players[0], p->players[1], ANY });
		if (!tally_games(&all))
			continue;
		text_printf(out, "%d %d %d %d %.4f %.4f %.4f %d %d", tally_games(&all),
			    all.games[2], all.games[1], all.games[0], score.mean, score.low,
			    score.high, p->forfeits[0], p->forfeits[1]);
		for (int k = 0; k < 2; k++) {
			int engine = s->players[p->players[k]].engine;
			text_printf(out, "\t%s", database_engine(db, engine)->name);
		}
		text_puts(out, "\n");
	}
}

void results_print_progress(const struct standings *s, struct text *out)
{
	char label[LABEL_MAX];
	if (s->player_count == 2 && s->pairing_count == 1) {
		const struct pairing *p = &s->pairings[0];
		struct tally all = tally_sum(p->tally);
		struct interval score = statistics_score(s, (struct view) { 0, 1, ANY }),
				elo = elo_interval(&score);
		text_printf(out, "A +%d =%d -%d, Elo ", all.games[2], all.games[1], all.games[0]);
		print_elo(&elo, " (", ")", out);
		if (s->test)
			text_printf(out, ", LLR %.2f (%.2f .. %.2f)", p->llr, sprt_lower(s->test),
				    sprt_upper(s->test));
		return;
	}
	struct interval *ratings = xcalloc((size_t)s->player_count, sizeof *ratings);
	statistics_ratings(s, ratings);
	text_puts(out, "Elo");
	for (int i = 0; i < s->player_count; i++) {
		text_printf(out, "%s %s ", i ? "," : "", player_label(i, label));
		print_elo(&ratings[i], " (", ")", out);
	}
	free(ratings);
}
