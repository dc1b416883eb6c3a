/* SPDX-License-Identifier: MIT
 *
 * Training patterns: it finds a planted rule, ignores held-out examples, and a short training learns
 * something and continues where it ended.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/evaluation/weights.h"
#include "engine/rules/eval.h"
#include "games/games.h"
#include "tests/folder.h"
#include "tools/learn/fit.h"
#include "tools/ranks/ranks.h"
#include "tools/train/tuner.h"

#define EXAMPLES 50000
#define RATE     0.008f

/* Makes boards of 30 stones. Each stone on an edge is worth a point, unless the example is held out. */
static struct example *make_examples(void)
{
	struct example *all = calloc(EXAMPLES, sizeof *all);
	struct rng rng;
	rng_seed(&rng, 5);
	for (int i = 0; i < EXAMPLES; i++) {
		struct example *e = &all[i];
		const uint64_t edge = UINT64_C(0xff818181818181ff);
		e->held = i % 10 == 0;
		for (int n = 0; n < 30;) {
			uint64_t bit = UINT64_C(1) << rng_below(&rng, 64);
			if ((e->own | e->other) & bit)
				continue;
			*(n++ % 2 ? &e->own : &e->other) |= bit;
		}
		e->target = (int16_t)(100 * (__builtin_popcountll(e->own & edge) -
					     __builtin_popcountll(e->other & edge)));
	}
	return all;
}

START_TEST(finds_a_rule)
{
	struct example *all = make_examples();
	double by_stones[65];
	struct fit *f = fit_create(eval_patterns(&game_othello), 1);
	double before = fit_error(f, all, EXAMPLES, by_stones);
	fit_learn(f, all, EXAMPLES, 24, RATE, 1);
	double after = fit_error(f, all, EXAMPLES, by_stones);
	ck_assert_double_gt(before, 2.5);
	ck_assert_double_lt(after, 0.3 * before);
	ck_assert_double_eq(by_stones[30], after);
	ck_assert_double_eq(by_stones[31], -1);
	fit_destroy(f);

	/* The result does not depend on held-out examples. */
	f = fit_create(eval_patterns(&game_othello), 1);
	for (int i = 0; i < EXAMPLES; i += 10)
		all[i].target = 6400;
	fit_learn(f, all, EXAMPLES, 24, RATE, 2);
	for (int i = 0; i < EXAMPLES; i += 10)
		all[i].held = false;
	for (int i = 1; i < EXAMPLES; i += 10)
		all[i].held = true;
	ck_assert_double_lt(fit_error(f, all, EXAMPLES, by_stones), 0.3 * before);
	fit_destroy(f);
	free(all);
}
END_TEST

static long size_of(const char *name)
{
	struct stat info;
	return stat(folder_path(name), &info) == 0 ? (long)info.st_size : -1;
}

/* Returns how many examples the last round has learned from. */
static long learned(void)
{
	char line[4096];
	long count = -1;
	FILE *f = fopen(folder_path("log.tsv"), "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f))
		sscanf(line, "%*d\t%*d\t%ld", &count);
	fclose(f);
	return count;
}

START_TEST(trains_and_goes_on)
{
	const int samples = suite_times(500);
	char output[128];
	struct state s;
	snprintf(output, sizeof output, "%s/eval", folder);
	struct training t = {
		.game = &game_othello,
		.folder = folder,
		.output = output,
		.seconds = 1e6,
		.rounds = 1,
		.samples = samples,
		.threads = 1,
		.depth = 1,
		.rate = RATE,
		.seed = 3,
	};
	tuner_run(&t);
	long first = size_of("examples");
	ck_assert_int_ge(first, samples * (long)sizeof(struct example));
	ck_assert_int_gt(size_of("eval"), (long)sizeof(struct weights_header));
	ck_assert_int_gt(size_of("error.svg"), 1000);
	tuner_run(&t);
	ck_assert_int_ge(size_of("examples"), 2 * samples * (long)sizeof(struct example));

	ck_assert_int_gt(size_of("weights.2"), 0);
	/* Of the earlier examples, those in the older half, of weaker weights, are forgotten; if the first weights were good,
	 * nothing is. */
	long earlier = first / (long)sizeof(struct example);
	long made = size_of("examples") / (long)sizeof(struct example);
	ck_assert_int_eq(learned(), made - (earlier < made / 2 ? earlier : made / 2));
	t.onward = true;
	tuner_run(&t);
	ck_assert_int_eq(learned(), size_of("examples") / (long)sizeof(struct example));

	/* A side without discs has lost, whatever the patterns learned. */
	ck_assert_ptr_null(game_othello.setup(&game_othello, &s,
					      "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"
					      "XXXXXXXXXXXXXO..",
					      BLACK));
	ck_assert_int_gt(game_othello.eval->value(&game_othello, &s), 0);
	ck_assert(pattern_load(eval_patterns(&game_othello), eval_patterns(&game_othello)->file));
}
END_TEST

/* Trains in $D/NAME. */
static void train_briefly(const char *name, int rounds, int threads, bool overlap)
{
	char own[128], output[160];
	snprintf(own, sizeof own, "%s/%s", folder, name);
	snprintf(output, sizeof output, "%s/eval", own);
	ck_assert(mkdir(own, 0777) == 0 || errno == EEXIST);
	tuner_run(&(struct training) { .game = &game_othello,
				       .folder = own,
				       .output = output,
				       .seconds = 1e6,
				       .rounds = rounds,
				       .samples = suite_times(300),
				       .threads = threads,
				       .depth = 1,
				       .rate = RATE,
				       .seed = 3,
				       .overlap = overlap });
}

/* Neither the number of threads nor an interruption changes a byte. */
START_TEST(threads_change_nothing)
{
	char command[96];
	train_briefly("one", 3, 1, _i);
	train_briefly("three", _i ? 3 : 2, 3, _i);
	if (!_i) {
		ck_assert_int_eq(
			system("cd \"$D\"/three && printf half | tee -a examples >>log.tsv"), 0);
		train_briefly("three", 1, 2, false);
	}
	snprintf(command, sizeof command,
		 "cd \"$D\" && diff -r one three && grep -q '^2	%d' */rounds.tsv", _i ? 1 : 2);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(int argc, char **argv)
{
	(void)argc;
	ranks_start(argv);
	Suite *suite = suite_create("tune");
	TCase *cases = tcase_create("tune"), *alone = suite_alone_case(suite);
	tcase_set_timeout(cases, 300);
	tcase_set_timeout(alone, 300);
	tcase_add_checked_fixture(alone, folder_create, folder_remove);
	tcase_add_checked_fixture(cases, folder_create, folder_remove);
	tcase_add_test(alone, finds_a_rule);
	tcase_add_test(cases, trains_and_goes_on);
	tcase_add_loop_test(cases, threads_change_nothing, 0, 2);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
