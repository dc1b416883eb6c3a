/* SPDX-License-Identifier: MIT
 *
 * Results of a search drawn on GoGui's board. Commands of its analyze window answer lines of GoGui's gfx
 * language. Live graphics write such lines to stderr while any search runs.
 */
#ifndef PROTOCOL_GTP_DRAWING_H
#define PROTOCOL_GTP_DRAWING_H

#include "protocol/session/protocol.h"

extern const struct live drawing_live;

#endif
