/* SPDX-License-Identifier: MIT
 *
 * What searches keep about positions: the rules of AND/OR trees, true bounds, visits.
 */
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"

static const char *const searches[] = { "dfpn", "mcts", "union", "dfpn+mcts" };
#define SEARCHES (int)(sizeof searches / sizeof *searches)

static struct report report;

static void setup(void)
{
	fixture_create("dfpn");
}

static void search(uint64_t work)
{
	search_within((struct limits) { .deadline = TIME_NEVER, .work_max = work }, &report);
}

/* The root of Connect Four after some work: Black's number is the least of its children's, White's the greatest plus one
 * for each other open child. */
START_TEST(numbers_obey_the_rules)
{
	struct move moves[GAME_MOVES_MAX];
	struct kept root, child;
	uint64_t least = PROOF_NEVER, most = 0, open = 0, stored = 0;
	record_restart(&record, &game_connectfour);
	search(_i ? 20000 : 3000);
	engine_look(engine, &record, &root);
	int count = record_moves(&record, moves);
	for (int i = 0; i < count; i++) {
		record_play(&record, moves[i]);
		engine_look(engine, &record, &child);
		record_undo(&record);
		const uint64_t *n = child.win.of;
		stored += child.win.stored;
		if (n[BLACK] == PROOF_NEVER)
			continue;
		ck_assert_uint_gt(n[BLACK], 0);
		open++;
		least = n[BLACK] < least ? n[BLACK] : least;
		most = n[WHITE] > most ? n[WHITE] : most;
	}
	ck_assert_uint_gt(stored, 0);
	ck_assert_uint_gt(open, 1);
	ck_assert(root.win.stored);
	ck_assert_uint_eq(root.win.of[BLACK], least);
	ck_assert_uint_eq(root.win.of[WHITE], most + open - 1);
	ck_assert_uint_eq(report.proof, least);
	ck_assert_uint_eq(report.disproof, most + open - 1);
}
END_TEST

/* Checks a node and those below it. Returns the number of nodes whose result is proven by a search. */
static int check_below(int depth)
{
	struct move moves[GAME_MOVES_MAX];
	struct kept kept;
	engine_look(engine, &record, &kept);
	int truth = naive_result(record.game, &record.now);
	ck_assert_int_le(kept.lower, truth);
	ck_assert_int_ge(kept.upper, truth);
	for (int side = BLACK; side <= WHITE; side++) {
		bool yes = side == BLACK;
		ck_assert(kept.win.of[side] != PROOF_NEVER || (truth > 0) != yes);
		ck_assert(kept.at_least_draw.of[side] != PROOF_NEVER || (truth >= 0) != yes);
	}
	int proven = kept.lower == kept.upper && !record.now.over;
	ck_assert(kept.lower != kept.upper || kept.value == truth);
	int count = depth && !record.now.over ? record_moves(&record, moves) : 0;
	for (int i = 0; i < count; i++) {
		record_play(&record, moves[i]);
		proven += check_below(depth - 1);
		record_undo(&record);
	}
	return proven;
}

START_TEST(bounds_are_true)
{
	set("search", searches[_i % SEARCHES]);
	set_position("X...O....", "X");
	search(_i < SEARCHES ? 300 : 20000);
	ck_assert_int_gt(check_below(3), 0);
}
END_TEST

/* The visits of a node are at least those of its children, and the report tells the same of the root's moves. */
START_TEST(visits_are_those_of_the_report)
{
	struct kept root, child;
	uint64_t sum = 0;
	set("search", "mcts");
	set("early_stop", "0");
	record_restart(&record, &game_connectfour);
	search(2000);
	engine_look(engine, &record, &root);
	ck_assert_uint_ge(root.visits, 2000);
	for (int i = 0; i < report.move_count; i++) {
		const struct report_move *m = &report.moves[i];
		record_play(&record, m->move);
		engine_look(engine, &record, &child);
		record_undo(&record);
		ck_assert_uint_eq(child.visits, m->visits);
		ck_assert_double_eq_tol(child.value, m->value, 1e-9);
		sum += child.visits;
	}
	ck_assert_uint_gt(sum, 0);
	ck_assert_uint_le(sum, root.visits);
	ck_assert_uint_eq(root.win.of[BLACK], 0);
	ck_assert_uint_eq(root.win.of[WHITE], 0);
}
END_TEST

/* Nothing is known before a search, of another game, and after a search that keeps nothing. */
START_TEST(unknown_is_unknown)
{
	struct kept kept;
	engine_look(engine, &record, &kept);
	ck_assert(isnan(kept.value));
	set("search", _i ? "mcts" : "dfpn");
	search(2000);
	record_restart(&record, &game_connectfour);
	engine_look(engine, &record, &kept);
	ck_assert(isnan(kept.value));
	ck_assert_uint_eq(kept.visits, 0);
	ck_assert_uint_eq(kept.win.of[BLACK], 0);
	ck_assert_int_eq(kept.upper - kept.lower, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("look");
	TCase *cases = tcase_create("look");
	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_loop_test(cases, numbers_obey_the_rules, 0, 2);
	tcase_add_loop_test(cases, bounds_are_true, 0, 2 * SEARCHES);
	tcase_add_test(cases, visits_are_those_of_the_report);
	tcase_add_loop_test(cases, unknown_is_unknown, 0, 2);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
