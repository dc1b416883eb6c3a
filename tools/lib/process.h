/* SPDX-License-Identifier: MIT
 *
 * What the system tells of another process.
 */
#ifndef TOOLS_LIB_PROCESS_H
#define TOOLS_LIB_PROCESS_H

#include <sys/types.h>

/* Its memory in KiB by a name of /proc's `status`: VmRSS in use now, VmHWM the most that it was. 0: the system does
 * not tell. */
double process_memory(pid_t, const char *name);

#endif
