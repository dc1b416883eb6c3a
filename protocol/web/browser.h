/* SPDX-License-Identifier: MIT */
#ifndef PROTOCOL_WEB_BROWSER_H
#define PROTOCOL_WEB_BROWSER_H

#include "protocol/session/command.h"

/* The commands of the page, for commands_use(). */
extern const struct command browser_commands[];

#endif
