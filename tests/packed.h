/* SPDX-License-Identifier: MIT
 *
 * Files that are packed with zstd.
 */
#ifndef TESTS_PACKED_H
#define TESTS_PACKED_H

#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include "engine/base/memory.h"
#include "tests/suite.h"

/* Writes the first `size` bytes of a text that is packed with zstd. Returns the number of bytes of the file. */
static inline size_t packed_write(const char *path, const char *text, size_t length, size_t size)
{
	size_t room = ZSTD_compressBound(length);
	char *packed = xmalloc(room);
	size_t all = ZSTD_compress(packed, room, text, length, 19);
	ck_assert(!ZSTD_isError(all));
	if (size > all)
		size = all;
	FILE *f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(packed, 1, size, f), size);
	ck_assert_int_eq(fclose(f), 0);
	free(packed);
	return size;
}

#endif
