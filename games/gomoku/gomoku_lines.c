/* SPDX-License-Identifier: MIT */
#include "games/gomoku/gomoku_lines.h"

#include <string.h>

enum {
	REACH = GOMOKU_REACH,
	STRIP = GOMOKU_STRIP,
	EDGE = GOMOKU_FIRST_BIT,
	CENTRE = 1 << REACH,
	CONTENTS = GOMOKU_CONTENTS,
};

struct gomoku_table gomoku_at_least, gomoku_exactly, gomoku_renju;
uint16_t gomoku_digits[1 << STRIP];
uint32_t gomoku_walls[GOMOKU_SIZE_MAX + 1][GOMOKU_DIRECTIONS][GOMOKU_LINES];
struct gomoku_place gomoku_places[GOMOKU_SIZE_MAX + 1][GOMOKU_SQUARES_MAX][GOMOKU_DIRECTIONS];

/* --- tables --- */

/* A strip of nine squares with an own stone in its centre. Bit i of `wide` is square i - 1: it has the fifth squares, too. */
struct gomoku_strip {
	unsigned own, blocked, wide;
	bool exact; /* six in a row do not win */
};

static struct gomoku_strip gomoku_lines_make_strip(unsigned own, unsigned blocked, int ends,
						   bool exact)
{
	unsigned wide = own << 1 | (ends & 1) | (ends & 2 ? 1u << (STRIP + 1) : 0);
	return (struct gomoku_strip) { own, blocked, wide, exact };
}

/* The squares that complete five, the centre among them. */
static unsigned fives_of(const struct gomoku_strip *s)
{
	unsigned fives = 0;
	for (int first = 0; first <= REACH; first++) {
		unsigned window = 31u << first, missing = window & ~s->own;
		unsigned beyond = (1u << first) | (1u << (first + GOMOKU_ROW + 1));
		if (!(window & s->blocked) && missing && !(missing & (missing - 1)) &&
		    !(s->exact && s->wide & beyond))
			fives |= missing;
	}
	return fives;
}

/* Returns true if the centre is in a row that wins. */
static bool is_five(const struct gomoku_strip *s)
{
	for (int first = 0; first <= REACH; first++) {
		unsigned beyond = (1u << first) | (1u << (first + GOMOKU_ROW + 1));
		if ((s->own >> first & 31) == 31 && !(s->exact && s->wide & beyond))
			return true;
	}
	return false;
}

/* Returns true if the centre is in a row of six or more. */
static bool gomoku_lines_is_overline(const struct gomoku_strip *s)
{
	for (int first = 0; first <= REACH + 1; first++)
		if ((s->wide >> first & 63) == 63)
			return true;
	return false;
}

/* Returns true if two squares that complete five belong to the same four stones. */
static bool gomoku_lines_is_straight(unsigned fives)
{
	unsigned first = fives & -fives;
	return fives == (first | first << GOMOKU_ROW);
}

/* Fives and fours. */
static uint8_t four_entry(const struct gomoku_strip *s, bool renju)
{
	if (is_five(s))
		return LINE_FIVE;
	if (renju && gomoku_lines_is_overline(s))
		return LINE_OVERLINE;
	unsigned fives = fives_of(s);
	if (!fives)
		return LINE_NONE;
	if (fives & (fives - 1))
		return renju && !gomoku_lines_is_straight(fives) ? LINE_TWO_FOURS : LINE_OPEN_FOUR;
	return (uint8_t)(LINE_FOUR | __builtin_ctz(fives) << GOMOKU_LINE_BITS);
}

/* Marks the entries without a better line where one more own stone leads to `next`. */
static void mark_before(uint8_t *table, int entries, enum gomoku_line line, enum gomoku_line next)
{
	static const int powers[2 * REACH] = { 1, 3, 9, 27, 81, 243, 729, 2187 };
	for (int i = 0; i < entries; i++)
		for (int k = 0; k < 2 * REACH && (table[i] & GOMOKU_LINE_SET) == LINE_NONE; k++)
			if (i % CONTENTS / powers[k] % 3 == 0 &&
			    (table[i + powers[k]] & GOMOKU_LINE_SET) == next)
				table[i] = (uint8_t)line;
}

/* Fills a table for all own stones around the centre and all squares that are blocked. */
static void fill_table(struct gomoku_table *t, bool exact, bool renju)
{
	const int ends_count = exact ? GOMOKU_ENDS : 1;
	t->has_ends = exact;
	for (unsigned own = 0; own < 1 << STRIP; own++) {
		unsigned free = ~own & ((1 << STRIP) - 1), blocked = free;
		if (!(own & CENTRE))
			continue;
		/* All subsets, the empty one first. */
		do {
			blocked = (blocked - free) & free;
			for (int ends = 0; ends < ends_count; ends++) {
				struct gomoku_strip s = gomoku_lines_make_strip(own, blocked, ends,
										exact);
				t->entries[ends * CONTENTS + gomoku_digits[own] +
					   2 * gomoku_digits[blocked]] = four_entry(&s, renju);
			}
		} while (blocked != free);
	}
	mark_before(t->entries, ends_count * CONTENTS, LINE_THREE, LINE_OPEN_FOUR);
	mark_before(t->entries, ends_count * CONTENTS, LINE_TWO, LINE_THREE);
}

/* The place of a square in each direction: along the row, along the column, down to the right, down to the left. */
static void set_places(int size, int row, int col)
{
	struct gomoku_place *p = gomoku_places[size][row * size + col];
	p[0] = (struct gomoku_place) { (uint8_t)row, (uint8_t)col };
	p[1] = (struct gomoku_place) { (uint8_t)col, (uint8_t)row };
	p[2] = (struct gomoku_place) { (uint8_t)(row - col + size - 1), (uint8_t)row };
	p[3] = (struct gomoku_place) { (uint8_t)(row + col), (uint8_t)row };
}

static void gomoku_lines_init_size(int size)
{
	memset(gomoku_walls[size], 0xff, sizeof gomoku_walls[size]);
	for (int step = 0; step < size * size; step++) {
		set_places(size, step / size, step % size);
		for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
			struct gomoku_place p = gomoku_places[size][step][d];
			gomoku_walls[size][d][p.line] &= ~(1u << (EDGE + p.position));
		}
	}
}

void gomoku_lines_init(void)
{
	memset(gomoku_digits, 0, sizeof gomoku_digits);
	for (unsigned strip = 0; strip < 1 << STRIP; strip++)
		for (int i = 0, power = 1; i < STRIP; i++)
			if (i != REACH) {
				if (strip >> i & 1)
					gomoku_digits[strip] = (uint16_t)(gomoku_digits[strip] +
									  power);
				power *= 3;
			}
	fill_table(&gomoku_at_least, false, false);
	fill_table(&gomoku_exactly, true, false);
	fill_table(&gomoku_renju, true, true);
	for (int size = GOMOKU_SIZE_MIN; size <= GOMOKU_SIZE_MAX; size++)
		gomoku_lines_init_size(size);
}

/* --- boards --- */

void gomoku_lines_set(struct gomoku_lines *l, const struct state *s)
{
	memset(l, 0, sizeof *l);
	l->size = gomoku_size(s);
	l->rules = gomoku_rules(s);
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < GOMOKU_WORDS; i++)
			for (uint64_t left = s->board[GOMOKU_STONES(side) + i]; left;
			     left &= left - 1)
				gomoku_toggle(
					l, side,
					gomoku_steps[l->size][64 * i + __builtin_ctzll(left)]);
}

/* --- Renju's forbidden squares --- */

/* What a stone of Black on an empty square makes in a direction. */
static enum gomoku_line gomoku_lines_black_line(const struct gomoku_lines *l, int step, int d)
{
	struct gomoku_place p = gomoku_places[l->size][step][d];
	struct gomoku_view v = gomoku_view(l, BLACK, d, p.line);
	return gomoku_entry(&gomoku_renju, true, v, p.position) & GOMOKU_LINE_SET;
}

bool gomoku_lines_makes_five(const struct gomoku_lines *l, int side, int step)
{
	const struct gomoku_table *table = gomoku_table(l->rules, side);
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
		struct gomoku_place p = gomoku_places[l->size][step][d];
		struct gomoku_view v = gomoku_view(l, side, d, p.line);
		int entry = gomoku_entry(table, table->has_ends, v, p.position);
		if ((entry & GOMOKU_LINE_SET) == LINE_FIVE)
			return true;
	}
	return false;
}

/* Returns true if all squares between two positions of a line have own stones. */
static bool gomoku_lines_is_joined(uint32_t own, int a, int b)
{
	int first = a < b ? a : b, last = a < b ? b : a;
	uint32_t between = (1u << (EDGE + last)) - (2u << (EDGE + first));
	return (own & between) == between;
}

/* Returns true if Black may turn a three through a stone into a straight four. */
static bool gomoku_lines_can_grow(struct gomoku_lines *l, int step, int d)
{
	const struct gomoku_place p = gomoku_places[l->size][step][d];
	const struct gomoku_view v = gomoku_view(l, BLACK, d, p.line);
	for (int away = -REACH + 1; away < REACH; away++) {
		int position = p.position + away, next = step + away * gomoku_stride(l->size, d);
		if ((v.own | v.blocked) >> (EDGE + position) & 1 ||
		    (gomoku_entry(&gomoku_renju, true, v, position) & GOMOKU_LINE_SET) !=
			    LINE_OPEN_FOUR ||
		    !gomoku_lines_is_joined(v.own, p.position, position))
			continue;
		if (!gomoku_lines_makes_five(l, BLACK, next) &&
		    gomoku_find_ban(l, next) == BAN_NONE)
			return true;
	}
	return false;
}

enum gomoku_ban gomoku_suspect(const struct gomoku_lines *l, int step)
{
	int counts[GOMOKU_LINE_SET + 1] = { 0 };
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
		counts[gomoku_lines_black_line(l, step, d)]++;
	if (counts[LINE_FIVE])
		return BAN_NONE;
	if (counts[LINE_OVERLINE])
		return BAN_OVERLINE;
	if (counts[LINE_TWO_FOURS] || counts[LINE_FOUR] + counts[LINE_OPEN_FOUR] > 1)
		return BAN_DOUBLE_FOUR;
	return counts[LINE_THREE] > 1 ? BAN_DOUBLE_THREE : BAN_NONE;
}

enum gomoku_ban gomoku_find_ban(struct gomoku_lines *l, int step)
{
	enum gomoku_ban ban = gomoku_suspect(l, step);
	bool is_three[GOMOKU_DIRECTIONS];
	int threes = 0;
	if (ban != BAN_DOUBLE_THREE)
		return ban;
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
		is_three[d] = gomoku_lines_black_line(l, step, d) == LINE_THREE;
	gomoku_toggle(l, BLACK, step);
	for (int d = 0; d < GOMOKU_DIRECTIONS && threes < 2; d++)
		threes += is_three[d] && gomoku_lines_can_grow(l, step, d);
	gomoku_toggle(l, BLACK, step);
	return threes > 1 ? BAN_DOUBLE_THREE : BAN_NONE;
}
