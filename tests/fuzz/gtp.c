/* SPDX-License-Identifier: MIT
 *
 * A whole GTP session with searches. Each command must get one well-formed answer with its id, in order, and
 * there must be no other output.
 */
#include "protocol/gtp/gtp.h"

#include "protocol/gtp/commands.h"
#include "protocol/program/tables.h"
#include "tests/fuzz/talk.h"

#define COMMANDS_MAX 4096

/* The commands that must be answered. */
struct expected {
	int ids[COMMANDS_MAX];
	int count;
	bool quits;
};

/* Any text becomes a well-formed answer. */
static void check_framing(const char *text)
{
	char *answer = gtp_answer(true, 7, text), *blank = strstr(answer, "\n\n");
	assert(strncmp(answer, "=7", 2) == 0 && blank && blank[2] == '\0');
	talk_check(answer);
	free(answer);
	char *lines = line_text(text, "");
	assert(*lines != '\n' && !strstr(lines, "\n\n"));
	talk_check(lines);
	free(lines);
}

static void expect(void *arg, char *line, size_t length, bool cut)
{
	struct expected *e = arg;
	struct gtp_command c;
	if (gtp_clean(line, length) != LINE_COMMAND || e->quits || e->count == COMMANDS_MAX)
		return;
	gtp_parse(&c, line);
	assert(c.count > 0 || c.id != GTP_ID_NONE);
	e->ids[e->count++] = c.id;
	e->quits = !cut && c.count == 1 && strcmp(c.words[0], "quit") == 0;
	gtp_command_free(&c);
}

static void check_answers(const struct expected *e, const char *heard)
{
	talk_check(heard);
	for (int i = 0; i < e->count; i++) {
		char id[16] = "";
		const char *end = strstr(heard, "\n\n");
		assert(end && (*heard == '=' || *heard == '?'));
		if (e->ids[i] != GTP_ID_NONE)
			snprintf(id, sizeof id, "%d", e->ids[i]);
		size_t n = strlen(id);
		assert(strncmp(heard + 1, id, n) == 0);
		assert(heard[n + 1] == ' ' || heard[n + 1] == '\n');
		heard = end + 2;
	}
	assert(!*heard);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct expected e;
	struct talk t;
	char *text = fuzz_text(data, size);
	check_framing(text);
	e.count = 0;
	e.quits = false;
	talk_lines(text, size, expect, &e);
	commands_use(tables_commands);
	talk_open(&t, protocols_gtp);
	check_answers(&e, talk_through(&t, text, size));
	talk_close(&t);
	free(text);
	return 0;
}
