/* SPDX-License-Identifier: MIT */
#include "engine/rules/record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/rules/komi.h"
#include "engine/rules/repetition.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"

/* --- the keys of the positions --- */

/* Returns the place of a key in the set, or the free place where it belongs. */
static uint64_t *key_place(const struct record *r, uint64_t key)
{
	size_t mask = r->key_places - 1, i = key & mask;
	while (r->keys[i] && r->keys[i] != key)
		i = (i + 1) & mask;
	return &r->keys[i];
}

static void add_key(struct record *r, uint64_t key)
{
	uint64_t *place = key_place(r, key);
	r->key_count += *place == 0;
	*place = key;
}

/* Doubles the number of places. */
static void grow_keys(struct record *r)
{
	struct record old = *r;
	r->key_places = old.key_places ? 2 * old.key_places : 64;
	r->keys = xcalloc(r->key_places, sizeof *r->keys);
	r->key_count = 0;
	for (size_t i = 0; i < old.key_places; i++)
		if (old.keys[i])
			add_key(r, old.keys[i]);
	free(old.keys);
}

/* The key of an occurrence of a position, 0 for the first. */
static uint64_t occurrence_key(uint64_t key, int occurrence)
{
	return occurrence ? past_term(key + (uint64_t)occurrence) | 1 : key;
}

/* Adds the key of the position after the first `count` moves, which is r->now. Ends the game if it is a draw. */
static void record_add_position(struct record *r, int count)
{
	uint64_t key = repetition_key(r->game, &r->now);
	if (!key)
		return;
	if (4 * r->key_count >= r->key_places)
		grow_keys(r);
	if (repetition_forbids(r->game)) {
		add_key(r, key);
		return;
	}
	/* Passes after the end repeat the last position. */
	if (r->now.over)
		return;
	add_key(r, occurrence_key(key, record_occurrences(r, key)));
	if (record_occurrences(r, key) < repetition_limit(r->game))
		return;
	r->drawn_after = count;
	r->now.over = true;
	r->now.score = 0;
}

/* Returns true if move `index` is the set-up of a position. Index -1 is none. */
static bool record_is_setup(const struct record *r, int index)
{
	return index >= 0 && r->moves[index].move.step[0] == MOVE_SETUP;
}

static void clear_keys(struct record *r)
{
	if (r->key_count)
		memset(r->keys, 0, r->key_places * sizeof *r->keys);
	r->key_count = 0;
	r->drawn_after = 0;
}

bool record_has_key(const struct record *r, uint64_t key)
{
	return key && r->key_count && *key_place(r, key) == key;
}

bool record_repeats(const struct record *r, const struct state *s, move_t step,
		    const uint64_t *keys, int count)
{
	uint64_t key = r->game->repetition->key(r->game, s, step);
	for (int i = count; key && i-- > 0;)
		if (keys[i] == key)
			return true;
	return record_has_key(r, key);
}

int record_occurrences(const struct record *r, uint64_t key)
{
	int count = 0;
	while (count < repetition_limit(r->game) && record_has_key(r, occurrence_key(key, count)))
		count++;
	return count;
}

void record_end_repeated(const struct record *r, struct state *s)
{
	int limit = repetition_limit(r->game);
	if (!limit || s->over || record_occurrences(r, repetition_key(r->game, s)) + 1 < limit)
		return;
	s->over = true;
	s->score = 0;
}

uint64_t record_final_positions(const struct record *r)
{
	struct state s = r->start;
	uint64_t sum = 0;
	for (int i = 0; repetition_limit(r->game) && i <= r->count; i++) {
		uint64_t key = repetition_key(r->game, &s);
		sum = record_is_setup(r, i - 1) ? 0 : sum;
		if (record_occurrences(r, key) + 1 >= repetition_limit(r->game))
			sum += past_term(key);
		if (i < r->count)
			record_replay(r, i, &s);
	}
	return sum;
}

/* Where positions may not repeat, only consecutive ones can have one key, because only a pass or a turn keeps it. */
uint64_t record_past(const struct record *r, int index)
{
	struct state s = r->start;
	uint64_t past = r->past, last = 0;
	for (int i = 0; game_repeats(r->game) && i <= index; i++) {
		uint64_t key = repetition_key(r->game, &s);
		if (record_is_setup(r, i - 1))
			past = last = 0;
		past += key != last ? past_term(key) : 0;
		last = key;
		if (i < index)
			record_replay(r, i, &s);
	}
	return past;
}

/* --- set-ups --- */

int record_last_setup(const struct record *r)
{
	int count = r->setup_count ? r->count : 0;
	while (count && !record_is_setup(r, count - 1))
		count--;
	return count;
}

/* --- the game --- */

void record_init(struct record *r, const struct game *g)
{
	memset(r, 0, sizeof *r);
	record_restart(r, g);
}

void record_free(struct record *r)
{
	free(r->moves);
	free(r->setups);
	free(r->keys);
	r->moves = NULL;
	r->setups = NULL;
	r->keys = NULL;
}

void record_copy(struct record *to, const struct record *from)
{
	struct record_move *moves = xrealloc(to->moves, (size_t)from->room * sizeof *moves);
	struct state *setups = xrealloc(to->setups, (size_t)from->setup_count * sizeof *setups);
	uint64_t *keys = xrealloc(to->keys, from->key_places * sizeof *keys);
	*to = *from;
	to->moves = moves;
	to->setups = setups;
	to->keys = keys;
	if (from->count)
		memcpy(moves, from->moves, (size_t)from->count * sizeof *moves);
	if (from->setup_count)
		memcpy(setups, from->setups, (size_t)from->setup_count * sizeof *setups);
	if (from->key_places)
		memcpy(keys, from->keys, from->key_places * sizeof *keys);
}

/* Returns true if two states of a game show the same position, perhaps with another komi or by other rules. */
static bool record_is_same_board(const struct game *g, const struct state *a, const struct game *h,
				 const struct state *b)
{
	bool is_same = strcmp(g->name, h->name) == 0 && g->board.rows == h->board.rows &&
		       g->board.cols == h->board.cols && a->side == b->side;
	for (int i = 0; is_same && i < g->board.rows * g->board.cols; i++)
		is_same = g->at(g, a, i / g->board.cols, i % g->board.cols) ==
			  h->at(h, b, i / h->board.cols, i % h->board.cols);
	return is_same;
}

bool record_begins_with(const struct record *r, const struct record *beginning)
{
	const struct record *b = beginning;
	bool is_same = b->count <= r->count &&
		       record_is_same_board(r->game, &r->start, b->game, &b->start);
	for (int i = 0; is_same && i < b->count; i++) {
		const struct record_move *m = &r->moves[i], *n = &b->moves[i];
		is_same = m->side == n->side && move_equal(m->move, n->move) &&
			  (m->move.step[0] != MOVE_SETUP ||
			   record_is_same_board(r->game, &r->setups[m->setup], b->game,
						&b->setups[n->setup]));
	}
	return is_same;
}

bool record_begins_normally(const struct record *r)
{
	struct record normal;
	record_init(&normal, r->game);
	if (r->game->komi)
		record_set_komi(&normal, r->game->komi->get(r->game, &r->start));
	bool same = state_equal(&normal.start, &r->start);
	record_set_swap(&normal, false);
	same |= state_equal(&normal.start, &r->start);
	record_free(&normal);
	return same;
}

void record_restart(struct record *r, const struct game *g)
{
	struct state start;
	g->start(g, &start);
	if (g->swap)
		g->swap->allow(g, &start, true);
	r->game = g;
	record_setup(r, &start);
}

void record_setup(struct record *r, const struct state *start)
{
	r->start = *start;
	r->now = *start;
	r->count = r->setup_count = 0;
	r->past = 0;
	clear_keys(r);
	record_add_position(r, 0);
}

void record_setup_in_komi(struct record *r, const struct state *start)
{
	struct state s = *start;
	if (r->game->komi)
		r->game->komi->set(r->game, &s, r->game->komi->get(r->game, &r->start));
	record_setup(r, &s);
}

void record_begin_goal(struct record *r, const struct record *from, const struct game *goal,
		       const struct state *start)
{
	uint64_t past = record_past(from, from->count);
	record_copy(r, from);
	r->game = goal;
	r->start = r->now = *start;
	r->count = 0;
	r->past = past;
}

bool record_set_komi(struct record *r, int half_points)
{
	const struct game *g = r->game;
	if (!g->komi || !g->komi->set(g, &r->start, half_points))
		return false;
	record_shorten(r, r->count);
	return true;
}

/* A move after a draw by repetition: the game goes on, so it was none. */
static void record_go_on(struct record *r, const struct record_move *m)
{
	if (!r->drawn_after || m->move.step[0] == MOVE_PASS)
		return;
	r->drawn_after = 0;
	r->now.over = false;
}

/* Makes move `index`, which is the next one. */
static void record_go_forward(struct record *r, int index)
{
	record_go_on(r, &r->moves[index]);
	record_replay(r, index, &r->now);
	if (record_is_setup(r, index))
		clear_keys(r);
	record_add_position(r, index + 1);
}

static void record_append(struct record *r, struct record_move m)
{
	if (r->count == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->moves = xrealloc(r->moves, (size_t)r->room * sizeof *r->moves);
	}
	r->moves[r->count++] = m;
	record_go_forward(r, r->count - 1);
}

void record_set_swap(struct record *r, bool allowed)
{
	const struct game *g = r->game;
	bool is_swapped = g->swap && r->count > 1 && r->moves[1].move.step[0] == swap_step(g);
	if (!g->swap || is_swapped)
		return;
	g->swap->allow(g, &r->start, allowed);
	record_shorten(r, r->count);
}

void record_shorten(struct record *r, int count)
{
	r->count = count;
	int first = record_last_setup(r);
	r->setup_count = first ? r->moves[first - 1].setup + 1 : 0;
	r->now = r->start;
	clear_keys(r);
	/* What comes before a set-up does not matter. */
	if (first)
		record_replay(r, first - 1, &r->now);
	record_add_position(r, first);
	for (int i = first; i < count; i++)
		record_go_forward(r, i);
}

void record_start_at(struct record *r, int count)
{
	record_state(r, count, &r->start);
	r->past = 0;
	memmove(r->moves, r->moves + count, (size_t)(r->count - count) * sizeof *r->moves);
	record_shorten(r, r->count - count);
}

/* Returns true if a step leads to a position that has occurred. */
static bool record_repeats_own(const struct record *r, move_t step)
{
	return repetition_forbids(r->game) && record_repeats(r, &r->now, step, NULL, 0);
}

int record_moves(const struct record *r, struct move *out)
{
	/* Where positions must not repeat, a move is one step. */
	move_t steps[GAME_STEPS_MAX];
	if (!repetition_forbids(r->game))
		return game_moves(r->game, &r->now, out);
	int all = r->game->moves(r->game, &r->now, steps), count = 0;
	for (int i = 0; i < all; i++) {
		if (record_repeats_own(r, steps[i]))
			continue;
		if (out)
			out[count] = move_single(steps[i]);
		count++;
	}
	return count;
}

struct move record_draw(const struct record *r, struct rng *rng)
{
	struct move moves[GAME_MOVES_MAX];
	int count = record_moves(r, moves);
	return moves[rng_below(rng, (uint32_t)count)];
}

bool record_is_legal(const struct record *r, struct move m)
{
	return game_is_legal(r->game, &r->now, m) && !record_repeats_own(r, m.step[0]);
}

enum move_check record_parse(const struct record *r, const char *text, struct move *m)
{
	enum move_check check = game_parse(r->game, &r->now, text, m);
	return check == MOVE_OK && !r->now.over && record_repeats_own(r, m->step[0]) ? MOVE_REPEATS
										     : check;
}

bool record_moves_on(const struct record *r, const char *text, char to[MOVE_TEXT_MAX])
{
	struct move m;
	int row, col, to_row, to_col;
	const char *rest = square_parse(r->game, text, &row, &col);
	if (!rest || *rest || r->now.over || game_parse(r->game, &r->now, text, &m) != MOVE_OK)
		return false;
	game_format(r->game, &r->now, m, to);
	rest = square_parse(r->game, to, &to_row, &to_col);
	return rest && !*rest && (row != to_row || col != to_col);
}

void record_play(struct record *r, struct move m)
{
	assert(record_is_legal(r, m));
	record_append(r, (struct record_move) { .move = m, .side = r->now.side });
}

void record_play_end_pass(struct record *r, int side)
{
	assert(r->now.over);
	if (r->count < RECORD_MAX)
		record_append(r, (struct record_move) { .move = move_single(MOVE_PASS),
							.side = (uint8_t)side });
}

/* Adds an implied move of the side that is not `side`. */
static void record_imply(struct record *r, int side, move_t step)
{
	record_append(r, (struct record_move) { .move = move_single(step),
						.side = (uint8_t)(side ^ 1),
						.implied = true });
}

bool record_play_setup(struct record *r, const struct state *s)
{
	if (r->setup_count == RECORD_MAX)
		return false;
	r->setups = xgrow(r->setups, (size_t)r->setup_count, sizeof *r->setups);
	r->setups[r->setup_count] = *s;
	record_append(r, (struct record_move) { .move = move_single(MOVE_SETUP),
						.side = r->now.side,
						.setup = r->setup_count++ });
	return true;
}

/* Sets up the position of a state by the rules of another table. Returns false if they do not have it. */
static bool record_convert(const struct game *from, const struct state *s, const struct game *g,
			   struct state *out)
{
	char squares[POSITION_TEXT_MAX];
	game_position(from, s, squares);
	char *side = strchr(squares, ' ');
	*side++ = '\0';
	if (game_setup(g, out, squares, side))
		return false;
	if (g->komi)
		g->komi->set(g, out, from->komi->get(from, s));
	return true;
}

/* Makes a move of another record by the rules of this one. Returns false if it is illegal by them. */
static bool record_take_over(struct record *r, const struct record *from,
			     const struct record_move *m)
{
	struct state s;
	record_go_on(r, m);
	if (m->move.step[0] == MOVE_SETUP)
		return record_convert(from->game, &from->setups[m->setup], r->game, &s) &&
		       record_play_setup(r, &s);
	if (record_is_play(m) && m->move.step[0] != MOVE_PASS &&
	    !game_is_legal(r->game, &r->now, m->move))
		return false;
	record_append(r, *m);
	return true;
}

bool record_change_rules(struct record *r, const struct game *g)
{
	struct record changed;
	struct state start;
	bool good = record_convert(r->game, &r->start, g, &start);
	record_init(&changed, g);
	if (good)
		record_setup(&changed, &start);
	for (int i = 0; i < r->count && good; i++)
		good = record_take_over(&changed, r, &r->moves[i]);
	record_free(good ? r : &changed);
	if (good)
		*r = changed;
	return good;
}

void record_play_sides(struct record *r)
{
	assert(game_can_swap(r->game, &r->now));
	record_append(
		r, (struct record_move) { .move = move_single(MOVE_SIDES), .side = r->now.side });
}

bool record_give_turn(struct record *r, int side)
{
	if (r->now.over || r->now.side == side)
		return true;
	bool must_pass = game_must_pass(r->game, &r->now);
	if (!must_pass && !r->game->set_turn)
		return false;
	record_imply(r, side, r->game->set_turn ? MOVE_TURN : r->game->steps.pass);
	return true;
}

bool record_resume(struct record *r, int side)
{
	if (r->drawn_after && r->game->set_turn)
		r->now.over = false;
	else if (r->now.over && r->game->set_turn)
		record_imply(r, side, MOVE_TURN);
	return record_give_turn(r, side);
}

void record_undo_implied(struct record *r)
{
	if (r->count && r->moves[r->count - 1].implied)
		record_shorten(r, r->count - 1);
	if (r->drawn_after)
		r->now.over = true;
}

/* Reads and plays a move. `follows`: of a game that others have played. */
static enum move_check record_take_text(struct record *r, int side, const char *text, bool follows)
{
	struct move m;
	bool passes = strcasecmp(text, "pass") == 0;
	if (!(passes ? record_give_turn(r, side) : record_resume(r, side)))
		/* Out of turn no move is legal. Malformed text is still reported as malformed. */
		return game_parse(r->game, &r->now, text, &m) == MOVE_MALFORMED ? MOVE_MALFORMED
										: MOVE_ILLEGAL;
	enum move_check check = record_parse(r, text, &m);
	if (follows ? !move_check_follows(check) : check != MOVE_OK)
		record_undo_implied(r);
	else if (r->now.over)
		record_play_end_pass(r, side);
	else
		record_append(r, (struct record_move) { .move = m, .side = r->now.side });
	return check;
}

enum move_check record_play_text(struct record *r, int side, const char *text)
{
	return record_take_text(r, side, text, false);
}

enum move_check record_follow_text(struct record *r, int side, const char *text)
{
	return record_take_text(r, side, text, true);
}

bool record_undo(struct record *r)
{
	return record_undo_moves(r, 1);
}

bool record_undo_moves(struct record *r, int moves)
{
	int count = r->count;
	for (int i = 0; i < moves; i++) {
		if (count == 0)
			return false;
		count--;
		count -= count && r->moves[count - 1].implied;
	}
	record_shorten(r, count);
	return true;
}

/* Goes to a position that is set up, with the komi of the game. */
static void record_set_up(const struct record *r, int index, struct state *s)
{
	int komi = r->game->komi ? r->game->komi->get(r->game, s) : 0;
	*s = r->setups[index];
	if (r->game->komi)
		r->game->komi->set(r->game, s, komi);
}

void record_replay(const struct record *r, int index, struct state *s)
{
	const struct record_move *m = &r->moves[index];
	if (m->move.step[0] == MOVE_TURN && r->game->set_turn) {
		r->game->set_turn(r->game, s, m->side ^ 1);
	} else if (m->move.step[0] == MOVE_SIDES) {
		r->game->swap->allow(r->game, s, false);
	} else if (m->move.step[0] == MOVE_SETUP) {
		record_set_up(r, m->setup, s);
	} else if (m->move.step[0] != MOVE_PASS) {
		game_play(r->game, s, m->move);
	} else if (r->game->steps.may_pass) {
		s->side = m->side ^ 1;
		s->hash = state_hash(s);
	}
	if (r->drawn_after && index + 1 >= r->drawn_after) {
		s->over = true;
		s->score = 0;
	}
}

void record_state(const struct record *r, int index, struct state *s)
{
	*s = r->start;
	for (int i = 0; i < index; i++)
		record_replay(r, i, s);
}
