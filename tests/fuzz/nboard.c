/* SPDX-License-Identifier: MIT
 *
 * A whole session of NBoard's protocol with searches. Every ping must be answered with its own text, in
 * order. There must not be more moves than requested. All output lines must belong to the protocol.
 */
#include "protocol/nboard/nboard.h"

#include "tests/fuzz/talk.h"

#define PINGS_MAX 4096

struct expected {
	char *pings[PINGS_MAX]; /* their arguments */
	int count, moves;
	bool quits;
};

static bool begins(const char *line, const char *start)
{
	return strncmp(line, start, strlen(start)) == 0;
}

static void expect(void *arg, char *line, size_t length, bool cut)
{
	struct expected *e = arg;
	if (protocol_nboard.clean(line, length) != LINE_COMMAND || cut || e->quits)
		return;
	if (begins(line, "ping ") && e->count < PINGS_MAX)
		e->pings[e->count++] = strdup(line + 5 + strspn(line + 5, " "));
	e->moves += strcmp(line, "go") == 0 || begins(line, "go ");
	e->quits = strcmp(line, "quit") == 0 || begins(line, "quit ");
}

static void check_answers(struct expected *e, char *heard)
{
	static const char *const starts[] = { "status ",   "search ", "nodestats ",
					      "analysis ", "learned", "set myname yomi",
					      "=== " };
	int pings = 0, moves = 0;
	char *line;
	talk_check(heard);
	size_t length = strlen(heard);
	assert(length == 0 || heard[length - 1] == '\n');
	while ((line = strsep(&heard, "\n")) && heard) {
		bool is_known = false;
		if (begins(line, "pong ")) {
			assert(pings < e->count && strcmp(line + 5, e->pings[pings]) == 0);
			pings++;
			continue;
		}
		for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
			is_known |= begins(line, starts[i]);
		assert(is_known);
		moves += begins(line, "===");
	}
	assert(pings == e->count && moves == e->moves);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct expected e;
	struct talk t;
	char *text = fuzz_text(data, size);
	e.count = e.moves = 0;
	e.quits = false;
	talk_lines(text, size, expect, &e);
	(void)protocol_nboard.recognizes(text);
	talk_open(&t, protocols_nboard);
	check_answers(&e, talk_through(&t, text, size));
	talk_close(&t);
	while (e.count)
		free(e.pings[--e.count]);
	free(text);
	return 0;
}
