/* SPDX-License-Identifier: MIT
 *
 * Runs a game's exact solver as a search would, with the caller's threads and memory.
 */
#ifndef TESTS_GAMES_SOLVING_H
#define TESTS_GAMES_SOLVING_H

#include <stdlib.h>
#include <string.h>

#include "engine/base/thread.h"
#include "engine/rules/record.h"
#include "engine/rules/solver.h"
#include "engine/search/common/control.h"
#include "tests/suite.h"

#define SOLVING_THREADS_MAX 8

struct solving {
	const struct game *game;
	const struct solver *solver;
	const struct state *state;
	enum solve_aim aim;
	int first, threads; /* the workers first .. threads - 1 run */
	struct control *control;
	const struct record
		*record; /* ends with the state and tells its past; NULL: there is none */
	void *block;     /* set by solve_in() */
	size_t bytes;
};

struct solving_worker {
	const struct solving *solving;
	int number;
};

static inline void *solving_work(void *arg)
{
	const struct solving_worker *w = arg;
	const struct solving *v = w->solving;
	v->solver->work(v->game, v->state, v->aim, v->block, v->bytes, w->number, v->threads,
			v->control);
	return NULL;
}

/* Returns the size of the block that the solver needs. */
static inline size_t solving_bytes(const struct solving *v)
{
	double seconds;
	size_t bytes = SIZE_MAX;
	ck_assert(v->solver->estimate(v->game, v->state, v->aim, v->threads, &seconds, &bytes));
	ck_assert(seconds > 0);
	return bytes;
}

/* Allocates memory with arbitrary contents. The caller gives it to solving_free(). */
static inline void *solving_block(size_t bytes)
{
	void *block;
	ck_assert_int_eq(posix_memalign(&block, 64, bytes), 0);
	memset(block, 0xa5, bytes);
	return block;
}

static inline void solving_free(void *block)
{
#ifdef _WIN32
	_aligned_free(block);
#else
	free(block);
#endif
}

/* Solves in the caller's block, of which only the required part is cleared. */
static inline bool solve_in(void *block, size_t bytes, struct solving v, struct solution *out)
{
	pthread_t threads[SOLVING_THREADS_MAX];
	struct solving_worker workers[SOLVING_THREADS_MAX];
	solver_clear(v.solver, block, bytes);
	v.block = block;
	v.bytes = bytes;
	if (v.record) {
		struct state s = v.record->start;
		for (int i = 0; i < v.record->count; record_replay(v.record, i++, &s))
			ck_assert(v.solver->add_past(v.game, block, &s));
	}
	for (int i = v.first; i < v.threads; i++) {
		workers[i] = (struct solving_worker) { &v, i };
		ck_assert_int_eq(thread_start(&threads[i], solving_work, &workers[i]), 0);
	}
	for (int i = v.first; i < v.threads; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	return v.solver->result(v.game, v.state, block, out);
}

/* Solves in a new block of exactly the required size. */
static inline bool solve_once(struct solving v, struct solution *out)
{
	size_t bytes = solving_bytes(&v);
	void *block = solving_block(bytes);
	bool solved = solve_in(block, bytes, v, out);
	solving_free(block);
	return solved;
}

/* Checks that two solutions have the same moves with the same bounds. */
static inline void same_solution(const struct solution *a, const struct solution *b)
{
	ck_assert_int_eq(a->count, b->count);
	for (int i = 0; i < a->count; i++) {
		ck_assert(move_equal(a->moves[i].move, b->moves[i].move));
		ck_assert_int_eq(a->moves[i].least, b->moves[i].least);
		ck_assert_int_eq(a->moves[i].most, b->moves[i].most);
	}
}

#endif
