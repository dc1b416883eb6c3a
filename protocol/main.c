/* SPDX-License-Identifier: MIT
 *
 * The command line: a mode, its arguments, options anywhere between them. What --help prints comes
 * from the tables of modes, flags and engine options.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/options.h"
#include "engine/perft.h"
#include "games/games.h"
#include "protocol/bench.h"
#include "protocol/gtp.h"
#include "protocol/stdio.h"
#include "protocol/version.h"

#define EXIT_USAGE 2

struct arguments {
	const char *game, *rules, *log, *help, *version;
	struct options options;
	int count;
	char **words; /* behind the mode */
};

struct mode {
	const char *name;
	int args_min, args_max;
	const char *args, *help;
	int (*run)(const struct arguments *);
};

/* Tells the user what was wrong; returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) static int complain(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("yomi: ", stderr);
	vfprintf(stderr, format, args);
	fputs("; see yomi --help\n", stderr);
	va_end(args);
	return EXIT_USAGE;
}

/* A game with its default rules or those given; complains and returns NULL if there is none. */
static const struct game *find_game(const char *name, const char *rules)
{
	const struct game *g = game_find(name, rules);
	if (!game_find(name, NULL))
		complain("there is no game %s", name);
	else if (!g)
		complain("%s has no rules %s", name, rules);
	return g;
}

static int run_gtp(const struct arguments *a)
{
	const struct game *g = find_game(a->game ? a->game : games[0]->name, a->rules);
	return g ? stdio_run(g, &a->options, a->log) : EXIT_USAGE;
}

static int run_perft(const struct arguments *a)
{
	static struct perft perft;
	static char text[PERFT_TEXT_MAX];
	struct state start;
	const char *reason = NULL;
	int depth;
	const struct game *g = find_game(a->words[0], a->rules);
	if (!g)
		return EXIT_USAGE;
	if (!gtp_int(a->words[1], &depth) || depth < 1 || depth > PERFT_DEPTH_MAX)
		return complain("the depth is a number from 1 to %d", PERFT_DEPTH_MAX);
	g->start(&start);
	if (a->count > 2)
		reason = a->count == 4 ? game_setup(g, &start, a->words[2], a->words[3])
				       : "a position is a board and a side";
	if (reason)
		return complain("%s", reason);
	perft_count(g, &start, depth, &perft);
	perft_format(&perft, text, sizeof text);
	puts(text);
	return 0;
}

static int run_bench(const struct arguments *a)
{
	(void)a;
	return bench_run();
}

static const struct mode modes[] = {
	{ "gtp", 0, 0, "", "speak GTP on standard input and output (the default)", run_gtp },
	{ "perft", 2, 4, "GAME DEPTH [BOARD SIDE]",
	  "count the games of each length, from the start or from a position: its squares from the "
	  "top left, row by row (X, O, '.'), and the side to move (X or O)",
	  run_perft },
	{ "bench", 0, 0, "", "measure the speed of games and searches", run_bench },
};

#define AT(field) offsetof(struct arguments, field)

/* Options that are not the engine's; all values are texts. */
static const struct flag {
	const char *name, *value, *help;
	size_t offset;
} flags[] = {
	{ "game", "NAME", "the game to begin with", AT(game) },
	{ "rules", "NAME", "the rule set of the game", AT(rules) },
	{ "log", "FILE", "append a time-stamped transcript of both directions to FILE", AT(log) },
	{ "help", NULL, "print this and leave", AT(help) },
	{ "version", NULL, "print commit, kernels and libraries and leave", AT(version) },
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void print_help(void)
{
	struct options initial;
	char value[OPTION_TEXT_MAX];
	options_init(&initial);
	printf("Usage: yomi [MODE] [ARGUMENT...] [--OPTION=VALUE...]\n\nModes:\n");
	for (size_t i = 0; i < COUNT(modes); i++)
		printf("  %s%s%s\n      %s\n", modes[i].name, *modes[i].args ? " " : "",
		       modes[i].args, modes[i].help);
	printf("\nGames and their rules:\n");
	for (int i = 0; games[i]; i++)
		printf("  %s %s\n", games[i]->name, games[i]->rules);
	printf("\nOptions:\n");
	for (size_t i = 0; i < COUNT(flags); i++)
		printf("  --%s%s%s\n      %s\n", flags[i].name, flags[i].value ? "=" : "",
		       flags[i].value ? flags[i].value : "", flags[i].help);
	for (int i = 0; i < option_count; i++) {
		const struct option *o = &option_table[i];
		option_get(&initial, o, value);
		printf("  --%s=%s\n      %s\n", o->name, value, o->help);
		if (o->type != OPTION_CHOICE && o->type != OPTION_SEARCH)
			continue;
		for (int j = 0; option_choice(o, j); j++)
			printf("%s%s", j ? ", " : "      one of: ", option_choice(o, j));
		printf("\n");
	}
}

static const struct flag *flag_find(const char *name)
{
	for (size_t i = 0; i < COUNT(flags); i++)
		if (strcmp(flags[i].name, name) == 0)
			return &flags[i];
	return NULL;
}

/* A board of dashes is no option, and no option is spelled like a board. */
static bool is_option(const char *word)
{
	return strncmp(word, "--", 2) == 0 && word[strspn(word, "XOxo.-")];
}

/* Reads the option at words[*i], which begins with "--", and its value; returns 0 or EXIT_USAGE. */
static int read_option(struct arguments *a, int count, char **words, int *i)
{
	char name[64], why[REASON_MAX];
	const char *word = words[*i] + 2, *value = strchr(word, '=');
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);

	const struct flag *flag = flag_find(name);
	const struct option *option = option_find(name);
	if (!flag && !option)
		return complain("unknown option --%s", name);
	if (flag && !flag->value) {
		if (value)
			return complain("--%s takes no value", name);
		value = "";
	} else if (value) {
		value++;
	} else if (option && option->type == OPTION_BOOL) {
		/* The next word is its value if it reads as one, or else a mode or an argument. */
		value = "1";
		if (*i + 1 < count && option_set(&a->options, option, words[*i + 1], why))
			value = words[++*i];
	} else if (*i + 1 < count) {
		value = words[++*i];
	} else {
		return complain("--%s wants a value", name);
	}

	if (flag)
		memcpy((char *)a + flag->offset, &value, sizeof value);
	else if (!option_set(&a->options, option, value, why))
		return complain("%s", why);
	return 0;
}

/* Sorts the words into options and the others, which stay in `words`; returns 0 or EXIT_USAGE. */
static int read_arguments(struct arguments *a, int count, char **words)
{
	options_init(&a->options);
	a->words = words;
	for (int i = 0; i < count; i++) {
		if (!is_option(words[i]))
			words[a->count++] = words[i];
		else if (read_option(a, count, words, &i) != 0)
			return EXIT_USAGE;
	}
	return 0;
}

/* The mode that the first word names, which is then no argument any more. */
static const struct mode *choose_mode(struct arguments *a)
{
	const struct mode *mode = NULL;
	if (a->count == 0)
		return &modes[0];
	for (size_t i = 0; i < COUNT(modes); i++)
		if (strcmp(modes[i].name, a->words[0]) == 0)
			mode = &modes[i];
	if (!mode) {
		complain("there is no mode %s", a->words[0]);
		return NULL;
	}
	a->words++;
	a->count--;
	if (a->count >= mode->args_min && a->count <= mode->args_max)
		return mode;
	complain("wanted is: yomi %s%s%s", mode->name, *mode->args ? " " : "", mode->args);
	return NULL;
}

/* Descriptors 0 to 2 must be taken, or the event loop's own would get their numbers. */
static void open_standard(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

/* What the words ask for; returns the exit status. */
static int run(int count, char **words)
{
	struct arguments a = { 0 };
	char details[VERSION_DETAILS_MAX];
	if (read_arguments(&a, count, words) != 0)
		return EXIT_USAGE;
	if (a.help) {
		print_help();
		return 0;
	}
	if (a.version) {
		version_details(details);
		fputs(details, stdout);
		return 0;
	}
	const struct mode *mode = choose_mode(&a);
	return mode ? mode->run(&a) : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	open_standard();
	games_init();
	int status = run(argc - 1, argv + 1);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fputs("yomi: the output could not be written\n", stderr);
	return 1;
}
