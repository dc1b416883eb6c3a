/* SPDX-License-Identifier: MIT
 *
 * The line that a user edits at a terminal. Keys are queued until editor_take() edits with them. POSIX systems have libedit, with a
 * history of earlier terminals and with Tab. The console of Windows edits lines itself, with a history of its own; there a key comes
 * with its whole line. One a process, used by the thread of the loop.
 */
#ifndef PROTOCOL_TERMINAL_EDITOR_H
#define PROTOCOL_TERMINAL_EDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EDITOR_PROMPT "yomi> "
#define EDITOR_END    4 /* the key for the end of input: ^D */

struct editor;
struct event_base;
struct fifo;
struct session;

/* Returns true if the system's editor can edit lines at this terminal. */
bool editor_is_possible(void);

/* Takes the terminal. `erase` is called before the terminal is left for a while, and when it has another size. Other signals
 * than those of enum stop end the loop. */
struct editor *editor_open(struct event_base *, struct session *, void (*erase)(void *arg),
			   void *arg);
/* Gives the terminal back, and keeps the history. Returns false after a message if that could not be written. */
bool editor_close(struct editor *);

/* Shows the prompt and begins a line; ends it. */
void editor_begin(struct editor *);
void editor_end(struct editor *);

/* Returns true if nothing is typed yet of the line that is edited. */
bool editor_is_empty(const struct editor *);

/* The keys that wait. */
struct fifo *editor_keys(struct editor *);

/* The descriptor that is readable when keys come. editor_read() queues them. Returns false at the end of input or after an
 * error. */
intptr_t editor_input(const struct editor *);
bool editor_read(struct editor *);

/* Edits with some of the keys that wait. Returns the line with its line feed if it is complete; valid until the next call.
 * Sets *starved if it needs more keys. */
const char *editor_take(struct editor *, size_t *length, bool *starved);

#endif
