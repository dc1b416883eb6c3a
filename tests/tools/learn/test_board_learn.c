/* SPDX-License-Identifier: MIT
 *
 * Training of the network for any board: its gradient is that of its loss, its integers say what was learned, all kernels
 * and any number of threads give the same, and a short training runs completely.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/kernel.h"
#include "engine/base/memory.h"
#include "engine/rules/images.h"
#include "engine/rules/network.h"
#include "tests/folder.h"
#include "tests/suite.h"
#include "tools/learn/board_learn.h"
#include "tools/learn/convolution.h"
#include "tools/ranks/ranks.h"
#include "tools/train/trainer.h"

#define SAMPLES 800

/* In the samples a square belongs to the stone on it at once: 1 the other side, 2 nobody, 3 the side that chose. */
static uint8_t owner_of(uint8_t seen)
{
	return seen & BOARD_NET_OWN ? 3 : seen & BOARD_NET_OTHER ? 1 : 2;
}

/* Samples of random positions of a game. The side to move wins if it has the square in the middle, and should play the
 * first legal step. Every tenth is held out. The caller frees them. */
static char *make_samples(const struct game *g, size_t *size)
{
	struct rng rng;
	int squares = g->board.rows * g->board.cols, middle = squares / 2 + g->board.cols / 2;
	*size = sample_size(g);
	char *samples = xcalloc(SAMPLES, *size);
	rng_seed(&rng, 5);
	for (int n = 0; n < SAMPLES; n++) {
		struct sample *s = (struct sample *)(samples + (size_t)n * *size);
		move_t steps[GAME_STEPS_MAX];
		struct state state;
		int count = 0;
		do {
			g->start(g, &state);
			for (int i = (int)rng_below(&rng, 30); i >= 0 && !state.over; i--) {
				count = g->moves(g, &state, steps);
				g->play(g, &state, steps[rng_below(&rng, (uint32_t)count)]);
			}
		} while (state.over);
		board_net_look(g, &state, s->bytes);
		count = g->moves(g, &state, steps);
		for (int i = 0; i < count; i++)
			s->bytes[squares + board_net_step(g, state.side, steps[i])] = i == 0 ? 255
											     : 1;
		for (int i = 0; network_has_owners(g) && i < squares; i++)
			s->bytes[squares + g->steps.codes + i] = rng_below(&rng, 5) == 0
									 ? 0
									 : owner_of(s->bytes[i]);
		s->result = s->search = s->bytes[middle] == 1 ? 1 : -1;
		s->held = n % 10 == 0;
	}
	return samples;
}

/* The error on the samples that are held out. */
static struct learner_error find_error(struct board_learner *l, const char *samples, size_t size)
{
	return learner_find_error(&board_learner_kind, l, samples, size, SAMPLES, SAMPLES);
}

#define CHANNELS BOARD_NET_CHANNELS
#define ROWS     5
#define COLUMNS  6
#define PITCH    (COLUMNS + 1)
#define PLACES   (ROWS * PITCH - 1)
#define PLANE    (PLACES + 2 * (PITCH + 1) + CONVOLUTION_TILE)

/* Every kernel that runs here computes the sums of products that convolution.h names. */
START_TEST(convolutions_are_sums_of_products)
{
	const int begin = PITCH + 1;
	int inputs = _i ? CHANNELS : BOARD_NET_INPUTS;
	struct rng rng;
	float bias[CHANNELS];
	convolution_square *in = xcalloc(PLANE, sizeof *in), *slope = xcalloc(PLANE, sizeof *slope),
			   *out = xcalloc(PLANE, sizeof *out);
	convolution_weights *w = xcalloc(1, sizeof *w), *gradient = xcalloc(1, sizeof *gradient);
	rng_seed(&rng, 3);
#define SMALL ((float)rng_below(&rng, 2001) / 1000 - 1)
	for (int k = 0; k < CHANNELS; k++) {
		bias[k] = SMALL;
		for (int i = begin; i < begin + PLACES; i++) {
			in[i][k] = SMALL;
			slope[i][k] = SMALL;
		}
		for (int i = 0; i < CONVOLUTION_TAPS * CHANNELS; i++)
			(*w)[i / CHANNELS][i % CHANNELS][k] = SMALL;
	}
	for (int kernel = KERNEL_PORTABLE; kernel < KERNELS; kernel++) {
		if (!kernel_choose((enum kernel)kernel))
			continue;
		convolution_run(in + begin, inputs, *w, bias, PITCH, PLACES, out + begin);
		for (int i = begin; i < begin + PLACES; i++)
			for (int k = 0; k < CHANNELS; k++) {
				double sum = (double)bias[k];
				for (int n = 0; n < CONVOLUTION_TAPS * inputs; n++) {
					int tap = n / inputs, c = n % inputs,
					    at = i + (tap / 3 - 1) * PITCH + tap % 3 - 1;
					sum += (double)in[at][c] * (double)(*w)[tap][c][k];
				}
				ck_assert_double_eq_tol((double)out[i][k], sum, 1e-4);
			}
		memset(*gradient, 0, sizeof *gradient);
		convolution_learn(in + begin, inputs, slope + begin, PITCH, PLACES, *gradient);
		for (int n = 0; n < CONVOLUTION_TAPS * inputs; n++)
			for (int k = 0; k < CHANNELS; k++) {
				int tap = n / inputs, c = n % inputs;
				double sum = 0;
				for (int i = begin; i < begin + PLACES; i++)
					sum += (double)in[i + (tap / 3 - 1) * PITCH + tap % 3 - 1]
							 [c] *
					       (double)slope[i][k];
				ck_assert_double_eq_tol((double)(*gradient)[tap][c][k], sum, 1e-4);
			}
	}
	kernel_choose(KERNEL_AUTO);
	free(in);
	free(slope);
	free(out);
	free(w);
	free(gradient);
}
END_TEST

/* Compares the gradient with the change of the loss by small changes of the weights. Where a change crosses a corner of an
 * activation the two differ; hardly any weight does. */
START_TEST(gradient_is_that_of_the_loss)
{
	const struct game *const shown[] = { &game_connectfour, game_of_size(&game_go, 5),
					     game_of_size(&game_gomoku, 6),
					     game_of_size(&game_gomoku, 6) };
	const struct game *g = shown[_i];
	const bool of_lines = _i == 3;
	size_t size, count, wrong = 0, checked = 0;
	char *samples = make_samples(g, &size);
	struct board_learner *l = board_learner_kind.create(g, 2, 1, 1);
	float *w, *gradient = NULL;
	double loss, above, below;
	/* Some steps, so that no activation is 0 everywhere. */
	board_learner_kind.train(l, samples, SAMPLES, 3, 0.001);
	count = board_learner_gradient(l, (void *)samples, of_lines, &w, NULL, &loss);
	gradient = xcalloc(count, sizeof *gradient);
	board_learner_gradient(l, (void *)(samples + 3 * size), of_lines, &w, gradient, &loss);
	for (size_t i = 0; i < count; i += of_lines ? 11 : 37) {
		const float old = w[i], step = 2e-3f;
		if (fabsf(gradient[i]) < 1e-3f)
			continue;
		w[i] = old + step;
		board_learner_gradient(l, (void *)(samples + 3 * size), of_lines, &w, NULL, &above);
		w[i] = old - step;
		board_learner_gradient(l, (void *)(samples + 3 * size), of_lines, &w, NULL, &below);
		w[i] = old;
		double slope = (above - below) / (2 * step);
		wrong += fabs(slope - gradient[i]) > 0.05 * fabs(slope) + 2e-3;
		checked++;
	}
	ck_assert_uint_gt(checked, 100);
	ck_assert_uint_le(wrong, checked / 20);
	free(gradient);
	free(samples);
	board_learner_kind.destroy(l);
}
END_TEST

START_TEST(learns)
{
	const struct game *g = &game_connectfour;
	struct game plain = *g;
	struct images images = *g->images;
	size_t size;
	images.symmetries = 0;
	plain.images = &images;
	char *samples = make_samples(g, &size);
	struct board_learner *l = board_learner_kind.create(&plain, 2, 1, 2);
	struct learner_error before = find_error(l, samples, size);
	board_learner_kind.train(l, samples, SAMPLES, 60, 0.003);
	struct learner_error after = find_error(l, samples, size);
	ck_assert_double_lt(after.value, 0.75 * before.value);
	ck_assert_double_lt(after.policy, 0.5 * before.policy);
	free(samples);
	board_learner_kind.destroy(l);
}
END_TEST

START_TEST(learns_owners)
{
	const struct game *g = game_of_size(&game_go, 5);
	size_t size;
	char *samples = make_samples(g, &size);
	struct board_learner *l = board_learner_kind.create(g, 1, 1, 2);
	board_learner_kind.train(l, samples, SAMPLES, 200, 0.003);
	struct board_weights *w = board_learner_weights(l);
	struct board_table *t = board_table_create(w);
	double squares = 0;
	for (int n = 0; n < SAMPLES; n += 10) {
		const struct sample *s = (const void *)(samples + (size_t)n * size);
		float owners[GAME_SQUARES_MAX];
		board_net_evaluate(t, g, KERNEL_AUTO, s->bytes, NULL, 0, NULL, owners);
		for (int i = 0; i < 25; i++) {
			double error = (double)owners[i] - (owner_of(s->bytes[i]) - 2);
			squares += error * error;
		}
	}
	ck_assert_double_lt(sqrt(squares / (SAMPLES * 2.5)), 0.3);
	board_table_destroy(t);
	free(w);
	free(samples);
	board_learner_kind.destroy(l);
}
END_TEST

static struct board_weights *train(const struct game *g, const char *samples, int threads,
				   int steps)
{
	struct board_learner *l = board_learner_kind.create(g, 1, 3, threads);
	board_learner_kind.train(l, samples, SAMPLES, steps, 0.001);
	struct board_weights *w = board_learner_weights(l);
	board_learner_kind.destroy(l);
	return w;
}

START_TEST(threads_and_held_samples_change_nothing)
{
	const struct game *g = _i ? game_of_size(&game_gomoku, 7) : &game_connectfour;
	size_t size;
	char *samples = make_samples(g, &size);
	struct board_weights *one = train(g, samples, 1, suite_times(4)),
			     *three = train(g, samples, 3, suite_times(4));
	for (int n = 0; n < SAMPLES; n += 10) {
		struct sample *s = (struct sample *)(samples + (size_t)n * size);
		s->result = s->search = -s->result;
	}
	struct board_weights *held = train(g, samples, 2, suite_times(4));
	ck_assert_mem_eq(one, three, sizeof *one);
	ck_assert_mem_eq(one, held, sizeof *one);
	free(one);
	free(three);
	free(held);
	free(samples);
}
END_TEST

START_TEST(goes_on_where_it_was)
{
	const struct game *g = _i ? game_of_size(&game_gomoku, 7) : &game_connectfour;
	size_t size;
	char *samples = make_samples(g, &size);
	struct board_learner *l = board_learner_kind.create(g, 1, 3, 1),
			     *other = board_learner_kind.create(g, 1, 4, 1);
	board_learner_kind.train(l, samples, SAMPLES, suite_times(3), 0.001);
	struct packet state = board_learner_kind.state(l);
	void *saved = xmalloc(state.size);
	memcpy(saved, state.bytes, state.size);
	board_learner_kind.train(l, samples, SAMPLES, suite_times(3), 0.001);
	ck_assert(board_learner_kind.resume(other, saved));
	board_learner_kind.train(other, samples, SAMPLES, suite_times(3), 0.001);
	struct board_weights *w = board_learner_weights(l), *same = board_learner_weights(other);
	ck_assert_mem_eq(w, same, sizeof *w);
	free(w);
	free(same);
	free(samples);

	/* Learners of another game or size are refused. */
	struct board_learner *game = board_learner_kind.create(&game_tictactoe, 1, 1, 1),
			     *deep = board_learner_kind.create(g, 2, 1, 1);
	ck_assert(!board_learner_kind.resume(game, saved));
	ck_assert(!board_learner_kind.resume(deep, saved));
	board_learner_kind.destroy(game);
	board_learner_kind.destroy(deep);
	board_learner_kind.destroy(l);
	board_learner_kind.destroy(other);
	free(saved);
}
END_TEST

/* The integers of a trained network give about what its floating-point numbers give; every kernel gives the same; on other
 * sizes of the game, too. */
START_TEST(kernels_and_integers_agree)
{
	const struct game *const shown[] = { &game_connectfour,
					     game_of_size(&game_hex, 7),
					     &game_breakthrough,
					     game_of_size(&game_go, 9),
					     game_of_size(&game_havannah, 4),
					     game_of_size(&game_gomoku, 7),
					     &game_draughts,
					     game_of_size(&game_amazons, 6),
					     NULL };
	for (int i = 0; shown[i]; i++) {
		const struct game *g = shown[i];
		size_t size;
		int ways;
		ck_assert(board_net_fits(g, &ways));
		char *samples = make_samples(g, &size);
		struct board_learner *l = board_learner_kind.create(g, 2, 1, 2);
		board_learner_kind.train(l, samples, SAMPLES, suite_times(3), 0.002);
		struct board_weights *w = board_learner_weights(l);
		struct board_table *t = board_table_create(w);
		double squares = 0;
		for (int n = 0; n < SAMPLES; n += 40) {
			const struct sample *s = (const struct sample *)(samples +
									 (size_t)n * size);
			move_t steps[GAME_CODES_MAX];
			float preference[KERNELS][GAME_CODES_MAX] = { { 0 } },
			      value[KERNELS] = { 0 };
			float owners[KERNELS][GAME_SQUARES_MAX] = { { 0 } };
			int count = 0;
			for (int code = 0; code < g->steps.codes; code++)
				if (s->bytes[g->board.rows * g->board.cols + code])
					steps[count++] = (move_t)code;
			for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++)
				value[k] = board_net_evaluate(t, g, k, s->bytes, steps, count,
							      preference[k], owners[k]);
			for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++) {
				ck_assert(value[k] == value[KERNEL_PORTABLE]);
				ck_assert_mem_eq(preference[k], preference[KERNEL_PORTABLE],
						 (size_t)count * sizeof(float));
				ck_assert_mem_eq(owners[k], owners[KERNEL_PORTABLE],
						 (size_t)(g->board.rows * g->board.cols) *
							 sizeof(float));
			}
			double error = tanhf(value[KERNEL_PORTABLE]) - s->result -
				       board_learner_kind.guess(l, s).value;
			squares += error * error;
		}
		ck_assert_double_lt(sqrt(squares / (SAMPLES / 40.0)), 0.03);
		board_table_destroy(t);
		free(w);
		free(samples);
		board_learner_kind.destroy(l);
	}
}
END_TEST

/* Lines show at once what is too far away for a convolution. */
START_TEST(learns_lines)
{
	const struct game *g = game_of_size(&game_gomoku, 7);
	struct game blind = *g;
	struct learner_error error[2];
	size_t size;
	char *samples = make_samples(g, &size);
	/* Two stones in a row of the board; the side to choose wins if three squares are between them, and loses if two are. */
	for (int n = 0; n < SAMPLES; n++) {
		struct sample *s = (struct sample *)(samples + (size_t)n * size);
		bool wins = n / 10 % 2 == 0;
		int at = n % 7 * 7 + n / 7 % 3;
		memset(s->bytes, BOARD_NET_SQUARE, 49);
		s->bytes[at] |= BOARD_NET_OWN;
		s->bytes[at + (wins ? 4 : 3)] |= BOARD_NET_OWN;
		s->result = s->search = wins ? 1 : -1;
	}
	blind.network = NULL;
	for (int i = 0; i < 2; i++) {
		struct board_learner *l = board_learner_kind.create(i ? g : &blind, 0, 1, 2);
		board_learner_kind.train(l, samples, SAMPLES, 150, 0.003);
		error[i] = find_error(l, samples, size);
		board_learner_kind.destroy(l);
	}
	ck_assert_double_lt(error[1].value, 0.5 * error[0].value);
	free(samples);
}
END_TEST

/* A network that a learner takes over is the one it gives back, of any size of the board; blocks that it lacks change
 * nothing at once. */
START_TEST(takes_over_a_network)
{
	const struct game *g = game_of_size(&game_hex, 5), *larger = game_of_size(&game_hex, 7);
	struct board_learner *first = board_learner_kind.create(g, 2, 5, 1);
	struct board_weights *w = board_learner_weights(first);
	for (int blocks = 1; blocks <= 3; blocks++) {
		struct board_learner *next = board_learner_kind.create(larger, blocks, 6, 1);
		ck_assert_int_eq(board_learner_take(next, w), blocks >= 2);
		if (blocks >= 2) {
			struct board_weights *again = board_learner_weights(next);
			ck_assert_int_eq(again->blocks, blocks);
			ck_assert_mem_eq(&again->heads, &w->heads, sizeof w->heads);
			for (int i = 0; i < 5; i++)
				ck_assert_mem_eq(again->layers[i].weights, w->layers[i].weights,
						 sizeof w->layers[i].weights);
			free(again);
		}
		board_learner_kind.destroy(next);
	}
	free(w);
	board_learner_kind.destroy(first);
}
END_TEST

/* A small training in a folder of its own. */
static struct training training_of(const struct game *g, const char *path)
{
	return (struct training) {
		.game = g,
		.folder = path,
		.output = folder_path("net"),
		.command = "",
		.seconds = 1e6,
		.rounds = 1,
		.rate = 0.001,
		.threads = 1,
		.blocks = 1,
		.seed = 1,
	};
}

START_TEST(trains_from_nothing)
{
	folder_create();
	struct training s = training_of(game_of_size(&game_hex, 4), folder_path("one"));
	s.samples = 100;
	s.simulations = 40;
	s.threads = 2;
	/* One round with playouts, one with the resulting network. Elsewhere both at once, with one thread. */
	trainer_run(&s);
	trainer_run(&s);
	s.folder = folder_path("two");
	s.threads = 1;
	s.rounds = 2;
	trainer_run(&s);
	ck_assert_int_eq(system("cd \"$D\" && cmp one/samples two/samples && "
				"cmp one/learner.2 two/learner.2"),
			 0);
	folder_remove();
}
END_TEST

/* Trains for a round in a folder. Returns the exit status. What is said goes to $D/said. */
static int train_in_folder(const char *game)
{
	char *command = xasprintf(
		"exec $YOMI_BUILD/yomi-train --folder=$D/one --rounds=1 --samples=50 "
		"--simulations=8 --blocks=1 %s $D/net >$D/said 2>&1",
		game);
	int status = system(command);
	free(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The samples of another game stay whole, whether or not the folder says whose they are. */
START_TEST(leaves_the_folder_of_another_game)
{
	folder_create();
	ck_assert_int_eq(train_in_folder("--size=4 hex"), 0);
	ck_assert_int_eq(system("cp $D/one/samples $D/before"), 0);
	ck_assert_int_eq(train_in_folder("tictactoe"), 1);
	ck_assert_int_eq(system("grep -q 'has a training of hex hex 4x4' $D/said"), 0);
	ck_assert_int_eq(system("rm $D/one/game"), 0);
	ck_assert_int_eq(train_in_folder("tictactoe"), 1);
	ck_assert_int_eq(system("grep -q 'may have a training of another game' $D/said"), 0);
	ck_assert_int_eq(system("cmp $D/one/samples $D/before"), 0);
	ck_assert_int_eq(train_in_folder("--size=4 hex"), 0);
	folder_remove();
}
END_TEST

static int stones_of(const struct sample *s, int squares)
{
	int stones = 0;
	for (int i = 0; i < squares; i++)
		stones += (s->bytes[i] & (BOARD_NET_OWN | BOARD_NET_OTHER)) != 0;
	return stones;
}

/* The solver knows the result early, but the network must know positions up to the end of the game: searches meet them. */
START_TEST(learns_from_late_positions)
{
	const struct game *g = &game_connectfour;
	folder_create();
	struct training t = training_of(g, folder_path("run"));
	t.samples = 400;
	t.simulations = 8;
	trainer_run(&t);
	int count = 0, late = 0;
	struct sample *s = xmalloc(sample_size(g));
	FILE *f = fopen(folder_path("run/samples"), "rb");
	ck_assert_ptr_nonnull(f);
	for (; fread(s, sample_size(g), 1, f) == 1; count++)
		late += stones_of(s, g->board.rows * g->board.cols) >= 24;
	fclose(f);
	free(s);
	ck_assert_int_ge(count, 400);
	ck_assert_int_ge(late, 10);
	folder_remove();
}
END_TEST

/* A move of three steps teaches what to choose before each of them. */
START_TEST(learns_from_unfinished_moves)
{
	const struct game *g = game_of_size(&game_amazons, 6);
	folder_create();
	struct training t = training_of(g, folder_path("run"));
	t.samples = 300;
	t.simulations = 60;
	trainer_run(&t);
	int pending[3] = { 0 }, ways, way, squares = g->board.rows * g->board.cols;
	ck_assert(board_net_fits(g, &ways));
	struct sample *s = xmalloc(sample_size(g));
	FILE *f = fopen(folder_path("run/samples"), "rb");
	ck_assert_ptr_nonnull(f);
	while (fread(s, sample_size(g), 1, f) == 1) {
		ck_assert_int_lt(s->pending, 3);
		pending[s->pending]++;
		for (int code = 0; code < g->steps.codes; code++)
			if (s->bytes[squares + code]) {
				board_net_place(g, ways, (move_t)code, &way);
				ck_assert_int_eq(way, s->pending);
			}
	}
	fclose(f);
	free(s);
	for (int i = 0; i < 3; i++)
		ck_assert_int_ge(pending[i], 20);
	folder_remove();
}
END_TEST

int main(int argc, char **argv)
{
	(void)argc;
	ranks_start(argv);
	Suite *suite = suite_create("board_learn");
	TCase *cases = tcase_create("board_learn");
	TCase *native = suite_native_case(suite), *alone = suite_alone_case(suite);
	tcase_set_timeout(cases, 300);
	tcase_set_timeout(alone, 300);
	tcase_set_timeout(native, 300);
	tcase_add_loop_test(alone, convolutions_are_sums_of_products, 0, 2);
	tcase_add_loop_test(alone, gradient_is_that_of_the_loss, 0, 4);
	tcase_add_test(native, learns);
	tcase_add_test(native, learns_owners);
	tcase_add_test(native, learns_lines);
	tcase_add_loop_test(cases, threads_and_held_samples_change_nothing, 0, 2);
	tcase_add_loop_test(alone, goes_on_where_it_was, 0, 2);
	tcase_add_test(alone, kernels_and_integers_agree);
	tcase_add_test(alone, takes_over_a_network);
	tcase_add_test(cases, trains_from_nothing);
	tcase_add_test(cases, learns_from_unfinished_moves);
	tcase_add_test(alone, leaves_the_folder_of_another_game);
	tcase_add_test(alone, learns_from_late_positions);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
