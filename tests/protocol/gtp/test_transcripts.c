/* SPDX-License-Identifier: MIT
 *
 * Replays whole sessions through the real program. A transcript is a file of tests/protocol/transcripts:
 *
 *     # a comment
 *     $ --game othello           options for the program, on the first lines
 *     > showboard                a line that is sent
 *     = B2                       everything else is what must come back; `@` stands for any text in
 *     ...                        a line, `...` for all lines up to a blank one
 *
 * Each runs in an empty folder of its own, where it may write files. Every command and every option
 * must occur in a transcript and have a text that explains it.
 */
#include <dirent.h>

#include "protocol/gtp/commands.h"
#include "protocol/gtp/gtp.h"
#include "protocol/program/tables.h"
#include "protocol/session/command.h"
#include "protocol/session/settings.h"
#include "tests/protocol/process.h"

#define FOLDER "tests/protocol/transcripts/"

static char **transcripts; /* paths */
static int transcript_count;

static int is_transcript(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && strcmp(dot, ".gtp") == 0;
}

static void find_transcripts(void)
{
	struct dirent **entries;
	transcript_count = scandir(FOLDER, &entries, is_transcript, alphasort);
	transcripts = calloc((size_t)(transcript_count > 0 ? transcript_count : 1),
			     sizeof *transcripts);
	for (int i = 0; i < transcript_count; i++) {
		if (asprintf(&transcripts[i], FOLDER "%s", entries[i]->d_name) < 0)
			abort();
		free(entries[i]);
	}
	free(entries);
}

/* Reads a whole file. The caller frees the text. */
static char *read_all(FILE *f)
{
	char *text = NULL;
	size_t room = 0;
	rewind(f);
	ck_assert(getdelim(&text, &room, '\0', f) >= 0 || feof(f));
	return text ? text : strdup("");
}

/* Returns true if a line matches a transcript's line, in which `@` stands for any text. */
static bool matches(const char *expected, const char *line)
{
	if (*expected == '@')
		return matches(expected + 1, line) || (*line && matches(expected, line + 1));
	return *expected == *line && (!*expected || matches(expected + 1, line + 1));
}

/* Splits the next line off a text. Returns NULL if there is none. */
static char *next_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');
	if (!*line)
		return NULL;
	*text = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

static void compare(const char *path, FILE *transcript, FILE *output)
{
	char *expected = read_all(transcript), *text = read_all(output);
	char *next = expected, *answers = text, *line;
	for (int number = 1; (line = next_line(&next)); number++) {
		if (strchr("#$>", line[0]) && line[0])
			continue;
		if (strcmp(line, "...") == 0) {
			while (*answers && *answers != '\n')
				next_line(&answers);
			continue;
		}
		const char *answer = next_line(&answers);
		ck_assert_msg(answer && matches(line, answer), "%s:%d: '%s' instead of '%s'", path,
			      number, answer ? answer : "nothing", line);
	}
	ck_assert_msg(!*answers, "%s: more than expected: %s", path, answers);
	free(expected);
	free(text);
}

START_TEST(session_is_as_recorded)
{
	const char *path = transcripts[_i];
	FILE *transcript = fopen(path, "re"), *input = tmpfile(), *output = tmpfile();
	char *line = NULL, options[256] = "", folder[] = "/tmp/yomi-transcript-XXXXXX";
	size_t room = 0;
	ck_assert(transcript && input && output && mkdtemp(folder));
	while (getline(&line, &room, transcript) >= 0) {
		if (line[0] == '>' && line[1] == ' ')
			fputs(line + 2, input);
		else if (line[0] == '$')
			snprintf(options, sizeof options, "%.*s", (int)strcspn(line + 1, "\n"),
				 line + 1);
	}
	free(line);
	rewind(input);
	pid_t child = process_start(options, fileno(input), fileno(output), folder);
	ck_assert_int_eq(process_wait(child), 0);
	compare(path, transcript, output);
	fclose(transcript);
	fclose(input);
	fclose(output);
	char command[64];
	snprintf(command, sizeof command, "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Returns true if a transcript sends the command, with this first argument unless that is NULL. */
static bool is_used(const char *name, const char *argument)
{
	bool used = false;
	for (int i = 0; i < transcript_count; i++) {
		FILE *f = fopen(transcripts[i], "re");
		char *line = NULL;
		size_t room = 0;
		ssize_t length;
		while ((length = getline(&line, &room, f)) >= 0) {
			struct gtp_command c;
			if (line[0] != '>' ||
			    gtp_clean(line + 1, (size_t)length - 1) != LINE_COMMAND)
				continue;
			gtp_parse(&c, line + 1);
			used |= c.count && strcmp(c.words[0], name) == 0 &&
				(!argument || (c.count > 2 && strcmp(c.words[1], argument) == 0));
			gtp_command_free(&c);
		}
		free(line);
		fclose(f);
	}
	return used;
}

START_TEST(every_command_is_explained_and_used)
{
	const struct command *c;
	for (int i = 0; (c = commands_at(i)); i++) {
		ck_assert_msg(*c->help, "%s has no help", c->name);
		ck_assert_msg(*c->args || command_takes(c, 0), "%s: arguments?", c->name);
		ck_assert_msg(is_used(c->name, NULL), "no transcript uses %s", c->name);
		ck_assert_ptr_eq(commands_find(c->name), c);
	}
}
END_TEST

START_TEST(every_option_is_explained_and_used)
{
	for (int i = 0; setting_at(i); i++) {
		const struct option *o = setting_at(i);
		ck_assert_msg(*o->help, "%s has no help", o->name);
		ck_assert_msg(is_used("param", o->name), "no transcript sets %s", o->name);
	}
}
END_TEST

int main(void)
{
	commands_use(tables_commands);
	find_transcripts();
	Suite *suite = suite_create("transcripts");
	TCase *cases = tcase_create("transcripts");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, session_is_as_recorded, 0, transcript_count);
	tcase_add_test(cases, every_command_is_explained_and_used);
	tcase_add_test(cases, every_option_is_explained_and_used);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
