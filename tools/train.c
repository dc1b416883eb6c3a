/* SPDX-License-Identifier: MIT
 *
 * train: the command line of tools/lib/trainer.h.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>

#include "games/games.h"
#include "protocol/gtp.h"
#include "tools/lib/trainer.h"
#include "tools/lib/tuner.h"

#define EXIT_USAGE 2

static void usage(void)
{
	puts("Usage: train [OPTION...] GAME OUTPUT\n"
	     "Learns the network of a game, or the patterns of its evaluation, by self-play and "
	     "writes "
	     "it to\nOUTPUT.\n\n"
	     "  --seconds=N       time for learning, in this run (900)\n"
	     "  --rounds=N        of self-play and learning, at most, in this run (as many as "
	     "there is time for)\n"
	     "  --samples=N       of a round (40000; patterns: 1500000)\n"
	     "  --threads=N       games played at a time (2)\n"
	     "  --simulations=N   of a search that teaches a network (1600)\n"
	     "  --depth=N         of a search that teaches patterns (4)\n"
	     "  --rate=X          of learning, at first (0.001; for a network that is good "
	     "already, less)\n"
	     "  --onward          begins with the weights that the game has now, not with nothing\n"
	     "  --folder=PATH     samples, log and state, from which the next run goes on\n"
	     "                    (build/train)\n"
	     "  --seed=N          (1)");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "rounds", required_argument, NULL, 'u' },
		{ "samples", required_argument, NULL, 'a' },
		{ "threads", required_argument, NULL, 't' },
		{ "simulations", required_argument, NULL, 'n' },
		{ "depth", required_argument, NULL, 'd' },
		{ "folder", required_argument, NULL, 'f' },
		{ "rate", required_argument, NULL, 'e' },
		{ "onward", no_argument, NULL, 'o' },
		{ "seed", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct settings s = { .folder = "build/train",
			      .seconds = 900,
			      .rounds = INT_MAX,
			      .threads = 2,
			      .simulations = 1600,
			      .rate = 0.001,
			      .seed = 1 };
	int seed = 1, depth = 4;
	bool fine = true;
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		switch (c) {
		case 's':
			fine &= gtp_real(optarg, &s.seconds) && s.seconds > 0;
			break;
		case 'u':
			fine &= gtp_int(optarg, &s.rounds) && s.rounds > 0;
			break;
		case 'a':
			fine &= gtp_int(optarg, &s.samples) && s.samples > 0;
			break;
		case 't':
			fine &= gtp_int(optarg, &s.threads) && s.threads > 0;
			break;
		case 'n':
			fine &= gtp_int(optarg, &s.simulations) && s.simulations > 0;
			break;
		case 'd':
			fine &= gtp_int(optarg, &depth) && depth > 0;
			break;
		case 'f':
			s.folder = optarg;
			break;
		case 'e':
			fine &= gtp_real(optarg, &s.rate) && s.rate > 0;
			break;
		case 'o':
			s.onward = true;
			break;
		case 'r':
			fine &= gtp_int(optarg, &seed);
			break;
		case 'h':
			usage();
			return 0;
		default:
			fine = false;
		}
	}
	s.seed = (uint64_t)seed;
	games_init();
	s.game = optind < argc ? game_find(argv[optind], NULL) : NULL;
	if (!fine || optind + 2 != argc || !s.game || !s.game->stones) {
		fputs("train: wanted is [OPTION...] GAME OUTPUT; see train --help\n", stderr);
		return EXIT_USAGE;
	}
	s.output = argv[optind + 1];
	if (!s.samples)
		s.samples = s.game->patterns ? 1500000 : 40000;
	if (s.game->patterns)
		tuner_run(&(struct tuning) { s.game, s.folder, s.output, s.seconds, s.rounds,
					     s.samples, s.threads, depth, s.onward, s.seed });
	else
		trainer_run(&s);
	return 0;
}
