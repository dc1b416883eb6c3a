/* SPDX-License-Identifier: MIT
 *
 * Disturbances: garbage, floods and half lines, interruptions, kills, disconnects. Each has a row in a table.
 * They may be called by several testers at the same time.
 */
#ifndef TOOLS_CHECK_DISTURB_H
#define TOOLS_CHECK_DISTURB_H

#include "tools/check/tester.h"

/* Disturbs the engine in a random way and checks that it has kept its position. Returns false if the game has
 * failed. */
bool disturb(struct tester *);

/* Prints how often each disturbance was made. */
void disturb_print(void);

#endif
