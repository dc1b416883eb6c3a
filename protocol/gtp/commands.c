/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/commands.h"

#include <string.h>
#include <time.h>

#include "engine/base/suggestion.h"
#include "engine/base/version.h"
#include "protocol/gtp/drawing.h"
#include "protocol/gtp/framed.h"
#include "protocol/gtp/gtp.h"
#include "protocol/session/frame.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"

static const struct command program_commands[];

static const struct command *const groups[] = {
	program_commands, kata_commands,     terms_commands,  play_commands,  genmove_commands,
	time_commands,    analysis_commands, param_commands,  gogui_commands, drawing_commands,
	client_commands,  solve_commands,    ending_commands,
};

#define OWN_GROUPS (sizeof groups / sizeof groups[0])

static const struct command *const *commands_others;

void commands_use(const struct command *const *others)
{
	commands_others = others;
}

/* Returns the i-th table, NULL after the last. */
static const struct command *commands_group(size_t i)
{
	return i < OWN_GROUPS    ? groups[i]
	       : commands_others ? commands_others[i - OWN_GROUPS]
				 : NULL;
}

const struct command *commands_at(int i)
{
	for (size_t g = 0; commands_group(g); g++)
		for (const struct command *c = commands_group(g); c->name; c++)
			if (i-- == 0)
				return c;
	return NULL;
}

const struct command *commands_find(const char *name)
{
	for (size_t g = 0; commands_group(g); g++)
		for (const struct command *c = commands_group(g); c->name; c++)
			if (strcmp(c->name, name) == 0)
				return c;
	return NULL;
}

const char *commands_suggestion(const char *name)
{
	struct suggestion suggestion;
	suggestion_begin(&suggestion, name);
	for (int i = 0; commands_at(i); i++)
		suggestion_consider(&suggestion, commands_at(i)->name);
	return suggestion.best;
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

enum outcome commands_run(struct session *s)
{
	bool is_query = s->command->run == run_known_command;
	if (is_for_go_boards(is_query ? s->args[0] : s->command->name))
		use_go_names(s);
	return frame_is_used(s) ? framed_run(s) : s->command->run(s);
}

static enum outcome commands_unknown(struct session *s, const char *name)
{
	const char *suggestion = commands_suggestion(name);
	if (suggestion)
		session_note(s, "%s: unknown command, did you mean %s?", name, suggestion);
	return refuse(s, "unknown command");
}

/* A file that is the first argument may have blanks in its name: makes the words of the name one again. A number at the end is the second
 * argument of a command that has two. */
static void join_file(const struct command *command, struct gtp_command *c)
{
	int least, most, number, last = c->count - 1;
	if (strncmp(command->args + strspn(command->args, "["), "FILE", 4) != 0)
		return;
	command_count(command, &least, &most);
	if (most == 2 && line_int(c->words[last], &number))
		last--;
	if (most > 2 || last < 2)
		return;
	for (char *at = c->words[1]; at < c->words[last]; at++)
		*at = *at ? *at : ' ';
	c->words[2] = c->words[c->count - 1];
	c->count = c->count - last + 1;
}

enum outcome commands_run_words(struct session *s, struct gtp_command *c)
{
	const char *name = c->count ? c->words[0] : "";
	s->command = commands_find(name);
	if (!s->command)
		return commands_unknown(s, name);
	join_file(s->command, c);
	s->args = c->words + 1;
	s->arg_count = c->count - 1;
	if (!command_takes(s->command, s->arg_count)) {
		char usage[REASON_MAX];
		snprintf(usage, sizeof usage, "type %s%s%s", s->command->name,
			 *s->command->args ? " " : "", s->command->args);
		return syntax_error(s, usage);
	}
	return commands_run(s);
}

enum outcome commands_run_line(struct session *s, char *line, bool is_cut)
{
	struct gtp_command c;
	gtp_parse(&c, line);
	s->id = c.id;
	enum outcome outcome = is_cut ? refuse(s, "line too long") : commands_run_words(s, &c);
	gtp_command_free(&c);
	return outcome;
}

/* --- the program --- */

static enum outcome run_protocol_version(struct session *s)
{
	text_puts(s->reply, "2");
	return DONE;
}

static enum outcome run_name(struct session *s)
{
	text_puts(s->reply, VERSION_NAME);
	return DONE;
}

static enum outcome run_version(struct session *s)
{
	text_puts(s->reply, version_text());
	return DONE;
}

static enum outcome run_known_command(struct session *s)
{
	text_puts(s->reply, commands_find(s->args[0]) ? "true" : "false");
	return DONE;
}

static enum outcome run_list_commands(struct session *s)
{
	for (int i = 0; commands_at(i); i++)
		text_printf(s->reply, "%s\n", commands_at(i)->name);
	return DONE;
}

static void print_help(struct session *s, const struct command *c)
{
	text_printf(s->reply, "%s%s%s: %s\n", c->name, *c->args ? " " : "", c->args, c->help);
}

static enum outcome commands_run_help(struct session *s)
{
	const struct command *c = s->arg_count ? commands_find(s->args[0]) : NULL;
	if (s->arg_count && !c)
		return commands_unknown(s, s->args[0]);
	if (c)
		print_help(s, c);
	for (int i = 0; !c && commands_at(i); i++)
		print_help(s, commands_at(i));
	return DONE;
}

static enum outcome run_echo(struct session *s)
{
	for (int i = 0; i < s->arg_count; i++)
		text_printf(s->reply, "%s%s", i ? " " : "", s->args[i]);
	return DONE;
}

static enum outcome run_cputime(struct session *s)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	text_printf(s->reply, "%.3f", (double)t.tv_sec + (double)t.tv_nsec / 1e9);
	return DONE;
}

static const struct command program_commands[] = {
	{ "protocol_version", "", "return the protocol version", run_protocol_version },
	{ "name", "", "return the program's name", run_name },
	{ "version", "", "return the program's version", run_version },
	{ "known_command", "COMMAND", "return true if the command exists, else false",
	  run_known_command },
	{ "list_commands", "", "list the names of all commands", run_list_commands },
	{ "help", "[COMMAND]", "explain one command, or all", commands_run_help },
	{ "quit", "", "end the session", command_quit, .leaves = true },
	{ "echo", "[TEXT]", "return the text", run_echo, .more = true },
	{ "cputime", "", "return the processor time used so far, in seconds", run_cputime },
	{ "gomill-cpu_time", "", "same as cputime", run_cputime },
	{ 0 },
};

/* --- the protocol --- */

static char *commands_open(const struct session *s)
{
	return gtp_answer_begin(s->id);
}

static char *commands_answer(struct session *s, bool success, const char *text)
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
	.run = commands_run_line,
	.open = commands_open,
	.answer = commands_answer,
	.live = &drawing_live,
};

const struct protocol *const protocols_gtp[] = { &protocol_gtp, NULL };
