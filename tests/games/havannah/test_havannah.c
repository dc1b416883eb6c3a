/* SPDX-License-Identifier: MIT
 *
 * Havannah against a second, naive program: it keeps an array of cells and looks for rings, bridges and forks of all
 * chains after each move, by flood fill.
 */
#include <string.h>

#include "engine/rules/images.h"
#include "engine/rules/perft.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "games/havannah/havannah_force.h"
#include "games/havannah/havannah_links.h"
#include "tests/suite.h"

#define BASES (HAVANNAH_BASE_MAX - HAVANNAH_BASE_MIN + 1)
#define MOST  HAVANNAH_SIDE_MAX

/* --- the naive program --- */

struct naive {
	int base, side; /* `side` is the length of the square, not a player */
	char cells[MOST][MOST];
};

static bool naive_is_cell(const struct naive *n, int row, int col)
{
	int x = col - (n->base - 1), z = row - (n->base - 1), y = -x - z, far = n->base - 1;
	return abs(x) <= far && abs(y) <= far && abs(z) <= far;
}

static void naive_clear(struct naive *n, int base)
{
	n->base = base;
	n->side = 2 * base - 1;
	for (int row = 0; row < n->side; row++)
		for (int col = 0; col < n->side; col++)
			n->cells[row][col] = naive_is_cell(n, row, col) ? '.' : ':';
}

static char naive_at(const struct naive *n, int row, int col)
{
	bool inside = row >= 0 && row < n->side && col >= 0 && col < n->side;
	return inside ? n->cells[row][col] : ':';
}

static const int hex_steps[6][2] = {
	{ 0, 1 }, { 0, -1 }, { 1, 0 }, { -1, 0 }, { -1, 1 }, { 1, -1 }
};

/* Marks what can be reached from a cell through cells for which `inside` is the mark 1. */
static void flood(const struct naive *n, char marks[MOST][MOST], int row, int col)
{
	if (row < 0 || row >= n->side || col < 0 || col >= n->side || marks[row][col] != 1)
		return;
	marks[row][col] = 2;
	for (int i = 0; i < 6; i++)
		flood(n, marks, row + hex_steps[i][0], col + hex_steps[i][1]);
}

/* Returns the side of the board on which a cell lies, 0 .. 5, or -1: a corner lies on two, and belongs to none. */
static int naive_side(const struct naive *n, int row, int col, bool *is_corner)
{
	int far = n->base - 1, x = col - far, z = row - far, y = -x - z, found = -1, count = 0;
	const int values[6] = { x, -x, y, -y, z, -z };
	for (int i = 0; i < 6; i++)
		if (values[i] == far) {
			found = i;
			count++;
		}
	*is_corner = count == 2;
	return count == 1 ? found : -1;
}

/* Returns true if some cell cannot reach the edge of the board without the stones of the chain around it. */
static bool has_ring(const struct naive *n, char chain[MOST][MOST])
{
	char open[MOST][MOST] = { { 0 } };
	for (int row = 0; row < n->side; row++)
		for (int col = 0; col < n->side; col++)
			open[row][col] = naive_at(n, row, col) != ':' && chain[row][col] != 2;
	for (int row = 0; row < n->side; row++)
		for (int col = 0; col < n->side; col++)
			for (int i = 0; i < 6; i++)
				if (naive_at(n, row, col) != ':' &&
				    naive_at(n, row + hex_steps[i][0], col + hex_steps[i][1]) ==
					    ':')
					flood(n, open, row, col);
	for (int row = 0; row < n->side; row++)
		for (int col = 0; col < n->side; col++) {
			bool out = open[row][col] == 2 || naive_at(n, row, col) == ':';
			for (int i = 0; i < 6 && !out; i++) {
				int r = row + hex_steps[i][0], c = col + hex_steps[i][1];
				out = naive_at(n, r, c) == ':' || open[r][c] == 2;
			}
			if (!out)
				return true;
		}
	return false;
}

/* Returns true if the chain of a stone wins. */
static bool chain_wins(const struct naive *n, int row, int col)
{
	char chain[MOST][MOST] = { { 0 } };
	int corners = 0, sides = 0;
	for (int r = 0; r < n->side; r++)
		for (int c = 0; c < n->side; c++)
			chain[r][c] = n->cells[r][c] == n->cells[row][col];
	flood(n, chain, row, col);
	for (int r = 0; r < n->side; r++)
		for (int c = 0; c < n->side; c++) {
			bool is_corner;
			int side = naive_side(n, r, c, &is_corner);
			if (chain[r][c] != 2)
				continue;
			corners += is_corner;
			sides |= side >= 0 ? 1 << side : 0;
		}
	return corners >= 2 || __builtin_popcount((unsigned)sides) >= 3 || has_ring(n, chain);
}

static bool naive_won(const struct naive *n, char stone)
{
	for (int row = 0; row < n->side; row++)
		for (int col = 0; col < n->side; col++)
			if (n->cells[row][col] == stone && chain_wins(n, row, col))
				return true;
	return false;
}

static int naive_empties(const struct naive *n)
{
	int count = 0;
	for (int row = 0; row < n->side; row++)
		for (int col = 0; col < n->side; col++)
			count += n->cells[row][col] == '.';
	return count;
}

/* --- games of both programs --- */

static const struct game *table_of(int base)
{
	return game_sized(&game_havannah, 2 * base - 1, 2 * base - 1);
}

static void copy_cells(const struct game *g, const struct state *s, struct naive *n)
{
	naive_clear(n, (g->board.rows + 1) / 2);
	for (int row = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++)
			n->cells[row][col] = g->at(g, s, row, col);
}

static void check_moves(const struct game *g, const struct state *s, const struct naive *n)
{
	move_t steps[GAME_STEPS_MAX];
	int count = g->moves(g, s, steps);
	bool right = count == naive_empties(n); /* Check's macros are slow: one for all steps */
	for (int i = 0; i < count; i++)
		right &= n->cells[steps[i] / g->board.cols][steps[i] % g->board.cols] == '.';
	ck_assert(right);
}

START_TEST(games_of_both)
{
	const int base = HAVANNAH_BASE_MIN + _i;
	const int count = suite_times(base < 6 ? 600 : base < 8 ? 200 : 60);
	const struct game *g = table_of(base);
	struct naive n;
	struct rng rng;
	int wins = 0;
	rng_seed(&rng, (uint64_t)base);
	for (int i = 0; i < count; i++) {
		struct state s;
		g->start(g, &s);
		naive_clear(&n, base);
		while (!s.over) {
			move_t steps[GAME_STEPS_MAX];
			int side = s.side;
			check_moves(g, &s, &n);
			move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
			g->play(g, &s, step);
			n.cells[step / g->board.cols][step % g->board.cols] = side == BLACK ? 'X'
											    : 'O';
			bool won = chain_wins(&n, step / g->board.cols, step % g->board.cols);
			ck_assert(s.score == (won ? side_sign(side) : 0) &&
				  s.over == (won || !naive_empties(&n)));
		}
		wins += s.score != 0;
	}
	ck_assert_int_gt(wins, count / 2);
}
END_TEST

/* Counts the naive program's games from a position, and those that end with each length. */
static void naive_perft(const struct naive *n, int side, int depth, uint64_t *moves,
			uint64_t *ended)
{
	for (int row = 0; row < n->side; row++)
		for (int col = 0; col < n->side; col++) {
			struct naive next = *n;
			if (n->cells[row][col] != '.')
				continue;
			next.cells[row][col] = side == BLACK ? 'X' : 'O';
			bool over = chain_wins(&next, row, col) || !naive_empties(&next);
			++*moves;
			*ended += over;
			if (!over && depth > 1)
				naive_perft(&next, side ^ 1, depth - 1, moves + 1, ended + 1);
		}
}

/* A state of a random game with this many stones in which nobody has won. */
static void random_state(const struct game *g, struct rng *rng, int stones, struct state *s)
{
	do {
		g->start(g, s);
		for (int i = 0; i < stones && !s->over; i++) {
			move_t steps[GAME_STEPS_MAX];
			g->play(g, s, steps[rng_below(rng, (uint32_t)g->moves(g, s, steps))]);
		}
	} while (s->over);
}

START_TEST(perft_of_both)
{
	struct rng rng;
	rng_seed(&rng, 3);
	for (int base = 4; base <= 5; base++)
		for (int i = 0; i < suite_times(12); i++) {
			const struct game *g = table_of(base);
			struct state s;
			struct naive n;
			struct perft p;
			uint64_t moves[3] = { 0 }, ended[3] = { 0 };
			random_state(g, &rng, HAVANNAH_CELLS(base) - 9 - i % 5, &s);
			copy_cells(g, &s, &n);
			naive_perft(&n, s.side, 3, moves, ended);
			perft_count(g, &s, 3, &p);
			for (int d = 1; d <= 3; d++) {
				ck_assert_uint_eq(p.length[d].moves, moves[d - 1]);
				ck_assert_uint_eq(p.length[d].ended[0] + p.length[d].ended[1] +
							  p.length[d].ended[2],
						  ended[d - 1]);
			}
		}
}
END_TEST

/* The sequences of moves from the start: no game ends before Black's `base`-th stone. With the swap White has one more
 * first move, behind which Black has as many as behind the others. */
START_TEST(perft_from_the_start)
{
	for (int base = HAVANNAH_BASE_MIN; base <= HAVANNAH_BASE_MAX; base++) {
		const struct game *g = table_of(base);
		const uint64_t cells = (uint64_t)HAVANNAH_CELLS(base);
		struct state s;
		struct perft p;
		g->start(g, &s);
		perft_count(g, &s, 2, &p);
		ck_assert_uint_eq(p.length[1].moves, cells);
		ck_assert_uint_eq(p.length[2].moves, cells * (cells - 1));
		g->swap->allow(g, &s, true);
		perft_count(g, &s, 2, &p);
		ck_assert_uint_eq(p.length[1].moves, cells);
		ck_assert_uint_eq(p.length[2].moves, cells * cells);
	}
}
END_TEST

/* Threats on every base: the winning steps of both sides, and the steps that do not lose at once. */
START_TEST(threats_of_both)
{
	const int base = HAVANNAH_BASE_MIN + _i, cells = HAVANNAH_CELLS(base);
	const struct game *g = table_of(base);
	struct rng rng;
	int found = 0;
	rng_seed(&rng, 4);
	for (int i = 0; i < suite_times(40); i++) {
		struct state s;
		struct naive n;
		int count[2] = { 0, 0 };
		move_t last = MOVE_NONE, safe[GAME_STEPS_MAX];
		random_state(g, &rng, cells / 4 + (int)rng_below(&rng, (uint32_t)cells / 2), &s);
		copy_cells(g, &s, &n);
		for (int square = 0; square < g->board.rows * g->board.cols; square++)
			for (int side = BLACK; side <= WHITE; side++) {
				char *cell =
					&n.cells[square / g->board.cols][square % g->board.cols];
				if (*cell != '.')
					continue;
				*cell = side == BLACK ? 'X' : 'O';
				bool wins = chain_wins(&n, square / g->board.cols,
						       square % g->board.cols);
				*cell = '.';
				count[side] += wins;
				last = wins && side != s.side ? (move_t)square : last;
			}
		struct state other = s;
		other.side ^= 1;
		ck_assert_int_eq(g->threats->wins(g, &s), count[s.side] > 0);
		ck_assert_int_eq(g->threats->wins(g, &other), count[s.side ^ 1] > 0);
		found += count[s.side ^ 1] > 0;
		if (count[s.side])
			continue;
		int kept = g->threats->safe(g, &s, safe), threats = count[s.side ^ 1];
		ck_assert_int_eq(kept, threats > 1 ? 0 : threats ? 1 : game_free(g, &s));
		ck_assert(threats != 1 || safe[0] == last);
	}
	ck_assert_int_gt(found, suite_times(4));
}
END_TEST

/* Random and heavy playouts end as the rules say: with the win of the stone placed last, or on a full board. */
START_TEST(random_games_end_right)
{
	const int base = HAVANNAH_BASE_MIN + _i;
	const struct game *g = table_of(base);
	struct rng rng;
	rng_seed(&rng, 5);
	for (int i = 0; i < suite_times(60); i++) {
		struct state s;
		struct naive n;
		struct trace t;
		random_state(g, &rng, (int)rng_below(&rng, 20), &s);
		int score = i & 1 ? g->playouts->trace(g, &s, &rng, &t)
				  : g->playouts->heavy(g, &s, MOVE_NONE, &rng, &t);
		int stones[2] = { 0, 0 };
		naive_clear(&n, base);
		bool right = true;
		for (int square = 0; square < g->board.rows * g->board.cols; square++) {
			char old = g->at(g, &s, square / g->board.cols, square % g->board.cols);
			char *cell = &n.cells[square / g->board.cols][square % g->board.cols];
			bool black = t.made[BLACK][square / 64] >> square % 64 & 1;
			bool white = t.made[WHITE][square / 64] >> square % 64 & 1;
			if (t.owner[square]) {
				*cell = t.owner[square] > 0 ? 'X' : 'O';
				stones[*cell == 'O']++;
			}
			right &= !(black && white) && (old == '.' || (!black && !white));
			right &= *cell == (old != '.' ? old : black ? 'X' : white ? 'O' : '.');
		}
		ck_assert(right);
		bool black = naive_won(&n, 'X'), white = naive_won(&n, 'O');
		ck_assert((score <= 0 || black) && (score >= 0 || white));
		/* Guided games go on after rings that close late. */
		ck_assert(!(i & 1) || (black == (score > 0) && white == (score < 0)));
		ck_assert(score || !naive_empties(&n));
		int more = stones[BLACK] - stones[WHITE];
		ck_assert(score > 0 ? more == 1 : score == 0 || more == 0);
	}
}
END_TEST

/* --- known positions --- */

/* Sets up base 4 from the cells of a hexagon, row by row. Returns the reason of a refusal. */
static const char *set_up(struct state *s, const char *cells, const char *side)
{
	const struct game *g = table_of(4);
	char squares[POSITION_TEXT_MAX];
	struct naive n;
	int at = 0;
	naive_clear(&n, 4);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		squares[at++] = n.cells[i / g->board.cols][i % g->board.cols] == ':' ? ':'
										     : *cells++;
	squares[at] = '\0';
	ck_assert_int_eq(*cells, '\0');
	return game_setup(g, s, squares, side);
}

static const struct {
	const char *what, *cells, *side;
	int score; /* 2: nobody has won */
} known[] = {
	{ "a bridge along a side",
	  "XXXX"
	  "OOO.."
	  "......"
	  "......."
	  "......"
	  "....."
	  "....",
	  "O", 1 },
	{ "a bridge across the board",
	  "OO.."
	  "OO..."
	  "......"
	  "XXXXXXX"
	  "O....."
	  "O...."
	  "....",
	  "O", 1 },
	{ "a draw",
	  "XOOX"
	  "OXOXX"
	  "OXXOOO"
	  "OOXOOXO"
	  "XOXOXX"
	  "XOXXX"
	  "XOXO",
	  "O", 0 },
	{ "two sides and a corner",
	  "XX.."
	  "X...."
	  "X....."
	  "......."
	  "OO.O.."
	  "....."
	  "....",
	  "O", 2 },
	{ "a fork",
	  "OX.."
	  "XX..."
	  "O.X..."
	  "...X..O"
	  "O..X.."
	  "O..XO"
	  "O.X.",
	  "O", 1 },
	{ "a ring around an empty cell",
	  "OO.."
	  "O...."
	  "..XX.."
	  "..X.X.."
	  "..XX.."
	  "..OO."
	  "....",
	  "O", 1 },
	{ "a ring around the other side",
	  "O..."
	  "O...."
	  "..XX.."
	  "..XOX.."
	  "..XX.."
	  "..OO."
	  "....",
	  "O", 1 },
	{ "a ring around an own stone",
	  "OO.."
	  "O...."
	  "..XX.."
	  "..XXX.."
	  "..XX.."
	  "..OO."
	  "O...",
	  "O", 1 },
	{ "no ring at the border",
	  "X.X."
	  ".XX.."
	  "......"
	  "......."
	  "OO...."
	  "....."
	  "OO..",
	  "X", 2 },
};

START_TEST(known_positions)
{
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct state s;
		struct naive n;
		const char *why = set_up(&s, known[i].cells, known[i].side);
		ck_assert_msg(!why, "%s: %s", known[i].what, why ? why : "");
		copy_cells(table_of(4), &s, &n);
		int score = naive_won(&n, 'X')   ? 1
			    : naive_won(&n, 'O') ? -1
			    : naive_empties(&n)  ? 2
						 : 0;
		ck_assert_msg(score == known[i].score, "%s: the naive program", known[i].what);
		ck_assert_msg((s.over ? s.score : 2) == known[i].score, "%s", known[i].what);
	}
}
END_TEST

START_TEST(refused_positions)
{
	struct state s;
	const struct game *g = table_of(4);
	char text[POSITION_TEXT_MAX], *blank;
	ck_assert_str_eq(set_up(&s,
				"XX.."
				"....."
				"......"
				"......."
				"......"
				"....."
				"....",
				"O"),
			 "the side to move has as many stones as the other one, or one less");
	ck_assert_str_eq(set_up(&s,
				"XXXX"
				"OOO.O"
				"......"
				"......."
				"......"
				"....."
				"....",
				"X"),
			 "the side to move has already won");
	ck_assert_str_eq(set_up(&s,
				"XXXX"
				"O.O.O"
				"O.O.O."
				"O.O...."
				"......"
				"....."
				"XXXX",
				"O"),
			 "one move cannot have made all rings, bridges and forks");
	/* Two bridges by one stone. */
	ck_assert_ptr_null(set_up(&s,
				  "XXXX"
				  "O.OX."
				  "O.O..X"
				  "O.O...X"
				  "......"
				  "....."
				  "....",
				  "O"));
	g->start(g, &s);
	game_position(g, &s, text);
	blank = strchr(text, ' ');
	*blank = '\0';
	ck_assert_ptr_null(game_setup(g, &s, text, "X"));
	text[0] = '.';
	ck_assert_str_eq(game_setup(g, &s, text, "X"),
			 "':' stands for each square off the board, and only for these");
}
END_TEST

static enum move_check play_text(const struct game *g, struct state *s, const char *text)
{
	struct move m;
	enum move_check check = game_parse(g, s, text, &m);
	if (check == MOVE_OK)
		game_play(g, s, m);
	return check;
}

/* A game of LittleGolem's, whose coordinates the notation follows: the stones of both sides touch the sides and corners
 * that its players fought for. */
START_TEST(notation)
{
	static const char *const moves[] = { "E1", "swap", "F2", "D3", "G1", "E4", "G4", "F3", "E5",
					     "D6", "D5",   "C2", "G3", "G2", "E6", "E3", "D7" };
	const struct game *g = table_of(4);
	struct state s;
	g->start(g, &s);
	g->swap->allow(g, &s, true);
	for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
		ck_assert_int_eq(play_text(g, &s, moves[i]), MOVE_OK);
	ck_assert(!s.over && s.side == WHITE);
	/* Black now joins the corners G4 and D7 by F4 or by F5. */
	struct state other = s;
	other.side = BLACK;
	ck_assert(g->threats->wins(g, &other));
	move_t safe[GAME_STEPS_MAX];
	ck_assert_int_eq(g->threats->safe(g, &s, safe), 0);
	ck_assert_int_eq(play_text(g, &s, "A1"), MOVE_ILLEGAL);
	ck_assert_int_eq(play_text(g, &s, "A8"), MOVE_MALFORMED);
	ck_assert_int_eq(play_text(g, &s, "H1"), MOVE_MALFORMED);
	ck_assert_int_eq(play_text(g, &s, "D4x"), MOVE_MALFORMED);
	ck_assert_int_eq(play_text(g, &s, "A7"), MOVE_OK);
	ck_assert_int_eq(play_text(g, &s, "F4"), MOVE_OK);
	ck_assert_int_eq(s.score, 1);
}
END_TEST

START_TEST(swap)
{
	for (int base = HAVANNAH_BASE_MIN; base <= HAVANNAH_BASE_MAX; base++) {
		const struct game *g = table_of(base);
		struct state s, without, other;
		char text[MOVE_TEXT_MAX], first[SQUARE_TEXT_MAX], second[SQUARE_TEXT_MAX];
		square_format(g, base - 1, base - 1, first);
		square_format(g, base - 1, base - 2, second);
		g->start(g, &without);
		s = without;
		g->swap->allow(g, &s, true);
		ck_assert(!state_equal(&s, &without));
		ck_assert_int_eq(play_text(g, &s, "swap-pieces"), MOVE_ILLEGAL);
		ck_assert_int_eq(play_text(g, &s, first), MOVE_OK);
		ck_assert_int_eq(play_text(g, &without, first), MOVE_OK);
		ck_assert(!state_equal(&s, &without));
		ck_assert_int_eq(play_text(g, &without, "swap-pieces"), MOVE_ILLEGAL);
		game_format(g, &s, move_single(swap_step(g)), text);
		ck_assert_str_eq(text, "SWAP-PIECES");
		other = s;
		g->swap->allow(g, &other, false);
		ck_assert(state_equal(&other, &without));
		/* Another answer ends the right to swap. */
		ck_assert_int_eq(play_text(g, &other, second), MOVE_OK);
		ck_assert_int_eq(play_text(g, &without, second), MOVE_OK);
		ck_assert(state_equal(&other, &without));
		other = s;
		ck_assert_int_eq(play_text(g, &other, second), MOVE_OK);
		ck_assert(state_equal(&other, &without));
		/* The stone becomes White's where it is, and Black moves. */
		ck_assert_int_eq(play_text(g, &s, "swap-pieces"), MOVE_OK);
		ck_assert(g->valid(g, &s));
		ck_assert_int_eq(g->at(g, &s, base - 1, base - 1), 'O');
		ck_assert_int_eq(s.side, BLACK);
		ck_assert_int_eq(play_text(g, &s, "swap-pieces"), MOVE_ILLEGAL);
		ck_assert_int_eq(play_text(g, &s, second), MOVE_OK);
		ck_assert_int_eq(play_text(g, &s, "swap-pieces"), MOVE_ILLEGAL);
		g->swap->allow(g, &s, true);
		ck_assert_int_eq(play_text(g, &s, "swap-pieces"), MOVE_ILLEGAL);
	}
}
END_TEST

/* The symmetries of the table keep results, and map cells to cells. */
START_TEST(symmetries)
{
	const int base = HAVANNAH_BASE_MIN + _i;
	const struct game *g = table_of(base);
	struct rng rng;
	rng_seed(&rng, 6);
	for (int i = 0; i < suite_times(30); i++) {
		struct state s, mirrored[8];
		g->start(g, &s);
		for (int k = 0; k < 8; k++)
			mirrored[k] = s;
		while (!s.over) {
			move_t steps[GAME_STEPS_MAX];
			move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
			g->play(g, &s, step);
			bool right = true;
			for (int k = 1; k < 8; k++)
				if (images_symmetries(g) >> k & 1) {
					g->play(g, &mirrored[k], g->images->mirror(g, step, k));
					right &= mirrored[k].over == s.over &&
						 mirrored[k].score == s.score;
				}
			ck_assert(right);
		}
	}
	ck_assert_int_eq(g->images->mirror(g, swap_step(g), 4), swap_step(g));
}
END_TEST

/* The answer to an intrusion into a bridge: between two chains, to the border, and none inside one chain. */
START_TEST(bridges)
{
	struct havannah_board b;
	struct rng rng;
	int answer = 0;
	rng_seed(&rng, 1);
	havannah_board_clear(&b, 5);
	havannah_place(&b, havannah_point(3, 3), BLACK);
	havannah_place(&b, havannah_point(4, 4), BLACK);
	havannah_place(&b, havannah_point(3, 4), WHITE);
	ck_assert(havannah_broken_bridge(&b, havannah_point(3, 4), BLACK, &rng, &answer));
	ck_assert_int_eq(answer, havannah_point(4, 3));
	ck_assert(!havannah_broken_bridge(&b, havannah_point(3, 4), WHITE, &rng, &answer));
	/* The same two stones as one chain. */
	havannah_place(&b, havannah_point(5, 3), BLACK);
	havannah_place(&b, havannah_point(5, 2), BLACK);
	havannah_place(&b, havannah_point(4, 2), BLACK);
	ck_assert(!havannah_broken_bridge(&b, havannah_point(3, 4), BLACK, &rng, &answer));
	/* One step from the border. */
	havannah_place(&b, havannah_point(7, 2), WHITE);
	havannah_place(&b, havannah_point(8, 1), BLACK);
	ck_assert(havannah_broken_bridge(&b, havannah_point(8, 1), WHITE, &rng, &answer));
	ck_assert_int_eq(answer, havannah_point(8, 2));
}
END_TEST

/* Sets up the board of a state. */
static void copy_board(const struct game *g, const struct state *s, struct havannah_board *b)
{
	havannah_board_clear(b, (g->board.rows + 1) / 2);
	for (int row = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++) {
			char c = g->at(g, s, row, col);
			if (c == 'X' || c == 'O')
				havannah_place(b, havannah_point(row, col), c == 'O');
		}
}

/* Returns true if a stone is the sixth around another one of its side. */
static bool surrounds_one(const struct naive *n, int row, int col)
{
	char stone = naive_at(n, row, col);
	for (int i = 0; i < 6; i++) {
		int r = row + hex_steps[i][0], c = col + hex_steps[i][1], same = 0;
		for (int k = 0; k < 6; k++)
			same += naive_at(n, r + hex_steps[k][0], c + hex_steps[k][1]) == stone;
		if (naive_at(n, r, c) == stone && same == 6)
			return true;
	}
	return false;
}

/* The points where a side would win after a stone, against two stones of the naive program. */
START_TEST(threats_after_a_stone)
{
	const int base = HAVANNAH_BASE_MIN + _i, cells = HAVANNAH_CELLS(base);
	const struct game *g = table_of(base);
	struct rng rng;
	int found = 0;
	rng_seed(&rng, 7);
	for (int i = 0; i < 100; i++) {
		struct state s;
		struct havannah_board b;
		uint16_t points[HAVANNAH_CELLS(HAVANNAH_BASE_MAX)];
		random_state(g, &rng, cells / 2 + (int)rng_below(&rng, (uint32_t)cells / 4), &s);
		if (g->threats->wins(g, &s))
			continue;
		copy_board(g, &s, &b);
		int first = b.empty[rng_below(&rng, (uint32_t)b.empties)];
		int count = havannah_find_threats(&b, first, s.side, cells, points);
		struct naive n;
		copy_cells(g, &s, &n);
		char stone = s.side == BLACK ? 'X' : 'O';
		int square = havannah_square(base, first);
		n.cells[square / g->board.cols][square % g->board.cols] = stone;
		for (int k = 0; k < b.empties; k++) {
			int other = havannah_square(base, b.empty[k]);
			char *cell = &n.cells[other / g->board.cols][other % g->board.cols];
			if (*cell != '.')
				continue;
			*cell = stone;
			bool wins = chain_wins(&n, other / g->board.cols, other % g->board.cols),
			     listed = false;
			bool is_sixth = surrounds_one(&n, other / g->board.cols,
						      other % g->board.cols);
			*cell = '.';
			for (int m = 0; m < count; m++)
				listed |= points[m] == b.empty[k];
			ck_assert(listed ? wins : !wins || is_sixth);
			found += listed;
		}
	}
	ck_assert_int_gt(found, 0);
}
END_TEST

/* Returns true if the side to move wins within so many steps of both sides, by a plain search. */
static bool wins_within(const struct game *g, const struct state *s, int steps_left)
{
	move_t steps[GAME_STEPS_MAX], answers[GAME_STEPS_MAX];
	if (g->threats->wins(g, s))
		return true;
	int count = steps_left < 3 ? 0 : g->moves(g, s, steps);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		if (next.over || g->threats->wins(g, &next))
			continue;
		int left = g->moves(g, &next, answers);
		bool all = true;
		for (int k = 0; k < left && all; k++) {
			struct state after = next;
			g->play(g, &after, answers[k]);
			all = !after.over && wins_within(g, &after, steps_left - 2);
		}
		if (all)
			return true;
	}
	return false;
}

/* Returns true if the side to move wins, by a plain search to the end of the game. */
static bool wins_at_all(const struct game *g, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	if (s->over)
		return s->score == side_sign(s->side);
	if (g->threats->wins(g, s))
		return true;
	int count = g->threats->safe(g, s, steps);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		move_t answers[GAME_STEPS_MAX];
		g->play(g, &next, steps[i]);
		if (next.over)
			continue;
		int left = g->moves(g, &next, answers);
		bool all = !g->threats->wins(g, &next);
		for (int k = 0; k < left && all; k++) {
			struct state after = next;
			g->play(g, &after, answers[k]);
			all = wins_at_all(g, &after);
		}
		if (all)
			return true;
	}
	return false;
}

/* Wins by force, and the moves that lose by force, against plain searches on the smallest board: all short wins are
 * found, and what is found is true. */
START_TEST(forced_wins)
{
	const struct game *g = table_of(4);
	struct rng rng;
	int wins = 0, lost = 0, deep = 0;
	rng_seed(&rng, 9);
	for (int i = 0; i < 300; i++) {
		struct state s;
		move_t steps[GAME_STEPS_MAX], all[GAME_STEPS_MAX];
		bool won;
		random_state(g, &rng, 26 + (int)rng_below(&rng, 3), &s);
		if (g->threats->wins(g, &s))
			continue;
		bool is_short = wins_within(g, &s, 3);
		int count = g->threats->search(g, &s, 200, steps, &won);
		ck_assert(won || !is_short);
		if (won) {
			ck_assert_int_eq(count, 1);
			struct state next = s;
			g->play(g, &next, steps[0]);
			ck_assert(!next.over && !g->threats->wins(g, &next));
			ck_assert(wins_at_all(g, &s));
			wins++;
			deep += !is_short;
			continue;
		}
		int listed = g->moves(g, &s, all), at = 0;
		for (int k = 0; k < listed; k++) {
			if (at < count && steps[at] == all[k]) {
				at++;
				continue;
			}
			struct state next = s;
			g->play(g, &next, all[k]);
			ck_assert(!next.over && wins_at_all(g, &next));
			lost++;
		}
		ck_assert_int_eq(at, count);
	}
	ck_assert_int_gt(wins, 20);
	ck_assert_int_gt(deep, 0);
	ck_assert_int_gt(lost, 50);
}
END_TEST

static struct havannah_links links_of[2];

static bool has_trait(const struct havannah_board *b, int row, int col, int side, int trait)
{
	havannah_find_links(b, BLACK, &links_of[BLACK]);
	havannah_find_links(b, WHITE, &links_of[WHITE]);
	uint64_t traits = havannah_traits(b, links_of, havannah_point(row, col), side, 0, 0);
	return traits >> trait & 1;
}

/* Groups that bridges join, and what points are worth to them, on base 5: rows 0 and 8 and columns 0 and 8 are sides. */
START_TEST(traits)
{
	struct havannah_board b;
	havannah_board_clear(&b, 5);
	havannah_place(&b, havannah_point(1, 5), BLACK);
	havannah_place(&b, havannah_point(3, 4), BLACK);
	havannah_find_links(&b, BLACK, &links_of[BLACK]);
	ck_assert_int_eq(links_of[BLACK].groups, 1);
	ck_assert_int_eq(__builtin_popcount(links_of[BLACK].touched[1]), 1); /* the top side */
	ck_assert(has_trait(&b, 2, 4, BLACK, TRAIT_KEEPS));
	ck_assert(has_trait(&b, 2, 4, WHITE, TRAITS_OF_SIDE + TRAIT_KEEPS));
	ck_assert(!has_trait(&b, 5, 4, BLACK, TRAIT_KEEPS));
	/* A stone in the bridge breaks it. */
	havannah_place(&b, havannah_point(2, 4), WHITE);
	havannah_find_links(&b, BLACK, &links_of[BLACK]);
	ck_assert_int_eq(links_of[BLACK].groups, 2);
	/* Chains of Black to two sides, and a point with bridges to the third. */
	havannah_board_clear(&b, 5);
	for (int row = 0; row < 4; row++)
		havannah_place(&b, havannah_point(row, 6), BLACK);
	havannah_place(&b, havannah_point(3, 7), BLACK);
	ck_assert(has_trait(&b, 3, 8, BLACK, TRAIT_TOUCHES + 2));
	ck_assert(!has_trait(&b, 3, 8, BLACK, TRAIT_GAINS));
	havannah_place(&b, havannah_point(4, 5), BLACK);
	havannah_place(&b, havannah_point(6, 4), BLACK);
	ck_assert(has_trait(&b, 7, 3, BLACK, TRAIT_GAINS));
	ck_assert(has_trait(&b, 7, 3, BLACK, TRAIT_WINS));
	ck_assert(has_trait(&b, 7, 3, WHITE, TRAITS_OF_SIDE + TRAIT_WINS));
	ck_assert(!has_trait(&b, 6, 3, BLACK, TRAIT_WINS));
	/* Six stones, each with a bridge to the next, around a point. */
	static const int around[6][2] = {
		{ 2, 5 }, { 3, 6 }, { 5, 5 }, { 6, 3 }, { 5, 2 }, { 3, 3 }
	};
	havannah_board_clear(&b, 5);
	for (int i = 1; i < 6; i++) {
		ck_assert(!has_trait(&b, 2, 5, WHITE, TRAIT_RINGS));
		havannah_place(&b, havannah_point(around[i][0], around[i][1]), WHITE);
	}
	ck_assert(has_trait(&b, 2, 5, WHITE, TRAIT_RINGS));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("havannah");
	TCase *cases = tcase_create("havannah"), *native = suite_native_case(suite);
	tcase_add_test(cases, perft_of_both);
	tcase_add_test(cases, perft_from_the_start);
	tcase_add_test(cases, known_positions);
	tcase_add_test(cases, refused_positions);
	tcase_add_test(cases, notation);
	tcase_add_test(cases, swap);
	tcase_add_test(cases, bridges);
	tcase_add_test(cases, traits);
	tcase_add_test(native, forced_wins);
	tcase_add_loop_test(native, threats_after_a_stone, 0, BASES);
	tcase_add_loop_test(cases, symmetries, 0, BASES);
	tcase_add_loop_test(cases, random_games_end_right, 0, BASES);
	tcase_add_loop_test(native, threats_of_both, 0, BASES);
	tcase_add_loop_test(native, games_of_both, 0, BASES);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
