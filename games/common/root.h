/* SPDX-License-Identifier: MIT
 *
 * The root of a solver that searches. Its workers share bounds of the scores of all moves of the position to solve.
 * They narrow them by questions: does the best move, or one of them, score at least so much? The first answer counts for
 * all. A worker defers a move that another worker is searching, so workers with the same question take different
 * moves (Kerrigan's simplified ABDADA). A worker whose question has an answer, at the root or for a position on its
 * path, unwinds to it.
 *
 * Scores are those of the side to move at the root.
 */
#ifndef GAMES_COMMON_ROOT_H
#define GAMES_COMMON_ROOT_H

#include <limits.h>
#include <stddef.h>

#include "engine/rules/solver.h"
#include "engine/search/common/control.h"
#include "games/common/busy.h"

#define ROOT_MOVES_MAX 62
#define ROOT_PHASES    4
#define ROOT_ALL       (-1) /* the best of all moves */
#define NO_UNWIND      INT_MAX

struct root_bounds {
	int least, most;
};

/* Bounds as distances from the worst and from the best score. */
struct root_distances {
	uint8_t raised, lowered;
};

/* What the workers share, at the start of the solver's block. Initially zero, except `busy`: what it says only changes the
 * order of the work. */
struct root_shared {
	atomic_int aim;
	/* A later phase finds more reliable bounds; those of the last one are proven. */
	_Atomic(struct root_distances) move[ROOT_PHASES][ROOT_MOVES_MAX];
	struct busy busy; /* positions that a worker is searching */
};
_Static_assert(sizeof(struct root_shared) <= SOLVER_CLEAR, "the start of the block is cleared");

struct root;

/* What a game tells its root. */
struct root_game {
	/* The least score of a win, which is all that SOLVE_RESULT tells. 0: solutions tell whatever is proven. */
	int win;
	int scale;      /* a score counts so many points, 1 or 2 */
	uint64_t claim; /* positions to claim at once: about 100 microseconds */
	/* Narrows the bounds of a move, or of the best move (ROOT_ALL), until root_is_known(). */
	void (*solve)(struct root *, int set);
	/* Asks if a move scores at least root->want, and records bounds of its score. Returns true if no other move must
	 * be asked. The result means nothing if the worker unwinds. */
	bool (*ask)(struct root *, int move);
	/* Returns true if the worker's question about the position at an index of its path has an answer by now. */
	bool (*is_answered)(const struct root *, int index);
};

/* A worker at the root. The first member of a game's worker. */
struct root {
	const struct root_game *game;
	struct root_shared *shared;
	struct control *control;
	enum solve_aim aim;
	int number, threads;
	int limit;      /* scores are -limit .. limit */
	int side, komi; /* the side to move, and the points that its score needs for a draw */
	int count;      /* number of moves */
	int rating[ROOT_MOVES_MAX];
	uint64_t hash[ROOT_MOVES_MAX]; /* of the positions after them */
	int order[ROOT_MOVES_MAX];     /* indices of the moves, best rating first */
	/* The question: does `set`, a move or ROOT_ALL, score at least `want`? `move` is being searched. */
	int phase, set, move, want;
	const uint64_t *nodes; /* number of positions searched so far */
	uint64_t claimed;      /* number of positions */
	uint64_t give_up;      /* at this number, gives the question up */
	uint64_t pause;        /* at this number, calls root_pause() */
	bool stopped;
	int depth;  /* length of the path of positions that other workers may search, too */
	int unwind; /* index in the path to return to, -1: the root, or NO_UNWIND */
};

/* The root of a position before its moves are added. */
static inline struct root root_of(const struct root_game *game, const struct state *s, int limit,
				  const void *block)
{
	return (struct root) {
		.game = game,
		.shared = (struct root_shared *)block,
		.limit = limit,
		.side = s->side,
		.give_up = UINT64_MAX,
		.unwind = NO_UNWIND,
	};
}

/* Adds a move. */
void root_add(struct root *, int rating, uint64_t hash);

/* The bounds of a move, or of the best move (ROOT_ALL), that a phase has found. */
struct root_bounds root_known_in(const struct root *, int phase, int set);

static inline struct root_bounds root_known(const struct root *r, int set)
{
	return root_known_in(r, r->phase, set);
}

/* Returns true if the bounds are equal, or, for `result`, tell who wins. */
bool root_is_known(const struct root *, int set, bool result);

/* Records bounds of a move. */
void root_learn(struct root *, int move, int least, int most);

/* Asks if a set scores at least `want`, the best move so far first. Returns true if a move has ended the question. */
bool root_ask(struct root *, int set, int want);

/* Records the score of a move that was asked: a lower bound if it is at least root->want, else an upper bound.
 * Returns true if it is a lower bound. Does nothing if the worker unwinds. */
bool root_answer(struct root *, int move, int score);

/* Claims more work. Sets root->unwind if the worker is stopped, if it gives its question up, or if the question has an
 * answer. */
void root_pause(struct root *);

/* Does the work of a worker, once the moves are added. `nodes` is its number of positions searched. */
void root_work(struct root *, enum solve_aim, int number, int threads, struct control *,
	       const uint64_t *nodes);

/* Lists the moves with their bounds. Returns true if the aim of the workers is reached. A solution then contains only what
 * the aim asks for. So it does not depend on which worker was first. */
bool root_result(const struct root *, const struct move *moves, struct solution *);

/* An estimate of the wall time: `work` of one thread, and fresh memory. */
static inline double root_seconds(double work, size_t bytes, int threads)
{
	const double a_byte = 3e-10, gain = 0.7; /* of each further thread */
	return a_byte * (double)bytes + work / (1 + gain * (threads - 1));
}

#endif
