/* SPDX-License-Identifier: MIT
 *
 * The optimizer of the networks: Adam (Kingma and Ba, 2015).
 */
#ifndef TOOLS_LEARN_ADAM_H
#define TOOLS_LEARN_ADAM_H

#include <math.h>
#include <stdint.h>

#define ADAM_FIRST_DECAY 0.9 /* the usual constants */
#define ADAM_NEXT_DECAY  0.999
/* Smaller numbers become 0. Many processors compute slowly with numbers below 1e-38. */
#define ADAM_LEAST       1e-20f

/* What the weights of one step have in common. */
struct adam {
	float rate, first_scale, second_scale;
};

/* The step of this number, from 1 on. */
static inline struct adam adam_begin(uint64_t number, double rate)
{
	return (struct adam) { (float)rate,
			       (float)(1 / (1 - pow(ADAM_FIRST_DECAY, (double)number))),
			       (float)(1 / (1 - pow(ADAM_NEXT_DECAY, (double)number))) };
}

/* Changes a weight by its gradient. It stays between -most and most. `first` and `second` are its moments. */
static inline __attribute__((always_inline)) void adam_step(const struct adam *a, float *weight,
							    float *first, float *second,
							    float gradient, float most)
{
	*first += (float)(1 - ADAM_FIRST_DECAY) * (gradient - *first);
	*first = fabsf(*first) < ADAM_LEAST ? 0 : *first;
	*second += (float)(1 - ADAM_NEXT_DECAY) * (gradient * gradient - *second);
	float w = *weight -
		  a->rate * *first * a->first_scale / (sqrtf(*second * a->second_scale) + 1e-8f);
	*weight = w > most ? most : w < -most ? -most : fabsf(w) < ADAM_LEAST ? 0 : w;
}

#endif
