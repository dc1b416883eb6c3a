/* SPDX-License-Identifier: MIT
 *
 * Sockets carry sessions: several clients at once, each with a game, options and a search of its own,
 * on one event loop. Clients are strangers: what they may use is bounded, and a refusal says by what.
 */
#ifndef PROTOCOL_LISTEN_H
#define PROTOCOL_LISTEN_H

struct serving;
struct start;

/* Serves until a signal ends it; standard input and output are not used. Writes one line with the bound
 * address to stderr when clients can connect. Returns the exit status. */
int listen_run(const struct start *, const struct serving *);

#endif
