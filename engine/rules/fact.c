/* SPDX-License-Identifier: MIT
 *
 * The facts that every game has come from its rules and from what it tells searches: `wins`, `safe`, `forced`,
 * `decided`. Those functions prove what they tell, so the facts are proven.
 */
#include "engine/rules/fact.h"

#include <stdarg.h>
#include <stdio.h>

#include "engine/base/format.h"
#include "engine/rules/square.h"
#include "engine/rules/threats.h"
#include "engine/rules/words.h"

/* --- sentences --- */

/* The tone and the sentence of each kind of fact. A fact is for (1) or against (-1) the move of `side`, or neither (0). {s} is
 * the side, {o} the other side, {q} the names, {n} and {m} the numbers; {n:one:more} chooses a word by the number. */
static const struct {
	int tone;
	const char *key, *text;
} rows[] = {
	[FACT_WIN] = { 1, "win", "{s} wins" },
	[FACT_DRAW] = { 0, "draw", "the game ends in a draw" },
	[FACT_LOSS] = { -1, "loss", "{s} loses at once" },
	[FACT_MISSES] = { -1, "misses_win", "{s} could have won at once with {q}" },
	[FACT_ALLOWS] = { -1, "allows_win", "{o} can then win at once with {q}" },
	[FACT_STOPS] = { 1, "stops_win", "it stops {o}'s win with {q}" },
	[FACT_THREAT] = { 1, "threat", "{s} threatens to win with {q}" },
	[FACT_DOUBLE] = { 1, "double_threat",
			  "{s} threatens to win with {q}, and {o} cannot stop it" },
	[FACT_FORCED] = { -1, "allows_forced_win", "{o} then wins by force, beginning with {q}" },
	[FACT_DECIDED] = { 0, "decided", "{s} has won the race" },
	[FACT_CAN_WIN] = { 0, "can_win", "{s} can win at once with {q}" },
	[FACT_CAN_FORCE] = { 0, "can_force_win", "{s} can win by force, beginning with {q}" },
	[FACT_PASS] = { 1, "pass", "{s} must pass" },
	[FACT_ONLY] = { 1, "only_answer",
			"{s} has only one answer that does not lose at once: {q}" },
	[FACT_ROW] = { 1, "row", "{s} has {n} in a row at {q}" },
	[FACT_CORNER] = { 1, "corner", "{s} takes the corner {q}" },
	[FACT_OPENS_CORNER] = { -1, "opens_corner", "{o} can then take the corner {q}" },
	[FACT_CORNER_FREE] = { 0, "can_take_corner", "{s} can take the corner {q}" },
	[FACT_STABLE] = { 1, "stable",
			  "{s} has {n} {n:disc:discs} that can never be turned, {o} has {m}" },
	[FACT_MOBILITY] = { 0, "mobility", "{s} has {n} legal {n:move:moves}, {o} would have {m}" },
	[FACT_CAPTURES] = { 1, "captures", "{s} captures {n} {n:stone:stones}: {q}" },
	[FACT_ATARI] = { 1, "atari", "{s} can capture {n} {n:stone:stones} next: {q}" },
	[FACT_SAVES] = { 1, "saves", "it saves {n} {n:stone:stones} from capture: {q}" },
	[FACT_SELF_ATARI] = { -1, "self_atari", "{o} can then capture {n} {n:stone:stones}: {q}" },
	[FACT_IN_ATARI] = { 0, "in_atari", "{o} can capture {n} {n:stone:stones} of {s}: {q}" },
	[FACT_JOINS] = { 1, "joins", "{s} joins {n} groups" },
	[FACT_BRIDGE] = { 1, "bridge", "{s} makes a bridge to {q}" },
	[FACT_NEEDS] = { 0, "needs",
			 "{s} needs {n} more {n:stone:stones} to connect, {o} needs {m}" },
	[FACT_BLOCKS] = { 1, "blocks",
			  "{o} then needs {n} {n:stone:stones} to connect, before it was {m}" },
	[FACT_REACHES] = { 1, "reaches",
			   "{s}'s chain reaches {n} {n:edge:edges} and {m} {m:corner:corners}" },
	[FACT_TAKES] = { 1, "takes", "{s} captures the piece on {q}" },
	[FACT_HANGS] = { -1, "can_capture", "{o} can then capture the piece on {q}" },
	[FACT_RACE] = { 0, "race",
			"{s}'s foremost piece needs at least {n} {n:move:moves} to the "
			"goal, {o}'s {m}" },
	[FACT_GROUPS] = { 0, "groups", "{s} has {n} {n:group:groups} of pieces, {o} has {m}" },
};
_Static_assert(sizeof rows / sizeof rows[0] == FACT_KINDS, "every kind needs a sentence");

const char *fact_key(enum fact_kind kind)
{
	return rows[kind].key;
}

int fact_tone(enum fact_kind kind)
{
	return rows[kind].tone;
}

/* A text that is cut where the room ends. */
struct fact_writer {
	char *at, *end;
};

__attribute__((format(PRINTF, 2, 3))) static void fact_put(struct fact_writer *w,
							   const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(w->at, (size_t)(w->end - w->at), format, args);
	va_end(args);
	w->at = n < w->end - w->at ? w->at + n : w->end - 1;
}

#define NAMES_SHOWN 6 /* most names in a sentence */

static void put_names(struct fact_writer *w, const struct fact *f)
{
	int kept = f->count <= NAMES_SHOWN ? f->count : NAMES_SHOWN - 1;
	for (int i = 0; i < kept; i++)
		fact_put(w, "%s%s", i ? " " : "", f->names[i]);
	if (f->count > kept)
		fact_put(w, " and %d more", f->count - kept);
}

/* Writes the word for a place such as {n:move:moves}. `at` is behind the letter. */
static void fact_put_number(struct fact_writer *w, int number, const char *at)
{
	if (*at != ':') {
		fact_put(w, "%d", number);
		return;
	}
	const char *one = at + 1, *more = strchr(one, ':') + 1;
	if (number == 1)
		fact_put(w, "%.*s", (int)(more - 1 - one), one);
	else
		fact_put(w, "%.*s", (int)strcspn(more, "}"), more);
}

void fact_text(const struct game *g, const struct fact *f, char text[FACT_TEXT_MAX])
{
	struct fact_writer w = { text, text + FACT_TEXT_MAX };
	*text = '\0';
	for (const char *c = rows[f->kind].text; *c; c++) {
		if (*c != '{') {
			fact_put(&w, "%c", *c);
			continue;
		}
		switch (*++c) {
		case 's':
			fact_put(&w, "%s", game_side(g, f->side));
			break;
		case 'o':
			fact_put(&w, "%s", game_side(g, f->side ^ 1));
			break;
		case 'q':
			put_names(&w, f);
			break;
		default:
			fact_put_number(&w, f->numbers[*c == 'm'], c + 1);
		}
		c += strcspn(c, "}");
	}
}

/* --- lists --- */

struct fact *fact_add(struct facts *all, enum fact_kind kind, int side)
{
	static _Thread_local struct fact lost;
	struct fact *f = all->count < FACTS_MAX ? &all->list[all->count++] : &lost;
	f->kind = kind;
	f->side = side;
	f->numbers[0] = f->numbers[1] = f->count = 0;
	return f;
}

/* Adds a name with its square, -1: none. */
static void add_name(struct fact *f, int square, const char *name)
{
	if (f->count < FACT_NAMES_MAX) {
		f->squares[f->count] = (int16_t)square;
		snprintf(f->names[f->count], MOVE_TEXT_MAX, "%s", name);
	}
	f->count++;
}

void fact_square(struct facts *all, struct fact *f, int square)
{
	char name[SQUARE_TEXT_MAX];
	square_format(all->game, square / all->game->board.cols, square % all->game->board.cols,
		      name);
	add_name(f, square, name);
}

bool facts_have(const struct facts *all, enum fact_kind kind)
{
	for (int i = 0; i < all->count; i++)
		if (all->list[i].kind == kind)
			return true;
	return false;
}

/* --- the board as characters --- */

void grid_read(struct grid *b, const struct game *g, const struct state *s)
{
	b->game = g;
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		b->at[i] = g->at(g, s, i / g->board.cols, i % g->board.cols);
}

int grid_neighbors(const struct grid *b, int square, bool diagonal, int out[8])
{
	/* The first four are orthogonal, the next two complete a hexagon. */
	static const int steps[8][2] = { { -1, 0 }, { 0, -1 }, { 0, 1 },   { 1, 0 },
					 { -1, 1 }, { 1, -1 }, { -1, -1 }, { 1, 1 } };
	const struct game *g = b->game;
	int n = diagonal ? 8 : g->board.kind == BOARD_HEXAGONS ? 6 : 4, count = 0;
	for (int i = 0; i < n; i++) {
		int row = square / g->board.cols + steps[i][0],
		    col = square % g->board.cols + steps[i][1];
		if (row >= 0 && row < g->board.rows && col >= 0 && col < g->board.cols &&
		    b->at[row * g->board.cols + col] != ':')
			out[count++] = row * g->board.cols + col;
	}
	return count;
}

int grid_group(const struct grid *b, int square, bool diagonal, int out[GAME_SQUARES_MAX],
	       int *liberties)
{
	bool seen[GAME_SQUARES_MAX] = { false };
	int count = 0, near[8], free = 0;
	out[count++] = square;
	seen[square] = true;
	for (int i = 0; i < count; i++) {
		int n = grid_neighbors(b, out[i], diagonal, near);
		for (int j = 0; j < n; j++) {
			char stone = b->at[near[j]];
			if (seen[near[j]] || (stone != '.' && stone != b->at[square]))
				continue;
			seen[near[j]] = true;
			if (stone == b->at[square])
				out[count++] = near[j];
			else
				free++;
		}
	}
	if (liberties)
		*liberties = free;
	return count;
}

int grid_next_group(const struct grid *b, bool seen[GAME_SQUARES_MAX], int square, int side,
		    bool diagonal, int group[GAME_SQUARES_MAX], int *liberties)
{
	if (seen[square] || b->at[square] != grid_stone(side))
		return 0;
	int count = grid_group(b, square, diagonal, group, liberties);
	for (int i = 0; i < count; i++)
		seen[group[i]] = true;
	return count;
}

void grid_add_joins(struct facts *all, const struct grid *before, int target, int side)
{
	bool seen[GAME_SQUARES_MAX] = { false };
	int group[GAME_SQUARES_MAX], near[8], groups = 0;
	int n = grid_neighbors(before, target, false, near);
	for (int i = 0; i < n; i++)
		groups += grid_next_group(before, seen, near[i], side, false, group, NULL) > 0;
	if (groups > 1)
		fact_add(all, FACT_JOINS, side)->numbers[0] = groups;
}

int grid_target(const struct game *g, const struct state *s, struct move m)
{
	int row, col;
	return m.step[0] != MOVE_NONE && game_stone(g, s, m, &row, &col) ? row * g->board.cols + col
									 : -1;
}

/* --- wins at once --- */

/* Adds the moves that win at once for the side to move to a fact. Returns their number. `s` may be a position of which
 * only the side was exchanged. */
static int find_wins(const struct game *g, const struct state *s, struct fact *f)
{
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	if (g->threats && !g->threats->wins(g, s))
		return 0;
	int n = game_moves(g, s, moves);
	for (int i = 0; i < n; i++) {
		struct state after = *s;
		game_play(g, &after, moves[i]);
		if (!after.over || side_sign(s->side) * after.score <= 0)
			continue;
		game_format(g, s, moves[i], text);
		add_name(f, grid_target(g, s, moves[i]), text);
	}
	return f->count;
}

/* True if single moves can end the game by a threat that people see. */
static bool has_threats(const struct game *g)
{
	return g->threats || g->score.in_a_row;
}

/* Finds the wins at once of a side, whoever is to move. */
static int find_threats(const struct game *g, const struct state *s, int side, struct fact *f)
{
	struct state exchanged = *s;
	f->count = 0;
	if (!has_threats(g) || s->over)
		return 0;
	exchanged.side = (uint8_t)side;
	return find_wins(g, &exchanged, f);
}

/* Adds a fact with the names of another one, which has no numbers. */
static void add_as(struct facts *all, enum fact_kind kind, int side, const struct fact *names)
{
	struct fact *f = fact_add(all, kind, side);
	*f = *names;
	f->kind = kind;
	f->side = side;
}

/* Adds the fact that a step is a forced win, if the game finds one for the side to move. */
static bool add_forced(struct facts *all, const struct state *s, enum fact_kind kind, int side)
{
	const struct game *g = all->game;
	move_t steps[GAME_STEPS_MAX];
	char text[MOVE_TEXT_MAX];
	bool won = false;
	if (!(g->threats && g->threats->search))
		return false;
	g->threats->search(g, s, THREATS_ROOT * g->threats->work, steps, &won);
	if (!won)
		return false;
	struct move m = move_single(steps[0]);
	game_format(g, s, m, text);
	add_name(fact_add(all, kind, side), grid_target(g, s, m), text);
	return true;
}

/* --- moves --- */

static void add_end(struct facts *all, const struct state *after, int side)
{
	int result = side_sign(side) * score_sign(after->score);
	fact_add(all, result > 0 ? FACT_WIN : result == 0 ? FACT_DRAW : FACT_LOSS, side);
}

/* What the side of a move threatens after it, when the other side is to move and cannot win at once. */
static void add_threat(struct facts *all, const struct state *after, int side)
{
	const struct game *g = all->game;
	struct fact wins = { 0 };
	struct move m;
	move_t safe[GAME_STEPS_MAX];
	char text[MOVE_TEXT_MAX];
	int count = find_threats(g, after, side, &wins);
	if (!count)
		return;
	int left = g->threats ? g->threats->safe(g, after, safe) : -1;
	add_as(all, left == 0 ? FACT_DOUBLE : FACT_THREAT, side, &wins);
	if (left != 1 || g->steps.per_move > 1)
		return;
	m = move_single(safe[0]);
	game_format(g, after, m, text);
	add_name(fact_add(all, FACT_ONLY, side ^ 1), grid_target(g, after, m), text);
}

static void add_general(struct facts *all, const struct state *before, const struct state *after)
{
	const struct game *g = all->game;
	int side = before->side;
	struct fact own = { 0 }, other = { 0 }, next = { 0 };
	find_threats(g, before, side, &own);
	find_threats(g, before, side ^ 1, &other);
	if (own.count)
		add_as(all, FACT_MISSES, side, &own);
	if (after->side == side)
		return;
	int decided = g->threats && g->threats->decided ? g->threats->decided(g, after) : 0;
	if (find_threats(g, after, side ^ 1, &next)) {
		add_as(all, FACT_ALLOWS, side, &next);
		return;
	}
	if (other.count)
		add_as(all, FACT_STOPS, side, &other);
	if (decided)
		fact_add(all, FACT_DECIDED, decided > 0 ? BLACK : WHITE);
	else if (!add_forced(all, after, FACT_FORCED, side))
		add_threat(all, after, side);
}

/* Counts a side's stones in a row from a square on, in the direction of `sign` times `step`, and in *room the squares there
 * up to the other side's first stone or the border. */
static int count_row(const struct grid *b, int square, int side, const int step[2], int sign,
		     int *room)
{
	const struct game *g = b->game;
	int row = square / g->board.cols, col = square % g->board.cols, length = 0;
	*room = 0;
	while (row >= 0 && row < g->board.rows && col >= 0 && col < g->board.cols) {
		char at = b->at[row * g->board.cols + col];
		if (at == grid_stone(side ^ 1) || at == ':')
			break;
		length += at == grid_stone(side) && length == *room;
		++*room;
		row += sign * step[0];
		col += sign * step[1];
	}
	return length;
}

/* The longest row of the side's stones through a square, if it has at least three squares and can still grow to
 * game.in_a_row. */
static void add_row(struct facts *all, const struct state *after, int square, int side)
{
	static const int steps[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };
	const struct game *g = all->game;
	int best = 0, first = 0, step = 0;
	struct grid b;
	grid_read(&b, g, after);
	for (int i = 0; i < 4; i++) {
		int room_back, room_ahead;
		int back = count_row(&b, square, side, steps[i], -1, &room_back);
		int ahead = count_row(&b, square, side, steps[i], 1, &room_ahead);
		/* Both ways count the square itself. */
		int length = back + ahead - 1;
		if (length <= best || room_back + room_ahead - 1 < g->score.in_a_row)
			continue;
		best = length;
		step = steps[i][0] * g->board.cols + steps[i][1];
		first = square - (back - 1) * step;
	}
	if (best < 3)
		return;
	struct fact *f = fact_add(all, FACT_ROW, side);
	f->numbers[0] = best;
	for (int i = 0; i < best; i++)
		fact_square(all, f, first + i * step);
}

void facts_of_move(struct facts *all, const struct game *g, const struct state *before,
		   struct move m)
{
	struct state after = *before;
	all->game = g;
	all->count = 0;
	game_play(g, &after, m);
	if (after.over)
		add_end(all, &after, before->side);
	else
		add_general(all, before, &after);
	if (g->words->facts)
		g->words->facts(g, before, m, all);
	int square = grid_target(g, before, m);
	if (g->score.in_a_row && square >= 0)
		add_row(all, &after, square, before->side);
	if (!after.over && game_must_pass(g, &after))
		fact_add(all, FACT_PASS, after.side);
}

/* --- positions --- */

void facts_of_position(struct facts *all, const struct game *g, const struct state *s)
{
	struct fact wins = { 0 };
	all->game = g;
	all->count = 0;
	if (find_threats(g, s, s->side, &wins))
		add_as(all, FACT_CAN_WIN, s->side, &wins);
	else if (find_threats(g, s, s->side ^ 1, &wins))
		add_as(all, FACT_THREAT, s->side ^ 1, &wins);
	if (!facts_have(all, FACT_CAN_WIN))
		add_forced(all, s, FACT_CAN_FORCE, s->side);
	if (game_must_pass(g, s))
		fact_add(all, FACT_PASS, s->side);
	if (g->words->facts)
		g->words->facts(g, s, move_none(), all);
}
