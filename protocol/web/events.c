/* SPDX-License-Identifier: MIT */
#include "protocol/web/events.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/utf8.h"
#include "protocol/gtp/commands.h"
#include "protocol/gtp/drawing.h"
#include "protocol/gtp/gtp.h"
#include "protocol/records/as_json.h"

/* Returns a JSON string of bytes. Text of a client, or text that was cut off, may not be UTF-8. */
static json_t *events_json_text(const char *bytes, size_t length)
{
	char *text = utf8_clean(bytes, length, NULL);
	json_t *string = json_string(text);
	free(text);
	return string;
}

static json_t *json_id(int id)
{
	return id == GTP_ID_NONE ? json_null() : json_integer(id);
}

static void print_event(struct text *out, const char *name, json_t *data)
{
	text_printf(out, "event: %s\ndata: ", name);
	as_json_print(out, data, AS_JSON_DIGITS);
	text_putc(out, '\n');
}

char *events_answer(bool success, int id, const char *text)
{
	struct text event = { 0 };
	text += strspn(text, "\n");
	size_t length = strlen(text);
	while (length && text[length - 1] == '\n')
		length--;
	print_event(&event, "answer",
		    json_pack("{s:o,s:b,s:o}", "id", json_id(id), "ok", (int)success, "text",
			      events_json_text(text, length)));
	return text_take(&event);
}

char *events_lines(int id, const char *text)
{
	struct text events = { 0 };
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (n)
			print_event(&events, "line",
				    json_pack("{s:o,s:o}", "id", json_id(id), "text",
					      events_json_text(text, n)));
	}
	return text_take(&events);
}

char *events_collect(const char *events)
{
	static const char begin[] = "event: answer\ndata: ";
	struct text json = { 0 };
	text_puts(&json, "{\"answers\":[");
	const char *separator = "";
	for (const char *at = events; (at = strstr(at, begin)); separator = ",") {
		at += sizeof begin - 1;
		int length = (int)strcspn(at, "\n");
		text_printf(&json, "%s%.*s", separator, length, at);
		at += length;
	}
	text_puts(&json, "]}");
	return text_take(&json);
}

/* --- the protocol --- */

static char *events_protocol_lines(const struct session *s, const char *text)
{
	return events_lines(s->id, text);
}

/* The event of an answer ends a stream, too, and may be an error. */
static char *events_protocol_answer(struct session *s, bool success, const char *text)
{
	return events_answer(success, s->id, text);
}

static const struct protocol protocol_events = {
	.clean = gtp_clean,
	.run = commands_run_line,
	.lines = events_protocol_lines,
	.answer = events_protocol_answer,
	.live = &drawing_live,
	.newest_only = true,
};

const struct protocol *const protocols_events[] = { &protocol_events, NULL };
