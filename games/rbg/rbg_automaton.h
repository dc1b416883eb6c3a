/* SPDX-License-Identifier: MIT
 *
 * The rules as an automaton. What a player does is a path through it: *tests* and walks, which change nothing, and *modifiers*,
 * which put pieces, set variables, or give the turn. Between two modifiers a path is only a question: which modifiers can be
 * made next, and on which squares? A *program* answers it for a set of squares at once. It is a list of operations on sets, one
 * set for each node of the automaton, in an order in which each set is complete before it is used, but in loops, which are
 * repeated until nothing new comes.
 */
#ifndef GAMES_RBG_RBG_AUTOMATON_H
#define GAMES_RBG_RBG_AUTOMATON_H

#include "games/rbg/rbg_walk.h"

#define RBG_MODIFIERS_MAX 16384

enum rbg_op_kind {
	RBG_OP_COPY,
	RBG_OP_WALK,    /* by `walk` */
	RBG_OP_BACK,    /* by `walk`, backwards */
	RBG_OP_STAY,    /* those in the squares `here` of `walk` */
	RBG_OP_COMPARE, /* all, if term `value` is true */
	RBG_OP_CAN,     /* those from which pattern `value` can be done */
	RBG_OP_CANNOT,
};

/* Adds to set `to` what becomes of set `from`. */
struct rbg_op {
	uint8_t kind;
	uint16_t from, to;
	int32_t value;
	const struct rbg_walk *walk; /* of a walk, back or stay */
	/* Only squares with one of these pieces go on, before and after a copy, a walk or a stay. 0: all do. */
	uint64_t before, after;
};

/* Some operations, one after the other. */
struct rbg_block {
	int first, count;
	bool repeats; /* until nothing changes */
	bool is_ray;  /* it is one operation: a walk from square to square, back into its set */
};

/* A modifier that can be made on the squares of a set. */
struct rbg_exit {
	int modifier;
	int set;
};

struct rbg_program {
	int node; /* where it starts; its set is the first one */
	int set_count;
	int op_count, block_count, exit_count;
	struct rbg_op *ops;
	struct rbg_block *blocks;
	struct rbg_exit *exits;
	int end; /* the set of the end of a pattern, -1: there is none */
	/* Whatever the position, a turn, or the end of a pattern, can be reached. */
	bool finishes;
	/* It does not matter on which square it starts. */
	bool anywhere;
	/* Whatever the position, there is one way to the turn, and no other. */
	bool is_straight;
};

struct rbg_modifier {
	uint8_t kind;  /* RBG_PUT, RBG_SET, RBG_TURN, RBG_WAIT */
	int32_t value; /* as in the term */
	int32_t term;
	int32_t program; /* what follows */
	bool in_pattern;
};

/* What `{? }` and `{! }` ask. The same question at several places is one pattern. */
struct rbg_pattern {
	uint64_t hash; /* of its terms */
	int end;       /* the automaton's node where it ends */
	int program;
	bool changes; /* it has modifiers, so each square needs a try of its own */
	struct rbg_program
		backward; /* else: from the end, all squares from which it can be done, in set `end` */
};

struct rbg_automaton {
	const struct rbg_rules *rules;
	int squares, words; /* of a set */
	int walk_count, program_count, modifier_count, pattern_count;
	struct rbg_walk **walks;
	struct rbg_program *programs;
	struct rbg_modifier *modifiers;
	struct rbg_pattern *patterns;
	int start; /* the program of the first move, which is the keeper's */
};

/* Makes the automaton of rules, which must outlive it. Returns NULL and the reason in *error if they are too large. */
struct rbg_automaton *rbg_automaton_new(const struct rbg_rules *, struct text *error);
void rbg_automaton_free(struct rbg_automaton *);

#endif
