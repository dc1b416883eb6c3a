/* SPDX-License-Identifier: MIT
 *
 * What df-pn has proven, for searches that are built on it. The search itself is algorithm_dfpn.
 */
#ifndef ENGINE_DFPN_H
#define ENGINE_DFPN_H

/* Proven bounds of Black's result, -1 .. 1, in the position searched last. Any thread, at any time. */
void dfpn_bounds(const void *self, int *lower, int *upper);

#endif
