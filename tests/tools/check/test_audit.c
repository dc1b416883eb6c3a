/* SPDX-License-Identifier: MIT
 *
 * The audit: its truth agrees with plain minimax, every kind of wrong claim is noticed, and the claims of
 * searches in a few games of each kind are true.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "engine/base/memory.h"
#include "engine/search/algorithms.h"
#include "engine/search/engine.h"
#include "tests/engine/naive.h"
#include "tests/suite.h"
#include "tests/tested.h"
#include "tools/check/claims.h"

#define TABLE_BYTES ((size_t)4 << 20)

/* --- truth --- */

START_TEST(truth_is_that_of_minimax)
{
	const struct game *g = naive_game(_i);
	struct truth *t = truth_create(TABLE_BYTES);
	struct rng rng;
	uint64_t claims = 0;
	rng_seed(&rng, 2);
	for (int i = 0; i < 60; i++) {
		struct state s;
		int empty = g->score.unit ? 1 + i % 6 : g->solver ? 1 + i % 3 : 1 + i % 7;
		naive_find_position(g, empty, &rng, &s);
		ck_assert_int_eq(truth_score(t, g, &s), naive_score(g, &s));
		ck_assert(truth_check_solvers(t, g, &s, &claims));
	}
	ck_assert(claims > 0 || !g->solver);
	truth_destroy(t);
}
END_TEST

/* Minimax and the solver agree where both can answer. */
START_TEST(solver_takes_over)
{
	const struct game *g = naive_game(_i);
	struct truth *t = truth_create(TABLE_BYTES);
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 3 && g->solver; i++) {
		struct move moves[GAME_MOVES_MAX];
		struct state s;
		do
			naive_find_position(g, truth_free_max(g) + 1, &rng, &s);
		while (game_free(g, &s) <= truth_free_max(g) || game_must_pass(g, &s));
		int n = game_moves(g, &s, moves), best = -game_worth_max(g) - 1;
		int sign = s.side == BLACK ? 1 : -1, score = truth_score(t, g, &s);
		struct truth *again = truth_create(TABLE_BYTES);
		for (int j = 0; j < n; j++) {
			struct state next = s;
			game_play(g, &next, moves[j]);
			int value = sign * truth_score(again, g, &next);
			best = value > best ? value : best;
		}
		truth_destroy(again);
		ck_assert_int_eq(score, sign * best);
	}
	truth_destroy(t);
}
END_TEST

/* --- wrong claims --- */

static struct truth *truth;
static struct state state;
static struct report report;
static struct claims claims;

/* O is to move. The edges draw, the corners lose. */
#define DRAWN "X...O...X", "O"

static void set_up(void)
{
	truth = truth_create(TABLE_BYTES);
	memset(&claims, 0, sizeof claims);
}

static void tear_down(void)
{
	truth_destroy(truth);
}

/* Solves a position, so that the report has many claims. */
static void solve(const struct game *g, const char *squares, const char *side)
{
	char why[REASON_MAX];
	struct engine *e = engine_create();
	struct record record;
	record_init(&record, g);
	ck_assert_ptr_null(game_setup(g, &state, squares, side));
	record_setup(&record, &state);
	engine_options(e)->threads = 1;
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = 10000000,
				 .prover = algorithm_prover(g),
				 .values = true };
	ck_assert(engine_search(e, &record, &limits, &report, why));
	ck_assert_int_eq(report.lower, report.upper);
	record_free(&record);
	engine_destroy(e);
}

static bool check(const struct game *g)
{
	char text[CLAIM_TEXT_MAX];
	const struct choice all = { 0 };
	return claims_check(&claims, truth, g, &state, &all, &report, text);
}

static void bound(void)
{
	report.lower = report.upper = 1;
	report.value = 1;
}

static void move_bound(void)
{
	report.moves[0].lower = report.moves[0].upper = -1;
	report.moves[0].value = -1;
}

static void score(void)
{
	report.exact = true;
	report.score = report.value = report.lower = report.upper = 1;
}

static void move_score(void)
{
	report.moves[0].exact = true;
	report.moves[0].score = report.moves[0].value = 1;
	report.moves[0].lower = report.moves[0].upper = 1;
}

static void proof(void)
{
	report.proof = 0;
	report.disproof = PROOF_NEVER;
}

/* Makes the last move the answer, with unknown bounds. That move loses a drawn position. */
static void answer(void)
{
	const struct report_move last = report.moves[report.move_count - 1];
	memmove(report.moves + 1, report.moves, (size_t)(report.move_count - 1) * sizeof last);
	report.moves[0] = last;
	report.moves[0].lower = -1;
	report.moves[0].upper = 1;
	report.moves[0].value = NAN;
	report.line[0] = report.moves[0].move;
	report.line_count = report.moves[0].line_count = 1;
}

/* The answer keeps the draw, but this is known only of another move. */
static void open_answer(void)
{
	struct report_move *best = &report.moves[0];
	ck_assert_int_eq(report.moves[1].lower, 0);
	best->lower = -1;
	best->upper = 1;
}

static void illegal(void)
{
	report.line[0] = move_single(0);
}

static void disagree(void)
{
	report.value = 0.5;
}

static void twice(void)
{
	report.moves[1] = report.moves[0];
}

static const struct {
	enum claim claim;
	void (*break_it)(void);
} wrong[] = {
	{ CLAIM_BOUND, bound },      { CLAIM_MOVE_BOUND, move_bound },
	{ CLAIM_SCORE, score },      { CLAIM_MOVE_SCORE, move_score },
	{ CLAIM_PROOF, proof },      { CLAIM_ANSWER, answer },
	{ CLAIM_SURE, open_answer }, { CLAIM_FORM, illegal },
	{ CLAIM_FORM, disagree },    { CLAIM_FORM, twice },
};

START_TEST(wrong_claims_are_noticed)
{
	solve(&game_tictactoe, DRAWN);
	ck_assert(check(&game_tictactoe));
	ck_assert(claims.checked[CLAIM_BOUND] == 2 && claims.checked[CLAIM_MOVE_BOUND] > 6);
	wrong[_i].break_it();
	ck_assert(!check(&game_tictactoe));
	ck_assert(claims.wrong[wrong[_i].claim] > 0);
}
END_TEST

/* --- the tool --- */

/* Runs the tool with arguments for the shell. Returns its exit status. */
static int audit(const char *arguments)
{
	char command[256];
	snprintf(command, sizeof command, "exec $YOMI_BUILD/tools/audit %s", arguments);
	int status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char *const names[] = { "othello", "tictactoe", "pentago" };

START_TEST(claims_are_true)
{
	char arguments[128];
	snprintf(arguments, sizeof arguments, "--game=%s --positions=%d >/dev/null", names[_i],
		 IS_SANITIZED ? 20 : 200);
	ck_assert_int_eq(audit(arguments), 0);
}
END_TEST

START_TEST(other_rules)
{
	ck_assert_int_eq(audit("--game=othello --rules=anti --positions=20 >/dev/null"), 0);
}
END_TEST

START_TEST(false_claims_are_told)
{
	char arguments[160];
	snprintf(arguments, sizeof arguments,
		 "--game=%s --search=union --positions=20 --falsify | "
		 "grep -c -e '^wrong: %s' -e '^position ' -e '^param seed' >/dev/null",
		 names[_i], names[_i]);
	ck_assert_int_eq(audit(arguments), 0);
	snprintf(arguments, sizeof arguments,
		 "--game=%s --search=union --positions=20 --falsify >/dev/null", names[_i]);
	ck_assert_int_eq(audit(arguments), 1);
}
END_TEST

START_TEST(mistakes)
{
	static const char *const rows[] = { "--games",
					    "--game=x",
					    "--game=rex",
					    "--game=breakthrough",
					    "--positions=0",
					    "--search=x",
					    "--rules=tajima",
					    "x",
					    "--game=othello --rules=tajima" };
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char arguments[128];
		snprintf(arguments, sizeof arguments, "%s >/dev/null 2>&1", rows[i]);
		ck_assert_int_eq(audit(arguments), 2);
	}
	ck_assert_int_eq(audit("--help >/dev/null"), 0);
}
END_TEST

int main(void)
{
	int game_count = 0;
	while (naive_game(game_count))
		game_count++;
	Suite *suite = suite_create("audit");
	TCase *cases = tcase_create("audit");
	tcase_set_timeout(cases, 120);
	tcase_add_checked_fixture(cases, set_up, tear_down);
	tcase_add_loop_test(cases, truth_is_that_of_minimax, 0, game_count);
	tcase_add_loop_test(cases, solver_takes_over, 0, game_count);
	tcase_add_loop_test(cases, wrong_claims_are_noticed, 0,
			    (int)(sizeof wrong / sizeof wrong[0]));
	tcase_add_loop_test(cases, claims_are_true, 0, (int)(sizeof names / sizeof names[0]));
	tcase_add_test(cases, other_rules);
	tcase_add_loop_test(cases, false_claims_are_told, 0, (int)(sizeof names / sizeof names[0]));
	tcase_add_test(cases, mistakes);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
