/* SPDX-License-Identifier: MIT
 *
 * The options of an engine: a struct with the values, and one const table with a row for every field. All
 * that users see of the options comes from the rows: the command line (--threads=8), GTP's `param`, the
 * help. Other modules may have options of their own, in the same kind of table. Values have no lock: they
 * must not change while a search runs.
 */
#ifndef ENGINE_SEARCH_COMMON_OPTIONS_H
#define ENGINE_SEARCH_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/reason.h"

enum final_choice { CHOICE_VISITS, CHOICE_WINRATE, CHOICE_LCB };
enum share { SHARE_TOTAL, SHARE_MOVE };
enum pn_term { PN_RANK, PN_SUM, PN_MAX };

#define SEARCH_AUTO      0
#define SEARCH_AUTO_HELP "the default search of the game"

struct options {
	int search; /* SEARCH_AUTO, or one more than the index into algorithms[] */
	int threads;
	int memory;       /* size of all trees and tables together, in MEMORY_UNITs (MiB) */
	double time;      /* seconds per move if neither a clock nor a limit is set */
	int margin;       /* milliseconds by which a search ends before its time is up */
	int64_t playouts; /* units of work per move, 0: no limit */
	int64_t nodes;    /* the same; the smaller of both holds */
	int depth;        /* moves that negamax and alphabeta look ahead, 0: no limit */
	int64_t seed;     /* 0: a new one from the system */
	double level; /* playing strength up to LEVEL_MAX, 0: full strength (engine/search/level.h) */
	int elo;      /* the same on the scale of the game's ratings, 0: as `level` says */
	bool exact;   /* use the game's exact solver when it fits the time */
	bool book;    /* play from the game's opening book */
	bool ponder; /* search while the opponent thinks */

	/* montecarlo */
	int share; /* enum share: `playouts` is the total, or the number per move */
	/* mcts, dfpn */
	int forced; /* work of the game's threat-space search at each node, 0: off, below 0: that of the game */
	/* mcts */
	double exploration; /* as `rave`, below 0: that of the game */
	int expansion;      /* visits before a leaf is expanded; 0: the game's own value */
	double first_play; /* value of an unvisited child, 0 .. 1; above 1: try every child first */
	int choice;        /* enum final_choice */
	bool solver;       /* back up proven results */
	bool lookahead;    /* prove leaves where the side to move wins at once */
	double pn;         /* weight of proof numbers in the selection, 0: off */
	int pn_term;       /* enum pn_term: how they enter it */
	bool reuse;        /* keep the tree between moves */
	bool decisive;     /* in playouts, a side that can win at once does */
	bool heavy;     /* in playouts, the sides often make good moves, if the game knows some */
	double rave;    /* RAVE: visits up to which all playouts with a step weigh more, 0: off */
	bool prior;     /* with RAVE: steps begin with what the game knows of them */
	bool batch;     /* batched playouts from each leaf */
	bool evaluator; /* evaluate leaves by the game's network or evaluation, if it has one */
	double minimax; /* weight of the minimax of evaluations; the mean of simulations has the rest */
	double puct; /* the constant of PUCT, used with an evaluator; below 0: the usual one */
	double puct_growth; /* its growth with the visits; below 0: that of the evaluator */
	double noise;       /* share of noise in the root's priors */
	int gumbel;        /* moves that sequential halving with Gumbel noise begins with, 0: off */
	bool virtual_loss; /* a running simulation is a loss for other threads, not only a visit */
	bool early_stop;   /* stop when no move can overtake the leader */
	bool extend;       /* search longer if the most visited move has not the best value */
	/* alphabeta */
	double probcut; /* ProbCut: standard deviations beyond a bound for a cutoff, 0: off */
	/* union */
	double proving; /* df-pn nodes per simulation; below 0: the game's own value */
	/* dfpn+mcts */
	int split; /* n: df-pn gets the first 1/n of the budget */
};

enum option_type {
	OPTION_BOOL,   /* bool */
	OPTION_INT,    /* int */
	OPTION_LONG,   /* int64_t */
	OPTION_REAL,   /* double */
	OPTION_CHOICE, /* int: the index of a choice */
	OPTION_SEARCH  /* int: as options.search */
};

/* A row of a table. */
struct option {
	const char *name;
	enum option_type type;
	size_t offset;              /* of the value in the struct that the table describes */
	double min, max;            /* of numbers, inclusive */
	const char *initial;        /* in the format of option_set; NULL: set at run time */
	const char *const *choices; /* OPTION_CHOICE: NULL-terminated */
	const char *help;
	const char *alias; /* the former name, which is still accepted; or NULL */
};

/* The options of the engine: first those of all searches, then those of single searches. */
extern const struct option option_table[];
extern const int option_count, option_general_count;

/* Sets every option to its default. */
void options_init(struct options *);

/* Finds an option of the engine by its name or alias. Returns NULL if there is none. */
const struct option *option_find(const char *name);

/* Sets an option of the engine to a value that the program has chosen. A refused value is a bug. */
void options_set(struct options *, const char *name, const char *text);

/* The functions below work on any table. `values` is the struct that the table describes. */

/* Sets every value that has a default. */
void option_init_all(void *values, const struct option *table, int count);

/* Returns true if `name` is the name or the alias of the option. */
bool option_is_named(const struct option *, const char *name);

/* The i-th choice of an OPTION_CHOICE or OPTION_SEARCH row, i >= 0. NULL after the last one. */
const char *option_choice(const struct option *, int i);

#define OPTION_TEXT_MAX 64

/* Reads a value. If it is refused, returns false, changes nothing and writes the reason to `why`. */
bool option_set(void *values, const struct option *, const char *text, char why[REASON_MAX]);

/* Writes the value in the format that option_set reads. */
void option_get(const void *values, const struct option *, char text[OPTION_TEXT_MAX]);

#endif
