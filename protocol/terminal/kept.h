/* SPDX-License-Identifier: MIT
 *
 * Games that outlive a terminal. The game of a terminal is written to a file of its own after each move, so that
 * neither `exit`, nor a closed window, nor another game loses it. A later terminal may go on with it.
 *
 *     $XDG_STATE_HOME/yomi/games/7.sgf    game number 7
 *     $XDG_STATE_HOME/yomi/games/lock     its byte 7 is locked while a terminal plays game 7
 *
 * A record that adds moves to a game, takes back the last ones, or changes komi or rules is the same game, any other record is
 * another game with another number. If there are more than KEPT_MAX games, those that were written first are removed.
 * Used by one thread; any number of processes may share the folder.
 */
#ifndef PROTOCOL_TERMINAL_KEPT_H
#define PROTOCOL_TERMINAL_KEPT_H

#include <time.h>

#include "engine/rules/record.h"
#include "engine/search/common/options.h"

#define KEPT_MAX    100
#define KEPT_NOBODY (-1) /* no side */

struct kept_games;

/* How a person plays a game: what a file keeps beside its moves. */
struct kept_terms {
	int yomi;                    /* the side that yomi plays, or KEPT_NOBODY */
	char level[OPTION_TEXT_MAX]; /* option; empty: full strength */
	char time[OPTION_TEXT_MAX];  /* option; empty: the default */
};

/* Returns the folder for what terminals keep, $XDG_STATE_HOME/yomi or ~/.local/state/yomi, and creates it. NULL if
 * neither variable names a folder. The caller frees it. */
char *kept_folder(void);

/* Never returns NULL. If there is no folder to write to, no game is kept, and kept_may_leave() says why. */
struct kept_games *kept_open(void);
void kept_close(struct kept_games *);

/* Writes the game of the terminal if it has moves and has changed. */
void kept_write(struct kept_games *, const struct record *, const struct kept_terms *);

/* Ends the terminal's game. What kept_write() gets next is another one. */
void kept_leave(struct kept_games *);

/* Notes that a side has resigned the terminal's game. That holds until the game changes. KEPT_NOBODY: takes it back. */
void kept_resign(struct kept_games *, const struct record *, int side);

/* Notes that the user has saved the game in another file. */
void kept_release(struct kept_games *, const struct record *);

/* Returns true if the user may leave the terminal's game: it is in a file or has no moves, or the user knows that it is
 * not. Otherwise the warning is in `why`, once in each position. */
bool kept_may_leave(struct kept_games *, const struct record *, char why[REASON_MAX]);

/* Returns true if the terminal's game is in a file and not finished. */
bool kept_waits(const struct kept_games *, const struct record *);

/* A game that no terminal plays. */
struct kept_game {
	int number;
	const struct game *game;
	int moves;
	bool is_over;   /* or resigned */
	time_t written; /* when */
};

/* Finds kept games, the last written first. Returns their number, at most `max`. */
int kept_list(const struct kept_games *, struct kept_game *, int max);

/* Finds the game that is not finished and was written last. Returns false if there is none. */
bool kept_last(const struct kept_games *, struct kept_game *);

/* Reads a kept game into the record, which the terminal then goes on with, and its terms. *resigned: the side that has
 * resigned it, or KEPT_NOBODY. Returns false with the reason in `why`, and changes nothing, if there is no such game or
 * another terminal plays it. */
bool kept_take(struct kept_games *, int number, struct record *, struct kept_terms *, int *resigned,
	       char why[REASON_MAX]);

#endif
