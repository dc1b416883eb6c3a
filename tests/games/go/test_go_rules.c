/* SPDX-License-Identifier: MIT
 *
 * The rules of Go that differ in repetition and suicide: records against a plain referee that keeps every board of the
 * game, and what searches prove on 2x2 against brute force by that referee.
 */
#include "engine/rules/komi.h"
#include "engine/rules/repetition.h"
#include "tests/engine/fixture.h"
#include "tests/games/go/go_referee.h"

#define BOARDS_MAX 400

static const char *const names[] = { "standard", "situational", "simple", "tromp-taylor",
				     "new-zealand" };
#define RULES ((int)(sizeof names / sizeof *names))

/* A game with its past. */
struct past {
	struct referee now;
	bool situational, simple, suicide;
	int count, root;                 /* positions; the index of the one that is searched */
	struct referee then[BOARDS_MAX]; /* `now` after each move, and at the start */
};

static void begin(struct past *p, const struct game *g)
{
	memset(p, 0, sizeof *p);
	p->situational = strcmp(g->rules, "situational") == 0 ||
			 strcmp(g->rules, "new-zealand") == 0;
	p->simple = strcmp(g->rules, "simple") == 0;
	p->suicide = strcmp(g->rules, "tromp-taylor") == 0 || strcmp(g->rules, "new-zealand") == 0;
	p->now.board.size = g->board.rows;
	memset(p->now.board.at, '.', sizeof p->now.board.at);
	p->then[p->count++] = p->now;
}

/* The position after a stone. Returns false if the rules forbid it. */
static bool put(const struct past *p, int square, struct referee *next)
{
	const struct referee_board *board = &p->now.board;
	int row = square / board->size, col = square % board->size;
	*next = p->now;
	if (referee_at(board, row, col) != '.')
		return false;
	if (!referee_put(&next->board, row, col, p->now.side)) {
		referee_fill(&next->board, row, col, '.', ' ');
		if (!p->suicide || referee_equal(&next->board, board))
			return false;
	}
	if (referee_equal(&next->board, &p->now.before))
		return false;
	next->before = *board;
	next->side ^= 1;
	next->passes = 0;
	for (int i = 0; i < p->count && !p->simple; i++)
		if (referee_equal(&p->then[i].board, &next->board) &&
		    (!p->situational || p->then[i].side == next->side))
			return false;
	return true;
}

static void go_to(struct past *p, const struct referee *next)
{
	ck_assert_int_lt(p->count, BOARDS_MAX);
	p->now = *next;
	p->then[p->count++] = *next;
}

static struct referee after_pass(const struct past *p)
{
	struct referee next = p->now;
	referee_pass(&next);
	return next;
}

/* Returns true if two positions allow the same: all but a ko is the same, and so is that. */
static bool is_same(const struct referee *a, const struct referee *b)
{
	int list[GAME_SQUARES_MAX], other[GAME_SQUARES_MAX];
	if (!referee_equal(&a->board, &b->board) || a->side != b->side || a->passes != b->passes)
		return false;
	int n = referee_moves(a, list);
	return n == referee_moves(b, other) && memcmp(list, other, (size_t)n * sizeof *list) == 0;
}

/* How often the position has occurred since an index. */
static int occurrences(const struct past *p, int from)
{
	int n = 0;
	for (int i = from; i < p->count; i++)
		n += is_same(&p->then[i], &p->now);
	return n;
}

static bool is_drawn(const struct past *p)
{
	return p->simple && p->now.passes < 2 && occurrences(p, 0) >= 3;
}

static const struct game *rules_at(int i, int size)
{
	const struct game *g = game_find("go", names[i]);
	ck_assert_ptr_nonnull(g);
	return game_sized(g, size, size);
}

/* Plays a step by both. */
static void play_both(struct past *p, move_t step)
{
	struct referee next = after_pass(p);
	if (step != record.game->steps.pass)
		ck_assert(put(p, step, &next));
	record_play(&record, move_single(step));
	go_to(p, &next);
}

static void check_moves(const struct past *p)
{
	struct move moves[GAME_MOVES_MAX];
	struct referee next;
	int n = record_moves(&record, moves), count = 1;
	for (int i = 0; i < p->now.board.size * p->now.board.size; i++) {
		struct move m = move_single((move_t)i);
		bool is_legal = put(p, i, &next);
		ck_assert_int_eq(record_is_legal(&record, m), is_legal);
		count += is_legal;
	}
	ck_assert_int_eq(n, count);
	ck_assert(record.game->valid(record.game, &record.now));
}

/* A step that is a pass only now and then, or if there is no other. */
static move_t random_step(struct rng *rng, int passes)
{
	struct move moves[GAME_MOVES_MAX];
	int n = record_moves(&record, moves), at = (int)rng_below(rng, (uint32_t)n);
	for (int i = 0; i < passes && moves[at].step[0] == record.game->steps.pass; i++)
		at = (int)rng_below(rng, (uint32_t)n);
	return moves[at].step[0];
}

static struct past past;

/* Starts a game of some rules and plays at random. Returns false if the game is over. */
static bool play_randomly(const struct game *g, struct rng *rng, int moves)
{
	record_restart(&record, g);
	begin(&past, g);
	for (int i = 0; i < moves && !record.now.over; i++)
		play_both(&past, random_step(rng, 3));
	return !record.now.over;
}

/* Random games on small boards, where positions repeat: moves, ends and results, also after moves were taken back. */
START_TEST(random_games)
{
	const struct game *g = NULL;
	struct rng rng;
	int draws = 0;
	rng_seed(&rng, 1);
	for (int i = 0; i < suite_times(120); i++) {
		g = rules_at(_i, 2 + i % 3);
		record_restart(&record, g);
		begin(&past, g);
		while (!record.now.over && past.count < BOARDS_MAX - 1) {
			check_moves(&past);
			play_both(&past, random_step(&rng, 5));
			if (past.count > 3 && rng_below(&rng, 16) == 0) {
				record_shorten(&record, record.count - 3);
				past.count -= 3;
				past.now = past.then[past.count - 1];
			}
			ck_assert_int_eq(record.now.over, past.now.passes == 2 || is_drawn(&past));
		}
		if (record.now.over && is_drawn(&past))
			ck_assert_int_eq(record.now.score, 0);
		else if (record.now.over)
			ck_assert_int_eq(record.now.score, 2 * referee_margin(&past.now.board) -
								   g->komi->get(g, &record.now));
		draws += is_drawn(&past);
	}
	ck_assert_int_eq(draws > 5, strcmp(g->rules, "simple") == 0);
}
END_TEST

#define TRUTH_WORK 50000

/* Black's result with perfect play, by brute force. *left: positions that it may still look at; below 0 it has given up. */
static int truth(struct past *p, int komi, int *left)
{
	int own = side_sign(p->now.side), best = -1,
	    squares = p->now.board.size * p->now.board.size;
	if (--*left < 0)
		return 0;
	if (p->now.passes == 2)
		return score_sign(2 * referee_margin(&p->now.board) - komi);
	/* A win needs no position twice, so one repetition behind the root is as good as two. */
	if (is_drawn(p) || (p->simple && occurrences(p, p->root) > 1))
		return 0;
	for (int i = squares; i >= 0 && best < 1; i--) {
		struct referee next = after_pass(p), now = p->now;
		if (i < squares && !put(p, i, &next))
			continue;
		go_to(p, &next);
		int result = own * truth(p, komi, left);
		p->count--;
		p->now = now;
		best = result > best ? result : best;
	}
	return own * best;
}

/* What searches prove on 2x2 after random games is true, by every rule. */
START_TEST(proofs)
{
	static const char *const searches[] = { "dfpn", "mcts", "pns" };
	struct rng rng;
	int proven = 0;
	set("search", searches[_i / RULES]);
	rng_seed(&rng, 3);
	for (int i = 0; i < suite_times(30); i++) {
		const struct game *g = rules_at(_i % RULES, 2);
		struct limits limits = { .deadline = TIME_NEVER, .work_max = 20000 };
		static struct report report;
		char why[REASON_MAX];
		int komi = (int)rng_below(&rng, 16) - 8;
		if (!play_randomly(g, &rng, 5 + (int)rng_below(&rng, 20)))
			continue;
		record_set_komi(&record, komi);
		ck_assert_msg(engine_search(engine, &record, &limits, &report, why), "%s", why);
		past.root = past.count - 1;
		int left = TRUTH_WORK, result = truth(&past, komi, &left);
		if (left < 0)
			continue;
		ck_assert_msg(report.lower <= result && result <= report.upper,
			      "%s: %d .. %d is not %d", g->rules, report.lower, report.upper,
			      result);
		proven += report.lower == report.upper;
	}
	ck_assert_int_ge(proven, suite_times(3));
}
END_TEST

/* Sending two, returning one. */
#define TWO_FOR_ONE "...............OOX...X.X."

START_TEST(two_for_one)
{
	const struct game *g = rules_at(_i, 5);
	enum move_check expected = strcmp(g->rules, "standard") == 0 ||
						   strcmp(g->rules, "tromp-taylor") == 0
					   ? MOVE_REPEATS
					   : MOVE_OK;
	record_restart(&record, g);
	set_position(TWO_FOR_ONE, "X");
	ck_assert_int_eq(record_play_text(&record, BLACK, "a1"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&record, WHITE, "c1"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&record, BLACK, "b1"), expected);
	if (expected == MOVE_REPEATS)
		return;
	/* A pass brings back the position with Black to move: only moves may not. */
	ck_assert_int_eq(record_play_text(&record, WHITE, "pass"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&record, BLACK, "a1"),
			 strcmp(g->rules, "simple") == 0 ? MOVE_OK : MOVE_REPEATS);
}
END_TEST

/* A side may capture several of its own stones where the rules say so, but not one. */
START_TEST(suicide)
{
	const struct game *g = rules_at(_i, 3);
	bool allowed = strcmp(g->rules, "tromp-taylor") == 0 ||
		       strcmp(g->rules, "new-zealand") == 0;
	record_restart(&record, g);
	set_position("X.OOOO...", "X");
	uint64_t key = repetition_forbids(g) ? g->repetition->key(g, &record.now, 1) : 0;
	ck_assert_int_eq(record_play_text(&record, BLACK, "b3"), allowed ? MOVE_OK : MOVE_ILLEGAL);
	ck_assert_int_eq(g->at(g, &record.now, 0, 0), allowed ? '.' : 'X');
	if (allowed) {
		ck_assert_uint_eq(g->repetition->key(g, &record.now, MOVE_NONE), key);
		ck_assert(g->valid(g, &record.now));
	}
	set_position(".OOOO....", "X");
	ck_assert_int_eq(record_play_text(&record, BLACK, "a3"), MOVE_ILLEGAL);
}
END_TEST

/* A game that goes on after its third repetition is not drawn, in records and by play. */
START_TEST(goes_on_after_a_draw)
{
	static const char *const cycle[] = { "a1", "c1", "b1", "pass" };
	const struct game *g = rules_at(2, 5);
	record_restart(&record, g);
	set_position(TWO_FOR_ONE, "X");
	for (int i = 0; i < 9; i++) {
		ck_assert(!record.now.over);
		ck_assert_int_eq(record_play_text(&record, i & 1, cycle[i % 4]), MOVE_OK);
	}
	/* A1 for the third time: the first position was without a pass before it. */
	ck_assert(record.now.over);
	ck_assert_int_eq(record.now.score, 0);
	ck_assert_int_eq(record_play_text(&record, WHITE, "a1"), MOVE_ILLEGAL);
	ck_assert(record.now.over);
	ck_assert_int_eq(record_play_text(&record, WHITE, "e5"), MOVE_OK);
	ck_assert(!record.now.over);
	ck_assert_int_eq(record.count, 10);
	record_shorten(&record, 10);
	ck_assert(!record.now.over);
	ck_assert(record_undo(&record));
	ck_assert(record.now.over);
}
END_TEST

static void create(void)
{
	fixture_create("dfpn");
}

int main(void)
{
	Suite *suite = suite_create("go_rules");
	TCase *cases = tcase_create("go_rules");
	tcase_add_checked_fixture(cases, create, fixture_destroy);
	tcase_set_timeout(cases, 300);
	tcase_add_loop_test(cases, random_games, 0, RULES);
	tcase_add_loop_test(cases, two_for_one, 0, RULES);
	tcase_add_loop_test(cases, suicide, 0, RULES);
	tcase_add_test(cases, goes_on_after_a_draw);
	suite_add_tcase(suite, cases);
	cases = tcase_create("proofs");
	tcase_add_checked_fixture(cases, create, fixture_destroy);
	tcase_set_timeout(cases, 300);
	tcase_add_loop_test(cases, proofs, 0, 3 * RULES);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
