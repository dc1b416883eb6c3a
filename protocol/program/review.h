/* SPDX-License-Identifier: MIT
 *
 * The mode `review`: prints what the mistakes of a recorded game cost and why.
 */
#ifndef PROTOCOL_PROGRAM_REVIEW_H
#define PROTOCOL_PROGRAM_REVIEW_H

struct arguments;

/* Returns the exit status: 0; 1 if a search failed or the output could not be written; 2 if the file cannot be read. */
int review_run(const struct arguments *);

#endif
