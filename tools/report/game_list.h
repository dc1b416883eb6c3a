/* SPDX-License-Identifier: MIT
 *
 * The games of a match: filters, an index from which the page's script makes the list, and the packed games.
 */
#ifndef TOOLS_REPORT_GAME_LIST_H
#define TOOLS_REPORT_GAME_LIST_H

#include "tools/report/page.h"

/* Returns false with the reason in `why` if a game cannot be read or has an illegal move. */
bool game_list_write(struct page *, char why[DATABASE_REASON_MAX]);

#endif
