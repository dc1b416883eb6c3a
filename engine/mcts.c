/* SPDX-License-Identifier: MIT
 *
 * Monte Carlo tree search: UCT (Kocsis and Szepesvari, 2006) with proven results backed up as bounds
 * (Winands' MCTS-Solver, 2008, in the score-bounded form of Cazenave and Saffidine, 2010). Where the game
 * has a network or an evaluation, that judges the leaves and PUCT chooses by its priors (Silver et al., 2017);
 * evaluations are also backed up by minimax, and selection looks at both (implicit minimax backups,
 * Lanctot et al., 2014).
 *
 * The tree lies in one block as an arena of 8-byte units. The children of a node are one block of it: a
 * header and then the nodes, so that selection reads memory in a row. Parent and block know each other,
 * so blocks can be moved and dropped one by one.
 *
 * The blocks stand in a ring, and new ones come behind the last. When little room is left the first are passed: those
 * whose parents have had fewer visits than a bar, and those of parents that were dropped, make room; the others
 * move behind the last. What is dropped costs no more visits than the bar to be found again, and a leaf gets
 * children when it has had as many. The bar follows from how much of the last round was kept, so that
 * each round keeps about half of the tree, and the tree goes on growing where it is visited most. Rounds are
 * made in slices of some milliseconds, between which the search goes on; in a slice no worker is in the tree.
 *
 * All workers share the tree without locks. Statistics and proofs are atomics: visits and points change
 * together in one word, proofs only ever gain bits, a block is published by one release store. A
 * worker on its way down has already counted its visit as lost for whoever chose it (virtual loss,
 * Chaslot et al., 2008), which sends the others elsewhere; where the tree is crowded it does so for a handful of
 * simulations at once, and goes that way for all of them. A tree leaf never rests in the middle of
 * a move, so the line to answer with is made of whole moves.
 *
 * A node's own statistics and proof are what those above it choose by. A search that begins at the node gives
 * it visits which nobody above has chosen, and one of some moves only spreads them as it must: what that
 * changes at the root and next to it is put back before the next search. Below, everything stays true.
 */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/algorithm.h"
#include "engine/dfpn.h"
#include "engine/judge.h"
#include "engine/memory.h"

/* Proven bounds of Black's result r, as bits so that proving is one fetch_or. */
enum { LOWER_DRAW = 1, LOWER_WIN = 2, UPPER_DRAW = 4, UPPER_LOSS = 8 };
#define LOWER_BITS  (LOWER_DRAW | LOWER_WIN)
#define UPPER_BITS  (UPPER_DRAW | UPPER_LOSS)

#define PROVEN_WIN  (LOWER_DRAW | LOWER_WIN)
#define PROVEN_DRAW (LOWER_DRAW | UPPER_DRAW)
#define PROVEN_LOSS (UPPER_DRAW | UPPER_LOSS)

struct node {
	/* Visits in the upper bits; in the lower ones the points of Black, WON for a win. */
	_Atomic uint64_t stats;
	/* What selection looks at, derived from stats: BIAS + the mean result -1 .. 1 of who chooses
	 * this node, or DEAD if it should not be visited any more, or BANNED if it must not be; and
	 * 1/sqrt(visits), or 0. With a judge prior/(1 + visits) instead. */
	_Atomic float mean, width;
	_Atomic uint32_t children; /* unit of the block of children, or NO_CHILDREN, or EXPANDING */
	/* Proven bounds, and in the upper bits how much df-pn has worked here. */
	_Atomic uint8_t proof;
	uint8_t count; /* of children */
	uint8_t step;  /* that leads here */
	uint8_t place; /* in its block */
	/* With a judge: how likely it is to be chosen; the result for Black that it expected here, or by
	 * minimax of what it expected below. */
	float prior;
	_Atomic float best;
};

struct block {
	uint32_t parent; /* unit of the node that these are the children of, or NO_PARENT */
	uint8_t count;   /* nodes that follow, or TO_END */
	bool second;     /* they are second steps of moves */
	/* The round in which it was last asked whether the block is below the root, and whether it was not. */
	uint8_t round;
	bool garbage;
};

typedef uint64_t unit;
#define NODE_UNITS  (sizeof(struct node) / sizeof(unit))
#define BLOCK_UNITS (sizeof(struct block) / sizeof(unit))
_Static_assert(sizeof(struct node) == NODE_UNITS * sizeof(unit), "nodes fill whole units");
_Static_assert(sizeof(struct block) == BLOCK_UNITS * sizeof(unit), "headers fill whole units");

enum { NO_CHILDREN, EXPANDING, ORIGIN = 2, FIRST_BLOCK = ORIGIN + NODE_UNITS };
#define NO_PARENT        0         /* of a block that nobody needs */
#define TO_END           UINT8_MAX /* no nodes: from here to the end of the arena nothing is used */

/* Units passed at a time, when fewer than these, or a part of the arena, are left: room for what all workers add
 * before they look again. */
#define SLICE_UNITS      ((uint32_t)1 << 18)
#define RESERVE_PART     8
/* Units to pass for a playout where there is no hurry. */
#define UNITS_PAID       64
/* What is proven is not visited any more, and found again with a part of the visits. */
#define PROVEN_PART      4

/* Points of one visit: fine enough for what a judge says, which is rounded at random. */
#define DRAWN            4
#define WON              (2 * DRAWN)
#define VISITS_SHIFT     34
#define ONE_VISIT        ((uint64_t)1 << VISITS_SHIFT)
#define POINTS_SET       (ONE_VISIT - 1)
/* So many playouts in one tree end the search; half as many, and the next begins a new one. No node is visited
 * more often, so its statistics stay in range. */
#define VISITS_MAX       (((uint64_t)1 << 30) - (1 << 20))
/* With the bias all means but DEAD are positive: the bits of positive floats are ordered like integers. */
#define BIAS             4.0f
#define DEAD             (-1.0f)
#define BANNED           (-0.5f) /* as an integer the least: the dead come before it */
#define PATH_MAX_LEN     256
/* Nodes that have had so many simulations are crowded: if workers went through them one simulation at a time, their
 * processors would pass them to and fro all the time. A worker chooses its way through them for a handful of
 * simulations, which it counts as lost at once, so that the others go elsewhere, and brings the results
 * together. */
#define CROWD            256
#define HANDFUL          16
#define JUDGED_BATCH     16 /* a claim with a judge, which may take longer than a playout */
#define ROUNDS_TO_SETTLE 16 /* claims between two looks whether the leader can still be caught */

/* Units that the children of a node, and the whole moves of a position, take at most; these with what may stay free
 * before the end of the arena. */
#define BLOCK_UNITS_MAX  (BLOCK_UNITS + NODE_UNITS * GAME_STEPS_MAX)
#define ROOT_UNITS                                                                                 \
	(BLOCK_UNITS_MAX + GAME_STEPS_MAX * BLOCK_UNITS + NODE_UNITS * GAME_MOVES_MAX +            \
	 BLOCK_UNITS_MAX)

#define NOISE_SHAPE 0.3f

#define LOG_SHIFT   17
#define LOG_ENTRIES (32 << (23 - LOG_SHIFT))

struct mcts {
	/* sqrt(ln n) and 1/sqrt(n) by the leading bits of n as a float: exact to 127, within 1 %
	 * beyond. */
	float sqrt_log[LOG_ENTRIES], inverse_sqrt[LOG_ENTRIES];

	unit *arena;
	size_t size;    /* bytes of the arena */
	uint32_t units; /* usable units */
	uint32_t first; /* unit of the first block in the ring */
	uint32_t root;  /* the node of the position to search */

	/* Visits that a leaf must have had to get children, and a node to keep them. */
	uint64_t bar;
	bool full; /* once; since then the bar rises */
	uint8_t round;
	uint32_t to_pass; /* units in this round, yet */
	uint32_t garbage; /* units of them that are above the root, about */
	/* Units of the round so far, and those kept. */
	uint64_t passed, kept;
	uint64_t paid; /* playouts when the last slice was passed */

	const struct game *game; /* NULL: there is no tree */
	bool proven, judged;     /* with proofs in it; with priors */
	bool noisy;              /* with noise in the priors of the origin */
	uint64_t earlier;        /* playouts of earlier searches in it */
	struct state origin;     /* the position of the node at unit ORIGIN */

	const struct task *task;
	struct state position; /* at the root */
	/* What to put back when this search is over, parents before their children. */
	int saved_count;
	struct saved {
		uint32_t node;
		uint64_t stats;
		float mean, width, best;
		uint8_t proof;
		bool restricted; /* the proof too, because some of its children are banned */
	} saved[1 + GAME_STEPS_MAX + GAME_MOVES_MAX];
	float exploration; /* for results from -1 to 1 */
	float first_play;  /* mean of an unvisited child, with its bias */
	bool judges;       /* by `judge` */
	uint64_t at_once;  /* playouts from a leaf */
	float minimax;     /* weight of a node's best in what selection looks at, 0 .. 1 */
	bool looks;        /* whether a leaf's side wins at once */
	bool wins;         /* the side at the root does; no search needs to find that out */
	void *prover;      /* df-pn; NULL: none */
	struct judge judge;
	int64_t started; /* when the lead began to work; the lead's */

	/* What workers write stands apart in memory from what they all read. */
	char apart[64];
	_Atomic uint32_t used;   /* units of the ring, with those free at the end of the arena */
	_Atomic int inside;      /* workers in the tree */
	_Atomic bool collecting; /* or about to: none may enter */
	_Atomic int depth;       /* whole moves to the deepest leaf */
	_Atomic uint64_t playouts;
};

/* One thread's. */
struct worker {
	struct rng rng;
	uint64_t ripe; /* visits that a leaf must have had to get children */
	/* The way of the simulation: its nodes, the side that chose each, and what that was given on the way
	 * down and has not yet earned. */
	struct node *path[PATH_MAX_LEN];
	uint8_t chooser[PATH_MAX_LEN];
	uint64_t counted[PATH_MAX_LEN];
	/* The first nodes of the way are crowded; that many simulations more begin at the last of these. */
	int crowd, left;
	struct state state; /* there */
	int depth;          /* whole moves to there */
	int last;           /* of the way, when the simulation is over */
	bool proved;        /* something on it */
	double credit;      /* df-pn's nodes that are due, */
	double wanted;      /* and how many of them it waits for */
};

static struct node *node_at(const struct mcts *m, uint32_t unit_index)
{
	return (struct node *)(void *)(m->arena + unit_index);
}

static struct block *block_at(const struct mcts *m, uint32_t unit_index)
{
	return (struct block *)(void *)(m->arena + unit_index);
}

static uint32_t unit_of(const struct mcts *m, const struct node *n)
{
	return (uint32_t)((const unit *)(const void *)n - m->arena);
}

static struct node *block_nodes(const struct mcts *m, uint32_t block)
{
	return node_at(m, block + (uint32_t)BLOCK_UNITS);
}

static struct node *children_of(const struct mcts *m, const struct node *n, int *count)
{
	uint32_t block = atomic_load_explicit(&n->children, memory_order_acquire);
	*count = block < FIRST_BLOCK ? 0 : n->count;
	return block < FIRST_BLOCK ? NULL : block_nodes(m, block);
}

static uint64_t stats_of(const struct node *n)
{
	return atomic_load_explicit(&n->stats, memory_order_relaxed);
}

static uint64_t visits_of(const struct node *n)
{
	return stats_of(n) >> VISITS_SHIFT;
}

static float best_of(const struct node *n)
{
	return atomic_load_explicit(&n->best, memory_order_relaxed);
}

static uint8_t proof_of(const struct node *n)
{
	return atomic_load_explicit(&n->proof, memory_order_relaxed) & (LOWER_BITS | UPPER_BITS);
}

static bool is_resolved(uint8_t proof)
{
	return (proof & LOWER_WIN) || (proof & UPPER_LOSS) || (proof & PROVEN_DRAW) == PROVEN_DRAW;
}

static int lower_of(uint8_t proof)
{
	return proof & LOWER_WIN ? 1 : proof & LOWER_DRAW ? 0 : -1;
}

static int upper_of(uint8_t proof)
{
	return proof & UPPER_LOSS ? -1 : proof & UPPER_DRAW ? 0 : 1;
}

static uint64_t points_of_result(int result)
{
	return (uint64_t)(result + 1) * DRAWN;
}

static uint8_t proof_of_result(int result)
{
	return result > 0 ? PROVEN_WIN : result < 0 ? PROVEN_LOSS : PROVEN_DRAW;
}

static int sign_of_side(int side)
{
	return side == BLACK ? 1 : -1;
}

/* Whether `side`, choosing at a node with proof `parent`, cannot gain by a child with proof `child`. */
static bool is_dead(uint8_t child, uint8_t parent, int side)
{
	if (side == BLACK)
		return (child & UPPER_LOSS) || ((child & UPPER_DRAW) && (parent & LOWER_DRAW));
	return (child & LOWER_WIN) || ((child & LOWER_DRAW) && (parent & UPPER_DRAW));
}

static void set_mean(struct node *n, float mean, float width)
{
	atomic_store_explicit(&n->mean, mean, memory_order_relaxed);
	atomic_store_explicit(&n->width, width, memory_order_relaxed);
}

/* With a judge: what selection looks at in an unvisited child. */
static void set_hope(struct node *n, int chooser)
{
	set_mean(n, BIAS + (chooser == BLACK ? best_of(n) : -best_of(n)), n->prior);
}

static bool is_banned(const struct node *n)
{
	return atomic_load_explicit(&n->mean, memory_order_relaxed) == BANNED;
}

union float_bits {
	float value;
	int32_t bits;
};

/* The entry of n >= 1 in the tables of struct mcts. */
static int log_entry(uint32_t n)
{
	union float_bits u = { (float)n };
	return (u.bits - 0x3f800000) >> LOG_SHIFT;
}

/* Derives what selection looks at. */
static void refresh(const struct mcts *m, struct node *n, uint64_t stats, int chooser)
{
	uint32_t visits = (uint32_t)(stats >> VISITS_SHIFT);
	float mean = (float)(stats & POINTS_SET) / (DRAWN * (float)visits) - 1;
	float width = m->judges ? n->prior / (float)(1 + visits)
				: m->inverse_sqrt[log_entry(visits)];
	if (m->minimax > 0)
		mean += m->minimax * (best_of(n) - mean);
	set_mean(n, BIAS + (chooser == BLACK ? mean : -mean), width);
}

/* What selection weighs the children's widths with: the exploration term of their parent. */
static inline float exploration_of(const struct mcts *m, const struct node *parent)
{
	uint32_t visits = (uint32_t)visits_of(parent);
	return m->judges ? m->exploration * sqrtf((float)(visits + 1))
			 : m->exploration * m->sqrt_log[log_entry(visits | 1)];
}

/* UCB1, or PUCT, of a child as an integer that ends in its index. The index takes the place of bits that are far
 * below the noise. */
static inline int32_t child_key(const struct node *child, float explore, int i)
{
	float mean = atomic_load_explicit(&child->mean, memory_order_relaxed);
	float width = atomic_load_explicit(&child->width, memory_order_relaxed);
	union float_bits u = { mean + explore * width };
	return (u.bits & ~(GAME_STEPS_MAX - 1)) | i;
}

/* The child that maximises UCB1. Without branches that depend on the values, which cannot be predicted;
 * by two maxima, as each has to wait for its last comparison. */
static inline __attribute__((always_inline)) struct node *
select_child(const struct mcts *m, struct node *parent, uint32_t block)
{
	struct node *children = block_nodes(m, block);
	float explore = exploration_of(m, parent);
	int count = parent->count, i = count & 1;
	int32_t best = i ? child_key(children, explore, 0) : INT32_MIN, other = INT32_MIN;
	for (; i < count; i += 2) {
		int32_t a = child_key(&children[i], explore, i);
		int32_t b = child_key(&children[i + 1], explore, i + 1);
		best = a > best ? a : best;
		other = b > other ? b : other;
	}
	best = other > best ? other : best;
	return &children[best & (GAME_STEPS_MAX - 1)];
}

static uint32_t ring_units(const struct mcts *m)
{
	return m->units - (uint32_t)FIRST_BLOCK;
}

static uint32_t room_of(const struct mcts *m)
{
	return ring_units(m) - atomic_load_explicit(&m->used, memory_order_relaxed);
}

/* Visits a leaf must have had before it gets children: the bar, which at first is doubled each time that half of the
 * room left is used up, so that what remains goes to the leaves that matter most. An evaluation has said
 * already, at its parent's, what the first visit would tell of it: one less. */
static uint64_t visits_to_expand(const struct mcts *m)
{
	uint32_t ring = ring_units(m), room = m->full ? ring : room_of(m) + m->garbage;
	int doublings = room < ring ? __builtin_clz(room | 1) - __builtin_clz(ring) : 0;
	uint64_t visits = m->bar << doublings;
	return m->judges && !m->judge.by_net ? visits - 1 : visits;
}

/* Takes so many units behind the last block of the ring, for a block does not go over the end of the arena;
 * 0: there is no room. */
static uint32_t take_units(struct mcts *m, uint32_t need)
{
	uint32_t used = atomic_load_explicit(&m->used, memory_order_relaxed), at, gap;
	do {
		at = m->first + used;
		at -= at >= m->units ? ring_units(m) : 0;
		gap = need > m->units - at ? m->units - at : 0;
		if (gap + need > ring_units(m) - used)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(
		&m->used, &used, used + gap + need, memory_order_relaxed, memory_order_relaxed));
	if (gap == 0)
		return at;
	*block_at(m, at) = (struct block) { .parent = NO_PARENT, .count = TO_END };
	return (uint32_t)FIRST_BLOCK;
}

/* What can be chosen in a state. */
struct choices {
	int count;
	move_t steps[GAME_STEPS_MAX];
	uint8_t proofs[GAME_STEPS_MAX];
	struct judgement judged; /* without a judge nothing */
};

/* Of second steps that lead to one position, such as turns of a quadrant that looks the same turned, the
 * first stands for all; those that end the game are proven. */
static void join_equal(const struct mcts *m, const struct state *s, struct choices *c)
{
	struct state next[GAME_STEPS_MAX];
	int count = 0;
	for (int i = 0; i < c->count; i++) {
		struct state *n = &next[count];
		int same = 0;
		*n = *s;
		m->game->play(n, c->steps[i]);
		while (!state_equal(&next[same], n))
			same++;
		if (same < count) {
			c->judged.priors[same] += c->judged.priors[i];
			continue;
		}
		c->steps[count] = c->steps[i];
		c->judged.priors[count] = c->judged.priors[i];
		c->judged.values[count] = c->judged.values[i];
		c->proofs[count++] = n->over ? proof_of_result(score_sign(n->score)) : c->proofs[i];
	}
	c->count = count;
}

/* Proves those lost after which the other side wins at once. */
static void prove_lost(const struct mcts *m, const struct state *s, struct choices *c)
{
	move_t safe[GAME_STEPS_MAX];
	int count = m->game->safe(s, safe);
	for (int i = 0, at = 0; i < c->count; i++) {
		bool is_safe = at < count && safe[at] == c->steps[i];
		at += is_safe;
		if (!is_safe)
			c->proofs[i] = proof_of_result(-sign_of_side(s->side));
	}
}

static void find_choices(const struct mcts *m, const struct state *s, struct choices *c)
{
	c->count = m->game->moves(s, c->steps);
	memset(c->proofs, 0, (size_t)c->count);
	memset(c->judged.values, 0, (size_t)c->count * sizeof *c->judged.values);
	memset(c->judged.priors, 0, (size_t)c->count * sizeof *c->judged.priors);
	c->judged.value = 0;
	if (m->judges)
		judge_steps(&m->judge, s, c->steps, c->count, &c->judged);
	/* Below a root that does not win at once no node with children does. */
	if (m->looks && !(m->wins && m->game->wins(s)))
		prove_lost(m, s, c);
	if (s->pending)
		join_equal(m, s, c);
}

/* Mixes priors with noise like a Dirichlet distribution's: near 0 but for a few. */
static void add_noise(struct choices *c, float share, struct rng *rng)
{
	float noise[GAME_STEPS_MAX], sum = 0;
	for (int i = 0; i < c->count; i++)
		sum += noise[i] = powf((float)(rng_next(rng) >> 40) / (1 << 24), 1 / NOISE_SHAPE);
	for (int i = 0; i < c->count; i++)
		c->judged.priors[i] = (1 - share) * c->judged.priors[i] + share * noise[i] / sum;
}

/* Gives a leaf its children; false if another worker is at it or the arena is full. With a judge sets *value to
 * what it expects for Black, in the latter case too where it has been asked. */
static bool expand(struct mcts *m, struct node *n, const struct state *s, struct rng *rng,
		   float *value)
{
	uint32_t expected = NO_CHILDREN;
	const bool solver = m->task->options->solver;
	struct choices c;
	if (room_of(m) < BLOCK_UNITS + NODE_UNITS * (size_t)m->game->choices_max ||
	    !atomic_compare_exchange_strong_explicit(&n->children, &expected, EXPANDING,
						     memory_order_relaxed, memory_order_relaxed))
		return false;
	find_choices(m, s, &c);
	*value = c.judged.value;
	if (m->judges && m->task->options->noise > 0 && n == node_at(m, m->root))
		add_noise(&c, (float)m->task->options->noise, rng);
	uint32_t block = take_units(m, (uint32_t)(BLOCK_UNITS + (size_t)c.count * NODE_UNITS));
	if (!block) {
		atomic_store_explicit(&n->children, NO_CHILDREN, memory_order_relaxed);
		return false;
	}
	*block_at(m, block) = (struct block) {
		.parent = unit_of(m, n),
		.count = (uint8_t)c.count,
		.second = s->pending,
		.round = m->round,
	};
	struct node *children = block_nodes(m, block);
	uint64_t random = rng_next(rng);
	for (int i = 0; i < c.count; i++) {
		/* Unvisited children differ by a little, so that they are tried in random order. */
		random = random * 6364136223846793005u + 1442695040888963407u;
		float jitter = m->first_play * (float)(random >> 40) * (0.001f / (1 << 24));
		struct node *child = &children[i];
		child->count = 0;
		child->step = (uint8_t)c.steps[i];
		child->place = (uint8_t)i;
		child->prior = c.judged.priors[i];
		atomic_store_explicit(&child->best, c.judged.values[i], memory_order_relaxed);
		atomic_store_explicit(&child->stats, 0, memory_order_relaxed);
		if (m->judges)
			set_hope(child, s->side);
		else
			set_mean(child, m->first_play + jitter, 0);
		atomic_store_explicit(&child->children, NO_CHILDREN, memory_order_relaxed);
		atomic_store_explicit(&child->proof, solver ? c.proofs[i] : 0,
				      memory_order_relaxed);
	}
	n->count = (uint8_t)c.count;
	atomic_store_explicit(&n->children, block, memory_order_release);
	return true;
}

/* Adds what the children's proofs say of their parent, where `side` chooses; true if that is news. */
static bool prove_parent(const struct mcts *m, struct node *parent, int side)
{
	int count;
	struct node *children = children_of(m, parent, &count);
	uint8_t any = 0, all = LOWER_BITS | UPPER_BITS;
	if (count == 0)
		return false;
	for (int i = 0; i < count; i++) {
		if (is_banned(&children[i]))
			continue;
		/* Sequentially consistent with fetch_or: of two workers that prove the last two
		 * children at once, one sees both. */
		uint8_t proof = atomic_load(&children[i].proof);
		any |= proof;
		all &= proof;
	}
	uint8_t bits = side == BLACK ? (any & LOWER_BITS) | (all & UPPER_BITS)
				     : (all & LOWER_BITS) | (any & UPPER_BITS);
	uint8_t old = atomic_fetch_or(&parent->proof, bits);
	for (int i = 0; i < count; i++)
		if (!is_banned(&children[i]) && is_dead(proof_of(&children[i]), old | bits, side))
			set_mean(&children[i], DEAD, 0);
	return (old | bits) != old;
}

/* Makes a node's best what is proven of it, or else that of its children, where `side` chooses. False: it is
 * no news to the nodes above. Of workers that do so at once one may put back what another has found, until
 * there are news again. */
static bool improve_node(const struct mcts *m, struct node *n, int side)
{
	int count;
	const struct node *children = children_of(m, n, &count);
	float sign = (float)sign_of_side(side), most = -INFINITY;
	for (int i = 0; i < count; i++) {
		float best = sign * best_of(&children[i]);
		most = best > most && !is_banned(&children[i]) ? best : most;
	}
	uint8_t proof = proof_of(n);
	float best = is_resolved(proof) ? (float)lower_of(proof) : sign * most;
	if (!count && !is_resolved(proof))
		return true;
	bool news = best != best_of(n);
	atomic_store_explicit(&n->best, best, memory_order_relaxed);
	return news;
}

/* Whether a resolved child proves something that its parent, where `side` chooses, does not know. Only a child
 * that an earlier search began at can: its parents were not on that search's way. */
static bool is_news(const struct node *child, const struct node *parent, int side)
{
	uint8_t bits = proof_of(child) & (side == BLACK ? LOWER_BITS : UPPER_BITS);
	return (bits & ~proof_of(parent)) ||
	       atomic_load_explicit(&child->mean, memory_order_relaxed) == DEAD;
}

/* Adds to a node's statistics on behalf of all workers. */
static void add_stats(const struct mcts *m, struct node *n, uint64_t stats, int chooser)
{
	stats += atomic_fetch_add_explicit(&n->stats, stats, memory_order_relaxed);
	if (atomic_load_explicit(&n->mean, memory_order_relaxed) != DEAD)
		refresh(m, n, stats, chooser);
}

/* Counts visits as lost for who chose the node; returns what that added. */
static uint64_t add_virtual_loss(const struct mcts *m, struct node *n, int chooser, uint64_t visits)
{
	uint64_t loss = visits * (ONE_VISIT | (chooser == BLACK ? 0 : WON));
	add_stats(m, n, loss, chooser);
	return loss;
}

static bool is_crowded(const struct mcts *m, const struct node *n)
{
	return visits_of(n) >= CROWD * m->at_once;
}

/* Brings what the simulations have earned that began in the crowd. */
static void leave_crowd(const struct mcts *m, struct worker *w)
{
	for (int i = 0; i < w->crowd; i++)
		add_stats(m, w->path[i], -w->counted[i], w->chooser[i]);
	w->crowd = w->left = 0;
}

/* Goes to where a simulation begins, the last crowded node of a way, or the root; returns its place on the way. */
static int enter_crowd(const struct mcts *m, struct worker *w, const bool solver)
{
	if (w->left > 0) {
		w->left--;
		return w->crowd - 1;
	}
	leave_crowd(m, w);
	w->state = m->position;
	w->depth = 0;
	w->path[0] = node_at(m, m->root);
	w->chooser[0] = w->state.side ^ 1;
	for (struct node *n = w->path[0]; is_crowded(m, n); n = w->path[w->crowd]) {
		int i = w->crowd++;
		w->left = HANDFUL - 1;
		w->counted[i] = add_virtual_loss(m, n, w->chooser[i], HANDFUL * m->at_once);
		uint32_t block = atomic_load_explicit(&n->children, memory_order_acquire);
		if (w->state.over || block < FIRST_BLOCK || (solver && is_resolved(proof_of(n))))
			break;
		struct node *child = select_child(m, n, block);
		if (!is_crowded(m, child))
			break;
		w->path[i + 1] = child;
		w->chooser[i + 1] = w->state.side;
		m->game->play(&w->state, child->step);
		w->depth += !w->state.pending;
	}
	if (w->crowd)
		return w->crowd - 1;
	w->counted[0] = add_virtual_loss(m, w->path[0], w->chooser[0], 1);
	return 0;
}

/* The points of a value -1 .. 1 of Black, rounded at random so that they are right on average. */
static uint64_t points_of(float value, struct rng *rng)
{
	float exact = (value + 1) * DRAWN + (float)(rng_next(rng) >> 40) / (1 << 24);
	return exact < WON ? (uint64_t)exact : WON;
}

static double mean_of_stats(uint64_t stats)
{
	double visits = (double)(stats >> VISITS_SHIFT);
	return visits > 0 ? (double)(stats & POINTS_SET) / (DRAWN * visits) - 1 : NAN;
}

/* What a node is worth to Black, as selection sees it; NAN: it was not visited. */
static double value_of(const struct mcts *m, const struct node *n, uint64_t stats)
{
	double mean = mean_of_stats(stats);
	return m->minimax > 0 ? mean + (double)m->minimax * ((double)best_of(n) - mean) : mean;
}

/* Black's points of so many playouts of a state. */
static uint64_t play_out(const struct game *game, const struct state *s, struct rng *rng,
			 uint64_t count)
{
	uint64_t points = 0;
	int8_t scores[GAME_PLAYOUTS];
	if (count < GAME_PLAYOUTS)
		return points_of_result(score_sign(game->playout(s, rng)));
	game->playouts(s, rng, scores);
	for (int i = 0; i < GAME_PLAYOUTS; i++)
		points += points_of_result(score_sign(scores[i]));
	return points;
}

/* One simulation: down the tree, a playout, or GAME_PLAYOUTS of them for as many visits, and back up. Compiled
 * once for one worker and once for many, with and without proofs. */
static inline __attribute__((always_inline)) void
simulate(struct mcts *m, struct worker *w, const bool shared, const bool solver, uint64_t visits)
{
	const struct game *game = m->game;
	struct node **path = w->path;
	uint8_t *chooser = w->chooser;
	uint64_t *counted = w->counted;
	int last = shared ? enter_crowd(m, w, solver) : 0, depth = shared ? w->depth : 0;
	struct state s = shared ? w->state : m->position;
	if (!shared) {
		path[0] = node_at(m, m->root);
		chooser[0] = s.side ^ 1;
	}
	struct node *node = path[last];
	uint64_t points;   /* Black's of this simulation */
	float value = NAN; /* unknown */
	bool proved = false, improved = m->minimax > 0;

	for (;;) {
		if (s.over) {
			int result = score_sign(s.score);
			points = visits * points_of_result(result);
			if (solver && !is_resolved(proof_of(node))) {
				atomic_fetch_or(&node->proof, proof_of_result(result));
				proved = true;
			}
			break;
		}
		if (solver && is_resolved(proof_of(node))) {
			points = visits * points_of_result(lower_of(proof_of(node)));
			proved = last && is_news(node, path[last - 1], chooser[last]);
			if (shared)
				w->left = 0;
			break;
		}
		uint32_t block = atomic_load_explicit(&node->children, memory_order_acquire);
		if (block < FIRST_BLOCK) {
			uint64_t earlier = visits_of(node) - (shared && last >= w->crowd);
			if (solver && m->looks && last && !s.pending && game->wins(&s)) {
				int result = sign_of_side(s.side);
				points = visits * points_of_result(result);
				atomic_fetch_or(&node->proof, proof_of_result(result));
				proved = true;
				break;
			}
			bool ripe = earlier >= w->ripe || !last || s.pending;
			bool grown = ripe && expand(m, node, &s, &w->rng, &value);
			/* Steps have come with the results of those that end the game, or lose at once. */
			if (solver && grown && (s.pending || m->looks))
				proved = prove_parent(m, node, s.side);
			/* A leaf that has been judged before and can grow is gone through: its value is
			 * no news. */
			if (m->judges && !(grown && earlier)) {
				/* Others' virtual losses say nothing of it. */
				if (isnan(value))
					value = earlier && !shared
							? (float)mean_of_stats(stats_of(node))
							: judge_state(&m->judge, &s);
				points = points_of(value, &w->rng);
				break;
			}
			value = NAN;
			if (!grown) {
				points = play_out(game, &s, &w->rng, visits);
				break;
			}
			block = atomic_load_explicit(&node->children, memory_order_relaxed);
		}
		struct node *child = select_child(m, node, block);
		/* Its children are read next, after play(): let them come meanwhile. */
		const char *next = (const char *)block_at(
			m, atomic_load_explicit(&child->children, memory_order_relaxed));
		__builtin_prefetch(next);
		last++;
		path[last] = node = child;
		chooser[last] = s.side;
		if (shared)
			counted[last] = add_virtual_loss(m, child, s.side, 1);
		game->play(&s, child->step);
		depth += !s.pending;
	}
	if (depth > atomic_load_explicit(&m->depth, memory_order_relaxed))
		atomic_store_explicit(&m->depth, depth, memory_order_relaxed);
	w->last = last;
	w->proved = proved;

	for (int i = last; i >= 0; i--) {
		node = path[i];
		if (solver) {
			if (proved && i < last)
				proved = prove_parent(m, node, chooser[i + 1]);
			uint8_t proof = proof_of(node);
			uint64_t least = visits * points_of_result(lower_of(proof));
			uint64_t most = visits * points_of_result(upper_of(proof));
			points = points < least ? least : points > most ? most : points;
		}
		if (improved)
			improved = improve_node(m, node, i < last ? chooser[i + 1] : s.side);
		uint64_t gained = visits * ONE_VISIT + points;
		if (solver && i && proof_of(node) &&
		    is_dead(proof_of(node), proof_of(path[i - 1]), chooser[i]))
			set_mean(node, DEAD, 0);
		if (!shared) {
			uint64_t stats = gained + stats_of(node);
			atomic_store_explicit(&node->stats, stats, memory_order_relaxed);
			if (!solver ||
			    atomic_load_explicit(&node->mean, memory_order_relaxed) != DEAD)
				refresh(m, node, stats, chooser[i]);
		} else if (i < w->crowd) {
			counted[i] -= gained;
		} else {
			add_stats(m, node, gained - counted[i], chooser[i]);
		}
	}
}

static void simulate_alone(struct mcts *m, struct worker *w, uint64_t visits)
{
	simulate(m, w, false, false, visits);
}

static void simulate_alone_proving(struct mcts *m, struct worker *w, uint64_t visits)
{
	simulate(m, w, false, true, visits);
}

static void simulate_shared(struct mcts *m, struct worker *w, uint64_t visits)
{
	simulate(m, w, true, false, visits);
}

static void simulate_shared_proving(struct mcts *m, struct worker *w, uint64_t visits)
{
	simulate(m, w, true, true, visits);
}

/* --- df-pn inside the tree ---
 *
 * With a prover every simulation is worth some nodes of df-pn, which go to the node of its way that df-pn
 * has worked on least for the visits that it has had. Results go both ways: what df-pn proves is proven in
 * the tree, and what the tree proves the table knows. At the root a proof for the side to move counts when it is
 * known which move it rests on. */

#define PROVE_LEAST  32   /* nodes at a time, at first; then twice as many, */
#define PROVE_MOST   4096 /* a few milliseconds, for which the tree's garbage may have to wait */
#define PROVE_VISITS 8    /* that a node must have had */
#define EFFORT_SHIFT 4
#define EFFORT_ONE   (1 << EFFORT_SHIFT)
#define EFFORT_MOST  12 /* df-pn has then done what it can here */
#define TOLD         15 /* the table knows the node's result */

/* How often df-pn has worked at a node, or TOLD. */
static int effort_of(const struct node *n)
{
	return atomic_load_explicit(&n->proof, memory_order_relaxed) >> EFFORT_SHIFT;
}

/* The next nodes of df-pn at a node where it has worked so often. */
static int prove_nodes(int effort)
{
	int nodes = PROVE_LEAST << effort;
	return nodes < PROVE_MOST ? nodes : PROVE_MOST;
}

/* The bits of proven bounds. */
static uint8_t proof_of_bounds(int lower, int upper)
{
	return (uint8_t)((lower >= 0 ? LOWER_DRAW : 0) | (lower > 0 ? LOWER_WIN : 0) |
			 (upper <= 0 ? UPPER_DRAW : 0) | (upper < 0 ? UPPER_LOSS : 0));
}

static bool find_proof(const struct mcts *m, const struct state *s, uint8_t *proof)
{
	int lower, upper;
	if (!dfpn_find(m->prover, s, &lower, &upper))
		return false;
	*proof = proof_of_bounds(lower, upper);
	return *proof != 0;
}

/* Takes what the table knows of a node's children, and what follows for the node. True: that is news. Of a
 * child in the midst of a move that is good for its side its own children must say so, since the side has to
 * find them. */
static bool take_proofs(struct mcts *m, struct node *n, const struct state *s, struct rng *rng)
{
	int count;
	struct node *children = children_of(m, n, &count);
	for (int i = 0; i < count; i++) {
		uint8_t proof;
		struct state next = *s;
		if (is_banned(&children[i]) || is_resolved(proof_of(&children[i])))
			continue;
		m->game->play(&next, children[i].step);
		if (next.over || !find_proof(m, &next, &proof))
			continue;
		if (next.pending) {
			float value;
			if (m->task->only)
				continue;
			if (proof & (s->side == BLACK ? LOWER_BITS : UPPER_BITS)) {
				expand(m, &children[i], &next, rng, &value);
				take_proofs(m, &children[i], &next, rng);
			}
			proof &= s->side == BLACK ? UPPER_BITS : LOWER_BITS;
		}
		atomic_fetch_or(&children[i].proof, proof);
	}
	return prove_parent(m, n, s->side);
}

/* Has df-pn work on the node at place `at` of a way, and proves it and those above it. */
static void prove_node(struct mcts *m, struct worker *w, int at, const struct state *s,
		       struct control *control)
{
	struct node *n = w->path[at];
	int effort = effort_of(n);
	uint8_t proof = proof_of(n);
	double value = value_of(m, n, stats_of(n));
	int side = (proof & UPPER_DRAW)   ? WHITE
		   : (proof & LOWER_DRAW) ? BLACK
		   : value > 0            ? BLACK
					  : WHITE;
	uint64_t nodes = dfpn_prove(m->prover, s, side, (uint64_t)prove_nodes(effort), control);
	w->credit -= (double)nodes;
	if (nodes > 0 || !control_is_over(control))
		atomic_fetch_add_explicit(&n->proof, EFFORT_ONE, memory_order_relaxed);
	bool news = false;
	if (at && !s->pending && find_proof(m, s, &proof))
		news = proof & ~atomic_fetch_or(&n->proof, proof);
	if (!at || !is_resolved(proof_of(n)))
		news |= take_proofs(m, n, s, &w->rng);
	for (; news && at > 0; at--)
		news = prove_parent(m, w->path[at - 1], w->chooser[at]);
}

/* Tells df-pn what a simulation has proven on its way, and gives it its share of the work. */
static void prove_way(struct mcts *m, struct worker *w, uint64_t visits, struct control *control)
{
	struct state s = m->position, best_state;
	double most = 0;
	int best = -1;
	w->credit += m->task->options->proving * (double)visits;
	if (w->credit < w->wanted && !w->proved)
		return;
	for (int i = 0; i <= w->last; i++) {
		struct node *n = w->path[i];
		if (i)
			m->game->play(&s, n->step);
		if (s.over)
			break;
		if (is_resolved(proof_of(n))) {
			/* A first step of which some turns are left out is proven for this search alone. */
			if (i && effort_of(n) != TOLD && !(m->task->only && s.pending)) {
				atomic_fetch_or_explicit(&n->proof, TOLD << EFFORT_SHIFT,
							 memory_order_relaxed);
				dfpn_tell(m->prover, &s, lower_of(proof_of(n)), visits_of(n));
			}
			break;
		}
		if (visits_of(n) < PROVE_VISITS * m->at_once)
			break;
		double need = (double)visits_of(n) / (double)(1 << effort_of(n));
		if (need > most && effort_of(n) < EFFORT_MOST && !s.pending) {
			most = need;
			best = i;
			best_state = s;
		}
	}
	if (best < 0)
		return;
	w->wanted = prove_nodes(effort_of(w->path[best]));
	if (w->credit >= w->wanted)
		prove_node(m, w, best, &best_state, control);
}

/* The child to play, NULL without children: a proven win, else what has most of what the option says, if
 * it can still gain anything; else a proven draw, else of the lost moves the likewise best. A proven
 * draw is also taken when nothing promises more than half of the points. */
static struct node *best_child(const struct mcts *m, const struct node *n, int side)
{
	const struct options *o = m->task->options;
	int count, sign = sign_of_side(side);
	struct node *children = children_of(m, n, &count);
	struct node *open = NULL, *draw = NULL, *lost = NULL;
	double open_most = -INFINITY, draw_most = -INFINITY, lost_most = -INFINITY;
	for (int i = 0; i < count; i++) {
		struct node *child = &children[i];
		if (is_banned(child))
			continue;
		uint8_t proof = o->solver ? proof_of(child) : 0;
		double value = value_of(m, child, stats_of(child)) * sign;
		double most = o->choice == CHOICE_VISITS ? (double)visits_of(child)
			      : isnan(value)             ? -2
							 : value;
		if (proof & (side == BLACK ? LOWER_WIN : UPPER_LOSS))
			return child;
		if ((proof & PROVEN_DRAW) == PROVEN_DRAW) {
			if (most > draw_most) {
				draw_most = most;
				draw = child;
			}
		} else if (is_dead(proof, o->solver ? proof_of(n) : 0, side)) {
			if (most > lost_most) {
				lost_most = most;
				lost = child;
			}
		} else if (most > open_most) {
			open_most = most;
			open = child;
		}
	}
	if (draw && (!open || !(value_of(m, open, stats_of(open)) * sign > 0)))
		return draw;
	return open ? open : lost;
}

/* Whether the most visited child keeps its lead if the others get `left` more visits, at both steps of
 * a move. */
static bool is_settled(const struct mcts *m, const struct node *n, const struct state *s,
		       uint64_t left)
{
	int count;
	struct node *children = children_of(m, n, &count), *best = best_child(m, n, s->side);
	if (!best)
		return false;
	for (int i = 0; i < count; i++)
		if (&children[i] != best && !is_banned(&children[i]) &&
		    visits_of(&children[i]) + left >= visits_of(best))
			return false;
	struct state next = *s;
	m->game->play(&next, best->step);
	return !next.pending || is_settled(m, best, &next, left);
}

/* Visits the search can still make; exact under a work limit, an upper guess under a deadline. */
static uint64_t visits_left(struct mcts *m, const struct control *control)
{
	uint64_t left = VISITS_MAX;
	if (control->work_max != WORK_NO_LIMIT)
		left = control->work_max - control_work(control);
	if (control->deadline != TIME_NEVER) {
		int64_t now = clock_now(), used = now - m->started, rest = control->deadline - now;
		double playouts = (double)atomic_load_explicit(&m->playouts, memory_order_relaxed);
		double guess = 1.2 * playouts * (double)rest / (double)(used + 1);
		/* The first moments say little of the speed to come. */
		if (used > rest / 8 && guess < (double)left)
			left = rest > 0 ? (uint64_t)guess : 0;
	}
	return left;
}

/* --- garbage --- */

/* Makes the root the origin: all that is not below it is garbage. The tree is then smaller than it was, and the
 * bar by as much lower. */
static void forget_past(struct mcts *m)
{
	struct node *root = node_at(m, m->root), *origin = node_at(m, ORIGIN);
	uint32_t block = atomic_load_explicit(&root->children, memory_order_relaxed);
	double share = (double)(visits_of(root) + 1) / (double)(visits_of(origin) + 1);
	share = share < 1 ? share
			  : 1; /* a search that began at the root has told the origin nothing */
	uint64_t least = (uint64_t)m->task->options->expansion;
	uint64_t bar = (uint64_t)((double)m->bar * share);
	m->bar = bar < m->bar ? (bar > least ? bar : least) : m->bar;
	block_at(m, atomic_load_explicit(&origin->children, memory_order_relaxed))->parent =
		NO_PARENT;
	atomic_store_explicit(&root->children, NO_CHILDREN, memory_order_relaxed);
	memcpy(origin, root, sizeof *origin);
	atomic_store_explicit(&origin->children, block, memory_order_relaxed);
	if (block >= FIRST_BLOCK)
		block_at(m, block)->parent = ORIGIN;
	for (int i = 0; i < m->saved_count; i++)
		if (m->saved[i].node == m->root)
			m->saved[i].node = ORIGIN;
	m->root = ORIGIN;
	m->origin = m->position;
	m->to_pass = atomic_load_explicit(&m->used, memory_order_relaxed);
	m->garbage = (uint32_t)((1 - share) * m->to_pass);
	m->passed = m->kept = 0;
	m->round++;
}

/* Whether the nodes of a block are steps of whole moves at the root, which is the origin. */
static bool is_at_root(const struct mcts *m, const struct block *b)
{
	int count;
	const struct node *children = children_of(m, node_at(m, ORIGIN), &count);
	uint32_t first = count ? unit_of(m, children) : 0;
	return b->parent == ORIGIN ||
	       (b->second && b->parent - first < (uint32_t)count * NODE_UNITS);
}

/* The block that a node stands in, which is not the origin. */
static struct block *block_of(const struct mcts *m, uint32_t node)
{
	uint32_t place = node_at(m, node)->place;
	return block_at(m, node - place * (uint32_t)NODE_UNITS - (uint32_t)BLOCK_UNITS);
}

/* Whether a block is not below the root. Those above it are asked with it, each once a round. */
static bool is_garbage(const struct mcts *m, struct block *b)
{
	struct block *last = b;
	while (last->round != m->round && last->parent != NO_PARENT && last->parent != ORIGIN)
		last = block_of(m, last->parent);
	if (last->round != m->round || last->parent == NO_PARENT)
		last->garbage = last->parent == NO_PARENT;
	last->round = m->round;
	for (; b != last; b = block_of(m, b->parent)) {
		b->round = m->round;
		b->garbage = last->garbage;
	}
	return last->garbage;
}

/* Second steps, which would be missed as soon as their first step is chosen, go with the first ones. */
static bool is_needed(const struct mcts *m, struct block *b)
{
	if (is_garbage(m, b))
		return false;
	const struct node *parent = node_at(m, b->parent);
	uint64_t worth = visits_of(parent) / (is_resolved(proof_of(parent)) ? PROVEN_PART : 1);
	return worth >= m->bar || b->second || b->parent == ORIGIN;
}

/* Has the blocks below those nodes of a block know where their parents are; or that these are gone. */
static void tell_children(struct mcts *m, uint32_t block, bool gone)
{
	struct node *nodes = block_nodes(m, block);
	for (int i = 0, count = block_at(m, block)->count; i < count; i++) {
		uint32_t below = atomic_load_explicit(&nodes[i].children, memory_order_relaxed);
		if (below >= FIRST_BLOCK)
			block_at(m, below)->parent = gone ? NO_PARENT : unit_of(m, &nodes[i]);
	}
}

/* Brings the block that was the first, and is not counted as used any more, behind the last. */
static void move_block(struct mcts *m, uint32_t from, uint32_t size)
{
	struct block header = *block_at(m, from);
	uint32_t to = take_units(m, size);
	assert(to); /* if nowhere else, where it is */
	for (int i = 0; is_at_root(m, &header) && i < m->saved_count; i++)
		if (m->saved[i].node - from < size)
			m->saved[i].node += to - from;
	memmove(m->arena + to, m->arena + from, size * sizeof(unit));
	atomic_store_explicit(&node_at(m, header.parent)->children, to, memory_order_relaxed);
	tell_children(m, to, false);
}

/* Passes the first block; returns its size. */
static uint32_t pass_block(struct mcts *m)
{
	uint32_t from = m->first;
	bool needed = is_needed(m, block_at(m, from));
	struct block header = *block_at(m, from);
	uint32_t size = header.count == TO_END
				? m->units - from
				: (uint32_t)(BLOCK_UNITS + header.count * NODE_UNITS);
	m->first = from + size == m->units ? (uint32_t)FIRST_BLOCK : from + size;
	atomic_fetch_sub_explicit(&m->used, size, memory_order_relaxed);
	m->to_pass -= size;
	if (header.garbage)
		m->garbage -= size < m->garbage ? size : m->garbage;
	if (m->to_pass == 0)
		m->garbage = 0;
	m->passed += size;
	m->kept += needed ? size : 0;
	if (needed) {
		move_block(m, from, size);
	} else if (header.count != TO_END) {
		tell_children(m, from, true);
		if (header.parent != NO_PARENT)
			atomic_store_explicit(&node_at(m, header.parent)->children, NO_CHILDREN,
					      memory_order_relaxed);
	}
	return size;
}

/* Nodes with at least n visits are about as 1/n, and all blocks but those of a garbage that is yet unknown are of nodes
 * above the bar: twice as high it keeps one half of them. Where the last round kept more, more is needed. */
static void begin_round(struct mcts *m)
{
	uint64_t least = m->bar + m->bar / 4 + 1;
	least = least < 2 * m->at_once ? 2 * m->at_once : least;
	m->bar = m->passed ? 4 * m->bar * m->kept / m->passed : 0;
	m->bar = m->bar < least ? least : m->bar > VISITS_MAX ? VISITS_MAX : m->bar;
	m->to_pass = atomic_load_explicit(&m->used, memory_order_relaxed);
	m->passed = m->kept = 0;
	m->round++;
	m->full = true;
}

static uint32_t slice_units(const struct mcts *m)
{
	uint32_t part = ring_units(m) / RESERVE_PART;
	return part < SLICE_UNITS ? part : SLICE_UNITS;
}

/* Passes a slice. Nobody else is in the tree. */
static void collect(struct mcts *m, uint32_t slice)
{
	uint32_t left = atomic_load_explicit(&m->used, memory_order_relaxed);
	if (m->root != ORIGIN)
		forget_past(m);
	m->paid = atomic_load_explicit(&m->playouts, memory_order_relaxed);
	left = left < slice ? left : slice;
	while (left > 0) {
		if (m->to_pass == 0)
			begin_round(m);
		uint32_t size = pass_block(m);
		left -= size < left ? size : left;
	}
}

/* Whether to pass a slice now: room is needed, or to be had and paid for by playouts. */
static bool is_due(const struct mcts *m)
{
	uint64_t playouts = atomic_load_explicit(&m->playouts, memory_order_relaxed) - m->paid;
	return room_of(m) < ring_units(m) / RESERVE_PART ||
	       (m->garbage && playouts * UNITS_PAID >= slice_units(m));
}

/* Workers are in the tree while they hold nodes of it, and wait for nothing there. */
static void enter_tree(struct mcts *m)
{
	for (;;) {
		atomic_fetch_add(&m->inside, 1);
		if (!atomic_load(&m->collecting))
			return;
		atomic_fetch_sub(&m->inside, 1);
		while (atomic_load(&m->collecting))
			sched_yield();
	}
}

static void leave_tree(struct mcts *m, struct worker *w)
{
	leave_crowd(m, w);
	atomic_fetch_sub(&m->inside, 1);
}

/* Collects when all have left the tree, or waits while another worker does. */
static void make_room(struct mcts *m, struct worker *w)
{
	leave_tree(m, w);
	if (!atomic_exchange(&m->collecting, true)) {
		while (atomic_load(&m->inside) > 0)
			sched_yield();
		if (is_due(m))
			collect(m, slice_units(m));
		atomic_store(&m->collecting, false);
	}
	enter_tree(m);
}

/* Claims a batch. Who may have to wait for a seat waits outside the tree. */
static uint64_t claim(struct mcts *m, struct worker *w, struct control *control)
{
	if (control->seats) {
		leave_tree(m, w);
		bool seated = control_sit(control);
		enter_tree(m);
		if (!seated)
			return 0;
	}
	return control_claim_seated(control, m->judges ? JUDGED_BATCH : WORK_BATCH);
}

static bool is_solved(const struct mcts *m)
{
	return m->task->options->solver && is_resolved(proof_of(node_at(m, m->root)));
}

static void work(void *self, int worker, struct control *control)
{
	struct mcts *m = self;
	const struct options *o = m->task->options;
	void (*simulation)(struct mcts *, struct worker *, uint64_t visits) =
		m->task->threads > 1 ? (o->solver ? simulate_shared_proving : simulate_shared)
				     : (o->solver ? simulate_alone_proving : simulate_alone);
	struct worker w = { 0 };
	uint64_t batch;
	/* Without a limit there is nothing to save: somebody watches. */
	bool early = o->early_stop && o->choice == CHOICE_VISITS &&
		     (control->deadline != TIME_NEVER || control->work_max != WORK_NO_LIMIT);
	rng_seed(&w.rng, m->task->seed + (uint64_t)worker);
	if (worker == 0)
		m->started = clock_now();
	enter_tree(m);
	for (int round = 1;; round++) {
		if (atomic_load(&m->collecting) || is_due(m))
			make_room(m, &w);
		if (worker == 0)
			control_publish(control);
		if (is_solved(m) ||
		    m->earlier + atomic_load_explicit(&m->playouts, memory_order_relaxed) >=
			    VISITS_MAX)
			control_stop(control);
		if (!(batch = claim(m, &w, control)))
			break;
		uint64_t done = 0;
		w.ripe = visits_to_expand(m);
		while (done < batch && !control_stopped(control) && !is_solved(m)) {
			uint64_t visits = batch - done < m->at_once ? 1 : m->at_once;
			simulation(m, &w, visits);
			done += visits;
			if (m->prover)
				prove_way(m, &w, visits, control);
		}
		control_refund(control, batch - done);
		atomic_fetch_add_explicit(&m->playouts, done, memory_order_relaxed);
		if (worker == 0 && early && round % ROUNDS_TO_SETTLE == 0 &&
		    is_settled(m, node_at(m, m->root), &m->position, visits_left(m, control)))
			control_stop(control);
	}
	leave_tree(m, &w);
}

/* The node that a step leads to from the node of a state, or 0. */
static uint32_t descend(const struct mcts *m, uint32_t from, const struct state *s, move_t step)
{
	int count;
	struct node *children = children_of(m, node_at(m, from), &count);
	struct state wanted = *s;
	m->game->play(&wanted, step);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		if (children[i].step != step && !s->pending)
			continue;
		m->game->play(&next, children[i].step);
		if (state_equal(&next, &wanted))
			return unit_of(m, &children[i]);
	}
	return 0;
}

/* The node of the record's position: the record must pass through the origin, and the tree must have
 * grown along the moves made since. 0: there is none. */
static uint32_t find_root(const struct mcts *m, const struct record *r)
{
	if (m->game != r->game)
		return 0;
	struct state s = r->start;
	uint32_t node = state_equal(&s, &m->origin) ? ORIGIN : 0;
	for (int i = 0; i < r->count; i++) {
		struct move move = r->moves[i].move;
		if (move.step[0] == MOVE_PASS)
			continue;
		for (int j = 0; j < 2 && move.step[j] != MOVE_NONE; j++) {
			node = node ? descend(m, node, &s, move.step[j]) : 0;
			r->game->play(&s, move.step[j]);
		}
		if (state_equal(&s, &m->origin))
			node = ORIGIN;
	}
	return node;
}

static void start_afresh(struct mcts *m)
{
	memset(node_at(m, ORIGIN), 0, sizeof(struct node));
	atomic_store_explicit(&m->used, 0, memory_order_relaxed);
	m->first = FIRST_BLOCK;
	m->bar = (uint64_t)m->task->options->expansion;
	m->to_pass = 0;
	m->passed = m->kept = 0;
	m->garbage = 0;
	m->full = false;
	m->game = m->task->record->game;
	m->proven = m->task->options->solver;
	m->judged = m->judges;
	m->noisy = m->judges && m->task->options->noise > 0;
	m->earlier = 0;
	m->origin = m->position;
	m->root = ORIGIN;
}

static void save(struct mcts *m, const struct node *n, bool restricted)
{
	m->saved[m->saved_count++] = (struct saved) {
		.node = unit_of(m, n),
		.stats = stats_of(n),
		.mean = atomic_load_explicit(&n->mean, memory_order_relaxed),
		.width = atomic_load_explicit(&n->width, memory_order_relaxed),
		.best = best_of(n),
		.proof = proof_of(n),
		.restricted = restricted,
	};
}

/* Puts back what the last search has saved, and proves what its moves prove together with those that it left
 * out. */
static void restore(struct mcts *m)
{
	int side = m->position.side;
	for (int i = 0; i < m->saved_count; i++) {
		const struct saved *saved = &m->saved[i];
		struct node *n = node_at(m, saved->node);
		atomic_store_explicit(&n->stats, saved->stats, memory_order_relaxed);
		set_mean(n, saved->mean, saved->width);
		atomic_store_explicit(&n->best, saved->best, memory_order_relaxed);
		if (saved->restricted)
			atomic_store_explicit(&n->proof, saved->proof, memory_order_relaxed);
	}
	for (int i = m->saved_count - 1; i >= 0; i--)
		if (m->saved[i].restricted)
			prove_parent(m, node_at(m, m->saved[i].node), side);
	m->saved_count = 0;
}

static uint64_t children_stats(const struct mcts *m, const struct node *n)
{
	int count;
	const struct node *children = children_of(m, n, &count);
	uint64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += is_banned(&children[i]) ? 0 : stats_of(&children[i]);
	return sum;
}

/* Of turns that lead to one position the tree has one: calls it by one of those to choose from, if any is. */
static void rename_step(const struct mcts *m, struct node *child, const struct state *s,
			move_t first)
{
	struct state next = *s;
	m->game->play(&next, child->step);
	for (int i = 0; i < m->task->only_count; i++) {
		struct move move = m->task->only[i];
		struct state other = *s;
		if (move.step[0] != first || move.step[1] == MOVE_NONE)
			continue;
		m->game->play(&other, move.step[1]);
		if (state_equal(&next, &other))
			child->step = (uint8_t)move.step[1];
	}
}

/* Bans the steps at a node of the position searched that are not among the moves to choose from, and makes
 * its statistics and proof those of the others. `first` is the step that led here, if one did. The arena
 * has room. */
static void restrict_node(struct mcts *m, struct node *n, const struct state *s, move_t first,
			  struct rng *rng)
{
	int count;
	struct node *children = children_of(m, n, &count);
	if (count == 0) {
		float value;
		expand(m, n, s, rng, &value);
		children = children_of(m, n, &count);
	}
	for (int i = 0; i < count; i++) {
		struct node *child = &children[i];
		struct move move = { { child->step, MOVE_NONE } };
		struct state next = *s;
		m->game->play(&next, child->step);
		save(m, child, next.pending);
		if (s->pending)
			rename_step(m, child, s, first);
		if (s->pending)
			move = (struct move) { { first, child->step } };
		if (!task_allows(m->task, move)) {
			set_mean(child, BANNED, 0);
			continue;
		}
		if (next.pending)
			restrict_node(m, child, &next, child->step, rng);
		/* Alive again, if only the moves left out made it useless. */
		if (visits_of(child))
			refresh(m, child, stats_of(child), s->side);
		else if (atomic_load_explicit(&child->mean, memory_order_relaxed) != DEAD)
			continue;
		else if (m->judges)
			set_hope(child, s->side);
		else
			set_mean(child, m->first_play, 0);
	}
	atomic_store_explicit(&n->stats, children_stats(m, n), memory_order_relaxed);
	atomic_store_explicit(&n->proof, 0, memory_order_relaxed);
	prove_parent(m, n, s->side);
}

/* Gives the root, and the first steps of moves that win at once, their children with their proofs. As leaves
 * below the root such nodes get none. The arena has room. */
static void expand_wins(struct mcts *m)
{
	struct node *root = node_at(m, m->root);
	struct rng rng;
	float value;
	int count;
	rng_seed(&rng, m->task->seed);
	expand(m, root, &m->position, &rng, &value);
	struct node *children = children_of(m, root, &count);
	for (int i = 0; i < count; i++) {
		struct state next = m->position;
		m->game->play(&next, children[i].step);
		if (next.over)
			atomic_fetch_or(&children[i].proof,
					proof_of_result(score_sign(next.score)));
		if (!next.pending || !m->game->wins(&next))
			continue;
		expand(m, &children[i], &next, &rng, &value);
		prove_parent(m, &children[i], next.side);
	}
}

/* Makes the root ready for this search: it has at least its children's visits and proofs, which an earlier
 * search may have given them. */
static void prepare_root(struct mcts *m)
{
	struct node *root = node_at(m, m->root);
	if (m->task->only) {
		struct rng rng;
		rng_seed(&rng, m->task->seed);
		save(m, root, true);
		restrict_node(m, root, &m->position, MOVE_NONE, &rng);
		return;
	}
	if (m->root != ORIGIN)
		save(m, root, false);
	/* What it was proven as a leaf, or by df-pn, its own steps have to prove again. */
	if (m->prover || atomic_load_explicit(&root->children, memory_order_relaxed) == NO_CHILDREN)
		atomic_store_explicit(&root->proof, 0, memory_order_relaxed);
	if (m->wins)
		expand_wins(m);
	uint64_t sum = children_stats(m, root);
	if (sum >> VISITS_SHIFT > visits_of(root))
		atomic_store_explicit(&root->stats, sum, memory_order_relaxed);
	prove_parent(m, root, m->position.side);
}

static bool prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct mcts *m = self;
	size_t size = task->memory / sizeof(unit) * sizeof(unit);
	size_t smallest = (FIRST_BLOCK + ROOT_UNITS) * sizeof(unit);
	assert(task->record->game->length_max < PATH_MAX_LEN);
	assert(task->record->game->moves_max <= UINT8_MAX + 1);
	size = size < smallest ? smallest : size;
	if (size > (size_t)UINT32_MAX / 2 * sizeof(unit))
		size = (size_t)UINT32_MAX / 2 * sizeof(unit);
	if (m->size != size) {
		block_destroy(m->arena, m->size);
		m->game = NULL;
		m->saved_count = 0;
		m->size = 0;
		m->arena = block_create(size);
		if (!m->arena) {
			strcpy(why, "the memory for the tree was refused; lower the option memory");
			return false;
		}
		m->size = size;
		m->units = (uint32_t)(size / sizeof(unit));
	}
	restore(m);
	m->task = task;
	m->position = task->record->now;
	m->prover = task->options->solver ? task->prover : NULL;
	m->looks = task->options->solver && task->options->lookahead && task->record->game->wins;
	m->wins = m->looks && task->record->game->wins(&m->position);
	m->judges = task->options->judge && judge_open(&m->judge, task->record->game);
	m->at_once = !m->judges && task->options->lanes && task->record->game->playouts
			     ? GAME_PLAYOUTS
			     : 1;
	m->minimax = m->judges && !m->judge.by_net ? (float)task->options->minimax : 0;
	m->exploration = (float)(m->judges ? task->options->puct : 2 * task->options->exploration);
	/* Tried first: above every mean with its exploration term, as sqrt(ln VISITS_MAX) < 5. */
	m->first_play = BIAS + (task->options->first_play > 1
					? 1 + 5 * m->exploration
					: (float)(2 * task->options->first_play - 1));
	m->paid = 0;
	m->earlier += atomic_load_explicit(&m->playouts, memory_order_relaxed);
	atomic_store_explicit(&m->playouts, 0, memory_order_relaxed);
	atomic_store_explicit(&m->depth, 0, memory_order_relaxed);
	/* Noise is new for each search, and no other search should have it. */
	bool keep = task->options->reuse && m->proven == task->options->solver &&
		    m->judged == m->judges && !m->noisy &&
		    !(m->judges && task->options->noise > 0) && m->earlier < VISITS_MAX / 2;
	m->root = keep ? find_root(m, task->record) : 0;
	if (!m->root)
		start_afresh(m);
	else if (m->root != ORIGIN && room_of(m) < ring_units(m) / 2)
		collect(m, SLICE_UNITS);
	if (task->only || m->wins) {
		if (room_of(m) < ROOT_UNITS)
			collect(m, SLICE_UNITS);
		if (room_of(m) < ROOT_UNITS)
			start_afresh(m);
	}
	prepare_root(m);
	return true;
}

/* The second step of a move whose first step has no children, because the arena was full: the one that
 * a few playouts like best. */
static move_t guess_step(const struct mcts *m, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX], best = 0;
	int count = m->game->moves(s, steps), most = INT_MIN;
	struct rng rng;
	rng_seed(&rng, m->task->seed);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		int sum = 0;
		m->game->play(&next, steps[i]);
		for (int j = 0; j < 64; j++)
			sum += score_sign(m->game->playout(&next, &rng)) * sign_of_side(s->side);
		if (sum > most) {
			most = sum;
			best = steps[i];
		}
	}
	return best;
}

/* A mean brought between proven bounds: the playouts came before the proof, or there were none. */
static double clamp_value(double mean, uint8_t proof)
{
	int lower = lower_of(proof), upper = upper_of(proof);
	return lower == upper ? lower : mean < lower ? lower : mean > upper ? upper : mean;
}

/* The margin for Black that a value stands for. That of a proven result is unknown. */
static double margin_of(const struct mcts *m, double value, uint8_t proof)
{
	return m->judges && !is_resolved(proof) ? judge_margin(&m->judge, value) : NAN;
}

/* Makes the move to play at a node and goes to the node behind it, NULL where the arena has none. False,
 * nothing is made: there are no children. */
static bool choose_move(const struct mcts *m, const struct node **n, struct state *s,
			struct move *move)
{
	*move = move_single(MOVE_NONE);
	for (int i = 0; i == 0 || s->pending; i++) {
		*n = *n ? best_child(m, *n, s->side) : NULL;
		if (!*n && i == 0)
			return false;
		move->step[i] = *n ? (*n)->step : guess_step(m, s);
		m->game->play(s, move->step[i]);
	}
	return true;
}

/* Adds the moves to a line that the search expects from a node on, as far as it has been there. */
static int follow_line(const struct mcts *m, const struct node *n, struct state s, int count,
		       struct move *line, uint64_t *visits, int max)
{
	while (n && visits_of(n) && !s.over && count < max) {
		struct move move = move_single(MOVE_NONE);
		for (int i = 0; i == 0 || s.pending; i++) {
			n = best_child(m, n, s.side);
			if (!n)
				return count;
			move.step[i] = n->step;
			m->game->play(&s, n->step);
		}
		uint64_t n_visits = visits_of(n);
		if (visits && n_visits)
			visits[count] = n_visits;
		if (n_visits)
			line[count++] = move;
	}
	return count;
}

/* Adds what is known of the moves that begin with `first` and lead to the children of a node. */
static void report_children(const struct mcts *m, const struct node *n, const struct state *s,
			    struct move first, struct report *out, double *ratings)
{
	const struct options *o = m->task->options;
	int count, sign = sign_of_side(s->side);
	const struct node *children = children_of(m, n, &count);
	for (int i = 0; i < count; i++) {
		const struct node *child = &children[i];
		if (is_banned(child))
			continue;
		struct move move = first;
		struct state next = *s;
		move.step[s->pending] = child->step;
		m->game->play(&next, child->step);
		if (next.pending) {
			report_children(m, child, &next, move, out, ratings);
			continue;
		}
		uint64_t stats = stats_of(child);
		uint8_t proof = o->solver ? proof_of(child) : 0;
		if (stats == 0 && proof == 0)
			continue;
		struct report_move *r = report_add(out, move);
		r->visits = stats >> VISITS_SHIFT;
		r->lower = lower_of(proof);
		r->upper = upper_of(proof);
		r->value = clamp_value(value_of(m, child, stats), proof);
		r->score = margin_of(m, r->value, proof);
		r->line_visits[0] = r->visits;
		r->line_count = follow_line(m, child, next, 1, r->line, r->line_visits,
					    REPORT_LINE_MAX);
		ratings[out->move_count - 1] = o->choice == CHOICE_VISITS ? (double)r->visits
					       : isnan(r->value)          ? -2
									  : sign * r->value;
	}
}

/* In the midst of work statistics and proofs go on changing: what is read once here fits together, and the
 * root's proof comes first, since its children never know less than it. */
static void report(void *self, struct report *out)
{
	struct mcts *m = self;
	struct state s = m->position;
	const struct node *root = node_at(m, m->root), *n = root;
	uint8_t proof = m->task->options->solver ? atomic_load(&root->proof) : 0;
	double ratings[GAME_MOVES_MAX];

	out->lower = lower_of(proof);
	out->upper = upper_of(proof);
	out->playouts = atomic_load_explicit(&m->playouts, memory_order_relaxed);
	out->depth = atomic_load_explicit(&m->depth, memory_order_relaxed);
	out->fill = 1 - room_of(m) / (double)ring_units(m);
	if (!choose_move(m, &n, &s, &out->line[0]))
		return;
	out->line_count = follow_line(m, n, s, 1, out->line, NULL, PV_MAX);
	/* The move's worth is the answer's. */
	if (n && (visits_of(n) || out->lower == out->upper))
		out->value = clamp_value(value_of(m, n, stats_of(n)), proof);
	out->score = margin_of(m, out->value, proof);
	report_children(m, root, &m->position, move_single(MOVE_NONE), out, ratings);
	report_sort(out, m->position.side, ratings);
}

static void *create(void)
{
	struct mcts *m = xcalloc(1, sizeof *m);
	for (int i = 0; i < LOG_ENTRIES; i++) {
		union float_bits n = { .bits = (i << LOG_SHIFT) + 0x3f800000 };
		m->sqrt_log[i] = sqrtf(logf(n.value));
		m->inverse_sqrt[i] = 1 / sqrtf(n.value);
	}
	return m;
}

static void destroy(void *self)
{
	struct mcts *m = self;
	block_destroy(m->arena, m->size);
	free(m);
}

const struct algorithm algorithm_mcts = {
	.name = "mcts",
	.help = "UCT: Monte Carlo tree search with UCB1, proofs and a tree kept between moves",
	.keeps = true,
	.create = create,
	.destroy = destroy,
	.prepare = prepare,
	.work = work,
	.report = report,
};
