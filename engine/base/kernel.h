/* SPDX-License-Identifier: MIT
 *
 * The kernel: the set of processor instructions that the inner loops use. The loops are compiled once for
 * each kernel. All kernels give equal results.
 */
#ifndef ENGINE_BASE_KERNEL_H
#define ENGINE_BASE_KERNEL_H

#include <stdbool.h>

/* Slower kernels first; a processor that can run a kernel can run all slower ones. KERNEL_AUTO is the
 * fastest one that the processor can run. */
enum kernel { KERNEL_AUTO, KERNEL_PORTABLE, KERNEL_AVX2, KERNEL_AVX512, KERNELS };

/* The instruction sets of each kernel, for __attribute__((target)). */
#define KERNEL_TARGET_AVX2   "avx2,bmi,bmi2,popcnt"
#define KERNEL_TARGET_AVX512 KERNEL_TARGET_AVX2 ",avx512f,avx512vl,avx512dq,avx512bw,avx512cd"

/* Marks arithmetic on weights, which no thread changes, and on memory of its own thread. ThreadSanitizer would make it up to a
 * hundred times slower, so it watches the callers only. */
#define KERNEL_UNWATCHED     __attribute__((no_sanitize("thread")))

/* Names of the kernels for users, indexed by enum kernel; NULL-terminated. */
extern const char *const kernel_names[];

/* The fastest kernel that this processor can run; never KERNEL_AUTO. */
enum kernel kernel_best(void);

/* Chooses the kernel in use. Returns false, and changes nothing, if this processor cannot run it. Call it
 * before any thread exists and before games_init(); code that has started keeps its kernel. */
bool kernel_choose(enum kernel);

/* The kernel in use: kernel_best() if none has been chosen; never KERNEL_AUTO. */
enum kernel kernel_used(void);

#endif
