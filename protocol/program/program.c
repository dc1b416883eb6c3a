/* SPDX-License-Identifier: MIT */
#include "protocol/program/program.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/system.h"
#include "engine/base/version.h"
#include "games/games.h"
#include "protocol/program/complete.h"
#include "protocol/program/help.h"
#include "protocol/program/tools.h"

int program_complain(const struct program *p, const char *format, ...)
{
	char why[COMPLAINT_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(why, sizeof why, format, args);
	va_end(args);
	/* A suggestion ("did you mean ...?") needs no hint at --help. */
	size_t length = strlen(why);
	bool asks = length && why[length - 1] == '?';
	fprintf(stderr, "%s: %s", p->name, why);
	if (!asks)
		fprintf(stderr, "; see %s --help", p->name);
	fputs("\n", stderr);
	return EXIT_USAGE;
}

void program_complain_file(const char *path, const char *why)
{
	bool is_named = strstr(why, path);
	fprintf(stderr, "yomi: %s%s%s\n", is_named ? "" : path, is_named ? "" : ": ", why);
}

const struct game *program_game(const struct program *p, const char *name, const char *rules,
				const char *size)
{
	char why[COMPLAINT_MAX];
	const struct game *g = arguments_game(name, rules, size, why);
	if (!g)
		program_complain(p, "%s", why);
	return g;
}

bool program_needs_file(const struct program *p, const char *what, const char *command)
{
	if (!stream_is_terminal(stdout))
		return false;
	fprintf(stderr, "%s: a terminal cannot show %s; type: %s\n", p->name, what, command);
	return true;
}

/* --- the modes of all programs --- */

static int program_run_help(const struct arguments *a)
{
	static const char *const words[] = { "--help", NULL };
	const struct program *p = a->program;
	const char *topic = a->count ? a->words[0] : NULL;
	const struct mode *mode = topic ? mode_find(p, topic) : NULL;
	/* A tool's own name is `yomi-NAME`. */
	if (topic && strncmp(topic, "yomi-", 5) == 0 && tool_find(p->tools, topic + 5))
		topic += 5;
	if (a->count > 1)
		return program_complain(p, "usage: %s help %s", p->name, a->mode->args);
	if (!topic)
		help_print(stdout, p);
	else if (strcmp(topic, HELP_ALL) == 0)
		help_print_all(stdout, p);
	else if (mode)
		help_print_mode(stdout, p, mode);
	else if (tool_find(p->tools, topic))
		return tool_start(topic, words);
	else
		return program_complain(p,
					"there is no help on %s: type a mode or a tool, or all; "
					"for rules and GTP commands start yomi and type help",
					topic);
	return 0;
}

static int run_manual(const struct arguments *a)
{
	char *command = xasprintf("%s manual | man -l -", a->program->name);
	bool is_for_file = program_needs_file(a->program, "the source of a man page", command);
	free(command);
	if (is_for_file)
		return EXIT_USAGE;
	help_manual(stdout, a->program);
	return 0;
}

/* Lets a tool complete its own words. */
static int complete_tool(const struct arguments *a)
{
	static const char *const before[] = { "complete", "--" };
	const char **words = xcalloc((size_t)a->count + 2, sizeof *words);
	memcpy(words, before, sizeof before);
	memcpy(words + 2, a->words + 1, (size_t)(a->count - 1) * sizeof *words);
	int status = tool_start(a->words[0], words);
	free(words);
	return status;
}

static int run_complete(const struct arguments *a)
{
	if (a->count > 1 && tool_find(a->program->tools, a->words[0]))
		return complete_tool(a);
	complete_print(stdout, a->program, a->count, a->words);
	return 0;
}

const struct mode program_modes[] = {
	{ .name = "help",
	  .args_max = 1,
	  .args = "[TOPIC]",
	  .help = "explain a mode or a tool; `help all` lists all options",
	  .options = "",
	  .run = program_run_help },
	{ .name = "manual",
	  .args = "",
	  .help = "print the man page, for `man -l -`",
	  .options = "",
	  .run = run_manual },
	{ .name = "complete",
	  .args_max = INT_MAX,
	  .args = "-- [WORD...]",
	  .help = "print the completions of the last word, for shells",
	  .options = "",
	  .run = run_complete },
	{ 0 },
};

/* --- main --- */

static void print_version(const struct program *p)
{
	printf("%s %s\ncommit: %s\n", p->name, version_number(), version_commit());
	if (p->print_versions)
		p->print_versions(stdout);
}

static int program_run_own(const struct program *p, void *values, int argc, char **argv)
{
	struct arguments a;
	char why[COMPLAINT_MAX];
	int status = 0;
	if (!arguments_read(&a, p, values, argc - 1, argv + 1, why)) {
		status = program_complain(p, "%s", why);
	} else if (p->prepare && !p->prepare(&a)) {
		status = EXIT_USAGE;
	} else {
		games_init();
		if (a.version)
			print_version(p);
		else
			status = a.mode->run(&a);
	}
	arguments_free(&a);
	return status;
}

int program_run(const struct program *p, void *values, int argc, char **argv)
{
	system_start();
	if (argc > 1 && tool_find(p->tools, argv[1]))
		return tool_start(argv[1], (const char *const *)argv + 2);
	int status = program_run_own(p, values, argc, argv);
	bool flushed = fflush(stdout) == 0;
	if (flushed && !ferror(stdout))
		return status;
	/* No message if the reader has closed the pipe. The reason of an earlier failure is lost. */
	if (!stream_is_lost())
		fprintf(stderr, "%s: the output could not be written%s%s\n", p->name,
			flushed ? "" : ": ", flushed ? "" : strerror(errno));
	return EXIT_FAILURE;
}
