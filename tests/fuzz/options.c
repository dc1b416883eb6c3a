/* SPDX-License-Identifier: MIT
 *
 * Options from every source: a single value, a config file, a command line. Each input is used as all three;
 * each line is a word of the command line.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "protocol/program/arguments.h"
#include "protocol/program/complete.h"
#include "protocol/program/config.h"
#include "tests/fuzz/fuzz.h"

#define WORDS_MAX 64

#define AT(field) offsetof(struct arguments, field)

static const char *const shades[] = { "never", "always", NULL };

/* One mode of each kind in protocol/program/main.c. */
static const struct flag flags[] = {
	{ "game", "GAME", "a game", AT(game), .in_config = true },
	{ "rules", "RULES", "its rules", AT(rules), .in_config = true },
	{ "command", "LINE", "a line", AT(commands), .repeated = true },
	{ "log", "FILE", "a file", AT(log), .in_config = true },
	{ "listen", "ADDRESS", "an address", AT(listen) },
	{ "idle", "SHADE", "one of two", AT(idle), .choices = shades, .in_config = true },
	{ "gogui", NULL, "a switch", AT(gogui) },
	{ "config", "FILE", "options", AT(config) },
	{ "no-config", NULL, "no options", AT(no_config) },
	{ "help", NULL, "explain", AT(help) },
	{ "version", NULL, "tell", AT(version) },
	{ 0 },
};

static int run_nothing(const struct arguments *a)
{
	(void)a;
	return 0;
}

static const struct mode modes[] = {
	{ "gtp", 0, 0, "", "speak GTP", NULL, run_nothing },
	{ "perft", 2, 4, "GAME DEPTH [BOARD SIDE]", "count", "rules", run_nothing },
	{ "bench", 0, 0, "", "measure", "", run_nothing },
	{ "complete", 0, INT_MAX, "-- [WORD...]", "offer", "", run_nothing },
	{ 0 },
};

static const struct program program = { modes, flags };

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
	struct settings settings;
};

static struct values values_of(struct setup *s)
{
	return (struct values) { &s->options, &s->settings };
}

static bool is_equal(const struct values *a, const struct values *b)
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
		const struct values before = values_of(&first), after = values_of(&second);
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

static void check_arguments(int count, char **words)
{
	struct arguments a;
	char why[COMPLAINT_MAX] = "";
	if (arguments_read(&a, &program, count, words, why)) {
		assert(a.mode && a.count >= 0 && a.count <= count);
		assert(a.help || a.version || a.count >= a.mode->args_min);
		const struct values values = { &a.options, &a.settings };
		for (int i = 0; setting_at(i); i++) {
			char text[OPTION_TEXT_MAX];
			setting_get(&values, setting_at(i), text);
			check_in_bounds(setting_at(i), text);
		}
		assert(arguments_game(a.game, a.rules, why) || *why);
	} else {
		assert(*why && strlen(why) < sizeof why);
	}
	arguments_free(&a);
}

static void check_words(char **words, int count)
{
	char *offered;
	size_t length;
	check_arguments(count, words);         /* with the config file */
	check_arguments(count - 2, words + 2); /* without one */
	FILE *f = open_memstream(&offered, &length);
	assert(f);
	complete_print(f, &program, count - 2, (const char *const *)words + 2);
	fclose(f);
	assert(length == 0 || offered[length - 1] == '\n');
	free(offered);
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
