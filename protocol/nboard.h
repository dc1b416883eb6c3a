/* SPDX-License-Identifier: MIT
 *
 * The protocol of NBoard, an Othello GUI, version 2 (its Protocol.htm): a session that speaks it instead of
 * GTP. Lines are commands without numbers, answers are lines of their own form, and most commands have
 * none; what is not understood is ignored. `ping N` ends thinking at once: what an ended `go` or `hint`
 * has found comes before its `pong N`, nothing after.
 */
#ifndef PROTOCOL_NBOARD_H
#define PROTOCOL_NBOARD_H

#include "engine/record.h"
#include "protocol/command.h"
#include "protocol/gtp.h"

struct session;

/* What a session that speaks this protocol remembers beside its record. */
struct nboard {
	struct record record; /* what is thought about: the game up to a move, and a forced pass */
	int ply;              /* moves of the game made in it */
	int count;            /* moves that are shown */
	struct report found;  /* by the searches of one command so far */
	bool early_stop;      /* the option, while it is off */
	char *argument;       /* of the line that is run */
};

extern const struct command nboard_commands[];

/* Whether a line is the first one of this protocol, `nboard N`. */
bool nboard_is_greeting(const char *line);

/* Cleans a line as gtp_clean does, but for comments, which this protocol has not. */
enum gtp_line nboard_clean(char *line, size_t length);

/* Whether a cleaned line ends thinking when it comes, before its turn: ping, quit. */
bool nboard_ends_thinking(const char *line);

/* Runs a cleaned line. REFUSED: the client is not told. */
enum outcome nboard_run(struct session *, char *line);

/* Begins to speak it, with a game of Othello. */
void nboard_init(struct session *);
void nboard_free(struct session *);

#endif
