/* SPDX-License-Identifier: MIT
 *
 * A round: one game between two engines, refereed by our own rules. An engine that dies, hangs or cheats
 * loses the round and is started again for the next one.
 *
 * The round plays forced passes itself and tells both engines. If an engine rejects such a pass, it is not
 * told of passes again until it is restarted: some controllers never send forced passes.
 *
 * A round and its two players are used by one thread.
 */
#ifndef TOOLS_MATCH_ROUND_H
#define TOOLS_MATCH_ROUND_H

#include "engine/clock.h"
#include "engine/record.h"
#include "tools/lib/client.h"
#include "tools/lib/openings.h"
#include "tools/match/matches.h"

/* Settings that all games of a match share. */
struct terms {
	const struct game *game;
	bool seeded;      /* engines get a seed for every game */
	bool notes;       /* keep the engines' comments on their moves */
	double move_time; /* seconds a move, 0: none */
	bool has_clock;
	int main_time, period, stones; /* clock, as in the arguments of time_settings */
	double timeout;           /* time limit of an answer in seconds, added to its move's time */
	int stderr_fd, cancel_fd; /* see client.h */
};

#define VERSION_MAX 160

/* An engine that plays one round after the other. Must be zeroed before the first round. Between rounds its
 * command may change once its client has ended. */
struct player {
	const char *command; /* for the shell */
	struct client client;
	char version[VERSION_MAX]; /* its answers to `name` and `version` at start */
	bool takes_passes;
};

struct round {
	const struct terms *terms;
	struct player *players; /* A and B */
	int color;              /* A's */
	uint32_t seeds[2];
	struct record record;
	struct clock clock;
	struct match_move *moves; /* one for each move of the record */
	int room;

	/* Set when the round ends. */
	int loser; /* who resigned or failed: 0 A, 1 B, or -1 */
	enum end end;
	char detail[CLIENT_REASON_MAX + 64];
	bool cancelled; /* the game was cancelled and has no result */
};

/* `color` is A's colour. The seeds are those of A and B. */
void round_init(struct round *, const struct terms *, struct player players[2], int color,
		const uint32_t seeds[2]);
void round_free(struct round *);

/* Starts the players that do not run, and prepares both for a new game. Returns false if one of them has
 * already lost. */
bool round_set_up(struct round *);

/* Sets up and plays the game to its end. */
void round_play(struct round *, const struct opening *);

/* Returns the round's result. The caller fills in the numbers of game, opening and engines. Texts and moves
 * belong to the round. */
struct match_game round_result(const struct round *);

#endif
