/* SPDX-License-Identifier: MIT
 *
 * The protocol of a session: how a line is read and run, and how its answer is written. session.c knows only this
 * interface. The functions that return text return NULL for no text; the caller frees it.
 */
#ifndef PROTOCOL_SESSION_PROTOCOL_H
#define PROTOCOL_SESSION_PROTOCOL_H

#include "engine/base/text.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"

/* Draws results on the client's board while any search runs, if the setting live_gfx is on. */
struct live {
	int64_t interval; /* nanoseconds between two drawings */
	void (*show)(struct session *, const struct report *);
	void (*clear)(struct session *);
};

struct protocol {
	/* Returns true if this first line of a session selects the protocol. Not called for the last protocol of
	 * a list. */
	bool (*recognizes)(const char *line);
	/* Prepare a session for the protocol, and free what `begin` has allocated. NULL: nothing to do. */
	void (*begin)(struct session *);
	void (*end)(struct session *);
	/* Cleans a line of `length` bytes in place. Appends a NUL: the buffer must have length + 1 bytes. */
	enum line_kind (*clean)(char *line, size_t length);
	/* Returns true if a cleaned line ends a search as soon as it is read. NULL: no line does. */
	bool (*ends_search)(const char *line);
	/* Runs a cleaned line that is not blank. `is_cut`: its end is missing because it was too long. */
	enum outcome (*run)(struct session *, char *line, bool is_cut);
	/* Writes the reason why a search failed to the reply. NULL: the reason alone. */
	void (*print_failure)(struct text *reply, const char *why);
	/* The text before a streamed answer. NULL: none. */
	char *(*open)(const struct session *);
	/* The text of lines of a streamed answer. NULL: line_text(). */
	char *(*lines)(const struct session *, const char *text);
	/* The text of an answer, or of the last lines of a streamed one. */
	char *(*answer)(struct session *, bool success, const char *text);
	const struct live *live; /* NULL: the protocol has no drawings */
	bool newest_only;        /* a client that reads slowly gets only the newest report */
	/* People read the answers: errors tell their reason, drawn boards describe the last move and the result
	 * in words, and only setup.progress shows analysis. */
	bool is_for_people;
};

#endif
