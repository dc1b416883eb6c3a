/* SPDX-License-Identifier: MIT
 *
 * Patterns: places and kinds, files that are complete or refused, sums that respect symmetries and colours.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/evaluation/pattern.h"
#include "engine/rules/eval.h"
#include "engine/rules/images.h"
#include "games/games.h"
#include "tests/suite.h"

#define POSITIONS 200

/* Sets a position some random moves from the start that is not over. */
static void random_state(const struct game *g, struct rng *rng, struct state *s)
{
	do {
		g->start(g, s);
		for (uint32_t n = rng_below(rng, 58); n && !s->over; n--) {
			move_t steps[GAME_STEPS_MAX];
			g->play(g, s, steps[rng_below(rng, (uint32_t)g->moves(g, s, steps))]);
		}
	} while (s->over);
}

/* Returns the state as seen in a symmetry, or with colours exchanged. */
static struct state shown(const struct game *g, const struct state *s, int symmetry, bool exchanged)
{
	char squares[65] = "";
	struct state out;
	for (int i = 0; i < 64; i++) {
		char at = g->at(g, s, i / 8, i % 8);
		if (exchanged && at != '.')
			at = at == 'X' ? 'O' : 'X';
		squares[images_mirror_square(g, i, symmetry)] = at;
	}
	ck_assert_ptr_null(g->setup(g, &out, squares, exchanged ? !s->side : s->side));
	return out;
}

START_TEST(places)
{
	/* Every square belongs to a pattern place, and the digits of a place are different powers of 3. */
	const struct patterns *p = eval_patterns(&game_othello);
	ck_assert_int_gt(p->places, 30);
	for (int i = 0; i < 64; i++) {
		int sum = 0;
		for (int k = 0; k < p->places; k++)
			sum += p->rows[i][k];
		ck_assert_int_gt(sum, 0);
	}
	for (int k = 0; k < p->places; k++) {
		int sum = 0, size = 1;
		for (int i = 0; i < 64; i++)
			sum += 2 * p->rows[i][k];
		for (int i = 0; i < p->shapes[p->shape[k]].count; i++)
			size *= 3;
		ck_assert_int_eq(sum, size - 1);
	}
}
END_TEST

START_TEST(kinds)
{
	/* Symmetric places have the same kinds in every symmetry. */
	const struct patterns *p = eval_patterns(&game_othello);
	uint32_t count, *kind = pattern_kinds(p, &count);
	struct rng rng;
	rng_seed(&rng, 4);
	ck_assert_int_lt(count, p->size);
	for (int n = 0; n < POSITIONS; n++) {
		struct state s;
		uint64_t sums[8] = { 0 };
		random_state(&game_othello, &rng, &s);
		for (int y = 0; y < 8; y++) {
			struct state m = shown(&game_othello, &s, y, false);
			int16_t index[PATTERN_PLACES_MAX];
			pattern_indices(p, m.board, index);
			/* Hashed, so that a sum identifies its kinds. */
			for (int k = 0; k < p->places; k++)
				sums[y] += (kind[p->offset[k] + index[k]] + 1) *
						   UINT64_C(0x9e3779b97f4a7c15) >>
					   8;
			ck_assert_uint_eq(sums[y], sums[0]);
		}
	}
	free(kind);
}
END_TEST

START_TEST(sums_respect_symmetries_and_colours)
{
	const struct game *g = &game_othello;
	struct rng rng;
	int least = 0, most = 0;
	rng_seed(&rng, 5);
	for (int n = 0; n < POSITIONS; n++) {
		struct state s;
		random_state(g, &rng, &s);
		int value = g->eval->value(g, &s);
		least = value < least ? value : least;
		most = value > most ? value : most;
		for (int y = 0; y < 8; y++) {
			struct state m = shown(g, &s, y, false), e = shown(g, &s, y, true);
			ck_assert_int_eq(g->eval->value(g, &m), value);
			ck_assert_int_eq(g->eval->value(g, &e), -value);
		}
	}
	ck_assert_int_lt(least, -1000);
	ck_assert_int_gt(most, 1000);
}
END_TEST

/* Weights survive writing and reading. Invalid files are refused and change nothing. */
START_TEST(files)
{
	const struct game *g = &game_othello;
	struct patterns *p = eval_patterns(g);
	struct state s;
	size_t size;
	uint32_t count;
	free(pattern_kinds(p, &count));
	float *weights = calloc(65 + (size_t)p->stages * count, sizeof *weights);
	g->start(g, &s);
	weights[4] = 1.5f;
	/* The first stage's weights of empty diagonals of six squares. At the start all four diagonals are empty. */
	uint32_t *kind = pattern_kinds(p, &count);
	weights[65 + (4 / PATTERN_STAGE) * count + kind[p->offset[p->places - 1]]] = 0.25f;
	unsigned char *file = pattern_file(p, weights, &size);
	ck_assert_int_ne(g->eval->value(g, &s), 250);
	ck_assert(pattern_load(p, file));
	ck_assert_int_eq(g->eval->value(g, &s), 250);
	float *read = pattern_weights(p, file);
	ck_assert_mem_eq(read, weights, (65 + (size_t)p->stages * count) * sizeof *read);
	free(read);
	for (size_t at = 0; at < size; at += 1 + size / 12) {
		file[at] ^= 0x41;
		ck_assert(!pattern_load(p, file));
		file[at] ^= 0x41;
		ck_assert_int_eq(g->eval->value(g, &s), 250);
	}
	ck_assert(pattern_load(p, NULL));
	ck_assert_int_eq(g->eval->value(g, &s), 0);
	ck_assert(pattern_load(p, p->file));
	free(weights);
	free(kind);
	free(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pattern");
	TCase *cases = tcase_create("pattern");
	tcase_add_test(cases, places);
	tcase_add_test(cases, kinds);
	tcase_add_test(cases, sums_respect_symmetries_and_colours);
	tcase_add_test(cases, files);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
