/* SPDX-License-Identifier: MIT */
#include "protocol/carriers/socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#ifndef TCP_KEEPIDLE
#define TCP_KEEPIDLE TCP_KEEPALIVE /* the name on macOS */
#endif

static void socket_set(evutil_socket_t fd, int level, int name, int value)
{
	setsockopt(fd, level, name, &value, sizeof value);
}

bool socket_bind(evutil_socket_t fd, const struct sockaddr *address, ev_socklen_t length)
{
	socket_set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	return bind(fd, address, length) == 0;
}

void socket_address(evutil_socket_t fd, struct sockaddr *address, ev_socklen_t room)
{
	getsockname(fd, address, &room);
}

bool socket_is_taken(int error)
{
	return error == EADDRINUSE;
}

void socket_tune(evutil_socket_t fd)
{
	socket_set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	socket_set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	socket_set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 60);
	socket_set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 15);
	socket_set(fd, IPPROTO_TCP, TCP_KEEPCNT, 4);
}

void socket_limit_unsent(evutil_socket_t fd, int bytes)
{
	socket_set(fd, SOL_SOCKET, SO_SNDBUF, bytes);
}

void socket_probe(evutil_socket_t fd, char byte)
{
	send(fd, &byte, 1, MSG_OOB | MSG_DONTWAIT);
}

bool socket_is_broken(evutil_socket_t fd)
{
	struct pollfd p = { .fd = fd };
	return poll(&p, 1, 0) == 1;
}

void socket_shut(evutil_socket_t fd)
{
	shutdown(fd, SHUT_WR);
}
