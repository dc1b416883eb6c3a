/* SPDX-License-Identifier: MIT */
#include "protocol/lessons/mate.h"

#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/rules/threats.h"

struct mate {
	const struct game *game;
	int side; /* the winner */
	int64_t work;
};

static bool mate_is_won(const struct mate *v, const struct state *s)
{
	return s->over && side_sign(v->side) * s->score > 0;
}

/* Lists the moves after which the other side does not win at once: only those can defend. In games with moves of several
 * steps, or without `safe`, lists all moves. */
static int defences(const struct mate *v, const struct state *s, struct move *moves)
{
	const struct game *g = v->game;
	move_t steps[GAME_STEPS_MAX];
	if (!g->threats || g->steps.per_move > 1)
		return game_moves(g, s, moves);
	int n = g->threats->safe(g, s, steps);
	for (int i = 0; i < n; i++)
		moves[i] = move_single(steps[i]);
	return n;
}

/* Returns true if the winner wins with at most n moves. If the work is used up the answer means nothing. */
static bool wins_within(struct mate *v, const struct state *s, int n);

/* The same for a state in which the other side moves. */
static bool holds_within(struct mate *v, const struct state *s, int n)
{
	const struct game *g = v->game;
	if (n == 0 || (g->threats && g->threats->wins(g, s)))
		return false;
	struct move *moves = xmalloc(GAME_MOVES_MAX * sizeof *moves);
	int count = defences(v, s, moves);
	bool all = true;
	for (int i = 0; i < count && all; i++) {
		struct state after = *s;
		game_play(g, &after, moves[i]);
		all = wins_within(v, &after, n);
	}
	free(moves);
	return all;
}

static bool wins_within(struct mate *v, const struct state *s, int n)
{
	const struct game *g = v->game;
	if (s->over || --v->work < 0)
		return mate_is_won(v, s);
	if (s->side != v->side)
		return holds_within(v, s, n);
	if (n > 0 && g->threats && g->threats->wins(g, s))
		return true;
	if (n == 0 || (n == 1 && g->threats))
		return false;
	struct move *moves = xmalloc(GAME_MOVES_MAX * sizeof *moves);
	int count = game_moves(g, s, moves);
	bool any = false;
	for (int i = 0; i < count && !any; i++) {
		struct state after = *s;
		game_play(g, &after, moves[i]);
		any = wins_within(v, &after, n - 1);
	}
	free(moves);
	return any;
}

/* The least number of moves with which the winner wins from a state, at most `most`; more: most + 1. */
static int fastest(struct mate *v, const struct state *s, int most)
{
	int n = 0;
	while (n <= most && !wins_within(v, s, n))
		n++;
	return n;
}

/* Writes the winner's fastest moves and the longest defence from a state that is won with n moves. */
static int mate_write_line(struct mate *v, struct state s, int n, struct move *line, int room)
{
	struct move *moves = xmalloc(GAME_MOVES_MAX * sizeof *moves);
	int count = 0;
	while (!s.over && count < room) {
		int total = game_moves(v->game, &s, moves), best = -1, best_n = 0;
		bool own = s.side == v->side;
		for (int i = 0; i < total; i++) {
			struct state after = s;
			game_play(v->game, &after, moves[i]);
			int length = fastest(v, &after, n - own);
			if (length > n - own || (best >= 0 && (own || length <= best_n)))
				continue;
			best = i;
			best_n = length;
		}
		if (best < 0)
			break;
		line[count++] = moves[best];
		game_play(v->game, &s, moves[best]);
		n = best_n;
	}
	free(moves);
	return count;
}

int mate_find(const struct game *g, const struct state *s, struct move first, int64_t work,
	      struct move line[2 * MATE_MAX], int *count)
{
	struct mate v = { g, s->side, work };
	struct state after = *s;
	bool is_given = first.step[0] != MOVE_NONE;
	*count = 0;
	if (g->steps.may_pass)
		return 0;
	if (is_given)
		game_play(g, &after, first);
	int n = fastest(&v, &after, MATE_MAX - is_given);
	if (v.work < 0 || n > MATE_MAX - is_given)
		return 0;
	/* The line has no limit: its searches are no longer than the one that has found the win. */
	v.work = INT64_MAX;
	if (is_given)
		line[(*count)++] = first;
	*count += mate_write_line(&v, after, n, line + *count, 2 * MATE_MAX - *count);
	return n + is_given;
}
