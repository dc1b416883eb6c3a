/* SPDX-License-Identifier: MIT
 *
 * Files and folders, beyond what C has: plain files, files that are replaced at once, locks, folders. Paths are in UTF-8. Functions that
 * fail set errno. Any thread may call them.
 */
#ifndef ENGINE_BASE_DISK_H
#define ENGINE_BASE_DISK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum disk_kind { DISK_MISSING, DISK_PLAIN, DISK_FOLDER, DISK_OTHER };

/* What a path names. Two paths name the same file if `device` and `number` are equal. */
struct disk_file {
	enum disk_kind kind;
	uint64_t size;
	int64_t written; /* nanoseconds since 1970 */
	int64_t changed; /* the content or the permissions; nanoseconds since 1970 */
	uint64_t device, number;
};

/* Looks up what a path names, after symbolic links. Returns false, and a zeroed *file, if it cannot tell or there is nothing. */
bool disk_look(const char *path, struct disk_file *);

/* Opens a plain file to read it, and sets *file. Returns NULL with the reason if it cannot, or if it is no plain file: it never waits
 * for a pipe. Another process may replace the file meanwhile. */
FILE *disk_read(const char *path, struct disk_file *, const char **reason);

/* As fopen(). Programs that are started do not inherit the file. */
FILE *disk_open(const char *path, const char *mode);

/* Creates an empty file in the folder for temporary files. Returns its path, which the caller frees, or NULL. */
char *disk_new_file(void);

/* Writes what is buffered, to the disk itself. */
bool disk_sync(FILE *);

/* Sets the size of a file that is open for writing. */
bool disk_cut(FILE *, uint64_t size);

/* --- folders --- */

/* Creates a folder, for this user alone if it is private. Returns true if there is one. */
bool disk_make_folder(const char *path, bool is_private);

/* Calls `take` with the name of everything in a folder. Returns false if that cannot be read. */
bool disk_list(const char *path, void (*take)(void *arg, const char *name), void *arg);

/* Sets the time at which a file was written to now. */
bool disk_touch(const char *path);

/* --- locks --- */

/* Locks a file that is open for writing, until it is closed or the process ends. If another process has locked it, waits for that
 * or returns false. File systems without locks do not make it wait. */
bool disk_lock(FILE *, bool waits);

/* Locks one of many parts of a file, which is open for reading and writing in each process once. They need not exist. Returns false if
 * another process has locked the part. */
bool disk_lock_part(FILE *, int part);
void disk_unlock_part(FILE *, int part);

/* Returns true if another process has locked the part. */
bool disk_is_part_locked(FILE *, int part);

/* --- drafts --- */

/* What is written beside a file and then takes its place: the file's path and this. A process that is killed leaves it; the next one
 * writes over it. */
#define DISK_DRAFT ".yomi-draft"

struct disk_draft {
	FILE *file;          /* to write to; NULL on failure */
	char *target, *path; /* of the file, after symbolic links, and of the draft */
	unsigned mode;       /* permissions */
};

/* Opens an empty draft for a file. Waits for a process that writes it now. Returns false with the reason if the file is not plain or
 * could not be written. Call disk_draft_close() in any case. */
bool disk_draft_open(struct disk_draft *, const char *path, const char **reason);

/* Puts the draft in the place of the file, when all of it is on the disk. A new file gets its permissions from the process, another
 * one keeps them. */
bool disk_draft_finish(struct disk_draft *);

/* Closes a draft, and removes it if it was not finished. */
void disk_draft_close(struct disk_draft *);

#endif
