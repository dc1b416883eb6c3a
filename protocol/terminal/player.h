/* SPDX-License-Identifier: MIT
 *
 * The commands of the terminal with which a person plays: a move, go, auto, undo. The errors for words that are no
 * legal move are here, too.
 */
#ifndef PROTOCOL_TERMINAL_PLAYER_H
#define PROTOCOL_TERMINAL_PLAYER_H

#include "engine/rules/record.h"
#include "protocol/session/command.h"

/* What these commands keep of a session. All zero at first, but `resigned` is KEPT_NOBODY. */
struct player {
	bool answers;         /* yomi answers each move that the person types */
	int side;             /* the side of the last move that the person typed */
	struct record undone; /* the game before moves were taken back, if has_undone */
	bool has_undone;
	int begun; /* games begun by commands of this terminal */

	/* The side that has resigned, or KEPT_NOBODY. It holds in the position in which that was done. */
	int resigned;
	const struct game *resigned_game;
	int resigned_count;
	uint64_t resigned_hash;
};

void player_free(struct player *);

/* Returns true if a word is a letter and a number. */
bool player_is_square_like(const char *word);

/* Writes an example of a move: a legal one from the middle of the list, or at the end of the game one of the next game. */
void player_example(const struct session *, char text[MOVE_TEXT_MAX]);

/* Returns true if a text has the form of a move, which may be illegal. */
bool player_is_move(const struct session *, const char *text);

/* Returns true if the game has ended or a side has resigned it. */
bool player_is_over(const struct session *);

/* Notes that a side has resigned in this position. KEPT_NOBODY: none has. */
void player_note_resigned(struct session *, int side);

/* The error if the game is over. Returns REFUSED. */
enum outcome player_refuse_over(struct session *);

/* The error for a move that the rules do not allow, with its reason. Returns REFUSED. */
enum outcome player_refuse_illegal(struct session *, const char *text);

/* The error for a word that is neither a command nor a move, with a suggestion. Returns REFUSED. */
enum outcome player_refuse_unknown(struct session *, const char *word);

/* Plays the moves that the arguments are: one, perhaps in other forms than the game's notation, or several. */
enum outcome player_move(struct session *);

/* Lets yomi move for the side to move. */
enum outcome player_go(struct session *);

/* `finish` of the commands that let yomi move. */
enum outcome player_finish(struct session *, const struct report *);

/* The person plays this side from now on, yomi the other. */
enum outcome player_black(struct session *);
enum outcome player_white(struct session *);

/* Turns answers on or off. */
enum outcome player_auto(struct session *);

/* Take back moves, and make them again. If yomi answers, its moves count with the person's. */
enum outcome player_undo(struct session *);
enum outcome player_redo(struct session *);

/* Lists the legal moves. */
enum outcome player_moves(struct session *);

/* Gives up for the person's side. `undo` takes it back. */
enum outcome player_resign(struct session *);

/* Tells the result, or what can be counted before the end. */
enum outcome player_score(struct session *);

#endif
