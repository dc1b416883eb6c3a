/* SPDX-License-Identifier: MIT
 *
 * Witnesses of the machine's own lateness: one thread per processor computes and sleeps briefly all the
 * time, and measures by how much both end late.
 */
#ifndef TOOLS_CHECK_WITNESS_H
#define TOOLS_CHECK_WITNESS_H

#include <stdint.h>

#include "tools/lib/series.h"

/* Starts so many witnesses. Each sleeps and then computes for so many milliseconds. Seconds count from `started` (clock_now). */
void witness_start(int64_t started, int witnesses, int compute_ms);

/* Ends them. The functions below may be called after that. */
void witness_stop(void);

/* Returns the worst delay of the machine around a second, in milliseconds. */
double witness_worst(int second);

/* Returns all delays in milliseconds. witness_free() frees them. */
struct series *witness_delays(void);
void witness_free(void);

#endif
