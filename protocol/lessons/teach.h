/* SPDX-License-Identifier: MIT
 *
 * The commands that teach: explanations, reviews, openings.
 */
#ifndef PROTOCOL_LESSONS_TEACH_H
#define PROTOCOL_LESSONS_TEACH_H

#include "protocol/session/command.h"

extern const struct command teach_commands[], opening_commands[];

#endif
