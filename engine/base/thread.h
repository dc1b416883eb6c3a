/* SPDX-License-Identifier: MIT
 *
 * Threads that receive no signals, so that the program's main thread gets them all.
 */
#ifndef ENGINE_BASE_THREAD_H
#define ENGINE_BASE_THREAD_H

#include <pthread.h>
#include <stdint.h>

/* Bytes of a thread's stack. Searches need up to 6 MiB, and the usual size is much less on some systems. */
#define THREAD_STACK ((size_t)8 << 20)

/* Starts a thread with all signals blocked and a stack of at least THREAD_STACK. Returns 0, or the error number of
 * pthread_create(). */
int thread_start(pthread_t *, void *(*run)(void *), void *arg);

/* Creates a condition for thread_wait_until(). */
void thread_condition_init(pthread_cond_t *);

/* As pthread_cond_wait(), but at most until a time of CLOCK_MONOTONIC in nanoseconds. */
void thread_wait_until(pthread_cond_t *, pthread_mutex_t *, int64_t until);

/* Sleeps; a signal may end that earlier. */
void thread_sleep(int64_t nanoseconds);

/* Runs a function on `count` such threads, with the numbers from 0 on, and waits for all of them. Ends the process after a message
 * if the system refuses one. */
void threads_run(int count, void (*run)(void *arg, int number), void *arg);

#endif
