/* SPDX-License-Identifier: MIT */
#include "engine/net.h"

#include <string.h>

/* Whoever chooses is the first of the two sets. Made once for each kind of processor. */
static inline __attribute__((always_inline)) void layers(const struct net_layers *l,
							 const uint64_t set[2], int squares,
							 bool pending, int16_t out[NET_SECOND])
{
	_Alignas(64) int16_t sum[NET_HIDDEN];
	memcpy(sum, l->bias_first, sizeof sum);
	for (int i = 0; i < 2; i++) {
		for (uint64_t rest = set[i]; rest; rest &= rest - 1) {
			const int16_t *row = l->first[i * squares + __builtin_ctzll(rest)];
			for (int j = 0; j < NET_HIDDEN; j++)
				sum[j] = (int16_t)(sum[j] + row[j]);
		}
	}
	const int16_t *row = l->first[2 * squares];
	for (int j = 0; pending && j < NET_HIDDEN; j++)
		sum[j] = (int16_t)(sum[j] + row[j]);
	for (int j = 0; j < NET_HIDDEN; j++) {
		int16_t x = sum[j] < 0 ? 0 : sum[j];
		sum[j] = x > NET_CLIP ? NET_CLIP : x;
	}
	for (int k = 0; k < NET_SECOND; k++) {
		int32_t x = l->bias_second[k];
		for (int j = 0; j < NET_HIDDEN; j++)
			x += sum[j] * l->second[k][j];
		x /= NET_WEIGHT;
		x = x < 0 ? 0 : x;
		out[k] = (int16_t)(x > NET_CLIP ? NET_CLIP : x);
	}
}

static void layers_portable(const struct net_layers *l, const uint64_t set[2], int squares,
			    bool pending, int16_t out[NET_SECOND])
{
	layers(l, set, squares, pending, out);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void layers_avx2(const struct net_layers *l,
							const uint64_t set[2], int squares,
							bool pending, int16_t out[NET_SECOND])
{
	layers(l, set, squares, pending, out);
}

__attribute__((target("avx512bw"))) static void layers_avx512(const struct net_layers *l,
							      const uint64_t set[2], int squares,
							      bool pending, int16_t out[NET_SECOND])
{
	layers(l, set, squares, pending, out);
}
#endif

uint32_t net_checksum(const void *bytes, size_t n)
{
	/* FNV-1a */
	const unsigned char *p = bytes;
	uint32_t sum = 2166136261u;
	for (size_t i = 0; i < n; i++)
		sum = (sum ^ p[i]) * 16777619u;
	return sum;
}

static size_t layers_size(int squares)
{
	return sizeof(struct net_layers) + (size_t)(2 * squares + 1) * NET_HIDDEN * sizeof(int16_t);
}

static size_t heads_size(int steps)
{
	return (size_t)(1 + steps) * NET_SECOND * sizeof(int16_t);
}

size_t net_size(int squares, int steps)
{
	return sizeof(struct net_header) + layers_size(squares) + heads_size(steps) +
	       (size_t)(1 + steps) * sizeof(int32_t);
}

bool net_open(struct net *net, const struct game *g)
{
	const struct net_header *header = g->net;
	if (!header)
		return false;
	const char *at = (const char *)(header + 1);
	net->squares = g->rows * g->cols;
	net->layers = (const void *)at;
	net->heads = (const void *)(at + layers_size(net->squares));
	net->head_bias = (const void *)(at + layers_size(net->squares) + heads_size(g->moves_max));
	net->hidden = layers_portable;
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx512bw"))
		net->hidden = layers_avx512;
	else if (__builtin_cpu_supports("avx2"))
		net->hidden = layers_avx2;
#endif
	return true;
}

static float head(const struct net *net, const int16_t in[NET_SECOND], int i)
{
	int32_t x = net->head_bias[i];
	for (int j = 0; j < NET_SECOND; j++)
		x += in[j] * net->heads[i][j];
	return (float)x / (NET_UNIT * NET_WEIGHT);
}

float net_judge(const struct net *net, const struct game *g, const struct state *s,
		const move_t *steps, int count, float *preference)
{
	_Alignas(64) int16_t second[NET_SECOND];
	uint64_t stones[2], set[2];
	g->stones(s, stones);
	set[0] = stones[s->side];
	set[1] = stones[s->side ^ 1];
	net->hidden(net->layers, set, net->squares, s->pending, second);

	for (int i = 0; i < count; i++)
		preference[i] = head(net, second, 1 + steps[i]);
	return head(net, second, 0);
}
