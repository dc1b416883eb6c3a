/* SPDX-License-Identifier: MIT
 *
 * The list of all games of a match, with its filters, and the games themselves as data for the page's script.
 */
#ifndef TOOLS_REPORT_GAME_LIST_H
#define TOOLS_REPORT_GAME_LIST_H

#include "tools/report/page.h"

/* Returns false with the reason in `why` if a game cannot be read or has an illegal move. */
bool game_list_write(struct page *, char why[DATABASE_REASON_MAX]);

#endif
