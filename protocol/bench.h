/* SPDX-License-Identifier: MIT
 *
 * Speeds of this program on this machine, on one thread, each the median of some short runs and
 * counted by processor time; then the signature of the searches (engine/signature.h).
 */
#ifndef PROTOCOL_BENCH_H
#define PROTOCOL_BENCH_H

/* Prints on stdout, in less than a minute. Returns the exit status. */
int bench_run(void);

/* Prints the signature alone. Returns the exit status. */
int bench_signature(void);

#endif
