/* SPDX-License-Identifier: MIT
 *
 * Facts and values as text and as JSON. protocol/README.md explains the members.
 */
#ifndef PROTOCOL_LESSONS_EXPLAIN_H
#define PROTOCOL_LESSONS_EXPLAIN_H

#include <jansson.h>

#include "engine/base/text.h"
#include "engine/rules/fact.h"
#include "protocol/lessons/loss.h"
#include "protocol/records/as_json.h"

/* Writes at most `most` sentences about a move, with "; " between them: first the facts of a tone (1 for the move, -1
 * against it), then neutral ones. Leaves out facts that another move has, too (NULL: there is none). Returns the number of
 * sentences. */
int explain_facts(struct text *, const struct facts *, int tone, const struct facts *other,
		  int most);

/* Facts and values as JSON. The caller frees the values. */
json_t *explain_json_facts(const struct facts *);
json_t *explain_json_worth(const struct worth *);
json_t *explain_json_loss(const struct loss *, const struct game *);

#endif
