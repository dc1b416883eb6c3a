/* SPDX-License-Identifier: MIT
 *
 * The network: its file, its sums compared with plain ones, priors, colours.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/evaluation/weights.h"
#include "games/pentago/quadrant_net.h"
#include "tests/net_range.h"
#include "tests/tested.h"

#define POSITIONS 300

/* Sets a random state that is not over, in a game with a network. It may be pending. */
static void random_state(const struct game *g, struct rng *rng, struct state *s)
{
	do {
		g->start(g, s);
		for (int n = (int)rng_below(rng, 50); n > 0 && !s->over; n--) {
			move_t steps[GAME_STEPS_MAX];
			int count = g->moves(g, s, steps);
			g->play(g, s, steps[rng_below(rng, (uint32_t)count)]);
		}
	} while (s->over);
}

START_TEST(files_are_whole)
{
	int found = 0;
	for (int i = 0; tested_game(i); i++) {
		ck_assert_int_eq(net_open(tested_game(i)) != NULL, net_of(tested_game(i)) != NULL);
		if (!net_of(tested_game(i)))
			continue;
		found++;
		const struct weights_header *h = net_of(tested_game(i))->file;
		struct net_weights *w = net_read(tested_game(i), h);
		ck_assert_ptr_nonnull(w);
		ck_assert_uint_eq((uintptr_t)h % 64, 0);
		check_first_sums(w);
		free(w);
		/* Other files are refused. */
		size_t size = sizeof *h + h->size;
		char *other = xmalloc(size);
		memcpy(other, h, size);
		other[size / 2] ^= 1;
		ck_assert_ptr_null(net_read(tested_game(i), other));
		other[size / 2] ^= 1;
		ck_assert_ptr_null(net_read(&game_tictactoe, other));
		other[0] ^= 1;
		ck_assert_ptr_null(net_read(tested_game(i), other));
		free(other);
	}
	ck_assert_int_ge(found, 1);
}
END_TEST

static double clip(double x)
{
	return x < 0 ? 0 : x > NET_CLIP ? NET_CLIP : x;
}

/* Returns the place of a square after this many clockwise quarter turns of the board. */
static int turned(const struct game *g, int square, int times)
{
	for (; times > 0; times--)
		square = square % g->board.cols * g->board.cols + g->board.cols - 1 -
			 square / g->board.cols;
	return square;
}

/* Computes the network of a board of four quadrants by plain sums: the result that the side to choose
 * expects, and the preferences. */
static double naive_judge(const struct net_weights *w, const struct game *g, const struct state *s,
			  const move_t *steps, int count, double *preference)
{
	double hidden[NET_HIDDEN], second[NET_SECOND], head[GAME_STEPS_MAX + 1];
	const struct net_layers *l = &w->layers;
	int size = g->board.rows / 2, stones = 0, p = s->pending, content[NET_PARTS] = { 0 };
	for (int j = 0; j < NET_HIDDEN; j++)
		hidden[j] = l->hidden_bias[p][j % NET_BLOCK];
	for (int part = 0; part < NET_PARTS; part++) {
		for (int i = 0, power = 1; i < size * size; i++, power *= 3) {
			/* The quadrants follow in the order of turns of the board. */
			int square = turned(g, i / size * g->board.cols + i % size, part);
			char stone = g->at(g, s, square / g->board.cols, square % g->board.cols);
			bool own = stone == (s->side == BLACK ? 'X' : 'O');
			if (stone == '.')
				continue;
			stones++;
			content[part] += power * (own ? 1 : 2);
			for (int j = 0; j < NET_HIDDEN; j++)
				hidden[(j + NET_HIDDEN - part * NET_BLOCK) % NET_HIDDEN] +=
					w->stones[!own][i][j];
		}
		for (int j = 0; j < NET_HIDDEN; j++)
			hidden[(j + NET_HIDDEN - part * NET_BLOCK) % NET_HIDDEN] +=
				NET_DETAIL * w->details[content[part]][j];
	}
	int stage = stones < 6    ? 0
		    : stones < 9  ? 1
		    : stones < 12 ? 2
		    : stones < 15 ? 3
		    : stones < 18 ? 4
				  : 5;
	for (int k = 0; k < NET_SECOND; k++) {
		second[k] = l->second_bias[stage][p][k];
		for (int j = 0; j < NET_HIDDEN; j++) {
			int16_t weight = l->second[stage][p][j / 2][k][j % 2];
			second[k] += clip(hidden[j]) * weight;
		}
		second[k] = clip(trunc(second[k] / NET_WEIGHT));
	}
	for (int i = 0; i <= count; i++) {
		int row = i ? 1 + steps[i - 1] : 0;
		head[i] = l->head_bias[stage][p][row];
		for (int k = 0; k < NET_SECOND; k++)
			head[i] += second[k] * l->heads[stage][p][row][k];
		if (i) {
			/* A turn belongs to its quadrant, after the quadrant's squares. */
			int others = (g->steps.codes - g->board.rows * g->board.cols) / NET_PARTS,
			    part, local;
			if (steps[i - 1] >= g->board.rows * g->board.cols) {
				part = (steps[i - 1] - g->board.rows * g->board.cols) / others;
				local = size * size +
					(steps[i - 1] - g->board.rows * g->board.cols) % others;
			} else {
				for (part = 0, local = 0;
				     turned(g, local / size * g->board.cols + local % size, part) !=
				     steps[i - 1];)
					if (++local == size * size) {
						local = 0;
						part++;
					}
			}
			head[i] += NET_PREFERENCE * l->preferences[content[part]][local];
		}
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
	for (int g = 0; tested_game(g); g++) {
		const struct net_table *net = net_open(tested_game(g));
		if (!net)
			continue;
		struct net_weights *w = net_read(tested_game(g), net_of(tested_game(g))->file);
		for (int i = 0; i < POSITIONS; i++) {
			struct state s;
			move_t steps[GAME_STEPS_MAX];
			float preference[GAME_STEPS_MAX];
			double plain[GAME_STEPS_MAX];
			random_state(tested_game(g), &rng, &s);
			int count = tested_game(g)->moves(tested_game(g), &s, steps);
			double value = net_evaluate(net, tested_game(g), &s, steps, count,
						    preference);
			double expected = naive_judge(w, tested_game(g), &s, steps, count, plain);
			ck_assert_double_eq_tol(value, expected, 1e-4);
			for (int j = 0; j < count; j++)
				ck_assert_double_eq_tol(preference[j], plain[j], 1e-4);
		}
		free(w);
	}
}
END_TEST

/* The network sees only which side chooses: with colours exchanged it returns the same. */
START_TEST(colours_are_alike)
{
	struct rng rng;
	rng_seed(&rng, 72);
	for (int g = 0; tested_game(g); g++) {
		const struct net_table *net = net_open(tested_game(g));
		if (!net)
			continue;
		for (int i = 0; i < POSITIONS; i++) {
			struct state s;
			move_t steps[GAME_STEPS_MAX];
			float preference[2][GAME_STEPS_MAX];
			random_state(tested_game(g), &rng, &s);
			int count = tested_game(g)->moves(tested_game(g), &s, steps);
			float value = net_evaluate(net, tested_game(g), &s, steps, count,
						   preference[0]);
			/* The result depends only on the sets of stones and the side. */
			uint64_t pending = s.board[0] & UINT64_C(1) << 63, black = s.board[0];
			s.board[0] = s.board[1] | pending;
			s.board[1] = black & ~pending;
			s.side ^= 1;
			float other = net_evaluate(net, tested_game(g), &s, steps, count,
						   preference[1]);
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
