/* SPDX-License-Identifier: MIT
 *
 * A game with moves of four steps, for tests: on a 4x4 board a move places a stone on an empty square of each row,
 * from the top row down. After two moves of each side the board is full. A side gets a point for each column where
 * it has more stones than the other side. The text of a move has the four letters of the columns: "ACDA".
 */
#ifndef TESTS_FOUR_STEPS_H
#define TESTS_FOUR_STEPS_H

#include <ctype.h>
#include <string.h>

#include "engine/rules/game.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"

enum { FOUR_STEPS_SIZE = 4, FOUR_STEPS_SQUARES = 16 };

static const struct game four_steps;

static unsigned four_steps_stones(const struct state *s)
{
	return (unsigned)(s->board[BLACK] | s->board[WHITE]);
}

static void four_steps_finish(struct state *s)
{
	int score = 0;
	s->over = four_steps_stones(s) == 0xffff;
	for (int col = 0; col < FOUR_STEPS_SIZE; col++)
		score += score_sign(__builtin_popcountll(s->board[BLACK] & 0x1111u << col) -
				    __builtin_popcountll(s->board[WHITE] & 0x1111u << col));
	s->score = (int16_t)(s->over ? score : 0);
	s->hash = state_hash(s);
}

static void four_steps_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	four_steps_finish(s);
}

static const char *four_steps_setup(const struct game *g, struct state *s, const char *squares,
				    int side)
{
	four_steps_start(g, s);
	for (int i = 0; i < FOUR_STEPS_SQUARES; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= 1u << i;
	for (int row = 0; row < FOUR_STEPS_SIZE; row++) {
		int black = __builtin_popcountll(s->board[BLACK] >> 4 * row & 15);
		int white = __builtin_popcountll(s->board[WHITE] >> 4 * row & 15);
		int first_black = __builtin_popcountll(s->board[BLACK] & 15);
		int first_white = __builtin_popcountll(s->board[WHITE] & 15);
		if (black != first_black || white != first_white || black - white != side)
			return "each row has as many stones";
	}
	s->side = (uint8_t)side;
	four_steps_finish(s);
	return NULL;
}

static int four_steps_moves(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0;
	for (int i = 4 * s->pending; i < 4 * s->pending + 4; i++)
		if (!(four_steps_stones(s) >> i & 1))
			out[n++] = (move_t)i;
	return n;
}

static void four_steps_play(const struct game *g, struct state *s, move_t step)
{
	s->board[s->side] |= 1u << step;
	s->pending = (uint8_t)((s->pending + 1) % FOUR_STEPS_SIZE);
	s->side ^= s->pending == 0;
	four_steps_finish(s);
}

static enum move_check four_steps_parse(const struct game *g, const struct state *s,
					const char *text, struct move *m)
{
	if (strlen(text) != FOUR_STEPS_SIZE)
		return MOVE_MALFORMED;
	*m = move_none();
	for (int i = 0; i < FOUR_STEPS_SIZE; i++) {
		int col = toupper((unsigned char)text[i]) - 'A';
		if (col < 0 || col >= FOUR_STEPS_SIZE)
			return MOVE_MALFORMED;
		m->step[i] = (move_t)(4 * i + col);
	}
	return game_is_legal(&four_steps, s, *m) ? MOVE_OK : MOVE_ILLEGAL;
}

static void four_steps_format(const struct game *g, const struct state *s, struct move m,
			      char text[MOVE_TEXT_MAX])
{
	for (int i = 0; i < FOUR_STEPS_SIZE; i++)
		text[i] = (char)('A' + m.step[i] % 4);
	text[FOUR_STEPS_SIZE] = '\0';
}

static char four_steps_at(const struct game *g, const struct state *s, int row, int col)
{
	int i = 4 * row + col;
	return s->board[BLACK] >> i & 1 ? 'X' : s->board[WHITE] >> i & 1 ? 'O' : '.';
}

static bool four_steps_valid(const struct game *g, const struct state *s)
{
	return !(s->board[BLACK] & s->board[WHITE]) && s->hash == state_hash(s);
}

static const struct game four_steps = {
	.name = "foursteps",
	.title = "FourSteps",
	.rules = "standard",
	.board = { .rows = FOUR_STEPS_SIZE, .cols = FOUR_STEPS_SIZE },
	.steps = { .codes = FOUR_STEPS_SQUARES,
		   .choices = FOUR_STEPS_SIZE,
		   .moves = 256,
		   .length = FOUR_STEPS_SQUARES,
		   .per_move = 4,
		   .pass = MOVE_NONE },
	.score = { .most = FOUR_STEPS_SIZE, .unit = "columns" },
	.start = four_steps_start,
	.setup = four_steps_setup,
	.moves = four_steps_moves,
	.play = four_steps_play,
	.parse = four_steps_parse,
	.format = four_steps_format,
	.at = four_steps_at,
	.valid = four_steps_valid,
	.words = &(const struct words) { .guide = "Place a stone in each row.\n" },
	.tuning = &(const struct tuning) { .search = "mcts" },
};

#endif
