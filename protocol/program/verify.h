/* SPDX-License-Identifier: MIT
 *
 * The mode `verify`: checks a certificate (protocol/program/certificate.h) by the rules alone.
 */
#ifndef PROTOCOL_PROGRAM_VERIFY_H
#define PROTOCOL_PROGRAM_VERIFY_H

struct arguments;

/* Returns the exit status: 0 verified, 1 there is a hole, 2 the file cannot be read. */
int verify_run(const struct arguments *);

#endif
