/* SPDX-License-Identifier: MIT
 *
 * The commands that tell what is known about the opening of the current game, as JSON.
 */
#include "engine/rules/opening_name.h"
#include "protocol/lessons/explorer.h"
#include "protocol/lessons/teach.h"
#include "protocol/records/as_json.h"

static json_t *json_opening(const struct record *r)
{
	struct opening_name name;
	bool found = opening_name_find(r, r->count, &name);
	return json_pack("{s:s?,s:s?,s:i}", "name", found ? name.english : NULL, "japanese",
			 found && *name.japanese ? name.japanese : NULL, "moves",
			 found ? name.moves : 0);
}

static enum outcome run_opening(struct session *s)
{
	as_json_print(s->reply, json_opening(&s->record), AS_JSON_DIGITS);
	return DONE;
}

static enum outcome run_explore(struct session *s)
{
	char why[REASON_MAX];
	bool good = own_book_load(s->own_book, s->record.game, why);
	as_json_print(s->reply,
		      json_pack("{s:o,s:s?,s:o}", "opening", json_opening(&s->record), "error",
				good ? NULL : why, "moves", explorer_json(&s->record, s->own_book)),
		      AS_JSON_DIGITS);
	return DONE;
}

const struct command opening_commands[] = {
	{ "yomi-opening", "",
	  "name the opening of the game, as JSON: name, the name in Japanese (japanese), and the "
	  "number of moves up to the last position that has a name (moves). null: no name. Only "
	  "openings of Othello have names",
	  run_opening },
	{ "yomi-explore", "",
	  "list the moves of the position that a book knows, as JSON. opening: what yomi-opening "
	  "answers. moves: for each move its value in the game's book (book: points, or the "
	  "expected result if only that counts; null: it is not there), the number of games in the "
	  "user's own book that reached the position after it (games), how many of these Black and "
	  "White won (black, white), draws, and their mean score. Values and scores are Black's. "
	  "error: why the own book cannot be read, or null",
	  run_explore },
	{ 0 },
};
