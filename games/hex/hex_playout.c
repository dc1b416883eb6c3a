/* SPDX-License-Identifier: MIT
 *
 * Random games of Hex. All of them fill the board: then exactly one side has joined its edges, and it is the
 * side that has joined them first. So the order of the moves does not matter, and only one look is needed.
 *
 * Random fill: each empty square gets a random bit. Then some squares that have too common a value, chosen at
 * random, change it, until each side has its number of stones. By symmetry all fillings are equally likely.
 *
 * Any thread; no function allocates memory.
 */
#include "engine/base/bits.h"
#include "engine/rules/playouts.h"
#include "games/hex/hex.h"

/* The owners of eight squares by the bits of Black's stones there: 1 or -1. */
static uint64_t owners_of[256];

/* Patterns of a ring of neighbours: bits 0-5 own stones, bits 6-11 empty squares. The index + 1 of an empty square
 * that saves a bridge, or 0. If there are two, the first one. */
static uint8_t bridge_at[1 << 2 * HEX_RING];

void hex_playout_init(void)
{
	for (int bits = 0; bits < 256; bits++) {
		int8_t owner[8];
		for (int i = 0; i < 8; i++)
			owner[i] = bits >> i & 1 ? 1 : -1;
		memcpy(&owners_of[bits], owner, sizeof owner);
	}
	for (int bits = 0; bits < 1 << 2 * HEX_RING; bits++)
		for (int i = 0; i < HEX_RING && !bridge_at[bits]; i++) {
			int before = (i + HEX_RING - 1) % HEX_RING, after = (i + 1) % HEX_RING;
			if (bits >> before & 1 && bits >> after & 1 && bits >> (HEX_RING + i) & 1)
				bridge_at[bits] = (uint8_t)(i + 1);
		}
}

HEX_INLINE int count_set(const uint64_t *set, const int words)
{
	int count = 0;
	for (int i = 0; i < words; i++)
		count += __builtin_popcountll(set[i]);
	return count;
}

/* From so many squares of a set on, one of them is found by trying squares of the board. */
#define FEW 24

/* Moves `excess` squares, chosen at random, from one set to another. */
HEX_INLINE void move_random(uint64_t *from, uint64_t *to, int count, int excess, const int words,
			    struct rng *rng)
{
	const int bits = words == 1 ? 6 : words == 2 ? 7 : words <= 4 ? 8 : 9;
	uint64_t random = 0;
	int left = 0; /* draws that `random` still holds */
	while (excess > 0) {
		int square;
		if (count < FEW) {
			square = bits_nth(from, (int)rng_below(rng, (uint32_t)count));
		} else {
			if (!left) {
				random = rng_next(rng);
				left = 64 / bits;
			}
			left--;
			square = (int)(random & ((1u << bits) - 1));
			random >>= bits;
			if (square >= 64 * words || !bits_has(from, square))
				continue;
		}
		from[square / 64] ^= UINT64_C(1) << square % 64;
		to[square / 64] ^= UINT64_C(1) << square % 64;
		count--;
		excess--;
	}
}

/* Fills the empty squares at random. Black's stones are added to `own`, which holds Black's so far. */
HEX_INLINE void fill(const int words, const struct state *s, uint64_t *own, const uint64_t *empty,
		     struct rng *rng)
{
	uint64_t black[HEX_WORDS_MAX], white[HEX_WORDS_MAX];
	int count = 0;
	for (int i = 0; i < words; i++) {
		black[i] = empty[i] & rng_next(rng);
		white[i] = empty[i] ^ black[i];
	}
	count = count_set(empty, words);
	int blacks = count_set(black, words);
	int wanted = (count + (s->side == BLACK)) / 2;
	if (blacks > wanted)
		move_random(black, white, blacks, blacks - wanted, words, rng);
	else
		move_random(white, black, count - blacks, wanted - blacks, words, rng);
	for (int i = 0; i < words; i++)
		own[i] |= black[i];
}

/* The winner of a full board by the stones of Black. */
static inline int hex_playout_result_of(const struct state *s, bool black_joins)
{
	return black_joins != !!(s->stones & HEX_REX) ? 1 : -1;
}

HEX_INLINE int fill_and_look(const int words, const int n, const struct state *s, struct rng *rng,
			     uint64_t *own, uint64_t *empty)
{
	const struct hex_shape *shape = &hex_shapes[n];
	for (int i = 0; i < words; i++) {
		own[i] = s->board[HEX_STONES(BLACK) + i];
		empty[i] = shape->board[i] & ~(own[i] | s->board[HEX_STONES(WHITE) + i]);
	}
	fill(words, s, own, empty, rng);
	return hex_playout_result_of(s, hex_joins(words, n, shape, own, BLACK));
}

int hex_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	uint64_t own[HEX_WORDS_MAX], empty[HEX_WORDS_MAX];
	if (s->over)
		return s->score;
	return HEX_CALL(fill_and_look, hex_size(s), s, rng, own, empty);
}

/* Describes a full board by the stones of Black and the squares that were empty. */
static void hex_playout_describe(const struct hex_shape *shape, const uint64_t *own,
				 const uint64_t *empty, struct trace *trace)
{
	const int squares = shape->size * shape->size;
	memset(trace->made, 0, sizeof trace->made);
	for (int i = 0; i < shape->words; i++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a shape fills its words */
		trace->made[BLACK][i] = own[i] & empty[i];
		trace->made[WHITE][i] = empty[i] & ~own[i];
	}
	for (int at = 0; at < squares; at += 8) {
		/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a shape fills its words */
		uint64_t owners = owners_of[own[at / 64] >> at % 64 & 0xff];
		memcpy(&trace->owner[at], &owners, squares - at < 8 ? (size_t)(squares - at) : 8);
	}
}

int hex_trace(const struct game *g, const struct state *s, struct rng *rng, struct trace *trace)
{
	uint64_t own[HEX_WORDS_MAX], empty[HEX_WORDS_MAX];
	int result = HEX_CALL(fill_and_look, hex_size(s), s, rng, own, empty);
	hex_playout_describe(&hex_shapes[hex_size(s)], own, empty, trace);
	return result;
}

/* --- heavy playouts --- */

/* The empty squares of a heavy playout in a random order, and where each one stands. */
struct order {
	int count; /* of those that are still empty: the first ones of the list */
	uint16_t list[HEX_SQUARES_MAX], place[HEX_SQUARES_MAX];
};

HEX_INLINE void order_remove(struct order *o, int square)
{
	uint16_t last = o->list[--o->count], place = o->place[square];
	o->list[place] = last;
	o->place[last] = place;
}

/* The square that saves a bridge of `side` after the other side's stone on `square`, or HEX_OFF. */
static inline int bridge_save(const struct hex_shape *shape, const uint64_t *own,
			      const uint64_t *empty, int side, int square)
{
	const uint16_t *near = shape->near[square];
	unsigned ring = shape->beyond[side][square];
	for (int i = 0; i < HEX_RING; i++)
		if (near[i] != HEX_OFF) {
			ring |= (unsigned)bits_has(own, near[i]) << i;
			ring |= (unsigned)bits_has(empty, near[i]) << (HEX_RING + i);
		}
	return bridge_at[ring] ? near[bridge_at[ring] - 1] : HEX_OFF;
}

void hex_find_saves(const struct state *s, move_t last, uint64_t saves[HEX_WORDS_MAX])
{
	const struct hex_shape *shape = &hex_shapes[hex_size(s)];
	const uint64_t *own = &s->board[HEX_STONES(s->side)],
		       *other = &s->board[HEX_STONES(s->side ^ 1)];
	uint64_t empty[HEX_WORDS_MAX];
	memset(saves, 0, HEX_WORDS_MAX * sizeof *saves);
	if (last >= shape->size * shape->size)
		return;
	for (int i = 0; i < shape->words; i++)
		empty[i] = shape->board[i] & ~(own[i] | other[i]);
	/* A square that is found is left out, so that the next one is. */
	for (int at; (at = bridge_save(shape, own, empty, s->side, last)) != HEX_OFF;) {
		bits_add(saves, at);
		empty[at / 64] ^= UINT64_C(1) << at % 64;
	}
}

int hex_heavy(const struct game *g, const struct state *s, move_t last, struct rng *rng,
	      struct trace *trace)
{
	const struct hex_shape *shape = &hex_shapes[hex_size(s)];
	uint64_t own[2][HEX_WORDS_MAX], empty[HEX_WORDS_MAX], was[HEX_WORDS_MAX];
	struct order o;
	int side = s->side, square = last < shape->size * shape->size ? last : HEX_OFF;
	o.count = 0;
	for (int i = 0; i < shape->words; i++) {
		own[BLACK][i] = s->board[HEX_STONES(BLACK) + i];
		own[WHITE][i] = s->board[HEX_STONES(WHITE) + i];
		was[i] = empty[i] = shape->board[i] & ~(own[BLACK][i] | own[WHITE][i]);
		for (uint64_t set = empty[i]; set; set &= set - 1) {
			int at = 64 * i + __builtin_ctzll(set);
			o.place[at] = (uint16_t)o.count;
			o.list[o.count++] = (uint16_t)at;
		}
	}
	while (o.count) {
		int next = square == HEX_OFF ? HEX_OFF
					     : bridge_save(shape, own[side], empty, side, square);
		if (next == HEX_OFF)
			next = o.list[rng_below(rng, (uint32_t)o.count)];
		order_remove(&o, next);
		bits_add(own[side], next);
		empty[next / 64] ^= UINT64_C(1) << next % 64;
		square = next;
		side ^= 1;
	}
	bool joins = HEX_CALL(hex_joins, hex_size(s), shape, own[BLACK], BLACK);
	hex_playout_describe(shape, own[BLACK], was, trace);
	return hex_playout_result_of(s, joins);
}

/* --- outlook --- */

#define EFFORT 10 /* of a side that wins half of the random games */

HEX_INLINE int count_wins(const int words, const int n, const struct state *s, int games)
{
	uint64_t own[HEX_WORDS_MAX], empty[HEX_WORDS_MAX];
	struct rng rng;
	int wins = 0;
	rng_seed(&rng, s->hash);
	for (int i = 0; i < games; i++)
		wins += fill_and_look(words, n, s, &rng, own, empty) > 0;
	return wins;
}

void hex_first_numbers(const struct game *g, const struct state *s, uint32_t efforts[2])
{
	const int n = hex_size(s), games = n <= 8 ? 64 : 16;
	int wins = HEX_CALL(count_wins, n, s, games), losses = games - wins;
	efforts[BLACK] = (uint32_t)(1 + EFFORT * (2 * losses + 1) / (2 * wins + 1));
	efforts[WHITE] = (uint32_t)(1 + EFFORT * (2 * wins + 1) / (2 * losses + 1));
}
