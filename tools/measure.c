/* SPDX-License-Identifier: MIT
 *
 * measure: measures what engines and searches cost and how exact they are. Each measurement is a mode.
 */

#include "engine/base/system.h"
#include "tools/measuring/measuring.h"

static const struct mode modes[] = {
	{ .name = "accuracy",
	  .args_min = 2,
	  .args_max = 3,
	  .args = "GAME GAMES [FILE]",
	  .help = "the error of an evaluation",
	  .details = "The game plays GAMES games against itself, which begin with openings from "
		     "FILE, one a line, or with random moves. The evaluation is compared with the "
		     "score of perfect play with few empty squares, and with a search with many.",
	  .options = "",
	  .run = accuracy_run },
	{ .name = "deviation",
	  .args_min = 3,
	  .args_max = 3,
	  .args = "GAME POSITIONS DEPTH",
	  .help = "how far shallow and deep searches are apart",
	  .details = "Fits the constants of probcut to searches at all depths up to DEPTH (5 to "
		     "24). The game must have an evaluation.",
	  .options = "",
	  .run = deviation_run },
	{ .name = "equality",
	  .args_min = 3,
	  .args_max = 3,
	  .args = "GAME DEPTH POSITIONS",
	  .help = "whether the depth-first searches agree, and their nodes",
	  .details = "Compares their moves at depths 1 to DEPTH on random positions. Exit status "
		     "1: a search chose another move than negamax.",
	  .options = "size",
	  .run = equality_run },
	{ .name = "latency",
	  .args_max = 1,
	  .args = "[COMMAND]",
	  .help = "how late moves are while all processors are busy",
	  .details = "COMMAND starts the engine (default ./yomi --book=0). Exit status 1: more "
		     "than 1 % of the moves are late, or one by more than 20 ms.",
	  .options = "moves time burners",
	  .run = latency_run },
	{ .name = "startup",
	  .args_max = 1,
	  .args = "[COMMAND]",
	  .help = "the cost of an engine for a client that starts it often",
	  .details = "COMMAND starts the engine (default ./yomi). Exit status 1: a goal is missed.",
	  .options = "",
	  .run = startup_run },
	{ .name = "web",
	  .args_max = 1,
	  .args = "[YOMI]",
	  .help = "how soon the web server answers while pages analyse",
	  .details = "Of `YOMI web` (default ./yomi): `page` is a file of the page, `games` a "
		     "command to a game under analysis, `sleeps` how late sleeps of 10 ms end. "
		     "Exit status 1: more than 1 % of the answers take longer than 20 ms.",
	  .options = "pages seconds",
	  .run = web_latency_run },
	{ 0 },
};

#define AT(field) offsetof(struct measuring, field)

static const struct flag flags[] = {
	{ "size", FLAG_SIZE, AT(size), "SIZE", "equality: size of the board, N or COLUMNSxROWS",
	  .group = "Options" },
	{ "moves", FLAG_INT, AT(moves), "COUNT", "latency: number of moves (default 1000)", 1,
	  1e9 },
	{ "time", FLAG_REAL, AT(time), "SECONDS", "latency: time for each move (default 0.05)",
	  0.001, 1000 },
	{ "burners", FLAG_INT, AT(burners), "COUNT",
	  "latency: threads that keep processors busy (default: one for each processor)", 0,
	  BURNERS_MAX },
	{ "pages", FLAG_INT, AT(pages), "COUNT", "web: pages that analyse (default 8)", 1,
	  PAGES_MAX },
	{ "seconds", FLAG_INT, AT(seconds), "SECONDS", "web: time to measure (default 20)", 1,
	  1000000 },
	{ 0 },
};

static const struct program program = {
	.name = "measure",
	.summary = "measure engines and searches",
	.description = "Measures what engines and searches cost and how exact they are.",
	.modes = modes,
	.flags = flags,
	.size = sizeof(struct measuring),
};

int main(int argc, char **argv)
{
	int processors = system_processors();
	struct measuring a = {
		.moves = 1000,
		.time = 0.05,
		.burners = processors < BURNERS_MAX ? processors : BURNERS_MAX,
		.pages = 8,
		.seconds = 20,
	};
	return program_run(&program, &a, argc, argv);
}
