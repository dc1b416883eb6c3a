/* SPDX-License-Identifier: MIT
 *
 * Name, version and build of this program.
 */
#ifndef PROTOCOL_VERSION_H
#define PROTOCOL_VERSION_H

#define VERSION_NAME   "yomi"
#define VERSION_NUMBER "0.1"

/* Version and commit: "0.1-3bc081d". */
const char *version_text(void);

/* Date of the commit, YYYY-MM-DD; "" if unknown. */
const char *version_date(void);

/* Writes version, kernel and libraries, as several lines with a final line feed. */
#define VERSION_DETAILS_MAX 512
void version_details(char text[VERSION_DETAILS_MAX]);

#endif
