/* SPDX-License-Identifier: MIT */
#include "tools/report/csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/match/statistics.h"

struct csv_writing {
	FILE *f;
	struct database *database;
	int match; /* from 1 */
	struct standings standings;
};

/* Writes a text as a field, and a comma before it. Quotes it if it would not be one field. */
static void put_text(FILE *f, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n");
	fputs(quoted ? ",\"" : ",", f);
	for (; *text; text++)
		fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
	fputs(quoted ? "\"" : "", f);
}

/* Same for a number, which is empty if it is NAN. */
static void csv_put_number(FILE *f, double x)
{
	fputs(",", f);
	if (!isnan(x))
		fprintf(f, "%.10g", x);
}

static const char *name_of(const struct csv_writing *w, int engine)
{
	return database_engine(w->database, engine)->name;
}

static const char *csv_opening_of(const struct csv_writing *w, int opening)
{
	return w->standings.of[opening]->text;
}

/* Returns the seconds that a side used, NAN if unknown. */
static double seconds_of(const struct match_game *g, int color)
{
	double sum = NAN;
	for (int i = color; i < g->count; i += 2)
		if (!isnan(g->moves[i].seconds))
			sum = (isnan(sum) ? 0 : sum) + g->moves[i].seconds;
	return sum;
}

static bool csv_write_game(void *arg, const struct match_game *g)
{
	struct csv_writing *w = arg;
	FILE *f = w->f;
	fprintf(f, "%d,%" PRId64 ",%d", w->match, g->id, g->opening);
	put_text(f, csv_opening_of(w, g->opening));
	for (int color = 0; color < 2; color++)
		put_text(f, name_of(w, g->engines[color]));
	csv_put_number(f, g->points / 2.0);
	put_text(f, end_names[g->end]);
	put_text(f, g->detail);
	for (int color = 0; color < 2; color++)
		csv_put_number(f, seconds_of(g, color));
	for (int color = 0; color < 2; color++)
		csv_put_number(f, g->seeded ? (double)g->seeds[color] : (double)NAN);
	csv_put_number(f, g->ended ? (double)g->ended : (double)NAN);
	fprintf(f, ",%d,", g->count);
	for (int i = 0; i < g->count; i++)
		fprintf(f, "%s%s", i ? " " : "", g->moves[i].text);
	fputs("\n", f);
	return true;
}

/* Reads a match and calls `write`. */
static bool write_matches(FILE *f, struct database *db,
			  bool (*write)(struct csv_writing *, char why[DATABASE_REASON_MAX]),
			  char why[DATABASE_REASON_MAX])
{
	bool good = true;
	for (int i = 0; good && database_match(db, i); i++) {
		struct csv_writing w = { .f = f, .database = db, .match = i + 1 };
		standings_init(&w.standings, database_match(db, i));
		good = standings_read(&w.standings, db, i, PARTS_TIMES, why) && write(&w, why);
		standings_free(&w.standings);
	}
	return good;
}

static bool csv_write_all(struct csv_writing *w, char why[DATABASE_REASON_MAX])
{
	return database_games(w->database, w->match - 1, PARTS_TIMES, csv_write_game, w, why);
}

bool csv_write_games(FILE *f, struct database *db, char why[DATABASE_REASON_MAX])
{
	fputs("match,game,pair,opening,black,white,black_points,end,detail,black_seconds,"
	      "white_seconds,black_seed,white_seed,ended,plies,moves\n",
	      f);
	return write_matches(f, db, csv_write_all, why);
}

static bool write_pairs(struct csv_writing *w, char why[DATABASE_REASON_MAX])
{
	const struct standings *s = &w->standings;
	(void)why;
	for (int i = 0; i < s->pairing_count && s->paired; i++) {
		const struct pairing *p = &s->pairings[i];
		for (int k = 0; k < p->openings; k++) {
			const struct standings_pair *pair = &p->pairs[k];
			int points = pair_points(pair);
			if (!pair->played[BLACK] && !pair->played[WHITE])
				continue;
			fprintf(w->f, "%d,%d", w->match, k);
			put_text(w->f, csv_opening_of(w, k));
			for (int side = 0; side < 2; side++)
				put_text(w->f, name_of(w, s->players[p->players[side]].engine));
			for (int color = 0; color < 2; color++)
				csv_put_number(w->f, pair->played[color]
							     ? (pair->played[color] - 1) / 2.0
							     : NAN);
			csv_put_number(w->f, points >= 0 ? points / 2.0 : NAN);
			fprintf(w->f, ",%s\n", points < 0 ? "" : points == 2 ? "0" : "1");
		}
	}
	return true;
}

bool csv_write_pairs(FILE *f, struct database *db, char why[DATABASE_REASON_MAX])
{
	fputs("match,pair,opening,a,b,a_points_black,a_points_white,a_points,decided\n", f);
	return write_matches(f, db, write_pairs, why);
}
