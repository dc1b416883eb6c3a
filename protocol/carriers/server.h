/* SPDX-License-Identifier: MIT
 *
 * Shared by all servers of several sessions: the listening address, the transcript, and the resources that
 * clients share. Clients are not trusted. Each gets an equal part of the option `memory`. The option
 * `threads` is the number of thread slots that all searches share (`slots`, engine/search/common/slots.h).
 */
#ifndef PROTOCOL_CARRIERS_SERVER_H
#define PROTOCOL_CARRIERS_SERVER_H

#include <event2/util.h>
#include <stdbool.h>

#include "engine/base/format.h"
#include "engine/search/common/options.h"
#include "protocol/carriers/loop.h"

struct evconnlistener;
struct slots;

struct serving {
	/* "127.0.0.1:PORT", "[::1]:PORT", or "PORT" (of 127.0.0.1). Port 0: any free one. */
	const char *address;
	bool yields;   /* use any free port if another program has this one */
	bool anywhere; /* allow addresses other than loopback */
	bool files;    /* clients' commands may read and write files */
	int clients;   /* maximum at once; each gets this part of the memory */
	int line_max;  /* maximum line length in bytes */
	int idle;      /* disconnect a client after this many idle seconds; 0: never */
};

/* Defaults. */
#define SERVER_CLIENTS     8
#define SERVER_LINE_MAX    (1 << 20)
#define SERVER_IDLE        3600

#define SERVER_CLIENTS_MAX 1024 /* upper limit of the option */

union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
};

#define ADDRESS_MAX 64 /* bytes of the longest address with port and NUL */

/* Reads "ADDRESS:PORT", "[ADDRESS]:PORT", or an address alone (port 0). Returns false if it is malformed or a
 * host name. */
bool address_parse(union address *, int *length, const char *text);
/* Writes an address and its port in the same form. */
void address_format(const union address *, char text[ADDRESS_MAX]);
bool address_is_loopback(const union address *);

struct server {
	struct loop loop;
	const struct start *start;
	const struct serving *setting;
	struct options options;          /* initial options of every client */
	struct slots *slots;             /* as many thread slots as the option `threads` */
	struct evconnlistener *listener; /* accepts no connection until it has a callback */
	union address bound;             /* the listening address */
	int number;                      /* number of the last client */
};

/* Opens the loop and the listener. Returns 0. On failure it writes an error to stderr and returns the exit
 * status; then there is nothing to close. */
int server_open(struct server *, const struct start *, const struct serving *);
/* Closes the server after all clients are gone. Returns the exit status of loop_close. */
int server_close(struct server *);

/* Creates a session for a client. `setup` has what depends on the carrier; the server fills in the rest.
 * Returns NULL if the system has no file descriptors left. */
struct session *server_session(struct server *, int number, const struct session_setup *setup);

/* Writes to stderr if the option `verbose` is on. Drops the text if stderr would block. */
__attribute__((format(PRINTF, 2, 3))) void server_note(const struct server *, const char *, ...);

#endif
