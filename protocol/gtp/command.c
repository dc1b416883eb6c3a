/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/command.h"

#include <string.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/version.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/protocol.h"
#include "protocol/gtp/session.h"
#include "protocol/gtp/suggestion.h"

static const struct command program_commands[];

static const struct command *const groups[] = {
	program_commands, kata_commands,     terms_commands, play_commands,   think_commands,
	time_commands,    analysis_commands, param_commands, gogui_commands,  drawing_commands,
	client_commands,  browser_commands,  solve_commands, ending_commands,
};

#define OWN_GROUPS (sizeof groups / sizeof groups[0])

static const struct command *const *command_others;

void command_use(const struct command *const *others)
{
	command_others = others;
}

/* Returns the i-th table, NULL after the last. */
static const struct command *command_group(size_t i)
{
	return i < OWN_GROUPS ? groups[i] : command_others ? command_others[i - OWN_GROUPS] : NULL;
}

const struct command *command_at(int i)
{
	for (size_t g = 0; command_group(g); g++)
		for (const struct command *c = command_group(g); c->name; c++)
			if (i-- == 0)
				return c;
	return NULL;
}

const struct command *command_find(const char *name)
{
	for (size_t g = 0; command_group(g); g++)
		for (const struct command *c = command_group(g); c->name; c++)
			if (strcmp(c->name, name) == 0)
				return c;
	return NULL;
}

const char *command_suggestion(const char *name)
{
	struct suggestion suggestion;
	suggestion_begin(&suggestion, name);
	for (int i = 0; command_at(i); i++)
		suggestion_consider(&suggestion, command_at(i)->name);
	return suggestion.best;
}

char *join_args(const struct session *s, int first)
{
	char *text;
	size_t length;
	FILE *f = text_open(&text, &length);
	for (int i = first; i < s->arg_count; i++)
		fprintf(f, "%s%s", i > first ? " " : "", s->args[i]);
	fclose(f);
	return text;
}

static enum outcome run_known_command(struct session *);

/* Returns true if only programs with boards of Go send or seek a command of this name: GoGui and its tools, gomill. yomi-match
 * asks for comments by gomill's name, which gomill does after others. GoGui sends gogui-sigint only where gogui-interrupt is
 * missing. */
static bool is_for_go_boards(const char *name)
{
	return (strncmp(name, "gogui-", 6) == 0 && strcmp(name, "gogui-sigint") != 0) ||
	       (strncmp(name, "gomill-", 7) == 0 && strcmp(name, "gomill-explain_last_move") != 0);
}

enum outcome command_run(struct session *s)
{
	bool is_query = s->command->run == run_known_command;
	if (is_for_go_boards(is_query ? s->args[0] : s->command->name))
		use_go_names(s);
	for (const struct replacement *r = notation_of(s)->replacements; r->name; r++)
		if (strcmp(r->name, s->command->name) == 0)
			return r->run(s);
	return s->command->run(s);
}

enum outcome refuse(struct session *s, const char *text)
{
	fputs(text, s->reply);
	return REFUSED;
}

enum outcome refuse_noted(struct session *s, const char *text, const char *reason)
{
	if (!is_for_people(s)) {
		session_note(s, "%s: %s: %s", s->command->name, text, reason);
		return refuse(s, text);
	}
	fprintf(s->reply, "%s: %s", text, reason);
	return REFUSED;
}

enum outcome syntax_error(struct session *s, const char *reason)
{
	return refuse_noted(s, "syntax error", reason);
}

enum outcome unknown_command(struct session *s, const char *name)
{
	const char *suggestion = command_suggestion(name);
	if (suggestion)
		session_note(s, "%s: unknown command, did you mean %s?", name, suggestion);
	return refuse(s, "unknown command");
}

bool is_for_people(const struct session *s)
{
	return s->protocol && s->protocol->is_for_people;
}

const char *color_name(int side)
{
	return side == BLACK ? "black" : "white";
}

static enum outcome run_protocol_version(struct session *s)
{
	fputs("2", s->reply);
	return DONE;
}

static enum outcome run_name(struct session *s)
{
	fputs(VERSION_NAME, s->reply);
	return DONE;
}

static enum outcome run_version(struct session *s)
{
	fputs(version_text(), s->reply);
	return DONE;
}

static enum outcome run_known_command(struct session *s)
{
	fputs(command_find(s->args[0]) ? "true" : "false", s->reply);
	return DONE;
}

static enum outcome run_list_commands(struct session *s)
{
	for (int i = 0; command_at(i); i++)
		fprintf(s->reply, "%s\n", command_at(i)->name);
	return DONE;
}

static void print_help(struct session *s, const struct command *c)
{
	fprintf(s->reply, "%s%s%s: %s\n", c->name, *c->args ? " " : "", c->args, c->help);
}

static enum outcome command_run_help(struct session *s)
{
	const struct command *c = s->arg_count ? command_find(s->args[0]) : NULL;
	if (s->arg_count && !c)
		return unknown_command(s, s->args[0]);
	if (c)
		print_help(s, c);
	for (int i = 0; !c && command_at(i); i++)
		print_help(s, command_at(i));
	return DONE;
}

static enum outcome command_run_quit(struct session *s)
{
	s->quitting = true;
	return DONE;
}

static enum outcome run_echo(struct session *s)
{
	for (int i = 0; i < s->arg_count; i++)
		fprintf(s->reply, "%s%s", i ? " " : "", s->args[i]);
	return DONE;
}

static enum outcome run_cputime(struct session *s)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	fprintf(s->reply, "%.3f", (double)t.tv_sec + (double)t.tv_nsec / 1e9);
	return DONE;
}

static const struct command program_commands[] = {
	{ .name = "protocol_version",
	  .args = "",
	  .help = "return the protocol version",
	  .run = run_protocol_version },
	{ .name = "name", .args = "", .help = "return the program's name", .run = run_name },
	{ .name = "version",
	  .args = "",
	  .help = "return the program's version",
	  .run = run_version },
	{ .name = "known_command",
	  .args = "COMMAND",
	  .args_min = 1,
	  .args_max = 1,
	  .help = "return true if the command exists, else false",
	  .run = run_known_command },
	{ .name = "list_commands",
	  .args = "",
	  .help = "list the names of all commands",
	  .run = run_list_commands },
	{ .name = "help",
	  .args = "[COMMAND]",
	  .args_max = 1,
	  .help = "explain one command, or all",
	  .run = command_run_help },
	{ .name = "quit",
	  .args = "",
	  .help = "end the session",
	  .run = command_run_quit,
	  .leaves = true },
	{ .name = "echo",
	  .args = "[TEXT]",
	  .args_max = ANY,
	  .help = "return the text",
	  .run = run_echo },
	{ .name = "cputime",
	  .args = "",
	  .help = "return the processor time used so far, in seconds",
	  .run = run_cputime },
	{ .name = "gomill-cpu_time", .args = "", .help = "same as cputime", .run = run_cputime },
	{ 0 },
};
