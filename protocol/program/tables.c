/* SPDX-License-Identifier: MIT */
#include "protocol/program/tables.h"

#include "protocol/gomocup/gomocup.h"
#include "protocol/gtp/commands.h"
#include "protocol/lessons/teach.h"
#include "protocol/nboard/nboard.h"
#include "protocol/web/browser.h"

const struct command *const tables_commands[] = { browser_commands, teach_commands,
						  opening_commands, NULL };

const struct protocol *const protocols_all[] = { &protocol_nboard, &protocol_gomocup, &protocol_gtp,
						 NULL };
