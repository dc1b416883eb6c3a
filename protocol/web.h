/* SPDX-License-Identifier: MIT
 *
 * A server for browsers: a page with a board, and for each page that is open a session of its own, as sockets
 * have them (protocol/listen.h), carried by HTTP on the same loop.
 *
 *     GET    /, /page.js, ...    the page, from protocol/assets.h
 *     POST   /game               a new game: 201 {"game":"ID"}
 *     GET    /game/ID/events     its answers, as protocol/events.h frames them, until the page is gone
 *     POST   /game/ID            lines of GTP: 204
 *     DELETE /game/ID            the game is not needed any more, or POST /game/ID/end, which pages can send as
 *                                they close: 204
 *
 * Errors are {"error":"TEXT"} with HTTP's numbers.
 */
#ifndef PROTOCOL_WEB_H
#define PROTOCOL_WEB_H

#include "protocol/server.h"

#define WEB_ADDRESS "127.0.0.1:8043"

/* Serves until a signal ends it; writes one line with the page's address to stdout when it can be asked for. Of
 * `serving` the limit of lines is not used. Returns the exit status. */
int web_run(const struct start *, const struct serving *);

/* The same without waiting on the loop, which is server.loop. */
struct web;
int web_open(struct web **, const struct start *, const struct serving *);
int web_close(struct web *);
struct server *web_server(struct web *);

#endif
