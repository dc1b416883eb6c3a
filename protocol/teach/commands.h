/* SPDX-License-Identifier: MIT
 *
 * The commands that teach: explanations, reviews, openings.
 */
#ifndef PROTOCOL_TEACH_COMMANDS_H
#define PROTOCOL_TEACH_COMMANDS_H

#include "protocol/gtp/command.h"

/* For command_use(). */
extern const struct command *const teach_groups[];

extern const struct command opening_commands[];

#endif
