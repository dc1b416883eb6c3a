/* SPDX-License-Identifier: MIT
 *
 * Positions of a game from rules as text, as states.
 *
 * A step is a modifier that a player chooses, on its square. Modifiers after it that leave no choice are made with it, and so is what the
 * keeper does after the turn. A move begins with its first choice: variables that are set before it in any case are set when the turn
 * is given. In a game whose positions have too many whole moves, each step is a move of its own, after which the side keeps the turn.
 *
 * The words of a state behind the two keys: for each bit of a piece's number a set of squares; then, packed, the variables, the program and
 * the square where the move goes on. The keys are two hashes of these words.
 */
#ifndef GAMES_RBG_RBG_PLAY_H
#define GAMES_RBG_RBG_PLAY_H

#include <pthread.h>

#include "engine/rules/square.h"
#include "engine/rules/words.h"
#include "games/rbg/rbg_codes.h"

#define RBG_SPARE_MAX 32 /* machines that are kept */

struct rbg_texts;

/* A loaded game. */
struct rbg_table {
	struct game game;
	struct rbg_rules *rules;
	struct rbg_automaton *automaton;
	struct rbg_codes codes;
	struct state start;
	/* Where each side's moves begin after a set-up, and the values of the variables then. */
	struct rbg_point points[2];
	int32_t variables[RBG_VARIABLES_MAX];
	int black;   /* the player who moves first */
	int planes;  /* bits of a piece's number */
	bool splits; /* each step is a move */

	struct words words;
	struct piece pieces[RBG_PIECES_MAX + 1];
	char letters[RBG_PIECES_MAX];      /* by piece; '.' of the empty one */
	int16_t squares[GAME_SQUARES_MAX]; /* of yomi's board: the rules' square, -1: none */
	struct link *links;                /* of a graph */
	char (*names)[SQUARE_TEXT_MAX];    /* of a graph's squares, by square of yomi's board */

	pthread_mutex_t spare_lock; /* of the next two */
	struct rbg_machine *spare[RBG_SPARE_MAX];
	int spare_count;
	pthread_mutex_t texts_lock; /* of the next one */
	struct rbg_texts *texts;
};

static inline const struct rbg_table *rbg_table(const struct game *g)
{
	return g->data;
}

/* Returns NULL, or what is wrong with the sizes: states cannot hold the positions. */
const char *rbg_play_fits(const struct rbg_table *);

/* Finds the start and where moves begin. Returns NULL, or what is wrong with the game. */
const char *rbg_play_init(struct rbg_table *);

/* Takes a machine in the position of a state. Give it back with rbg_play_release(). */
struct rbg_machine *rbg_play_load(const struct rbg_table *, const struct state *);
void rbg_play_release(const struct rbg_table *, struct rbg_machine *);

/* The modifier of a legal step. */
struct rbg_act rbg_play_act(const struct rbg_table *, struct rbg_machine *, move_t step);

/* Makes a step and what goes with it, and the state of the position. Calls `take`, unless it is NULL, with each modifier of the player. */
void rbg_play_step(const struct rbg_table *, struct rbg_machine *, struct state *, struct rbg_act,
		   void (*take)(void *arg, struct rbg_act), void *arg);

/* Black's score by the variables: 1, 0 or -1. */
int rbg_play_score(const struct rbg_table *, const struct rbg_machine *);

/* Plays random moves to the end of the game, each whole move being equally likely. Returns Black's score; 0 after PLAYOUT_STEPS moves. */
int rbg_play_out(const struct rbg_table *, struct rbg_machine *, struct rng *);

/* The functions of struct game. */
void rbg_play_start(const struct game *, struct state *);
const char *rbg_play_setup(const struct game *, struct state *, const char *squares, int side);
int rbg_play_moves(const struct game *, const struct state *, move_t *);
void rbg_play_play(const struct game *, struct state *, move_t);
char rbg_play_at(const struct game *, const struct state *, int row, int col);
bool rbg_play_valid(const struct game *, const struct state *);

#endif
