/* SPDX-License-Identifier: MIT */
#include "tools/match/statistics.h"

#include <stdlib.h>

#include "engine/base/memory.h"

/* Returns the cluster of an opening number. All are below s->numbers. */
static int cluster_of(const struct standings *s, int opening)
{
	return s->different > 1 ? s->of[opening]->number : opening;
}

/* Calls `use` with the half points of every game of a view. */
static void each_game(const struct standings *s, struct view v,
		      void (*use)(void *arg, int opening, int points), void *arg)
{
	for (int i = 0; i < s->pairing_count; i++) {
		const struct pairing *p = &s->pairings[i];
		for (int k = 0; k < p->openings; k++)
			for (int color = 0; color < 2; color++) {
				int played = p->pairs[k].played[color];
				/* Seen by A, then by B. */
				for (int side = 0; side < 2 && played; side++) {
					int own = side ? !color : color;
					if ((v.color == ANY || v.color == own) &&
					    (v.player == ANY || v.player == p->players[side]) &&
					    (v.opponent == ANY || v.opponent == p->players[!side]))
						use(arg, k, side ? 3 - played : played - 1);
				}
			}
	}
}

static void add_to_tally(void *arg, int opening, int points)
{
	struct tally *t = arg;
	t->games[points]++;
}

struct tally statistics_tally(const struct standings *s, struct view v)
{
	struct tally t = { 0 };
	each_game(s, v, add_to_tally, &t);
	return t;
}

struct grouping {
	const struct standings *standings;
	struct group *groups;
};

static void add_to_group(void *arg, int opening, int points)
{
	struct grouping *g = arg;
	struct group *group = &g->groups[cluster_of(g->standings, opening)];
	group->games++;
	group->points += points / 2.0;
}

/* Returns the games of a view by cluster: s->numbers groups. The caller frees them. */
static struct group *group_games(const struct standings *s, struct view v)
{
	struct grouping g = { s, xcalloc((size_t)s->numbers + 1, sizeof *g.groups) };
	each_game(s, v, add_to_group, &g);
	return g.groups;
}

struct interval statistics_score(const struct standings *s, struct view v)
{
	struct group *groups = group_games(s, v);
	struct interval score = score_interval(groups, s->numbers);
	free(groups);
	return score;
}

double statistics_superiority(const struct standings *s, struct view v)
{
	struct group *groups = group_games(s, v);
	double superiority = score_superiority(groups, s->numbers);
	free(groups);
	return superiority;
}

struct pair_counts statistics_pairs(const struct standings *s, const struct pairing *p)
{
	struct pair_counts n = { 0 };
	for (int i = 0; i < SPRT_OUTCOMES && s->paired; i++) {
		n.all += p->outcomes[i];
		n.decided += i == SPRT_OUTCOMES / 2 ? 0 : p->outcomes[i];
	}
	return n;
}

struct interval statistics_normalised(const struct standings *s, const struct pairing *p)
{
	struct unit *list = xcalloc((size_t)p->openings * 2 + 1, sizeof *list);
	int count = 0;
	for (int k = 0; k < p->openings; k++) {
		const struct standings_pair *pair = &p->pairs[k];
		if (s->paired && pair_points(pair) >= 0)
			list[count++] = (struct unit) { pair_points(pair), cluster_of(s, k) };
		for (int color = 0; color < 2 && !s->paired; color++)
			if (pair->played[color])
				list[count++] = (struct unit) { pair->played[color] - 1,
								cluster_of(s, k) };
	}
	struct interval elo = elo_normalised(list, count, s->paired ? 2 : 1);
	free(list);
	return elo;
}

void statistics_ratings(const struct standings *s, struct interval *ratings)
{
	int count = 0, room = 0;
	for (int i = 0; i < s->pairing_count; i++)
		room += s->pairings[i].openings;
	struct meeting *meetings = xcalloc((size_t)room + 1, sizeof *meetings);
	for (int i = 0; i < s->pairing_count; i++) {
		const struct pairing *p = &s->pairings[i];
		for (int k = 0; k < p->openings; k++) {
			struct meeting m = { .a = p->players[0], .b = p->players[1] };
			for (int color = 0; color < 2; color++)
				if (p->pairs[k].played[color]) {
					m.games++;
					m.points += (p->pairs[k].played[color] - 1) / 2.0;
				}
			if (m.games) {
				m.cluster = cluster_of(s, k);
				meetings[count++] = m;
			}
		}
	}
	elo_ratings(meetings, count, s->player_count, ratings);
	free(meetings);
}
