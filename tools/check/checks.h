/* SPDX-License-Identifier: MIT
 *
 * The checks of the checklist that need more than a script. Each check starts with an engine that has been
 * set up, unless its row of the checklist says otherwise. It returns true if the demand is met. Otherwise
 * it returns false and stores the failure in the subject. A check may leave the engine in any state.
 */
#ifndef TOOLS_CHECK_CHECKS_H
#define TOOLS_CHECK_CHECKS_H

#include "tools/check/subject.h"

/* Syntax (checks_syntax.c). */
bool check_silent_start(struct subject *);
bool check_frame(struct subject *);
bool check_no_id(struct subject *);
bool check_pieces(struct subject *);
bool check_nul(struct subject *);
bool check_many(struct subject *);
bool check_long_lines(struct subject *);
bool check_huge_lines(struct subject *);
bool check_noise(struct subject *);

/* Commands (checks_syntax.c). */
bool check_list(struct subject *);
bool check_required(struct subject *);
bool check_known(struct subject *);
bool check_name(struct subject *);
bool check_line(struct subject *);
bool check_number(struct subject *);
bool check_cheap_clear(struct subject *);
bool check_vertices(struct subject *);
bool check_showboard(struct subject *);

/* Moves, by the rules (checks_moves.c). */
bool check_genmove(struct subject *);
bool check_like_genmove(struct subject *);
bool check_upper(struct subject *);
bool check_reg_genmove(struct subject *);
bool check_random_game(struct subject *);
bool check_self_play(struct subject *);
bool check_end(struct subject *);
bool check_end_passes(struct subject *);
bool check_new_game(struct subject *);
bool check_score(struct subject *);

/* Forced passes (checks_moves.c). */
bool check_pass_told(struct subject *);
bool check_pass_left_out(struct subject *);
bool check_pass_asked(struct subject *);
bool check_pass_skipped(struct subject *);

/* Start and end of the process (checks_process.c). */
bool check_quit(struct subject *);
bool check_behind_quit(struct subject *);
bool check_quit_behind_genmove(struct subject *);
bool check_end_of_input(struct subject *);
bool check_piped_script(struct subject *);
bool check_unended_line(struct subject *);
bool check_files(struct subject *);
bool check_slow_reader(struct subject *);
bool check_gone_client(struct subject *);
bool check_end_in_genmove(struct subject *);
bool check_term(struct subject *);

/* Extensions (checks_extensions.c). */
bool check_interrupt(struct subject *);
bool check_sigint(struct subject *);
bool check_game_id(struct subject *);
bool check_board(struct subject *);
bool check_legal_moves(struct subject *);
bool check_side(struct subject *);
bool check_result(struct subject *);
bool check_analyze_commands(struct subject *);
bool check_setup(struct subject *);
bool check_games(struct subject *);
bool check_analysis(struct subject *);
bool check_analysis_end(struct subject *);
bool check_genmove_analyze(struct subject *);
bool check_sgf(struct subject *);
bool check_params(struct subject *);

#endif
