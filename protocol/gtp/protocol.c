/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/protocol.h"

#include <stdlib.h>

#include "protocol/gtp/events.h"
#include "protocol/gtp/session.h"

enum outcome run_words(struct session *s, const struct gtp_command *c)
{
	const char *name = c->count ? c->words[0] : "";
	s->command = command_find(name);
	if (!s->command)
		return unknown_command(s, name);
	s->args = c->words + 1;
	s->arg_count = c->count - 1;
	if (s->arg_count < s->command->args_min || s->arg_count > s->command->args_max) {
		char usage[REASON_MAX];
		snprintf(usage, sizeof usage, "type %s%s%s", s->command->name,
			 *s->command->args ? " " : "", s->command->args);
		return syntax_error(s, usage);
	}
	return command_run(s);
}

static enum outcome protocol_run(struct session *s, char *line, bool is_cut)
{
	struct gtp_command c;
	gtp_parse(&c, line);
	s->id = c.id;
	enum outcome outcome = is_cut ? refuse(s, "line too long") : run_words(s, &c);
	gtp_command_free(&c);
	return outcome;
}

const struct command *protocol_find(const struct command *table, char *line,
				    int (*compare)(const char *, const char *, size_t), char **rest)
{
	for (const struct command *c = table; c->name; c++) {
		size_t n = strlen(c->name);
		if (compare(line, c->name, n) == 0 && (!line[n] || line[n] == ' ')) {
			*rest = line + n + strspn(line + n, " ");
			return c;
		}
	}
	return NULL;
}

void protocol_begin(struct session *s, const struct command *c, char **rest)
{
	s->command = c;
	s->args = rest;
	s->arg_count = **rest != '\0';
}

/* --- GTP --- */

static char *open_answer(const struct session *s)
{
	return gtp_answer_begin(s->id);
}

static char *protocol_answer(struct session *s, bool success, const char *text)
{
	if (!session_is_streaming(s))
		return (s->is_painted ? gtp_answer_painted : gtp_answer)(success, s->id, text);
	if (success)
		return gtp_answer_end(text);
	/* The answer has begun, so an error can only be noted on stderr. */
	session_note(s, "%s", text);
	return gtp_answer_end("");
}

const struct protocol protocol_gtp = {
	.clean = gtp_clean,
	.run = protocol_run,
	.open = open_answer,
	.answer = protocol_answer,
};

const struct protocol *const protocols_gtp[] = { &protocol_gtp, NULL };

/* --- server-sent events --- */

static char *event_lines(const struct session *s, const char *text)
{
	return events_lines(s->id, text);
}

/* The event of an answer ends a stream, too, and may be an error. */
static char *event_answer(struct session *s, bool success, const char *text)
{
	return events_answer(success, s->id, text);
}

static const struct protocol protocol_events = {
	.clean = gtp_clean,
	.run = protocol_run,
	.lines = event_lines,
	.answer = event_answer,
	.newest_only = true,
};

const struct protocol *const protocols_events[] = { &protocol_events, NULL };
