/* SPDX-License-Identifier: MIT
 *
 * Threads that receive no signals, so that the program's main thread gets them all.
 */
#ifndef ENGINE_THREAD_H
#define ENGINE_THREAD_H

#include <pthread.h>

/* Starts a thread with all signals blocked. Returns 0, or the error number of pthread_create(). */
int thread_start(pthread_t *, void *(*run)(void *), void *arg);

#endif
