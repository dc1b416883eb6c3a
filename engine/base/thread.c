/* SPDX-License-Identifier: MIT */
#include "engine/base/thread.h"

#include <signal.h>

int thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, old;
	pthread_attr_t attr;
	size_t usual = 0;
	pthread_attr_init(&attr);
	pthread_attr_getstacksize(&attr, &usual);
	if (usual < THREAD_STACK)
		pthread_attr_setstacksize(&attr, THREAD_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int error = pthread_create(thread, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return error;
}
