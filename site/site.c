/* SPDX-License-Identifier: MIT
 *
 * The program of the site: one session inside a worker of a browser, or of node. Its functions are called by site/worker.js, and call
 * these of the worker:
 *
 *     Module.send(text)    events of protocol/web/events.h
 *     Module.heard(any)    returns true if lines wait that end any search, or, unless `any`, an interruption
 *     Module.again(ms)     calls site_again() at such intervals; 0: not any more
 *
 * A search runs within site_step(). Meanwhile the worker receives no messages, so the search asks for them now and then.
 */
#include <emscripten.h>

#include "engine/base/thread_wasm.h"
#include "engine/evaluation/evaluator.h"
#include "engine/search/common/control.h"
#include "games/games.h"
#include "protocol/gtp/commands.h"
#include "protocol/program/bench.h"
#include "protocol/program/tables.h"
#include "protocol/session/command.h"
#include "protocol/session/fifo.h"
#include "protocol/session/session.h"
#include "protocol/web/events.h"

#define LINE_MAX_SITE (1 << 16) /* bytes */
#define MEMORY        128       /* MiB for a search; telephones have little */
#define LISTEN        30000000  /* nanoseconds between two questions for messages */

static struct site {
	struct session *session;
	struct options options;
	bool woken, later; /* what the session waits for */
	bool sent;         /* output was sent, so that the session may continue */
	int64_t heard;     /* clock_now() of the last question */
} site;

/* clang-format off */
EM_JS(void, site_send, (const char *bytes, size_t count), { Module["send"](UTF8ToString(bytes, count)); });
EM_JS(bool, site_heard, (bool any), { return Module["heard"](any); });
EM_JS(void, site_set_again, (double ms), { Module["again"](ms); });
/* clang-format on */

/* --- the session's loop --- */

static void *site_open(void *base, struct session *s)
{
	return &site;
}

static void site_close(void *loop)
{
}

static void site_wake(void *loop)
{
	site.woken = true;
}

static void site_later(void *loop, bool later)
{
	site.later = later;
}

static void site_repeat(void *loop, int64_t interval)
{
	site_set_again((double)interval / 1e6);
}

static const struct session_loop site_loop = { site_open, site_close, site_wake, site_later,
					       site_repeat };

/* session_setup.note: what yomi tells its own user on a terminal */
static void site_on_note(void *arg, const char *line, size_t count)
{
}

/* session_setup.changed */
static void site_on_change(void *arg)
{
	struct fifo *output = session_output(site.session);
	size_t count = fifo_length(output);
	if (!count)
		return;
	site_send(fifo_bytes(output), count);
	fifo_drain(output, count);
	site.sent = true;
}

static void site_on_woken(void)
{
	if (!site.woken)
		return;
	site.woken = false;
	session_on_woken(site.session);
}

/* control_pause: sends a report, and ends the search as the loop of a program with threads would. */
static void site_pause(void)
{
	struct session *s = site.session;
	int64_t now = clock_now();
	site_on_woken();
	if (now - site.heard < LISTEN)
		return;
	site.heard = now;
	bool ponders = !session_is_thinking(s);
	if (!site_heard(ponders || s->command->until_line || s->command->cancellable))
		return;
	if (ponders)
		engine_stop(s->engine);
	else
		session_interrupt(s);
}

/* --- for the worker --- */

#define FOR_WORKER(type, name, ...)                                                                \
	type name(__VA_ARGS__);                                                                    \
	EMSCRIPTEN_KEEPALIVE type name(__VA_ARGS__)

/* Prepares the program. */
FOR_WORKER(void, site_init, void)
{
	commands_use(tables_commands);
	games_init();
}

/* Begins the session. */
FOR_WORKER(void, site_begin, void)
{
	options_init(&site.options);
	site.options.memory = MEMORY;
	control_pause = site_pause;
	site.session = session_create(&(struct session_setup) {
		.loop = &site_loop,
		.game = games[0],
		.options = &site.options,
		.protocols = protocols_events,
		.line_max = LINE_MAX_SITE,
		.queue_max = LINE_MAX_SITE,
		.remote = true,
		.no_files = true,
		.no_own_book = true,
		.is_lazy = true,
		.changed = site_on_change,
		.note = site_on_note,
	});
}

/* Reads what the game needs to search, which may be much. Does nothing if it has been read. */
FOR_WORKER(void, site_get_ready, void)
{
	evaluator_get_ready(site.session->record.game);
}

/* Passes on lines. Searches begin with site_step(). */
FOR_WORKER(void, site_input, const char *lines)
{
	session_input(site.session, lines, strlen(lines));
}

/* Runs one search, or what is due. Returns true if it must be called again, after waiting messages. */
FOR_WORKER(bool, site_step, void)
{
	bool worked = thread_run_waiting();
	worked |= site.woken || site.later || site.sent;
	site_on_woken();
	if (site.later) {
		site.later = false;
		session_on_later(site.session);
	} else if (site.sent) {
		site.sent = false;
		session_resume(site.session);
	}
	return worked;
}

FOR_WORKER(void, site_again, void)
{
	session_on_again(site.session);
}

/* Prints the lines of `yomi bench --signature`. Returns 0 on success. */
FOR_WORKER(int, site_signatures, void)
{
	return bench_signatures();
}
