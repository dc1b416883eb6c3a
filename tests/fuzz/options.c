/* SPDX-License-Identifier: MIT
 *
 * Options in all the ways they come: a value, the text of a config file, the words of a command line. Each
 * input is taken as all three; a word is a line.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "protocol/gtp/command.h"
#include "protocol/program/complete.h"
#include "protocol/program/config.h"
#include "protocol/program/program.h"
#include "protocol/program/tools.h"
#include "tests/fuzz/fuzz.h"

#define WORDS_MAX 64

/* One flag of each type. */
struct values {
	const char *game, *rules, *log, *listen;
	char *commands;
	int idle, shade;
	double time;
	bool gogui;
};

#define AT(field) offsetof(struct values, field)

static const char *const shades[] = { "never", "always", NULL };

static const struct flag flags[] = {
	{ "game", FLAG_GAME, AT(game), "GAME", "a game", .in_config = true },
	{ "rules", FLAG_RULES, AT(rules), "RULES", "its rules", .in_config = true },
	{ "command", FLAG_LINES, AT(commands), "LINE", "a line" },
	{ "log", FLAG_TEXT, AT(log), "FILE", "a file", .in_config = true },
	{ "listen", FLAG_TEXT, AT(listen), "ADDRESS", "an address", .alias = "serve" },
	{ "idle", FLAG_INT, AT(idle), "SECONDS", "a whole number", 0, 100, .in_config = true },
	{ "patience", FLAG_REAL, AT(time), "SECONDS", "a number", 0.5, 100, .in_config = true },
	{ "shade", FLAG_CHOICE, AT(shade), "SHADE", "one of two", .choices = shades,
	  .in_config = true },
	{ "gogui", FLAG_SET, AT(gogui), NULL, "a switch" },
	{ 0 },
};

static int run_nothing(const struct arguments *a)
{
	(void)a;
	return 0;
}

static const struct mode modes[] = {
	{ .name = "gtp", .args = "", .help = "speak GTP", .run = run_nothing },
	{ .name = "perft",
	  .args_min = 2,
	  .args_max = 4,
	  .args = "GAME DEPTH [BOARD SIDE]",
	  .help = "count",
	  .options = "rules",
	  .run = run_nothing },
	{ .name = "bench", .args = "", .help = "measure", .options = "", .run = run_nothing },
	{ 0 },
};

static const struct tool tools[] = { { "match", "play" }, { 0 } };

static const struct program program = {
	.name = "yomi",
	.modes = modes,
	.flags = flags,
	.tools = tools,
	.size = sizeof(struct values),
	.is_engine = true,
	.command_at = command_at,
};

/* A program with one mode and without the engine's options. */
static const struct mode only_mode[] = {
	{ .name = "", .args_min = 1, .args_max = 2, .args = "FILE GAME", .run = run_nothing },
	{ 0 },
};

static const struct program simple = {
	.name = "yomi-simple",
	.modes = only_mode,
	.flags = flags,
	.size = sizeof(struct values),
};

static void check_in_bounds(const struct option *o, const char *text)
{
	if (o->type == OPTION_INT || o->type == OPTION_LONG || o->type == OPTION_REAL) {
		double x = strtod(text, NULL);
		assert(x >= o->min && x <= o->max);
	}
}

static bool is_equal(const struct options *a, const struct options *b)
{
	char text_a[OPTION_TEXT_MAX], text_b[OPTION_TEXT_MAX];
	bool equal = true;
	for (int i = 0; i < option_count; i++) {
		option_get(a, &option_table[i], text_a);
		option_get(b, &option_table[i], text_b);
		equal &= strcmp(text_a, text_b) == 0;
	}
	return equal;
}

/* What is set is within its bounds and can be set again as it is told; what is refused changes nothing. */
static void check_value(const char *value)
{
	for (int i = 0; i < option_count; i++) {
		const struct option *o = &option_table[i];
		struct options before, after;
		char text[OPTION_TEXT_MAX], again[OPTION_TEXT_MAX], why[REASON_MAX] = "";
		options_init(&before);
		options_init(&after);
		if (!option_set(&after, o, value, why)) {
			assert(*why && is_equal(&before, &after));
			continue;
		}
		option_get(&after, o, text);
		assert(strlen(text) < OPTION_TEXT_MAX);
		check_in_bounds(o, text);
		bool good = option_set(&after, o, text, why);
		assert(good);
		option_get(&after, o, again);
		assert(strcmp(text, again) == 0);
	}
}

static bool check_setting(void *arg, const char *name, const char *value)
{
	int *count = arg;
	assert(*name && !strpbrk(name, "=\n") && !strchr(value, '\n'));
	++*count;
	return strcmp(name, "stop") != 0;
}

static void check_config(char *text, size_t length)
{
	int line = -1, count = 0, lines = 1;
	const char *why = "";
	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	bool good = config_parse(text, length, &line, &why, check_setting, &count);
	assert(line >= 0 && line <= lines && count <= line);
	assert(!good || !why);
}

/* Words that name a config file are left out: the one there is holds the input. */
static int split(char *text, char **words)
{
	int n = 2;
	char *word;
	while (n < WORDS_MAX && (word = strsep(&text, "\n")))
		if (strncmp(word, "--config", 8) != 0 && strncmp(word, "--no-config", 11) != 0)
			words[n++] = word;
	return n;
}

static void check_arguments(const struct program *p, int count, char **words)
{
	struct arguments a;
	struct values values = { .idle = 1, .time = 1 };
	char why[COMPLAINT_MAX] = "";
	if (arguments_read(&a, p, &values, count, words, why)) {
		assert(a.mode && a.count >= 0 && a.count <= count);
		assert(a.help || a.version || a.count >= a.mode->args_min);
		for (int i = 0; i < option_count; i++) {
			char text[OPTION_TEXT_MAX];
			option_get(&a.options, &option_table[i], text);
			check_in_bounds(&option_table[i], text);
		}
		assert(values.idle >= 0 && values.idle <= 100 && values.shade >= 0 &&
		       values.shade <= 1);
		assert(values.time >= 0.5 && values.time <= 100);
		assert(arguments_game(values.game, values.rules, why) || *why);
	} else {
		assert(*why && strlen(why) < sizeof why);
	}
	arguments_free(&a);
}

static void check_completions(const struct program *p, char **words, int count)
{
	char *offered;
	size_t length;
	FILE *f = open_memstream(&offered, &length);
	assert(f);
	complete_print(f, p, count, (const char *const *)words);
	fclose(f);
	assert(length == 0 || offered[length - 1] == '\n');
	free(offered);
}

static void check_words(char **words, int count)
{
	check_arguments(&program, count, words);         /* over the config file */
	check_arguments(&program, count - 2, words + 2); /* there is none */
	check_arguments(&simple, count - 2, words + 2);
	check_completions(&program, words + 2, count - 2);
	check_completions(&simple, words + 2, count - 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];
	char flag[] = "--config", *words[WORDS_MAX] = { flag, path }, *text = fuzz_text(data, size);
	if (fd < 0) {
		fd = memfd_create("config", MFD_CLOEXEC);
		assert(fd >= 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	}
	bool written = ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size;
	assert(written);
	check_value(text);
	check_config(text, size);
	memcpy(text, data, size);
	check_words(words, split(text, words));
	free(text);
	return 0;
}
