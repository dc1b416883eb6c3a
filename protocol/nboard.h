/* SPDX-License-Identifier: MIT
 *
 * The protocol of NBoard, an Othello GUI, version 2 (Protocol.htm of NBoard), as an alternative to GTP.
 * Lines are commands without numbers. Answers have forms of their own, and most commands have none. Unknown
 * commands are ignored. `ping N` ends a search at once: the result of that `go` or `hint` comes before
 * `pong N`, and nothing of it after.
 */
#ifndef PROTOCOL_NBOARD_H
#define PROTOCOL_NBOARD_H

#include "engine/record.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/gtp.h"

struct session;

/* State of a session with this protocol, beside the session's record. */
struct nboard {
	struct record record; /* the position to search: the game up to a move, and a forced pass */
	int ply;              /* number of moves of the game in `record` */
	int count;            /* number of moves to report */
	struct report found;  /* result so far of the searches of one command */
	bool early_stop;      /* the saved value of the option while it is off */
	char *argument;       /* argument of the running line */
};

extern const struct command nboard_commands[];

/* Returns true for the first line of this protocol, `nboard N`. */
bool nboard_is_greeting(const char *line);

/* Cleans a line as gtp_clean does, but keeps `#`: this protocol has no comments. */
enum gtp_line nboard_clean(char *line, size_t length);

/* Returns true if a cleaned line ends a search as soon as it is read: ping, quit. */
bool nboard_ends_thinking(const char *line);

/* Runs a cleaned line. The client is not told if it returns REFUSED. */
enum outcome nboard_run(struct session *, char *line);

/* Switches the session to this protocol and starts a game of Othello. */
void nboard_init(struct session *);
void nboard_free(struct session *);

#endif
