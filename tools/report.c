/* SPDX-License-Identifier: MIT
 *
 * yomi-report: the command line of tools/report/report.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "games/games.h"
#include "tools/lib/flags.h"
#include "tools/report/report.h"

int main(int argc, char **argv)
{
	const char *name = NULL, *rules = NULL, *output = NULL;
	const struct flag list[] = {
		{ "output", "FILE", "write the page to FILE, not to standard output",
		  .text = &output },
		{ "game", "GAME",
		  "the game of SGF records that do not name theirs (default: the first that fits)",
		  .text = &name },
		{ "rules", "RULES", "the game's rule set", .text = &rules },
	};
	const struct flags flags = { "yomi-report",
				     "FILE",
				     1,
				     1,
				     "Writes a page about the matches in a database of yomi-match, "
				     "or in an SGF file: tables, plots,\n"
				     "and every game to play through.",
				     list,
				     sizeof list / sizeof list[0] };
	const struct game *g = NULL;
	int word = flags_read(&flags, argc, argv);
	games_init();
	if ((name || rules) && !(g = game_find(name ? name : games[0]->name, rules)))
		flags_refuse(&flags);
	if (!output && isatty(STDOUT_FILENO)) {
		fputs("yomi-report: a terminal does not show HTML; "
		      "type: yomi report FILE --output PAGE.html\n",
		      stderr);
		return FLAGS_EXIT_USAGE;
	}
	int status = report_run(argv[word], g, output);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fputs("yomi-report: the output could not be written\n", stderr);
	return EXIT_FAILURE;
}
