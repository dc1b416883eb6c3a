/* SPDX-License-Identifier: MIT
 *
 * book: the command line of tools/lib/booker.h.
 */
#include <getopt.h>
#include <stdio.h>

#include "games/games.h"
#include "protocol/gtp.h"
#include "tools/lib/booker.h"

#define EXIT_USAGE  2

#define JOURNAL_MAX 64

static void usage(void)
{
	puts("Usage: book [OPTION...] GAME OUTPUT\n"
	     "Searches the first moves of a game, those that good players may make the deepest, "
	     "and "
	     "writes\nthe best ones to OUTPUT.\n\n"
	     "  --rules=NAME      the game's rule set\n"
	     "  --work=N          playouts or nodes of each search (200000)\n"
	     "  --positions=N     most positions to search (20000)\n"
	     "  --depth=N         all positions so few moves from the start are searched first "
	     "(0)\n"
	     "  --step=X          what a move costs on the way to a position, beside what it gives "
	     "away\n"
	     "                    (0.5 points, 0.02 where the result alone counts)\n"
	     "  --equal=X         moves are as good as the best that give away no more (0.5, "
	     "0.01)\n"
	     "  --seconds=N       time for this run (3600)\n"
	     "  --threads=N       positions searched at a time (2)\n"
	     "  --memory=N        MiB of each of these searches (256)\n"
	     "  --journal=PATH    the file of results, from which the next run goes on; it is of "
	     "one game,\n"
	     "                    and of one evaluation (build/book-GAME.tsv)");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "rules", required_argument, NULL, 'l' },
		{ "work", required_argument, NULL, 'w' },
		{ "positions", required_argument, NULL, 'p' },
		{ "depth", required_argument, NULL, 'd' },
		{ "step", required_argument, NULL, 'c' },
		{ "equal", required_argument, NULL, 'e' },
		{ "seconds", required_argument, NULL, 's' },
		{ "threads", required_argument, NULL, 't' },
		{ "memory", required_argument, NULL, 'm' },
		{ "journal", required_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct booking settings = { .seconds = 3600,
				    .work = 200000,
				    .positions = 20000,
				    .step = -1,
				    .equal = -1,
				    .memory = 256,
				    .threads = 2 };
	char journal[JOURNAL_MAX];
	const char *rules = NULL;
	bool fine = true;
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		switch (c) {
		case 'l':
			rules = optarg;
			break;
		case 'w':
			fine &= gtp_int(optarg, &settings.work) && settings.work > 0;
			break;
		case 'p':
			fine &= gtp_int(optarg, &settings.positions) && settings.positions > 0;
			break;
		case 'd':
			fine &= gtp_int(optarg, &settings.depth) && settings.depth >= 0;
			break;
		case 'c':
			fine &= gtp_real(optarg, &settings.step) && settings.step > 0;
			break;
		case 'e':
			fine &= gtp_real(optarg, &settings.equal) && settings.equal >= 0;
			break;
		case 's':
			fine &= gtp_real(optarg, &settings.seconds) && settings.seconds > 0;
			break;
		case 't':
			fine &= gtp_int(optarg, &settings.threads) && settings.threads > 0;
			break;
		case 'm':
			fine &= gtp_int(optarg, &settings.memory) && settings.memory > 0;
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
	const struct game *g = optind < argc ? game_find(argv[optind], rules) : NULL;
	if (!fine || optind + 2 != argc || !g || !g->stones) {
		fputs("book: wanted is [OPTION...] GAME OUTPUT; see book --help\n", stderr);
		return EXIT_USAGE;
	}
	settings.game = g;
	settings.output = argv[optind + 1];
	if (settings.step < 0)
		settings.step = g->unit ? 0.5 : 0.02;
	if (settings.equal < 0)
		settings.equal = g->unit ? 0.5 : 0.01;
	if (!settings.journal) {
		snprintf(journal, sizeof journal, "build/book-%s.tsv", g->name);
		settings.journal = journal;
	}
	booker_run(&settings);
	return 0;
}
