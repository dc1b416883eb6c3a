/* SPDX-License-Identifier: MIT */
#include "tools/learn/convolution.h"

#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "engine/base/kernel.h"

#define CHANNELS BOARD_NET_CHANNELS

/* The places that a tap reads. */
static inline const convolution_square *around(const convolution_square *in, int tap, int pitch)
{
	return in + (tap / 3 - 1) * pitch + tap % 3 - 1;
}

#define TARGET
#define KERNEL(name)   name##_portable
#define LANES          4
#define WIDE           2
#define TILE           4
#define ROWS           4
#define ADD(SUM, X, W) ((SUM) + (X) * (W))
#define SPREAD(X)      ((vector) { (X), (X), (X), (X) })
#include "tools/learn/convolution_kernel.h"

#ifdef __x86_64__
#define TARGET         __attribute__((target(KERNEL_TARGET_AVX2 ",fma")))
#define KERNEL(name)   name##_avx2
#define LANES          8
#define WIDE           2
#define TILE           6
#define ROWS           4
#define ADD(SUM, X, W) _mm256_fmadd_ps(X, W, SUM)
#define SPREAD         _mm256_set1_ps
#include "tools/learn/convolution_kernel.h"

#define TARGET         __attribute__((target(KERNEL_TARGET_AVX512 ",fma")))
#define KERNEL(name)   name##_avx512
#define LANES          16
#define WIDE           2
#define TILE           8
#define ROWS           8
#define ADD(SUM, X, W) _mm512_fmadd_ps(X, W, SUM)
#define SPREAD         _mm512_set1_ps
#include "tools/learn/convolution_kernel.h"
#endif

void convolution_run(const convolution_square *in, int inputs, const convolution_weights taps,
		     const float *bias, int pitch, int count, convolution_square *out)
{
#ifdef __x86_64__
	if (kernel_used() == KERNEL_AVX512) {
		run_avx512(in, inputs, taps, bias, pitch, count, out);
		return;
	}
	if (kernel_used() == KERNEL_AVX2 && __builtin_cpu_supports("fma")) {
		run_avx2(in, inputs, taps, bias, pitch, count, out);
		return;
	}
#endif
	run_portable(in, inputs, taps, bias, pitch, count, out);
}

void convolution_learn(const convolution_square *in, int inputs, const convolution_square *slope,
		       int pitch, int count, convolution_weights gradient)
{
#ifdef __x86_64__
	if (kernel_used() == KERNEL_AVX512) {
		learn_avx512(in, inputs, slope, pitch, count, gradient);
		return;
	}
	if (kernel_used() == KERNEL_AVX2 && __builtin_cpu_supports("fma")) {
		learn_avx2(in, inputs, slope, pitch, count, gradient);
		return;
	}
#endif
	learn_portable(in, inputs, slope, pitch, count, gradient);
}
