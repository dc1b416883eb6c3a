/* SPDX-License-Identifier: MIT
 *
 * Speed of the program on one thread. Each figure is the median of several short runs, by processor time.
 * Then the signature of the searches (engine/search/signature.h).
 */
#ifndef PROTOCOL_PROGRAM_BENCH_H
#define PROTOCOL_PROGRAM_BENCH_H

/* Prints speeds and signature on stdout; takes less than a minute. Returns the exit status. */
int bench_run(void);

/* Prints only the signature. Returns the exit status. */
int bench_signature(void);

#endif
