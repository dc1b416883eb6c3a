/* SPDX-License-Identifier: MIT
 *
 * The checklist, second part: the life of the process. How it ends, files and a terminal as input and output, slow
 * and lost readers, signals.
 */
#include "tests/protocol/gtp/checklist.h"

#include <pty.h>

START_TEST(quit_ends_the_program)
{
	begin(_i);
	tell(t, "quit\n");
	hear_exactly(t, "=\n\n");
	/* The input is still open. */
	ck_assert_str_eq(hear_all(t), "");
	ck_assert_int_eq(process_wait(t->child), 0);
	talk_free(t);
}
END_TEST

START_TEST(end_of_input_ends_the_program)
{
	begin(_i);
	end();
	begin(_i);
	tell(t, "name\n");
	hear_exactly(t, "= yomi\n\n");
	end();
}
END_TEST

/* Runs the program with regular files as input and output. Returns the output, which the caller frees. */
static char *run_files(const char *input, const char *options)
{
	FILE *in = tmpfile(), *out = tmpfile();
	char *text = NULL;
	size_t room = 0;
	ck_assert(in && out);
	fputs(input, in);
	rewind(in);
	fcntl(fileno(in), F_SETFD, FD_CLOEXEC);
	fcntl(fileno(out), F_SETFD, FD_CLOEXEC);
	ck_assert_int_eq(process_wait(process_start(options, fileno(in), fileno(out), NULL)), 0);
	rewind(out);
	if (getdelim(&text, &room, '\0', out) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(in);
	fclose(out);
	return text;
}

START_TEST(input_and_output_are_files)
{
	static const char input[] =
		"1 name\n2 play b $1\n3 play w $o\n4 genmove w\n# end\n5 quit\n";
	char options[256];
	size_t length;
	setting = setting_at(_i);
	snprintf(options, sizeof options, "--game %s" QUICK, setting->name);
	char *script = expand(input, sizeof input - 1, &length);
	char *by_files = run_files(script, options);
	start(QUICK);
	tell(t, "%s", script);
	ck_assert_str_eq(by_files, hear_all(t));
	ck_assert_int_eq(process_wait(t->child), 0);
	static const char beginning[] = "=1 yomi\n\n=2\n\n?3 illegal move\n\n=4 ";
	ck_assert_int_eq(strncmp(by_files, beginning, sizeof beginning - 1), 0);
	talk_free(t);
	free(by_files);
	free(script);
	char *by_null = run_files("", options);
	ck_assert_str_eq(by_null, "");
	free(by_null);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(process_wait(process_start(options, null, null, NULL)), 0);
	close(null);
}
END_TEST

/* Reads a terminal until it shows the text, or until it is closed if `text` is NULL. */
static void read_terminal(int fd, const char *text)
{
	char seen[65536] = "";
	size_t n = 0;
	while (!text || !strstr(seen, text)) {
		struct pollfd p = { fd, POLLIN, 0 };
		ck_assert_uint_lt(n, sizeof seen - 1);
		ck_assert_msg(poll(&p, 1, PATIENCE) == 1, "the terminal shows '%s'", seen);
		ssize_t got = read(fd, seen + n, sizeof seen - 1 - n);
		ck_assert_msg(got > 0 || !text, "the terminal shows '%s' only", seen);
		if (got <= 0)
			break;
		n += (size_t)got;
		seen[n] = '\0';
	}
}

START_TEST(a_terminal)
{
	int terminal, side;
	char options[256];
	setting = setting_at(_i);
	snprintf(options, sizeof options, "--game %s" QUICK, setting->name);
	ck_assert_int_eq(openpty(&terminal, &side, NULL, NULL, NULL), 0);
	fcntl(terminal, F_SETFD, FD_CLOEXEC);
	fcntl(side, F_SETFD, FD_CLOEXEC);
	pid_t child = process_start(options, side, side, NULL);
	close(side);
	ck_assert_int_eq(write(terminal, "name\n", 5), 5);
	read_terminal(terminal, "= yomi");
	ck_assert_int_eq(write(terminal, "\x04", 1), 1);
	read_terminal(terminal, NULL);
	ck_assert_int_eq(process_wait(child), 0);
	close(terminal);
}
END_TEST

START_TEST(descriptors_stay_blocking)
{
	int in[2], out[2];
	char options[256], answer[64];
	setting = setting_at(_i);
	snprintf(options, sizeof options, "--game %s" QUICK, setting->name);
	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	pid_t child = process_start(options, in[0], out[1], NULL);
	ck_assert_int_eq(write(in[1], "name\n", 5), 5);
	ck_assert_int_eq(read(out[0], answer, sizeof answer), 8);
	/* While the program runs, and after its end. */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(fcntl(in[0], F_GETFL) & O_NONBLOCK, 0);
		ck_assert_int_eq(fcntl(out[1], F_GETFL) & O_NONBLOCK, 0);
		if (i == 0) {
			close(in[1]);
			ck_assert_int_eq(process_wait(child), 0);
		}
	}
	close(in[0]);
	close(out[0]);
	close(out[1]);
}
END_TEST

START_TEST(a_slow_reader_loses_nothing)
{
	enum { COMMANDS = 1500 };
	begin(_i);
	fcntl(t->from, F_SETPIPE_SZ, 4096);
	char *list = strdup(ask(t, "list_commands"));
	char input[COMMANDS * 14 + 1], *p = input;
	for (int i = 0; i < COMMANDS; i++)
		p = stpcpy(p, "list_commands\n");
	fcntl(t->to, F_SETPIPE_SZ, 1 << 15);
	/* All of it goes into the pipe: nothing is read here. */
	ck_assert_int_eq(write(t->to, input, sizeof input - 1), (ssize_t)sizeof input - 1);
	usleep(100000);
	for (int i = 0; i < COMMANDS; i++)
		ck_assert_str_eq(text_of(hear(t)), list);
	free(list);
	end();
}
END_TEST

/* The program writes much to stderr, but nobody reads it. */
START_TEST(stderr_that_nobody_reads)
{
	int err[2];
	char options[256];
	struct record r;
	setting = setting_at(_i);
	snprintf(options, sizeof options, "--game %s --verbose --live_gfx" QUICK, setting->name);
	ck_assert_int_eq(pipe2(err, O_CLOEXEC), 0);
	fcntl(err[1], F_SETPIPE_SZ, 4096);
	talk_start_with(t, options, err[1]);
	record_init(&r, game_find(setting->name, NULL));
	for (int game = 0; game < 3; game++) {
		ask_for("", t, "clear_board");
		record_restart(&r, r.game);
		for (int i = 0; i < 100; i++)
			ask_for("? illegal move", t, "play b pass");
		for (int i = 0; i < 12 && !r.now.over; i++)
			record_take(&r, ask(t, "genmove %s", colors[r.now.side]));
	}
	record_free(&r);
	end();
	close(err[0]);
	close(err[1]);
}
END_TEST

START_TEST(a_client_that_has_vanished)
{
	/* Without a search: the input ends after writes have failed. */
	begin(_i);
	close(t->from);
	t->from = open("/dev/null", O_RDONLY | O_CLOEXEC);
	(void)!write(t->to, "name\nversion\nlist_commands\n", 27);
	close(t->to);
	t->to = -1;
	process_wait(t->child);
	talk_free(t);

	/* During a search: both directions end at once. */
	start(ENDLESS);
	tell(t, "echo x\ngenmove b\n");
	hear_exactly(t, "= x\n\n");
	usleep(20000);
	close(t->from);
	t->from = open("/dev/null", O_RDONLY | O_CLOEXEC);
	talk_hang_up(t);
	process_wait(t->child);
	talk_free(t);
}
END_TEST

/* `echo genmove b | engine` must get its answer. */
START_TEST(end_of_input_during_a_search)
{
	struct record r;
	setting = setting_at(_i);
	start(" --threads 1 --search montecarlo --time 0.1");
	record_init(&r, game_find(setting->name, NULL));
	tell(t, "genmove b\n");
	talk_hang_up(t);
	record_take(&r, text_of(hear(t)));
	record_free(&r);
	end();
}
END_TEST

START_TEST(commands_wait_for_a_search)
{
	struct record r;
	char move[16];
	setting = setting_at(_i);
	start(" --threads 1 --search montecarlo --playouts 3000");
	record_init(&r, game_find(setting->name, NULL));
	tell(t, "1 genmove b\n2 name\n3 protocol_version\n4 genmove w\n5 quit\n");
	for (int i = 1; i <= 5; i++) {
		const char *answer = hear(t);
		ck_assert_int_eq(answer[0], '=');
		ck_assert_int_eq(answer[1], '0' + i);
		if (i == 2)
			ck_assert_str_eq(answer, "=2 yomi\n\n");
		if (i == 3)
			ck_assert_str_eq(answer, "=3 2\n\n");
		if (i == 5)
			ck_assert_str_eq(answer, "=5\n\n");
		if (i == 1 || i == 4) {
			ck_assert_int_eq(sscanf(answer, "=%*d %15s", move), 1);
			record_take(&r, move);
		}
	}
	record_free(&r);
	end();
}
END_TEST

START_TEST(sigterm_ends_the_program)
{
	begin(_i);
	ask(t, "name");
	kill(t->child, SIGTERM);
	ck_assert_str_eq(hear_all(t), "");
	process_wait(t->child);
	talk_free(t);

	start(ENDLESS);
	tell(t, "echo x\ngenmove b\n");
	hear_exactly(t, "= x\n\n");
	kill(t->child, SIGTERM);
	hear_all(t);
	process_wait(t->child);
	talk_free(t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("process");
	TCase *cases = tcase_create("process");
	tcase_set_timeout(cases, 120);
	EACH_GAME(quit_ends_the_program);
	EACH_GAME(end_of_input_ends_the_program);
	EACH_GAME(input_and_output_are_files);
	if (process_has_terminals("the checklist on a terminal"))
		EACH_GAME(a_terminal);
	EACH_GAME(descriptors_stay_blocking);
	EACH_GAME(a_slow_reader_loses_nothing);
	EACH_GAME(stderr_that_nobody_reads);
	EACH_GAME(a_client_that_has_vanished);
	EACH_GAME(end_of_input_during_a_search);
	EACH_GAME(commands_wait_for_a_search);
	EACH_GAME(sigterm_ends_the_program);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
