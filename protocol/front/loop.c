/* SPDX-License-Identifier: MIT */
#include "protocol/front/loop.h"

#include <errno.h>
#include <event2/event.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

void loop_init(void)
{
	event_set_mem_functions(xmalloc, xrealloc, free);
	json_set_alloc_funcs(xmalloc, free);
}

/* Creates a base that accepts plain files and /dev/null, which epoll does not. It has no locks, because
 * only this thread uses it. */
static struct event_base *base_create(void)
{
	struct event_config *config = event_config_new();
	event_config_require_features(config, EV_FEATURE_FDS);
	event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
	struct event_base *base = event_base_new_with_config(config);
	event_config_free(config);
	return base;
}

static void loop_on_interrupt(int signal, short what, void *arg)
{
	struct loop *l = arg;
	(void)signal;
	(void)what;
	if (!l->interrupted || !l->interrupted(l->arg))
		event_base_loopbreak(l->base);
}

static void on_terminate(int signal, short what, void *arg)
{
	struct loop *l = arg;
	(void)signal;
	(void)what;
	event_base_loopbreak(l->base);
}

int loop_open(struct loop *l, const struct start *start, bool (*interrupted)(void *), void *arg)
{
	*l = (struct loop) { .base = base_create(), .interrupted = interrupted, .arg = arg };
	if (!l->base) {
		fprintf(stderr, "yomi: cannot create the event loop: %s\n", strerror(errno));
		return 1;
	}
	if (start->log && !(l->log = fopen(start->log, "ae"))) {
		fprintf(stderr, "yomi: cannot write %s: %s\n", start->log, strerror(errno));
		event_base_free(l->base);
		return EXIT_USAGE;
	}
	if (l->log)
		setvbuf(l->log, NULL, _IOLBF, 0);
	/* Failed writes are detected by their return values. */
	signal(SIGPIPE, SIG_IGN);
	l->interrupt = evsignal_new(l->base, SIGINT, loop_on_interrupt, l);
	l->terminate = evsignal_new(l->base, SIGTERM, on_terminate, l);
	event_add(l->interrupt, NULL);
	event_add(l->terminate, NULL);
	return 0;
}

void loop_die(const char *what)
{
	fprintf(stderr, "yomi: %s: %s\n", what, strerror(errno));
	exit(1);
}

int loop_close(struct loop *l)
{
	event_free(l->interrupt);
	event_free(l->terminate);
	event_base_free(l->base);
	if (!l->log)
		return 0;
	/* If the stream has an error, a session has reported it already. */
	bool failed = ferror(l->log);
	if (fclose(l->log) != 0 && !failed) {
		fprintf(stderr, "yomi: cannot write the log: %s\n", strerror(errno));
		failed = true;
	}
	return failed ? EXIT_FAILURE : 0;
}
