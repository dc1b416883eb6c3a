/* SPDX-License-Identifier: MIT
 *
 * Every search plays whole games with copies of the games. The functions of a copy assert the contract of
 * engine/rules/game.h: what callers must pass, and what a game must return.
 */
#include <assert.h>

#include "tests/engine/fixture.h"
#include "tests/tested.h"

#ifdef NDEBUG
#error "the tests need assertions"
#endif

static bool is_listed(const struct game *g, const struct state *s, move_t step)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(s, steps);
	while (n > 0 && steps[n - 1] != step)
		n--;
	return n > 0;
}

static void check_state(const struct game *g, const struct state *s)
{
	assert(g->valid(s));
	assert(s->hash == state_hash(s));
	assert(s->over ? !s->pending && abs(s->score) <= g->score_max : s->score == 0);
}

/* Checks a state in which the side to move chooses a whole move. */
static void check_choice(const struct game *g, const struct state *s)
{
	check_state(g, s);
	assert(!s->over && !s->pending);
}

static void checked_play(const struct game *g, struct state *s, move_t step)
{
	int side = s->side;
	check_state(g, s);
	assert(!s->over && is_listed(g, s, step));
	g->play(s, step);
	check_state(g, s);
	assert(!s->pending || s->side == side);
}

static int checked_moves(const struct game *g, const struct state *s, move_t *steps)
{
	check_state(g, s);
	assert(!s->over);
	int n = g->moves(s, steps);
	assert(n >= 1 && n <= g->choices_max);
	return n;
}

static int checked_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	check_state(g, s);
	int score = g->playout(s, rng);
	assert(abs(score) <= g->score_max && (!s->over || score == s->score));
	return score;
}

static void checked_playouts(const struct game *g, const struct state *s, struct rng *rng,
			     int8_t scores[GAME_PLAYOUTS])
{
	check_state(g, s);
	g->playouts(s, rng, scores);
	for (int i = 0; i < GAME_PLAYOUTS; i++)
		assert(abs(scores[i]) <= g->score_max);
}

static int checked_eval(const struct game *g, const struct state *s)
{
	check_choice(g, s);
	return g->eval(s);
}

static int checked_best(const struct game *g, const struct state *s, int beta, int most, int room,
			struct best *best)
{
	check_choice(g, s);
	int n = g->best(s, beta, most, room, best);
	assert(n <= room && (n == 0 || is_listed(g, s, best->step)));
	return n;
}

/* Searches also ask this for the other side, so the state need not occur in a game. */
static bool checked_wins(const struct game *g, const struct state *s)
{
	assert(!s->over);
	return g->wins(s);
}

static int checked_safe(const struct game *g, const struct state *s, move_t *steps)
{
	check_state(g, s);
	assert(!s->over && !g->wins(s));
	int n = g->safe(s, steps);
	for (int i = 0; i < n; i++)
		assert(is_listed(g, s, steps[i]));
	return n;
}

static int checked_forced(const struct game *g, const struct state *s, int work, move_t *steps,
			  bool *won)
{
	check_choice(g, s);
	int n = g->forced(s, work, steps, won);
	for (int i = 0; i < n; i++)
		assert(is_listed(g, s, steps[i]) && (i == 0 || steps[i] > steps[i - 1]));
	assert(n >= 0 && (!*won || n == 1));
	return n;
}

/* --- the copies; each needs its own functions, because a function is not told its game --- */

#define FUNCTIONS(NAME)                                                                            \
	static void play_##NAME(struct state *s, move_t step)                                      \
	{                                                                                          \
		checked_play(tested_size(&game_##NAME), s, step);                                  \
	}                                                                                          \
	static int moves_##NAME(const struct state *s, move_t *steps)                              \
	{                                                                                          \
		return checked_moves(tested_size(&game_##NAME), s, steps);                         \
	}                                                                                          \
	static int playout_##NAME(const struct state *s, struct rng *rng)                          \
	{                                                                                          \
		return checked_playout(tested_size(&game_##NAME), s, rng);                         \
	}                                                                                          \
	static void playouts_##NAME(const struct state *s, struct rng *rng,                        \
				    int8_t scores[GAME_PLAYOUTS])                                  \
	{                                                                                          \
		checked_playouts(tested_size(&game_##NAME), s, rng, scores);                       \
	}                                                                                          \
	static int eval_##NAME(const struct state *s)                                              \
	{                                                                                          \
		return checked_eval(tested_size(&game_##NAME), s);                                 \
	}                                                                                          \
	static int best_##NAME(const struct state *s, int beta, int most, int room,                \
			       struct best *best)                                                  \
	{                                                                                          \
		return checked_best(tested_size(&game_##NAME), s, beta, most, room, best);         \
	}                                                                                          \
	static bool wins_##NAME(const struct state *s)                                             \
	{                                                                                          \
		return checked_wins(tested_size(&game_##NAME), s);                                 \
	}                                                                                          \
	static int safe_##NAME(const struct state *s, move_t *steps)                               \
	{                                                                                          \
		return checked_safe(tested_size(&game_##NAME), s, steps);                          \
	}                                                                                          \
	static int forced_##NAME(const struct state *s, int work, move_t *steps, bool *won)        \
	{                                                                                          \
		return checked_forced(tested_size(&game_##NAME), s, work, steps, won);             \
	}

GAME_LIST(FUNCTIONS)

#define TABLE(NAME)                                                                                \
	{ .moves = moves_##NAME,                                                                   \
	  .play = play_##NAME,                                                                     \
	  .playout = playout_##NAME,                                                               \
	  .playouts = playouts_##NAME,                                                             \
	  .eval = eval_##NAME,                                                                     \
	  .best = best_##NAME,                                                                     \
	  .wins = wins_##NAME,                                                                     \
	  .safe = safe_##NAME,                                                                     \
	  .forced = forced_##NAME },

static const struct game checked[] = { GAME_LIST(TABLE) };

static struct game copies[sizeof checked / sizeof checked[0]];

/* A copy has the same optional functions as its game. */
static void copy(int row)
{
	struct game *g = &copies[row];
	int place = 0; /* in GAME_LIST, which also has the games that tested_game() leaves out */
	while (tested_size(games[place]) != tested_game(row))
		place++;
	const struct game *c = &checked[place];
	*g = *tested_game(row);
	g->moves = c->moves;
	g->play = c->play;
	g->playout = g->playout ? c->playout : NULL;
	g->playouts = g->playouts ? c->playouts : NULL;
	g->eval = g->eval ? c->eval : NULL;
	g->best = g->best ? c->best : NULL;
	g->wins = g->wins ? c->wins : NULL;
	g->safe = g->safe ? c->safe : NULL;
	g->forced = g->forced ? c->forced : NULL;
}

/* --- games --- */

static void setup(void)
{
	fixture_create("mcts");
	for (int row = 0; tested_game(row); row++)
		copy(row);
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
		const struct game *g = &copies[row];
		for (int round = 0; round < 2; round++) {
			set("threads", round ? "2" : "1");
			set_memory((size_t)(round ? 1 : 64) << 18);
			record_restart(&record, g);
			while (!record.now.over) {
				struct move moves[GAME_MOVES_MAX];
				search_within(engine_limits(engine, g, TIME_NEVER), &report);
				int n = game_moves(g, &record.now, moves);
				record_play(&record, record.count % 3 == 2
							     ? moves[rng_below(&rng, (uint32_t)n)]
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
