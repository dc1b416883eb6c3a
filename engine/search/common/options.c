/* SPDX-License-Identifier: MIT */
#include "engine/search/common/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/system.h"
#include "engine/search/common/algorithm.h"

static const char *const choice_names[] = { "visits", "winrate", "lcb", NULL };
static const char *const share_names[] = { "total", "move", NULL };
static const char *const pn_term_names[] = { "rank", "sum", "max", NULL };

#define AT(field)     offsetof(struct options, field)

#define GENERAL_COUNT 14 /* rows of all searches; they come first */

/* Help texts are for users. They begin in lower case; --help adds range, choices and default. Texts of
 * single searches begin with the names of these searches. */
const struct option option_table[] = {
	/* All searches. */
	{ "search", OPTION_SEARCH, AT(search), 0, 0, "auto", NULL, "the search that finds moves" },
	{ "threads", OPTION_INT, AT(threads), 1, THREADS_MAX, NULL, NULL,
	  "search threads. Default: one for each available processor" },
	{ "memory", OPTION_INT, AT(memory), 1, 1 << 20, "256", NULL,
	  "memory in MiB for all trees and tables together" },
	{ "time", OPTION_REAL, AT(time), 0, 1e6, "1", NULL,
	  "seconds per move, if there is no clock and no limit of playouts, nodes or depth" },
	{ "margin", OPTION_INT, AT(margin), 0, 10000, "10", NULL,
	  "milliseconds by which a search ends before its time is up. If searches are late on this "
	  "machine, later ones end even earlier" },
	{ "playouts", OPTION_LONG, AT(playouts), 0, 1e15, "0", NULL,
	  "maximum number of playouts per move; nodes count the same. 0: no limit" },
	{ "nodes", OPTION_LONG, AT(nodes), 0, 1e15, "0", NULL,
	  "maximum number of nodes per move; playouts count the same. 0: no limit" },
	{ "depth", OPTION_INT, AT(depth), 0, 1000, "0", NULL,
	  "moves that negamax, alphabeta-plain and alphabeta look ahead. 0: no limit" },
	{ "seed", OPTION_LONG, AT(seed), 0, 9e15, "0", NULL,
	  "seed of all random numbers. 0: a new one from the system. With a seed, one thread and a "
	  "limit of work or depth, the same commands give the same moves: every search, also in "
	  "analysis, advances the random numbers, and results of a search that was stopped or ran "
	  "out of time are not reused" },
	{ "level", OPTION_REAL, AT(level), 0, LEVEL_MAX, "0", NULL,
	  "playing strength: 1 (first game) to 9 (master), or 0, full strength; 2.5 lies between 2 "
	  "and 3. A level searches by mcts, with 200000 playouts at level 9 (12500 where a network "
	  "for any board evaluates) and a third of that for each level below, and reuses nothing. "
	  "It then draws its move: moves with more visits and higher priors are more likely. "
	  "Analysis always has full strength" },
	{ "elo", OPTION_INT, AT(elo), 0, 5000, "0", NULL,
	  "playing strength in Elo, on a scale where random moves have 0. It lies between two "
	  "levels and plays like them. Only in games whose levels have ratings. 0: as `level` "
	  "says. Setting `level` ends it" },
	{ "exact", OPTION_BOOL, AT(exact), 0, 1, "1", NULL,
	  "solve the position with the game's exact solver, if it has one and time and memory "
	  "suffice. If it finds only the result, the search chooses among the moves that keep it. "
	  "The solver's move is played if it wins in a game without scores, or if there is no time "
	  "limit. The solver is off under a limit of work, and under a depth limit that does not "
	  "reach the end of the game" },
	{ "book", OPTION_BOOL, AT(book), 0, 1, "1", NULL,
	  "play a random move of the game's opening book, if it has one. The book is off in "
	  "analysis, with a level, under a limit of work, and under a depth limit that does not "
	  "reach the end of the game. 0 also turns --own_book off" },
	{ "ponder", OPTION_BOOL, AT(ponder), 0, 1, "0", NULL,
	  "search while the opponent thinks, from the answer of genmove to the next command. Only "
	  "searches that reuse results can ponder: mcts, alphabeta, dfpn, dfpn+mcts, union. There "
	  "is no pondering after a book move or a proven result, with a level, or for clients of "
	  "--listen and web. With pondering, a seed does not make moves repeat" },

	/* montecarlo */
	[GENERAL_COUNT] = { "share", OPTION_CHOICE, AT(share), 0, 1, "total", share_names,
			    "montecarlo: `playouts` is the limit of all moves together, or of each "
			    "move" },

	/* mcts and union: selection, leaves, proofs, answer, tree */
	{ "exploration", OPTION_REAL, AT(exploration), -1, 100, "-1", NULL,
	  "mcts, union without an evaluator: exploration constant of UCB1, for results from 0 to "
	  "1. -1: the game's own value (Go 0.1, Gomoku 0.02, Hex and Rex 0.001, others 0.5)" },
	{ "decisive", OPTION_BOOL, AT(decisive), 0, 1, "1", NULL,
	  "mcts, union without an evaluator: in playouts, a side plays an immediate win if it has "
	  "one. Only in games that detect immediate wins" },
	{ "heavy", OPTION_BOOL, AT(heavy), 0, 1, "1", NULL,
	  "mcts, union without an evaluator: heavy playouts, in which a side often answers the "
	  "last move with a good reply. Only in games that know such replies (Othello, Go, Gomoku, "
	  "Havannah, Hex, Tic-tac-toe)",
	  .alias = "guided" },
	{ "rave", OPTION_REAL, AT(rave), -1, 1e9, "-1", NULL,
	  "mcts, union without an evaluator: up to this many visits, the value of a step comes "
	  "mainly from all playouts in which its side played it later (RAVE). 0: off. -1: the "
	  "game's own value (Go and Havannah 1000, Gomoku 2000, Hex and Rex 5000, others 0)" },
	{ "prior", OPTION_BOOL, AT(prior), 0, 1, "1", NULL,
	  "mcts, union with RAVE: begin with the game's prior knowledge as values of moves. Only "
	  "in games that have some (Go, Gomoku, Havannah, Hex)",
	  .alias = "hints" },
	{ "batch", OPTION_BOOL, AT(batch), 0, 1, "1", NULL,
	  "mcts, union without an evaluator: play a batch of 8 uniform playouts from each leaf. "
	  "Only in Othello on 8x8; with standard rules only if heavy is 0",
	  .alias = "lanes" },
	{ "evaluator", OPTION_BOOL, AT(evaluator), 0, 1, "1", NULL,
	  "mcts, union: evaluate leaves by the game's network or evaluation instead of playouts, "
	  "if it has one. Selection then uses PUCT with its priors instead of UCB1",
	  .alias = "judge" },
	{ "puct", OPTION_REAL, AT(puct), -1, 100, "-1", NULL,
	  "mcts, union with an evaluator: exploration constant of PUCT. -1: 1.2" },
	{ "puct_growth", OPTION_REAL, AT(puct_growth), -1, 100, "-1", NULL,
	  "mcts, union with an evaluator: at a move with many visits, the constant of PUCT is "
	  "higher by this times ln(1 + visits / 500). -1: the evaluator's own value (networks for "
	  "any board 0.7, others 0)" },
	{ "minimax", OPTION_REAL, AT(minimax), 0, 1, "0.5", NULL,
	  "mcts, union with an evaluation but no network: share of the minimax value in the value "
	  "of a node. The rest is the mean of its simulations" },
	{ "noise", OPTION_REAL, AT(noise), 0, 1, "0", NULL,
	  "mcts, union with an evaluator: share of random noise in the priors of the root, for "
	  "self-play. Trees with noise are not reused" },
	{ "gumbel", OPTION_INT, AT(gumbel), 0, 512, "0", NULL,
	  "mcts with an evaluator, one thread and a limit of playouts: this many moves of the "
	  "root, drawn by their priors, share the playouts by sequential halving, for self-play "
	  "(Gumbel). 0: off" },
	{ "expansion", OPTION_INT, AT(expansion), 0, 1000000, "0", NULL,
	  "mcts, union: visits before a leaf gets children. 0: 1 with an evaluator, otherwise the "
	  "game's own value" },
	{ "first_play", OPTION_REAL, AT(first_play), 0, 100, "100", NULL,
	  "mcts, union without an evaluator: value of an unvisited child, from 0 to 1 (first-play "
	  "urgency). Above 1: every child is visited once first" },
	{ "choice", OPTION_CHOICE, AT(choice), 0, 2, "lcb", choice_names,
	  "mcts, union: play the move with the most visits, the best win rate, or the best lower "
	  "confidence bound of the win rate" },
	{ "solver", OPTION_BOOL, AT(solver), 0, 1, "1", NULL,
	  "mcts, union: back up proven results" },
	{ "lookahead", OPTION_BOOL, AT(lookahead), 0, 1, "1", NULL,
	  "mcts, union with solver: prove immediate wins, and moves that lose to them, without a "
	  "visit. Only in games that detect immediate wins" },
	{ "forced", OPTION_INT, AT(forced), -1, 1000000, "-1", NULL,
	  "mcts, union, pns, dfpn: threat-space search: look for a win by force with this much "
	  "work at each node, mcts and union at nodes with 16 visits (Havannah: 6), with a network "
	  "for any board at every leaf; at the root with 64 times as much. 0: off. -1: the game's "
	  "own value. Only in games that find such wins (Gomoku, Havannah)" },
	{ "pn", OPTION_REAL, AT(pn), 0, 100, "0", NULL,
	  "mcts, union with solver: weight of proof numbers in the selection, for results from 0 "
	  "to 1 (PN-MCTS). A move that needs fewer leaves for the proof of a win is tried more "
	  "often. 0: off" },
	{ "pn_term", OPTION_CHOICE, AT(pn_term), 0, 2, "rank", pn_term_names,
	  "mcts, union with pn: how selection compares a move's proof number with its siblings': "
	  "by rank, as a share of their sum, or as a share of the largest" },
	{ "reuse", OPTION_BOOL, AT(reuse), 0, 1, "1", NULL,
	  "mcts, union: keep the tree between moves" },
	{ "virtual_loss", OPTION_BOOL, AT(virtual_loss), 0, 1, "1", NULL,
	  "mcts, union with several threads: a running simulation counts as a loss for other "
	  "threads. 0: only as a visit" },
	{ "early_stop", OPTION_BOOL, AT(early_stop), 0, 1, "1", NULL,
	  "mcts, union: stop when no move can overtake the leading one. Off if choice is winrate" },
	{ "extend", OPTION_BOOL, AT(extend), 0, 1, "1", NULL,
	  "mcts, union with a game clock: search longer if the most visited move does not have the "
	  "best value. Off if choice is winrate" },

	/* alphabeta */
	{ "probcut", OPTION_REAL, AT(probcut), 0, 100, "0.8", NULL,
	  "alphabeta: cut off if a shallower search is this many standard deviations outside the "
	  "window (ProbCut). Only in games that know the deviation (Othello). 0: off" },

	/* union */
	{ "proving", OPTION_REAL, AT(proving), -1, 1000, "-1", NULL,
	  "union: df-pn nodes per simulation. Below 0: the game's own value, 0.3 in most" },

	/* dfpn+mcts */
	{ "split", OPTION_INT, AT(split), 1, 1000, "2", NULL,
	  "dfpn+mcts: with the value N, df-pn gets the first 1/N of the budget" },
};
const int option_count = sizeof option_table / sizeof option_table[0];
const int option_general_count = GENERAL_COUNT;

static void *field(void *values, const struct option *row)
{
	return (char *)values + row->offset;
}

static int processors(void)
{
	int n = system_processors();
	return n > THREADS_MAX ? THREADS_MAX : n;
}

void options_init(struct options *o)
{
	memset(o, 0, sizeof *o);
	option_init_all(o, option_table, option_count);
	o->threads = processors();
}

const struct option *option_find(const char *name)
{
	for (int i = 0; i < option_count; i++)
		if (option_is_named(&option_table[i], name))
			return &option_table[i];
	return NULL;
}

bool option_is_named(const struct option *row, const char *name)
{
	return strcmp(row->name, name) == 0 || (row->alias && strcmp(row->alias, name) == 0);
}

const char *option_choice(const struct option *row, int i)
{
	if (row->type != OPTION_SEARCH)
		return row->choices[i];
	if (i == SEARCH_AUTO)
		return "auto";
	return algorithms[i - 1] ? algorithms[i - 1]->name : NULL;
}

static bool options_set_number(void *values, const struct option *row, const char *text)
{
	char *end;
	/* strtod and strtoll would also accept blanks, "0x10" and "inf". */
	if (text[strspn(text, row->type == OPTION_REAL ? "+-.0123456789eE" : "+-0123456789")])
		return false;
	if (row->type == OPTION_REAL) {
		double x = strtod(text, &end);
		if (end == text || *end || !isfinite(x) || x < row->min || x > row->max)
			return false;
		*(double *)field(values, row) = x;
		return true;
	}
	errno = 0;
	long long x = strtoll(text, &end, 10);
	if (end == text || *end || errno || (double)x < row->min || (double)x > row->max)
		return false;
	if (row->type == OPTION_INT)
		*(int *)field(values, row) = (int)x;
	else
		*(int64_t *)field(values, row) = x;
	return true;
}

static bool set_bool(void *values, const struct option *row, const char *text)
{
	static const char *const words[] = { "0", "1", "false", "true", "off", "on", "no", "yes" };
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcasecmp(text, words[i]) == 0) {
			*(bool *)field(values, row) = i & 1;
			return true;
		}
	}
	return false;
}

static bool options_set_choice(void *values, const struct option *row, const char *text)
{
	for (int i = 0; option_choice(row, i); i++) {
		if (strcmp(text, option_choice(row, i)) == 0) {
			*(int *)field(values, row) = i;
			return true;
		}
	}
	return false;
}

bool option_set(void *values, const struct option *row, const char *text, char why[REASON_MAX])
{
	int n;
	switch (row->type) {
	case OPTION_BOOL:
		if (set_bool(values, row, text))
			return true;
		snprintf(why, REASON_MAX, "%s is 0 or 1", row->name);
		return false;
	case OPTION_INT:
	case OPTION_LONG:
	case OPTION_REAL:
		if (options_set_number(values, row, text))
			return true;
		snprintf(why, REASON_MAX, "%s is a%s number from %.16g to %.16g", row->name,
			 row->type == OPTION_REAL ? "" : " whole", row->min, row->max);
		return false;
	case OPTION_CHOICE:
	case OPTION_SEARCH:
		break;
	}
	if (options_set_choice(values, row, text))
		return true;
	n = snprintf(why, REASON_MAX, "%s is one of", row->name);
	for (int i = 0; option_choice(row, i) && n < REASON_MAX; i++)
		n += snprintf(why + n, (size_t)(REASON_MAX - n), " %s", option_choice(row, i));
	return false;
}

/* Sets a value that the program has chosen. A refused value is a bug. */
static void set_chosen(void *values, const struct option *row, const char *text)
{
	char why[REASON_MAX];
	if (!row || !option_set(values, row, text, why))
		abort();
}

void option_init_all(void *values, const struct option *table, int count)
{
	for (int i = 0; i < count; i++)
		if (table[i].initial)
			set_chosen(values, &table[i], table[i].initial);
}

void options_set(struct options *o, const char *name, const char *text)
{
	set_chosen(o, option_find(name), text);
}

void option_get(const void *values, const struct option *row, char text[OPTION_TEXT_MAX])
{
	const void *p = (const char *)values + row->offset;
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
