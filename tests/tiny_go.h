/* SPDX-License-Identifier: MIT
 *
 * Go on boards of a few squares, for tests of games where a side may pass, komi counts, the turn can be given away
 * and positions may not repeat (positional superko). Area scoring, no suicide. The rules know no ko: all
 * repetitions are left to the record and to the searches.
 */
#ifndef TESTS_TINY_GO_H
#define TESTS_TINY_GO_H

#include <string.h>

#include "engine/rules/komi.h"
#include "engine/rules/repetition.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"

#define TINY_GO_SQUARES_MAX 9

enum {
	TINY_GO_LINE_3,
	TINY_GO_LINE_4,
	TINY_GO_LINE_5,
	TINY_GO_SQUARE,
	TINY_GO_WIDE,
	TINY_GO_SIZES
};

static const struct game tiny_go[TINY_GO_SIZES];

/* Black's and White's stones are in board[2] and board[3], as bit sets; the index of the table is in board[4]. */

static const struct game *tiny_go_game(const struct state *s)
{
	return &tiny_go[s->board[4]];
}

static int tiny_go_squares(const struct state *s)
{
	return tiny_go_game(s)->board.rows * tiny_go_game(s)->board.cols;
}

static int tiny_go_get_komi(const struct game *g, const struct state *s)
{
	return (int)(s->board[1] >> 8) - 100;
}

static int tiny_go_passes(const struct state *s)
{
	return (int)(s->board[1] & 0xff);
}

/* The squares next to a set of squares. */
static unsigned tiny_go_beside(const struct state *s, unsigned set)
{
	const struct game *g = tiny_go_game(s);
	unsigned beside = 0;
	for (int i = 0; i < tiny_go_squares(s); i++) {
		if (!(set >> i & 1))
			continue;
		int row = i / g->board.cols, col = i % g->board.cols;
		beside |= row > 0 ? 1u << (i - g->board.cols) : 0;
		beside |= row + 1 < g->board.rows ? 1u << (i + g->board.cols) : 0;
		beside |= col > 0 ? 1u << (i - 1) : 0;
		beside |= col + 1 < g->board.cols ? 1u << (i + 1) : 0;
	}
	return beside;
}

/* The squares of a set that are connected with a part of it. */
static unsigned tiny_go_chain(const struct state *s, unsigned part, unsigned set)
{
	unsigned chain = part & set, before;
	do {
		before = chain;
		chain |= tiny_go_beside(s, chain) & set;
	} while (chain != before);
	return chain;
}

static unsigned tiny_go_empty(const struct state *s)
{
	return ((1u << tiny_go_squares(s)) - 1) & ~(unsigned)(s->board[2] | s->board[3]);
}

/* Returns the stones of a set that have no liberty. */
static unsigned tiny_go_dead(const struct state *s, unsigned set)
{
	unsigned dead = 0, empty = tiny_go_empty(s);
	for (unsigned rest = set; rest;) {
		unsigned chain = tiny_go_chain(s, rest & -rest, set);
		if (!(tiny_go_beside(s, chain) & empty))
			dead |= chain;
		rest &= ~chain;
	}
	return dead;
}

/* Black's area minus White's, in points. */
static int tiny_go_margin(const struct state *s)
{
	unsigned empty = tiny_go_empty(s), black = (unsigned)s->board[2],
		 white = (unsigned)s->board[3];
	int margin = __builtin_popcount(black) - __builtin_popcount(white);
	for (unsigned rest = empty; rest;) {
		unsigned area = tiny_go_chain(s, rest & -rest, empty),
			 beside = tiny_go_beside(s, area);
		rest &= ~area;
		if (!(beside & white) != !(beside & black))
			margin += (beside & black ? 1 : -1) * __builtin_popcount(area);
	}
	return margin;
}

/* A number for the stones, never 0. */
static uint64_t tiny_go_number(const struct state *s)
{
	uint64_t number = 0;
	for (int i = 0; i < tiny_go_squares(s); i++)
		number = 3 * number + (s->board[2] >> i & 1) + 2 * (s->board[3] >> i & 1);
	return number + 1;
}

static void tiny_go_finish(struct state *s, int passes, int komi)
{
	s->board[0] = tiny_go_number(s);
	s->board[1] = (uint64_t)passes | (uint64_t)(komi + 100) << 8;
	s->over = passes == 2;
	s->score = (int16_t)(s->over ? 2 * tiny_go_margin(s) - komi : 0);
	s->hash = state_hash(s);
}

static void tiny_go_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->board[4] = (uint64_t)(g - tiny_go);
	tiny_go_finish(s, 0, 0);
}

static const char *tiny_go_setup(const struct game *g, struct state *s, const char *squares,
				 int side)
{
	tiny_go_start(g, s);
	for (int i = 0; i < tiny_go_squares(s); i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? 2 : 3] |= 1u << i;
	s->side = (uint8_t)side;
	tiny_go_finish(s, 0, 0);
	if (tiny_go_dead(s, (unsigned)s->board[2]) || tiny_go_dead(s, (unsigned)s->board[3]))
		return "a stone has no liberty";
	return NULL;
}

/* Plays a step, which may be suicide; the result is then false. */
static bool tiny_go_try(const struct game *g, struct state *s, move_t step)
{
	int passes = step == tiny_go_squares(s) ? tiny_go_passes(s) + 1 : 0, side = s->side;
	bool good = true;
	if (!passes) {
		s->board[2 + side] |= 1u << step;
		s->board[3 - side] &= ~tiny_go_dead(s, (unsigned)s->board[3 - side]);
		good = !tiny_go_dead(s, (unsigned)s->board[2 + side]);
	}
	s->side ^= 1;
	tiny_go_finish(s, passes, tiny_go_get_komi(g, s));
	return good;
}

static int tiny_go_moves(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0;
	for (int i = 0; i < tiny_go_squares(s); i++) {
		struct state next = *s;
		if (tiny_go_empty(s) >> i & 1 && tiny_go_try(g, &next, (move_t)i))
			out[n++] = (move_t)i;
	}
	out[n++] = (move_t)tiny_go_squares(s);
	return n;
}

static void tiny_go_play(const struct game *g, struct state *s, move_t step)
{
	tiny_go_try(g, s, step);
}

static enum move_check tiny_go_parse(const struct game *g, const struct state *s, const char *text,
				     struct move *m)
{
	enum move_check check = square_parse_step(g, s, text, m);
	return check == MOVE_OK && !game_is_legal(g, s, *m) ? MOVE_ILLEGAL : check;
}

static char tiny_go_at(const struct game *g, const struct state *s, int row, int col)
{
	int i = tiny_go_game(s)->board.cols * row + col;
	return s->board[2] >> i & 1 ? 'X' : s->board[3] >> i & 1 ? 'O' : '.';
}

static bool tiny_go_valid(const struct game *g, const struct state *s)
{
	return !(s->board[2] & s->board[3]) && s->board[0] == tiny_go_number(s) &&
	       s->hash == state_hash(s) && !tiny_go_dead(s, (unsigned)s->board[2]) &&
	       !tiny_go_dead(s, (unsigned)s->board[3]);
}

static void tiny_go_set_turn(const struct game *g, struct state *s, int side)
{
	s->side = (uint8_t)side;
	tiny_go_finish(s, 0, tiny_go_get_komi(g, s));
}

static bool tiny_go_set_komi(const struct game *g, struct state *s, int half_points)
{
	if (half_points < -100 || half_points > 100)
		return false;
	tiny_go_finish(s, tiny_go_passes(s), half_points);
	return true;
}

static uint64_t tiny_go_repeat_key(const struct game *g, const struct state *s, move_t step)
{
	struct state next = *s;
	if (step == MOVE_NONE)
		return s->board[0];
	if (step == tiny_go_squares(s))
		return 0;
	tiny_go_play(g, &next, step);
	return next.board[0];
}

static const struct words tiny_go_words = { .guide = "Go on a few squares.\n" };
static const struct repetition tiny_go_repetition = { .key = tiny_go_repeat_key };
/* The board has no place for handicap stones. */
static int tiny_go_handicap(const struct game *g, int count, int squares[GAME_SQUARES_MAX])
{
	return 0;
}

static const struct komi tiny_go_komi = { .set = tiny_go_set_komi,
					  .get = tiny_go_get_komi,
					  .handicap = tiny_go_handicap };
static const struct tuning tiny_go_tuning = { .search = "mcts" };

#define TINY_GO(RULES, ROWS, COLS)                                                                 \
	{                                                                                          \
		.name = "tinygo", .title = "TinyGo", .rules = (RULES),                             \
		.board = { .rows = (ROWS), .cols = (COLS) },                                       \
		.steps = { .codes = (ROWS) * (COLS) + 1,                                           \
			   .choices = (ROWS) * (COLS) + 1,                                         \
			   .per_move = 1,                                                          \
			   .pass = (ROWS) * (COLS),                                                \
			   .may_pass = true },                                                     \
		.score = { .most = 2 * (ROWS) * (COLS) + 100,                                      \
			   .half_points = true,                                                    \
			   .unit = "points" },                                                     \
		.start = tiny_go_start, .setup = tiny_go_setup, .moves = tiny_go_moves,            \
		.play = tiny_go_play, .set_turn = tiny_go_set_turn, .parse = tiny_go_parse,        \
		.format = square_format_step, .at = tiny_go_at, .valid = tiny_go_valid,            \
		.words = &tiny_go_words, .repetition = &tiny_go_repetition, .komi = &tiny_go_komi, \
		.tuning = &tiny_go_tuning,                                                         \
	}

static const struct game tiny_go[TINY_GO_SIZES] = {
	[TINY_GO_LINE_3] = TINY_GO("line3", 1, 3), [TINY_GO_LINE_4] = TINY_GO("line4", 1, 4),
	[TINY_GO_LINE_5] = TINY_GO("line5", 1, 5), [TINY_GO_SQUARE] = TINY_GO("square", 2, 2),
	[TINY_GO_WIDE] = TINY_GO("wide", 2, 3),
};

/* --- the reference --- */

/* The positions that have occurred, as a bit set over tiny_go_number(). */
#define TINY_GO_PAST_WORDS 12

struct tiny_go_past {
	uint64_t set[TINY_GO_PAST_WORDS];
	uint64_t hash; /* of the set */
};

static inline bool tiny_go_has(const struct tiny_go_past *p, uint64_t number)
{
	return p->set[number / 64] >> number % 64 & 1;
}

static inline void tiny_go_add(struct tiny_go_past *p, uint64_t number)
{
	struct rng rng;
	if (tiny_go_has(p, number))
		return;
	rng_seed(&rng, number);
	p->set[number / 64] |= UINT64_C(1) << number % 64;
	p->hash += rng_next(&rng);
}

/* Known answers: a hash table that forgets nothing. */
#define TINY_GO_KNOWN_BITS 18
#define TINY_GO_KNOWN      ((size_t)1 << TINY_GO_KNOWN_BITS)

static struct {
	uint64_t key[2];
	int8_t answer;
} tiny_go_known[TINY_GO_KNOWN];

static int64_t tiny_go_budget; /* positions that the reference may still visit */

/* Returns 1 if Black's score is more than `bound` half points with perfect play after this past, which includes the
 * present position; 0 if not; -1 if the budget does not suffice. */
static inline int tiny_go_beats(const struct game *g, const struct state *s,
				const struct tiny_go_past *past, int bound)
{
	move_t steps[TINY_GO_SQUARES_MAX + 1];
	if (s->over)
		return s->score > bound;
	uint64_t position = s->board[0] << 1 | s->side,
		 question = s->board[1] << 16 | (uint16_t)bound;
	uint64_t key[2] = { position << 32 | question, past->hash };
	size_t at = (key[0] * 0x9e3779b97f4a7c15u ^ key[1]) >> (64 - TINY_GO_KNOWN_BITS);
	for (; tiny_go_known[at].key[0] || tiny_go_known[at].key[1]; at = (at + 1) % TINY_GO_KNOWN)
		if (tiny_go_known[at].key[0] == key[0] && tiny_go_known[at].key[1] == key[1])
			return tiny_go_known[at].answer;
	if (tiny_go_budget-- <= 0)
		return -1;
	int n = tiny_go_moves(g, s, steps), wanted = s->side == BLACK, answer = !wanted;
	for (int i = n; i-- > 0 && answer != wanted;) {
		struct state next = *s;
		struct tiny_go_past then = *past;
		tiny_go_play(g, &next, steps[i]);
		if (steps[i] != tiny_go_squares(s)) {
			if (tiny_go_has(past, next.board[0]))
				continue;
			tiny_go_add(&then, next.board[0]);
		}
		answer = tiny_go_beats(g, &next, &then, bound);
		if (answer < 0)
			return -1;
	}
	while (tiny_go_known[at].key[0] || tiny_go_known[at].key[1])
		at = (at + 1) % TINY_GO_KNOWN;
	tiny_go_known[at].key[0] = key[0];
	tiny_go_known[at].key[1] = key[1];
	tiny_go_known[at].answer = (int8_t)answer;
	return answer;
}

#endif
