/* SPDX-License-Identifier: MIT */
#include "engine/search/common/slots.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"

/* Nanoseconds. Each worker gets a turn about once a SLICE, so slices become shorter as more workers
 * wait. With slices below SLICE_MIN a worker would spend its slice loading its tree into the caches. */
#define SLICE     100000000
#define SLICE_MIN 5000000

struct waiter {
	struct waiter *next;
	const struct control *control;
	pthread_cond_t wake; /* it was called, or its search is over */
	bool called;         /* has been given a slot that another worker released */
};

struct slots {
	pthread_mutex_t mutex; /* for everything except reading `waiting` */
	int count, empty;
	struct waiter *first, **end; /* the queue; empty while a slot is free */
	_Atomic int waiting;
};

/* The calling thread's slot. */
static _Thread_local struct {
	struct slots *of; /* NULL: no slot */
	int64_t since;
} own_slot;

struct slots *slots_create(int count)
{
	struct slots *s = xcalloc(1, sizeof *s);
	assert(count >= 1);
	pthread_mutex_init(&s->mutex, NULL);
	s->count = s->empty = count;
	s->end = &s->first;
	return s;
}

void slots_destroy(struct slots *s)
{
	if (!s)
		return;
	assert(s->empty == s->count && !s->first);
	pthread_mutex_destroy(&s->mutex);
	free(s);
}

int slots_waiting(const struct slots *s)
{
	return atomic_load_explicit(&s->waiting, memory_order_relaxed);
}

/* Functions whose names end in _locked are called with the mutex held. */

static void enqueue_locked(struct slots *s, struct waiter *w)
{
	*s->end = w;
	s->end = &w->next;
	atomic_fetch_add_explicit(&s->waiting, 1, memory_order_relaxed);
}

static void remove_locked(struct slots *s, struct waiter **link)
{
	struct waiter *w = *link;
	*link = w->next;
	if (s->end == &w->next)
		s->end = link;
	atomic_fetch_sub_explicit(&s->waiting, 1, memory_order_relaxed);
}

/* Gives a free slot to the first waiter of the queue. */
static void call_locked(struct slots *s)
{
	struct waiter *w = s->first;
	if (!w)
		return;
	remove_locked(s, &s->first);
	s->empty--;
	w->called = true;
	pthread_cond_signal(&w->wake);
}

/* Sleeps until the waiter is woken, or its search is out of time. */
static void sleep_locked(struct slots *s, struct waiter *w)
{
	int64_t until = control_deadline(w->control);
	if (until == TIME_NEVER)
		pthread_cond_wait(&w->wake, &s->mutex);
	else
		thread_wait_until(&w->wake, &s->mutex, until);
}

/* Waits in the queue for a slot. Returns false if the search is over. */
static bool wait_locked(struct slots *s, const struct control *control)
{
	struct waiter w = { .control = control };
	thread_condition_init(&w.wake);
	enqueue_locked(s, &w);
	while (!w.called && !control_has_ended(control))
		sleep_locked(s, &w);
	if (!w.called) {
		struct waiter **link = &s->first;
		while (*link != &w)
			link = &(*link)->next;
		remove_locked(s, link);
	}
	pthread_cond_destroy(&w.wake);
	return w.called;
}

void slots_wake(struct slots *s)
{
	pthread_mutex_lock(&s->mutex);
	for (struct waiter *w = s->first; w; w = w->next)
		if (control_has_ended(w->control))
			pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&s->mutex);
}

static int64_t slice(const struct slots *s)
{
	int64_t length = SLICE / (1 + slots_waiting(s) / s->count);
	return length > SLICE_MIN ? length : SLICE_MIN;
}

bool slots_keep(struct slots *s, struct control *control)
{
	bool has_slot = own_slot.of == s;
	assert(has_slot || !own_slot.of);
	if (has_slot && (slots_waiting(s) == 0 || clock_now() < own_slot.since + slice(s)))
		return true;
	pthread_mutex_lock(&s->mutex);
	if (has_slot) {
		s->empty++;
		call_locked(s);
	}
	/* While a slot is free the queue is empty. */
	has_slot = s->empty > 0;
	if (has_slot)
		s->empty--;
	else
		has_slot = wait_locked(s, control);
	pthread_mutex_unlock(&s->mutex);
	if (!has_slot)
		control_is_over(control); /* stops it if it is out of time */
	own_slot.of = has_slot ? s : NULL;
	own_slot.since = clock_now();
	return has_slot;
}

void slots_leave(struct slots *s)
{
	if (!s || own_slot.of != s)
		return;
	own_slot.of = NULL;
	pthread_mutex_lock(&s->mutex);
	s->empty++;
	call_locked(s);
	pthread_mutex_unlock(&s->mutex);
}
