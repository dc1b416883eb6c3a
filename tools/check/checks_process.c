/* SPDX-License-Identifier: MIT
 *
 * Checks of how the process of an engine starts and ends.
 */
#include "engine/base/disk.h"
#include "engine/base/text.h"
#include "engine/base/thread.h"
#include "tools/check/checks.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

/* Waits for the end of the process, before which no more answers may come. `clean`: the exit status must be
 * 0. */
static bool await_end(struct target *s, bool clean)
{
	int status = target_await_end(s, 0);
	char why[128];
	if (status == -1 || !clean || status == 0)
		return status != -1;
	target_describe_end(status, why, sizeof why);
	return target_fail(s, why, "exit status 0");
}

/* Sends lines of which one is quit. The given number of answers must come, the last a success, then the
 * end. */
static bool send_quit(struct target *s, const char *lines, int answers, bool clean)
{
	if (!target_send(s, lines, strlen(lines)))
		return false;
	for (int i = 0; i < answers; i++)
		if (!target_receive(s))
			return false;
	return (s->answer[0] == '=' || target_fail(s, NULL, "`=`")) && await_end(s, clean);
}

bool check_quit(struct target *s)
{
	return send_quit(s, "quit\n", 1, true);
}

bool check_behind_quit(struct target *s)
{
	return send_quit(s, "quit\nname\n", 1, false);
}

bool check_quit_behind_genmove(struct target *s)
{
	return send_quit(s, "genmove b\nquit\n", 2, false);
}

bool check_end_of_input(struct target *s)
{
	connection_end_input(&s->connection);
	return await_end(s, false);
}

bool check_piped_script(struct target *s)
{
	static const char script[] = "name\nprotocol_version\nname\n";
	if (!target_start(s, s->command) || !target_send(s, script, sizeof script - 1))
		return false;
	connection_end_input(&s->connection);
	for (int i = 0; i < 3; i++)
		if (!target_receive(s))
			return false;
	return (strcmp(s->answer, s->name) == 0 || target_fail(s, NULL, "`%s`", s->name)) &&
	       await_end(s, false);
}

bool check_unended_line(struct target *s)
{
	if (!target_start(s, s->command) || !target_send(s, "name", 4))
		return false;
	connection_end_input(&s->connection);
	return target_await_end(s, 1) != -1;
}

/* Reads a whole file; "" if it cannot be read. The caller frees the text. */
static char *checks_process_read_file(const char *path)
{
	struct text text = { 0 }, line = { 0 };
	FILE *f = disk_open(path, "r");
	while (f && text_read_line(&line, f))
		text_write(&text, line.bytes, line.length);
	if (f)
		fclose(f);
	text_free(&line);
	return text_take(&text);
}

/* Runs the engine with a file as input and another as output. */
static bool run_files(struct target *s, const char *in, const char *out)
{
	static const char script[] = "name\nprotocol_version\nname\nquit\n";
	char *command;
	FILE *f = disk_open(in, "w");
	if (!f || fputs(script, f) < 0 || fclose(f) != 0)
		return target_fail(s, strerror(errno), "a temporary file");
	command = connection_redirect(s->command, in, out);
	bool good = target_start(s, command) && await_end(s, false);
	free(command);
	if (!good)
		return false;
	char *text = checks_process_read_file(out), *at = text;
	int answers = 0;
	while ((at = strstr(at, "\n\n")))
		at += 2, answers++;
	free(text);
	return answers == 4 || target_fail(s, "another number of answers", "4 answers in the file");
}

bool check_files(struct target *s)
{
	char *in = target_make_file(s), *out = in ? target_make_file(s) : NULL;
	bool good = out && run_files(s, in, out);
	if (out)
		remove(out);
	if (in)
		remove(in);
	free(out);
	free(in);
	return good;
}

/* The answers to a burst of commands must wait until they are read. */
bool check_slow_reader(struct target *s)
{
	enum { TIMES = 1500 };
	static const char line[] = "list_commands\n";
	size_t n = sizeof line - 1;
	if (!target_ask(s, "list_commands"))
		return false;
	char *list = xstrdup(s->answer), *bytes = xmalloc(TIMES * n);
	for (int i = 0; i < TIMES; i++)
		memcpy(bytes + (size_t)i * n, line, n);
	/* The commands fit into the pipe. Nothing is read meanwhile. */
	bool good = connection_send(&s->connection, bytes, TIMES * n, s->patience) ||
		    target_fail(s, "it does not read its commands",
				"an engine that reads its commands");
	thread_sleep(300000000);
	for (int i = 0; good && i < TIMES; i++)
		good = target_receive(s) &&
		       (strcmp(s->answer, list) == 0 ||
			target_fail(s, NULL, "the whole list %d times", TIMES));
	free(bytes);
	free(list);
	return good;
}

/* Closes input and output while the engine waits or thinks. */
static bool check_gone(struct target *s, const char *line)
{
	char why[64];
	if (!target_send(s, line, strlen(line)))
		return false;
	thread_sleep(50000000);
	connection_close(&s->connection);
	int status = connection_wait(&s->connection, s->patience);
	target_kill(s);
	if (status != -1)
		return true;
	snprintf(why, sizeof why, "it still runs after %g s", s->patience);
	return target_fail(s, why, "the end of the process");
}

bool check_gone_client(struct target *s)
{
	return check_gone(s, "name\nversion\n") && target_set_up(s) && check_gone(s, "genmove b\n");
}

bool check_end_in_genmove(struct target *s)
{
	if (!target_send(s, "genmove b\n", 10))
		return false;
	connection_end_input(&s->connection);
	return target_await_end(s, 1) != -1;
}

/* SIGTERM must end the engine, both idle and in a search. */
bool check_term(struct target *s)
{
	connection_terminate(&s->connection);
	if (target_await_end(s, 1) == -1 || !target_set_up(s) || !target_send(s, "genmove b\n", 10))
		return false;
	thread_sleep(50000000);
	connection_terminate(&s->connection);
	return target_await_end(s, 1) != -1;
}
