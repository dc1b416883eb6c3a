/* SPDX-License-Identifier: MIT
 *
 * Reports about matches. The page: one self-contained file that loads nothing from any host and can replay every game.
 * Positions are computed here, so that the page's script needs no rules.
 */
#ifndef TOOLS_REPORT_REPORT_H
#define TOOLS_REPORT_REPORT_H

struct game;

enum report_form { REPORT_PAGE, REPORT_GAMES, REPORT_PAIRS }; /* the last two are CSV (csv.h) */

/* Writes a report about all matches of a file to `output` (NULL: standard output). The file is a database or
 * SGF; `game` is used as by collection_open. Writes errors to stderr. Returns the exit status. */
int report_run(const char *path, const struct game *game, enum report_form, const char *output);

#endif
