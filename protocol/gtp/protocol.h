/* SPDX-License-Identifier: MIT
 *
 * The protocol of a session: how a line is read and run, and how its answer is written. session.c knows only this
 * interface. The functions that return text return NULL for no text; the caller frees it.
 */
#ifndef PROTOCOL_GTP_PROTOCOL_H
#define PROTOCOL_GTP_PROTOCOL_H

#include "protocol/gtp/command.h"
#include "protocol/gtp/gtp.h"

struct protocol {
	/* Returns true if this first line of a session selects the protocol. Not called for the last protocol of
	 * a list. */
	bool (*recognizes)(const char *line);
	/* Prepare a session for the protocol, and free what `begin` has allocated. NULL: nothing to do. */
	void (*begin)(struct session *);
	void (*end)(struct session *);
	/* Cleans a line of `length` bytes in place. Appends a NUL: the buffer must have length + 1 bytes. */
	enum gtp_line (*clean)(char *line, size_t length);
	/* Returns true if a cleaned line ends a search as soon as it is read. NULL: no line does. */
	bool (*ends_search)(const char *line);
	/* Runs a cleaned line that is not blank. `is_cut`: its end is missing because it was too long. */
	enum outcome (*run)(struct session *, char *line, bool is_cut);
	/* Writes the reason why a search failed to the reply. NULL: the reason alone. */
	void (*print_failure)(FILE *reply, const char *why);
	/* The text before a streamed answer. NULL: none. */
	char *(*open)(const struct session *);
	/* The text of lines of a streamed answer. NULL: gtp_lines(). */
	char *(*lines)(const struct session *, const char *text);
	/* The text of an answer, or of the last lines of a streamed one. */
	char *(*answer)(struct session *, bool success, const char *text);
	bool newest_only; /* a client that reads slowly gets only the newest report */
	/* People read the answers: errors tell their reason, drawn boards describe the last move and the result
	 * in words, and only setup.progress shows analysis. */
	bool is_for_people;
};

/* For protocols whose commands have one argument, the rest of the line. Finds the command of a table whose name,
 * of one or more words, begins the line by `compare`, strncmp or strncasecmp. Sets *rest to the text after it.
 * Returns NULL if there is none. */
const struct command *protocol_find(const struct command *table, char *line,
				    int (*compare)(const char *, const char *, size_t),
				    char **rest);

/* Makes `c` the running command, with *rest as its argument unless that is empty. Both must stay until the command
 * is done. */
void protocol_begin(struct session *, const struct command *c, char **rest);

/* Finds the command of GTP, checks the number of its arguments and runs it. */
enum outcome run_words(struct session *, const struct gtp_command *);

/* GTP. */
extern const struct protocol protocol_gtp;

/* Lists with one protocol, for struct session_setup: GTP, and its commands with answers as server-sent events
 * (protocol/gtp/events.h). */
extern const struct protocol *const protocols_gtp[], *const protocols_events[];

#endif
