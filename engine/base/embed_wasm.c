/* SPDX-License-Identifier: MIT */
#include "engine/base/embed.h"

#include <emscripten.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* Module.read(path) returns a Uint8Array, or throws. */
/* clang-format off */
EM_JS(void *, embed_fetch, (const char *path), {
	const bytes = Module["read"](UTF8ToString(path));
	const at = _memalign(64, bytes.length + 1);
	HEAPU8.set(bytes, at);
	HEAPU8[at + bytes.length] = 0;
	return at;
});
/* clang-format on */

#define FILES_MAX 32

const void *embedded(const void *file)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static struct {
		const char *path;
		const void *bytes;
	} files[FILES_MAX];
	size_t mark = strlen(EMBED_MARK);
	if (strncmp(file, EMBED_MARK, mark) != 0)
		return file;
	const char *path = (const char *)file + mark;
	pthread_mutex_lock(&mutex);
	int i = 0;
	while (files[i].path && files[i].path != path)
		i++;
	if (!files[i].path)
		files[i].bytes = embed_fetch(path);
	files[i].path = path;
	pthread_mutex_unlock(&mutex);
	return files[i].bytes;
}
