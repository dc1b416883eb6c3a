/* SPDX-License-Identifier: MIT
 *
 * Threads have the stack that searches need, even where the default is small, and receive no signals.
 */
#include <signal.h>

#include "engine/base/thread.h"
#include "tests/suite.h"

#define SMALL_STACK ((size_t)512 << 10) /* as some systems give */

/* Writes to a byte of each page of a large frame. Returns the size of the stack. */
static void *use_stack(void *arg)
{
	sigset_t *blocked = arg;
	volatile char frame[THREAD_STACK * 7 / 8];
	for (size_t i = sizeof frame; i > 0; i -= 1024)
		frame[i - 1] = 1;
	pthread_sigmask(SIG_SETMASK, NULL, blocked);
	pthread_attr_t attr;
	size_t size = 0;
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstacksize(&attr, &size);
	pthread_attr_destroy(&attr);
	return (void *)size;
}

START_TEST(has_its_stack)
{
	pthread_t thread;
	pthread_attr_t small;
	sigset_t blocked;
	void *size;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, SMALL_STACK);
	ck_assert_int_eq(pthread_setattr_default_np(&small), 0);
	pthread_attr_destroy(&small);
	ck_assert_int_eq(thread_start(&thread, use_stack, &blocked), 0);
	ck_assert_int_eq(pthread_join(thread, &size), 0);
	ck_assert_uint_ge((size_t)size, THREAD_STACK);
	ck_assert(sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGTERM));
}
END_TEST

/* Marks its number. */
static void mark(void *arg, int number)
{
	int *marks = arg;
	marks[number]++;
}

START_TEST(each_number_runs_once)
{
	int marks[5] = { 0 };
	threads_run(5, mark, marks);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(marks[i], 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("thread");
	TCase *cases = tcase_create("thread");
	tcase_add_test(cases, has_its_stack);
	tcase_add_test(cases, each_number_runs_once);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
