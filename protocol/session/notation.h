/* SPDX-License-Identifier: MIT
 *
 * How the client of a session makes and names moves. A *play* is what the client sends with one `play` command.
 * Plain: a play is a move in the game's notation. In GoGui's frame for Pentago (protocol/session/frame.h) a move is
 * two plays. Commands that write what a search has found use these functions.
 */
#ifndef PROTOCOL_SESSION_NOTATION_H
#define PROTOCOL_SESSION_NOTATION_H

#include "engine/base/text.h"
#include "engine/rules/drawing.h"
#include "protocol/session/command.h"

#define PLAYS_MAX 2 /* most plays of a move */

struct notation {
	/* Number of plays that the client has already made of the next move. */
	int (*made)(const struct session *);
	/* Lists the legal moves that begin with these plays. Returns their number. The game must not be over. */
	int (*moves)(const struct session *, struct move out[GAME_MOVES_MAX]);
	/* Writes all plays of a legal move in this state. Returns their number. */
	int (*plays)(const struct session *, const struct state *, struct move,
		     char texts[PLAYS_MAX][MOVE_TEXT_MAX]);
	/* Returns true if a search has found the rest of the next move already, and sets the whole move. */
	bool (*known)(const struct session *, struct move *);
	/* Makes the next play of a legal move that a search has found. */
	void (*make)(struct session *, struct move);
	/* Reads the square of a point. Squares count row by row from the top left. Returns false for any other
	 * text. */
	bool (*square)(const struct session *, const char *text, int *square);
	/* Draws the board in the form of game_draw. */
	void (*draw)(const struct session *, char text[BOARD_TEXT_MAX]);
};

const struct notation *notation_of(const struct session *);

/* Notes that the client is GoGui, one of its tools, or gomill. They have boards of Go for every game: square ones, whose
 * letters skip I, and no swap. */
void use_go_names(struct session *);
/* Returns true if the client is one of these. */
bool has_go_names(const struct session *);

/* Returns true if the swap of games that have it is a move for the client. */
bool has_swap(const struct session *);

/* The game, with the names that the client has for its squares: for engine/rules/square.h and game_draw() alone. */
struct game names_of(const struct session *);

/* Writes a whole legal move of this state with the client's names. */
void format_move(const struct session *, const struct state *, struct move,
		 char text[MOVE_TEXT_MAX]);
/* Writes a line of moves from the current position, each behind a blank. */
void write_moves(const struct session *, struct text *, const struct move *, int count);
/* Writes the client's names of squares, separated by blanks, to the reply. */
void print_squares(const struct session *, const int *squares, int count);

/* Returns the client's text of a move in the game's notation: `text`, or `own`. */
const char *own_text(const struct session *, const char *text, char own[MOVE_TEXT_MAX]);

/* Writes the next play of a legal move. */
void format_play(const struct session *, struct move, char text[MOVE_TEXT_MAX]);

/* Cuts the text of a play to its point: in the plain notation Pentago's `C3T` becomes `C3`. */
void cut_to_point(char text[MOVE_TEXT_MAX]);

/* Writes the legal plays to the reply, separated by blanks. The game must not be over. */
void print_legal_plays(const struct session *);

#endif
