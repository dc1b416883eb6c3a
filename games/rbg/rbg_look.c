/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_look.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"

/* --- pieces --- */

static bool rbg_has_prefix(const char *text, const char *prefix)
{
	return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

static bool rbg_has_suffix(const char *text, const char *suffix)
{
	size_t length = strlen(text), end = strlen(suffix);
	return length >= end && strcasecmp(text + length - end, suffix) == 0;
}

/* Returns true if a piece is a player's by its name: it begins or ends with the player's, or it is short and has his first letter. */
static bool rbg_look_names(const char *piece, const char *player, const char *other)
{
	if (rbg_has_prefix(piece, player) || rbg_has_suffix(piece, player))
		return true;
	return strlen(piece) <= 2 &&
	       tolower((unsigned char)*piece) == tolower((unsigned char)*player) &&
	       tolower((unsigned char)*player) != tolower((unsigned char)*other);
}

/* The player who owns a piece, 2: nobody. */
static int rbg_look_owner(const struct rbg_rules *r, int piece)
{
	if (r->owners[piece] >= 0)
		return r->owners[piece];
	for (int player = 0; player < RBG_PLAYERS; player++)
		if (rbg_look_names(r->pieces[piece], r->players[player], r->players[!player]))
			return player;
	return RBG_PLAYERS;
}

/* The piece that means an empty square: the one of that letter, or of nobody that the board begins with most often, -1: none. */
static int rbg_look_empty(const struct rbg_rules *r)
{
	int counts[RBG_PIECES_MAX] = { 0 }, best = -1;
	for (int i = 0; i < r->square_count; i++)
		counts[r->squares[i].piece]++;
	for (int i = 0; i < r->piece_count; i++) {
		if (r->letters[i] == '.')
			return i;
		if (r->letters[i] || rbg_look_owner(r, i) != RBG_PLAYERS)
			continue;
		counts[i] += rbg_has_prefix("empty", r->pieces[i]) ? GAME_SQUARES_MAX : 0;
		if (counts[i] && (best < 0 || counts[i] > counts[best]))
			best = i;
	}
	return best;
}

/* What is left of a piece's name without its player's, if that is a name. */
static const char *rbg_look_kind(const struct rbg_rules *r, int piece, int owner)
{
	const char *name = r->pieces[piece];
	size_t skip = owner < RBG_PLAYERS && rbg_has_prefix(name, r->players[owner])
			      ? strlen(r->players[owner])
			      : 0;
	return name[skip] ? name + skip : name;
}

static bool rbg_look_is_free(const struct rbg_table *t, char letter)
{
	return isalnum((unsigned char)letter) && !memchr(t->letters, letter, sizeof t->letters);
}

/* Black's letters are capitals, White's small. A letter that is taken gives way to the next one of the name, or to any. */
static char rbg_look_letter(const struct rbg_table *t, const char *kind, int side)
{
	static const char others[] =
		"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	for (; *kind; kind++) {
		char letter = (char)(side == WHITE ? tolower((unsigned char)*kind)
						   : toupper((unsigned char)*kind));
		if (rbg_look_is_free(t, letter))
			return letter;
	}
	for (const char *c = others; *c; c++)
		if (rbg_look_is_free(t, *c))
			return *c;
	return '?';
}

/* The side of a player's pieces. */
static int rbg_look_side(const struct rbg_table *t, int owner)
{
	return owner < RBG_PLAYERS ? owner ^ t->black : PIECE_NEUTRAL;
}

/* The name for people, in lower case. */
static char *rbg_look_name(const struct rbg_rules *r, int piece, int owner)
{
	char *name = xstrdup(r->pictures[piece] ? r->pictures[piece]
						: rbg_look_kind(r, piece, owner));
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return name;
}

static void rbg_look_init_pieces(struct rbg_table *t)
{
	const struct rbg_rules *r = t->rules;
	int count = 0, empty = rbg_look_empty(r);
	memcpy(t->letters, r->letters, sizeof t->letters);
	if (empty >= 0)
		t->letters[empty] = '.';
	for (int i = 0; i < r->piece_count; i++) {
		int owner = rbg_look_owner(r, i), side = rbg_look_side(t, owner);
		if (!t->letters[i])
			t->letters[i] = rbg_look_letter(t, rbg_look_kind(r, i, owner), side);
		if (i != empty)
			t->pieces[count++] = (struct piece) { t->letters[i], side,
							      rbg_look_name(r, i, owner) };
	}
}

/* --- the board --- */

static bool rbg_look_on_board(const struct game *g, int row, int col)
{
	return rbg_table(g)->squares[row * g->board.cols + col] >= 0;
}

static const char *rbg_look_square_name(const struct game *g, int row, int col)
{
	return rbg_table(g)->names[row * g->board.cols + col];
}

/* The names of a graph's squares, if all are a letter with letters or digits behind it. */
static void rbg_look_init_names(struct rbg_table *t)
{
	const struct rbg_rules *r = t->rules;
	for (int i = 0; i < r->square_count; i++) {
		const char *name = r->squares[i].name;
		if (!name || strlen(name) >= SQUARE_TEXT_MAX || !isalpha((unsigned char)*name))
			return;
		for (const char *c = name; *c; c++)
			if (!isalnum((unsigned char)*c))
				return;
	}
	t->names = xcalloc(GAME_SQUARES_MAX, sizeof *t->names);
	for (int i = 0; i < r->square_count; i++) {
		char *out = t->names[r->squares[i].row * r->cols + r->squares[i].col];
		for (const char *c = r->squares[i].name; *c; c++)
			*out++ = (char)toupper((unsigned char)*c);
	}
	t->game.board.name = rbg_look_square_name;
}

static int rbg_look_place(const struct rbg_rules *r, int square)
{
	return r->squares[square].row * r->cols + r->squares[square].col;
}

/* Each pair of neighbors once. */
static void rbg_look_init_links(struct rbg_table *t)
{
	const struct rbg_rules *r = t->rules;
	size_t count = 0;
	for (int i = 0; i < r->direction_count * r->square_count; i++) {
		int from = i % r->square_count, to = r->neighbors[i];
		if (to < 0 || to == from)
			continue;
		int low = from < to ? from : to, high = from < to ? to : from;
		struct link link = { (uint16_t)rbg_look_place(r, low),
				     (uint16_t)rbg_look_place(r, high) };
		bool is_known = false;
		for (size_t k = 0; k < count && !is_known; k++)
			is_known = t->links[k].from == link.from && t->links[k].to == link.to;
		if (is_known)
			continue;
		t->links = xgrow(t->links, count, sizeof *t->links);
		t->links[count++] = link;
	}
	t->links = xgrow(t->links, count, sizeof *t->links);
	t->links[count] = (struct link) { 0, 0 };
	t->game.board.links = t->links;
}

void rbg_look_init(struct rbg_table *t)
{
	static const enum board_kind kinds[] = { [RBG_RECTANGLE] = BOARD_SQUARES,
						 [RBG_HEXAGON] = BOARD_HEXAGONS,
						 [RBG_CUBOID] = BOARD_SQUARES,
						 [RBG_GRAPH] = BOARD_GRAPH };
	const struct rbg_rules *r = t->rules;
	struct board *b = &t->game.board;
	rbg_look_init_pieces(t);
	memset(t->squares, 0xff, sizeof t->squares);
	for (int i = 0; i < r->square_count; i++)
		t->squares[rbg_look_place(r, i)] = (int16_t)i;
	*b = (struct board) { .rows = r->rows,
			      .cols = r->cols,
			      .kind = kinds[r->shape],
			      .pieces = t->pieces,
			      .color = BOARD_WOOD };
	b->goes_up = r->shape != RBG_HEXAGON;
	if (r->square_count < r->rows * r->cols)
		b->on_board = rbg_look_on_board;
	if (r->shape == RBG_GRAPH) {
		rbg_look_init_names(t);
		rbg_look_init_links(t);
	}
	if (r->block && r->block < r->cols) {
		b->block_rows = r->rows;
		b->block_cols = r->block;
	}
}

void rbg_look_free(struct rbg_table *t)
{
	for (struct piece *p = t->pieces; p->letter; p++)
		free((char *)p->name);
	free(t->names);
	free(t->links);
}
