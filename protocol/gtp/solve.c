/* SPDX-License-Identifier: MIT
 *
 * The commands that find exact values.
 */
#include <string.h>
#include <strings.h>

#include "engine/rules/goals.h"
#include "engine/search/algorithms.h"
#include "engine/search/engine.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/command.h"
#include "protocol/session/goal.h"
#include "protocol/session/notation.h"
#include "protocol/session/think.h"

/* In games with scores, solving all moves takes longer and must be requested. */
static bool wants_all(const struct session *s)
{
	return s->arg_count || !game_counts(s->record.game);
}

/* The limits of solving: those of a move, but not of depth and level. */
static struct limits solve_limits(struct session *s)
{
	s->side = s->record.now.side;
	struct limits limits = think_limits(s);
	/* Depth and level do not limit solving: without any other limit, use the option `time`. */
	if (limits.deadline == TIME_NEVER && limits.work_max == WORK_NO_LIMIT)
		limits.deadline = engine_limits(s->engine, s->record.game,
						(int64_t)(engine_options(s->engine)->time * 1e9))
					  .deadline;
	limits.level = 0;
	limits.prover = algorithm_prover(s->record.game);
	return limits;
}

/* Writes the result of the goal, its first move and the line. */
static enum outcome answer_goal(struct session *s, const struct report *r)
{
	const struct record *goal = &s->goal;
	struct state now = goal->now;
	char text[MOVE_TEXT_MAX];
	if (r->lower != r->upper)
		return refuse(s, "not solved in time");
	text_puts(s->reply, goal_result(s->side, r->lower, r->upper));
	for (int i = 0; i < r->line_count && !now.over; i++) {
		game_format(goal->game, &now, r->line[i], text);
		game_play(goal->game, &now, r->line[i]);
		text_printf(s->reply, " %s", text);
	}
	return DONE;
}

/* solve capture VERTEX [in VERTEX...] */
static enum outcome run_capture(struct session *s)
{
	int squares[GAME_SQUARES_MAX], count = 0;
	if (s->arg_count < 2 || s->arg_count == 3 ||
	    (s->arg_count > 3 && strcasecmp(s->args[2], "in") != 0) ||
	    s->arg_count > GAME_SQUARES_MAX)
		return syntax_error(
			s, "type solve capture VERTEX, or solve capture VERTEX in VERTEX...");
	for (int i = 1; i < s->arg_count; i++)
		if (i != 2 && !notation_of(s)->square(s, s->args[i], &squares[count++]))
			return syntax_error(s, "type a point of the board");
	const char *reason = goal_begin(&s->goal, &s->record, squares[0], squares + 1, count - 1);
	if (reason)
		return refuse(s, reason);
	struct limits limits = solve_limits(s);
	limits.interval = 0; /* reports are drawn on the board of the game */
	s->side = goal_defender(s->record.game, &s->record.now, squares[0]);
	s->has_goal = true;
	if (s->goal.now.over) {
		int result = score_sign(s->goal.now.score);
		return answer_goal(s, &(struct report) { .lower = result, .upper = result });
	}
	return think_goal(s, &limits);
}

/* Solves the position as if there was no swap: it asks who wins on the board. */
static enum outcome solve_without_swap(struct session *s, const struct limits *limits)
{
	record_copy(&s->goal, &s->record);
	record_set_swap(&s->goal, false);
	return think_goal(s, limits);
}

static void print_winner(struct session *s, int score)
{
	text_puts(s->reply, score ? color_name(score > 0 ? BLACK : WHITE) : "draw");
}

/* MoHex's command: who wins if a side moves next? */
static enum outcome run_solve_state(struct session *s)
{
	struct limits limits = solve_limits(s);
	int side = s->record.now.side;
	if (s->record.game->score.most > 1)
		return refuse(s, "the game has more results than two winners");
	if (s->arg_count && !line_color(s->args[0], &side))
		return syntax_error(s, "type black or white as the color");
	record_copy(&s->goal, &s->record);
	record_set_swap(&s->goal, false);
	if (!record_give_turn(&s->goal, side))
		return refuse(s, "it is the other side's turn");
	if (s->goal.now.over) {
		print_winner(s, s->goal.now.score);
		return DONE;
	}
	/* What is shown of a search is played from the record, where it may be the other side's turn. */
	if (side != s->record.now.side)
		limits.interval = 0;
	return think_goal(s, &limits);
}

static enum outcome finish_solve_state(struct session *s, const struct report *r)
{
	if (!r)
		return REFUSED;
	if (r->lower != r->upper)
		return refuse(s, "not solved in time");
	print_winner(s, r->lower);
	return DONE;
}

static enum outcome gtp_solve_run_solve(struct session *s)
{
	if (s->record.now.over)
		return refuse(s, "the game is over");
	if (s->arg_count && strcasecmp(s->args[0], "capture") == 0)
		return run_capture(s);
	if (s->arg_count > 1 || (s->arg_count && strcasecmp(s->args[0], "all") != 0))
		return syntax_error(s, "type solve, solve all, or solve capture VERTEX");
	struct limits limits = solve_limits(s);
	limits.values = wants_all(s);
	if (s->record.game->swap && s->settings.swap == SWAP_PLAY)
		return solve_without_swap(s, &limits);
	return think_begin(s, &limits, THINKING);
}

/* Returns true if a value is fully known: the result, and the score if the game has scores. */
static bool gtp_solve_is_known(const struct session *s, int lower, int upper, bool exact)
{
	return lower == upper && (exact || !s->record.game->score.unit);
}

/* Writes a value for the side to move: "win", "win by 4 discs", "loss in 7 moves", "draw or loss". */
static void gtp_solve_print_value(const struct session *s, int lower, int upper, double score,
				  bool exact)
{
	text_puts(s->reply, worth_value(s->side, lower, upper));
	char margin[AMOUNT_TEXT_MAX];
	if (exact && lower && game_counts(s->record.game)) {
		game_margin(s->record.game, &s->record.now, score, margin);
		text_printf(s->reply, " %s", margin);
	}
}

/* Writes the plays of all moves that keep the value. Several moves may begin with the same play. */
static void print_keeping(struct session *s, const struct report *r)
{
	char texts[GAME_MOVES_MAX][MOVE_TEXT_MAX];
	int count = 0;
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		int j = 0;
		if (m->lower != r->lower || m->upper != r->upper ||
		    (r->exact && game_counts(s->record.game) && m->score != r->score))
			continue;
		format_play(s, m->move, texts[count]);
		while (strcmp(texts[j], texts[count]) != 0)
			j++;
		if (j == count)
			text_printf(s->reply, " %s", texts[count++]);
	}
}

/* Writes a line for each move. */
static void print_each(struct session *s, const struct report *r)
{
	char text[MOVE_TEXT_MAX];
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		format_play(s, m->move, text);
		text_printf(s->reply, "\n%s ", text);
		gtp_solve_print_value(s, m->lower, m->upper, m->score, m->exact);
	}
}

/* Returns the number of moves that may or may not keep the value. For `solve all`: of moves without a known
 * value. */
static int count_open(const struct session *s, const struct report *r)
{
	int least = result_least(s->side, r->lower, r->upper), open = 0;
	for (int i = 0; i < r->move_count && wants_all(s); i++) {
		const struct report_move *m = &r->moves[i];
		int high = result_most(s->side, m->lower, m->upper);
		open += s->arg_count ? !gtp_solve_is_known(s, m->lower, m->upper, m->exact)
				     : m->lower < m->upper && high >= least;
	}
	return open;
}

static enum outcome finish_solve(struct session *s, const struct report *r)
{
	if (!r)
		return REFUSED;
	if (s->has_goal && goals_exist(s->record.game))
		return answer_goal(s, r);
	if (!s->has_goal)
		think_note(s, r);
	int open = count_open(s, r);
	bool known = gtp_solve_is_known(s, r->lower, r->upper, r->exact);
	text_puts(s->reply, known && !open ? "" : "not solved in time: ");
	gtp_solve_print_value(s, r->lower, r->upper, r->score, r->exact);
	if (!known && r->lower == r->upper)
		text_printf(s->reply, ", but the number of %s is not known",
			    s->record.game->score.unit);
	else if (known && open)
		text_printf(s->reply, ", but the value of %d move%s is not known", open,
			    open > 1 ? "s" : "");
	if (!known || open)
		return REFUSED;
	print_keeping(s, r);
	if (s->arg_count)
		print_each(s, r);
	return DONE;
}

const struct command solve_commands[] = {
	{ "solve", "[all | capture VERTEX [in VERTEX...]]",
	  "return the exact value of the position for the side to move: win, draw or loss, and all "
	  "moves that keep it. In games with points also the score, in Connect Four the number of "
	  "moves until somebody wins, and the moves that keep the score. `all`: also the value of "
	  "every move, one a line. `capture`: return whether the stones on a point of Go's board "
	  "are captured or safe, and a line of play; both sides play only on the points after "
	  "`in`, or pass. Fails if the time of a move does not suffice",
	  gtp_solve_run_solve, finish_solve },
	{ "dfpn-solve-state", "[COLOR]",
	  "return who wins, black or white, if this side moves next, as MoHex does",
	  run_solve_state, finish_solve_state },
	{ 0 },
};
