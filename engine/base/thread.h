/* SPDX-License-Identifier: MIT
 *
 * Threads that receive no signals, so that the program's main thread gets them all.
 */
#ifndef ENGINE_BASE_THREAD_H
#define ENGINE_BASE_THREAD_H

#include <pthread.h>

/* Bytes of a thread's stack. Searches need up to 6 MiB, and the usual size is much less on some systems. */
#define THREAD_STACK ((size_t)8 << 20)

/* Starts a thread with all signals blocked and a stack of at least THREAD_STACK. Returns 0, or the error number of
 * pthread_create(). */
int thread_start(pthread_t *, void *(*run)(void *), void *arg);

#endif
