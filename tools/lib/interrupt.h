/* SPDX-License-Identifier: MIT
 *
 * Interruption of a tool. SIGINT, SIGTERM, SIGHUP, on Windows Ctrl+C, or interrupt_raise() makes a descriptor readable, which
 * ends every wait for an engine (client.h). All functions may be called from any thread.
 */
#ifndef TOOLS_LIB_INTERRUPT_H
#define TOOLS_LIB_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

/* Begins to catch the signals; ignores SIGPIPE. Call it once, before any thread starts. Returns false with
 * errno set on failure. */
bool interrupt_init(void);

/* Returns the descriptor that becomes readable (stream.h). */
intptr_t interrupt_descriptor(void);

/* Ends every wait. */
void interrupt_raise(void);

/* Returns the number of the signal that came last, 0 if none came. */
int interrupt_signal(void);

#endif
