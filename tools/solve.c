/* SPDX-License-Identifier: MIT
 *
 * yomi-solve: the command line of tools/solve/proof.h.
 */
#include <math.h>
#include <stdio.h>

#include "engine/rules/images.h"
#include "games/games.h"
#include "protocol/program/program.h"
#include "tools/lib/path.h"
#include "tools/ranks/ranks.h"
#include "tools/solve/proof.h"

#define JOURNAL_MAX 64
#define COUNT_MAX   1e15
#define SECONDS_MAX 1e9

/* The command line. */
struct yomi_solve_command_line {
	const char *rules, *size;
	double budget;
	struct proof_settings settings;
};

static const struct program program;

/* Reads the position into the settings. Returns NULL or the reason why there is none to solve. */
static const char *yomi_solve_take_position(struct proof_settings *o,
					    const struct arguments *arguments)
{
	const char *reason = NULL;
	o->game->start(o->game, &o->root);
	if (arguments->count > 1)
		reason = arguments->count == 3 ? game_setup(o->game, &o->root, arguments->words[1],
							    arguments->words[2])
					       : "type a position as BOARD SIDE";
	return reason ? reason : o->root.over ? "the game is over in this position" : NULL;
}

static int yomi_solve_run(const struct arguments *arguments)
{
	const struct yomi_solve_command_line *a = arguments->values;
	struct proof_settings o = a->settings;
	char journal[JOURNAL_MAX];
	o.game = program_game(&program, arguments->words[0], a->rules, a->size);
	if (!o.game)
		return EXIT_USAGE;
	if (game_repeats(o.game) || !images_have_stones(o.game))
		return program_complain(
			&program, "%s cannot be solved here: %s; use `yomi solve`", o.game->name,
			game_repeats(o.game) ? "a result depends on the moves before the position"
					     : "journals cannot store its positions");
	const char *reason = yomi_solve_take_position(&o, arguments);
	if (reason)
		return program_complain(&program, "%s", reason);
	if (!o.journal) {
		snprintf(journal, sizeof journal, "%s.journal", o.game->name);
		o.journal = journal;
	}
	if (o.certificate && path_is_same(o.certificate, o.journal))
		return program_complain(&program, "journal and certificate are the same file: %s",
					o.journal);
	o.nodes = (int64_t)a->budget;
	return proof_run(&o);
}

static const struct mode modes[] = {
	{ .name = "",
	  .args_min = 1,
	  .args_max = 3,
	  .args = "GAME [BOARD SIDE]",
	  .run = yomi_solve_run },
	{ 0 },
};

#define AT(field) offsetof(struct yomi_solve_command_line, field)

static const struct flag flags[] = {
	{ "rules", FLAG_RULES, AT(rules), "RULES", "rule set of the game", .group = "Solving" },
	{ "size", FLAG_SIZE, AT(size), "SIZE", "size of the board: N or COLUMNSxROWS" },
	{ "journal", FLAG_TEXT, AT(settings.journal), "FILE",
	  "file of results; the same command continues an interrupted run from it (default "
	  "GAME.journal)" },
	{ "certificate", FLAG_TEXT, AT(settings.certificate), "FILE",
	  "write the proof to FILE when the position is solved. `yomi verify` checks it by the "
	  "rules alone" },
	{ "time", FLAG_REAL, AT(settings.time), "SECONDS",
	  "end the run after this time (default: no limit); the same command continues it", 0,
	  SECONDS_MAX },
	{ "quiet", FLAG_SET, AT(settings.quiet), NULL, "report no progress" },
	{ "threads", FLAG_INT, AT(settings.threads), "COUNT",
	  "positions searched at a time (default 1); with mpirun, by each rank but the first", 1,
	  RANKS_WORKERS_MAX, .group = "Search" },
	{ "memory", FLAG_INT, AT(settings.memory), "MIB",
	  "memory of each rank: half for the table of df-pn, which its threads share; the rest for "
	  "their solvers and proofs (default 1024)",
	  1, 1 << 24 },
	{ "nodes", FLAG_REAL, AT(budget), "COUNT",
	  "nodes of the search of a position before rank 0 divides it into the positions after its "
	  "moves (default: a part of the nodes so far)",
	  0, COUNT_MAX },
	{ "no-solver", FLAG_SET, AT(settings.searches), NULL,
	  "search by df-pn alone, without the game's own solver" },
	{ 0 },
};

static const struct note notes[] = {
	{ "Exit status", "0",
	  "The position is solved, and its certificate written if one is wanted." },
	{ NULL, "1", "It is not, because the run was ended or failed." },
	{ NULL, "2", "The command line is wrong." },
	{ "Examples", NULL, "Solve a position of Pentago on four threads, and check the proof:" },
	{ NULL, NULL,
	  "    yomi-solve pentago ..O..XOX.....X.O...X.O.X.OX.O..X.O.. X --threads=4 "
	  "--certificate=proof\n"
	  "    yomi verify proof" },
	{ NULL, NULL, "The same on the machines of a file, with eight threads each:" },
	{ NULL, NULL,
	  "    mpirun --hostfile hosts --map-by node yomi-solve pentago "
	  "..O..XOX.....X.O...X.O.X.OX.O..X.O.. X --threads=8" },
	{ "See also", NULL, "yomi(1), mpirun(1)" },
	{ 0 },
};

static const struct program program = {
	.name = "yomi-solve",
	.summary = "find the result of a position over days or on many machines",
	.description =
		"Finds whether the side to move wins, draws or loses. BOARD has the squares from "
		"the top left, row by row: `X` for Black, `O` for White, `.` for an empty square, "
		"`:` for a square off the board (Havannah). "
		"Without BOARD the position is that of the start.\n\n"
		"Each result is kept in the journal. After an interruption the same command "
		"continues. With mpirun the ranks after the first search, and the first one "
		"divides the work.\n\n"
		"`yomi solve` is another program for positions that one machine solves in one run: "
		"it needs no files, also finds scores and the values of all moves, and knows Go.",
	.modes = modes,
	.flags = flags,
	.notes = notes,
	.size = sizeof(struct yomi_solve_command_line),
};

int main(int argc, char **argv)
{
	struct yomi_solve_command_line a = {
		.settings = { .threads = 1, .memory = 1024, .time = INFINITY },
	};
	ranks_start(argv);
	return ranks_end(program_run(&program, &a, argc, argv));
}
