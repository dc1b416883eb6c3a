/* SPDX-License-Identifier: MIT */
#ifndef PROTOCOL_GTP_ANALYSIS_H
#define PROTOCOL_GTP_ANALYSIS_H

#include <stdbool.h>

struct session;

/* Returns true if the running command streams analysis in the form of analysis.c. People see it as a table instead, which
 * the terminal draws. */
bool analysis_is_running(const struct session *);

#endif
