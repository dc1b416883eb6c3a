/* SPDX-License-Identifier: MIT
 *
 * Options from every source: a single value, a config file, a command line. Each input is used as all three;
 * each line is a word of the command line.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "protocol/gtp/commands.h"
#include "protocol/program/complete.h"
#include "protocol/program/config.h"
#include "protocol/program/program.h"
#include "protocol/program/tools.h"
#include "protocol/session/command.h"
#include "tests/fuzz/fuzz.h"

#define WORDS_MAX 64

/* One flag of each type. */
struct command_line {
	const char *game, *rules, *size, *log, *listen;
	char *commands;
	int idle, shade;
	double time;
	bool gogui;
};

#define AT(field) offsetof(struct command_line, field)

static const char *const shades[] = { "never", "always", NULL };

static const struct flag flags[] = {
	{ "game", FLAG_GAME, AT(game), "GAME", "a game", .in_config = true },
	{ "rules", FLAG_RULES, AT(rules), "RULES", "its rules", .in_config = true },
	{ "size", FLAG_SIZE, AT(size), "SIZE", "its size", .in_config = true },
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
	  .options = "rules size",
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
	.size = sizeof(struct command_line),
	.is_engine = true,
	.command_at = commands_at,
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
	.size = sizeof(struct command_line),
};

static void check_in_bounds(const struct option *o, const char *text)
{
	if (o->type == OPTION_INT || o->type == OPTION_LONG || o->type == OPTION_REAL) {
		double x = strtod(text, NULL);
		assert(x >= o->min && x <= o->max);
	}
}

/* The values of all options. */
struct setup {
	struct options options;
	struct session_settings settings;
};

static struct setting_values values_of(struct setup *s)
{
	return (struct setting_values) { &s->options, &s->settings };
}

static bool is_equal(const struct setting_values *a, const struct setting_values *b)
{
	char text_a[OPTION_TEXT_MAX], text_b[OPTION_TEXT_MAX];
	bool equal = true;
	for (int i = 0; setting_at(i); i++) {
		setting_get(a, setting_at(i), text_a);
		setting_get(b, setting_at(i), text_b);
		equal &= strcmp(text_a, text_b) == 0;
	}
	return equal;
}

/* An accepted value is within its limits and its text can be read back. A refused value changes nothing. */
static void check_value(const char *value)
{
	const struct option *o;
	for (int i = 0; (o = setting_at(i)); i++) {
		struct setup first, second;
		const struct setting_values before = values_of(&first), after = values_of(&second);
		char text[OPTION_TEXT_MAX], again[OPTION_TEXT_MAX], why[REASON_MAX] = "";
		options_init(before.options);
		options_init(after.options);
		settings_init(before.settings);
		settings_init(after.settings);
		if (!setting_set(&after, o, value, why)) {
			assert(*why && is_equal(&before, &after));
			continue;
		}
		setting_get(&after, o, text);
		assert(strlen(text) < OPTION_TEXT_MAX);
		check_in_bounds(o, text);
		bool good = setting_set(&after, o, text, why);
		assert(good);
		setting_get(&after, o, again);
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

/* Words that name a config file are skipped: the only config file holds the input. */
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
	struct command_line line = { .idle = 1, .time = 1 };
	char why[COMPLAINT_MAX] = "";
	if (arguments_read(&a, p, &line, count, words, why)) {
		assert(a.mode && a.count >= 0 && a.count <= count);
		assert(a.help || a.version || a.count >= a.mode->args_min);
		const struct setting_values values = { &a.options, &a.settings };
		for (int i = 0; setting_at(i); i++) {
			char text[OPTION_TEXT_MAX];
			setting_get(&values, setting_at(i), text);
			check_in_bounds(setting_at(i), text);
		}
		assert(line.idle >= 0 && line.idle <= 100 && line.shade >= 0 && line.shade <= 1);
		assert(line.time >= 0.5 && line.time <= 100);
		assert(arguments_game(line.game, line.rules, line.size, why) || *why);
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
	check_arguments(&program, count, words);         /* with the config file */
	check_arguments(&program, count - 2, words + 2); /* without one */
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
