/* SPDX-License-Identifier: MIT
 * What this program is.
 */
#ifndef PROTOCOL_VERSION_H
#define PROTOCOL_VERSION_H

#define VERSION_NAME   "yomi"
#define VERSION_NUMBER "0.1"

/* The version with the commit it was built from: "0.1-3bc081d". */
const char *version_text(void);

/* The day of that commit, YYYY-MM-DD; "" where it is not known. */
const char *version_date(void);

/* Version, kernel and libraries, some lines with a final newline. */
#define VERSION_DETAILS_MAX 512
void version_details(char text[VERSION_DETAILS_MAX]);

#endif
