/* SPDX-License-Identifier: MIT
 *
 * The referee of one game between two engines. Our own rules decide which moves are legal and who has won.
 * An engine that dies, hangs or makes an illegal move loses the game and is restarted for the next one.
 *
 * If a pass is forced by the rules, the referee plays it and tells both engines. If an engine rejects such a
 * pass, it hears of no pass until it is restarted: some controllers never send forced passes. If a pass is a
 * choice (game.may_pass), the engines make it.
 *
 * Threads: a referee and its two engine processes belong to one thread.
 */
#ifndef TOOLS_MATCH_REFEREE_H
#define TOOLS_MATCH_REFEREE_H

#include "engine/rules/record.h"
#include "engine/search/clock.h"
#include "tools/lib/client.h"
#include "tools/lib/openings.h"
#include "tools/match/database.h"

/* Settings that all games of a match share. */
struct terms {
	const struct game *game;
	int komi;         /* half points; 0 if the game has none */
	bool seeded;      /* engines get a seed for every game */
	bool notes;       /* keep the engines' comments on their moves */
	double move_time; /* seconds a move, 0: none */
	bool has_clock;
	int main_time, period, stones; /* clock, as in the arguments of time_settings */
	double timeout;  /* time limit of an answer in seconds, added to its move's time */
	FILE *err;       /* see client_start */
	intptr_t cancel; /* likewise */
};

#define VERSION_MAX 160

/* The process of an engine, kept from game to game. Must be zeroed before the first game. */
struct engine_process {
	const char *command; /* for the shell */
	struct client client;
	char version[VERSION_MAX]; /* its answers to `name` and `version` at start */
	bool takes_passes;
};

struct referee {
	const struct terms *terms;
	struct engine_process *engines; /* A and B */
	int color;                      /* A's */
	uint32_t seeds[2];
	struct record record;
	struct clock clock;
	struct match_move *moves; /* one for each move of the record */

	/* Set when the game ends. */
	int loser; /* who resigned or failed: 0 A, 1 B, or -1 */
	enum end end;
	char detail[CLIENT_REASON_MAX + 64];
	bool cancelled; /* the game was cancelled and has no result */
};

/* Makes a process run `command` in the next game. Ends its engine if that runs another command. */
void engine_process_assign(struct engine_process *, const char *command);

/* `color` is A's colour. The seeds are those of A and B. */
void referee_init(struct referee *, const struct terms *, struct engine_process engines[2],
		  int color, const uint32_t seeds[2]);
void referee_free(struct referee *);

/* Starts the engines that do not run, and prepares both for a new game. Returns false if one of them has
 * already lost. */
bool referee_set_up(struct referee *);

/* Sets up and plays the game to its end. */
void referee_play(struct referee *, const struct opening *);

/* Returns the result of the game. The caller fills in opening, engines and the time of its end. Texts and
 * moves belong to the referee. */
struct match_game referee_result(const struct referee *);

#endif
