/* SPDX-License-Identifier: MIT */
#include "tools/report/csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/match/statistics.h"

struct csv_writing {
	struct text *out;
	struct database *database;
	int match; /* from 1 */
	struct standings standings;
};

/* Writes a text as a field, and a comma before it. Quotes it if it would not be one field. */
static void put_text(struct text *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n");
	text_puts(out, quoted ? ",\"" : ",");
	for (; *text; text++)
		text_printf(out, *text == '"' ? "\"\"" : "%c", *text);
	text_puts(out, quoted ? "\"" : "");
}

/* Same for a number, which is empty if it is NAN. */
static void csv_put_number(struct text *out, double x)
{
	text_puts(out, ",");
	if (!isnan(x))
		text_printf(out, "%.10g", x);
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
	struct text *out = w->out;
	text_printf(out, "%d,%" PRId64 ",%d", w->match, g->id, g->opening);
	put_text(out, csv_opening_of(w, g->opening));
	for (int color = 0; color < 2; color++)
		put_text(out, name_of(w, g->engines[color]));
	csv_put_number(out, g->points / 2.0);
	put_text(out, end_names[g->end]);
	put_text(out, g->detail);
	for (int color = 0; color < 2; color++)
		csv_put_number(out, seconds_of(g, color));
	for (int color = 0; color < 2; color++)
		csv_put_number(out, g->seeded ? (double)g->seeds[color] : (double)NAN);
	csv_put_number(out, g->ended ? (double)g->ended : (double)NAN);
	text_printf(out, ",%d,", g->count);
	for (int i = 0; i < g->count; i++)
		text_printf(out, "%s%s", i ? " " : "", g->moves[i].text);
	text_puts(out, "\n");
	return true;
}

/* Reads a match and calls `write`. */
static bool write_matches(struct text *out, struct database *db,
			  bool (*write)(struct csv_writing *, char why[DATABASE_REASON_MAX]),
			  char why[DATABASE_REASON_MAX])
{
	bool good = true;
	for (int i = 0; good && database_match(db, i); i++) {
		struct csv_writing w = { .out = out, .database = db, .match = i + 1 };
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

bool csv_write_games(struct text *out, struct database *db, char why[DATABASE_REASON_MAX])
{
	text_puts(out, "match,game,pair,opening,black,white,black_points,end,detail,black_seconds,"
		       "white_seconds,black_seed,white_seed,ended,plies,moves\n");
	return write_matches(out, db, csv_write_all, why);
}

static bool write_pairs(struct csv_writing *w, char why[DATABASE_REASON_MAX])
{
	const struct standings *s = &w->standings;
	for (int i = 0; i < s->pairing_count && s->paired; i++) {
		const struct pairing *p = &s->pairings[i];
		for (int k = 0; k < p->openings; k++) {
			const struct standings_pair *pair = &p->pairs[k];
			int points = pair_points(pair);
			if (!pair->played[BLACK] && !pair->played[WHITE])
				continue;
			text_printf(w->out, "%d,%d", w->match, k);
			put_text(w->out, csv_opening_of(w, k));
			for (int side = 0; side < 2; side++)
				put_text(w->out, name_of(w, s->players[p->players[side]].engine));
			for (int color = 0; color < 2; color++)
				csv_put_number(w->out, pair->played[color]
							       ? (pair->played[color] - 1) / 2.0
							       : NAN);
			csv_put_number(w->out, points >= 0 ? points / 2.0 : NAN);
			text_printf(w->out, ",%s\n", points < 0 ? "" : points == 2 ? "0" : "1");
		}
	}
	return true;
}

bool csv_write_pairs(struct text *out, struct database *db, char why[DATABASE_REASON_MAX])
{
	text_puts(out, "match,pair,opening,a,b,a_points_black,a_points_white,a_points,decided\n");
	return write_matches(out, db, write_pairs, why);
}
