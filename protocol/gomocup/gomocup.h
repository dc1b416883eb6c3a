/* SPDX-License-Identifier: MIT
 *
 * Gomocup's protocol, with which managers such as Piskvork and c-gomoku-cli talk to programs that play Gomoku, as an
 * alternative to GTP. Lines are commands in capitals; answers are moves, OK, or lines that begin with ERROR, UNKNOWN or
 * MESSAGE. Squares are X,Y: the column and the row, from 0, row 0 at the top. Times are milliseconds.
 */
#ifndef PROTOCOL_GOMOCUP_GOMOCUP_H
#define PROTOCOL_GOMOCUP_GOMOCUP_H

#include "protocol/session/protocol.h"

extern const struct protocol protocol_gomocup;
extern const struct command gomocup_commands[];

/* A list for struct session_setup: this protocol alone. */
extern const struct protocol *const protocols_gomocup[];

#endif
