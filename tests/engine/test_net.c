/* SPDX-License-Identifier: MIT
 * The network: its file, its sums against plain ones, priors, colours.
 */
#include <math.h>
#include <string.h>

#include "engine/net.h"
#include "tests/net_range.h"

#define POSITIONS 300

/* A random state of a game with a network, not over; turns may be pending. */
static void random_state(const struct game *g, struct rng *rng, struct state *s)
{
	do {
		g->start(s);
		for (int n = (int)rng_below(rng, 50); n > 0 && !s->over; n--) {
			move_t steps[GAME_STEPS_MAX];
			int count = g->moves(s, steps);
			g->play(s, steps[rng_below(rng, (uint32_t)count)]);
		}
	} while (s->over);
}

START_TEST(files_are_whole)
{
	int found = 0;
	for (int i = 0; games[i]; i++) {
		const struct net_header *h = games[i]->net;
		struct net net;
		ck_assert_int_eq(net_open(&net, games[i]), h != NULL);
		if (!h)
			continue;
		found++;
		ck_assert_int_eq(memcmp(h->magic, NET_MAGIC, sizeof h->magic), 0);
		ck_assert_int_eq(h->squares, games[i]->rows * games[i]->cols);
		ck_assert_int_eq(h->steps, games[i]->moves_max);
		ck_assert_uint_eq(h->checksum,
				  net_checksum(h + 1, net_size(h->squares, h->steps) - sizeof *h));
		ck_assert_uint_eq((uintptr_t)h % 64, 0);
		check_first_sums(net.layers, net.squares);
	}
	ck_assert_int_ge(found, 1);
}
END_TEST

static double clip(double x)
{
	return x < 0 ? 0 : x > NET_CLIP ? NET_CLIP : x;
}

/* The network in plain sums: Black's expectation, and the priors before they are made to add up. */
static double naive_judge(const struct net *n, const struct game *g, const struct state *s,
			  const move_t *steps, int count, double *preference)
{
	double hidden[NET_HIDDEN], second[NET_SECOND], head[GAME_STEPS_MAX + 1];
	const struct net_layers *l = n->layers;
	for (int j = 0; j < NET_HIDDEN; j++) {
		hidden[j] = l->bias_first[j];
		for (int i = 0; i < n->squares; i++) {
			char stone = g->at(s, i / g->cols, i % g->cols);
			bool own = stone == (s->side == BLACK ? 'X' : 'O');
			if (stone != '.')
				hidden[j] += l->first[own ? i : n->squares + i][j];
		}
		hidden[j] = clip(hidden[j] + (s->pending ? l->first[2 * n->squares][j] : 0));
	}
	for (int k = 0; k < NET_SECOND; k++) {
		second[k] = l->bias_second[k];
		for (int j = 0; j < NET_HIDDEN; j++)
			second[k] += hidden[j] * l->second[k][j];
		second[k] = clip(trunc(second[k] / NET_WEIGHT));
	}
	for (int i = 0; i <= count; i++) {
		int row = i ? 1 + steps[i - 1] : 0;
		head[i] = n->head_bias[row];
		for (int k = 0; k < NET_SECOND; k++)
			head[i] += second[k] * n->heads[row][k];
		head[i] /= NET_UNIT * NET_WEIGHT;
	}
	for (int i = 0; i < count; i++)
		preference[i] = head[i + 1];
	return head[0];
}

START_TEST(judges_as_plain_sums_do)
{
	struct rng rng;
	rng_seed(&rng, 71);
	for (int g = 0; games[g]; g++) {
		struct net net;
		if (!net_open(&net, games[g]))
			continue;
		for (int i = 0; i < POSITIONS; i++) {
			struct state s;
			move_t steps[GAME_STEPS_MAX];
			float preference[GAME_STEPS_MAX];
			double plain[GAME_STEPS_MAX];
			random_state(games[g], &rng, &s);
			int count = games[g]->moves(&s, steps);
			double value = net_judge(&net, games[g], &s, steps, count, preference);
			double expected = naive_judge(&net, games[g], &s, steps, count, plain);
			ck_assert_double_eq_tol(value, expected, 1e-4);
			for (int j = 0; j < count; j++)
				ck_assert_double_eq_tol(preference[j], plain[j], 1e-4);
		}
	}
}
END_TEST

/* It knows of sides only who chooses: with colours exchanged it expects the same. */
START_TEST(colours_are_alike)
{
	struct rng rng;
	rng_seed(&rng, 72);
	for (int g = 0; games[g]; g++) {
		struct net net;
		if (!net_open(&net, games[g]))
			continue;
		for (int i = 0; i < POSITIONS; i++) {
			struct state s;
			move_t steps[GAME_STEPS_MAX];
			float preference[2][GAME_STEPS_MAX];
			random_state(games[g], &rng, &s);
			int count = games[g]->moves(&s, steps);
			float value = net_judge(&net, games[g], &s, steps, count, preference[0]);
			/* Only the sets of stones and the side are looked at. */
			uint64_t pending = s.board[0] & UINT64_C(1) << 63, black = s.board[0];
			s.board[0] = s.board[1] | pending;
			s.board[1] = black & ~pending;
			s.side ^= 1;
			float other = net_judge(&net, games[g], &s, steps, count, preference[1]);
			ck_assert_float_eq(value, other);
			ck_assert_int_eq(memcmp(preference[0], preference[1],
						(size_t)count * sizeof preference[0][0]),
					 0);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("net");
	TCase *cases = tcase_create("net");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, files_are_whole);
	tcase_add_test(cases, judges_as_plain_sums_do);
	tcase_add_test(cases, colours_are_alike);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
