/* SPDX-License-Identifier: MIT
 *
 * Memory of another process, as reported by the system.
 */
#ifndef TOOLS_LIB_PROCESS_H
#define TOOLS_LIB_PROCESS_H

/* Returns the memory in KiB under a name of /proc/PID/status: VmRSS (in use now) or VmHWM (peak). Returns 0
 * if the system does not report it. */
double process_memory(long, const char *name);

#endif
