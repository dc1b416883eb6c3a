/* SPDX-License-Identifier: MIT */
#include "tools/lib/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "engine/base/stream.h"

static struct channel channel; /* nobody hushes it, so it stays readable */
static atomic_int caught;

void interrupt_raise(void)
{
	channel_ring(&channel);
}

static void on_signal(int number)
{
	atomic_store(&caught, number);
	interrupt_raise();
}

bool interrupt_init(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	if (!channel_open(&channel))
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

intptr_t interrupt_descriptor(void)
{
	return channel.in;
}

int interrupt_signal(void)
{
	return atomic_load(&caught);
}
