/* SPDX-License-Identifier: MIT */
#include "tools/report/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "tools/lib/series.h"

struct summary_reading {
	struct summary *summary;
	int every;            /* games between samples */
	int games;            /* total number of games */
	struct series *times; /* indexed by pair of moves and player */
	int player_count, pair_count;
};

static void add_sample(struct summary_reading *r)
{
	struct summary *summary = r->summary;
	const struct standings *s = &summary->standings;
	const struct pairing *p = s->pairings;
	if (s->player_count != 2 ||
	    (s->games % r->every && s->games != p->decided && s->games != r->games))
		return;
	summary->samples = xgrow(summary->samples, (size_t)summary->sample_count,
				 sizeof *summary->samples);
	summary->samples[summary->sample_count++] = (struct summary_sample) {
		s->games, statistics_score(s, (struct view) { 0, 1, ANY }), p->llr
	};
}

static void summary_add_opening(struct summary_reading *r, const struct match_game *g)
{
	struct summary *summary = r->summary;
	int number = summary->standings.of[g->opening]->number;
	if (number >= summary->opening_count) {
		int count = number + number / 2 + 1;
		summary->openings = xrealloc(summary->openings,
					     (size_t)count * sizeof *summary->openings);
		memset(summary->openings + summary->opening_count, 0,
		       (size_t)(count - summary->opening_count) * sizeof *summary->openings);
		summary->opening_count = count;
	}
	struct opening_summary *o = &summary->openings[number];
	bool black_is_a = summary->standings.players[0].engine == g->engines[BLACK];
	o->games++;
	o->black += g->points / 2.0;
	o->a += black_is_a ? g->points / 2.0 : 1 - g->points / 2.0;
}

static void summary_add_times(struct summary_reading *r, const struct match_game *g,
			      const int players[2])
{
	int pairs = (g->count + 1) / 2;
	if (pairs > r->pair_count) {
		size_t row = (size_t)r->player_count * sizeof *r->times;
		r->times = xrealloc(r->times, (size_t)pairs * row);
		memset(r->times + r->pair_count * r->player_count, 0,
		       (size_t)(pairs - r->pair_count) * row);
		r->pair_count = pairs;
	}
	for (int i = 0; i < g->count; i++) {
		if (isnan(g->moves[i].seconds))
			continue;
		int player = players[i % 2];
		r->summary->spent[player] += g->moves[i].seconds;
		series_add(&r->times[i / 2 * r->player_count + player], g->moves[i].seconds);
	}
}

/* Finds the move after which the loser's expected result fell most. Skips draws, games that ended by a
 * failure, and losers that reported no values. */
static void add_drop(struct summary_reading *r, const struct match_game *g, const int players[2])
{
	struct summary *summary = r->summary;
	int loser = g->points == 0 ? BLACK : WHITE, last = -1;
	struct drop worst = { .before = -1, .after = 0 };
	if (g->points == 1 || g->end > END_RESIGN)
		return;
	for (int i = loser; i < g->count + 2; i += 2) {
		bool ended = i >= g->count;
		double sign = side_sign(loser);
		double after = ended ? -1 : sign * g->moves[i].value;
		if (isnan(after))
			continue;
		if (last >= 0) {
			double before = sign * g->moves[last].value;
			if (before - after > worst.before - worst.after)
				worst = (struct drop) { g->id,    players[loser], players[!loser],
							last + 1, before,         after };
		}
		if (ended)
			break;
		last = i;
	}
	if (worst.move == 0 || worst.before <= worst.after)
		return;
	summary->drops = xgrow(summary->drops, (size_t)summary->drop_count, sizeof *summary->drops);
	summary->drops[summary->drop_count++] = worst;
}

static bool summary_take(void *arg, const struct match_game *g)
{
	struct summary_reading *r = arg;
	struct summary *summary = r->summary;
	int players[2];
	for (int color = 0; color < 2; color++)
		players[color] = standings_player(&summary->standings, g->engines[color]);
	standings_add(&summary->standings, g);
	if (g->count > summary->move_count)
		summary->move_count = g->count;
	if (g->ended && (!summary->first || g->ended < summary->first))
		summary->first = g->ended;
	if (g->ended > summary->last)
		summary->last = g->ended;
	add_sample(r);
	summary_add_opening(r, g);
	summary_add_times(r, g, players);
	add_drop(r, g, players);
	return true;
}

static int compare_drops(const void *a, const void *b)
{
	const struct drop *x = a, *y = b;
	double dx = x->before - x->after, dy = y->before - y->after;
	return dx != dy ? (dx < dy) - (dx > dy) : (x->game > y->game) - (x->game < y->game);
}

static void add_move_times(struct summary_reading *r)
{
	struct summary *summary = r->summary;
	int count = r->player_count * r->pair_count;
	summary->move_times = xcalloc((size_t)count + 1, sizeof *summary->move_times);
	summary->move_times_count = r->pair_count;
	for (int i = 0; i < count; i++) {
		struct series *l = &r->times[i];
		if (l->count) {
			qsort(l->values, (size_t)l->count, sizeof *l->values, series_compare);
			summary->move_times[i] = (struct move_times) {
				.low = l->values[l->count / 10],
				.median = l->values[l->count / 2],
				.high = l->values[l->count - 1 - l->count / 10],
				.moves = l->count,
			};
		}
		series_free(l);
	}
	free(r->times);
}

bool summary_read(struct summary *summary, struct database *db, int match,
		  char why[DATABASE_REASON_MAX])
{
	struct standings all;
	*summary = (struct summary) { 0 };
	standings_init(&all, database_match(db, match));
	standings_init(&summary->standings, database_match(db, match));
	bool good = standings_read(&all, db, match, PARTS_RESULT, why);
	struct summary_reading r = {
		.summary = summary,
		.every = all.games / SUMMARY_SAMPLES + 1,
		.games = all.games,
		.player_count = all.player_count,
	};
	/* Give the players the same numbers as elsewhere. */
	for (int i = 0; i < all.player_count; i++)
		standings_player(&summary->standings, all.players[i].engine);
	summary->spent = xcalloc((size_t)all.player_count + 1, sizeof *summary->spent);
	good = good && database_games(db, match, PARTS_TIMES, summary_take, &r, why);
	add_move_times(&r);
	if (summary->drop_count)
		qsort(summary->drops, (size_t)summary->drop_count, sizeof *summary->drops,
		      compare_drops);
	standings_free(&all);
	return good;
}

void summary_free(struct summary *summary)
{
	standings_free(&summary->standings);
	free(summary->openings);
	free(summary->samples);
	free(summary->move_times);
	free(summary->spent);
	free(summary->drops);
}

const struct move_times *summary_move_times(const struct summary *summary, int player, int pair)
{
	return &summary->move_times[pair * summary->standings.player_count + player];
}
