/* SPDX-License-Identifier: MIT
 *
 * The tree is not stored as a tree: each position is looked up by itself. So a number may be older than those of its
 * moves, which other paths can reach, too.
 */
#include "protocol/teach/proof_node.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/think.h"
#include "protocol/teach/explain.h"

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

static json_t *proof_node_json_number(uint64_t number)
{
	return number == PROOF_NEVER ? json_null() : json_integer((json_int_t)number);
}

/* The numbers of a question, null if they are unknown. */
static json_t *proof_node_json_numbers(const struct kept *k, int side, bool wins)
{
	const struct kept_numbers *n = numbers_for(k, side, wins);
	if (!n->of[BLACK] && !n->of[WHITE])
		return json_null();
	return json_pack("{s:o,s:o,s:b}", "proof", proof_node_json_number(n->of[side]), "disproof",
			 proof_node_json_number(n->of[side ^ 1]), "stored", (int)n->stored);
}

static const char *proof_node_kind_of(const struct state *s, int side)
{
	return s->over ? "end" : s->side == side ? "or" : "and";
}

static json_t *json_node(const struct record *r, const struct kept *k, int side)
{
	return json_pack(
		"{s:s,s:o,s:o,s:o,s:I,s:o,s:i,s:i}", "kind", proof_node_kind_of(&r->now, side),
		"side", r->now.over ? json_null() : json_string(color_name(r->now.side)), "win",
		proof_node_json_numbers(k, side, true), "draw",
		proof_node_json_numbers(k, side, false), "visits", (json_int_t)k->visits, "value",
		explain_json_number(k->value), "lower", k->lower, "upper", k->upper);
}

/* Explains the numbers of a question that is open. */
static void explain_numbers(FILE *out, const struct game *g, const struct state *s,
			    const struct kept_numbers *n, int side, bool wins)
{
	unsigned long long proof = n->of[side], disproof = n->of[side ^ 1];
	const char *goal = wins ? "wins" : "does not lose";
	if (s->side == side)
		fprintf(out,
			"%s is to move and needs one move that %s: the proof number %llu follows "
			"the easiest move, the disproof number %llu grows with every open move",
			game_side(g, side), goal, proof, disproof);
	else
		fprintf(out,
			"%s is to move, so %s needs every move to be one after which it %s: the "
			"proof number %llu grows with every open move, the disproof number %llu "
			"follows the easiest move",
			game_side(g, s->side), game_side(g, side), goal, proof, disproof);
}

/* Explains what is known of a position in one sentence, which the caller frees. */
static char *explain_node(const struct game *g, const struct state *s, const struct kept *k,
			  int side)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		out_of_memory();
	bool wins = proof_node_is_open(numbers_for(k, side, true));
	const struct kept_numbers *numbers = numbers_for(k, side, wins);
	if (s->over)
		fprintf(out, "The game is over: %s", think_result(g, k->lower, k->upper));
	else if (k->lower == k->upper)
		fprintf(out, "%s is to move, and this is proven: %s", game_side(g, s->side),
			think_result(g, k->lower, k->upper));
	else if (proof_node_is_open(numbers))
		explain_numbers(out, g, s, numbers, side, wins);
	else if (k->visits)
		fprintf(out, "%s is to move, and no proof numbers are known",
			game_side(g, s->side));
	else
		fputs("The last search has kept nothing about this position", out);
	if (!s->over && k->lower != k->upper && proof_node_is_open(numbers) && !numbers->stored)
		fputs("; df-pn starts with these numbers and has kept no others", out);
	if (k->visits)
		fprintf(out, "; UCT's %llu visits give %s the value %+.2f",
			(unsigned long long)k->visits, game_side(g, BLACK), k->value);
	fputc('.', out);
	if (fclose(out))
		out_of_memory();
	return text;
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
		char name[MOVE_TEXT_MAX];
		game_format(r->game, &here, moves[i], name);
		record_play(r, moves[i]);
		engine_look(e, r, &kept);
		json_t *child = json_node(r, &kept, side);
		json_object_set_new(child, "move", json_string(name));
		json_array_append_new(children, child);
		record_shorten(r, before);
	}
	json_object_set_new(node, "for", json_string(color_name(side)));
	json_object_set_new(node, "text", json_string(text));
	json_object_set_new(node, "children", children);
	free(text);
	return node;
}
