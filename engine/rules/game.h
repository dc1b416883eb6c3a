/* SPDX-License-Identifier: MIT
 *
 * The interface between the rules of a game and the searches.
 *
 * A position is a value. struct state is copied by assignment; there is no unmake. A game is one const
 * table of functions over states. The tables are in games/.
 *
 * A *step* (move_t) is the unit that a search chooses. A *move* (struct move) is the one to four steps that
 * a side makes on its turn. Pentago has two: the placement, then the turn of a quadrant. Between the steps
 * `side` does not change and `pending` counts the steps made. Records, text, perft and SGF use whole moves.
 *
 * A state has no history. Where repetition matters, the record knows the earlier positions (engine/rules/record.h).
 *
 * All scores are from Black's point of view. Any thread may call these functions.
 */
#ifndef ENGINE_RULES_GAME_H
#define ENGINE_RULES_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/base/kernel.h"
#include "engine/base/rng.h"

struct control;
struct evaluator;
struct facts;
struct game;
struct patterns;

typedef uint16_t move_t;

#define MOVE_NONE ((move_t)0xffff) /* no step: ends a move of fewer than MOVE_STEPS_MAX steps */
#define MOVE_PASS ((move_t)0xfffe) /* a pass after the end of the game; occurs in records only */
/* These occur in records only; no side makes them. */
#define MOVE_TURN ((move_t)0xfffd) /* the turn goes to the other side */
#define MOVE_SIDES                                                                                 \
	((move_t)0xfffc) /* the players exchange their colours, the stones stay: a swap of sides */
#define MOVE_SETUP ((move_t)0xfffb) /* a position is set up */

enum { BLACK, WHITE };

#define STATE_WORDS  16
#define STATE_SHORTS (4 * STATE_WORDS)

struct state {
	uint64_t hash;   /* state_hash() of this state, kept by play() */
	uint8_t side;    /* BLACK or WHITE: the side that chooses the next step */
	uint8_t over;    /* the game has ended; score is set */
	uint8_t pending; /* number of steps of an unfinished move */
	uint8_t stones;  /* private to the game, like board[2] and above */
	int16_t score;   /* when over: Black's margin, > 0 Black won, 0 a draw */
	/* Private to the game. board[0] and board[1] are the key of the position and of any pending steps:
	 * equal positions have equal words there, and other positions differ there or in `side`. A game whose
	 * positions fit stores them there exactly. A game with larger boards stores two independent hashes,
	 * which differ for all positions that will ever be met (Zobrist, 1970). */
	union {
		_Alignas(16) uint64_t board[STATE_WORDS];
		int16_t numbers[STATE_SHORTS];
	};
};
_Static_assert(sizeof(struct state) == 144, "copying a state must stay cheap");

#define MOVE_STEPS_MAX 4

struct move {
	move_t step[MOVE_STEPS_MAX]; /* MOVE_NONE after the last step */
};

/* MOVE_REPEATS: the game's rules allow the move, but it brings back an earlier position (engine/rules/record.h). */
enum move_check { MOVE_OK, MOVE_MALFORMED, MOVE_ILLEGAL, MOVE_REPEATS };

/* Returns true if a move belongs into a game that others have played, perhaps by another rule of ko. */
static inline bool move_check_follows(enum move_check check)
{
	return check == MOVE_OK || check == MOVE_REPEATS;
}

/* Limits of any game. engine/search/game_check.h checks them. */
#define LEVEL_MAX          9 /* the highest playing strength of a weakened search (engine/search/level.h) */
#define GAME_NAME_MAX      24 /* most characters of a name, an alias or the name of a rule set */
#define GAME_GUIDE_LINE    79 /* most characters of a line of the guide */
#define GAME_SIDE_MAX      20 /* most rows, and most columns; the columns have one letter each */
#define GAME_SQUARES_MAX   (GAME_SIDE_MAX * GAME_SIDE_MAX)
#define GAME_SIGNS         5    /* bits of a square that `signs` sets */
#define GAME_SET_SQUARES   64   /* most squares if the game has `stones` */
#define GAME_CODES_MAX     1024 /* most step codes; nodes store a code in 10 bits */
#define GAME_STEPS_MAX     512  /* most steps in any state; a power of 2 */
#define GAME_MOVES_MAX     512  /* most whole moves in any position */
#define GAME_LENGTH_MAX    511  /* most steps of a game, unless it has no longest one */
#define GAME_SCORE_MAX     5000 /* largest |score|; alphabeta stores hundredths in 20 bits */

#define GAME_PLAYOUTS      8 /* size of a batch of playouts */
/* A random game of so many steps, of a game in which repeated positions are a draw, counts as a draw. */
#define GAME_PLAYOUT_STEPS 1000
#define MOVE_TEXT_MAX      12 /* longest formatted move with its NUL */
#define MOVE_SWAP          "SWAP-PIECES"

/* What a solver computes. Each aim takes at least as long as the one before it. */
enum solve_aim {
	SOLVE_ESTIMATE, /* an estimate of the score and a move for it; may be unproven */
	SOLVE_RESULT,   /* the result of perfect play, and a move that reaches it */
	SOLVE_SCORE,    /* the score of perfect play, and a move that reaches it */
	SOLVE_ALL,      /* the scores of all moves */
};

/* Proven bounds of the score of every whole move in a position. The best bounds for the side to move are
 * the position's own bounds. SOLVE_RESULT: these have one sign, or are both 0. SOLVE_SCORE: they are equal,
 * and one move has both. SOLVE_ALL: the two bounds of every move are equal. A solver may prove more than
 * the aim requires. */
struct solution {
	int count;
	struct {
		struct move move;
		int16_t least, most; /* Black's score after the move */
	} moves[GAME_MOVES_MAX];     /* in the order of game_moves() */
	/* Index of the estimated best move, -1: no estimate. `estimated_score` is Black's estimated score
	 * after it. */
	int estimated;
	int16_t estimated_score;
};

/* Bounds of Black's score of the position; `side` is to move. The solution must have at least one move. */
void solution_bounds(const struct solution *, int side, int *least, int *most);

#define SOLVER_CLEAR 65536 /* most bytes at the start of a solver's memory that must be zero */

/* The exact solver of a game. The caller owns the threads and the memory; the solver allocates nothing. */
struct solver {
	/* Estimates the cost of solving a state that is not over. `seconds`: wall time if `threads`
	 * processors are free; about nine of ten states take less. `bytes`: on entry the most that the
	 * caller can give, on return the exact size of the block. It is larger than that only if the solver
	 * cannot do with less. Returns false if the solver does not support this state and aim. */
	bool (*estimate)(const struct game *, const struct state *, enum solve_aim, int threads,
			 double *seconds, size_t *bytes);
	/* Solves a state. Up to `threads` (1 .. THREADS_MAX) workers call it at once, each with its own number; one
	 * worker alone can finish the work. They share a block of at least the estimated size, aligned to
	 * 64 bytes. solver_clear() must have prepared the block; its other bytes may have any content. So a block can be reused,
	 * also for another state or aim; results of an earlier solve may help if the block had the same
	 * size then. Returns when the state is solved or control stops it; control is checked every
	 * millisecond. A unit of work is a position. */
	void (*work)(const struct game *, const struct state *, enum solve_aim, void *block,
		     size_t bytes, int worker, int threads, struct control *);
	/* Reads the solution after all workers have returned. Returns false if they were stopped before
	 * they reached the aim. The solution then holds what is proven so far, with count 0 if nothing is. */
	bool (*result)(const struct game *, const struct state *, const void *block,
		       struct solution *);
	/* Where positions may not repeat: tells the solver an earlier position of the game, after the start of
	 * the block was cleared and before the workers start. Returns false if there is no room for it. NULL: the
	 * solver solves positions without a past only. */
	bool (*add_past)(const struct game *, void *block, const struct state *earlier);
	/* Bytes at the start of the block that must be zero, 0: SOLVER_CLEAR. */
	size_t clear;
	/* Solving is instant with at most this many empty squares. The clock budget ignores those moves. 0:
	 * unknown. */
	int quick;
	/* Returns the same solver with a kernel that this processor must support, for checks. Memory layout and
	 * results are the same for all kernels. NULL: the solver always uses kernel_used(). */
	const struct solver *(*with_kernel)(enum kernel);
};

/* Prepares a block for solver.work. */
static inline void solver_clear(const struct solver *s, void *block, size_t bytes)
{
	size_t clear = s->clear ? s->clear : SOLVER_CLEAR;
	memset(block, 0, bytes < clear ? bytes : clear);
}

/* The result of a search one step deep. */
struct best {
	move_t step;
	bool final; /* the value is exact: it does not depend on an evaluation */
	int value;  /* for the side to choose, in hundredths of a point */
};

/* A rectangle of the board. Row 0 is the top row. */
struct area {
	int row, col;   /* its top left square */
	int rows, cols; /* 0 rows: there is none */
};

enum board_kind {
	BOARD_SQUARES,       /* stones lie between the lines */
	BOARD_INTERSECTIONS, /* lines run through all points; stones lie where they cross */
	BOARD_HOLES,         /* stones lie in holes; there are no lines */
	/* Stones lie in hexagons. Each row is half a hexagon further right than the row above it, so the neighbours of
	 * (row, col) are the four orthogonal squares, (row-1, col+1) and (row+1, col-1). */
	BOARD_HEXAGONS,
};

enum board_color { BOARD_GREEN, BOARD_WOOD, BOARD_PAPER, BOARD_BLUE };

/* How pages draw the board and take moves. All zero: squares on green. No rule depends on it. */
struct layout {
	enum board_kind kind;
	enum board_color color;
	bool pen; /* the sides write X and O instead of placing stones; people call them so */
	/* A stone falls down its column: any square of a column stands for the only move there. */
	bool falls;
	/* Black joins the top and the bottom side of a rhombus of hexagons, White the left and the right one: the sides
	 * have these colours. */
	bool joins;
	/* The size of the blocks that gaps separate; 0: there are no gaps. */
	int block_rows, block_cols;
	/* Returns true if the board has a dot there. With intersections that is the point itself, with squares
	 * the top left corner of the square. Boards of holes have none. NULL: there are no dots. */
	bool (*dot)(const struct game *, int row, int col);
};

/* What is known of a step before any playout: it counts as so many playouts with this mean result, -1 .. 1, for the side
 * that makes it. */
struct hint {
	float playouts, mean;
};

/* What happened in a playout. */
struct trace {
	/* The step codes that each side made before the other one did, as bit sets. */
	uint64_t made[2][GAME_CODES_MAX / 64];
	/* Who owns each square at the end: 1 Black, -1 White, 0 nobody. Index row*cols+col. */
	int8_t owner[GAME_SQUARES_MAX];
};

#define SYMMETRIES_ALL 0xfeu /* of a square board */

struct game {
	/* --- identity --- */

	const char *name;  /* for --game, lower case */
	const char *title; /* spelling of GTP clients, one word: "Othello" */
	const char *alias; /* other accepted names, separated by blanks, or NULL */
	/* The name of the rule set. Tables that differ only in rules or size share `name`. */
	const char *rules;
	/* The tables of all sizes of the board, NULL-terminated, the default size first. NULL: there is one size. */
	const struct game *const *sizes;
	/* Private to the functions below: what tells this table from others with the same functions. */
	const void *data;
	/* How to play, for people: rules, end, notation. Plain ASCII lines of at most GAME_GUIDE_LINE
	 * characters, each with its line feed. */
	const char *guide;
	/* The Elo of levels 1 to LEVEL_MAX (engine/search/level.h), measured by tools/experiments levels. NULL: unknown. */
	const int16_t *ratings;
	const char *search; /* name of the default search: the strongest one in equal time */
	/* Defaults of the options of mcts with playouts; exploration 0: that of most games. */
	double exploration, rave;
	int expansion; /* visits before a leaf gets children; 0: 1 */
	double proving; /* union: df-pn nodes per simulation; 0: that of most games. Less where a node costs more */
	/* Capital letters of the turns in the text of a move; letter i is step rows*cols + i. Each area, in a
	 * corner of the board, has two: first counter-clockwise. describe() tells the area. NULL: no turns. */
	const char *turns;
	struct layout layout;
	int sgf_gm; /* number of the game in SGF (GM); 0: it has none */
	bool sgf_own; /* SGF writes the moves of a game with a number in its own notation, not in two letters */
	const char *ggf_gm; /* name of the game in GGF (GM), which NBoard uses; NULL: it has none */
	const char
		*kata_rules; /* for clients of Go: the rules as KataGo's JSON object; NULL: none */
	/* Other names of the same rules in the property RU of SGF, separated by blanks. NULL: none. */
	const char *rules_names;

	/* --- limits and flags --- */

	int rows, cols;
	int size; /* the number that players call the size of the board; 0: they name rows and columns */
	int moves_max;   /* step codes are 0 .. moves_max-1 */
	int choices_max; /* most steps in one state */
	int length_max;  /* most steps from the start of a game to its end; 0: there is no limit */
	/* Whole moves of a usual game between good players, for the division of the clock. 0: the board is filled. */
	int usual_length;
	int score_max;    /* largest |score|; 1 if only the result counts */
	bool half_points; /* scores count half points: a score of 13 is 6.5 points */
	/* A win is the better the sooner it comes, for exact solvers only: see game_worth(). Each move fills one square. */
	bool speed;
	bool no_draws;    /* no game ends in a draw */
	int in_a_row;     /* length of a row that can end the game; 0: rows do not count */
	bool goes_up;     /* row 1 of the notation is the bottom row; otherwise it is the top row */
	bool skips_i;     /* the letters of columns skip I, as Go's do */
	int steps_max;    /* most steps of a move, 1 .. MOVE_STEPS_MAX; 1: no state is pending */
	const char *unit; /* unit of the score, plural; NULL: only the result counts */
	move_t pass;      /* step code of a pass; MOVE_NONE if the game has no pass */
	bool may_pass; /* a side may pass although it has other steps; otherwise a pass is forced */
	/* A move may leave as many squares empty as before, or more: it moves or captures stones. Otherwise each move but a
	 * pass or swap leaves fewer. */
	bool frees_squares;
	move_t swap; /* step code of the swap; only read if there is set_swap */

	/* --- required functions; only init, playout, describe and on_board may be NULL --- */

	/* Fills the lookup tables, for the kernel in use (engine/base/kernel.h). Games that share tables have one
	 * `init`. Called before any other function. NULL: there are no tables. */
	void (*init)(const struct game *);
	void (*start)(const struct game *, struct state *);
	/* Sets up a position: rows*cols squares of 'X', 'O' and '.', or ':' off the board, row by row from the top
	 * left, and the side to move. Returns NULL, or the reason why the board is refused; the state is then undefined. */
	const char *(*setup)(const struct game *, struct state *, const char *squares, int side);
	/* Lists the legal steps of a state that is not over, in a fixed order. Returns their number, >= 1. */
	int (*moves)(const struct game *, const struct state *, move_t *);
	/* Plays a legal step. */
	void (*play)(const struct game *, struct state *, move_t);
	/* Plays random steps to the end and returns Black's score. The state may be pending or over. Each legal
	 * step is equally likely, unless the game says otherwise. NULL: game_playout_generic() does it. */
	int (*playout)(const struct game *, const struct state *, struct rng *);
	/* Reads the text of a move other than a pass or swap, in upper or lower case. The state must be neither over
	 * nor pending. MOVE_OK: the move is set and legal. */
	enum move_check (*parse)(const struct game *, const struct state *, const char *text,
				 struct move *);
	/* Says why the rules forbid a side a stone on an empty square, as "Black may not make two fours". NULL: they do not. The
	 * state is neither over nor pending; the step is row*cols+col. NULL: there is no such rule. */
	const char *(*ban)(const struct game *, const struct state *, move_t step);
	/* Writes a legal move other than a pass or swap, in upper case: the names of its squares in the order in which a
	 * player touches them (engine/rules/square.h), then the letter of its turn: "D3", "A2B3", "C3T". Every legal move
	 * has another text. */
	void (*format)(const struct game *, const struct state *, struct move,
		       char text[MOVE_TEXT_MAX]);
	/* Describes the second step of a move for people. Returns a text such as "turned the top left quadrant
	 * clockwise" and the area that the step changed. NULL: moves have one step. */
	const char *(*describe)(const struct game *, move_t step, struct area *);
	/* The content of a square: 'X', 'O' or '.', or ':' if it is not on the board. Row 0 is the top row. */
	char (*at)(const struct game *, const struct state *, int row, int col);
	/* Returns true if a square of the rectangle is on the board. NULL: all are. */
	bool (*on_board)(const struct game *, int row, int col);
	/* Returns true if every invariant holds. Slow; for asserts and tests. */
	bool (*valid)(const struct game *, const struct state *);

	/* --- batched playouts: faster playouts in mcts. Without them mcts plays one game at a time. --- */

	/* Plays GAME_PLAYOUTS games at once. Each gives the score of game_playout_generic() with its own
	 * generator, seeded by the next number of `rng`. */
	void (*playouts)(const struct game *, const struct state *, struct rng *,
			 int8_t scores[GAME_PLAYOUTS]);

	/* Plays like `playout` and describes the game. The state is not over. NULL: the generic playout does it. */
	int (*trace)(const struct game *, const struct state *, struct rng *, struct trace *);
	/* Plays a game in which each side often answers the other's last step by a good one, and describes it. `last` is
	 * the step that led to the state, or MOVE_NONE. The state is not over. NULL: the game knows no good
	 * steps. */
	int (*guided)(const struct game *, const struct state *, move_t last, struct rng *,
		      struct trace *);
	/* Hints for some legal steps of a state. `last` is as above. NULL: nothing is known of steps. */
	void (*hints)(const struct game *, const struct state *, move_t last, const move_t *steps,
		      int count, struct hint *out);
	/* Chooses a step of a generic playout. NULL: all legal steps are equally likely. */
	move_t (*choose)(const struct game *, const struct state *, struct rng *);

	/* --- turns, komi, swap and repetition: without them the rules have no such thing --- */

	/* Gives the turn to a side without a pass, and goes on with a game that has ended by passes. */
	void (*set_turn)(const struct game *, struct state *, int side);
	/* The points that White gets at the end, in half points. Komi is part of the position's key. set_komi
	 * returns false, and changes nothing, if the value is too large. */
	bool (*set_komi)(const struct game *, struct state *, int half_points);
	int (*komi)(const struct game *, const struct state *);
	/* Allows or forbids the swap: instead of the game's second move White may take over Black's first one. It is part
	 * of the position's key as long as it may come. Once it cannot, nothing changes. `start` and `setup` forbid it. */
	void (*set_swap)(const struct game *, struct state *, bool allowed);
	/* The key of the position after a step, or of the state itself for MOVE_NONE. A step that leads to an
	 * earlier key of the same game is illegal (Go's superko). 0: the step may always be played, as a pass;
	 * one such step must be legal in every state. moves() does not know it; record_moves() does. */
	uint64_t (*repeat_key)(const struct game *, const struct state *, move_t);

	/* How often a position, with its side to move, must occur to end the game as a draw (Lines of Action: 3). A state
	 * cannot know; the record does. Moves must have one step. 0: positions may occur any number of times. */
	int repeat_limit;

	/* A step to an earlier position is not illegal for searches that prove results: it ends the game as a draw. */
	bool repeat_draws;

	/* --- goals: results of a part of the board --- */

	/* Begins the goal of capturing the stones on a square, row*cols+col with row 0 at the top, as a game of its
	 * own: returns its rules and sets *goal. The side of the stones defends them. Both sides play only on
	 * the `count` squares of `area`, or pass; count 0: the game finds an area that makes the result true for the
	 * whole board. *goal is over if nothing is left to play. Returns NULL, with the reason in *why, if there is
	 * no such goal. NULL: the game has no such goals. */
	const struct game *(*capture)(const struct game *, const struct state *, int square,
				      const int *area, int count, struct state *goal,
				      const char **why);
	/* For a goal whose draw decides nothing: the same goal in rules without such draws, which take longer. NULL:
	 * a draw is a result. */
	const struct game *(*decide)(const struct game *, const struct state *,
				     struct state *exact);

	/* --- handicap --- */

	/* The squares of a handicap of `count` >= 2 stones of Black, row*cols+col with row 0 at the top. Returns
	 * their number, which is smaller if the board has no place for so many, and 0 if it has for none. NULL:
	 * the game has no handicap. */
	int (*handicap)(const struct game *, int count, int squares[GAME_SQUARES_MAX]);

	/* --- threats: searches see a win and its answers. Without them they play the steps. --- */

	/* Returns true if the side to choose can win before the other side moves again, with the next step or
	 * the next two. The state must not be over. Searches also ask whether the side that is not to move
	 * threatens to win: they exchange `side` in a copy of a state that is not pending. The copy keeps its
	 * hash, and such a position need not occur in a game. The answer must be right for it too. */
	bool (*wins)(const struct game *, const struct state *);
	/* Lists the steps that are not known to lose at once, in the order of moves(). Returns their
	 * number, >= 0. The side to choose must have no immediate win, and `side` must not be exchanged.
	 * After a step that is missing here the other side wins with its next move, whatever step completes
	 * this move. Required with `wins`. */
	int (*safe)(const struct game *, const struct state *, move_t *);
	/* Returns the result of perfect play if a rule of the game proves it without a search: 1 Black wins, -1 White
	 * wins; else 0. The state is neither over nor pending. Searches ask it of the positions behind the root. NULL:
	 * there is no such rule. */
	int (*decided)(const struct game *, const struct state *);

	/* Looks for a win by force that takes more moves, with about `work` positions. If the side to choose has one, sets
	 * *won and writes its first step. Otherwise lists the steps that are not known to lose, in the order of
	 * moves(): if the other side threatens such a win, only those that may parry it. Returns the number of steps.
	 * All of it is proven. The state must be neither over nor pending; `side` must not be exchanged. NULL: the
	 * game has no such search. */
	int (*forced)(const struct game *, const struct state *, int work, move_t *steps,
		      bool *won);
	int forced_work; /* the default of the option `forced` */
	int forced_visits; /* visits at which mcts asks it of a node; 0: 16. With a network for any board: the first */

	/* Lists steps of which one is as good as any, in the order of moves(), and returns their number. Returns 0 and sets
	 * *winner, 1 Black or -1 White, if it knows who wins. The state must be neither over nor pending, and may be any. It
	 * may take long: df-pn asks once for each position that it expands. NULL: every step may be the best one. */
	int (*relevant)(const struct game *, const struct state *, move_t *, int *winner);

	/* Improves df-pn's estimate of each side's effort to win a state that is not over: the least number of
	 * positions to settle, 1 .. 10^8. `efforts` holds the estimate by the number of steps. NULL: that one
	 * is used. */
	void (*outlook)(const struct game *, const struct state *, uint32_t efforts[2]);

	/* --- words: what people see on the board. Without it only threats and results have words. --- */

	/* Adds facts about a legal move, or for move_none() about the position (engine/rules/fact.h). The state must be neither
	 * over nor pending. Every fact must be true by the rules. */
	void (*facts)(const struct game *, const struct state *, struct move, struct facts *);

	/* --- evaluation: alphabeta sees beyond its depth. Without it only the ends of games have values. --- */

	/* Black's expected final score, in hundredths of a point. The state must be neither over nor
	 * pending. */
	int (*eval)(const struct game *, const struct state *);
	/* Searches one step deep: finds the step with the best value for the side to choose. A value is the
	 * final score, or else eval() clipped to -most .. most. The state must be neither over nor pending.
	 * best->step is tried first if it is legal. A value of `beta` or more is a cutoff. Returns the
	 * number of steps evaluated, or 0 if the side must pass or has more than `room` steps. NULL:
	 * searches evaluate the steps one by one. */
	int (*best)(const struct game *, const struct state *, int beta, int most, int room,
		    struct best *best);
	/* Standard deviation, in hundredths of a point, of the difference between the values of two
	 * searches with eval(), of depth `shallow` and `deep` > shallow, in moves. NULL: unknown, so
	 * alphabeta does not use Multi-ProbCut. */
	int (*deviation)(const struct game *, const struct state *, int shallow, int deep);
	/* The learned weights of `eval`, for tools/train. NULL: `eval` has no patterns. */
	struct patterns *patterns;

	/* --- evaluator: mcts evaluates leaves (evaluation/evaluator.h). Without it mcts uses playouts. --- */

	const struct evaluator *evaluator;
	int evaluator_cost; /* a simulation with it takes so many times the work of one without; 0: as much */

	/* --- solver: exact play near the end. Without it searches alone prove results. --- */

	const struct solver *solver;

	/* --- book: quick and varied openings. Without it searches choose all moves. --- */

	/* The file that tools/book wrote (engine/rules/book.h). */
	const void *book;

	/* --- names of openings: without them no opening has a name --- */

	/* The text (engine/rules/opening_name.h). Its game needs `stones`, and text moves of two characters. */
	const char *names;

	/* --- stones and symmetry: for books and for training. Without them a game can have neither, and no
	 * position stands for its mirror images. --- */

	/* The stones of Black and White as bit sets; bit row*cols+col, row 0 at the top. */
	void (*stones)(const struct game *, const struct state *, uint64_t set[2]);
	/* The symmetries of the rules: bit i is set for symmetry i, 1 .. 7. The bits of i say what it does:
	 * exchange rows and columns (4), then reverse the columns (2) and the rows (1). */
	unsigned symmetries;
	/* Maps a step by one of them. Required with `symmetries`. */
	move_t (*mirror)(const struct game *, move_t, int symmetry);
	/* The symmetry by which White's board looks like Black's, where the sides play in different directions; 0: none is
	 * needed. `mirror` maps it, too. */
	unsigned view;
	/* What the network for any board sees besides the stones: for each square, row by row, GAME_SIGNS bits for what the
	 * stones do not tell, or what its layers hardly find. A symmetry of the board carries them along. NULL: nothing. */
	void (*signs)(const struct game *, const struct state *, uint8_t signs[GAME_SQUARES_MAX]);
	/* What the signs cannot show: is added to a network's value for the side to move, before tanh. NULL: nothing. */
	float (*surplus)(const struct game *, const struct state *);
	/* Lines of stones matter: the network for any board sees each square's lines (engine/evaluation/lines.h). */
	bool lines;
	/* Sets the owner of each square at the end of a game, row by row: 1 Black, -1 White, 0 nobody. The network learns it, so
	 * that a game teaches more than who won. NULL: squares have no owners. */
	void (*owners)(const struct game *, const struct state *, int8_t owners[GAME_SQUARES_MAX]);
};

/* The hash of board[0], board[1] and side. play() must store it in state.hash. */
static inline uint64_t state_hash(const struct state *s)
{
	uint64_t h = (s->board[0] + s->side) * 0x9e3779b97f4a7c15u;
	h = (h ^ (h >> 29) ^ s->board[1]) * 0xbf58476d1ce4e5b9u;
	h = (h ^ (h >> 32)) * 0x94d049bb133111ebu;
	return h ^ (h >> 31);
}

/* Returns true if two states of one game are the same position with the same pending step. */
static inline bool state_equal(const struct state *a, const struct state *b)
{
	return a->hash == b->hash && a->board[0] == b->board[0] && a->board[1] == b->board[1] &&
	       a->side == b->side;
}

/* Returns true if what may happen in a position depends on earlier positions of the game. */
static inline bool game_repeats(const struct game *g)
{
	return g->repeat_key || g->repeat_limit;
}

/* The key by which the record compares the position with others. 0 where positions may repeat. The hash alone adds the
 * side to a word, so it is not enough. */
static inline uint64_t game_key(const struct game *g, const struct state *s)
{
	if (g->repeat_key)
		return g->repeat_key(g, s, MOVE_NONE);
	uint64_t key = s->side == BLACK ? s->hash : ~s->hash * 0x9e3779b97f4a7c15u;
	return g->repeat_limit ? key | !key : 0;
}

/* 1 for Black, -1 for White: converts between Black's values and those of a side. */
static inline int side_sign(int side)
{
	return side == BLACK ? 1 : -1;
}

static inline int score_sign(int score)
{
	return (score > 0) - (score < 0);
}

/* Compares all four steps at once. */
static inline bool move_equal(struct move a, struct move b)
{
	return memcmp(a.step, b.step, sizeof a.step) == 0;
}

static inline struct move move_none(void)
{
	return (struct move) { { MOVE_NONE, MOVE_NONE, MOVE_NONE, MOVE_NONE } };
}

static inline struct move move_single(move_t step)
{
	return (struct move) { { step, MOVE_NONE, MOVE_NONE, MOVE_NONE } };
}

/* A move of two steps; the second one may be MOVE_NONE. */
static inline struct move move_pair(move_t first, move_t second)
{
	return (struct move) { { first, second, MOVE_NONE, MOVE_NONE } };
}

/* The move of the first `count` steps of another one and a step after them. */
static inline struct move move_append(struct move m, int count, move_t step)
{
	m.step[count] = step;
	for (int i = count + 1; i < MOVE_STEPS_MAX; i++)
		m.step[i] = MOVE_NONE;
	return m;
}

/* The number of steps of a move. */
static inline int move_steps(struct move m)
{
	int count = 0;
	while (count < MOVE_STEPS_MAX && m.step[count] != MOVE_NONE)
		count++;
	return count;
}

/* Plays random steps with moves(), or with choose(), and play() to the end and returns Black's score. */
int game_playout_generic(const struct game *, const struct state *, struct rng *);

/* Plays a random game to its end and describes it, with `guided` or `trace` if the game has them. Returns Black's
 * score. */
int game_trace(const struct game *, const struct state *, struct rng *, struct trace *);

/* Return true if the game is not over and its step `pass` is legal (public for tests), or is the only legal step. */
bool game_can_pass(const struct game *, const struct state *);
bool game_must_pass(const struct game *, const struct state *);

/* Returns true if the side to move may swap (game.set_swap). */
bool game_can_swap(const struct game *, const struct state *);

/* Ends a game by passes if a side may pass at any time. Returns true if the game is then over. */
bool game_end(const struct game *, struct state *);

/* The work of `forced` at a node: `option`, or below 0 the game's own. 0: the game has no such search, or it is off. */
static inline int game_forced_work(const struct game *g, int option)
{
	return !g->forced ? 0 : option < 0 ? g->forced_work : option;
}

/* The number of simulations with the game's evaluator that take about the work of `simulations` without it. */
static inline int64_t game_evaluator_work(const struct game *g, int64_t simulations)
{
	return g->evaluator_cost ? simulations / g->evaluator_cost : simulations;
}

/* The root of a search gets n times the work of `forced`. */
#define GAME_FORCED_ROOT 64

/* Returns true if exact values tell more than the result: a margin, or how soon the game ends. */
static inline bool game_counts(const struct game *g)
{
	return g->unit || g->speed;
}

/* Converts a score to points. */
static inline double game_points(const struct game *g, double score)
{
	return g->half_points ? score / 2 : score;
}

/* Plays a random game to its end, with `playout` if the game has it. Returns Black's score. */
static inline int game_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	return g->playout ? g->playout(g, s, rng) : game_playout_generic(g, s, rng);
}

/* Finds the game with the same rules on a board of this size. Returns NULL if there is none. */
const struct game *game_sized(const struct game *, int rows, int cols);

/* The same by the number that players call the size: `size`, or the rows of a square board. */
const struct game *game_of_size(const struct game *, int size);

/* The longer side of the board. Clients that know only square boards draw the game on a board of this size. */
int game_size(const struct game *);

/* Returns true if a square, row*cols+col, is on the board. */
bool game_has_square(const struct game *, int square);

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

/* Lists the legal whole moves of a state that is neither over nor pending. Returns their number. */
int game_moves(const struct game *, const struct state *, struct move out[GAME_MOVES_MAX]);

/* Returns true if a whole move is legal in a state that is not pending. No move is legal if the game is
 * over. */
bool game_is_legal(const struct game *, const struct state *, struct move);

/* Reads a move as text, `pass`, `swap-pieces` and its short form `swap` included. If the game is over, only
 * `pass` (MOVE_PASS) is MOVE_OK. */
enum move_check game_parse(const struct game *, const struct state *, const char *, struct move *);

/* Says why the rules forbid the side to move a stone on the empty square that the text names (`ban` of struct game), or
 * returns NULL. */
const char *game_ban(const struct game *, const struct state *, const char *text);

/* The same for a square, row*cols+col, which may have a stone: then nothing but that forbids it. */
const char *game_ban_square(const struct game *, const struct state *, int square);

/* Writes the text of a legal move. */
void game_format(const struct game *, const struct state *, struct move, char text[MOVE_TEXT_MAX]);

/* Checks a setup in games where each move adds one stone to board[0] or board[1] in turn. Returns NULL, or
 * the reason why the stones do not fit the side to move. */
const char *game_check_stones(const struct state *, int side);

/* Longest position text: squares, a blank, the side, NUL. */
#define POSITION_TEXT_MAX (GAME_SQUARES_MAX + 3)

/* Reads a position, in upper or lower case. `squares` is one word: 'X', '*' or 'B' for Black, 'O' or 'W'
 * for White, '.', '-' or '_' for an empty square, ':' for a square off the board. `side` is one of the letters of a side,
 * or "black" or "white". Returns NULL, or the reason why the position is refused. */
const char *game_setup(const struct game *, struct state *, const char *squares, const char *side);

/* Writes the position in the format that game_setup reads: "SQUARES SIDE". */
void game_position(const struct game *, const struct state *, char text[POSITION_TEXT_MAX]);

/* Maps a square by a symmetry, 0 .. 7, as game.mirror does. 0 is the identity. */
int game_mirror_square(const struct game *, int square, int symmetry);

/* game.mirror of games whose steps are their squares, and a pass or swap, whose code is rows*cols. */
move_t game_mirror_step(const struct game *, move_t, int symmetry);

/* Finds the square where the stone of a move lies after the move; row 0 is the top row. It was empty before, or it had
 * a stone of the enemy. Where a move has several steps and the game begins with stones, it is that of the first step. The move
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
