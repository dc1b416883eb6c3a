/* SPDX-License-Identifier: MIT
 *
 * The options of an engine: one struct a session owns, one const table that names every field. The
 * command line (--threads=8), GTP's `param`, the help texts and README's list all come from the table.
 */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum final_choice { CHOICE_VISITS, CHOICE_WINRATE, CHOICE_LCB };
enum share { SHARE_TOTAL, SHARE_MOVE };

#define SEARCH_AUTO      0
#define SEARCH_AUTO_HELP "the search that plays the game best in equal time"

#define LEVEL_MAX        9

struct options {
	int search; /* SEARCH_AUTO, or one more than the index into algorithms[] */
	int threads;
	int memory;       /* MEMORY_UNITs (MiB) for trees and tables, all together */
	double time;      /* seconds a move when neither a clock nor a limit is set */
	int margin;       /* milliseconds to end before the budget does */
	int64_t playouts; /* work units a move, 0 none; of both the smaller holds */
	int64_t nodes;
	int depth;    /* moves that alphabeta and its kin look ahead, 0 none */
	int64_t seed; /* 0: from the system */
	int level;    /* 1 .. LEVEL_MAX: how well to choose moves, 0: as well as can be */
	bool exact;   /* the game's own solver takes over as soon as it can be done in time */
	bool book;    /* the game's book of openings answers */
	bool ponder;  /* search on while the opponent thinks */
	bool verbose;
	double resign; /* resign below this expected share of the points, 0 never */
	bool live_gfx; /* draw on GoGui's board while thinking */
	bool frame;    /* Pentago on GoGui's board of 8x8 */

	/* montecarlo */
	int share; /* enum share: `playouts` in all, or for each move */
	/* mcts */
	double exploration;
	int expansion;     /* visits before a leaf gets children */
	double first_play; /* value of an unvisited child, 0 .. 1; above 1 every child is tried first */
	int choice;        /* enum final_choice */
	bool solver;       /* back up proven results */
	bool lookahead; /* leaves where the side to move wins at once are proven */
	bool reuse;     /* keep the tree between moves */
	bool decisive;  /* playouts win at once where a side can */
	double rave; /* visits up to which all playouts with a step weigh more than they, 0: never */
	bool lanes;  /* several playouts of a leaf at once */
	bool judge;  /* by the game's network or its evaluation, if it has one */
	double minimax;    /* weight of the minimax of evaluations beside the mean */
	double puct;       /* the constant of PUCT, used with a judge */
	double noise;      /* share of noise in the root's priors */
	bool virtual_loss; /* other threads see a simulation under way as lost, not only as a visit */
	bool early_stop;   /* end when the leader cannot be caught */
	bool extend;       /* go on for longer when the leader is not the best by value */
	/* alphabeta */
	double probcut; /* standard deviations that a shallow search must be beyond a bound, 0 never cuts */
	/* union */
	double proving; /* nodes of df-pn a simulation */
	/* dfpn+mcts */
	int split; /* n: the first 1/n of the budget is df-pn's */
};

enum option_type {
	OPTION_BOOL,
	OPTION_INT,
	OPTION_LONG,
	OPTION_REAL,
	OPTION_CHOICE,
	OPTION_SEARCH
};

struct option {
	const char *name;
	enum option_type type;
	size_t offset;
	double min, max;            /* of numbers, inclusive */
	const char *initial;        /* as option_set reads it; NULL: found out at run time */
	const char *const *choices; /* OPTION_CHOICE: NULL-terminated */
	const char *help;
};

extern const struct option option_table[];
extern const int option_count;

/* Sets every option to its initial value. */
void options_init(struct options *);

const struct option *option_find(const char *name);

/* The i-th choice of an OPTION_CHOICE or OPTION_SEARCH row, NULL behind the last. */
const char *option_choice(const struct option *, int i);

#define OPTION_TEXT_MAX 64
#define REASON_MAX      160 /* longest message with its NUL */

/* Reads a value. Refused: false, nothing has changed, and `why` names what was wrong. */
bool option_set(struct options *, const struct option *, const char *text, char why[REASON_MAX]);

/* The same for what a program itself has chosen: it is a bug if it is refused. */
void options_set(struct options *, const char *name, const char *text);

/* Writes the value as option_set reads it. */
void option_get(const struct options *, const struct option *, char text[OPTION_TEXT_MAX]);

#endif
