/* SPDX-License-Identifier: MIT
 *
 * Games and pairs of games as tables for other programs: CSV (RFC 4180, lines end with a newline), the first line names
 * the columns. tools/README.md explains them.
 */
#ifndef TOOLS_REPORT_CSV_H
#define TOOLS_REPORT_CSV_H

#include "engine/base/text.h"
#include "tools/match/database.h"

/* Write a line for every game; for every pairing and opening number of matches with paired openings. Return false with
 * the reason in `why` if reading fails. */
bool csv_write_games(struct text *, struct database *, char why[DATABASE_REASON_MAX]);
bool csv_write_pairs(struct text *, struct database *, char why[DATABASE_REASON_MAX]);

#endif
