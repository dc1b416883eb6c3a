/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

/* Bytes of a line that a message shows before and after the place. */
#define SHOWN_BEFORE 70
#define SHOWN_AFTER  30
#define SHOWN_CALLS  8

struct rbg_source *rbg_source_create(const char *name, const char *text, size_t length)
{
	struct rbg_source *s = xcalloc(1, sizeof *s);
	s->name = xstrdup(name);
	s->text = xmalloc(length + 1);
	if (length)
		memcpy(s->text, text, length);
	s->text[length] = '\0';
	s->length = (int32_t)length;
	return s;
}

void rbg_source_free(struct rbg_source *s)
{
	if (!s)
		return;
	free(s->name);
	free(s->text);
	free(s->calls);
	free(s);
}

int rbg_source_call(struct rbg_source *s, struct rbg_place place)
{
	s->calls = xgrow(s->calls, (size_t)s->call_count, sizeof *s->calls);
	s->calls[s->call_count] = place;
	return s->call_count++;
}

static bool rbg_source_continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static int32_t rbg_source_line_start(const struct rbg_source *s, int32_t offset)
{
	while (offset > 0 && s->text[offset - 1] != '\n')
		offset--;
	return offset;
}

void rbg_source_locate(const struct rbg_source *s, int32_t offset, struct text *out)
{
	int line = 1, column = 1;
	for (int32_t i = 0; i < offset; i++) {
		if (s->text[i] == '\n')
			line++, column = 1;
		else
			column += !rbg_source_continues(s->text[i]);
	}
	text_printf(out, "%s:%d:%d", s->name, line, column);
}

/* Writes a part of a line in ASCII, or blanks of the same width. */
static void rbg_source_show(const struct rbg_source *s, int32_t begin, int32_t end, bool blank,
			    struct text *out)
{
	for (int32_t i = begin; i < end; i++) {
		char c = s->text[i];
		if (rbg_source_continues(c))
			continue;
		bool plain = c == '\t' || (c >= ' ' && c <= '~');
		text_putc(out, c == '\t' ? c : blank ? ' ' : plain ? c : '?');
	}
}

/* Writes the line of a place, or what is near it in a long line, and a caret. */
static void rbg_source_point(const struct rbg_source *s, int32_t offset, struct text *out)
{
	int32_t begin = rbg_source_line_start(s, offset), end = offset;
	const char *cut = "";
	if (offset - begin > SHOWN_BEFORE)
		begin = offset - SHOWN_BEFORE, cut = "...";
	while (end < s->length && end < offset + SHOWN_AFTER && !strchr("\r\n", s->text[end]))
		end++;
	text_printf(out, "\n    %s", cut);
	rbg_source_show(s, begin, end, false, out);
	text_printf(out, "\n    %*s", (int)strlen(cut), "");
	rbg_source_show(s, begin, offset, true, out);
	text_putc(out, '^');
}

static void rbg_source_show_calls(const struct rbg_source *s, int call, struct text *out)
{
	int count = 0;
	for (; call >= 0; call = s->calls[call].call) {
		const char *name = s->text + s->calls[call].offset;
		int length = 0;
		if (count++ >= SHOWN_CALLS)
			continue;
		while (isalnum((unsigned char)name[length]))
			length++;
		text_printf(out, "\n    in macro %.*s, called at ", length, name);
		rbg_source_locate(s, s->calls[call].offset, out);
	}
	if (count > SHOWN_CALLS)
		text_printf(out, "\n    in %d more macros", count - SHOWN_CALLS);
}

void rbg_source_explain(const struct rbg_source *s, struct rbg_place place, struct text *out,
			const char *format, va_list arguments)
{
	char *message = xvasprintf(format, arguments);
	rbg_source_locate(s, place.offset, out);
	text_printf(out, ": %s", message);
	rbg_source_point(s, place.offset, out);
	rbg_source_show_calls(s, place.call, out);
	free(message);
}

void rbg_explain(const struct rbg_rules *rules, struct rbg_place place, struct text *error,
		 const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	rbg_source_explain(rules->source, place, error, format, arguments);
	va_end(arguments);
}
