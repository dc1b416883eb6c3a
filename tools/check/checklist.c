/* SPDX-License-Identifier: MIT
 *
 * One table of demands. Each row names a demand, the clients that make it, and its check, which is a script
 * of commands and answers or a function. Most demands come from the draft of GTP 2, the others from what
 * clients send or need beyond it. An engine may lack the command that a row names.
 */
#include "tools/check/checklist.h"
#include "engine/base/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/komi.h"
#include "tools/check/checks.h"
#include "tools/check/play.h"
#include "tools/lib/message.h"

/* What the check of a row needs. */
enum needs {
	NEEDS_MOVES = 1,     /* some legal moves */
	NEEDS_RULES = 2,     /* the rules of the game */
	NEEDS_PASSES = 4,    /* a game in which a side may have to pass */
	NEEDS_HANDICAP = 32, /* a game with handicap */
	NEEDS_END = 64,      /* a game that cannot go on after its end */
	STARTS = 8,          /* no engine: the check starts it */
	AT_ONCE = 16,        /* the script is sent in one write */
};

struct demand {
	const char *what, *clients;
	const char
		*command; /* command that the engine must have for the row to apply; NULL: none */
	int needs;
	bool (*check)(struct target *);
	const char *script; /* as in target_script; used if `check` is NULL */
};

/* --- the table --- */

#define ALL "all clients"

static const struct demand demands[] = {
	/* Syntax. */
	{ "nothing is written before the first command", "gomill, Sabaki, GoGui", .needs = STARTS,
	  .check = check_silent_start },
	{ "protocol_version is 2", "gomill, GoGui, Quarry", .script = "protocol_version => = 2" },
	{ "the text of an answer follows `= ` on the same line", "GoGui", .check = check_frame },
	{ "an id is repeated in the answer",
	  "GoGui and gogui-regress with numbered commands, Quarry",
	  .script = "17 name => =17 *; 0 name => =0 *; 2147483647 name => =2147483647 *" },
	{ "an id is repeated in the answer to a wrong command",
	  "GoGui and gogui-regress with numbered commands", .script = "9 no_such_command => ?9 *" },
	{ "an answer has no id if its command has none", "Quarry, GoGui", .check = check_no_id },
	{ "an id that is too large does no harm", "scripts",
	  .script = "99999999999999999999 name => *" },
	{ "a comment has no answer", "GoGui, gogui-regress",
	  .script = "# hello => ;    # hello => " },
	{ "a comment after a command is ignored", "gogui-regress",
	  .script = "name # hello => $n; name#hello => $n" },
	{ "an empty line has no answer", "Lizzie, Sabaki, scripts",
	  .script = " => ;     => ; \t => " },
	{ "blanks around words are ignored", "scripts",
	  .script = "   name    => $n; boardsize    $s => =*" },
	{ "a tab is a blank", "scripts", .script = "name\t => $n; boardsize\t$s => =*" },
	{ "lines may end as on Windows", "gtp2ogs, GUIs on Windows",
	  .script = "name\r => $n; \r => " },
	{ "control characters are ignored", "the GTP draft", .script = "n\001am\177e => $n" },
	{ "NUL bytes are ignored", "the GTP draft", .check = check_nul },
	{ "bytes above 127 do no harm", "Sabaki and GoGui with names of files",
	  .script = "no_such_command caf\xc3\xa9 => ?*" },
	{ "an unknown command gets `unknown command`", "GoGui, which shows it",
	  .script = "no_such_command 1 2 => ? unknown command" },
	{ "several commands may be sent at once", "Quarry, Sabaki", .needs = AT_ONCE,
	  .script = "name => $n; no_such_command => ?*; name => $n" },
	{ "a command may come in pieces", ALL, .check = check_pieces },
	{ "thousands of commands may wait for their answers", "Sabaki, GoGui",
	  .check = check_many },
	{ "a line of 10,000 bytes is one command",
	  "scripts; GoGui where gogui-play_sequence is offered", .check = check_long_lines },
	{ "a line of a million bytes is one command", "the GTP draft, which has no limit",
	  .check = check_huge_lines },

	/* Commands. */
	{ "list_commands lists one command on each line", "Quarry, Sabaki, gtp2ogs, GoGui",
	  .check = check_list },
	{ "list_commands lists the commands that GTP requires", "gtp2ogs, GoGui, Sabaki, Quarry",
	  .check = check_required },
	{ "known_command agrees with list_commands", "gomill", .check = check_known },
	{ "known_command without a name does no harm", "scripts", .script = "known_command => *" },
	{ "name and version are one line each", "Quarry, gogui-twogtp", .check = check_name },

	/* Setting up. */
	{ "boardsize is accepted, with an empty answer", "Quarry, Sabaki, gogui-twogtp, gomill",
	  .script = "boardsize $s => =" },
	{ "an impossible size gets `unacceptable size`", "the GTP draft",
	  .script = "boardsize 1000000 => ? unacceptable size" },
	{ "a malformed size is refused and changes nothing", "scripts", .needs = NEEDS_MOVES,
	  .script = "play b $1 => =; boardsize => ?*; boardsize x => ?*; boardsize -8 => ?*; "
		    "boardsize 99999999999999999999 => ?*; play w $2 => =" },
	{ "clear_board is accepted without a word", ALL, .script = "clear_board => =" },
	{ "clear_board empties the board", ALL, .needs = NEEDS_MOVES,
	  .script = "play b $1 => =; clear_board => =; play b $1 => =" },
	{ "clear_board is cheap", "GoGui, which sends hundreds in a game",
	  .check = check_cheap_clear },
	{ "any komi is accepted, with an empty answer", "Sabaki, gomill, gogui-twogtp",
	  .script = "komi 6.5 => =; komi -3 => =; komi 0 => =" },
	{ "a malformed komi is refused", "scripts", .script = "komi => ?*; komi abc => ?*" },

	/* Moves. */
	{ "colours are accepted in all spellings",
	  "GoGui and Sabaki (B), Quarry and gtp2ogs (black), gomill (b)", .needs = NEEDS_MOVES,
	  .script = "play b $1 => =; play White $2 => =; play BLACK $3 => =; play W $4 => =; "
		    "clear_board => =; play B $1 => =; play w $2 => =; play black $3 => =; play "
		    "WHITE $4 => =" },
	{ "moves are accepted in lower case", "gtp2ogs, OpenSpiel", .needs = NEEDS_MOVES,
	  .script = "play b $a => =" },
	{ "moves are accepted in upper case", "GoGui, Quarry, Sabaki, gomill", .needs = NEEDS_MOVES,
	  .script = "play b $1 => =" },
	{ "an illegal move is `illegal move`",
	  "gomill, where any other text loses the game of who complains", .needs = NEEDS_MOVES,
	  .script = "play b $1 => =; play w $2 => =; play b $o => ? illegal move" },
	{ "an illegal move changes nothing", ALL, .needs = NEEDS_MOVES,
	  .script = "play b $1 => =; play w $2 => =; play b $o => ?*; play b $3 => =; play w $4 => "
		    "=" },
	{ "a malformed play is refused and changes nothing", "scripts", .needs = NEEDS_MOVES,
	  .script = "play => ?*; play b => ?*; play $1 => ?*; play x $1 => ?*; play b $1 => =; "
		    "play w $2 => =" },
	{ "a malformed vertex is refused and changes nothing", "scripts", .needs = NEEDS_MOVES,
	  .check = check_vertices },
	{ "two moves of one colour in a row do no harm", "Quarry, Sabaki, GoGui",
	  .needs = NEEDS_MOVES, .script = "play b $1 => =; play b $3 => *" },
	{ "play with resign does no harm", "scripts", .script = "play b resign => *" },
	{ "a voluntary pass does no harm", "GoGui", .script = "play b pass => *" },
	{ "a whole game is followed: legal moves are accepted, illegal ones refused", ALL,
	  .needs = NEEDS_RULES, .check = check_random_game },

	/* Searches. */
	{ "genmove answers one legal move and plays it", ALL, .check = check_genmove },
	{ "genmove answers in upper case", "scripts that compare moves", .check = check_upper },
	{ "a malformed genmove is refused and changes nothing", "scripts", .needs = NEEDS_MOVES,
	  .script = "genmove => ?*; genmove x => ?*; play b $1 => =" },
	{ "genmove of either colour does no harm", "GoGui, Quarry", .script = "genmove w => *" },
	{ "a whole game is played by legal moves", ALL, .needs = NEEDS_RULES,
	  .check = check_self_play },
	{ "genmove is `pass` when the game is over", "gogui-twogtp, gomill",
	  .needs = NEEDS_RULES | NEEDS_END, .check = check_end },
	{ "passes are accepted when the game is over", "gogui-twogtp, gomill", .needs = NEEDS_RULES,
	  .check = check_end_passes },
	{ "a new game may follow a finished one", "gogui-twogtp, gomill, GoGui",
	  .needs = NEEDS_RULES, .check = check_new_game },
	{ "a forced pass may be sent", "GoGui, gogui-twogtp, gomill",
	  .needs = NEEDS_RULES | NEEDS_PASSES, .check = check_pass_told },
	{ "a forced pass may be left out", "Quarry", .needs = NEEDS_RULES | NEEDS_PASSES,
	  .check = check_pass_left_out },
	{ "genmove is `pass` when a pass is forced", "GoGui, gogui-twogtp, gomill",
	  .needs = NEEDS_RULES | NEEDS_PASSES, .check = check_pass_asked },
	{ "genmove skips the other side's forced pass", "Quarry",
	  .needs = NEEDS_RULES | NEEDS_PASSES, .check = check_pass_skipped },
	{ "final_score is the result", "gogui-twogtp, gomill", .command = "final_score",
	  .needs = NEEDS_RULES, .check = check_score },
	{ "reg_genmove plays no move", "gogui-regress", .command = "reg_genmove",
	  .check = check_reg_genmove },
	{ "showboard contains no blank line", "gtp2ogs, people", .command = "showboard",
	  .check = check_showboard },

	/* Taking back. */
	{ "undo takes back moves", "GoGui, Sabaki", .command = "undo", .needs = NEEDS_MOVES,
	  .script = "play b $1 => =; undo => =; play b $1 => =; play w $2 => =; undo => =; undo => "
		    "=; play b $1 => =" },
	{ "undo takes back what genmove played", "GoGui", .command = "undo", .needs = NEEDS_MOVES,
	  .script = "genmove b => = *; undo => =; play b $1 => =" },
	{ "undo at the start gets `cannot undo`", "the GTP draft", .command = "undo",
	  .script = "undo => ? cannot undo" },
	{ "undo after clear_board is refused", "GoGui, Sabaki", .command = "undo",
	  .needs = NEEDS_MOVES, .script = "play b $1 => =; clear_board => =; undo => ?*" },
	{ "undo takes back the last move, not a refused one", "GoGui, Sabaki", .command = "undo",
	  .needs = NEEDS_MOVES,
	  .script = "play b $1 => =; play w $2 => =; play b $o => ?*; undo => =; play w $2 => =" },
	{ "moves and their undo may be sent at once", "Sabaki", .command = "undo",
	  .needs = NEEDS_MOVES | AT_ONCE,
	  .script = "play b $1 => =; play w $2 => =; undo => =; undo => =; play b $1 => =" },
	{ "gg-undo takes back several moves", "GoGui", .command = "gg-undo", .needs = NEEDS_MOVES,
	  .script = "play b $1 => =; play w $2 => =; gg-undo 2 => =; play b $1 => =" },

	/* Time. */
	{ "time_settings is accepted, with an empty answer", "Quarry, GoGui, gtp2ogs",
	  .command = "time_settings",
	  .script = "time_settings 0 1 0 => =; time_settings 300 0 0 => =; time_settings 0 5 1 => "
		    "=; time_settings 600 30 25 => =" },
	{ "malformed time_settings do no harm", "scripts", .command = "time_settings",
	  .script = "time_settings => ?*; time_settings a b c => ?*; time_settings -1 -1 -1 => *; "
		    "time_settings 99999999999999999999 0 0 => *" },
	{ "time_left is accepted, with an empty answer", "GoGui, Quarry, gtp2ogs",
	  .command = "time_left", .script = "time_left b 10 0 => =; time_left WHITE 5 3 => =" },
	{ "an odd time_left does no harm", "gtp2ogs", .command = "time_left",
	  .script = "time_left b -3 0 => *; time_left b 1.5 0 => *; time_left b 99999999999 0 => "
		    "*; time_left => *; time_left x 1 1 => *" },
	{ "genmove answers when no time is left", "GoGui, Quarry, gtp2ogs", .command = "time_left",
	  .script = "time_settings 60 0 0 => *; time_left b 0 0 => =*; genmove b => = *; "
		    "time_settings 0 1 10 => *; time_left w 1 10 => =*; genmove w => = *" },
	{ "time_left and genmove may be sent at once", "Quarry", .command = "time_left",
	  .needs = AT_ONCE,
	  .script = "time_left black 1 1 => =; genmove black => = *; name => $n" },
	{ "kgs-time_settings is accepted", "kgsGtp, gtp2ogs", .command = "kgs-time_settings",
	  .script = "kgs-time_settings none => =; kgs-time_settings absolute 300 => =; "
		    "kgs-time_settings byoyomi 300 30 5 => =; kgs-time_settings canadian 300 300 "
		    "25 => =" },
	{ "kata-time_settings is accepted", "gtp2ogs", .command = "kata-time_settings",
	  .script = "kata-time_settings none => =; kata-time_settings absolute 300 => =; "
		    "kata-time_settings byoyomi 300 30 5 => =; kata-time_settings fischer 300 5 => "
		    "=" },

	/* Start and end of the process. */
	{ "quit is answered, then the process ends with exit status 0",
	  "GoGui, gomill, Sabaki, gtp2ogs, OpenSpiel", .check = check_quit },
	{ "commands after quit are not answered", "Sabaki", .check = check_behind_quit },
	{ "quit may be sent during a search", "gtp2ogs, OpenSpiel",
	  .check = check_quit_behind_genmove },
	{ "the end of input ends the process", "Quarry, gomill, GoGui's rulers",
	  .check = check_end_of_input },
	{ "a script without quit is answered to its end", "scripts", .needs = STARTS,
	  .check = check_piped_script },
	{ "a last line without a newline does no harm", "scripts", .needs = STARTS,
	  .check = check_unended_line },
	{ "input and output may be files", "scripts", .needs = STARTS, .check = check_files },
	{ "no answer is lost if the client reads slowly", "GoGui, Sabaki",
	  .check = check_slow_reader },
	{ "commands after a genmove wait for its answer", "Quarry, Sabaki", .needs = AT_ONCE,
	  .script = "genmove b => = *; name => $n; no_such_command => ?*" },
	{ "the end of input during a search ends the process", "Quarry, scripts",
	  .check = check_end_in_genmove },
	{ "the process ends when its client is gone", "GoGui and others that are killed",
	  .check = check_gone_client },
	{ "SIGTERM ends the process", "gtp2ogs, OpenSpiel, Sabaki", .check = check_term },

	/* Extensions. */
	{ "cputime is a number", "gogui-twogtp, gogui-regress", .command = "cputime",
	  .check = check_number },
	{ "gomill-cpu_time is a number", "gomill", .command = "gomill-cpu_time",
	  .check = check_number },
	{ "gomill-describe_engine answers a text", "gomill", .command = "gomill-describe_engine",
	  .script = "gomill-describe_engine => = *" },
	{ "gomill-explain_last_move is accepted", "gomill", .command = "gomill-explain_last_move",
	  .script = "genmove b => = *; gomill-explain_last_move => =*" },
	{ "gomill-genmove_ex answers a legal move", "gomill", .command = "gomill-genmove_ex",
	  .check = check_like_genmove },
	{ "kgs-genmove_cleanup answers a legal move", "kgsGtp, gtp2ogs, GoGui",
	  .command = "kgs-genmove_cleanup", .check = check_like_genmove },
	{ "kgs-game_over is accepted", "kgsGtp", .command = "kgs-game_over",
	  .script = "kgs-game_over => =*" },
	{ "gogui-interrupt: `# interrupt` ends a search", "GoGui", .command = "gogui-interrupt",
	  .check = check_interrupt },
	{ "gogui-sigint: SIGINT ends a search", "GoGui", .command = "gogui-sigint",
	  .check = check_sigint },
	{ "gogui-title is one line", "GoGui", .command = "gogui-title", .check = check_line },
	{ "gogui-analyze_commands lists known types and commands", "GoGui",
	  .command = "gogui-analyze_commands", .check = check_analyze_commands },
	{ "gogui-play_sequence plays all or nothing", "GoGui", .command = "gogui-play_sequence",
	  .needs = NEEDS_MOVES,
	  .script = "gogui-play_sequence b $1 w $2 => =; play b $3 => =; clear_board => =; "
		    "gogui-play_sequence b $1 w $2 b $o => ?*; play b $1 => =" },
	{ "gogui-setup sets up a position", "GoGui", .command = "gogui-setup", .needs = NEEDS_RULES,
	  .check = check_setup },
	{ "gogui-rules_game_id is a capitalised word", "GoGui", .command = "gogui-rules_game_id",
	  .check = check_game_id },
	{ "gogui-rules_board_size is a number, of hexagons with `hex`", "GoGui",
	  .command = "gogui-rules_board_size", .check = check_board_size },
	{ "gogui-rules_board is the position, the highest row first", "GoGui",
	  .command = "gogui-rules_board", .needs = NEEDS_RULES, .check = check_board },
	{ "gogui-rules_side_to_move is the side to move", "GoGui",
	  .command = "gogui-rules_side_to_move", .needs = NEEDS_RULES, .check = check_side },
	{ "gogui-rules_legal_moves are the legal moves, none at the end", "GoGui",
	  .command = "gogui-rules_legal_moves", .needs = NEEDS_RULES, .check = check_legal_moves },
	{ "gogui-rules_final_result is one line", "GoGui", .command = "gogui-rules_final_result",
	  .needs = NEEDS_RULES, .check = check_result },
	{ "list_games lists what set_game accepts", "Quarry", .command = "list_games",
	  .check = check_games },
	{ "fixed_handicap answers points", "Quarry, gomill, Sabaki", .command = "fixed_handicap",
	  .needs = NEEDS_HANDICAP, .script = "fixed_handicap 2 => = *" },
	{ "place_free_handicap answers points", "Quarry, gomill, gtp2ogs",
	  .command = "place_free_handicap", .needs = NEEDS_HANDICAP,
	  .script = "place_free_handicap 2 => = *" },
	{ "set_free_handicap places stones", "GoGui, Quarry, Sabaki, gomill, gtp2ogs",
	  .command = "set_free_handicap", .needs = NEEDS_MOVES | NEEDS_HANDICAP,
	  .script = "set_free_handicap $1 $3 => =; play w $1 => ?*; play w $2 => =" },
	{ "rectangular_boardsize is accepted", "Sabaki", .command = "rectangular_boardsize",
	  .script = "rectangular_boardsize $r => =" },
	{ "analyze sends moves until the next line", "Sabaki", .command = "analyze",
	  .check = check_analysis },
	{ "lz-analyze sends moves until a line comes", "Sabaki, Lizzie, q5Go",
	  .command = "lz-analyze", .check = check_analysis },
	{ "kata-analyze sends moves until a line comes", "Sabaki, Lizzie, q5Go",
	  .command = "kata-analyze", .check = check_analysis },
	{ "the end of input ends an analysis", "Sabaki, Lizzie", .command = "kata-analyze",
	  .check = check_analysis_end },
	{ "genmove_analyze ends with its move", "Sabaki", .command = "genmove_analyze",
	  .check = check_genmove_analyze },
	{ "lz-genmove_analyze ends with its move", "Sabaki", .command = "lz-genmove_analyze",
	  .check = check_genmove_analyze },
	{ "kata-genmove_analyze ends with its move", "Sabaki", .command = "kata-genmove_analyze",
	  .check = check_genmove_analyze },
	{ "kata-get-param knows what kata-list-params lists", "scripts",
	  .command = "kata-list-params", .check = check_params },
	{ "a missing file gets `cannot load file`", "the GTP draft", .command = "loadsgf",
	  .script = "loadsgf /no/such/file.sgf => ? cannot load file" },
	{ "printsgf writes a game that loadsgf reads", "scripts", .command = "printsgf",
	  .needs = NEEDS_MOVES, .check = check_sgf },

	/* Observed during all checks. */
	{ "nothing but answers is written to stdout", "gomill, gtp2ogs, Sabaki, GoGui",
	  .needs = STARTS, .check = check_noise },
};
#define DEMANDS ((int)(sizeof demands / sizeof *demands))

/* --- the run --- */

static bool is_cancelled(const struct checklist *c)
{
	return stream_wait(&c->cancel, 1, 0);
}

/* The totals of the list. */
struct count {
	int met, failed;
	int skipped;   /* the rules are unknown here, or the engine gave no moves */
	char *missing; /* missing commands, as text */
	int missing_count;
};

/* Counts a missing command once. */
static void add_missing(struct count *c, const char *command)
{
	char *all, word[64];
	snprintf(word, sizeof word, " %s,", command);
	if (c->missing && strstr(c->missing, word))
		return;
	all = xasprintf("%s%s", c->missing ? c->missing : "", word);
	free(c->missing);
	c->missing = all;
	c->missing_count++;
}

/* Returns true if random games come to a forced pass. In Lines of Action they hardly do. */
static bool has_forced_pass(const struct game *g)
{
	struct record r;
	bool found = play_find_record(&r, g, play_must_pass);
	record_free(&r);
	return found;
}

/* Returns true if the game, which may be unknown, has what a demand is about. */
static bool fits_game(const struct game *g, int needs)
{
	int squares[GAME_SQUARES_MAX];
	if (!g)
		return true;
	if (needs & NEEDS_PASSES &&
	    (g->steps.pass == MOVE_NONE || g->steps.may_pass || !has_forced_pass(g)))
		return false;
	if (needs & NEEDS_END && g->set_turn)
		return false;
	return !(needs & NEEDS_HANDICAP) || (g->komi && g->komi->handicap(g, 2, squares) == 2);
}

/* Returns true if a demand applies to this engine. Counts the reason if it does not. */
static bool is_made(struct target *s, const struct demand *d, struct count *c)
{
	if (!fits_game(s->game, d->needs))
		return false;
	if (!s->commands && !s->runs)
		target_set_up(s);
	if (d->command && !target_knows(s, d->command)) {
		add_missing(c, d->command);
		return false;
	}
	if ((d->needs & NEEDS_RULES && !s->game) || (d->needs & NEEDS_MOVES && !s->has_moves)) {
		c->skipped++;
		return false;
	}
	return true;
}

static bool check_demand(struct target *s, const struct demand *d)
{
	const char *of = d->command ? d->command : "";
	target_forget(s);
	target_use_names(s, strncmp(of, "gogui-", 6) == 0 || strncmp(of, "gomill-", 7) == 0);
	if (!(d->needs & STARTS) && !target_set_up(s))
		return false;
	target_forget(s);
	s->about = d->command;
	bool good = d->check ? d->check(s) : target_script(s, d->script, d->needs & AT_ONCE);
	return good && (!s->runs || target_in_step(s));
}

static void checklist_print_failure(const struct target *s, const struct demand *d, FILE *out)
{
	assert(s->got && s->expected);
	fprintf(out, "failed: %s: ", d->what);
	if (s->said)
		fprintf(out, "sent `%s`; ", s->said);
	fprintf(out, "got: %s; expected: %s; affects: %s\n", s->got, s->expected, d->clients);
	fflush(out);
}

static void checklist_print_head(const struct checklist *c, const struct target *s, FILE *out)
{
	const char *name = target_text(s->name);
	fprintf(out, "engine: %s\n", name && *name ? name : c->command);
	if (s->game)
		fprintf(out, "game: %s (%s)\n", s->game->title, s->game->rules);
	else if (c->game_name)
		fprintf(out,
			"game: %s, whose rules yomi does not know; checks of rules are skipped\n",
			c->game_name);
	else
		fputs("game: unknown, so checks of rules are skipped; name the game with --game\n",
		      out);
	fflush(out);
}

static void checklist_print_summary(const struct count *c, FILE *out)
{
	if (c->missing)
		fprintf(out, "not offered:%.*s\n", (int)strlen(c->missing) - 1, c->missing);
	fprintf(out, "%d of %d demands met; %d failed; %d optional features not offered", c->met,
		c->met + c->failed, c->failed, c->missing_count);
	if (c->skipped)
		fprintf(out, "; %d demands skipped", c->skipped);
	fprintf(out, "\n%d passed, %d failed\n", c->met, c->failed);
}

/* Makes all checks. Returns false if cancelled. */
static bool check_all(const struct checklist *c, struct target *s, struct count *count, FILE *out)
{
	for (const struct demand *d = demands; d < demands + DEMANDS; d++) {
		if (!is_made(s, d, count))
			continue;
		bool good = check_demand(s, d);
		if (is_cancelled(c))
			return false;
		if (good) {
			count->met++;
			continue;
		}
		count->failed++;
		checklist_print_failure(s, d, out);
		target_kill(s);
	}
	return true;
}

enum checklist_result checklist_run(const struct checklist *c, FILE *out)
{
	struct count count = { 0 };
	enum checklist_result result;
	struct target s = {
		.command = c->command,
		.game = c->game,
		.patience = c->patience,
		.err = c->err,
		.cancel = c->cancel,
	};
	if (!target_learn(&s, !c->game_name)) {
		result = is_cancelled(c) ? CHECKLIST_CANCELLED : CHECKLIST_NOT_STARTED;
		if (result == CHECKLIST_NOT_STARTED)
			message("%s: sent `%s`; got: %s", c->command, s.said ? s.said : "", s.got);
	} else {
		checklist_print_head(c, &s, out);
		result = !check_all(c, &s, &count, out) ? CHECKLIST_CANCELLED
			 : count.failed                 ? CHECKLIST_FAILED
							: CHECKLIST_MET;
		if (result != CHECKLIST_CANCELLED)
			checklist_print_summary(&count, out);
	}
	free(count.missing);
	target_free(&s);
	return result;
}
