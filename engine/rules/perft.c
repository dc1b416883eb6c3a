/* SPDX-License-Identifier: MIT */
#include "engine/rules/perft.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Counts the sequences from a state that is not over and follows `length` moves. */
static void perft_count_own(const struct game *g, const struct state *s, int length,
			    struct perft *p)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		if (next.pending) {
			perft_count_own(g, &next, length, p);
			continue;
		}
		p->length[length + 1].moves++;
		if (next.over)
			p->length[length + 1].ended[1 - score_sign(next.score)]++;
		else if (length + 1 < p->depth)
			perft_count_own(g, &next, length + 1, p);
	}
}

void perft_count(const struct game *g, const struct state *s, int depth, struct perft *p)
{
	assert(depth >= 1 && depth <= PERFT_DEPTH_MAX && !s->pending);
	memset(p, 0, sizeof *p);
	p->depth = depth;
	p->length[0].moves = 1;
	if (s->over)
		p->length[0].ended[1 - score_sign(s->score)] = 1;
	else
		perft_count_own(g, s, 0, p);
}

static uint64_t leaves(const struct game *g, const struct state *s, int depth)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	if (depth == 1 && s->pending == g->steps.per_move - 1)
		return (uint64_t)n;
	uint64_t sum = 0;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		if (next.pending)
			sum += leaves(g, &next, depth);
		else if (depth == 1)
			sum++;
		else if (!next.over)
			sum += leaves(g, &next, depth - 1);
	}
	return sum;
}

uint64_t perft_leaves(const struct game *g, const struct state *s, int depth)
{
	assert(depth >= 1 && !s->pending);
	return s->over ? 0 : leaves(g, s, depth);
}

int perft_format(const struct perft *p, char text[PERFT_TEXT_MAX])
{
	char *at = text, *end = text + PERFT_TEXT_MAX;
	uint64_t ended[3] = { p->length[0].ended[0], p->length[0].ended[1], p->length[0].ended[2] };
	at += snprintf(at, (size_t)(end - at), "%5s %14s %14s %14s %14s %14s %14s\n", "depth",
		       "moves", "ended", "black", "draw", "white", "sum");
	for (int d = 1; d <= p->depth; d++) {
		uint64_t all = ended[0] + ended[1] + ended[2];
		at += snprintf(at, (size_t)(end - at),
			       "%5d %14" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRIu64
			       " %14" PRIu64 " %14" PRIu64 "\n",
			       d, p->length[d].moves, all, ended[0], ended[1], ended[2],
			       p->length[d].moves + all);
		for (int i = 0; i < 3; i++)
			ended[i] += p->length[d].ended[i];
	}
	at += snprintf(at, (size_t)(end - at),
		       "ended within %d moves: %" PRIu64 "/%" PRIu64 "/%" PRIu64, p->depth,
		       ended[0], ended[1], ended[2]);
	return (int)(at - text);
}
