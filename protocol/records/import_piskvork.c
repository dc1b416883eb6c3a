/* SPDX-License-Identifier: MIT
 *
 * Games of Gomoku as Piskvork saves them. PSQ begins with the size of the board and the number of the player who moves
 * first:
 *
 *     Piskvorky 20x20, 11:11, 0
 *
 * A line for each move follows: column, row and milliseconds, `10,11,350`, counted from 1. Then come the names of both
 * players and a code of the end, -1 for a usual one. rec has the names before the moves, that of the first player first, and
 * counts from 0; it does not tell the size. Row 1 is the top row. Neither tells the rules.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/square.h"
#include "games/games.h"
#include "protocol/records/import_private.h"

#define PISKVORK_HEAD "Piskvorky %4dx%4d, %*4d:%*4d, %4d"
#define REC_SIZE      20 /* Piskvork's board of rec files, unless that of the program is larger */
#define PISKVORK_NAME 64

struct piskvork_move {
	int col, row, time;
};

/* Reads `col,row,time` or `col,row`. Returns false if the line is something else. */
static bool piskvork_read(const char *line, struct piskvork_move *m)
{
	int used = 0;
	m->time = 0;
	if (sscanf(line, " %5d , %5d%n", &m->col, &m->row, &used) != 2)
		return false;
	if (line[used] == ',')
		m->time = atoi(line + used + 1);
	return true;
}

/* Returns true if a line may be the name of a player: it is no move and no code. */
static bool piskvork_is_name(const char *line)
{
	struct piskvork_move m;
	return line[strspn(line, "-+0123456789 ")] > ' ' && !piskvork_read(line, &m);
}

static void piskvork_name(struct import *i, const char *property, const char *line)
{
	int length = (int)(import_line_end(line) - line);
	if (length && length < PISKVORK_NAME)
		import_add(i, property, "%.*s", length, line);
}

/* Plays all moves that begin at i->at. */
static bool piskvork_play(struct import *i, int first)
{
	const struct game *g = i->record.game;
	struct piskvork_move m;
	const char *at = i->at;
	for (int number = 1; piskvork_read(at, &m) && !import_is_full(i); number++) {
		char move[SQUARE_TEXT_MAX] = "";
		m.col -= first;
		m.row -= first;
		if (m.col >= 0 && m.col < g->board.cols && m.row >= 0 && m.row < g->board.rows)
			square_format(g, m.row, m.col, move);
		if (!*move || i->record.now.over || !import_play(i, move))
			return import_refuse(i, "move %d, %d,%d, is not legal", number,
					     m.col + first, m.row + first);
		if (m.time >= 0 && !i->ban)
			import_seconds(i, m.time / 1e3);
		at = import_line_skip(at);
	}
	while (piskvork_read(at, &m))
		at = import_line_skip(at);
	i->at = at;
	return true;
}

/* Reads the game whose moves begin at i->at in the first rules that make all moves legal: those that are asked for, then the
 * others. */
static bool piskvork_game(struct import *i, int rows, int cols, int first)
{
	const struct game *wanted = i->wish.game && game_is_variant(i->wish.game, &game_gomoku)
					    ? i->wish.game
					    : &game_gomoku;
	const char *moves = i->at;
	char why[REASON_MAX] = "";
	struct piskvork_move m;
	bool done = false;
	if (!piskvork_read(moves, &m))
		return import_refuse(i, "there is no move");
	for (int k = -1; !done && (k < 0 || games[k]); k++) {
		const struct game *g = game_sized(k < 0 ? wanted : games[k], rows, cols);
		if (!game_is_variant(k < 0 ? wanted : games[k], &game_gomoku))
			continue;
		if (!g)
			return import_refuse(i, "gomoku has no board of %dx%d", cols, rows);
		import_begin(i, g);
		i->at = moves;
		*i->why = '\0';
		done = piskvork_play(i, first);
		if (!*why)
			strcpy(why, i->why);
	}
	if (!done)
		strcpy(i->why, why);
	else if (strcmp(i->record.game->rules, wanted->rules) != 0)
		import_note(i, "read by the rules %s: as %s, %s", i->record.game->rules,
			    wanted->rules, why);
	return done;
}

/* --- PSQ --- */

static bool psq_is(struct import *i)
{
	int cols, rows, first;
	return sscanf(i->text, PISKVORK_HEAD, &cols, &rows, &first) == 3;
}

static bool psq_next(struct import *i)
{
	int cols, rows, first;
	while (*i->at && sscanf(i->at, PISKVORK_HEAD, &cols, &rows, &first) != 3)
		i->at = import_line_skip(i->at);
	if (!*i->at)
		return false;
	i->at = import_line_skip(i->at);
	if (piskvork_game(i, rows, cols, 1) && piskvork_is_name(i->at)) {
		piskvork_name(i, first ? "PW" : "PB", i->at);
		i->at = import_line_skip(i->at);
		piskvork_name(i, first ? "PB" : "PW", i->at);
	}
	return true;
}

const struct import_format import_psq = { "PSQ", psq_is, NULL, psq_next };

/* --- rec --- */

/* Two lines that are no moves, then lines of moves with their times. */
static bool rec_is(struct import *i)
{
	struct piskvork_move m;
	int count = 0;
	const char *line = i->text;
	for (int k = 0; k < 2; k++, line = import_line_skip(line))
		if (!piskvork_is_name(line))
			return false;
	for (; piskvork_read(line, &m); line = import_line_skip(line), count++)
		if (m.col < 0 || m.row < 0)
			return false;
	return count && (!*line || *line == '-' || isdigit((unsigned char)*line));
}

static bool rec_open(struct import *i)
{
	const struct game *g = i->wish.game;
	struct piskvork_move m;
	int most = 0;
	i->at = import_line_skip(import_line_skip(i->text));
	for (const char *line = i->at; piskvork_read(line, &m); line = import_line_skip(line)) {
		most = m.col > most ? m.col : most;
		most = m.row > most ? m.row : most;
	}
	bool fits = g && game_is_variant(g, &game_gomoku) && most < g->board.rows &&
		    most < g->board.cols;
	i->rec_size = fits ? g->board.rows : REC_SIZE;
	if (!fits || g->board.rows != REC_SIZE)
		import_refuse(i, "read as gomoku on %dx%d; rec does not tell the board",
			      i->rec_size, i->rec_size);
	return true;
}

static bool rec_next(struct import *i)
{
	if (i->number == 1 && piskvork_game(i, i->rec_size, i->rec_size, 0)) {
		piskvork_name(i, "PB", i->text);
		piskvork_name(i, "PW", import_line_skip(i->text));
	}
	return i->number == 1;
}

const struct import_format import_rec = { "rec", rec_is, rec_open, rec_next };
