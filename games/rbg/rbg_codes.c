/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_codes.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/memory.h"

/* Where each program may start, whatever the pieces and variables are. */
struct rbg_reach {
	const struct rbg_automaton *a;
	uint64_t *starts;  /* [program * words] */
	bool *is_players;  /* by program: it is a part of a player's move */
	bool *is_new;      /* by program: its starts have grown since it was followed */
	uint64_t *sets;    /* of one program */
	uint64_t *targets; /* [modifier * words]: the squares on which a player may make it */
};

/* Fills the sets of a program with all squares that no test could exclude but those of walks. */
static void rbg_reach_run(struct rbg_reach *r, const struct rbg_program *p, const uint64_t *start)
{
	const int words = r->a->words;
	memset(r->sets, 0, (size_t)(p->set_count * words) * sizeof *r->sets);
	memcpy(r->sets, start, (size_t)words * sizeof *start);
	for (bool grown = true; grown;) {
		grown = false;
		for (int i = 0; i < p->op_count; i++) {
			const struct rbg_op *op = &p->ops[i];
			uint64_t out[RBG_WORDS_MAX] = { 0 }, *to = &r->sets[op->to * words];
			if (op->walk)
				rbg_walk_add(op->walk, &r->sets[op->from * words], false, out);
			else
				memcpy(out, &r->sets[op->from * words],
				       (size_t)words * sizeof *out);
			for (int k = 0; k < words; k++) {
				grown |= (out[k] & ~to[k]) != 0;
				to[k] |= out[k];
			}
		}
	}
}

/* Adds the starts of the program that follows a modifier. */
static void rbg_reach_enter(struct rbg_reach *r, const struct rbg_modifier *m, const uint64_t *set,
			    bool is_players)
{
	const int words = r->a->words;
	uint64_t *starts = &r->starts[m->program * words], any = 0;
	const uint64_t first[RBG_WORDS_MAX] = { 1 };
	bool is_turn = m->kind == RBG_TURN;
	for (int k = 0; k < words; k++)
		any |= set[k];
	if (!any)
		return;
	if (is_turn && r->a->programs[m->program].anywhere)
		set = first;
	for (int k = 0; k < words; k++) {
		r->is_new[m->program] |= (set[k] & ~starts[k]) != 0;
		starts[k] |= set[k];
	}
	bool belongs = is_turn ? m->value != RBG_KEEPER : is_players;
	r->is_new[m->program] |= belongs && !r->is_players[m->program];
	r->is_players[m->program] |= belongs;
}

/* Returns the number of modifiers and squares that can come next. */
static int rbg_reach_follow(struct rbg_reach *r, int program)
{
	const struct rbg_program *p = &r->a->programs[program];
	int count = 0;
	rbg_reach_run(r, p, &r->starts[program * r->a->words]);
	for (int i = 0; i < p->exit_count; i++) {
		const int modifier = p->exits[i].modifier;
		const uint64_t *set = &r->sets[p->exits[i].set * r->a->words];
		for (int k = 0; k < r->a->words && r->is_players[program]; k++) {
			r->targets[modifier * r->a->words + k] |= set[k];
			count += __builtin_popcountll(set[k]);
		}
		rbg_reach_enter(r, &r->a->modifiers[modifier], set, r->is_players[program]);
	}
	return count;
}

static void rbg_reach_follow_all(struct rbg_reach *r, struct rbg_codes *c)
{
	r->starts[r->a->start * r->a->words] = 1;
	r->is_new[r->a->start] = true;
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < r->a->program_count; i++) {
			if (!r->is_new[i])
				continue;
			r->is_new[i] = false;
			changed = true;
			int count = rbg_reach_follow(r, i);
			c->choices = count > c->choices ? count : c->choices;
		}
	}
}

static void rbg_codes_number(struct rbg_codes *c, const struct rbg_reach *r)
{
	const struct rbg_automaton *a = r->a;
	c->codes = xcalloc((size_t)a->modifier_count * (size_t)a->squares + 1, sizeof *c->codes);
	c->acts = xcalloc(GAME_CODES_MAX, sizeof *c->acts);
	for (int i = 0; i < a->modifier_count; i++)
		for (int square = 0; square < a->squares; square++) {
			if (!bits_has(&r->targets[i * a->words], square))
				continue;
			if (c->count == GAME_CODES_MAX) {
				c->count = 0;
				return;
			}
			c->codes[i * a->squares + square] = (uint16_t)c->count;
			c->acts[c->count++] = (struct rbg_act) { (uint16_t)i, (uint16_t)square };
		}
}

void rbg_codes_init(struct rbg_codes *c, const struct rbg_automaton *a)
{
	size_t words = (size_t)a->words, programs = (size_t)a->program_count;
	int sets = 1;
	for (int i = 0; i < a->program_count; i++)
		sets = a->programs[i].set_count > sets ? a->programs[i].set_count : sets;
	struct rbg_reach r = { .a = a };
	r.starts = xcalloc(programs * words, sizeof *r.starts);
	r.is_players = xcalloc(programs, sizeof *r.is_players);
	r.is_new = xcalloc(programs, sizeof *r.is_new);
	r.sets = xcalloc((size_t)sets * words, sizeof *r.sets);
	r.targets = xcalloc((size_t)a->modifier_count * words + 1, sizeof *r.targets);
	*c = (struct rbg_codes) { 0 };
	rbg_reach_follow_all(&r, c);
	rbg_codes_number(c, &r);
	free(r.starts);
	free(r.is_players);
	free(r.is_new);
	free(r.sets);
	free(r.targets);
}

bool rbg_codes_has(const struct rbg_codes *c, const struct rbg_automaton *a, int modifier)
{
	for (int square = 0; square < a->squares && c->count; square++) {
		uint16_t code = c->codes[modifier * a->squares + square];
		if (c->acts[code].modifier == modifier && c->acts[code].square == square)
			return true;
	}
	return false;
}

void rbg_codes_free(struct rbg_codes *c)
{
	free(c->acts);
	free(c->codes);
}
