/* SPDX-License-Identifier: MIT */
#include "tools/lib/interrupt.h"

#include <signal.h>
#include <stdatomic.h>

#include "engine/base/stream.h"

static struct channel channel; /* nobody hushes it, so it stays readable */
static atomic_uint caught;     /* bits of enum stop */

void interrupt_raise(void)
{
	channel_ring(&channel);
}

bool interrupt_init(void)
{
	if (!channel_open(&channel))
		return false;
	stops_watch(&channel);
	return true;
}

intptr_t interrupt_descriptor(void)
{
	return channel.in;
}

int interrupt_signal(void)
{
	unsigned stops = atomic_fetch_or(&caught, stops_take());
	stops |= atomic_load(&caught);
	return stops & STOP_END ? SIGTERM : stops & STOP_INTERRUPT ? SIGINT : 0;
}
