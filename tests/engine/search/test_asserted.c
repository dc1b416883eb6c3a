/* SPDX-License-Identifier: MIT
 *
 * Every search plays whole games with copies of the games. The functions of a copy assert the contract of
 * engine/rules/game.h: what callers must pass, and what a game must return.
 */
#include <assert.h>

#include "engine/rules/eval.h"
#include "engine/rules/playouts.h"
#include "engine/rules/threats.h"
#include "tests/engine/fixture.h"
#include "tests/tested.h"

#ifdef NDEBUG
#error "the tests need assertions"
#endif

/* A copy, and the game that its functions check. */
struct asserted {
	struct game copy; /* first, as functions get its address */
	const struct game *game;
	struct playouts playouts;
	struct threats threats;
	struct eval eval;
};

static const struct game *asserted_game(const struct game *copy)
{
	return ((const struct asserted *)copy)->game;
}

static bool is_listed(const struct game *g, const struct state *s, move_t step)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	while (n > 0 && steps[n - 1] != step)
		n--;
	return n > 0;
}

static void check_state(const struct game *g, const struct state *s)
{
	assert(g->valid(g, s));
	assert(s->hash == state_hash(s));
	assert(s->over ? !s->pending && abs(s->score) <= g->score.most : s->score == 0);
}

/* Checks a state in which the side to move chooses a whole move. */
static void check_choice(const struct game *g, const struct state *s)
{
	check_state(g, s);
	assert(!s->over && !s->pending);
}

static void asserted_play(const struct game *g, struct state *s, move_t step)
{
	g = asserted_game(g);
	int side = s->side;
	check_state(g, s);
	assert(!s->over && is_listed(g, s, step));
	g->play(g, s, step);
	check_state(g, s);
	assert(!s->pending || s->side == side);
}

static int asserted_moves(const struct game *g, const struct state *s, move_t *steps)
{
	g = asserted_game(g);
	check_state(g, s);
	assert(!s->over);
	int n = g->moves(g, s, steps);
	assert(n >= 1 && n <= g->steps.choices);
	return n;
}

static int asserted_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	g = asserted_game(g);
	check_state(g, s);
	int score = g->playouts->uniform(g, s, rng);
	assert(abs(score) <= g->score.most && (!s->over || score == s->score));
	return score;
}

static void asserted_playouts(const struct game *g, const struct state *s, struct rng *rng,
			      int8_t scores[PLAYOUTS_BATCH])
{
	g = asserted_game(g);
	check_state(g, s);
	g->playouts->batch(g, s, rng, scores);
	for (int i = 0; i < PLAYOUTS_BATCH; i++)
		assert(abs(scores[i]) <= g->score.most);
}

static int asserted_eval(const struct game *g, const struct state *s)
{
	g = asserted_game(g);
	check_state(g, s);
	assert(!s->over && (!s->pending || g->eval->pending));
	return g->eval->value(g, s);
}

static int asserted_best(const struct game *g, const struct state *s, int beta, int most, int room,
			 struct best *best)
{
	g = asserted_game(g);
	check_choice(g, s);
	int n = g->eval->best(g, s, beta, most, room, best);
	assert(n <= room && (n == 0 || is_listed(g, s, best->step)));
	return n;
}

/* Searches also ask this for the other side, so the state need not occur in a game. */
static bool asserted_wins(const struct game *g, const struct state *s)
{
	g = asserted_game(g);
	assert(!s->over);
	return g->threats->wins(g, s);
}

static int asserted_safe(const struct game *g, const struct state *s, move_t *steps)
{
	g = asserted_game(g);
	check_state(g, s);
	assert(!s->over && !g->threats->wins(g, s));
	int n = g->threats->safe(g, s, steps);
	for (int i = 0; i < n; i++)
		assert(is_listed(g, s, steps[i]));
	return n;
}

static int asserted_search(const struct game *g, const struct state *s, int work, move_t *steps,
			   bool *won)
{
	g = asserted_game(g);
	check_choice(g, s);
	int n = g->threats->search(g, s, work, steps, won);
	for (int i = 0; i < n; i++)
		assert(is_listed(g, s, steps[i]) && (i == 0 || steps[i] > steps[i - 1]));
	assert(n >= 0 && (!*won || n == 1));
	return n;
}

/* --- the copies --- */

#define ASSERTED_PLACE(NAME) ASSERTED_##NAME,

enum { GAME_LIST(ASSERTED_PLACE) ASSERTED_COUNT };

static struct asserted copies[ASSERTED_COUNT];

/* A copy has the same optional functions as its game. */
static void asserted_copy(int row)
{
	struct game *g = &copies[row].copy;
	*g = *(copies[row].game = tested_game(row));
	g->moves = asserted_moves;
	g->play = asserted_play;
	if (g->playouts) {
		copies[row].playouts = *g->playouts;
		g->playouts = &copies[row].playouts;
		copies[row].playouts.uniform = g->playouts->uniform ? asserted_playout : NULL;
		copies[row].playouts.batch = g->playouts->batch ? asserted_playouts : NULL;
	}
	if (g->threats) {
		copies[row].threats = *g->threats;
		g->threats = &copies[row].threats;
		copies[row].threats.wins = asserted_wins;
		copies[row].threats.safe = asserted_safe;
		copies[row].threats.search = g->threats->search ? asserted_search : NULL;
	}
	if (g->eval) {
		copies[row].eval = *g->eval;
		g->eval = &copies[row].eval;
		copies[row].eval.value = asserted_eval;
		copies[row].eval.best = g->eval->best ? asserted_best : NULL;
	}
}

/* --- games --- */

static void setup(void)
{
	fixture_create("mcts");
	for (int row = 0; tested_game(row); row++)
		asserted_copy(row);
}

/* One game of each game with enough memory, and one with two threads and so little memory that trees and
 * tables overflow. Every third move is random, so that games differ. */
START_TEST(plays_whole_games)
{
	static struct report report;
	struct rng rng;
	rng_seed(&rng, 19);
	set("search", algorithms[_i]->name);
	set_number("nodes", (size_t)suite_times(400));
	for (int row = 0; tested_game(row); row++) {
		const struct game *g = &copies[row].copy;
		for (int round = 0; round < 2; round++) {
			set("threads", round ? "2" : "1");
			set_memory((size_t)(round ? 1 : 64) << 18);
			record_restart(&record, g);
			while (!record.now.over) {
				search_within(engine_limits(engine, g, TIME_NEVER), &report);
				record_play(&record, record.count % 3 == 2
							     ? record_draw(&record, &rng)
							     : report.line[0]);
			}
			while (record_undo(&record))
				check_state(tested_game(row), &record.now);
		}
	}
}
END_TEST

int main(void)
{
	int count = 0;
	while (algorithms[count])
		count++;
	Suite *suite = suite_create("asserted");
	TCase *cases = suite_native_case(suite);
	tcase_set_timeout(cases, 300);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_loop_test(cases, plays_whole_games, 0, count);
	return suite_run(suite);
}
