/* SPDX-License-Identifier: MIT
 *
 * GTP as a protocol of a session. Its commands are const tables, one in the file of each topic. list_commands, known_command,
 * help and the check of argument counts use their rows.
 */
#ifndef PROTOCOL_GTP_COMMANDS_H
#define PROTOCOL_GTP_COMMANDS_H

#include "engine/rules/record.h"
#include "protocol/gtp/gtp.h"
#include "protocol/session/protocol.h"

extern const struct command terms_commands[], play_commands[], genmove_commands[], time_commands[],
	analysis_commands[], kata_commands[], param_commands[], gogui_commands[],
	drawing_commands[], client_commands[], solve_commands[], ending_commands[];

/* Adds the tables of folders above, NULL-terminated, which must outlive all sessions. The program calls it at its start,
 * before there is a session. */
void commands_use(const struct command *const *others);

/* Returns the i-th command of all tables, NULL after the last. */
const struct command *commands_at(int i);
/* Returns the command with this name, NULL if there is none. */
const struct command *commands_find(const char *name);
/* Returns the name of the command that a mistyped name most likely means, NULL if none is similar. Public for
 * tests. */
const char *commands_suggestion(const char *name);

/* Runs s->command in the notation of the session. */
enum outcome commands_run(struct session *);

/* Finds the command, checks the number of its arguments and runs it. */
enum outcome commands_run_words(struct session *, struct gtp_command *);

/* protocol.run of GTP, for protocols that have its commands. */
enum outcome commands_run_line(struct session *, char *line, bool is_cut);

/* GTP, and the list of it alone for struct session_setup. */
extern const struct protocol protocol_gtp;
extern const struct protocol *const protocols_gtp[];

/* Plays a move given as text, and answers as `play` does. */
enum outcome play_move(struct session *, const char *color, const char *move);
/* Answers `play` after the attempt to play a move of `side`. */
enum outcome play_answer(struct session *, int side, enum move_check);

#endif
