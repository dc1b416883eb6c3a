/* SPDX-License-Identifier: MIT
 *
 * Proof numbers in the tree of mcts: every node's numbers follow from its children, also after garbage was collected; the
 * terms follow from the numbers; and they lead to proofs.
 */
#include "engine/search/mcts/mcts.h"
#include "tests/engine/fixture.h"
#include "tests/tested.h"

static struct mcts *mcts;
static struct control control;
static struct task task;

static void setup(void)
{
	fixture_create("mcts");
	set("pn", "0.5");
	mcts = algorithm_mcts.create();
}

static void teardown(void)
{
	algorithm_mcts.destroy(mcts);
	fixture_destroy();
}

/* Searches the record's position without the engine, so that the tree can be looked at. */
static void search(uint64_t playouts, size_t memory)
{
	char why[REASON_MAX];
	task = (struct task) {
		.record = &record,
		.options = engine_options(engine),
		.memory = memory,
		.seed = 5,
		.threads = 1,
		.control = &control,
	};
	control_init(&control, TIME_NEVER, playouts);
	ck_assert(algorithm_mcts.prepare(mcts, &task, why));
	algorithm_mcts.work(mcts, 0, &control);
}

/* A number as the definition has it. */
static uint32_t number_of(const struct node *n, int side)
{
	int least = lower_of(proof_of(n)), most = upper_of(proof_of(n));
	if (side == BLACK ? least == 1 : most == -1)
		return 0;
	if (side == BLACK ? most < 1 : least > -1)
		return WIN_NEVER;
	return numbers_of(&mcts->tree, n)->of[side];
}

static bool is_equal_or_settled(const struct node *n, int side, uint64_t expected)
{
	uint32_t number = number_of(n, side);
	return number == 0 || number == expected || (number == WIN_NEVER && expected >= WIN_NEVER);
}

/* Checks the numbers of a node and of all below. Returns the number of nodes with children. */
static int check_numbers(const struct node *n, const struct state *s)
{
	int count, checked = 1;
	const struct node *children = children_of(&mcts->tree, n, &count);
	uint64_t least[2] = { WIN_NEVER, WIN_NEVER }, sum[2] = { 0, 0 };
	if (!count)
		return 0;
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		record.game->play(record.game, &next, step_of(&children[i]));
		checked += check_numbers(&children[i], &next);
		for (int side = 0; side < 2; side++) {
			uint32_t number = number_of(&children[i], side);
			least[side] = number < least[side] ? number : least[side];
			sum[side] += number;
		}
	}
	ck_assert(is_equal_or_settled(n, s->side, least[s->side]));
	ck_assert(is_equal_or_settled(n, s->side ^ 1, sum[s->side ^ 1]));
	return checked;
}

/* Checks that a child that is easier to prove has no smaller term. */
static int check_terms(const struct node *n, int side)
{
	int count, differ = 0;
	const struct node *children = children_of(&mcts->tree, n, &count);
	for (int i = 0; i < count; i++) {
		float term = numbers_of(&mcts->tree, &children[i])->term;
		ck_assert(term >= 0 && term <= 1);
		for (int j = 0; j < count; j++) {
			float other = numbers_of(&mcts->tree, &children[j])->term;
			if (number_of(&children[i], side) < number_of(&children[j], side))
				ck_assert(term >= other);
			if (number_of(&children[i], side) == number_of(&children[j], side))
				ck_assert(term == other);
			differ += term != other;
		}
	}
	return differ;
}

static const char *const terms[] = { "rank", "sum", "max" };
#define TERMS (int)(sizeof terms / sizeof terms[0])

START_TEST(numbers_follow_from_children)
{
	const struct game *game = tested_game(_i / TERMS);
	record_restart(&record, game);
	set("pn_term", terms[_i % TERMS]);
	set("evaluator", _i % 2 ? "0" : "1");
	set("forced", "0"); /* proves children without a look at the numbers above */
	search(tested_work(game, 2000), (size_t)64 << 20);
	const struct node *root = node_at(&mcts->tree, mcts->tree.root);
	ck_assert_int_gt(check_numbers(root, &record.now), 0);
	check_terms(root, record.now.side);
}
END_TEST

/* Blocks move when the tree is full; their numbers move with them. */
START_TEST(numbers_survive_garbage_collection)
{
	record_restart(&record, game_find("othello", NULL));
	set("evaluator", "0");
	set("batch", "0");
	search(60000, (size_t)1 << 20);
	ck_assert(mcts->tree.full);
	const struct node *root = node_at(&mcts->tree, mcts->tree.root);
	ck_assert_int_gt(check_terms(root, record.now.side), 0);
	int count;
	const struct node *children = children_of(&mcts->tree, root, &count);
	uint64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += number_of(&children[i], WHITE);
	ck_assert_uint_eq(number_of(root, WHITE), sum);
	ck_assert_uint_gt(sum, 50);
}
END_TEST

/* The term without a proof number is none. */
START_TEST(off_without_solver)
{
	set("solver", "0");
	search(1000, (size_t)1 << 20);
	ck_assert_ptr_null(mcts->tree.numbers);
}
END_TEST

/* Selection reads the mean of the side that chooses, and the term. */
START_TEST(selection_sees_the_term)
{
	int count, visited = 0;
	record_restart(&record, game_find("breakthrough", NULL)->sizes[0]);
	set("evaluator", "0");
	search(5000, (size_t)16 << 20);
	const struct node *root = node_at(&mcts->tree, mcts->tree.root);
	const struct node *children = children_of(&mcts->tree, root, &count);
	for (int i = 0; i < count; i++) {
		const struct node *n = &children[i];
		double term = numbers_of(&mcts->tree, n)->term;
		if (!visits_of(n) || is_pruned(n))
			continue;
		ck_assert_double_eq_tol(mean_of(n) - BIAS, mean_of_stats(stats_of(n)) + term, 1e-5);
		visited++;
	}
	ck_assert_int_gt(visited, 1);
	ck_assert_int_gt(check_terms(root, BLACK), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("numbers");
	TCase *cases = tcase_create("numbers");
	int last = 0;
	while (tested_game(last))
		last++;
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, numbers_follow_from_children, 0, last * TERMS);
	tcase_add_test(cases, numbers_survive_garbage_collection);
	tcase_add_test(cases, off_without_solver);
	tcase_add_test(cases, selection_sees_the_term);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
