/* SPDX-License-Identifier: MIT */
#include "tools/learn/learner.h"

#include "engine/rules/images.h"
#include "engine/rules/network.h"

size_t sample_size(const struct game *g)
{
	size_t squares = (size_t)(g->board.rows * g->board.cols);
	size_t bytes = sizeof(struct sample) + squares + (size_t)g->steps.codes +
		       (network_has_owners(g) ? squares : 0);
	return (bytes + 3) & ~(size_t)3;
}

int sample_steps(const struct game *g, const struct sample *s, const uint16_t *map, uint16_t *codes,
		 float *shares)
{
	const uint8_t *visits = s->bytes + g->board.rows * g->board.cols;
	float sum = 0;
	int count = 0;
	for (int i = 0; i < g->steps.codes; i++)
		if (visits[i]) {
			codes[count] = map[i];
			sum += shares[count++] = (float)(visits[i] - 1);
		}
	for (int i = 0; i < count; i++)
		shares[i] = sum > 0 ? shares[i] / sum : 1 / (float)count;
	return count;
}

double learner_policy_loss(const float *shares, const float *priors, int count)
{
	double loss = 0;
	for (int i = 0; i < count; i++)
		if (shares[i] > 0)
			loss += shares[i] * log(shares[i] / (priors[i] + 1e-9));
	return loss;
}

void learner_find_symmetries(struct learner_symmetries *out, const struct game *g)
{
	int squares = g->board.rows * g->board.cols;
	out->count = 0;
	for (int y = 0; y < LEARNER_SYMMETRIES; y++) {
		if (y && !(images_symmetries(g) >> y & 1))
			continue;
		for (int i = 0; i < squares; i++)
			out->square[out->count][i] = (uint16_t)images_mirror_square(g, i, y);
		for (int i = 0; i < g->steps.codes; i++)
			out->code[out->count][i] = y ? g->images->mirror(g, (move_t)i, y)
						     : (move_t)i;
		out->count++;
	}
}

struct learner_error learner_find_error(const struct learner_kind *kind, void *learner,
					const void *samples, size_t size, size_t count, size_t most)
{
	struct learner_error sum = { 0 };
	size_t n = 0;
	for (size_t i = count; i-- && n < most;) {
		const struct sample *s = (const void *)((const char *)samples + i * size);
		if (s->held) {
			struct learner_error e = kind->guess(learner, s);
			sum.value += e.value * e.value;
			sum.policy += e.policy;
			n++;
		}
	}
	n = n ? n : 1;
	return (struct learner_error) { sqrt(sum.value / (double)n), sum.policy / (double)n };
}
