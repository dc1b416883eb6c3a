/* SPDX-License-Identifier: MIT */
#include "tools/train/window.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

void window_init(struct window *w, const struct folder *folder, size_t most)
{
	size_t all = folder->samples, count = all < most ? all : most;
	*w = (struct window) { xmalloc(count * folder->size), folder->size, count };
	folder_read_data(folder, all - count, w->samples);
}

void window_free(struct window *w)
{
	free(w->samples);
}

void window_add(struct window *w, const void *samples, size_t count, size_t most)
{
	size_t skipped = count > most ? count - most : 0, fresh = count - skipped,
	       kept = w->count + fresh < most ? w->count : most - fresh;
	char *to = w->samples;
	memmove(to, to + (w->count - kept) * w->size, kept * w->size);
	w->count = kept + fresh;
	w->samples = to = xrealloc(to, w->count * w->size);
	memcpy(to + kept * w->size, (const char *)samples + skipped * w->size, fresh * w->size);
}
