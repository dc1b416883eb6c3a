/* SPDX-License-Identifier: MIT
 *
 * The commands that answer a move.
 */
#include <string.h>

#include "protocol/gtp/commands.h"
#include "protocol/session/line.h"
#include "protocol/session/think.h"

static enum outcome genmove_run(struct session *s)
{
	if (!line_color(s->args[0], &s->side))
		return syntax_error(s, "type black or white as the color");
	if (!think_take_turn(s))
		return REFUSED;
	struct limits limits = think_limits(s);
	limits.book = true;
	return think_move(s, &limits, THINKING);
}

static enum outcome run_genmove_ex(struct session *s)
{
	for (int i = 1; i < s->arg_count; i++)
		s->may_claim |= strcmp(s->args[i], "claim") == 0;
	if (s->arg_count)
		return genmove_run(s);
	text_puts(s->reply, "claim");
	return DONE;
}

static enum outcome run_explain_last_move(struct session *s)
{
	text_puts(s->reply, s->explanation ? s->explanation : "");
	return DONE;
}

static enum outcome run_clear_cache(struct session *s)
{
	engine_reseed(s->engine);
	return DONE;
}

const struct command genmove_commands[] = {
	{ "genmove", "COLOR", "search for a move, play it and return it", genmove_run, think_answer,
	  .more = true, .plays = true },
	{ "reg_genmove", "COLOR", "search for a move and return it without playing it", genmove_run,
	  think_answer, .more = true },
	{ "gomill-genmove_ex", "[COLOR [claim]]",
	  "same as genmove; with `claim`, return `claim` instead of a move if a win is proven. "
	  "Without arguments, list the words that may follow COLOR: claim",
	  run_genmove_ex, think_answer, .more = true, .plays = true },
	{ "gomill-explain_last_move", "",
	  "return the result of the search for the engine's last move; values and scores are "
	  "Black's",
	  run_explain_last_move },
	{ "kata-search", "COLOR", "same as reg_genmove", genmove_run, think_answer },
	{ "kata-search_cancellable", "COLOR",
	  "same as reg_genmove, but any line ends the search, and the answer is then `cancelled`",
	  genmove_run, think_answer, .cancellable = true },
	{ "stop", "", "end pondering or a cancellable search, as any line does", command_ignore },
	{ "clear_cache", "",
	  "forget the results of all searches and restart the random numbers from the seed",
	  run_clear_cache },
	{ 0 },
};
