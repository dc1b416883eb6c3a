/* SPDX-License-Identifier: MIT
 *
 * yomi-openings: the command line of tools/openings/maker.h.
 */
#include <stdio.h>

#include "engine/search/algorithms.h"
#include "games/games.h"
#include "protocol/program/program.h"
#include "tools/openings/maker.h"

#define COUNT_MAX 1e9
#define MOVES_MAX 200

/* The command line. */
struct yomi_openings_command_line {
	struct maker_settings settings;
	const char *rules, *size;
};

static const struct program program;

static int yomi_openings_run(const struct arguments *arguments)
{
	const struct yomi_openings_command_line *a = arguments->values;
	struct maker_settings s = a->settings;
	s.game = program_game(&program, arguments->words[0], a->rules, a->size);
	if (!s.game)
		return EXIT_USAGE;
	s.output = arguments->words[1];
	if (s.least > s.most)
		return program_complain(&program, "--least is above --most");
	if (!algorithm_find(s.search))
		return program_complain(&program, "no search %s", s.search);
	return maker_run(&s);
}

static const struct mode modes[] = {
	{ .name = "", .args_min = 2, .args_max = 2, .args = "GAME FILE", .run = yomi_openings_run },
	{ 0 },
};

#define AT(field) offsetof(struct yomi_openings_command_line, field)

static const struct flag flags[] = {
	{ "rules", FLAG_RULES, AT(rules), "RULES", "rule set of the game", .group = "Openings" },
	{ "size", FLAG_SIZE, AT(size), "SIZE", "size of the board: N or COLUMNSxROWS" },
	{ "count", FLAG_INT, AT(settings.count), "COUNT",
	  "openings that the file should have (default 200); a larger number continues a file", 1,
	  COUNT_MAX },
	{ "least", FLAG_INT, AT(settings.least), "MOVES", "fewest moves of an opening (default 2)",
	  1, MOVES_MAX },
	{ "most", FLAG_INT, AT(settings.most), "MOVES", "most moves of an opening (default 6)", 1,
	  MOVES_MAX },
	{ "known", FLAG_TEXT, AT(settings.known), "POSITIONS",
	  "a file of positions whose values are known, with the words BOARD SIDE VALUE on each "
	  "line. A new file of openings begins with those of value 0, draws; no others are "
	  "examined" },
	{ "seed", FLAG_INT, AT(settings.seed), "NUMBER",
	  "chooses the random positions and the seeds of the searches (default 1)", 1, 1e9,
	  .group = "Evaluation" },
	{ "search", FLAG_TEXT, AT(settings.search), "NAME",
	  "the search; it must find values (default mcts)" },
	{ "work", FLAG_INT, AT(settings.work), "COUNT",
	  "playouts or nodes of each of the two long searches (default 1000000)", 1, COUNT_MAX },
	{ "bound", FLAG_REAL, AT(settings.bound), "NUMBER",
	  "a position is level if both find a value closer to a draw than this; a win is 1 "
	  "(default 0.15)",
	  0, 1 },
	{ "filter", FLAG_INT, AT(settings.filter), "COUNT",
	  "playouts or nodes of the search that comes first (default 20000)", 1, COUNT_MAX },
	{ "coarse", FLAG_REAL, AT(settings.coarse), "NUMBER",
	  "the bound for that search (default 0.25)", 0, 1 },
	{ "solve", FLAG_REAL, AT(settings.solve), "SECONDS",
	  "use the game's solver if it expects to need at most this long; only draws stay (default "
	  "0: never)",
	  0, 1e6 },
	{ "proof", FLAG_INT, AT(settings.proof), "NODES",
	  "nodes of a proof search before the long searches (default 0: none)", 0, COUNT_MAX },
	{ "memory", FLAG_INT, AT(settings.memory), "MIB", "memory of a search (default 256)", 1,
	  1 << 20 },
	{ 0 },
};

static const struct note notes[] = {
	{ "Exit status", "0", "The file has all openings." },
	{ NULL, "1",
	  "A file cannot be read or written, the file was made with other settings, or the game "
	  "has no more positions." },
	{ NULL, "2", "The command line is wrong." },
	{ "Examples", NULL, "Openings for a match of Breakthrough; the same command goes on:" },
	{ NULL, NULL,
	  "    yomi openings --count=100 breakthrough level.txt\n"
	  "    yomi match --game=breakthrough --openings=level.txt yomi 'yomi --level=5'" },
	{ "See also", NULL, "yomi(1), yomi-match(1)" },
	{ 0 },
};

static const struct program program = {
	.name = "yomi-openings",
	.summary = "make openings that give neither side an advantage",
	.description = "Draws random positions of a game and keeps those that are proven to be "
		       "draws, or that two long searches with different seeds find level. No two "
		       "positions are equal in a symmetry of the board. FILE gets one opening a "
		       "line, as yomi match --openings reads it. Its head names the command and "
		       "counts proven draws and level positions.\n\n"
		       "The run can be interrupted at any time: the same command goes on from "
		       "FILE. Equal commands make equal files.",
	.modes = modes,
	.flags = flags,
	.notes = notes,
	.size = sizeof(struct yomi_openings_command_line),
};

int main(int argc, char **argv)
{
	struct yomi_openings_command_line a = {
		.settings = { .count = 200,
			      .least = 2,
			      .most = 6,
			      .search = "mcts",
			      .work = 1000000,
			      .filter = 20000,
			      .bound = 0.15,
			      .coarse = 0.25,
			      .seed = 1,
			      .memory = 256 },
	};
	return program_run(&program, &a, argc, argv);
}
