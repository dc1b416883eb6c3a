/* SPDX-License-Identifier: MIT
 *
 * Games where positions may not repeat: the rules of a record, and searches that must keep them. All that a search
 * claims to be proven is compared with a reference that knows the whole history. Go on a few squares is the
 * game.
 */
#include "engine/search/game_check.h"
#include "tests/engine/fixture.h"
#include "tests/tiny_go.h"

static struct report report;

static void setup(void)
{
	fixture_create("mcts");
}

static void start(int size, int komi)
{
	record_restart(&record, &tiny_go[size]);
	ck_assert(record_set_komi(&record, komi));
}

static enum move_check play(int side, const char *text)
{
	return record_play_text(&record, side, text);
}

/* --- the reference --- */

static void reference_begin(struct tiny_go_past *past)
{
	struct state s;
	memset(past, 0, sizeof *past);
	for (int i = 0; i <= record.count; i++) {
		record_state(&record, i, &s);
		tiny_go_add(past, s.board[0]);
	}
	memset(tiny_go_known, 0, sizeof tiny_go_known);
	tiny_go_budget = TINY_GO_KNOWN / 2;
}

/* Black's true result. */
static int truth(const struct state *s, const struct tiny_go_past *past)
{
	int wins = tiny_go_beats(record.game, s, past, 0),
	    holds = tiny_go_beats(record.game, s, past, -1);
	ck_assert_int_ge(wins, 0);
	ck_assert_int_ge(holds, 0);
	return wins + holds - 1;
}

static int truth_after(struct move m, const struct tiny_go_past *past)
{
	struct state next = record.now;
	struct tiny_go_past then = *past;
	tiny_go_play(record.game, &next, m.step[0]);
	tiny_go_add(&then, next.board[0]);
	return truth(&next, &then);
}

/* Expects that the moves of a line are legal one after the other. */
static void check_history(const struct move *line, int count)
{
	static struct record after;
	if (!after.game)
		record_init(&after, record.game);
	record_copy(&after, &record);
	for (int i = 0; i < count; i++) {
		ck_assert(record_is_legal(&after, line[i]));
		record_play(&after, line[i]);
	}
}

/* Compares the last report with the reference. */
static void check_claims(void)
{
	struct tiny_go_past past;
	reference_begin(&past);
	int result = truth(&record.now, &past);
	ck_assert_int_ge(result, report.lower);
	ck_assert_int_le(result, report.upper);
	check_history(report.line, report.line_count);
	for (int i = 0; i < report.move_count; i++) {
		const struct report_move *m = &report.moves[i];
		struct move line[REPORT_LINE_MAX];
		check_history(line, report_line(&report, m, line, NULL));
		result = truth_after(m->move, &past);
		ck_assert_int_ge(result, m->lower);
		ck_assert_int_le(result, m->upper);
	}
}

static void search(uint64_t work)
{
	search_within((struct limits) { .deadline = TIME_NEVER, .work_max = work }, &report);
	check_claims();
}

/* Plays random moves, few of them passes, and some turns. Returns false if the game is over. */
static bool play_randomly(struct rng *rng, int count)
{
	struct move moves[GAME_MOVES_MAX];
	for (int i = 0; i < count && !record.now.over; i++) {
		if (rng_below(rng, 10) == 0)
			record_give_turn(&record, record.now.side ^ 1);
		int n = record_moves(&record, moves), at = (int)rng_below(rng, (uint32_t)n);
		if (moves[at].step[0] == record.game->steps.pass)
			at = (int)rng_below(rng, (uint32_t)n);
		record_play(&record, moves[at]);
	}
	return !record.now.over;
}

static int random_komi(struct rng *rng)
{
	int squares = record.game->board.rows * record.game->board.cols;
	return (int)rng_below(rng, (uint32_t)(4 * squares)) - 2 * squares;
}

/* --- the rules --- */

START_TEST(table_keeps_the_rules)
{
	const char *why = game_check(&tiny_go[_i]);
	ck_assert_msg(!why, "%s", why ? why : "");
}
END_TEST

/* On 1x4: B captures, and White may not retake at once, because the position has occurred. */
START_TEST(record_forbids_repetition)
{
	struct move moves[GAME_MOVES_MAX], m;
	start(TINY_GO_LINE_4, 1);
	ck_assert_int_eq(play(BLACK, "b1"), MOVE_OK);
	ck_assert_int_eq(play(WHITE, "d1"), MOVE_OK);
	ck_assert_int_eq(play(BLACK, "c1"), MOVE_OK); /* captures D1 */
	ck_assert_uint_eq(record.now.board[3], 0);
	record_restart(&record, record.game);
	/* .XO. then X at D1 captures C1: .X.X; White at C1 is suicide */
	ck_assert_int_eq(play(BLACK, "a1"), MOVE_OK);
	ck_assert_int_eq(play(WHITE, "c1"), MOVE_OK);
	ck_assert_int_eq(play(BLACK, "pass"), MOVE_OK);
	ck_assert_int_eq(play(WHITE, "b1"), MOVE_OK);      /* captures A1 */
	ck_assert_int_eq(play(BLACK, "d1"), MOVE_ILLEGAL); /* suicide */
	ck_assert_int_eq(play(BLACK, "a1"), MOVE_ILLEGAL);
	ck_assert_int_eq(play(BLACK, "pass"), MOVE_OK);
	ck_assert_int_eq(play(WHITE, "d1"), MOVE_OK);
	ck_assert_int_eq(play(BLACK, "a1"), MOVE_REPEATS); /* X... has occurred */
	ck_assert_int_eq(record_parse(&record, "a1", &m), MOVE_REPEATS);
	ck_assert_int_eq(game_parse(record.game, &record.now, "a1", &m), MOVE_OK);
	ck_assert(!record_is_legal(&record, m) && game_is_legal(record.game, &record.now, m));
	ck_assert_int_eq(record_moves(&record, moves), 1);
	ck_assert_uint_eq(moves[0].step[0], record.game->steps.pass);
	/* Without X... in the past the move is legal. */
	struct state now = record.now;
	record_setup(&record, &now);
	ck_assert_int_eq(record_moves(&record, moves), 2);
	ck_assert_int_eq(play(BLACK, "a1"), MOVE_OK);
	ck_assert_uint_eq(record.now.board[2], 1);
	ck_assert_uint_eq(record.now.board[3], 0);
}
END_TEST

/* Undo brings back the keys, the komi and the side to move. */
START_TEST(undo_brings_back_everything)
{
	struct rng rng;
	struct move before[GAME_MOVES_MAX], after[GAME_MOVES_MAX];
	rng_seed(&rng, 3);
	for (int i = 0; i < 200; i++) {
		start((int)rng_below(&rng, TINY_GO_SIZES), 0);
		record_set_komi(&record, random_komi(&rng));
		if (!play_randomly(&rng, (int)rng_below(&rng, 20)))
			continue;
		struct state now = record.now;
		int count = record.count, n = record_moves(&record, before);
		uint64_t past = record_past(&record, count);
		int side = (int)rng_below(&rng, 2);
		char text[MOVE_TEXT_MAX];
		game_format(record.game, &now, before[rng_below(&rng, (uint32_t)n)], text);
		if (play(side, text) != MOVE_OK) {
			ck_assert_int_eq(record.count, count);
			continue;
		}
		ck_assert_int_eq(record.now.side, side ^ 1);
		ck_assert(record_undo(&record));
		ck_assert(state_equal(&record.now, &now));
		ck_assert_int_eq(record.count, count);
		ck_assert_uint_eq(record_past(&record, count), past);
		ck_assert_int_eq(record_moves(&record, after), n);
		ck_assert_int_eq(memcmp(before, after, (size_t)n * sizeof *before), 0);
	}
}
END_TEST

/* Two passes end the game; a move of either side goes on with it. Komi changes the score and the key. */
START_TEST(turns_and_komi)
{
	start(TINY_GO_LINE_5, 3);
	uint64_t hash = record.now.hash;
	ck_assert_int_eq(play(BLACK, "c1"), MOVE_OK);
	ck_assert_int_eq(play(BLACK, "a1"), MOVE_OK); /* White's turn is left out */
	ck_assert(record.moves[1].implied);
	ck_assert_int_eq(play(WHITE, "pass"), MOVE_OK);
	ck_assert_int_eq(play(BLACK, "pass"), MOVE_OK);
	ck_assert(record.now.over);
	ck_assert_int_eq(record.now.score, 2 * 5 - 3);
	ck_assert_int_eq(play(BLACK, "z9"), MOVE_MALFORMED);
	ck_assert_int_eq(play(BLACK, "a1"), MOVE_ILLEGAL);
	ck_assert(record.now.over);
	ck_assert_int_eq(record.count, 5);
	ck_assert_int_eq(play(BLACK, "e1"), MOVE_OK);
	ck_assert(!record.now.over);
	ck_assert_int_eq(record.now.side, WHITE);
	ck_assert(record_undo(&record));
	ck_assert(record.now.over);
	ck_assert_int_eq(record.now.score, 7);
	ck_assert(record_set_komi(&record, 10));
	ck_assert_int_eq(record.now.score, 0);
	ck_assert(!record_set_komi(&record, 101));
	start(TINY_GO_LINE_5, 4);
	ck_assert_uint_ne(record.now.hash, hash);
}
END_TEST

/* --- searches --- */

enum { LEAST_SIZE = TINY_GO_LINE_4, SIZES = 3 };

/* Every search, with 1 and 2 threads, at random positions after random games: what it claims is true, and its lines
 * keep the rules. The complete ones prove everything. */
START_TEST(claims_are_true)
{
	const struct algorithm *a = algorithms[_i / (2 * SIZES)];
	const char *complete[] = { "mcts", "pns", "dfpn", "dfpn+mcts", "union" };
	bool proves = false;
	struct rng rng;
	rng_seed(&rng, (uint64_t)_i);
	for (size_t i = 0; i < sizeof complete / sizeof *complete; i++)
		proves |= strcmp(a->name, complete[i]) == 0;
	set("search", a->name);
	set("depth", "4");
	set("threads", _i & 1 ? "2" : "1");
	for (int i = 0; i < suite_times(a == &algorithm_union ? 60 : 12); i++) {
		start(LEAST_SIZE + _i / 2 % SIZES, 0);
		record_set_komi(&record, random_komi(&rng));
		if (!play_randomly(&rng, (int)rng_below(&rng, 10)))
			continue;
		search(proves ? WORK_NO_LIMIT : 2000);
		ck_assert(!proves || report.lower == report.upper);
		ck_assert(proves || report.lower != report.upper);
		ck_assert(!report.exact);
	}
}
END_TEST

/* One position after different histories, searched by one engine: what it keeps must not leak. */
START_TEST(histories_do_not_mix)
{
	struct rng rng;
	static struct record other;
	set("search", _i ? "dfpn" : "mcts");
	rng_seed(&rng, 77);
	record_init(&other, record.game);
	for (int i = 0; i < 60; i++) {
		start(TINY_GO_LINE_4 + i % SIZES, (int)rng_below(&rng, 5) - 2);
		if (!play_randomly(&rng, 4 + (int)rng_below(&rng, 8)))
			continue;
		record_copy(&other, &record);
		search(1 + rng_below(&rng, 3000));
		/* The same position without its past, then with it. */
		struct state now = record.now;
		record_setup(&record, &now);
		search(1 + rng_below(&rng, 3000));
		record_copy(&record, &other);
		search(1 + rng_below(&rng, 3000));
		/* Back and forth in the game. */
		for (int j = 0; j < 3 && record_undo(&record) && !record.now.over; j++)
			search(1 + rng_below(&rng, 500));
		if (play_randomly(&rng, 3))
			search(1 + rng_below(&rng, 3000));
	}
	record_free(&other);
}
END_TEST

/* A search with little memory collects garbage and finds the same. */
START_TEST(small_memory)
{
	struct rng rng;
	rng_seed(&rng, 5);
	set("search", _i ? "dfpn" : "mcts");
	set_memory(1);
	for (int i = 0; i < 8; i++) {
		start(TINY_GO_LINE_5, random_komi(&rng) / 2);
		if (play_randomly(&rng, (int)rng_below(&rng, 6)))
			search(60000);
	}
}
END_TEST

/* The values of all moves, each proven by a search of the position after it: that position has a past too. */
START_TEST(values_of_all_moves)
{
	struct rng rng;
	rng_seed(&rng, 9);
	for (int i = 0; i < 120; i++) {
		struct limits limits = { .deadline = TIME_NEVER,
					 .work_max = 100000,
					 .prover = &algorithm_dfpn,
					 .values = true };
		start(LEAST_SIZE + i % SIZES, 0);
		record_set_komi(&record, random_komi(&rng));
		if (!play_randomly(&rng, 4 + (int)rng_below(&rng, 8)))
			continue;
		search_within(limits, &report);
		check_claims();
		for (int j = 0; j < report.move_count; j++)
			ck_assert_int_eq(report.moves[j].lower, report.moves[j].upper);
	}
}
END_TEST

/* A game of searches goes on to its end and never repeats a position; record_play() asserts it. */
START_TEST(whole_games)
{
	set("search", algorithms[_i]->name);
	set("depth", "2");
	for (int seed = 0; seed < 3; seed++) {
		start(TINY_GO_WIDE, seed);
		while (!record.now.over && record.count < 300) {
			struct limits limits = { .deadline = TIME_NEVER, .work_max = 200 };
			search_within(limits, &report);
			check_history(report.line, report.line_count);
			record_play(&record, report.line[0]);
		}
	}
}
END_TEST

int main(void)
{
	int count = 0;
	while (algorithms[count])
		count++;
	Suite *suite = suite_create("history");
	TCase *cases = tcase_create("history");
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, table_keeps_the_rules, 0, TINY_GO_SIZES);
	tcase_add_test(cases, record_forbids_repetition);
	tcase_add_test(cases, undo_brings_back_everything);
	tcase_add_test(cases, turns_and_komi);
	tcase_add_loop_test(cases, claims_are_true, 0, count * 2 * SIZES);
	tcase_add_loop_test(cases, histories_do_not_mix, 0, 2);
	tcase_add_loop_test(cases, small_memory, 0, 2);
	tcase_add_test(cases, values_of_all_moves);
	tcase_add_loop_test(cases, whole_games, 0, count);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
