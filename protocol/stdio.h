/* SPDX-License-Identifier: MIT
 *
 * Standard input and output carry one session; the event loop is theirs.
 */
#ifndef PROTOCOL_STDIO_H
#define PROTOCOL_STDIO_H

#include "engine/options.h"

struct game;

/* Speaks GTP until the input ends, `quit`, or a signal. `log`: a file that takes the transcript, or
 * NULL. Returns the exit status. */
int stdio_run(const struct game *, const struct options *, const char *log);

#endif
