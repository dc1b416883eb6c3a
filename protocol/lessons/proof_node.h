/* SPDX-License-Identifier: MIT
 *
 * One node of the AND/OR tree that the last search has explored, as JSON. protocol/README.md explains the members.
 */
#ifndef PROTOCOL_LESSONS_PROOF_NODE_H
#define PROTOCOL_LESSONS_PROOF_NODE_H

#include <jansson.h>

#include "engine/search/engine.h"

/* Describes record->now and the position after each of its moves. `side` is the side whose win is to be proven.
 * No search may run. The caller frees the value. The record is the same again afterwards. */
json_t *proof_node_json(const struct engine *, struct record *, int side);

#endif
