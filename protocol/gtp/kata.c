/* SPDX-License-Identifier: MIT
 *
 * Commands of KataGo about its network and its speed.
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "engine/evaluation/evaluator.h"
#include "engine/evaluation/outlook.h"
#include "protocol/gtp/commands.h"
#include "protocol/records/as_json.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"
#include "protocol/session/session.h"
#include "protocol/session/think.h"

#define SYMMETRIES 8

/* --- the network --- */

/* Returns true if the arguments are `[COLOR] SYMMETRY [OPTIMISM]`, as KataGo has them. Clients choose the symmetry at random,
 * so each is answered by symmetry 0, which the answer tells. */
static bool read_raw_args(struct session *s, int *side)
{
	int at = s->arg_count > 1 && line_color(s->args[0], side), symmetry;
	double optimism;
	const char *text = s->args[at];
	bool is_symmetry = strcmp(text, "all") == 0 ||
			   (line_int(text, &symmetry) && symmetry < SYMMETRIES);
	if (!is_symmetry || s->arg_count > at + 2)
		return false;
	return s->arg_count == at + 1 ||
	       (line_real(s->args[at + 1], &optimism) && optimism >= 0 && optimism <= 1);
}

/* Writes a number of each square, a row a line. NAN stands for itself. */
static void print_rows(struct text *out, const struct game *g, const double *values)
{
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		const char *end = (i + 1) % g->board.cols ? " " : "\n";
		if (isnan(values[i]))
			text_printf(out, "     NAN%s", end);
		else
			text_printf(out, "%8.6f%s", values[i], end);
	}
}

/* Finds the prior of each square and of the pass, NAN if that is no legal move. Returns false if a move is neither. */
static bool find_policy(const struct record *r, double policy[GAME_SQUARES_MAX], double *pass)
{
	const struct game *g = r->game;
	struct move moves[GAME_MOVES_MAX];
	double priors[GAME_MOVES_MAX];
	int n = record_moves(r, moves);
	evaluator_priors(g, true, &r->now, moves, n, priors);
	*pass = NAN;
	for (int i = 0; i < GAME_SQUARES_MAX; i++)
		policy[i] = NAN;
	for (int i = 0; i < n; i++) {
		move_t step = moves[i].step[0];
		bool is_pass = step == g->steps.pass || step == MOVE_PASS;
		if (moves[i].step[1] != MOVE_NONE ||
		    (!is_pass && step >= g->board.rows * g->board.cols))
			return false;
		*(is_pass ? pass : &policy[step]) = priors[i];
	}
	return true;
}

/* Score and owners are left out if the network does not know them. */
static void print_evaluation(struct text *out, const struct record *r, double share,
			     const double *policy, double pass)
{
	const struct game *g = r->game;
	struct outlook outlook;
	outlook_init(&outlook, g, &r->now, UINT64_MAX, r->now.hash);
	struct estimate e = *outlook_position(&outlook);
	text_printf(out, "symmetry 0\nwhiteWin %.6f\nwhiteLoss %.6f\nnoResult 0.000000\n",
		    1 - share, share);
	if (e.is_owned) {
		double lead = 0 - outlook_score(&outlook, NAN,
						r->now.side == BLACK ? share : 1 - share);
		text_printf(out, "whiteLead %.3f\nwhiteScoreSelfplay %.3f\n", lead, lead);
		text_printf(out, "whiteScoreSelfplaySq %.3f\n",
			    lead * lead + e.deviation * e.deviation);
	}
	text_puts(out, "policy\n");
	print_rows(out, g, policy);
	text_printf(out, isnan(pass) ? "policyPass NAN\n" : "policyPass %8.6f\n", pass);
	if (e.is_owned) {
		for (int i = 0; i < g->board.rows * g->board.cols; i++)
			e.owner[i] = 0 - e.owner[i];
		text_puts(out, "whiteOwnership\n");
		print_rows(out, g, e.owner);
	}
}

static enum outcome run_raw_nn(struct session *s)
{
	struct evaluator e;
	struct record *r = &s->goal;
	double policy[GAME_SQUARES_MAX], pass;
	int side = s->record.now.side;
	if (!read_raw_args(s, &side))
		return syntax_error(s, "type a symmetry, 0 to 7 or all; a color may precede it");
	record_copy(r, &s->record);
	record_set_swap(r, false);
	if (!evaluator_open(&e, r->game))
		return refuse(s, "this game has no network");
	if (r->now.over)
		return refuse(s, "the game is over");
	if (!record_give_turn(r, side))
		return refuse(s, "it is the other side's turn");
	if (!find_policy(r, policy, &pass))
		return refuse(s, "a move of this game is no square");
	print_evaluation(s->reply, r, (1 + evaluator_state(&e, &r->now)) / 2, policy, pass);
	return DONE;
}

/* Clients ask whether one of the networks imitates people. */
static enum outcome run_get_models(struct session *s)
{
	struct evaluator e;
	const char *game = s->record.game->name;
	json_t *list = json_array();
	if (evaluator_open(&e, s->record.game))
		json_array_append_new(list, json_pack("{s:s,s:s,s:i,s:b,s:i,s:s}", "name", game,
						      "internalName", game, "maxBatchSize", 1,
						      "usesHumanSLProfile", 0, "version", 1,
						      "usingFP16", "false"));
	as_json_print(s->reply, list, AS_JSON_DIGITS);
	return DONE;
}

/* --- speed --- */

static enum outcome run_benchmark(struct session *s)
{
	int visits;
	struct limits limits = engine_full_limits(s->engine, s->record.game);
	if (!line_int(s->args[0], &visits) || visits == 0)
		return syntax_error(s, "type a number of visits, 1 or more");
	if (s->record.now.over)
		return refuse(s, "the game is over");
	s->side = s->record.now.side;
	limits.work_max = (uint64_t)visits;
	/* Else the option `time` would end the search before. */
	limits.deadline = TIME_NEVER;
	return think_begin(s, &limits, THINKING);
}

static enum outcome finish_benchmark(struct session *s, const struct report *r)
{
	if (!r)
		return REFUSED;
	double seconds = clock_since(s->taken);
	uint64_t visits = r->playouts + r->nodes;
	text_printf(s->reply, "%llu visits in %.3f seconds, %.0f visits a second",
		    (unsigned long long)visits, seconds, (double)visits / seconds);
	return DONE;
}

const struct command kata_commands[] = {
	{ "kata-raw-nn", "[COLOR] SYMMETRY [OPTIMISM]",
	  "evaluate the position by the game's network alone, in KataGo's format; always by "
	  "symmetry 0",
	  run_raw_nn },
	{ "kata-get-models", "", "list the game's network as a JSON array", run_get_models },
	{ "kata-benchmark", "VISITS",
	  "search the position with so many playouts or nodes and return the speed", run_benchmark,
	  finish_benchmark },
	{ 0 },
};
