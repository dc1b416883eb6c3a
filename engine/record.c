/* SPDX-License-Identifier: MIT */
#include "engine/record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"

void record_init(struct record *r, const struct game *g)
{
	memset(r, 0, sizeof *r);
	record_restart(r, g);
}

void record_free(struct record *r)
{
	free(r->moves);
	r->moves = NULL;
}

void record_copy(struct record *to, const struct record *from)
{
	struct record_move *moves = xrealloc(to->moves, (size_t)from->room * sizeof *moves);
	*to = *from;
	to->moves = moves;
	if (from->count)
		memcpy(moves, from->moves, (size_t)from->count * sizeof *moves);
}

void record_restart(struct record *r, const struct game *g)
{
	r->game = g;
	g->start(&r->start);
	r->now = r->start;
	r->count = 0;
}

void record_setup(struct record *r, const struct state *start)
{
	r->start = *start;
	r->now = *start;
	r->count = 0;
}

static void append(struct record *r, struct record_move m)
{
	if (r->count == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->moves = xrealloc(r->moves, (size_t)r->room * sizeof *r->moves);
	}
	r->moves[r->count++] = m;
}

void record_play(struct record *r, struct move m)
{
	assert(game_is_legal(r->game, &r->now, m));
	append(r, (struct record_move) { m, r->now.side, false });
	game_play(r->game, &r->now, m);
}

void record_play_end_pass(struct record *r, int side)
{
	assert(r->now.over);
	if (r->count < RECORD_MAX)
		append(r, (struct record_move) { move_single(MOVE_PASS), (uint8_t)side, false });
}

bool record_give_turn(struct record *r, int side)
{
	if (r->now.over || r->now.side == side)
		return true;
	if (!game_must_pass(r->game, &r->now))
		return false;
	record_play(r, move_single(r->game->pass));
	r->moves[r->count - 1].implied = true;
	return true;
}

void record_undo_implied(struct record *r)
{
	if (r->count && r->moves[r->count - 1].implied)
		record_state(r, --r->count, &r->now);
}

enum move_check record_play_text(struct record *r, int side, const char *text)
{
	struct move m;
	if (!record_give_turn(r, side))
		/* Out of turn no move is legal. Malformed text is still reported as malformed. */
		return game_parse(r->game, &r->now, text, &m) == MOVE_MALFORMED ? MOVE_MALFORMED
										: MOVE_ILLEGAL;
	enum move_check check = game_parse(r->game, &r->now, text, &m);
	if (check != MOVE_OK)
		record_undo_implied(r);
	else if (r->now.over)
		record_play_end_pass(r, side);
	else
		record_play(r, m);
	return check;
}

bool record_undo(struct record *r)
{
	if (r->count == 0)
		return false;
	r->count--;
	if (r->count && r->moves[r->count - 1].implied)
		r->count--;
	record_state(r, r->count, &r->now);
	return true;
}

void record_state(const struct record *r, int index, struct state *s)
{
	*s = r->start;
	for (int i = 0; i < index; i++)
		if (r->moves[i].move.step[0] != MOVE_PASS)
			game_play(r->game, s, r->moves[i].move);
}
