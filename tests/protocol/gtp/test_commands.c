/* SPDX-License-Identifier: MIT
 *
 * The command tables, and the suggestion for a mistyped command.
 */
#include "protocol/carriers/loop.h"
#include "protocol/session/command.h"

#include <event2/event.h>
#include <string.h>

#include "protocol/gtp/commands.h"
#include "protocol/program/tables.h"
#include "protocol/session/fifo.h"
#include "protocol/session/protocol.h"
#include "tests/suite.h"

START_TEST(every_command_is_found_by_its_name)
{
	const struct command *c;
	for (int i = 0; (c = commands_at(i)); i++) {
		ck_assert_ptr_eq(commands_find(c->name), c);
	}
	ck_assert_ptr_null(commands_find(""));
	ck_assert_ptr_null(commands_find("NAME"));
}
END_TEST

START_TEST(arguments_are_counted)
{
	static const struct {
		const char *args;
		bool more, optional;
		int least, most;
	} rows[] = {
		{ "", false, false, 0, 0 },
		{ "COLOR", false, false, 1, 1 },
		{ "COLOR MOVE", false, false, 2, 2 },
		{ "[NAME [VALUE]]", false, false, 0, 2 },
		{ "FILE [GAME]", false, false, 1, 2 },
		{ "COLOR [INTERVAL [MOVES]]", false, false, 1, 3 },
		{ "a|b|c", false, false, 1, 1 },
		{ "[all|rules|COMMAND]", false, false, 0, 1 },
		{ "POINT...", false, false, 1, COMMAND_ANY },
		{ "[MOVE...]", false, false, 0, COMMAND_ANY },
		{ "COLOR POINT ...", false, false, 2, COMMAND_ANY },
		{ "SYSTEM [NUMBER]...", false, false, 1, COMMAND_ANY },
		{ "[COLOR] [INTERVAL] [KEY VALUE]...", false, false, 0, COMMAND_ANY },
		{ "COLOR", true, false, 1, COMMAND_ANY },
		{ "POINT...", false, true, 0, COMMAND_ANY },
		{ "MOVE", false, true, 0, 1 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct command c = { .args = rows[i].args,
					   .more = rows[i].more,
					   .optional = rows[i].optional };
		int least, most;
		command_count(&c, &least, &most);
		ck_assert_msg(least == rows[i].least && most == rows[i].most, "%s: %d to %d",
			      rows[i].args, least, most);
		ck_assert_int_eq(command_takes(&c, 0), !least);
		ck_assert(command_takes(&c, most));
		ck_assert(most == COMMAND_ANY || !command_takes(&c, most + 1));
	}
}
END_TEST

START_TEST(a_mistyped_command_has_a_suggestion)
{
	static const struct {
		const char *name, *suggestion;
	} rows[] = {
		{ "paly", "play" },
		{ "gemmove", "genmove" },
		{ "showbord", "showboard" },
		{ "show", "showboard" },
		{ "clear-board", "clear_board" },
		{ "yomi-vaues", "yomi-values" },
		{ "frobnicate", NULL },
		{ "", NULL },
		{ "42", NULL },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *suggestion = commands_suggestion(rows[i].name);
		if (rows[i].suggestion)
			ck_assert_str_eq(suggestion, rows[i].suggestion);
		else
			ck_assert_msg(!suggestion, "%s: %s", rows[i].name, suggestion);
	}
}
END_TEST

/* --- in a session --- */

static struct event_base *base;
static struct session *session;
static char notes[256]; /* all lines for the user's stderr */

static void take_note(void *arg, const char *line, size_t length)
{
	(void)arg;
	strncat(notes, line, length);
}

static void ignore_change(void *arg)
{
	(void)arg;
}

static void begin(void)
{
	static struct options options;
	static struct session_settings settings;
	options_init(&options);
	settings_init(&settings);
	settings.verbose = true;
	base = event_base_new();
	session = session_create(&(struct session_setup) {
		.loop = &loop_of_events,
		.base = base,
		.game = &game_tictactoe,
		.options = &options,
		.settings = &settings,
		.protocols = protocols_gtp,
		.line_max = 4096,
		.queue_max = SESSION_QUEUE_MAX,
		.changed = ignore_change,
		.note = take_note,
	});
}

static void end(void)
{
	session_destroy(session);
	event_base_free(base);
}

static void check(const char *line, const char *answer, const char *note)
{
	struct fifo *output = session_output(session);
	*notes = '\0';
	session_input(session, line, strlen(line));
	ck_assert_uint_eq(fifo_length(output), strlen(answer));
	ck_assert_mem_eq(fifo_bytes(output), answer, strlen(answer));
	fifo_clear(output);
	ck_assert_str_eq(notes, note);
}

/* Clients compare the answer, so the suggestion is a note. */
START_TEST(the_suggestion_is_a_note)
{
	check("3 paly b b2\n", "?3 unknown command\n\n",
	      "paly: unknown command, did you mean play?\n");
	check("help undoo\n", "? unknown command\n\n",
	      "undoo: unknown command, did you mean undo?\n");
	check("frobnicate\n", "? unknown command\n\n", "");
	check("7\n", "?7 unknown command\n\n", "");
	check("known_command paly\n", "= false\n\n", "");
}
END_TEST

int main(void)
{
	commands_use(tables_commands);
	Suite *suite = suite_create("command");
	TCase *cases = tcase_create("command");
	tcase_add_test(cases, every_command_is_found_by_its_name);
	tcase_add_test(cases, arguments_are_counted);
	tcase_add_test(cases, a_mistyped_command_has_a_suggestion);
	suite_add_tcase(suite, cases);
	cases = tcase_create("session");
	tcase_add_checked_fixture(cases, begin, end);
	tcase_add_test(cases, the_suggestion_is_a_note);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
