/* SPDX-License-Identifier: MIT
 *
 * For the loop of a program without threads.
 */
#ifndef ENGINE_BASE_THREAD_WASM_H
#define ENGINE_BASE_THREAD_WASM_H

#include <stdbool.h>

/* Runs the thread that was started first of those that have not run, until it ends. Returns false if there is none. With real
 * threads there never is. */
bool thread_run_waiting(void);

#endif
