/* SPDX-License-Identifier: MIT
 *
 * yomi-train: the command line of tools/train/trainer.h and tools/train/tuner.h.
 */
#include <limits.h>
#include <stdlib.h>

#include "engine/base/text.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/eval.h"
#include "games/games.h"
#include "games/pentago/quadrant_net.h"
#include "protocol/program/program.h"
#include "tools/ranks/ranks.h"
#include "tools/train/recipe.h"
#include "tools/train/trainer.h"
#include "tools/train/tuner.h"

#define COUNT_MAX 1e9

/* The command line. */
struct yomi_train_command_line {
	struct training settings;
	const char *size;
	int seed;
};

static const struct program program;

/* Writes a word as the shell reads it: in single quotes unless all its characters are plain. */
static void print_word(struct text *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=.,:/@%";
	bool is_plain = *word && !word[strspn(word, plain)];
	text_puts(out, is_plain ? "" : "'");
	for (const char *c = word; *c; c++)
		text_printf(out, *c == '\'' ? "'\\%c'" : "%c", *c);
	text_puts(out, is_plain ? "" : "'");
}

/* The command that repeats a run, with all settings that matter: the number of threads and ranks changes only how many
 * rounds the time allows. The file says how many there were. The caller frees it. */
static char *command_of(const struct training *s, const char *size)
{
	struct text text = { 0 };
	text_printf(&text, "yomi train --seconds=%.10g --samples=%d --rate=%.10g --seed=%llu",
		    s->seconds, s->samples, s->rate, (unsigned long long)s->seed);
	if (eval_patterns(s->game))
		text_printf(&text, " --depth=%d", s->depth);
	else
		text_printf(&text, " --simulations=%d", s->simulations);
	if (!eval_patterns(s->game) && !net_of(s->game))
		text_printf(&text, " --blocks=%d", s->blocks);
	if (s->passes)
		text_printf(&text, " --passes=%d", s->passes);
	if (s->start) {
		text_puts(&text, " --network=");
		print_word(&text, s->start);
	}
	text_printf(&text, "%s%s", s->onward ? " --warm-start" : "",
		    s->overlap ? " --overlap" : "");
	if (size)
		text_printf(&text, " --size=%s", size);
	text_printf(&text, " %s OUTPUT", s->game->name);
	return text_take(&text);
}

static int yomi_train_run(const struct arguments *arguments)
{
	const struct yomi_train_command_line *a = arguments->values;
	struct training s = a->settings;
	const struct game *g = program_game(&program, arguments->words[0], NULL, a->size);
	if (!g)
		return EXIT_USAGE;
	bool quadrants = net_of(g); /* Pentago's network */
	if (!eval_patterns(g) && !quadrants && !board_net_fits(g, &(int) { 0 }))
		return program_complain(&program,
					"%s has no network: its moves have several steps, or more "
					"than %d ways for a square",
					g->name, BOARD_NET_WAYS);
	if (s.passes && eval_patterns(g))
		return program_complain(&program, "%s does not take --passes", g->name);
	if (s.start && (eval_patterns(g) || quadrants))
		return program_complain(&program, "%s does not take --network", g->name);
	if (s.onward && !eval_patterns(g) && !quadrants && !board_net_of(g))
		return program_complain(&program,
					"%s has no own network to start with; --network=FILE "
					"starts with another",
					g->name);
	s.game = g;
	s.output = arguments->words[1];
	s.seed = (uint64_t)a->seed;
	if (!s.threads)
		s.threads = ranks_count() > 1 ? 1 : 2;
	if (!s.samples)
		s.samples = eval_patterns(g) ? 1500000 : quadrants ? 40000 : 10000;
	if (!s.simulations)
		s.simulations = quadrants ? 4000 : 32;
	if (s.rate == 0)
		s.rate = s.onward || s.start ? 0.0005 : eval_patterns(g) ? 0.008 : 0.001;
	char *command = command_of(&s, a->size);
	s.command = command;
	if (eval_patterns(g))
		tuner_run(&s);
	else
		trainer_run(&s);
	free(command);
	return EXIT_SUCCESS;
}

static int yomi_train_show(const struct arguments *arguments)
{
	if (ranks_own() == 0)
		recipe_show(arguments->words[0]);
	return EXIT_SUCCESS;
}

static const struct mode modes[] = {
	{ .name = "", .args_min = 2, .args_max = 2, .args = "GAME OUTPUT", .run = yomi_train_run },
	{ .name = "show",
	  .args_min = 1,
	  .args_max = 1,
	  .args = "FILE",
	  .help = "print how the weights in FILE were made",
	  .options = "",
	  .run = yomi_train_show },
	{ 0 },
};

#define AT(field) offsetof(struct yomi_train_command_line, field)

static const struct flag flags[] = {
	{ "size", FLAG_SIZE, AT(size), "SIZE", "size of the board: N or COLUMNSxROWS",
	  .group = "Game" },
	{ "seconds", FLAG_REAL, AT(settings.seconds), "SECONDS",
	  "time for self-play and learning in this run (default 900)", 0, COUNT_MAX,
	  .group = "Length of a run" },
	{ "rounds", FLAG_INT, AT(settings.rounds), "COUNT",
	  "maximum number of rounds in this run (default: as many as the time allows)", 1,
	  INT_MAX },
	{ "samples", FLAG_INT, AT(settings.samples), "COUNT",
	  "samples in each round (default 10000 for a network for any board, 40000 for Pentago, "
	  "1500000 for patterns)",
	  1, COUNT_MAX },
	{ "passes", FLAG_INT, AT(settings.passes), "COUNT",
	  "networks: passes over the folder's samples before the first round (default 0)", 0,
	  COUNT_MAX },
	{ "threads", FLAG_INT, AT(settings.threads), "COUNT",
	  "games played at a time (default 2); under mpirun, by each process but the first "
	  "(default 1)",
	  1, RANKS_WORKERS_MAX, .group = "Self-play" },
	{ "simulations", FLAG_INT, AT(settings.simulations), "COUNT",
	  "networks: simulations of each search (default 32; Pentago 4000)", 1, COUNT_MAX },
	{ "blocks", FLAG_INT, AT(settings.blocks), "COUNT",
	  "networks for any board: pairs of layers (default 4)", 0, BOARD_NET_BLOCKS },
	{ "depth", FLAG_INT, AT(settings.depth), "MOVES",
	  "patterns: depth of each search (default 4)", 1, 1000 },
	{ "seed", FLAG_INT, AT(seed), "NUMBER", "seed of all randomness (default 1)", 0, INT_MAX },
	{ "overlap", FLAG_SET, AT(settings.overlap), NULL,
	  "play a round while learning from the one before; its games use weights that are one "
	  "round older" },
	{ "rate", FLAG_REAL, AT(settings.rate), "NUMBER",
	  "learning rate at the start (default 0.001 for a network, 0.008 for patterns, 0.0005 "
	  "with --warm-start or --network)",
	  0, 100, .group = "Learning" },
	{ "warm-start", FLAG_SET, AT(settings.onward), NULL,
	  "start with the game's current weights instead of from scratch", .alias = "onward" },
	{ "network", FLAG_TEXT, AT(settings.start), "FILE",
	  "networks for any board: start with the one in FILE, which may be of another size" },
	{ "folder", FLAG_TEXT, AT(settings.folder), "FOLDER",
	  "folder for samples, log and state; the next run continues from it (default "
	  "build/train)" },
	{ 0 },
};

static const struct note notes[] = {
	{ "Examples", NULL, "A network for Pentago, half an hour at a time:" },
	{ NULL, NULL, "    yomi train pentago pentago.net --seconds=1800 --folder=pentago" },
	{ NULL, NULL,
	  "The same on nine processes, of which eight play, with the package yomi-mpi:" },
	{ NULL, NULL,
	  "    mpirun -n 9 yomi train --overlap pentago pentago.net "
	  "--seconds=1800 --folder=pentago" },
	{ "See also", NULL, "yomi(1), yomi-book(1), yomi-match(1)" },
	{ 0 },
};

static const struct program program = {
	.name = "yomi-train",
	.summary = "train the evaluation of a game by self-play",
	.description =
		"Learns the network of a game, or the patterns of its evaluation, by self-play, "
		"and writes it to OUTPUT. A later run with the same folder continues it.",
	.modes = modes,
	.flags = flags,
	.notes = notes,
	.size = sizeof(struct yomi_train_command_line),
};

int main(int argc, char **argv)
{
	struct yomi_train_command_line a = {
		.settings = { .folder = "build/train",
			      .seconds = 900,
			      .rounds = INT_MAX,
			      .depth = 4,
			      .blocks = 4 },
		.seed = 1,
	};
	ranks_start(argv);
	return ranks_end(program_run(&program, &a, argc, argv));
}
