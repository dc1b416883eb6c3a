/* SPDX-License-Identifier: MIT
 *
 * The verdict on a run: late answers, growing memory, and how the processes end. Each function prints what it
 * measured and adds to the counts.
 */
#ifndef TOOLS_CHECK_VERDICT_H
#define TOOLS_CHECK_VERDICT_H

#include "tools/check/tester.h"

struct verdict {
	int passed, failed;
};

/* Answers may be late by the limit and by what the witnesses explain. */
void verdict_delays(struct verdict *, const struct soak *, const struct tester *, int count);

/* The memory of a process must not grow beyond the limit. No verdict on few games or without a limit. */
void verdict_memory(struct verdict *, const struct soak *, const char *label,
		    const struct series *memory);

/* Ends the processes and the server, which must end with status 0. */
void verdict_ends(struct verdict *, struct soak *, struct tester *, int count);

#endif
