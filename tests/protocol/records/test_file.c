/* SPDX-License-Identifier: MIT
 *
 * Game files: written completely or not at all, regular files only, in either format, plain or packed.
 */
#include "engine/base/disk.h"
#include "protocol/records/file.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "protocol/records/ggf.h"
#include "protocol/records/sgf.h"
#include "tests/packed.h"
#include "tests/suite.h"

static struct record record;
static char folder[] = "/tmp/yomi-file-XXXXXX", path[64], other[64], why[REASON_MAX];

static void setup(void)
{
	record_init(&record, &game_othello);
	strcpy(strchr(folder, '-') + 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/game", folder);
	snprintf(other, sizeof other, "%s/link", folder);
	umask(022);
}

/* No files may remain. */
static void teardown(void)
{
	record_free(&record);
	unlink(path);
	unlink(other);
	ck_assert_int_eq(rmdir(folder), 0);
}

static int mode_of(const char *name)
{
	struct stat st;
	ck_assert_int_eq(lstat(name, &st), 0);
	return (int)st.st_mode;
}

static void play(int side, const char *vertex)
{
	ck_assert_int_eq(record_play_text(&record, side, vertex), MOVE_OK);
}

static bool save(const char *target, void (*print)(struct text *, const struct record *),
		 const struct record *r, char reason[REASON_MAX])
{
	struct text text = { 0 };
	print(&text, r);
	bool done = file_save_text(target, text.bytes, reason);
	text_free(&text);
	return done;
}

static const struct import_wish all;

static void print_ggf(struct text *out, const struct record *r)
{
	ggf_print(out, r, NULL, 0);
}

START_TEST(both_formats)
{
	static void (*const prints[])(struct text *, const struct record *) = { sgf_print,
										print_ggf };
	ck_assert(!file_load(&record, path, &all, 1, NULL, why));
	play(BLACK, "F5");
	play(WHITE, "F6");
	for (int i = 0; i < 2; i++) {
		ck_assert(save(path, prints[i], &record, why));
		ck_assert_int_eq(mode_of(path), S_IFREG | 0644);
		record_undo(&record);
		ck_assert(file_load(&record, path, &all, 1, NULL, why));
		ck_assert_int_eq(record.count, 2);
		ck_assert(file_load(&record, path, &(struct import_wish) { .before = 2 }, 1, NULL,
				    why));
		ck_assert_int_eq(record.count, 1);
		play(WHITE, "F6");
	}
}
END_TEST

START_TEST(what_is_there_keeps_its_mode)
{
	ck_assert(save(path, sgf_print, &record, why));
	ck_assert_int_eq(chmod(path, 0600), 0);
	play(BLACK, "F5");
	ck_assert(save(path, sgf_print, &record, why));
	ck_assert_int_eq(mode_of(path), S_IFREG | 0600);
	ck_assert(file_load(&record, path, &all, 1, NULL, why));
	ck_assert_int_eq(record.count, 1);
}
END_TEST

/* A symbolic link stays one and its target is written, unless the target does not exist. */
START_TEST(links)
{
	ck_assert_int_eq(symlink("game", other), 0);
	ck_assert(!save(other, sgf_print, &record, why));
	ck_assert(save(path, sgf_print, &record, why));
	ck_assert_int_eq(truncate(path, 0), 0);
	ck_assert(save(other, sgf_print, &record, why));
	ck_assert(S_ISLNK(mode_of(other)));
	ck_assert(file_load(&record, path, &all, 1, NULL, why));
}
END_TEST

static void check_refused(const char *name)
{
	*why = '\0';
	ck_assert(!save(name, sgf_print, &record, why));
	ck_assert_ptr_nonnull(strstr(why, "cannot write"));
	*why = '\0';
	ck_assert(!file_load(&record, name, &all, 1, NULL, why));
	ck_assert_ptr_nonnull(strstr(why, "cannot read"));
}

START_TEST(only_plain_files)
{
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	check_refused(path);
	ck_assert(S_ISFIFO(mode_of(path)));
	unlink(path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	check_refused(path);
	rmdir(path);
	check_refused("/dev/null");
	check_refused("/dev/tty");
	check_refused("");
	check_refused("/no/such/folder/game");
	ck_assert(S_ISCHR(mode_of("/dev/null")));
}
END_TEST

/* Checks that the old file is unchanged and that there are no others. */
static void check_kept(void)
{
	struct record old;
	struct dirent **entries;
	record_init(&old, &game_othello);
	ck_assert(file_load(&old, path, &all, 1, NULL, why));
	ck_assert_int_eq(old.count, 1);
	record_free(&old);
	ck_assert_int_eq(scandir(folder, &entries, NULL, NULL), 3); /* with . and .. */
	for (int i = 0; i < 3; i++)
		free(entries[i]);
	free(entries);
}

START_TEST(full_disk)
{
	struct rlimit old, small;
	play(BLACK, "F5");
	ck_assert(save(path, sgf_print, &record, why));
	play(WHITE, "F6");
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, SIG_IGN);
	/* The text fits into none of these. */
	for (rlim_t bytes = 0; bytes < 40; bytes++) {
		small = (struct rlimit) { bytes, old.rlim_max };
		ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
		bool saved = save(path, sgf_print, &record, why);
		ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
		ck_assert(!saved);
		check_kept();
	}
}
END_TEST

/* A draft of a process that was killed is written over, and only a draft: what a link names, stays. */
START_TEST(drafts_of_the_dead)
{
	char draft[128];
	snprintf(draft, sizeof draft, "%s" DISK_DRAFT, path);
	FILE *f = fopen(draft, "we");
	fprintf(f, "%2000s", "(;GM[Othello]");
	fclose(f);
	play(BLACK, "F5");
	ck_assert(save(path, sgf_print, &record, why));
	check_kept();
	ck_assert_int_eq(symlink("game", draft), 0);
	ck_assert(!save(path, sgf_print, &record, why));
	unlink(draft);
	check_kept();
}
END_TEST

/* Processes that write one file at once take turns: it always is whole. */
START_TEST(writers_take_turns)
{
	enum { WRITERS = 4, TIMES = 50, SIZE = 100000 };
	char *text = xcalloc(1, SIZE + 1);
	pid_t writers[WRITERS];
	for (int i = 0; i < WRITERS; i++) {
		writers[i] = fork();
		if (writers[i])
			continue;
		memset(text, 'a' + i, SIZE);
		bool done = true;
		for (int n = 0; n < TIMES; n++)
			done &= file_save_text(path, text, why);
		_exit(!done);
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;
		ck_assert_int_eq(waitpid(writers[i], &status, 0), writers[i]);
		ck_assert_int_eq(status, 0);
		size_t length;
		char *found = file_read_bytes(path, SIZE, &length, why);
		ck_assert_ptr_nonnull(found);
		memset(text, *found, SIZE);
		ck_assert_str_eq(found, text);
		free(found);
	}
	free(text);
}
END_TEST

/* The file is not writable by its owner; root ignores that. */
START_TEST(unwritable)
{
	if (geteuid() == 0 && seteuid(65534) != 0)
		return;
	bool was_root = getuid() == 0;
	if (was_root) {
		ck_assert_int_eq(seteuid(0), 0);
		ck_assert_int_eq(chown(folder, 65534, 65534), 0);
		ck_assert_int_eq(setreuid(65534, 65534), 0);
	}
	play(BLACK, "F5");
	ck_assert(save(path, sgf_print, &record, why));
	play(WHITE, "F6");
	ck_assert_int_eq(chmod(path, 0400), 0);
	ck_assert(!save(path, sgf_print, &record, why));
	check_kept();
	ck_assert_int_eq(chmod(path, 0600), 0);
	ck_assert_int_eq(chmod(folder, 0500), 0);
	ck_assert(!save(path, sgf_print, &record, why));
	check_kept();
	ck_assert_int_eq(chmod(folder, 0700), 0);
}
END_TEST

START_TEST(damaged_files)
{
	FILE *f = fopen(path, "we");
	fputs("(;GM[Othello]B[A1];)", f);
	fclose(f);
	play(BLACK, "F5");
	ck_assert(!file_load(&record, path, &all, 1, NULL, why));
	ck_assert_str_eq(why, "move 1, A1, is not legal");
	/* 17 MiB as a sparse file. */
	ck_assert_int_eq(truncate(path, 17 << 20), 0);
	ck_assert(!file_load(&record, path, &all, 1, NULL, why));
	ck_assert_int_eq(record.count, 1);
}
END_TEST

/* A file that is packed with zstd reads as if it were not; what is cut off or damaged is refused. */
START_TEST(packed_files)
{
	const char *game = "(;GM[2];B[fe];W[ff])";
	size_t whole = packed_write(path, game, strlen(game), SIZE_MAX);
	ck_assert(file_load(&record, path, &all, 1, NULL, why));
	ck_assert_int_eq(record.count, 2);
	char *text = file_read(path, 1000, why);
	ck_assert_str_eq(text, game);
	free(text);
	for (size_t size = FILE_MAGIC; size < whole; size++) {
		packed_write(path, game, strlen(game), size);
		ck_assert(!file_load(&record, path, &all, 1, NULL, why));
		ck_assert_ptr_nonnull(strstr(why, "its compressed data is damaged or cut off"));
	}
	/* Two frames, one after the other, are one text. */
	packed_write(path, game, strlen(game), SIZE_MAX);
	FILE *f = fopen(path, "re+");
	char bytes[256];
	size_t n = fread(bytes, 1, sizeof bytes, f);
	rewind(f);
	fwrite(bytes, 1, n, f);
	fwrite(bytes, 1, n, f);
	fclose(f);
	text = file_read(path, 1000, why);
	ck_assert_uint_eq(strlen(text), 2 * strlen(game));
	free(text);
	ck_assert_int_eq(record.count, 2);
}
END_TEST

/* A small file that unpacks to more than is allowed is refused. */
START_TEST(packed_too_large)
{
	size_t large = (17 << 20);
	char *blanks = xmalloc(large);
	memset(blanks, ' ', large);
	ck_assert_uint_lt(packed_write(path, blanks, large, SIZE_MAX), 1 << 16);
	ck_assert(!file_load(&record, path, &all, 1, NULL, why));
	ck_assert_ptr_nonnull(strstr(why, "it is too large when unpacked"));
	char *text = file_read(path, large, why);
	ck_assert_uint_eq(strlen(text), large);
	free(text);
	ck_assert_ptr_null(file_read(path, large - 1, why));
	free(blanks);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("file");
	TCase *cases = tcase_create("file");
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, both_formats);
	tcase_add_test(cases, what_is_there_keeps_its_mode);
	tcase_add_test(cases, links);
	tcase_add_test(cases, only_plain_files);
	tcase_add_test(cases, full_disk);
	tcase_add_test(cases, drafts_of_the_dead);
	tcase_add_test(cases, writers_take_turns);
	tcase_add_test(cases, damaged_files);
	tcase_add_test(cases, packed_files);
	tcase_add_test(cases, packed_too_large);
	tcase_add_test(cases, unwritable); /* last, because it may give up root's rights */
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
