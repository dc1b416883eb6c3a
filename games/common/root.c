/* SPDX-License-Identifier: MIT */
#include "games/common/root.h"

void root_add(struct root *r, int rating, uint64_t hash)
{
	int move = r->count++, i = move;
	r->rating[move] = rating;
	r->hash[move] = hash;
	for (; i > 0 && r->rating[r->order[i - 1]] < rating; i--)
		r->order[i] = r->order[i - 1];
	r->order[i] = move;
}

struct root_bounds root_known_in(const struct root *r, int phase, int set)
{
	struct root_distances best = { 0, UINT8_MAX };
	int from = set == ROOT_ALL ? 0 : set, to = set == ROOT_ALL ? r->count : set + 1;
	for (int i = from; i < to; i++) {
		struct root_distances d = atomic_load(&r->shared->move[phase][i]);
		best.raised = d.raised > best.raised ? d.raised : best.raised;
		best.lowered = d.lowered < best.lowered ? d.lowered : best.lowered;
	}
	return (struct root_bounds) { best.raised - r->limit, r->limit - best.lowered };
}

/* Who wins with a score. */
static int root_winner(const struct root *r, int score)
{
	return score_sign(r->game->scale * score - r->komi);
}

bool root_is_known(const struct root *r, int set, bool result)
{
	struct root_bounds b = root_known(r, set);
	return b.least >= b.most || (result && root_winner(r, b.least) == root_winner(r, b.most));
}

void root_learn(struct root *r, int move, int least, int most)
{
	_Atomic(struct root_distances) *known = &r->shared->move[r->phase][move];
	struct root_distances old = atomic_load(known), d;
	uint8_t raised = (uint8_t)(least + r->limit);
	uint8_t lowered = (uint8_t)(r->limit - most);
	do {
		d.raised = raised > old.raised ? raised : old.raised;
		d.lowered = lowered > old.lowered ? lowered : old.lowered;
	} while (!atomic_compare_exchange_weak(known, &old, d));
}

bool root_answer(struct root *r, int move, int score)
{
	if (r->unwind != NO_UNWIND)
		return false;
	if (score >= r->want)
		root_learn(r, move, score, r->limit);
	else
		root_learn(r, move, -r->limit, score);
	return score >= r->want;
}

/* The move with the highest lower bound in the last phase; ties are broken by the earlier phases, then by `order`. */
static int root_best(const struct root *r)
{
	int best = 0, most = -1;
	for (int i = 0; i < r->count; i++) {
		int merit = 0;
		for (int phase = ROOT_PHASES - 1; phase >= 0; phase--)
			merit = merit * (2 * r->limit + 1) +
				root_known_in(r, phase, r->order[i]).least + r->limit;
		if (merit > most) {
			best = r->order[i];
			most = merit;
		}
	}
	return best;
}

static uint64_t root_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool root_ask(struct root *r, int set, int want)
{
	int moves[2 * ROOT_MOVES_MAX], count = 0;
	r->set = set;
	r->want = want;
	r->unwind = NO_UNWIND;
	r->pause = root_earlier(r->claimed, r->give_up);
	moves[count++] = set == ROOT_ALL ? root_best(r) : set;
	for (int i = 0; set == ROOT_ALL && i < r->count; i++)
		if (r->order[i] != moves[0])
			moves[count++] = r->order[i];
	for (int i = 0, end = count; i < end && r->unwind == NO_UNWIND; i++) {
		int move = moves[i];
		struct root_bounds known = root_known(r, move);
		uint64_t hash = r->threads > 1 && i > 0 ? r->hash[move] : 0;
		if (known.least >= want)
			return true;
		if (known.most < want)
			continue;
		if (hash && !busy_begin(&r->shared->busy, &hash, i < count)) {
			moves[end++] = move;
			continue;
		}
		r->move = move;
		bool answer = r->game->ask(r, move);
		if (hash)
			busy_end(&r->shared->busy, hash);
		if (answer)
			return true;
	}
	return false;
}

void root_pause(struct root *r)
{
	uint64_t nodes = *r->nodes;
	if (r->number == 0)
		control_publish(r->control);
	if (nodes >= r->claimed)
		r->claimed += control_claim(r->control, nodes - r->claimed + r->game->claim);
	r->pause = root_earlier(r->claimed, r->give_up);
	r->stopped = r->claimed <= nodes;
	if (r->pause <= nodes)
		r->unwind = -1;
	if (r->pause <= nodes || r->threads == 1)
		return;
	if (root_known(r, r->set).least >= r->want || root_known(r, r->move).most < r->want)
		r->unwind = -1;
	for (int i = 0; i < r->depth && i < r->unwind; i++)
		if (r->game->is_answered(r, i))
			r->unwind = i;
}

void root_work(struct root *r, enum solve_aim aim, int number, int threads, struct control *control,
	       const uint64_t *nodes)
{
	r->aim = aim;
	r->number = number;
	r->threads = threads;
	r->control = control;
	r->nodes = nodes;
	atomic_store(&r->shared->aim, aim);
	r->game->solve(r, ROOT_ALL);
	for (int i = 0; aim == SOLVE_ALL && i < r->count && !r->stopped; i++)
		r->game->solve(r, r->order[i]);
	if (r->claimed > *nodes)
		control_refund(control, r->claimed - *nodes);
	else
		control_count(control, *nodes - r->claimed);
}

/* Returns true if what the workers' aim asks for is known. */
static bool root_is_solved(const struct root *r, enum solve_aim aim)
{
	bool solved = root_is_known(r, ROOT_ALL, aim == SOLVE_RESULT);
	for (int i = 0; aim == SOLVE_ALL && i < r->count; i++)
		solved &= root_is_known(r, i, false);
	return solved;
}

/* The bounds of the best move that the aim asks for. A result does not include the score of a win or a loss. */
static struct root_bounds root_asked(const struct root *r, enum solve_aim aim)
{
	const int limit = r->limit, win = r->game->win;
	struct root_bounds b = root_known(r, ROOT_ALL);
	if (aim == SOLVE_RESULT && b.least > 0)
		return (struct root_bounds) { win, limit };
	if (aim == SOLVE_RESULT && b.most < 0)
		return (struct root_bounds) { -limit, -win };
	return b;
}

bool root_result(const struct root *r, const struct move *moves, struct solution *out)
{
	const enum solve_aim aim = (enum solve_aim)atomic_load(&r->shared->aim);
	const bool solved = root_is_solved(r, aim);
	const bool tells_all = !solved || aim == SOLVE_ALL || !r->game->win;
	struct root_bounds all = root_known(r, ROOT_ALL), asked = root_asked(r, aim);
	int best = 0, sign = side_sign(r->side), scale = r->game->scale;
	while (best < r->count && root_known(r, best).least < all.least)
		best++;
	solution_init(out);
	for (int i = 0; i < r->count; i++) {
		struct root_bounds b = root_known(r, i);
		if (!tells_all) {
			b.least = i == best ? asked.least : -r->limit;
			b.most = asked.most;
		}
		int least = sign > 0 ? b.least : b.most, most = sign > 0 ? b.most : b.least;
		solution_add(out, moves[i], sign * (scale * least - r->komi),
			     sign * (scale * most - r->komi));
	}
	return solved;
}
