/* SPDX-License-Identifier: MIT
 *
 * The exact solver of Dots and boxes. What happens from a position on depends only on the set of drawn lines, not on who has
 * which box (Barker and Korf, "Solving dots-and-boxes", 2012). So one table has, for each set of the lines that are still
 * open, by how many boxes the side to move comes out ahead if exactly these remain to be drawn by then: 2^n bytes for n open
 * lines. It is filled from the end of the game, by one worker.
 */
#include <stdatomic.h>

#include "engine/base/bits.h"
#include "engine/rules/solver.h"
#include "engine/search/common/control.h"
#include "games/dots/dots.h"

#define OPEN_LINES_MAX 26
#define CLAIM          4096 /* positions to claim at once: a tenth of a millisecond */
#define SECONDS        2e-9 /* for an open line of a position */
#define HEAD           64   /* bytes before the table */

/* The start of the block. */
struct dots_solved {
	atomic_bool done;
};

/* The open lines of a position, numbered anew. */
struct dots_rest {
	int lines;
	uint8_t line[OPEN_LINES_MAX];
	int count[OPEN_LINES_MAX];          /* boxes that the line may close */
	uint32_t others[OPEN_LINES_MAX][2]; /* the open ones among the other lines of these boxes */
};

static void dots_rest_make(const struct game *g, const struct state *s, struct dots_rest *rest)
{
	const struct dots_shape *shape = dots_shape(g->board.rows / 2);
	const uint64_t drawn = s->board[DOTS_DRAWN];
	uint8_t number[DOTS_LINES_MAX] = { 0 };
	rest->lines = 0;
	for (int i = 0; i < shape->lines; i++)
		if (!(drawn >> i & 1)) {
			number[i] = (uint8_t)rest->lines;
			rest->line[rest->lines++] = (uint8_t)i;
		}
	for (int i = 0; i < rest->lines; i++) {
		int line = rest->line[i];
		rest->count[i] = shape->count[line];
		for (int k = 0; k < shape->count[line]; k++) {
			rest->others[i][k] = 0;
			for (uint64_t open = shape->others[line][k] & ~drawn; open;
			     open &= open - 1)
				rest->others[i][k] |= UINT32_C(1) << number[__builtin_ctzll(open)];
		}
	}
}

/* The value of drawing a line in addition to a set of them. */
static inline int dots_value_of(const struct dots_rest *rest, const int8_t *values, uint32_t drawn,
				int i)
{
	int closed = 0;
	for (int k = 0; k < rest->count[i]; k++)
		closed += (drawn & rest->others[i][k]) == rest->others[i][k];
	int value = values[drawn | UINT32_C(1) << i];
	return closed ? closed + value : -value;
}

static bool dots_estimate(const struct game *g, const struct state *s, enum solve_aim aim,
			  int threads, double *seconds, size_t *bytes)
{
	int open = dots_shape(g->board.rows / 2)->lines -
		   __builtin_popcountll(s->board[DOTS_DRAWN]);
	if (open > OPEN_LINES_MAX)
		return false;
	*bytes = HEAD + ((size_t)1 << open);
	*seconds = SECONDS * (open + 1) * (double)((size_t)1 << open);
	return true;
}

static void dots_work(const struct game *g, const struct state *s, enum solve_aim aim, void *block,
		      size_t bytes, int worker, int threads, struct control *control)
{
	struct dots_solved *solved = block;
	int8_t *values = (int8_t *)block + HEAD;
	struct dots_rest rest;
	uint64_t claimed = 0;
	if (worker)
		return;
	dots_rest_make(g, s, &rest);
	uint32_t all = (UINT32_C(1) << rest.lines) - 1;
	values[all] = 0;
	for (uint32_t drawn = all; drawn-- > 0;) {
		if (!claimed) {
			control_publish(control);
			claimed = control_claim(control, CLAIM);
			if (!claimed)
				return;
		}
		claimed--;
		int best = INT8_MIN;
		for (uint32_t open = all & ~drawn; open; open &= open - 1) {
			int value = dots_value_of(&rest, values, drawn, __builtin_ctz(open));
			best = value > best ? value : best;
		}
		values[drawn] = (int8_t)best;
	}
	control_refund(control, claimed);
	atomic_store(&solved->done, true);
}

static bool dots_result(const struct game *g, const struct state *s, const void *block,
			struct solution *out)
{
	const struct dots_solved *solved = block;
	const int8_t *values = (const int8_t *)block + HEAD;
	const struct dots_shape *shape = dots_shape(g->board.rows / 2);
	struct dots_rest rest;
	solution_init(out);
	if (!atomic_load(&solved->done))
		return false;
	dots_rest_make(g, s, &rest);
	for (int i = 0; i < rest.lines; i++) {
		int value = dots_ahead(s) + side_sign(s->side) * dots_value_of(&rest, values, 0, i);
		solution_add(out, move_single(shape->square[rest.line[i]]), value, value);
	}
	return true;
}

const struct solver dots_solver = { .estimate = dots_estimate,
				    .work = dots_work,
				    .result = dots_result,
				    .clear = sizeof(struct dots_solved),
				    .quick = 16 };
