/* SPDX-License-Identifier: MIT
 *
 * The real program when the system refuses resources: address space, threads, descriptors, file size. A
 * refusal is answered, and the operation works again when the resource is available. Also: the program
 * never executes what it reads.
 *
 * Limits are set from outside on the running process. Sanitizers need far more address space, so their
 * builds skip those tests.
 */
#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/folder.h"
#include "tests/protocol/talk.h"

#define MIB         ((rlim_t)1 << 20)
#define SPACE       (300 * MIB) /* address space for the program and a few threads */
#define STACK_LARGE (1024 * MIB)
#define STACK_SMALL (MIB / 2)
#define QUICK       "--threads 1 --playouts 200 "

static char file[128];

static void set_up(void)
{
	folder_create();
	snprintf(file, sizeof file, "%s", folder_path("game"));
}

/* Sets the soft limit of a process, 0: this one. Returns the old limit. */
static rlim_t limit(pid_t child, __rlimit_resource_t what, rlim_t soft)
{
	struct rlimit old, new;
	ck_assert_int_eq(prlimit(child, what, NULL, &old), 0);
	new = old;
	new.rlim_cur = soft < old.rlim_max ? soft : old.rlim_max;
	ck_assert_int_eq(prlimit(child, what, &new, NULL), 0);
	return old.rlim_cur;
}

static int count_files(void)
{
	int count = 0;
	DIR *d = opendir(folder);
	ck_assert_ptr_nonnull(d);
	for (struct dirent *entry; (entry = readdir(d));)
		count += entry->d_name[0] != '.';
	closedir(d);
	return count;
}

static off_t size_of(const char *path)
{
	struct stat st;
	ck_assert_int_eq(stat(path, &st), 0);
	return st.st_size;
}

static void check_is_move(const char *answer)
{
	struct record r;
	record_init(&r, &game_othello);
	record_take(&r, answer);
	record_free(&r);
}

static const char *const greedy[] = { "mcts", "alphabeta", "pns", "dfpn", "dfpn+mcts", "union" };

START_TEST(memory_refused)
{
	struct talk t;
	char options[128];
	if (IS_SANITIZED)
		return;
	snprintf(options, sizeof options, QUICK "--memory 1048576 --search %s", greedy[_i]);
	talk_start(&t, options);
	ask_for("yomi", &t, "name");
	limit(t.child, RLIMIT_AS, SPACE);
	char *position = strdup(ask(&t, "position"));
	for (int i = 0; i < 2; i++) {
		const char *answer = ask(&t, "genmove b");
		ck_assert_msg(*answer == '?' && strstr(answer, "memory"), "'%s'", answer);
		refuses(&t, "yomi-values");
		refuses(&t, "undo");
		ask_for(position, &t, "position");
	}
	ask_for("", &t, "param memory 16");
	check_is_move(ask(&t, "genmove b"));
	talk_end(&t);
	free(position);
}
END_TEST

/* A thread's stack has the size of the stack limit at the program's start. */
START_TEST(thread_refused)
{
	struct talk t;
	if (IS_SANITIZED)
		return;
	rlim_t stack = limit(0, RLIMIT_STACK, STACK_LARGE);
	talk_start(&t, QUICK);
	limit(0, RLIMIT_STACK, stack);
	ask_for("yomi", &t, "name");
	rlim_t space = limit(t.child, RLIMIT_AS, SPACE);
	for (int i = 0; i < 2; i++)
		ask_for("? no thread for the search: Resource temporarily unavailable", &t,
			"genmove b");
	refuses(&t, "undo");
	limit(t.child, RLIMIT_AS, space);
	check_is_move(ask(&t, "genmove b"));
	talk_end(&t);
}
END_TEST

/* Searches have the stack that they need where the system's threads have little. */
START_TEST(small_stacks)
{
	static const char *const deep[] = { "pentago", "go", "gomoku", "hex" };
	struct talk t;
	char options[128];
	for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
		snprintf(options, sizeof options, QUICK "--memory 8 --game %s --search %s", deep[i],
			 greedy[_i]);
		rlim_t stack = limit(0, RLIMIT_STACK, STACK_SMALL);
		talk_start(&t, options);
		limit(0, RLIMIT_STACK, stack);
		ck_assert_int_ne(*ask(&t, "genmove b"), '?');
		talk_end(&t);
	}
}
END_TEST

/* The lead thread starts, but not the others: it does all the work. */
START_TEST(helpers_refused)
{
	struct talk t;
	if (IS_SANITIZED)
		return;
	rlim_t stack = limit(0, RLIMIT_STACK, SPACE / 2);
	talk_start(&t, "--threads 64 --memory 1 --playouts 1000");
	limit(0, RLIMIT_STACK, stack);
	ask_for("yomi", &t, "name");
	limit(t.child, RLIMIT_AS, SPACE);
	check_is_move(ask(&t, "genmove b"));
	talk_end(&t);
}
END_TEST

/* The old content of the file is kept, and no other file remains. */
START_TEST(file_too_large)
{
	struct talk t;
	char why[256];
	talk_start(&t, QUICK);
	ask_for("", &t, "printsgf %s", file);
	off_t size = size_of(file);
	ask_for("", &t, "gogui-play_sequence b e6 w f4 b e3 w f6 b g5 w d6");
	limit(t.child, RLIMIT_FSIZE, (rlim_t)size);
	snprintf(why, sizeof why, "? cannot write %s: File too large", file);
	ask_for(why, &t, "printsgf %s", file);
	ask_for(why, &t, "printggf %s", file);
	snprintf(why, sizeof why, "? cannot write %s/new: File too large", folder);
	ask_for(why, &t, "printsgf %s/new", folder);
	ck_assert_int_eq(size_of(file), size);
	ck_assert_int_eq(count_files(), 1);
	limit(t.child, RLIMIT_FSIZE, RLIM_INFINITY);
	ask_for("", &t, "printsgf %s", file);
	ck_assert_int_gt(size_of(file), size);
	ck_assert_int_eq(count_files(), 1);
	talk_end(&t);
}
END_TEST

/* Opens a file that receives the program's stderr. */
static int open_complaints(void)
{
	char name[128];
	snprintf(name, sizeof name, "%s/stderr", folder);
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Checks all that the program wrote there, and closes the file. */
static void check_complaints(int fd, const char *expected)
{
	char text[1024];
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	ck_assert_str_eq(text, expected);
	close(fd);
}

/* The transcript ends with one message to the user. The games continue. */
START_TEST(log_too_large)
{
	struct talk t;
	char options[256];
	int err = open_complaints();
	snprintf(options, sizeof options, QUICK "--log %s", file);
	talk_start_with(&t, options, err);
	/* Before it runs the program, the process writes to Check's own file. */
	ask_for("yomi", &t, "name");
	limit(t.child, RLIMIT_FSIZE, 100);
	for (int i = 0; i < 10; i++)
		ask_for("yomi", &t, "name");
	check_is_move(ask(&t, "genmove b"));
	/* There is space again, but a transcript must have no gaps. */
	limit(t.child, RLIMIT_FSIZE, RLIM_INFINITY);
	ask_for("yomi", &t, "name");
	talk_end_with(&t, 1);
	ck_assert_int_eq(size_of(file), 100);
	check_complaints(err, "yomi: cannot write the log, it ends here: File too large\n");
	err = open_complaints();
	talk_start_with(&t, QUICK "--log /dev/full", err);
	check_is_move(ask(&t, "genmove b"));
	talk_end_with(&t, 1);
	check_complaints(err,
			 "yomi: cannot write the log, it ends here: No space left on device\n");
}
END_TEST

START_TEST(answers_that_cannot_be_written)
{
	static const char *const options[] = { "--book 0 --time 1000",
					       "--book 0 --time 1000 --protocol nboard" };
	static const char *const lines[] = { "name\ngenmove b\n", "nboard 2\nping 1\ngo\n" };
	for (int i = 0; i < 2; i++) {
		int in[2], full = open("/dev/full", O_WRONLY | O_CLOEXEC), err = open_complaints();
		int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		ck_assert_int_ge(full, 0);
		ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
		ck_assert_int_ge(dup2(err, STDERR_FILENO), 0);
		pid_t child = process_start(options[i], in[0], full, NULL);
		ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
		size_t n = strlen(lines[i]);
		ck_assert_int_eq(write(in[1], lines[i], n), (ssize_t)n);
		/* The input is open, but the answers cannot be written. */
		ck_assert_int_eq(process_wait(child), 1);
		check_complaints(err, "yomi: the output could not be written: "
				      "No space left on device\n");
		close(in[0]);
		close(in[1]);
		close(full);
		close(saved);
	}
}
END_TEST

START_TEST(descriptors_refused)
{
	struct talk t;
	char why[256];
	talk_start(&t, QUICK);
	ask_for("", &t, "printsgf %s", file);
	rlim_t old = limit(t.child, RLIMIT_NOFILE, process_next_descriptor(t.child));
	snprintf(why, sizeof why, "? cannot write %s: Too many open files", file);
	ask_for(why, &t, "printsgf %s", file);
	ask_for("? cannot load file", &t, "loadsgf %s", file);
	check_is_move(ask(&t, "genmove b"));
	limit(t.child, RLIMIT_NOFILE, old);
	ask_for("", &t, "loadsgf %s", file);
	talk_end(&t);
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* With few descriptors the program answers or says why it cannot. The dynamic linker needs the fourth. */
START_TEST(begins_with_few_descriptors)
{
	int in[2], out[2], null = open("/dev/null", O_WRONLY | O_CLOEXEC), answered = 0;
	int err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	for (rlim_t n = 4; n <= 16; n++) {
		char answer[16];
		ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
		ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
		ck_assert_int_eq(write(in[1], "name\n", 5), 5);
		ck_assert_int_ge(dup2(null, STDERR_FILENO), 0);
		rlim_t old = limit(0, RLIMIT_NOFILE, n);
		pid_t child = process_start("", in[0], out[1], NULL);
		limit(0, RLIMIT_NOFILE, old);
		ck_assert_int_ge(dup2(err, STDERR_FILENO), 0);
		close(in[0]);
		close(in[1]);
		close(out[1]);
		int status = process_wait(child);
		ssize_t length = read(out[0], answer, sizeof answer);
		ck_assert_msg(status < 128 && (status == 0) == (length == 8), "%d: status %d",
			      (int)n, status);
		answered += status == 0;
		close(out[0]);
	}
	ck_assert_int_gt(answered, 0);
	close(null);
	close(err);
}
END_TEST

START_TEST(many_arguments)
{
	enum { COUNT = 100000 };
	struct talk t;
	char *line = xmalloc(64 + 8 * COUNT), *to;
	talk_start(&t, QUICK);
	char *position = strdup(ask(&t, "position"));
	to = line + sprintf(line, "echo");
	for (int i = 0; i < COUNT; i++)
		to += sprintf(to, " a");
	ck_assert_str_eq(ask(&t, "%s", line), line + 5);
	/* The same arguments are too many for others. */
	refuses(&t, "name%s", line + 4);
	/* The first of these moves are legal. */
	to = line + sprintf(line, "gogui-play_sequence b e6 w f4");
	for (int i = 0; i < COUNT; i++)
		to += sprintf(to, " b e6");
	ask_for("? illegal move", &t, "%s", line);
	ask_for(position, &t, "position");
	to = line + sprintf(line, "gogui-setup");
	for (int i = 0; i < COUNT; i++)
		to += sprintf(to, " b a1");
	refuses(&t, "%s", line);
	ask_for(position, &t, "position");
	talk_end(&t);
	free(position);
	free(line);
	ck_assert_int_eq(
		system("test \"$($YOMI --no-config $(yes -- --verbose 2>/dev/null | head -n 20000) "
		       "--command name </dev/null)\" = '= yomi'"),
		0);
}
END_TEST

/* --- never runs what it reads --- */

/* Names that a shell, popen or printf would interpret, and so create the file `ran`. */
static const char *const names[] = {
	"|touch${IFS}ran",
	"touch${IFS}ran|",
	"$(touch${IFS}ran)",
	"`touch${IFS}ran`",
	";touch${IFS}ran",
	"&touch${IFS}ran",
	">ran",
	"%s%n%d",
	"-ran",
	"'ran",
	"\"ran",
	"*",
};
enum { NAMES = sizeof names / sizeof names[0] };

static bool is_named(const char *name)
{
	for (int i = 0; i < NAMES; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strcmp(name, "game") == 0 || strcmp(name, "|touch${IFS}ran.log") == 0;
}

/* Checks that the folder has exactly the requested files under the given names. */
static void check_folder(int count)
{
	DIR *d = opendir(folder);
	ck_assert_ptr_nonnull(d);
	for (struct dirent *entry; (entry = readdir(d));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			ck_assert_msg(is_named(entry->d_name), "there is a file '%s'",
				      entry->d_name);
	closedir(d);
	ck_assert_int_eq(count_files(), count);
}

/* Starts the program in the folder. */
static void start_inside(struct talk *t, const char *options)
{
	char yomi[PATH_MAX];
	int here = open(".", O_RDONLY | O_CLOEXEC);
	ck_assert(getenv("YOMI") && realpath(getenv("YOMI"), yomi));
	setenv("YOMI", yomi, 1);
	ck_assert_int_eq(chdir(folder), 0);
	talk_start(t, options);
	ck_assert_int_eq(fchdir(here), 0);
	close(here);
}

START_TEST(names_are_names)
{
	struct talk t;
	start_inside(&t, QUICK "--log |touch${IFS}ran.log");
	for (int i = 0; i < NAMES; i++) {
		ask_for("? cannot load file", &t, "loadsgf %s", names[i]);
		ask_for("", &t, "printsgf %s", names[i]);
		ask_for("", &t, "loadsgf %s", names[i]);
		refuses(&t, "set_game %s", names[i]);
		refuses(&t, "param %s %s", names[i], names[i]);
		refuses(&t, "play b %s", names[i]);
		ask_for(names[i], &t, "echo %s", names[i]);
	}
	/* File names are not expanded as in a shell. */
	refuses(&t, "printsgf ~/ran");
	refuses(&t, "printsgf $HOME/ran");
	talk_end(&t);
	check_folder(NAMES + 1);
}
END_TEST

START_TEST(contents_are_contents)
{
	static const char sgf[] =
		"(;GM[2]C[$(touch ran)]AP[|touch ran]PB[`touch ran`]RE[%s%n];B[ef])";
	static const char ggf[] =
		"(;GM[Othello]PC[$(touch ran)]PB[`touch ran`]PW[|touch ran]TY[8]"
		"BO[8 ---------------------------O*------*O--------------------------- *]"
		"B[e6/%s%n];)";
	struct talk t;
	for (int i = 0; i < 2; i++) {
		FILE *f = fopen(file, "we");
		ck_assert(f && fputs(i ? ggf : sgf, f) >= 0 && fclose(f) == 0);
		start_inside(&t, QUICK);
		ask_for("", &t, "loadsgf game");
		ask_for("black E6", &t, "move_history");
		refuses(&t, "$(touch ran)");
		refuses(&t, "`touch ran`");
		refuses(&t, "|touch ran");
		refuses(&t, "!touch ran");
		talk_end(&t);
	}
	start_inside(&t, QUICK "--protocol nboard");
	tell(&t, "nboard 2\nset game %s\nmove $(touch ran)\n$(touch ran)\n!touch ran\nping 1\n",
	     ggf);
	ck_assert_str_eq(hear_line(&t), "pong 1\n");
	talk_end(&t);
	check_folder(1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("limits");
	TCase *cases = tcase_create("limits");
	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, set_up, folder_remove);
	tcase_add_loop_test(cases, memory_refused, 0, sizeof greedy / sizeof greedy[0]);
	tcase_add_test(cases, thread_refused);
	tcase_add_loop_test(cases, small_stacks, 0, sizeof greedy / sizeof greedy[0]);
	tcase_add_test(cases, helpers_refused);
	tcase_add_test(cases, file_too_large);
	tcase_add_test(cases, log_too_large);
	tcase_add_test(cases, answers_that_cannot_be_written);
	tcase_add_test(cases, descriptors_refused);
	tcase_add_test(cases, begins_with_few_descriptors);
	tcase_add_test(cases, many_arguments);
	tcase_add_test(cases, names_are_names);
	tcase_add_test(cases, contents_are_contents);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
