/* SPDX-License-Identifier: MIT
 *
 * The protocol of NBoard, an Othello GUI, version 2 (Protocol.htm of NBoard), as an alternative to GTP.
 * Lines are commands without numbers. Answers have forms of their own, and most commands have none. Unknown
 * commands are ignored. `ping N` ends a search at once: the result of that `go` or `hint` comes before
 * `pong N`, and nothing of it after.
 */
#ifndef PROTOCOL_NBOARD_NBOARD_H
#define PROTOCOL_NBOARD_NBOARD_H

#include "protocol/session/protocol.h"

extern const struct protocol protocol_nboard;
extern const struct command nboard_commands[];

/* A list for struct session_setup: this protocol alone. */
extern const struct protocol *const protocols_nboard[];

#endif
