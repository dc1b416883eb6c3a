/* SPDX-License-Identifier: MIT
 *
 * A plain, slow referee of Gomoku, which shares no code with the game.
 */
#ifndef TESTS_GAMES_GOMOKU_GOMOKU_REFEREE_H
#define TESTS_GAMES_GOMOKU_GOMOKU_REFEREE_H

#include <string.h>

#include "games/games.h"
#include "tests/suite.h"

enum { REFEREE_FREESTYLE, REFEREE_STANDARD, REFEREE_RENJU, REFEREE_RULES };

/* The games with these rules, on their usual boards. */
static const struct game *const referee_rule_sets[REFEREE_RULES] = { &game_gomoku,
								     &game_gomoku_standard,
								     &game_gomoku_renju };

struct referee {
	int size, stones;
	int rules;
	char at[GAME_SQUARES_MAX];
	int side, score;
	bool over;
};

static inline void referee_start(struct referee *r, int size, int rules)
{
	memset(r, 0, sizeof *r);
	r->size = size;
	r->rules = rules;
	memset(r->at, '.', sizeof r->at);
}

static inline bool referee_has(const struct referee *r, char colour, int row, int col)
{
	return row >= 0 && row < r->size && col >= 0 && col < r->size &&
	       r->at[row * r->size + col] == colour;
}

/* The length of the row through a stone, in the direction and against it. */
static inline int referee_row(const struct referee *r, int square, int down, int right)
{
	int row = square / r->size, col = square % r->size, n = 1;
	char colour = r->at[square];
	for (int i = 1; referee_has(r, colour, row + i * down, col + i * right); i++)
		n++;
	for (int i = 1; referee_has(r, colour, row - i * down, col - i * right); i++)
		n++;
	return n;
}

static const int referee_directions[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };

/* Returns true if a row of n stones wins. */
static inline bool referee_is_five(const struct referee *r, char colour, int n)
{
	bool exact = r->rules == REFEREE_STANDARD || (r->rules == REFEREE_RENJU && colour == 'X');
	return n == 5 || (n > 5 && !exact);
}

static inline bool referee_wins_by(const struct referee *r, int square)
{
	for (int d = 0; d < 4; d++)
		if (referee_is_five(r, r->at[square],
				    referee_row(r, square, referee_directions[d][0],
						referee_directions[d][1])))
			return true;
	return false;
}

/* Returns true if a stone of a side on an empty square would win. */
static inline bool referee_wins_at(const struct referee *r, int side, int square)
{
	struct referee next = *r;
	if (r->at[square] != '.')
		return false;
	next.at[square] = "XO"[side];
	return referee_wins_by(&next, square);
}

/* Returns true if a side has won. */
static inline bool referee_is_won(const struct referee *r)
{
	for (int i = 0; i < r->size * r->size; i++)
		if (r->at[i] != '.' && referee_wins_by(r, i))
			return true;
	return false;
}

/* Returns the number of squares where a stone of a side makes five. *last: the last of them. */
static inline int referee_wins(const struct referee *r, int side, int *last)
{
	int count = 0;
	for (int i = 0; i < r->size * r->size; i++)
		if (referee_wins_at(r, side, i)) {
			count++;
			*last = i;
		}
	return count;
}

/* --- Renju: what Black may not do, by the words of the rules --- */

/* The squares of a line through a square, from four before it to four after it, -1 off the board. */
static inline void referee_line(const struct referee *r, int square, int d, int line[9])
{
	for (int i = -4; i <= 4; i++) {
		int row = square / r->size + i * referee_directions[d][0];
		int col = square % r->size + i * referee_directions[d][1];
		bool inside = row >= 0 && row < r->size && col >= 0 && col < r->size;
		line[i + 4] = inside ? row * r->size + col : -1;
	}
}

static inline char referee_at(const struct referee *r, int square)
{
	return square < 0 ? '#' : r->at[square];
}

/* Returns true if Black's stone on an empty square makes exactly five in a direction. */
static inline bool referee_five_at(const struct referee *r, int square, int d)
{
	struct referee next = *r;
	next.at[square] = 'X';
	return referee_row(&next, square, referee_directions[d][0], referee_directions[d][1]) == 5;
}

/* A four: four of Black's stones, the one on `square` among them, to which one stone can be added to make five in a row.
 * Fours are different if their stones are. Returns their number in a direction. */
static inline int referee_fours(const struct referee *r, int square, int d)
{
	int line[9], count = 0;
	unsigned seen[5];
	referee_line(r, square, d, line);
	for (int first = 0; first < 5; first++) {
		unsigned stones = 0;
		int missing = -1, others = 0;
		for (int i = first; i < first + 5; i++)
			if (referee_at(r, line[i]) == 'X')
				stones |= 1u << i;
			else if (referee_at(r, line[i]) == '.' && missing < 0)
				missing = line[i];
			else
				others++;
		if (others || missing < 0 || !referee_five_at(r, missing, d))
			continue;
		bool is_new = true;
		for (int i = 0; i < count; i++)
			is_new = is_new && seen[i] != stones;
		if (is_new)
			seen[count++] = stones;
	}
	return count;
}

/* A straight four: four stones side by side, that of `square` among them, and a stone at either end makes five in a row. */
static inline bool referee_has_straight_four(const struct referee *r, int square, int d)
{
	int line[9];
	referee_line(r, square, d, line);
	if (referee_row(r, square, referee_directions[d][0], referee_directions[d][1]) != 4)
		return false;
	int first = 4, last = 4;
	while (referee_at(r, line[first]) == 'X')
		first--;
	while (referee_at(r, line[last]) == 'X')
		last++;
	return referee_at(r, line[first]) == '.' && referee_at(r, line[last]) == '.' &&
	       referee_five_at(r, line[first], d) && referee_five_at(r, line[last], d);
}

enum referee_ban { REFEREE_FREE, REFEREE_OVERLINE, REFEREE_DOUBLE_FOUR, REFEREE_DOUBLE_THREE };

static inline enum referee_ban referee_ban(const struct referee *r, int square);

/* A three: three of Black's stones, that of `square` among them, to which a stone can be added that makes no five, makes a
 * straight four of them, and is not forbidden. */
static inline bool referee_has_three(const struct referee *r, int square, int d)
{
	int line[9];
	if (referee_fours(r, square, d))
		return false;
	referee_line(r, square, d, line);
	for (int i = 0; i < 9; i++) {
		if (referee_at(r, line[i]) != '.')
			continue;
		struct referee next = *r;
		next.at[line[i]] = 'X';
		if (referee_has_straight_four(&next, square, d) &&
		    !referee_wins_by(&next, line[i]) && referee_ban(r, line[i]) == REFEREE_FREE)
			return true;
	}
	return false;
}

static inline enum referee_ban referee_ban(const struct referee *r, int square)
{
	struct referee next = *r;
	int longest = 0, fours = 0, threes = 0;
	next.at[square] = 'X';
	if (referee_wins_by(&next, square))
		return REFEREE_FREE;
	for (int d = 0; d < 4; d++) {
		int n = referee_row(&next, square, referee_directions[d][0],
				    referee_directions[d][1]);
		longest = n > longest ? n : longest;
		fours += referee_fours(&next, square, d);
	}
	if (longest > 5)
		return REFEREE_OVERLINE;
	if (fours > 1)
		return REFEREE_DOUBLE_FOUR;
	for (int d = 0; d < 4; d++)
		threes += referee_has_three(&next, square, d);
	return threes > 1 ? REFEREE_DOUBLE_THREE : REFEREE_FREE;
}

/* Returns true if the side to move may place a stone on a square. */
static inline bool referee_allows(const struct referee *r, int square)
{
	return r->at[square] == '.' && (r->rules != REFEREE_RENJU || r->side == WHITE ||
					referee_ban(r, square) == REFEREE_FREE);
}

/* --- moves --- */

/* Black loses if no square is allowed. */
static inline bool referee_is_stuck(const struct referee *r)
{
	for (int i = 0; i < r->size * r->size; i++)
		if (referee_allows(r, i))
			return false;
	return true;
}

static inline void referee_play(struct referee *r, int square)
{
	r->at[square] = "XO"[r->side];
	r->stones++;
	if (referee_wins_by(r, square))
		r->score = side_sign(r->side);
	r->side ^= 1;
	r->over = r->score || r->stones == r->size * r->size;
	if (!r->over && referee_is_stuck(r)) {
		r->over = true;
		r->score = -1;
	}
}

/* Returns a random square where the side to move may place a stone. There must be one. */
static inline int referee_random(const struct referee *r, struct rng *rng)
{
	int square;
	do
		square = (int)rng_below(rng, (uint32_t)(r->size * r->size));
	while (!referee_allows(r, square));
	return square;
}

/* --- the game that is tested --- */

static inline const struct game *referee_game(const struct referee *r)
{
	return game_sized(referee_rule_sets[r->rules], r->size, r->size);
}

/* Sets up the position with this side to move. */
static inline void referee_state(const struct referee *r, int side, struct state *s)
{
	char squares[POSITION_TEXT_MAX];
	memcpy(squares, r->at, (size_t)(r->size * r->size));
	squares[r->size * r->size] = '\0';
	ck_assert_ptr_null(game_setup(referee_game(r), s, squares, side == BLACK ? "X" : "O"));
}

#endif
