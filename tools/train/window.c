/* SPDX-License-Identifier: MIT */
#include "tools/train/window.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

void window_init(struct window *w, const struct folder *folder, size_t most)
{
	size_t all = folder->samples, skipped = all > most ? all - most : 0;
	*w = (struct window) { .samples = xmalloc(most * folder->size),
			       .size = folder->size,
			       .most = most,
			       .count = all - skipped };
	folder_read_data(folder, skipped, w->samples);
}

void window_free(struct window *w)
{
	free(w->samples);
}

void window_add(struct window *w, const void *samples, size_t count)
{
	const char *from = samples;
	char *to = w->samples;
	size_t dropped = count > w->most ? count - w->most : 0;
	from += dropped * w->size;
	count -= dropped;
	if (w->count + count > w->most) {
		size_t drop = w->count + count - w->most;
		memmove(to, to + drop * w->size, (w->count - drop) * w->size);
		w->count -= drop;
	}
	memcpy(to + w->count * w->size, from, count * w->size);
	w->count += count;
}
