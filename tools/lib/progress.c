/* SPDX-License-Identifier: MIT */
#include "tools/lib/progress.h"

#include <stdio.h>

#include "engine/base/stream.h"
#include "engine/search/clock.h"

#define LINE_PAUSE     INT64_C(30000000000) /* nanoseconds */
#define TERMINAL_PAUSE INT64_C(100000000)

static int64_t next_due(const struct progress *p)
{
	return clock_now() + (p->is_terminal ? TERMINAL_PAUSE : LINE_PAUSE);
}

struct progress progress_start(void)
{
	struct progress p = { .is_terminal = stream_is_terminal(stderr) };
	p.due = next_due(&p);
	return p;
}

void progress_show(struct progress *p, const char *line)
{
	if (p->is_terminal)
		fprintf(stderr, "\r\033[K%.*s", stream_columns() - 1, line);
	else
		fprintf(stderr, "%s\n", line);
	p->due = next_due(p);
}

void progress_clear(const struct progress *p)
{
	if (p->is_terminal)
		fputs("\r\033[K", stderr);
}
