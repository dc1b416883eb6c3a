/* SPDX-License-Identifier: MIT */
#include "tools/match/tale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"

/* A list of numbers that grows. */
struct list {
	double *items;
	int count, room;
};

struct telling {
	struct tale *tale;
	int every;          /* games between samples */
	int games;          /* total number of games */
	struct list *times; /* indexed by pair of moves and player */
	int player_count, pair_count;
	int fall_room;
};

static void add(struct list *l, double x)
{
	if (l->count == l->room) {
		l->room = l->room ? 2 * l->room : 16;
		l->items = xrealloc(l->items, (size_t)l->room * sizeof *l->items);
	}
	l->items[l->count++] = x;
}

static void add_sample(struct telling *t)
{
	struct tale *tale = t->tale;
	const struct standings *s = &tale->standings;
	const struct pairing *p = s->pairings;
	if (s->player_count != 2 ||
	    (s->games % t->every && s->games != p->decided && s->games != t->games))
		return;
	tale->samples = xrealloc(tale->samples,
				 (size_t)(tale->sample_count + 1) * sizeof *tale->samples);
	tale->samples[tale->sample_count++] = (struct sample) { s->games, pairing_score(p),
								p->llr };
}

static void add_opening(struct telling *t, const struct match_game *g)
{
	struct tale *tale = t->tale;
	if (g->opening >= tale->opening_count) {
		int count = g->opening + g->opening / 2 + 1;
		tale->openings = xrealloc(tale->openings, (size_t)count * sizeof *tale->openings);
		memset(tale->openings + tale->opening_count, 0,
		       (size_t)(count - tale->opening_count) * sizeof *tale->openings);
		tale->opening_count = count;
	}
	struct opening_tale *o = &tale->openings[g->opening];
	int moves = g->opening_moves < g->count ? g->opening_moves : g->count;
	bool black_is_a = tale->standings.players[0].engine == g->engines[BLACK];
	o->games++;
	o->black += g->points / 2.0;
	o->a += black_is_a ? g->points / 2.0 : 1 - g->points / 2.0;
	if (moves > tale->opening_moves)
		tale->opening_moves = moves;
	if (o->moves)
		return;
	o->moves = xcalloc((size_t)moves + 1, MOVE_TEXT_MAX);
	for (int i = 0; i < moves; i++) {
		strcat(o->moves, i ? " " : "");
		strcat(o->moves, g->moves[i].text);
	}
}

static void add_times(struct telling *t, const struct match_game *g, const int players[2])
{
	int pairs = (g->count + 1) / 2;
	if (pairs > t->pair_count) {
		size_t row = (size_t)t->player_count * sizeof *t->times;
		t->times = xrealloc(t->times, (size_t)pairs * row);
		memset(t->times + t->pair_count * t->player_count, 0,
		       (size_t)(pairs - t->pair_count) * row);
		t->pair_count = pairs;
	}
	for (int i = 0; i < g->count; i++) {
		if (isnan(g->moves[i].seconds))
			continue;
		int player = players[i % 2];
		t->tale->spent[player] += g->moves[i].seconds;
		add(&t->times[i / 2 * t->player_count + player], g->moves[i].seconds);
	}
}

/* Finds the move after which the loser's expected result fell most. Skips draws, games that ended by a
 * failure, and losers that reported no values. */
static void add_fall(struct telling *t, const struct match_game *g, const int players[2])
{
	struct tale *tale = t->tale;
	int loser = g->points == 0 ? BLACK : WHITE, last = -1;
	struct fall worst = { .before = -1, .after = 0 };
	if (g->points == 1 || g->end > END_RESIGN)
		return;
	for (int i = loser; i < g->count + 2; i += 2) {
		bool ended = i >= g->count;
		double sign = loser == BLACK ? 1 : -1;
		double after = ended ? -1 : sign * g->moves[i].value;
		if (isnan(after))
			continue;
		if (last >= 0) {
			double before = sign * g->moves[last].value;
			if (before - after > worst.before - worst.after)
				worst = (struct fall) { g->id,    players[loser], players[!loser],
							last + 1, before,         after };
		}
		if (ended)
			break;
		last = i;
	}
	if (worst.move == 0)
		return;
	if (tale->fall_count == t->fall_room) {
		t->fall_room = t->fall_room ? 2 * t->fall_room : 64;
		tale->falls = xrealloc(tale->falls, (size_t)t->fall_room * sizeof *tale->falls);
	}
	tale->falls[tale->fall_count++] = worst;
}

static bool take(void *arg, const struct match_game *g)
{
	struct telling *t = arg;
	struct tale *tale = t->tale;
	int players[2];
	for (int color = 0; color < 2; color++)
		players[color] = standings_player(&tale->standings, g->engines[color]);
	standings_add(&tale->standings, g);
	tale->black.games[g->points]++;
	if (g->count > tale->move_count)
		tale->move_count = g->count;
	if (g->ended && (!tale->first || g->ended < tale->first))
		tale->first = g->ended;
	if (g->ended > tale->last)
		tale->last = g->ended;
	add_sample(t);
	add_opening(t, g);
	add_times(t, g, players);
	add_fall(t, g, players);
	return true;
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static int compare_falls(const void *a, const void *b)
{
	const struct fall *x = a, *y = b;
	double dx = x->before - x->after, dy = y->before - y->after;
	return dx != dy ? (dx < dy) - (dx > dy) : (x->game > y->game) - (x->game < y->game);
}

static void add_paces(struct telling *t)
{
	struct tale *tale = t->tale;
	int count = t->player_count * t->pair_count;
	tale->paces = xcalloc((size_t)count + 1, sizeof *tale->paces);
	tale->pace_count = t->pair_count;
	for (int i = 0; i < count; i++) {
		struct list *l = &t->times[i];
		if (l->count) {
			qsort(l->items, (size_t)l->count, sizeof *l->items, compare_numbers);
			tale->paces[i] = (struct pace) {
				.low = l->items[l->count / 10],
				.median = l->items[l->count / 2],
				.high = l->items[l->count - 1 - l->count / 10],
				.moves = l->count,
			};
		}
		free(l->items);
	}
	free(t->times);
}

bool tale_read(struct tale *tale, struct matches *m, int match, char why[MATCHES_REASON_MAX])
{
	struct standings all;
	*tale = (struct tale) { 0 };
	standings_init(&all, matches_at(m, match));
	standings_init(&tale->standings, matches_at(m, match));
	bool good = standings_read(&all, m, match, PARTS_RESULT, why);
	struct telling t = {
		.tale = tale,
		.every = all.games / TALE_SAMPLES + 1,
		.games = all.games,
		.player_count = all.player_count,
	};
	/* Give the players the same numbers as elsewhere. */
	for (int i = 0; i < all.player_count; i++)
		standings_player(&tale->standings, all.players[i].engine);
	tale->spent = xcalloc((size_t)all.player_count + 1, sizeof *tale->spent);
	good = good && matches_games(m, match, PARTS_TIMES, take, &t, why);
	add_paces(&t);
	if (tale->fall_count)
		qsort(tale->falls, (size_t)tale->fall_count, sizeof *tale->falls, compare_falls);
	standings_free(&all);
	return good;
}

void tale_free(struct tale *tale)
{
	standings_free(&tale->standings);
	for (int i = 0; i < tale->opening_count; i++)
		free(tale->openings[i].moves);
	free(tale->openings);
	free(tale->samples);
	free(tale->paces);
	free(tale->spent);
	free(tale->falls);
}

const struct pace *tale_pace(const struct tale *tale, int player, int pair)
{
	return &tale->paces[pair * tale->standings.player_count + player];
}
