/* SPDX-License-Identifier: MIT
 *
 * Games in which a repeated position is a draw: the rules of a record, and searches that must not take a draw by
 * repetition on one path for the value of a position. The games are random graphs: a position is a node and a side, a
 * step is an edge. All that a search claims to be proven is compared with a reference that computes all values backwards
 * from the ends.
 */
#include "engine/rules/eval.h"
#include "engine/rules/perft.h"
#include "engine/rules/repetition.h"
#include "engine/rules/threats.h"
#include "engine/rules/words.h"
#include "engine/search/algorithms.h"
#include "engine/search/game_check.h"
#include "tests/engine/fixture.h"

static struct report report;

/* --- the game --- */

#define NODES_MAX 40
#define EDGES     3
#define CONFIRMS  2 /* second steps of a move, which lead to equal positions */
#define OPEN      2 /* the score of a node that does not end the game */

static struct {
	int nodes;
	int8_t score[NODES_MAX];
	uint8_t next[NODES_MAX][2][EDGES]; /* by side to move; different nodes */
} graph;

/* board[0] is the node. In the game of two steps board[1] has the chosen edge + 1, and above it a counter of moves that no
 * rule reads. */
#define COUNTER_ONE 16

static void set_node(struct state *s, int node)
{
	s->board[0] = (uint64_t)node;
	s->over = graph.score[node] != OPEN;
	s->score = s->over ? graph.score[node] : 0;
	s->hash = state_hash(s);
}

static void graph_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	set_node(s, 0);
}

static const char *graph_setup(const struct game *g, struct state *s, const char *squares, int side)
{
	(void)squares;
	graph_start(g, s);
	s->side = (uint8_t)side;
	s->hash = state_hash(s);
	return NULL;
}

static int graph_moves(const struct game *g, const struct state *s, move_t *out)
{
	int first = s->pending ? EDGES : 0, n = s->pending ? CONFIRMS : EDGES;
	for (int i = 0; i < n; i++)
		out[i] = (move_t)(first + i);
	return n;
}

static void graph_play(const struct game *g, struct state *s, move_t step)
{
	if (g->steps.per_move > 1 && !s->pending) {
		s->pending = 1;
		s->board[1] += step + 1u;
		s->hash = state_hash(s);
		return;
	}
	if (s->pending) {
		step = (move_t)(s->board[1] % COUNTER_ONE - 1);
		s->board[1] += COUNTER_ONE - (step + 1u);
	}
	s->pending = 0;
	int node = graph.next[s->board[0]][s->side][step];
	s->side ^= 1;
	set_node(s, node);
}

/* Without the counter. */
static uint64_t graph_key(const struct game *g, const struct state *s, move_t step)
{
	uint64_t position = 2 * s->board[0] + s->side;
	return rng_split(&position) | 1;
}

static bool graph_wins(const struct game *g, const struct state *s)
{
	for (int i = 0; i < EDGES; i++)
		if (graph.score[graph.next[s->board[0]][s->side][i]] == side_sign(s->side))
			return true;
	return false;
}

static int graph_safe(const struct game *g, const struct state *s, move_t *out)
{
	int count = 0;
	for (move_t i = 0; i < EDGES; i++) {
		struct state next = *s;
		graph_play(g, &next, i);
		bool loses = next.over ? next.score * side_sign(s->side) < 0 : graph_wins(g, &next);
		if (!loses)
			out[count++] = i;
	}
	return count;
}

static struct move graph_move(const struct game *g, int edge)
{
	return move_pair((move_t)edge, g->steps.per_move > 1 ? EDGES : MOVE_NONE);
}

static enum move_check graph_parse(const struct game *g, const struct state *s, const char *text,
				   struct move *m)
{
	if (text[0] < 'A' || text[0] >= 'A' + EDGES || strcmp(text + 1, "1") != 0)
		return MOVE_MALFORMED;
	*m = graph_move(g, text[0] - 'A');
	return MOVE_OK;
}

static void graph_format(const struct game *g, const struct state *s, struct move m,
			 char text[MOVE_TEXT_MAX])
{
	snprintf(text, MOVE_TEXT_MAX, "%c1", 'A' + m.step[0] % EDGES);
}

static char graph_at(const struct game *g, const struct state *s, int row, int col)
{
	(void)s, (void)row, (void)col;
	return '.';
}

static bool graph_valid(const struct game *g, const struct state *s)
{
	return s->board[0] < (uint64_t)graph.nodes && s->hash == state_hash(s);
}

#define GRAPH                                                                                      \
	.name = "graph", .title = "Graph", .rules = "standard",                                    \
	.board = { .rows = 1, .cols = EDGES }, .score = { .most = 1 }, .start = graph_start,       \
	.setup = graph_setup, .moves = graph_moves, .play = graph_play, .parse = graph_parse,      \
	.format = graph_format, .at = graph_at, .valid = graph_valid,                              \
	.words = &(const struct words)                                                             \
	{                                                                                          \
		.guide = "A graph.\n"                                                              \
	}
#define ONE_STEP .steps = { .codes = EDGES, .choices = EDGES, .per_move = 1, .pass = MOVE_NONE }

/* Without and with knowledge of wins at once; with moves of two steps and a counter in the state. */
static const struct game graphs[] = {
	{ GRAPH, ONE_STEP, .repetition = &(const struct repetition) { .limit = 3 } },
	{ GRAPH, ONE_STEP, .repetition = &(const struct repetition) { .limit = 3 },
	  .threats = &(const struct threats) { .wins = graph_wins, .safe = graph_safe } },
	{ GRAPH,
	  .steps = { .codes = EDGES + CONFIRMS,
		     .choices = EDGES,
		     .moves = EDGES * CONFIRMS,
		     .per_move = 2,
		     .pass = MOVE_NONE },
	  .repetition = &(const struct repetition) { .key = graph_key, .limit = 3 } },
};
#define GRAPHS ((int)(sizeof graphs / sizeof *graphs))

/* Every third node or so ends the game. Node 0 does not. */
static void make_graph(struct rng *rng, int nodes)
{
	graph.nodes = nodes;
	for (int i = 0; i < nodes; i++) {
		int end = (int)rng_below(rng, 12);
		graph.score[i] = (int8_t)(i && end < 3 ? end - 1 : OPEN);
		for (int side = 0; side < 2; side++) {
			uint8_t *next = graph.next[i][side];
			next[0] = (uint8_t)rng_below(rng, (uint32_t)nodes);
			do
				next[1] = (uint8_t)rng_below(rng, (uint32_t)nodes);
			while (next[1] == next[0]);
			do
				next[2] = (uint8_t)rng_below(rng, (uint32_t)nodes);
			while (next[2] == next[0] || next[2] == next[1]);
		}
	}
}

/* --- the reference --- */

/* How often each position has occurred. */
static int occurred[NODES_MAX][2];

static void count_record(void)
{
	memset(occurred, 0, sizeof occurred);
	for (int i = 0; i <= record.count; i++) {
		struct state s;
		record_state(&record, i, &s);
		occurred[s.board[0]][s.side]++;
	}
}

/* The known result for Black after a step to a node where `side` is to move: an end, or a repetition. OPEN: none. */
static int end_of(int node, int side)
{
	if (graph.score[node] != OPEN)
		return graph.score[node];
	return occurred[node][side] >= 2 ? 0 : OPEN;
}

static int8_t values[NODES_MAX]
		    [2]; /* of positions by perfect play, for Black; OPEN: not known to be won */

/* The value after a step. */
static int value_after(int node, int side, int edge)
{
	int to = graph.next[node][side][edge], end = end_of(to, side ^ 1);
	return end == OPEN ? values[to][side ^ 1] : end;
}

/* Computes `values`, backwards from the wins: a position is won by whoever can go to a won one, or whose enemy can go
 * nowhere else. What is never won is a draw. */
static void find_values(void)
{
	memset(values, OPEN, sizeof values);
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < 2 * graph.nodes; i++) {
			int node = i / 2, side = i % 2, best = -1;
			if (values[node][side] != OPEN)
				continue;
			for (int edge = 0; edge < EDGES; edge++) {
				int value = value_after(node, side, edge);
				value = value == OPEN ? 0 : value * side_sign(side);
				best = value > best ? value : best;
			}
			if (best == 0)
				continue;
			values[node][side] = (int8_t)(best * side_sign(side));
			changed = true;
		}
	}
}

static int value_of_step(int edge)
{
	int value = value_after((int)record.now.board[0], record.now.side, edge);
	return value == OPEN ? 0 : value;
}

static int truth(void)
{
	int best = -1;
	for (int edge = 0; edge < EDGES; edge++) {
		int value = value_of_step(edge) * side_sign(record.now.side);
		best = value > best ? value : best;
	}
	return best * side_sign(record.now.side);
}

/* The value by the rules alone: all sequences of moves, with `occurred` counted on the way. */
static int play_all(int node, int side)
{
	int best = -1;
	for (int edge = 0; edge < EDGES && best < 1; edge++) {
		int to = graph.next[node][side][edge], value = end_of(to, side ^ 1);
		if (value == OPEN) {
			occurred[to][side ^ 1]++;
			value = play_all(to, side ^ 1);
			occurred[to][side ^ 1]--;
		}
		value *= side_sign(side);
		best = value > best ? value : best;
	}
	return best * side_sign(side);
}

/* --- the rules --- */

static void setup(void)
{
	fixture_create("mcts");
	graph.nodes = 1;
}

/* Plays a random game of at most so many moves. Returns false if it is over. */
static bool play_randomly(struct rng *rng, int count)
{
	for (int i = 0; i < count && !record.now.over; i++)
		record_play(&record, graph_move(record.game, (int)rng_below(rng, EDGES)));
	return !record.now.over;
}

/* The record ends at the third occurrence, and copies, undo and replays agree. */
START_TEST(records)
{
	struct rng rng;
	struct record copy;
	int drawn = 0;
	rng_seed(&rng, 1);
	record_init(&copy, &graphs[_i]);
	for (int i = 0; i < 500; i++) {
		make_graph(&rng, 4 + i % 9);
		record_restart(&record, &graphs[_i]);
		play_randomly(&rng, 1000);
		count_record();
		const struct state *end = &record.now;
		bool repeats = occurred[end->board[0]][end->side] == 3;
		ck_assert(end->over);
		ck_assert(repeats ? end->score == 0 && record.drawn_after == record.count
				  : graph.score[end->board[0]] == end->score &&
					    !record.drawn_after);
		for (int node = 0; node < graph.nodes; node++)
			for (int side = 0; side < 2; side++)
				ck_assert_int_lt(occurred[node][side],
						 3 + (repeats && node == (int)end->board[0]));
		drawn += repeats;
		/* Passes behind the end change nothing. */
		int count = record.count;
		record_play_end_pass(&record, record.now.side);
		for (int k = 0; k <= record.count; k++) {
			struct state s;
			record_state(&record, k, &s);
			ck_assert_int_eq(s.over, k >= count);
		}
		record_copy(&copy, &record);
		ck_assert(copy.now.over);
		while (copy.count)
			ck_assert(record_undo(&copy) && copy.now.over == (copy.count >= count));
		for (int k = 0; k < count; k++) {
			ck_assert(!copy.now.over && record_is_legal(&copy, record.moves[k].move));
			record_play(&copy, record.moves[k].move);
		}
		ck_assert(copy.now.over && copy.now.score == record.now.score);
		ck_assert_uint_eq(record_past(&copy, count), record_past(&record, count));
	}
	ck_assert_int_gt(drawn, 100);
	record_free(&copy);
}
END_TEST

/* The reference is right: it agrees with a search of all games. */
START_TEST(reference)
{
	int seen[3] = { 0 };
	struct rng rng;
	rng_seed(&rng, 2);
	for (int i = 0; i < 4000; i++) {
		int left = 0;
		make_graph(&rng, 3 + i % 2);
		record_restart(&record, &graphs[0]);
		if (!play_randomly(&rng, 3 + (int)rng_below(&rng, 9)))
			continue;
		count_record();
		for (int k = 0; k < 2 * graph.nodes; k++)
			left += graph.score[k / 2] == OPEN ? 2 - occurred[k / 2][k % 2] : 0;
		if (left > 9)
			continue; /* a game may last for more moves than can be searched */
		int value = play_all((int)record.now.board[0], record.now.side);
		find_values();
		ck_assert_int_eq(truth(), value);
		seen[value + 1]++;
	}
	for (int i = 0; i < 3; i++)
		ck_assert_int_gt(seen[i], 20);
}
END_TEST

/* --- searches --- */

static void check_claims(void)
{
	count_record();
	find_values();
	int value = truth();
	ck_assert_int_le(report.lower, value);
	ck_assert_int_ge(report.upper, value);
	for (int i = 0; i < report.move_count; i++) {
		const struct report_move *m = &report.moves[i];
		value = value_of_step(m->move.step[0]);
		ck_assert_int_le(m->lower, value);
		ck_assert_int_ge(m->upper, value);
	}
}

/* The searches that prove results, and the share of positions in hundredths that they must prove. */
static const struct {
	const char *name;
	int proves;
} searches[] = { { "dfpn", 95 },     { "mcts", 35 },   { "dfpn+mcts", 80 }, { "union", 35 },
		 { "alphabeta", 0 }, { "negamax", 0 }, { "pns", 60 } };

/* Searches go on from game to game of a graph, with moves, undo and other pasts: what they keep must stay true. */
START_TEST(claims)
{
	int search = _i / 2 / GRAPHS, proven = 0, searched = 0, times = suite_times(100);
	struct rng rng;
	rng_seed(&rng, (uint64_t)_i);
	set("search", searches[search].name);
	set("threads", _i / GRAPHS % 2 ? "2" : "1");
	set("depth", "6");
	for (int i = 0; i < times; i++) {
		make_graph(&rng, 6 + (int)rng_below(&rng, NODES_MAX - 6));
		engine_reseed(engine);
		record_restart(&record, &graphs[_i % GRAPHS]);
		for (int k = 0; k < 12; k++) {
			if (!play_randomly(&rng, 1 + (int)rng_below(&rng, 6))) {
				for (int undo = 1 + (int)rng_below(&rng, 5); undo; undo--)
					record_undo(&record);
				if (record.now.over)
					continue;
			}
			struct limits limits = { .deadline = TIME_NEVER, .work_max = 3000 };
			if (k % 3 == 0 && searches[search].proves)
				limits.prover = algorithm_find(searches[search].name);
			limits.values = limits.prover && k % 2;
			char why[REASON_MAX];
			ck_assert(engine_search(engine, &record, &limits, &report, why));
			check_claims();
			proven += report.lower == report.upper;
			searched++;
		}
	}
	ck_assert_int_gt(searched, times * 6);
	ck_assert_int_ge(100 * proven, searches[search].proves * searched);
}
END_TEST

/* A move to a position that has occurred twice ends the game with a draw. All games of `montecarlo` with this move are that
 * draw. */
START_TEST(third_time_is_a_draw)
{
	int seen = 0, others = 0;
	struct rng rng;
	rng_seed(&rng, 5);
	set("search", "montecarlo");
	for (int i = 0; i < 300; i++) {
		make_graph(&rng, 4 + i % 5);
		record_restart(&record, &graphs[i % GRAPHS]);
		if (!play_randomly(&rng, 4 + (int)rng_below(&rng, 6)))
			continue;
		search_within((struct limits) { .deadline = TIME_NEVER, .work_max = 300 }, &report);
		count_record();
		for (int k = 0; k < report.move_count; k++) {
			const struct report_move *m = &report.moves[k];
			int side = record.now.side, node = (int)record.now.board[0];
			int to = graph.next[node][side][m->move.step[0]];
			bool is_third = graph.score[to] == OPEN && occurred[to][side ^ 1] == 2;
			ck_assert(!is_third || m->value == 0);
			seen += is_third;
			others += graph.score[to] == OPEN && m->value != 0;
		}
	}
	ck_assert_int_gt(seen, 20);
	ck_assert_int_gt(others, 20);
}
END_TEST

static int half_a_win(const struct game *g, const struct state *s)
{
	return 50;
}

/* A search of one move does not evaluate the position after such a move: it is a draw. */
START_TEST(third_time_is_not_evaluated)
{
	int seen = 0, others = 0;
	struct game game = graphs[_i];
	struct rng rng;
	game.eval = &(const struct eval) { .value = half_a_win };
	rng_seed(&rng, 6);
	set("search", "alphabeta");
	set("depth", "1");
	for (int i = 0; i < 300; i++) {
		make_graph(&rng, 4 + i % 5);
		record_restart(&record, &game);
		if (!play_randomly(&rng, 4 + (int)rng_below(&rng, 6)))
			continue;
		search_within((struct limits) { .deadline = TIME_NEVER,
						.work_max = 1000,
						.values = true },
			      &report);
		count_record();
		for (int k = 0; k < report.move_count; k++) {
			const struct report_move *m = &report.moves[k];
			int side = record.now.side, node = (int)record.now.board[0];
			int to = graph.next[node][side][m->move.step[0]];
			bool is_third = occurred[to][side ^ 1] == 2;
			if (graph.score[to] != OPEN)
				continue;
			ck_assert_double_eq(m->score, is_third ? 0 : 0.5);
			seen += is_third;
			others += !is_third;
		}
	}
	ck_assert_int_gt(seen, 5);
	ck_assert_int_gt(others, 20);
	record_restart(&record, &game_tictactoe);
}
END_TEST

/* The graphs keep the contract of a game. */
START_TEST(contract)
{
	for (int i = 0; i < GRAPHS; i++)
		ck_assert_ptr_null(game_check(&graphs[i]));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("repetition");
	TCase *cases = tcase_create("repetition");
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_loop_test(cases, records, 0, GRAPHS);
	tcase_add_test(cases, reference);
	tcase_add_test(cases, contract);
	tcase_add_test(cases, third_time_is_a_draw);
	tcase_add_loop_test(cases, third_time_is_not_evaluated, 0, GRAPHS);
	tcase_add_loop_test(cases, claims, 0,
			    2 * GRAPHS * (int)(sizeof searches / sizeof *searches));
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
