/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/gtp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/game.h"

enum line_kind gtp_clean(char *line, size_t length)
{
	line_clean(line, length);
	const char *text = line + strspn(line, " ");
	if (*text == '#') {
		text++;
		return strcmp(text + strspn(text, " "), "interrupt") == 0 ? LINE_INTERRUPT
									  : LINE_BLANK;
	}
	/* An id with only a comment after it is no command either. */
	const char *behind_id = text + strspn(text, "0123456789");
	if (behind_id[strspn(behind_id, " ")] == '#')
		return LINE_BLANK;
	line[strcspn(line, "#")] = '\0';
	return *text ? LINE_COMMAND : LINE_BLANK;
}

void gtp_parse(struct gtp_command *c, char *line)
{
	char *save, *word = strtok_r(line, " ", &save);
	*c = (struct gtp_command) { .id = GTP_ID_NONE };
	if (word && line_int(word, &c->id))
		word = strtok_r(NULL, " ", &save);
	for (; word; word = strtok_r(NULL, " ", &save)) {
		c->words = xgrow(c->words, (size_t)c->count, sizeof *c->words);
		c->words[c->count++] = word;
	}
}

void gtp_command_free(struct gtp_command *c)
{
	free(c->words);
}

static char *gtp_frame(bool success, int id, const char *text, const char *kept)
{
	/* Room for the mark, an id of ten digits, a blank, two line feeds and a NUL. */
	char *answer = xmalloc(strlen(text) + 16), *to = answer;
	*to++ = success ? '=' : '?';
	if (id != GTP_ID_NONE)
		to += sprintf(to, "%d", id);
	if (*text)
		*to++ = ' ';
	to = line_copy(to, text, kept);
	*to++ = '\n';
	*to = '\0';
	return answer;
}

char *gtp_answer(bool success, int id, const char *text)
{
	return gtp_frame(success, id, text, "\t");
}

char *gtp_answer_painted(bool success, int id, const char *text)
{
	return gtp_frame(success, id, text, "\t\033");
}

char *gtp_answer_begin(int id)
{
	char *answer = gtp_answer(true, id, "");
	answer[strlen(answer) - 1] = '\0';
	return answer;
}

char *gtp_answer_end(const char *text)
{
	return line_text(text, "\n");
}

void gtp_size(const struct game *g, char text[GTP_SIZE_MAX])
{
	int n = snprintf(text, GTP_SIZE_MAX, "%d", g->board.size ? g->board.size : g->board.cols);
	if (!g->board.size && g->board.rows != g->board.cols)
		snprintf(text + n, (size_t)(GTP_SIZE_MAX - n), " %d", g->board.rows);
}
