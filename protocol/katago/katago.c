/* SPDX-License-Identifier: MIT
 *
 * The loop reads lines and writes the outbox. Searches run on the threads of the pool.
 */
#include "protocol/katago/katago.h"

#include <errno.h>
#include <event2/event.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/version.h"
#include "protocol/carriers/loop.h"
#include "protocol/katago/answer.h"
#include "protocol/katago/pool.h"
#include "protocol/session/fifo.h"

#define READ_MAX   65536
/* As in KataGo's own example of a config file. */
#define LINE_MOVES 15

struct katago {
	struct loop loop;
	struct outbox *outbox;
	struct pool *pool;
	struct fifo input;
	struct event *readable, *writable, *woken;
	struct event *tick; /* checks that the output still has a reader */
	const struct game *game;
	struct query_settings settings;
	bool leaves; /* struct katago_setting */
	bool is_cut; /* the line in `input` is too long; its rest is skipped */
	bool ended;  /* no more input */
	bool failed; /* a write failed, but not because the reader is gone */
};

/* --- answers of the loop --- */

static void send_object(struct katago *k, json_t *object)
{
	outbox_add(k->outbox, answer_line(object));
}

static void send_error(struct katago *k, const char *text)
{
	send_object(k, json_pack("{s:s}", "error", text));
}

static void send_field_error(struct katago *k, const char *id, const char *field, const char *text)
{
	send_object(k, json_pack("{s:s, s:s, s:s}", "error", text, "field", field, "id", id));
}

/* --- actions --- */

static bool are_turns(const json_t *turns)
{
	for (size_t i = 0; i < json_array_size(turns); i++)
		if (!json_is_integer(json_array_get(turns, i)))
			return false;
	return json_is_array(turns);
}

/* Ends searches. `every`: of all queries. Returns false after an error. */
static bool stop_queries(struct katago *k, const json_t *object, const char *id, bool every)
{
	const char *stopped = json_string_value(json_object_get(object, "terminateId"));
	const json_t *turns = json_object_get(object, "turnNumbers");
	if (!every && !stopped)
		send_field_error(k, id, "terminateId", "must be the id of a query");
	else if (turns && !are_turns(turns))
		send_field_error(k, id, "turnNumbers", "must be an array of turn numbers");
	else {
		pool_stop(k->pool, every ? NULL : stopped, turns);
		return true;
	}
	return false;
}

/* Runs an action. Its answer is the query itself, with what was asked for. */
static void run_action(struct katago *k, json_t *object, const char *id, const char *action)
{
	if (strcmp(action, "query_version") == 0) {
		json_object_set_new(object, "version", json_string(version_number()));
		json_object_set_new(object, "git_hash", json_string(version_commit()));
	} else if (strcmp(action, "query_models") == 0) {
		json_object_set_new(object, "models", json_array());
	} else if (strcmp(action, "terminate") == 0) {
		if (!stop_queries(k, object, id, false))
			return;
	} else if (strcmp(action, "terminate_all") == 0) {
		if (!stop_queries(k, object, id, true))
			return;
	} else if (strcmp(action, "clear_cache") != 0) {
		/* There is no cache to clear: every search begins afresh. */
		send_field_error(k, id, "action", "no such action");
		return;
	}
	send_object(k, json_incref(object));
}

/* --- lines --- */

static void run_query(struct katago *k, const json_t *object)
{
	json_t *messages = json_array();
	struct katago_job *jobs = query_read(k->game, &k->settings, object, messages);
	for (size_t i = 0; i < json_array_size(messages); i++)
		send_object(k, json_incref(json_array_get(messages, i)));
	json_decref(messages);
	pool_add(k->pool, jobs);
}

static void run_object(struct katago *k, json_t *object)
{
	const char *id = json_string_value(json_object_get(object, "id"));
	const char *action = json_string_value(json_object_get(object, "action"));
	if (!json_is_object(object))
		send_error(k, "a query must be a JSON object");
	else if (!id)
		send_error(k, "a query must have an id, which is a string");
	else if (action)
		run_action(k, object, id, action);
	else
		run_query(k, object);
}

static void katago_run_line(struct katago *k, const char *line, size_t length)
{
	json_error_t error;
	outbox_log_input(k->outbox, line, length);
	if (strspn(line, " \t\r") == length)
		return;
	json_t *object = json_loadb(line, length, JSON_DECODE_ANY, &error);
	if (object) {
		run_object(k, object);
	} else {
		char *text = xasprintf("not JSON: %s, at byte %d", error.text, error.position);
		send_error(k, text);
		free(text);
	}
	json_decref(object);
}

/* Runs the whole lines of the input; at its end also one without a line feed. */
static void katago_run_lines(struct katago *k)
{
	size_t length;
	char *line;
	while ((line = fifo_take_line(&k->input, '\n', &length))) {
		if (!k->is_cut)
			katago_run_line(k, line, length);
		k->is_cut = false;
		free(line);
	}
	length = fifo_length(&k->input);
	if (length > SESSION_LINE_MAX) {
		if (!k->is_cut)
			send_error(k, "the line is too long");
		k->is_cut = true;
	}
	if (k->is_cut)
		fifo_clear(&k->input);
	else if (k->ended && length) {
		fifo_add(&k->input, "\n", 1);
		katago_run_lines(k);
	}
}

/* --- the loop --- */

/* Enables the events that are needed, or ends the loop. */
static void katago_update(struct katago *k)
{
	struct timeval quarter = { 0, 250000 };
	bool idle = pool_is_idle(k->pool);
	size_t waiting = outbox_length(k->outbox);
	if (k->ended)
		event_del(k->readable);
	else
		event_add(k->readable, NULL);
	if (waiting)
		event_add(k->writable, NULL);
	else
		event_del(k->writable);
	if (k->ended && !idle)
		event_add(k->tick, &quarter);
	if (k->ended && (idle || k->leaves) && !waiting)
		event_base_loopbreak(k->loop.base);
}

static void katago_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct katago *k = arg;
	char bytes[READ_MAX];
	int n = stream_read(bytes, sizeof bytes);
	if (n > 0)
		fifo_add(&k->input, bytes, (size_t)n);
	else if (n == 0)
		k->ended = true;
	katago_run_lines(k);
	katago_update(k);
}

static void katago_on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct katago *k = arg;
	int n = outbox_write(k->outbox);
	if (n >= 0) {
		katago_update(k);
		return;
	}
	/* It is not an error if the reader is gone. */
	k->failed = n == STREAM_FAILED;
	if (k->failed)
		fprintf(stderr, "yomi: the output could not be written: %s\n", strerror(errno));
	event_base_loopbreak(k->loop.base);
}

static void katago_on_woken(evutil_socket_t fd, short what, void *arg)
{
	struct katago *k = arg;
	channel_hush(outbox_channel(k->outbox));
	katago_update(k);
}

static void katago_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct katago *k = arg;
	if (stream_is_lost())
		event_base_loopbreak(k->loop.base);
	else
		katago_update(k);
}

static void run_loop(struct katago *k)
{
	if (!stream_open())
		loop_die("no input and output");
	k->readable = event_new(k->loop.base, (evutil_socket_t)stream_input(), EV_READ | EV_PERSIST,
				katago_on_readable, k);
	k->writable = event_new(k->loop.base, (evutil_socket_t)stream_output(),
				EV_WRITE | EV_PERSIST, katago_on_writable, k);
	k->woken = event_new(k->loop.base, (evutil_socket_t)outbox_channel(k->outbox)->in,
			     EV_READ | EV_PERSIST, katago_on_woken, k);
	k->tick = event_new(k->loop.base, -1, 0, katago_on_tick, k);
	event_add(k->woken, NULL);
	katago_update(k);
	event_base_dispatch(k->loop.base);
	event_free(k->readable);
	event_free(k->writable);
	event_free(k->woken);
	event_free(k->tick);
	fifo_clear(&k->input);
	stream_close(outbox_length(k->outbox) == 0);
}

/* --- the start --- */

/* Applies NAME=VALUE,... to the settings. Names of KataGo that yomi does not have are noted, because KataGo's clients
 * give some. Returns false after an error. */
static bool apply_settings(struct query_settings *s, const char *text)
{
	char *list = xstrdup(text), *save, why[REASON_MAX];
	bool known, is_good = true;
	for (char *name = strtok_r(list, ",", &save); name && is_good;
	     name = strtok_r(NULL, ",", &save)) {
		name += strspn(name, " ");
		char *value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		if (query_set(s, name, value ? value : "", &known, why))
			continue;
		is_good = !known;
		if (known)
			fprintf(stderr, "yomi: --override-config: %s\n", why);
		else
			fprintf(stderr, "yomi: ignores the setting %s\n", name);
	}
	free(list);
	return is_good;
}

int katago_run(const struct start *start, const struct katago_setting *setting)
{
	struct katago k = { .game = start->game,
			    .settings = { .options = *start->options, .line_max = LINE_MOVES },
			    .leaves = setting->leaves };
	int workers = setting->workers ? setting->workers : start->options->threads;
	/* All moves are wanted, not only the best one. */
	k.settings.options.early_stop = false;
	if (setting->settings && !apply_settings(&k.settings, setting->settings))
		return EXIT_USAGE;
	int status = loop_open(&k.loop, start, NULL, NULL);
	if (status)
		return status;
	k.outbox = outbox_create(k.loop.log);
	if (!k.outbox)
		loop_die("no descriptor");
	k.pool = pool_create(workers, start->options, k.outbox);
	if (!k.pool)
		loop_die("no thread");
	run_loop(&k);
	pool_destroy(k.pool);
	outbox_destroy(k.outbox);
	status = loop_close(&k.loop);
	return k.failed ? EXIT_FAILURE : status;
}

/* --- KataGo's command line --- */

/* Options of KataGo. `ours` replaces the name; NULL: the option and its value are dropped. */
static const struct {
	const char *name, *ours;
	bool has_value;
} options[] = {
	{ "-model", NULL, true },
	{ "-human-model", NULL, true },
	{ "-config", NULL, true },
	{ "-override-config", "--override-config", true },
	{ "-analysis-threads", "--analysis-threads", true },
	{ "-quit-without-waiting", "--quit-without-waiting", false },
};

/* Returns the index in the table of a word that is, or begins with, an option of KataGo; else -1. *value is the text
 * after an equals sign, or NULL. */
static int option_index(char *word, char **value)
{
	size_t length = strcspn(word, "=");
	for (int i = 0; i < (int)(sizeof options / sizeof options[0]); i++) {
		if (strlen(options[i].name) == length &&
		    strncmp(word, options[i].name, length) == 0) {
			*value = word[length] ? word + length + 1 : NULL;
			return i;
		}
	}
	return -1;
}

int katago_words(int count, char **words)
{
	int kept = 0;
	char *value;
	for (int i = 0; i < count; i++) {
		int option = option_index(words[i], &value);
		if (option < 0) {
			words[kept++] = words[i];
			continue;
		}
		bool takes_next = options[option].has_value && !value && i + 1 < count;
		if (takes_next)
			value = words[++i];
		if (options[option].ours) {
			/* The texts live as long as the program. */
			words[kept++] = value ? xasprintf("%s=%s", options[option].ours, value)
					      : (char *)options[option].ours;
			continue;
		}
		fprintf(stderr, "yomi: ignores %s %s: yomi needs no such file\n",
			options[option].name, value ? value : "");
	}
	words[kept] = NULL;
	return kept;
}
