/* SPDX-License-Identifier: MIT */
#include "engine/search/verify.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

/* --- the table of verified positions ---
 *
 * A cell holds the two words that determine a position with the side to move. Each side has one half of the
 * cells. Two zero words mark an empty cell, so the empty board is never stored. */

#define BUCKET 4 /* cells per bucket */

struct verify_cell {
	uint64_t board[2];
};

struct verifier {
	const struct game *game;
	int side, points; /* the claim */
	int tried;        /* empty squares */
	advise_fn advise;
	void *arg;
	struct verify_cell *cells;
	size_t buckets, bytes; /* buckets per side */
	uint64_t positions;
	struct state hole;
	struct control *control;           /* of the running check */
	uint64_t claim;                    /* units of work claimed and not yet used */
	struct move moves[GAME_MOVES_MAX]; /* buffer: the list of a position would fill the stack */
};

static struct verify_cell *verify_bucket_of(const struct verifier *v, const struct state *s)
{
	size_t at = (size_t)(((unsigned __int128)s->hash * v->buckets) >> 64);
	return &v->cells[BUCKET * (s->side * v->buckets + at)];
}

static bool verify_is_kept(const struct verifier *v, const struct state *s)
{
	const struct verify_cell *c = verify_bucket_of(v, s);
	for (int i = 0; i < BUCKET; i++)
		if (c[i].board[0] == s->board[0] && c[i].board[1] == s->board[1])
			return s->board[0] || s->board[1];
	return false;
}

/* Stores a position. Replaces another one if the bucket is full. */
static void verify_keep(struct verifier *v, const struct state *s)
{
	struct verify_cell *c = verify_bucket_of(v, s);
	int i = 0;
	while (i < BUCKET && (c[i].board[0] || c[i].board[1]))
		i++;
	c[i < BUCKET ? i : (int)(s->hash % BUCKET)] = (struct verify_cell) { { s->board[0],
									       s->board[1] } };
}

/* --- the check --- */

static bool is_true_at_end(const struct verifier *v, const struct state *s)
{
	return side_sign(v->side) * game_worth(v->game, s) >= v->points;
}

static enum verdict found_hole(struct verifier *v, const struct state *s)
{
	v->hole = *s;
	return HOLE;
}

static enum verdict verify_walk(struct verifier *, const struct state *);

/* Checks all moves of the other side. */
static enum verdict walk_all(struct verifier *v, const struct state *s, const struct move *moves,
			     int count)
{
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		game_play(v->game, &next, moves[i]);
		if (next.over)
			continue; /* checked by walk() */
		enum verdict verdict = verify_walk(v, &next);
		if (verdict != VERIFIED)
			return verdict;
	}
	return VERIFIED;
}

/* Checks that one move of the claim's side keeps the claim. */
static enum verdict walk_one(struct verifier *v, const struct state *s, const struct move *moves,
			     int count)
{
	struct move advised;
	struct state next;
	bool tries = game_free(v->game, s) <= v->tried;
	if (!tries) {
		if (!v->advise(v->arg, s, &advised))
			return UNFINISHED;
		if (!game_is_legal(v->game, s, advised))
			return found_hole(v, s);
		moves = &advised;
		count = 1;
	}
	for (int i = 0; i < count; i++) {
		next = *s;
		game_play(v->game, &next, moves[i]);
		if (next.over)
			continue; /* walk() found that no finished game keeps the claim */
		enum verdict verdict = verify_walk(v, &next);
		if (verdict != HOLE || !tries)
			return verdict;
	}
	return found_hole(v, s);
}

/* Checks a state that is neither over nor pending. */
static enum verdict verify_walk(struct verifier *v, const struct state *s)
{
	bool mine = s->side == v->side;
	if (verify_is_kept(v, s))
		return VERIFIED;
	if (v->claim == 0 && (v->claim = control_claim(v->control, WORK_BATCH)) == 0)
		return UNFINISHED;
	v->claim--;
	v->positions++;
	const int count = game_moves(v->game, s, v->moves);
	struct move moves[count];
	memcpy(moves, v->moves, sizeof moves);
	/* Look at moves that end the game first: they settle the node without a search. */
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		game_play(v->game, &next, moves[i]);
		if (next.over && is_true_at_end(v, &next) == mine)
			return mine ? VERIFIED : found_hole(v, &next);
	}
	enum verdict verdict = (mine ? walk_one : walk_all)(v, s, moves, count);
	if (verdict == VERIFIED)
		verify_keep(v, s);
	return verdict;
}

enum verdict verifier_check(struct verifier *v, const struct state *s, struct control *control)
{
	if (s->over)
		return is_true_at_end(v, s) ? VERIFIED : found_hole(v, s);
	v->control = control;
	enum verdict verdict = verify_walk(v, s);
	control_refund(control, v->claim);
	v->claim = 0;
	return verdict;
}

/* --- the interface --- */

struct verifier *verifier_create(const struct game *game, int side, int points, int tried,
				 size_t bytes, advise_fn advise, void *arg)
{
	struct verifier *v = xcalloc(1, sizeof *v);
	*v = (struct verifier) {
		.game = game,
		.side = side,
		.points = points,
		.tried = tried,
		.advise = advise,
		.arg = arg,
		.cells = block_create(bytes),
		.buckets = bytes / (2 * BUCKET * sizeof(struct verify_cell)),
		.bytes = bytes,
	};
	if (v->cells)
		return v;
	free(v);
	return NULL;
}

void verifier_destroy(struct verifier *v)
{
	block_destroy(v->cells, v->bytes);
	free(v);
}

uint64_t verifier_positions(const struct verifier *v)
{
	return v->positions;
}

const struct state *verifier_hole(const struct verifier *v)
{
	return &v->hole;
}
