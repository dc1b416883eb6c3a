/* SPDX-License-Identifier: MIT
 *
 * Messages of the tools on stderr.
 */
#ifndef TOOLS_LIB_MESSAGE_H
#define TOOLS_LIB_MESSAGE_H

#include <stdbool.h>

/* Prints the program's name, a colon, the message and a newline on stderr. Returns false, so that a function
 * that fails can return it. */
__attribute__((format(printf, 1, 2))) bool message(const char *format, ...);

#endif
