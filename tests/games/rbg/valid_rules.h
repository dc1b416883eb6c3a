/* SPDX-License-Identifier: MIT
 *
 * What holds for all rules that rbg_read() returns.
 */
#ifndef TESTS_GAMES_RBG_VALID_RULES_H
#define TESTS_GAMES_RBG_VALID_RULES_H

#include <stdlib.h>
#include <string.h>

#include "games/rbg/rbg_rules.h"

static inline bool valid_names(const struct rbg_rules *r)
{
	if (r->piece_count < 1 || r->piece_count > RBG_PIECES_MAX ||
	    r->variable_count < RBG_PLAYERS || r->variable_count > RBG_VARIABLES_MAX ||
	    r->direction_count > RBG_DIRECTIONS_MAX)
		return false;
	for (int i = 0; i < RBG_PLAYERS; i++)
		if (strcmp(r->players[i], r->variables[i].name) != 0)
			return false;
	for (int i = 0; i < r->variable_count; i++)
		if (!r->variables[i].name || r->variables[i].most < 1 ||
		    r->variables[i].most > 1000000)
			return false;
	for (int i = 0; i < r->piece_count; i++)
		if (!r->pieces[i] || !*r->pieces[i] || r->owners[i] < -1 || r->owners[i] > 2 ||
		    r->letters[i] == ':')
			return false;
	return true;
}

/* Squares lie on the board, and no two on each other. Each neighbour is a square. */
static inline bool valid_squares(const struct rbg_rules *r)
{
	char taken[GAME_SIDE_MAX][GAME_SIDE_MAX] = { 0 };
	if (r->square_count < 1 || r->square_count > GAME_SQUARES_MAX || r->rows < 1 ||
	    r->rows > GAME_SIDE_MAX || r->cols < 1 || r->cols > GAME_SIDE_MAX ||
	    (r->shape == RBG_CUBOID ? r->block < 1 || r->cols % r->block : r->block != 0))
		return false;
	for (int i = 0; i < r->square_count; i++) {
		const struct rbg_square *s = &r->squares[i];
		if (s->row < 0 || s->row >= r->rows || s->col < 0 || s->col >= r->cols ||
		    taken[s->row][s->col]++ || s->piece < 0 || s->piece >= r->piece_count ||
		    (s->name != NULL) != (r->shape == RBG_GRAPH))
			return false;
	}
	for (int i = 0; i < r->direction_count * r->square_count; i++)
		if (r->neighbors[i] < -1 || r->neighbors[i] >= r->square_count)
			return false;
	return true;
}

/* Returns the number of children that a kind of term has, -2: two or more. */
static inline int valid_children(int kind)
{
	switch (kind) {
	case RBG_SEQUENCE:
	case RBG_CHOICE:
		return -2;
	case RBG_REPEAT:
	case RBG_SET:
	case RBG_CAN:
	case RBG_CANNOT:
		return 1;
	case RBG_COMPARE:
	case RBG_ADD:
	case RBG_SUBTRACT:
	case RBG_MULTIPLY:
	case RBG_DIVIDE:
		return 2;
	default:
		return 0;
	}
}

/* Returns true if the value of a term is in the range of its kind. */
static inline bool valid_value(const struct rbg_rules *r, const struct rbg_term *t)
{
	switch (t->kind) {
	case RBG_GO:
		return t->value >= 0 && t->value < r->direction_count;
	case RBG_PUT:
	case RBG_COUNT:
		return t->value >= 0 && t->value < r->piece_count;
	case RBG_SET:
	case RBG_VARIABLE:
		return t->value >= 0 && t->value < r->variable_count;
	case RBG_TURN:
		return t->value == RBG_KEEPER || t->value == 0 || t->value == 1;
	case RBG_ON:
		return r->piece_count == RBG_PIECES_MAX || t->pieces >> r->piece_count == 0;
	case RBG_COMPARE:
		return t->relation <= RBG_GREATER_OR_EQUAL;
	default:
		return t->kind <= RBG_DIVIDE;
	}
}

/* Every term but the root is the child of one term. */
static inline bool valid_terms(const struct rbg_rules *r)
{
	char *seen = calloc((size_t)r->term_count + 1, 1);
	bool valid = r->term_count > 0 && r->term_count <= RBG_TERMS_MAX && r->root >= 0 &&
		     r->root < r->term_count;
	int links = 0;
	for (int i = 0; i < r->term_count && valid; i++) {
		int children = 0, wanted = valid_children(r->terms[i].kind);
		for (int32_t c = r->terms[i].child; c >= 0 && valid; c = r->terms[c].next) {
			valid = c < r->term_count && c != r->root && !seen[c];
			children++;
			links++;
			if (valid)
				seen[c] = 1;
		}
		valid = valid && valid_value(r, &r->terms[i]) &&
			(wanted < 0 ? children >= -wanted : children == wanted);
	}
	free(seen);
	return valid && links == r->term_count - 1;
}

/* Returns what is wrong with rules, NULL if nothing is. */
static inline const char *valid_rules_fault(const struct rbg_rules *r)
{
	return !valid_names(r)     ? "names"
	       : !valid_squares(r) ? "squares"
	       : !valid_terms(r)   ? "terms"
				   : NULL;
}

#endif
