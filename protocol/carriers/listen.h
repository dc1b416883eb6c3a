/* SPDX-License-Identifier: MIT
 *
 * Sessions over sockets: several clients on one event loop, each with its own game, options and search.
 * Clients are not trusted: their resources are limited, and a refusal names the limit.
 */
#ifndef PROTOCOL_CARRIERS_LISTEN_H
#define PROTOCOL_CARRIERS_LISTEN_H

struct serving;
struct start;

/* Serves until a signal. Does not use standard input and output. Writes one line with the bound address to
 * stderr when clients can connect. Returns the exit status. */
int listen_run(const struct start *, const struct serving *);

#endif
