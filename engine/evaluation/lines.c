/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/lines.h"

#include <pthread.h>
#include <string.h>

#include "engine/base/kernel.h"
#include "engine/evaluation/board_net.h"

#define OFF       3 /* a square off the board; 0 .. 2 are the squares on it */
#define PLACE_MAX ((GAME_SIDE_MAX + 2) * (GAME_SIDE_MAX + 1) + 2)

/* The arm that begins with a square and goes on with another arm, which loses its last square if it is full. Entries of squares
 * off the board are 0, the arm without squares. Made once; then no thread changes it. */
static uint8_t joints[OFF + 1][LINES_ARMS];

static void make_joints(void)
{
	int first[LINES_ARM + 1] = { 0 }, power[LINES_ARM + 1] = { 1 };
	for (int i = 1; i <= LINES_ARM; i++) {
		first[i] = first[i - 1] + power[i - 1];
		power[i] = 3 * power[i - 1];
	}
	for (int kind = 0; kind < OFF; kind++)
		for (int arm = 0; arm < LINES_ARMS; arm++) {
			int length = LINES_ARM, rest = arm;
			if (arm >= first[LINES_ARM])
				rest = (arm - 1) / 3;
			while (rest < first[length])
				length--;
			joints[kind][arm] = (uint8_t)(first[length + 1] + kind * power[length] +
						      rest - first[length]);
		}
}

KERNEL_UNWATCHED
static int lines_kind_of(int seen)
{
	return !seen ? OFF : seen & BOARD_NET_OWN ? 1 : seen & BOARD_NET_OTHER ? 2 : 0;
}

/* The number of a pair of arms in any order. */
KERNEL_UNWATCHED
static inline unsigned lines_pair_of(unsigned a, unsigned b)
{
	unsigned most = a > b ? a : b, least = a > b ? b : a;
	return most * (most + 1) / 2 + least;
}

KERNEL_UNWATCHED
void lines_find(const struct game *g, const uint8_t *seen, lines_of_square *lines)
{
	const int pitch = g->board.cols + 1, begin = pitch + 1, end = begin + g->board.rows * pitch;
	const int steps[LINES_DIRECTIONS] = { 1, pitch, pitch + 1, pitch - 1 };
	uint8_t kind[PLACE_MAX], ahead[PLACE_MAX][LINES_DIRECTIONS],
		behind[PLACE_MAX][LINES_DIRECTIONS];
	static pthread_once_t made = PTHREAD_ONCE_INIT;
	pthread_once(&made, make_joints);
	memset(kind, OFF, (size_t)(end + begin));
	memset(ahead, 0, (size_t)(end + begin) * sizeof *ahead);
	memset(behind, 0, (size_t)(end + begin) * sizeof *behind);
	for (int row = 0, i = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++, i++)
			kind[begin + row * pitch + col] = (uint8_t)lines_kind_of(seen[i]);
	for (int p = end - 1; p >= begin; p--)
		for (int d = 0; d < LINES_DIRECTIONS; d++)
			ahead[p][d] = joints[kind[p + steps[d]]][ahead[p + steps[d]][d]];
	for (int p = begin; p < end; p++)
		for (int d = 0; d < LINES_DIRECTIONS; d++)
			behind[p][d] = joints[kind[p - steps[d]]][behind[p - steps[d]][d]];
	for (int row = 0, i = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++, i++) {
			int p = begin + row * pitch + col;
			unsigned own = kind[p] == OFF ? 0 : kind[p];
			for (int d = 0; d < LINES_DIRECTIONS; d++)
				lines[i][d] = (uint16_t)(own * LINES_PAIRS +
							 lines_pair_of(ahead[p][d], behind[p][d]));
		}
}
