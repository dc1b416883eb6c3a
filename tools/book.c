/* SPDX-License-Identifier: MIT
 *
 * book: the command line of tools/lib/booker.h.
 */
#include <getopt.h>
#include <stdio.h>

#include "games/games.h"
#include "protocol/gtp.h"
#include "tools/lib/booker.h"

#define EXIT_USAGE 2

static void usage(void)
{
	puts("Usage: book [OPTION...] GAME OUTPUT\n"
	     "Searches the first moves of a game for long and writes the best ones to OUTPUT.\n\n"
	     "  --rules=NAME      the game's rule set\n"
	     "  --depth=N         moves from the start to the positions that are searched (3)\n"
	     "  --work=N          simulations of the first search of each position (200000)\n"
	     "  --rounds=N        further rounds, each with four times the work for fewer of them "
	     "(3)\n"
	     "  --seconds=N       time for this run (3600)\n"
	     "  --threads=N       positions searched at a time (2)\n"
	     "  --journal=PATH    beginning of the name of the file that keeps the results, from "
	     "which\n"
	     "                    the next run goes on (build/book)");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "rules", required_argument, NULL, 'l' },
		{ "depth", required_argument, NULL, 'd' },
		{ "work", required_argument, NULL, 'w' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "seconds", required_argument, NULL, 's' },
		{ "threads", required_argument, NULL, 't' },
		{ "journal", required_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct booking settings = { .journal = "build/book.tsv",
				    .seconds = 3600,
				    .depth = 3,
				    .work = 200000,
				    .rounds = 3,
				    .threads = 2 };
	const char *rules = NULL;
	bool fine = true;
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		switch (c) {
		case 'l':
			rules = optarg;
			break;
		case 'd':
			fine &= gtp_int(optarg, &settings.depth) && settings.depth > 0;
			break;
		case 'w':
			fine &= gtp_int(optarg, &settings.work) && settings.work > 0;
			break;
		case 'r':
			fine &= gtp_int(optarg, &settings.rounds) && settings.rounds >= 0;
			break;
		case 's':
			fine &= gtp_real(optarg, &settings.seconds) && settings.seconds > 0;
			break;
		case 't':
			fine &= gtp_int(optarg, &settings.threads) && settings.threads > 0;
			break;
		case 'j':
			settings.journal = optarg;
			break;
		case 'h':
			usage();
			return 0;
		default:
			fine = false;
		}
	}
	games_init();
	settings.game = optind < argc ? game_find(argv[optind], rules) : NULL;
	if (!fine || optind + 2 != argc || !settings.game || !settings.game->stones) {
		fputs("book: wanted is [OPTION...] GAME OUTPUT; see book --help\n", stderr);
		return EXIT_USAGE;
	}
	settings.output = argv[optind + 1];
	booker_run(&settings);
	return 0;
}
