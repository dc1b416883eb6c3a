/* SPDX-License-Identifier: MIT
 *
 * The folder that stores a training between its rounds:
 *
 *     DATA         the samples of all rounds, one after the other
 *     STATE.N      the learner after N rounds; N is that of the last line of rounds.tsv
 *     log.tsv      a line for each round, what the learner reports
 *     rounds.tsv   a line for each round: its number, the number of rounds that the weights which played it had
 *                  learned from, its games, its samples
 *     game         whose samples these are: the game, its rules and size, and the bytes of a sample
 *
 * A round is stored when its line is in rounds.tsv, which is replaced atomically. Whatever a process that was killed
 * has written for a later round is removed when the folder is entered. Folders of earlier versions have no `game`, or neither
 * rounds.tsv nor a number after STATE. What they hold gets one line, with `-` for what is unknown, and the number -1
 * if no round has ended.
 *
 * All functions exit with a message on failure unless they say otherwise.
 */
#ifndef TOOLS_TRAIN_FOLDER_H
#define TOOLS_TRAIN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/game.h"

#define FOLDER_PATH_MAX 4096

struct folder {
	const char *path;
	const char *data, *state; /* names of files */
	size_t size;              /* bytes of a sample */
	int rounds;               /* that are stored */
	size_t samples;           /* of these rounds */
	char *index;              /* the text of rounds.tsv */
	int lock;
};

/* Creates the folder if it does not exist, and removes what no round needs. A folder serves one process at a time, and
 * one game: that of another one is left as it is. */
void folder_enter(struct folder *, const char *path, const struct game *, const char *data,
		  const char *state, size_t size);
void folder_leave(struct folder *);

/* Adds samples to the data. They belong to the next round. */
void folder_add(const struct folder *, const void *samples, size_t count);

/* Ends the next round, after its samples, state and log were written. `version` is the number of rounds that its
 * weights had learned from. */
void folder_commit(struct folder *, int version, int games, size_t samples);

/* Sets the name of the file of the learner's state after so many rounds. */
void folder_state_path(const struct folder *, int rounds, char out[FOLDER_PATH_MAX]);

/* Finds the file of the state after the last round. Returns false if there is none. */
bool folder_find_state(const struct folder *, char out[FOLDER_PATH_MAX]);

/* Opens the data, `skipped` samples after its begin. Returns NULL if there is none. */
FILE *folder_open_data(const struct folder *, size_t skipped);

/* Opens the log to add a line, and closes it. */
FILE *folder_open_log(const struct folder *);
void folder_close_log(const struct folder *, FILE *);

/* Writes PATH/NAME. A longer path is truncated. */
void folder_file_path(const struct folder *, const char *name, char out[FOLDER_PATH_MAX]);

/* Replaces a file atomically: a reader sees the old content or all of the new content. */
void folder_write(const char *path, const void *bytes, size_t size);

#endif
