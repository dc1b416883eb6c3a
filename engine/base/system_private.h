/* SPDX-License-Identifier: MIT
 *
 * What the files for Windows share.
 */
#ifndef ENGINE_BASE_SYSTEM_PRIVATE_H
#define ENGINE_BASE_SYSTEM_PRIVATE_H

#include <stdbool.h>

#include "engine/base/text.h"

/* Sets errno by the last error of the system. Returns false. */
bool system_fail(void);

/* Appends an argument to a command line, as programs read it. */
void system_quote(struct text *line, const char *argument);

#endif
