/* SPDX-License-Identifier: MIT
 *
 * The exact solver of Go on boards up to 5x5, with positional superko.
 *
 * A question is whether a side, the prover, gets at least a number of points (its area minus the other side's). A
 * depth-first search answers it. It goes down to a limited depth, which grows until both sides have proven the same
 * score. At the limit a question counts as not proven. So a search has two results: a proof, which is final, and a
 * failure, which holds for this depth. Only proofs become bounds of a score: the prover's proof is a lower bound, the
 * other side's an upper one. A proof is made of proofs only, never of failures.
 *
 * Stones that cannot be captured and the points that they enclose end a line early (small_safe).
 *
 * Superko makes results depend on the path: the earlier positions of the game, then those of the search. A table
 * that ignores this is wrong (graph history interaction: Campbell, 1985). A proof depends on the path in two ways:
 * - A move of the other side was left out because it would bring back a position of the path. If that position lies
 *   above the node of the proof, the proof is not stored (struct go_solver_result, `before`): on another path the move may be
 *   legal. If it is the node's own position or lies below, it is there on every path to the node. A ko is part of
 *   the table's key.
 * - The proof needs moves of the prover that another path forbids. So each result tells where stones may be placed and
 *   captured in its lines (struct reach). They can bring back a position of the path only if all stones by which it
 *   differs from the node's are in these sets. If they are, the stored proof is not used on this path (may_return).
 * Moves of the other side that another path forbids cannot hurt a proof: it holds for the other moves, and a pass is
 * always legal. The same holds for safe points, which are proofs too. Failures are stored by the same rules with the
 * sides exchanged, but checked only at large depths: a wrong one could be repeated forever, but proves nothing.
 * So stored proofs are true for every path that passes this check, in later solves too.
 *
 * Threads: games/common/root.h. Workers also defer each other's moves at large depths, and share one table.
 */
#include "games/go/go_solver.h"

#include <math.h>
#include <string.h>

#include "engine/search/common/cell.h"
#include "games/common/root.h"
#include "games/go/go.h"
#include "games/go/go_small.h"

#define DEPTH_MAX   250  /* of a search; depths are stored in a byte */
#define PAST_MAX    2048 /* most earlier positions of the game */
#define PATH_PLIES  (PAST_MAX + DEPTH_MAX + 8)
#define UNKNOWN     (-SMALL_SQUARES - 1) /* less than any score */
#define TABLE_DEPTH 2 /* least depth of a search that uses the table, whose memory is slow */
#define SPLIT_DEPTH 6 /* least depth where workers defer each other's moves */

/* Limits what can happen in the lines of a result: the points where stones of each side are placed and lost. */
struct reach {
	set_t placed[2], lost[2];
};

struct go_solver_result {
	struct reach reach;
	int value; /* of a proof: points that the prover gets, at least `claim` */
	int before; /* the first index of the path on which the result depends, at most; PATH_PLIES: none */
};

/* Data of all workers, at the start of the solver's block. Initially zero. */
struct go_solver_shared {
	struct root_shared root;
	int past_count;          /* set before the workers start, like `past` */
	uint64_t past[PAST_MAX]; /* earlier positions of the game, by small_board() */
};
_Static_assert(sizeof(struct go_solver_shared) <= SOLVER_CLEAR,
	       "the start of the block is cleared");

/* --- the table --- */

/* What is known about a position and a prover. */
struct go_solver_known {
	struct reach proof, failure;
	int8_t value; /* proven points, or UNKNOWN */
	int8_t claim; /* not proven with this depth, or any larger claim */
	uint8_t depth;
	uint8_t square; /* of the best move, `squares` for a pass, or NONE */
	uint8_t work;   /* log2 of the positions that were searched */
	uint8_t unused[3];
};

#define KNOWN_WORDS 5
_Static_assert(sizeof(struct go_solver_known) == 8 * KNOWN_WORDS, "words hold the data exactly");

static const struct go_solver_known nothing = { .value = UNKNOWN,
						.claim = SMALL_SQUARES + 1,
						.square = NONE };

#define BUCKET_CELLS 2

struct go_solver_bucket {
	_Atomic uint64_t cells[BUCKET_CELLS][1 + KNOWN_WORDS];
};

/* A position in a search that uses the table. */
struct go_solver_node {
	struct position p;
	uint64_t key;
	int symmetry; /* maps the position to the key's */
	int depth;
};

#define FILTER_BITS 4096

struct go_solver_worker {
	struct root root;
	struct position after[SMALL_SQUARES + 1]; /* the moves of the root */
	struct move moves[SMALL_SQUARES + 1];
	const struct shape *shape;
	struct go_solver_bucket *table;
	uint64_t buckets;
	bool strict; /* also check failures against the path */
	uint64_t searched;
	int prover, claim;                         /* the question */
	int depth;                                 /* of the search */
	bool lowers;                               /* proves upper bounds of the root's moves */
	int root_ply;                              /* index of the position to solve in `path` */
	struct go_solver_node node[DEPTH_MAX + 2]; /* of the path from the root */
	uint64_t path[PATH_PLIES]; /* earlier positions of the game, then those from the root */
	uint64_t filter[FILTER_BITS / 64]; /* by hashes of the earlier positions of the game */
	/* Of moves in earlier searches: [prover][side][square]. */
	uint64_t merit[2][2][SMALL_SQUARES + 1];
};

#define SIZE_SHIFT 58 /* the size is the highest part of a key */

/* The key of a position and a prover, equal for all symmetries. *symmetry maps the position to the key's. */
static uint64_t go_solver_key_of(const struct go_solver_worker *w, const struct position *p,
				 int *symmetry)
{
	struct set_images black = set_images(w->shape, p->stones[BLACK]);
	struct set_images white = set_images(w->shape, p->stones[WHITE]);
	struct set_images ko = set_images(w->shape, p->ko == NONE ? 0 : 1u << p->ko);
	uint64_t least = UINT64_MAX;
	*symmetry = 0;
	for (int i = 0; i < SYMMETRIES; i++) {
		uint64_t key = (uint64_t)(ko.set[i] ? set_first(ko.set[i]) : NONE) << 50 |
			       (uint64_t)white.set[i] << 25 | black.set[i];
		*symmetry = key < least ? i : *symmetry;
		least = key < least ? key : least;
	}
	return least | (uint64_t)p->side << 55 | (uint64_t)p->passes << 56 |
	       (uint64_t)w->prover << 57 | (uint64_t)w->shape->size << SIZE_SHIFT;
}

static uint64_t go_solver_hash_of(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15u;
	return (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
}

static struct go_solver_bucket *go_solver_bucket_of(const struct go_solver_worker *w, uint64_t key)
{
	__extension__ uint64_t i = (uint64_t)((unsigned __int128)go_solver_hash_of(key) *
						      w->buckets >>
					      64);
	return &w->table[i];
}

/* Reads a cell. Returns its key, which means nothing if the cell was never written. */
static inline uint64_t go_solver_read(const _Atomic uint64_t *cell, struct go_solver_known *k)
{
	uint64_t key, words[KNOWN_WORDS];
	cell_load(cell, 1, KNOWN_WORDS, &key, words);
	memcpy(k, words, sizeof *k);
	return key;
}

static inline void go_solver_write(_Atomic uint64_t *cell, uint64_t key,
				   const struct go_solver_known *k)
{
	uint64_t words[KNOWN_WORDS];
	memcpy(words, k, sizeof *k);
	cell_write(cell, 1, KNOWN_WORDS, &key, words);
}

static struct go_solver_known go_solver_table_find(const struct go_solver_worker *w, uint64_t key)
{
	struct go_solver_known k;
	const struct go_solver_bucket *b = go_solver_bucket_of(w, key);
	for (int i = 0; i < BUCKET_CELLS; i++)
		if (go_solver_read(b->cells[i], &k) == key)
			return k;
	return nothing;
}

/* Stores what is known. It replaces what was known before, or else the cell with the least work; the others age. */
static void go_solver_table_store(const struct go_solver_worker *w, uint64_t key,
				  const struct go_solver_known *known)
{
	struct go_solver_bucket *b = go_solver_bucket_of(w, key);
	struct go_solver_known old[BUCKET_CELLS];
	uint64_t keys[BUCKET_CELLS];
	int least = 0;
	for (int i = 0; i < BUCKET_CELLS; i++) {
		keys[i] = go_solver_read(b->cells[i], &old[i]);
		if (keys[i] == key) {
			go_solver_write(b->cells[i], key, known);
			return;
		}
		if (keys[i] >> SIZE_SHIFT != key >> SIZE_SHIFT)
			old[i].work = 0; /* never written, or in another solve */
		least = old[i].work < old[least].work ? i : least;
	}
	go_solver_write(b->cells[least], key, known);
	for (int i = 0; i < BUCKET_CELLS; i++)
		if (i != least && old[i].work) {
			old[i].work--;
			go_solver_write(b->cells[i], keys[i], &old[i]);
		}
}

static int square_turned(const struct shape *shape, int square, int symmetry)
{
	return square >= shape->squares ? square
					: set_first(set_turned(shape, 1u << square, symmetry));
}

/* The symmetry that undoes a symmetry. */
static const uint8_t inverse[SYMMETRIES] = { 0, 1, 2, 3, 4, 6, 5, 7 };

static inline struct reach reach_turned(const struct shape *shape, const struct reach *r,
					int symmetry)
{
	struct reach turned;
	for (int side = BLACK; side <= WHITE; side++) {
		turned.placed[side] = set_turned(shape, r->placed[side], symmetry);
		turned.lost[side] = set_turned(shape, r->lost[side], symmetry);
	}
	return turned;
}

static inline void reach_add(struct reach *r, const struct reach *other)
{
	for (int side = BLACK; side <= WHITE; side++) {
		r->placed[side] |= other->placed[side];
		r->lost[side] |= other->lost[side];
	}
}

/* Returns true if a move of `side` in the lines of a result can bring back a position of the path above the node,
 * earlier positions of the game included. Then the node's stones that were not there are lost, those that were there
 * only are placed, and the move places one of them. */
static bool may_return(const struct go_solver_worker *w, const struct position *p, int ply,
		       const struct reach *r, int side)
{
	for (int i = 0; i < ply && r->placed[side]; i++) {
		set_t then[2] = { (set_t)(w->path[i] >> 32), (set_t)w->path[i] };
		if (!(then[side] & r->placed[side]) || w->path[i] == w->path[ply])
			continue;
		if (!(p->stones[BLACK] & ~then[BLACK] & ~r->lost[BLACK]) &&
		    !(p->stones[WHITE] & ~then[WHITE] & ~r->lost[WHITE]) &&
		    !(then[BLACK] & ~p->stones[BLACK] & ~r->placed[BLACK]) &&
		    !(then[WHITE] & ~p->stones[WHITE] & ~r->placed[WHITE]))
			return true;
	}
	return false;
}

/* --- search --- */

/* A move that is to be searched. */
struct go_solver_option {
	struct position after;
	set_t dead;
	int square; /* `squares`: a pass */
	uint64_t rating;
};

#define FIRST_RATING   (UINT64_C(1) << 60)
#define CAPTURE_RATING (UINT64_C(1) << 40)

static bool go_solver_is_known(const struct go_solver_worker *w, const struct go_solver_node *n,
			       int ply, const struct go_solver_known *k,
			       struct go_solver_result *out, bool *proven);

static bool go_solver_is_answered(const struct root *r, int index)
{
	const struct go_solver_worker *w = (const struct go_solver_worker *)r;
	const struct go_solver_node *n = &w->node[index];
	struct go_solver_result unused;
	bool proven;
	struct go_solver_known k = go_solver_table_find(w, n->key);
	return go_solver_is_known(w, n, w->root_ply + 1 + index, &k, &unused, &proven);
}

/* Adds an earlier position of the game to the path. */
static void add_earlier(struct go_solver_worker *w, uint64_t board)
{
	uint64_t hash = go_solver_hash_of(board);
	w->filter[hash / 64 % (FILTER_BITS / 64)] |= UINT64_C(1) << hash % 64;
	w->path[w->root_ply++] = board;
}

/* Returns true if a position may be one of the earlier ones of the game. */
static inline bool may_be_earlier(const struct go_solver_worker *w, uint64_t board)
{
	uint64_t hash = go_solver_hash_of(board);
	return w->filter[hash / 64 % (FILTER_BITS / 64)] >> hash % 64 & 1;
}

/* The last index of the path, up to `ply`, with these stones, or -1. */
static int find_in_path(const struct go_solver_worker *w, int ply, uint64_t board)
{
	for (; ply >= w->root_ply; ply--)
		if (w->path[ply] == board)
			return ply;
	if (!may_be_earlier(w, board))
		return -1;
	while (ply >= 0 && w->path[ply] != board)
		ply--;
	return ply;
}

/* Lists the moves of a position, `first` with the highest rating. *before is the first ply among the latest positions
 * that forbid a move. */
static int go_solver_list_options(const struct go_solver_worker *w, const struct position *p,
				  int ply, int first,
				  struct go_solver_option options[SMALL_SQUARES + 1], int *before)
{
	const struct shape *shape = w->shape;
	int count = 0;
	*before = PATH_PLIES;
	for (set_t left = shape->all & ~(p->stones[BLACK] | p->stones[WHITE]); left;
	     left &= left - 1) {
		struct go_solver_option *o = &options[count];
		o->square = set_first(left);
		if (o->square == p->ko || !small_play(shape, p, o->square, &o->after, &o->dead))
			continue;
		int earlier = find_in_path(w, ply, small_board(&o->after));
		if (earlier >= 0) {
			*before = earlier < *before ? earlier : *before;
			continue;
		}
		o->rating = (uint64_t)set_count(o->dead) * CAPTURE_RATING +
			    w->merit[w->prover][p->side][o->square] + 2;
		count++;
	}
	options[count++] = (struct go_solver_option) {
		.after = small_pass(p),
		.square = shape->squares,
		.rating = p->side == w->prover ? 1 : 2,
	};
	for (int i = 0; i < count; i++)
		if (options[i].square == first)
			options[i].rating += FIRST_RATING;
	return count;
}

/* Brings the option with the highest rating from `from` or behind to `from`. */
static const struct go_solver_option *next_option(struct go_solver_option *options, int from,
						  int count)
{
	int best = from;
	for (int i = from + 1; i < count; i++)
		if (options[i].rating > options[best].rating)
			best = i;
	struct go_solver_option swap = options[from];
	options[from] = options[best];
	options[best] = swap;
	return &options[from];
}

static bool go_solver_prove(struct go_solver_worker *w, const struct position *p, int ply,
			    int depth, struct go_solver_result *out);

/* Adds a move to what can happen. */
static void reach_move(struct reach *r, const struct go_solver_option *o)
{
	int side = o->after.side ^ 1;
	if (o->after.passes)
		return;
	r->placed[side] |= 1u << o->square;
	r->lost[side ^ 1] |= o->dead;
}

/* A position in the set of busy positions. Other questions are other positions. */
static uint64_t busy_hash(const struct go_solver_worker *w, const struct position *p)
{
	uint64_t question = (uint64_t)(w->claim + SMALL_SQUARES) << 2 | (uint64_t)w->prover << 1 |
			    p->side;
	return go_solver_hash_of(small_board(p) ^ question << 57);
}

/* Searches the moves of a position that is not decided. The side to move wants the outcome `wanted` of prove(), and
 * one move with it suffices. Sets *best to the square of this move. */
static bool search_moves(struct go_solver_worker *w, const struct position *p, int ply, int depth,
			 int first, struct go_solver_result *out, int *best)
{
	*out = (struct go_solver_result) { .value = SMALL_SQUARES };
	struct go_solver_option options[SMALL_SQUARES + 1];
	bool wanted = p->side == w->prover, splits = w->root.threads > 1 && depth >= SPLIT_DEPTH;
	int count = go_solver_list_options(w, p, ply, first, options, &out->before);
	*best = NONE;
	for (int i = 0; i < count; i++) {
		const struct go_solver_option *o = next_option(options, i, count);
		struct go_solver_result r;
		bool proven;
		uint64_t busy = splits && i > 0 ? busy_hash(w, &o->after) : 0;
		if (busy && !busy_begin(&w->root.shared->busy, &busy, o->rating)) {
			options[i--].rating = 0; /* last */
			continue;
		}
		if (o->after.passes == 2) {
			int value = small_margin(w->shape, p->stones[w->prover],
						 p->stones[w->prover ^ 1]);
			proven = value >= w->claim;
			r = (struct go_solver_result) { .value = value, .before = PATH_PLIES };
		} else {
			w->path[ply + 1] = small_board(&o->after);
			proven = go_solver_prove(w, &o->after, ply + 1, depth - 1, &r);
		}
		if (busy)
			busy_end(&w->root.shared->busy, busy);
		if (w->root.unwind != NO_UNWIND)
			return false;
		reach_move(&r.reach, o);
		if (proven == wanted) {
			*best = o->square;
			*out = r;
			w->merit[w->prover][p->side][o->square] += (uint64_t)(depth * depth);
			return proven;
		}
		reach_add(&out->reach, &r.reach);
		out->value = r.value < out->value ? r.value : out->value;
		out->before = r.before < out->before ? r.before : out->before;
	}
	return !wanted;
}

/* What can happen while a side holds its safe points: it plays only where the other side has played. */
static void reach_safe(const struct shape *shape, struct reach *r, set_t stones, int side,
		       const struct safe *safe)
{
	set_t firm = safe->points & stones;
	if (!safe->contested)
		return;
	r->placed[side] = r->lost[side ^ 1] = safe->contested;
	r->placed[side ^ 1] = shape->all & ~firm;
	r->lost[side] = stones & ~firm;
}

/* Answers without a search, from a pass that ends the game or from safe points. Returns true if the answer is known;
 * then *proven is set. */
static bool go_solver_is_decided(const struct go_solver_worker *w, const struct position *p,
				 int ply, struct go_solver_result *out, bool *proven)
{
	const struct shape *shape = w->shape;
	set_t own = p->stones[w->prover], other = p->stones[w->prover ^ 1];
	bool is_movers = p->side == w->prover;
	int now = p->passes ? small_margin(shape, own, other) : 0;
	if (p->passes) {
		out->value = now;
		*proven = now >= w->claim;
		if (*proven == is_movers)
			return true;
	}
	struct safe safe = small_safe(shape, own);
	out->value = 2 * set_count(safe.points) - shape->squares;
	/* The other side may end the game before dead stones are captured. */
	if (p->passes && !is_movers && now < out->value)
		out->value = now;
	*proven = out->value >= w->claim;
	if (!*proven) {
		safe = small_safe(shape, other);
		if (shape->squares - 2 * set_count(safe.points) >= w->claim)
			return false;
	}
	int side = *proven ? w->prover : w->prover ^ 1;
	reach_safe(shape, &out->reach, p->stones[side], side, &safe);
	return !(*proven || w->strict) || !may_return(w, p, ply, &out->reach, side);
}

/* Answers from the table. */
static bool go_solver_is_known(const struct go_solver_worker *w, const struct go_solver_node *n,
			       int ply, const struct go_solver_known *k,
			       struct go_solver_result *out, bool *proven)
{
	int back = inverse[n->symmetry];
	*proven = k->value >= w->claim;
	if (!*proven && (k->claim > w->claim || k->depth < n->depth))
		return false;
	struct reach reach = reach_turned(w->shape, *proven ? &k->proof : &k->failure, back);
	bool checks = *proven || w->strict;
	if (checks && may_return(w, &n->p, ply, &reach, *proven ? w->prover : w->prover ^ 1))
		return false;
	*out = (struct go_solver_result) { .reach = reach,
					   .value = k->value,
					   .before = PATH_PLIES };
	return true;
}

/* Adds the result of a search that began after `before` positions to the table. */
static void store(const struct go_solver_worker *w, const struct go_solver_node *n, int best,
		  bool proven, const struct go_solver_result *found, uint64_t before)
{
	struct go_solver_known k = go_solver_table_find(w, n->key);
	struct reach reach = reach_turned(w->shape, &found->reach, n->symmetry);
	int work = 64 - __builtin_clzll(w->searched - before + 1);
	k.work = (uint8_t)(work > k.work ? work : k.work);
	if (best != NONE)
		k.square = (uint8_t)square_turned(w->shape, best, n->symmetry);
	if (!proven) {
		k.claim = (int8_t)w->claim;
		k.depth = (uint8_t)n->depth;
		k.failure = reach;
	} else if (found->value > k.value) {
		k.value = (int8_t)found->value;
		k.proof = reach;
	}
	go_solver_table_store(w, n->key, &k);
}

/* Searches a position that is not decided, with the table. */
static bool search_node(struct go_solver_worker *w, const struct position *p, int ply, int depth,
			struct go_solver_result *out)
{
	struct go_solver_node *n = &w->node[ply - w->root_ply - 1];
	uint64_t before = w->searched;
	int best;
	n->p = *p;
	n->depth = depth;
	n->key = go_solver_key_of(w, p, &n->symmetry);
	for (;;) {
		struct go_solver_known known = go_solver_table_find(w, n->key);
		int first = NONE;
		bool proven;
		if (go_solver_is_known(w, n, ply, &known, out, &proven))
			return proven;
		if (known.square != NONE)
			first = square_turned(w->shape, known.square, inverse[n->symmetry]);
		proven = search_moves(w, p, ply, depth, first, out, &best);
		if (w->root.unwind == NO_UNWIND && out->before >= ply) {
			out->before = PATH_PLIES;
			store(w, n, best, proven, out, before);
		}
		if (w->root.unwind != ply - w->root_ply - 1)
			return proven;
		/* Another worker has found the answer. */
		w->root.unwind = NO_UNWIND;
	}
}

/* Searches for a proof that the prover gets at least `claim` points from a position. `ply` is its index in the path.
 * Returns false if there is none of this depth, or if the worker unwinds. */
static bool go_solver_prove(struct go_solver_worker *w, const struct position *p, int ply,
			    int depth, struct go_solver_result *out)
{
	bool proven;
	int best;
	*out = (struct go_solver_result) { .before = PATH_PLIES };
	if (depth >= SPLIT_DEPTH - 1)
		w->root.depth = ply - w->root_ply - 1;
	if (w->searched >= w->root.pause && w->root.unwind == NO_UNWIND)
		root_pause(&w->root);
	if (w->root.unwind != NO_UNWIND)
		return false;
	w->searched++;
	if (go_solver_is_decided(w, p, ply, out, &proven))
		return proven;
	if (depth <= 0) {
		*out = (struct go_solver_result) { .before = PATH_PLIES };
		return false;
	}
	if (depth >= TABLE_DEPTH)
		return search_node(w, p, ply, depth, out);
	return search_moves(w, p, ply, depth, NONE, out, &best);
}

/* --- the root --- */

static const struct root_game go_solver_root;

/* Sets up the path and the root. The position before the root is known if there is a ko. */
static void go_solver_root_init(struct go_solver_worker *w, const struct game *g,
				const struct state *s, const void *block)
{
	const struct go_solver_shared *shared = block;
	int squares, ko = go_ko(s);
	w->shape = small_shape(go_size(s));
	squares = w->shape->squares;
	w->root = root_of(&go_solver_root, s, squares, block);
	w->root.komi = side_sign(s->side) * go_get_komi(g, s);
	struct position after, p = {
		.stones = { (set_t)(s->board[GO_STONES(BLACK)] & w->shape->all),
			    (set_t)(s->board[GO_STONES(WHITE)] & w->shape->all) },
		.side = s->side,
		.passes = (uint8_t)go_passes(s),
		.ko = ko == GO_NO_SQUARE ? NONE : (uint8_t)ko,
	};
	set_t dead;
	for (int i = 0; i < shared->past_count; i++)
		add_earlier(w, shared->past[i]);
	if (p.ko != NONE && small_play(w->shape, &p, p.ko, &after, &dead))
		add_earlier(w, small_board(&after));
	w->path[w->root_ply] = small_board(&p);
	for (int square = 0; square <= squares; square++) {
		bool is_free = square < squares && square != p.ko &&
			       !((p.stones[BLACK] | p.stones[WHITE]) >> square & 1);
		if (square == squares)
			after = small_pass(&p);
		else if (!is_free || !small_play(w->shape, &p, square, &after, &dead) ||
			 find_in_path(w, w->root_ply, small_board(&after)) >= 0)
			continue;
		w->moves[w->root.count] = move_single((move_t)square);
		w->after[w->root.count] = after;
		root_add(&w->root, 0, go_solver_hash_of(small_board(&after)));
	}
}

/* Proves that a move gives the mover what is wanted, or, while the upper bounds are lowered, that the other side prevents
 * it. An unproven question is left to the other moves, or to a deeper search. */
static bool go_solver_ask(struct root *r, int move)
{
	struct go_solver_worker *w = (struct go_solver_worker *)r;
	const struct position *after = &w->after[move];
	struct go_solver_result found;
	w->prover = r->side ^ w->lowers;
	w->claim = w->lowers ? 1 - r->want : r->want;
	w->path[w->root_ply + 1] = small_board(after);
	if (!go_solver_prove(w, after, w->root_ply + 1, w->depth - 1, &found))
		return w->lowers;
	if (w->lowers)
		root_learn(r, move, -r->limit, -found.value);
	else
		root_learn(r, move, found.value, r->limit);
	return !w->lowers;
}

/* The next score above or below a bound that is worth a question; for SOLVE_RESULT, one with another winner. */
static int next_score(const struct root *r, int bound, int step)
{
	int score = bound + step;
	while (r->aim == SOLVE_RESULT && score > -r->limit && score < r->limit &&
	       score_sign(2 * score - r->komi) == score_sign(2 * bound - r->komi))
		score += step;
	return score;
}

/* Tries to raise the lower bound of a set, else to lower the upper one. Returns false if it cannot. */
static bool narrow(struct go_solver_worker *w, int set)
{
	struct root *r = &w->root;
	struct root_bounds b = root_known(r, set), now;
	w->lowers = false;
	if (!root_ask(r, set, next_score(r, b.least, 1)) && !r->stopped) {
		w->lowers = true;
		root_ask(r, set, next_score(r, b.most, -1) + 1);
	}
	now = root_known(r, set);
	return now.least != b.least || now.most != b.most;
}

/* Searches of all depths, until the bounds are known or control stops them. */
static void go_solver_solve(struct root *r, int set)
{
	struct go_solver_worker *w = (struct go_solver_worker *)r;
	bool result = r->aim == SOLVE_RESULT;
	if (set == ROOT_ALL && r->aim == SOLVE_ALL)
		return; /* the moves come one by one */
	for (w->depth = 1; w->depth < DEPTH_MAX && !r->stopped; w->depth++) {
		w->strict = w->depth > 5 * w->shape->size;
		do
			if (root_is_known(r, set, result))
				return;
		while (!r->stopped && narrow(w, set));
	}
}

static const struct root_game go_solver_root = {
	.scale = 2,
	.claim = 256,
	.solve = go_solver_solve,
	.ask = go_solver_ask,
	.is_answered = go_solver_is_answered,
};

/* --- interface --- */

static bool go_solver_add_past(const struct game *g, void *block, const struct state *s)
{
	struct go_solver_shared *shared = block;
	uint64_t board = s->board[GO_STONES(BLACK)] << 32 | (set_t)s->board[GO_STONES(WHITE)];
	if (shared->past_count && shared->past[shared->past_count - 1] == board)
		return true; /* after a pass */
	if (shared->past_count == PAST_MAX)
		return false;
	shared->past[shared->past_count++] = board;
	return true;
}

static void go_solver_work(const struct game *g, const struct state *s, enum solve_aim aim,
			   void *block, size_t bytes, int number, int threads,
			   struct control *control)
{
	struct go_solver_worker w = {
		.table = (struct go_solver_bucket *)((char *)block + SOLVER_CLEAR),
		.buckets = (bytes - SOLVER_CLEAR) / sizeof(struct go_solver_bucket),
	};
	go_solver_root_init(&w, g, s, block);
	/* A second pass ends the game. */
	if (go_passes(s) == 1) {
		int pass = w.root.count - 1;
		const struct position *p = &w.after[pass];
		int margin = small_margin(w.shape, p->stones[s->side], p->stones[s->side ^ 1]);
		root_learn(&w.root, pass, margin, margin);
	}
	root_work(&w.root, aim, number, threads, control, &w.searched);
}

static bool go_solver_result(const struct game *g, const struct state *s, const void *block,
			     struct solution *out)
{
	struct go_solver_worker w = { 0 };
	go_solver_root_init(&w, g, s, block);
	return root_result(&w.root, w.moves, out);
}

/* Fitted to the time that nine of ten positions took at most: those of games between searches, with their past, and
 * on 4x4 also random ones. */
static const struct cost {
	int empties;    /* most empty points that are solved */
	double seconds; /* with so many; each empty point less divides them by GROWTH */
	double all;     /* factor for the scores of all moves */
	size_t bytes;   /* of the table */
} costs[SMALL_SIDE_MAX + 1] = {
	[2] = { 4, 0.001, 2, (size_t)1 << 16 },
	[3] = { 9, 0.05, 6, (size_t)1 << 20 },
	[4] = { 16, 20, 10, (size_t)1 << 27 },
	[5] = { 10, 5, 10, (size_t)1 << 28 },
};

#define GROWTH 1.6

/* Refuses larger boards, and early positions on 5x5. More threads help, but not surely. */
static bool go_solver_estimate(const struct game *g, const struct state *s, enum solve_aim aim,
			       int threads, double *seconds, size_t *bytes)
{
	int size = go_size(s);
	if (aim == SOLVE_ESTIMATE || size > SMALL_SIDE_MAX)
		return false;
	const struct cost *cost = &costs[size];
	int empties = size * size - set_count((set_t)s->board[GO_STONES(BLACK)]) -
		      set_count((set_t)s->board[GO_STONES(WHITE)]);
	if (empties > cost->empties)
		return false;
	*bytes = SOLVER_CLEAR + cost->bytes;
	*seconds = cost->seconds / pow(GROWTH, cost->empties - empties);
	*seconds = root_seconds(*seconds * (aim == SOLVE_ALL ? cost->all : 1), *bytes, 1);
	return true;
}

const struct solver go_solver = {
	.estimate = go_solver_estimate,
	.work = go_solver_work,
	.result = go_solver_result,
	.add_past = go_solver_add_past,
};
