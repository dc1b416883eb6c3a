/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "engine/options.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/algorithm.h"

static const char *const choice_names[] = { "visits", "winrate", "lcb", NULL };
static const char *const share_names[] = { "total", "move", NULL };

#define AT(field) offsetof(struct options, field)

const struct option option_table[] = {
	{ "search", OPTION_SEARCH, AT(search), 0, 0, "auto", NULL, "how moves are searched" },
	{ "threads", OPTION_INT, AT(threads), 1, 256, NULL, NULL,
	  "search threads; at first the processors available" },
	{ "memory", OPTION_INT, AT(memory), 1, 1 << 20, "256", NULL, "MiB for trees and tables" },
	{ "time", OPTION_REAL, AT(time), 0, 1e6, "1", NULL,
	  "seconds a move when neither a clock nor a limit is set" },
	{ "margin", OPTION_INT, AT(margin), 0, 10000, "10", NULL,
	  "milliseconds to end before the budget does; more where searches have ended late" },
	{ "playouts", OPTION_LONG, AT(playouts), 0, 1e15, "0", NULL,
	  "work a move in playouts (nodes count the same), 0 no limit" },
	{ "nodes", OPTION_LONG, AT(nodes), 0, 1e15, "0", NULL,
	  "work a move in nodes (playouts count the same), 0 no limit" },
	{ "depth", OPTION_INT, AT(depth), 0, 1000, "0", NULL,
	  "moves that negamax and alphabeta look ahead, 0 no limit" },
	{ "seed", OPTION_LONG, AT(seed), 0, 9e15, "0", NULL,
	  "seed of all randomness, 0 from the system. With one thread and a limit of work or "
	  "depth the same commands give the same moves. Every search takes a step of the seed, "
	  "analysis too; what a search has found that the clock or a stop ended is then "
	  "forgotten" },
	{ "level", OPTION_INT, AT(level), 0, LEVEL_MAX, "0", NULL,
	  "play weaker on purpose, from 1, a child's first game, to 9; 0 as well as can be: it "
	  "sees "
	  "each square to play on with a chance of LEVEL in 10 only, begins every search anew and "
	  "does work of 200000 playouts or nodes at level 9, a third of that for each level below; "
	  "analysis is not weakened" },
	{ "exact", OPTION_BOOL, AT(exact), 0, 1, "1", NULL,
	  "where the game has a solver of its own and time and memory suffice, solve the position "
	  "and play the best move, or where only the result is known or counts let the search "
	  "choose among those that keep it; not under a limit of work, or of depth that does not "
	  "reach the end" },
	{ "book", OPTION_BOOL, AT(book), 0, 1, "1", NULL,
	  "where the game has a book of openings, answer from it, with one of its moves by chance; "
	  "not under a limit of work or depth, and not in analysis" },
	{ "ponder", OPTION_BOOL, AT(ponder), 0, 1, "0", NULL,
	  "search on while the opponent thinks, from a genmove's answer to the next line, by "
	  "searches that keep what they find (mcts, alphabeta, dfpn, dfpn+mcts, union); not behind "
	  "moves of the book or of a known result, not with a level, nor for clients of --listen "
	  "and web; a seed then no longer gives the same moves" },
	{ "verbose", OPTION_BOOL, AT(verbose), 0, 1, "0", NULL,
	  "report each search, and the reasons of errors, on stderr" },
	{ "resign", OPTION_REAL, AT(resign), 0, 1, "0", NULL,
	  "resign when the expected share of the points falls below this, 0 never; negamax and "
	  "alphabeta count a lead of 8 discs as chances of e to 1; dfpn does so only where the "
	  "result is proven, random never" },
	{ "live_gfx", OPTION_BOOL, AT(live_gfx), 0, 1, "0", NULL,
	  "draw on GoGui's board while thinking, by lines on stderr" },
	{ "frame", OPTION_BOOL, AT(frame), 0, 1, "0", NULL,
	  "Pentago on GoGui's board: its squares inside 8x8, a move is two plays of one colour, "
	  "the "
	  "placement and a point beside the quadrant to turn; boardsize 8 sets it, 6 clears it" },
	{ "share", OPTION_CHOICE, AT(share), 0, 1, "total", share_names,
	  "montecarlo: playouts are counted in all, or for each move" },
	{ "exploration", OPTION_REAL, AT(exploration), 0, 100, "0.5", NULL,
	  "mcts, union: the constant of UCB1, for results from 0 to 1" },
	{ "decisive", OPTION_BOOL, AT(decisive), 0, 1, "1", NULL,
	  "mcts, union without an evaluator: where the game knows wins at once (Pentago), a side "
	  "that "
	  "can win at once in a playout does" },
	{ "rave", OPTION_REAL, AT(rave), 0, 1e9, "0", NULL,
	  "mcts, union without an evaluator: until about so many visits a step is also judged by "
	  "all "
	  "playouts in which its side made it later (RAVE); 0 never" },
	{ "batch", OPTION_BOOL, AT(batch), 0, 1, "1", NULL,
	  "mcts without an evaluator: where the game can play several playouts at once (Othello, "
	  "8), "
	  "play these from each leaf",
	  .alias = "lanes" },
	{ "evaluator", OPTION_BOOL, AT(evaluator), 0, 1, "1", NULL,
	  "mcts, union: where the game has a network or an evaluation, it judges positions instead "
	  "of playouts, and PUCT chooses by its priors instead of UCB1",
	  .alias = "judge" },
	{ "puct", OPTION_REAL, AT(puct), 0, 100, "1.2", NULL, "mcts, union: the constant of PUCT" },
	{ "minimax", OPTION_REAL, AT(minimax), 0, 1, "0.5", NULL,
	  "mcts, union: weight of the minimax of evaluations beside the mean of simulations, where "
	  "the game has an evaluation and no network" },
	{ "noise", OPTION_REAL, AT(noise), 0, 1, "0", NULL,
	  "mcts, union: share of random noise in the priors of the position searched, for "
	  "self-play; trees with noise are not kept" },
	{ "expansion", OPTION_INT, AT(expansion), 1, 1000000, "1", NULL,
	  "mcts, union: visits before a leaf gets children" },
	{ "first_play", OPTION_REAL, AT(first_play), 0, 100, "100", NULL,
	  "mcts, union: value of an unvisited child (first-play urgency); large: each is tried "
	  "first" },
	{ "choice", OPTION_CHOICE, AT(choice), 0, 2, "lcb", choice_names,
	  "mcts, union: what the move played has most of; lcb: win rate less the more, the fewer "
	  "visits tell of it (lower confidence bound)" },
	{ "solver", OPTION_BOOL, AT(solver), 0, 1, "1", NULL,
	  "mcts, union: back up proven results" },
	{ "lookahead", OPTION_BOOL, AT(lookahead), 0, 1, "1", NULL,
	  "mcts, union with solver: where the game knows wins at once (Pentago), prove them, and "
	  "what loses to them, without a visit" },
	{ "reuse", OPTION_BOOL, AT(reuse), 0, 1, "1", NULL,
	  "mcts, union: keep the tree between moves" },
	{ "virtual_loss", OPTION_BOOL, AT(virtual_loss), 0, 1, "1", NULL,
	  "mcts, union with several threads: a simulation under way counts as lost for the others, "
	  "instead of only as a visit" },
	{ "early_stop", OPTION_BOOL, AT(early_stop), 0, 1, "1", NULL,
	  "mcts, union: end when the leading move cannot be caught any more" },
	{ "extend", OPTION_BOOL, AT(extend), 0, 1, "1", NULL,
	  "mcts, union: with a game clock think longer where the most visited move is not that of "
	  "the best value" },
	{ "probcut", OPTION_REAL, AT(probcut), 0, 100, "0.8", NULL,
	  "alphabeta: leave out what a shallower search finds so many standard deviations outside "
	  "the window, where the game knows how well one tells another; 0 never" },
	{ "proving", OPTION_REAL, AT(proving), 0, 1000, "0.3", NULL,
	  "union: nodes of df-pn a simulation" },
	{ "split", OPTION_INT, AT(split), 1, 1000, "2", NULL,
	  "dfpn+mcts: n, the first 1/n of the budget goes to df-pn" },
};
const int option_count = sizeof option_table / sizeof option_table[0];

static void *field(struct options *o, const struct option *row)
{
	return (char *)o + row->offset;
}

static int processors(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 1;
	int n = CPU_COUNT(&set);
	return n < 1 ? 1 : n > 256 ? 256 : n;
}

void options_init(struct options *o)
{
	memset(o, 0, sizeof *o);
	o->threads = processors();
	for (int i = 0; i < option_count; i++)
		if (option_table[i].initial)
			options_set(o, option_table[i].name, option_table[i].initial);
}

const struct option *option_find(const char *name)
{
	for (int i = 0; i < option_count; i++)
		if (strcmp(option_table[i].name, name) == 0 ||
		    (option_table[i].alias && strcmp(option_table[i].alias, name) == 0))
			return &option_table[i];
	return NULL;
}

const char *option_choice(const struct option *row, int i)
{
	if (row->type != OPTION_SEARCH)
		return row->choices[i];
	if (i == SEARCH_AUTO)
		return "auto";
	return algorithms[i - 1] ? algorithms[i - 1]->name : NULL;
}

static bool set_number(struct options *o, const struct option *row, const char *text)
{
	char *end;
	/* strtod and strtoll would also accept blanks, "0x10" and "inf". */
	if (text[strspn(text, row->type == OPTION_REAL ? "+-.0123456789eE" : "+-0123456789")])
		return false;
	if (row->type == OPTION_REAL) {
		double x = strtod(text, &end);
		if (end == text || *end || !isfinite(x) || x < row->min || x > row->max)
			return false;
		*(double *)field(o, row) = x;
		return true;
	}
	errno = 0;
	long long x = strtoll(text, &end, 10);
	if (end == text || *end || errno || (double)x < row->min || (double)x > row->max)
		return false;
	if (row->type == OPTION_INT)
		*(int *)field(o, row) = (int)x;
	else
		*(int64_t *)field(o, row) = x;
	return true;
}

static bool set_bool(struct options *o, const struct option *row, const char *text)
{
	static const char *const words[] = { "0", "1", "false", "true", "off", "on", "no", "yes" };
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcasecmp(text, words[i]) == 0) {
			*(bool *)field(o, row) = i & 1;
			return true;
		}
	}
	return false;
}

static bool set_choice(struct options *o, const struct option *row, const char *text)
{
	for (int i = 0; option_choice(row, i); i++) {
		if (strcmp(text, option_choice(row, i)) == 0) {
			*(int *)field(o, row) = i;
			return true;
		}
	}
	return false;
}

bool option_set(struct options *o, const struct option *row, const char *text, char why[REASON_MAX])
{
	int n;
	switch (row->type) {
	case OPTION_BOOL:
		if (set_bool(o, row, text))
			return true;
		snprintf(why, REASON_MAX, "%s is 0 or 1", row->name);
		return false;
	case OPTION_INT:
	case OPTION_LONG:
	case OPTION_REAL:
		if (set_number(o, row, text))
			return true;
		snprintf(why, REASON_MAX, "%s is a%s number from %.16g to %.16g", row->name,
			 row->type == OPTION_REAL ? "" : " whole", row->min, row->max);
		return false;
	case OPTION_CHOICE:
	case OPTION_SEARCH:
		break;
	}
	if (set_choice(o, row, text))
		return true;
	n = snprintf(why, REASON_MAX, "%s is one of", row->name);
	for (int i = 0; option_choice(row, i) && n < REASON_MAX; i++)
		n += snprintf(why + n, (size_t)(REASON_MAX - n), " %s", option_choice(row, i));
	return false;
}

void options_set(struct options *o, const char *name, const char *text)
{
	char why[REASON_MAX];
	const struct option *row = option_find(name);
	if (!row || !option_set(o, row, text, why))
		abort();
}

void option_get(const struct options *o, const struct option *row, char text[OPTION_TEXT_MAX])
{
	const void *p = (const char *)o + row->offset;
	switch (row->type) {
	case OPTION_BOOL:
		snprintf(text, OPTION_TEXT_MAX, "%d", *(const bool *)p);
		break;
	case OPTION_INT:
		snprintf(text, OPTION_TEXT_MAX, "%d", *(const int *)p);
		break;
	case OPTION_LONG:
		snprintf(text, OPTION_TEXT_MAX, "%lld", (long long)*(const int64_t *)p);
		break;
	case OPTION_REAL:
		snprintf(text, OPTION_TEXT_MAX, "%.15g", *(const double *)p);
		break;
	case OPTION_CHOICE:
	case OPTION_SEARCH:
		snprintf(text, OPTION_TEXT_MAX, "%s", option_choice(row, *(const int *)p));
		break;
	}
}
