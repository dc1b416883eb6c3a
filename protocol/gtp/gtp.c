/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/gtp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/rules/game.h"
#include "protocol/gtp/utf8.h"

static bool gtp_is_control(char c)
{
	return (unsigned char)c < 32 || c == 127;
}

enum gtp_line gtp_clean(char *line, size_t length)
{
	char *to = line;
	for (size_t i = utf8_mark(line, length); i < length; i++) {
		if (line[i] == '\t')
			*to++ = ' ';
		else if (!gtp_is_control(line[i]))
			*to++ = line[i];
	}
	while (to > line && to[-1] == ' ')
		to--;
	*to = '\0';

	const char *text = line + strspn(line, " ");
	if (*text == '#') {
		text++;
		return strcmp(text + strspn(text, " "), "interrupt") == 0 ? GTP_INTERRUPT
									  : GTP_BLANK;
	}
	/* An id with only a comment after it is no command either. */
	const char *behind_id = text + strspn(text, "0123456789");
	if (behind_id[strspn(behind_id, " ")] == '#')
		return GTP_BLANK;
	line[strcspn(line, "#")] = '\0';
	return *text ? GTP_COMMAND : GTP_BLANK;
}

bool gtp_int(const char *text, int *value)
{
	long long n = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		n = 10 * n + (*text - '0');
		if (n > GTP_INT_MAX)
			return false;
	}
	*value = (int)n;
	return true;
}

bool gtp_real(const char *text, double *value)
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

bool gtp_color(const char *text, int *side)
{
	if (strcasecmp(text, "b") == 0 || strcasecmp(text, "black") == 0)
		*side = BLACK;
	else if (strcasecmp(text, "w") == 0 || strcasecmp(text, "white") == 0)
		*side = WHITE;
	else
		return false;
	return true;
}

void gtp_parse(struct gtp_command *c, char *line)
{
	int room = 0;
	char *save, *word = strtok_r(line, " ", &save);
	*c = (struct gtp_command) { .id = GTP_ID_NONE };
	if (word && gtp_int(word, &c->id))
		word = strtok_r(NULL, " ", &save);
	for (; word; word = strtok_r(NULL, " ", &save)) {
		if (c->count == room) {
			room = room ? 2 * room : 8;
			c->words = xrealloc(c->words, (size_t)room * sizeof *c->words);
		}
		c->words[c->count++] = word;
	}
}

void gtp_command_free(struct gtp_command *c)
{
	free(c->words);
}

/* Copies text to `to` without blank lines and without control characters other than those in `kept`. At least one
 * character must stand before `to`. Returns the end of the copy. */
static char *copy_lines(char *to, const char *text, const char *kept)
{
	for (; *text; text++)
		if (*text == '\n' ? to[-1] != '\n' : strchr(kept, *text) || !gtp_is_control(*text))
			*to++ = *text;
	if (to[-1] != '\n')
		*to++ = '\n';
	return to;
}

static char *frame(bool success, int id, const char *text, const char *kept)
{
	/* Room for the mark, an id of ten digits, a blank, two line feeds and a NUL. */
	char *answer = xmalloc(strlen(text) + 16), *to = answer;
	*to++ = success ? '=' : '?';
	if (id != GTP_ID_NONE)
		to += sprintf(to, "%d", id);
	if (*text)
		*to++ = ' ';
	to = copy_lines(to, text, kept);
	*to++ = '\n';
	*to = '\0';
	return answer;
}

char *gtp_answer(bool success, int id, const char *text)
{
	return frame(success, id, text, "\t");
}

char *gtp_answer_painted(bool success, int id, const char *text)
{
	return frame(success, id, text, "\t\033");
}

char *gtp_answer_begin(int id)
{
	char *answer = gtp_answer(true, id, "");
	answer[strlen(answer) - 1] = '\0';
	return answer;
}

/* Returns the lines of a text, which may be empty, and then `end`. */
static char *lines_and_end(const char *text, const char *end)
{
	/* Room for line feeds before and after the text, the end and a NUL. */
	char *lines = xmalloc(strlen(text) + strlen(end) + 3);
	*lines = '\n';
	strcpy(copy_lines(lines + 1, text, "\t"), end);
	memmove(lines, lines + 1, strlen(lines));
	return lines;
}

char *gtp_lines(const char *text)
{
	return lines_and_end(text, "");
}

char *gtp_answer_end(const char *text)
{
	return lines_and_end(text, "\n");
}

void gtp_size(const struct game *g, char text[GTP_SIZE_MAX])
{
	int n = snprintf(text, GTP_SIZE_MAX, "%d", g->board.size ? g->board.size : g->board.cols);
	if (!g->board.size && g->board.rows != g->board.cols)
		snprintf(text + n, (size_t)(GTP_SIZE_MAX - n), " %d", g->board.rows);
}
