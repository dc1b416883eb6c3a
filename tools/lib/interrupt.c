/* SPDX-License-Identifier: MIT */
#include "tools/lib/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2] = { -1, -1 }; /* of a pipe: nobody reads its byte, so it stays readable */
static atomic_int caught;

void interrupt_raise(void)
{
	/* If the pipe is full, it is readable already. */
	(void)!write(ends[1], "", 1);
}

static void on_signal(int number)
{
	int error = errno;
	atomic_store(&caught, number);
	interrupt_raise();
	errno = error;
}

bool interrupt_init(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return false;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* nohup ignores it. */
	struct sigaction old;
	if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	return true;
}

int interrupt_fd(void)
{
	return ends[0];
}

int interrupt_signal(void)
{
	return atomic_load(&caught);
}
