/* SPDX-License-Identifier: MIT
 *
 * A libFuzzer target for the texts that come from outside: GTP lines, answers made of them, positions,
 * moves and SGF files. What must hold of any input is asserted here.
 */
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "games/games.h"
#include "protocol/gtp.h"
#include "protocol/sgf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_answer(const char *text)
{
	char *answer = gtp_answer(true, 7, text), *blank = strstr(answer, "\n\n");
	assert(strncmp(answer, "=7", 2) == 0 && blank && blank[2] == '\0');
	for (const char *p = answer; *p; p++)
		assert(*p == '\n' || *p == '\t' || !iscntrl((unsigned char)*p));
	free(answer);
}

static void check_move(const char *text)
{
	for (int i = 0; games[i]; i++) {
		struct state s;
		struct move m, again;
		char formatted[MOVE_TEXT_MAX];
		games[i]->start(&s);
		if (game_parse(games[i], &s, text, &m) != MOVE_OK)
			continue;
		assert(game_is_legal(games[i], &s, m));
		game_format(games[i], &s, m, formatted);
		assert(game_parse(games[i], &s, formatted, &again) == MOVE_OK);
		assert(move_equal(m, again));
	}
}

static void check_position(const char *squares, const char *side)
{
	for (int i = 0; games[i]; i++) {
		struct state s;
		if (!game_setup(games[i], &s, squares, side))
			assert(games[i]->valid(&s));
	}
}

static void check_line(const char *bytes, size_t length)
{
	char *line = xmalloc(length + 1), *copy;
	struct gtp_command c;
	int n;
	double x;
	memcpy(line, bytes, length);
	enum gtp_line kind = gtp_clean(line, length);
	if (kind == GTP_COMMAND) {
		copy = strdup(line);
		assert(strlen(line) <= length && !strchr(line, '#'));
		assert(gtp_clean(copy, strlen(copy)) == GTP_COMMAND);
		free(copy);
		gtp_parse(&c, line);
		assert(c.count > 0 || c.id != GTP_ID_NONE);
		for (int i = 0; i < c.count; i++) {
			assert(*c.words[i] && !strchr(c.words[i], ' '));
			gtp_int(c.words[i], &n);
			gtp_real(c.words[i], &x);
			gtp_color(c.words[i], &n);
			check_move(c.words[i]);
			check_answer(c.words[i]);
		}
		if (c.count == 3)
			check_position(c.words[1], c.words[2]);
		gtp_command_free(&c);
	}
	free(line);
}

static void check_file(const char *text)
{
	struct record r;
	char why[REASON_MAX], *printed;
	size_t length;
	record_init(&r, games[0]);
	if (sgf_parse(&r, text, INT_MAX, why)) {
		struct state now = r.now;
		FILE *f = open_memstream(&printed, &length);
		sgf_print(f, &r);
		fclose(f);
		assert(sgf_parse(&r, printed, INT_MAX, why) && r.now.hash == now.hash);
		free(printed);
	}
	record_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (games_kernels()[0] == '\0')
		games_init();
	char *text = xmalloc(size + 1);
	memcpy(text, data, size);
	text[size] = '\0';
	check_answer(text);
	check_file(text);
	for (char *line = text; line < text + size;) {
		char *end = memchr(line, '\n', (size_t)(text + size - line));
		if (!end)
			end = text + size;
		check_line(line, (size_t)(end - line));
		line = end + 1;
	}
	free(text);
	return 0;
}
