/* SPDX-License-Identifier: MIT
 *
 * equality: checks that the depth-first searches choose the same moves as negamax at equal depth, and
 * counts the nodes that each visits. Prints one row of a Markdown table per depth. The positions come after
 * random moves from the start of the game and are the same at every depth.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/search/engine.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "protocol/program/program.h"

#define SEARCHES 3

static const char *const searches[SEARCHES] = { "negamax", "alphabeta-plain", "alphabeta" };

/* A search's answers to all positions. */
struct equality_answers {
	struct move *moves;
	double *scores;
	uint64_t nodes;
};

/* Leads the record from its start to a random position with at least two moves. */
static void equality_draw_position(struct record *r, struct rng *rng)
{
	struct move moves[GAME_MOVES_MAX];
	do {
		record_restart(r, r->game);
		for (uint32_t left = 1 + rng_below(rng, (uint32_t)r->game->steps.length);
		     left && !r->now.over; left--) {
			int n = record_moves(r, moves);
			record_play(r, moves[rng_below(rng, (uint32_t)n)]);
		}
	} while (r->now.over || record_moves(r, moves) < 2);
}

/* Runs a search at a depth on all positions. */
static void answer_all(struct equality_answers *a, const char *search, int depth,
		       const struct record *positions, int count)
{
	char why[REASON_MAX];
	struct report report;
	struct engine *e = engine_create();
	struct options *o = engine_options(e);
	options_set(o, "search", search);
	o->depth = depth;
	o->threads = 1;
	o->probcut = 0;
	a->nodes = 0;
	for (int i = 0; i < count; i++) {
		struct limits limits = engine_limits(e, positions[i].game, TIME_NEVER);
		if (!engine_search(e, &positions[i], &limits, &report, why)) {
			fprintf(stderr, "equality: %s: %s\n", search, why);
			exit(EXIT_USAGE);
		}
		a->moves[i] = report.line[0];
		a->scores[i] = report.score;
		a->nodes += report.nodes;
	}
	engine_destroy(e);
}

/* Counts the answers with the same move and the same score. Two unknown scores are equal. */
static int equality_count_equal(const struct equality_answers *a, const struct equality_answers *b,
				int count)
{
	int equal = 0;
	for (int i = 0; i < count; i++)
		equal += move_equal(a->moves[i], b->moves[i]) &&
			 (a->scores[i] == b->scores[i] ||
			  (a->scores[i] != a->scores[i] && b->scores[i] != b->scores[i]));
	return equal;
}

struct equality_command_line {
	const char *size;
};

static const struct program program;

static int equality_run(const struct arguments *a)
{
	int depth_max, count;
	struct rng rng;
	struct equality_answers answers[SEARCHES];
	const struct equality_command_line *line = a->values;
	const struct game *g = program_game(&program, a->words[0], NULL, line->size);
	if (!g)
		return EXIT_USAGE;
	if (!gtp_int(a->words[1], &depth_max))
		return program_complain(&program, "DEPTH is a whole number");
	if (!gtp_int(a->words[2], &count) || count == 0)
		return program_complain(&program, "POSITIONS is a whole number from 1");
	struct record *positions = xcalloc((size_t)count, sizeof *positions);
	rng_seed(&rng, 1);
	for (int i = 0; i < count; i++) {
		record_init(&positions[i], g);
		equality_draw_position(&positions[i], &rng);
	}
	for (int i = 0; i < SEARCHES; i++) {
		answers[i].moves = xcalloc((size_t)count, sizeof *answers[i].moves);
		answers[i].scores = xcalloc((size_t)count, sizeof *answers[i].scores);
	}

	bool all_equal = true;
	fputs("| depth | positions |", stdout);
	for (int i = 0; i < SEARCHES; i++)
		printf(" nodes of %s |%s", searches[i], i ? " moves as negamax |" : "");
	fputs("\n|---|---|---|---|---|---|---|\n", stdout);
	for (int depth = 1; depth <= depth_max; depth++) {
		printf("| %d | %d |", depth, count);
		for (int i = 0; i < SEARCHES; i++) {
			answer_all(&answers[i], searches[i], depth, positions, count);
			int equal = equality_count_equal(&answers[0], &answers[i], count);
			all_equal &= equal == count;
			printf(" %llu |", (unsigned long long)answers[i].nodes);
			if (i)
				printf(" %d |", equal);
			fflush(stdout);
		}
		fputs("\n", stdout);
	}
	for (int i = 0; i < count; i++)
		record_free(&positions[i]);
	for (int i = 0; i < SEARCHES; i++) {
		free(answers[i].moves);
		free(answers[i].scores);
	}
	free(positions);
	return !all_equal;
}

static const struct mode modes[] = {
	{ .name = "",
	  .args_min = 3,
	  .args_max = 3,
	  .args = "GAME DEPTH POSITIONS",
	  .run = equality_run },
	{ 0 },
};

static const struct flag flags[] = {
	{ "size", FLAG_SIZE, offsetof(struct equality_command_line, size), "SIZE",
	  "size of the board: N or COLUMNSxROWS" },
	{ 0 },
};

static const struct program program = {
	.name = "equality",
	.summary = "compare the depth-first searches",
	.description = "Compares the moves of the depth-first searches at depths 1 to DEPTH on "
		       "POSITIONS random positions, and counts their nodes. Exit status 1: a "
		       "search chose another move than negamax.",
	.modes = modes,
	.flags = flags,
	.size = sizeof(struct equality_command_line),
};

int main(int argc, char **argv)
{
	struct equality_command_line line = { 0 };
	return program_run(&program, &line, argc, argv);
}
