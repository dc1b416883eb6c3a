/* SPDX-License-Identifier: MIT */
#include "protocol/program/help.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/rules/tuning.h"
#include "engine/search/common/algorithm.h"
#include "games/games.h"
#include "protocol/program/program.h"
#include "protocol/program/tools.h"
#include "protocol/session/command.h"
#include "protocol/session/size.h"

#define WIDTH  80 /* columns of --help */
#define INDENT 22 /* columns before explanations */

/* The output and its format: plain text for --help, or man(7). */
struct help_page {
	FILE *out;
	bool man;
};

/* --- both formats --- */

/* Escapes the special characters of troff. Text between backticks becomes bold. */
static void put_man(FILE *out, const char *text)
{
	static const char special[] = "\\-~^'\"";
	static const char *const escapes[] = { "\\e", "\\-", "\\(ti", "\\(ha", "\\(aq", "\\(dq" };
	bool bold = false;
	if (*text == '.')
		fputs("\\&", out);
	for (; *text; text++) {
		const char *found = strchr(special, *text);
		if (*text == '`')
			fputs((bold = !bold) ? "\\fB" : "\\fR", out);
		else if (found)
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

static void heading(const struct help_page *p, const char *title)
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

static void subheading(const struct help_page *p, const char *title)
{
	if (p->man)
		fprintf(p->out, ".SS %s\n", title);
	else
		fprintf(p->out, "\n%s:\n", title);
}

/* Writes a paragraph, or an example if it begins with blanks. `first`: after a heading. */
static void put_paragraph(const struct help_page *p, const char *text, bool first)
{
	bool is_example = *text == ' ';
	if (!p->man) {
		fputs(first ? "" : "\n", p->out);
		put_filled(p->out, text, 0, 0);
		return;
	}
	fputs(first ? "" : ".PP\n", p->out);
	fputs(is_example ? ".EX\n" : "", p->out);
	put_man(p->out, text);
	fputs(is_example ? "\n.EE\n" : "\n", p->out);
}

/* Writes paragraphs that empty lines separate: all, or the first. */
static void put_paragraphs(const struct help_page *p, const char *text, bool all)
{
	bool first = true;
	do {
		const char *end = strstr(text, "\n\n");
		char *paragraph = end ? xstrndup(text, (size_t)(end - text)) : xstrdup(text);
		put_paragraph(p, paragraph, first);
		free(paragraph);
		first = false;
		text = end ? end + 2 : NULL;
	} while (all && text);
}

/* Writes a name with its argument and explanation. In a man page only the name is bold. */
static void entry(const struct help_page *p, const char *name, const char *argument,
		  const char *text)
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
	if (!*text) {
		fputc('\n', p->out);
		return;
	}
	if (width > INDENT - 2)
		width = fprintf(p->out, "\n") - 1;
	fprintf(p->out, "%*s", INDENT - width, "");
	put_filled(p->out, text, INDENT, INDENT);
}

/* An entry whose name, argument and text are written in pieces. */
struct help_draft {
	struct text name, argument, help;
};

/* Writes the entry and frees the pieces. */
static void draft_put(struct help_draft *d, const struct help_page *p)
{
	char *texts[] = { text_take(&d->name), text_take(&d->argument), text_take(&d->help) };
	entry(p, texts[0], texts[1], texts[2]);
	for (int i = 0; i < 3; i++)
		free(texts[i]);
}

/* --- options --- */

/* Returns the length of the first clause of a help text. */
static int clause_length(const char *help)
{
	size_t length = strcspn(help, ";");
	const char *end = strstr(help, ". ");
	return (int)(end && end < help + length ? (size_t)(end - help) : length);
}

/* Describes a flag. `brief`: by the first clause of its help. */
static void flag_entry(const struct help_page *p, const struct flag *flag, bool brief)
{
	struct help_draft d = { 0 };
	text_printf(&d.name, "--%s", flag->name);
	if (flag->value)
		text_printf(&d.argument, "=%s", flag->value);
	for (int i = 0; flag->choices && flag->choices[i]; i++)
		text_printf(&d.argument, "%c%s", i ? '|' : '=', flag->choices[i]);
	text_printf(&d.help, "%.*s", brief ? clause_length(flag->help) : -1, flag->help);
	draft_put(&d, p);
}

static bool has_choices(const struct option *o)
{
	return o->type == OPTION_CHOICE || o->type == OPTION_SEARCH;
}

/* Describes an option of the engine. `brief`: by the first clause of its help, without its range. */
static void option_entry(const struct help_page *p, const struct option *o, bool brief)
{
	struct help_draft d = { 0 };
	text_printf(&d.name, "--%s", o->name);
	text_printf(&d.help, "%.*s", brief ? clause_length(o->help) : -1, o->help);
	if (o->type == OPTION_BOOL) {
		text_puts(&d.argument, "[=0|1]");
	} else if (has_choices(o)) {
		text_puts(&d.argument, "=NAME");
		for (int i = 0; option_choice(o, i); i++)
			text_printf(&d.help, "%s%s", i ? ", " : ": ", option_choice(o, i));
	} else {
		text_puts(&d.argument, "=NUMBER");
		if (!brief)
			text_printf(&d.help, " (%.16g to %.16g)", o->min, o->max);
	}
	if (o->initial)
		text_printf(&d.help, " [%s]", o->initial);
	draft_put(&d, p);
}

/* Returns true if an option belongs to single searches. */
static bool has_owner(const struct option *o)
{
	return option_find(o->name) && o - option_table >= option_general_count;
}

/* Lists the flags that a mode accepts, or all (NULL), each group under its title. */
static void list_flags(const struct help_page *p, const struct program *program,
		       const struct mode *mode)
{
	const struct flag *f;
	const char *title = NULL, *printed = NULL;
	if (mode || p->man)
		heading(p, "Options");
	for (int i = 0; (f = flag_at(program, i)); i++) {
		title = f->group ? f->group : title;
		if (mode && !mode_takes(program, mode, f->name))
			continue;
		if (!mode && title && title != printed)
			subheading(p, title);
		printed = title;
		flag_entry(p, f, false);
	}
}

/* Lists the engine's options that a mode accepts, or all (NULL). */
static void help_list_options(const struct help_page *p, const struct program *program,
			      const struct mode *mode)
{
	static const char *const titles[] = { "Options of the engine [default]",
					      "Options of single searches [default]" };
	const struct option *o;
	for (int owned = 0; owned < 2; owned++) {
		bool any = false;
		for (int i = 0; (o = option_at(program, i)); i++) {
			if (has_owner(o) != owned || (mode && !mode_takes(program, mode, o->name)))
				continue;
			if (!any)
				heading(p, titles[owned]);
			any = true;
			option_entry(p, o, false);
		}
	}
}

/* Lists the options of a list of names, separated by blanks, in its order. */
static void list_named(const struct help_page *p, const struct program *program, const char *names)
{
	char *copy = xstrdup(names), *save = NULL;
	heading(p, "Options");
	for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		const struct flag *flag = flag_find(program, name);
		const struct option *option = option_named(program, name);
		if (flag)
			flag_entry(p, flag, true);
		else if (option)
			option_entry(p, option, true);
	}
	free(copy);
}

/* --- other lists --- */

static void mode_entry(const struct help_page *p, const struct mode *mode)
{
	struct help_draft d = { 0 };
	text_puts(&d.name, mode->name);
	text_printf(&d.argument, "%s%s", *mode->args ? " " : "", mode->args);
	text_puts(&d.help, mode->help);
	draft_put(&d, p);
}

/* Returns true if the first mode of the program has no name. */
static bool is_unnamed(const struct program *program)
{
	return !*program->modes->name;
}

/* Lists the modes. Of those that all programs have, most users need only the first, `help`. */
static void list_modes(const struct help_page *p, const struct program *program, bool all)
{
	const struct mode *named = program->modes + is_unnamed(program);
	if (!named->name)
		return;
	heading(p, "Modes");
	for (const struct mode *m = named; m->name; m++)
		mode_entry(p, m);
	for (const struct mode *m = program_modes; m->name && (all || m == program_modes); m++)
		mode_entry(p, m);
}

static void list_tools(const struct help_page *p, const struct program *program)
{
	heading(p, "Tools");
	for (const struct tool *t = program->tools; t->name; t++)
		entry(p, t->name, "", t->help);
}

/* Returns true if a mode, or any mode (NULL), uses the names of games. */
static bool uses_games(const struct program *program, const struct mode *mode)
{
	const struct flag *f;
	const struct mode *m;
	for (int i = 0; (m = mode ? mode : mode_at(program, i)); i++) {
		if (list_has(m->args, "GAME"))
			return true;
		if (mode)
			break;
	}
	for (int i = 0; (f = flag_at(program, i)); i++)
		if (f->value && strcmp(f->value, "GAME") == 0 &&
		    (!mode || mode_takes(program, mode, f->name)))
			return true;
	return false;
}

static void list_games(const struct help_page *p)
{
	heading(p, "Games, their rules and sizes, the default first");
	for (int i = 0; game_name_at(i); i++) {
		struct help_draft d = { 0 };
		text_puts(&d.name, game_name_at(i));
		for (int j = 0; rules_name_at(game_name_at(i), j); j++)
			text_printf(&d.help, "%s%s", j ? ", " : "",
				    rules_name_at(game_name_at(i), j));
		const struct game *g = game_find(game_name_at(i), NULL);
		char sizes[SIZE_LIST_MAX];
		size_list(g, sizes);
		if (size_varies(g))
			text_printf(&d.help, "; sizes %s", sizes);
		draft_put(&d, p);
	}
}

static void list_searches(const struct help_page *p)
{
	struct help_draft d = { 0 };
	heading(p, "Searches");
	text_puts(&d.name, "auto");
	text_puts(&d.help, SEARCH_AUTO_HELP);
	for (int i = 0; game_name_at(i); i++)
		text_printf(&d.help, "%s %s %s", i ? "," : ":", game_name_at(i),
			    tuning_of(game_find(game_name_at(i), NULL))->search);
	draft_put(&d, p);
	for (int i = 0; algorithms[i]; i++)
		entry(p, algorithms[i]->name, "", algorithms[i]->help);
}

/* --- --help --- */

/* Writes a form of the command line. */
static void put_usage(const struct help_page *p, const struct program *program, const char *args,
		      bool first)
{
	if (!p->man) {
		fprintf(p->out, "%s%s %s\n", first ? "Usage: " : "       ", program->name, args);
		return;
	}
	fprintf(p->out, "%s\\fB%s\\fR ", first ? "" : ".PP\n", program->name);
	put_man(p->out, args);
	fputc('\n', p->out);
}

static void put_usages(const struct help_page *p, const struct program *program)
{
	char *own = is_unnamed(program) ? xasprintf("[OPTION...] %s", program->modes->args)
					: xstrdup("[MODE] [ARGUMENT...] [OPTION...]");
	put_usage(p, program, own, true);
	for (int i = 0; program->usages && program->usages[i]; i++)
		put_usage(p, program, program->usages[i], false);
	free(own);
}

/* Writes the help of a mode as a sentence. */
static void put_sentence(FILE *out, const char *text)
{
	char *sentence = xasprintf("%c%s.", toupper((unsigned char)*text), text + 1);
	put_filled(out, sentence, 0, 0);
	free(sentence);
}

/* Tells where the rest of the help is. */
static void put_more(const struct help_page *p, const struct program *program)
{
	fprintf(p->out,
		"\n`%s help " HELP_ALL "` lists all options, `%s help MODE` explains a mode.\n",
		program->name, program->name);
	if (program->tools)
		fprintf(p->out, "`%s help TOOL` explains a tool.\n", program->name);
	fprintf(p->out, "`man %s` has everything with examples.\n", program->name);
}

void help_print(FILE *out, const struct program *program)
{
	struct help_page p = { out, false };
	if (!program->usual) {
		help_print_all(out, program);
		return;
	}
	put_usages(&p, program);
	fputc('\n', out);
	put_paragraphs(&p, program->description, false);
	list_modes(&p, program, false);
	if (program->tools)
		list_tools(&p, program);
	if (uses_games(program, NULL))
		list_games(&p);
	list_named(&p, program, program->usual);
	put_more(&p, program);
}

void help_print_mode(FILE *out, const struct program *program, const struct mode *mode)
{
	struct help_page p = { out, false };
	const char *usual = mode->usual ? mode->usual : mode->options ? NULL : program->usual;
	fprintf(out, "Usage: %s %s%s%s [OPTION...]\n\n", program->name, mode->name,
		*mode->args ? " " : "", mode->args);
	put_sentence(out, mode->help);
	if (mode->details) {
		fputc('\n', out);
		put_paragraphs(&p, mode->details, true);
	}
	if (uses_games(program, mode))
		list_games(&p);
	if (usual) {
		list_named(&p, program, usual);
		put_more(&p, program);
	} else {
		list_flags(&p, program, mode);
		help_list_options(&p, program, mode);
	}
}

/* Lists all but the modes. */
static void list_rest(const struct help_page *p, const struct program *program)
{
	if (program->tools)
		list_tools(p, program);
	if (uses_games(program, NULL))
		list_games(p);
	if (program->is_engine)
		list_searches(p);
	list_flags(p, program, NULL);
	help_list_options(p, program, NULL);
}

void help_print_all(FILE *out, const struct program *program)
{
	struct help_page p = { out, false };
	put_usages(&p, program);
	fputc('\n', out);
	put_paragraphs(&p, program->description, false);
	list_modes(&p, program, true);
	list_rest(&p, program);
}

/* --- the man page --- */

static void list_commands(const struct help_page *p, const struct program *program)
{
	const struct command *c;
	heading(p, "Commands (GTP)");
	for (int i = 0; (c = program->command_at(i)); i++) {
		struct help_draft d = { 0 };
		text_puts(&d.name, c->name);
		text_printf(&d.argument, "%s%s", *c->args ? " " : "", c->args);
		text_puts(&d.help, c->help);
		draft_put(&d, p);
	}
}

static void put_note(const struct help_page *p, const struct program *program,
		     const struct note *note)
{
	const struct flag *f;
	struct text text = { 0 };
	bool any = false;
	text_puts(&text, note->text);
	for (int i = 0; note->config_flags && (f = flag_at(program, i)); i++) {
		if (!f->in_config)
			continue;
		text_printf(&text, "%s %s", any ? "," : "", f->name);
		any = true;
	}
	text_puts(&text, any ? "." : "");
	if (note->name)
		entry(p, note->name, "", text.bytes);
	else
		put_paragraph(p, text.bytes, note->section);
	text_free(&text);
}

/* Writes the details of the modes that have some. */
static void put_details(const struct help_page *p, const struct program *program)
{
	for (const struct mode *m = program->modes; m->name; m++) {
		if (!m->details)
			continue;
		subheading(p, m->name);
		put_paragraphs(p, m->details, true);
	}
}

void help_manual(FILE *out, const struct program *program)
{
	struct help_page p = { out, true };
	fprintf(out, ".\\\" Made by `%s manual`.\n.TH ", program->name);
	for (const char *at = program->name; *at; at++)
		fputc(toupper((unsigned char)*at), out);
	fprintf(out, " 1 \"%s\" \"yomi %s\" \"User Commands\"\n", version_date(), version_number());
	fprintf(out, ".SH NAME\n%s \\- %s", program->name, program->summary);
	for (int i = 0; program->is_engine && games[i]; i++)
		if (i == 0 || strcmp(games[i]->name, games[i - 1]->name) != 0)
			fprintf(out, "%s%s", i ? ", " : " ", games[i]->title);
	fputs("\n.SH SYNOPSIS\n", out);
	put_usages(&p, program);
	fputs(".SH DESCRIPTION\n", out);
	put_paragraphs(&p, program->description, true);
	list_modes(&p, program, true);
	put_details(&p, program);
	list_rest(&p, program);
	if (program->command_at)
		list_commands(&p, program);
	for (const struct note *n = program->notes; n && n->text; n++) {
		if (n->section)
			heading(&p, n->section);
		put_note(&p, program, n);
	}
}
