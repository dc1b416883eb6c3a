/* SPDX-License-Identifier: MIT
 *
 * A round: one game between two engines, judged by our own rules. An engine that dies, hangs or cheats
 * loses it, and is started again for the next one.
 *
 * A forced pass is nobody's choice: the round makes it and tells both engines, and an engine that
 * refuses to hear of passes is not told of them again, as some controllers never do.
 *
 * One thread plays a round with two players of its own.
 */
#ifndef TOOLS_LIB_ROUND_H
#define TOOLS_LIB_ROUND_H

#include "engine/clock.h"
#include "engine/record.h"
#include "protocol/matches.h"
#include "tools/lib/client.h"
#include "tools/lib/openings.h"

/* What all games of a match have in common. */
struct terms {
	const struct game *game;
	bool seeded;      /* engines get a seed for every game */
	bool notes;       /* what engines say of their moves is kept */
	double move_time; /* seconds a move, 0: none */
	bool has_clock;
	int main_time, period, stones; /* of the clock, as time_settings has them */
	double timeout;                /* seconds that an answer may take, beyond its move's time */
	int stderr_fd, cancel_fd;      /* see client.h */
};

#define VERSION_MAX 160

/* An engine that plays one round after the other; zeroed before the first. Between two of them its command
 * may change when its client has ended. */
struct player {
	const char *command; /* for the shell */
	struct client client;
	char version[VERSION_MAX]; /* what it said of itself when it was started */
	bool takes_passes;
};

struct round {
	const struct terms *terms;
	struct player *players; /* A and B */
	int color;              /* A's */
	uint32_t seeds[2];
	struct record record;
	struct clock clock;
	struct match_move *moves; /* what is known of each of the record's */
	int room;

	/* When it has been played. */
	int loser; /* who resigned or failed: 0 A, 1 B, or -1 */
	enum end end;
	char detail[CLIENT_REASON_MAX + 64];
	bool cancelled; /* it was not played to its end, and nobody is to blame */
};

/* `color` is A's; the seeds are for A and B. */
void round_init(struct round *, const struct terms *, struct player players[2], int color,
		const uint32_t seeds[2]);
void round_free(struct round *);

/* Starts the players that do not run, and makes both ready for a new game. False: one of them has
 * lost already. */
bool round_set_up(struct round *);

/* Sets up and plays the game to its end. */
void round_play(struct round *, const struct opening *);

/* What has become of it. The numbers of game, opening and engines are the caller's to say; texts and moves
 * are the round's. */
struct match_game round_result(const struct round *);

#endif
