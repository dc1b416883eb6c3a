/* SPDX-License-Identifier: MIT */
#include "protocol/session/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "engine/rules/game.h"

static bool line_is_control(char c)
{
	return (unsigned char)c < 32 || c == 127;
}

void line_clean(char *line, size_t length)
{
	char *to = line;
	for (size_t i = utf8_mark(line, length); i < length; i++) {
		if (line[i] == '\t')
			*to++ = ' ';
		else if (!line_is_control(line[i]))
			*to++ = line[i];
	}
	while (to > line && to[-1] == ' ')
		to--;
	*to = '\0';
}

bool line_int(const char *text, int *value)
{
	long long n = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		n = 10 * n + (*text - '0');
		if (n > LINE_INT_MAX)
			return false;
	}
	*value = (int)n;
	return true;
}

bool line_real(const char *text, double *value)
{
	char *end;
	/* strtod also reads "nan", "infinity" and "0x10". */
	if (text[strspn(text, "+-.0123456789eE")])
		return false;
	double x = strtod(text, &end);
	if (end == text || *end || !isfinite(x))
		return false;
	*value = x;
	return true;
}

bool line_color(const char *text, int *side)
{
	if (strcasecmp(text, "b") == 0 || strcasecmp(text, "black") == 0)
		*side = BLACK;
	else if (strcasecmp(text, "w") == 0 || strcasecmp(text, "white") == 0)
		*side = WHITE;
	else
		return false;
	return true;
}

char *line_copy(char *to, const char *text, const char *kept)
{
	for (; *text; text++)
		if (*text == '\n' ? to[-1] != '\n' : !line_is_control(*text) || strchr(kept, *text))
			*to++ = *text;
	if (to[-1] != '\n')
		*to++ = '\n';
	return to;
}

char *line_text(const char *text, const char *end)
{
	/* Room for line feeds before and after the text, the end and a NUL. */
	char *lines = xmalloc(strlen(text) + strlen(end) + 3);
	*lines = '\n';
	strcpy(line_copy(lines + 1, text, "\t"), end);
	memmove(lines, lines + 1, strlen(lines));
	return lines;
}
