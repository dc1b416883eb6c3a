/* SPDX-License-Identifier: MIT */
#include "tools/check/witness.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "engine/base/thread.h"
#include "engine/search/common/control.h"

#define SECONDS_MAX   100000
#define WITNESSES_MAX 64
#define NAP_MS        10

static int64_t origin; /* of the seconds */
static pthread_t threads[WITNESSES_MAX];
static int count, computed_ms;
static atomic_bool done;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* protects the next two */
static float worst_of[SECONDS_MAX]; /* worst delay of each second in milliseconds */
static struct series delays;

static void witness_note(double ms)
{
	int second = (int)clock_since(origin);
	pthread_mutex_lock(&mutex);
	series_add(&delays, ms);
	if (second < SECONDS_MAX && ms > (double)worst_of[second])
		worst_of[second] = (float)ms;
	pthread_mutex_unlock(&mutex);
}

/* Computes and reads the clock, as a search does, and waits, as a tester does. */
static void *witness(void *arg)
{
	const struct timespec nap = { .tv_nsec = NAP_MS * 1000000 };
	while (!atomic_load_explicit(&done, memory_order_relaxed)) {
		int64_t start = clock_now();
		nanosleep(&nap, NULL);
		witness_note(clock_since(start) * 1e3 - NAP_MS);
		int64_t deadline = clock_now() + computed_ms * 1000000;
		while (clock_now() < deadline)
			;
		if (computed_ms)
			witness_note(clock_since(deadline) * 1e3);
	}
	return NULL;
}

void witness_start(int64_t started, int witnesses, int compute_ms)
{
	origin = started;
	computed_ms = compute_ms;
	count = witnesses < WITNESSES_MAX ? witnesses : WITNESSES_MAX;
	for (int i = 0; i < count; i++)
		if (thread_start(&threads[i], witness, NULL) != 0)
			abort();
}

void witness_stop(void)
{
	atomic_store(&done, true);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

double witness_worst(int second)
{
	double worst = 0;
	for (int i = second - 2; i <= second + 1; i++)
		if (i >= 0 && i < SECONDS_MAX)
			worst = fmax(worst, (double)worst_of[i]);
	return worst;
}

struct series *witness_delays(void)
{
	return &delays;
}

void witness_free(void)
{
	series_free(&delays);
}
