/* SPDX-License-Identifier: MIT
 *
 * The tree is not stored as a tree: each position is looked up by itself. So a number may be older than those of its
 * moves, which other paths can reach, too.
 */
#include "protocol/lessons/proof_node.h"

#include <stdio.h>
#include <stdlib.h>

#include "protocol/records/as_json.h"
#include "protocol/session/command.h"
#include "protocol/session/worth.h"

/* The numbers of the question whether `side` wins (or has at least a draw). Black's win is White's failure to draw, so
 * one question of Black's answers two. */
static const struct kept_numbers *numbers_for(const struct kept *k, int side, bool wins)
{
	return wins == (side == BLACK) ? &k->win : &k->at_least_draw;
}

static bool proof_node_is_open(const struct kept_numbers *n)
{
	return n->of[BLACK] && n->of[WHITE];
}

/* The numbers of a question, null if they are unknown. */
static json_t *proof_node_json_numbers(const struct kept *k, int side, bool wins)
{
	const struct kept_numbers *n = numbers_for(k, side, wins);
	if (!n->of[BLACK] && !n->of[WHITE])
		return json_null();
	return json_pack("{s:o,s:o,s:b}", "proof", as_json_proof(n->of[side]), "disproof",
			 as_json_proof(n->of[side ^ 1]), "stored", (int)n->stored);
}

static const char *proof_node_kind_of(const struct state *s, int side)
{
	return s->over ? "end" : s->side == side ? "or" : "and";
}

static json_t *json_node(const struct record *r, const struct kept *k, int side)
{
	return json_pack("{s:s,s:o,s:o,s:o,s:I,s:o,s:i,s:i}", "kind",
			 proof_node_kind_of(&r->now, side), "side",
			 r->now.over ? json_null() : json_string(color_name(r->now.side)), "win",
			 proof_node_json_numbers(k, side, true), "draw",
			 proof_node_json_numbers(k, side, false), "visits", (json_int_t)k->visits,
			 "value", as_json_number(k->value), "lower", k->lower, "upper", k->upper);
}

/* Explains the numbers of a question that is open. */
static void explain_numbers(struct text *out, const struct game *g, const struct state *s,
			    const struct kept_numbers *n, int side, bool wins)
{
	unsigned long long proof = n->of[side], disproof = n->of[side ^ 1];
	const char *goal = wins ? "wins" : "does not lose";
	if (s->side == side)
		text_printf(
			out,
			"%s is to move and needs one move that %s: the proof number %llu follows "
			"the easiest move, the disproof number %llu grows with every open move",
			game_side(g, side), goal, proof, disproof);
	else
		text_printf(
			out,
			"%s is to move, so %s needs every move to be one after which it %s: the "
			"proof number %llu grows with every open move, the disproof number %llu "
			"follows the easiest move",
			game_side(g, s->side), game_side(g, side), goal, proof, disproof);
}

/* Explains what is known of a position in one sentence, which the caller frees. */
static char *explain_node(const struct game *g, const struct state *s, const struct kept *k,
			  int side)
{
	struct text text = { 0 };
	bool wins = proof_node_is_open(numbers_for(k, side, true));
	const struct kept_numbers *numbers = numbers_for(k, side, wins);
	if (s->over)
		text_printf(&text, "The game is over: %s", worth_result(g, k->lower, k->upper));
	else if (k->lower == k->upper)
		text_printf(&text, "%s is to move, and this is proven: %s", game_side(g, s->side),
			    worth_result(g, k->lower, k->upper));
	else if (proof_node_is_open(numbers))
		explain_numbers(&text, g, s, numbers, side, wins);
	else if (k->visits)
		text_printf(&text, "%s is to move, and no proof numbers are known",
			    game_side(g, s->side));
	else
		text_puts(&text, "The last search has kept nothing about this position");
	if (!s->over && k->lower != k->upper && proof_node_is_open(numbers) && !numbers->stored)
		text_puts(&text, "; df-pn starts with these numbers and has kept no others");
	if (k->visits)
		text_printf(&text, "; UCT's %llu visits give %s the value %+.2f",
			    (unsigned long long)k->visits, game_side(g, BLACK), k->value);
	text_putc(&text, '.');
	return text_take(&text);
}

json_t *proof_node_json(const struct engine *e, struct record *r, int side)
{
	struct move moves[GAME_MOVES_MAX];
	struct kept kept;
	const struct state here = r->now;
	int count = here.over ? 0 : record_moves(r, moves), before = r->count;
	json_t *children = json_array();
	engine_look(e, r, &kept);
	json_t *node = json_node(r, &kept, side);
	char *text = explain_node(r->game, &here, &kept, side);
	for (int i = 0; i < count; i++) {
		record_play(r, moves[i]);
		engine_look(e, r, &kept);
		json_t *child = json_node(r, &kept, side);
		json_object_set_new(child, "move", as_json_move(r->game, &here, moves[i]));
		json_array_append_new(children, child);
		record_shorten(r, before);
	}
	json_object_set_new(node, "for", json_string(color_name(side)));
	json_object_set_new(node, "text", json_string(text));
	json_object_set_new(node, "children", children);
	free(text);
	return node;
}
