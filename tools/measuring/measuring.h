/* SPDX-License-Identifier: MIT
 *
 * The measurements of the program `measure`. Each is the run of a mode: it prints its figures and returns the exit status, 1 if
 * they miss a goal.
 */
#ifndef TOOLS_MEASURING_MEASURING_H
#define TOOLS_MEASURING_MEASURING_H

#include "protocol/program/program.h"

#define BURNERS_MAX 1024
#define PAGES_MAX   64

/* The values of the flags. */
struct measuring {
	const char *size;
	int moves, burners, pages, seconds;
	double time;
};

/* Searches and evaluations, in this process. */
int accuracy_run(const struct arguments *);
int deviation_run(const struct arguments *);
int equality_run(const struct arguments *);

/* Engines that a command starts. */
int startup_run(const struct arguments *);
int latency_run(const struct arguments *);
int web_latency_run(const struct arguments *);

#endif
