/* SPDX-License-Identifier: MIT
 *
 * What the reader and the writers of SGF share.
 */
#ifndef PROTOCOL_RECORDS_SGF_PRIVATE_H
#define PROTOCOL_RECORDS_SGF_PRIVATE_H

#include "engine/square.h"
#include "protocol/records/sgf.h"

enum sgf_form {
	FORM_OWN,     /* as defined by SGF if it has the game, else points in the game's notation */
	FORM_LETTERS, /* points of two letters, counted from the top left */
	FORM_GOGUI    /* points of two letters on GoGui's board, row 1 at the bottom */
};

/* Writes the name of a square in lower case, as records have it. */
void sgf_format_square(const struct game *, int row, int col, char text[SQUARE_TEXT_MAX]);

/* Prints a value in brackets, with escapes. */
void sgf_print_value(FILE *, const char *value);

/* Prints a legal move as a property, or in GoGui's frame as two plays of `color`. */
void sgf_print_move(FILE *, const struct game *, enum sgf_form, char color, const struct state *,
		    struct move);

#define SGF_SIZE_MAX 24

/* Writes the value of SZ: "8", or "7:6" for 7 columns and 6 rows. */
void sgf_write_size(int cols, int rows, char text[SGF_SIZE_MAX]);

/* A node of the main line. Places are offsets in the text. */
struct sgf_node {
	size_t begin, end; /* the semicolon, and the end of the last property */
	size_t tree;       /* the bracket that opens a variation with this node, or 0 */
	int moves;         /* of the record, up to and including this node */
};

/* The main line of a text that was read. */
struct sgf_nodes {
	struct sgf_node *list;
	int count, room;
	enum sgf_form form; /* of its moves */
	bool framed;        /* a move may be two nodes, in GoGui's frame */
	bool is_inverted;   /* B is White's move, as in records of LittleGolem */
};

/* As sgf_parse for all moves, and lists the nodes. The caller frees the list. */
bool sgf_parse_nodes(struct record *, const char *text, struct sgf_nodes *, char why[REASON_MAX]);

#endif
