/* SPDX-License-Identifier: MIT
 *
 * Solves Pentago endgames by retrograde analysis in memory (after Irving, "Pentago is a first player win").
 * pentago_deals.h explains deals, planes, passes, slices and blocks.
 *
 * Sets are numbered in colexicographic order. So the blocks of the old slice become unused in their order
 * while the blocks of the new slice are computed in theirs. The new slice overwrites the unused part of the
 * old one. The memory is a ring that is little larger than the largest slice.
 *
 * Workers claim the chunks of a phase (the line tables, then the slices of each pass) from a counter. A
 * phase starts when all chunks of the previous phase are done. No worker waits for one that never started.
 */
#include "games/pentago/pentago_solver.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/rules/solver.h"
#include "engine/search/common/control.h"
#include "games/pentago/pentago_deals.h"

#define BYTES_MAX  ((size_t)64 << 30)
#define SETS_CHUNK 256 /* sets per chunk of the line tables */

/* --- the plan --- */

/* The number of sets with one more element that are no longer needed when all sets before `rank` are done. */
static uint32_t sets_dead(uint32_t rank, int size, int of)
{
	if (rank >= pentago_choose[of][size])
		return pentago_choose[of][size + 1];
	uint32_t dead = 0;
	uint32_t set = set_unrank(rank, size);
	for (int i = 1; set; set &= set - 1)
		dead += pentago_choose[__builtin_ctz(set)][++i];
	return dead;
}

static size_t aligned(size_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Lays out the scratch memory and returns its size. memory NULL: only computes the size. */
static size_t scratch_lay(const struct plan *p, struct scratch *s, char *memory)
{
	size_t middle = 0, deals = 0, middle_edges = 0, deal_edges = 0, at = 0;
	for (int i = 0; i < p->rounds; i++) {
		const struct round *r = &p->round[i];
		size_t edges = (size_t)(p->free - r->first - r->second);
		middle = r->middle > middle ? r->middle : middle;
		deals = r->deals > deals ? r->deals : deals;
		if (r->deals * edges > deal_edges)
			deal_edges = r->deals * edges;
		if (edges > 0 && r->middle * (edges - 1) > middle_edges)
			middle_edges = r->middle * (edges - 1);
	}
	size_t halves = (size_t)1 << p->free / 2;
#define LAY(FIELD, COUNT)                                                                          \
	do {                                                                                       \
		if (memory)                                                                        \
			s->FIELD = (void *)(memory + at);                                          \
		at += aligned((COUNT) * sizeof *s->FIELD);                                         \
	} while (0)
	LAY(middle_sets, middle);
	LAY(deal_sets, deals);
	LAY(middle_edges, middle_edges);
	LAY(deal_edges, deal_edges);
	LAY(low, halves);
	LAY(high_middle, halves);
	LAY(high_deal, halves);
	LAY(low_wins, halves);
	LAY(high_wins, halves);
	LAY(middle, middle);
#undef LAY
	if (memory)
		s->prepared = -1;
	return at;
}

/* Deals per chunk. A large chunk keeps the blocks that its sources share in the worker's cache. It must
 * still take well under a millisecond. */
#define CHUNK_DEALS 32768
#define SHARES      8 /* least chunks of a slice per thread, if it has enough blocks */
#define LEAD_GROUPS 1024
#define AHEAD       2 /* chunks per thread that may be computed ahead of a late one */

/* Returns true if a chunk may be written when `done` chunks are done: it overwrites only planes of the
 * previous slice that no other block needs. */
static bool may_begin(const struct plan *p, const struct round *r, uint32_t chunk, uint32_t done)
{
	if (!r->source)
		return true;
	uint32_t end = (chunk + 1) * r->chunk;
	if (end > r->blocks)
		end = r->blocks;
	return (size_t)end * r->deals <=
	       r->lead + (size_t)sets_dead(done * r->chunk, r->first, p->free) * r->source;
}

/* The distance in planes by which a slice must start before the previous one, so that a worker never waits
 * for chunks more than `ahead` before its own. The numbers of computed and unused planes only grow, so it
 * checks chunks in groups. This is fast; the result is too large by at most a thousandth of the slice. */
static size_t round_lead(const struct plan *p, const struct round *r, uint32_t ahead)
{
	size_t lead = 0;
	uint32_t group = r->chunks / LEAD_GROUPS + 1;
	for (uint32_t i = 0; i < r->chunks; i += group) {
		uint64_t end = (uint64_t)(i + group) * r->chunk;
		uint32_t done = i > ahead ? i - ahead : 0;
		if (end > r->blocks)
			end = r->blocks;
		size_t made = (size_t)end * r->deals;
		size_t dead = (size_t)sets_dead(done * r->chunk, r->first, p->free) * r->source;
		if (made > dead && made - dead > lead)
			lead = made - dead;
	}
	return lead;
}

/* Numbers the sets of both sides by size. */
static void plan_sets(struct plan *p)
{
	uint32_t sets = 0;
	for (int side = 0; side < 2; side++) {
		int most = side == 0 ? p->rounds : p->free / 2;
		for (int size = 0; size <= most; size++) {
			p->sets[side][size] = sets;
			sets += pentago_choose[p->free][size];
		}
		p->sets_end[side] = sets;
	}
	p->chunks = (sets + SETS_CHUNK - 1) / SETS_CHUNK;
	p->work = sets;
}

/* Sets up a round, after those before it. */
static void plan_round(struct plan *p, int i)
{
	struct round *r = &p->round[i];
	int n = p->rounds - 1 - i, squares = p->free - n - 1;
	r->first = n + 1;
	r->second = n;
	r->blocks = pentago_choose[p->free][n + 1];
	r->deals = pentago_choose[squares][n];
	r->middle = squares > n ? pentago_choose[squares][n + 1] : 0;
	r->source = i > 0 ? p->round[i - 1].deals : 0;
	uint32_t deals = r->middle + r->deals;
	uint32_t share = r->blocks / (uint32_t)(SHARES * p->threads);
	r->chunk = CHUNK_DEALS / deals < share ? CHUNK_DEALS / deals : share;
	r->chunk += r->chunk == 0;
	r->chunks = (r->blocks + r->chunk - 1) / r->chunk;
	p->work += (double)r->blocks * deals * PASSES;
}

/* Finds the size of the ring and where the slices start in it. The last round's slice has its own memory. Returns the
 * planes of the largest block. */
static size_t plan_ring(struct plan *p)
{
	const uint32_t ahead = p->threads > 1 ? (uint32_t)(AHEAD * p->threads) : 0;
	size_t start = 0, most = 0, before = 0;
	for (int i = 0; i < p->rounds - 1; i++) {
		struct round *r = &p->round[i];
		size_t own = (size_t)r->blocks * r->deals;
		r->lead = i > 0 ? round_lead(p, r, ahead) : own;
		p->ring = r->lead + before > p->ring ? r->lead + before : p->ring;
		most = r->deals > most ? r->deals : most;
		before = own;
	}
	for (int i = 0; i < p->rounds - 1; i++) {
		start = (start + p->ring - (i > 0 ? p->round[i].lead : 0)) % p->ring;
		p->round[i].start = start;
	}
	return most;
}

/* Lays out the memory. A block may cross the end of the ring, so there is room for the largest one behind it. */
static void plan_memory(struct plan *p, size_t largest_block)
{
	struct scratch unused;
	size_t threads = (size_t)p->threads, planes = p->sets_end[1] * (size_t)p->stride;
	p->scratch_size = scratch_lay(p, &unused, NULL);
	p->tables_at = aligned(sizeof(struct shared)) + threads * sizeof(struct deals_worker);
	p->scratch_at = p->tables_at + aligned(planes * sizeof(plane));
	p->ring_at = p->scratch_at + p->scratch_size * threads;
	p->bytes = p->ring_at + (p->ring + largest_block) * sizeof(plane);
}

/* Returns false if the solver does not support the state. */
static bool plan_make(struct plan *p, const struct state *s, int threads)
{
	memset(p, 0, sizeof *p);
	uint64_t black = s->board[BLACK] & FULL, white = s->board[WHITE];
	uint64_t empty = FULL & ~(black | white);
	p->rules = (enum rules)s->board[RULES];
	p->threads = threads;
	p->free = __builtin_popcountll(empty);
	if (s->over || s->pending || p->free > FREE_MAX)
		return false;
	p->stones[0] = s->side == BLACK ? black : white;
	p->stones[1] = s->side == BLACK ? white : black;
	for (int i = 0; i < p->free; i++, empty &= empty - 1)
		p->free_bit[i] = empty & -empty;
	p->rounds = (p->free + 1) / 2;
	p->stride = PARITIES * (p->rules == TAJIMA ? COUNT_BITS : 1);
	plan_sets(p);
	for (int i = 0; i < p->rounds; i++)
		plan_round(p, i);
	plan_memory(p, plan_ring(p));
	return p->bytes <= BYTES_MAX;
}

/* --- work --- */

static struct halves halves_of(uint32_t set, int half)
{
	return (struct halves) { (uint16_t)(set & ((1u << half) - 1)), (uint16_t)(set >> half) };
}

/* Fills the worker's tables for a round. */
static void scratch_prepare(struct deals_task *t, int round)
{
	const struct round *r = &t->plan.round[round];
	struct scratch *s = &t->scratch;
	if (s->prepared == round)
		return;
	s->prepared = round;
	int squares = t->plan.free - r->first;
	s->half = (squares + 1) / 2;
	uint32_t every = (1u << squares) - 1, set = (1u << r->second) - 1, *edge = s->deal_edges;
	for (uint32_t i = 0; i < r->deals; i++, set = set_next(set)) {
		s->deal_sets[i] = halves_of(set, s->half);
		for (uint32_t rest = every & ~set; rest; rest &= rest - 1)
			*edge++ = set_rank(set | (rest & -rest));
	}
	edge = s->middle_edges;
	set = (1u << (r->second + 1)) - 1;
	for (uint32_t i = 0; i < r->middle; i++, set = set_next(set)) {
		s->middle_sets[i] = halves_of(set, s->half);
		for (uint32_t rest = every & ~set; rest; rest &= rest - 1) {
			uint32_t below = (rest & -rest) - 1;
			uint32_t closed = (set & below) | (set >> 1 & ~below);
			*edge++ = set_rank(closed) * (uint32_t)sizeof(plane) << 8 |
				  (uint32_t)__builtin_ctz(rest);
		}
	}
}

/* A lower bound of the number of finished chunks at the start of the phase: all before `own`, and before
 * every chunk that a worker holds. */
static uint32_t chunks_done(const struct deals_task *t, uint32_t phase, uint32_t own)
{
	uint32_t done = own;
	for (int i = 0; i < t->plan.threads; i++) {
		uint64_t at = atomic_load(&t->workers[i].at);
		if (at >> 32 == phase + 1 && (uint32_t)at < done)
			done = (uint32_t)at;
	}
	return done;
}

/* Waits for a condition that other workers make true. Returns false if the search was stopped. */
#define WAIT_UNTIL(T, CONDITION)                                                                   \
	while (!(CONDITION)) {                                                                     \
		if (control_stopped((T)->control))                                                 \
			return false;                                                              \
		sched_yield();                                                                     \
	}

/* Works on a phase until it is done. Returns false if the search was stopped. */
static bool phase_work(struct deals_task *t, const struct pentago_kernel *k, uint32_t phase)
{
	const struct plan *p = &t->plan;
	struct counter *counter = &t->shared->phase[phase];
	int pass = phase ? ((int)phase - 1) / p->rounds : 0;
	int round = phase ? ((int)phase - 1) % p->rounds : 0;
	const struct round *r = &p->round[round];
	uint32_t chunks = phase ? r->chunks : p->chunks;
	uint32_t size = phase ? r->chunk : SETS_CHUNK, end = phase ? r->blocks : p->sets_end[1];
	_Atomic uint64_t *at = &t->workers[t->worker].at;
	for (;;) {
		/* A worker with a chunk has a thread slot. So workers that wait in their slots for the
		 * chunk wait for a running worker. */
		atomic_store(at, 0);
		if (t->worker == 0)
			control_publish(t->control);
		if (!control_acquire_slot(t->control))
			return false;
		atomic_store(at, (uint64_t)(phase + 1) << 32 | atomic_load(&counter->next));
		uint32_t chunk = atomic_fetch_add(&counter->next, 1);
		if (chunk >= chunks)
			break;
		atomic_store(at, (uint64_t)(phase + 1) << 32 | chunk);
		uint32_t from = chunk * size, to = end - from < size ? end : from + size;
		uint64_t want = (uint64_t)(to - from) * (phase ? r->middle + r->deals : 1);
		uint64_t got = control_claim_with_slot(t->control, want);
		if (got < want) {
			control_refund(t->control, got);
			control_stop(t->control);
			return false;
		}
		if (phase) {
			scratch_prepare(t, round);
			if (round < p->rounds - 1)
				WAIT_UNTIL(t, may_begin(p, r, chunk, chunks_done(t, phase, chunk)))
			k->blocks(t, round, pass != 0, from, to);
		} else {
			k->tables(p, t->tables, from, to);
		}
		atomic_fetch_add(&counter->done, 1);
	}
	atomic_store(at, 0);
	WAIT_UNTIL(t, atomic_load(&counter->done) == chunks)
	return true;
}

static void pentago_solver_work(const struct state *s, void *block, int worker, int threads,
				struct control *control, const struct pentago_kernel *k)
{
	struct deals_task t = { .worker = worker, .control = control };
	if (!plan_make(&t.plan, s, threads))
		return;
	_Static_assert(sizeof(struct shared) + THREADS_MAX * sizeof(struct deals_worker) <=
			       SOLVER_CLEAR,
		       "");
	char *memory = block;
	t.shared = block;
	t.workers = (struct deals_worker *)(memory + aligned(sizeof(struct shared)));
	t.tables = (plane *)(memory + t.plan.tables_at);
	t.ring = (plane *)(memory + t.plan.ring_at);
	scratch_lay(&t.plan, &t.scratch,
		    memory + t.plan.scratch_at + (size_t)worker * t.plan.scratch_size);
	for (uint32_t phase = 0; phase < (uint32_t)(1 + PASSES * t.plan.rounds); phase++)
		if (!phase_work(&t, k, phase)) {
			atomic_store(&t.workers[worker].at, 0);
			return;
		}
	atomic_store(&t.shared->solved, true);
}

/* --- the solver ---
 *
 * It finds the results of all moves for every aim. */

#define SECONDS_A_BYTE 2e-9 /* time per byte of fresh memory */
#define QUICK          15   /* empty squares; takes some hundredths of a second */
#define TAJIMA_TIMES   1.5  /* factor for comparing numbers of lines */

static bool pentago_solver_estimate(const struct state *s, int threads,
				    const struct pentago_kernel *k, double *seconds, size_t *bytes)
{
	struct plan p;
	if (!plan_make(&p, s, threads))
		return false;
	double deals = p.work * k->seconds * (p.rules == TAJIMA ? TAJIMA_TIMES : 1);
	*seconds = deals / threads + (double)p.bytes * SECONDS_A_BYTE;
	*bytes = p.bytes;
	return true;
}

/* Returns true if the set contains the turning after one turn from the root. */
static bool after_turn(plane set, int turn)
{
	int quadrant = turn / 2, times = pentago_quarters(turn);
	if (quadrant == 3)
		return set[times / 2] & 1;
	return set[0] >> (times << 2 * quadrant) & 1;
}

static bool pentago_solver_result(const struct game *g, const struct state *s, const void *block,
				  struct solution *out)
{
	const struct shared *shared = block;
	solution_init(out);
	if (!atomic_load(&shared->solved))
		return false;
	uint64_t empty = FULL & ~(s->board[BLACK] | s->board[WHITE]);
	struct move moves[GAME_MOVES_MAX];
	int sign = side_sign(s->side), count = game_moves(g, s, moves);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		g->play(g, &next, moves[i].step[0]);
		int value;
		if (next.over) {
			value = next.score;
		} else {
			uint64_t stone = FULL & ((next.board[BLACK] | next.board[WHITE]) & empty);
			int at = __builtin_popcountll(empty & (stone - 1));
			int turn = moves[i].step[1] - SQUARES;
			value = after_turn(shared->first_move[0][at], turn) +
				after_turn(shared->first_move[1][at], turn) - 1;
			value *= sign;
		}
		solution_add(out, moves[i], value, value);
	}
	return true;
}

static const struct solver *with_kernel(enum kernel);

/* A solver with one kernel. */
#define SOLVER(SCOPE, NAME, KERNEL)                                                                \
	static bool estimate_##NAME(const struct game *g, const struct state *s,                   \
				    enum solve_aim aim, int threads, double *seconds,              \
				    size_t *bytes)                                                 \
	{                                                                                          \
		return pentago_solver_estimate(s, threads, pentago_kernel(KERNEL), seconds,        \
					       bytes);                                             \
	}                                                                                          \
	static void work_##NAME(const struct game *g, const struct state *s, enum solve_aim aim,   \
				void *block, size_t bytes, int worker, int threads,                \
				struct control *control)                                           \
	{                                                                                          \
		pentago_solver_work(s, block, worker, threads, control, pentago_kernel(KERNEL));   \
	}                                                                                          \
	SCOPE const struct solver NAME = {                                                         \
		.estimate = estimate_##NAME,                                                       \
		.work = work_##NAME,                                                               \
		.result = pentago_solver_result,                                                   \
		.quick = QUICK,                                                                    \
		.with_kernel = with_kernel,                                                        \
	};

SOLVER(, pentago_solver, kernel_used())
SOLVER(static, solver_portable, KERNEL_PORTABLE)
SOLVER(static, solver_avx2, KERNEL_AVX2)
SOLVER(static, solver_avx512, KERNEL_AVX512)

static const struct solver *with_kernel(enum kernel k)
{
	return k == KERNEL_AVX512 ? &solver_avx512
	       : k == KERNEL_AVX2 ? &solver_avx2
				  : &solver_portable;
}

void pentago_solver_init(void)
{
	for (int n = 0; n < FREE_MAX + 2; n++) {
		pentago_choose[n][0] = 1;
		for (int k = 1; n > 0 && k < FREE_MAX + 2; k++)
			pentago_choose[n][k] = pentago_choose[n - 1][k - 1] +
					       pentago_choose[n - 1][k];
	}
}
