/* SPDX-License-Identifier: MIT */
#include "protocol/carriers/socket.h"

#include <mstcpip.h>
#include <winsock2.h>
#include <ws2tcpip.h>

static void socket_set(evutil_socket_t fd, int level, int name, int value)
{
	setsockopt((SOCKET)fd, level, name, (const char *)&value, sizeof value);
}

/* Windows would let any program that asks so take the port of a server that runs. A closed server's port is free at once. */
bool socket_bind(evutil_socket_t fd, const struct sockaddr *address, ev_socklen_t length)
{
	socket_set(fd, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, 1);
	return bind((SOCKET)fd, address, length) == 0;
}

void socket_address(evutil_socket_t fd, struct sockaddr *address, ev_socklen_t room)
{
	getsockname((SOCKET)fd, address, &room);
}

bool socket_is_taken(int error)
{
	return error == WSAEADDRINUSE || error == WSAEACCES;
}

void socket_tune(evutil_socket_t fd)
{
	struct tcp_keepalive alive = { .onoff = 1,
				       .keepalivetime = 60000,
				       .keepaliveinterval = 10000 };
	DWORD written;
	socket_set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	WSAIoctl((SOCKET)fd, SIO_KEEPALIVE_VALS, &alive, sizeof alive, NULL, 0, &written, NULL,
		 NULL);
}

void socket_limit_unsent(evutil_socket_t fd, int bytes)
{
	socket_set(fd, SOL_SOCKET, SO_SNDBUF, bytes);
}

void socket_probe(evutil_socket_t fd, char byte)
{
	send((SOCKET)fd, &byte, 1, MSG_OOB);
}

/* WSAPoll() would take a client that has closed its sending side for gone. */
bool socket_is_broken(evutil_socket_t fd)
{
	return send((SOCKET)fd, "", 0, 0) < 0 && WSAGetLastError() != WSAEWOULDBLOCK;
}

void socket_shut(evutil_socket_t fd)
{
	shutdown((SOCKET)fd, SD_SEND);
}
