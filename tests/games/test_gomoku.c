/* SPDX-License-Identifier: MIT
 *
 * Gomoku: every rule against a plain, slow referee that shares no code with the game, on boards of all sizes.
 */
#include <string.h>

#include "engine/perft.h"
#include "tests/games/gomoku_referee.h"
#include "tests/suite.h"

static const struct game *const rule_sets[2] = { &game_gomoku, &game_gomoku_standard };

/* --- random games --- */

static bool agrees(const struct game *g, const struct referee *r, const struct state *s)
{
	bool same = s->side == r->side && s->over == r->over && s->score == r->score && g->valid(s);
	for (int i = 0; i < r->size * r->size; i++)
		same &= g->at(s, i / r->size, i % r->size) == r->at[i];
	return same;
}

/* Returns true if the legal steps are the empty squares in their order. */
static bool lists_steps(const struct game *g, const struct referee *r, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(s, steps), at = 0;
	bool same = true;
	for (int i = 0; i < r->size * r->size; i++)
		if (r->at[i] == '.')
			same = same && at < n && steps[at++] == i;
	return same && at == n;
}

/* Compares wins and safe with the referee's look at all squares. */
static bool sees_wins(const struct game *g, const struct referee *r, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int own = 0, other = 0, last = 0;
	for (int i = 0; i < r->size * r->size; i++) {
		own += referee_wins_at(r, s->side, i);
		if (referee_wins_at(r, s->side ^ 1, i)) {
			other++;
			last = i;
		}
	}
	struct state turned = *s;
	turned.side ^= 1;
	if (g->wins(s) != (own > 0) || g->wins(&turned) != (other > 0))
		return false;
	if (own)
		return true;
	int n = g->safe(s, steps);
	return other == 0 ? lists_steps(g, r, s) : other == 1 ? n == 1 && steps[0] == last : n == 0;
}

/* Random moves; every other game stays in a corner, where rows appear sooner. */
static int random_step(const struct referee *r, struct rng *rng, bool in_corner)
{
	int reach = in_corner && r->stones < 30 ? (r->size < 7 ? r->size : 7) : r->size;
	for (;;) {
		int row = (int)rng_below(rng, (uint32_t)reach);
		int col = (int)rng_below(rng, (uint32_t)reach);
		if (r->at[row * r->size + col] == '.')
			return row * r->size + col;
	}
}

START_TEST(random_games)
{
	const struct game *rules = rule_sets[_i];
	struct rng rng;
	int results[3] = { 0 }, fives = 0;
	rng_seed(&rng, 1);
	for (int i = 0; i < suite_times(320); i++) {
		int size = 5 + i % 16;
		const struct game *g = game_sized(rules, size, size);
		struct referee r;
		struct state s;
		ck_assert_ptr_nonnull(g);
		referee_start(&r, size, _i);
		g->start(g, &s);
		bool same = agrees(g, &r, &s);
		while (!s.over) {
			same &= lists_steps(g, &r, &s) && sees_wins(g, &r, &s);
			fives += g->wins(&s);
			int step = random_step(&r, &rng, i / 16 % 2);
			g->play(&s, (move_t)step);
			referee_play(&r, step);
			same &= agrees(g, &r, &s);
		}
		ck_assert_msg(same, "size %d", size);
		results[s.score + 1]++;
	}
	ck_assert_int_gt(results[0], 20);
	ck_assert_int_gt(results[1], 2);
	ck_assert_int_gt(results[2], 20);
	ck_assert_int_gt(fives, 100);
}
END_TEST

START_TEST(sizes)
{
	for (int rules = 0; rules < 2; rules++)
		for (int size = 1; size <= 22; size++) {
			const struct game *g = game_sized(rule_sets[rules], size, size);
			ck_assert(!g == (size < 5 || size > 20));
			ck_assert(!g || (g->rows == size &&
					 strcmp(g->rules, rule_sets[rules]->rules) == 0));
		}
	ck_assert_ptr_null(game_sized(&game_gomoku, 15, 14));
	ck_assert_int_eq(game_gomoku.rows, 15);
	ck_assert_ptr_eq(game_find("Gomoku", NULL), &game_gomoku);
	ck_assert_ptr_eq(game_find("gomoku", "standard"), &game_gomoku_standard);
}
END_TEST

/* --- counts --- */

/* Counts the games of each length to the end or the depth, as perft does. */
static void referee_count(const struct referee *r, int depth, int length, uint64_t *moves,
			  uint64_t ended[][3])
{
	moves[length]++;
	if (r->over) {
		ended[length][1 - r->score]++;
		return;
	}
	for (int i = 0; i < r->size * r->size && length < depth; i++)
		if (r->at[i] == '.') {
			struct referee next = *r;
			referee_play(&next, i);
			referee_count(&next, depth, length + 1, moves, ended);
		}
}

static void compare_counts(const struct game *g, const struct referee *r, const struct state *s,
			   int depth)
{
	struct perft p;
	uint64_t moves[16] = { 0 }, ended[16][3] = { 0 };
	bool same = true;
	referee_count(r, depth, 0, moves, ended);
	perft_count(g, s, depth, &p);
	for (int d = 1; d <= depth; d++) {
		same &= p.length[d].moves == moves[d];
		for (int i = 0; i < 3; i++)
			same &= p.length[d].ended[i] == ended[d][i];
	}
	ck_assert(same);
}

/* From late positions of random games to the end of all games, and a few moves from earlier ones. */
START_TEST(counts)
{
	const struct game *rules = rule_sets[_i];
	struct rng rng;
	int won = 0;
	rng_seed(&rng, 2);
	for (int i = 0; i < suite_times(30); i++) {
		int size = i % 3 == 0 ? 5 : i % 3 == 1 ? 6 : 19;
		int left = size == 19 ? 361 - 60 : 6, depth = size == 19 ? 2 : 6;
		const struct game *g = game_sized(rules, size, size);
		struct referee r;
		struct state s;
		referee_start(&r, size, _i);
		g->start(g, &s);
		while (!s.over && r.stones < size * size - left) {
			int step = random_step(&r, &rng, size == 19);
			struct referee next = r;
			referee_play(&next, step);
			if (next.over)
				break;
			g->play(&s, (move_t)step);
			r = next;
		}
		if (size * size - r.stones > 8)
			depth = 2;
		compare_counts(g, &r, &s, depth);
		won += depth > 2;
	}
	ck_assert_int_gt(won, 2);
}
END_TEST

START_TEST(first_counts)
{
	struct state s;
	for (int rules = 0; rules < 2; rules++)
		for (int size = 5; size <= 20; size++) {
			const struct game *g = game_sized(rule_sets[rules], size, size);
			uint64_t n = (uint64_t)(size * size);
			g->start(g, &s);
			ck_assert_uint_eq(perft_leaves(g, &s, 2), n * (n - 1));
		}
	game_gomoku.start(&game_gomoku, &s);
	ck_assert_uint_eq(perft_leaves(&game_gomoku, &s, 3), 11239200);
}
END_TEST

/* --- positions --- */

#define ROW5 "....."

START_TEST(setups)
{
	static const struct {
		const char *squares, *side;
		bool good[2], over[2]; /* by rules */
		int score;
	} known[] = {
		{ ROW5 ROW5 ROW5 ROW5 ROW5, "X", { true, true }, { false, false }, 0 },
		/* Any numbers of stones: problems leave stones out. */
		{ "XXXX." ROW5 ROW5 ROW5 ROW5, "X", { true, true }, { false, false }, 0 },
		{ "XXXX." ROW5 ROW5 ROW5 ROW5, "O", { true, true }, { false, false }, 0 },
		{ "XXXXX" ROW5 "OOOO." ROW5 ROW5, "O", { true, true }, { true, true }, 1 },
		{ "XXXXX" ROW5 "OOOO." ROW5 ROW5, "X", { false, false }, { false, false }, 0 },
		{ "XXXXX" ROW5 "OOOOO" ROW5 ROW5, "X", { false, false }, { false, false }, 0 },
		{ "O...X"
		  ".O.X."
		  "..O.."
		  ".X.O."
		  "X...O",
		  "X",
		  { true, true },
		  { true, true },
		  -1 },
		{ "XOXOX"
		  "XOXOX"
		  "OXOXO"
		  "XOXOX"
		  "XOXOX",
		  "O",
		  { true, true },
		  { true, true },
		  0 },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		for (int rules = 0; rules < 2; rules++) {
			const struct game *g = game_sized(rule_sets[rules], 5, 5);
			struct state s;
			const char *why = game_setup(g, &s, known[i].squares, known[i].side);
			ck_assert_msg(!why == known[i].good[rules], "%zu", i);
			if (why)
				continue;
			ck_assert(g->valid(&s));
			ck_assert_int_eq(s.over, known[i].over[rules]);
			ck_assert_int_eq(s.score, known[i].score);
		}
}
END_TEST

/* Plays moves that a blank separates. */
static void play_all(const struct game *g, struct state *s, const char *moves)
{
	char text[512];
	strcpy(text, moves);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		struct move m;
		ck_assert_msg(game_parse(g, s, word, &m) == MOVE_OK, "%s", word);
		game_play(g, s, m);
	}
}

/* Six in a row win only by the rules `freestyle`; a row of five that touches nothing wins always. */
START_TEST(overlines)
{
	static const struct {
		const char *moves;
		int score[2];
	} known[] = {
		{ "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1", { 1, 0 } },
		{ "a1 a3 b1 b3 c1 c3 e1 e3 d1", { 1, 1 } },
		{ "p15 a3 o14 b3 n13 c3 l11 e3 k10 f3 m12", { 1, 0 } },
		{ "p1 a3 o2 b3 n3 c3 m4 e3 l5", { 1, 1 } },
		{ "h8 a1 h9 a3 h10 a5 h12 a7 h13 a9 h14 a11 h11", { 1, 0 } },
		/* The row of five ends at the border, and goes on behind it on the other side. */
		{ "p7 a1 o7 a3 n7 a5 m7 a8 a6 a10 l7", { 1, 1 } },
		/* Four on each side of the border are no row. */
		{ "p7 a1 o7 a3 n7 a5 a6 a10 b6 a12", { 0, 0 } },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		for (int rules = 0; rules < 2; rules++) {
			const struct game *g = rule_sets[rules];
			struct state s;
			g->start(g, &s);
			play_all(g, &s, known[i].moves);
			ck_assert_msg(s.score == known[i].score[rules], "%zu %s", i, g->rules);
			ck_assert_int_eq(s.over, s.score != 0);
		}
}
END_TEST

START_TEST(notation)
{
	static const struct {
		const char *text;
		enum move_check check;
		int step; /* on 15x15 */
	} known[] = {
		{ "a1", MOVE_OK, 14 * 15 },    { "P15", MOVE_OK, 14 },
		{ "j8", MOVE_OK, 7 * 15 + 8 }, { "h8", MOVE_ILLEGAL, 0 },
		{ "i8", MOVE_MALFORMED, 0 },   { "q1", MOVE_MALFORMED, 0 },
		{ "a16", MOVE_MALFORMED, 0 },  { "a0", MOVE_MALFORMED, 0 },
		{ "", MOVE_MALFORMED, 0 },     { "h8x", MOVE_MALFORMED, 0 },
		{ "pass", MOVE_ILLEGAL, 0 },
	};
	struct state s;
	game_gomoku.start(&game_gomoku, &s);
	play_all(&game_gomoku, &s, "h8");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct move m;
		ck_assert_msg(game_parse(&game_gomoku, &s, known[i].text, &m) == known[i].check,
			      "%s", known[i].text);
		if (known[i].check == MOVE_OK)
			ck_assert_int_eq(m.step[0], known[i].step);
	}
}
END_TEST

/* --- playouts --- */

/* The mean result of all orders of the empty squares of a late position. */
static double mean_result(const struct referee *r)
{
	double sum = 0;
	int count = 0;
	if (r->over)
		return r->score;
	for (int i = 0; i < r->size * r->size; i++)
		if (r->at[i] == '.') {
			struct referee next = *r;
			referee_play(&next, i);
			sum += mean_result(&next);
			count++;
		}
	return sum / count;
}

#define PLAYOUTS   20000
#define DEVIATIONS 5.0 /* the fixed seeds pass */

/* Late positions, so that rows are completed and made longer within one chunk of a playout's moves. */
START_TEST(playouts)
{
	static const int sides[] = { 5, 6, 7, 15 };
	const struct game *rules = rule_sets[_i];
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 16; i++) {
		int size = sides[i % 4], stones = 0;
		const struct game *g = game_sized(rules, size, size);
		char squares[POSITION_TEXT_MAX];
		struct referee r;
		struct state s;
		/* All but seven squares are filled, in a pattern without a row of five or with long rows. */
		do {
			referee_start(&r, size, _i);
			for (int k = 0; k < size * size; k++)
				r.at[k] =
					"XO"[(k % size + 2 * (k / size) + (int)rng_below(&rng, 2)) /
					     2 % 2];
			for (stones = size * size; stones > size * size - 7; stones--) {
				int k;
				do
					k = (int)rng_below(&rng, (uint32_t)(size * size));
				while (r.at[k] == '.');
				r.at[k] = '.';
			}
			r.stones = stones;
			memcpy(squares, r.at, (size_t)(size * size));
			squares[size * size] = '\0';
		} while (referee_has_won(&r, BLACK) || referee_has_won(&r, WHITE));
		ck_assert_ptr_null(game_setup(g, &s, squares, "X"));
		double sum = 0, mean = mean_result(&r);
		for (int k = 0; k < PLAYOUTS; k++)
			sum += g->playout(&s, &rng);
		double error = sum / PLAYOUTS - mean;
		ck_assert_msg(error * error * PLAYOUTS < DEVIATIONS * DEVIATIONS, "%d: %f %f", i,
			      sum / PLAYOUTS, mean);
	}
}
END_TEST

/* On large boards against plain playouts. */
START_TEST(playouts_of_large_boards)
{
	const struct game *g = game_sized(rule_sets[_i], 20, 20);
	struct rng rng;
	struct state s;
	int fast[3] = { 0 }, plain[3] = { 0 };
	rng_seed(&rng, 4);
	g->start(g, &s);
	play_all(g, &s, "k10 k11 l10 m12 m10 c3 k12 d5");
	for (int i = 0; i < 3000; i++) {
		fast[g->playout(&s, &rng) + 1]++;
		plain[game_playout_generic(g, &s, &rng) + 1]++;
	}
	for (int i = 0; i < 3; i++)
		ck_assert_int_lt(abs(fast[i] - plain[i]), 250);
	ck_assert_int_gt(fast[2], 1000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gomoku");
	TCase *cases = tcase_create("rules");
	tcase_add_loop_test(cases, random_games, 0, 2);
	tcase_add_test(cases, sizes);
	tcase_add_loop_test(cases, counts, 0, 2);
	tcase_add_test(cases, setups);
	tcase_add_test(cases, overlines);
	tcase_add_test(cases, notation);
	suite_add_tcase(suite, cases);
	cases = suite_native_case(suite);
	tcase_add_test(cases, first_counts);
	tcase_add_loop_test(cases, playouts, 0, 2);
	tcase_add_loop_test(cases, playouts_of_large_boards, 0, 2);
	return suite_run(suite);
}
