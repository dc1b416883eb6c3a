/* SPDX-License-Identifier: MIT
 *
 * The games of a round and the folder that stores rounds: neither threads nor a process that was killed change what
 * is stored.
 */
#include "engine/base/disk.h"
#include "tools/train/selfplay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/search/clock.h"
#include "protocol/records/file.h"
#include "tests/folder.h"
#include "tools/train/folder.h"
#include "tools/train/rounds.h"

#define WANTED 500

/* A sample of a game that is made up. It ends with zeros if `random` is small. */
struct note {
	uint64_t weights, random;
};

/* What plays: the number of games that were begun, and the weights in use. */
struct made_up {
	atomic_int games;
	uint64_t weights;
	int learned; /* rounds */
	struct folder folder;
};

static bool use(void *arg, const void *weights)
{
	struct made_up *m = arg;
	m->weights = weights ? *(const uint64_t *)weights : 0;
	return m->weights != UINT64_MAX;
}

static void *begin(void *arg)
{
	return arg;
}

static void end(void *worker)
{
	(void)worker;
}

/* A game gives 0 .. 4 samples. Some games take much longer than others. */
static void play(void *worker, struct selfplay_game *g)
{
	struct made_up *m = worker;
	if (atomic_fetch_add(&m->games, 1) % 7 == 0)
		usleep(3000);
	for (uint32_t n = rng_below(&g->rng, 5); n > 0; n--) {
		struct note *note = selfplay_add(g);
		note->weights = m->weights;
		note->random = rng_next(&g->rng) >> rng_below(&g->rng, 64);
	}
}

static const struct selfplay_kind kind = { sizeof(struct note), use, begin, end, play };

static struct selfplay_round play_round(struct selfplay *s, int number, int64_t deadline)
{
	struct selfplay_round r = { .number = number, .wanted = WANTED, .end = deadline };
	selfplay_play(s, &r);
	return r;
}

START_TEST(lanes_change_nothing)
{
	struct selfplay_round first = { 0 };
	static const int workers[] = { 1, 2, 7, 40 };
	for (int i = 0; i < 4; i++) {
		struct made_up m = { 0 };
		struct selfplay s;
		selfplay_init(&s, &kind, &m, workers[i], 5);
		struct selfplay_round r = play_round(&s, 0, TIME_NEVER);
		ck_assert(r.count >= WANTED && r.count < WANTED + 4);
		ck_assert_int_ge(m.games, r.games);
		if (i == 0) {
			first = r;
			selfplay_free(&s);
			continue;
		}
		ck_assert_uint_eq(r.count, first.count);
		ck_assert_int_eq(r.games, first.games);
		ck_assert_int_eq(memcmp(r.samples, first.samples, r.count * sizeof(struct note)),
				 0);
		free(r.samples);

		/* Another round, and another seed, are other games. */
		r = play_round(&s, 1, TIME_NEVER);
		ck_assert_int_ne(memcmp(r.samples, first.samples, WANTED * sizeof(struct note)), 0);
		free(r.samples);
		s.seed++;
		r = play_round(&s, 0, TIME_NEVER);
		ck_assert_int_ne(memcmp(r.samples, first.samples, WANTED * sizeof(struct note)), 0);
		free(r.samples);
		selfplay_free(&s);
	}
	free(first.samples);
}
END_TEST

/* After the time limit the games that have begun are ended: one for each worker at most, and at least one. */
START_TEST(time_ends_a_round)
{
	struct made_up m = { 0 };
	struct selfplay s;
	selfplay_init(&s, &kind, &m, 3, 5);
	struct selfplay_round r = play_round(&s, 0, clock_now());
	ck_assert_int_eq(r.games, 1);
	ck_assert_int_eq(m.games, 1);
	ck_assert_uint_lt(r.count, 5);
	free(r.samples);
	selfplay_free(&s);
}
END_TEST

static struct packet weights_of(uint64_t value)
{
	struct packet p = { xmalloc(sizeof value), sizeof value };
	memcpy(p.bytes, &value, sizeof value);
	return p;
}

START_TEST(damaged_weights_are_told)
{
	char line[128] = "";
	int ends[2], status;
	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		struct made_up m = { 0 };
		struct selfplay s;
		dup2(ends[1], STDERR_FILENO);
		selfplay_init(&s, &kind, &m, 2, 5);
		selfplay_share(&s, weights_of(UINT64_MAX), 4);
		play_round(&s, 4, TIME_NEVER);
		_exit(0);
	}
	close(ends[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
	ck_assert_int_gt(read(ends[0], line, sizeof line - 1), 0);
	ck_assert_ptr_nonnull(strstr(line, "cannot use the weights of round 4"));
	close(ends[0]);
}
END_TEST

/* --- rounds in a folder --- */

/* Reads a file of the folder. Returns an empty text if there is none. */
static const char *file_text(const char *name)
{
	static char text[4096];
	FILE *f = fopen(folder_path(name), "rb");
	text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
	return text;
}

static long file_size(const char *name)
{
	FILE *f = fopen(folder_path(name), "rb");
	if (!f)
		return -1;
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	fclose(f);
	return size;
}

static void add_text(const char *name, const char *text)
{
	FILE *f = fopen(folder_path(name), "ab");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* The weights after a round are the number of rounds learned from. */
static struct packet learn(void *arg, const struct selfplay_round *r)
{
	struct made_up *m = arg;
	folder_write_state(&m->folder, r->number + 1, &m->learned, sizeof m->learned);
	FILE *log = folder_open_log(&m->folder);
	fprintf(log, "%d\n", r->number);
	folder_close_log(&m->folder, log);
	return weights_of((uint64_t)++m->learned);
}

static char weights_path[FOLDER_PATH_MAX];

static void create(void)
{
	folder_create();
	snprintf(weights_path, sizeof weights_path, "%s", folder_path("weights"));
}

static void enter_for(struct folder *f, const char *output)
{
	folder_enter(f, folder, &game_tictactoe, "notes", "state", sizeof(struct note), output);
}

static void enter(struct folder *f)
{
	enter_for(f, weights_path);
}

/* Trains some rounds. Returns the number of samples in the folder. */
static size_t train(int rounds, bool overlap)
{
	struct made_up m = { 0 };
	struct selfplay s;
	selfplay_init(&s, &kind, &m, 3, 5);
	enter(&m.folder);
	m.learned = m.folder.rounds;
	if (m.learned)
		selfplay_share(&s, weights_of((uint64_t)m.learned), m.learned);
	rounds_run(&(struct rounds) { .selfplay = &s,
				      .folder = &m.folder,
				      .count = rounds,
				      .samples = WANTED,
				      .overlap = overlap,
				      .end = TIME_NEVER,
				      .learn = learn,
				      .arg = &m });
	selfplay_end(&s);
	size_t samples = m.folder.samples;
	ck_assert_int_eq(file_size("notes"), (long)(samples * sizeof(struct note)));
	folder_leave(&m.folder);
	selfplay_free(&s);
	return samples;
}

/* Checks that the samples of each round have the weights that rounds.tsv names. */
static void check_marks(int rounds, bool overlap)
{
	FILE *f = fopen(folder_path("notes"), "rb");
	const char *line = file_text("rounds.tsv");
	for (int round = 0; round < rounds; round++) {
		int number, version, played, count;
		line = strchr(line, '\n') + 1;
		ck_assert_int_eq(
			sscanf(line, "%d\t%d\t%d\t%d\n", &number, &version, &played, &count), 4);
		ck_assert_int_eq(number, round);
		ck_assert_int_eq(version, overlap && round > 0 ? round - 1 : round);
		for (int i = 0; i < count; i++) {
			struct note note;
			ck_assert_uint_eq(fread(&note, sizeof note, 1, f), 1);
			ck_assert_uint_eq(note.weights, (uint64_t)version);
		}
	}
	ck_assert_int_eq(fgetc(f), EOF);
	fclose(f);
}

START_TEST(samples_are_marked)
{
	ck_assert_uint_ge(train(4, _i), 4 * WANTED);
	check_marks(4, _i);
	ck_assert_str_eq(file_text("log.tsv"), "0\n1\n2\n3\n");
	ck_assert_int_gt(file_size("state.4"), 0);
	ck_assert_int_eq(file_size("state.3"), -1);
}
END_TEST

/* What a process that was killed has written for a round that did not end is removed. */
START_TEST(half_rounds_are_removed)
{
	add_text("notes", "");
	train(1, false);
	long before = file_size("notes");
	add_text("notes", "half of the samples of round 1");
	ck_assert_int_gt(file_size("notes"), before);
	if (_i > 0)
		add_text("state.2" DISK_DRAFT, "half of a state");
	if (_i > 1)
		add_text("state.2", "a state that nothing refers to");
	if (_i > 2)
		add_text("log.tsv", "1\n");
	if (_i > 3)
		add_text("log.tsv", "2 half of a lin");
	if (_i > 4)
		add_text("rounds.tsv" DISK_DRAFT, "round\tweig");
	if (_i > 5)
		add_text("weights" DISK_DRAFT, "half of the weights");
	train(2, false);
	check_marks(3, false);
	ck_assert_str_eq(file_text("log.tsv"), "0\n1\n2\n");
	ck_assert_int_eq(file_size("state.2"), -1);
	ck_assert_int_eq(file_size("state.2" DISK_DRAFT), -1);
	ck_assert_int_eq(file_size("rounds.tsv" DISK_DRAFT), -1);
	ck_assert_int_eq(file_size("weights" DISK_DRAFT), -1);
	ck_assert_int_gt(file_size("state.3"), 0);
}
END_TEST

/* A folder without rounds.tsv is one of an earlier version. */
START_TEST(old_folders_go_on)
{
	char path[FOLDER_PATH_MAX];
	struct folder f;
	add_text("notes", "sixteen letters_sixteen letters_half");
	add_text("log.tsv", "0\n1\n");
	add_text("state", "old");
	enter(&f);
	ck_assert_int_eq(f.rounds, 2);
	ck_assert_uint_eq(f.samples, 2);
	ck_assert(folder_find_state(&f, path));
	ck_assert_str_eq(strrchr(path, '/'), "/state");
	folder_leave(&f);
	ck_assert_uint_ge(train(1, false), 2 + WANTED);
	ck_assert_ptr_nonnull(strstr(file_text("rounds.tsv"), "samples\n1\t-\t-\t2\n2\t2\t"));
	ck_assert_str_eq(file_text("log.tsv"), "0\n1\n2\n");
	ck_assert_int_eq(file_size("state"), -1);
	ck_assert_int_gt(file_size("state.3"), 0);
}
END_TEST

/* Enters the folder in another process. Returns its exit status. */
static int status_of_entering(const char *output)
{
	int status;
	struct folder f;
	pid_t child = fork();
	if (child == 0) {
		ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
		enter_for(&f, output);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(folders_serve_one_process)
{
	struct folder f;
	enter(&f);
	ck_assert_int_eq(status_of_entering(weights_path), EXIT_FAILURE);
	folder_leave(&f);
	ck_assert_int_eq(status_of_entering(weights_path), 0);
}
END_TEST

/* A folder in which anything stored is missing or damaged is refused and not changed. */
static const struct damage {
	const char *name, *text; /* what the file has instead; NULL: the file is removed */
} damages[] = {
	{ "notes", "too few samples." },
	{ "notes", NULL },
	{ "state.3", NULL },
	{ "rounds.tsv", "" },
	{ "rounds.tsv", "round\tweights\tgames\tsamples" },
	{ "rounds.tsv", "round\tweights\tgames\tsamples\n" },
	{ "rounds.tsv", "round\tweights\tgames\tsamples\n0\t0\t9\t1\n" },
	{ "rounds.tsv", "round\tweights\tgames\tsamples\n0\t0\t9\t1\n2\t2\t9\t1\n" },
	{ "rounds.tsv", "round\tweights\tgames\tsamples\n0\t0\t9\t1\n1\t1\t9\t1\n2\t2\t9\t1" },
};

START_TEST(damaged_folders_stay)
{
	const struct damage *d = &damages[_i];
	train(3, false);
	long notes = file_size("notes"), state = file_size("state.3"), log = file_size("log.tsv");
	ck_assert_int_eq(unlink(folder_path(d->name)), 0);
	if (d->text)
		add_text(d->name, d->text);
	ck_assert_int_eq(status_of_entering(weights_path), EXIT_FAILURE);
	ck_assert_str_eq(d->text ? file_text(d->name) : "", d->text ? d->text : file_text(d->name));
	if (strcmp(d->name, "notes") != 0)
		ck_assert_int_eq(file_size("notes"), notes);
	if (strcmp(d->name, "state.3") != 0)
		ck_assert_int_eq(file_size("state.3"), state);
	ck_assert_int_eq(file_size("log.tsv"), log);
}
END_TEST

/* The weights are not written where that would be in vain, or over the training. */
START_TEST(outputs_are_checked)
{
	static const char *const wrong[] = { "missing/weights", "notes", "state.1", "rounds.tsv",
					     "log.tsv",         "game",  "" };
	train(1, false);
	long notes = file_size("notes");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char *path = strdup(folder_path(wrong[i]));
		ck_assert_msg(status_of_entering(path) == EXIT_FAILURE, "%s", path);
		free(path);
	}
	ck_assert_int_eq(file_size("notes"), notes);
	ck_assert_int_eq(status_of_entering(weights_path), 0);
}
END_TEST

START_TEST(links_to_weights_stay)
{
	struct stat info;
	add_text("elsewhere", "");
	ck_assert_int_eq(symlink("elsewhere", folder_path("weights")), 0);
	train(1, false);
	ck_assert_int_eq(lstat(folder_path("weights"), &info), 0);
	ck_assert(S_ISLNK(info.st_mode));
	ck_assert_int_gt(file_size("elsewhere"), 0);
}
END_TEST

int main(int argc, char **argv)
{
	(void)argc;
	ranks_start(argv);
	Suite *suite = suite_create("selfplay");
	TCase *cases = tcase_create("selfplay");
	tcase_add_checked_fixture(cases, create, folder_remove);
	tcase_add_test(cases, lanes_change_nothing);
	tcase_add_test(cases, time_ends_a_round);
	tcase_add_test(cases, damaged_weights_are_told);
	tcase_add_loop_test(cases, samples_are_marked, 0, 2);
	tcase_add_loop_test(cases, half_rounds_are_removed, 0, 7);
	tcase_add_test(cases, old_folders_go_on);
	tcase_add_test(cases, folders_serve_one_process);
	tcase_add_loop_test(cases, damaged_folders_stay, 0, sizeof damages / sizeof *damages);
	tcase_add_test(cases, outputs_are_checked);
	tcase_add_test(cases, links_to_weights_stay);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
