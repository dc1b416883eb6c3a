/* SPDX-License-Identifier: MIT
 *
 * The modes `games` and `check`: lists the games, and tells what a file with rules says.
 */
#ifndef PROTOCOL_PROGRAM_LIBRARY_H
#define PROTOCOL_PROGRAM_LIBRARY_H

struct arguments;

int library_run_games(const struct arguments *);
int library_run_check(const struct arguments *);

#endif
