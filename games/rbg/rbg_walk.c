/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_walk.h"

#include <stdlib.h>

#include "engine/base/bits.h"
#include "engine/base/memory.h"

bool rbg_is_walk(const struct rbg_rules *r, int term)
{
	const struct rbg_term *t = &r->terms[term];
	if (t->kind == RBG_GO || (t->kind == RBG_ON && !t->pieces))
		return true;
	if (t->kind != RBG_SEQUENCE && t->kind != RBG_CHOICE && t->kind != RBG_REPEAT &&
	    t->kind != RBG_CAN && t->kind != RBG_CANNOT)
		return false;
	for (int child = t->child; child >= 0; child = r->terms[child].next)
		if (!rbg_is_walk(r, child))
			return false;
	return true;
}

/* --- the arithmetic of relations: rows of sets --- */

/* What all functions below share. */
struct rbg_walker {
	const struct rbg_rules *rules;
	int squares, words;
	int64_t *budget;
};

static uint64_t *rbg_walk_empty(struct rbg_walker *w)
{
	size_t words = (size_t)w->squares * (size_t)w->words;
	*w->budget -= (int64_t)words;
	return xcalloc(words, sizeof(uint64_t));
}

static void rbg_walk_unite(struct rbg_walker *w, uint64_t *into, const uint64_t *set)
{
	for (int i = 0; i < w->words; i++)
		into[i] |= set[i];
}

/* Adds to `into` the rows of all squares of a set. */
static void rbg_walk_follow(struct rbg_walker *w, const uint64_t *set, const uint64_t *rows,
			    uint64_t *into)
{
	for (int word = 0; word < w->words; word++)
		for (uint64_t rest = set[word]; rest; rest &= rest - 1) {
			int square = 64 * word + __builtin_ctzll(rest);
			rbg_walk_unite(w, into, &rows[square * w->words]);
			*w->budget -= w->words;
		}
}

static uint64_t *rbg_walk_term(struct rbg_walker *w, int term);

static uint64_t *rbg_walk_same(struct rbg_walker *w)
{
	uint64_t *rows = rbg_walk_empty(w);
	for (int i = 0; i < w->squares; i++)
		bits_add(&rows[i * w->words], i);
	return rows;
}

static uint64_t *rbg_walk_sequence(struct rbg_walker *w, int first, int end)
{
	uint64_t *rows = rbg_walk_same(w);
	for (int child = first; child >= 0 && child != end && *w->budget >= 0;
	     child = w->rules->terms[child].next) {
		uint64_t *step = rbg_walk_term(w, child), *all = rbg_walk_empty(w);
		for (int i = 0; i < w->squares; i++)
			rbg_walk_follow(w, &rows[i * w->words], step, &all[i * w->words]);
		free(step);
		free(rows);
		rows = all;
	}
	return rows;
}

static uint64_t *rbg_walk_choice(struct rbg_walker *w, int first)
{
	uint64_t *rows = rbg_walk_empty(w);
	for (int child = first; child >= 0 && *w->budget >= 0;
	     child = w->rules->terms[child].next) {
		uint64_t *one = rbg_walk_term(w, child);
		for (int i = 0; i < w->squares; i++)
			rbg_walk_unite(w, &rows[i * w->words], &one[i * w->words]);
		free(one);
	}
	return rows;
}

/* Follows a relation from each square until nothing new is reached. */
static uint64_t *rbg_walk_repeat(struct rbg_walker *w, int child)
{
	uint64_t *step = rbg_walk_term(w, child), *rows = rbg_walk_same(w);
	for (int i = 0; i < w->squares && *w->budget >= 0; i++) {
		uint64_t *row = &rows[i * w->words], news[RBG_WORDS_MAX] = { 0 }, any = 1;
		bits_add(news, i);
		while (any) {
			uint64_t next[RBG_WORDS_MAX] = { 0 };
			rbg_walk_follow(w, news, step, next);
			any = 0;
			for (int k = 0; k < w->words; k++) {
				news[k] = next[k] & ~row[k];
				row[k] |= next[k];
				any |= news[k];
			}
		}
	}
	free(step);
	return rows;
}

static uint64_t *rbg_walk_can(struct rbg_walker *w, int child, bool can)
{
	uint64_t *step = rbg_walk_term(w, child), *rows = rbg_walk_empty(w);
	for (int i = 0; i < w->squares; i++) {
		uint64_t any = 0;
		for (int k = 0; k < w->words; k++)
			any |= step[i * w->words + k];
		if ((any != 0) == can)
			bits_add(&rows[i * w->words], i);
	}
	free(step);
	return rows;
}

static uint64_t *rbg_walk_go(struct rbg_walker *w, int direction)
{
	uint64_t *rows = rbg_walk_empty(w);
	for (int i = 0; i < w->squares; i++) {
		int to = w->rules->neighbors[direction * w->squares + i];
		if (to >= 0)
			bits_add(&rows[i * w->words], to);
	}
	return rows;
}

static uint64_t *rbg_walk_term(struct rbg_walker *w, int term)
{
	const struct rbg_term *t = &w->rules->terms[term];
	switch (t->kind) {
	case RBG_GO:
		return rbg_walk_go(w, t->value);
	case RBG_SEQUENCE:
		return rbg_walk_sequence(w, t->child, -1);
	case RBG_CHOICE:
		return rbg_walk_choice(w, t->child);
	case RBG_REPEAT:
		return rbg_walk_repeat(w, t->child);
	case RBG_CAN:
	case RBG_CANNOT:
		return rbg_walk_can(w, t->child, t->kind == RBG_CAN);
	default: /* RBG_ON without pieces */
		return rbg_walk_empty(w);
	}
}

/* --- what makes a relation fast --- */

static uint64_t *rbg_walk_turn(const struct rbg_walk *r)
{
	uint64_t *back = xcalloc((size_t)r->squares * (size_t)r->words, sizeof(uint64_t));
	for (int from = 0; from < r->squares; from++)
		for (int to = 0; to < r->squares; to++)
			if (bits_has(&r->to[from * r->words], to))
				bits_add(&back[to * r->words], from);
	return back;
}

static void rbg_walk_find_stay(struct rbg_walk *r)
{
	r->stays = true;
	for (int i = 0; i < r->squares; i++) {
		uint64_t others = 0;
		for (int k = 0; k < r->words; k++)
			others |= r->to[i * r->words + k] &
				  ~(k == i / 64 ? UINT64_C(1) << i % 64 : 0);
		r->stays &= !others;
		if (bits_has(&r->to[i * r->words], i))
			bits_add(r->here, i);
	}
}

/* Fills `next` if no square reaches several. */
static void rbg_walk_find_next(struct rbg_walk *r)
{
	r->next = xcalloc((size_t)r->squares, sizeof *r->next);
	for (int i = 0; i < r->squares; i++) {
		int count = 0;
		r->next[i] = -1;
		for (int k = 0; k < r->words; k++) {
			uint64_t to = r->to[i * r->words + k];
			count += __builtin_popcountll(to);
			if (to)
				r->next[i] = (int16_t)(64 * k + __builtin_ctzll(to));
		}
		if (count > 1) {
			free(r->next);
			r->next = NULL;
			return;
		}
	}
}

/* Returns the shift by that difference, which it may add; NULL if there are too many. */
static struct rbg_shift *rbg_walk_shift(struct rbg_walk *r, int by)
{
	for (int i = 0; i < r->shift_count; i++)
		if (r->shifts[i].by == by)
			return &r->shifts[i];
	if (r->shift_count == RBG_SHIFTS_MAX)
		return NULL;
	r->shifts[r->shift_count].by = by;
	return &r->shifts[r->shift_count++];
}

static void rbg_walk_find_shifts(struct rbg_walk *r)
{
	for (int from = 0; from < r->squares; from++)
		for (int to = 0; to < r->squares; to++) {
			if (!bits_has(&r->to[from * r->words], to))
				continue;
			struct rbg_shift *shift = rbg_walk_shift(r, to - from);
			if (!shift) {
				r->shift_count = 0;
				return;
			}
			bits_add(shift->from, from);
		}
}

struct rbg_walk *rbg_walk_new(const struct rbg_rules *rules, int first, int end, int64_t *budget)
{
	struct rbg_walk *r = xcalloc(1, sizeof *r);
	r->squares = rules->square_count;
	r->words = (r->squares + 63) / 64;
	struct rbg_walker w = { rules, r->squares, r->words, budget };
	r->to = rbg_walk_sequence(&w, first, end);
	*budget -= 2 * (int64_t)r->squares * r->squares;
	r->back = rbg_walk_turn(r);
	int pairs = 0;
	for (int i = 0; i < r->squares * r->words; i++)
		pairs += __builtin_popcountll(r->to[i]);
	r->is_empty = !pairs;
	r->is_full = pairs == r->squares * r->squares;
	rbg_walk_find_next(r);
	rbg_walk_find_stay(r);
	rbg_walk_find_shifts(r);
	return r;
}

void rbg_walk_free(struct rbg_walk *r)
{
	if (r) {
		free(r->to);
		free(r->back);
		free(r->next);
	}
	free(r);
}

/* Adds a set, moved up by a number of squares. */
static void rbg_walk_up(const uint64_t *set, int words, int by, uint64_t *out)
{
	for (int k = words - 1; k >= by / 64; k--) {
		uint64_t low = k - by / 64 > 0 && by % 64 ? set[k - by / 64 - 1] >> (64 - by % 64)
							  : 0;
		out[k] |= set[k - by / 64] << by % 64 | low;
	}
}

static void rbg_walk_down(const uint64_t *set, int words, int by, uint64_t *out)
{
	for (int k = 0; k + by / 64 < words; k++) {
		bool has_more = k + by / 64 + 1 < words && by % 64;
		uint64_t high = has_more ? set[k + by / 64 + 1] << (64 - by % 64) : 0;
		out[k] |= set[k + by / 64] >> by % 64 | high;
	}
}

static void rbg_walk_move(const uint64_t *set, int words, int by, uint64_t *out)
{
	if (by >= 0)
		rbg_walk_up(set, words, by, out);
	else
		rbg_walk_down(set, words, -by, out);
}

static void rbg_walk_add_shifts(const struct rbg_walk *r, const uint64_t *set, bool back,
				uint64_t *out)
{
	for (int i = 0; i < r->shift_count; i++) {
		const struct rbg_shift *shift = &r->shifts[i];
		uint64_t part[RBG_WORDS_MAX] = { 0 };
		if (back) {
			rbg_walk_move(set, r->words, -shift->by, part);
			for (int k = 0; k < r->words; k++)
				out[k] |= part[k] & shift->from[k];
			continue;
		}
		for (int k = 0; k < r->words; k++)
			part[k] = set[k] & shift->from[k];
		rbg_walk_move(part, r->words, shift->by, out);
	}
}

void rbg_walk_add(const struct rbg_walk *r, const uint64_t *set, bool back, uint64_t *out)
{
	int count = 0;
	for (int k = 0; k < r->words; k++)
		count += __builtin_popcountll(set[k]);
	if (count > r->shift_count && r->shift_count) {
		rbg_walk_add_shifts(r, set, back, out);
		return;
	}
	const uint64_t *rows = back ? r->back : r->to;
	for (int word = 0; word < r->words; word++)
		for (uint64_t rest = set[word]; rest; rest &= rest - 1) {
			const uint64_t *row = &rows[(64 * word + __builtin_ctzll(rest)) * r->words];
			for (int k = 0; k < r->words; k++)
				out[k] |= row[k];
			if (r->is_full)
				return;
		}
}
