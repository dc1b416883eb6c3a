/* SPDX-License-Identifier: MIT
 *
 * Gomoku: every rule against a plain, slow referee that shares no code with the game, on boards of all sizes.
 */
#include <string.h>

#include "engine/rules/perft.h"
#include "engine/rules/playouts.h"
#include "engine/rules/threats.h"
#include "engine/rules/words.h"
#include "games/gomoku/gomoku_lines.h"
#include "tests/games/gomoku/gomoku_referee.h"
#include "tests/suite.h"

/* --- random games --- */

static bool agrees(const struct game *g, const struct referee *r, const struct state *s)
{
	bool same = s->side == r->side && s->over == r->over && s->score == r->score &&
		    g->valid(g, s);
	for (int i = 0; i < r->size * r->size; i++)
		same &= g->at(g, s, i / r->size, i % r->size) == r->at[i];
	return same;
}

/* Returns true if the legal steps are the allowed squares in their order. */
static bool lists_steps(const struct game *g, const struct referee *r, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps), at = 0;
	bool same = true;
	for (int i = 0; i < r->size * r->size; i++)
		if (referee_allows(r, i))
			same = same && at < n && steps[at++] == i;
	return same && at == n;
}

/* Returns true if a stone of White leaves Black no square. That takes a board that is almost full. */
static bool can_block(const struct referee *r)
{
	if (r->rules != REFEREE_RENJU || r->size * r->size - r->stones > 20)
		return false;
	for (int i = 0; i < r->size * r->size; i++) {
		struct referee next = *r;
		next.side = WHITE;
		if (r->at[i] != '.')
			continue;
		referee_play(&next, i);
		if (next.over && next.score < 0)
			return true;
	}
	return false;
}

/* Compares wins and safe with the referee's look at all squares. */
static bool sees_wins(const struct game *g, const struct referee *r, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int last = 0, own = referee_wins(r, s->side, &last),
	    other = referee_wins(r, s->side ^ 1, &last);
	bool own_blocks = s->side == WHITE && can_block(r);
	bool other_blocks = s->side == BLACK && can_block(r);
	struct state turned = *s;
	turned.side ^= 1;
	if (g->threats->wins(g, s) != (own > 0 || own_blocks) ||
	    g->threats->wins(g, &turned) != (other > 0 || other_blocks))
		return false;
	if (own || own_blocks)
		return true;
	int n = g->threats->safe(g, s, steps), expected = other == 1 && referee_allows(r, last);
	return other == 0 ? lists_steps(g, r, s) : n == expected && (n == 0 || steps[0] == last);
}

/* Random moves; every other game stays in a corner, where rows appear sooner. */
static int random_step(const struct referee *r, struct rng *rng, bool in_corner)
{
	int reach = in_corner && r->stones < 30 ? (r->size < 7 ? r->size : 7) : r->size;
	for (int tries = 0;; tries++) {
		if (tries == 1000)
			reach = r->size;
		int row = (int)rng_below(rng, (uint32_t)reach);
		int col = (int)rng_below(rng, (uint32_t)reach);
		if (referee_allows(r, row * r->size + col))
			return row * r->size + col;
	}
}

START_TEST(random_games)
{
	const struct game *rules = referee_rule_sets[_i];
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
			fives += g->threats->wins(g, &s);
			int step = random_step(&r, &rng, i / 16 % 2);
			g->play(g, &s, (move_t)step);
			referee_play(&r, step);
			same &= agrees(g, &r, &s);
		}
		ck_assert_msg(same, "size %d", size);
		results[s.score + 1]++;
	}
	ck_assert_int_gt(results[0], 20);
	ck_assert_int_ge(results[1], suite_times(3));
	ck_assert_int_gt(results[2], 20);
	ck_assert_int_gt(fives, 100);
}
END_TEST

START_TEST(sizes)
{
	for (int rules = 0; rules < REFEREE_RULES; rules++)
		for (int size = 1; size <= 22; size++) {
			const struct game *g = game_sized(referee_rule_sets[rules], size, size);
			ck_assert(!g == (size < 5 || size > 20));
			ck_assert(!g || (g->board.rows == size &&
					 strcmp(g->rules, referee_rule_sets[rules]->rules) == 0));
		}
	ck_assert_ptr_null(game_sized(&game_gomoku, 15, 14));
	ck_assert_int_eq(game_gomoku.board.rows, 15);
	ck_assert_ptr_eq(game_find("Gomoku", NULL), &game_gomoku);
	ck_assert_ptr_eq(game_find("gomoku", "standard"), &game_gomoku_standard);
	ck_assert_ptr_eq(game_find("gomoku", "renju"), &game_gomoku_renju);
	ck_assert_ptr_eq(game_find("renju", NULL), &game_gomoku_renju);
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
		if (referee_allows(r, i)) {
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
	const struct game *rules = referee_rule_sets[_i];
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
			g->play(g, &s, (move_t)step);
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
	for (int rules = 0; rules < REFEREE_RULES; rules++)
		for (int size = 5; size <= 20; size++) {
			const struct game *g = game_sized(referee_rule_sets[rules], size, size);
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
		bool good[2], over[2]; /* by rules; Renju: as exactly five */
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
	for (int i = 0; i < (int)(sizeof known / sizeof *known); i++)
		for (int rules = 0; rules < REFEREE_RULES; rules++) {
			const struct game *g = game_sized(referee_rule_sets[rules], 5, 5);
			struct state s;
			const char *why = game_setup(g, &s, known[i].squares, known[i].side);
			ck_assert_msg(!why == known[i].good[rules > 0], "%d", i);
			if (why)
				continue;
			ck_assert(g->valid(g, &s));
			ck_assert_int_eq(s.over, known[i].over[rules > 0]);
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

/* Six in a row win by the rules `freestyle`, and White's in Renju; Black may not make them there. A row of five that touches
 * nothing wins always. */
START_TEST(overlines)
{
	enum { BANNED = 9 };
	static const struct {
		const char *moves, *last;
		int score[REFEREE_RULES]; /* Black's, after the last move */
	} known[] = {
		{ "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3", "d1", { 1, 0, BANNED } },
		{ "a1 a3 b1 b3 c1 c3 e1 e3", "d1", { 1, 1, 1 } },
		{ "p15 a3 o14 b3 n13 c3 l11 e3 k10 f3", "m12", { 1, 0, BANNED } },
		{ "p1 a3 o2 b3 n3 c3 m4 e3", "l5", { 1, 1, 1 } },
		{ "h8 a1 h9 a3 h10 a5 h12 a7 h13 a9 h14 a11", "h11", { 1, 0, BANNED } },
		{ "p8 b2 p1 c2 p3 d2 p5 f2 n1 g2 n3", "e2", { -1, 0, -1 } },
		/* The row of five ends at the border, and goes on behind it on the other side. */
		{ "p7 a1 o7 a3 n7 a5 m7 a8 a6 a10", "l7", { 1, 1, 1 } },
		/* Four on each side of the border are no row. */
		{ "p7 a1 o7 a3 n7 a5 a6 a10", "b6", { 0, 0, 0 } },
		/* Five wins, also with six, with two fours or two threes. */
		{ "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d2 p15 d3 p13 d4 p11 d5 p9", "d1", { 1, 1, 1 } },
		{ "a1 a3 b1 b3 c1 c3 d1 d3 e2 p15 e3 p13 e4 p11 f2 p9 g3 p7 h4 p5",
		  "e1",
		  { 1, 1, 1 } },
	};
	for (int i = 0; i < (int)(sizeof known / sizeof *known); i++)
		for (int rules = 0; rules < REFEREE_RULES; rules++) {
			const struct game *g = referee_rule_sets[rules];
			struct state s;
			struct move m;
			int score = known[i].score[rules];
			g->start(g, &s);
			play_all(g, &s, known[i].moves);
			ck_assert_int_eq(s.over, 0);
			ck_assert_msg(game_parse(g, &s, known[i].last, &m) ==
					      (score == BANNED ? MOVE_ILLEGAL : MOVE_OK),
				      "%d %s", i, g->rules);
			if (score == BANNED)
				continue;
			game_play(g, &s, m);
			ck_assert_msg(s.score == score, "%d %s", i, g->rules);
			ck_assert_int_eq(s.over, s.score != 0);
		}
}
END_TEST

/* --- Renju --- */

/* Compares all empty squares with the words of the rules, and counts the answers. */
static void compare_bans(const struct referee *r, int found[4])
{
	const struct game *g = game_sized(&game_gomoku_renju, r->size, r->size);
	struct gomoku_lines lines, before;
	struct state s;
	referee_state(r, BLACK, &s);
	gomoku_lines_set(&lines, &s);
	before = lines;
	for (int i = 0; i < r->size * r->size; i++) {
		if (r->at[i] != '.')
			continue;
		int ban = (int)gomoku_find_ban(&lines, i);
		ck_assert_int_eq(ban, (int)referee_ban(r, i));
		ck_assert(s.over || !ban == game_is_legal(g, &s, move_single((move_t)i)));
		ck_assert_int_eq(!ban, !g->words->ban(g, &s, (move_t)i));
		found[ban]++;
	}
	ck_assert_mem_eq(&lines, &before, sizeof lines);
}

/* Dense random positions, most of them with many more stones of Black, where threes and fours cross. */
START_TEST(bans)
{
	struct rng rng;
	int found[4] = { 0 };
	rng_seed(&rng, 5);
	for (int i = 0; i < suite_times(400); i++) {
		int size = 7 + i % 14, squares = size * size;
		int black = squares * (8 + i % 20) / 100, white = squares * (i % 13) / 100;
		struct referee r;
		do {
			referee_start(&r, size, REFEREE_RENJU);
			r.side = WHITE; /* may place stones everywhere */
			for (int k = 0; k < black + white; k++)
				r.at[referee_random(&r, &rng)] = k < black ? 'X' : 'O';
		} while (referee_is_won(&r));
		compare_bans(&r, found);
	}
	ck_assert_int_gt(found[BAN_OVERLINE], suite_times(20));
	ck_assert_int_gt(found[BAN_DOUBLE_FOUR], suite_times(100));
	ck_assert_int_gt(found[BAN_DOUBLE_THREE], suite_times(150));
}
END_TEST

/* Public positions. L, F and T are the forbidden squares (an overline, a double four, a double three); all others are not.
 * The first is one of Quintet's tests, the others are from Mintaka's documentation: pairs of fours in one line; threes that
 * a double four keeps from growing; threes that depend on other double threes, in a row and in a circle. */
static const char *const ban_problems[] = { "..............X"
					    "..X........OXX."
					    ".XTX.......X.X."
					    "..X........XXO."
					    "..........X...."
					    "..............."
					    "..............."
					    ".X............."
					    "..X............"
					    "...X..........."
					    ".XXXF.........."
					    "..............."
					    "..............."
					    "..............."
					    ".XXLXXX...XXXX.",

					    "..............."
					    "....X.XFX.X...."
					    "..............."
					    "....OOOOOOO...."
					    "..............."
					    "....X.XXF.X...."
					    "..............."
					    "....OOOOOOO...."
					    "..............."
					    "....XX.XF.XX..."
					    "..............."
					    "....OOOOOOO...."
					    "..............."
					    "..X.X.XX..XX.X."
					    "...............",

					    "..............."
					    "..............."
					    "..............."
					    "..............."
					    ".......O......."
					    ".....O........."
					    ".....XX........"
					    "......OXO......"
					    "......OXO......"
					    "........XXXO..."
					    "..............."
					    "..............."
					    "..............."
					    "..............."
					    "...............",

					    "..............."
					    "..............."
					    "..............."
					    "..............."
					    "...O..O........"
					    "....X..X.O....."
					    "....OXOXX......"
					    "......XXT......"
					    "......OOXX....."
					    ".....X........."
					    "....OX........."
					    ".....O........."
					    "..............."
					    "..............."
					    "...............",

					    "..............."
					    "..............."
					    "..............."
					    ".......X......."
					    "............X.."
					    ".....O...T..OX."
					    "..OX..XOXXXOX.."
					    "...XOO.XOT....."
					    ".O..XXT..XT...."
					    "......X...XXO.."
					    "....O.........."
					    "..............."
					    "..............."
					    "..............."
					    "...............",

					    "..............."
					    "..............."
					    "..............."
					    "..............."
					    "..............."
					    "......OO......."
					    ".....TXXT......"
					    "....OXXXXO....."
					    "....OXXXXO....."
					    ".....TXXT......"
					    "......OO......."
					    "..............."
					    "..............."
					    "..............."
					    "..............." };

START_TEST(known_bans)
{
	for (size_t i = 0; i < sizeof ban_problems / sizeof *ban_problems; i++) {
		char squares[POSITION_TEXT_MAX] = "";
		struct referee r;
		int found[4] = { 0 };
		referee_start(&r, 15, REFEREE_RENJU);
		for (int k = 0; k < 225; k++)
			r.at[k] = strchr("XO", ban_problems[i][k]) ? ban_problems[i][k] : '.';
		for (int k = 0; k < 225; k++)
			squares[k] = r.at[k] == '.' ? ".LFT"[referee_ban(&r, k)] : r.at[k];
		ck_assert_str_eq(squares, ban_problems[i]);
		compare_bans(&r, found);
	}
}
END_TEST

/* Black loses if each empty square is forbidden. White sees the stone that does it. The columns B and F make overlines, the
 * point between them two fours; the other squares have any stones. */
START_TEST(no_square_left)
{
	static const char pattern[] = "?X???X?"
				      "?X???X?"
				      "?X???X?"
				      "X.X.X.X"
				      "?X???X?"
				      "?X???X?"
				      "?X???X?";
	const struct game *g = game_sized(&game_gomoku_renju, 7, 7);
	struct referee r;
	struct state s;
	struct rng rng;
	rng_seed(&rng, 6);
	do {
		referee_start(&r, 7, REFEREE_RENJU);
		for (int i = 0; i < 49; i++)
			r.at[i] = pattern[i] == '?' ? "XO"[rng_below(&rng, 2)] : pattern[i];
	} while (referee_is_won(&r));
	ck_assert(referee_is_stuck(&r));
	referee_state(&r, BLACK, &s);
	ck_assert(g->valid(g, &s) && s.over && s.score == -1);
	referee_state(&r, WHITE, &s);
	ck_assert(g->valid(g, &s) && !s.over);
	int last = (int)((char *)memchr(r.at, 'O', 49) - r.at);
	r.at[last] = '.';
	referee_state(&r, WHITE, &s);
	ck_assert(!s.over && g->threats->wins(g, &s));
	g->play(g, &s, (move_t)last);
	ck_assert(g->valid(g, &s) && s.over && s.score == -1);
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
	for (int i = 0; i < (int)(sizeof known / sizeof *known); i++) {
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
		if (referee_allows(r, i)) {
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
	const struct game *rules = referee_rule_sets[_i];
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 16; i++) {
		int size = sides[i % 4], stones = 0;
		const struct game *g = game_sized(rules, size, size);
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
		} while (referee_is_won(&r));
		referee_state(&r, BLACK, &s);
		double sum = 0, mean = mean_result(&r);
		for (int k = 0; k < PLAYOUTS; k++)
			sum += g->playouts->uniform(g, &s, &rng);
		double error = sum / PLAYOUTS - mean;
		ck_assert_msg(error * error * PLAYOUTS < DEVIATIONS * DEVIATIONS, "%d: %f %f", i,
			      sum / PLAYOUTS, mean);
	}
}
END_TEST

/* On large boards against plain playouts. */
START_TEST(playouts_of_large_boards)
{
	const struct game *g = game_sized(referee_rule_sets[_i], 20, 20);
	struct rng rng;
	struct state s;
	int fast[3] = { 0 }, plain[3] = { 0 };
	rng_seed(&rng, 4);
	g->start(g, &s);
	play_all(g, &s, "k10 k11 l10 m12 m10 c3 k12 d5");
	for (int i = 0; i < 3000; i++) {
		fast[g->playouts->uniform(g, &s, &rng) + 1]++;
		plain[playout_generic(g, &s, &rng) + 1]++;
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
	tcase_add_loop_test(cases, random_games, 0, REFEREE_RULES);
	tcase_add_test(cases, sizes);
	tcase_add_loop_test(cases, counts, 0, REFEREE_RULES);
	tcase_add_test(cases, setups);
	tcase_add_test(cases, overlines);
	tcase_add_test(cases, bans);
	tcase_add_test(cases, known_bans);
	tcase_add_test(cases, no_square_left);
	tcase_add_test(cases, notation);
	suite_add_tcase(suite, cases);
	cases = suite_native_case(suite);
	tcase_add_test(cases, first_counts);
	tcase_add_loop_test(cases, playouts, 0, REFEREE_RULES);
	tcase_add_loop_test(cases, playouts_of_large_boards, 0, REFEREE_RULES);
	return suite_run(suite);
}
