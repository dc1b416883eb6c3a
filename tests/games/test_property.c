/* SPDX-License-Identifier: MIT
 *
 * Properties of every game, tested on random games of each table in games[].
 */
#include <math.h>
#include <string.h>

#include "engine/rules/images.h"
#include "engine/rules/network.h"
#include "engine/rules/playouts.h"
#include "engine/rules/repetition.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "tests/suite.h"

#define GAMES      40
#define SEEN       8192 /* stored positions for comparison */
#define PLAYOUTS   8000
#define DEVIATIONS 5.0 /* the fixed seeds pass; a wrong distribution deviates by tens */

static int game_count(void)
{
	int n = 0;
	while (games[n])
		n++;
	return n;
}

static bool same_key(const struct state *a, const struct state *b)
{
	return a->board[0] == b->board[0] && a->board[1] == b->board[1] && a->side == b->side;
}

static bool same_state(const struct state *a, const struct state *b)
{
	return memcmp(a->board, b->board, sizeof a->board) == 0 && a->side == b->side &&
	       a->hash == b->hash && a->over == b->over && a->pending == b->pending &&
	       a->score == b->score;
}

/* Checks the invariants of a state, and of an earlier one with the same key. */
static void check_state(const struct game *g, const struct state *s, struct state *seen)
{
	ck_assert(g->valid(g, s));
	ck_assert_uint_eq(s->hash, state_hash(s));
	ck_assert(s->over || s->score == 0);
	ck_assert(!s->over || !s->pending);
	ck_assert(!s->pending || g->steps.per_move > 1);
	ck_assert_int_le(abs(s->score), g->score.most);
	struct state *other = &seen[s->hash % SEEN];
	if (other->hash == s->hash && same_key(other, s))
		ck_assert(same_state(other, s) || (g->board.pieces && other->score == s->score));
	*other = *s;
}

static void check_steps(const struct game *g, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	ck_assert_int_ge(n, 1);
	ck_assert_int_le(n, g->steps.choices);
	bool listed[GAME_CODES_MAX] = { false };
	bool right = true; /* Check's macros are slow: one for all steps */
	for (int i = 0; i < n; i++) {
		ck_assert_int_lt(steps[i], g->steps.codes);
		right &= !listed[steps[i]] &&
			 (steps[i] != g->steps.pass || n == 1 || g->steps.may_pass);
		listed[steps[i]] = true;
	}
	ck_assert(right);
	ck_assert_int_eq(game_must_pass(g, s), steps[0] == g->steps.pass);
}

static bool wins_plainly(const struct game *g, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		if (next.over ? score_sign(next.score) == side_sign(s->side)
			      : next.pending && wins_plainly(g, &next))
			return true;
	}
	return false;
}

/* Every legal move survives conversion to text and back. Only listed moves are legal. */
static void check_moves(const struct game *g, const struct state *s, struct rng *rng)
{
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	int n = game_moves(g, s, moves);
	ck_assert_int_ge(n, 1);
	for (int i = 0; i < n; i++) {
		struct move m;
		ck_assert(game_is_legal(g, s, moves[i]));
		game_format(g, s, moves[i], text);
		ck_assert_uint_lt(strlen(text), MOVE_TEXT_MAX);
		ck_assert_msg(game_parse(g, s, text, &m) == MOVE_OK, "%s: %s", g->name, text);
		ck_assert_msg(move_equal(m, moves[i]), "%s: %s", g->name, text);
	}
	for (int i = 0; i < 20; i++) {
		uint32_t codes = (uint32_t)g->steps.codes + 1;
		struct move m = move_pair((move_t)rng_below(rng, codes),
					  (move_t)rng_below(rng, codes));
		if (i & 1)
			m.step[1] = MOVE_NONE;
		bool listed = false;
		for (int j = 0; j < n; j++)
			listed |= move_equal(m, moves[j]);
		ck_assert_int_eq(game_is_legal(g, s, m), listed);
	}
}

static void check_position(const struct game *g, const struct state *s)
{
	char text[POSITION_TEXT_MAX], again[POSITION_TEXT_MAX];
	struct state read;
	game_position(g, s, text);
	ck_assert_uint_lt(strlen(text), POSITION_TEXT_MAX);
	char *space = strchr(text, ' ');
	*space = '\0';
	const char *reason = game_setup(g, &read, text, space + 1);
	ck_assert_msg(!reason, "%s %s: %s", text, space + 1, reason ? reason : "");
	*space = ' ';
	game_position(g, &read, again);
	ck_assert_str_eq(again, text);
	*space = '\0';
	/* The text lacks what came before: a ko, passes, a counter. */
	ck_assert_msg(g->repetition && g->repetition->key
			      ? repetition_key(g, &read) == repetition_key(g, s)
		      : g->set_turn     ? read.board[0] == s->board[0] && read.side == s->side
		      : g->steps.counts ? read.side == s->side
					: same_state(&read, s),
		      "%s %s: %s %s", g->name, g->rules, text, space + 1);
}

/* A random step, or a pass if a game that has no longest length has been long. */
static move_t random_step(const struct game *g, const struct state *s, struct rng *rng, int length)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	if (g->steps.may_pass && !g->steps.length && length >= 3 * g->board.rows * g->board.cols)
		return g->steps.pass;
	return steps[rng_below(rng, (uint32_t)n)];
}

/* The trace of a game that is over has no steps. */
static void check_end(const struct game *g, const struct state *s, struct rng *rng)
{
	static const struct trace nothing;
	struct trace t;
	memset(&t, 0xff, sizeof t);
	ck_assert_int_eq(playout_trace(g, s, rng, &t), s->score);
	ck_assert_mem_eq(t.made, nothing.made, sizeof t.made);
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char at = g->at(g, s, i / g->board.cols, i % g->board.cols);
		ck_assert(network_has_owners(g) ? abs(t.owner[i]) <= 1
						: t.owner[i] == board_owner(&g->board, at));
	}
}

START_TEST(random_games)
{
	static struct state seen[SEEN];
	const struct game *g = games[_i];
	struct rng rng;
	rng_seed(&rng, 1);
	bool has_pending = false;
	memset(seen, 0xff, sizeof seen); /* no such side */
	ck_assert_ptr_eq(game_sized(game_find(g->name, g->rules), g->board.rows, g->board.cols), g);
	/* Few of the long games on large boards, and not each of their positions. */
	int squares = g->board.rows * g->board.cols, large = squares > 64;
	int stride = large ? squares / 2 : 1, skip = large ? squares / 16 : 1;
	for (int i = 0; i < GAMES; i += skip) {
		struct state s;
		int length = 0;
		g->start(g, &s);
		check_state(g, &s, seen);
		int empty = game_free(g, &s);
		bool stays = false; /* the move has a pass or swap */
		while (!s.over) {
			check_steps(g, &s);
			if (!s.pending && length % stride == 0) {
				check_moves(g, &s, &rng);
				check_position(g, &s);
			}
			move_t step = random_step(g, &s, &rng, length);
			g->play(g, &s, step);
			check_state(g, &s, seen);
			stays |= step == g->steps.pass || (g->swap && step == swap_step(g));
			if (!s.pending) {
				ck_assert(g->steps.frees_squares || stays ||
					  game_free(g, &s) < empty);
				empty = game_free(g, &s);
				stays = false;
			}
			has_pending |= s.pending;
			length++;
		}
		ck_assert(!g->steps.length || length <= g->steps.length);
		check_position(g, &s);
		struct move m;
		ck_assert(!game_is_legal(g, &s, move_single(0)));
		ck_assert_int_eq(game_parse(g, &s, "pass", &m), MOVE_OK);
		ck_assert_int_eq(m.step[0], MOVE_PASS);
		ck_assert_int_eq(playout_uniform(g, &s, &rng), s.score);
		check_end(g, &s, &rng);
	}
	ck_assert_int_eq(has_pending, g->steps.per_move > 1);
}
END_TEST

/* Moves the stones of a board down to the lowest squares of their columns. */
static void drop_stones(const struct game *g, char *board)
{
	for (int col = 0; col < g->board.cols; col++) {
		int to = g->board.rows - 1;
		for (int row = to; row >= 0; row--) {
			char stone = board[row * g->board.cols + col];
			board[row * g->board.cols + col] = '.';
			if (stone != '.')
				board[to-- * g->board.cols + col] = stone;
		}
	}
}

/* How often to repeat what takes longer on large boards. */
static int times(const struct game *g, int number)
{
	return g->board.rows * g->board.cols > 64 ? number / 10 : number;
}

/* Fills a random board with stones of the sides in turn. Returns their number. */
static int random_board(const struct game *g, struct rng *rng, char *board)
{
	int squares = g->board.rows * g->board.cols, cells = 0;
	for (int i = 0; i < squares; i++) {
		board[i] = game_has_square(g, i) ? '.' : ':';
		cells += board[i] == '.';
	}
	board[squares] = '\0';
	int stones = (int)rng_below(rng, (uint32_t)cells);
	for (int k = 0; k < stones;) {
		uint32_t at = rng_below(rng, (uint32_t)squares);
		if (board[at] == '.')
			board[at] = k++ % 2 ? 'O' : 'X';
	}
	return stones;
}

/* `wins` is true exactly where a side wins at once. Nearly full random positions have more lines than games
 * reach. Some games accept stones only at the bottom. */
START_TEST(wins_at_once)
{
	const struct game *g = games[_i];
	struct rng rng;
	int found[2] = { 0 };
	rng_seed(&rng, 2);
	for (int i = 0; g->threats && i < times(g, 3000); i++) {
		char board[POSITION_TEXT_MAX];
		struct state s;
		int stones = random_board(g, &rng, board);
		if (g->setup(g, &s, board, stones % 2)) {
			drop_stones(g, board);
			if (g->setup(g, &s, board, stones % 2))
				g->start(g, &s);
		}
		while (!s.over) {
			bool plainly = wins_plainly(g, &s);
			move_t steps[GAME_STEPS_MAX];
			ck_assert_int_eq(g->threats->wins(g, &s), plainly);
			found[plainly]++;
			int n = g->moves(g, &s, steps);
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)n)]);
		}
	}
	ck_assert(!g->threats || (found[0] > 1000 && found[1] > 1000));
}
END_TEST

/* `wins` is also right for the side that is not to move: searches exchange `side` in a copy, which keeps its
 * hash. Every game of games[] can play such a copy, so the plain check is the same. */
START_TEST(threatens_to_win)
{
	const struct game *g = games[_i];
	struct rng rng;
	int found[2] = { 0 };
	rng_seed(&rng, 5);
	for (int i = 0; g->threats && i < times(g, 300); i++) {
		struct state s;
		g->start(g, &s);
		while (!s.over) {
			move_t steps[GAME_STEPS_MAX];
			struct state other = s;
			other.side ^= 1;
			if (!s.pending) {
				bool plainly = wins_plainly(g, &other);
				ck_assert_int_eq(g->threats->wins(g, &other), plainly);
				found[plainly]++;
			}
			int n = g->moves(g, &s, steps);
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)n)]);
		}
	}
	ck_assert(!g->threats || (found[0] > times(g, 1000) && found[1] > times(g, 500)));
}
END_TEST

/* Returns true if a step, with the best step after it in the same move, lets the other side win at once. */
static bool loses_plainly(const struct game *g, const struct state *s, move_t step)
{
	struct state next = *s;
	move_t steps[GAME_STEPS_MAX];
	g->play(g, &next, step);
	if (next.over)
		return next.score * side_sign(s->side) < 0;
	if (!next.pending)
		return wins_plainly(g, &next);
	int n = g->moves(g, &next, steps);
	for (int i = 0; i < n; i++)
		if (!loses_plainly(g, &next, steps[i]))
			return false;
	return true;
}

/* A game that omits steps which lose at once omits no others, and omits nearly all of these. */
START_TEST(loses_at_once)
{
	const struct game *g = games[_i];
	struct rng rng;
	int kept = 0, lost = 0, missed = 0;
	rng_seed(&rng, 3);
	for (int i = 0; g->threats && i < times(g, 300); i++) {
		struct state s;
		int length = 0, skip = times(g, 1) ? 1 : g->board.rows * g->board.cols / 32;
		g->start(g, &s);
		for (; !s.over; length++) {
			move_t steps[GAME_STEPS_MAX], safe[GAME_STEPS_MAX];
			int n = g->moves(g, &s, steps), safe_count = 0, at = 0;
			bool tells = length % skip == i % skip && !g->threats->wins(g, &s);
			if (tells)
				safe_count = g->threats->safe(g, &s, safe);
			for (int k = 0; tells && k < n; k++) {
				bool listed = at < safe_count && safe[at] == steps[k];
				bool loses = loses_plainly(g, &s, steps[k]);
				at += listed;
				ck_assert(listed || loses);
				kept += !loses;
				lost += loses;
				missed += listed && loses;
			}
			ck_assert(!tells || at == safe_count);
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)n)]);
		}
	}
	ck_assert(!g->threats || (kept > 1000 && lost > 1000 && missed < lost / 50));
}
END_TEST

/* Sums over playouts: Black's wins, draws, the score and its square. */
struct sums {
	double won, drawn, score, square;
};

static struct sums sample(int (*playout)(const struct game *, const struct state *, struct rng *),
			  const struct game *g, const struct state *s, uint64_t seed)
{
	struct sums sums = { 0, 0, 0, 0 };
	struct rng rng;
	rng_seed(&rng, seed);
	for (int i = 0; i < PLAYOUTS; i++) {
		int score = playout(g, s, &rng);
		sums.won += score > 0;
		sums.drawn += score == 0;
		sums.score += score;
		sums.square += score * score;
	}
	return sums;
}

static int playout_own(const struct game *g, const struct state *s, struct rng *rng)
{
	return playout_uniform(g, s, rng);
}

/* Returns true if two sums of PLAYOUTS values agree. `square` is the sum of the squares of one of them. */
static bool agree(double a, double b, double square)
{
	return fabs(a - b) <= DEVIATIONS * sqrt(2 * square + 1);
}

static void check_playouts(const struct game *g, const struct state *s)
{
	struct sums own = sample(playout_own, g, s, 1);
	struct sums generic = sample(playout_generic, g, s, 2);
	ck_assert(agree(own.won, generic.won, generic.won));
	ck_assert(agree(own.drawn, generic.drawn, generic.drawn));
	ck_assert(agree(own.score, generic.score, generic.square));
}

/* Games with optional passes choose the moves of a playout by their own rules and have their own tests. */
START_TEST(playouts)
{
	const struct game *g = games[_i];
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 8 && !g->steps.may_pass; i += times(g, 1) ? 1 : 4) {
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		g->start(g, &s);
		/* From the start, then from later and later states; half of Pentago's are pending. */
		for (int j = 0; j < 7 * i && !s.over; j++)
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		check_playouts(g, &s);
	}
}
END_TEST

/* Batched playouts follow the rules, including passes and ends. */
START_TEST(playouts_at_once)
{
	const struct game *g = games[_i];
	struct rng rng;
	rng_seed(&rng, 4);
	for (int i = 0; g->playouts && g->playouts->batch && i < 2000; i++) {
		struct state s;
		move_t steps[GAME_STEPS_MAX];
		int8_t scores[PLAYOUTS_BATCH];
		g->start(g, &s);
		for (uint32_t n = rng_below(&rng, (uint32_t)g->steps.length); n && !s.over; n--)
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		struct rng seeds = rng;
		g->playouts->batch(g, &s, &rng, scores);
		for (int j = 0; j < PLAYOUTS_BATCH; j++) {
			struct rng own;
			rng_seed(&own, rng_next(&seeds));
			ck_assert_int_eq(scores[j], playout_generic(g, &s, &own));
		}
		ck_assert_uint_eq(rng_next(&seeds), rng_next(&rng));
	}
}
END_TEST

/* Returns square i as seen in a symmetry. */
static int mirror_square(const struct game *g, int i, int symmetry)
{
	int row = i / g->board.cols, col = i % g->board.cols;
	int r = symmetry & 4 ? col : row, c = symmetry & 4 ? row : col;
	r = symmetry & 1 ? g->board.rows - 1 - r : r;
	c = symmetry & 2 ? g->board.cols - 1 - c : c;
	return r * g->board.cols + c;
}

/* The stones given to evaluators. Games have the same results in every symmetry. */
START_TEST(stones_and_symmetries)
{
	const struct game *g = games[_i];
	struct rng rng;
	rng_seed(&rng, 33);
	for (int game = 0; game < GAMES && images_have_stones(g); game++) {
		struct state s, mirrored;
		int symmetry = images_symmetries(g) >> game % 8 & 1 ? game % 8 : 0;
		char squares[GAME_SQUARES_MAX + 1] = "";
		g->start(g, &s);
		for (int i = 0; i < g->board.rows * g->board.cols; i++)
			squares[mirror_square(g, i, symmetry)] = g->at(g, &s, i / g->board.cols,
								       i % g->board.cols);
		ck_assert_ptr_null(g->setup(g, &mirrored, squares, s.side));
		while (!s.over) {
			move_t steps[GAME_STEPS_MAX];
			uint64_t set[2];
			int n = g->moves(g, &s, steps);
			move_t step = steps[rng_below(&rng, (uint32_t)n)];
			g->play(g, &s, step);
			g->play(g, &mirrored,
				symmetry ? g->images->mirror(g, step, symmetry) : step);
			g->images->stones(g, &s, set);
			for (int i = 0; i < g->board.rows * g->board.cols; i++) {
				char at = g->at(g, &s, i / g->board.cols, i % g->board.cols);
				int j = mirror_square(g, i, symmetry);
				ck_assert_int_eq(
					g->at(g, &mirrored, j / g->board.cols, j % g->board.cols),
					at);
				ck_assert_int_eq(set[BLACK] >> i & 1, at == 'X');
				ck_assert_int_eq(set[WHITE] >> i & 1, at == 'O');
			}
			ck_assert_int_eq(mirrored.over, s.over);
			ck_assert_int_eq(mirrored.score, s.score);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("property");
	TCase *cases = tcase_create("property");
	TCase *native = suite_native_case(suite);
	tcase_add_loop_test(native, random_games, 0, game_count());
	tcase_add_loop_test(cases, wins_at_once, 0, game_count());
	tcase_add_loop_test(cases, threatens_to_win, 0, game_count());
	tcase_add_loop_test(native, loses_at_once, 0, game_count());
	tcase_add_loop_test(native, playouts, 0, game_count());
	tcase_add_loop_test(cases, playouts_at_once, 0, game_count());
	tcase_add_loop_test(native, stones_and_symmetries, 0, game_count());
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
