/* SPDX-License-Identifier: MIT */
#include "protocol/events.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "protocol/gtp.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the well-formed UTF-8 character at the beginning of `text`, which ends in a NUL; 0: there is none
 * (Unicode, table 3-7). */
static size_t character_length(const unsigned char *text)
{
	unsigned first = text[0], low = 0x80, high = 0xbf;
	size_t length = first < 0x80   ? 1
			: first < 0xc2 ? 0
			: first < 0xe0 ? 2
			: first < 0xf0 ? 3
				       : 4;
	if (first > 0xf4)
		return 0;
	if (first == 0xe0 || first == 0xf0)
		low = first == 0xe0 ? 0xa0 : 0x90;
	if (first == 0xed || first == 0xf4)
		high = first == 0xed ? 0x9f : 0x8f;
	for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
		if (text[i] < low || text[i] > high)
			return 0;
	return length;
}

/* A JSON string of bytes; what a client sends and what is cut off somewhere need not be UTF-8. */
static json_t *json_text(const char *bytes, size_t length)
{
	char *copy = xmalloc(length + 1), *text = xmalloc(sizeof REPLACEMENT * length + 1),
	     *to = text;
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	for (const char *at = copy; *at;) {
		size_t n = character_length((const unsigned char *)at);
		memcpy(to, n ? at : REPLACEMENT, n ? n : sizeof REPLACEMENT - 1);
		to += n ? n : sizeof REPLACEMENT - 1;
		at += n ? n : 1;
	}
	json_t *string = json_stringn(text, (size_t)(to - text));
	free(copy);
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
			      json_text(text, length)));
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
					      json_text(text, n)));
	}
	fclose(f);
	return events;
}
