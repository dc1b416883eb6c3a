/* SPDX-License-Identifier: MIT */
#include "protocol/stdio.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "protocol/session.h"

struct carrier {
	struct event_base *base;
	struct session *session;
};

static void leave(void *arg)
{
	struct carrier *c = arg;
	event_base_loopbreak(c->base);
}

static void on_interrupt(int signal, short what, void *arg)
{
	struct carrier *c = arg;
	(void)signal;
	(void)what;
	if (!session_interrupt(c->session))
		leave(c);
}

static void on_terminate(int signal, short what, void *arg)
{
	(void)signal;
	(void)what;
	leave(arg);
}

/* A base that takes plain files and /dev/null, which epoll refuses, and needs no locks: only this
 * thread touches it. */
static struct event_base *base_create(void)
{
	struct event_config *config = event_config_new();
	event_config_require_features(config, EV_FEATURE_FDS);
	event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
	struct event_base *base = event_base_new_with_config(config);
	event_config_free(config);
	return base;
}

int stdio_run(const struct game *game, const struct options *options, const char *log)
{
	struct carrier c = { base_create(), NULL };
	FILE *file = NULL;
	if (!c.base) {
		fprintf(stderr, "yomi: no event loop: %s\n", strerror(errno));
		return 1;
	}
	if (log && !(file = fopen(log, "ae"))) {
		fprintf(stderr, "yomi: cannot write %s: %s\n", log, strerror(errno));
		event_base_free(c.base);
		return 2;
	}
	if (file)
		setvbuf(file, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	struct event *interrupt = evsignal_new(c.base, SIGINT, on_interrupt, &c);
	struct event *terminate = evsignal_new(c.base, SIGTERM, on_terminate, &c);
	event_add(interrupt, NULL);
	event_add(terminate, NULL);
	c.session = session_create(c.base, STDIN_FILENO, STDOUT_FILENO, game, options, file, leave,
				   &c);
	event_base_dispatch(c.base);
	session_destroy(c.session);
	event_free(interrupt);
	event_free(terminate);
	event_base_free(c.base);
	if (file)
		fclose(file);
	return 0;
}
