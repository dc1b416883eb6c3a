/* SPDX-License-Identifier: MIT
 *
 * A game with moves of four steps: whole moves, records and perft; every search finds the value and a best move, also
 * of some moves only, with a kept tree and with little memory.
 */
#include "engine/rules/perft.h"
#include "engine/search/game_check.h"
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/four_steps.h"

static struct report report;
static struct move only[GAME_MOVES_MAX];
static int only_count;

static void setup(void)
{
	fixture_create("mcts");
	record_restart(&record, &four_steps);
	only_count = 0;
}

static void play_randomly(struct rng *rng, int count)
{
	record_restart(&record, &four_steps);
	for (int i = 0; i < count; i++)
		record_play(&record, record_draw(&record, rng));
}

static bool is_only(struct move m)
{
	for (int i = 0; i < only_count; i++)
		if (move_equal(only[i], m))
			return true;
	return only_count == 0;
}

/* Black's true score after a move. */
static int score_after(struct move m)
{
	struct state next = record.now;
	game_play(&four_steps, &next, m);
	return naive_score(&four_steps, &next);
}

/* Compares the last report with the truth. Returns Black's best score among the candidates. */
static int check_claims(void)
{
	struct move moves[GAME_MOVES_MAX];
	int n = game_moves(&four_steps, &record.now, moves), sign = side_sign(record.now.side);
	int best = -100, result;
	for (int i = 0; i < n; i++) {
		int score = is_only(moves[i]) ? sign * score_after(moves[i]) : best;
		best = score > best ? score : best;
	}
	best *= sign;
	result = score_sign(best);
	ck_assert_int_ge(result, report.lower);
	ck_assert_int_le(result, report.upper);
	ck_assert(!report.exact || report.score == best);
	for (int i = 0; i < report.move_count; i++) {
		const struct report_move *m = &report.moves[i];
		ck_assert(is_only(m->move));
		result = score_sign(score_after(m->move));
		ck_assert_int_ge(result, m->lower);
		ck_assert_int_le(result, m->upper);
		ck_assert(!m->exact || m->score == score_after(m->move));
	}
	return best;
}

/* Searches with a work limit; `values`: all values are wanted. Returns Black's best score. */
static int search(uint64_t work, bool values)
{
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = work,
				 .only = only_count ? only : NULL,
				 .only_count = only_count,
				 .values = values };
	search_within(limits, &report);
	return check_claims();
}

/* Selects random moves, at least one. */
static void choose_some(struct rng *rng, uint32_t share)
{
	struct move moves[GAME_MOVES_MAX];
	int n = game_moves(&four_steps, &record.now, moves),
	    sure = (int)rng_below(rng, (uint32_t)n);
	only_count = 0;
	for (int i = 0; i < n; i++)
		if (i == sure || rng_below(rng, share) == 0)
			only[only_count++] = moves[i];
}

START_TEST(whole_moves)
{
	struct move moves[GAME_MOVES_MAX], m;
	char text[MOVE_TEXT_MAX];
	struct perft p;
	const char *why = game_check(&four_steps);
	ck_assert_msg(!why, "%s", why ? why : "");
	ck_assert_int_eq(game_moves(&four_steps, &record.now, moves), 256);
	for (int i = 0; i < 256; i++) {
		ck_assert_int_eq(move_steps(moves[i]), 4);
		ck_assert(game_is_legal(&four_steps, &record.now, moves[i]));
		game_format(&four_steps, &record.now, moves[i], text);
		ck_assert_int_eq(game_parse(&four_steps, &record.now, text, &m), MOVE_OK);
		ck_assert(move_equal(m, moves[i]));
		for (int steps = 0; steps < 4; steps++) {
			m = move_append(moves[i], steps, MOVE_NONE);
			ck_assert_int_eq(move_steps(m), steps);
			ck_assert(!game_is_legal(&four_steps, &record.now, m));
		}
	}
	perft_count(&four_steps, &record.now, 3, &p);
	ck_assert_uint_eq(p.length[1].moves, 256);
	ck_assert_uint_eq(p.length[2].moves, 256 * 81);
	ck_assert_uint_eq(p.length[3].moves, 256 * 81 * 16);
	for (int depth = 1; depth <= 3; depth++)
		ck_assert_uint_eq(perft_leaves(&four_steps, &record.now, depth),
				  p.length[depth].moves);
	play_randomly(&(struct rng) { { 1, 2 } }, 2);
	perft_count(&four_steps, &record.now, 2, &p);
	ck_assert_uint_eq(p.length[2].moves, 16);
	ck_assert_uint_eq(p.length[2].ended[0] + p.length[2].ended[1] + p.length[2].ended[2], 16);
	ck_assert_uint_eq(perft_leaves(&four_steps, &record.now, 2), 16);
}
END_TEST

START_TEST(records)
{
	struct state s;
	ck_assert_int_eq(record_play_text(&record, BLACK, "abcd"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&record, WHITE, "aaaa"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&record, WHITE, "bbb"), MOVE_MALFORMED);
	ck_assert_int_eq(record_play_text(&record, WHITE, "bbbe"), MOVE_MALFORMED);
	ck_assert_int_eq(record_play_text(&record, WHITE, "pass"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&record, WHITE, "bcdb"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&record, BLACK, "cdab"), MOVE_ILLEGAL);
	ck_assert_int_eq(record_play_text(&record, BLACK, "cdac"), MOVE_OK);
	record_state(&record, 2, &s);
	ck_assert_uint_eq(s.board[BLACK], 0x8421);
	ck_assert_uint_eq(s.board[WHITE], 0x2842);
	ck_assert(record_undo(&record));
	ck_assert(state_equal(&s, &record.now));
	ck_assert_int_eq(record.now.pending, 0);
	ck_assert_int_eq(record_play_text(&record, BLACK, "cdac"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&record, WHITE, "dabA"), MOVE_OK);
	ck_assert(record.now.over && four_steps.valid(&four_steps, &record.now));
}
END_TEST

/* Searches that prove what they find, given enough work. */
static const char *const provers[] = { "mcts", "negamax",   "alphabeta-plain", "alphabeta",
				       "dfpn", "dfpn+mcts", "union",           "pns" };
#define PROVERS (int)(sizeof provers / sizeof *provers)

/* From the start and after some moves, with 1 and 2 threads: the exact result and a best move. */
START_TEST(results_are_exact)
{
	struct rng rng;
	rng_seed(&rng, (uint64_t)_i);
	set("search", provers[_i / 2]);
	set("threads", _i & 1 ? "2" : "1");
	bool finds_scores = provers[_i / 2][0] == 'n' || provers[_i / 2][0] == 'a';
	for (int i = 0; i < 12; i++) {
		play_randomly(&rng, 1 + i % 3);
		int best = search(4000000, false);
		ck_assert_int_eq(report.lower, score_sign(best));
		ck_assert_int_eq(report.upper, score_sign(best));
		ck_assert_int_eq(score_sign(score_after(report.line[0])), score_sign(best));
		if (finds_scores) {
			ck_assert(report.exact);
			ck_assert_int_eq(score_after(report.line[0]), best);
		}
	}
}
END_TEST

/* The same with some moves only; then with all, with what was kept. */
START_TEST(some_moves_only)
{
	struct rng rng;
	rng_seed(&rng, (uint64_t)_i);
	set("search", provers[_i / 2]);
	set("threads", _i & 1 ? "2" : "1");
	for (int i = 0; i < suite_times(20); i++) {
		play_randomly(&rng, 1 + i % 2);
		for (uint32_t share = 2; share <= 32; share *= 4) {
			choose_some(&rng, share);
			int best = search(4000000, false);
			ck_assert_int_eq(report.lower, score_sign(best));
			ck_assert_int_eq(report.upper, score_sign(best));
			ck_assert_int_eq(score_sign(score_after(report.line[0])), score_sign(best));
		}
		only_count = 0;
		int best = search(4000000, false);
		ck_assert_int_eq(report.lower, score_sign(best));
		ck_assert_int_eq(report.upper, score_sign(best));
	}
}
END_TEST

/* All searches, stopped anywhere, claim nothing false, and their lines are whole moves (search_within). */
START_TEST(stopped_searches)
{
	struct rng rng;
	rng_seed(&rng, (uint64_t)_i);
	set("search", algorithms[_i]->name);
	for (int i = 0; i < 40; i++) {
		if (i % 4 == 0)
			play_randomly(&rng, (int)rng_below(&rng, 3) + 1);
		only_count = 0;
		if (i % 3 == 0)
			choose_some(&rng, 1 + rng_below(&rng, 20));
		set("rave", i % 5 == 1 ? "100" : "0");
		search(1 + rng_below(&rng, 1u << rng_below(&rng, 12)), i % 7 == 0);
		/* Go on in the game, or back. */
		struct move m = report.line[0];
		if (i % 4 < 2 && record.count < 3)
			record_play(&record, m);
		else if (i % 4 == 2 && record.count > 1)
			record_undo(&record);
	}
}
END_TEST

/* Garbage is collected in the middle of moves, and moves are chosen where no tree is left. */
START_TEST(small_memory)
{
	struct rng rng;
	rng_seed(&rng, 5);
	set("search", _i ? "union" : "mcts");
	set("solver", _i == 2 ? "0" : "1");
	set_memory(1);
	for (int i = 0; i < 6; i++) {
		play_randomly(&rng, 1);
		if (i % 2)
			choose_some(&rng, 3);
		search(40000, false);
		only_count = 0;
		search(40000, false);
		record_play(&record, report.line[0]);
		search(1000, false);
	}
}
END_TEST

/* The scores of all moves. */
START_TEST(values_of_all_moves)
{
	struct rng rng;
	rng_seed(&rng, 6);
	for (int i = 0; i < 6; i++) {
		struct limits limits = { .deadline = TIME_NEVER,
					 .work_max = 10000000,
					 .prover = i % 2 ? &algorithm_dfpn : &algorithm_alphabeta,
					 .values = true };
		play_randomly(&rng, 1 + i / 2 % 2);
		int n = game_moves(&four_steps, &record.now, only);
		only_count = 0;
		search_within(limits, &report);
		check_claims();
		ck_assert_int_eq(report.move_count, n);
		for (int j = 0; j < n; j++)
			ck_assert(report.moves[j].lower == report.moves[j].upper);
	}
}
END_TEST

int main(void)
{
	int count = 0;
	while (algorithms[count])
		count++;
	Suite *suite = suite_create("four steps");
	TCase *cases = tcase_create("four steps");
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_set_timeout(cases, 120);
	tcase_add_test(cases, whole_moves);
	tcase_add_test(cases, records);
	tcase_add_loop_test(cases, results_are_exact, 0, 2 * PROVERS);
	tcase_add_loop_test(cases, some_moves_only, 0, 2 * PROVERS);
	tcase_add_loop_test(cases, stopped_searches, 0, count);
	tcase_add_loop_test(cases, small_memory, 0, 3);
	tcase_add_test(cases, values_of_all_moves);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
