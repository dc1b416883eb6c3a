/* SPDX-License-Identifier: MIT
 *
 * Go on all sizes: known counts, set-up, and every rule against a plain, slow referee that shares no code with the
 * game.
 */
#include <string.h>

#include "engine/evaluation/evaluator.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/network.h"
#include "engine/rules/perft.h"
#include "engine/rules/repetition.h"
#include "tests/games/go/go_referee.h"
#include "tests/suite.h"

static int size_count(void)
{
	int n = 0;
	while (game_go.sizes[n])
		n++;
	return n;
}

/* The i-th table of Go. */
static const struct game *table_at(int i)
{
	return game_go.sizes[i];
}

static const struct game *table_of(int size)
{
	const struct game *g = game_sized(&game_go, size, size);
	ck_assert_ptr_nonnull(g);
	return g;
}

static struct state set_up(int size, const char *squares, int side)
{
	struct state s;
	const char *why = table_of(size)->setup(table_of(size), &s, squares, side);
	ck_assert_msg(!why, "%s: %s", squares, why ? why : "");
	return s;
}

static bool is_listed(const struct game *g, const struct state *s, move_t step)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n; i++)
		if (steps[i] == step)
			return true;
	return false;
}

/* Compares a state with the referee's. */
static void check_state(const struct game *g, const struct state *s, const struct referee *f)
{
	move_t steps[GAME_STEPS_MAX];
	int squares[GAME_SQUARES_MAX];
	ck_assert(g->valid(g, s));
	ck_assert_int_eq(s->side, f->side);
	ck_assert_int_eq(s->over, f->passes == 2);
	bool equal = true; /* Check's macros are slow: one for all squares */
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		equal &= g->at(g, s, i / g->board.cols, i % g->board.cols) == f->board.at[i];
	ck_assert(equal);
	if (s->over) {
		ck_assert_int_eq(s->score, 2 * referee_margin(&f->board) - g->komi->get(g, s));
		return;
	}
	int n = g->moves(g, s, steps);
	ck_assert_int_eq(n - 1, referee_moves(f, squares));
	for (int i = 0; i < n - 1; i++)
		equal &= steps[i] == squares[i];
	ck_assert(equal);
	ck_assert_int_eq(steps[n - 1], g->steps.pass);
}

/* Every square is read back if it is legal, and is refused otherwise. */
static void check_texts(const struct game *g, const struct state *s)
{
	bool right = true;
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		struct move m = move_single((move_t)i), read;
		char text[MOVE_TEXT_MAX];
		g->format(g, s, m, text);
		bool legal = is_listed(g, s, (move_t)i);
		right &= g->parse(g, s, text, &read) == (legal ? MOVE_OK : MOVE_ILLEGAL);
		right &= !legal || move_equal(m, read);
	}
	ck_assert(right);
}

/* The liberties of the chain on a square; 0 if it is empty. */
static int count_liberties(const struct referee_board *b, int square)
{
	struct referee_board chain = *b;
	int count = 0;
	if (b->at[square] == '.')
		return 0;
	referee_fill(&chain, square / b->size, square % b->size, '#', ' ');
	for (int i = 0; i < b->size * b->size; i++) {
		bool near = false;
		for (int k = 0; k < 4; k++)
			near |= referee_at(&chain, i / b->size + referee_ways[k][0],
					   i % b->size + referee_ways[k][1]) == '#';
		count += near && chain.at[i] == '.';
	}
	return count;
}

/* What the network sees besides stones: one liberty, two, the ko or a pass, the lead, and komi as a part of all points. */
static void check_signs(const struct game *g, const struct state *s, const struct referee *f)
{
	uint8_t signs[GAME_SQUARES_MAX];
	int margin = 2 * referee_margin(&f->board) - g->komi->get(g, s);
	int all = (f->passes ? 4 : 0) | (side_sign(s->side) * margin > 0 ? 8 : 0), squares = 0;
	g->network->planes(g, s, signs);
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		struct referee_board next = f->board;
		int liberties = count_liberties(&f->board, i);
		bool ko = next.at[i] == '.' &&
			  referee_put(&next, i / g->board.cols, i % g->board.cols, f->side) &&
			  referee_equal(&next, &f->before);
		ck_assert_int_eq(signs[i] & 15,
				 all | (liberties == 1) | 2 * (liberties == 2) | 4 * ko);
		squares += signs[i] >> 4;
	}
	int komi = -side_sign(s->side) * g->komi->get(g, s);
	komi = komi < -20 ? -20 : komi > 20 ? 20 : komi;
	ck_assert_int_le(abs(40 * squares - g->board.rows * g->board.cols * (20 + komi)), 20);
}

/* Stones own their squares, and all owners together make the margin. */
static void check_owners(const struct game *g, const struct state *s, const struct referee *f)
{
	int8_t owners[GAME_SQUARES_MAX];
	int margin = 0;
	g->network->owners(g, s, owners);
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char c = g->at(g, s, i / g->board.cols, i % g->board.cols);
		margin += owners[i];
		ck_assert_int_le(abs(owners[i]), 1);
		if (c != '.')
			ck_assert_int_eq(owners[i], c == 'X' ? 1 : -1);
	}
	ck_assert_int_eq(margin, referee_margin(&f->board));
}

static void play_both(const struct game *g, struct state *s, struct referee *f, move_t step)
{
	uint64_t expected = g->repetition->key(g, s, step);
	g->play(g, s, step);
	if (step == g->steps.pass) {
		referee_pass(f);
		ck_assert_uint_eq(expected, 0);
	} else {
		referee_play(f, step / g->board.cols, step % g->board.cols);
		ck_assert_uint_eq(expected, g->repetition->key(g, s, MOVE_NONE));
	}
}

/* A random game of at most 3 moves a square; then both sides pass. Passes are rare otherwise. */
static void random_game(const struct game *g, struct rng *rng)
{
	struct state s;
	struct referee f = { .board.size = g->board.rows };
	memset(f.board.at, '.', sizeof f.board.at);
	g->start(g, &s);
	ck_assert(g->komi->set(g, &s, (int)rng_below(rng, 61) - 30));
	for (int left = 3 * g->board.rows * g->board.cols; !s.over; left--) {
		move_t steps[GAME_STEPS_MAX];
		uint32_t n = (uint32_t)g->moves(g, &s, steps);
		check_state(g, &s, &f);
		if (left % 32 == 0)
			check_texts(g, &s);
		if (left % (g->board.rows * g->board.cols) == 0) {
			check_signs(g, &s, &f);
			check_owners(g, &s, &f);
		}
		bool passes = left <= 0 || n == 1 || rng_below(rng, 64) == 0;
		play_both(g, &s, &f, passes ? g->steps.pass : steps[rng_below(rng, n - 1)]);
	}
	check_state(g, &s, &f);
}

START_TEST(random_games)
{
	const struct game *g = table_at(_i);
	int count = g->board.rows < 6 ? 500 : g->board.rows < 10 ? 30 : 2;
	struct rng rng;
	rng_seed(&rng, (uint64_t)g->board.rows);
	for (int i = 0; i < count; i++)
		random_game(g, &rng);
}
END_TEST

/* Equal games in all symmetries. */
START_TEST(symmetries)
{
	const struct game *g = table_at(_i);
	struct rng rng;
	rng_seed(&rng, 3);
	for (int symmetry = 1; symmetry < 8; symmetry++) {
		struct state s, mirrored;
		g->start(g, &s);
		mirrored = s;
		for (int left = 2 * g->board.rows * g->board.cols; left && !s.over; left--) {
			move_t steps[GAME_STEPS_MAX], others[GAME_STEPS_MAX];
			int n = g->moves(g, &s, steps);
			ck_assert_int_eq(g->moves(g, &mirrored, others), n);
			move_t step = steps[rng_below(&rng, (uint32_t)n)];
			ck_assert(is_listed(g, &mirrored, g->images->mirror(g, step, symmetry)));
			g->play(g, &s, step);
			g->play(g, &mirrored, g->images->mirror(g, step, symmetry));
			bool equal = true;
			for (int i = 0; i < g->board.rows * g->board.cols; i++) {
				int to = images_mirror_square(g, i, symmetry);
				equal &= g->at(g, &s, i / g->board.cols, i % g->board.cols) ==
					 g->at(g, &mirrored, to / g->board.cols,
					       to % g->board.cols);
			}
			ck_assert(equal);
		}
		ck_assert_int_eq(s.score, mirrored.score);
	}
}
END_TEST

/* Sequences of moves and passes without superko, counted by the referee. */
static uint64_t referee_leaves(const struct referee *f, int depth)
{
	int squares[GAME_SQUARES_MAX];
	if (f->passes == 2)
		return 0;
	int n = referee_moves(f, squares);
	if (depth == 1)
		return (uint64_t)n + 1;
	struct referee next = *f;
	referee_pass(&next);
	uint64_t sum = referee_leaves(&next, depth - 1);
	for (int i = 0; i < n; i++) {
		next = *f;
		referee_play(&next, squares[i] / f->board.size, squares[i] % f->board.size);
		sum += referee_leaves(&next, depth - 1);
	}
	return sum;
}

START_TEST(perft)
{
	static const int depths[] = { [2] = 9, [3] = 5, [4] = 4, [5] = 3, [9] = 2, [19] = 2 };
	for (int size = 2; size <= 19; size++) {
		struct referee f = { .board.size = size };
		struct state s;
		if (!depths[size])
			continue;
		memset(f.board.at, '.', sizeof f.board.at);
		table_of(size)->start(table_of(size), &s);
		for (int depth = 1; depth <= depths[size]; depth++)
			ck_assert_uint_eq(perft_leaves(table_of(size), &s, depth),
					  referee_leaves(&f, depth));
	}
}
END_TEST

/* The number of legal positions (Tromp and Farnebäck, 2007). */
static int legal_positions(int size)
{
	char squares[GAME_SQUARES_MAX + 1] = "";
	int count = 0, total = 1;
	struct state s;
	for (int i = 0; i < size * size; i++)
		total *= 3;
	for (int code = 0; code < total; code++) {
		for (int i = 0, rest = code; i < size * size; i++, rest /= 3)
			squares[i] = ".XO"[rest % 3];
		count += !table_of(size)->setup(table_of(size), &s, squares, BLACK);
	}
	return count;
}

START_TEST(positions)
{
	ck_assert_int_eq(legal_positions(2), 57);
	ck_assert_int_eq(legal_positions(3), 12675);
}
END_TEST

START_TEST(many_positions)
{
	ck_assert_int_eq(legal_positions(4), 24318165);
}
END_TEST

START_TEST(refused_boards)
{
	struct state s;
	const struct game *g = table_of(3);
	ck_assert_ptr_null(g->setup(g, &s, ".........", WHITE));
	ck_assert_int_eq(s.side, WHITE);
	ck_assert_str_eq(g->setup(g, &s, "XXXXXXXXX", BLACK), "a chain of stones has no liberty");
	ck_assert_str_eq(g->setup(g, &s, "XO.O.....", BLACK), "a chain of stones has no liberty");
	ck_assert_ptr_null(g->setup(g, &s, "XO.......", BLACK));
}
END_TEST

START_TEST(suicide)
{
	const struct game *g = table_of(3);
	struct state s = set_up(3, ".X.X.....", WHITE); /* the corner has no liberty for White */
	ck_assert(!is_listed(g, &s, 0));
	s = set_up(3, ".X.X.....", BLACK);
	ck_assert(is_listed(g, &s, 0));
	s = set_up(3, ".OXOXX.X.", WHITE); /* both chains would be without liberties, but one is */
	ck_assert(!is_listed(g, &s, 8));
	s = set_up(3, ".XOXOO.O.", WHITE); /* captures two stones */
	ck_assert(is_listed(g, &s, 0));
	s = set_up(3, "OO.OOXXXX", WHITE); /* each side has one liberty, the same one */
	ck_assert(is_listed(g, &s, 2));
	s = set_up(3, "OO.OOXXX.", WHITE); /* several stones */
	ck_assert(!is_listed(g, &s, 2));
	s = set_up(3, ".OXOOXXX.", WHITE);
	ck_assert(!is_listed(g, &s, 0));
	ck_assert(is_listed(g, &s, 8));
}
END_TEST

/* The ko is part of the key, but not of the repeat key. */
START_TEST(ko)
{
	const struct game *g = table_of(4);
	struct state s = set_up(4, ".XO.X.XO.XO.....", WHITE), set;
	uint64_t before = g->repetition->key(g, &s, MOVE_NONE);
	g->play(g, &s, 5);
	ck_assert_int_eq(g->at(g, &s, 1, 2), '.');
	ck_assert(!is_listed(g, &s, 6));
	ck_assert_uint_eq(g->repetition->key(g, &s, 6), before);
	set = set_up(4, ".XO.XO.O.XO.....", BLACK);
	ck_assert_uint_eq(set.board[0], s.board[0]);
	ck_assert_uint_ne(set.board[1], s.board[1]);
	ck_assert(is_listed(g, &set, 6));
	struct state turned = s;
	g->set_turn(g, &turned, BLACK);
	ck_assert(state_equal(&turned, &set));
	g->play(g, &s, 15);
	g->play(g, &s, 14);
	ck_assert(is_listed(g, &s, 6));
	ck_assert(g->valid(g, &s));
}
END_TEST

START_TEST(passes)
{
	const struct game *g = table_of(2);
	struct state s, t;
	g->start(g, &s);
	g->play(g, &s, 0);
	t = s;
	g->play(g, &s, g->steps.pass);
	ck_assert(!s.over);
	g->play(g, &s, g->steps.pass);
	ck_assert(s.over);
	ck_assert_int_eq(s.score, 8);
	ck_assert_uint_eq(s.board[0], t.board[0]);
	g->set_turn(g, &s, WHITE);
	ck_assert(!s.over);
	ck_assert_int_eq(s.score, 0);
	ck_assert(state_equal(&s, &t));
	ck_assert(g->valid(g, &s));
}
END_TEST

START_TEST(komi)
{
	static const int defaults[] = {
		[2] = 0, [3] = 0, [5] = 0, [6] = 14, [9] = 14, [10] = 15, [19] = 15
	};
	for (int size = 2; size <= 19; size++) {
		struct state s;
		const struct game *g = table_of(size);
		g->start(g, &s);
		if (defaults[size] || size <= 3)
			ck_assert_int_eq(g->komi->get(g, &s), defaults[size]);
	}
	const struct game *g = table_of(3);
	struct state s, t;
	g->start(g, &s);
	t = s;
	ck_assert(g->komi->set(g, &s, -3));
	ck_assert(g->valid(g, &s));
	ck_assert(!state_equal(&s, &t));
	ck_assert_uint_eq(g->repetition->key(g, &s, MOVE_NONE),
			  g->repetition->key(g, &t, MOVE_NONE));
	g->play(g, &s, 4);
	g->play(g, &s, g->steps.pass);
	g->play(g, &s, g->steps.pass);
	ck_assert_int_eq(s.score, 18 + 3);
	ck_assert(g->komi->set(g, &s, 18));
	ck_assert_int_eq(s.score, 0);
	ck_assert(!g->komi->set(g, &s, 4001));
	ck_assert(!g->komi->set(g, &s, -4001));
	ck_assert_int_eq(g->komi->get(g, &s), 18);
	ck_assert(g->valid(g, &s));
}
END_TEST

/* The network's signs show komi up to ten points, but its value follows any komi. */
START_TEST(network_with_any_komi)
{
	static const int komis[] = { -600, -80, -20, 14, 20, 40, 80, 600 };
	struct evaluator e;
	struct evaluation out;
	move_t steps[GAME_STEPS_MAX];
	float before = 1;
	ck_assert(evaluator_open(&e, &game_go));
	for (size_t i = 0; i < sizeof komis / sizeof *komis; i++) {
		struct state s;
		game_go.start(&game_go, &s);
		ck_assert(game_go.komi->set(&game_go, &s, komis[i]));
		evaluator_steps(&e, &s, steps, game_go.moves(&game_go, &s, steps), &out);
		ck_assert_float_lt(out.value, i ? before : 1.001f);
		before = out.value;
		if (abs(komis[i]) >= 80)
			ck_assert_float_gt(komis[i] < 0 ? out.value : -out.value, 0.97f);
	}
}
END_TEST

START_TEST(notation)
{
	const struct game *g = table_of(19);
	struct state s;
	struct move m;
	char text[MOVE_TEXT_MAX];
	g->start(g, &s);
	ck_assert_int_eq(g->parse(g, &s, "A1", &m), MOVE_OK);
	ck_assert_int_eq(m.step[0], 18 * 19);
	ck_assert_int_eq(g->parse(g, &s, "t19", &m), MOVE_OK);
	ck_assert_int_eq(m.step[0], 18);
	ck_assert_int_eq(g->parse(g, &s, "j10", &m), MOVE_OK);
	ck_assert_int_eq(m.step[0], 9 * 19 + 8);
	ck_assert_int_eq(g->parse(g, &s, "i10", &m), MOVE_MALFORMED);
	ck_assert_int_eq(g->parse(g, &s, "a20", &m), MOVE_MALFORMED);
	ck_assert_int_eq(g->parse(g, &s, "a1x", &m), MOVE_MALFORMED);
	g->format(g, &s, move_single(9 * 19 + 8), text);
	ck_assert_str_eq(text, "J10");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("go");
	TCase *cases = tcase_create("go");
	TCase *native = suite_native_case(suite);
	if (suite_is_long())
		tcase_set_timeout(native, 3600);
	tcase_add_loop_test(native, random_games, 0, size_count());
	tcase_add_loop_test(cases, symmetries, 0, size_count());
	tcase_add_test(cases, network_with_any_komi);
	tcase_add_test(native, perft);
	tcase_add_test(native, positions);
	if (suite_is_long())
		tcase_add_test(native, many_positions);
	tcase_add_test(cases, refused_boards);
	tcase_add_test(cases, suicide);
	tcase_add_test(cases, ko);
	tcase_add_test(cases, passes);
	tcase_add_test(cases, komi);
	tcase_add_test(cases, notation);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
