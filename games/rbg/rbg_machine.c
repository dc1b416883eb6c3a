/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_machine.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/memory.h"

#define RBG_ROOM        ((size_t)8 << 20) /* bytes; pages that no position needs cost nothing */
#define RBG_WORK        INT64_C(30000000) /* about a second */
#define RBG_KEEPER_MAX  100000            /* most moves of the keeper in a row */
#define RBG_NUMBER_MOST (INT64_C(1) << 31)

struct rbg_change {
	int16_t square; /* -1: a variable */
	uint8_t variable;
	int32_t old; /* the piece or the value */
	uint64_t version;
};

/* --- life --- */

struct rbg_machine *rbg_machine_new(const struct rbg_automaton *a)
{
	struct rbg_machine *m = xcalloc(1, sizeof *m);
	size_t words = (size_t)a->words, patterns = (size_t)a->pattern_count + 1;
	m->a = a;
	m->pieces = xcalloc((size_t)a->rules->piece_count * words, sizeof *m->pieces);
	m->known_version = xcalloc(patterns, sizeof *m->known_version);
	m->known = xcalloc(patterns * words, sizeof *m->known);
	m->tried = xcalloc(patterns, sizeof *m->tried);
	m->changes = xcalloc(RBG_DEPTH_MAX + 1, sizeof *m->changes);
	m->room = block_create(RBG_ROOM);
	m->room_size = RBG_ROOM / sizeof *m->room;
	if (!m->room)
		out_of_memory();
	m->version = m->last_version = 1;
	return m;
}

void rbg_machine_free(struct rbg_machine *m)
{
	if (!m)
		return;
	block_destroy(m->room, RBG_ROOM);
	free(m->pieces);
	free(m->known_version);
	free(m->known);
	free(m->tried);
	free(m->groups);
	free(m->group_acts);
	free(m->group_sets);
	free(m->changes);
	free(m);
}

void rbg_machine_put(struct rbg_machine *m, int square, int piece)
{
	const int words = m->a->words;
	m->pieces[m->at[square] * words + square / 64] &= ~(UINT64_C(1) << square % 64);
	m->pieces[piece * words + square / 64] |= UINT64_C(1) << square % 64;
	m->at[square] = (uint8_t)piece;
	m->version = ++m->last_version;
}

void rbg_machine_clear(struct rbg_machine *m)
{
	memset(m->pieces, 0, (size_t)(m->a->rules->piece_count * m->a->words) * sizeof *m->pieces);
	m->change_count = 0;
}

void rbg_machine_start(struct rbg_machine *m)
{
	const struct rbg_rules *r = m->a->rules;
	rbg_machine_clear(m);
	for (int i = 0; i < m->a->squares; i++)
		rbg_machine_put(m, i, r->squares[i].piece);
	memset(m->variables, 0, sizeof m->variables);
	m->point = (struct rbg_point) { m->a->start, 0, RBG_KEEPER };
}

/* Takes zeroed sets from the room. Returns NULL, and gives up, if it is full. */
static uint64_t *rbg_room_take(struct rbg_machine *m, int sets)
{
	size_t words = (size_t)(sets * m->a->words);
	if (m->room_used + words > m->room_size) {
		m->work = -1;
		return NULL;
	}
	uint64_t *taken = &m->room[m->room_used];
	m->room_used += words;
	memset(taken, 0, words * sizeof *taken);
	return taken;
}

/* --- numbers --- */

static int64_t rbg_number_bound(int64_t x)
{
	return x > RBG_NUMBER_MOST ? RBG_NUMBER_MOST : x < -RBG_NUMBER_MOST ? -RBG_NUMBER_MOST : x;
}

static int64_t rbg_number_count(const struct rbg_machine *m, int piece)
{
	int count = 0;
	for (int i = 0; i < m->a->words; i++)
		count += __builtin_popcountll(m->pieces[piece * m->a->words + i]);
	return count;
}

/* Computes a number. Clears *valid on a division by 0. */
static int64_t rbg_number(const struct rbg_machine *m, int term, bool *valid)
{
	const struct rbg_term *t = &m->a->rules->terms[term];
	if (t->kind == RBG_NUMBER)
		return t->value;
	if (t->kind == RBG_VARIABLE)
		return m->variables[t->value];
	if (t->kind == RBG_COUNT)
		return rbg_number_count(m, t->value);
	int64_t a = rbg_number(m, t->child, valid);
	int64_t b = rbg_number(m, m->a->rules->terms[t->child].next, valid);
	switch (t->kind) {
	case RBG_ADD:
		return rbg_number_bound(a + b);
	case RBG_SUBTRACT:
		return rbg_number_bound(a - b);
	case RBG_MULTIPLY:
		return rbg_number_bound(a * b);
	default:
		*valid &= b != 0;
		return b ? a / b : 0;
	}
}

static bool rbg_compare(const struct rbg_machine *m, int term)
{
	const struct rbg_term *t = &m->a->rules->terms[term];
	bool valid = true;
	int64_t a = rbg_number(m, t->child, &valid);
	int64_t b = rbg_number(m, m->a->rules->terms[t->child].next, &valid);
	if (!valid)
		return false;
	switch (t->relation) {
	case RBG_EQUAL:
		return a == b;
	case RBG_NOT_EQUAL:
		return a != b;
	case RBG_LESS:
		return a < b;
	case RBG_LESS_OR_EQUAL:
		return a <= b;
	case RBG_GREATER:
		return a > b;
	default:
		return a >= b;
	}
}

/* --- modifiers --- */

static bool rbg_apply_set(struct rbg_machine *m, const struct rbg_modifier *x)
{
	bool valid = true;
	int64_t value = rbg_number(m, m->a->rules->terms[x->term].child, &valid);
	if (!valid || value < 0 || value > m->a->rules->variables[x->value].most)
		return false;
	m->changes[m->change_count++] = (struct rbg_change) { -1, (uint8_t)x->value,
							      m->variables[x->value], m->version };
	if (m->variables[x->value] != value)
		m->version = ++m->last_version;
	m->variables[x->value] = (int32_t)value;
	return true;
}

/* Makes a modifier and notes what it changes. Returns false if it is illegal: a variable would leave its range, or there are too many.
 */
static bool rbg_apply(struct rbg_machine *m, struct rbg_act act)
{
	const struct rbg_modifier *x = &m->a->modifiers[act.modifier];
	if (m->change_count == RBG_DEPTH_MAX) {
		m->work = -1;
		return false;
	}
	if (x->kind == RBG_SET)
		return rbg_apply_set(m, x);
	m->changes[m->change_count++] = (struct rbg_change) { (int16_t)act.square, 0,
							      m->at[act.square], m->version };
	if (x->kind == RBG_PUT && m->at[act.square] != x->value)
		rbg_machine_put(m, act.square, x->value);
	return true;
}

static void rbg_undo(struct rbg_machine *m)
{
	const struct rbg_change *c = &m->changes[--m->change_count];
	if (c->square < 0)
		m->variables[c->variable] = c->old;
	else if (m->at[c->square] != c->old)
		rbg_machine_put(m, c->square, c->old);
	m->version = c->version;
}

/* --- programs --- */

static void rbg_run(struct rbg_machine *m, const struct rbg_program *p, uint64_t *sets);
static bool rbg_reaches(struct rbg_machine *m, int program, int square);

/* The squares from which a pattern without modifiers can be done. */
static const uint64_t *rbg_pattern_squares(struct rbg_machine *m, int pattern)
{
	const int words = m->a->words;
	uint64_t *known = &m->known[pattern * words];
	if (m->known_version[pattern] == m->version)
		return known;
	const struct rbg_program *p = &m->a->patterns[pattern].backward;
	size_t used = m->room_used;
	uint64_t *sets = rbg_room_take(m, p->set_count);
	memset(known, 0, (size_t)words * sizeof *known);
	if (sets) {
		for (int i = 0; i < words; i++)
			sets[i] = ~UINT64_C(0);
		if (m->a->squares % 64)
			sets[words - 1] = ~UINT64_C(0) >> (64 - m->a->squares % 64);
		rbg_run(m, p, sets);
		if (p->end >= 0)
			memcpy(known, &sets[p->end * words], (size_t)words * sizeof *known);
	}
	m->known_version[pattern] = m->work < 0 ? 0 : m->version;
	m->room_used = used;
	return known;
}

/* Tries a pattern from one square, unless that was done last. */
static bool rbg_pattern_try(struct rbg_machine *m, int pattern, int square)
{
	struct rbg_tried *t = &m->tried[pattern];
	if (t->version != m->version || t->square != square) {
		bool can = rbg_reaches(m, m->a->patterns[pattern].program, square);
		*t = (struct rbg_tried) { m->work < 0 ? 0 : m->version, (int16_t)square, can };
	}
	return t->can;
}

/* Returns true if a set has no more than two squares in any word. */
static bool rbg_is_few(const struct rbg_machine *m, const uint64_t *set)
{
	uint64_t more = 0;
	for (int i = 0; i < m->a->words; i++) {
		uint64_t rest = set[i] & (set[i] - 1);
		more |= rest & (rest - 1);
	}
	return !more;
}

/* Finds the squares of a set from which a pattern can be done. One or two squares are tried one by one. */
static void rbg_pattern(struct rbg_machine *m, int pattern, const uint64_t *set, uint64_t *out)
{
	const struct rbg_pattern *p = &m->a->patterns[pattern];
	if (!p->changes && (!rbg_is_few(m, set) || m->known_version[pattern] == m->version)) {
		const uint64_t *can = rbg_pattern_squares(m, pattern);
		for (int i = 0; i < m->a->words; i++)
			out[i] = set[i] & can[i];
		return;
	}
	for (int i = 0; i < m->a->words; i++) {
		out[i] = 0;
		for (uint64_t rest = set[i]; rest; rest &= rest - 1)
			if (rbg_pattern_try(m, pattern, 64 * i + __builtin_ctzll(rest)))
				out[i] |= rest & -rest;
	}
}

/* Leaves only squares with one of the pieces in a set. */
BITS_INLINE void rbg_run_filter(const struct rbg_machine *m, uint64_t pieces, uint64_t *set,
				const int words)
{
	for (int i = 0; i < words; i++) {
		uint64_t with = 0;
		for (uint64_t rest = pieces; rest; rest &= rest - 1)
			with |= m->pieces[__builtin_ctzll(rest) * words + i];
		set[i] &= with;
	}
}

static void rbg_run_pattern(struct rbg_machine *m, const struct rbg_op *op, const uint64_t *set,
			    uint64_t *out)
{
	uint64_t can[RBG_WORDS_MAX];
	rbg_pattern(m, op->value, set, can);
	for (int i = 0; i < m->a->words; i++)
		out[i] |= op->kind == RBG_OP_CAN ? can[i] : set[i] & ~can[i];
}

BITS_INLINE void rbg_run_walk(const struct rbg_op *op, const uint64_t *set, uint64_t *out,
			      const int words)
{
	if (words == 1)
		*out |= rbg_walk_word(op->walk, *set, op->kind == RBG_OP_BACK);
	else
		rbg_walk_add(op->walk, set, op->kind == RBG_OP_BACK, out);
}

/* Finds what becomes of a set by a copy, a walk or a stay. */
BITS_INLINE void rbg_run_move(struct rbg_machine *m, const struct rbg_op *op, const uint64_t *set,
			      uint64_t *out, const int words)
{
	uint64_t from[RBG_WORDS_MAX];
	memcpy(from, set, (size_t)words * sizeof *from);
	if (op->before)
		rbg_run_filter(m, op->before, from, words);
	if (op->kind == RBG_OP_WALK || op->kind == RBG_OP_BACK)
		rbg_run_walk(op, from, out, words);
	else
		for (int i = 0; i < words; i++)
			out[i] = op->kind == RBG_OP_STAY ? from[i] & op->walk->here[i] : from[i];
	if (op->after)
		rbg_run_filter(m, op->after, out, words);
}

BITS_INLINE void rbg_run_op(struct rbg_machine *m, const struct rbg_op *op, const uint64_t *set,
			    uint64_t *out, const int words)
{
	if (op->kind <= RBG_OP_STAY)
		rbg_run_move(m, op, set, out, words);
	else if (op->kind != RBG_OP_COMPARE)
		rbg_run_pattern(m, op, set, out);
	else if (rbg_compare(m, op->value))
		for (int i = 0; i < words; i++)
			out[i] = set[i];
}

static bool rbg_has(const struct rbg_machine *m, uint64_t pieces, int square)
{
	return !pieces || (pieces >> m->at[square] & 1);
}

/* Finds where a copy, a walk or a stay leads from one square; -1: nowhere. */
BITS_INLINE int rbg_run_step(const struct rbg_machine *m, const struct rbg_op *op, int square)
{
	if (!rbg_has(m, op->before, square))
		return -1;
	if (op->kind == RBG_OP_WALK)
		square = op->walk->next[square];
	else if (op->kind == RBG_OP_STAY && !bits_has(op->walk->here, square))
		return -1;
	return square >= 0 && rbg_has(m, op->after, square) ? square : -1;
}

/* Walks on from each square of a set until nothing new comes. */
static void rbg_run_ray(const struct rbg_machine *m, const struct rbg_op *op, uint64_t *set)
{
	for (int word = 0; word < m->a->words; word++)
		for (uint64_t rest = set[word]; rest; rest &= rest - 1) {
			int square = 64 * word + __builtin_ctzll(rest);
			while ((square = rbg_run_step(m, op, square)) >= 0 &&
			       !bits_has(set, square))
				bits_add(set, square);
		}
}

/* Returns true if an operation can be done square by square. */
BITS_INLINE bool rbg_run_is_step(const struct rbg_op *op)
{
	return op->kind == RBG_OP_COPY || op->kind == RBG_OP_STAY ||
	       (op->kind == RBG_OP_WALK && op->walk->next);
}

/* Runs the operations of a block once. Returns true if a set has grown. One square goes alone. */
BITS_INLINE bool rbg_run_block(struct rbg_machine *m, const struct rbg_program *p,
			       const struct rbg_block *b, uint64_t *sets, const int words)
{
	bool grown = false;
	for (int i = b->first; i < b->first + b->count; i++) {
		const struct rbg_op *op = &p->ops[i];
		const uint64_t *from = &sets[op->from * words];
		uint64_t *to = &sets[op->to * words], any = 0, more = 0, out[RBG_WORDS_MAX];
		int word = 0;
		for (int k = 0; k < words; k++) {
			more |= (any && from[k]) | (from[k] & (from[k] - 1));
			any |= from[k];
			word = from[k] ? k : word;
		}
		if (!any)
			continue;
		if (!more && rbg_run_is_step(op)) {
			int square = rbg_run_step(m, op, 64 * word + __builtin_ctzll(any));
			if (square >= 0) {
				grown |= !bits_has(to, square);
				bits_add(to, square);
			}
			continue;
		}
		for (int k = 0; k < words; k++)
			out[k] = 0;
		rbg_run_op(m, op, from, out, words);
		for (int k = 0; k < words; k++) {
			grown |= (out[k] & ~to[k]) != 0;
			to[k] |= out[k];
		}
	}
	return grown;
}

BITS_INLINE void rbg_run_words(struct rbg_machine *m, const struct rbg_program *p, uint64_t *sets,
			       const int words)
{
	for (int i = 0; i < p->block_count; i++) {
		const struct rbg_block *b = &p->blocks[i];
		if (b->is_ray)
			rbg_run_ray(m, &p->ops[b->first], &sets[p->ops[b->first].from * words]);
		else
			while (rbg_run_block(m, p, b, sets, words) && b->repeats)
				;
	}
}

/* Fills the sets of a program; the first one is given. The usual numbers of words have code of their own. */
static void rbg_run(struct rbg_machine *m, const struct rbg_program *p, uint64_t *sets)
{
	m->work -= 1 + p->op_count;
	if (m->a->words == 1)
		rbg_run_words(m, p, sets, 1);
	else if (m->a->words == 2)
		rbg_run_words(m, p, sets, 2);
	else
		rbg_run_words(m, p, sets, m->a->words);
}

/* The same from one square. Returns the sets, or NULL if there is no room. */
static uint64_t *rbg_run_from(struct rbg_machine *m, const struct rbg_program *p, int square)
{
	uint64_t *sets = rbg_room_take(m, p->set_count);
	if (!sets)
		return NULL;
	bits_add(sets, square);
	rbg_run(m, p, sets);
	return sets;
}

static bool rbg_is_empty(const struct rbg_machine *m, const uint64_t *set)
{
	uint64_t any = 0;
	for (int i = 0; i < m->a->words; i++)
		any |= set[i];
	return !any;
}

/* --- paths --- */

typedef bool rbg_take(struct rbg_machine *, struct rbg_act, void *arg);

/* Calls `take` with each modifier that can come next after a program has run. Stops if it returns true, and returns that. */
static bool rbg_each_exit(struct rbg_machine *m, const struct rbg_program *p, const uint64_t *sets,
			  rbg_take *take, void *arg)
{
	for (int i = 0; i < p->exit_count; i++)
		for (int word = 0; word < m->a->words; word++)
			for (uint64_t rest = sets[p->exits[i].set * m->a->words + word];
			     rest && m->work >= 0; rest &= rest - 1) {
				int square = 64 * word + __builtin_ctzll(rest);
				struct rbg_act act = { (uint16_t)p->exits[i].modifier,
						       (uint16_t)square };
				if (take(m, act, arg))
					return true;
			}
	return false;
}

/* The same for the modifiers that can come next from a square. */
static bool rbg_each(struct rbg_machine *m, int program, int square, rbg_take *take, void *arg)
{
	const struct rbg_program *p = &m->a->programs[program];
	size_t used = m->room_used;
	const uint64_t *sets = rbg_run_from(m, p, square);
	bool taken = sets && rbg_each_exit(m, p, sets, take, arg);
	m->room_used = used;
	return taken;
}

/* Returns true if a modifier can be made and its path has an end. */
static bool rbg_leads(struct rbg_machine *m, struct rbg_act act, void *unused)
{
	const struct rbg_modifier *x = &m->a->modifiers[act.modifier];
	if (x->kind == RBG_TURN || (x->kind != RBG_SET && m->a->programs[x->program].finishes))
		return true;
	if (!rbg_apply(m, act))
		return false;
	bool leads = rbg_reaches(m, x->program, act.square);
	rbg_undo(m);
	return leads;
}

/* Returns true if some path from a square ends, in a turn or as a pattern does. */
static bool rbg_reaches(struct rbg_machine *m, int program, int square)
{
	const struct rbg_program *p = &m->a->programs[program];
	if (p->finishes)
		return true;
	size_t used = m->room_used;
	const uint64_t *sets = rbg_run_from(m, p, square);
	bool reaches = sets && ((p->end >= 0 && !rbg_is_empty(m, &sets[p->end * m->a->words])) ||
				rbg_each_exit(m, p, sets, rbg_leads, NULL));
	m->room_used = used;
	return reaches;
}

/* --- the keeper --- */

/* Positions that differ only in a square that does not matter are made equal. */
static void rbg_give_turn(struct rbg_machine *m, struct rbg_act act)
{
	const struct rbg_modifier *x = &m->a->modifiers[act.modifier];
	int square = m->a->programs[x->program].anywhere ? 0 : act.square;
	m->point = (struct rbg_point) { x->program, square, x->value };
}

/* Makes the modifiers of the first path that ends in a turn. */
static bool rbg_follow(struct rbg_machine *m, struct rbg_act act, void *unused)
{
	const struct rbg_modifier *x = &m->a->modifiers[act.modifier];
	if (x->kind == RBG_TURN) {
		rbg_give_turn(m, act);
		return true;
	}
	if (!rbg_apply(m, act))
		return false;
	if (rbg_each(m, x->program, act.square, rbg_follow, NULL))
		return true;
	rbg_undo(m);
	return false;
}

/* Begins another question: nothing can be taken back any more. */
static void rbg_machine_begin(struct rbg_machine *m)
{
	m->work = RBG_WORK;
	m->change_count = 0;
}

bool rbg_machine_keep(struct rbg_machine *m)
{
	rbg_machine_begin(m);
	for (int count = 0; m->point.player == RBG_KEEPER; count++) {
		m->change_count = 0;
		if (count == RBG_KEEPER_MAX ||
		    !rbg_each(m, m->point.program, m->point.square, rbg_follow, NULL))
			return false;
	}
	return true;
}

/* --- moves --- */

struct rbg_next {
	bool (*take)(void *arg, struct rbg_act);
	void *arg;
};

static bool rbg_next_take(struct rbg_machine *m, struct rbg_act act, void *arg)
{
	const struct rbg_next *next = arg;
	return rbg_leads(m, act, NULL) && next->take(next->arg, act);
}

bool rbg_machine_next(struct rbg_machine *m, bool (*take)(void *arg, struct rbg_act), void *arg)
{
	struct rbg_next next = { take, arg };
	rbg_machine_begin(m);
	return rbg_each(m, m->point.program, m->point.square, rbg_next_take, &next);
}

bool rbg_machine_can_move(struct rbg_machine *m)
{
	rbg_machine_begin(m);
	return rbg_each(m, m->point.program, m->point.square, rbg_leads, NULL);
}

/* Notes the first modifier, whose `modifier` is that of none before. Returns true for a second one. */
static bool rbg_take_only(struct rbg_machine *m, struct rbg_act act, void *arg)
{
	struct rbg_act *only = arg;
	if (only->modifier != RBG_MODIFIERS_MAX)
		return true;
	*only = act;
	return false;
}

bool rbg_machine_only(struct rbg_machine *m, struct rbg_act *act)
{
	act->modifier = RBG_MODIFIERS_MAX;
	rbg_machine_begin(m);
	return !rbg_each(m, m->point.program, m->point.square, rbg_take_only, act) &&
	       act->modifier != RBG_MODIFIERS_MAX;
}

bool rbg_machine_make(struct rbg_machine *m, struct rbg_act act)
{
	const struct rbg_modifier *x = &m->a->modifiers[act.modifier];
	rbg_machine_begin(m);
	if (x->kind == RBG_TURN) {
		rbg_give_turn(m, act);
		return true;
	}
	rbg_apply(m, act);
	m->point.program = x->program;
	m->point.square = act.square;
	return false;
}

struct rbg_moves {
	bool (*take)(void *arg, const struct rbg_act *acts, int count);
	void *arg;
	struct rbg_act acts[RBG_DEPTH_MAX + 1];
	int count;
};

static bool rbg_moves_take(struct rbg_machine *m, struct rbg_act act, void *arg)
{
	struct rbg_moves *moves = arg;
	const struct rbg_modifier *x = &m->a->modifiers[act.modifier];
	moves->acts[moves->count] = act;
	if (x->kind == RBG_TURN)
		return moves->take(moves->arg, moves->acts, moves->count + 1);
	if (!rbg_apply(m, act))
		return false;
	moves->count++;
	bool taken = rbg_each(m, x->program, act.square, rbg_moves_take, moves);
	moves->count--;
	rbg_undo(m);
	return taken;
}

bool rbg_machine_moves(struct rbg_machine *m,
		       bool (*take)(void *arg, const struct rbg_act *acts, int count), void *arg)
{
	struct rbg_moves moves;
	moves.take = take;
	moves.arg = arg;
	moves.count = 0;
	rbg_machine_begin(m);
	return rbg_each(m, m->point.program, m->point.square, rbg_moves_take, &moves);
}

/* --- random moves --- */

/* Moves that begin with the same modifiers and make one more, each on another square. All that follows is the same. */
struct rbg_group {
	int first_act, act_count;
	int modifier;
	int count; /* of moves */
};

/* Makes room for one more group, and the modifiers before it. */
static void rbg_group_grow(struct rbg_machine *m, int act_count)
{
	size_t words = (size_t)m->a->words;
	if (m->group_count == m->group_room) {
		m->group_room = 2 * m->group_room + 32;
		size_t room = (size_t)m->group_room;
		m->groups = xrealloc(m->groups, room * sizeof *m->groups);
		m->group_sets = xrealloc(m->group_sets, room * words * sizeof *m->group_sets);
	}
	if (m->group_act_count + act_count >= m->group_act_room) {
		m->group_act_room = 2 * (m->group_act_count + act_count) + 1;
		m->group_acts = xrealloc(m->group_acts,
					 (size_t)m->group_act_room * sizeof *m->group_acts);
	}
}

static void rbg_group_add(struct rbg_machine *m, const struct rbg_act *acts, int act_count,
			  int modifier, const uint64_t *set)
{
	rbg_group_grow(m, act_count);
	struct rbg_group *g = &m->groups[m->group_count];
	*g = (struct rbg_group) { m->group_act_count, act_count, modifier, 0 };
	for (int i = 0; i < m->a->words; i++) {
		m->group_sets[m->group_count * m->a->words + i] = set[i];
		g->count += __builtin_popcountll(set[i]);
	}
	memcpy(&m->group_acts[m->group_act_count], acts, (size_t)act_count * sizeof *acts);
	m->group_act_count += act_count;
	m->move_count += g->count;
	m->group_count++;
}

static void rbg_groups_find(struct rbg_machine *m, int program, int square, struct rbg_act *acts,
			    int act_count);

/* The groups of the moves that go on with a modifier on one of the squares of a set. */
static void rbg_groups_find_on(struct rbg_machine *m, int modifier, const uint64_t *set,
			       struct rbg_act *acts, int act_count)
{
	const struct rbg_modifier *x = &m->a->modifiers[modifier];
	if (x->kind == RBG_TURN || (x->kind != RBG_SET && m->a->programs[x->program].is_straight)) {
		rbg_group_add(m, acts, act_count, modifier, set);
		return;
	}
	for (int word = 0; word < m->a->words; word++)
		for (uint64_t rest = set[word]; rest && m->work >= 0; rest &= rest - 1) {
			int square = 64 * word + __builtin_ctzll(rest);
			acts[act_count] = (struct rbg_act) { (uint16_t)modifier, (uint16_t)square };
			if (!rbg_apply(m, acts[act_count]))
				continue;
			rbg_groups_find(m, x->program, square, acts, act_count + 1);
			rbg_undo(m);
		}
}

static void rbg_groups_find(struct rbg_machine *m, int program, int square, struct rbg_act *acts,
			    int act_count)
{
	const struct rbg_program *p = &m->a->programs[program];
	size_t used = m->room_used;
	const uint64_t *sets = rbg_run_from(m, p, square);
	for (int i = 0; sets && i < p->exit_count; i++) {
		const uint64_t *set = &sets[p->exits[i].set * m->a->words];
		if (!rbg_is_empty(m, set))
			rbg_groups_find_on(m, p->exits[i].modifier, set, acts, act_count);
	}
	m->room_used = used;
}

bool rbg_machine_random(struct rbg_machine *m, struct rng *rng)
{
	struct rbg_act acts[RBG_DEPTH_MAX + 1], act;
	m->group_count = m->group_act_count = m->move_count = 0;
	rbg_machine_begin(m);
	rbg_groups_find(m, m->point.program, m->point.square, acts, 0);
	if (!m->move_count)
		return false;
	int chosen = (int)rng_below(rng, (uint32_t)m->move_count);
	const struct rbg_group *g = m->groups;
	for (; chosen >= g->count; g++)
		chosen -= g->count;
	for (int i = 0; i < g->act_count; i++)
		rbg_machine_make(m, m->group_acts[g->first_act + i]);
	const uint64_t *set = &m->group_sets[(g - m->groups) * m->a->words];
	act = (struct rbg_act) { (uint16_t)g->modifier, (uint16_t)bits_nth(set, chosen) };
	while (!rbg_machine_make(m, act) && rbg_machine_only(m, &act))
		;
	return true;
}
