/* SPDX-License-Identifier: MIT */
#include "engine/algorithm.h"

const struct algorithm *const algorithms[] = {
	&algorithm_random,
	NULL,
};
