/* SPDX-License-Identifier: MIT
 *
 * What servers of several sessions share, whatever carries these: the address they listen on, the transcript,
 * and what is divided among their clients, which are strangers: the option `memory` in equal parts, the option
 * `threads` as seats that all searches share (engine/seats.h).
 */
#ifndef PROTOCOL_SERVER_H
#define PROTOCOL_SERVER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "engine/options.h"
#include "protocol/loop.h"

struct evconnlistener;
struct seats;

struct serving {
	const char
		*address; /* "127.0.0.1:PORT", "[::1]:PORT", or "PORT" of 127.0.0.1; port 0: any */
	bool yields;      /* if another program has the port, any will do */
	bool anywhere;    /* the address need not be a loopback one */
	bool files;       /* clients' commands may read and write files */
	int clients;      /* at once; the memory is divided among so many */
	int line_max;     /* bytes */
	int idle;         /* seconds after which a silent client is sent away, 0: never */
};

/* What they are if the user does not say. */
#define SERVER_CLIENTS     8
#define SERVER_LINE_MAX    (1 << 20)
#define SERVER_IDLE        3600

#define SERVER_CLIENTS_MAX 1024 /* what the user may say */

union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
};

#define ADDRESS_MAX 64 /* longest address with its port and NUL */

/* Reads "ADDRESS:PORT", "[ADDRESS]:PORT" or an address alone, whose port is then 0. False: it is malformed, or a
 * name. */
bool address_parse(union address *, int *length, const char *text);
/* Writes an address and its port as they are read. */
void address_format(const union address *, char text[ADDRESS_MAX]);
bool address_is_loopback(const union address *);

struct server {
	struct loop loop;
	const struct start *start;
	const struct serving *setting;
	struct options options;          /* every client's first ones */
	struct seats *seats;             /* so many as the option `threads` */
	struct evconnlistener *listener; /* has no callback yet, and accepts nobody before */
	union address bound;             /* what it listens on */
	int number;                      /* of the last client */
};

/* Opens the loop and the listener. Returns 0, or the exit status after complaining on stderr, and then there is
 * nothing to close. */
int server_open(struct server *, const struct start *, const struct serving *);
/* When all clients have gone. Returns the exit status, as loop_close does. */
int server_close(struct server *);

/* A session for a client: `setup` says what its carrier is, all else follows from the server. NULL: the system has
 * no descriptors left. */
struct session *server_session(struct server *, int number, const struct session_setup *setup);

/* Writes to stderr if the option `verbose` is on; drops it if nobody reads there. */
__attribute__((format(printf, 2, 3))) void server_note(const struct server *, const char *, ...);

#endif
