/* SPDX-License-Identifier: MIT
 *
 * What all tools print alike: messages on stderr, and the end of stdout.
 */
#ifndef TOOLS_LIB_MESSAGE_H
#define TOOLS_LIB_MESSAGE_H

#include <stdbool.h>

/* Prints the program's name, a colon, the message and a newline on stderr. Returns false, so that a function
 * that fails can return it. */
__attribute__((format(printf, 1, 2))) bool message(const char *format, ...);

/* Flushes stdout. Returns `status`, or EXIT_FAILURE after a message if stdout could not be written. */
int message_end_output(int status);

#endif
