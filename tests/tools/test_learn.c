/* SPDX-License-Identifier: MIT
 * Learning: gradients that lead downhill, held samples left alone, a learner saved and restored, and a
 * whole short training.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/net.h"
#include "tests/net_range.h"
#include "tools/lib/learn.h"
#include "tools/lib/trainer.h"

#define SAMPLES 600

static struct sample samples[SAMPLES];

/* Positions of Pentago in which who chooses wins when it has more stones in the first row, and the step to
 * choose is the first legal one. Every tenth is held. */
static void make_samples(void)
{
	struct rng rng;
	rng_seed(&rng, 5);
	for (int i = 0; i < SAMPLES; i++) {
		struct sample *s = &samples[i];
		*s = (struct sample) { .held = i % 10 == 0 };
		for (int square = 0; square < 36; square++) {
			uint32_t r = rng_below(&rng, 4);
			s->own |= (uint64_t)(r == 0) << square;
			s->other |= (uint64_t)(r == 1) << square;
			if (r > 1)
				s->steps[s->count++].step = (uint8_t)square;
		}
		int more = __builtin_popcountll(s->own & 63) - __builtin_popcountll(s->other & 63);
		s->result = s->search = (float)((more > 0) - (more < 0));
		s->steps[0].weight = 255;
	}
}

START_TEST(learns)
{
	/* Symmetries would make the first row any edge. */
	struct game plain = game_pentago;
	plain.mirror = NULL;
	make_samples();
	struct learner *l = learner_create(&plain, 1);
	struct learn_error before = learner_error(l, samples, SAMPLES, SAMPLES);
	learner_train(l, samples, SAMPLES, 400, 0.001);
	struct learn_error after = learner_error(l, samples, SAMPLES, SAMPLES);
	ck_assert_double_gt(before.value, 0.7);
	ck_assert_double_lt(after.value, 0.75 * before.value);
	ck_assert_double_lt(after.priors, 0.8 * before.priors);
	learner_destroy(l);
}
END_TEST

START_TEST(held_samples_do_not_count)
{
	struct sample *all = samples;
	size_t size[2];
	make_samples();
	struct learner *l = learner_create(&game_pentago, 3),
		       *other = learner_create(&game_pentago, 3);
	learner_train(l, all, SAMPLES, 5, 0.001);
	for (int i = 0; i < SAMPLES; i += 10)
		samples[i].result = samples[i].search = 1 - samples[i].result;
	learner_train(other, all, SAMPLES, 5, 0.001);
	void *net = learner_net(l, &size[0]), *same = learner_net(other, &size[1]);
	ck_assert_uint_eq(size[0], size[1]);
	ck_assert_int_eq(memcmp(net, same, size[0]), 0);
	free(net);
	free(same);
	learner_destroy(l);
	learner_destroy(other);
}
END_TEST

START_TEST(goes_on_where_it_was)
{
	char path[] = "/tmp/yomi-learn-XXXXXX";
	size_t size[2];
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	make_samples();
	struct learner *l = learner_create(&game_pentago, 3);
	learner_train(l, samples, SAMPLES, 5, 0.001);
	ck_assert(learner_save(l, path));
	learner_train(l, samples, SAMPLES, 5, 0.001);
	struct learner *other = learner_create(&game_pentago, 4);
	ck_assert(learner_load(other, path));
	learner_train(other, samples, SAMPLES, 5, 0.001);
	void *net = learner_net(l, &size[0]), *same = learner_net(other, &size[1]);
	ck_assert_int_eq(memcmp(net, same, size[0]), 0);
	free(net);
	free(same);

	/* A learner of another game is refused and changes nothing. */
	struct learner *small = learner_create(&game_tictactoe, 1);
	ck_assert(!learner_load(small, path));
	ck_assert(!learner_load(other, "/nonexistent/learner"));
	learner_destroy(small);
	learner_destroy(l);
	learner_destroy(other);
	unlink(path);
}
END_TEST

/* However far learning goes, also on the largest board, the whole numbers hold it. */
START_TEST(weights_stay_in_range)
{
	static const struct game *const boards[] = { &game_pentago, &game_othello };
	const struct game *g = boards[_i];
	int squares = g->rows * g->cols, most = 0;
	size_t size;
	make_samples();
	for (int i = 0; i < SAMPLES; i++) {
		/* The whole board, and one side that always wins. */
		samples[i].own = samples[i].own << (squares - 36) | samples[i].own;
		samples[i].other = samples[i].other << (squares - 36) & ~samples[i].own;
		samples[i].result = samples[i].search = 1;
	}
	struct learner *l = learner_create(g, 1);
	learner_train(l, samples, SAMPLES, 30, 1);
	struct net_header *net = learner_net(l, &size);
	const struct net_layers *layers = (const void *)(net + 1);
	check_first_sums(layers, squares);
	for (int i = 0; i < 2 * squares; i++)
		for (int j = 0; j < NET_HIDDEN; j++)
			most = layers->first[i][j] > most ? layers->first[i][j] : most;
	ck_assert_int_eq(most, net_first_clip(squares));
	free(net);
	learner_destroy(l);
}
END_TEST

START_TEST(trains_from_nothing)
{
	char folder[] = "/tmp/yomi-train-XXXXXX", output[64], path[64];
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(output, sizeof output, "%s/net", folder);
	struct settings s = {
		.game = &game_pentago,
		.folder = folder,
		.output = output,
		.seconds = 1e6,
		.rounds = 1,
		.samples = 600,
		.rate = 0.001,
		.threads = 2,
		.simulations = 400,
		.seed = 1,
	};
	/* One round with playouts, one with the network that it has made. */
	trainer_run(&s);
	trainer_run(&s);
	FILE *f = fopen(output, "rb");
	ck_assert_ptr_nonnull(f);
	struct net_header header;
	ck_assert_uint_eq(fread(&header, sizeof header, 1, f), 1);
	fseek(f, 0, SEEK_END);
	ck_assert_int_eq(ftell(f), (long)net_size(36, 44));
	fclose(f);
	ck_assert_int_eq(memcmp(header.magic, NET_MAGIC, sizeof header.magic), 0);
	/* Of the positions whose result is known both sides have theirs: else who is to move would seem to win. */
	struct sample sample;
	int known[2] = { 0 };
	snprintf(path, sizeof path, "%s/samples", folder);
	f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	while (fread(&sample, sizeof sample, 1, f) == 1)
		if (sample.exact && sample.search != 0)
			known[sample.search > 0]++;
	fclose(f);
	ck_assert_int_gt(known[0], 0);
	ck_assert_int_gt(known[1], 5);
	static const char *const names[] = { "net", "learner", "samples", "log.tsv" };
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		ck_assert_int_eq(unlink(path), 0);
	}
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("learn");
	TCase *cases = tcase_create("learn");
	tcase_set_timeout(cases, 300);
	tcase_add_test(cases, learns);
	tcase_add_test(cases, held_samples_do_not_count);
	tcase_add_test(cases, goes_on_where_it_was);
	tcase_add_loop_test(cases, weights_stay_in_range, 0, 2);
	tcase_add_test(cases, trains_from_nothing);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
