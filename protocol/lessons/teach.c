/* SPDX-License-Identifier: MIT
 *
 * The GTP commands that teach.
 */
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/rules/komi.h"
#include "protocol/lessons/collection.h"
#include "protocol/lessons/explain.h"
#include "protocol/lessons/lesson.h"
#include "protocol/lessons/proof_node.h"
#include "protocol/lessons/review.h"
#include "protocol/lessons/teach.h"
#include "protocol/session/line.h"

static enum outcome run_explain(struct session *s)
{
	int side = s->record.now.side, at = 0;
	if (at < s->arg_count && line_color(s->args[at], &side))
		at++;
	if (s->arg_count - at > 1)
		return syntax_error(s, "type a color and a move");
	return lesson_begin_text(s, s->record.count, side, at < s->arg_count ? s->args[at] : "");
}

static enum outcome finish_explain(struct session *s, const struct report *report)
{
	enum outcome outcome = lesson_take(s, report);
	if (outcome == DONE)
		as_json_print(s->reply, lesson_json(s->lesson), AS_JSON_DIGITS);
	return outcome;
}

static void drop_review(struct session *s)
{
	if (s->review)
		review_free(s->review);
	free(s->review);
	s->review = NULL;
}

/* Starts the next search of the review. If there is none, answers. */
static enum outcome continue_review(struct session *s)
{
	char why[REASON_MAX];
	const struct record *position = review_next(s->review);
	struct limits limits = engine_full_limits(s->engine, s->record.game);
	s->has_goal = true;
	if (position && session_search(s, position, &limits, why))
		return THINKING;
	if (!position)
		as_json_print(s->reply, review_json(s->review), AS_JSON_DIGITS);
	drop_review(s);
	return position ? refuse(s, why) : DONE;
}

static enum outcome teach_run_review(struct session *s)
{
	if (!s->record.count)
		return refuse(s, "the game has no moves");
	s->review = xmalloc(sizeof *s->review);
	review_begin(s->review, &s->record);
	return continue_review(s);
}

static enum outcome finish_review(struct session *s, const struct report *report)
{
	if (report && !s->ended_early) {
		review_take(s->review, report);
		return continue_review(s);
	}
	drop_review(s);
	return report ? refuse(s, "the review was ended") : REFUSED;
}

static enum outcome run_facts(struct session *s)
{
	struct move move;
	struct facts facts;
	if (s->record.now.over)
		return refuse(s, "the game is over");
	if (!s->arg_count) {
		facts_of_position(&facts, s->record.game, &s->record.now);
	} else {
		enum move_check check = record_parse(&s->record, s->args[0], &move);
		if (check != MOVE_OK)
			return check == MOVE_MALFORMED ? syntax_error(s, "type a move")
						       : refuse(s, "illegal move");
		facts_of_move(&facts, s->record.game, &s->record.now, move);
	}
	as_json_print(s->reply, explain_json_facts(&facts), AS_JSON_DIGITS);
	return DONE;
}

static enum outcome run_puzzle(struct session *s)
{
	const struct game *g = s->record.game;
	struct state start;
	json_t *puzzle;
	int number = 1;
	if (s->arg_count && !line_int(s->args[0], &number))
		return syntax_error(s, "type a number");
	enum outcome outcome = collection_take(s, number, &puzzle);
	if (outcome != DONE)
		return outcome;
	const char *reason = collection_state(g, puzzle, &start);
	json_object_set_new(puzzle, "komi",
			    g->komi && !reason ? json_real(g->komi->get(g, &start) / 2.0)
					       : json_null());
	json_object_set_new(puzzle, "number", json_integer(number));
	json_object_set_new(puzzle, "count", json_integer(collection_count(g)));
	as_json_print(s->reply, puzzle, AS_JSON_DIGITS);
	return DONE;
}

static enum outcome teach_run_puzzles(struct session *s)
{
	as_json_print(s->reply, collection_boards(s->record.game), AS_JSON_DIGITS);
	return DONE;
}

static enum outcome run_tree(struct session *s)
{
	const int side = s->record.now.side;
	struct record node;
	struct move move;
	enum move_check check = MOVE_OK;
	record_init(&node, s->record.game);
	record_copy(&node, &s->record);
	for (int i = 0; i < s->arg_count && check == MOVE_OK; i++) {
		check = node.now.over ? MOVE_ILLEGAL : record_parse(&node, s->args[i], &move);
		if (check == MOVE_OK)
			record_play(&node, move);
	}
	if (check == MOVE_OK)
		as_json_print(s->reply, proof_node_json(s->engine, &node, side), AS_JSON_DIGITS);
	record_free(&node);
	return check == MOVE_OK          ? DONE
	       : check == MOVE_MALFORMED ? syntax_error(s, "type moves")
					 : refuse(s, "illegal move");
}

const struct command teach_commands[] = {
	{ "yomi-explain", "[COLOR] [MOVE]",
	  "explain the best move, or MOVE, as JSON: what it is worth (worth), what it costs "
	  "(loss), facts about it, what may follow (answer), the best move (best) and facts about "
	  "the position. text has the same in English. Takes up to twice the time of a move",
	  run_explain, finish_explain },
	{ "yomi-facts", "[MOVE]",
	  "list what can be seen on the board without a search, as JSON: facts about the position, "
	  "or about MOVE",
	  run_facts },
	{ "yomi-puzzle", "[NUMBER]",
	  "a puzzle for this game, rule set and board, as JSON: what yomi puzzles --json prints, "
	  "its komi, its number and how many there are (count). The game does not change",
	  run_puzzle },
	{ "yomi-puzzles", "",
	  "list the boards that have puzzles for this game and rule set, as JSON: rows, cols and "
	  "count",
	  teach_run_puzzles },
	{ "yomi-review", "",
	  "review the moves of the game, as JSON: what yomi review --json prints, but the names of "
	  "the players. Takes the time of a move for each position, and for each move that seems "
	  "to lose something. # interrupt ends it without a review. The game does not change",
	  teach_run_review, finish_review, .drop = drop_review },
	{ "yomi-tree", "[MOVE...]",
	  "tell what the last search has kept about the position, or about the position after the "
	  "moves, and about each move in it, as JSON. kind is \"or\" if the side to move in the "
	  "current position (for) is to move: one good move is enough for it; \"and\" if its "
	  "opponent is: all moves must be good; \"end\" if the game is over. win and draw are "
	  "df-pn's proof and disproof numbers for the questions whether this side wins, or has at "
	  "least a draw. visits and value are UCT's. text explains the numbers",
	  run_tree },
	{ 0 },
};
