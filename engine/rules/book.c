/* SPDX-License-Identifier: MIT */
#include "engine/rules/book.h"

#include "engine/rules/images.h"

#define SYMMETRIES 8

int book_inverse(int symmetry)
{
	/* The exchange of rows and columns is applied first, so the inverse applies it last. */
	if (symmetry < 4)
		return symmetry;
	return 4 | (symmetry & 1) << 1 | (symmetry >> 1 & 1);
}

uint64_t book_mirror_set(const struct game *g, uint64_t set, int symmetry)
{
	uint64_t out = 0;
	for (; set; set &= set - 1)
		out |= UINT64_C(1) << images_mirror_square(g, __builtin_ctzll(set), symmetry);
	return out;
}

struct book_entry book_key(const struct game *g, const struct state *s, int *symmetry)
{
	struct book_entry key = { .side = s->side };
	g->images->stones(g, s, key.stones);
	const uint64_t black = key.stones[BLACK], white = key.stones[WHITE];
	*symmetry = 0;
	for (int y = 1; y < SYMMETRIES; y++) {
		if (!(images_symmetries(g) >> y & 1))
			continue;
		uint64_t b = book_mirror_set(g, black, y), w = book_mirror_set(g, white, y);
		if (b < key.stones[BLACK] || (b == key.stones[BLACK] && w < key.stones[WHITE])) {
			key.stones[BLACK] = b;
			key.stones[WHITE] = w;
			*symmetry = y;
		}
	}
	return key;
}

int book_compare(const struct book_entry *a, const struct book_entry *b)
{
	for (int i = 0; i < 2; i++)
		if (a->stones[i] != b->stones[i])
			return a->stones[i] < b->stones[i] ? -1 : 1;
	return (a->side > b->side) - (a->side < b->side);
}

/* Returns the index of the first entry of a position, or the index where it would be. */
static uint32_t find_first(const struct book_entry *entries, uint32_t count,
			   const struct book_entry *wanted)
{
	uint32_t low = 0, high = count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (book_compare(&entries[middle], wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static move_t book_mirror_step(const struct game *g, uint8_t step, int symmetry)
{
	if (step == UINT8_MAX)
		return MOVE_NONE;
	return symmetry ? g->images->mirror(g, step, symmetry) : step;
}

int book_find(const struct game *g, const struct state *s, struct book_move out[BOOK_MOVES_MAX])
{
	const struct book_header *header = g->book;
	if (!header || s->pending || s->over)
		return 0;
	const struct book_entry *entries = (const void *)(header + 1);
	int symmetry, count = 0;
	struct book_entry key = book_key(g, s, &symmetry);
	uint32_t i = find_first(entries, header->count, &key);
	for (; i < header->count && book_compare(&entries[i], &key) == 0; i++) {
		struct move move = move_none();
		for (int k = 0; k < 2; k++)
			move.step[k] = book_mirror_step(g, entries[i].step[k],
							book_inverse(symmetry));
		if (count < BOOK_MOVES_MAX && game_is_legal(g, s, move))
			out[count++] = (struct book_move) { move, (double)entries[i].value };
	}
	return count;
}
