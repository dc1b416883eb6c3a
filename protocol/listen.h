/* SPDX-License-Identifier: MIT
 *
 * Sockets carry sessions: several clients at once, each with a game, options and a search of its own,
 * on one event loop. Clients are strangers: what they may use is bounded, and a refusal says by what.
 */
#ifndef PROTOCOL_LISTEN_H
#define PROTOCOL_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

struct start;

struct listening {
	const char
		*address; /* "127.0.0.1:PORT", "[::1]:PORT", or "PORT" of 127.0.0.1; port 0: any */
	bool anywhere;    /* the address need not be a loopback one */
	bool files;       /* clients' commands may read and write files */
	int clients;      /* at once; the option `memory` is divided among so many */
	int line_max;     /* bytes */
	int idle;         /* seconds after which a silent client is sent away, 0: never */
};

/* What they are if the user does not say. */
#define LISTEN_CLIENTS  8
#define LISTEN_LINE_MAX (1 << 20)
#define LISTEN_IDLE     3600

/* Serves until a signal ends it; standard input and output are not used. Writes one line with the bound
 * address to stderr when clients can connect. Returns the exit status. */
int listen_run(const struct start *, const struct listening *);

#endif
