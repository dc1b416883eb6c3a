/* SPDX-License-Identifier: MIT
 *
 * Commands that set the clocks: those of GTP, and those of KGS and KataGo, which have more time systems.
 * Seconds are decimal numbers, except where the GTP draft demands whole ones.
 */
#include <string.h>

#include "protocol/gtp/commands.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"
#include "protocol/session/session.h"

static enum outcome run_time_settings(struct session *s)
{
	int main, period, stones;
	if (!line_int(s->args[0], &main) || !line_int(s->args[1], &period) ||
	    !line_int(s->args[2], &stones))
		return syntax_error(
			s, "type main time and period in whole seconds, and a number of stones");
	clock_set_canadian(&s->clock, main, period, stones);
	return DONE;
}

static enum outcome run_time_left(struct session *s)
{
	int side, count;
	double seconds;
	if (!line_color(s->args[0], &side) || !line_real(s->args[1], &seconds) ||
	    !line_int(s->args[2], &count))
		return syntax_error(s, "type a color, seconds and a number of stones");
	clock_set_left(&s->clock, side, seconds, count);
	return DONE;
}

static enum outcome run_set_time(struct session *s)
{
	double seconds;
	if (!line_real(s->args[0], &seconds) || seconds < 0)
		return syntax_error(s, "type the time as a number of seconds, 0 or more");
	clock_set_move(&s->clock, seconds);
	return DONE;
}

/* Time systems with their parameters. Those of KGS come first. */
enum system {
	NONE,
	ABSOLUTE,
	BYOYOMI,
	CANADIAN,
	KGS_SYSTEMS,
	FISCHER = KGS_SYSTEMS,
	FISCHER_CAPPED,
	SYSTEMS
};

static const struct {
	const char *name;
	int times;  /* number of times in seconds */
	int counts; /* number of whole numbers after them, 0 or 1 */
} systems[SYSTEMS] = {
	[NONE] = { "none", 0, 0 },       [ABSOLUTE] = { "absolute", 1, 0 },
	[BYOYOMI] = { "byoyomi", 2, 1 }, [CANADIAN] = { "canadian", 2, 1 },
	[FISCHER] = { "fischer", 2, 0 }, [FISCHER_CAPPED] = { "fischer-capped", 4, 0 },
};

static enum outcome set_system(struct session *s, enum system system)
{
	double times[4] = { 0, 0, -1, -1 };
	int count = 0, n = systems[system].times;
	if (s->arg_count != 1 + n + systems[system].counts)
		return syntax_error(s, "this time system takes another number of arguments");
	for (int i = 0; i < n; i++)
		/* A negative limit of a capped clock means no limit. */
		if (!line_real(s->args[1 + i], &times[i]) || (i < 2 && times[i] < 0))
			return syntax_error(s, "type times as numbers of seconds, 0 or more");
	if (systems[system].counts && !line_int(s->args[1 + n], &count))
		return syntax_error(s, "type stones or periods as a whole number");
	if (times[2] >= 0 && times[2] < times[0])
		return syntax_error(s, "the main time is above its limit");
	switch (system) {
	case NONE:
		clock_init(&s->clock);
		break;
	case BYOYOMI:
		clock_set_japanese(&s->clock, times[0], times[1], count);
		break;
	case ABSOLUTE:
	case CANADIAN:
		clock_set_canadian(&s->clock, times[0], times[1], count);
		break;
	default:
		clock_set_fischer(&s->clock, times[0], times[1], times[2], times[3]);
	}
	return DONE;
}

static enum outcome choose_system(struct session *s, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(s->args[0], systems[i].name) == 0)
			return set_system(s, (enum system)i);
	return syntax_error(s, "this time system is unknown");
}

static enum outcome run_kgs_time_settings(struct session *s)
{
	return choose_system(s, KGS_SYSTEMS);
}

static enum outcome run_kata_time_settings(struct session *s)
{
	return choose_system(s, SYSTEMS);
}

static enum outcome run_kata_list_time_settings(struct session *s)
{
	for (int i = 0; i < SYSTEMS; i++)
		text_printf(s->reply, "%s%s", i ? " " : "", systems[i].name);
	return DONE;
}

static void print_clock(struct text *out, const struct clock *c, int side)
{
	double left = (double)c->side[side].left / 1e9, period = (double)c->period / 1e9;
	int stones = c->side[side].stones, periods = c->side[side].periods;
	if (c->side[side].left == TIME_NEVER)
		text_puts(out, "no clock");
	else if (periods)
		text_printf(out, "%g s, the first of %d period%s", left, periods,
			    periods == 1 ? "" : "s");
	else if (stones)
		text_printf(out, "%g s for %d stone%s", left, stones, stones == 1 ? "" : "s");
	else
		text_printf(out, "%g s", left);
	if (c->periods && !stones)
		text_printf(out, ", then %d times %g s", c->periods, period);
	else if (c->period_stones && !stones)
		text_printf(out, ", then %g s for each %d", period, c->period_stones);
	if (c->increment)
		text_printf(out, ", %g s more after a move", (double)c->increment / 1e9);
	if (c->move != TIME_NEVER)
		text_printf(out, ", at most %g s a move", (double)c->move / 1e9);
}

static enum outcome run_print_clocks(struct session *s)
{
	text_puts(s->reply, "Black: ");
	print_clock(s->reply, &s->clock, BLACK);
	text_puts(s->reply, "\nWhite: ");
	print_clock(s->reply, &s->clock, WHITE);
	return DONE;
}

#define KGS "none, absolute MAIN, byoyomi MAIN PERIOD PERIODS, canadian MAIN PERIOD STONES"

const struct command time_commands[] = {
	{ "time_settings", "MAIN PERIOD STONES",
	  "set the game clock, in seconds: main time, then STONES moves in each period; 0 1 0 "
	  "means no clock",
	  run_time_settings },
	{ "time_left", "COLOR SECONDS STONES",
	  "set the time left on a side's clock; STONES is 0 in main time. With byoyomi it is the "
	  "number of periods left",
	  run_time_left },
	{ "set_time", "SECONDS", "use a fixed time for each move instead of a game clock",
	  run_set_time },
	{ "kgs-time_settings", "SYSTEM [NUMBER]...", "set the game clock, in seconds: " KGS,
	  run_kgs_time_settings },
	{ "kata-time_settings", "SYSTEM [NUMBER]...",
	  "set the game clock, in seconds: " KGS
	  ", fischer MAIN INCREMENT, fischer-capped MAIN INCREMENT MAIN_LIMIT MOVE_LIMIT (below 0: "
	  "no limit)",
	  run_kata_time_settings },
	{ "kata-list_time_settings", "", "list the time systems of kata-time_settings",
	  run_kata_list_time_settings },
	{ "kata-debug-print-tc", "", "tell the clocks of both sides in words", run_print_clocks },
	{ 0 },
};
