/* SPDX-License-Identifier: MIT
 *
 * Name, version and build of yomi, for the engine and its tools.
 */
#ifndef ENGINE_VERSION_H
#define ENGINE_VERSION_H

#define VERSION_NAME   "yomi"
#define VERSION_NUMBER "0.1"

/* Version and commit: "0.1-3bc081d". */
const char *version_text(void);

/* Commit as `git describe` writes it; "unknown" outside of a repository. */
const char *version_commit(void);

/* Date of the commit, YYYY-MM-DD; "" if unknown. */
const char *version_date(void);

#endif
