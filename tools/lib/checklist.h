/* SPDX-License-Identifier: MIT
 *
 * What clients demand of a GTP engine, tried on any engine and told in plain words.
 *
 * Demands that depend on the rules are checked for the games that are known here.
 */
#ifndef TOOLS_LIB_CHECKLIST_H
#define TOOLS_LIB_CHECKLIST_H

#include <stdio.h>

#include "engine/game.h"

struct checklist {
	const char *command;     /* of the engine, for the shell */
	const char *game_name;   /* as the user says; NULL: the engine is asked */
	const struct game *game; /* NULL: its rules are not known here */
	double patience;         /* seconds that an answer may take */
	int stderr_fd;           /* where the engine's stderr goes */
	int cancel_fd;           /* ends the checks when it becomes readable; -1: none */
};

enum checklist_result {
	CHECKLIST_MET,
	CHECKLIST_FAILED,
	CHECKLIST_NOT_STARTED,
	CHECKLIST_CANCELLED
};

/* Checks an engine; prints a line for each demand that fails, then a summary. SIGPIPE must be ignored. */
enum checklist_result checklist_run(const struct checklist *, FILE *out);

#endif
