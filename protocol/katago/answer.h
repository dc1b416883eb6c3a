/* SPDX-License-Identifier: MIT
 *
 * Answers of KataGo's analysis protocol: one JSON object a line. The functions return a text that ends with a line
 * feed; the caller frees it. Any thread.
 */
#ifndef PROTOCOL_KATAGO_ANSWER_H
#define PROTOCOL_KATAGO_ANSWER_H

#include <jansson.h>

#include "engine/evaluation/outlook.h"
#include "engine/search/common/algorithm.h"
#include "protocol/katago/query.h"

/* An object as a line. Takes the reference. */
char *answer_line(json_t *);

/* What a search has found at the position of a job. The outlook is that of the position; NULL: the game has none.
 * `live`: the search goes on. Returns NULL if no value of the position is known, or if a live search
 * has searched nothing yet. */
char *answer_report(const struct katago_job *, const struct record *, struct outlook *,
		    const struct report *, bool live);

/* The position of the job is the end of the game. */
char *answer_end(const struct katago_job *, const struct record *);

/* The job was stopped before anything was known of its position. */
char *answer_nothing(const struct katago_job *);

/* The search of a job failed. */
char *answer_failure(const struct katago_job *, const char *why);

#endif
