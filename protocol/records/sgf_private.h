/* SPDX-License-Identifier: MIT
 *
 * What the reader and the writers of SGF share.
 */
#ifndef PROTOCOL_RECORDS_SGF_PRIVATE_H
#define PROTOCOL_RECORDS_SGF_PRIVATE_H

#include "engine/base/text.h"
#include "engine/rules/square.h"
#include "protocol/records/sgf.h"

enum sgf_form {
	FORM_OWN,     /* as defined by SGF if it has the game, else points in the game's notation */
	FORM_LETTERS, /* points of two letters, counted from the top left */
	FORM_BOTTOM,  /* the same, counted from the bottom left */
	FORM_GOGUI /* for GoGui's window: FORM_BOTTOM, of hexagons FORM_LETTERS, of Pentago points of the frame */
};

#define SGF_SWAP_SIDES "swap-sides" /* the players exchange their colours */

/* Writes the name of a square in lower case, as records have it. */
void sgf_format_square(const struct game *, int row, int col, char text[SQUARE_TEXT_MAX]);

/* The set of characters of a text, as far as it decides where values end. */
enum sgf_set {
	SGF_SET_UNKNOWN, /* UTF-8, or what its bytes look like */
	SGF_SET_OF_BYTES,
	SGF_SET_SHIFT_JIS,
	SGF_SET_DOUBLE_BYTE /* Big5, GBK and the like */
};

/* The set of a game, by CA in the root. The text begins behind the root's semicolon. */
enum sgf_set sgf_find_set(const char *root);

/* Moves to the next character of a value, over a backslash that escapes it. Returns how many bytes the character has. */
size_t sgf_value_next(enum sgf_set, const char **at);

/* Returns the text behind a value, given its bracket. */
const char *sgf_value_skip(enum sgf_set, const char *bracket);

/* Prints a value in brackets, with escapes. */
void sgf_print_value(struct text *, const char *value);

/* Prints a legal move as a property, or in GoGui's frame as two plays of `color`. */
void sgf_print_move(struct text *, const struct game *, enum sgf_form, char color,
		    const struct state *, struct move);

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
	int count;
	enum sgf_form form; /* of its moves */
	bool framed;        /* a move may be two nodes, in GoGui's frame */
	bool is_inverted;   /* B is White's move, as in records of LittleGolem */
};

/* As sgf_parse for all moves, and lists the nodes. The caller frees the list. */
bool sgf_parse_nodes(struct record *, const char *text, struct sgf_nodes *, char why[REASON_MAX]);

#endif
