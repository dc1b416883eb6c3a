/* SPDX-License-Identifier: MIT
 *
 * The newest samples of a training, in memory. Used by one thread at a time.
 */
#ifndef TOOLS_TRAIN_WINDOW_H
#define TOOLS_TRAIN_WINDOW_H

#include "tools/train/folder.h"

struct window {
	void *samples; /* the oldest one first */
	size_t size;   /* bytes of a sample */
	size_t count;
};

/* Fills the window with the newest samples in the folder. window_free() frees them. */
void window_init(struct window *, const struct folder *, size_t most);
void window_free(struct window *);

/* Adds samples. The oldest ones leave, so that at most `most` stay. */
void window_add(struct window *, const void *samples, size_t count, size_t most);

#endif
