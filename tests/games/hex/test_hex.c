/* SPDX-License-Identifier: MIT
 *
 * Hex and Rex: every rule against a plain, slow referee that shares no code with the game, on all sizes.
 */
#include <math.h>
#include <string.h>

#include "engine/rules/images.h"
#include "engine/rules/perft.h"
#include "engine/rules/playouts.h"
#include "engine/rules/proofs.h"
#include "engine/rules/record.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "tests/engine/fixture.h"
#include "tests/suite.h"

#define SMALLEST 3
#define LARGEST  19
#define RULES    2

static const char *const rule_names[RULES] = { "hex", "rex" };

static const struct game *game_at(int rules, int size)
{
	return game_sized(game_find("hex", rule_names[rules]), size, size);
}

/* --- the referee --- */

struct referee {
	char at[LARGEST][LARGEST]; /* 'X', 'O' or '.'; row 0 at the top */
	bool seen[LARGEST][LARGEST];
	int size, side, score, stones;
	bool is_rex, over, may_swap;
};

static void referee_start(struct referee *r, int rules, int size)
{
	*r = (struct referee) { .size = size, .side = BLACK, .is_rex = rules };
	memset(r->at, '.', sizeof r->at);
}

/* Walks from stone to stone. Returns true if the far edge is reached. */
static bool reaches(struct referee *r, int row, int col, char colour)
{
	if (row < 0 || col < 0 || row >= r->size || col >= r->size || r->at[row][col] != colour ||
	    r->seen[row][col])
		return false;
	r->seen[row][col] = true;
	if ((colour == 'X' ? row : col) == r->size - 1)
		return true;
	return reaches(r, row - 1, col, colour) || reaches(r, row + 1, col, colour) ||
	       reaches(r, row, col - 1, colour) || reaches(r, row, col + 1, colour) ||
	       reaches(r, row - 1, col + 1, colour) || reaches(r, row + 1, col - 1, colour);
}

static bool joins(struct referee *r, char colour)
{
	memset(r->seen, 0, sizeof r->seen);
	for (int i = 0; i < r->size; i++)
		if (colour == 'X' ? reaches(r, 0, i, colour) : reaches(r, i, 0, colour))
			return true;
	return false;
}

/* Plays on a square, or the swap: row -1. */
static void referee_play(struct referee *r, int row, int col)
{
	char colour = r->side == BLACK ? 'X' : 'O';
	if (row < 0) {
		for (int i = 0; i < r->size * r->size; i++)
			if (r->at[i / r->size][i % r->size] == 'X') {
				row = i % r->size;
				col = i / r->size;
				r->at[col][row] = '.';
				break;
			}
	}
	r->at[row][col] = colour;
	r->stones++;
	if (joins(r, colour)) {
		r->over = true;
		r->score = (colour == 'X') != r->is_rex ? 1 : -1;
	}
	r->side ^= 1;
}

static bool agrees(const struct game *g, const struct referee *r, const struct state *s)
{
	bool same = s->side == r->side && s->over == r->over && s->score == r->score &&
		    g->valid(g, s);
	for (int row = 0; row < r->size; row++)
		for (int col = 0; col < r->size; col++)
			same &= g->at(g, s, row, col) == r->at[row][col];
	return same;
}

/* Returns true if the legal steps are the empty squares, then the swap if it is allowed. */
static bool lists_steps(const struct game *g, const struct referee *r, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps), at = 0;
	bool same = true;
	for (int i = 0; i < r->size * r->size; i++)
		if (r->at[i / r->size][i % r->size] == '.')
			same = same && at < n && steps[at++] == i;
	if (r->may_swap && r->stones == 1)
		same = same && at < n && steps[at++] == r->size * r->size;
	return same && at == n;
}

static void play_game(int rules, int size, bool may_swap, struct rng *rng, int results[2])
{
	const struct game *g = game_at(rules, size);
	struct referee r;
	struct state s;
	bool same = true;
	referee_start(&r, rules, size);
	r.may_swap = may_swap;
	g->start(g, &s);
	if (may_swap)
		g->swap->allow(g, &s, true);
	for (; !s.over && same; same &= agrees(g, &r, &s)) {
		move_t steps[GAME_STEPS_MAX];
		same &= lists_steps(g, &r, &s);
		move_t step = steps[rng_below(rng, (uint32_t)g->moves(g, &s, steps))];
		if (may_swap && r.stones == 1)
			step = swap_step(g);
		g->play(g, &s, step);
		referee_play(&r, step == swap_step(g) ? -1 : step / size, step % size);
	}
	ck_assert_msg(same, "%s %d", g->rules, size);
	results[s.score > 0]++;
}

START_TEST(random_games)
{
	struct rng rng;
	rng_seed(&rng, 1);
	for (int size = SMALLEST; size <= LARGEST; size++) {
		int results[2] = { 0 };
		for (int i = 0; i < 3000 / (size * size); i++)
			play_game(_i, size, i % 4 == 0, &rng, results);
		ck_assert(results[0] > 0 && results[1] > 0);
	}
}
END_TEST

/* --- counts --- */

/* Counts the sequences of `depth` moves. */
static uint64_t count(const struct referee *r, int depth)
{
	uint64_t sum = 0;
	if (r->over)
		return 0;
	for (int i = 0; i < r->size * r->size; i++) {
		if (r->at[i / r->size][i % r->size] != '.')
			continue;
		struct referee next = *r;
		if (depth > 1) {
			referee_play(&next, i / r->size, i % r->size);
			sum += count(&next, depth - 1);
		} else {
			sum++;
		}
	}
	return sum;
}

/* The empty 3x3 board to the end of all games. On 4x4 games end from the seventh move on. */
START_TEST(sequences)
{
	static const uint64_t known[] = { 9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960 };
	struct referee r;
	struct state s;
	struct perft p;
	const struct game *g = game_at(_i, 3);
	g->start(g, &s);
	referee_start(&r, _i, 3);
	perft_count(g, &s, 9, &p);
	for (int d = 1; d <= 9; d++)
		ck_assert_uint_eq(p.length[d].moves, known[d - 1]);
	for (int d = 1; d <= 7; d++)
		ck_assert_uint_eq(count(&r, d), known[d - 1]);
	/* Rex is won where Hex is lost. */
	uint64_t black = 0, white = 0;
	for (int d = 1; d <= 9; d++) {
		black += p.length[d].ended[0];
		white += p.length[d].ended[2];
	}
	ck_assert_uint_eq(_i ? white : black, 165600);
	ck_assert_uint_eq(_i ? black : white, 92160);
}
END_TEST

START_TEST(sequences_of_sizes)
{
	for (int size = SMALLEST; size <= LARGEST; size++) {
		const struct game *g = game_at(_i, size);
		struct referee r;
		struct state s;
		int depth = size == 3 ? 5 : size == 4 ? 4 : size <= 9 ? 3 : 2;
		g->start(g, &s);
		referee_start(&r, _i, size);
		ck_assert_uint_eq(perft_leaves(g, &s, depth), count(&r, depth));
	}
}
END_TEST

/* --- the swap --- */

static void play_text(const struct game *g, struct state *s, const char *text)
{
	struct move m;
	ck_assert_msg(game_parse(g, s, text, &m) == MOVE_OK, "%s", text);
	game_play(g, s, m);
}

START_TEST(swap)
{
	const struct game *g = game_at(_i, 11);
	struct state s, plain, other;
	struct move m;
	int row, col;
	g->start(g, &s);
	plain = s;
	ck_assert_int_eq(game_parse(g, &s, "swap-pieces", &m), MOVE_ILLEGAL);
	g->swap->allow(g, &s, true);
	ck_assert(!state_equal(&s, &plain));
	ck_assert_int_eq(game_parse(g, &s, "swap-pieces", &m), MOVE_ILLEGAL);
	play_text(g, &s, "b4");
	play_text(g, &plain, "b4");
	ck_assert(!state_equal(&s, &plain));
	ck_assert_int_eq(game_parse(g, &plain, "swap-pieces", &m), MOVE_ILLEGAL);
	other = s;
	ck_assert_int_eq(game_parse(g, &s, "swap", &m), MOVE_OK);
	ck_assert(game_stone(g, &s, m, &row, &col));
	ck_assert_int_eq(row, 1);
	ck_assert_int_eq(col, 3);
	play_text(g, &s, "swap-pieces");
	ck_assert_int_eq(g->at(g, &s, 3, 1), '.');
	ck_assert_int_eq(g->at(g, &s, 1, 3), 'O');
	ck_assert_int_eq(s.side, BLACK);
	ck_assert_int_eq(game_parse(g, &s, "swap-pieces", &m), MOVE_ILLEGAL);
	/* The position after a swap, and after no swap, has no right to swap. */
	char text[POSITION_TEXT_MAX];
	struct state read;
	game_position(g, &s, text);
	char *blank = strchr(text, ' ');
	*blank = '\0';
	ck_assert_ptr_null(game_setup(g, &read, text, blank + 1));
	ck_assert(state_equal(&read, &s));
	play_text(g, &other, "a1");
	play_text(g, &plain, "a1");
	ck_assert(state_equal(&other, &plain));
	/* On the long diagonal the stone changes its colour only. */
	g->start(g, &s);
	g->swap->allow(g, &s, true);
	play_text(g, &s, "c3");
	play_text(g, &s, "swap-pieces");
	ck_assert_int_eq(g->at(g, &s, 2, 2), 'O');
}
END_TEST

/* --- threats --- */

static bool wins_plainly(const struct game *g, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		if (next.over)
			return true;
	}
	return false;
}

/* `wins` and `safe` on all sizes; tests/games/test_property.c has the default size only. */
START_TEST(threats)
{
	struct rng rng;
	int found[2] = { 0 }, forced = 0, lost = 0;
	rng_seed(&rng, 2);
	for (int size = SMALLEST; size <= LARGEST; size++) {
		const struct game *g = game_at(0, size);
		bool same = true;
		for (int i = 0; i < 5000 / (size * size); i++) {
			struct state s;
			for (g->start(g, &s); !s.over;) {
				move_t steps[GAME_STEPS_MAX], safe[GAME_STEPS_MAX];
				int n = g->moves(g, &s, steps);
				/* A plain check takes long on large boards, and early in a game nobody wins. */
				if (size > 7 && rng_below(&rng, (uint32_t)(n * n)) > 500) {
					g->play(g, &s, steps[rng_below(&rng, (uint32_t)n)]);
					continue;
				}
				bool wins = wins_plainly(g, &s);
				same &= g->threats->wins(g, &s) == wins;
				found[wins]++;
				int count = wins ? 0 : g->threats->safe(g, &s, safe), kept = 0;
				for (int k = 0; k < n && !wins; k++) {
					struct state next = s;
					g->play(g, &next, steps[k]);
					if (!wins_plainly(g, &next))
						same &= kept < count && safe[kept++] == steps[k];
				}
				same &= kept == count;
				forced += !wins && count == 1 && n > 1;
				lost += !wins && count == 0;
				g->play(g, &s, steps[rng_below(&rng, (uint32_t)n)]);
			}
		}
		ck_assert_msg(same, "%d", size);
	}
	ck_assert(found[0] > 1000 && found[1] > 100 && forced > 30 && lost > 30);
}
END_TEST

/* --- random games --- */

/* The share of Black's wins of playouts, of games in which all legal moves are equally likely, and of the traces,
 * which must fit their result. */
START_TEST(playouts)
{
	const int sizes[] = { 3, 5, 8, 11, 13, 19 };
	struct rng rng;
	rng_seed(&rng, 3);
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		const struct game *g = game_at(_i, sizes[k]);
		int count = 20000, wins[3] = { 0 }, squares = sizes[k] * sizes[k];
		struct state s;
		struct trace trace;
		g->start(g, &s);
		for (int i = 0; i < squares / 3; i++) {
			move_t steps[GAME_STEPS_MAX];
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		}
		if (s.over)
			continue;
		for (int i = 0; i < count; i++) {
			wins[0] += g->playouts->uniform(g, &s, &rng) > 0;
			int score = g->playouts->trace(g, &s, &rng, &trace), black = 0, white = 0;
			wins[1] += score > 0;
			struct referee r;
			referee_start(&r, _i, sizes[k]);
			bool same = true;
			for (int at = 0; at < squares && i < 200; at++) {
				int row = at / sizes[k], col = at % sizes[k];
				char now = g->at(g, &s, row, col);
				bool made[2];
				for (int side = 0; side < 2; side++)
					made[side] = trace.made[side][at / 64] >> at % 64 & 1;
				char then = trace.owner[at] > 0 ? 'X' : 'O';
				same &= now == '.' ? made[BLACK] == (then == 'X') &&
							     made[WHITE] == (then == 'O')
						   : now == then && !made[BLACK] && !made[WHITE];
				black += made[BLACK];
				white += made[WHITE];
				r.at[row][col] = then;
			}
			ck_assert(same);
			if (i < 200) {
				ck_assert_int_eq(black - white, (squares - squares / 3) % 2 *
									(s.side == BLACK ? 1 : -1));
				ck_assert_int_eq(joins(&r, 'X') != (_i == 1), score > 0);
			}
		}
		/* Playing all moves one by one takes long on large boards. */
		int slow = sizes[k] > 11 ? count / 8 : count;
		for (int i = 0; i < slow; i++)
			wins[2] += playout_generic(g, &s, &rng) > 0;
		/* Five standard deviations of a difference of shares. */
		ck_assert_double_lt(fabs((double)(wins[0] - wins[1])), 5 * sqrt(count / 2.0));
		ck_assert_double_lt(fabs((double)wins[0] / count - (double)wins[2] / slow),
				    5 * sqrt(0.25 / count + 0.25 / slow));
	}
}
END_TEST

/* Each square is Black's equally often, also where a few squares are left. */
START_TEST(fills)
{
	const struct game *g = game_at(0, 11);
	struct rng rng;
	struct state s;
	struct trace trace;
	enum { GAMES = 40000 };
	rng_seed(&rng, 4);
	g->start(g, &s);
	for (int stones = 0; stones < 100; stones++) {
		move_t steps[GAME_STEPS_MAX];
		if (stones % 33 == 0) {
			int owned[121] = { 0 }, n = g->moves(g, &s, steps);
			for (int i = 0; i < GAMES; i++) {
				g->playouts->trace(g, &s, &rng, &trace);
				for (int k = 0; k < n; k++)
					owned[steps[k]] += trace.owner[steps[k]] > 0;
			}
			int half = (n + (s.side == BLACK)) / 2;
			double share = (double)half / n;
			for (int k = 0; k < n; k++)
				ck_assert_double_lt(fabs(owned[steps[k]] - GAMES * share),
						    5.5 * sqrt(GAMES * share * (1 - share)));
		}
		struct state next;
		do {
			next = s;
			int n = g->moves(g, &s, steps);
			g->play(g, &next, steps[rng_below(&rng, (uint32_t)n)]);
		} while (next.over);
		s = next;
	}
}
END_TEST

/* --- notation --- */

START_TEST(notation)
{
	/* After C3; NULL: the text is malformed; "": the move is illegal. */
	static const char *const known[][2] = {
		{ "d3", "D3" },      { "D3", "D3" },       { "k11", "K11" },
		{ "i1", "I1" },      { "a11", "A11" },     { "c3", "" },
		{ "l1", NULL },      { "a12", NULL },      { "a0", NULL },
		{ "d", NULL },       { "", NULL },         { "d3d", NULL },
		{ "o(3,2)", "D3" },  { "p(0,10)", "A11" }, { "O(10,0)", "K1" },
		{ "q(1,1)", "B2" },  { "x(3,2)", "" },     { "y(3,2)", "" },
		{ "o(2,2)", "" },    { "o(11,2)", NULL },  { "o(2,-1)", NULL },
		{ "o(2,11)", NULL }, { "o(2,2", NULL },    { "o(2,2)x", NULL },
		{ "r(2,2)", NULL },  { "o(2)", NULL },     { "(2,2)", NULL },
		{ "pass", "" },      { "swap", "" },       { "swap-piece", NULL },
	};
	const struct game *g = game_at(_i, 11);
	struct state s;
	g->start(g, &s);
	play_text(g, &s, "c3");
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct move m;
		char text[MOVE_TEXT_MAX];
		const char *expected = known[i][1];
		enum move_check check = game_parse(g, &s, known[i][0], &m);
		ck_assert_msg(check == (!expected   ? MOVE_MALFORMED
					: *expected ? MOVE_OK
						    : MOVE_ILLEGAL),
			      "%s", known[i][0]);
		if (check != MOVE_OK)
			continue;
		game_format(g, &s, m, text);
		ck_assert_str_eq(text, expected);
	}
}
END_TEST

/* --- set-up --- */

START_TEST(setups)
{
	static const struct {
		const char *squares, *side;
		bool good;
		int score; /* Black's in Hex */
	} known[] = {
		{ ".........", "X", true, 0 },  { ".........", "O", true, 0 },
		{ "X........", "O", true, 0 },  { "O........", "X", true, 0 },
		{ "XX.......", "X", true, 0 },  { "X..X..X..", "O", true, 1 },
		{ "X..X..X..", "X", false, 0 }, { "..X.X.X..", "O", true, 1 },
		{ "X...X...X", "O", true, 0 },  { "OOO......", "X", true, -1 },
		{ "OOO......", "O", false, 0 }, { "X.XX.XX.X", "O", false, 0 },
		{ "XXX.X.XXX", "O", true, 1 },  { "OOO...OOO", "X", false, 0 },
		{ "..O.O.O..", "X", true, -1 }, { "........", "X", false, 0 },
		{ "....:....", "X", false, 0 },
	};
	const struct game *g = game_at(_i, 3);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct state s;
		const char *why = game_setup(g, &s, known[i].squares, known[i].side);
		ck_assert_msg(!why == known[i].good, "%s %s: %s", known[i].squares, known[i].side,
			      why ? why : "");
		if (why)
			continue;
		ck_assert(g->valid(g, &s));
		ck_assert_int_eq(s.score, _i ? -known[i].score : known[i].score);
		ck_assert_int_eq(s.over, known[i].score != 0);
	}
}
END_TEST

/* --- symmetry --- */

/* Half a turn maps games to games. The reflection in the long diagonal does, too, if the colours are exchanged. */
START_TEST(symmetry)
{
	struct rng rng;
	rng_seed(&rng, 5);
	for (int size = SMALLEST; size <= LARGEST; size++) {
		const struct game *g = game_at(_i, size);
		struct state s, turned, reflected;
		bool same = true;
		g->start(g, &s);
		turned = reflected = s;
		char empty[POSITION_TEXT_MAX];
		game_position(g, &s, empty);
		*strchr(empty, ' ') = '\0';
		ck_assert_ptr_null(game_setup(g, &reflected, empty, "O"));
		ck_assert_uint_eq(images_symmetries(g), 1u << 3);
		while (!s.over) {
			move_t steps[GAME_STEPS_MAX];
			move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
			g->play(g, &s, step);
			g->play(g, &turned, g->images->mirror(g, step, 3));
			g->play(g, &reflected, (move_t)(step % size * size + step / size));
			same &= turned.over == s.over && turned.score == s.score &&
				reflected.over == s.over && reflected.score == -s.score;
		}
		ck_assert_msg(same, "%d", size);
	}
}
END_TEST

/* --- known winners --- */

/* The result for the side to move by plain search, -1 or 1. */
static int solve_plainly(struct referee *r)
{
	int own = r->side == BLACK ? 1 : -1;
	if (r->over)
		return r->score * own;
	for (int i = 0; i < r->size * r->size; i++) {
		if (r->at[i / r->size][i % r->size] != '.')
			continue;
		struct referee next = *r;
		referee_play(&next, i / r->size, i % r->size);
		if (solve_plainly(&next) < 0)
			return 1;
	}
	return -1;
}

/* Hex: Black wins by the five squares of the two middle lines across the short diagonal, and by no other first move. */
START_TEST(openings_3x3)
{
	static const char known[] = "..XXXXX..";
	for (int i = 0; i < 9; i++) {
		struct referee r;
		referee_start(&r, 0, 3);
		referee_play(&r, i / 3, i % 3);
		ck_assert_int_eq(solve_plainly(&r) < 0, known[i] == 'X');
	}
}
END_TEST

/* --- exact knowledge --- */

/* Results of positions of up to 4x4 by plain search, 0: unknown. The index has two bits for each square, and the
 * side. */
static int8_t plain_result(const struct game *g, const struct state *s, int8_t *known)
{
	move_t steps[GAME_STEPS_MAX];
	size_t index = s->side;
	if (s->over)
		return (int8_t)s->score;
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char c = g->at(g, s, i / g->board.cols, i % g->board.cols);
		index = 3 * index + (c == 'X' ? 1 : c == 'O' ? 2 : 0);
	}
	if (known[index])
		return known[index];
	int n = g->moves(g, s, steps);
	int8_t own = (int8_t)(s->side == BLACK ? 1 : -1), result = (int8_t)-own;
	for (int i = 0; i < n && result != own; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		if (plain_result(g, &next, known) == own)
			result = own;
	}
	return known[index] = result;
}

/* Whoever is said to win does; otherwise one of the must-play steps wins if any step does. */
START_TEST(must_play_steps)
{
	const int size = 3 + _i, squares = size * size;
	const struct game *g = game_at(0, size);
	size_t positions = 2;
	int found[3] = { 0 }, pruned = 0;
	for (int i = 0; i < squares; i++)
		positions *= 3;
	int8_t *known = calloc(positions, 1);
	struct rng rng;
	rng_seed(&rng, 6);
	ck_assert_ptr_nonnull(known);
	for (int i = 0; i < suite_times(3000); i++) {
		char board[GAME_SQUARES_MAX + 1] = { 0 };
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		int winner, empty = 0;
		uint32_t density = 3 + rng_below(&rng, 6);
		for (int at = 0; at < squares; at++) {
			uint32_t content = rng_below(&rng, density);
			board[at] = content < 2 ? "XO"[content] : '.';
			empty += content >= 2;
		}
		if (g->setup(g, &s, board, (int)rng_below(&rng, 2)) || s.over || !empty)
			continue;
		int8_t result = plain_result(g, &s, known);
		int count = g->proofs->must_play(g, &s, steps, &winner);
		found[winner + 1]++;
		if (!count) {
			ck_assert_msg(winner == result, "%s %d", board, s.side);
			continue;
		}
		ck_assert_int_eq(winner, 0);
		pruned += count < empty;
		bool kept = false;
		for (int k = 0; k < count; k++) {
			struct state next = s;
			ck_assert(k == 0 || steps[k - 1] < steps[k]);
			ck_assert_int_eq(g->at(g, &s, steps[k] / size, steps[k] % size), '.');
			g->play(g, &next, steps[k]);
			kept |= plain_result(g, &next, known) == result;
		}
		ck_assert_msg(kept, "%s %d", board, s.side);
	}
	free(known);
	/* On 3x3 nearly all positions are known at once. */
	ck_assert(found[0] > 200 && found[2] > 200 && (size == 3 || (found[1] && pruned)));
}
END_TEST

/* --- known winners of first moves --- */

/* Black's first moves that win, X, row by row. 3x3 and 4x4 are also checked by plain search here; for 6x6 compare
 * regression/dfpn-solve-6x6.tst of Benzene, the solver of the University of Alberta. */
static const char *const winning_openings[] = {
	"..XXXXX..",
	"...X..X..X..X...",
	"....X.XXXX.XXX.XXXX.X....",
	".....X.XXXXXXXXXXXXXXXXXXXXXXX.X.....",
};

/* Checks all first moves by df-pn, without and with the game's exact knowledge. */
START_TEST(openings)
{
	const int size = 3 + _i, squares = size * size;
	struct game plain = *game_at(0, size);
	static struct report report;
	struct proofs proofs = { .first_numbers = plain.proofs->first_numbers };
	plain.proofs = &proofs;
	int8_t *known = calloc(size > 4 ? 1 : 2 * (size_t)(size == 3 ? 19683 : 43046721), 1);
	ck_assert_ptr_nonnull(known);
	ck_assert_uint_eq(strlen(winning_openings[_i]), (size_t)squares);
	for (int i = 0; i < squares; i++) {
		bool wins = winning_openings[_i][i] == 'X';
		/* Without knowledge 5x5 takes seconds, larger boards hours. */
		for (int kind = 0; kind < 2 - (size > 4); kind++) {
			fixture_create("dfpn");
			set("memory", "64");
			record_restart(&record, kind ? &plain : game_at(0, size));
			record_set_swap(&record, false);
			record_play(&record, move_single((move_t)i));
			search_within(
				(struct limits) { .deadline = TIME_NEVER, .work_max = 10000000 },
				&report);
			ck_assert_int_eq(report.lower, wins ? 1 : -1);
			ck_assert_int_eq(report.upper, report.lower);
			if (size == 3 || (size == 4 && suite_is_long()))
				ck_assert_int_eq(plain_result(&plain, &record.now, known),
						 report.lower);
			fixture_destroy();
		}
	}
	free(known);
}
END_TEST

/* With the swap the second player wins from the empty board, and White's reply to a winning stone is the swap. */
START_TEST(proofs_with_the_swap)
{
	static const char *const searches[] = { "dfpn", "pns", "union" };
	static struct report report;
	for (int i = 0; i < 3; i++)
		for (int stones = 0; stones < 2; stones++) {
			fixture_create(searches[i]);
			set("memory", "64");
			record_restart(&record, game_at(0, 3));
			record_set_swap(&record, true);
			if (stones)
				record_play(&record, move_single(4));
			search_within(
				(struct limits) { .deadline = TIME_NEVER, .work_max = 1000000 },
				&report);
			ck_assert_int_eq(report.lower, -1);
			ck_assert_int_eq(report.upper, -1);
			if (stones)
				ck_assert_int_eq(report.line[0].step[0], swap_step(record.game));
			fixture_destroy();
		}
}
END_TEST

/* The first player wins Rex exactly on boards of even size (Lagarias and Sleator, 1999). */
START_TEST(rex_winners)
{
	static struct report report;
	for (int size = 3; size <= (suite_is_long() ? 4 : 3); size++) {
		fixture_create("dfpn");
		set("memory", "64");
		record_restart(&record, game_at(1, size));
		record_set_swap(&record, false);
		search_within((struct limits) { .deadline = TIME_NEVER, .work_max = 10000000 },
			      &report);
		ck_assert_int_eq(report.lower, size % 2 ? -1 : 1);
		ck_assert_int_eq(report.upper, report.lower);
		fixture_destroy();
	}
}
END_TEST

static Suite *hex_suite(void)
{
	Suite *suite = suite_create("hex");
	TCase *core = tcase_create("core");
	tcase_add_loop_test(core, random_games, 0, RULES);
	tcase_add_loop_test(core, sequences_of_sizes, 0, RULES);
	tcase_add_loop_test(core, swap, 0, RULES);
	tcase_add_test(core, threats);
	tcase_add_loop_test(core, notation, 0, RULES);
	tcase_add_loop_test(core, setups, 0, RULES);
	tcase_add_loop_test(core, symmetry, 0, RULES);
	tcase_add_test(core, openings_3x3);
	tcase_add_test(core, proofs_with_the_swap);
	suite_add_tcase(suite, core);
	TCase *native = suite_native_case(suite);
	tcase_add_loop_test(native, sequences, 0, RULES);
	tcase_add_loop_test(native, playouts, 0, RULES);
	tcase_add_loop_test(native, must_play_steps, 0, 2);
	tcase_add_loop_test(native, openings, 0, suite_is_long() ? 4 : 3);
	tcase_add_test(native, rex_winners);
	tcase_add_test(native, fills);
	return suite;
}

int main(void)
{
	return suite_run(hex_suite());
}
