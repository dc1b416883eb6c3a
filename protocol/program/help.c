/* SPDX-License-Identifier: MIT */
#include "protocol/program/help.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/algorithm.h"
#include "engine/memory.h"
#include "engine/version.h"
#include "games/games.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/settings.h"
#include "protocol/program/arguments.h"

#define WIDTH  80 /* columns of --help */
#define INDENT 22 /* columns before explanations */

/* The output and its format: plain text for --help, or man(7). */
struct page {
	FILE *out;
	bool man;
};

/* --- both formats --- */

/* Escapes the special characters of troff. */
static void put_man(FILE *out, const char *text)
{
	static const char special[] = "\\-~^`'";
	static const char *const escapes[] = { "\\e", "\\-", "\\(ti", "\\(ha", "\\(ga", "\\(aq" };
	if (*text == '.')
		fputs("\\&", out);
	for (; *text; text++) {
		const char *found = strchr(special, *text);
		if (found)
			fputs(escapes[found - special], out);
		else
			fputc(*text, out);
	}
}

/* Fills lines with words. The first line starts at `column`, the others are indented by `indent`. */
static void put_filled(FILE *out, const char *text, int column, int indent)
{
	for (bool first = true; *text; first = false) {
		int length = (int)strcspn(text, " ");
		if (!first && column + 1 + length > WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, (size_t)length, out);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void heading(const struct page *p, const char *title)
{
	if (!p->man) {
		fprintf(p->out, "\n%s:\n", title);
		return;
	}
	fputs(".SH ", p->out);
	for (; *title; title++)
		fputc(toupper((unsigned char)*title), p->out);
	fputc('\n', p->out);
}

/* Writes a name with its argument and explanation. In a man page only the name is bold. */
static void entry(const struct page *p, const char *name, const char *argument, const char *text)
{
	if (p->man) {
		fputs(".TP\n\\fB", p->out);
		put_man(p->out, name);
		fputs("\\fR", p->out);
		put_man(p->out, argument);
		fputc('\n', p->out);
		put_man(p->out, text);
		fputc('\n', p->out);
		return;
	}
	int width = fprintf(p->out, "  %s%s", name, argument);
	if (width > INDENT - 2)
		width = fprintf(p->out, "\n") - 1;
	fprintf(p->out, "%*s", INDENT - width, "");
	put_filled(p->out, text, INDENT, INDENT);
}

/* An entry whose name, argument and text are written in pieces. */
struct draft {
	char *text[3];
	size_t length[3];
	FILE *name, *argument, *help;
};

static void draft_open(struct draft *d)
{
	FILE **files[] = { &d->name, &d->argument, &d->help };
	for (int i = 0; i < 3; i++)
		*files[i] = text_open(&d->text[i], &d->length[i]);
}

static void draft_close(struct draft *d, const struct page *p)
{
	fclose(d->name);
	fclose(d->argument);
	fclose(d->help);
	entry(p, d->text[0], d->text[1], d->text[2]);
	for (int i = 0; i < 3; i++)
		free(d->text[i]);
}

static void flag_entry(const struct page *p, const struct flag *flag)
{
	struct draft d;
	draft_open(&d);
	fprintf(d.name, "--%s", flag->name);
	if (flag->value)
		fprintf(d.argument, "=%s", flag->value);
	fputs(flag->help, d.help);
	for (int i = 0; flag->choices && flag->choices[i]; i++)
		fprintf(d.help, "%s%s", i ? ", " : ": ", flag->choices[i]);
	draft_close(&d, p);
}

static bool has_choices(const struct option *o)
{
	return o->type == OPTION_CHOICE || o->type == OPTION_SEARCH;
}

static void option_entry(const struct page *p, const struct option *o)
{
	struct draft d;
	draft_open(&d);
	fprintf(d.name, "--%s", o->name);
	fputs(o->help, d.help);
	if (o->type == OPTION_BOOL) {
		fputs("[=0|1]", d.argument);
	} else if (has_choices(o)) {
		fputs("=NAME", d.argument);
		for (int i = 0; option_choice(o, i); i++)
			fprintf(d.help, "%s%s", i ? ", " : ": ", option_choice(o, i));
	} else {
		fputs("=NUMBER", d.argument);
		fprintf(d.help, " (%.16g to %.16g)", o->min, o->max);
	}
	if (o->initial)
		fprintf(d.help, " [%s]", o->initial);
	draft_close(&d, p);
}

/* Returns true if an option belongs to single searches. */
static bool has_owner(const struct option *o)
{
	return option_find(o->name) && o - option_table >= option_general_count;
}

static void mode_entry(const struct page *p, const struct mode *mode)
{
	struct draft d;
	draft_open(&d);
	fputs(mode->name, d.name);
	fprintf(d.argument, "%s%s", *mode->args ? " " : "", mode->args);
	fputs(mode->help, d.help);
	draft_close(&d, p);
}

static void list_modes(const struct page *p, const struct program *program)
{
	heading(p, "Modes");
	for (const struct mode *m = program->modes; m->name; m++)
		mode_entry(p, m);
}

static void list_games(const struct page *p)
{
	heading(p, "Games and their rules");
	for (int i = 0; game_name_at(i); i++) {
		struct draft d;
		draft_open(&d);
		fputs(game_name_at(i), d.name);
		for (int j = 0; rules_name_at(game_name_at(i), j); j++)
			fprintf(d.help, "%s%s", j ? ", " : "", rules_name_at(game_name_at(i), j));
		draft_close(&d, p);
	}
}

static void list_searches(const struct page *p)
{
	struct draft d;
	heading(p, "Searches");
	draft_open(&d);
	fputs("auto", d.name);
	fputs(SEARCH_AUTO_HELP, d.help);
	for (int i = 0; game_name_at(i); i++)
		fprintf(d.help, "%s %s %s", i ? "," : ":", game_name_at(i),
			game_find(game_name_at(i), NULL)->search);
	draft_close(&d, p);
	for (int i = 0; algorithms[i]; i++)
		entry(p, algorithms[i]->name, "", algorithms[i]->help);
}

/* Lists the flags that a mode accepts, or all (NULL). */
static void list_flags(const struct page *p, const struct program *program, const struct mode *mode)
{
	heading(p, "Options");
	for (const struct flag *f = program->flags; f->name; f++)
		if (!mode || mode_takes(program, mode, f->name))
			flag_entry(p, f);
}

/* Lists the engine's options that a mode accepts, or all (NULL). */
static void list_options(const struct page *p, const struct program *program,
			 const struct mode *mode)
{
	static const char *const titles[] = { "Options of the engine [default]",
					      "Options of single searches [default]" };
	for (int owned = 0; owned < 2; owned++) {
		bool any = false;
		const struct option *o;
		for (int i = 0; (o = setting_at(i)); i++) {
			if (has_owner(o) != owned || (mode && !mode_takes(program, mode, o->name)))
				continue;
			if (!any)
				heading(p, titles[owned]);
			any = true;
			option_entry(p, o);
		}
	}
}

/* --- --help --- */

void help_print(FILE *out, const struct program *program, const struct mode *mode)
{
	struct page p = { out, false };
	if (mode) {
		fprintf(out, "Usage: yomi %s%s%s [--OPTION[=VALUE]...]\n\n", mode->name,
			*mode->args ? " " : "", mode->args);
		put_filled(out, mode->help, 0, 0);
	} else {
		fputs("Usage: yomi [MODE] [ARGUMENT...] [--OPTION[=VALUE]...]\n", out);
		list_modes(&p, program);
	}
	if (!mode || !mode->options || *mode->args)
		list_games(&p);
	if (!mode || !mode->options)
		list_searches(&p);
	list_flags(&p, program, mode);
	list_options(&p, program, mode);
}

/* --- the man page --- */

static const char man_description[] =
	".B yomi\n"
	"plays board games of two players over GTP, the Go Text Protocol, version 2, on standard\n"
	"input and output: behind a graphical interface, in a tournament, in a script, or on a\n"
	"terminal.\n"
	"It searches every game by any of several methods.\n"
	".PP\n"
	"Options may stand anywhere, as\n"
	".BI \\-\\- name = value\n"
	"or\n"
	".BI \\-\\- name\\~value\\fR.\n"
	"Those of the engine can be changed at any time by the command\n"
	".BR param .\n"
	".PP\n"
	"The line\n"
	".B # interrupt\n"
	"and the signal SIGINT end a running search with the best move it has; SIGINT while "
	"nothing\n"
	"is searched, and SIGTERM, end the program.\n"
	"When the input ends, the commands that wait are worked off first.\n"
	".PP\n"
	"On a terminal lines are edited and recalled, Tab completes commands, options and files,\n"
	"a line shows what a search has found so far, and the board is drawn after every move.\n"
	"^C ends a search or clears the line; on an empty line it says how to leave, and a\n"
	"second one leaves. ^D leaves at once.\n"
	".PP\n"
	"With\n"
	".B \\-\\-listen\n"
	"it serves clients of a socket instead, each with a game of its own.\n"
	"They share the threads and the memory, cannot raise these, and use no files unless\n"
	".B \\-\\-listen\\-files\n"
	"allows it.\n"
	"Anybody on this machine can connect, and with\n"
	".B \\-\\-listen\\-anywhere\n"
	"anybody on the network: nothing is encrypted, nobody is asked for a password.\n"
	"Standard error names the address when clients can connect.\n"
	".PP\n"
	"The mode\n"
	".B web\n"
	"is such a server for browsers, with a board to play and analyse on.\n"
	"Each page has a game of its own, which is searched while the page is open.\n"
	"It is asked for by a number or as localhost, and answers no pages of other sites.\n"
	"Standard output names the address.\n";

static const char man_files[] =
	".SH FILES\n"
	".TP\n"
	".I $XDG_CONFIG_HOME/yomi/config\n"
	"The user's config file, if\n"
	".B XDG_CONFIG_HOME\n"
	"is an absolute path; or else\n"
	".TP\n"
	".I \\(ti/.config/yomi/config\n"
	"The modes\n"
	".B gtp\n"
	"and\n"
	".B web\n"
	"read it, whoever starts the program; the other modes do not.\n"
	"Where no user's settings are wanted, as in matches between versions, give\n"
	".BR \\-\\-no\\-config .\n"
	"Its lines are\n"
	".IB name\\~ = \\~value\\fR,\n"
	"by the names of the options, without dashes; all of the engine's and\n";

static const char man_files_end[] =
	".\n"
	"Blank lines, and what is behind a\n"
	".B #\n"
	"at the beginning of a line or behind a blank, are comments.\n"
	"Of several lines with one name the last holds; what stands on the command line goes over\n"
	"the file.\n"
	"The rules that the file names are left out when the command line names another game.\n"
	"A line that cannot be understood is a message with the file and the line on standard "
	"error,\n"
	"and nothing is started.\n"
	".TP\n"
	".I $XDG_STATE_HOME/yomi/history\n"
	"or else\n"
	".I \\(ti/.local/state/yomi/history\n"
	"keeps the lines typed on terminals.\n"
	".TP\n"
	".I \\(ti/.editrc\n"
	"binds the keys, see\n"
	".BR editrc (5).\n"
	".SH ENVIRONMENT\n"
	".TP\n"
	".B NO_COLOR\n"
	"If it is set, boards have no colours, unless\n"
	".B \\-\\-color\n"
	"asks for them.\n"
	".TP\n"
	".B TERM\n"
	"On a terminal of no type, or\n"
	".BR dumb ,\n"
	"lines are not edited, and what is written is what programs get.\n";

static const char man_rest[] =
	".SH EXIT STATUS\n"
	".TP\n"
	".B 0\n"
	"The input has ended, or the client has said\n"
	".BR quit ,\n"
	"or what was asked for is done.\n"
	".TP\n"
	".B 1\n"
	"Output, log or history could not be written, the system has refused something, or\n"
	".B solve\n"
	"has not solved or not verified a position.\n"
	".TP\n"
	".B 2\n"
	"The command line or the config file was wrong; standard error says how.\n"
	".SH EXAMPLES\n"
	"A move of Pentago, and the board:\n"
	".PP\n"
	".EX\n"
	"    yomi \\-\\-game pentago \\-\\-command \\(dqgenmove b\\(dq \\-\\-command showboard "
	"</dev/null\n"
	".EE\n"
	".PP\n"
	"The engine's command in a graphical interface, for Othello with five seconds a move:\n"
	".PP\n"
	".EX\n"
	"    yomi \\-\\-game othello \\-\\-time 5\n"
	".EE\n"
	".PP\n"
	"In a match on one machine, the same moves every time:\n"
	".PP\n"
	".EX\n"
	"    yomi \\-\\-no\\-config \\-\\-threads 1 \\-\\-playouts 20000 \\-\\-seed 1\n"
	".EE\n"
	".PP\n"
	"A config file:\n"
	".PP\n"
	".EX\n"
	"    # two cores are for other things\n"
	"    threads = 6\n"
	"    memory  = 1024    # MiB\n"
	"    game    = pentago\n"
	"    rules   = tajima\n"
	".EE\n"
	".SH SEE ALSO\n"
	".BR gtp\\-rhino (6),\n"
	".BR quarry (6)\n"
	".PP\n"
	".UR https://www.lysator.liu.se/\\(tigunnar/gtp/\n"
	"The draft of GTP, version 2\n"
	".UE\n";

/* Lists the flags that are allowed in the config file, in a sentence. */
static void put_config_flags(FILE *out, const struct program *program)
{
	const char *last = NULL;
	for (const struct flag *f = program->flags; f->name; f++) {
		if (!f->in_config)
			continue;
		if (last)
			fprintf(out, ".BR %s ,\n", last);
		last = f->name;
	}
	if (last)
		fprintf(out, "and\n.BR %s .\n", last);
}

void help_manual(FILE *out, const struct program *program)
{
	struct page p = { out, true };
	fprintf(out,
		".\\\" Made by `yomi manual`.\n.TH YOMI 1 \"%s\" \"yomi %s\" \"User Commands\"\n",
		version_date(), VERSION_NUMBER);
	fputs(".SH NAME\nyomi \\- GTP engine for ", out);
	for (int i = 0; games[i]; i++)
		if (i == 0 || strcmp(games[i]->name, games[i - 1]->name) != 0)
			fprintf(out, "%s%s", i ? ", " : "", games[i]->title);
	fputs("\n.SH SYNOPSIS\n.B yomi\n[\\fIMODE\\fR] [\\fIARGUMENT\\fR...] "
	      "[\\fB\\-\\-\\fIOPTION\\fR[=\\fIVALUE\\fR]...]\n.SH DESCRIPTION\n",
	      out);
	fputs(man_description, out);
	list_modes(&p, program);
	list_games(&p);
	list_searches(&p);
	list_flags(&p, program, NULL);
	list_options(&p, program, NULL);
	heading(&p, "Commands (GTP)");
	for (int i = 0; command_at(i); i++) {
		const struct command *c = command_at(i);
		struct draft d;
		draft_open(&d);
		fputs(c->name, d.name);
		fprintf(d.argument, "%s%s", *c->args ? " " : "", c->args);
		fputs(c->help, d.help);
		draft_close(&d, &p);
	}
	fputs(man_files, out);
	put_config_flags(out, program);
	fputs(man_files_end + 2, out);
	fputs(man_rest, out);
}
