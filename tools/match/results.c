/* SPDX-License-Identifier: MIT */
#include "tools/match/results.h"

#include <math.h>
#include <stdlib.h>

#include "engine/memory.h"

/* --- two players --- */

static void print_row(FILE *out, const char *label, const struct tally *t)
{
	int games = tally_games(t);
	fprintf(out, "%-12s %6d %6d %6d %6d  %6.1f %%\n", label, games, t->games[2], t->games[1],
		t->games[0], 100 * tally_score(t));
}

/* Prints an Elo and its interval between two texts. */
static void print_elo(const struct interval *elo, const char *before, const char *behind, FILE *out)
{
	if (elo_is_known(elo))
		fprintf(out, "%+.0f%s%+.0f .. %+.0f%s", elo->mean, before, elo->low, elo->high,
			behind);
	else
		fputs("too few openings", out);
}

static void print_pairing(const struct pairing *p, FILE *out)
{
	struct interval s = pairing_score(p), elo = elo_interval(&s);
	struct tally all = tally_sum(p->tally);
	fprintf(out, "%-12s %6s %6s %6s %6s  %8s\n", "", "games", "won", "drawn", "lost", "score");
	print_row(out, "A", &all);
	print_row(out, "A as black", &p->tally[BLACK]);
	print_row(out, "A as white", &p->tally[WHITE]);
	fprintf(out, "score of A     %.1f %%, 95 %% interval %.1f .. %.1f\n", 100 * s.mean,
		100 * s.low, 100 * s.high);
	fputs("Elo of A       ", out);
	print_elo(&elo, ", 95 % interval ", "", out);
	fputs("\n", out);
}

static void print_test(const struct sprt *t, const struct pairing *p, FILE *out)
{
	fprintf(out, "SPRT of A      Elo %g or %g: LLR %.2f, bounds %.2f and %.2f", t->elo0,
		t->elo1, p->llr, sprt_lower(t), sprt_upper(t));
	if (p->verdict == VERDICT_OPEN)
		fputs("; not decided\n", out);
	else
		fprintf(out, "; Elo %g accepted after %d games\n",
			p->verdict == VERDICT_ELO1 ? t->elo1 : t->elo0, p->decided);
}

/* --- more players --- */

static void print_table(const struct standings *s, FILE *out)
{
	struct interval *ratings = xcalloc((size_t)s->player_count, sizeof *ratings);
	char label[LABEL_MAX];
	standings_ratings(s, ratings);
	fprintf(out, "%-12s %6s %6s %6s %6s  %8s  %s\n", "", "games", "won", "drawn", "lost",
		"score", "    Elo, 95 % interval");
	for (int i = 0; i < s->player_count; i++) {
		struct tally all = tally_sum(s->players[i].tally);
		fprintf(out, "%-12s %6d %6d %6d %6d  %6.1f %%      ", player_label(i, label),
			tally_games(&all), all.games[2], all.games[1], all.games[0],
			100 * tally_score(&all));
		print_elo(&ratings[i], ", ", "", out);
		fputs("\n", out);
	}
	free(ratings);
}

/* Prints the points of each row's player against each column's. */
static void print_cross_table(const struct standings *s, FILE *out)
{
	char label[LABEL_MAX];
	fprintf(out, "\n%-4s", "");
	for (int i = 0; i < s->player_count; i++)
		fprintf(out, " %12s", player_label(i, label));
	for (int row = 0; row < s->player_count; row++) {
		fprintf(out, "\n%-4s", player_label(row, label));
		for (int column = 0; column < s->player_count; column++) {
			const struct pairing *p = standings_find(s, row, column);
			char cell[32] = "-";
			if (p) {
				struct tally all = tally_sum(p->tally);
				int mine = p->players[0] == row ? 2 : 0;
				snprintf(cell, sizeof cell, "%g/%d",
					 all.games[mine] + all.games[1] / 2.0, tally_games(&all));
			}
			fprintf(out, " %12s", cell);
		}
	}
	fputs("\n\n", out);
}

/* --- each player --- */

static void print_forfeits(const struct standing *p, const char *label, FILE *out)
{
	const char *separator = ": ";
	fprintf(out, "forfeits of %-2s %d", label, standing_forfeits(p));
	for (int end = END_RESIGN + 1; end < END_COUNT; end++) {
		if (p->ends[end] == 0)
			continue;
		fprintf(out, "%s%d %s", separator, p->ends[end], end_names[end]);
		separator = ", ";
	}
	fputs("\n", out);
}

void results_print(const struct standings *s, FILE *out)
{
	char label[LABEL_MAX];
	if (s->player_count == 2 && s->pairing_count == 1) {
		print_pairing(&s->pairings[0], out);
		if (s->test)
			print_test(s->test, &s->pairings[0], out);
	} else {
		print_table(s, out);
		print_cross_table(s, out);
	}
	for (int i = 0; i < s->player_count; i++)
		print_forfeits(&s->players[i], player_label(i, label), out);
	for (int i = 0; i < s->player_count; i++)
		if (s->players[i].moves)
			fprintf(out,
				"time of %-6s median %.3f s a move, longest %.3f s, %d moves\n",
				player_label(i, label), standing_median(&s->players[i]),
				standing_longest(&s->players[i]), s->players[i].moves);
}

/* --- for programs, and progress --- */

void results_print_lines(const struct standings *s, const struct database *db, FILE *out)
{
	for (int i = 0; i < s->pairing_count; i++) {
		const struct pairing *p = &s->pairings[i];
		struct tally all = tally_sum(p->tally);
		struct interval score = pairing_score(p);
		if (!tally_games(&all))
			continue;
		fprintf(out, "%d %d %d %d %.4f %.4f %.4f %d %d", tally_games(&all), all.games[2],
			all.games[1], all.games[0], score.mean, score.low, score.high,
			p->forfeits[0], p->forfeits[1]);
		for (int k = 0; k < 2; k++) {
			int engine = s->players[p->players[k]].engine;
			fprintf(out, "\t%s", database_engine(db, engine)->name);
		}
		fputs("\n", out);
	}
}

void results_print_progress(const struct standings *s, FILE *out)
{
	char label[LABEL_MAX];
	if (s->player_count == 2 && s->pairing_count == 1) {
		const struct pairing *p = &s->pairings[0];
		struct tally all = tally_sum(p->tally);
		struct interval score = pairing_score(p), elo = elo_interval(&score);
		fprintf(out, "A +%d =%d -%d, Elo ", all.games[2], all.games[1], all.games[0]);
		print_elo(&elo, " (", ")", out);
		if (s->test)
			fprintf(out, ", LLR %.2f (%.2f .. %.2f)", p->llr, sprt_lower(s->test),
				sprt_upper(s->test));
		return;
	}
	struct interval *ratings = xcalloc((size_t)s->player_count, sizeof *ratings);
	standings_ratings(s, ratings);
	fputs("Elo", out);
	for (int i = 0; i < s->player_count; i++) {
		fprintf(out, "%s %s ", i ? "," : "", player_label(i, label));
		print_elo(&ratings[i], " (", ")", out);
	}
	free(ratings);
}
