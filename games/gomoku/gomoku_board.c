/* SPDX-License-Identifier: MIT */
#include "games/gomoku/gomoku_board.h"

#include <string.h>

enum {
	KIND_TABLE = 1 << GOMOKU_DIRECTIONS * GOMOKU_LINE_BITS,
};

/* The kind of a stone by its lines. [1]: of Black in Renju. */
static uint8_t kind_of[2][KIND_TABLE];

/* --- kinds --- */

/* Counts the directions in which a stone makes each line. */
static void gomoku_board_count_lines(int lines, int counts[GOMOKU_LINE_SET + 1])
{
	memset(counts, 0, (GOMOKU_LINE_SET + 1) * sizeof *counts);
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
		counts[lines >> d * GOMOKU_LINE_BITS & GOMOKU_LINE_SET]++;
}

/* The kind of a stone that makes these lines, if nothing is forbidden. */
static enum gomoku_kind find_kind(int lines)
{
	int counts[GOMOKU_LINE_SET + 1];
	gomoku_board_count_lines(lines, counts);
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

/* The same for Black in Renju. */
static enum gomoku_kind gomoku_board_find_restricted(int lines)
{
	int counts[GOMOKU_LINE_SET + 1];
	gomoku_board_count_lines(lines, counts);
	if (!counts[LINE_FIVE]) {
		if (counts[LINE_OVERLINE] || counts[LINE_TWO_FOURS] ||
		    counts[LINE_FOUR] + counts[LINE_OPEN_FOUR] > 1)
			return KIND_FORBIDDEN;
		if (counts[LINE_THREE] > 1)
			return KIND_DOUBTFUL;
	}
	return find_kind(lines);
}

void gomoku_board_init(void)
{
	for (int lines = 0; lines < KIND_TABLE; lines++) {
		kind_of[0][lines] = (uint8_t)find_kind(lines);
		kind_of[1][lines] = (uint8_t)gomoku_board_find_restricted(lines);
	}
}

/* --- squares --- */

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
	set_kind(b, side, step, b->kind_of[side][lines]);
}

/* Returns true if the fifth squares matter to a side. */
static inline bool gomoku_has_ends(enum gomoku_rules rules, int side)
{
	return rules == GOMOKU_STANDARD || (rules == GOMOKU_RENJU && side == BLACK);
}

/* Looks at the empty squares in all directions. The rules are constant, so that the compiler makes code for each of them. */
static inline __attribute__((always_inline)) void
gomoku_board_look_at_all(struct gomoku_board *b, const enum gomoku_rules rules)
{
	const struct gomoku_lines *l = &b->stones;
	for (int step = 0; step < b->size * b->size; step++) {
		const struct gomoku_place *p = gomoku_places[b->size][step];
		int lines[2] = { 0, 0 };
		for (int d = 0; d < GOMOKU_DIRECTIONS && !b->taken[step]; d++) {
			if (!(l->stones[0][d][p[d].line] | l->stones[1][d][p[d].line]))
				continue;
			for (int side = 0; side < 2; side++) {
				struct gomoku_view v = gomoku_view(l, side, d, p[d].line);
				int line = gomoku_entry(gomoku_table(rules, side),
							gomoku_has_ends(rules, side), v,
							p[d].position) &
					   GOMOKU_LINE_SET;
				lines[side] |= line << d * GOMOKU_LINE_BITS;
			}
		}
		if (!b->taken[step]) {
			set_lines(b, 0, step, lines[0]);
			set_lines(b, 1, step, lines[1]);
		}
	}
}

/* Looks again at the empty squares near one in a line, after its content has changed. */
static inline __attribute__((always_inline)) void
gomoku_board_look_along(struct gomoku_board *b, int step, int d, const enum gomoku_rules rules)
{
	const int reach = GOMOKU_REACH + (rules != GOMOKU_FREESTYLE);
	const int stride = gomoku_stride(b->size, d);
	const struct gomoku_place p = gomoku_places[b->size][step][d];
	const struct gomoku_view views[2] = { gomoku_view(&b->stones, 0, d, p.line),
					      gomoku_view(&b->stones, 1, d, p.line) };
	/* Bit i is the square at the distance i - reach. */
	uint32_t open = ~(views[0].own | views[0].blocked) >>
			(GOMOKU_FIRST_BIT + p.position - reach);
	open &= ((2u << 2 * reach) - 1) & ~(1u << reach);
	for (; open; open &= open - 1) {
		int away = __builtin_ctz(open) - reach, near = step + away * stride;
		for (int side = 0; side < 2; side++) {
			int line = gomoku_entry(gomoku_table(rules, side),
						gomoku_has_ends(rules, side), views[side],
						p.position + away) &
				   GOMOKU_LINE_SET;
			int lines = b->lines[side][near] &
				    ~(GOMOKU_LINE_SET << d * GOMOKU_LINE_BITS);
			set_lines(b, side, near, lines | line << d * GOMOKU_LINE_BITS);
		}
	}
}

static void look_around(struct gomoku_board *b, int step)
{
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
		switch (b->stones.rules) {
		case GOMOKU_STANDARD:
			gomoku_board_look_along(b, step, d, GOMOKU_STANDARD);
			break;
		case GOMOKU_RENJU:
			gomoku_board_look_along(b, step, d, GOMOKU_RENJU);
			break;
		default:
			gomoku_board_look_along(b, step, d, GOMOKU_FREESTYLE);
		}
}

/* --- the board --- */

void gomoku_board_set(struct gomoku_board *b, const struct state *s, struct gomoku_changes *changes)
{
	const int size = gomoku_size(s), count = size * size;
	memset(b, 0, sizeof *b);
	b->size = size;
	b->empty = count;
	b->kind_of[BLACK] = kind_of[gomoku_rules(s) == GOMOKU_RENJU];
	b->kind_of[WHITE] = kind_of[0];
	gomoku_lines_set(&b->stones, s);
	for (int side = 0; side < 2; side++) {
		b->counts[side][KIND_NONE] = (uint16_t)count;
		for (int i = 0; i < GOMOKU_WORDS; i++)
			for (uint64_t left = s->board[GOMOKU_STONES(side) + i]; left;
			     left &= left - 1) {
				b->taken[gomoku_steps[size][64 * i + __builtin_ctzll(left)]] = 1;
				b->empty--;
			}
	}
	switch (b->stones.rules) {
	case GOMOKU_STANDARD:
		gomoku_board_look_at_all(b, GOMOKU_STANDARD);
		break;
	case GOMOKU_RENJU:
		gomoku_board_look_at_all(b, GOMOKU_RENJU);
		break;
	default:
		gomoku_board_look_at_all(b, GOMOKU_FREESTYLE);
	}
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
	gomoku_toggle(&b->stones, side, step);
	look_around(b, step);
}

void gomoku_board_remove(struct gomoku_board *b, int side, int step)
{
	struct gomoku_changes *changes = b->changes;
	int before = changes->before[--changes->stones];
	b->taken[step] = 0;
	b->empty++;
	gomoku_toggle(&b->stones, side, step);
	while (changes->count > before) {
		const struct gomoku_change *c = &changes->list[--changes->count];
		b->lines[c->side][c->step] = c->lines;
		set_kind(b, c->side, c->step, b->kind_of[c->side][c->lines]);
	}
}

enum gomoku_kind gomoku_board_kind(struct gomoku_board *b, int side, int step)
{
	int counts[GOMOKU_LINE_SET + 1];
	if (b->kinds[side][step] != KIND_DOUBTFUL)
		return b->kinds[side][step];
	if (gomoku_find_ban(&b->stones, step) != BAN_NONE)
		return KIND_FORBIDDEN;
	gomoku_board_count_lines(b->lines[side][step], counts);
	return counts[LINE_OPEN_FOUR] ? KIND_OPEN_FOUR : counts[LINE_FOUR] ? KIND_FOUR : KIND_THREE;
}

int gomoku_board_answer(const struct gomoku_board *b, int side, int step)
{
	const struct gomoku_table *table = gomoku_table(b->stones.rules, side);
	int d = 0;
	while ((b->lines[side][step] >> d * GOMOKU_LINE_BITS & GOMOKU_LINE_SET) != LINE_FOUR)
		d++;
	struct gomoku_place p = gomoku_places[b->size][step][d];
	struct gomoku_view v = gomoku_view(&b->stones, side, d, p.line);
	int entry = gomoku_entry(table, table->has_ends, v, p.position);
	int away = (entry >> GOMOKU_LINE_BITS) - GOMOKU_REACH;
	return step + away * gomoku_stride(b->size, d);
}
