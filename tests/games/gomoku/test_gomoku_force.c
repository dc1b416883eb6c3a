/* SPDX-License-Identifier: MIT
 *
 * Forced wins of Gomoku: what the board of threats knows, against a plain look at the lines; what the search claims,
 * against exhaustive searches that know only the referee's rules; and known problems.
 */
#include <string.h>

#include "engine/rules/threats.h"
#include "games/gomoku/gomoku_board.h"
#include "games/gomoku/gomoku_force.h"
#include "tests/games/gomoku/gomoku_referee.h"
#include "tests/suite.h"

/* A random position without a row of five. `side` has the move. */
static void random_position(struct referee *r, int size, int rules, int stones, struct rng *rng)
{
	for (;;) {
		referee_start(r, size, rules);
		for (int i = 0; i < stones && !r->over; i++)
			referee_play(r, referee_random(r, rng));
		if (!r->over)
			return;
	}
}

/* --- the board of threats --- */

/* The squares in one direction that complete a row that wins through `square`, which has a stone. */
static int count_fives(struct referee *r, int square, int d)
{
	int count = 0;
	for (int i = -4; i <= 4; i++) {
		int row = square / r->size + i * referee_directions[d][0];
		int col = square % r->size + i * referee_directions[d][1], at = row * r->size + col;
		if (!referee_has(r, '.', row, col))
			continue;
		r->at[at] = r->at[square];
		int n = referee_row(r, square, referee_directions[d][0], referee_directions[d][1]);
		bool joined = true; /* the new stone is in the row of the square */
		for (int k = i; k; k -= k > 0 ? 1 : -1)
			joined &= referee_has(r, r->at[square],
					      square / r->size + k * referee_directions[d][0],
					      square % r->size + k * referee_directions[d][1]);
		count += joined && referee_is_five(r, r->at[square], n);
		r->at[at] = '.';
	}
	return count;
}

/* A four of the stone on `square`, which has two answers; or LINE_FOUR, LINE_NONE. */
static enum gomoku_line plain_four(struct referee *r, int square, int d)
{
	int fives = count_fives(r, square, d);
	if (fives < 2)
		return fives ? LINE_FOUR : LINE_NONE;
	bool restricted = r->rules == REFEREE_RENJU && r->at[square] == 'X';
	return restricted && !referee_has_straight_four(r, square, d) ? LINE_TWO_FOURS
								      : LINE_OPEN_FOUR;
}

/* What a stone makes in one direction, by the definitions of games/gomoku/gomoku_lines.h. */
static enum gomoku_line plain_line(struct referee *r, int side, int square, int d)
{
	r->at[square] = "XO"[side];
	int n = referee_row(r, square, referee_directions[d][0], referee_directions[d][1]);
	enum gomoku_line line = plain_four(r, square, d);
	if (referee_is_five(r, r->at[square], n))
		line = LINE_FIVE;
	else if (n > 5 && r->rules == REFEREE_RENJU)
		line = LINE_OVERLINE;
	for (int i = -4; i <= 4 && line == LINE_NONE; i++) {
		int row = square / r->size + i * referee_directions[d][0];
		int col = square % r->size + i * referee_directions[d][1], at = row * r->size + col;
		if (!referee_has(r, '.', row, col))
			continue;
		r->at[at] = "XO"[side];
		if (plain_four(r, square, d) == LINE_OPEN_FOUR)
			line = LINE_THREE;
		r->at[at] = '.';
	}
	r->at[square] = '.';
	return line;
}

/* Returns true if the board knows what Black may do. */
static bool knows_bans(struct gomoku_board *b, const struct referee *r)
{
	struct referee turned = *r;
	bool same = true;
	turned.side = BLACK;
	for (int i = 0; i < r->size * r->size; i++)
		if (r->at[i] == '.')
			same &= gomoku_board_allows(b, BLACK, i) == referee_allows(&turned, i) &&
				gomoku_board_allows(b, WHITE, i);
	return same;
}

static bool knows_lines(const struct gomoku_board *b, struct referee *r)
{
	bool same = true;
	for (int i = 0; i < r->size * r->size; i++)
		for (int side = 0; side < 2 && r->at[i] == '.'; side++)
			for (int d = 0; d < 4; d++) {
				enum gomoku_line line = b->lines[side][i] >> 3 * d & 7;
				line = line == LINE_TWO ? LINE_NONE : line;
				same &= line == plain_line(r, side, i, d);
			}
	return same;
}

static bool same_boards(const struct gomoku_board *a, const struct gomoku_board *b)
{
	bool same = memcmp(&a->stones, &b->stones, sizeof a->stones) == 0 &&
		    memcmp(a->taken, b->taken, sizeof a->taken) == 0 &&
		    memcmp(a->lines, b->lines, sizeof a->lines) == 0 &&
		    memcmp(a->kinds, b->kinds, sizeof a->kinds) == 0 && a->empty == b->empty;
	for (int side = 0; side < 2; side++)
		for (int kind = KIND_NONE + 1; kind < KINDS; kind++)
			same &= memcmp(a->sets[side][kind], b->sets[side][kind],
				       sizeof a->sets[side][kind]) == 0 &&
				a->counts[side][kind] == b->counts[side][kind];
	return same;
}

START_TEST(board)
{
	static struct gomoku_changes changes;
	static struct gomoku_board b, first, fresh;
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < suite_times(60); i++) {
		int size = 5 + i % 16, steps[12], count = 0;
		struct referee r;
		struct state s;
		random_position(&r, size, _i, (int)rng_below(&rng, (uint32_t)(size * size * 2 / 5)),
				&rng);
		referee_state(&r, r.side, &s);
		gomoku_board_set(&b, &s, &changes);
		ck_assert(knows_lines(&b, &r));
		first = b;
		for (; count < 12 && !r.over; count++) {
			int step = referee_random(&r, &rng);
			steps[count] = step;
			gomoku_board_place(&b, r.side, step);
			referee_play(&r, step);
		}
		if (!r.over) {
			referee_state(&r, r.side, &s);
			gomoku_board_set(&fresh, &s, NULL);
			ck_assert(same_boards(&b, &fresh));
			ck_assert(knows_lines(&b, &r) && knows_bans(&b, &r));
		}
		while (count-- > 0) {
			r.side ^= 1;
			gomoku_board_remove(&b, r.side, steps[count]);
		}
		ck_assert(same_boards(&b, &first));
	}
}
END_TEST

/* --- fours --- */

/* Returns true if the side to move wins by fours alone. */
static bool wins_by_fours(const struct referee *r)
{
	int must = -1, answer = 0, side = r->side;
	if (referee_wins(r, side, &answer))
		return true;
	if (referee_wins(r, side ^ 1, &must) > 1)
		return false;
	for (int i = 0; i < r->size * r->size; i++) {
		if (!referee_allows(r, i) || (must >= 0 && i != must))
			continue;
		struct referee next = *r;
		referee_play(&next, i);
		int fives = referee_wins(&next, side, &answer);
		if (fives > 1)
			return true;
		if (!fives)
			continue;
		if (!referee_allows(&next, answer))
			return true;
		referee_play(&next, answer);
		if (!next.over && wins_by_fours(&next))
			return true;
	}
	return false;
}

START_TEST(fours)
{
	struct rng rng;
	int found = 0, missing = 0, other = 0;
	rng_seed(&rng, 2);
	for (int i = 0; i < suite_times(250); i++) {
		int size = 6 + i % 5;
		struct referee r;
		struct state s;
		random_position(&r, size, _i, size * size * (25 + i % 20) / 100, &rng);
		referee_state(&r, r.side, &s);
		bool wins = wins_by_fours(&r);
		other += referee_wins(&r, r.side ^ 1, &(int) { 0 }) > 0;
		found += wins;
		missing += !wins;
		ck_assert_msg((gomoku_fours(&s, 1000000) != MOVE_NONE) == wins, "%d", i);
	}
	ck_assert_int_gt(found, suite_times(50));
	ck_assert_int_gt(missing, suite_times(50));
	ck_assert_int_gt(other, suite_times(20));
}
END_TEST

/* --- claims against all games --- */

/* The result of perfect play for the side to move: 1, 0 or -1. */
static int value_of(const struct referee *r)
{
	int must = -1, best = -1, last = 0;
	if (r->over)
		return r->score * side_sign(r->side);
	if (referee_wins(r, r->side, &last))
		return 1;
	if (referee_wins(r, r->side ^ 1, &must) > 1)
		return -1;
	for (int i = 0; i < r->size * r->size && best < 1; i++) {
		if (!referee_allows(r, i) || (must >= 0 && i != must))
			continue;
		struct referee next = *r;
		referee_play(&next, i);
		int value = -value_of(&next);
		best = value > best ? value : best;
	}
	return best;
}

/* The value for the side to move of a move of its own. */
static int value_after(const struct referee *r, int step)
{
	struct referee next = *r;
	referee_play(&next, step);
	return -value_of(&next);
}

START_TEST(claims_on_small_boards)
{
	struct rng rng;
	int wins = 0, lost = 0;
	rng_seed(&rng, 3);
	for (int i = 0; i < suite_times(600); i++) {
		int size = 5 + i % 3, n;
		struct referee r;
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		bool won, is_listed[GAME_SQUARES_MAX] = { false };
		random_position(&r, size, _i, size * size - 8, &rng);
		referee_state(&r, r.side, &s);
		n = gomoku_forced(referee_rule_sets[_i], &s, 600, steps, &won);
		if (won) {
			ck_assert_int_eq(n, 1);
			ck_assert_msg(value_after(&r, steps[0]) == 1, "%d", i);
			wins += !referee_rule_sets[_i]->threats->wins(referee_rule_sets[_i], &s);
			continue;
		}
		for (int k = 0; k < n; k++) {
			ck_assert(k == 0 || steps[k] > steps[k - 1]);
			ck_assert(referee_allows(&r, steps[k]));
			is_listed[steps[k]] = true;
		}
		for (int k = 0; k < size * size; k++)
			if (referee_allows(&r, k) && !is_listed[k]) {
				ck_assert_msg(value_after(&r, k) == -1, "%d", i);
				lost++;
			}
	}
	ck_assert_int_gt(wins, 0);
	ck_assert_int_gt(lost, suite_times(100));
}
END_TEST

/* Plays the claimed win against every defence to the end. */
static void check_win(struct referee *r, int work, int *threes)
{
	struct state s;
	int five = -1;
	if (referee_wins(r, r->side, &five))
		return;
	referee_state(r, r->side, &s);
	move_t step = gomoku_threes(&s, work);
	ck_assert(step != MOVE_NONE);
	struct referee next = *r;
	referee_play(&next, step);
	int fives = referee_wins(&next, r->side, &five), must;
	*threes += fives == 0;
	/* The defender wins at once, or cannot prevent the five. */
	ck_assert_int_eq(referee_wins(&next, next.side, &must), 0);
	ck_assert(next.stones < next.size * next.size);
	for (int i = 0; i < r->size * r->size && fives < 2; i++) {
		if (!referee_allows(&next, i) || (fives && i != five))
			continue;
		struct referee answered = next;
		referee_play(&answered, i);
		ck_assert(!answered.over);
		check_win(&answered, work, threes);
	}
}

START_TEST(claims_on_larger_boards)
{
	struct rng rng;
	int wins = 0, threes = 0;
	rng_seed(&rng, 4);
	for (int i = 0; i < suite_times(120) && wins < suite_times(6); i++) {
		int size = 9 + i % 4;
		struct referee r;
		struct state s;
		random_position(&r, size, _i, 14 + i % 8, &rng);
		referee_state(&r, r.side, &s);
		if (gomoku_fours(&s, 1000) != MOVE_NONE || gomoku_threes(&s, 400) == MOVE_NONE)
			continue;
		check_win(&r, 100000, &threes);
		wins++;
	}
	ck_assert_int_gt(wins, 1);
	ck_assert_int_gt(threes, 1);
}
END_TEST

/* The zone of a threat: every square outside loses to the same fours, whatever the defender has. */
START_TEST(zones)
{
	struct rng rng;
	int lost = 0;
	rng_seed(&rng, 5);
	for (int i = 0; i < suite_times(60); i++) {
		int size = 8 + i % 5, n, at = 0;
		struct referee r;
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		bool won;
		random_position(&r, size, _i, size * size * (20 + i % 20) / 100, &rng);
		referee_state(&r, r.side, &s);
		n = gomoku_forced(referee_rule_sets[_i], &s, 200, steps, &won);
		for (int k = 0; k < size * size && !won; k++) {
			if (!referee_allows(&r, k))
				continue;
			if (at < n && steps[at] == k) {
				at++;
				continue;
			}
			struct referee next = r;
			referee_play(&next, k);
			ck_assert_msg(!next.over && wins_by_fours(&next), "%d: %d", i, k);
			lost++;
		}
	}
	ck_assert_int_gt(lost, 100);
}
END_TEST

/* --- problems --- */

/* Wins by fours, Black to move, with which other programs (Mintaka) are tested too. In Renju only the
 * first RENJU_PROBLEMS have such a win, as a plain search says that asks c-gomoku-cli what is forbidden. */
enum { RENJU_PROBLEMS = 5 };

static const char *const problems[] = { "..............."
					"..............."
					"..............."
					"..............."
					"..........O...."
					".........X.X..."
					".........O....."
					".......X.XXO..."
					"......X.XO....."
					".......OO......"
					"......O........"
					"..............."
					"..............."
					"..............."
					"...............",

					"..............."
					"..............."
					"..............."
					"..............."
					".........O....."
					".....X...X....."
					".....O.O...O..."
					"..OXX..X..X...."
					"....O....X....."
					".....XO....O..."
					"..............."
					".......X......."
					"......O........"
					"..............."
					"...............",

					"..............."
					"..............."
					"..............."
					"..............."
					".......O......."
					".........XO...."
					".......OX.X...."
					".......XO.X.O.."
					"......O..O.X..."
					".........X.OOX."
					"........XO.XX.."
					".......O......."
					"..............."
					"..............."
					"...............",

					"..............."
					"..............."
					"..............."
					"......X........"
					"..........X...."
					".......O......."
					"....O..X..O...."
					"....XOXXX......"
					"...O.OO..X....."
					"..........O...."
					".........OX...."
					"..............."
					"..............."
					"..............."
					"...............",

					"..............."
					"..............."
					"..............."
					"..............."
					"..............."
					"..............."
					"....O...O......"
					".......XOO....."
					"....OX.X......."
					".....X..OX....."
					"..............."
					".......X...X..."
					"......O........"
					"..............."
					"...............",

					"OO..X.X..OXOOX."
					"O.X..O....X...X"
					"O.............."
					"O....X........X"
					"X.X............"
					"O..O..X......X."
					"O.......O....OX"
					"...O..OX....X.."
					".X......O...X.."
					"....O...O.X...O"
					"...X..........X"
					"XO...X..X..X.XO"
					".X............O"
					".O........O..XO"
					"XO.O.O.X.XOOXO.",

					"O...X.......X.X"
					"X....O...O..O.X"
					".......O.....O."
					"O..........X..X"
					"X...........O.."
					"O.O............"
					"OOXO....X...O.."
					"O.OO...X.O....."
					".X.......O..X.."
					"........O.....X"
					"X...........X.X"
					".............XO"
					"X............X."
					".......X......O"
					"XOOO.X..X.X...." };

START_TEST(known_problems)
{
	for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
		for (int rules = 0; rules < REFEREE_RULES; rules++) {
			const struct game *g = referee_rule_sets[rules];
			struct state s;
			struct referee r;
			int threes = 0;
			move_t steps[GAME_STEPS_MAX];
			bool won;
			referee_start(&r, 15, rules);
			memcpy(r.at, problems[i], 225);
			r.stones = 225 - game_free(g, (referee_state(&r, r.side, &s), &s));
			ck_assert_int_eq(g->threats->wins(g, &s), false);
			if (rules == REFEREE_RENJU && i >= RENJU_PROBLEMS) {
				ck_assert(gomoku_fours(&s, 1000000) == MOVE_NONE);
				continue;
			}
			ck_assert(gomoku_fours(&s, 10000) != MOVE_NONE);
			ck_assert_int_eq(gomoku_forced(g, &s, 10000, steps, &won), 1);
			ck_assert(won);
			/* A search that must not place a stone finds nothing. */
			ck_assert(gomoku_fours(&s, 0) == MOVE_NONE);
			check_win(&r, 10000, &threes);
			ck_assert_int_eq(threes, 0);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gomoku_force");
	TCase *cases = tcase_create("forced wins");
	tcase_add_loop_test(cases, board, 0, REFEREE_RULES);
	tcase_add_test(cases, known_problems);
	suite_add_tcase(suite, cases);
	cases = suite_native_case(suite);
	tcase_add_loop_test(cases, fours, 0, REFEREE_RULES);
	tcase_add_loop_test(cases, claims_on_small_boards, 0, REFEREE_RULES);
	tcase_add_loop_test(cases, claims_on_larger_boards, 0, REFEREE_RULES);
	tcase_add_loop_test(cases, zones, 0, REFEREE_RULES);
	return suite_run(suite);
}
