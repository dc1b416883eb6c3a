/* SPDX-License-Identifier: MIT
 *
 * The inner loops of Pentago's exact solver (after Irving, "Pentago is a first player win"), compiled once for
 * each kernel, and the data that they share with pentago_solver.c. Only these two files include this header.
 *
 * A *deal* stands for a position in all its 4^4 turnings. So turning a quadrant does not change the empty
 * squares of a deal. Below a root with f empty squares a deal is a pair of disjoint sets of them: A, the
 * new stones of the side to move at the root (the first side), and B, those of the other (second) side. The
 * number of moves determines the parity of the turns, so 128 turnings are possible. A *plane* has a bit for
 * each.
 *
 * A *pass* answers one yes-or-no question for all deals: first, does the first side win; then, does it get
 * at least a draw. Slice j holds the deals with j+1 stones of the first side and j of the second side,
 * which is to move. A plane marks the turnings where the first side reaches the goal of the pass. Slice j
 * is computed from slice j+1, one *block* of equal A after another. The deals (A, B+y) between the two
 * slices need only the blocks A+x. They stay in the worker's cache and are never written to memory. Both
 * kinds of step are the same:
 *
 *     reached = won now | not lost now & (a stone that wins | turned(OR of the children's planes))
 *
 * where turned() applies every single turn to a set of turnings. The moves of the root are slice 0.
 */
#ifndef GAMES_PENTAGO_PENTAGO_DEALS_H
#define GAMES_PENTAGO_PENTAGO_DEALS_H

#include <stdatomic.h>

#include "games/pentago/pentago_solver.h"

/* Most empty squares. More would need more than BYTES_MAX of pentago_solver.c. */
#define FREE_MAX   23
#define SETS_MAX   12 /* most stones that one side adds */
#define PASSES     2
#define PHASES_MAX (1 + PASSES * SETS_MAX)
#define ALIGN      64

/* Bit r0 + 4 r1 + 16 r2 of word h: quadrant i is turned clockwise r_i times; r3 is 2h or 2h+1, by the
 * parity of the turns. */
typedef uint64_t plane __attribute__((vector_size(16), may_alias));
typedef uint64_t planes2 __attribute__((vector_size(32), may_alias, aligned(16)));
typedef uint64_t planes4 __attribute__((vector_size(64), may_alias, aligned(16)));

/* The line table of a set of one side's stones: a plane per parity with the turnings that have a line of
 * five. For TAJIMA it is the number of lines, in three bits: 18 stones have at most six lines. */
#define PARITIES   2
#define COUNT_BITS 3

/* Binomial coefficients [n][k], 0 for k > n. Filled by pentago_solver_init(). */
extern uint32_t pentago_choose[FREE_MAX + 2][FREE_MAX + 2];

struct round {
	int first, second;      /* stones in the deals of this slice */
	uint32_t blocks;        /* sets of the first side */
	uint32_t deals;         /* per block */
	uint32_t middle;        /* deals between a block and the previous slice, 0: none */
	uint32_t source;        /* deals per block of the previous slice, 0: no previous slice */
	uint32_t chunk, chunks; /* blocks per chunk, number of chunks */
	size_t lead;            /* planes from the start of the slice to that of the previous one */
	size_t start;           /* position in the ring, in planes */
};

/* Everything that depends on the state and the number of threads only. Each worker has its own copy. */
struct plan {
	enum rules rules;
	int free;
	int threads;
	uint64_t stones[2]; /* of the root: the side to move, the other side */
	uint64_t free_bit[FREE_MAX];
	int rounds; /* number of slices; round 0 is the last slice */
	struct round round[SETS_MAX];
	uint32_t sets[2][SETS_MAX + 2]; /* index of the first set of each size */
	uint32_t sets_end[2];
	uint32_t chunks; /* of the line tables */
	int stride;      /* planes per set in the line tables */
	size_t ring;     /* capacity in planes, without room for a block across its end */
	size_t tables_at, scratch_at, scratch_size, ring_at, bytes;
	double work; /* units, all passes */
};

struct counter {
	_Alignas(ALIGN) _Atomic uint32_t next;
	_Atomic uint32_t done;
};

/* The progress of a worker. Upper half: phase + 1. Lower half: a lower bound of the number of its chunk in
 * work. */
struct deals_worker {
	_Alignas(ALIGN) _Atomic uint64_t at;
};

/* At the start of the memory. The `workers` follow. */
struct shared {
	struct counter phase[PHASES_MAX];
	_Alignas(ALIGN) atomic_bool solved;
	plane first_move[PASSES][FREE_MAX];
};

/* A deal between two slices: the turnings where the first side fails, and where the second side's new stone
 * wins. */
struct middle {
	plane failed, placed;
};

/* The lower and the upper half of a set of squares. */
struct halves {
	uint16_t low, high;
};

/* The private data of a worker. In a block the second side's sets are sets of the squares outside A, which
 * are renumbered from 0. There is an edge for each square outside both sets. */
struct scratch {
	int prepared; /* the round whose tables are here, or -1 */
	int half;     /* squares in the lower half */
	struct halves *middle_sets, *deal_sets;
	uint32_t *middle_edges; /* byte offset in a source << 8 | index of the source */
	uint32_t *deal_edges;   /* index of a deal between the slices */

	/* For a block: the number of a set is the sum of the values of its halves. */
	uint32_t *low, *high_middle, *high_deal;
	/* For a block: the turnings where the first side wins with a stone outside a half. */
	plane *low_wins, *high_wins;
	struct middle *middle;
};

struct deals_task {
	struct plan plan;
	struct shared *shared;
	struct deals_worker *workers;
	plane *tables, *ring;
	struct scratch scratch;
	int worker;
	struct control *control;
};

/* The inner loops of a kernel. */
struct pentago_kernel {
	double seconds; /* per deal, at most */
	void (*tables)(const struct plan *, plane *tables, uint32_t from, uint32_t to);
	void (*blocks)(struct deals_task *, int round, int pass, uint32_t from, uint32_t to);
};

/* The inner loops for a kernel that this processor must support. */
const struct pentago_kernel *pentago_kernel(enum kernel);

/* Sets are numbered in colexicographic order. */
uint32_t set_rank(uint32_t set);
uint32_t set_unrank(uint32_t rank, int size);

/* The next set of the same size. */
static inline uint32_t set_next(uint32_t set)
{
	if (!set)
		return 0;
	uint32_t low = set & -set, up = set + low;
	return up | ((set ^ up) >> (2 + __builtin_ctz(low)));
}

#endif
