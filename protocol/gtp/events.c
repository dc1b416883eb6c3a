/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/events.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "protocol/gtp/gtp.h"
#include "protocol/gtp/utf8.h"

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

static void print_event(FILE *f, const char *name, json_t *data)
{
	char *text = data ? json_dumps(data, JSON_COMPACT) : NULL;
	if (!text)
		out_of_memory();
	fprintf(f, "event: %s\ndata: %s\n\n", name, text);
	free(text);
	json_decref(data);
}

char *events_answer(bool success, int id, const char *text)
{
	char *event;
	size_t room;
	FILE *f = text_open(&event, &room);
	text += strspn(text, "\n");
	size_t length = strlen(text);
	while (length && text[length - 1] == '\n')
		length--;
	print_event(f, "answer",
		    json_pack("{s:o,s:b,s:o}", "id", json_id(id), "ok", (int)success, "text",
			      events_json_text(text, length)));
	fclose(f);
	return event;
}

char *events_lines(int id, const char *text)
{
	char *events;
	size_t room;
	FILE *f = text_open(&events, &room);
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (n)
			print_event(f, "line",
				    json_pack("{s:o,s:o}", "id", json_id(id), "text",
					      events_json_text(text, n)));
	}
	fclose(f);
	return events;
}

char *events_collect(const char *events)
{
	static const char begin[] = "event: answer\ndata: ";
	char *json;
	size_t room;
	FILE *f = text_open(&json, &room);
	fputs("{\"answers\":[", f);
	const char *separator = "";
	for (const char *at = events; (at = strstr(at, begin)); separator = ",") {
		at += sizeof begin - 1;
		int length = (int)strcspn(at, "\n");
		fprintf(f, "%s%.*s", separator, length, at);
		at += length;
	}
	fputs("]}", f);
	fclose(f);
	return json;
}
