/* SPDX-License-Identifier: MIT
 *
 * A server for browsers: a page with a board. Each open page has a session of its own, as a client of a
 * socket has (protocol/carriers/listen.h), over HTTP on one event loop.
 *
 *     GET    /, /page.js, ...    the page, from protocol/web/assets.h
 *     POST   /game               a new game: 201 {"game":"ID"}
 *     GET    /game/ID/events     its answers (protocol/web/events.h), until the page closes
 *     POST   /game/ID            GTP lines: 204
 *     DELETE /game/ID            ends the game: 204
 *     POST   /game/ID/end        the same, for a page that is being closed
 *     POST   /ask                GTP lines for a game of their own: 200 {"answers":[...]} at the end
 *
 * Errors are {"error":"TEXT"} with HTTP status codes.
 */
#ifndef PROTOCOL_WEB_WEB_H
#define PROTOCOL_WEB_WEB_H

#include "protocol/carriers/server.h"

#define WEB_ADDRESS "127.0.0.1:8043"

/* Serves until a signal. Writes one line with the page's address to stdout when the server is ready. Ignores
 * serving->line_max. Returns the exit status. */
int web_run(const struct start *, const struct serving *);

/* The same in parts: the caller runs the loop, server.loop. */
struct web;
int web_open(struct web **, const struct start *, const struct serving *);
int web_close(struct web *);
struct server *web_server(struct web *);

#endif
