/* SPDX-License-Identifier: MIT
 *
 * Speed of the program on one thread. Each figure is the median of several short runs, by processor time.
 * Then the signatures of the games (engine/search/signature.h).
 */
#ifndef PROTOCOL_PROGRAM_BENCH_H
#define PROTOCOL_PROGRAM_BENCH_H

/* Prints speeds and signatures on stdout; takes minutes. Returns the exit status. */
int bench_run(void);

/* Prints only the signatures, a line for each game. Returns the exit status. */
int bench_signatures(void);

#endif
