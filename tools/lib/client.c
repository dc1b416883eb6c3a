/* SPDX-License-Identifier: MIT */
#include "tools/lib/client.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/search/common/control.h"
#include "tools/lib/message.h"

#define ANSWER_MAX    ((size_t)1 << 20)
#define COMMAND_MAX   512
#define QUIT_PATIENCE 2.0 /* seconds */
#define EXIT_PATIENCE 1.0
#define STOP_PATIENCE 0.2 /* in which the caller may cancel after an engine has ended */

bool client_start(struct client *c, const char *command, FILE *err, intptr_t cancel)
{
	*c = (struct client) { .ending = ANSWER_DIED };
	if (!connection_start_shell(&c->connection, command, err)) {
		snprintf(c->reason, sizeof c->reason, "not started: %s", strerror(errno));
		return false;
	}
	c->connection.cancel = cancel;
	c->connection.cleaning = CLEAN_CONTROLS;
	return true;
}

bool client_runs(const struct client *c)
{
	return c->connection.pid;
}

/* Ends the engine and its group. Returns its exit status. */
static int client_finish(struct client *c, double patience)
{
	int status = connection_finish(&c->connection, patience);
	free(c->commands);
	free(c->text);
	c->commands = c->text = NULL;
	return status;
}

void client_kill(struct client *c)
{
	if (client_runs(c))
		client_finish(c, 0);
}

void client_quit(struct client *c)
{
	if (client_runs(c))
		client_ask(c, QUIT_PATIENCE, "quit");
	if (client_runs(c))
		client_finish(c, QUIT_PATIENCE);
}

/* Ends an engine that has failed. All further commands return the same value. */
__attribute__((format(PRINTF, 3, 4))) static enum answer
client_fail(struct client *c, enum answer ending, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(c->reason, sizeof c->reason, format, args);
	va_end(args);
	client_kill(c);
	return c->ending = ending;
}

static enum answer died(struct client *c)
{
	int status = client_finish(c, EXIT_PATIENCE);
	const char *signal = connection_signal_name(status);
	/* A system that stops may end an engine before it tells the caller. */
	if (connection_is_cancelled(&c->connection, STOP_PATIENCE))
		return client_fail(c, ANSWER_CANCELLED, "cancelled");
	if (signal)
		return client_fail(c, ANSWER_DIED, "%s", signal);
	return client_fail(c, ANSWER_DIED, "exit status %d", status < 0 ? 0 : status);
}

/* Moves a complete answer from the input to `text`. Returns false if the input holds none. */
static bool take_answer(struct client *c)
{
	struct connection *from = &c->connection;
	char *begin = from->input + from->at, *end = strstr(begin, "\n\n");
	if (!end)
		return false;
	from->at += (size_t)(end - begin) + 2;
	begin++;
	begin += strspn(begin, " ");
	while (end > begin && end[-1] == ' ')
		end--;
	free(c->text);
	c->text = xstrndup(begin, end > begin ? (size_t)(end - begin) : 0);
	return true;
}

static enum answer await_answer(struct client *c, double seconds)
{
	struct connection *from = &c->connection;
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	char nothing[] = "";
	for (;;) {
		/* Blank lines and blanks may come before an answer. */
		if (from->input)
			from->at += strspn(from->input + from->at, "\n ");
		char *text = from->input ? from->input + from->at : nothing;
		size_t length = strlen(text);
		if (length && ((*text != '=' && *text != '?') || length > ANSWER_MAX))
			return client_fail(c, ANSWER_GARBAGE, "%.*s", (int)strcspn(text, "\n"),
					   text);
		bool yes = length && *text == '=';
		if (length && take_answer(c))
			return yes ? ANSWER_YES : ANSWER_NO;
		switch (connection_receive_more(from, deadline)) {
		case RECEIVED_TEXT:
			break;
		case RECEIVED_END:
			return died(c);
		case RECEIVED_NOTHING:
			return client_fail(c, ANSWER_LATE, "no answer in %.3g s", seconds);
		case RECEIVED_CANCELLED:
			return client_fail(c, ANSWER_CANCELLED, "cancelled");
		}
	}
}

enum answer client_ask(struct client *c, double seconds, const char *format, ...)
{
	char line[COMMAND_MAX];
	va_list args;
	if (!client_runs(c))
		return c->ending;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line - 1, format, args);
	va_end(args);
	size_t length = n < (int)sizeof line - 1 ? (size_t)n : sizeof line - 2;
	line[length++] = '\n';
	if (connection_send(&c->connection, line, length, seconds))
		return await_answer(c, seconds);
	if (errno == ETIMEDOUT)
		return client_fail(c, ANSWER_LATE, "it does not read its commands");
	return errno == ECANCELED ? client_fail(c, ANSWER_CANCELLED, "cancelled") : died(c);
}

bool client_tell(struct client *c, double seconds, const char *command)
{
	enum answer answer = client_ask(c, seconds, "%s", command);
	return answer == ANSWER_YES ||
	       message("%s: %s", command, answer == ANSWER_NO ? c->text : c->reason);
}

enum answer client_learn(struct client *c, double seconds)
{
	enum answer answer = client_ask(c, seconds, "list_commands");
	if (answer == ANSWER_YES)
		c->commands = xasprintf("\n%s\n", c->text);
	return answer;
}

bool client_knows(struct client *c, double seconds, const char *command)
{
	char line[COMMAND_MAX];
	if (!client_runs(c))
		return false;
	if (!c->commands)
		return client_ask(c, seconds, "known_command %s", command) == ANSWER_YES &&
		       strcmp(c->text, "true") == 0;
	snprintf(line, sizeof line, "\n%s\n", command);
	return strstr(c->commands, line) != NULL;
}
