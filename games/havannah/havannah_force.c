/* SPDX-License-Identifier: MIT
 *
 * A threat leaves the defender one answer, so the search has branches for the attacker only. Short wins are looked for
 * first, then ladders of any length: the search goes on beside the last stone first.
 *
 * Two threats with the same answers lead to the same position in any order. A threat that has failed is not tried again
 * after its siblings.
 */
#include "games/havannah/havannah_force.h"

#define SHORT_DEPTH 2 /* stones of the attacker in a short win */

struct havannah_force_search {
	int side, work;
	bool cut; /* the depth has cut a line off */
	struct havannah_line *line;
	uint16_t failed[HAVANNAH_POINTS]; /* the answer to a threat that has failed; 0: none */
};

/* A stone that threatens to win, and the answer to it. */
struct threat {
	uint16_t point, answer;
};

/* The square of the distance between two points. */
static int havannah_force_distance(int one, int other)
{
	int rows = one / HAVANNAH_STRIDE - other / HAVANNAH_STRIDE;
	int cols = one % HAVANNAH_STRIDE - other % HAVANNAH_STRIDE;
	return rows * rows + cols * cols + rows * cols;
}

/* Lists the stones with one threat, those near `last` first. Returns a stone with two, or 0. */
static int list_threats(const struct havannah_force_search *f, struct havannah_board *b, int must,
			int last, struct threat *threats, int *count)
{
	uint16_t wins[2];
	*count = 0;
	for (int i = 0; i < b->empties; i++) {
		int point = b->empty[i];
		if (must && point != must)
			continue;
		int found = havannah_find_threats(b, point, f->side, 2, wins);
		if (found == 2)
			return point;
		if (!found || f->failed[point] == wins[0])
			continue;
		int at = (*count)++;
		for (; last && at > 0 &&
		       havannah_force_distance(point, last) <
			       havannah_force_distance(threats[at - 1].point, last);
		     at--)
			threats[at] = threats[at - 1];
		threats[at] = (struct threat) { (uint16_t)point, wins[0] };
	}
	return 0;
}

/* The attacker cannot win at once, the defender at `must` only. `at` is the number of the attacker's stones before. */
static bool attack(struct havannah_force_search *f, struct havannah_board *b, int must, int at,
		   int depth)
{
	struct threat threats[HAVANNAH_CELLS(HAVANNAH_BASE_MAX)];
	int count, last = at ? f->line->points[at - 1] : 0, tried = 0;
	int fork = list_threats(f, b, must, last, threats, &count);
	bool found = false;
	f->line->points[at] = (uint16_t)fork;
	f->line->count = at + 1;
	if (fork)
		return true;
	f->cut |= depth == 1 && count;
	for (; tried < count && depth > 1 && f->work > 0 && !found; tried++) {
		struct havannah_board next = *b;
		uint16_t wins[2] = { 0 };
		f->work--;
		f->line->points[at] = threats[tried].point;
		f->line->count = at + 1;
		havannah_place(&next, threats[tried].point, f->side);
		havannah_place(&next, threats[tried].answer, f->side ^ 1);
		found = havannah_find_wins(&next, f->side ^ 1, 2, wins) < 2 &&
			attack(f, &next, wins[0], at + 1, depth - 1);
		f->failed[threats[tried].point] = threats[tried].answer;
	}
	for (int i = 0; i < tried; i++)
		f->failed[threats[i].point] = 0;
	return found;
}

bool havannah_find_force(struct havannah_board *b, int side, int must, int work,
			 struct havannah_line *line)
{
	struct havannah_force_search f = { .side = side, .work = work, .line = line };
	if (attack(&f, b, must, 0, SHORT_DEPTH))
		return true;
	return f.cut && attack(&f, b, must, 0, HAVANNAH_FORCE_DEPTH);
}

bool havannah_force_stands(const struct havannah_board *start, int side,
			   const struct havannah_line *line, int point)
{
	struct havannah_board b = *start;
	uint16_t wins[2];
	havannah_place(&b, point, side ^ 1);
	for (int i = 0; i < line->count; i++) {
		int stone = line->points[i];
		if (havannah_find_wins(&b, side, 1, wins))
			return true;
		int count = havannah_find_wins(&b, side ^ 1, 2, wins);
		if (b.content[stone] != HAVANNAH_EMPTY || count > 1 || (count && wins[0] != stone))
			return false;
		havannah_place(&b, stone, side);
		count = havannah_find_wins(&b, side, 2, wins);
		if (count != 1)
			return count > 1;
		havannah_place(&b, wins[0], side ^ 1);
	}
	return havannah_find_wins(&b, side, 1, wins);
}
