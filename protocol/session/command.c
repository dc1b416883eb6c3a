/* SPDX-License-Identifier: MIT */
#include "protocol/session/command.h"

#include <string.h>

#include "protocol/session/protocol.h"

char *join_args(const struct session *s, int first)
{
	struct text text = { 0 };
	for (int i = first; i < s->arg_count; i++)
		text_printf(&text, "%s%s", i > first ? " " : "", s->args[i]);
	return text_take(&text);
}

enum outcome refuse(struct session *s, const char *text)
{
	text_puts(s->reply, text);
	return REFUSED;
}

enum outcome refuse_noted(struct session *s, const char *text, const char *reason)
{
	if (!is_for_people(s)) {
		session_note(s, "%s: %s: %s", s->command->name, text, reason);
		return refuse(s, text);
	}
	text_printf(s->reply, "%s: %s", text, reason);
	return REFUSED;
}

enum outcome syntax_error(struct session *s, const char *reason)
{
	return refuse_noted(s, "syntax error", reason);
}

bool is_for_people(const struct session *s)
{
	return s->protocol && s->protocol->is_for_people;
}

const char *color_name(int side)
{
	return side == BLACK ? "black" : "white";
}

enum outcome command_ignore(struct session *s)
{
	return DONE;
}

enum outcome command_quit(struct session *s)
{
	s->quitting = true;
	return DONE;
}

const struct command *command_in(const struct command *table, char *line,
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

void command_begin(struct session *s, const struct command *c, char **rest)
{
	s->command = c;
	s->args = rest;
	s->arg_count = **rest != '\0';
}

void command_count(const struct command *c, int *least, int *most)
{
	int depth = 0; /* of brackets */
	bool more = c->more;
	char before = ' ';
	*least = *most = 0;
	for (const char *at = c->args; *at; before = *at++) {
		depth += (*at == '[') - (*at == ']');
		more |= strncmp(at, "...", 3) == 0;
		if (strchr(" [", before) && !strchr(" [.", *at)) {
			*least += !depth && !c->optional;
			*most += 1;
		}
	}
	if (more)
		*most = COMMAND_ANY;
}

bool command_takes(const struct command *c, int count)
{
	int least, most;
	command_count(c, &least, &most);
	return count >= least && count <= most;
}
