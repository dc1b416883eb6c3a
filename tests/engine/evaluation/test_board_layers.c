/* SPDX-License-Identifier: MIT
 *
 * Every layer that this processor can run, against sums by the definition.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/evaluation/board_layers.h"
#include "tests/suite.h"

#define CHANNELS BOARD_NET_CHANNELS
#define GUARD    77 /* in squares off the board of the output, which no layer may write */

static int random_byte(struct rng *rng, int least, int most)
{
	/* The largest sums occur, too. */
	uint32_t n = rng_below(rng, 8);
	return n == 0   ? least
	       : n == 1 ? most
			: least + (int)rng_below(rng, (uint32_t)(most - least + 1));
}

static void fill_layer(struct rng *rng, struct board_layer *layer)
{
	for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
		for (int c = 0; c < CHANNELS; c++)
			for (int k = 0; k < CHANNELS; k++)
				layer->weights[tap][c][k] = (int8_t)random_byte(rng, -127, 127);
	for (int k = 0; k < CHANNELS; k++) {
		layer->bias[k] = (int32_t)rng_below(rng, 200001) - 100000;
		layer->scale[k] = 1.0f / (float)(1 << (1 + rng_below(rng, 14))) / 3;
	}
}

/* A plane of the board: 0 off it. */
static void fill_plane(struct rng *rng, const struct board_shape *s, const uint8_t *seen,
		       int squares, struct board_plane *plane)
{
	memset(plane, 0, sizeof *plane);
	for (int i = 0; i < squares; i++)
		for (int k = 0; seen[i] && k < CHANNELS; k++) {
			plane->at[s->at[i]][k] = (uint8_t)random_byte(rng, 0, BOARD_NET_CLIP);
			plane->sum[k] += plane->at[s->at[i]][k];
		}
}

static int wanted(const struct board_pass *p, const struct board_layer *layer, int at, int k)
{
	int32_t sum = layer->bias[k];
	for (int c = 0; c < 4 * p->groups; c++) {
		for (int row = -1; row <= 1; row++)
			for (int col = -1; col <= 1; col++)
				sum += p->in->at[at + row * p->shape->pitch + col][c] *
				       layer->weights[3 * (row + 1) + col + 1][c][k];
		sum += p->mean[c] * layer->weights[9][c][k];
	}
	long x = lrintf((float)sum * layer->scale[k]) + (p->add ? p->add->at[at][k] : 0);
	return x < 0 ? 0 : x > BOARD_NET_CLIP ? BOARD_NET_CLIP : (int)x;
}

static void check_layers(struct rng *rng, const struct game *g, const uint8_t *seen, bool first,
			 bool adds)
{
	int squares = g->board.rows * g->board.cols, layers = 0;
	struct board_layer *layer = xcalloc(1, sizeof *layer);
	struct board_packed *packed = block_create(sizeof *packed);
	struct board_plane *planes = block_create(3 * sizeof *planes);
	struct board_shape shape;
	ck_assert(packed && planes);
	struct board_pass p = { .shape = &shape,
				.layer = packed,
				.in = planes,
				.add = adds ? planes + 1 : NULL,
				.out = planes + 2,
				.groups = first ? BOARD_NET_INPUTS / 4 : BOARD_LAYER_GROUPS };
	board_shape_find(g, seen, &shape);
	fill_layer(rng, layer);
	board_layer_pack(layer, packed);
	fill_plane(rng, &shape, seen, squares, planes);
	fill_plane(rng, &shape, seen, squares, planes + 1);
	for (int c = 0; c < CHANNELS; c++)
		p.mean[c] = (uint8_t)random_byte(rng, 0, BOARD_NET_CLIP);
	for (board_layer_fn *run; (run = board_layer_number(layers, kernel_best())); layers++) {
		int32_t sum[CHANNELS] = { 0 };
		bool *on_board = xcalloc(BOARD_PLANE_MAX, sizeof *on_board);
		memset(p.out, GUARD, sizeof *p.out);
		run(&p);
		for (int i = 0; i < squares; i++) {
			on_board[shape.at[i]] = seen[i];
			for (int k = 0; seen[i] && k < CHANNELS; k++) {
				ck_assert_int_eq(p.out->at[shape.at[i]][k],
						 wanted(&p, layer, shape.at[i], k));
				sum[k] += p.out->at[shape.at[i]][k];
			}
		}
		ck_assert_mem_eq(sum, p.out->sum, sizeof sum);
		for (int at = 0; at < BOARD_PLANE_MAX; at++)
			for (int k = 0; !on_board[at] && k < CHANNELS; k++)
				ck_assert_int_eq(p.out->at[at][k], GUARD);
		free(on_board);
	}
	/* A better kernel has more layers. */
	ck_assert_int_ge(layers, (int)kernel_best());
	block_destroy(planes, 3 * sizeof *planes);
	block_destroy(packed, sizeof *packed);
	free(layer);
}

/* Boards of many sizes, whole and with holes: runs of all lengths. */
START_TEST(all_layers_give_the_sums_of_the_definition)
{
	const struct game *shown[] = { game_of_size(&game_go, 5),   game_of_size(&game_hex, 6),
				       &game_connectfour,           &game_breakthrough,
				       game_of_size(&game_go, 9),   game_of_size(&game_hex, 11),
				       game_of_size(&game_hex, 14), &game_gomoku,
				       game_of_size(&game_go, 19),  NULL };
	struct rng rng;
	rng_seed(&rng, 5);
	for (int i = 0; shown[i]; i++)
		for (int n = 0; n < 4; n++) {
			uint8_t seen[GAME_SQUARES_MAX];
			for (int at = 0; at < GAME_SQUARES_MAX; at++)
				seen[at] = n % 2 == 0 || rng_below(&rng, 5) != 0;
			check_layers(&rng, shown[i], seen, n == 0, n >= 2);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("board_layers");
	TCase *cases = tcase_create("layers");
	tcase_set_timeout(cases, 120);
	tcase_add_test(cases, all_layers_give_the_sums_of_the_definition);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
