/* SPDX-License-Identifier: MIT
 *
 * What differs between systems in sockets, beyond what libevent hides.
 */
#ifndef PROTOCOL_CARRIERS_SOCKET_H
#define PROTOCOL_CARRIERS_SOCKET_H

#include <event2/util.h>
#include <stdbool.h>

/* Binds a listener. It may take the port of a server that has just ended, but not that of one that runs. Returns false on
 * failure. */
bool socket_bind(evutil_socket_t, const struct sockaddr *, ev_socklen_t);

/* The address of a bound socket. */
void socket_address(evutil_socket_t, struct sockaddr *, ev_socklen_t room);

/* Returns true if a socket could not be bound because another program has the port. */
bool socket_is_taken(int error);

/* For a listener, whose connections inherit it: they send answers without delay, and detect a vanished host within two to three
 * minutes. */
void socket_tune(evutil_socket_t);

/* Limits the bytes that the system keeps to send. */
void socket_limit_unsent(evutil_socket_t, int bytes);

/* Sends a byte of urgent data, which a client that reads does not see. */
void socket_probe(evutil_socket_t, char);

/* Returns true if nothing that is sent can arrive any more. */
bool socket_is_broken(evutil_socket_t);

/* Closes the sending side. */
void socket_shut(evutil_socket_t);

#endif
