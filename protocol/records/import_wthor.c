/* SPDX-License-Identifier: MIT
 *
 * WTHOR: a head of 16 bytes, then 68 bytes a game. Numbers have the low byte first.
 *
 *     head  century, year, month and day of the file; number of games (4 bytes); number of names (2), which files of names
 *           have; year of the games (2); side of the board, 0: 8; kind; depth; 0
 *     game  numbers of the tournament, of Black and of White (2 bytes each); discs of Black at the end, and with best play;
 *           60 moves, each 10 * row + column, 0: none
 *
 * The winner has the empty squares at the end. Forced passes are left out. Tournaments and players have their names in
 * other files.
 */
#include "games/games.h"
#include "protocol/records/import_private.h"

#define WTHOR_HEAD  16
#define WTHOR_GAME  68
#define WTHOR_MOVES 60
#define WTHOR_DISCS 64

static unsigned wthor_number(const struct import *i, size_t at, int bytes)
{
	unsigned number = 0;
	for (int k = bytes - 1; k >= 0; k--)
		number = number << 8 | (unsigned char)i->text[at + (size_t)k];
	return number;
}

/* Returns true if the text begins with a head: its date is one, and what must be 0 is. */
static bool wthor_is(struct import *i)
{
	if (i->length < WTHOR_HEAD)
		return false;
	unsigned century = wthor_number(i, 0, 1), year = wthor_number(i, 1, 1),
		 month = wthor_number(i, 2, 1), day = wthor_number(i, 3, 1),
		 side = wthor_number(i, 12, 1);
	return century >= 19 && century <= 29 && year < 100 && month <= 12 && day <= 31 &&
	       (side == 0 || side == 8 || side == 10) && wthor_number(i, 15, 1) == 0;
}

static bool wthor_open(struct import *i)
{
	if (wthor_number(i, 8, 2))
		return import_refuse(i, "a WTHOR file of names, without games");
	if (wthor_number(i, 12, 1) == 10)
		return import_refuse(i, "a WTHOR file with boards of 10x10; yomi has 8x8");
	i->at = i->text + WTHOR_HEAD;
	const unsigned told = wthor_number(i, 4, 4);
	const size_t bytes = i->length - WTHOR_HEAD, there = bytes / WTHOR_GAME;
	if (told > there)
		import_refuse(i, "the file tells of %u games and has %zu%s", told, there,
			      bytes % WTHOR_GAME ? " and a part of one" : "");
	else if (bytes > (size_t)told * WTHOR_GAME)
		import_refuse(i, "the file tells of %u games and has more, which are left out",
			      told);
	return true;
}

/* Plays the moves of the game that is `at` bytes behind the beginning. */
static bool wthor_play(struct import *i, size_t at)
{
	char move[MOVE_TEXT_MAX];
	bool is_legal = true;
	for (size_t k = 8; k < WTHOR_GAME && is_legal && !import_is_full(i); k++) {
		unsigned square = wthor_number(i, at + k, 1);
		if (!square)
			break;
		snprintf(move, sizeof move, "%c%u", (char)('a' + (square % 10 + 9) % 10),
			 square / 10);
		is_legal = !i->record.now.over && import_play(i, move);
		if (!is_legal)
			import_refuse(i, "move %zu, %s, is not legal", k - 7, move);
	}
	return is_legal;
}

static bool wthor_next(struct import *i)
{
	size_t at = (size_t)(i->at - i->text);
	if ((unsigned)i->number > wthor_number(i, 4, 4) || i->length == at)
		return false;
	if (i->length - at < WTHOR_GAME) {
		i->at = i->text + i->length;
		return !import_refuse(i, "the file is cut off");
	}
	i->at += WTHOR_GAME;
	int lead = 2 * (int)wthor_number(i, at + 6, 1) - WTHOR_DISCS;
	import_begin(i, &game_othello);
	import_add(i, "PB", "player %u", wthor_number(i, at + 2, 2));
	import_add(i, "PW", "player %u", wthor_number(i, at + 4, 2));
	import_add(i, "EV", "tournament %u", wthor_number(i, at, 2));
	import_add(i, "DT", "%u", wthor_number(i, 10, 2));
	if (lead)
		import_add(i, "RE", "%c+%d", lead > 0 ? 'B' : 'W', lead > 0 ? lead : -lead);
	else
		import_add(i, "RE", "0");
	wthor_play(i, at);
	return true;
}

const struct import_format import_wthor = { "WTHOR", wthor_is, wthor_open, wthor_next };
