/* SPDX-License-Identifier: MIT
 *
 * What sessions of the program have beyond the commands of GTP's own folder.
 */
#ifndef PROTOCOL_PROGRAM_TABLES_H
#define PROTOCOL_PROGRAM_TABLES_H

#include "protocol/session/protocol.h"

/* The commands of other folders, for commands_use(). */
extern const struct command *const tables_commands[];

/* A list for struct session_setup: all text protocols, detected from the first line. */
extern const struct protocol *const protocols_all[];

#endif
