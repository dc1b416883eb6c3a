/* SPDX-License-Identifier: MIT
 *
 * Depth-first proof-number search (df-pn: Nagai, 2002) over steps, with the 1 + epsilon trick for
 * thresholds (Pawlewicz and Lew, 2007) and with weak proof numbers (Ueda, Hashimoto, Hashimoto and Iida,
 * 2008).
 *
 * Two yes-or-no questions distinguish wins, draws and losses: is Black's result at least a draw, and is it
 * a win? The questions do not depend on the side to move or on the root. So table entries stay true for
 * every later search.
 *
 * A question has two numbers, one per side: the least number of unexplored positions that must turn out
 * well for this side to settle the answer in its favor. (Black's number is the textbook's proof number,
 * White's is the disproof number.) The number of the side to move is the minimum over the children. The
 * number of the other side is the maximum over the children, plus 1 for each other child (the weak number;
 * a sum would count shared descendants many times). `side` of the state decides which rule holds, so a side
 * may make two steps in a row.
 *
 * In most games there are no cycles: every step adds a stone, is a turn after a placement, or is one of few
 * passes. In games with a key of repetition a step to a position of the record or of the path is illegal. So a proof holds
 * for its path only: another path forbids other steps (the graph history interaction problem). The table then
 * has two entries for a position. One belongs to the position with all positions before it, and only that one
 * says that a question is settled. The other belongs to the position alone; its numbers only guide the search, and
 * lead it quickly to the same proof on another path.
 *
 * In games with a limit of repetition a step to a position of the path counts as a draw, like one to a position that ends the game
 * by the record. Whoever can force a win can force it without a repetition: a win that takes the fewest moves never
 * comes back. So a side wins exactly if it does so in this search, and the win holds on every path: its entry belongs to
 * the position and to the set of positions that the record makes final. That a side does not win may rest on a
 * repetition; like the proofs above it belongs to the position with its past.
 *
 * Threads: all workers search the same root and share one table without locks. A worker raises the numbers
 * of the positions on its path for the other workers, so they choose other positions.
 *
 * The table only saves work: each position on a worker's path holds the numbers of its children, so the
 * search continues if the table has overwritten them.
 */
#include "engine/search/proof/dfpn.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/proofs.h"
#include "engine/rules/repetition.h"
#include "engine/rules/threats.h"
#include "engine/search/proof/dfpn_private.h"

/* Nodes that a worker spends on a question before it switches to the other one. The slice doubles each
 * time. The win question gets WIN_SLICES times as many, because a win ends the search. */
#define FIRST_SLICE   1024
#define WIN_SLICES    4

/* The 1 + epsilon trick: the search stays at a child until its number exceeds 1 + 1 / EPSILON_PART times the
 * number of its best sibling. */
#define EPSILON_PART  16

/* Most positions on a path. A longer path stays open; only games that can repeat positions have one. */
#define LEVELS_MAX    512

/* The numbers of a position at the end of too long a path, which this search cannot settle. */
#define UNSETTLED     (NEVER - 1)

/* The number, for the side that loses, of a position that is settled on another path. */
#define HOPELESS      (NEVER / 128)

#define BUCKETS_FIRST (1u << 15) /* buckets of the table in use at first */

/* --- storing in the transposition table --- */

/* What an entry is worth: 0 if an earlier search wrote it, else more for more effort. */
static inline int dfpn_entry_worth(const struct table *t, const uint64_t word[QUESTIONS])
{
	int worth = 0;
	for (int q = 0; q < QUESTIONS; q++) {
		int effort = 1 + (int)word_effort(word[q]);
		if (word_age(word[q]) == t->age % AGES && is_known(word_numbers(word[q])) &&
		    effort > worth)
			worth = effort;
	}
	return worth;
}

void numbers_store(const struct table *t, const struct state *s, enum question q, struct numbers n,
		   uint64_t nodes)
{
	uint64_t word[QUESTIONS];
	_Atomic uint64_t *cell = table_place(t, QUESTIONS, s, dfpn_entry_worth, word);
	unsigned effort = 63 - (unsigned)__builtin_clzll(nodes | 1);
	if (effort < word_effort(word[q]))
		effort = word_effort(word[q]);
	word[q] = n.of[BLACK] | (uint64_t)n.of[WHITE] << NUMBER_BITS |
		  (uint64_t)effort << EFFORT_SHIFT | (uint64_t)(t->age % AGES) << AGE_SHIFT;
	table_store(cell, QUESTIONS, s, word);
}

/* --- workers --- */

static const struct numbers unlimited = { { NEVER, NEVER } };

/* The data of one thread. */
struct dfpn_worker {
	struct dfpn *shared;
	const struct game *game;
	struct control *control;
	bool leads;      /* is the lead worker */
	bool restricted; /* some root moves are excluded */
	int forced;      /* work of the game's search for forced wins at a node, 0: none */
	bool guest;      /* runs inside another search and claims no work */
	enum question question;
	uint64_t claim;     /* units of work claimed and not yet used */
	uint64_t nodes;     /* expanded */
	uint64_t counted;   /* nodes already added to dfpn.nodes */
	uint64_t slice_end; /* value of `nodes` at which to pause this question */
	bool paused;        /* pause this question: search() returns, its numbers are valid */
	bool over;          /* stop all questions */
	bool finishing;     /* the answer is known, find its move; ignores all limits */
	bool unsettled[QUESTIONS]; /* too long paths keep the question open */
	bool spreads;              /* avoids the paths of other workers of this search */
	move_t best;               /* best step of the node that search() left last */
	struct move begun; /* the steps of the root's move that lead to the node being expanded */
	/* Where repetition matters: the keys of the positions on the path, and for each the hash of all positions up
	 * to it. */
	uint64_t keys[LEVELS_MAX], pasts[LEVELS_MAX];
	struct state children[GAME_STEPS_MAX]; /* of the node being expanded */
};

/* The children of a node on a worker's path, without those settled against its side to move. */
struct dfpn_node {
	int winner; /* 1 Black, -1 White; 0: the game does not know it */
	int count;
	move_t steps[GAME_STEPS_MAX];
	uint16_t places[GAME_STEPS_MAX]; /* of the children, indices into dfpn.inside */
	struct numbers children[GAME_STEPS_MAX];
};

static enum answer answer_of(const struct dfpn *d, enum question q)
{
	return (enum answer)atomic_load_explicit(&d->answer[q], memory_order_acquire);
}

static void count_nodes(struct dfpn_worker *w)
{
	atomic_fetch_add_explicit(&w->shared->nodes, w->nodes - w->counted, memory_order_relaxed);
	w->counted = w->nodes;
}

static __attribute__((noinline)) void dfpn_claim_nodes(struct dfpn_worker *w)
{
	count_nodes(w);
	if (w->leads)
		control_publish(w->control);
	if (w->guest)
		w->claim = control_is_over(w->control) ? 0 : WORK_BATCH;
	else
		w->claim = control_claim(w->control, WORK_BATCH);
	w->over = w->claim == 0;
	table_grow(&w->shared->table, w->claim);
}

/* --- the table, where repetition matters --- */

/* The state for the entry that belongs to a position and all positions before it. `past` is the hash of all of
 * them. */
static struct state with_past(const struct state *s, uint64_t past)
{
	struct state own = *s;
	own.board[1] ^= past;
	own.hash = state_hash(&own);
	return own;
}

/* The state for the entry that belongs to a position on all paths. */
static const struct state *on_all_paths(const struct dfpn *d, const struct state *s,
					struct state *room)
{
	if (!d->final)
		return s;
	*room = with_past(s, d->final);
	return room;
}

/* The hash of the positions up to one with the key `key`. `past` and `last` belong to the position before it; after
 * a pass the key is the same. Between the steps of a move there is none. */
static uint64_t extend_past(uint64_t past, uint64_t last, uint64_t key)
{
	return !key || key == last ? past : past + past_term(key);
}

/* The hash of all positions up to `s`, `level` steps below the root. */
static uint64_t past_at(const struct dfpn_worker *w, const struct state *s, int level)
{
	uint64_t key = repetition_key(w->game, s);
	return level ? extend_past(w->pasts[level - 1], w->keys[level - 1], key) : w->shared->past;
}

/* Finds the numbers of a position `level` steps below the root. */
static struct numbers known_numbers(const struct dfpn_worker *w, const struct state *s, int level)
{
	const struct table *t = &w->shared->table;
	if (!game_repeats(w->game))
		return numbers_find(t, s, w->question);
	struct state own = with_past(s, past_at(w, s, level)), all;
	struct numbers n = numbers_find(t, &own, w->question);
	return is_settled(n) ? n : numbers_find(t, on_all_paths(w->shared, s, &all), w->question);
}

/* Returns true if the numbers hold on every path to their position: a side wins where repetition is a draw. */
static bool holds_always(const struct dfpn_worker *w, struct numbers n)
{
	int side = w->question == WIN ? BLACK : WHITE;
	return !repetition_forbids(w->game) && n.of[side] == 0;
}

/* Stores the numbers of a position `level` steps below the root. */
static void keep_numbers(const struct dfpn_worker *w, const struct state *s, int level,
			 struct numbers n, uint64_t nodes)
{
	const struct table *t = &w->shared->table;
	if (!game_repeats(w->game)) {
		numbers_store(t, s, w->question, n, nodes);
		return;
	}
	struct state all;
	if (is_settled(n) && !holds_always(w, n)) {
		struct state own = with_past(s, past_at(w, s, level));
		numbers_store(t, &own, w->question, n, nodes);
		int winner = n.of[BLACK] == 0 ? BLACK : WHITE;
		n.of[winner] = 1;
		n.of[winner ^ 1] = HOPELESS;
	}
	numbers_store(t, on_all_paths(w->shared, s, &all), w->question, n, nodes);
}

/* Returns true if a position behind the root ends the game, because it has occurred often enough in the record. */
static bool is_final(const struct dfpn *d, const struct state *s)
{
	const struct record *r = d->task->record;
	return d->final &&
	       record_occurrences(r, repetition_key(r->game, s)) + 1 >= repetition_limit(r->game);
}

/* Where repetition is a draw: returns true if the side whose win a question asks for does not win the root. Then it does
 * not win by a way through the root either, and what a child's entry with its past says is true of the child. Else the
 * child may be won by a way back to the root, which the search below it took for a draw. */
static bool dfpn_is_held(const struct dfpn *d, int question)
{
	return answer_of(d, (enum question)question) == (question == WIN ? NO : YES);
}

void dfpn_entry(const struct dfpn *d, const struct state *s, uint64_t word[QUESTIONS])
{
	const struct game *g = d->task->record->game;
	uint64_t settled[QUESTIONS];
	if (!game_repeats(g)) {
		entry_find(&d->table, s, word);
		return;
	}
	struct state own = with_past(s, extend_past(d->past, d->key, repetition_key(g, s))), all;
	entry_find(&d->table, on_all_paths(d, s, &all), word);
	entry_find(&d->table, &own, settled);
	for (int q = 0; q < QUESTIONS; q++) {
		struct numbers n = is_final(d, s) ? final_numbers(0, (enum question)q)
						  : word_numbers(settled[q]);
		if (is_settled(n) &&
		    (repetition_forbids(g) || is_final(d, s) || dfpn_is_held(d, q)))
			word[q] = n.of[BLACK] | (uint64_t)n.of[WHITE] << NUMBER_BITS;
	}
}

/* --- nodes --- */

/* Counts a node before its expansion. Returns false if the question is answered, or if the slice or the
 * work is used up. */
static bool dfpn_node_enter(struct dfpn_worker *w)
{
	if (w->claim == 0 && !w->over)
		dfpn_claim_nodes(w);
	if ((answer_of(w->shared, w->question) != OPEN && !w->guest) ||
	    (!w->finishing && (w->over || w->nodes == w->slice_end))) {
		w->paused = true;
		return false;
	}
	w->claim -= w->claim > 0;
	w->nodes++;
	return true;
}

/* Returns true if the other side would win at once if it were to move. The state must not be pending. `wins`
 * answers for a state with its side exchanged, although the hash still belongs to the real side (see
 * engine/rules/game.h). */
static bool is_threatened(const struct game *g, const struct state *s)
{
	struct state other = *s;
	other.side ^= 1;
	return g->threats->wins(g, &other);
}

struct numbers initial_numbers(const struct game *g, const struct state *s, bool may_win,
			       bool has_final)
{
	move_t steps[GAME_STEPS_MAX];
	struct numbers n = { { 1, 1 } };
	if (may_win && g->threats && g->threats->wins(g, s))
		return settled_for(s->side);
	if (s->pending)
		return n;
	int decided = g->threats && g->threats->decided && !has_final ? g->threats->decided(g, s)
								      : 0;
	if (decided)
		return settled_for(decided > 0 ? BLACK : WHITE);
	bool parries = g->threats && !has_final && is_threatened(g, s);
	uint32_t count = (uint32_t)(parries ? g->threats->safe(g, s, steps)
					    : g->moves(g, s, steps));
	if (count == 0)
		return settled_for(s->side ^ 1);
	n.of[s->side ^ 1] = count * count * (parries ? 1 : 2);
	if (g->proofs && g->proofs->first_numbers)
		g->proofs->first_numbers(g, s, n.of);
	return n;
}

/* Adds a child to a node of `side`, unless it is settled against `side`. If it is settled for `side`, it
 * becomes the only child, and the result is true. */
static bool node_add(struct dfpn_node *node, const struct state *child, int side, move_t step,
		     struct numbers n)
{
	bool won = n.of[side] == 0;
	if (n.of[side] == NEVER)
		return false;
	if (won)
		node->count = 0;
	node->steps[node->count] = step;
	node->places[node->count] = (uint16_t)(child->hash >> 48);
	node->children[node->count++] = n;
	return won;
}

static bool dfpn_is_among(const struct state *states, int count, const struct state *s)
{
	for (int i = 0; i < count; i++)
		if (state_equal(&states[i], s))
			return true;
	return false;
}

/* Returns true if moves are excluded at a node, `level` steps below the root. Its numbers are then valid in
 * this search only, so they must not be stored in the table or read from it. */
static bool is_restricted(const struct dfpn_worker *w, const struct state *s, int level)
{
	return w->restricted && level < MOVE_STEPS_MAX && level == s->pending;
}

/* Notes that a node is on the path. */
static void enter_path(struct dfpn_worker *w, const struct state *s, int level)
{
	w->pasts[level] = past_at(w, s, level);
	w->keys[level] = repetition_key(w->game, s);
}

/* Where repetition is a draw: returns true if a child of the last node of the path repeats one of its positions, or ends
 * the game by the record. */
static bool repeats_path(const struct dfpn_worker *w, const struct state *child, int level)
{
	uint64_t key = repetition_key(w->game, child);
	for (int i = level; key && i >= 0; i--)
		if (w->keys[i] == key)
			return true;
	return is_final(w->shared, child);
}

/* Removes the steps that repeat a position, unless that is a draw. At the end of too long a path the others stay
 * unsettled. Returns the number of steps left. */
static int filter_repeats(struct dfpn_worker *w, const struct state *s, int level, move_t *steps,
			  int count, struct dfpn_node *node)
{
	int left = 0;
	for (int i = 0; i < count; i++) {
		if (record_repeats(w->shared->task->record, s, steps[i], w->keys, level + 1)) {
			if (w->game->repetition && w->game->repetition->draws &&
			    node_add(node, s, s->side, steps[i], final_numbers(0, w->question)))
				return 0;
			continue;
		}
		if (level + 1 < LEVELS_MAX)
			steps[left++] = steps[i];
		else
			node_add(node, s, s->side, steps[i],
				 (struct numbers) { { UNSETTLED, UNSETTLED } });
	}
	return left;
}

/* Where repetition is a draw: adds a child that repeats a position, or that is at the end of too long a path. Returns
 * false if it is neither. */
static bool add_repeated(struct dfpn_worker *w, const struct state *s, const struct state *child,
			 int level, move_t step, struct dfpn_node *node)
{
	if (repeats_path(w, child, level))
		node_add(node, child, s->side, step, final_numbers(0, w->question));
	else if (level + 1 == LEVELS_MAX)
		node_add(node, child, s->side, step, (struct numbers) { { UNSETTLED, UNSETTLED } });
	else
		return false;
	return true;
}

/* Removes the excluded steps of a restricted node. Returns the number of steps left. */
static int restrict_steps(const struct dfpn_worker *w, int level, move_t *steps, int count)
{
	int left = 0;
	for (int i = 0; i < count; i++) {
		if (task_allows(w->shared->task, move_append(w->begun, level, steps[i])))
			steps[left++] = steps[i];
	}
	return left;
}

int proof_steps(const struct game *g, const struct state *s, struct knowledge k, move_t *steps,
		bool *won, int *winner)
{
	*won = false;
	*winner = 0;
	/* The answer at the root is a step, so all of its steps are looked at. */
	if (g->proofs && g->proofs->must_play && !k.is_root && !s->pending)
		return g->proofs->must_play(g, s, steps, winner);
	if (k.no_win && k.forced)
		return g->threats->search(g, s, k.forced * (k.is_root ? THREATS_ROOT : 1), steps,
					  won);
	/* Positions of the record may end the game, so a step that is not safe may do so. */
	if (k.no_win && !s->pending && !k.has_final)
		return g->threats->safe(g, s, steps);
	return g->moves(g, s, steps);
}

/* Lists the children of a state with their numbers, from the rules, the table or initial_numbers(). */
static void node_expand(struct dfpn_worker *w, const struct state *s, int level,
			struct dfpn_node *node)
{
	const struct table *t = &w->shared->table;
	move_t steps[GAME_STEPS_MAX];
	int count, open = 0;
	bool won;
	node->count = 0;
	const bool restricted = is_restricted(w, s, level);
	/* True if the side to move is known not to win at once. Below the root such a win is already
	 * settled. */
	const bool no_win = !restricted && w->game->threats &&
			    (level > 0 || !w->game->threats->wins(w->game, s));
	const bool has_final = w->shared->final != 0;
	count = proof_steps(w->game, s,
			    (struct knowledge) { .is_root = level == 0,
						 .no_win = no_win,
						 .has_final = has_final,
						 .forced = w->forced },
			    steps, &won, &node->winner);
	if (won) {
		node_add(node, s, s->side, steps[0], settled_for(s->side));
		return;
	}
	if (restricted)
		count = restrict_steps(w, level, steps, count);
	if (game_repeats(w->game))
		enter_path(w, s, level);
	if (repetition_forbids(w->game))
		count = filter_repeats(w, s, level, steps, count, node);
	for (int i = 0; i < count; i++) {
		struct state *child = &w->children[open];
		*child = *s;
		w->game->play(w->game, child, steps[i]);
		if (child->over) {
			if (node_add(node, child, s->side, steps[i],
				     final_numbers(child->score, w->question)))
				return;
			continue;
		}
		if (repetition_limit(w->game) && add_repeated(w, s, child, level, steps[i], node)) {
			if (node->count && node->children[node->count - 1].of[s->side] == 0)
				return;
			continue;
		}
		/* Second steps may lead to equal positions: both turns of a symmetric quadrant. */
		if (s->pending && dfpn_is_among(w->children, open, child))
			continue;
		__builtin_prefetch(table_bucket(t, QUESTIONS, child));
		steps[open++] = steps[i];
	}
	for (int i = 0; i < open; i++) {
		const struct state *child = &w->children[i];
		struct numbers known = known_numbers(w, child, level + 1);
		if (restricted && child->pending)
			known = initial_numbers(w->game, child, false, has_final);
		else if (!is_known(known))
			known = initial_numbers(w->game, child, !(no_win && child->pending),
						has_final);
		if (node_add(node, child, s->side, steps[i], known))
			return;
	}
}

/* The numbers of a node, computed from its children. */
struct total {
	int best;       /* the child to search */
	uint32_t least; /* number of the side to move: the minimum, NEVER without children */
	uint32_t next;  /* the minimum of the other children, with virtual numbers */
	uint32_t all;   /* number of the other side: weak sum over all children */
};

/* Returns true if neither side can settle a node any more, because the paths below are too long. */
static bool is_unsettled(const struct dfpn_worker *w, struct numbers n)
{
	return game_repeats(w->game) && n.of[BLACK] >= UNSETTLED && n.of[WHITE] >= UNSETTLED &&
	       !is_settled(n);
}

/* The part of the weak number that the children other than the maximum add. */
static uint32_t sibling_count(const struct dfpn_node *node)
{
	return (uint32_t)node->count - 1;
}

/* The virtual number of a child (Kaneko, 2010): higher by 1 for each worker below it. So workers choose
 * different children only if these are almost equally good. */
static uint32_t virtual_number(const struct dfpn_worker *w, uint32_t number, unsigned place)
{
	if (!w->spreads || number == 0 || number >= NEVER - UINT8_MAX)
		return number;
	return number + atomic_load_explicit(&w->shared->inside[place], memory_order_relaxed);
}

/* Adds `change` to the number of workers below a child. */
static void count_workers(const struct dfpn_worker *w, unsigned place, int change)
{
	if (w->spreads)
		atomic_fetch_add_explicit(&w->shared->inside[place], (uint8_t)change,
					  memory_order_relaxed);
}

/* Computes a node's numbers for `side` to move, and its best child. */
static struct total node_total(const struct dfpn_worker *w, const struct dfpn_node *node, int side)
{
	struct total t = { .least = NEVER, .next = NEVER };
	uint32_t best = NEVER;
	for (int i = 0; i < node->count; i++) {
		uint32_t n = node->children[i].of[side], other = node->children[i].of[side ^ 1];
		if (other > t.all)
			t.all = other;
		if (n < t.least)
			t.least = n;
		n = virtual_number(w, n, node->places[i]);
		/* The other side may still settle such a child. */
		n -= n == UNSETTLED && other < UNSETTLED;
		if (n < best) {
			t.next = best;
			t.best = i;
			best = n;
		} else if (n < t.next) {
			t.next = n;
		}
	}
	if (t.least == 0)
		t.all = NEVER;
	else if (node->count)
		t.all = t.all + sibling_count(node) < NEVER ? t.all + sibling_count(node)
							    : NEVER - 1;
	return t;
}

/* The limit for a number of a child. It is always above the number, so that the search makes progress. */
static uint32_t child_limit(uint32_t number, uint64_t limit)
{
	uint64_t higher = limit > number ? limit : (uint64_t)number + 1;
	return higher < NEVER ? (uint32_t)higher : NEVER;
}

/* Expands a node `level` steps below the root, which the caller has counted, and searches below it until
 * one of its numbers reaches the limit or the worker is paused. Stores its numbers in the table and returns
 * them. */
static struct numbers dfpn_search(struct dfpn_worker *w, const struct state *s, int level,
				  struct numbers limits)
{
	const uint64_t nodes = w->nodes;
	const int mine = s->side, yours = mine ^ 1;
	struct dfpn_node node;
	struct numbers result;
	node_expand(w, s, level, &node);
	for (;;) {
		struct total t = node_total(w, &node, mine);
		result.of[mine] = t.least;
		result.of[yours] = t.all;
		if (node.winner)
			result = settled_for(node.winner > 0 ? BLACK : WHITE);
		w->best = node.count ? node.steps[t.best] : MOVE_NONE;
		if (node.count == 0 || w->paused || result.of[mine] >= limits.of[mine] ||
		    result.of[yours] >= limits.of[yours] || is_unsettled(w, result))
			break;

		struct numbers *child = &node.children[t.best], below;
		uint64_t leave_at = (uint64_t)t.next + t.next / EPSILON_PART + 1;
		uint32_t rest = sibling_count(&node);
		below.of[mine] = child_limit(
			child->of[mine], leave_at < limits.of[mine] ? leave_at : limits.of[mine]);
		below.of[yours] = child_limit(
			child->of[yours], limits.of[yours] > rest ? limits.of[yours] - rest : 0);

		struct state next = *s;
		w->game->play(w->game, &next, node.steps[t.best]);
		struct numbers known = { { 0, 0 } };
		if (is_restricted(w, s, level))
			w->begun = move_append(w->begun, level, node.steps[t.best]);
		if (!is_restricted(w, &next, level + 1))
			known = known_numbers(w, &next, level + 1);
		if (is_known(known) &&
		    (known.of[mine] >= below.of[mine] || known.of[yours] >= below.of[yours]))
			*child = known;
		else if (dfpn_node_enter(w)) {
			count_workers(w, node.places[t.best], 1);
			*child = dfpn_search(w, &next, level + 1, below);
			count_workers(w, node.places[t.best], -1);
		}
		/* Another worker may have settled this node. The steps of the root's move are always found here:
		 * they are the answer, and some may be excluded. */
		if (w->spreads && level > 1 && level >= w->game->steps.per_move) {
			known = known_numbers(w, s, level);
			if (is_settled(known))
				return known;
		}
		if (child->of[mine] == NEVER) {
			node.count--;
			node.steps[t.best] = node.steps[node.count];
			node.places[t.best] = node.places[node.count];
			*child = node.children[node.count];
		}
	}
	if (!is_restricted(w, s, level))
		keep_numbers(w, s, level, result, w->nodes - nodes);
	return result;
}

/* Publishes an answer and what it implies. Stops the search if both questions are answered. */
static void publish_answer(struct dfpn_worker *w, enum question q, enum answer answer,
			   struct move proof)
{
	struct dfpn *d = w->shared;
	if (!atomic_exchange_explicit(&d->claimed[q], true, memory_order_relaxed)) {
		d->proof[q] = proof;
		atomic_store_explicit(&d->answer[q], (int)answer, memory_order_release);
	}
	/* A win (WIN: YES) or a loss (DRAW_OR_BETTER: NO) also answers the other question. */
	if (answer == (q == WIN ? YES : NO) && answer_of(d, q) != OPEN)
		atomic_store_explicit(&d->answer[q ^ 1], (int)answer, memory_order_release);
	if (answer_of(d, q ^ 1) != OPEN)
		control_stop(w->control);
}

/* Searches a question from the root for a slice of nodes. */
static void search_question(struct dfpn_worker *w, enum question q)
{
	const struct state *s = &w->shared->task->record->now;
	w->question = q;
	w->paused = false;
	if (!dfpn_node_enter(w))
		return;
	struct numbers n = dfpn_search(w, s, 0, unlimited);
	w->unsettled[q] = is_unsettled(w, n);
	if (!is_settled(n))
		return;
	struct move proof = move_none();
	if (n.of[s->side] == 0) {
		struct state next = *s;
		w->finishing = true;
		w->paused = false;
		for (int i = 0;; i++) {
			proof.step[i] = w->best;
			w->begun = move_append(w->begun, i, w->best);
			w->game->play(w->game, &next, w->best);
			/* Find the next step: the table may know only that one exists. This usually takes
			 * one node. */
			if (!next.pending || !dfpn_node_enter(w) ||
			    dfpn_search(w, &next, i + 1, unlimited).of[s->side] != 0)
				break;
		}
		w->finishing = false;
	}
	publish_answer(w, q, n.of[BLACK] == 0 ? YES : NO, proof);
}

static void dfpn_work(void *self, int worker, struct control *control)
{
	struct dfpn *d = self;
	enum question win = win_question(d->task->record->now.side);
	struct dfpn_worker w = {
		.shared = d,
		.game = d->task->record->game,
		.control = control,
		.leads = worker == 0,
		.restricted = d->task->only != NULL,
		.spreads = d->task->threads > 1,
		.forced = threats_work(d->task->record->game, d->task->options->forced),
		.begun = move_none(),
	};
	uint64_t slice = FIRST_SLICE;
	for (int turn = 0; !w.over; turn++) {
		enum question q = turn % 2 ? win ^ 1 : win;
		bool last = answer_of(d, q ^ 1) != OPEN;
		if ((answer_of(d, q) != OPEN || w.unsettled[q]) && (last || w.unsettled[q ^ 1])) {
			control_stop(control);
			break;
		}
		w.slice_end = last ? UINT64_MAX : w.nodes + (q == win ? WIN_SLICES : 1) * slice;
		search_question(&w, q);
		if (turn % 2)
			slice *= 2;
	}
	control_refund(control, w.claim);
	count_nodes(&w);
}

/* publish_answer() stores an implied answer after the answer that implies it. So this reads the implied one
 * first: DRAW_OR_BETTER before WIN for a win, WIN before DRAW_OR_BETTER for a loss. */
void dfpn_bounds(const void *self, int *lower, int *upper)
{
	const struct dfpn *d = self;
	enum answer draw = answer_of(d, DRAW_OR_BETTER), win = answer_of(d, WIN);
	*lower = win == YES ? 1 : draw == YES ? 0 : -1;
	*upper = answer_of(d, DRAW_OR_BETTER) == NO ? -1 : win == NO ? 0 : 1;
}

/* --- inside another search --- */

uint64_t dfpn_prove(void *self, const struct state *s, int side, uint64_t nodes,
		    struct control *control)
{
	struct dfpn *d = self;
	struct dfpn_worker w;
	/* Do not clear `children`: clearing them would slow short searches. */
	memset(&w, 0, offsetof(struct dfpn_worker, children));
	w.shared = d;
	w.game = d->task->record->game;
	w.control = control;
	w.guest = true;
	w.forced = threats_work(w.game, d->task->options->forced);
	w.question = win_question(side);
	w.slice_end = nodes;
	if (!is_settled(numbers_find(&d->table, s, w.question)) && dfpn_node_enter(&w))
		dfpn_search(&w, s, 0, unlimited);
	count_nodes(&w);
	return w.nodes;
}

bool dfpn_find(const void *self, const struct state *s, int *lower, int *upper)
{
	const struct dfpn *d = self;
	bool known = false;
	uint64_t word[QUESTIONS];
	dfpn_entry(d, s, word);
	/* initial_numbers() may settle both questions. Such positions are never stored. */
	struct numbers initial = { { 0, 0 } };
	if (!s->over)
		initial = initial_numbers(d->task->record->game, s, true, d->final != 0);
	*lower = -1;
	*upper = 1;
	for (enum question q = DRAW_OR_BETTER; q <= WIN; q++) {
		struct numbers n = s->over               ? final_numbers(s->score, q)
				   : is_final(d, s)      ? final_numbers(0, q)
				   : is_settled(initial) ? initial
							 : entry_numbers(word, q);
		known |= is_known(n);
		if (n.of[WHITE] == NEVER)
			*lower = q == WIN ? 1 : 0;
		else if (n.of[BLACK] == NEVER && *upper == 1)
			*upper = q == WIN ? 0 : -1;
	}
	return known;
}

void dfpn_store_bounds(void *self, const struct state *s, int lower, int upper, uint64_t nodes)
{
	struct dfpn *d = self;
	for (enum question q = DRAW_OR_BETTER; q <= WIN; q++) {
		int least = q == WIN ? 1 : 0;
		if (lower >= least || upper < least)
			numbers_store(&d->table, s, q, final_numbers(lower, q), nodes);
	}
}

void dfpn_estimate(const struct game *g, const struct state *s, int side, uint32_t efforts[2])
{
	struct numbers n = s->over ? final_numbers(s->score, win_question(side))
				   : initial_numbers(g, s, true, false);
	memcpy(efforts, n.of, sizeof n.of);
}

bool dfpn_efforts(const void *self, const struct state *s, int side, uint32_t efforts[2])
{
	const struct dfpn *d = self;
	uint64_t word[QUESTIONS];
	dfpn_entry(d, s, word);
	struct numbers n = entry_numbers(word, win_question(side));
	memcpy(efforts, n.of, sizeof n.of);
	return is_known(n);
}

struct numbers dfpn_root_numbers(struct dfpn *d)
{
	const struct state *s = &d->task->record->now;
	struct dfpn_worker w = {
		.shared = d,
		.game = d->task->record->game,
		.question = win_question(s->side),
		.restricted = d->task->only != NULL,
		.begun = move_none(),
	};
	struct dfpn_node node;
	struct numbers n;
	node_expand(&w, s, 0, &node);
	struct total t = node_total(&w, &node, s->side);
	n.of[s->side] = t.least;
	n.of[s->side ^ 1] = t.all;
	return n;
}

/* --- the other functions of struct algorithm --- */

static void *dfpn_create(void)
{
	return xcalloc(1, sizeof(struct dfpn));
}

static void dfpn_destroy(void *self)
{
	struct dfpn *d = self;
	table_close(&d->table);
	free(d);
}

static void dfpn_forget(void *self)
{
	struct dfpn *d = self;
	table_forget(&d->table);
}

static bool dfpn_prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct dfpn *d = self;
	d->task = task;
	for (int q = 0; q < QUESTIONS; q++)
		atomic_store_explicit(&d->answer[q], OPEN, memory_order_relaxed);
	for (int q = 0; q < QUESTIONS; q++)
		atomic_store_explicit(&d->claimed[q], false, memory_order_relaxed);
	atomic_store_explicit(&d->nodes, 0, memory_order_relaxed);
	/* Spend no time on a forced move, unless its value is wanted. */
	if (task->control->deadline != TIME_NEVER && !task->values && task_moves(task, NULL) == 1)
		control_stop(task->control);
	const struct record *r = task->record;
	d->key = repetition_key(r->game, &r->now);
	d->final = record_final_positions(r);
	if (repetition_forbids(r->game))
		d->past = record_past(r, r->count);
	else
		d->past = d->final + (repetition_limit(r->game) ? past_term(d->key) : 0);
	if (table_prepare(&d->table, task->record->game, task->memory, QUESTIONS, BUCKETS_FIRST))
		return true;
	snprintf(why, REASON_MAX, "no memory for a table of %zu bytes", task->memory);
	return false;
}

const struct algorithm algorithm_dfpn = {
	.name = "dfpn",
	.help = "depth-first proof-number search: proves wins, draws and losses",
	.keeps = true,
	.create = dfpn_create,
	.destroy = dfpn_destroy,
	.forget = dfpn_forget,
	.prepare = dfpn_prepare,
	.work = dfpn_work,
	.report = dfpn_report,
	.look = dfpn_look,
};
