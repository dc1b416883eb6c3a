/* SPDX-License-Identifier: MIT */
#include "tools/lib/flags.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/gtp/gtp.h"

#define HELP      (-2) /* result of getopt_long for --help; other options give their index */
#define COLUMNS   20   /* where the help of an option begins */
#define FLAGS_MAX 32

void flags_refuse(const struct flags *f)
{
	fprintf(stderr, "%s: wanted is [OPTION...] %s; see %s --help\n", f->tool, f->words,
		f->tool);
	exit(FLAGS_EXIT_USAGE);
}

static void print_help(const struct flags *f)
{
	printf("Usage: %s [OPTION...] %s\n%s\n\n", f->tool, f->words, f->help);
	for (int i = 0; i < f->count; i++) {
		const struct flag *flag = &f->list[i];
		const char *line = flag->help;
		int width = printf("  --%s%s%s", flag->name, flag->value ? "=" : "",
				   flag->value ? flag->value : "");
		while (line) {
			const char *end = strchr(line, '\n');
			printf("%*s%.*s\n", width < COLUMNS ? COLUMNS - width : 1, "",
			       end ? (int)(end - line) : (int)strlen(line), line);
			line = end ? end + 1 : NULL;
			width = 0;
		}
	}
}

static bool take(const struct flag *flag, const char *text)
{
	if (flag->number)
		return gtp_int(text, flag->number) && *flag->number >= flag->least;
	if (flag->real)
		return gtp_real(text, flag->real) && *flag->real >= flag->least;
	if (flag->text)
		*flag->text = text;
	else
		*flag->set = true;
	return true;
}

int flags_read(const struct flags *f, int argc, char **argv)
{
	struct option options[FLAGS_MAX + 2] = { 0 };
	bool good = true;
	assert(f->count <= FLAGS_MAX);
	for (int i = 0; i < f->count; i++)
		options[i] = (struct option) { f->list[i].name, f->list[i].value != NULL, NULL, i };
	options[f->count] = (struct option) { "help", no_argument, NULL, HELP };
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == HELP) {
			print_help(f);
			exit(EXIT_SUCCESS);
		}
		good = good && c >= 0 && c < f->count && take(&f->list[c], optarg);
	}
	int words = argc - optind;
	if (!good || words < f->words_min || words > f->words_max)
		flags_refuse(f);
	return optind;
}
