/* SPDX-License-Identifier: MIT
 *
 * The life of a search: every search finds a legal move in every game, on its own thread or the caller's;
 * stop ends it; options set limits; a game's solver goes first where it applies.
 */
#include <string.h>
#include <unistd.h>

#include "engine/slots.h"
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"

static struct report report;
static char why[REASON_MAX];

static void setup(void)
{
	fixture_create("mcts");
	record_restart(&record, games[0]);
	set("memory", "16");
}

/* Plays a seeded random game and searches at times. The line must be playable to its end. */
START_TEST(every_search_plays_every_game)
{
	struct rng rng;
	rng_seed(&rng, 11);
	set("search", algorithms[_i]->name);
	set("threads", "2");
	set("nodes", "300");
	for (int g = 0; games[g]; g++) {
		record_restart(&record, games[g]);
		while (!record.now.over) {
			struct move moves[GAME_MOVES_MAX];
			search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
			record_play(&record, report.line[0]);
			for (int i = 0; i < 3 && !record.now.over; i++) {
				int n = game_moves(record.game, &record.now, moves);
				record_play(&record, moves[rng_below(&rng, (uint32_t)n)]);
			}
		}
	}
}
END_TEST

/* Searches on another thread, within the limits of the options. */
static void search_on_thread(void)
{
	struct limits limits = engine_limits(engine, record.game, TIME_NEVER);
	int wake[2];
	char byte;
	ck_assert_int_eq(pipe(wake), 0);
	ck_assert(engine_think(engine, &record, &limits, wake[1], why));
	ck_assert_int_eq(read(wake[0], &byte, 1), 1);
	ck_assert(engine_collect(engine, &report, why));
	close(wake[0]);
	close(wake[1]);
}

START_TEST(thinking_wakes_and_stops)
{
	int wake[2];
	char byte;
	ck_assert_int_eq(pipe(wake), 0);
	set("search", algorithms[_i]->name);
	/* Without a limit only a stop or a proof ends the search. */
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	ck_assert(engine_think(engine, &record, &limits, wake[1], why));
	engine_stop(engine);
	ck_assert_int_eq(read(wake[0], &byte, 1), 1);
	ck_assert(engine_collect(engine, &report, why));
	ck_assert(game_is_legal(record.game, &record.now, report.line[0]));
	close(wake[0]);
	close(wake[1]);
}
END_TEST

/* An engine that shares processors with others does not ponder. */
START_TEST(ponders_alone)
{
	struct slots *slots = slots_create(2);
	set("ponder", "1");
	set("playouts", "100");
	ck_assert(!engine_ponder(engine, &record)); /* after no move */
	search_on_thread();
	record_play(&record, report.line[0]);
	engine_set_slots(engine, slots);
	ck_assert(!engine_ponder(engine, &record));
	engine_set_slots(engine, NULL);
	ck_assert(engine_ponder(engine, &record));
	engine_end_pondering(engine);
	set("ponder", "0");
	ck_assert(!engine_ponder(engine, &record));
	slots_destroy(slots);
}
END_TEST

START_TEST(limits_from_options)
{
	struct limits limits = engine_limits(engine, record.game, TIME_NEVER);
	ck_assert(limits.deadline != TIME_NEVER);
	ck_assert_uint_eq(limits.work_max, WORK_NO_LIMIT);
	set("playouts", "500");
	limits = engine_limits(engine, record.game, TIME_NEVER);
	ck_assert(limits.deadline == TIME_NEVER);
	ck_assert_uint_eq(limits.work_max, 500);
	set("nodes", "300");
	limits = engine_limits(engine, record.game, 1000000000);
	ck_assert(limits.deadline != TIME_NEVER);
	ck_assert_uint_eq(limits.work_max, 300);
	/* A time of 0 means a millisecond. */
	int64_t now = clock_now();
	limits = engine_limits(engine, record.game, 0);
	ck_assert(limits.deadline >= now + 1000000);
	ck_assert(limits.deadline <= clock_now() + 1000000);
	/* The margin is at most half of the budget. */
	set("margin", "1000");
	int64_t before = clock_now();
	limits = engine_limits(engine, record.game, 100000000);
	ck_assert(limits.deadline >= before + 50000000);
	ck_assert(limits.deadline < clock_now() + 50000001);
	/* A depth limits only searches that use it. */
	set("playouts", "0");
	set("nodes", "0");
	set("depth", "3");
	set("search", "mcts");
	ck_assert(engine_limits(engine, record.game, TIME_NEVER).deadline != TIME_NEVER);
	set("search", "negamax");
	ck_assert(engine_limits(engine, record.game, TIME_NEVER).deadline == TIME_NEVER);
}
END_TEST

/* --- levels --- */

/* Returns the points of A at `level` against `other` in one game. A moves first in even games. A draw
 * counts 1, a win 2. */
static int play_levels(int game, int level, int other)
{
	record_restart(&record, record.game);
	while (!record.now.over) {
		bool is_a = (record.now.side == BLACK) == (game % 2 == 0);
		set_number("level", (size_t)(is_a ? level : other));
		search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
		record_play(&record, report.line[0]);
	}
	int sign = score_sign(record.now.score);
	return 1 + (game % 2 == 0 ? sign : -sign);
}

/* Wald's sequential test of whether a level scores three quarters of the points against another rather than
 * half. The error probability is 1 %. Returns false if 60 games do not decide it. */
static bool is_stronger(int level, int other)
{
	const double sure = log(99);
	double evidence = 0;
	for (int game = 0; game < 60 && fabs(evidence) < sure; game++) {
		double share = play_levels(game, level, other) / 2.0;
		evidence += share * log(0.75 / 0.5) + (1 - share) * log(0.25 / 0.5);
	}
	return evidence >= sure;
}

/* A level beats those below it. The levels compared are farther apart where perfect play is easy. */
START_TEST(levels_are_ordered)
{
	static const struct {
		const char *game;
		int apart, highest;
	} rows[] = { { "tictactoe", 4, LEVEL_MAX }, { "othello", 2, 5 }, { "pentago", 2, 5 } };
	record_restart(&record, game_find(rows[_i].game, NULL));
	set_memory((size_t)1 << 20);
	int apart = rows[_i].apart;
	for (int level = 1 + apart; level <= rows[_i].highest; level += apart) {
		/* With sanitizers, only a few games without a test of strength. */
		for (int i = 0; IS_SANITIZED && i < 4; i++)
			play_levels(i, level, level - apart);
		ck_assert_msg(IS_SANITIZED || is_stronger(level, level - apart), "level %d", level);
	}
}
END_TEST

/* Repeats the first search of each game. */
START_TEST(levels_repeat_with_their_seed)
{
	static struct move first[16][LEVEL_MAX];
	set("search", algorithms[_i]->name);
	for (int round = 0; round < 2; round++) {
		engine_reseed(engine);
		for (int g = 0; games[g]; g++) {
			record_restart(&record, games[g]);
			for (int level = 1; level <= 5; level++) {
				set_number("level", (size_t)level);
				search_within(engine_limits(engine, record.game, TIME_NEVER),
					      &report);
				ck_assert(round == 0 ||
					  move_equal(report.line[0], first[g][level]));
				first[g][level] = report.line[0];
			}
		}
	}
}
END_TEST

/* The only move that does not lose is found as often as the level allows; results of a stronger search do
 * not help. */
START_TEST(levels_overlook_squares)
{
	enum { SEARCHES = 400 };
	record_restart(&record, &game_tictactoe);
	set("memory", "1");
	set_position("XX..O.O..", "X");
	for (int level = 1; level <= LEVEL_MAX; level += 4) {
		int found = 0;
		for (int i = 0; i < SEARCHES; i++) {
			struct limits all = { .deadline = TIME_NEVER, .work_max = 2000 };
			search_within(all, &report);
			ck_assert_int_eq(report.line[0].step[0], 2);
			set_number("level", (size_t)level);
			search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
			found += report.line[0].step[0] == 2;
			ck_assert_int_le(report.move_count, 5);
		}
		ck_assert_int_ge(found, SEARCHES * level / 10 - SEARCHES / 10);
		/* If nothing is seen, one of five moves is chosen. */
		ck_assert_int_le(found, SEARCHES * level / 10 + SEARCHES / 5);
	}
}
END_TEST

/* A level limits the work of moves. A smaller limit stays. */
START_TEST(levels_limit_work)
{
	set("level", "1");
	set("early_stop", "0");
	record_restart(&record, game_find("othello", NULL));
	struct limits limits = engine_limits(engine, record.game, TIME_NEVER);
	ck_assert_int_eq(limits.level, 1);
	ck_assert(limits.deadline == TIME_NEVER);
	search_within(limits, &report);
	ck_assert_uint_le(report.playouts, 30);
	ck_assert_uint_ge(report.playouts, 1);
	set("playouts", "7");
	search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
	ck_assert_uint_le(report.playouts, 7);
	limits = (struct limits) { .deadline = TIME_NEVER, .work_max = 1000 };
	search_within(limits, &report);
	ck_assert_uint_eq(report.playouts, 1000);
}
END_TEST

/* --- the game's solver --- */

/* Sets up a random position with `empty` empty squares. */
static void free_position(const struct game *g, int empty, struct rng *rng)
{
	struct state s;
	while (!naive_position(g, empty, rng, &s))
		;
	record_restart(&record, g);
	record_setup(&record, &s);
}

static void set_memory_anew(size_t bytes)
{
	set_memory(bytes);
	engine_reseed(engine);
}

/* Sets up a position with `stones` stones on random squares that is not over, in a game with a solver. */
static void random_position(const struct game *g, int stones, struct rng *rng)
{
	char squares[65];
	int order[64] = { 0 }, all = g->rows * g->cols;
	record_restart(&record, g);
	do {
		memset(squares, '.', (size_t)all);
		squares[all] = '\0';
		for (int i = 0; i < all; i++) {
			int j = (int)rng_below(rng, (uint32_t)i + 1);
			order[i] = order[j];
			order[j] = i;
		}
		for (int i = 0; i < stones; i++)
			squares[order[i]] = i % 2 ? 'O' : 'X';
		set_position(squares, stones % 2 ? "O" : "X");
	} while (record.now.over);
}

static void solve_alone(struct solution *out)
{
	const struct solver *solver = record.game->solver;
	struct control control;
	double seconds;
	size_t bytes;
	ck_assert(solver->estimate(&record.now, SOLVE_ALL, 1, &seconds, &bytes));
	void *block = block_create(bytes);
	ck_assert_ptr_nonnull(block);
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	solver->work(&record.now, SOLVE_ALL, block, bytes, 0, 1, &control);
	ck_assert(solver->result(&record.now, block, out));
	block_destroy(block, bytes);
}

static int value_of(const struct solution *s, struct move move)
{
	for (int i = 0; i < s->count; i++)
		if (move_equal(s->moves[i].move, move))
			return score_sign(s->moves[i].least);
	ck_abort_msg("a move that the solver does not know");
}

static int value_of_position(const struct solution *s)
{
	int least, most;
	solution_bounds(s, record.now.side, &least, &most);
	ck_assert_int_eq(least, most);
	return score_sign(least);
}

/* Checks that the report has exactly these moves with their values, and that the answer is the best of
 * them. */
static void check_solved(const struct solution *s, const struct move *moves, int count)
{
	int sign = record.now.side == BLACK ? 1 : -1, best = -1;
	check_report(&report);
	ck_assert_int_eq(report.move_count, count);
	for (int i = 0; i < count; i++) {
		int value = sign * value_of(s, moves[i]);
		best = value > best ? value : best;
	}
	for (int i = 0; i < count; i++) {
		const struct report_move *m = &report.moves[i];
		int listed = 0;
		for (int j = 0; j < count; j++)
			listed += move_equal(moves[j], m->move);
		ck_assert_int_eq(listed, 1);
		ck_assert_int_eq(m->lower, value_of(s, m->move));
		ck_assert_int_eq(m->upper, m->lower);
		ck_assert(m->value == m->lower);
	}
	ck_assert_int_eq(report.lower, sign * best);
	ck_assert_int_eq(report.upper, sign * best);
	ck_assert(report.value == sign * best);
	ck_assert_int_eq(value_of(s, report.line[0]), sign * best);
}

/* All moves get their values on request, also if some are excluded, even the best ones. */
START_TEST(solver_takes_over)
{
	struct rng rng;
	int wins = 0, others = 0;
	rng_seed(&rng, 21);
	set("exact", "1");
	set_memory((size_t)16 << 20);
	for (int g = 0; games[g]; g++) {
		for (int n = 0; games[g]->solver && n < 12; n++) {
			struct limits limits = { .deadline = TIME_NEVER,
						 .work_max = WORK_NO_LIMIT,
						 .values = true };
			struct move moves[GAME_MOVES_MAX], worse[GAME_MOVES_MAX];
			struct solution s;
			int count = 0, value;
			set("threads", n % 2 ? "1" : "3");
			free_position(games[g], 2 + n % 9, &rng);
			solve_alone(&s);
			value = value_of_position(&s);
			int all = game_moves(record.game, &record.now, moves);
			search_within(limits, &report);
			check_solved(&s, moves, all);
			ck_assert_uint_eq(report.playouts, 0);
			for (int i = 0; i < all; i++)
				if (score_sign(s.moves[i].least) != value)
					worse[count++] = moves[i];
			wins += value == (record.now.side == BLACK ? 1 : -1);
			others += count > 0;
			if (!count)
				continue;
			limits.only = worse;
			limits.only_count = count;
			search_within(limits, &report);
			check_solved(&s, worse, count);
		}
	}
	ck_assert_int_gt(wins, 5);
	ck_assert_int_gt(others, 5);
}
END_TEST

/* With a clock, the search chooses among the moves that keep the value, unless it is a win. Under a work
 * limit, or if requested, it works alone. */
START_TEST(solver_lets_search_choose)
{
	struct rng rng;
	int chosen = 0;
	rng_seed(&rng, 22);
	set_memory((size_t)16 << 20);
	for (int n = 0; n < 80; n++) {
		struct limits limits = { .work_max = WORK_NO_LIMIT };
		struct move moves[GAME_MOVES_MAX];
		struct solution s;
		set("search", n % 4 ? "mcts" : "dfpn+mcts");
		set("exact", "1");
		random_position(&game_pentago, 31 + n % 4, &rng);
		solve_alone(&s);
		int all = game_moves(record.game, &record.now, moves);
		limits.deadline = clock_now() + INT64_C(20000000000);
		search_within(limits, &report);
		check_solved(&s, moves, all);
		chosen += report.playouts > 0;
		if (value_of_position(&s) == (record.now.side == BLACK ? 1 : -1))
			ck_assert_uint_eq(report.playouts, 0);

		set("search", "mcts");
		limits.work_max = 100000;
		engine_reseed(engine);
		search_within(limits, &report);
		bool seen = game_pentago.wins(&record.now); /* without a search */
		ck_assert_int_eq(report.playouts > 0, !seen);
		set("exact", "0");
		engine_reseed(engine);
		limits.work_max = WORK_NO_LIMIT;
		search_within(limits, &report);
		ck_assert_int_eq(report.playouts > 0, !seen);
	}
	ck_assert_int_gt(chosen, 2);
}
END_TEST

/* Returns the size of the address space in use in bytes; 0: unknown. */
static size_t addresses(void)
{
	size_t pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%zu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The stack grows with the deepest call and never shrinks; a test that counts addresses lets it grow before. */
static __attribute__((noinline)) void grow_stack(void)
{
	volatile char room[1 << 20];
	for (size_t i = 0; i < sizeof room; i += 1024)
		room[i] = 0;
}

/* The solver's memory and the tree together stay within the option, whichever is allocated first, and also
 * after the option changes. */
START_TEST(solver_keeps_to_memory)
{
	struct limits watched = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	struct limits limited = { .deadline = TIME_NEVER, .work_max = 2000 };
	struct rlimit usual, tight;
	struct rng rng;
	double seconds;
	size_t bytes;
	rng_seed(&rng, 23);
	set("exact", "1");
	/* Avoid a win for White, the side to move, because the search would find it, too. With more empty
	 * squares a slow machine would not solve it in time; with fewer, the block would be too small. */
	struct solution s;
	do {
		random_position(&game_pentago, 23, &rng);
		solve_alone(&s);
	} while (value_of_position(&s) == -1);
	ck_assert(game_pentago.solver->estimate(&record.now, SOLVE_ALL, 1, &seconds, &bytes));
	/* The block is smaller than half of the memory, so it is kept. */
	size_t memory = 2 * bytes + MEMORY_UNIT + ((size_t)1 << 20);
	set_memory_anew((size_t)1 << 20);
	search_within(limited, &report);
	grow_stack();
	size_t before = addresses();
	set_memory_anew(memory);
	search_within(limited, &report);
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &usual), 0);
	tight = (struct rlimit) { before + memory, usual.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &tight), 0);
	search_within(watched, &report);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &usual), 0);
	ck_assert_int_eq(report.lower, report.upper);
	ck_assert_uint_gt(report.nodes, limited.work_max);

	/* Now a block exists, and the memory is smaller than it. */
	set_memory((size_t)1 << 20);
	search_within(limited, &report);
	ck_assert_uint_le(addresses(), before);
}
END_TEST

/* Searches repeat with their seed after any use of the solver: they get its memory back. */
START_TEST(seed_repeats_after_the_solver)
{
	struct limits watched = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	struct limits limited = { .deadline = TIME_NEVER, .work_max = 5000 };
	static struct report first;
	struct rng rng;
	double seconds;
	size_t bytes;
	rng_seed(&rng, 24);
	set("exact", "1");
	random_position(&game_pentago, 23, &rng);
	ck_assert(game_pentago.solver->estimate(&record.now, SOLVE_ALL, 1, &seconds, &bytes));
	/* The block could be kept, but half of the memory is too small for the search's tree. */
	set_memory(2 * bytes);
	for (int round = 0; round < 2; round++) {
		if (round)
			search_within(watched, &report);
		struct record solved = record;
		record_init(&record, &game_pentago);
		engine_reseed(engine);
		search_within(limited, &report);
		record_free(&record);
		record = solved;
		if (!round)
			first = report;
	}
	ck_assert(first.fill == report.fill);
	ck_assert(first.value == report.value);
	ck_assert_int_eq(first.move_count, report.move_count);
	for (int i = 0; i < first.move_count; i++)
		ck_assert_uint_eq(first.moves[i].visits, report.moves[i].visits);
}
END_TEST

/* After a stopped solver a short search gives the answer. */
START_TEST(stopped_solver_leaves_a_search)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	struct rng rng;
	int wake[2];
	char byte;
	rng_seed(&rng, 24);
	set("exact", "1");
	set_memory_anew((size_t)256 << 20);
	random_position(&game_pentago, 20, &rng);
	ck_assert_int_eq(pipe(wake), 0);
	ck_assert(engine_think(engine, &record, &limits, wake[1], why));
	engine_stop(engine);
	ck_assert_int_eq(read(wake[0], &byte, 1), 1);
	ck_assert(engine_collect(engine, &report, why));
	check_report(&report);
	ck_assert(report.playouts > 0 || report.lower == report.upper);
	close(wake[0]);
	close(wake[1]);
}
END_TEST

static struct limits without_time(void)
{
	return (struct limits) { .deadline = clock_now() - 1, .work_max = WORK_NO_LIMIT };
}

/* Without time, the engine plays the move that the kept tree prefers, or the one that the last search
 * expected. */
START_TEST(late_move_is_the_expected_one)
{
	const struct limits limits = { .deadline = TIME_NEVER, .work_max = 3000 };
	set_number("reuse", (size_t)_i);
	set_memory((size_t)8 << 20);
	for (int g = 0; games[g]; g++) {
		record_restart(&record, games[g]);
		engine_reseed(engine);
		search_within(limits, &report);
		ck_assert_int_ge(report.line_count, 3);
		struct move expected = report.line[2];
		record_play(&record, report.line[0]);
		record_play(&record, report.line[1]);
		search_within(without_time(), &report);
		ck_assert(move_equal(report.line[0], expected));
		ck_assert_uint_eq(report.playouts, 0);
	}
}
END_TEST

/* Without time and without any result, a few dozen simulations find a near win. */
START_TEST(late_move_is_searched)
{
	record_restart(&record, &game_pentago);
	set_position("..O....XO...XOO...XOX..XO...X....X..", "O");
	search_within(without_time(), &report);
	ck_assert_int_eq(report.upper, -1);
	ck_assert_uint_le(report.playouts, 64);
}
END_TEST

/* --- a solver of scores ---
 *
 * Othello with a solver that finds no more than it is asked for, and records what it was asked. */

static struct {
	double seconds[SOLVE_ALL + 1]; /* its estimate of the time */
	bool fails[SOLVE_ALL + 1];
	bool knows;    /* it proves something although it fails */
	int estimated; /* index of the move that it returns as its estimate; -1: none */
	bool waits;    /* a call that fails uses all of its time, */
	bool hogs;     /* and that of the whole move */
	int lies;      /* false results: 1 every other move wins, -1 all lose */
	int asked[SOLVE_ALL + 1];
	bool met_own;  /* its memory still held what it had left there */
	double longer; /* control.longer of the search that called it */
} scorer;

#define ESTIMATED_SCORE 3 /* odd, so never a true score */

struct scorer_block {
	union {
		struct {
			struct solution found;
			bool solved;
		};
		char clear[SOLVER_CLEAR];
	};
	uint64_t own;
};

static bool scorer_estimate(const struct state *s, enum solve_aim aim, int threads, double *seconds,
			    size_t *bytes)
{
	(void)s;
	(void)threads;
	*seconds = scorer.seconds[aim];
	*bytes = sizeof(struct scorer_block);
	return true;
}

static void scorer_work(const struct state *s, enum solve_aim aim, void *memory, size_t bytes,
			int worker, int threads, struct control *control)
{
	struct scorer_block *b = memory;
	struct move moves[GAME_MOVES_MAX];
	int side = s->side, sign = side == BLACK ? 1 : -1, best = -64;
	(void)bytes;
	(void)worker;
	(void)threads;
	ck_assert(!b->solved);
	scorer.asked[aim]++;
	scorer.met_own = b->own == UINT64_MAX;
	b->own = UINT64_MAX;
	scorer.longer = (control->outer ? control->outer : control)->longer;
	control_claim(control, 1);
	b->found.count = game_moves(&game_othello, s, moves);
	for (int i = 0; i < b->found.count; i++) {
		struct state next = *s;
		game_play(&game_othello, &next, moves[i]);
		int score = sign * naive_score(&game_othello, &next), least = score, most = score;
		/* Only one best move is sought. For the others it is enough that they are no better. */
		if (aim == SOLVE_RESULT)
			least = score > 0 ? 1
				: score   ? -64
					  : 0,
			most = score > 0 ? 64
			       : score   ? -1
					 : 0;
		if (aim == SOLVE_RESULT && scorer.lies) {
			least = scorer.lies > 0 && i % 2 ? 1 : -64;
			most = least > 0 ? 64 : -1;
		}
		if (aim == SOLVE_SCORE && score <= best)
			least = -64, most = best;
		best = score > best ? score : best;
		b->found.moves[i].move = moves[i];
		b->found.moves[i].least = (int8_t)(side == BLACK ? least : -most);
		b->found.moves[i].most = (int8_t)(side == BLACK ? most : -least);
	}
	b->found.estimated = scorer.estimated;
	b->found.estimated_score = ESTIMATED_SCORE;
	b->solved = aim != SOLVE_ESTIMATE && !scorer.fails[aim];
	for (int i = 0; !b->solved && !scorer.knows && i < b->found.count; i++) {
		b->found.moves[i].least = -64;
		b->found.moves[i].most = 64;
	}
	if (!b->solved && !scorer.knows && scorer.estimated < 0)
		b->found.count = 0;
	while (!b->solved && scorer.waits && control_claim(control, 1))
		;
	while (!b->solved && scorer.hogs && !control_is_over(control->outer))
		;
}

static bool scorer_result(const struct state *s, const void *memory, struct solution *out)
{
	const struct scorer_block *b = memory;
	(void)s;
	*out = b->found;
	return b->solved;
}

static const struct solver score_solver = { scorer_estimate, scorer_work, scorer_result };
static struct game scored;

/* Sets up a position with `empty` empty squares and a choice of moves. */
static void scored_position(int empty, struct rng *rng)
{
	move_t steps[GAME_STEPS_MAX];
	scored = game_othello;
	scored.solver = &score_solver;
	do
		free_position(&scored, empty, rng);
	while (scored.moves(&record.now, steps) < 2);
	memset(&scorer, 0, sizeof scorer);
	scorer.seconds[SOLVE_ESTIMATE] = 100;
	scorer.estimated = -1;
	set("exact", "1");
	set_memory((size_t)1 << 20);
}

static struct limits in_time(double seconds)
{
	return (struct limits) { .deadline = clock_now() + (int64_t)(1e9 * seconds),
				 .work_max = WORK_NO_LIMIT };
}

static int mover(int score)
{
	return record.now.side == BLACK ? score : -score;
}

static int score_behind(struct move m)
{
	struct state next = record.now;
	game_play(&scored, &next, m);
	return mover(naive_score(&scored, &next));
}

/* Checks that the reported scores and results are true. */
static void check_scores(void)
{
	int score = naive_score(&scored, &record.now);
	ck_assert_int_ge(score_sign(score), report.lower);
	ck_assert_int_le(score_sign(score), report.upper);
	ck_assert(!report.exact || report.score == score);
	for (int i = 0; i < report.move_count; i++) {
		const struct report_move *m = &report.moves[i];
		int behind = mover(score_behind(m->move));
		ck_assert_int_ge(score_sign(behind), m->lower);
		ck_assert_int_le(score_sign(behind), m->upper);
		ck_assert(!m->exact || m->score == behind);
	}
}

/* If a solver takes all the time and fails, a short search came before it. */
START_TEST(solver_leaves_a_searched_move)
{
	struct rng rng;
	rng_seed(&rng, 61);
	scored_position(8, &rng);
	set("search", "montecarlo");
	scorer.seconds[SOLVE_SCORE] = 0.01;
	scorer.fails[SOLVE_SCORE] = scorer.hogs = true;
	search_within(in_time(0.05), &report);
	ck_assert_int_ge(scorer.asked[SOLVE_SCORE], 1);
	ck_assert_uint_ge(report.playouts, 1);
	ck_assert_uint_le(report.playouts, 64);
}
END_TEST

/* The proofs of a solver that fails are kept, whether or not the search has time. */
START_TEST(solver_leaves_what_it_has_proven)
{
	struct rng rng;
	rng_seed(&rng, 62);
	for (int i = 0; i < 20; i++) {
		scored_position(7, &rng);
		set("search", "montecarlo");
		scorer.seconds[SOLVE_SCORE] = 0.001;
		scorer.fails[SOLVE_SCORE] = scorer.knows = scorer.waits = true;
		scorer.hogs = i % 2;
		search_within(in_time(0.02), &report);
		ck_assert_int_ge(scorer.asked[SOLVE_SCORE], 1);
		check_scores();
		int result = score_sign(mover(naive_score(&scored, &record.now)));
		ck_assert_int_eq(score_sign(score_behind(report.line[0])), result);
	}
}
END_TEST

/* If there is time for the score, its move is played. Otherwise the result is solved, and if the score does
 * not follow in the remaining time, the search chooses among the moves that keep the result. Otherwise the
 * search decides alone. */
START_TEST(scores_come_first)
{
	struct rng rng;
	rng_seed(&rng, 31);
	for (int n = 0; n < 60; n++) {
		scored_position(2 + n % 5, &rng);
		int score = mover(naive_score(&scored, &record.now));
		scorer.seconds[SOLVE_ALL] = 100;
		set("search", "mcts");
		search_within(in_time(100), &report);
		check_scores();
		ck_assert(report.exact);
		ck_assert_int_eq(score_behind(report.line[0]), score);
		ck_assert_uint_eq(report.playouts, 0);

		scorer.seconds[SOLVE_SCORE] = 100;
		search_within(in_time(100), &report);
		check_scores();
		ck_assert(report.exact);
		ck_assert_int_eq(scorer.asked[SOLVE_RESULT], 1);

		scorer.fails[SOLVE_SCORE] = true;
		search_within(in_time(100), &report);
		check_scores();
		ck_assert_int_eq(report.lower, report.upper);
		ck_assert_int_eq(score_sign(score_behind(report.line[0])), score_sign(score));
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 3);
		ck_assert_int_eq(scorer.asked[SOLVE_RESULT], 2);

		scorer.seconds[SOLVE_RESULT] = 100;
		search_within(in_time(100), &report);
		check_scores();
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 3);
		ck_assert_int_eq(scorer.asked[SOLVE_RESULT], 2);
	}
}
END_TEST

/* If nothing is proven in time, the solver's estimate (SOLVE_ESTIMATE) replaces a search. Requests for a
 * proof or for all scores never get an estimate. */
START_TEST(likely_is_better_than_searched)
{
	enum { UNSOLVED, NO_TIME, PROOF, ALL, CASES };
	struct rng rng;
	rng_seed(&rng, 39);
	for (int n = 0; n < 80; n++) {
		struct move moves[GAME_MOVES_MAX];
		int kind = n % CASES;
		struct limits limits = in_time(kind == UNSOLVED || kind == ALL ? 0.05 : 100);
		scored_position(3 + n % 5, &rng);
		int count = game_moves(&scored, &record.now, moves);
		scorer.estimated = count - 1;
		scorer.knows = n & CASES;
		if (kind == UNSOLVED || kind == ALL) {
			scorer.fails[SOLVE_SCORE] = scorer.fails[SOLVE_ALL] = true;
		} else {
			scorer.seconds[SOLVE_SCORE] = scorer.seconds[SOLVE_RESULT] = 200;
			scorer.seconds[SOLVE_ESTIMATE] = 0;
		}
		if (kind == PROOF)
			limits.prover = &algorithm_dfpn;
		limits.values = kind == ALL;
		search_within(limits, &report);
		ck_assert_int_eq(scorer.asked[SOLVE_ESTIMATE], kind == NO_TIME);
		if (kind == PROOF || kind == ALL) {
			ck_assert(report.score != ESTIMATED_SCORE);
			continue;
		}
		/* Proofs made by then override the estimate. */
		if (report.score == ESTIMATED_SCORE) {
			ck_assert(move_equal(report.line[0], moves[count - 1]));
			ck_assert(move_equal(report.moves[0].move, moves[count - 1]));
			ck_assert(!report.exact);
			ck_assert_uint_eq(report.playouts, 0);
			ck_assert_int_eq(report.depth, game_free(&scored, &record.now));
		} else {
			ck_assert(scorer.knows);
		}
		ck_assert_int_ge(score_sign(naive_score(&scored, &record.now)), report.lower);
		ck_assert_int_le(score_sign(naive_score(&scored, &record.now)), report.upper);
	}
}
END_TEST

/* Among moves that keep a proven result, the estimated one is played if it is one of them. */
START_TEST(likely_among_results)
{
	struct rng rng;
	int estimated = 0, others = 0;
	rng_seed(&rng, 40);
	for (int n = 0; n < 40; n++) {
		struct move moves[GAME_MOVES_MAX];
		scored_position(3 + n % 4, &rng);
		int count = game_moves(&scored, &record.now, moves);
		scorer.seconds[SOLVE_SCORE] = 100;
		scorer.fails[SOLVE_SCORE] = true;
		scorer.estimated = n % count;
		int score = mover(naive_score(&scored, &record.now));
		bool keeps = score_sign(score_behind(moves[n % count])) == score_sign(score);
		search_within(in_time(100), &report);
		ck_assert_int_eq(report.lower, report.upper);
		ck_assert_int_eq(score_sign(score_behind(report.line[0])), score_sign(score));
		if (keeps) {
			ck_assert(move_equal(report.line[0], moves[n % count]));
			ck_assert_uint_eq(report.playouts, 0);
		}
		estimated += keeps;
		others += !keeps;
	}
	ck_assert_int_gt(estimated, 3);
	ck_assert_int_gt(others, 3);
}
END_TEST

/* Only scores may use the extra time of limits.solve_by. */
START_TEST(scores_are_worth_more_time)
{
	static const struct {
		double score, all, result; /* seconds */
		bool values, is_asked;
	} rows[] = {
		{ 20, 100, 100, false, true },  { 20, 100, 100, true, false },
		{ 100, 20, 100, true, true },   { 31, 100, 100, false, false },
		{ 100, 100, 20, false, false },
	};
	struct rng rng;
	rng_seed(&rng, 37);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct limits limits = in_time(10);
		scored_position(4, &rng);
		scorer.seconds[SOLVE_SCORE] = rows[i].score;
		scorer.seconds[SOLVE_ALL] = rows[i].all;
		scorer.seconds[SOLVE_RESULT] = rows[i].result;
		limits.values = rows[i].values;
		search_within(limits, &report);
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE] + scorer.asked[SOLVE_ALL], 0);
		limits.solve_by = limits.deadline + INT64_C(30000000000);
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE] + scorer.asked[SOLVE_ALL],
				 rows[i].is_asked);
		ck_assert_int_eq(scorer.asked[SOLVE_RESULT], 0);
	}
}
END_TEST

/* A solver that fails leaves a part of the extra time to the search; one that runs in vain has used its
 * own. */
START_TEST(longer_time_is_kept)
{
	struct rng rng;
	rng_seed(&rng, 38);
	scored_position(4, &rng);
	set("search", "mcts");
	set("solver", "0");
	set("early_stop", "0");
	scorer.seconds[SOLVE_SCORE] = 0.1;
	scorer.fails[SOLVE_SCORE] = scorer.waits = true;
	struct limits limits = in_time(0.1);
	limits.solve_by = limits.deadline + 300000000;
	search_within(limits, &report);
	ck_assert_int_ge(clock_now(), limits.solve_by);
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 1);
	ck_assert_uint_gt(report.playouts, 0);
}
END_TEST

/* A search that got extra time because of the solver gets no more for doubt. */
START_TEST(more_time_is_given_once)
{
	struct rng rng;
	rng_seed(&rng, 39);
	for (int moved = 0; moved < 2; moved++) {
		scored_position(4, &rng);
		scorer.seconds[SOLVE_SCORE] = moved ? 20 : 1;
		struct limits limits = in_time(10);
		limits.solve_by = limits.deadline + INT64_C(30000000000);
		limits.longer = 0.5;
		search_within(limits, &report);
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 1);
		ck_assert(scorer.longer == (moved ? 0 : 0.5));
	}
}
END_TEST

/* The solver's results are believed: the search chooses among winning moves, or among all moves if all
 * lose. */
START_TEST(search_chooses_among_results)
{
	struct rng rng;
	int searched[2] = { 0 };
	rng_seed(&rng, 36);
	for (int n = 0; n < 40; n++) {
		struct move moves[GAME_MOVES_MAX];
		bool wins = n % 2;
		int at = 0;
		scored_position(3 + n % 4, &rng);
		int count = game_moves(&scored, &record.now, moves);
		scorer.seconds[SOLVE_SCORE] = 100;
		scorer.fails[SOLVE_SCORE] = true;
		scorer.lies = wins ? 1 : -1;
		search_within(in_time(100), &report);
		while (!move_equal(moves[at], report.line[0]))
			at++;
		ck_assert_int_eq(mover(report.lower), scorer.lies);
		ck_assert_int_eq(mover(report.upper), scorer.lies);
		ck_assert(!wins || at % 2);
		/* With one winning move there is no choice. */
		ck_assert(wins && count < 4 ? report.playouts == 0 : true);
		searched[wins] += report.playouts > 0;
	}
	ck_assert_int_gt(searched[0], 5);
	ck_assert_int_gt(searched[1], 5);
}
END_TEST

/* The solver is not used with a depth limit, nor for random moves. */
START_TEST(searches_alone)
{
	struct rng rng;
	rng_seed(&rng, 37);
	scored_position(5, &rng);
	set("search", "random");
	search_within(in_time(100), &report);
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 0);
	set("search", "alphabeta");
	set("depth", "4");
	search_within(in_time(100), &report);
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 0);
	set("depth", "5");
	search_within(in_time(100), &report);
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 1);
}
END_TEST

/* All scores are computed if they are requested or if moves are excluded. */
START_TEST(all_scores_where_wanted)
{
	struct rng rng;
	rng_seed(&rng, 32);
	for (int n = 0; n < 20; n++) {
		struct move moves[GAME_MOVES_MAX];
		struct limits limits = in_time(100);
		scored_position(2 + n % 5, &rng);
		int count = game_moves(&scored, &record.now, moves);
		limits.values = true;
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(report.move_count, count);
		for (int i = 0; i < count; i++) {
			ck_assert(report.moves[i].exact);
			if (i)
				ck_assert(mover((int)report.moves[i].score) <=
					  mover((int)report.moves[i - 1].score));
		}
		limits.values = false;
		limits.only = moves;
		limits.only_count = count - 1;
		search_within(limits, &report);
		ck_assert_int_eq(report.move_count, count - 1);
		ck_assert(report.exact);
		int best = -64;
		for (int i = 0; i < count - 1; i++)
			best = score_behind(moves[i]) > best ? score_behind(moves[i]) : best;
		ck_assert(mover((int)report.score) == best);
		ck_assert_int_eq(score_behind(report.line[0]), best);
		ck_assert_int_eq(scorer.asked[SOLVE_ALL], 2);
	}
}
END_TEST

/* What the solver does not finish is searched. The solver finds its own memory again. */
START_TEST(unsolved_is_searched)
{
	struct rng rng;
	rng_seed(&rng, 33);
	scored_position(6, &rng);
	scorer.fails[SOLVE_SCORE] = true;
	search_within(in_time(0.1), &report);
	check_scores();
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 1);
	ck_assert(!scorer.met_own);
	ck_assert_uint_gt(report.playouts, 0);
	scorer.fails[SOLVE_SCORE] = false;
	search_within(in_time(100), &report);
	ck_assert(report.exact);
	ck_assert(scorer.met_own);
}
END_TEST

/* If the result is proven by then, a move that keeps it is played. The report of an exact value includes
 * what is known. */
START_TEST(unsolved_but_decided)
{
	struct rng rng;
	rng_seed(&rng, 35);
	for (int n = 0; n < 20; n++) {
		struct limits limits = in_time(100);
		scored_position(2 + n % 5, &rng);
		int score = mover(naive_score(&scored, &record.now));
		scorer.fails[SOLVE_RESULT] = scorer.knows = true;
		scorer.seconds[SOLVE_SCORE] = 100;
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(report.lower, report.upper);
		ck_assert_int_eq(score_sign(score_behind(report.line[0])), score_sign(score));

		scorer.fails[SOLVE_ALL] = true;
		limits.values = true;
		limits.prover = &algorithm_dfpn;
		limits.deadline = in_time(0.02).deadline;
		scorer.waits = true;
		search_within(limits, &report);
		check_scores();
		for (int i = 0; i < report.move_count; i++)
			ck_assert(report.moves[i].exact);
	}
}
END_TEST

/* An analysis without end shows a search while the solver works, unless that is very short. */
START_TEST(watched)
{
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = WORK_NO_LIMIT,
				 .values = true };
	struct rng rng;
	rng_seed(&rng, 34);
	/* A search that does not end on its own. */
	set("search", "montecarlo");
	scored_position(6, &rng);
	for (int i = 0; i < 2; i++) {
		scorer.seconds[SOLVE_ALL] = i ? 1.01 : 0.99;
		int64_t start = clock_now();
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(scorer.asked[SOLVE_ALL], i + 1);
		ck_assert(report.exact);
		if (i)
			ck_assert_int_ge(clock_now() - start, 1000000000);
	}
}
END_TEST

int main(void)
{
	int count = 0;
	while (algorithms[count])
		count++;
	Suite *suite = suite_create("engine");
	TCase *cases = tcase_create("engine");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_checked_fixture(native, setup, fixture_destroy);
	tcase_add_loop_test(cases, every_search_plays_every_game, 0, count);
	tcase_add_loop_test(cases, thinking_wakes_and_stops, 0, count);
	tcase_add_test(cases, ponders_alone);
	tcase_add_test(cases, limits_from_options);
	tcase_add_loop_test(native, levels_are_ordered, 0, 3);
	tcase_add_loop_test(native, levels_repeat_with_their_seed, 0, count);
	tcase_add_test(cases, levels_overlook_squares);
	tcase_add_test(cases, levels_limit_work);
	tcase_add_test(cases, solver_takes_over);
	tcase_add_test(cases, solver_lets_search_choose);
	tcase_add_test(native, solver_keeps_to_memory);
	tcase_add_test(cases, seed_repeats_after_the_solver);
	tcase_add_test(cases, stopped_solver_leaves_a_search);
	tcase_add_loop_test(cases, late_move_is_the_expected_one, 0, 2);
	tcase_add_test(cases, late_move_is_searched);
	tcase_add_test(cases, solver_leaves_a_searched_move);
	tcase_add_test(cases, solver_leaves_what_it_has_proven);
	tcase_add_test(cases, scores_come_first);
	tcase_add_test(cases, likely_is_better_than_searched);
	tcase_add_test(cases, likely_among_results);
	tcase_add_test(cases, scores_are_worth_more_time);
	tcase_add_test(cases, longer_time_is_kept);
	tcase_add_test(cases, more_time_is_given_once);
	tcase_add_test(cases, search_chooses_among_results);
	tcase_add_test(cases, searches_alone);
	tcase_add_test(cases, all_scores_where_wanted);
	tcase_add_test(cases, unsolved_is_searched);
	tcase_add_test(cases, unsolved_but_decided);
	tcase_add_test(cases, watched);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
