/* SPDX-License-Identifier: MIT
 *
 * Facts, values and lines of moves as text and as JSON. protocol/README.md explains the members.
 */
#ifndef PROTOCOL_TEACH_EXPLAIN_H
#define PROTOCOL_TEACH_EXPLAIN_H

#include <jansson.h>
#include <stdio.h>

#include "engine/rules/fact.h"
#include "protocol/teach/loss.h"

/* Writes at most `most` sentences about a move, with "; " between them: first the facts of a tone (1 for the move, -1
 * against it), then neutral ones. Leaves out facts that another move has, too (NULL: there is none). Returns the number of
 * sentences. */
int explain_facts(FILE *, const struct facts *, int tone, const struct facts *other, int most);

/* Facts, moves and values as JSON. The caller frees the values. */
json_t *explain_json_facts(const struct facts *);
json_t *explain_json_line(const struct game *, const struct state *, const struct move *,
			  int count);
json_t *explain_json_worth(const struct worth *);
json_t *explain_json_loss(const struct loss *, const struct game *);

/* A number, null if it is unknown. */
json_t *explain_json_number(double);

/* Writes a value on one line and frees it. */
void explain_dump(FILE *, json_t *);

#endif
