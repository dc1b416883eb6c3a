/* SPDX-License-Identifier: MIT
 *
 * Name, version and build of yomi, for the engine and its tools.
 */
#ifndef ENGINE_BASE_VERSION_H
#define ENGINE_BASE_VERSION_H

#define VERSION_NAME "yomi"

/* Version of the newest entry in tools/debian/changelog, "0.2.0"; "unknown" if built without the Makefile. */
const char *version_number(void);

/* Commit as `git describe` writes it; "unknown" outside of a repository. */
const char *version_commit(void);

/* Date of the commit, YYYY-MM-DD; "" if unknown. */
const char *version_date(void);

/* Version and commit: "0.2.0-3bc081d". */
const char *version_text(void);

#endif
