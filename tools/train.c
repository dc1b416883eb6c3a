/* SPDX-License-Identifier: MIT
 *
 * train: the command line of tools/train/trainer.h and tuner.h.
 */
#include <limits.h>

#include "games/games.h"
#include "tools/lib/flags.h"
#include "tools/train/trainer.h"
#include "tools/train/tuner.h"

int main(int argc, char **argv)
{
	struct settings s = { .folder = "build/train",
			      .seconds = 900,
			      .rounds = INT_MAX,
			      .threads = 2,
			      .simulations = 4000 };
	int seed = 1, depth = 4;
	const struct flag list[] = {
		{ "seconds", "N", "of self-play and learning, in this run (900)",
		  .real = &s.seconds },
		{ "rounds", "N",
		  "of self-play and learning, at most, in this run (as many as there is time for)",
		  .number = &s.rounds, .least = 1 },
		{ "passes", "N",
		  "of learning first, a network's, through the samples that the folder has (0)",
		  .number = &s.passes },
		{ "samples", "N", "of a round (40000; patterns: 1500000)", .number = &s.samples,
		  .least = 1 },
		{ "threads", "N", "games played at a time (2)", .number = &s.threads, .least = 1 },
		{ "simulations", "N", "of a search that teaches a network (4000)",
		  .number = &s.simulations, .least = 1 },
		{ "depth", "N", "of a search that teaches patterns (4)", .number = &depth,
		  .least = 1 },
		{ "rate", "X",
		  "of learning, at first (a network's 0.001, patterns' 0.008; onward 0.0005)",
		  .real = &s.rate },
		{ "onward", NULL, "begins with the weights that the game has now, not with nothing",
		  .set = &s.onward },
		{ "folder", "PATH",
		  "samples, log and state, from which the next run goes on (build/train)",
		  .text = &s.folder },
		{ "seed", "N", "(1)", .number = &seed },
	};
	const struct flags flags = { "train",
				     "GAME OUTPUT",
				     2,
				     2,
				     "Learns the network of a game, or the patterns of its "
				     "evaluation, by self-play and writes it to\n"
				     "OUTPUT.",
				     list,
				     sizeof list / sizeof list[0] };
	int word = flags_read(&flags, argc, argv);
	games_init();
	s.game = game_find(argv[word], NULL);
	if (!s.game || !s.game->stones)
		flags_refuse(&flags);
	s.output = argv[word + 1];
	s.seed = (uint64_t)seed;
	if (!s.samples)
		s.samples = s.game->patterns ? 1500000 : 40000;
	if (s.rate == 0)
		s.rate = s.onward ? 0.0005 : s.game->patterns ? 0.008 : 0.001;
	if (s.game->patterns)
		tuner_run(&(struct tuning) { s.game, s.folder, s.output, s.seconds, s.rounds,
					     s.samples, s.threads, depth, s.rate, s.onward,
					     s.seed });
	else
		trainer_run(&s);
	return 0;
}
