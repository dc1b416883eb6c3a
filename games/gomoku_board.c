/* SPDX-License-Identifier: MIT */
#include "games/gomoku_board.h"

#include <string.h>

enum {
	NEAR = 4, /* squares on each side that matter for a row of five */
	STRIP = 2 * NEAR + 1,
	EDGE = GOMOKU_FIRST_BIT,
	CENTRE = 1 << NEAR,
	CONTENTS = 6561, /* contents of the eight squares near one: empty, own, blocked */
	ENDS = 4,        /* own stones on the fifth squares: none, before, after, both */
	LINE_BITS = 3,
	LINE_SET = 7,
	KIND_TABLE = 1 << GOMOKU_DIRECTIONS * LINE_BITS,
};

/* What a stone makes, in the lowest bits, and above them, if it makes a LINE_FOUR, the place of the answer: its
 * distance + NEAR. Index: ends * CONTENTS + contents. With five or more the ends do not matter. */
static uint8_t at_least[CONTENTS], exactly[ENDS * CONTENTS];

/* The digits in base 3 of a strip of nine squares without its centre. */
static uint16_t digits[1 << STRIP];

static uint8_t kind_of[KIND_TABLE];

/* By size: the squares off the board, by direction and line, in the form of `stones`. */
static uint32_t walls[GOMOKU_SIZE_MAX + 1][GOMOKU_DIRECTIONS][GOMOKU_LINES];

/* The line of a square in a direction, and the square's position there. */
struct place {
	uint8_t line, position;
};

static struct place places[GOMOKU_SIZE_MAX + 1][GOMOKU_SQUARES_MAX][GOMOKU_DIRECTIONS];

/* --- tables --- */

/* The squares of a strip that complete five with own stones on `own`, the centre among them. */
static unsigned fives_of(unsigned own, unsigned blocked, int ends, bool exact)
{
	unsigned fives = 0, wide = own << 1 | (ends & 1) | (ends & 2 ? 1u << (STRIP + 1) : 0);
	for (int first = 0; first <= NEAR; first++) {
		unsigned window = 31u << first, missing = window & ~own;
		unsigned beyond = (1u << first) | (1u << (first + GOMOKU_ROW + 1));
		if (!(window & blocked) && missing && !(missing & (missing - 1)) &&
		    !(exact && wide & beyond))
			fives |= missing;
	}
	return fives;
}

/* Returns true if the centre is in a row that wins. */
static bool is_five(unsigned own, int ends, bool exact)
{
	unsigned wide = own << 1 | (ends & 1) | (ends & 2 ? 1u << (STRIP + 1) : 0);
	for (int first = 0; first <= NEAR; first++) {
		unsigned beyond = (1u << first) | (1u << (first + GOMOKU_ROW + 1));
		if ((own >> first & 31) == 31 && !(exact && wide & beyond))
			return true;
	}
	return false;
}

/* Fives and fours. */
static uint8_t four_entry(unsigned own, unsigned blocked, int ends, bool exact)
{
	if (is_five(own, ends, exact))
		return LINE_FIVE;
	unsigned fives = fives_of(own, blocked, ends, exact);
	if (!fives)
		return LINE_NONE;
	if (fives & (fives - 1))
		return LINE_OPEN_FOUR;
	return (uint8_t)(LINE_FOUR | __builtin_ctz(fives) << LINE_BITS);
}

/* Marks the entries without a better line where one more own stone leads to `next`. */
static void mark_before(uint8_t *table, int entries, enum gomoku_line line, enum gomoku_line next)
{
	static const int powers[2 * NEAR] = { 1, 3, 9, 27, 81, 243, 729, 2187 };
	for (int i = 0; i < entries; i++)
		for (int k = 0; k < 2 * NEAR && (table[i] & LINE_SET) == LINE_NONE; k++)
			if (i % CONTENTS / powers[k] % 3 == 0 &&
			    (table[i + powers[k]] & LINE_SET) == next)
				table[i] = (uint8_t)line;
}

/* Fills a table for all own stones around the centre and all squares that are blocked. */
static void fill_table(uint8_t *table, int ends_count, bool exact)
{
	for (unsigned own = 0; own < 1 << STRIP; own++) {
		unsigned free = ~own & ((1 << STRIP) - 1), blocked = free;
		if (!(own & CENTRE))
			continue;
		/* All subsets, the empty one first. */
		do {
			blocked = (blocked - free) & free;
			for (int ends = 0; ends < ends_count; ends++)
				table[ends * CONTENTS + digits[own] + 2 * digits[blocked]] =
					four_entry(own, blocked, ends, exact);
		} while (blocked != free);
	}
	mark_before(table, ends_count * CONTENTS, LINE_THREE, LINE_OPEN_FOUR);
	mark_before(table, ends_count * CONTENTS, LINE_TWO, LINE_THREE);
}

/* The kind of a stone that makes these lines. */
static enum gomoku_kind find_kind(int lines)
{
	int counts[LINE_FIVE + 1] = { 0 };
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
		int line = lines >> d * LINE_BITS & LINE_SET;
		counts[line <= LINE_FIVE ? line : LINE_NONE]++;
	}
	if (counts[LINE_FIVE])
		return KIND_FIVE;
	if (counts[LINE_OPEN_FOUR] || counts[LINE_FOUR] > 1)
		return KIND_OPEN_FOUR;
	if (counts[LINE_FOUR])
		return counts[LINE_THREE] ? KIND_FOUR_THREE : KIND_FOUR;
	if (counts[LINE_THREE])
		return counts[LINE_THREE] > 1 ? KIND_TWO_THREES : KIND_THREE;
	return counts[LINE_TWO] > 1 ? KIND_TWO_TWOS : counts[LINE_TWO] ? KIND_TWO : KIND_NONE;
}

/* The place of a square in each direction: along the row, along the column, down to the right, down to the left. */
static void set_places(int size, int row, int col)
{
	struct place *p = places[size][row * size + col];
	p[0] = (struct place) { (uint8_t)row, (uint8_t)col };
	p[1] = (struct place) { (uint8_t)col, (uint8_t)row };
	p[2] = (struct place) { (uint8_t)(row - col + size - 1), (uint8_t)row };
	p[3] = (struct place) { (uint8_t)(row + col), (uint8_t)row };
}

static void init_size(int size)
{
	memset(walls[size], 0xff, sizeof walls[size]);
	for (int step = 0; step < size * size; step++) {
		set_places(size, step / size, step % size);
		for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
			struct place p = places[size][step][d];
			walls[size][d][p.line] &= ~(1u << (EDGE + p.position));
		}
	}
}

void gomoku_board_init(void)
{
	memset(digits, 0, sizeof digits);
	for (unsigned strip = 0; strip < 1 << STRIP; strip++)
		for (int i = 0, power = 1; i < STRIP; i++)
			if (i != NEAR) {
				if (strip >> i & 1)
					digits[strip] = (uint16_t)(digits[strip] + power);
				power *= 3;
			}
	for (int lines = 0; lines < KIND_TABLE; lines++)
		kind_of[lines] = (uint8_t)find_kind(lines);
	fill_table(at_least, 1, false);
	fill_table(exactly, ENDS, true);
	for (int size = GOMOKU_SIZE_MIN; size <= GOMOKU_SIZE_MAX; size++)
		init_size(size);
}

/* --- squares --- */

/* The distance of two steps that are neighbours in a direction. */
static inline int stride_of(int size, int direction)
{
	const int strides[GOMOKU_DIRECTIONS] = { 1, size, size + 1, size - 1 };
	return strides[direction];
}

/* A line as a side sees it. */
struct view {
	uint32_t own, blocked;
};

static inline struct view view_of(const struct gomoku_board *b, int side, int d, int line)
{
	return (struct view) { b->stones[side][d][line],
			       b->stones[side ^ 1][d][line] | walls[b->size][d][line] };
}

/* What a stone of the side on an empty square of a line makes, with the place of the answer. */
static inline uint8_t entry_of(const uint8_t *table, bool exact, struct view v, int position)
{
	uint32_t own = v.own >> position, blocked = v.blocked >> position;
	int contents = digits[own >> 1 & ((1 << STRIP) - 1)] +
		       2 * digits[blocked >> 1 & ((1 << STRIP) - 1)];
	if (exact)
		contents += CONTENTS * (int)((own & 1) | (own >> STRIP & 2));
	return table[contents];
}

/* Changes the kind of a square for a side. */
static inline void set_kind(struct gomoku_board *b, int side, int step, int kind)
{
	uint64_t bit = UINT64_C(1) << step % 64;
	int earlier = b->kinds[side][step];
	if (kind == earlier)
		return;
	b->sets[side][earlier][step / 64] &= ~bit;
	b->counts[side][earlier]--;
	b->sets[side][kind][step / 64] |= bit;
	b->counts[side][kind]++;
	b->kinds[side][step] = (uint8_t)kind;
}

static inline void set_lines(struct gomoku_board *b, int side, int step, int lines)
{
	if (lines == b->lines[side][step])
		return;
	if (b->changes)
		b->changes->list[b->changes->count++] = (struct gomoku_change) {
			(uint16_t)step, b->lines[side][step], (uint8_t)side
		};
	b->lines[side][step] = (uint16_t)lines;
	set_kind(b, side, step, kind_of[lines]);
}

/* Looks at an empty square in all directions. */
static void look_at(struct gomoku_board *b, int step)
{
	const struct place *p = places[b->size][step];
	int lines[2] = { 0, 0 };
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
		if (!(b->stones[0][d][p[d].line] | b->stones[1][d][p[d].line]))
			continue;
		for (int side = 0; side < 2; side++) {
			struct view v = view_of(b, side, d, p[d].line);
			int line = entry_of(b->table, b->exact, v, p[d].position) & LINE_SET;
			lines[side] |= line << d * LINE_BITS;
		}
	}
	set_lines(b, 0, step, lines[0]);
	set_lines(b, 1, step, lines[1]);
}

/* Looks again at the empty squares near one in a line, after its content has changed. */
static inline __attribute__((always_inline)) void
look_along(struct gomoku_board *b, int step, int d, const uint8_t *table, const bool exact)
{
	const int reach = NEAR + exact, stride = stride_of(b->size, d);
	const struct place p = places[b->size][step][d];
	const struct view views[2] = { view_of(b, 0, d, p.line), view_of(b, 1, d, p.line) };
	/* Bit i is the square at the distance i - reach. */
	uint32_t open = ~(views[0].own | views[0].blocked) >> (EDGE + p.position - reach);
	open &= ((2u << 2 * reach) - 1) & ~(1u << reach);
	for (; open; open &= open - 1) {
		int away = __builtin_ctz(open) - reach, near = step + away * stride;
		for (int side = 0; side < 2; side++) {
			int line = entry_of(table, exact, views[side], p.position + away) &
				   LINE_SET;
			int lines = b->lines[side][near] & ~(LINE_SET << d * LINE_BITS);
			set_lines(b, side, near, lines | line << d * LINE_BITS);
		}
	}
}

static void look_around(struct gomoku_board *b, int step)
{
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
		if (b->exact)
			look_along(b, step, d, exactly, true);
		else
			look_along(b, step, d, at_least, false);
}

static inline void toggle(struct gomoku_board *b, int side, int step)
{
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
		struct place p = places[b->size][step][d];
		b->stones[side][d][p.line] ^= 1u << (EDGE + p.position);
	}
}

/* --- the board --- */

void gomoku_board_set(struct gomoku_board *b, const struct state *s, struct gomoku_changes *changes)
{
	const int size = gomoku_size(s), count = size * size;
	memset(b, 0, sizeof *b);
	b->size = size;
	b->empty = count;
	b->exact = gomoku_exact(s);
	b->table = b->exact ? exactly : at_least;
	for (int side = 0; side < 2; side++) {
		b->counts[side][KIND_NONE] = (uint16_t)count;
		for (int i = 0; i < GOMOKU_WORDS; i++)
			for (uint64_t left = s->board[GOMOKU_STONES(side) + i]; left;
			     left &= left - 1) {
				int step = gomoku_steps[size][64 * i + __builtin_ctzll(left)];
				b->taken[step] = 1;
				b->empty--;
				toggle(b, side, step);
			}
	}
	for (int step = 0; step < count; step++)
		if (!b->taken[step])
			look_at(b, step);
	b->changes = changes;
	if (changes)
		changes->stones = changes->count = 0;
}

void gomoku_board_place(struct gomoku_board *b, int side, int step)
{
	if (b->changes)
		b->changes->before[b->changes->stones++] = b->changes->count;
	set_lines(b, 0, step, 0);
	set_lines(b, 1, step, 0);
	b->taken[step] = 1;
	b->empty--;
	toggle(b, side, step);
	look_around(b, step);
}

void gomoku_board_remove(struct gomoku_board *b, int side, int step)
{
	struct gomoku_changes *changes = b->changes;
	int before = changes->before[--changes->stones];
	b->taken[step] = 0;
	b->empty++;
	toggle(b, side, step);
	while (changes->count > before) {
		const struct gomoku_change *c = &changes->list[--changes->count];
		b->lines[c->side][c->step] = c->lines;
		set_kind(b, c->side, c->step, kind_of[c->lines]);
	}
}

int gomoku_board_answer(const struct gomoku_board *b, int side, int step)
{
	int d = 0;
	while ((b->lines[side][step] >> d * LINE_BITS & LINE_SET) != LINE_FOUR)
		d++;
	struct place p = places[b->size][step][d];
	struct view v = view_of(b, side, d, p.line);
	int away = (entry_of(b->table, b->exact, v, p.position) >> LINE_BITS) - NEAR;
	return step + away * stride_of(b->size, d);
}
