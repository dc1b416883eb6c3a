/* SPDX-License-Identifier: MIT
 *
 * Nine men's morris. A move is a man that is placed or moves, and the enemy's man that it removes if it has closed a mill: one
 * step or two. Steps are numbered: placements by their point, then moves 24*from + to, then removals by their point.
 *
 * The board is a rectangle of 9x9 squares: 24 points in the middle, White's men in hand above them and Black's below. board[0]
 * has the men of Black in bits 0 to 23, those of White in bits 24 to 47, and the numbers of men in hand from bit 48 on.
 * board[1] has the moves since the last capture or placement and, before a removal, PENDING. That a position may not occur
 * for the third time is the record's business (repetition.limit).
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/eval.h"
#include "engine/rules/formats.h"
#include "engine/rules/repetition.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/list.h"

#define SIDE        9
#define POINTS      24
#define LINES       16
#define MEN         9   /* of a side */
#define MEN_LEAST   3   /* who has fewer has lost, who has no more may fly */
#define QUIET_MAX   100 /* moves without a capture that end the game */
#define OCCURRENCES 3   /* of a position end the game */
/* 18 moves at most close one of the nine lines that can have two of nine men, each with up to nine removals; the board has
 * 32 links for the others. */
#define MOVES_MAX   (18 * MEN + 32)

#define ALL         0xffffffu
#define HANDS       48 /* bit of the first number of men in hand, four bits each */
#define PENDING     UINT64_C(256)
#define MOVE        POINTS                   /* the first step that moves a man */
#define REMOVE      (MOVE + POINTS * POINTS) /* the first one that removes a man */

static const char *const names[POINTS] = { "A7", "D7", "G7", "B6", "D6", "F6", "C5", "D5",
					   "E5", "A4", "B4", "C4", "E4", "F4", "G4", "C3",
					   "D3", "E3", "B2", "D2", "F2", "A1", "D1", "G1" };
/* The lines of three points, of which each point has two. */
static const uint8_t lines[LINES][3] = { { 0, 1, 2 },    { 3, 4, 5 },    { 6, 7, 8 },
					 { 9, 10, 11 },  { 12, 13, 14 }, { 15, 16, 17 },
					 { 18, 19, 20 }, { 21, 22, 23 }, { 0, 9, 21 },
					 { 3, 10, 18 },  { 6, 11, 15 },  { 1, 4, 7 },
					 { 16, 19, 22 }, { 8, 12, 17 },  { 5, 13, 20 },
					 { 2, 14, 23 } };

static uint32_t line_sets[LINES];
static uint32_t rests[POINTS][2]; /* the lines of a point without it */
static uint32_t beside[POINTS];
static int8_t points[SIDE * SIDE]; /* the point of a square, -1: none */
static struct link links[2 * LINES + 1];

static uint32_t morris_bit(int point)
{
	return UINT32_C(1) << point;
}

static int morris_square(int point)
{
	return SIDE * ('8' - names[point][1]) + names[point][0] - 'A' + 1;
}

static void morris_init(const struct game *g)
{
	memset(points, -1, sizeof points);
	for (int i = 0; i < POINTS; i++)
		points[morris_square(i)] = (int8_t)i;
	for (int i = 0; i < LINES; i++) {
		const uint8_t *p = lines[i];
		line_sets[i] = morris_bit(p[0]) | morris_bit(p[1]) | morris_bit(p[2]);
		for (int k = 0; k < 3; k++)
			rests[p[k]][rests[p[k]][0] != 0] = line_sets[i] & ~morris_bit(p[k]);
		for (int k = 0; k < 2; k++) {
			beside[p[k]] |= morris_bit(p[k + 1]);
			beside[p[k + 1]] |= morris_bit(p[k]);
			links[2 * i + k] = (struct link) { (uint16_t)morris_square(p[k]),
							   (uint16_t)morris_square(p[k + 1]) };
		}
	}
}

/* --- sets --- */

static uint32_t morris_men(const struct state *s, int side)
{
	return (uint32_t)(s->board[0] >> POINTS * side) & ALL;
}

static uint32_t morris_empty(const struct state *s)
{
	return ALL & ~(morris_men(s, BLACK) | morris_men(s, WHITE));
}

static int morris_hand(const struct state *s, int side)
{
	return (int)(s->board[0] >> (HANDS + 4 * side)) & 15;
}

static int morris_count(const struct state *s, int side)
{
	return __builtin_popcount(morris_men(s, side)) + morris_hand(s, side);
}

static bool morris_is_mill(uint32_t men, int point)
{
	return (men & rests[point][0]) == rests[point][0] ||
	       (men & rests[point][1]) == rests[point][1];
}

/* The men of a side that the other one may remove: those in no mill, or all if each is in one. */
static uint32_t morris_removable(uint32_t men)
{
	uint32_t free = 0;
	for (uint32_t left = men; left; left &= left - 1)
		if (!morris_is_mill(men, __builtin_ctz(left)))
			free |= left & -left;
	return free ? free : men;
}

/* The points to which a man on one of them may move. */
static uint32_t morris_targets(const struct state *s, int from)
{
	return morris_empty(s) & (morris_count(s, s->side) > MEN_LEAST ? beside[from] : ALL);
}

/* --- rules --- */

static int morris_add(uint32_t set, int first, move_t *out, int n)
{
	for (; set; set &= set - 1)
		out[n++] = (move_t)(first + __builtin_ctz(set));
	return n;
}

static int morris_moves(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0;
	if (s->pending)
		return morris_add(morris_removable(morris_men(s, s->side ^ 1)), REMOVE, out, 0);
	if (morris_hand(s, s->side))
		return morris_add(morris_empty(s), 0, out, 0);
	for (uint32_t left = morris_men(s, s->side); left; left &= left - 1) {
		int from = __builtin_ctz(left);
		n = morris_add(morris_targets(s, from), MOVE + POINTS * from, out, n);
	}
	return n;
}

static bool morris_can_move(const struct state *s)
{
	bool can = morris_hand(s, s->side);
	for (uint32_t left = morris_men(s, s->side); left && !can; left &= left - 1)
		can = morris_targets(s, __builtin_ctz(left));
	return can;
}

/* Sets the result of a position between moves. */
static void morris_set_result(struct state *s)
{
	bool lost = morris_count(s, s->side) < MEN_LEAST || !morris_can_move(s);
	s->over = lost || s->board[1] == QUIET_MAX;
	s->score = (int16_t)(lost ? -side_sign(s->side) : 0);
}

static const char *morris_setup(const struct game *g, struct state *s, const char *squares,
				int side)
{
	memset(s, 0, sizeof *s);
	s->side = (uint8_t)side;
	for (int i = 0; i < SIDE * SIDE; i++) {
		int owner = squares[i] == 'X' ? BLACK : WHITE, row = i / SIDE;
		if (!strchr("XO", squares[i]))
			continue;
		if (points[i] < 0 && (row ? BLACK : WHITE) != owner)
			return "White's men in hand are above the board, Black's below it";
		if (points[i] < 0 && i % SIDE && squares[i - 1] == '.')
			return "men in hand stand together at the left";
		s->board[0] += UINT64_C(1)
			       << (points[i] < 0 ? HANDS + 4 * owner : POINTS * owner + points[i]);
	}
	if (morris_count(s, BLACK) > MEN || morris_count(s, WHITE) > MEN)
		return "a side has more pieces than at the start";
	if (morris_count(s, side ^ 1) < MEN_LEAST)
		return "the side to move has won already";
	morris_set_result(s);
	s->hash = state_hash(s);
	return NULL;
}

static void morris_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->board[0] = UINT64_C(0x99) << HANDS;
	s->hash = state_hash(s);
}

static void morris_play(const struct game *g, struct state *s, move_t step)
{
	const uint32_t enemies = morris_men(s, s->side ^ 1);
	int to = step < MOVE ? step : (step - MOVE) % POINTS;
	if (step >= REMOVE) {
		s->board[0] ^= (uint64_t)morris_bit(step - REMOVE) << POINTS * (s->side ^ 1);
		s->board[1] = 0;
	} else if (step >= MOVE) {
		int from = (step - MOVE) / POINTS;
		s->board[0] ^= (uint64_t)(morris_bit(from) | morris_bit(to)) << POINTS * s->side;
		s->board[1]++;
	} else {
		s->board[0] ^= (uint64_t)morris_bit(to) << POINTS * s->side;
		s->board[0] -= UINT64_C(1) << (HANDS + 4 * s->side);
		s->board[1] = 0;
	}
	s->pending = step < REMOVE && enemies && morris_is_mill(morris_men(s, s->side), to);
	if (s->pending) {
		s->board[1] |= PENDING;
	} else {
		s->side ^= 1;
		morris_set_result(s);
	}
	s->hash = state_hash(s);
}

/* The position without its counter. */
static uint64_t morris_key(const struct game *g, const struct state *s, move_t step)
{
	uint64_t key = s->board[0] << 1 | s->side, hash = rng_split(&key);
	return hash | !hash;
}

/* --- evaluation --- */

/* Weights in hundredths of a man. */
#define MAN        100
#define MILL       12  /* three men in a line */
#define OPEN       20  /* two men in a line, and the third point is empty */
#define ROOM       8   /* an empty point next to the men */
#define HALF_VALUE 150 /* this advantage is worth half a win */
#define VALUE_MOST 98  /* of positions that are not over */

static int morris_worth(const struct state *s, int side)
{
	const uint32_t men = morris_men(s, side), empty = morris_empty(s);
	uint32_t room = 0;
	int worth = MAN * morris_count(s, side);
	for (int i = 0; i < LINES; i++) {
		int own = __builtin_popcount(men & line_sets[i]);
		worth += own == 3 ? MILL : own == 2 && (empty & line_sets[i]) ? OPEN : 0;
	}
	for (uint32_t left = men; left; left &= left - 1)
		room |= beside[__builtin_ctz(left)] & empty;
	return worth + ROOM * __builtin_popcount(room);
}

static int morris_value(const struct game *g, const struct state *s)
{
	int value = morris_worth(s, BLACK) - morris_worth(s, WHITE);
	return VALUE_MOST * value / (abs(value) + HALF_VALUE);
}

/* --- text --- */

/* The names of men in hand have the letter of their side and a number. */
static const char *morris_name(const struct game *g, int row, int col)
{
	static const char *const hands[2][SIDE] = {
		{ "X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "X9" },
		{ "O1", "O2", "O3", "O4", "O5", "O6", "O7", "O8", "O9" }
	};
	int point = points[SIDE * row + col];
	return point >= 0 ? names[point] : hands[row ? BLACK : WHITE][col];
}

static bool morris_in_hand(const struct game *g, int row, int col)
{
	return row == 0 || row == SIDE - 1;
}

static bool morris_on_board(const struct game *g, int row, int col)
{
	return morris_in_hand(g, row, col) || points[SIDE * row + col] >= 0;
}

static char morris_at(const struct game *g, const struct state *s, int row, int col)
{
	int point = points[SIDE * row + col], side = row ? BLACK : WHITE;
	if (morris_in_hand(g, row, col))
		return col < morris_hand(s, side) ? "XO"[side] : '.';
	return point < 0                                  ? ':'
	       : morris_men(s, BLACK) & morris_bit(point) ? 'X'
	       : morris_men(s, WHITE) & morris_bit(point) ? 'O'
							  : '.';
}

/* Reads one to three points, with `-` or `x` between them. */
static enum move_check morris_parse(const struct game *g, const struct state *s, const char *text,
				    struct move *m)
{
	int row, col, count = 0, at[3];
	for (; count < 3 && *text; count++) {
		text += count && strchr("-xX", *text);
		text = square_parse(g, text, &row, &col);
		if (!text || morris_in_hand(g, row, col))
			return MOVE_MALFORMED;
		at[count] = points[SIDE * row + col];
	}
	if (!count || *text)
		return MOVE_MALFORMED;
	int used = morris_hand(s, s->side) ? 1 : 2;
	if (count < used || count > used + 1)
		return MOVE_ILLEGAL;
	*m = move_single((move_t)(used == 1 ? at[0] : MOVE + POINTS * at[0] + at[1]));
	if (count > used)
		m->step[1] = (move_t)(REMOVE + at[used]);
	return game_is_legal(g, s, *m) ? MOVE_OK : MOVE_ILLEGAL;
}

static void morris_format(const struct game *g, const struct state *s, struct move m,
			  char text[MOVE_TEXT_MAX])
{
	*text = '\0';
	if (m.step[0] >= MOVE)
		strcat(text, names[(m.step[0] - MOVE) / POINTS]);
	strcat(text, names[m.step[0] < MOVE ? m.step[0] : (m.step[0] - MOVE) % POINTS]);
	if (m.step[1] != MOVE_NONE)
		strcat(text, names[m.step[1] - REMOVE]);
}

static bool morris_valid(const struct game *g, const struct state *s)
{
	struct state expected = *s;
	expected.over = false;
	expected.score = 0;
	if (!s->pending)
		morris_set_result(&expected);
	return !(morris_men(s, BLACK) & morris_men(s, WHITE)) && !(s->board[0] >> (HANDS + 8)) &&
	       morris_count(s, BLACK) <= MEN && morris_count(s, WHITE) <= MEN &&
	       morris_count(s, s->side ^ 1) >= MEN_LEAST && s->pending <= 1 &&
	       (s->board[1] & PENDING) == s->pending * PENDING &&
	       (s->board[1] & ~PENDING) <= QUIET_MAX && expected.over == s->over &&
	       expected.score == s->score && s->hash == state_hash(s);
}

static const char guide[] =
	"Each side has nine men. First the sides place their men in turn on empty\n"
	"points; Black (X) begins. Who has placed all moves a man along a line to the\n"
	"next point, if it is empty. A side that has only three men left may move a man\n"
	"to any empty point. Three men of a side in a line are a mill. Who closes a mill\n"
	"removes a man of the other side at once: one that is in no mill, if there is\n"
	"one. A side with fewer than three men, or without a move, loses. A position\n"
	"that occurs for the third time is a draw, and so are 50 moves of each side\n"
	"without a removal after all men are placed.\n"
	"\n"
	"     .A7---------XD7---------XG7     Black's men on D7 and G7, and one that\n"
	"     |           |           |       moves to A7, are a mill. Black removes\n"
	"     |   OB6-----OD6-----.F6 |       White's man on B6: a4a7b6.\n"
	"     |   |       |       |   |\n"
	"     |   |   .C5-.D5-.E5 |   |\n"
	"     |   |   |       |   |   |\n"
	"     XA4-.B4-.C4     .E4-.F4-.G4\n"
	"\n"
	"A move is the point of a placement, or the points from which and to which a man\n"
	"moves, and then the point of the man that is removed: d2, d2d3, d2d3a1\n";

static const struct piece pieces[] = { { 'X', BLACK, "man" },
				       { 'O', WHITE, "man" },
				       { '\0', 0, NULL } };

const struct game game_morris = {
	.name = "morris",
	.title = "Morris",
	.alias = "ninemensmorris nine-mens-morris merels mill",
	.rules = "standard",
	.board = { .rows = SIDE,
		   .cols = SIDE,
		   .on_board = morris_on_board,
		   .in_hand = morris_in_hand,
		   .pieces = pieces,
		   .name = morris_name,
		   .kind = BOARD_GRAPH,
		   .color = BOARD_WOOD,
		   .links = links },
	.steps = { .codes = REMOVE + POINTS,
		   .choices = MEN_LEAST * (POINTS - MEN_LEAST),
		   .moves = MOVES_MAX,
		   .per_move = 2,
		   .pass = MOVE_NONE,
		   .frees_squares = true,
		   .counts = true },
	.score = { .most = 1 },
	.init = morris_init,
	.start = morris_start,
	.setup = morris_setup,
	.moves = morris_moves,
	.play = morris_play,
	.parse = morris_parse,
	.format = morris_format,
	.at = morris_at,
	.valid = morris_valid,
	.words = &(const struct words) { .guide = guide },
	.repetition = &(const struct repetition) { .key = morris_key, .limit = OCCURRENCES },
	.eval = &(const struct eval) { .value = morris_value },
	.formats = &(const struct formats) { .sgf_gm = 5, .sgf_own = true },
	.tuning = &(const struct tuning) { .search = "alphabeta", .usual_length = 80 },
};
