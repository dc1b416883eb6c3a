/* SPDX-License-Identifier: MIT */
#include "protocol/lessons/puzzle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/threats.h"
#include "engine/search/algorithms.h"

#define CHOICES_MIN   3      /* fewer legal moves make no puzzle */
#define MATE_WORK     400000 /* positions for the number of moves */
#define HARD_MAX      2      /* positions in a row that are not proven end the search of a record */
#define SEARCHED_MAX  24     /* positions of a record that are searched */
#define PLAYOUTS      40     /* of each move of the games */
#define RANDOM_MIN    2      /* random moves at the start of a game */
#define RANDOM_CHOICE 7
#define LENGTH_MAX    400 /* moves of a game */

void puzzle_task(const struct puzzle *p, char text[PUZZLE_TASK_MAX])
{
	int n = snprintf(text, PUZZLE_TASK_MAX, "%s to play and %s",
			 game_side(p->game, p->state.side), p->is_win ? "win" : "draw");
	if (p->moves)
		snprintf(text + n, (size_t)(PUZZLE_TASK_MAX - n), " in %d", p->moves);
}

/* A search for a proven result among some moves of a position (count 0: all). nodes 0: no limit. */
static bool puzzle_prove(struct engine *e, const struct record *r, int64_t nodes,
			 const struct move *only, int count, struct report *out,
			 char why[REASON_MAX])
{
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = nodes ? (uint64_t)nodes : WORK_NO_LIMIT,
				 .prover = algorithm_prover(r->game),
				 .only = count ? only : NULL,
				 .only_count = count };
	return engine_search(e, r, &limits, out, why);
}

/* Writes moves that keep the result, as far as they are proven, behind the first one. */
static bool puzzle_extend_line(struct puzzle *p, struct engine *e, const struct record *record,
			       int64_t nodes, struct report *report, char why[REASON_MAX])
{
	struct record r;
	bool done = true;
	record_init(&r, record->game);
	record_copy(&r, record);
	record_play(&r, p->line[0]);
	while (done && !r.now.over && p->line_count < PUZZLE_LINE_MAX) {
		done = puzzle_prove(e, &r, nodes, NULL, 0, report, why);
		if (!done || report->lower != report->upper)
			break;
		p->line[p->line_count++] = report->line[0];
		record_play(&r, report->line[0]);
	}
	record_free(&r);
	return done;
}

/* Completes a puzzle whose solution is a move. Returns false if a search failed. */
static bool puzzle_complete(struct puzzle *p, struct engine *e, const struct record *record,
			    int64_t nodes, struct move only, struct report *report,
			    char why[REASON_MAX])
{
	if (p->is_win)
		p->moves = mate_find(p->game, &p->state, only, MATE_WORK, p->line, &p->line_count);
	if (p->moves)
		return true;
	p->line[0] = only;
	p->line_count = 1;
	/* The solver sees farther. It solves what a search could prove. */
	if (p->is_win && p->game->score.speed && engine_options(e)->exact) {
		nodes = 0;
		if (!puzzle_prove(e, record, nodes, NULL, 0, report, why))
			return false;
		if (report->exact)
			p->moves = game_moves_to_win(p->game, &p->state, report->score);
	}
	return puzzle_extend_line(p, e, record, nodes, report, why);
}

/* Removes a move from a list. Returns the new number of moves. */
static int remove_move(struct move *moves, int count, struct move m)
{
	int kept = 0;
	for (int i = 0; i < count; i++)
		if (!move_equal(moves[i], m))
			moves[kept++] = moves[i];
	return kept;
}

/* Returns true if a position has too few moves, or its result is plain: a win at once, or a threat to stop. */
static bool is_easy(const struct game *g, const struct state *s, int count)
{
	struct state other = *s;
	if (count < CHOICES_MIN)
		return true;
	if (!g->threats)
		return false;
	other.side ^= 1;
	return g->threats->wins(g, s) || g->threats->wins(g, &other);
}

/* The answer for a position with `count` legal moves. */
static enum puzzle_answer puzzle_find_own(struct puzzle *p, struct engine *e,
					  const struct record *record, int64_t nodes,
					  struct move *moves, int count, struct report *r,
					  char why[REASON_MAX])
{
	int side = record->now.side;
	struct state after = record->now;
	if (!puzzle_prove(e, record, nodes, NULL, 0, r, why))
		return PUZZLE_FAILED;
	int value = result_least(side, r->lower, r->upper);
	struct move best = r->line[0];
	if (r->lower != r->upper)
		return PUZZLE_UNKNOWN;
	if (value < 0)
		return PUZZLE_NONE;
	game_play(record->game, &after, best);
	if (after.over)
		return PUZZLE_NONE;
	count = remove_move(moves, count, best);
	if (!puzzle_prove(e, record, nodes, moves, count, r, why))
		return PUZZLE_FAILED;
	if (result_least(side, r->lower, r->upper) >= value)
		return PUZZLE_NONE;
	if (result_most(side, r->lower, r->upper) >= value)
		return PUZZLE_UNKNOWN;
	*p = (struct puzzle) { .game = record->game, .state = record->now, .is_win = value > 0 };
	facts_of_move(&p->facts, p->game, &p->state, best);
	if (facts_have(&p->facts, FACT_STOPS))
		return PUZZLE_NONE;
	return puzzle_complete(p, e, record, nodes, best, r, why) ? PUZZLE_FOUND : PUZZLE_FAILED;
}

/* Starts a record at a position as a puzzle gives it: the squares and the side to move, with no moves before them. */
static bool puzzle_begin(struct record *r, const struct state *s)
{
	char text[POSITION_TEXT_MAX];
	struct state start;
	game_position(r->game, s, text);
	char *side = strchr(text, ' ');
	*side++ = '\0';
	if (game_setup(r->game, &start, text, side))
		return false;
	record_setup(r, &start);
	return true;
}

enum puzzle_answer puzzle_find(struct puzzle *p, struct engine *e, const struct game *g,
			       const struct state *s, int64_t nodes, char why[REASON_MAX])
{
	struct move moves[GAME_MOVES_MAX];
	struct record r;
	enum puzzle_answer answer = PUZZLE_NONE;
	record_init(&r, g);
	if (puzzle_begin(&r, s) && !r.now.over) {
		int count = record_moves(&r, moves);
		if (!is_easy(g, &r.now, count)) {
			struct report report = { 0 };
			answer = puzzle_find_own(p, e, &r, nodes, moves, count, &report, why);
			report_free(&report);
		}
	}
	record_free(&r);
	return answer;
}

bool puzzle_search(struct engine *e, const struct record *record, int64_t nodes,
		   bool (*take)(void *arg, const struct puzzle *, int index), void *arg,
		   char why[REASON_MAX])
{
	struct record r;
	enum puzzle_answer answer = PUZZLE_NONE;
	bool goes_on = true;
	int hard = 0;
	struct puzzle *p = xmalloc(sizeof *p);
	record_init(&r, record->game);
	record_copy(&r, record);
	for (int n = 0; goes_on && r.count && n < SEARCHED_MAX; n++) {
		record_shorten(&r, r.count - 1);
		if (r.now.over)
			continue;
		answer = puzzle_find(p, e, r.game, &r.now, nodes, why);
		hard = answer == PUZZLE_UNKNOWN ? hard + 1 : 0;
		goes_on = answer != PUZZLE_FAILED && hard < HARD_MAX &&
			  (answer != PUZZLE_FOUND || take(arg, p, r.count));
	}
	record_free(&r);
	free(p);
	return answer != PUZZLE_FAILED;
}

bool puzzle_play(struct engine *e, struct record *r, struct rng *rng, char why[REASON_MAX])
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = PLAYOUTS };
	struct report report = { 0 };
	int random = RANDOM_MIN + (int)rng_below(rng, RANDOM_CHOICE);
	bool done = true;
	record_restart(r, r->game);
	record_set_swap(r, false);
	while (done && !r->now.over && r->count < LENGTH_MAX) {
		if (r->count < random) {
			record_play(r, record_draw(r, rng));
			continue;
		}
		done = engine_search(e, r, &limits, &report, why);
		if (done)
			record_play(r, report.line[0]);
	}
	report_free(&report);
	return done;
}
