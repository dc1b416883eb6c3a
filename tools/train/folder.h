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

#include "engine/rules/game.h"

#define FOLDER_PATH_MAX 4096

struct folder {
	const char *path;
	const char *data, *state; /* names of files */
	size_t size;              /* bytes of a sample */
	int rounds;               /* that are stored */
	size_t samples;           /* of these rounds */
	char *index;              /* the text of rounds.tsv */
	const char *output;
	bool written; /* the weights, by this process */
	FILE *lock;   /* the log, while this process has the folder */
};

/* Creates the folder if it does not exist, and removes what no round needs. A folder serves one process at a time, and
 * one game: that of another one is left as it is. So is a folder in which anything is missing or damaged. `output` is the file
 * of the weights: none of the folder's own, and it must be possible to write it. */
void folder_enter(struct folder *, const char *path, const struct game *, const char *data,
		  const char *state, size_t size, const char *output);
void folder_leave(struct folder *);

/* Adds samples to the data. They belong to the next round. */
void folder_add(const struct folder *, const void *samples, size_t count);

/* Ends the next round, after its samples, state and log were written. `version` is the number of rounds that its
 * weights had learned from. */
void folder_commit(struct folder *, int version, int games, size_t samples);

/* Finds the file of the state after the last round. Returns false if there is none. */
bool folder_find_state(const struct folder *, char out[FOLDER_PATH_MAX]);

/* Reads the samples of the stored rounds but the first `skipped` ones. `out` has room for them. */
void folder_read_data(const struct folder *, size_t skipped, void *out);

/* Opens the log to add a line, and closes it. */
FILE *folder_open_log(const struct folder *);
void folder_close_log(const struct folder *, FILE *);

/* Writes PATH/NAME. A longer path is truncated. */
void folder_file_path(const struct folder *, const char *name, char out[FOLDER_PATH_MAX]);

/* Replaces the weights in `output` at once. */
void folder_write_output(struct folder *, const void *bytes, size_t size);

/* Writes the learner's state after so many rounds. */
void folder_write_state(const struct folder *, int rounds, const void *bytes, size_t size);

#endif
