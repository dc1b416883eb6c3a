/* SPDX-License-Identifier: MIT
 *
 * yomi and its tools in one program. It is the program whose name it has: a link named yomi-match to it is yomi-match, and so is a
 * copy named yomi-match.exe.
 */
#include <string.h>
#include <strings.h>

#include "engine/base/system.h"
#include "protocol/program/tools.h"

/* main() of each program; the Makefile gives them these names. */
int yomi_main(int argc, char **argv);
int match_main(int argc, char **argv);
int report_main(int argc, char **argv);
int train_main(int argc, char **argv);
int book_main(int argc, char **argv);
int openings_main(int argc, char **argv);
int solve_main(int argc, char **argv);

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} programs[] = {
	{ "yomi-match", match_main },       { "yomi-report", report_main },
	{ "yomi-train", train_main },       { "yomi-book", book_main },
	{ "yomi-openings", openings_main }, { "yomi-solve", solve_main },
};

int main(int argc, char **argv)
{
	const char *name = path_last(argv[0]);
	size_t length = strcspn(name, ".");
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (length == strlen(programs[i].name) &&
		    strncasecmp(name, programs[i].name, length) == 0)
			return programs[i].run(argc, argv);
	tools_inside = true;
	return yomi_main(argc, argv);
}
