/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_play.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/rules/playouts.h"

#define RBG_STATE_FIRST 2 /* the first word behind the keys */

/* --- machines --- */

static struct rbg_machine *rbg_play_take(const struct rbg_table *table)
{
	struct rbg_table *t = (struct rbg_table *)table;
	struct rbg_machine *m = NULL;
	pthread_mutex_lock(&t->spare_lock);
	if (t->spare_count)
		m = t->spare[--t->spare_count];
	pthread_mutex_unlock(&t->spare_lock);
	return m ? m : rbg_machine_new(t->automaton);
}

void rbg_play_release(const struct rbg_table *table, struct rbg_machine *m)
{
	struct rbg_table *t = (struct rbg_table *)table;
	pthread_mutex_lock(&t->spare_lock);
	bool is_kept = t->spare_count < RBG_SPARE_MAX;
	if (is_kept)
		t->spare[t->spare_count++] = m;
	pthread_mutex_unlock(&t->spare_lock);
	if (!is_kept)
		rbg_machine_free(m);
}

/* --- states --- */

/* The bits that numbers from 0 to `most` need. */
static int rbg_bits(uint32_t most)
{
	return most ? 32 - __builtin_clz(most) : 0;
}

/* Numbers that are packed one after the other, from a word on. */
struct rbg_packed {
	uint64_t *words;
	int bit;
};

static void rbg_pack(struct rbg_packed *p, uint32_t most, uint64_t value)
{
	int bits = rbg_bits(most), word = p->bit / 64, shift = p->bit % 64;
	p->words[word] |= value << shift;
	if (shift + bits > 64)
		p->words[word + 1] |= value >> (64 - shift);
	p->bit += bits;
}

static uint32_t rbg_unpack(struct rbg_packed *p, uint32_t most)
{
	int bits = rbg_bits(most), word = p->bit / 64, shift = p->bit % 64;
	uint64_t value = p->words[word] >> shift;
	if (shift + bits > 64)
		value |= p->words[word + 1] << (64 - shift);
	p->bit += bits;
	return (uint32_t)(value & ((UINT64_C(1) << bits) - 1));
}

/* The number of bits behind the pieces. */
static int rbg_play_bits(const struct rbg_table *t)
{
	int bits = rbg_bits((uint32_t)t->automaton->program_count - 1) +
		   rbg_bits((uint32_t)t->rules->square_count - 1);
	for (int i = 0; i < t->rules->variable_count; i++)
		bits += rbg_bits((uint32_t)t->rules->variables[i].most);
	return bits;
}

static int rbg_play_words(const struct rbg_table *t)
{
	return t->planes * t->automaton->words + (rbg_play_bits(t) + 63) / 64;
}

const char *rbg_play_fits(const struct rbg_table *t)
{
	return rbg_play_words(t) > STATE_WORDS - RBG_STATE_FIRST
		       ? "pieces, squares and variables need more than 896 bits for a position"
		       : NULL;
}

static void rbg_play_hash(const struct rbg_table *t, struct state *s)
{
	uint64_t a = 0x9e3779b97f4a7c15u, b = 0xc2b2ae3d27d4eb4fu;
	for (int i = 0; i < rbg_play_words(t); i++) {
		uint64_t word = s->board[RBG_STATE_FIRST + i];
		a = (a ^ word) * 0xff51afd7ed558ccdu;
		a ^= a >> 32;
		b = (b + word) * 0xc4ceb9fe1a85ec53u;
		b ^= b >> 29;
	}
	s->board[0] = a;
	s->board[1] = b;
	s->hash = state_hash(s);
}

static void rbg_play_save(const struct rbg_table *t, const struct rbg_machine *m, struct state *s)
{
	const int words = t->automaton->words;
	memset(s->board, 0, sizeof s->board);
	for (int piece = 1; piece < t->rules->piece_count; piece++)
		for (int plane = 0; plane < t->planes; plane++)
			for (int k = 0; k < words && piece >> plane & 1; k++)
				s->board[RBG_STATE_FIRST + plane * words + k] |=
					m->pieces[piece * words + k];
	struct rbg_packed p = { s->board, 64 * (RBG_STATE_FIRST + t->planes * words) };
	rbg_pack(&p, (uint32_t)t->automaton->program_count - 1, (uint64_t)m->point.program);
	rbg_pack(&p, (uint32_t)t->rules->square_count - 1, (uint64_t)m->point.square);
	for (int i = 0; i < t->rules->variable_count; i++)
		rbg_pack(&p, (uint32_t)t->rules->variables[i].most, (uint64_t)m->variables[i]);
	rbg_play_hash(t, s);
}

static int rbg_play_piece(const struct rbg_table *t, const struct state *s, int square)
{
	int piece = 0;
	for (int plane = 0; plane < t->planes; plane++)
		piece |= bits_has(&s->board[RBG_STATE_FIRST + plane * t->automaton->words], square)
			 << plane;
	return piece;
}

struct rbg_machine *rbg_play_load(const struct rbg_table *t, const struct state *s)
{
	const int words = t->automaton->words;
	struct rbg_machine *m = rbg_play_take(t);
	struct state copy = *s;
	rbg_machine_clear(m);
	for (int i = 0; i < t->rules->square_count; i++)
		rbg_machine_put(m, i, rbg_play_piece(t, s, i));
	struct rbg_packed p = { copy.board, 64 * (RBG_STATE_FIRST + t->planes * words) };
	m->point.program = (int)rbg_unpack(&p, (uint32_t)t->automaton->program_count - 1);
	m->point.square = (int)rbg_unpack(&p, (uint32_t)t->rules->square_count - 1);
	m->point.player = s->side ^ t->black;
	for (int i = 0; i < t->rules->variable_count; i++)
		m->variables[i] = (int32_t)rbg_unpack(&p, (uint32_t)t->rules->variables[i].most);
	return m;
}

/* --- moves --- */

int rbg_play_score(const struct rbg_table *t, const struct rbg_machine *m)
{
	return score_sign(m->variables[t->black] - m->variables[t->black ^ 1]);
}

/* Sets the variables that are set before the first choice, if only one thing can be done. */
static void rbg_play_settle(const struct rbg_table *t, struct rbg_machine *m)
{
	struct rbg_act act;
	while (rbg_machine_only(m, &act) && t->automaton->modifiers[act.modifier].kind == RBG_SET)
		rbg_machine_make(m, act);
}

/* The turn has been given, or could not: then the game is over. Lets the keeper play, and sets all of the state. */
static void rbg_play_turn(const struct rbg_table *t, struct rbg_machine *m, struct state *s,
			  bool turned)
{
	bool goes_on = turned && rbg_machine_keep(m) && rbg_machine_can_move(m);
	if (goes_on)
		rbg_play_settle(t, m);
	if (m->point.player != RBG_KEEPER)
		s->side = (uint8_t)(m->point.player ^ t->black);
	s->over = !goes_on;
	s->pending = s->stones = 0;
	s->score = (int16_t)(goes_on ? 0 : rbg_play_score(t, m));
	rbg_play_save(t, m, s);
}

/* How the last step of a move that may have no more steps goes on. */
struct rbg_last {
	const struct rbg_automaton *a;
	struct rbg_act act;
	bool has_act;
};

/* Takes the first modifier there is, or one that gives the turn. */
static bool rbg_play_take_last(void *arg, struct rbg_act act)
{
	struct rbg_last *last = arg;
	bool is_turn = last->a->modifiers[act.modifier].kind == RBG_TURN;
	if (!last->has_act || is_turn)
		last->act = act;
	last->has_act = true;
	return is_turn;
}

/* Makes modifiers to the end of the move. Returns false if it has not come after very many. */
static bool rbg_play_finish(const struct rbg_table *t, struct rbg_machine *m,
			    void (*take)(void *arg, struct rbg_act), void *arg)
{
	for (int i = 0; i < RBG_DEPTH_MAX; i++) {
		struct rbg_last last = { .a = t->automaton };
		rbg_machine_next(m, rbg_play_take_last, &last);
		if (!last.has_act)
			return false;
		if (take)
			take(arg, last.act);
		if (rbg_machine_make(m, last.act))
			return true;
	}
	return false;
}

void rbg_play_step(const struct rbg_table *t, struct rbg_machine *m, struct state *s,
		   struct rbg_act act, void (*take)(void *arg, struct rbg_act), void *arg)
{
	bool turned;
	do {
		if (take)
			take(arg, act);
		turned = rbg_machine_make(m, act);
	} while (!turned && rbg_machine_only(m, &act));
	if (!turned && s->pending == MOVE_STEPS_MAX - 1)
		turned = rbg_play_finish(t, m, take, arg);
	if (turned || s->pending == MOVE_STEPS_MAX - 1) {
		rbg_play_turn(t, m, s, turned);
		return;
	}
	s->pending = (uint8_t)(t->splits ? 0 : s->pending + 1);
	rbg_play_save(t, m, s);
}

/* --- random games --- */

int rbg_play_out(const struct rbg_table *t, struct rbg_machine *m, struct rng *rng)
{
	int left = PLAYOUT_STEPS;
	while (rbg_machine_random(m, rng) && rbg_machine_keep(m) && --left)
		;
	return left ? rbg_play_score(t, m) : 0;
}

/* --- the game's functions --- */

void rbg_play_start(const struct game *g, struct state *s)
{
	*s = rbg_table(g)->start;
}

struct rbg_steps {
	const struct rbg_table *t;
	move_t *out;
	int count;
};

static bool rbg_play_list(void *arg, struct rbg_act act)
{
	struct rbg_steps *steps = arg;
	const struct rbg_codes *c = &steps->t->codes;
	steps->out[steps->count] = (move_t)(c->count ? rbg_code(c, steps->t->automaton, act)
						     : steps->count);
	steps->count++;
	return steps->count == GAME_STEPS_MAX;
}

int rbg_play_moves(const struct game *g, const struct state *s, move_t *out)
{
	struct rbg_steps steps = { rbg_table(g), out, 0 };
	struct rbg_machine *m = rbg_play_load(steps.t, s);
	rbg_machine_next(m, rbg_play_list, &steps);
	rbg_play_release(steps.t, m);
	return steps.count;
}

/* Counts down to a modifier. */
struct rbg_nth {
	int left;
	struct rbg_act act;
};

static bool rbg_play_take_nth(void *arg, struct rbg_act act)
{
	struct rbg_nth *nth = arg;
	nth->act = act;
	return nth->left-- == 0;
}

struct rbg_act rbg_play_act(const struct rbg_table *t, struct rbg_machine *m, move_t step)
{
	struct rbg_nth nth = { .left = step };
	if (t->codes.count)
		return t->codes.acts[step];
	rbg_machine_next(m, rbg_play_take_nth, &nth);
	return nth.act;
}

void rbg_play_play(const struct game *g, struct state *s, move_t step)
{
	const struct rbg_table *t = rbg_table(g);
	struct rbg_machine *m = rbg_play_load(t, s);
	rbg_play_step(t, m, s, rbg_play_act(t, m, step), NULL, NULL);
	rbg_play_release(t, m);
}

char rbg_play_at(const struct game *g, const struct state *s, int row, int col)
{
	const struct rbg_table *t = rbg_table(g);
	int square = t->squares[row * g->board.cols + col];
	return square < 0 ? ':' : t->letters[rbg_play_piece(t, s, square)];
}

const char *rbg_play_setup(const struct game *g, struct state *s, const char *squares, int side)
{
	const struct rbg_table *t = rbg_table(g);
	struct rbg_machine *m = rbg_play_take(t);
	rbg_machine_clear(m);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (t->squares[i] >= 0) {
			const char *letter = memchr(t->letters, squares[i],
						    (size_t)t->rules->piece_count);
			rbg_machine_put(m, t->squares[i], letter ? (int)(letter - t->letters) : 0);
		}
	memcpy(m->variables, t->variables, sizeof m->variables);
	m->point = t->points[side];
	*s = (struct state) { .side = (uint8_t)side };
	rbg_play_turn(t, m, s, true);
	rbg_play_release(t, m);
	return NULL;
}

bool rbg_play_valid(const struct game *g, const struct state *s)
{
	const struct rbg_table *t = rbg_table(g);
	for (int i = 0; i < t->rules->square_count; i++)
		if (rbg_play_piece(t, s, i) >= t->rules->piece_count)
			return false;
	struct rbg_machine *m = rbg_play_load(t, s);
	struct state again = *s;
	rbg_play_save(t, m, &again);
	bool can_move = s->over || rbg_machine_can_move(m);
	bool fits = s->score == (s->over ? rbg_play_score(t, m) : 0);
	rbg_play_release(t, m);
	return can_move && fits && memcmp(again.board, s->board, sizeof again.board) == 0 &&
	       again.hash == s->hash;
}

/* --- the start --- */

/* Plays first moves until the other side has its turn, to know where its moves begin. */
static void rbg_play_find_points(struct rbg_table *t)
{
	struct state s = t->start;
	t->points[WHITE] = t->points[BLACK];
	for (int i = 0; i < 100 && !s.over; i++) {
		move_t steps[GAME_STEPS_MAX];
		rbg_play_moves(&t->game, &s, steps);
		rbg_play_play(&t->game, &s, steps[0]);
		if (s.side == WHITE && !s.over) {
			struct rbg_machine *m = rbg_play_load(t, &s);
			t->points[WHITE] = m->point;
			rbg_play_release(t, m);
			return;
		}
	}
}

#define RBG_POSITIONS 12 /* whose moves are counted */

static bool rbg_play_count(void *arg, const struct rbg_act *acts, int count)
{
	return ++*(int *)arg > GAME_MOVES_MAX / 2;
}

/* Plays a random game for some moves, and finds out whether a position has so many moves that others may have more than GAME_MOVES_MAX. Returns
 * NULL, or what is wrong with the game. */
static const char *rbg_play_try(struct rbg_table *t)
{
	struct state s = t->start;
	struct rng rng;
	bool gave_up = false;
	rng_seed(&rng, 1);
	for (int i = 0; i < RBG_POSITIONS && !s.over && !gave_up && !t->splits; i++) {
		struct rbg_machine *m = rbg_play_load(t, &s);
		int count = 0;
		t->splits = rbg_machine_moves(m, rbg_play_count, &count);
		gave_up = m->work < 0;
		rbg_play_release(t, m);
		do {
			move_t steps[GAME_STEPS_MAX];
			uint32_t n = (uint32_t)rbg_play_moves(&t->game, &s, steps);
			rbg_play_play(&t->game, &s, steps[rng_below(&rng, n)]);
		} while (s.pending);
	}
	return gave_up ? "the moves of a position take too many steps to find" : NULL;
}

const char *rbg_play_init(struct rbg_table *t)
{
	struct rbg_machine *m = rbg_play_take(t);
	rbg_machine_start(m);
	bool begins = rbg_machine_keep(m);
	t->black = begins ? m->point.player : 0;
	rbg_play_turn(t, m, &t->start, begins);
	t->points[BLACK] = m->point;
	memcpy(t->variables, m->variables, sizeof t->variables);
	rbg_play_release(t, m);
	if (!begins || t->start.over)
		return "the game is over before the first move";
	rbg_play_find_points(t);
	const char *why = rbg_play_try(t);
	t->game.steps.per_move = t->splits ? 1 : MOVE_STEPS_MAX;
	t->game.steps.moves = t->splits ? 0 : GAME_MOVES_MAX;
	return why;
}
