/* SPDX-License-Identifier: MIT
 *
 * Checks any GTP engine against what clients demand, and reports in plain words.
 *
 * Demands that depend on the rules are checked only for the games of this program.
 */
#ifndef TOOLS_CHECK_CHECKLIST_H
#define TOOLS_CHECK_CHECKLIST_H

#include <stdio.h>

#include "engine/rules/game.h"

struct checklist {
	const char *command;     /* starts the engine; run by the shell */
	const char *game_name;   /* as given by the user; NULL: ask the engine */
	const struct game *game; /* NULL: its rules are unknown here */
	double patience;         /* time limit of each answer, in seconds */
	FILE *err;               /* receives the engine's stderr; NULL: nothing does */
	intptr_t cancel;         /* cancels the checks when it becomes readable; -1: none */
};

enum checklist_result {
	CHECKLIST_MET,
	CHECKLIST_FAILED,
	CHECKLIST_NOT_STARTED,
	CHECKLIST_CANCELLED
};

/* Checks an engine. Prints one line for each demand that fails, then a summary. The caller must ignore
 * SIGPIPE. */
enum checklist_result checklist_run(const struct checklist *, FILE *out);

#endif
