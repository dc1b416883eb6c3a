/* SPDX-License-Identifier: MIT
 *
 * Messages of the tools on stderr. Any thread may call these functions.
 */
#ifndef TOOLS_LIB_MESSAGE_H
#define TOOLS_LIB_MESSAGE_H

#include <stdbool.h>

#include "engine/base/format.h"

/* Prints the program's name, a colon, the message and a newline on stderr. Returns false, so that a function
 * that fails can return it. */
__attribute__((format(PRINTF, 1, 2))) bool message(const char *format, ...);

/* Same, but exits with EXIT_FAILURE. */
__attribute__((format(PRINTF, 1, 2))) _Noreturn void message_exit(const char *format, ...);

/* Same: "cannot WHAT PATH: REASON", with the reason from errno. */
_Noreturn void message_exit_errno(const char *what, const char *path);

#endif
