/* SPDX-License-Identifier: MIT
 *
 * Speeds of this program on this machine, on one thread, each the median of some short runs and
 * counted by processor time; and a signature of what the searches do, which is the same on every
 * machine and changes only when a change means it to.
 */
#ifndef PROTOCOL_BENCH_H
#define PROTOCOL_BENCH_H

/* Prints on stdout, in less than a minute. Returns the exit status. */
int bench_run(void);

#endif
