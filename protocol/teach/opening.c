/* SPDX-License-Identifier: MIT
 *
 * The commands that tell what is known about the opening of the current game, as JSON.
 */
#include "engine/opening_name.h"
#include "protocol/gtp/command.h"
#include "protocol/teach/explain.h"

static enum outcome run_opening(struct session *s)
{
	struct opening_name name;
	bool found = opening_name_find(&s->record, s->record.count, &name);
	explain_dump(s->reply, json_pack("{s:s?,s:s?,s:i}", "name", found ? name.english : NULL,
					 "japanese", found && *name.japanese ? name.japanese : NULL,
					 "moves", found ? name.moves : 0));
	return DONE;
}

const struct command opening_commands[] = {
	{ .name = "yomi-opening",
	  .args = "",
	  .help = "name the opening of the game, as JSON: name, the name in Japanese (japanese), "
		  "and "
		  "the number of moves up to the last position that has a name (moves). null: no "
		  "name. Only openings of Othello have names",
	  .run = run_opening },
	{ 0 },
};
