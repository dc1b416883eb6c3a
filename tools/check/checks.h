/* SPDX-License-Identifier: MIT
 *
 * The checks of the checklist that need more than a script. Each check starts with an engine that has been
 * set up, unless its row of the checklist says otherwise. It returns true if the demand is met. Otherwise
 * it returns false and stores the failure in the target. A check may leave the engine in any state.
 */
#ifndef TOOLS_CHECK_CHECKS_H
#define TOOLS_CHECK_CHECKS_H

#include "tools/check/target.h"

/* Syntax (checks_syntax.c). */
bool check_silent_start(struct target *);
bool check_frame(struct target *);
bool check_no_id(struct target *);
bool check_pieces(struct target *);
bool check_nul(struct target *);
bool check_many(struct target *);
bool check_long_lines(struct target *);
bool check_huge_lines(struct target *);
bool check_noise(struct target *);

/* Commands (checks_syntax.c). */
bool check_list(struct target *);
bool check_required(struct target *);
bool check_known(struct target *);
bool check_name(struct target *);
bool check_line(struct target *);
bool check_number(struct target *);
bool check_board_size(struct target *);
bool check_cheap_clear(struct target *);
bool check_vertices(struct target *);
bool check_showboard(struct target *);

/* Moves, by the rules (checks_moves.c). */
bool check_genmove(struct target *);
bool check_like_genmove(struct target *);
bool check_upper(struct target *);
bool check_reg_genmove(struct target *);
bool check_random_game(struct target *);
bool check_self_play(struct target *);
bool check_end(struct target *);
bool check_end_passes(struct target *);
bool check_new_game(struct target *);
bool check_score(struct target *);

/* Forced passes (checks_moves.c). */
bool check_pass_told(struct target *);
bool check_pass_left_out(struct target *);
bool check_pass_asked(struct target *);
bool check_pass_skipped(struct target *);

/* Start and end of the process (checks_process.c). */
bool check_quit(struct target *);
bool check_behind_quit(struct target *);
bool check_quit_behind_genmove(struct target *);
bool check_end_of_input(struct target *);
bool check_piped_script(struct target *);
bool check_unended_line(struct target *);
bool check_files(struct target *);
bool check_slow_reader(struct target *);
bool check_gone_client(struct target *);
bool check_end_in_genmove(struct target *);
bool check_term(struct target *);

/* Extensions (checks_extensions.c). */
bool check_interrupt(struct target *);
bool check_sigint(struct target *);
bool check_game_id(struct target *);
bool check_board(struct target *);
bool check_legal_moves(struct target *);
bool check_side(struct target *);
bool check_result(struct target *);
bool check_analyze_commands(struct target *);
bool check_setup(struct target *);
bool check_games(struct target *);
bool check_analysis(struct target *);
bool check_analysis_end(struct target *);
bool check_genmove_analyze(struct target *);
bool check_sgf(struct target *);
bool check_params(struct target *);

#endif
