/* SPDX-License-Identifier: MIT
 *
 * Failing allocations: this program's own malloc() refuses the n-th request, or that and all later ones. A
 * process must then end with a message or refuse the command in its answer. It must not crash, hang or lose
 * an answer. n goes from the first request to the last; late requests resemble each other, so not all of them are refused
 * unless the test is long.
 *
 * Sanitizers have their own malloc(), so their builds skip this test.
 */
#include <errno.h>
#include <stdatomic.h>

#include "engine/base/memory.h"
#include "engine/search/algorithms.h"
#include "protocol/carriers/loop.h"
#include "protocol/carriers/stdio.h"
#include "protocol/gtp/commands.h"
#include "protocol/nboard/nboard.h"
#include "protocol/program/flags.h"
#include "protocol/program/solve.h"
#include "protocol/program/tables.h"
#include "protocol/records/file.h"
#include "protocol/web/events.h"
#include "tests/protocol/process.h"
#include "tools/report/report.h"

#define NEVER    1000000000
#define OUTPUT   (1 << 18)
#define PATIENCE 20  /* seconds */
#define EARLY    300 /* all of so many requests are refused, */
#define STRIDE   7   /* then one in so many */

/* --- the allocator --- */

#if !IS_SANITIZED
/* Number of requests until one is refused. */
static atomic_int left = NEVER;
static bool for_ever; /* refuse all later ones, too */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static bool is_refused(void)
{
	int now = atomic_fetch_sub(&left, 1);
	if (now > 1 || (now < 1 && !for_ever))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return is_refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return is_refused() ? NULL : __libc_realloc(old, size);
}

/* --- what is run --- */

static struct options options;
static char file[64], games_file[64]; /* files that commands write and read */

static void make_file(char *name, const char *text)
{
	strcpy(name, "/tmp/yomi-memory-XXXXXX");
	int fd = mkstemp(name);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void set_up(void)
{
	static const char *const small[][2] = { { "threads", "1" }, { "memory", "16" },
						{ "book", "0" },    { "playouts", "20" },
						{ "ponder", "0" },  { "seed", "1" } };
	options_init(&options);
	for (size_t i = 0; i < sizeof small / sizeof *small; i++)
		options_set(&options, small[i][0], small[i][1]);
	make_file(file, "");
	make_file(games_file, "(;GN[yomi tictactoe standard]PB[a]PW[b]RE[0]"
			      ";B[a3];W[b2];B[c3];W[b3];B[b1];W[a2];B[c2];W[c1];B[a1])\n");
}

static void tear_down(void)
{
	unlink(file);
	unlink(games_file);
}

static int run_gtp(const char *commands, const struct protocol *const *protocols)
{
	return stdio_run(&(struct start) { .game = game_find("tictactoe", NULL),
					   .options = &options,
					   .protocols = protocols,
					   .log = "/dev/null",
					   .commands = commands });
}

static int run_all_commands(void)
{
	char commands[1024];
	snprintf(commands, sizeof commands,
		 "1 list_commands\n2 genmove b\n3 showboard\n4 printsgf %s\n5 loadsgf %s\n"
		 "6 gomill-explain_last_move\n7 kata-list-params\n8 analyze w 1\n9 undo\n"
		 "10 final_score\n11 gogui-analyze_commands\n12 kata-set-params {\"seed\": 1}\n",
		 file, games_file);
	return run_gtp(commands, protocols_gtp);
}

static int run_events(void)
{
	return run_gtp("1 yomi-position\n2 yomi-genmove b\n3 yomi-report\n4 yomi-games\n5 name\n",
		       protocols_events);
}

static int run_nboard(void)
{
	return run_gtp("nboard 2\nset depth 1\nset game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[1]"
		       "TY[8]BO[8 ---------------------------O*------*O--------------------------- "
		       "*];)\nhint 1\nping 1\n",
		       protocols_nboard);
}

static int run_solve(void)
{
	const char *words[] = { "tictactoe", "X.O......", "X" };
	struct yomi_flags flags = { .all = true, .json = true };
	struct arguments a = { .values = &flags, .words = words, .count = 3, .options = options };
	options_set(&a.options, "playouts", "0");
	settings_init(&a.settings);
	return solve_run(&a);
}

static int run_report(void)
{
	return report_run(games_file, NULL, REPORT_PAGE, file);
}

/* Returns true if the output is that of a process that ends well. */
static bool is_whole_gtp(const char *out)
{
	int answers = 0;
	for (; (out = strstr(out, "\n\n")); out += 2)
		answers++;
	return answers == 12;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), n = strlen(end);
	return length >= n && strcmp(text + length - n, end) == 0;
}

static bool is_whole_events(const char *out)
{
	return ends_with(out, "\"text\":\"yomi\"}\n\n");
}

static bool is_whole_nboard(const char *out)
{
	return ends_with(out, "pong 1\n");
}

static bool is_whole_solution(const char *out)
{
	return ends_with(out, "}\n");
}

static bool is_whole_report(const char *out)
{
	char why[REASON_MAX], *text = file_read(file, OUTPUT, why);
	bool is_whole = text && ends_with(text, "</html>\n") && !*out;
	free(text);
	return is_whole;
}

static const struct {
	int (*run)(void);
	bool (*is_whole)(const char *out);
} rows[] = {
	{ run_all_commands, is_whole_gtp }, { run_events, is_whole_events },
	{ run_nboard, is_whole_nboard },    { run_solve, is_whole_solution },
	{ run_report, is_whole_report },
};

/* --- the sweep --- */

struct result {
	int status; /* exit status, or 128 plus the signal */
	char out[OUTPUT], err[4096];
	int used; /* requests that the process made */
};

static void read_back(FILE *f, char *text, size_t room)
{
	rewind(f);
	size_t n = fread(text, 1, room - 1, f);
	text[n] = '\0';
	fclose(f);
}

/* Runs a function in another process in which the n-th request is refused. */
static void run(int (*what)(void), int n, bool all, struct result *r)
{
	FILE *out = tmpfile(), *err = tmpfile();
	int count[2];
	ck_assert(out && err && pipe(count) == 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		int null = open("/dev/null", O_RDONLY);
		dup2(null, STDIN_FILENO);
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(err), STDERR_FILENO);
		alarm(PATIENCE);
		for_ever = all;
		left = n;
		int status = what();
		int used = n - left;
		left = NEVER;
		if (fflush(stdout) != 0)
			status = 1;
		(void)!write(count[1], &used, sizeof used);
		_exit(status);
	}
	close(count[1]);
	r->status = process_wait(child);
	r->used = 0;
	(void)!read(count[0], &r->used, sizeof r->used);
	close(count[0]);
	read_back(out, r->out, sizeof r->out);
	read_back(err, r->err, sizeof r->err);
}

/* The number of requests varies between runs with threads and time. */
START_TEST(sweep)
{
	static struct result r;
	int row = _i / 2, used = NEVER;
	bool all = _i % 2;
	run(rows[row].run, NEVER, all, &r);
	ck_assert_msg(r.status == 0 && rows[row].is_whole(r.out), "%d: %s%s", r.status, r.out,
		      r.err);
	used = r.used;
	ck_assert_int_gt(used, 0);
	for (int n = 1; n <= used; n += n < EARLY || suite_is_long() ? 1 : STRIDE) {
		run(rows[row].run, n, all, &r);
		if (r.status == 0)
			ck_assert_msg(rows[row].is_whole(r.out), "request %d: lost answers: %s", n,
				      r.out);
		else
			ck_assert_msg((r.status == 1 || r.status == 2) && *r.err,
				      "request %d of %d: status %d, '%s'", n, used, r.status,
				      r.err);
	}
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("memory");
#if !IS_SANITIZED
	TCase *cases = tcase_create("memory");
	loop_init();
	commands_use(tables_commands);
	tcase_set_timeout(cases, 600);
	tcase_add_checked_fixture(cases, set_up, tear_down);
	tcase_add_loop_test(cases, sweep, 0, 2 * sizeof rows / sizeof rows[0]);
	suite_add_tcase(suite, cases);
#endif
	return suite_run(suite);
}
