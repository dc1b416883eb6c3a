/* SPDX-License-Identifier: MIT
 *
 * Tests that transcripts cannot express: the program as a process with pipes, signals, and input that ends.
 * Searches have a budget of weeks, so that only the tested event ends them. Check's timeout fails those
 * that do not end.
 */
#include "tests/protocol/process.h"

#define ENDLESS "--search montecarlo --book 0 --time 1000000 --threads 1"

struct talk {
	pid_t child;
	int to, from;
};

static struct talk talk_start(const char *options)
{
	struct talk t;
	int in[2], out[2];
	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	t.child = process_start(options, in[0], out[1], NULL);
	close(in[0]);
	close(out[1]);
	t.to = in[1];
	t.from = out[0];
	return t;
}

static void tell(const struct talk *t, const char *text)
{
	ck_assert_int_eq(write(t->to, text, strlen(text)), (ssize_t)strlen(text));
}

/* Reads until `text` has come, which must be the end of the output so far. */
static void hear(const struct talk *t, const char *text)
{
	char buffer[4096] = "";
	size_t n = 0, length = strlen(text);
	while (n < length || memcmp(buffer + n - length, text, length) != 0) {
		ck_assert_uint_lt(n, sizeof buffer);
		ssize_t got = read(t->from, buffer + n, sizeof buffer - n);
		ck_assert_msg(got > 0, "the answers ended before '%s'", text);
		n += (size_t)got;
	}
}

/* Reads an answer that is a move. */
static void hear_move(const struct talk *t)
{
	char c[8] = "";
	size_t n = 0;
	while (n < 2 || memcmp(c + n - 2, "\n\n", 2) != 0) {
		ck_assert_uint_lt(n, sizeof c);
		ck_assert_int_eq(read(t->from, c + n, 1), 1);
		n++;
	}
	ck_assert_int_eq(c[0], '=');
	ck_assert_int_ge((int)n, 6);
}

/* Closes the input. Expects no more output and exit status 0. */
static void talk_end(const struct talk *t)
{
	char byte;
	close(t->to);
	ck_assert_int_eq(read(t->from, &byte, 1), 0);
	close(t->from);
	ck_assert_int_eq(process_wait(t->child), 0);
}

START_TEST(input_in_pieces)
{
	struct talk t = talk_start("");
	tell(&t, "4 na");
	tell(&t, "me\n5 ec");
	hear(&t, "=4 yomi\n\n");
	tell(&t, "ho x\r\n\n6 echo y");
	hear(&t, "=5 x\n\n");
	close(t.to);
	hear(&t, "=6 y\n\n");
	t.to = -1;
	talk_end(&t);
}
END_TEST

START_TEST(long_lines)
{
	struct talk t = talk_start("");
	size_t length = 1000000;
	char *line = malloc(length + 1);
	memset(line, 'a', length);
	line[length] = '\0';
	tell(&t, "# ");
	tell(&t, line);
	tell(&t, "\n7 known_command ");
	tell(&t, line);
	tell(&t, "\n8 name\n");
	hear(&t, "=7 false\n\n=8 yomi\n\n");
	for (size_t i = 0; i < length; i += 2)
		line[i] = ' ';
	tell(&t, "9 known_command ");
	tell(&t, line);
	tell(&t, "\n10 name\n");
	hear(&t, "?9 syntax error\n\n=10 yomi\n\n");
	free(line);
	talk_end(&t);
}
END_TEST

/* A line may have 16 MiB. A longer one is answered with an error in its turn; a longer comment is ignored. */
START_TEST(lines_without_end)
{
	struct talk t = talk_start("--search montecarlo --playouts 1000");
	static const char *const starts[] = { "1 echo ", "2 known_command ", "3 known_command ",
					      "#" };
	size_t room = (size_t)1 << 24;
	char *line = malloc(2 * room + 1);
	tell(&t, "genmove b\n");
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		size_t length = i == 1 ? room : i == 2 ? room + 1 : 2 * room;
		memset(line, 'a', length);
		memcpy(line, starts[i], strlen(starts[i]));
		line[length] = '\0';
		tell(&t, line);
		tell(&t, "\n");
	}
	hear_move(&t);
	tell(&t, "4 name\n");
	hear(&t, "?1 line too long\n\n=2 false\n\n?3 line too long\n\n=4 yomi\n\n");
	line[2 * room - 1] = '\0';
	line[0] = 'a';
	tell(&t, line);
	close(t.to);
	t.to = -1;
	hear(&t, "? line too long\n\n");
	free(line);
	talk_end(&t);
}
END_TEST

/* The answers fill the pipe many times before they are read. */
START_TEST(slow_reader)
{
	struct talk t = talk_start("");
	enum { COMMANDS = 5000 };
	char expected[32];
	fcntl(t.from, F_SETPIPE_SZ, 4096);
	pid_t writer = fork();
	ck_assert_int_ge(writer, 0);
	if (writer == 0) {
		for (int i = 0; i < COMMANDS; i++)
			dprintf(t.to, "%d protocol_version\n", i);
		_exit(0);
	}
	close(t.to);
	t.to = -1;
	ck_assert_int_eq(process_wait(writer), 0);
	FILE *f = fdopen(dup(t.from), "r");
	char *line = NULL;
	size_t room = 0;
	for (int i = 0; i < COMMANDS; i++) {
		snprintf(expected, sizeof expected, "=%d 2\n", i);
		ck_assert(getline(&line, &room, f) > 0);
		ck_assert_str_eq(line, expected);
		ck_assert(getline(&line, &room, f) == 1);
	}
	fclose(f);
	free(line);
	talk_end(&t);
}
END_TEST

START_TEST(interruption)
{
	struct talk t = talk_start(ENDLESS);
	tell(&t, "genmove b\n");
	tell(&t, "# interrupt\n");
	hear_move(&t);
	tell(&t, "genmove w\n# interrupt\nname\n");
	hear_move(&t);
	hear(&t, "= yomi\n\n");
	tell(&t, "echo 1\ngenmove b\nname\n");
	hear(&t, "= 1\n\n");
	kill(t.child, SIGINT);
	hear_move(&t);
	hear(&t, "= yomi\n\n");
	talk_end(&t);
}
END_TEST

START_TEST(idle_interruption_leaves)
{
	struct talk t = talk_start("");
	tell(&t, "name\n");
	hear(&t, "= yomi\n\n");
	kill(t.child, SIGINT);
	talk_end(&t);
}
END_TEST

START_TEST(termination)
{
	for (int thinking = 0; thinking < 2; thinking++) {
		struct talk t = talk_start(ENDLESS);
		tell(&t, thinking ? "echo 1\ngenmove b\n" : "echo 1\n");
		hear(&t, "= 1\n\n");
		kill(t.child, SIGTERM);
		talk_end(&t);
	}
}
END_TEST

START_TEST(queued_behind_a_search)
{
	struct talk t = talk_start("--search montecarlo --playouts 10000");
	tell(&t, "1 genmove b\n2 name\n3 quit\n4 name\n");
	hear(&t, "\n\n=2 yomi\n\n=3\n\n");
	talk_end(&t);
}
END_TEST

START_TEST(input_ends_during_a_search)
{
	struct talk t = talk_start("--search montecarlo --playouts 10000");
	tell(&t, "genmove b\n1 name");
	close(t.to);
	t.to = -1;
	hear(&t, "\n\n=1 yomi\n\n");
	talk_end(&t);
}
END_TEST

/* Both the writer and the reader of the pipes are gone. */
START_TEST(client_disappears)
{
	for (int thinking = 0; thinking < 2; thinking++) {
		struct talk t = talk_start(ENDLESS);
		tell(&t, "echo 1\n");
		hear(&t, "= 1\n\n");
		tell(&t, thinking ? "genmove b\n" : "name\n");
		close(t.from);
		close(t.to);
		ck_assert_int_eq(process_wait(t.child), 0);
	}
}
END_TEST

/* O_NONBLOCK would remain set on descriptors that other programs share. */
START_TEST(descriptors_stay_blocking)
{
	int in[2], out[2];
	char byte;
	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	pid_t child = process_start("", in[0], out[1], NULL);
	ck_assert_int_eq(write(in[1], "name\n", 5), 5);
	ck_assert_int_eq(read(out[0], &byte, 1), 1);
	ck_assert(!(fcntl(in[0], F_GETFL) & O_NONBLOCK));
	ck_assert(!(fcntl(out[1], F_GETFL) & O_NONBLOCK));
	close(in[1]);
	ck_assert_int_eq(process_wait(child), 0);
	ck_assert(!(fcntl(in[0], F_GETFL) & O_NONBLOCK));
	ck_assert(!(fcntl(out[1], F_GETFL) & O_NONBLOCK));
}
END_TEST

START_TEST(no_input_at_all)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(process_wait(process_start("", null, null, NULL)), 0);
	close(null);
}
END_TEST

START_TEST(command_lines)
{
	static const struct {
		const char *options;
		int status;
	} rows[] = {
		{ "--help", 0 },
		{ "--version", 0 },
		{ "gtp", 0 },
		{ "--game tictactoe --rules=standard --threads=1 --verbose --solver off", 0 },
		{ "--verbose=0 --game=TICTACTOE", 0 },
		{ "--verbose gtp", 0 },
		{ "--solver off gtp --reuse", 0 },
		{ "--solver maybe", 2 },
		{ "--no_such_option", 2 },
		{ "--threads", 2 },
		{ "--threads=0", 2 },
		{ "--threads x", 2 },
		{ "--help=1", 2 },
		{ "--game mahjong", 2 },
		{ "--game tictactoe --rules mahjong", 2 },
		{ "--log /no/such/folder/log", 2 },
		{ "no_such_mode", 2 },
		{ "gtp surplus", 2 },
		{ "perft pentago 1 --rules tajima", 0 },
		{ "perft tictactoe 3 --------- X", 0 },
		{ "perft tictactoe 3 --x------ o", 0 },
		{ "perft othello", 2 },
		{ "perft mahjong 3", 2 },
		{ "perft othello 0", 2 },
		{ "perft othello 3 X", 2 },
		{ "perft othello 3 X X", 2 },
	};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(dup2(null, STDERR_FILENO), 0);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int status = process_wait(process_start(rows[i].options, null, null, NULL));
		ck_assert_msg(status == rows[i].status, "'%s' gave %d", rows[i].options, status);
	}
	close(null);
}
END_TEST

START_TEST(full_disk)
{
	static const char *const options[] = { "--help", "--version", "perft tictactoe 3" };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC),
	    full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(full, 0);
	ck_assert_int_ge(dup2(null, STDERR_FILENO), 0);
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		ck_assert_int_eq(process_wait(process_start(options[i], null, full, NULL)), 1);
	close(null);
	close(full);
}
END_TEST

/* The transcript that --log writes, without its time stamps. */
START_TEST(log_of_both_directions)
{
	static const char *const expected[] = { "> 1 name # who\n", "< =1 yomi\n", "< \n",
						"> # nothing\n" };
	char path[] = "/tmp/yomi-log-XXXXXX", options[64];
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	snprintf(options, sizeof options, "--log %s", path);
	struct talk t = talk_start(options);
	tell(&t, "1 name # who\n# nothing\n");
	hear(&t, "=1 yomi\n\n");
	talk_end(&t);
	FILE *f = fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		/* "2000-01-01 00:00:00.000 " */
		ck_assert(getline(&line, &room, f) > 24);
		ck_assert_str_eq(line + 24, expected[i]);
	}
	ck_assert(getline(&line, &room, f) < 0);
	free(line);
	fclose(f);
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("session");
	TCase *cases = tcase_create("session");
	tcase_set_timeout(cases, 30);
	tcase_add_test(cases, input_in_pieces);
	tcase_add_test(cases, long_lines);
	tcase_add_test(cases, lines_without_end);
	tcase_add_test(cases, slow_reader);
	tcase_add_test(cases, interruption);
	tcase_add_test(cases, idle_interruption_leaves);
	tcase_add_test(cases, termination);
	tcase_add_test(cases, queued_behind_a_search);
	tcase_add_test(cases, input_ends_during_a_search);
	tcase_add_test(cases, client_disappears);
	tcase_add_test(cases, descriptors_stay_blocking);
	tcase_add_test(cases, no_input_at_all);
	tcase_add_test(cases, command_lines);
	tcase_add_test(cases, full_disk);
	tcase_add_test(cases, log_of_both_directions);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
