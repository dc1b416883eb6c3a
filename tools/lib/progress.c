/* SPDX-License-Identifier: MIT */
#include "tools/lib/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/search/clock.h"

#define LINE_PAUSE     INT64_C(30000000000) /* nanoseconds */
#define TERMINAL_PAUSE INT64_C(100000000)

static int64_t next_due(const struct progress *p)
{
	return clock_now() + (p->is_terminal ? TERMINAL_PAUSE : LINE_PAUSE);
}

struct progress progress_start(void)
{
	struct progress p = { .is_terminal = isatty(STDERR_FILENO) };
	p.due = next_due(&p);
	return p;
}

void progress_show(struct progress *p, const char *line)
{
	struct winsize size;
	int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
	if (p->is_terminal)
		fprintf(stderr, "\r\033[K%.*s", width - 1, line);
	else
		fprintf(stderr, "%s\n", line);
	p->due = next_due(p);
}

void progress_clear(const struct progress *p)
{
	if (p->is_terminal)
		fputs("\r\033[K", stderr);
}
