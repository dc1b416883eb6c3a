/* SPDX-License-Identifier: MIT
 *
 * The interface between the rules of a game and the searches.
 *
 * A game is one const table: its board, its limits, and the functions that every game has. What only some games have is a
 * *capability*: a small table with a header of its own, NULL where a game lacks it. A search asks for a capability and does
 * without it. The tables are in games/.
 *
 * Every function gets the game, so that games can share functions and keep what differs in `data`.
 *
 * All scores are from Black's point of view. Any thread may call these functions.
 */
#ifndef ENGINE_RULES_GAME_H
#define ENGINE_RULES_GAME_H

#include "engine/base/rng.h"
#include "engine/rules/board.h"
#include "engine/rules/state.h"

/* Limits of any game. engine/search/game_check.h checks them. */
#define LEVEL_MAX        9 /* the highest playing strength of a weakened search (engine/search/level.h) */
#define GAME_NAME_MAX    24 /* most characters of a name, an alias or the name of a rule set */
#define GAME_SIDE_MAX    20 /* most rows, and most columns; the columns have one letter each */
#define GAME_SQUARES_MAX (GAME_SIDE_MAX * GAME_SIDE_MAX)
#define GAME_CODES_MAX   16384 /* most step codes; nodes store a code in 14 bits */
#define GAME_STEPS_MAX   1024  /* most steps in any state; a power of 2 */
#define GAME_MOVES_MAX   5000  /* most whole moves in any position */
#define GAME_LENGTH_MAX  511   /* most steps of a game, unless it has no longest one */
#define GAME_SCORE_MAX   5000  /* largest |score|; alphabeta stores hundredths in 20 bits */

#define MOVE_TEXT_MAX    80 /* longest formatted move with its NUL */

/* What may be played. */
struct step_rules {
	int codes;     /* step codes are 0 .. codes-1 */
	int choices;   /* most steps in one state */
	int moves;     /* most whole moves in one position; 0: as many as steps */
	int length;    /* most steps from the start of a game to its end; 0: there is no limit */
	int per_move;  /* most steps of a move, 1 .. MOVE_STEPS_MAX; 1: no state is pending */
	move_t pass;   /* step code of a pass; MOVE_NONE if the game has no pass */
	bool may_pass; /* a side may pass although it has other steps; otherwise a pass is forced */
	/* A move may leave as many squares empty as before, or more: it moves or captures stones. Otherwise each move but a
	 * pass or swap leaves fewer. */
	bool frees_squares;
	/* A state counts what its position text does not tell, such as moves without a capture; a position that is set up begins
	 * to count anew. The counter belongs to the key. */
	bool counts;
};

/* What counts at the end. */
struct score_rules {
	int most;         /* largest |score|; 1 if only the result counts */
	bool half_points; /* scores count half points: a score of 13 is 6.5 points */
	/* A win is the better the sooner it comes, for exact solvers only: see game_worth(). Each move fills one square. */
	bool speed;
	bool no_draws;    /* no game ends in a draw */
	int in_a_row;     /* length of a row that can end the game; 0: rows do not count */
	const char *unit; /* unit of the score, plural; NULL: only the result counts */
};

struct game {
	/* --- identity --- */

	const char *name;  /* for --game, lower case */
	const char *title; /* spelling of GTP clients, one word: "Othello" */
	const char *alias; /* other accepted names, separated by blanks, or NULL */
	/* The name of the rule set. Tables that differ only in rules or size share `name`. */
	const char *rules;
	/* The tables of all sizes of the board, NULL-terminated, the default size first. NULL: there is one size. */
	const struct game *const *sizes;
	/* Private to the functions: what tells this table from others with the same functions. */
	const void *data;

	/* --- board and limits (engine/search/game_check.h checks them) --- */

	struct board board;
	struct step_rules steps;
	struct score_rules score;

	/* --- functions; only init and set_turn may be NULL --- */

	/* Fills the lookup tables, for the kernel in use (engine/base/kernel.h). Called before any other function, once for
	 * all tables in a row that have it, with the first of them. NULL: there are no tables. */
	void (*init)(const struct game *);
	void (*start)(const struct game *, struct state *);
	/* Sets up a position: the contents of rows*cols squares (engine/rules/board.h), row by row from the top left, and
	 * the side to move. Returns NULL, or the reason why the board is refused; the state is then undefined. */
	const char *(*setup)(const struct game *, struct state *, const char *squares, int side);
	/* Lists the legal steps of a state that is not over, in a fixed order. Returns their number, >= 1. */
	int (*moves)(const struct game *, const struct state *, move_t *);
	/* Plays a legal step. */
	void (*play)(const struct game *, struct state *, move_t);
	/* Gives the turn to a side without a pass, and goes on with a game that has ended by passes. Needs may_pass, or a game
	 * without passes. NULL: the turn cannot be given. */
	void (*set_turn)(const struct game *, struct state *, int side);
	/* Reads the text of a move other than the step `pass` or a swap, in upper or lower case. The state must be neither over
	 * nor pending. MOVE_OK: the move is set and legal. */
	enum move_check (*parse)(const struct game *, const struct state *, const char *text,
				 struct move *);
	/* Writes a legal move other than a pass or swap, in upper case: the names of its squares in the order in which a
	 * player touches them (engine/rules/square.h), then the letter of its turn: "D3", "A2B3", "C3T". Every legal move
	 * has another text. */
	void (*format)(const struct game *, const struct state *, struct move,
		       char text[MOVE_TEXT_MAX]);
	/* The content of a square: the letter of a piece, '.' if it is empty, ':' if it is not on the board. */
	char (*at)(const struct game *, const struct state *, int row, int col);
	/* Returns true if every invariant holds. Slow; for asserts and tests. */
	bool (*valid)(const struct game *, const struct state *);

	/* --- capabilities; each may be NULL, but words --- */

	const struct words *words;           /* what people read */
	const struct playouts *playouts;     /* faster and heavier random games, prior knowledge */
	const struct threats *threats;       /* wins and their answers are seen without playing */
	const struct proofs *proofs;         /* must-play and first proof numbers */
	const struct repetition *repetition; /* positions may not repeat, or end the game */
	const struct swap *swap;             /* White may take over the first move */
	const struct komi *komi;             /* points for White, handicap stones */
	const struct goals *goals;           /* results of a part of the board */
	const struct eval *eval;             /* static evaluation */
	const struct network *network;       /* what networks see besides stones */
	const struct images *images;         /* stones as sets, symmetries */
	const struct formats *formats;       /* names in SGF, GGF, KataGo's JSON */
	const struct tuning *tuning;         /* the default search and its constants */
	const struct solver *solver;         /* exact play near the end */
	const struct evaluator
		*evaluator; /* mcts evaluates leaves (engine/evaluation/evaluator.h) */
	const void *book;   /* the file that tools/book wrote (engine/rules/book.h) */
};

/* Returns true if what may happen in a position depends on earlier positions of the game. */
static inline bool game_repeats(const struct game *g)
{
	return g->repetition != NULL;
}

/* Return true if the game is not over and its step `pass` is legal (public for tests), or is the only legal step. */
bool game_can_pass(const struct game *, const struct state *);
bool game_must_pass(const struct game *, const struct state *);

/* Returns true if the side to move may swap. */
bool game_can_swap(const struct game *, const struct state *);

/* Ends a game by passes if a side may pass at any time. Returns true if the game is then over. */
bool game_end(const struct game *, struct state *);

/* The most whole moves in any position. */
static inline int game_moves_max(const struct game *g)
{
	return g->steps.moves ? g->steps.moves : g->steps.choices;
}

/* Returns true if exact values tell more than the result: a margin, or how soon the game ends. */
static inline bool game_counts(const struct game *g)
{
	return g->score.unit || g->score.speed;
}

/* Converts a score to points. */
static inline double game_points(const struct game *g, double score)
{
	return g->score.half_points ? score / 2 : score;
}

/* Finds the game with the same rules on a board of this size. Returns NULL if there is none. */
const struct game *game_sized(const struct game *, int rows, int cols);

/* The same by the number that players call the size: `size`, or the rows of a square board. */
const struct game *game_of_size(const struct game *, int size);

/* The longer side of the board. Clients that know only square boards draw the game on a board of this size. */
int game_size(const struct game *);

/* Returns true if a square, row*cols+col, is on the board. */
bool game_has_square(const struct game *, int square);

/* Returns true if a square of the board is one, not a place for a piece in hand. */
bool game_is_place(const struct game *, int square);

/* The number of empty squares. */
int game_free(const struct game *, const struct state *);

/* Black's score of a state that is over, as exact solvers count it: `score`, or in games of speed, where Black won, 1 +
 * half of the empty squares, rounded down. That is the number of stones that the winner had left + 1, if each side has
 * stones for half of the board (Pons, blog.gamesolver.org, 2015). The sign is that of `score`. */
int game_worth(const struct game *, const struct state *);

/* The largest |game_worth()|, or a bound of it. */
int game_worth_max(const struct game *);

/* Plays all steps of a legal move. */
void game_play(const struct game *, struct state *, struct move);

/* Lists the legal whole moves of a state that is neither over nor pending: at most GAME_MOVES_MAX. NULL: they are only
 * counted. Returns their number. */
int game_moves(const struct game *, const struct state *, struct move *);

/* Returns true if a whole move is legal in a state that is not pending. No move is legal if the game is
 * over. */
bool game_is_legal(const struct game *, const struct state *, struct move);

/* Reads a move as text, `pass`, `swap-pieces` and its short form `swap` included. If the game is over, only
 * `pass` (MOVE_PASS) is MOVE_OK. */
enum move_check game_parse(const struct game *, const struct state *, const char *, struct move *);

/* Writes the text of a legal move. */
void game_format(const struct game *, const struct state *, struct move, char text[MOVE_TEXT_MAX]);

/* Checks a setup in games where each move adds one stone to board[0] or board[1] in turn. Returns NULL, or
 * the reason why the stones do not fit the side to move. */
const char *game_check_stones(const struct state *, int side);

/* Longest position text: squares, a blank, the side, NUL. */
#define POSITION_TEXT_MAX (GAME_SQUARES_MAX + 3)

/* Reads a position. `squares` is one word: the letters of the game's pieces, or for stones, in upper or lower case, 'X', '*'
 * or 'B' for Black, 'O' or 'W' for White; '.', '-' or '_' for an empty square, ':' for a square off the board. `side` is one
 * of the letters of stones, or "black" or "white". Returns NULL, or the reason why the position is refused. */
const char *game_setup(const struct game *, struct state *, const char *squares, const char *side);

/* Writes the position in the format that game_setup reads: "SQUARES SIDE". */
void game_position(const struct game *, const struct state *, char text[POSITION_TEXT_MAX]);

/* Finds the square where the stone of a move lies after the move; row 0 is the top row. It was empty before, or it had
 * a stone of the enemy. Where a game has pieces of its own, it is the first square that the move names and changes, of
 * those with a piece of the mover if there are any. Where a move has several steps and the game begins with stones, it is that of the first step. The move
 * must be legal in `before`. Returns false for a pass, and for a move whose stone is gone (suicide in Go). */
bool game_stone(const struct game *, const struct state *before, struct move, int *row, int *col);

/* What people call a side: "X" or "O" in games that are written with a pen, else "Black" or "White". */
const char *game_side(const struct game *, int side);

#define AMOUNT_TEXT_MAX 32 /* longest number of discs or points with its NUL */

/* Writes an amount of a game with a unit, in points: "1 disc", "4 discs", "0.5 points". */
void game_amount(const struct game *, double points, char text[AMOUNT_TEXT_MAX]);

/* In games of speed: how many moves the winner still makes, the last one included, if Black's exact score of the position is
 * not 0. */
int game_moves_to_win(const struct game *, const struct state *, double points);

/* Writes how a position is won if Black's exact score of it, in points, is not 0: "by 4 discs", or in games of speed "in 7
 * moves" of the winner, who makes the last one. */
void game_margin(const struct game *, const struct state *, double points,
		 char text[AMOUNT_TEXT_MAX]);

#define RESULT_TEXT_MAX 96 /* longest result in words with its NUL */

/* Writes the result of a state that is over in words: "Black wins 37 to 27", "White wins: five in a row",
 * "Draw". */
void game_result(const struct game *, const struct state *, char text[RESULT_TEXT_MAX]);

#endif
