/* SPDX-License-Identifier: MIT
 *
 * Convolutions by one kernel. convolution.c includes this file once for each, with
 *
 *     TARGET          the attribute of the kernel's functions
 *     KERNEL(name)    the kernel's function or type of that name
 *     LANES           floats of a vector
 *     WIDE            vectors of outputs that are computed at a time
 *     TILE            places that are computed at a time, at most CONVOLUTION_TILE
 *     ROWS            inputs whose weights learn at a time, a divisor of CONVOLUTION_TILE
 *     ADD(sum, x, w)  sum + x * w of each lane
 *     SPREAD(x)       a vector with x in each lane
 *
 * TILE * WIDE sums, as many weights as WIDE, and x fill the registers at most; so do ROWS * WIDE sums.
 */

typedef float KERNEL(vector) __attribute__((vector_size(LANES * sizeof(float))));
#define vector KERNEL(vector)
#define PART   (LANES * WIDE) /* outputs that are computed at a time */

TARGET static void KERNEL(run)(const convolution_square *in, int inputs,
			       const convolution_weights taps, const float *bias, int pitch,
			       int count, convolution_square *out)
{
	for (int part = 0; part < CHANNELS; part += PART)
		for (int first = 0; first < count; first += TILE) {
			vector sum[TILE][WIDE];
			for (int i = 0; i < TILE; i++)
				for (int v = 0; v < WIDE; v++)
					memcpy(&sum[i][v], bias + part + LANES * v, sizeof(vector));
			for (int tap = 0; tap < CONVOLUTION_TAPS; tap++) {
				const convolution_square *from = around(in + first, tap, pitch);
				for (int c = 0; c < inputs; c++) {
					vector w[WIDE];
					for (int v = 0; v < WIDE; v++)
						memcpy(&w[v], taps[tap][c] + part + LANES * v,
						       sizeof(vector));
#pragma GCC unroll 8
					for (int i = 0; i < TILE; i++) {
						vector x = SPREAD(from[i][c]);
						for (int v = 0; v < WIDE; v++)
							sum[i][v] = ADD(sum[i][v], x, w[v]);
					}
				}
			}
			for (int i = 0; i < TILE; i++)
				for (int v = 0; v < WIDE; v++)
					memcpy(out[first + i] + part + LANES * v, &sum[i][v],
					       sizeof(vector));
		}
}

TARGET static void KERNEL(learn)(const convolution_square *in, int inputs,
				 const convolution_square *slope, int pitch, int count,
				 convolution_weights gradient)
{
	for (int tap = 0; tap < CONVOLUTION_TAPS; tap++) {
		const convolution_square *from = around(in, tap, pitch);
		for (int part = 0; part < CHANNELS; part += PART)
			for (int c = 0; c < inputs; c += ROWS) {
				vector sum[ROWS][WIDE];
				for (int i = 0; i < ROWS; i++)
					for (int v = 0; v < WIDE; v++)
						memcpy(&sum[i][v],
						       gradient[tap][c + i] + part + LANES * v,
						       sizeof(vector));
				for (int place = 0; place < count; place++) {
					vector d[WIDE];
					for (int v = 0; v < WIDE; v++)
						memcpy(&d[v], slope[place] + part + LANES * v,
						       sizeof(vector));
#pragma GCC unroll 8
					for (int i = 0; i < ROWS; i++) {
						vector x = SPREAD(from[place][c + i]);
						for (int v = 0; v < WIDE; v++)
							sum[i][v] = ADD(sum[i][v], x, d[v]);
					}
				}
				for (int i = 0; i < ROWS; i++)
					for (int v = 0; v < WIDE; v++)
						memcpy(gradient[tap][c + i] + part + LANES * v,
						       &sum[i][v], sizeof(vector));
			}
	}
}

#undef vector
#undef PART
#undef TARGET
#undef KERNEL
#undef LANES
#undef WIDE
#undef TILE
#undef ROWS
#undef ADD
#undef SPREAD
