/* SPDX-License-Identifier: MIT
 *
 * What differs between systems and needs no files: processors, memory, names, folders. memory.h and thread.h have more functions that
 * each system implements in its own file, system_linux.c or another one. Any thread may call these functions.
 */
#ifndef ENGINE_BASE_SYSTEM_H
#define ENGINE_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a program does first, so that its input and output are as on other systems. */
void system_start(void);

/* Writes at most 256 random bytes that nobody can foresee. */
void system_entropy(void *, size_t);

/* The number of processors that this process may use, at least 1. */
int system_processors(void);

#ifdef __aarch64__
/* Returns true if this processor has the instructions for dot products of bytes. */
bool system_has_dotprod(void);
#endif

/* The most memory in bytes that this process has had; 0 if it is unknown. */
uint64_t system_peak_memory(void);

/* The number of this process. */
long system_process(void);

/* The name of this program's file, without folder and ".exe". */
const char *system_program(void);

/* The path of this program's file, or NULL if it is unknown. The caller frees it. */
char *system_program_path(void);

/* The name of this machine. The caller frees it. */
char *system_host(void);

/* Becomes another program, with NULL-terminated arguments. A name without a folder is looked up in $PATH. Where no process can become
 * another program, this one waits for it and ends with its status. Returns only on failure, with errno. */
void system_become(const char *path, char *const *argv);

/* Folders of the user: settings; what lasts, like books; what programs remember. */
enum system_folder { SYSTEM_CONFIG, SYSTEM_DATA, SYSTEM_STATE };

/* The path of yomi's part of such a folder, or NULL if the user has none. It may be missing. An absolute path in $XDG_CONFIG_HOME,
 * $XDG_DATA_HOME or $XDG_STATE_HOME replaces the system's folder. The caller frees the path. */
char *system_folder(enum system_folder);

/* The user's own folder, or NULL. */
const char *system_home(void);

/* Returns true if a character separates the names in a path. */
bool path_is_slash(char);

/* Returns true if a path does not depend on the current folder. */
bool path_is_absolute(const char *path);

/* The part of a path behind its last folder. */
const char *path_last(const char *path);

#endif
