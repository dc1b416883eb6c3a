/* SPDX-License-Identifier: MIT
 *
 * yomi-report: the command line of tools/report/report.h.
 */
#include <sqlite3.h>
#include <stdio.h>

#include "games/games.h"
#include "protocol/program/program.h"
#include "tools/lib/path.h"
#include "tools/report/report.h"

/* The command line. */
struct yomi_report_command_line {
	const char *game_name, *rules, *size, *output;
	int form; /* enum report_form */
};

static const struct program program;

static int yomi_report_run(const struct arguments *arguments)
{
	const struct yomi_report_command_line *a = arguments->values;
	const struct game *game = program_game(&program, a->game_name, a->rules, a->size);
	if (!game)
		return EXIT_USAGE;
	if (!a->output && a->form == REPORT_PAGE &&
	    program_needs_file(&program, "HTML", "yomi report FILE --output PAGE.html"))
		return EXIT_USAGE;
	if (a->output && path_is_same(a->output, arguments->words[0]))
		return program_complain(&program, "--output would replace the games: %s",
					a->output);
	return report_run(arguments->words[0], a->game_name || a->rules || a->size ? game : NULL,
			  (enum report_form)a->form, a->output);
}

static void yomi_report_print_versions(FILE *out)
{
	fprintf(out, "libraries: sqlite %s\n", sqlite3_libversion());
}

static const struct mode modes[] = {
	{ .name = "", .args_min = 1, .args_max = 1, .args = "FILE", .run = yomi_report_run },
	{ 0 },
};

static const char *const tables[] = { "no", "games", "pairs", NULL };

#define AT(field) offsetof(struct yomi_report_command_line, field)

static const struct flag flags[] = {
	{ "output", FLAG_TEXT, AT(output), "FILE",
	  "write the page to FILE (default: standard output)", .group = "Options" },
	{ "csv", FLAG_CHOICE, AT(form), NULL,
	  "write a table instead of the page: a line for every game, or for every pair of games "
	  "with the same opening (default no)",
	  .choices = tables },
	{ "game", FLAG_GAME, AT(game_name), "GAME",
	  "game of SGF records that do not name one (default: the first that fits)" },
	{ "rules", FLAG_RULES, AT(rules), "RULES", "rule set of the game" },
	{ "size", FLAG_SIZE, AT(size), "SIZE", "size of the board: N or COLUMNSxROWS" },
	{ 0 },
};

static const struct note notes[] = {
	{ "Examples", NULL, "Play a match and look at it:" },
	{ NULL, NULL,
	  "    yomi match --games=20 --time=1 --output=games.db yomi gtp-rhino\n"
	  "    yomi report games.db --output=games.html" },
	{ NULL, NULL, "Read its games in another program:" },
	{ NULL, NULL, "    yomi report games.db --csv=games --output=games.csv" },
	{ "See also", NULL, "yomi(1), yomi-match(1)" },
	{ 0 },
};

static const struct program program = {
	.name = "yomi-report",
	.summary = "make a web page about matches",
	.description = "Writes a page about the matches in FILE: tables, plots, and a viewer for "
		       "every game; or a table of them for other programs. FILE is a database of "
		       "yomi-match, or games in SGF, which may be compressed with zstd.",
	.modes = modes,
	.flags = flags,
	.notes = notes,
	.size = sizeof(struct yomi_report_command_line),
	.print_versions = yomi_report_print_versions,
};

int main(int argc, char **argv)
{
	struct yomi_report_command_line a = { 0 };
	return program_run(&program, &a, argc, argv);
}
