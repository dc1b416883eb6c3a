/* SPDX-License-Identifier: MIT
 *
 * book: the command line of tools/book/builder.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "games/games.h"
#include "tools/book/builder.h"
#include "tools/book/confirm.h"
#include "tools/lib/flags.h"

#define JOURNAL_MAX 64

int main(int argc, char **argv)
{
	struct booking s = { .seconds = 3600,
			     .work = 200000,
			     .positions = 20000,
			     .step = -1,
			     .equal = -1,
			     .memory = 256,
			     .threads = 2 };
	const char *rules = NULL;
	bool confirms = false;
	char journal[JOURNAL_MAX];
	const struct flag list[] = {
		{ "rules", "NAME", "the game's rule set", .text = &rules },
		{ "work", "N", "playouts or nodes of each search (200000)", .number = &s.work,
		  .least = 1 },
		{ "positions", "N", "most positions to search (20000)", .number = &s.positions,
		  .least = 1 },
		{ "depth", "N", "all positions so few moves from the start are searched first (0)",
		  .number = &s.depth },
		{ "step", "X",
		  "what a move costs on the way to a position, beside what it gives away\n"
		  "(0.5 points, 0.02 where the result alone counts)",
		  .real = &s.step },
		{ "equal", "X", "moves are as good as the best that give away no more (0.5, 0.01)",
		  .real = &s.equal },
		{ "seconds", "N", "time for this run (3600)", .real = &s.seconds },
		{ "threads", "N", "positions searched at a time (2)", .number = &s.threads,
		  .least = 1 },
		{ "memory", "N", "MiB of each of these searches (256)", .number = &s.memory,
		  .least = 1 },
		{ "confirm", NULL,
		  "search no new positions: keep the moves of the game's book that searches by\n"
		  "two seeds confirm; they give away no more than --equal by either",
		  .set = &confirms },
		{ "journal", "PATH",
		  "the file of results, from which the next run goes on; it is of one game,\n"
		  "and of one evaluation (build/book-GAME.tsv; with --confirm\n"
		  "build/confirm-GAME.tsv)",
		  .text = &s.journal },
	};
	const struct flags flags = { "book",
				     "GAME OUTPUT",
				     2,
				     2,
				     "Searches the first moves of a game, those that good players "
				     "may make the deepest, and writes\n"
				     "the best ones to OUTPUT.",
				     list,
				     sizeof list / sizeof list[0] };
	int word = flags_read(&flags, argc, argv);
	games_init();
	s.game = game_find(argv[word], rules);
	if (!s.game || !s.game->stones)
		flags_refuse(&flags);
	s.output = argv[word + 1];
	if (s.step < 0)
		s.step = s.game->unit ? 0.5 : 0.02;
	if (s.equal < 0)
		s.equal = s.game->unit ? 0.5 : 0.01;
	if (!s.journal) {
		snprintf(journal, sizeof journal, "build/%s-%s.tsv", confirms ? "confirm" : "book",
			 s.game->name);
		s.journal = journal;
	}
	if (confirms && !s.game->book) {
		fprintf(stderr, "book: %s has no book to confirm\n", s.game->title);
		return EXIT_FAILURE;
	}
	(confirms ? confirm_run : builder_run)(&s);
	return 0;
}
