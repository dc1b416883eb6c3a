/* SPDX-License-Identifier: MIT
 *
 * Relations between squares: where a walk may end that asks neither for pieces nor for variables, such as `(up* + down*)(left* +
 * right*)`. A set of squares has `words` words of 64 bits.
 */
#ifndef GAMES_RBG_RBG_WALK_H
#define GAMES_RBG_RBG_WALK_H

#include "games/rbg/rbg_rules.h"

#define RBG_WORDS_MAX  ((GAME_SQUARES_MAX + 63) / 64)
#define RBG_SHIFTS_MAX 8

/* The squares of `from` go to those whose numbers are larger by `by`. */
struct rbg_shift {
	int by;
	uint64_t from[RBG_WORDS_MAX];
};

struct rbg_walk {
	int squares, words;
	uint64_t *to;   /* [square * words]: the squares that are reached from it */
	uint64_t *back; /* [square * words]: the squares that reach it */
	int16_t *
		next; /* by square: the only square that is reached, -1: none. NULL if some square reaches several */
	bool is_full;  /* every square reaches every square */
	bool is_empty; /* no square reaches any */
	/* No walk leaves its square: the relation only asks whether the square is in `here`. */
	bool stays;
	uint64_t here[RBG_WORDS_MAX];
	/* The relation as a few shifts; 0 if it takes more than RBG_SHIFTS_MAX. */
	int shift_count;
	struct rbg_shift shifts[RBG_SHIFTS_MAX];
};

/* Returns true if a term asks for nothing but the shape of the board. */
bool rbg_is_walk(const struct rbg_rules *, int term);

/* Makes the relation of several such terms in sequence: `first`, and its siblings before `end`, -1: all. Takes the work from
 * *budget, which is < 0 if it did not suffice; the relation is then wrong. */
struct rbg_walk *rbg_walk_new(const struct rbg_rules *, int first, int end, int64_t *budget);
void rbg_walk_free(struct rbg_walk *);

/* Adds the squares that a set reaches, or with `back` those that reach it. */
void rbg_walk_add(const struct rbg_walk *, const uint64_t *set, bool back, uint64_t *out);

/* The same for sets of one word. */
static inline uint64_t rbg_walk_word(const struct rbg_walk *w, uint64_t set, bool back)
{
	const uint64_t *rows = back ? w->back : w->to;
	uint64_t out = 0;
	if ((set & (set - 1)) && w->is_full)
		return rows[0];
	if (!(set & (set - 1)) || !w->shift_count || back) {
		for (; set; set &= set - 1)
			out |= rows[__builtin_ctzll(set)];
		return out;
	}
	for (int i = 0; i < w->shift_count; i++) {
		const struct rbg_shift *shift = &w->shifts[i];
		uint64_t part = set & *shift->from;
		out |= shift->by >= 0 ? part << shift->by : part >> -shift->by;
	}
	return out;
}

#endif
