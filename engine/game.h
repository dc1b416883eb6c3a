/* SPDX-License-Identifier: MIT
 *
 * The rules interface: what every search needs to know of a game, and nothing more.
 *
 * A position is a value. struct state is copied by assignment; there is no unmake. A game is one const
 * table of functions over states; the tables live in games/, this header belongs to their consumer.
 *
 * A *step* (move_t) is what a search chooses; a *move* (struct move) is the one or two steps that one
 * side makes on its turn. Only Pentago has two: the placement, then the turn of a quadrant. Between
 * the two steps `side` stays and `pending` is set. Records, text, perft and SGF know whole moves only.
 *
 * All scores are Black's, everywhere.
 */
#ifndef ENGINE_GAME_H
#define ENGINE_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/rng.h"

struct control;
struct net;
struct patterns;

typedef uint16_t move_t;

#define MOVE_NONE ((move_t)0xffff) /* no step: the second step of a move that has one only */
#define MOVE_PASS ((move_t)0xfffe) /* a pass after the end of the game; only records hold it */

enum { BLACK, WHITE };

#define STATE_WORDS  14
#define STATE_SHORTS (4 * STATE_WORDS)

struct state {
	uint64_t hash;   /* state_hash() of this state, kept by play() */
	uint8_t side;    /* BLACK or WHITE: who chooses the next step */
	uint8_t over;    /* the game has ended; score is set */
	uint8_t pending; /* the first step of a two-step move has been made */
	uint8_t stones;  /* the game's own, like the words of the board behind the first two */
	int16_t score;   /* when over: Black's margin, > 0 Black won, 0 a draw */
	/* The game's own. board[0], board[1] and side determine the position and any pending step:
	 * equal positions have equal words there, so that tables can hold the exact position. The
	 * other words are derived from these, or the same in every state of a game. */
	union {
		_Alignas(16) uint64_t board[STATE_WORDS];
		int16_t numbers[STATE_SHORTS];
	};
};
_Static_assert(sizeof(struct state) == 128, "copying a state must stay cheap");

struct move {
	move_t step[2]; /* step[1] is MOVE_NONE when the move has one step */
};

enum move_check { MOVE_OK, MOVE_MALFORMED, MOVE_ILLEGAL };

#define GAME_MOVES_MAX 288 /* most whole moves in any position of any game */
#define GAME_STEPS_MAX 64  /* most steps in any state of any game */
#define GAME_PLAYOUTS  8   /* random games played at once */
#define MOVE_TEXT_MAX  8   /* longest formatted move with its NUL */

/* What a solver is asked for; each takes as long as the one before it, or longer. */
enum solve_aim {
	SOLVE_LIKELY, /* what the score probably is, and a move for it; nothing need be proven */
	SOLVE_RESULT, /* who wins, and a move that keeps it */
	SOLVE_SCORE,  /* the score of perfect play, and a move that reaches it */
	SOLVE_ALL,    /* the scores of all moves */
};

/* What is proven of all whole moves of a position. The best bounds for the side to move are the position's. Asked for
 * the result these have one sign, or are both 0; for the score they are equal, and one move has both; for all, the
 * bounds of every move are equal. A solver may know more than it was asked for. */
struct solution {
	int count;
	struct {
		struct move move;
		int8_t least, most; /* Black's score after the move */
	} moves[GAME_MOVES_MAX];    /* in the order of game_moves() */
	/* The place of a move that is probably best, if that is known, and Black's probable score after it; else -1. */
	int likely;
	int8_t likely_score;
};

/* Black's score of a solved position in which `side` is to move. */
void solution_bounds(const struct solution *, int side, int *least, int *most);

#define SOLVER_CLEAR 65536 /* bytes at the start of a solver's memory that must be zero */

/* A game's own exact solver. Whoever uses it owns the threads and the memory; nothing is allocated. */
struct solver {
	/* What it takes to solve a state that is not over: seconds if `threads` processors are free, of ten
	 * states about nine take less; bytes, exactly. False: it cannot be solved so. */
	bool (*estimate)(const struct state *, enum solve_aim, int threads, double *seconds,
			 size_t *bytes);
	/* Called by up to `threads` (1 .. 256) workers at once, each with its own number; any of them can
	 * do it all. They share a block of at least that many bytes, aligned to 64; what is in it behind the
	 * first SOLVER_CLEAR may be anything, so a block can be used again, for another state or aim too, and
	 * what an earlier solve has left there may help, if the block was as large then. Returns when the state is
	 * solved or control ends it, which is looked for every millisecond. A unit of work is a position. */
	void (*work)(const struct state *, enum solve_aim, void *block, size_t bytes, int worker,
		     int threads, struct control *);
	/* When all workers have returned: what they found. False: they were ended before they had what was
	 * asked for; it is then what they have proven so far, with count 0 if that is nothing. */
	bool (*result)(const struct state *, const void *block, struct solution *);
	/* With so few free squares that takes no time to speak of, so that a clock is for the moves before; 0: unknown. */
	int quick;
};

/* What a search one step deep finds: the best value for the side to choose, and its step. */
struct best {
	move_t step;
	bool final; /* no guess is in the value */
	int value;  /* hundredths of a point */
};

struct game {
	const char *name;  /* as in --game, lower case */
	const char *title; /* as GTP clients spell it: "Othello" */
	const char *alias; /* another accepted name or NULL */
	const char *rules; /* the rule set's name; tables that differ only in rules share `name` */
	int rows, cols;
	int moves_max;   /* step codes are 0 .. moves_max-1 */
	int choices_max; /* most steps in one state, <= GAME_STEPS_MAX */
	int length_max;  /* most steps from the start of a game to its end */
	int in_a_row; /* so many stones of a colour in a row can end the game; 0: rows do not count */
	int score_max;    /* largest |score| */
	const char *unit; /* what the score counts, in the plural; NULL: the result alone counts */
	move_t pass;      /* the step code of a forced pass; MOVE_NONE if the game has none */
	const char *search; /* the name of the search that plays it best in equal time */

	void (*start)(struct state *);
	/* Sets up rows*cols squares of 'X', 'O' and '.', row by row from the top left, and the side to
	 * move. Returns NULL, or the reason why no game can reach such a board (state is then undefined). */
	const char *(*setup)(struct state *, const char *squares, int side);
	/* Lists the legal steps of a state that is not over, in a fixed order; returns how many, >= 1. */
	int (*moves)(const struct state *, move_t *);
	/* Plays a legal step. */
	void (*play)(struct state *, move_t);
	/* Plays uniformly random steps to the end; returns Black's score. The state may be pending or
	 * over. Each legal STEP is equally likely. */
	int (*playout)(const struct state *, struct rng *);
	/* NULL: they take as long as one by one. Plays GAME_PLAYOUTS games at once, each as
	 * game_playout_generic() with a generator of its own, seeded by the next number of this one. */
	void (*playouts)(const struct state *, struct rng *, int8_t scores[GAME_PLAYOUTS]);
	/* NULL: none. A guess of the final score, Black's, in hundredths of a point; not over, not
	 * pending. */
	int (*eval)(const struct state *);
	/* NULL: searches judge the positions behind the steps one by one. The best of them for the side to choose, by eval()
	 * within -most .. most, or by the final score; not over, not pending. best->step is judged first, if it is legal, and
	 * judging ends with a value of `beta` or more. Returns how many were judged; 0, if the side must pass or has more steps
	 * than `room`. */
	int (*best)(const struct state *, int beta, int most, int room, struct best *best);
	/* NULL: not known, or moves have two steps. The standard deviation, in hundredths of a point, of the
	 * difference between the values that searches `shallow` and `deep` > shallow moves deep find by eval(). */
	int (*deviation)(const struct state *, int shallow, int deep);
	/* NULL: searches find out. Whether the side to choose can win before the other side moves again, by
	 * the next step or the next two; not over. */
	bool (*wins)(const struct state *);
	/* NULL just where `wins` is. Lists of the steps of a state in which the side to choose does not win at once
	 * those that may not lose at once, in the order of moves(); returns how many. After each step that is left out, and
	 * the best one that may follow it in the same move, the other side wins by its next move. */
	int (*safe)(const struct state *, move_t *);
	/* Reads the text of a move other than a pass, in any case; not over, not pending. MOVE_OK sets
	 * the move, which is then legal. */
	enum move_check (*parse)(const struct state *, const char *text, struct move *);
	/* Writes a legal move other than a pass, in upper case. */
	void (*format)(const struct state *, struct move, char text[MOVE_TEXT_MAX]);
	/* 'X', 'O' or '.' on a square; row 0 is the top row, which is named 1. */
	char (*at)(const struct state *, int row, int col);
	/* Whether every invariant holds: for asserts and tests; slow. */
	bool (*valid)(const struct state *);
	const struct solver *solver; /* NULL: none */
	/* NULL: the game has no network and no book. The stones of Black and White, square by square from
	 * the top left. */
	void (*stones)(const struct state *, uint64_t set[2]);
	/* NULL: no symmetry is known. The code of a step on the board as symmetry 1 .. 7 shows it: rows upside down (1), columns
	 * (2) and both exchanged (4), in this order from the last. */
	move_t (*mirror)(move_t, int symmetry);
	/* What `eval` has learned, for tools/train; NULL: it is made otherwise. */
	struct patterns *patterns;
	/* Of engine/net.h, with weights as tools/train writes them; NULL: none. */
	struct net *net;
	/* A book of openings for engine/book.h, as tools/book writes it; NULL: none. */
	const void *book;
};

/* The hash of board[0], board[1] and side; what play() must leave in state.hash. */
static inline uint64_t state_hash(const struct state *s)
{
	uint64_t h = (s->board[0] + s->side) * 0x9e3779b97f4a7c15u;
	h = (h ^ (h >> 29) ^ s->board[1]) * 0xbf58476d1ce4e5b9u;
	h = (h ^ (h >> 32)) * 0x94d049bb133111ebu;
	return h ^ (h >> 31);
}

/* Whether two states of one game are the same position, with the same step pending. */
static inline bool state_equal(const struct state *a, const struct state *b)
{
	return a->hash == b->hash && a->board[0] == b->board[0] && a->board[1] == b->board[1] &&
	       a->side == b->side;
}

static inline int score_sign(int score)
{
	return (score > 0) - (score < 0);
}

static inline bool move_equal(struct move a, struct move b)
{
	return a.step[0] == b.step[0] && a.step[1] == b.step[1];
}

static inline struct move move_single(move_t step)
{
	return (struct move) { { step, MOVE_NONE } };
}

/* Whether the only legal step is the game's pass. */
bool game_must_pass(const struct game *, const struct state *);

/* Unpacks the game's evaluation or network, which takes some 30 milliseconds the first time. Called when the game is
 * chosen, so that no move pays for it. Any thread. */
void game_get_ready(const struct game *);

/* Squares without a stone. */
int game_free(const struct game *, const struct state *);

/* Plays all steps of a legal move. */
void game_play(const struct game *, struct state *, struct move);

/* Lists the legal whole moves of a state that is neither over nor pending; returns how many. */
int game_moves(const struct game *, const struct state *, struct move out[GAME_MOVES_MAX]);

/* Whether a whole move is legal in a state that is not pending; nothing is legal when over. */
bool game_is_legal(const struct game *, const struct state *, struct move);

/* Plays uniformly random steps with moves() and play(); what game.playout must agree with. */
int game_playout_generic(const struct game *, const struct state *, struct rng *);

/* Reads and writes a move as text, `pass` included. Over: only `pass` (MOVE_PASS) is MOVE_OK. */
enum move_check game_parse(const struct game *, const struct state *, const char *, struct move *);
void game_format(const struct game *, const struct state *, struct move, char text[MOVE_TEXT_MAX]);

/* Reads a vertex such as "d3" in any case; returns the text behind it, or NULL if it is malformed or
 * off the board. For the games' parse functions. */
const char *game_parse_square(const struct game *, const char *text, int *row, int *col);

/* For the setup of games in which every move adds a stone to board[0] or board[1] in turn: NULL, or why
 * these stones do not fit the side to move. */
const char *game_check_stones(const struct state *, int side);

#define POSITION_TEXT_MAX 128 /* longest position text with its NUL */

/* Reads a position, letters in any case: the squares in one word, of Black's 'X', '*' or 'B', White's 'O' or 'W', and
 * '.', '-' or '_', and the side as such a letter or "black" or "white". Returns NULL, or the reason for
 * refusing it. */
const char *game_setup(const struct game *, struct state *, const char *squares, const char *side);

/* Writes the position as game_setup reads it: "SQUARES SIDE". */
void game_position(const struct game *, const struct state *, char text[POSITION_TEXT_MAX]);

/* Where symmetry 0 .. 7 shows a square, as for game.mirror. */
int game_mirror_square(const struct game *, int square, int symmetry);

/* Where the stone of a move that was legal in `before` has come to lie, row 0 the top row. False: a pass,
 * or the game leaves it open. */
bool game_stone(const struct game *, const struct state *before, struct move, int *row, int *col);

/* How a board is drawn for people. */
struct look {
	bool colors;  /* with escape sequences of terminals */
	bool marked;  /* a square is put in brackets */
	int row, col; /* which one */
};

#define BOARD_TEXT_MAX 4096 /* largest drawn board with its NUL */

/* Draws the board, row 1 at the top, the side to move below, no blank line, no final newline. Look NULL:
 * plain, as programs expect it. */
void game_draw(const struct game *, const struct state *, const struct look *,
	       char text[BOARD_TEXT_MAX]);

#endif
