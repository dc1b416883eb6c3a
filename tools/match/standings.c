/* SPDX-License-Identifier: MIT */
#include "tools/match/standings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

void standings_init(struct standings *s, const struct match *match)
{
	*s = (struct standings) {
		.paired = match->paired,
		.test = match->tested ? &match->sprt : NULL,
	};
}

void standings_free(struct standings *s)
{
	for (int i = 0; i < s->player_count; i++)
		series_free(&s->players[i].seconds);
	for (int i = 0; i < s->pairing_count; i++)
		free(s->pairings[i].pairs);
	for (int i = 0; i < s->different; i++) {
		free(s->sorted[i]->text);
		free(s->sorted[i]);
	}
	free(s->sorted);
	free(s->of);
	keys_free(&s->seen);
	free(s->players);
	free(s->pairings);
}

int standings_player(struct standings *s, int engine)
{
	for (int i = 0; i < s->player_count; i++)
		if (s->players[i].engine == engine)
			return i;
	if (s->player_count == RATING_PLAYERS_MAX)
		return -1;
	s->players = xgrow(s->players, (size_t)s->player_count, sizeof *s->players);
	s->players[s->player_count] = (struct standing) { .engine = engine };
	return s->player_count++;
}

const struct pairing *standings_find(const struct standings *s, int a, int b)
{
	for (int i = 0; i < s->pairing_count; i++) {
		const int *p = s->pairings[i].players;
		if ((p[0] == a && p[1] == b) || (p[0] == b && p[1] == a))
			return &s->pairings[i];
	}
	return NULL;
}

static struct pairing *make_pairing(struct standings *s, int a, int b)
{
	const struct pairing *found = standings_find(s, a, b);
	if (found)
		return &s->pairings[found - s->pairings];
	s->pairings = xgrow(s->pairings, (size_t)s->pairing_count, sizeof *s->pairings);
	s->pairings[s->pairing_count] = (struct pairing) { .players = { a < b ? a : b,
									a < b ? b : a } };
	return &s->pairings[s->pairing_count++];
}

const char *player_label(int player, char label[LABEL_MAX])
{
	char *at = label;
	if (player >= 26)
		*at++ = (char)('A' + player / 26 - 1);
	*at++ = (char)('A' + player % 26);
	*at = '\0';
	return label;
}

int tally_games(const struct tally *t)
{
	return t->games[0] + t->games[1] + t->games[2];
}

double tally_points(const struct tally *t)
{
	return t->games[2] + t->games[1] / 2.0;
}

double tally_score(const struct tally *t)
{
	int games = tally_games(t);
	return games ? tally_points(t) / games : 0;
}

struct tally tally_sum(const struct tally tally[2])
{
	struct tally sum;
	for (int points = 0; points < 3; points++)
		sum.games[points] = tally[BLACK].games[points] + tally[WHITE].games[points];
	return sum;
}

/* Grows a list with an item of `size` bytes for every opening number so that it includes `opening`. New items are 0. */
static void *standings_reach(void *list, int *length, int opening, size_t size)
{
	if (opening < *length)
		return list;
	int count = opening + opening / 2 + 1, old = *length;
	list = xrealloc(list, (size_t)count * size);
	memset((char *)list + (size_t)old * size, 0, (size_t)(count - old) * size);
	*length = count;
	return list;
}

/* --- openings --- */

/* Writes the first `moves` moves of a game. The caller frees the text. */
static char *moves_text(const struct match_game *g, int moves)
{
	char *text = xcalloc((size_t)moves + 1, MOVE_TEXT_MAX), *end = text;
	for (int i = 0; i < moves; i++)
		end += sprintf(end, "%s%s", i ? " " : "", g->moves[i].text);
	return text;
}

/* Returns the place of a text among the different openings. */
static int standings_place_of(const struct standings *s, const char *text)
{
	int low = 0, high = s->different;
	while (low < high) {
		int middle = (low + high) / 2;
		if (strcmp(s->sorted[middle]->text, text) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void standings_add_opening(struct standings *s, const struct match_game *g)
{
	s->of = standings_reach(s->of, &s->numbers, g->opening, sizeof(struct opening_moves *));
	if (s->of[g->opening])
		return;
	char *text = moves_text(g, g->opening_moves < g->count ? g->opening_moves : g->count);
	int at = standings_place_of(s, text);
	if (at < s->different && strcmp(s->sorted[at]->text, text) == 0) {
		free(text);
	} else {
		s->sorted = xgrow(s->sorted, (size_t)s->different, sizeof(struct opening_moves *));
		memmove(s->sorted + at + 1, s->sorted + at,
			(size_t)(s->different++ - at) * sizeof(struct opening_moves *));
		s->sorted[at] = xmalloc(sizeof *s->sorted[at]);
		*s->sorted[at] = (struct opening_moves) { text, g->opening };
	}
	s->of[g->opening] = s->sorted[at];
}

/* --- games --- */

/* Counts a game whose moves an earlier one has. Games without moves, read from a file without them, do not count. */
static void standings_count_equal(struct standings *s, const struct match_game *g)
{
	char *text = moves_text(g, g->count);
	s->equal_games += g->count && !keys_add(&s->seen, keys_hash(text, strlen(text)));
	free(text);
}

/* Updates the test after a game of the pairing. */
static void test_pairing(struct standings *s, struct pairing *p)
{
	struct tally all = tally_sum(p->tally);
	if (!s->test)
		return;
	p->llr = sprt_llr(s->test, p->outcomes, s->paired ? 5 : 3);
	if (p->verdict != VERDICT_OPEN)
		return;
	p->verdict = p->llr >= sprt_upper(s->test)   ? VERDICT_ELO1
		     : p->llr <= sprt_lower(s->test) ? VERDICT_ELO0
						     : VERDICT_OPEN;
	if (p->verdict != VERDICT_OPEN)
		p->decided = tally_games(&all);
}

static void add_to_pairing(struct standings *s, const struct match_game *g, const int players[2])
{
	struct pairing *p = make_pairing(s, players[BLACK], players[WHITE]);
	int color = p->players[0] == players[BLACK] ? BLACK : WHITE;
	int points = color == BLACK ? g->points : 2 - g->points;
	p->pairs = standings_reach(p->pairs, &p->openings, g->opening, sizeof *p->pairs);
	struct standings_pair *pair = &p->pairs[g->opening];
	pair->played[color] = (unsigned char)(1 + points);
	p->tally[color].games[points]++;
	if (points != 1)
		p->forfeits[points == 0 ? 0 : 1] += g->end > END_RESIGN;
	if (!s->paired)
		p->outcomes[points]++;
	else if (pair_points(pair) >= 0)
		p->outcomes[pair_points(pair)]++;
	test_pairing(s, p);
}

/* Black makes the first move and the sides alternate; passes are moves of the record. */
static void standings_add_times(struct standings *s, const struct match_game *g,
				const int players[2])
{
	for (int i = 0; i < g->count; i++)
		if (!isnan(g->moves[i].seconds))
			series_add(&s->players[players[i % 2]].seconds, g->moves[i].seconds);
}

bool standings_add(struct standings *s, const struct match_game *g)
{
	int players[2];
	for (int color = 0; color < 2; color++) {
		players[color] = standings_player(s, g->engines[color]);
		if (players[color] < 0)
			return false;
	}
	s->games++;
	for (int color = 0; color < 2; color++) {
		struct standing *p = &s->players[players[color]];
		int points = color == BLACK ? g->points : 2 - g->points;
		p->tally[color].games[points]++;
		if (points == 0)
			p->ends[g->end]++;
	}
	standings_count_equal(s, g);
	standings_add_opening(s, g);
	add_to_pairing(s, g, players);
	standings_add_times(s, g, players);
	return true;
}

struct standings_reading {
	struct standings *standings;
	bool *takes_part; /* indexed by engine */
	bool full;        /* there are too many players */
};

static bool mark_engines(void *arg, const struct match_game *g)
{
	struct standings_reading *r = arg;
	r->takes_part[g->engines[BLACK]] = r->takes_part[g->engines[WHITE]] = true;
	return true;
}

static bool standings_take(void *arg, const struct match_game *g)
{
	struct standings_reading *r = arg;
	r->full = !standings_add(r->standings, g);
	return !r->full;
}

bool standings_read(struct standings *s, struct database *db, int match, enum match_parts parts,
		    char why[DATABASE_REASON_MAX])
{
	struct standings_reading r = { .standings = s };
	int engines = 0;
	while (database_engine(db, engines))
		engines++;
	r.takes_part = xcalloc((size_t)engines + 1, sizeof *r.takes_part);
	bool good = database_games(db, match, PARTS_RESULT, mark_engines, &r, why);
	for (int i = 0; good && i < engines; i++)
		if (r.takes_part[i])
			standings_player(s, i);
	free(r.takes_part);
	if (!good || !database_games(db, match, parts, standings_take, &r, why))
		return false;
	if (r.full)
		snprintf(why, DATABASE_REASON_MAX, "a match has at most %d engines",
			 RATING_PLAYERS_MAX);
	return !r.full;
}

/* --- results --- */

bool pairing_has(const struct pairing *p, int opening, int color)
{
	return opening < p->openings && p->pairs[opening].played[color];
}

int pair_points(const struct standings_pair *p)
{
	return p->played[BLACK] && p->played[WHITE] ? p->played[BLACK] + p->played[WHITE] - 2 : -1;
}

int standing_forfeits(const struct standing *p)
{
	int n = 0;
	for (int end = END_RESIGN + 1; end < END_COUNT; end++)
		n += p->ends[end];
	return n;
}

double standing_median(const struct standing *p)
{
	size_t size = (size_t)p->seconds.count * sizeof *p->seconds.values;
	if (p->seconds.count == 0)
		return NAN;
	double *sorted = xmalloc(size);
	memcpy(sorted, p->seconds.values, size);
	qsort(sorted, (size_t)p->seconds.count, sizeof *sorted, series_compare);
	double median = sorted[p->seconds.count / 2];
	free(sorted);
	return median;
}

double standing_longest(const struct standing *p)
{
	double longest = NAN;
	for (int i = 0; i < p->seconds.count; i++)
		longest = fmax(longest, p->seconds.values[i]);
	return longest;
}
