/* SPDX-License-Identifier: MIT
 *
 * A four leaves the defender one answer, so a search of fours has no branches for the defender. A three is any move
 * after which the attacker, if he could move again, would win by fours. The defender's answers to it are the squares of
 * that win, its zone:
 *
 *   - all squares where it places stones, and those that complete its last five;
 *   - all squares where, at any time of it, a stone of the defender would have made a four. One of these stones,
 *     together with an answer that is forced, could make a five or a four that comes first.
 *
 * A stone of the defender anywhere else changes nothing: each four of the attacker is still a four with the same answer,
 * and the answers still threaten nothing new. So the attacker wins. That holds for all rules: the row of the attacker
 * gets longer only by his own stones.
 *
 * In Renju the squares that Black may not take matter, too. A four that Black may not answer wins. A stone of White may
 * make a square forbidden, and a stone of Black may make one allowed, from anywhere. So the zone is the whole board if White
 * needs that Black may not answer, or if Black takes a doubtful square. On any other square Black's stone stays allowed:
 * White's stones add no four and no three to it.
 *
 * A win by fours and threes needs a win behind each answer of the zone. The search deepens: it allows one three on each
 * path, then two, and so on. Only searches that ran out of work are not repeatable for all positions that are equal by
 * symmetry; with the same work they always find the same.
 */
#include "games/gomoku/gomoku_force.h"

#include <string.h>

#include "engine/base/bits.h"
#include "games/gomoku/gomoku_board.h"

#define FOURS_DEPTH  48  /* most fours of a win */
#define THREES_DEPTH 12  /* most threes on a path */
#define MISSES       512 /* places of the table of positions without a win by fours; a power of 2 */
#define THREES_LEAST 100 /* with less work only fours are searched */
/* A search of fours behind a three gets at most 1/n of the work, but at least FOURS_LEAST. */
#define FOURS_PART   8
#define FOURS_LEAST  16

/* A set of squares. */
struct zone {
	uint64_t set[GOMOKU_WORDS];
};

/* One search. */
struct gomoku_force_search {
	struct gomoku_board board;
	struct gomoku_changes changes;
	int work;      /* stones that it may still place */
	bool cut;      /* a part of it ran out of work or depth */
	uint64_t hash; /* of the stones that it has placed */
	uint64_t misses[MISSES];
};

static uint64_t gomoku_force_key_of(int side, int step)
{
	uint64_t seed = (uint64_t)(2 * step + side + 1) * 0xd1342543de82ef95u;
	return rng_split(&seed);
}

static void gomoku_force_place(struct gomoku_force_search *f, int side, int step)
{
	f->work--;
	f->hash ^= gomoku_force_key_of(side, step);
	gomoku_board_place(&f->board, side, step);
}

static void gomoku_force_take_back(struct gomoku_force_search *f, int side, int step)
{
	f->hash ^= gomoku_force_key_of(side, step);
	gomoku_board_remove(&f->board, side, step);
}

/* --- zones --- */

static void zone_join(struct zone *z, const uint64_t set[GOMOKU_WORDS])
{
	for (int i = 0; i < GOMOKU_WORDS; i++)
		z->set[i] |= set[i];
}

static void gomoku_force_join_all(struct zone *z)
{
	memset(z->set, 0xff, sizeof z->set);
}

/* Adds the squares where a stone of the defender makes a four or more, also those that he may not take now: at the start of
 * the win he may have been allowed to. */
static void zone_join_fours(struct zone *z, const struct gomoku_board *b, int defender)
{
	for (int kind = KIND_FOUR; kind < KINDS; kind++)
		if (b->counts[defender][kind])
			zone_join(z, b->sets[defender][kind]);
}

/* The square that completes five for a side, -1: there is none, -2: there are several. */
static int only_five(const struct gomoku_board *b, int side)
{
	int count = gomoku_count(b, side, KIND_FIVE);
	return !count ? -1 : count > 1 ? -2 : bits_first(b->sets[side][KIND_FIVE]);
}

/* --- fours --- */

/* Returns the attacker's first square with a four that has two answers, or -1. */
static int gomoku_force_open_four(struct gomoku_board *b, int side)
{
	const uint64_t *doubtful = b->sets[side][KIND_DOUBTFUL];
	if (gomoku_count(b, side, KIND_OPEN_FOUR))
		return bits_first(b->sets[side][KIND_OPEN_FOUR]);
	if (gomoku_count(b, side, KIND_DOUBTFUL))
		for (int i = 0; i < GOMOKU_WORDS; i++)
			for (uint64_t left = doubtful[i]; left; left &= left - 1) {
				int step = 64 * i + __builtin_ctzll(left);
				if (gomoku_board_kind(b, side, step) == KIND_OPEN_FOUR)
					return step;
			}
	return -1;
}

/* The end of a win: five, or a four with two answers. Returns the step, or -1. `must` is the only square that the
 * attacker may choose, or -1. Adds the squares of the end to the zone, unless it is NULL. */
static int gomoku_force_find_end(struct gomoku_force_search *f, int side, int must, struct zone *z)
{
	struct gomoku_board *b = &f->board;
	if (gomoku_count(b, side, KIND_FIVE)) {
		int step = bits_first(b->sets[side][KIND_FIVE]);
		if (z)
			bits_add(z->set, step);
		return step;
	}
	if (must == -2)
		return -1;
	int step = must;
	if (must < 0)
		step = gomoku_force_open_four(b, side);
	else if (gomoku_board_kind(b, side, must) != KIND_OPEN_FOUR)
		step = -1;
	if (step >= 0 && z) {
		if (b->kinds[side][step] == KIND_DOUBTFUL)
			gomoku_force_join_all(z);
		bits_add(z->set, step);
		gomoku_force_place(f, side, step);
		zone_join(z, b->sets[side][KIND_FIVE]);
		gomoku_force_take_back(f, side, step);
		zone_join_fours(z, b, side ^ 1);
	}
	return step;
}

static bool is_miss(const struct gomoku_force_search *f, int side)
{
	uint64_t key = f->hash + (uint64_t)side + 1;
	return f->misses[key % MISSES] == key;
}

static void note_miss(struct gomoku_force_search *f, int side)
{
	uint64_t key = f->hash + (uint64_t)side + 1;
	f->misses[key % MISSES] = key;
}

/* Searches a win of `side`, which is to move, by fours. Stops when the work has fallen to `least`. Returns the first
 * step, or -1. Adds to the zone, unless it is NULL. */
static int search_fours(struct gomoku_force_search *f, int side, int depth, int least,
			struct zone *z)
{
	static const enum gomoku_kind order[] = { KIND_FOUR_THREE, KIND_FOUR, KIND_DOUBTFUL };
	struct gomoku_board *b = &f->board;
	int must = only_five(b, side ^ 1), end = gomoku_force_find_end(f, side, must, z);
	if (end >= 0 || must == -2)
		return end;
	if (is_miss(f, side))
		return -1;
	bool cut = false;
	for (int k = 0; k < 3; k++) {
		uint64_t left[GOMOKU_WORDS];
		if (!gomoku_count(b, side, order[k]))
			continue;
		memcpy(left, b->sets[side][order[k]], sizeof left);
		for (int i = 0; i < GOMOKU_WORDS; i++)
			for (; left[i]; left[i] &= left[i] - 1) {
				int step = 64 * i + __builtin_ctzll(left[i]), found = -1;
				if (must >= 0 && step != must)
					continue;
				if (order[k] == KIND_DOUBTFUL &&
				    gomoku_board_kind(b, side, step) != KIND_FOUR)
					continue;
				if (depth == 0 || f->work <= least) {
					f->cut = true;
					return -1;
				}
				int answer = gomoku_board_answer(b, side, step);
				bool before = f->cut;
				f->cut = false;
				gomoku_force_place(f, side, step);
				bool answered = gomoku_board_allows(b, side ^ 1, answer);
				if (answered) {
					gomoku_force_place(f, side ^ 1, answer);
					found = search_fours(f, side, depth - 1, least, z);
					gomoku_force_take_back(f, side ^ 1, answer);
				}
				gomoku_force_take_back(f, side, step);
				cut |= f->cut;
				f->cut |= before;
				if (answered && found < 0)
					continue;
				if (z && (!answered || order[k] == KIND_DOUBTFUL))
					gomoku_force_join_all(z);
				if (z) {
					bits_add(z->set, step);
					bits_add(z->set, answer);
					zone_join_fours(z, b, side ^ 1);
				}
				return step;
			}
	}
	if (!cut)
		note_miss(f, side);
	return -1;
}

/* --- fours and threes --- */

static int search_threes(struct gomoku_force_search *f, int side, int threes, int least);

/* Returns true if the attacker wins after a three on `step`, whatever the defender answers. */
static bool wins_by_three(struct gomoku_force_search *f, int side, int step, int threes, int least)
{
	struct gomoku_board *b = &f->board;
	struct zone z = { { 0 } };
	bool won = true;
	gomoku_force_place(f, side, step);
	int part = f->work / FOURS_PART < FOURS_LEAST ? FOURS_LEAST : f->work / FOURS_PART;
	int floor = f->work - part > least ? f->work - part : least;
	if (search_fours(f, side, FOURS_DEPTH, floor, &z) < 0)
		won = false;
	for (int i = 0; i < GOMOKU_WORDS && won; i++)
		for (uint64_t left = z.set[i]; left && won; left &= left - 1) {
			int answer = 64 * i + __builtin_ctzll(left);
			if (b->taken[answer] || !gomoku_board_allows(b, side ^ 1, answer))
				continue;
			if (f->work <= least) {
				f->cut = true;
				won = false;
				break;
			}
			gomoku_force_place(f, side ^ 1, answer);
			won = search_threes(f, side, threes, least) >= 0;
			gomoku_force_take_back(f, side ^ 1, answer);
		}
	gomoku_force_take_back(f, side, step);
	return won;
}

/* Returns true if the attacker wins after a four on `step`. */
static bool wins_by_four(struct gomoku_force_search *f, int side, int step, int threes, int least)
{
	int answer = gomoku_board_answer(&f->board, side, step);
	bool won = true;
	gomoku_force_place(f, side, step);
	if (gomoku_board_allows(&f->board, side ^ 1, answer)) {
		gomoku_force_place(f, side ^ 1, answer);
		won = search_threes(f, side, threes, least) >= 0;
		gomoku_force_take_back(f, side ^ 1, answer);
	}
	gomoku_force_take_back(f, side, step);
	return won;
}

/* Searches a win of `side`, which is to move, by fours and at most `threes` threes on each path. Returns the first
 * step, or -1. */
static int search_threes(struct gomoku_force_search *f, int side, int threes, int least)
{
	static const enum gomoku_kind order[] = { KIND_FOUR_THREE, KIND_TWO_THREES, KIND_THREE,
						  KIND_FOUR, KIND_DOUBTFUL };
	struct gomoku_board *b = &f->board;
	int must = only_five(b, side ^ 1), found = search_fours(f, side, FOURS_DEPTH, least, NULL);
	if (found >= 0 || must == -2)
		return found;
	if (threes == 0)
		return -1;
	for (int k = 0; k < 5; k++) {
		uint64_t left[GOMOKU_WORDS];
		if (!gomoku_count(b, side, order[k]))
			continue;
		memcpy(left, b->sets[side][order[k]], sizeof left);
		for (int i = 0; i < GOMOKU_WORDS; i++)
			for (; left[i]; left[i] &= left[i] - 1) {
				int step = 64 * i + __builtin_ctzll(left[i]);
				if (must >= 0 && step != must)
					continue;
				enum gomoku_kind kind = gomoku_board_kind(b, side, step);
				if (kind == KIND_FORBIDDEN)
					continue;
				if (f->work <= least) {
					f->cut = true;
					return -1;
				}
				if (kind == KIND_FOUR_THREE || kind == KIND_FOUR
					    ? wins_by_four(f, side, step, threes, least)
					    : wins_by_three(f, side, step, threes - 1, least))
					return step;
			}
	}
	return -1;
}

/* Searches with more and more threes. */
static int deepen(struct gomoku_force_search *f, int side)
{
	for (int threes = 0; threes <= THREES_DEPTH && f->work > 0; threes++) {
		int found = search_threes(f, side, threes, 0);
		if (found >= 0)
			return found;
	}
	return -1;
}

static void gomoku_force_begin(struct gomoku_force_search *f, const struct state *s, int work)
{
	f->work = work;
	f->cut = false;
	f->hash = 0;
	memset(f->misses, 0, sizeof f->misses);
	gomoku_board_set(&f->board, s, &f->changes);
}

move_t gomoku_fours(const struct state *s, int work)
{
	struct gomoku_force_search f;
	gomoku_force_begin(&f, s, work);
	int found = search_fours(&f, s->side, FOURS_DEPTH, 0, NULL);
	return found < 0 ? MOVE_NONE : (move_t)found;
}

move_t gomoku_threes(const struct state *s, int work)
{
	struct gomoku_force_search f;
	gomoku_force_begin(&f, s, work);
	int found = deepen(&f, s->side);
	return found < 0 ? MOVE_NONE : (move_t)found;
}

/* Lists the squares of a set that a side may take. Returns their number. */
static int list_empty(struct gomoku_board *b, int side, const uint64_t set[GOMOKU_WORDS],
		      move_t *out)
{
	int n = 0;
	for (int i = 0; i < GOMOKU_WORDS; i++)
		for (uint64_t left = set[i]; left; left &= left - 1) {
			int step = 64 * i + __builtin_ctzll(left);
			if (!b->taken[step] && gomoku_board_allows(b, side, step))
				out[n++] = (move_t)step;
		}
	return n;
}

/* What the other side threatens leaves only its zone, if it would win by fours. */
int gomoku_forced(const struct game *g, const struct state *s, int work, move_t *steps, bool *won)
{
	struct gomoku_force_search f;
	struct zone z = { { 0 } };
	const int side = s->side, other = side ^ 1;
	gomoku_force_begin(&f, s, work);
	int five = only_five(&f.board, other);
	int found = work < THREES_LEAST ? search_fours(&f, side, FOURS_DEPTH, 0, NULL)
					: deepen(&f, side);
	*won = found >= 0;
	if (*won || five >= 0)
		steps[0] = (move_t)(*won ? found : five);
	if (*won || five != -1)
		return *won || (five >= 0 && gomoku_board_allows(&f.board, side, five));
	f.work = work;
	if (search_fours(&f, other, FOURS_DEPTH, 0, &z) < 0)
		gomoku_force_join_all(&z);
	for (int i = f.board.size * f.board.size; i < 64 * GOMOKU_WORDS; i++)
		z.set[i / 64] &= ~(UINT64_C(1) << i % 64);
	return list_empty(&f.board, side, z.set, steps);
}
