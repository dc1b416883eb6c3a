/* SPDX-License-Identifier: MIT
 *
 * Training: gradients lead downhill, held-out samples are not used, a learner is saved and restored, and a
 * short training runs completely.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/images.h"
#include "games/pentago/quadrant_net.h"
#include "tests/folder.h"
#include "tests/net_range.h"
#include "tools/learn/quadrant_learn.h"
#include "tools/ranks/ranks.h"
#include "tools/train/trainer.h"
#include "tools/train/window.h"

#define SAMPLES 600

#define SQUARES 36

/* Room for the samples of Pentago, in the layout of struct sample. */
static _Alignas(struct sample) char samples[SAMPLES * 128];

static struct sample *sample_at(int i)
{
	return (struct sample *)(samples + (size_t)i * sample_size(&game_pentago));
}

/* Makes positions of Pentago. The side to move wins if it has more stones in the first row, and should
 * play the first legal step. Every tenth is held out. */
static void make_samples(void)
{
	struct rng rng;
	rng_seed(&rng, 5);
	memset(samples, 0, sizeof samples);
	ck_assert_uint_le(SAMPLES * sample_size(&game_pentago), sizeof samples);
	for (int i = 0; i < SAMPLES; i++) {
		struct sample *s = sample_at(i);
		int more = 0;
		bool is_first = true;
		for (int square = 0; square < SQUARES; square++) {
			uint32_t r = rng_below(&rng, 4);
			s->bytes[square] = r == 0   ? BOARD_NET_SQUARE | BOARD_NET_OWN
					   : r == 1 ? BOARD_NET_SQUARE | BOARD_NET_OTHER
						    : BOARD_NET_SQUARE;
			if (square < 6)
				more += (r == 0) - (r == 1);
			if (r <= 1)
				continue;
			s->bytes[SQUARES + square] = is_first ? 255 : 1;
			is_first = false;
		}
		s->held = i % 10 == 0;
		s->result = s->search = (float)((more > 0) - (more < 0));
	}
}

/* The error on the samples that are held out. */
static struct learner_error find_error(struct quadrant_learner *l)
{
	return learner_find_error(&quadrant_learner_kind, l, samples, sample_size(&game_pentago),
				  SAMPLES, SAMPLES);
}

START_TEST(learns)
{
	/* Symmetries would turn the first row into any edge. */
	struct game plain = game_pentago;
	struct images images = *plain.images;
	images.symmetries = 0;
	plain.images = &images;
	make_samples();
	struct quadrant_learner *l = quadrant_learner_kind.create(&plain, 0, 1, 1);
	struct learner_error before = find_error(l);
	quadrant_learner_kind.train(l, samples, SAMPLES, 60, 0.002);
	struct learner_error after = find_error(l);
	ck_assert_double_gt(before.value, 0.7);
	ck_assert_double_lt(after.value, 0.75 * before.value);
	ck_assert_double_lt(after.policy, 0.8 * before.policy);
	quadrant_learner_kind.destroy(l);
}
END_TEST

static void check_same(const struct quadrant_learner *a, const struct quadrant_learner *b)
{
	struct packet one = quadrant_learner_kind.file(a), other = quadrant_learner_kind.file(b);
	ck_assert_uint_eq(one.size, other.size);
	ck_assert_mem_eq(one.bytes, other.bytes, one.size);
	free(one.bytes);
	free(other.bytes);
}

START_TEST(held_samples_do_not_count)
{
	make_samples();
	struct quadrant_learner *l = quadrant_learner_kind.create(&game_pentago, 0, 3, 1),
				*other = quadrant_learner_kind.create(&game_pentago, 0, 3, 1);
	quadrant_learner_kind.train(l, samples, SAMPLES, 5, 0.001);
	for (int i = 0; i < SAMPLES; i += 10)
		sample_at(i)->result = sample_at(i)->search = 1 - sample_at(i)->result;
	quadrant_learner_kind.train(other, samples, SAMPLES, 5, 0.001);
	check_same(l, other);
	quadrant_learner_kind.destroy(l);
	quadrant_learner_kind.destroy(other);
}
END_TEST

START_TEST(goes_on_where_it_was)
{
	make_samples();
	struct quadrant_learner *l = quadrant_learner_kind.create(&game_pentago, 0, 3, 1);
	quadrant_learner_kind.train(l, samples, SAMPLES, 5, 0.001);
	struct packet state = quadrant_learner_kind.state(l);
	void *saved = xmalloc(state.size);
	memcpy(saved, state.bytes, state.size);
	quadrant_learner_kind.train(l, samples, SAMPLES, 5, 0.001);
	struct quadrant_learner *other = quadrant_learner_kind.create(&game_pentago, 0, 4, 1);
	ck_assert(quadrant_learner_kind.resume(other, saved));
	quadrant_learner_kind.train(other, samples, SAMPLES, 5, 0.001);
	check_same(l, other);

	/* A learner of another game is refused and changes nothing. */
	struct quadrant_learner *small = quadrant_learner_kind.create(&game_tictactoe, 0, 1, 1);
	ck_assert(!quadrant_learner_kind.resume(small, saved));
	quadrant_learner_kind.destroy(small);
	quadrant_learner_kind.destroy(l);
	quadrant_learner_kind.destroy(other);
	free(saved);
}
END_TEST

/* Weights stay in the range of the network's integers, even after extreme training. */
START_TEST(weights_stay_in_range)
{
	int most = 0;
	make_samples();
	for (int i = 0; i < SAMPLES; i++)
		sample_at(i)->result = sample_at(i)->search = 1; /* one side always wins */
	struct quadrant_learner *l = quadrant_learner_kind.create(&game_pentago, 0, 1, 1);
	quadrant_learner_kind.train(l, samples, SAMPLES, 8, 1);
	void *file = quadrant_learner_kind.file(l).bytes;
	struct net_weights *w = net_read(&game_pentago, file);
	ck_assert_ptr_nonnull(w);
	check_first_sums(w);
	for (int i = 0; i < 2 * NET_PLACES; i++)
		for (int j = 0; j < NET_HIDDEN; j++)
			most = w->stones[i / NET_PLACES][i % NET_PLACES][j] > most
				       ? w->stones[i / NET_PLACES][i % NET_PLACES][j]
				       : most;
	ck_assert_int_eq(most, NET_FIRST_CLIP);
	free(w);
	free(file);
	quadrant_learner_kind.destroy(l);
}
END_TEST

/* A file holds what the learner knows, apart from rounding to integers, and a learner that reads it
 * continues from there. */
START_TEST(files_say_what_was_learned)
{
	make_samples();
	struct quadrant_learner *l = quadrant_learner_kind.create(&game_pentago, 0, 6, 1),
				*other = quadrant_learner_kind.create(&game_pentago, 0, 7, 1);
	quadrant_learner_kind.train(l, samples, SAMPLES, 8, 0.001);
	void *file = quadrant_learner_kind.file(l).bytes;
	struct learner_error own = find_error(l);
	ck_assert(quadrant_learner_take(other, file));
	struct learner_error taken = find_error(other);
	ck_assert_double_eq_tol(own.value, taken.value, 0.01);
	ck_assert_double_eq_tol(own.policy, taken.policy, 0.01);
	free(file);
	quadrant_learner_kind.destroy(l);
	quadrant_learner_kind.destroy(other);
}
END_TEST

static size_t file_size(const char *name)
{
	struct stat info;
	ck_assert_int_eq(stat(folder_path(name), &info), 0);
	return (size_t)info.st_size;
}

START_TEST(trains_from_nothing)
{
	char output[128];
	snprintf(output, sizeof output, "%s/net", folder);
	struct training s = {
		.game = &game_pentago,
		.folder = folder,
		.output = output,
		.command = "",
		.seconds = 1e6,
		.rounds = 1,
		.samples = suite_times(600),
		.rate = 0.001,
		.threads = 2,
		.simulations = 400,
		.seed = 1,
	};
	/* One round with playouts, one with the resulting network. */
	trainer_run(&s);
	trainer_run(&s);
	/* Training passes alone play no game. */
	struct training more = s;
	size_t samples_before = file_size("samples");
	ck_assert_int_eq(system("cp \"$D\"/learner.2 \"$D\"/before"), 0);
	more.seconds = 0;
	more.passes = 2;
	trainer_run(&more);
	ck_assert_uint_eq(file_size("samples"), samples_before);
	/* What they have taught is kept for later runs. */
	ck_assert_int_ne(system("cmp -s \"$D\"/learner.2 \"$D\"/before"), 0);
	ck_assert_int_eq(unlink(folder_path("before")), 0);
	FILE *f = fopen(output, "rb");
	ck_assert_ptr_nonnull(f);
	fseek(f, 0, SEEK_END);
	size_t size = (size_t)ftell(f);
	void *file = xmalloc(size);
	rewind(f);
	ck_assert_uint_eq(fread(file, size, 1, f), 1);
	fclose(f);
	struct net_weights *w = net_read(&game_pentago, file);
	ck_assert_ptr_nonnull(w);
	free(w);
	free(file);
	/* Both sides must have samples with a proven result; otherwise the network would learn that the side to
 * move always wins. */
	struct sample *sample = xmalloc(sample_size(&game_pentago));
	int known[2] = { 0 };
	f = fopen(folder_path("samples"), "rb");
	ck_assert_ptr_nonnull(f);
	while (fread(sample, sample_size(&game_pentago), 1, f) == 1)
		if (sample->exact && sample->search != 0)
			known[sample->search > 0]++;
	fclose(f);
	free(sample);
	ck_assert_int_gt(known[0], 0);
	ck_assert_int_gt(known[1], 5);
	static const char *const names[] = { "net",        "learner.2", "samples", "log.tsv",
					     "rounds.tsv", "error.svg", "game" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		ck_assert_int_eq(unlink(folder_path(names[i])), 0);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* The newest samples stay in the window, also if it has no room for all that are added at once. */
START_TEST(window_keeps_the_newest)
{
	static const struct {
		size_t count;
		int first; /* the oldest that is left */
	} adds[] = { { 3, 0 }, { 4, 2 }, { 5, 7 }, { 12, 19 }, { 2, 21 } };
	int news[12], made = 0;
	struct window w = { .samples = xmalloc(1), .size = sizeof *news };
	for (size_t i = 0; i < sizeof adds / sizeof *adds; i++) {
		for (size_t k = 0; k < adds[i].count; k++)
			news[k] = made++;
		window_add(&w, news, adds[i].count, 5);
		ck_assert_uint_eq(w.count, (size_t)(made - adds[i].first));
		for (size_t k = 0; k < w.count; k++)
			ck_assert_int_eq(((int *)w.samples)[k], adds[i].first + (int)k);
	}
	window_free(&w);
}
END_TEST

/* Trains two rounds in $D/NAME. */
static void train_briefly(const char *name, int threads, bool overlap)
{
	char own[128], output[160];
	snprintf(own, sizeof own, "%s/%s", folder, name);
	snprintf(output, sizeof output, "%s/net", own);
	ck_assert_int_eq(mkdir(own, 0777), 0);
	trainer_run(&(struct training) { .game = &game_pentago,
					 .folder = own,
					 .output = output,
					 .command = "",
					 .seconds = 1e6,
					 .rounds = 2,
					 .samples = 60,
					 .rate = 0.001,
					 .threads = threads,
					 .simulations = 30,
					 .seed = 2,
					 .overlap = overlap });
}

/* The number of threads changes no byte. With overlap, the games of the second round have older weights. */
START_TEST(threads_change_nothing)
{
	char command[96];
	train_briefly("one", 1, _i);
	train_briefly("three", 3, _i);
	snprintf(command, sizeof command,
		 "cd \"$D\" && diff -r one three && grep -q '^1	%d' */rounds.tsv", !_i);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(int argc, char **argv)
{
	(void)argc;
	ranks_start(argv);
	Suite *suite = suite_create("quadrant_learn");
	TCase *cases = tcase_create("quadrant_learn"), *alone = suite_alone_case(suite);
	tcase_set_timeout(cases, 300);
	tcase_set_timeout(alone, 300);
	tcase_add_checked_fixture(cases, folder_create, folder_remove);
	tcase_add_test(alone, held_samples_do_not_count);
	tcase_add_test(alone, window_keeps_the_newest);
	tcase_add_test(alone, goes_on_where_it_was);
	tcase_add_test(alone, weights_stay_in_range);
	tcase_add_test(alone, files_say_what_was_learned);
	tcase_add_test(cases, trains_from_nothing);
	tcase_add_loop_test(cases, threads_change_nothing, 0, 2);
	suite_add_tcase(suite, cases);
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(native, 300);
	tcase_add_test(native, learns);
	return suite_run(suite);
}
