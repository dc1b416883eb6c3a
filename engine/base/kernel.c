/* SPDX-License-Identifier: MIT */
#include "engine/base/kernel.h"

#include <stddef.h>

const char *const kernel_names[] = {
	[KERNEL_AUTO] = "auto", [KERNEL_PORTABLE] = "portable",
	[KERNEL_AVX2] = "avx2", [KERNEL_AVX512] = "avx512",
	[KERNELS] = NULL,
};

static enum kernel chosen = KERNEL_AUTO;

enum kernel kernel_best(void)
{
#ifdef __x86_64__
	bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
			__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
	if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512cd"))
		return KERNEL_AVX512;
	if (has_avx2)
		return KERNEL_AVX2;
#endif
	return KERNEL_PORTABLE;
}

bool kernel_choose(enum kernel k)
{
	if (k > kernel_best())
		return false;
	chosen = k;
	return true;
}

enum kernel kernel_used(void)
{
	return chosen == KERNEL_AUTO ? kernel_best() : chosen;
}
