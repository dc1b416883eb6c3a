/* SPDX-License-Identifier: MIT
 *
 * Pentago: known counts and frequencies, and every rule against a plain, slow referee that shares no code
 * with the game.
 */
#include <math.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/rules/perft.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "tests/suite.h"

#define RULE_SETS 3

static const struct game *const rule_sets[RULE_SETS] = { &game_pentago, &game_pentago_tajima,
							 &game_pentago_openspiel };

/* --- the referee --- */

struct plain_board {
	char at[6][6]; /* 'X', 'O' or '.' */
};

struct referee {
	const struct game *rules;
	struct plain_board board;
	int side, score;
	bool pending, over;
};

/* Returns true if n stones of one colour are in a row from a square. */
static bool has_row(const struct plain_board *b, char colour, int row, int col, int down, int right,
		    int n)
{
	for (int i = 0; i < n; i++, row += down, col += right)
		if (row < 0 || row > 5 || col < 0 || col > 5 || b->at[row][col] != colour)
			return false;
	return true;
}

/* Counts lines of six, and lines of five that are not part of a line of six. */
static int line_count(const struct plain_board *b, char colour)
{
	static const int ways[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };
	int count = 0;
	for (int way = 0; way < 4; way++)
		for (int row = 0; row < 6; row++)
			for (int col = 0; col < 6; col++) {
				int down = ways[way][0], right = ways[way][1];
				int above = row - down, left = col - right;
				if (has_row(b, colour, row, col, down, right, 6) ||
				    (has_row(b, colour, row, col, down, right, 5) &&
				     !has_row(b, colour, above, left, down, right, 6)))
					count++;
			}
	return count;
}

static bool is_full(const struct plain_board *b)
{
	return !memchr(b, '.', sizeof *b);
}

/* Returns true if the lines on the board end the game, and sets the score. */
static bool lines_end(const struct game *rules, const struct plain_board *b, int *score)
{
	int black = line_count(b, 'X'), white = line_count(b, 'O');
	if (rules == &game_pentago_tajima) {
		*score = black > white ? 1 : black < white ? -1 : 0;
		return black != white;
	}
	*score = black && white ? 0 : black ? 1 : white ? -1 : 0;
	return black || white;
}

static void judge_turn(struct referee *r)
{
	r->over = lines_end(r->rules, &r->board, &r->score) || is_full(&r->board);
}

static void turn_quadrant(struct plain_board *b, char letter)
{
	static const int corner[4][2] = { { 0, 0 }, { 0, 3 }, { 3, 3 }, { 3, 0 } };
	struct plain_board old = *b;
	int top = corner[(letter - 's') / 2][0], left = corner[(letter - 's') / 2][1];
	bool clockwise = strchr("tvxz", letter);
	for (int row = 0; row < 3; row++)
		for (int col = 0; col < 3; col++) {
			int to_row = clockwise ? col : 2 - col, to_col = clockwise ? 2 - row : row;
			b->at[top + to_row][left + to_col] = old.at[top + row][left + col];
		}
}

static void referee_play(struct referee *r, move_t step)
{
	if (r->pending) {
		turn_quadrant(&r->board, (char)('s' + step - 36));
		r->pending = false;
		r->side = !r->side;
		judge_turn(r);
		return;
	}
	r->board.at[step / 6][step % 6] = r->side == BLACK ? 'X' : 'O';
	if (r->rules != &game_pentago_openspiel && lines_end(r->rules, &r->board, &r->score)) {
		r->over = true;
		r->side = !r->side;
	} else {
		r->pending = true;
	}
}

/* Returns true if a state agrees with the referee. A single result, because each assert of Check takes
 * microseconds. */
static bool agrees(const struct referee *r, const struct state *s)
{
	bool same = s->side == r->side && s->pending == r->pending && s->over == r->over &&
		    s->score == (r->over ? r->score : 0) && r->rules->valid(r->rules, s);
	for (int i = 0; i < 36; i++)
		same &= r->rules->at(r->rules, s, i / 6, i % 6) == r->board.at[i / 6][i % 6];
	return same;
}

/* Returns true if the legal steps are the turns, or the empty squares. */
static bool lists_steps(const struct referee *r, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	bool same = true, listed[64] = { false };
	int n = r->rules->moves(r->rules, s, steps), expected = 0;
	for (int i = 0; i < n; i++)
		listed[steps[i] % 64] = true;
	for (int i = 0; i < 44; i++) {
		bool legal = i < 36 ? !r->pending && r->board.at[i / 6][i % 6] == '.' : r->pending;
		same &= listed[i] == legal;
		expected += legal;
	}
	return same && n == expected;
}

/* --- games --- */

static bool keeps_win(const struct referee *before, move_t square, char letter)
{
	struct referee r = *before;
	referee_play(&r, square);
	turn_quadrant(&r.board, letter);
	return lines_end(r.rules, &r.board, &r.score) &&
	       r.score == (before->side == BLACK ? 1 : -1);
}

/* A placement that ends the game is written with a turn after which its player has still won, if there is
 * one. Where lines are counted, any turn may compensate. */
static void check_letter(const struct referee *before, const struct state *s, move_t square)
{
	char text[MOVE_TEXT_MAX];
	game_format(before->rules, s, move_single(square), text);
	ck_assert_uint_eq(strlen(text), 3);
	if (keeps_win(before, square, (char)(text[2] - 'S' + 's')))
		return;
	ck_assert_ptr_eq(before->rules, &game_pentago_tajima);
	for (const char *letter = "stuvwxyz"; *letter; letter++)
		ck_assert(!keeps_win(before, square, *letter));
}

START_TEST(random_games)
{
	const struct game *g = rule_sets[_i];
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < 3000; i++) {
		struct referee r = { .rules = g };
		struct state s;
		g->start(g, &s);
		memset(&r.board, '.', sizeof r.board);
		ck_assert(agrees(&r, &s));
		while (!s.over) {
			move_t steps[GAME_STEPS_MAX];
			ck_assert(lists_steps(&r, &s));
			move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
			struct referee before = r;
			struct state old = s;
			referee_play(&r, step);
			g->play(g, &s, step);
			ck_assert(agrees(&r, &s));
			if (s.over && step < 36)
				check_letter(&before, &old, step);
		}
	}
}
END_TEST

/* Fills a board at random up to `stones` stones. Their number determines the side to move. */
static void fill(struct plain_board *b, int stones, struct rng *rng)
{
	char *squares = &b->at[0][0];
	memset(b, '.', sizeof *b);
	for (int i = 0; i < stones;) {
		uint32_t square = rng_below(rng, 36);
		if (squares[square] == '.')
			squares[square] = i++ % 2 ? 'O' : 'X';
	}
}

static const char *set_up(const struct game *g, struct state *s, const struct plain_board *b,
			  const char *side)
{
	char squares[37] = "";
	memcpy(squares, b, 36);
	return game_setup(g, s, squares, side);
}

static const char *side_name(int stones)
{
	return stones % 2 ? "O" : "X";
}

/* Random boards have lines of both sides much more often than games do. */
START_TEST(random_boards)
{
	const struct game *g = rule_sets[_i];
	struct rng rng;
	rng_seed(&rng, 2);
	int level = 0;
	for (int i = 0; i < 40000; i++) {
		int stones = i % 37;
		struct referee r = { .rules = g, .side = stones % 2 };
		struct state s;
		fill(&r.board, stones, &rng);
		judge_turn(&r);
		ck_assert_ptr_null(set_up(g, &s, &r.board, side_name(stones)));
		ck_assert(agrees(&r, &s));
		int black = line_count(&r.board, 'X');
		level += black && black == line_count(&r.board, 'O');
		if (s.over)
			continue;
		/* One placement, next to lines that may exist already. */
		move_t steps[GAME_STEPS_MAX];
		move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
		g->play(g, &s, step);
		referee_play(&r, step);
		ck_assert(agrees(&r, &s));
	}
	ck_assert_int_gt(level, 100);
}
END_TEST

/* --- lines --- */

struct line {
	int squares[6], length;
};

static int find_lines(struct line *lines, int length)
{
	static const int ways[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };
	int n = 0;
	for (int i = 0; i < 4 * 36; i++) {
		int row = i % 36 / 6, col = i % 6, down = ways[i / 36][0], right = ways[i / 36][1];
		int last_row = row + (length - 1) * down, last_col = col + (length - 1) * right;
		if (last_row > 5 || last_col < 0 || last_col > 5)
			continue;
		lines[n].length = length;
		for (int j = 0; j < length; j++)
			lines[n].squares[j] = 6 * (row + j * down) + col + j * right;
		n++;
	}
	return n;
}

static void draw_line(struct plain_board *b, const struct line *line, char colour)
{
	for (int i = 0; i < line->length; i++)
		b->at[line->squares[i] / 6][line->squares[i] % 6] = colour;
}

/* Places n stones on the first empty squares. */
static void scatter(struct plain_board *b, int n, char colour)
{
	char *squares = &b->at[0][0];
	for (int i = 0; n; i++)
		if (squares[i] == '.') {
			squares[i] = colour;
			n--;
		}
}

START_TEST(each_five)
{
	const struct game *g = rule_sets[_i];
	struct line lines[64];
	int count = find_lines(lines, 5);
	ck_assert_int_eq(count, 32);
	for (int i = 0; i < count; i++) {
		struct plain_board b;
		struct state s;
		memset(&b, '.', sizeof b);
		draw_line(&b, &lines[i], 'X');
		scatter(&b, 4, 'O');
		ck_assert_ptr_null(set_up(g, &s, &b, "O"));
		ck_assert(s.over);
		ck_assert_int_eq(s.score, 1);
		/* The same line, completed by its last stone. */
		for (int j = 0; j < 5; j++) {
			int square = lines[i].squares[j];
			b.at[square / 6][square % 6] = '.';
			ck_assert_ptr_null(set_up(g, &s, &b, "X"));
			ck_assert(!s.over);
			g->play(g, &s, (move_t)square);
			ck_assert_int_eq(s.over, g != &game_pentago_openspiel);
			ck_assert_int_eq(s.score, s.over);
			b.at[square / 6][square % 6] = 'X';
		}
	}
}
END_TEST

static bool disjoint(const struct line *a, const struct line *b)
{
	for (int i = 0; i < a->length; i++)
		for (int j = 0; j < b->length; j++)
			if (a->squares[i] == b->squares[j])
				return false;
	return true;
}

/* A line of six counts once, so a line of five balances it. */
START_TEST(each_six)
{
	struct line six[64], five[64];
	int sixes = find_lines(six, 6), fives = find_lines(five, 5), pairs = 0;
	ck_assert_int_eq(sixes, 14);
	for (int i = 0; i < sixes; i++)
		for (int j = 0; j < fives; j++) {
			if (!disjoint(&six[i], &five[j]))
				continue;
			struct plain_board b;
			struct state s;
			memset(&b, '.', sizeof b);
			draw_line(&b, &six[i], 'X');
			draw_line(&b, &five[j], 'O');
			ck_assert_ptr_null(set_up(&game_pentago_tajima, &s, &b, "O"));
			ck_assert(!s.over);
			ck_assert_ptr_null(set_up(&game_pentago, &s, &b, "O"));
			ck_assert(s.over);
			ck_assert_int_eq(s.score, 0);
			pairs++;
		}
	ck_assert_int_ge(pairs, 12 * 10); /* at least the parallels of each row or column */
}
END_TEST

/* --- turns --- */

START_TEST(turns)
{
	/* A move, and the square on which its stone ends. */
	static const char *const known[][2] = {
		{ "A1S", "A3" }, { "A1T", "C1" }, { "F1U", "D1" }, { "F1V", "F3" },
		{ "E4W", "D5" }, { "E4X", "F5" }, { "B6Y", "C5" }, { "B6Z", "A5" },
		{ "B2S", "B2" }, { "E2V", "E2" }, { "E5X", "E5" }, { "B5Y", "B5" },
		{ "C3S", "C1" }, { "D3U", "F3" }, { "D4X", "F4" }, { "A4T", "A4" },
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		const struct game *g = rule_sets[i % RULE_SETS];
		struct state s;
		struct move m;
		int row, col;
		g->start(g, &s);
		ck_assert_int_eq(game_parse(g, &s, known[i][0], &m), MOVE_OK);
		game_play(g, &s, m);
		ck_assert_ptr_nonnull(square_parse(g, known[i][1], &row, &col));
		ck_assert_msg(g->at(g, &s, row, col) == 'X', "%s", known[i][0]);
	}
}
END_TEST

/* --- counts --- */

struct count {
	const struct game *rules;
	const char *squares, *side;
	int depth;
	uint64_t moves[4], ended[3];
};

#define FIRST  "OOXXOXOXXOXXXOOOXXOXOO.XXO.OOOXXO.XX", "O"
#define SECOND ".XOOXXXXOOXOOXXOOXOOXX.OX.OOOOXOXXXX", "O"
#define THIRD  "OXOOXXOOOXXO.XXXOXXXO.XXOO.OO.OOXXXO", "X"

static const struct count counts[] = {
	{ &game_pentago, FIRST, 3, { 10, 89, 328 }, { 40, 207, 112 } },
	{ &game_pentago_tajima, FIRST, 3, { 10, 98, 355 }, { 50, 206, 132 } },
	{ &game_pentago, SECOND, 3, { 17, 164, 490 }, { 124, 311, 126 } },
	{ &game_pentago_tajima, SECOND, 3, { 17, 164, 542 }, { 134, 335, 134 } },
	{ &game_pentago, THIRD, 4, { 32, 566, 6206, 27392 }, { 2707, 18131, 8439 } },
	{ &game_pentago_tajima, THIRD, 4, { 32, 566, 6286, 29506 }, { 2847, 19240, 9071 } },
};

START_TEST(endgame_counts)
{
	const struct count *c = &counts[_i];
	struct state s;
	struct perft p;
	ck_assert_ptr_null(game_setup(c->rules, &s, c->squares, c->side));
	perft_count(c->rules, &s, c->depth, &p);
	uint64_t ended[3] = { 0 };
	for (int d = 1; d <= c->depth; d++) {
		ck_assert_uint_eq(p.length[d].moves, c->moves[d - 1]);
		for (int i = 0; i < 3; i++)
			ended[i] += p.length[d].ended[i];
	}
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(ended[i], c->ended[i]);
}
END_TEST

START_TEST(opening_counts)
{
	const struct game *g = rule_sets[_i];
	struct state s;
	g->start(g, &s);
	ck_assert_uint_eq(perft_leaves(g, &s, 1), 288);
	ck_assert_uint_eq(perft_leaves(g, &s, 2), 80640);
}
END_TEST

/* --- frequencies --- */

static const struct {
	double won, drawn; /* shares of Black's wins and of draws in random games */
} known_shares[RULE_SETS] = { { .521, .0515 }, { .529, .037 }, { .505, .084 } };

/* Returns true if a share of n random games fits a known one of about three digits. */
static bool fits(int count, int n, double share)
{
	return fabs((double)count / n - share) < 4 * sqrt(share * (1 - share) / n) + .0006;
}

START_TEST(playouts)
{
	const int N = 200000;
	const struct game *g = rule_sets[_i];
	struct state s;
	struct rng rng;
	int won = 0, drawn = 0;
	rng_seed(&rng, 4);
	g->start(g, &s);
	for (int i = 0; i < N; i++) {
		int score = g->playouts->uniform(g, &s, &rng);
		won += score > 0;
		drawn += score == 0;
	}
	ck_assert_msg(fits(won, N, known_shares[_i].won), "%d of %d", won, N);
	ck_assert_msg(fits(drawn, N, known_shares[_i].drawn), "%d of %d", drawn, N);
}
END_TEST

/* Computes the exact shares of wins and draws over all ways to play uniformly random steps to the end. */
static void exact_shares(const struct game *g, const struct state *s, double weight,
			 double shares[2])
{
	if (s->over) {
		shares[0] += s->score > 0 ? weight : 0;
		shares[1] += s->score == 0 ? weight : 0;
		return;
	}
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		exact_shares(g, &next, weight / n, shares);
	}
}

static void sample_shares(const struct game *g, const struct state *s, struct rng *rng, int n,
			  double shares[2])
{
	for (int i = 0; i < n; i++) {
		int score = g->playouts->uniform(g, s, rng);
		shares[0] += score > 0 ? 1. / n : 0;
		shares[1] += score == 0 ? 1. / n : 0;
	}
}

/* Endings are short enough to be played in every way. */
START_TEST(playouts_of_endings)
{
	const int N = 4000;
	const struct game *g = rule_sets[_i];
	struct rng rng;
	rng_seed(&rng, 7);
	int compared = 0;
	for (int i = 0; i < 1000; i++) {
		struct plain_board b;
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		fill(&b, 34 + i % 3, &rng);
		ck_assert_ptr_null(set_up(g, &s, &b, side_name(i % 3)));
		if (!s.over && i % 2)
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		if (s.over)
			continue;
		double exact[2] = { 0 }, sampled[2] = { 0 };
		exact_shares(g, &s, 1, exact);
		sample_shares(g, &s, &rng, N, sampled);
		for (int j = 0; j < 2; j++)
			ck_assert(fabs(exact[j] - sampled[j]) <=
				  5 * sqrt(exact[j] * (1 - exact[j]) / N) + 1e-9);
		compared++;
	}
	ck_assert_int_gt(compared, 20);
}
END_TEST

/* The first stones that can win are the ninth and the tenth. */
START_TEST(playouts_of_first_wins)
{
	const int N = 40000;
	const struct game *g = rule_sets[_i];
	struct state s;
	struct rng rng;
	rng_seed(&rng, 8);
	ck_assert_ptr_null(game_setup(g, &s, ".XXXX.......OOOO....................", "X"));
	double own[2] = { 0 }, generic[2] = { 0 };
	sample_shares(g, &s, &rng, N, own);
	for (int i = 0; i < N; i++) {
		int score = playout_generic(g, &s, &rng);
		generic[0] += score > 0 ? 1. / N : 0;
		generic[1] += score == 0 ? 1. / N : 0;
	}
	ck_assert_double_eq_tol(own[0], generic[0], 5 * sqrt(.5 / N));
	ck_assert_double_eq_tol(own[1], generic[1], 5 * sqrt(.5 / N));
}
END_TEST

/* Known for the standard rules: the mean length, how many games end by a placement, and how many by a turn
 * that completes lines of both sides. */
START_TEST(lengths)
{
	const int N = 40000;
	const struct game *g = &game_pentago;
	struct rng rng;
	int length = 0, by_stone = 0, both = 0;
	rng_seed(&rng, 5);
	for (int i = 0; i < N; i++) {
		struct state s;
		move_t steps[GAME_STEPS_MAX], step = MOVE_NONE;
		g->start(g, &s);
		while (!s.over) {
			step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
			length += step < 36;
			g->play(g, &s, step);
		}
		struct plain_board b;
		for (int j = 0; j < 36; j++)
			b.at[j / 6][j % 6] = g->at(g, &s, j / 6, j % 6);
		by_stone += step < 36;
		both += line_count(&b, 'X') && line_count(&b, 'O');
	}
	ck_assert_double_eq_tol((double)length / N, 27.56, .15);
	ck_assert_msg(fits(by_stone, N, .377), "%d of %d", by_stone, N);
	ck_assert_msg(fits(both, N, .0184), "%d of %d", both, N);
}
END_TEST

/* --- text and set-ups --- */

START_TEST(text)
{
	static const char *const malformed[] = { "",    "a",    "c3",   "C3r", "c3{", "c3tt",
						 "g1s", "a7s",  "a0s",  "33t", "t",   "c3 ",
						 "c3-", "c3 t", "c31t", "ct",  "-" };
	struct state s;
	struct move m;
	char written[MOVE_TEXT_MAX];
	for (int k = 0; k < RULE_SETS; k++) {
		const struct game *g = rule_sets[k];
		g->start(g, &s);
		for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
			ck_assert_msg(game_parse(g, &s, malformed[i], &m) == MOVE_MALFORMED, "%s",
				      malformed[i]);
		ck_assert_int_eq(game_parse(g, &s, "pass", &m), MOVE_ILLEGAL);
		ck_assert_int_eq(game_parse(g, &s, "f4Z", &m), MOVE_OK);
		ck_assert_int_eq(m.step[0], 6 * 3 + 5);
		ck_assert_int_eq(m.step[1], 43);
		game_format(g, &s, m, written);
		ck_assert_str_eq(written, "F4Z");
		game_play(g, &s, m);
		ck_assert_int_eq(game_parse(g, &s, "F4s", &m), MOVE_ILLEGAL);
		ck_assert_int_eq(game_parse(g, &s, "f4?", &m), MOVE_MALFORMED);
	}
}
END_TEST

/* A winning placement needs no turn, and any turn is ignored. */
START_TEST(winning_text)
{
	static const char board[] = "XXXX..OOOO..........................";
	static const char *const words[] = { "e1", "E1S", "e1t", "e1u", "E1z" };
	struct state s;
	struct move m;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		for (int k = 0; k < 2; k++) {
			ck_assert_ptr_null(game_setup(rule_sets[k], &s, board, "X"));
			ck_assert_int_eq(game_parse(rule_sets[k], &s, words[i], &m), MOVE_OK);
			ck_assert(move_equal(m, move_single(4)));
		}
	ck_assert_int_eq(game_parse(&game_pentago, &s, "e1sx", &m), MOVE_MALFORMED);
	ck_assert_int_eq(game_parse(&game_pentago, &s, "f1", &m), MOVE_MALFORMED);
	/* Rules that check lines only after the turn need one. */
	ck_assert_ptr_null(game_setup(&game_pentago_openspiel, &s, board, "X"));
	ck_assert_int_eq(game_parse(&game_pentago_openspiel, &s, "e1", &m), MOVE_MALFORMED);
	ck_assert_int_eq(game_parse(&game_pentago_openspiel, &s, "e1w", &m), MOVE_OK);
	game_play(&game_pentago_openspiel, &s, m);
	ck_assert(s.over);
	ck_assert_int_eq(s.score, 1);
}
END_TEST

START_TEST(refused_boards)
{
	static const char *const refused[][2] = {
		{ "....................................", "O" },
		{ "X...................................", "X" },
		{ "O...................................", "X" },
		{ "O...................................", "O" },
		{ "XX..................................", "O" },
		{ "XXO.................................", "X" },
		{ "XO..................................", "O" },
		{ "XO.................................", "X" },
		{ "XO...................................", "X" },
		{ "XO.................................Z", "X" },
		{ "XO..................................", "white" },
	};
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
		for (int k = 0; k < RULE_SETS; k++) {
			struct state s;
			ck_assert_ptr_nonnull(
				game_setup(rule_sets[k], &s, refused[i][0], refused[i][1]));
		}
}
END_TEST

/* --- evaluation --- */

/* Evaluates a side's open lines by their stones, square by square. */
static int worth(const struct plain_board *b, char other)
{
	static const int worths[6] = { 0, 0, 1, 3, 9, 9 };
	struct line lines[64];
	int count = find_lines(lines, 5), sum = 0;
	for (int i = 0; i < count; i++) {
		int stones = 0, others = 0;
		for (int j = 0; j < 5; j++) {
			char c = b->at[lines[i].squares[j] / 6][lines[i].squares[j] % 6];
			stones += c != '.';
			others += c == other;
		}
		sum += others ? 0 : worths[stones];
	}
	return sum;
}

START_TEST(evaluation)
{
	const struct game *g = &game_pentago;
	struct rng rng;
	struct state s;
	rng_seed(&rng, 6);
	for (int i = 0; i < 5000; i++) {
		struct plain_board b;
		fill(&b, i % 37, &rng);
		ck_assert_ptr_null(set_up(g, &s, &b, side_name(i % 37)));
		int black = worth(&b, 'O'), white = worth(&b, 'X');
		ck_assert(g->eval->value(g, &s) == 99 * (black - white) / (black + white + 32));
	}
	g->start(g, &s);
	ck_assert_int_eq(g->eval->value(g, &s), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pentago");
	TCase *cases = tcase_create("pentago");
	TCase *native = suite_native_case(suite);
	tcase_add_loop_test(native, random_games, 0, RULE_SETS);
	tcase_add_loop_test(native, random_boards, 0, RULE_SETS);
	tcase_add_loop_test(cases, each_five, 0, RULE_SETS);
	tcase_add_test(cases, each_six);
	tcase_add_test(cases, turns);
	tcase_add_loop_test(cases, endgame_counts, 0, sizeof counts / sizeof counts[0]);
	tcase_add_loop_test(cases, opening_counts, 0, RULE_SETS);
	tcase_add_loop_test(cases, playouts, 0, RULE_SETS);
	tcase_add_loop_test(cases, playouts_of_endings, 0, RULE_SETS);
	tcase_add_loop_test(cases, playouts_of_first_wins, 0, RULE_SETS);
	tcase_add_test(cases, lengths);
	tcase_add_test(cases, text);
	tcase_add_test(cases, winning_text);
	tcase_add_test(cases, refused_boards);
	tcase_add_test(cases, evaluation);
	tcase_set_timeout(cases, 60);
	tcase_set_timeout(native, 60);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
