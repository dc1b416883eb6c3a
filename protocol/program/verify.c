/* SPDX-License-Identifier: MIT */
#include "protocol/program/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "protocol/program/certificate.h"
#include "protocol/program/program.h"
#include "protocol/session/size.h"
#include "protocol/session/worth.h"

#define TABLE_PART 4 /* the table of verified positions gets 1/n of the memory */

/* What the claims together say of the result for the side to move. */
static const char *proven_name(const struct certificate *c)
{
	int lower = -1, upper = 1;
	for (int i = 0; i < c->count; i++)
		if (c->claims[i].side == BLACK)
			lower = c->claims[i].points;
		else
			upper = -c->claims[i].points;
	return worth_value(c->start.side, lower, upper);
}

static void print_hole(const struct certificate *c, const struct certificate_claim *claim,
		       enum verdict verdict, const struct state *hole)
{
	char text[POSITION_TEXT_MAX];
	game_position(c->game, hole, text);
	printf("hole      %s (%c claims a %s; %s)\n", text, claim->side == BLACK ? 'X' : 'O',
	       claim->points ? "win" : "draw or better",
	       verdict == HOLE ? "the move of the file does not keep it"
			       : "the file has no move here");
}

/* Checks all claims. */
static int program_verify_check(const struct certificate *c, size_t bytes)
{
	int64_t start = clock_now();
	uint64_t positions = 0, more;
	enum verdict verdict = VERIFIED;
	struct control control;
	struct state hole;
	int i = 0;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	for (; i < c->count && verdict == VERIFIED; i++) {
		verdict = certificate_check(c, i, bytes, &control, &more, &hole);
		positions += more;
	}
	if (verdict == VERIFIED)
		printf("proven    %s\n", proven_name(c));
	else
		print_hole(c, &c->claims[i - 1], verdict, &hole);
	printf("positions %llu\ntime      %.3f s\n", (unsigned long long)positions,
	       clock_since(start));
	return verdict == VERIFIED ? EXIT_SUCCESS : EXIT_FAILURE;
}

int verify_run(const struct arguments *a)
{
	const size_t memory = (size_t)a->options.memory * MEMORY_UNIT;
	struct certificate c;
	char why[REASON_MAX], text[POSITION_TEXT_MAX], size[SIZE_TEXT_MAX];
	int status = EXIT_USAGE;
	if (certificate_read(a->words[0], memory - memory / TABLE_PART, &c, why)) {
		game_position(c.game, &c.start, text);
		size_format(c.game, size);
		printf("game      %s\nrules     %s\nsize      %s\nposition  %s\n", c.game->name,
		       c.game->rules, size, text);
		status = program_verify_check(&c, memory / TABLE_PART);
	} else {
		fprintf(stderr, "yomi: %s\n", why);
	}
	certificate_free(&c);
	return status;
}
