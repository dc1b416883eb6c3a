/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/disk.h"
#include "tests/folder.h"

static void put(const char *path, const char *text)
{
	FILE *f = disk_open(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert(disk_sync(f));
	ck_assert_int_eq(fclose(f), 0);
}

static void expect_text(const char *path, const char *expected)
{
	char text[64];
	const char *reason;
	struct disk_file file;
	FILE *f = disk_read(path, &file, &reason);
	ck_assert_msg(f, "%s: %s", path, reason);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	ck_assert_str_eq(text, expected);
	ck_assert_int_eq(file.kind, DISK_PLAIN);
	ck_assert_uint_eq(file.size, strlen(expected));
}

/* Runs a check in another process. Returns its answer. */
static bool ask_another(bool (*check)(const char *path), const char *path)
{
	int status;
	pid_t pid = fork();
	if (!pid)
		_exit(check(path));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(looks)
{
	struct disk_file file, other;
	const char *a = folder_path("a"), *link_to_a = folder_path("link");
	ck_assert(!disk_look(a, &file));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(file.kind, DISK_MISSING);
	put(a, "abc");
	ck_assert(disk_look(a, &file));
	ck_assert_int_eq(file.kind, DISK_PLAIN);
	ck_assert_uint_eq(file.size, 3);
	ck_assert_int_eq(symlink(a, link_to_a), 0);
	ck_assert(disk_look(link_to_a, &other));
	ck_assert_mem_eq(&file, &other, sizeof file);
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 5, .tv_nsec = 7 } };
	ck_assert_int_eq(utimensat(AT_FDCWD, a, times, 0), 0);
	ck_assert(disk_look(a, &other));
	ck_assert_int_eq(other.written, 5000000007);
	ck_assert_uint_eq(other.number, file.number);
	ck_assert(disk_touch(a));
	ck_assert(disk_look(a, &other));
	ck_assert_int_ge(other.written, file.written);
	ck_assert(disk_look(folder, &file));
	ck_assert_int_eq(file.kind, DISK_FOLDER);
	ck_assert(disk_look("/dev/null", &file));
	ck_assert_int_eq(file.kind, DISK_OTHER);
}
END_TEST

START_TEST(reads_plain_files)
{
	struct disk_file file;
	const char *reason, *pipe = folder_path("pipe");
	ck_assert_int_eq(mkfifo(pipe, 0600), 0);
	ck_assert_ptr_null(disk_read(pipe, &file, &reason));
	ck_assert_str_eq(reason, "it is not a regular file");
	ck_assert_ptr_null(disk_read(folder, &file, &reason));
	ck_assert_str_eq(reason, "it is not a regular file");
	ck_assert_ptr_null(disk_read(folder_path("missing"), &file, &reason));
	ck_assert_str_eq(reason, strerror(ENOENT));
	FILE *f = disk_open(folder_path("cut"), "w");
	fputs("abcdef", f);
	ck_assert(disk_cut(f, 4));
	fclose(f);
	expect_text(folder_path("cut"), "abcd");
}
END_TEST

static int found;

static void take_name(void *arg, const char *name)
{
	ck_assert(strcmp(name, "one") == 0 || strcmp(name, "two") == 0);
	found++;
	*(int *)arg += *name;
}

START_TEST(folders)
{
	int sum = 0;
	struct stat st;
	const char *inner = folder_path("inner");
	ck_assert(disk_make_folder(inner, true));
	ck_assert(disk_make_folder(inner, false)); /* it is there */
	ck_assert_int_eq(stat(inner, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0700);
	ck_assert(!disk_make_folder(folder_path("a/b"), false));
	put(folder_path("inner/one"), "");
	put(folder_path("inner/two"), "");
	ck_assert(disk_list(inner, take_name, &sum));
	ck_assert_int_eq(found, 2);
	ck_assert_int_eq(sum, 'o' + 't');
	ck_assert(!disk_list(folder_path("missing"), take_name, &sum));
}
END_TEST

static bool can_lock(const char *path)
{
	FILE *f = disk_open(path, "a");
	return f && disk_lock(f, false);
}

static bool sees_parts(const char *path)
{
	FILE *f = disk_open(path, "a+");
	return disk_is_part_locked(f, 5) && !disk_lock_part(f, 5) && !disk_is_part_locked(f, 6) &&
	       disk_lock_part(f, 6);
}

START_TEST(locks)
{
	const char *path = folder_path("lock");
	FILE *f = disk_open(path, "a+");
	ck_assert(disk_lock(f, false));
	ck_assert(!ask_another(can_lock, path));
	fclose(f);
	ck_assert(ask_another(can_lock, path));
	f = disk_open(path, "a+");
	ck_assert(disk_lock_part(f, 5));
	ck_assert(ask_another(sees_parts, path));
	ck_assert(!disk_is_part_locked(f, 6)); /* the other process has ended */
	disk_unlock_part(f, 5);
	ck_assert(!ask_another(sees_parts, path));
	fclose(f);
}
END_TEST

START_TEST(drafts)
{
	struct disk_draft d;
	struct disk_file file;
	const char *reason, *path = folder_path("file"), *draft = folder_path("file" DISK_DRAFT);
	ck_assert(disk_draft_open(&d, path, &reason));
	fputs("new", d.file);
	ck_assert(!disk_look(path, &file));
	ck_assert(disk_draft_finish(&d));
	disk_draft_close(&d);
	expect_text(path, "new");
	ck_assert(!disk_look(draft, &file));
	/* A draft that was left is written over. */
	put(draft, "a longer rest of a process that was killed");
	ck_assert(disk_draft_open(&d, path, &reason));
	ck_assert(!ask_another(can_lock, draft));
	fputs("last", d.file);
	ck_assert(disk_draft_finish(&d));
	disk_draft_close(&d);
	expect_text(path, "last");
	/* What is not finished changes nothing. */
	ck_assert(disk_draft_open(&d, path, &reason));
	fputs("half", d.file);
	disk_draft_close(&d);
	expect_text(path, "last");
	ck_assert(!disk_look(draft, &file));
	ck_assert(!disk_draft_open(&d, folder, &reason));
	ck_assert_str_eq(reason, "it is not a regular file");
	disk_draft_close(&d);
	ck_assert(!disk_draft_open(&d, folder_path("missing/file"), &reason));
	ck_assert_str_eq(reason, strerror(ENOENT));
	disk_draft_close(&d);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("disk");
	TCase *cases = tcase_create("disk");
	tcase_add_checked_fixture(cases, folder_create, folder_remove);
	tcase_add_test(cases, looks);
	tcase_add_test(cases, reads_plain_files);
	tcase_add_test(cases, folders);
	tcase_add_test(cases, locks);
	tcase_add_test(cases, drafts);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
